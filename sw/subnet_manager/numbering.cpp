// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/numbering.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sw/wire/function_number.h"

namespace lanecut {

using ib::FunctionScheme;
using ib::MadAttribute;

namespace {

constexpr int kMostPolls = 1000;

}  // namespace

Numbering::Numbering(const SmConfig& config, FabricMap& map, SmpEngine& engine, TableLoader& loader)
    : config_(config), map_(map), batch_(engine), loader_(loader) {}

void Numbering::Run(bool hold, Done done) {
  result_ = {};
  if (!is_found_) FindNumber();
  const auto finish = [this, done = std::move(done)] { done(StageResult(result_)); };
  const auto end_nodes = [this, finish] {
    ForEachNew(
        false, [this](int node) { NumberEndNode(node); }, finish);
  };
  const auto switches = [this, end_nodes] {
    ForEachNew(
        true, [this](int node) { NumberSwitch(node); }, end_nodes);
  };
  if (!hold) return switches();
  ForEachNew(
      false, [this](int node) { Hold(node); }, switches);
}

void Numbering::ForEachNew(bool switches, const std::function<void(int)>& submit,
                           std::function<void()> next) {
  if (result_.outcome != StageOutcome::kComplete) return next();
  batch_.Run(
      [this, switches, &submit] {
        for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
          const MapNode& record = map_.nodes()[i];
          const bool is_new = record.is_planned_for && !record.is_numbered;
          if (is_new && record.IsSwitch() == switches) submit(static_cast<int>(i));
        }
      },
      std::move(next));
}

bool Numbering::IsNeeded(const FabricMap& map) {
  return std::any_of(map.nodes().begin(), map.nodes().end(),
                     [](const MapNode& node) { return node.IsReachable() && !node.is_numbered; });
}

void Numbering::Inherit(std::uint8_t number, std::set<int> held) {
  number_ = number;
  is_found_ = true;
  held_ = std::move(held);
}

void Numbering::FindNumber() {
  std::array<int, kFunctionNumbers> count{};
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    const MapNode& record = map_.nodes()[i];
    if (record.IsSwitch() && record.IsReachable()) ++count[Reported(static_cast<int>(i))];
  }
  number_ = static_cast<std::uint8_t>(std::max_element(count.begin(), count.end()) - count.begin());
  is_found_ = true;
}

std::uint8_t Numbering::Reported(int node) const {
  return static_cast<std::uint8_t>(map_.node(node).status.epoch % kFunctionNumbers);
}

FunctionScheme Numbering::Scheme() const {
  if (config_.DrainsVls()) return FunctionScheme::kDouble;
  return config_.UsesTokens() ? FunctionScheme::kTokens : FunctionScheme::kEpochs;
}

// A switch that was cut off in the middle of a change is still in it, or ready for it. Only when it
// is not can its bank be known.
void Numbering::NumberSwitch(int node) {
  loader_.Forget(node);
  if (!config_.UsesTokens()) return ReadBank(node);
  Ask(node, GetRequest({node}, MadAttribute::kVendorScheme), [this, node](const Mad& mad) {
    if (ib::VendorScheme::Decode(mad).scheme != FunctionScheme::kTokens) return ReadBank(node);
    Ask(node, GetRequest({node}, MadAttribute::kVendorFunction), [this, node](const Mad& answer) {
      const auto function = ib::VendorFunction::Decode(answer);
      map_.node(node).status.epoch = function.epoch;
      function.ready || function.start ? EndChange(node) : ReadBank(node);
    });
  });
}

void Numbering::ReadBank(int node) {
  Ask(node, GetRequest({node}, MadAttribute::kVendorBank), [this, node](const Mad& mad) {
    const ib::VendorBank bank = ib::VendorBank::Decode(mad);
    map_.node(node).status.epoch = bank.epoch;
    loader_.NoteBank(node, bank.active_bank, bank.epoch);
    AlignSwitch(node);
  });
}

// Nothing passes through the switch, so whatever its tables hold, it can go on to the next
// function. It waits for its end nodes, though.
void Numbering::EndChange(int node) {
  ib::VendorFunction function;
  function.ready = function.start = true;
  function.number = NextNumber(Reported(node));
  Ask(node, SetRequest({node}, MadAttribute::kVendorFunction, 0, function),
      [this, node, next = function.number](const Mad&) { AwaitEnd(node, next, kMostPolls); });
  for (const MapPort& port : map_.node(node).ports) {
    if (!port.peer || map_.node(port.peer->node).IsSwitch()) continue;
    const int peer = port.peer->node;
    SetScheme(peer, FunctionScheme::kTokens,
              [this, peer, next = function.number] { StartEndNode(peer, next, [] {}); });
  }
}

void Numbering::AwaitEnd(int node, std::uint8_t number, int polls_left) {
  Ask(node, GetRequest({node}, MadAttribute::kVendorFunction),
      [this, node, number, polls_left](const Mad& mad) {
        if (ib::VendorFunction::Decode(mad).epoch == number) return ReadBank(node);
        if (polls_left > 0) return AwaitEnd(node, number, polls_left - 1);
        result_.Note(StageOutcome::kIncomplete,
                     map_.node(node).name + " does not end the change that it is in");
      });
}

void Numbering::AlignSwitch(int node) {
  const auto finish = [this, node] { Finish(node); };
  if (Reported(node) == number_) return SetScheme(node, Scheme(), finish);
  SetScheme(node, FunctionScheme::kNone, [this, node, finish] {
    loader_.CommitInactive(batch_, result_, node, number_, [this, node, finish](bool ok) {
      if (ok) SetScheme(node, Scheme(), finish);
    });
  });
}

void Numbering::Hold(int node) {
  held_.insert(node);
  Ask(node, SetRequest({node}, MadAttribute::kVendorInjection, 0, ib::VendorInjection{true}),
      [](const Mad&) {});
}

void Numbering::NumberEndNode(int node) {
  const auto finish = [this, node] { Finish(node); };
  if (Reported(node) == number_) return SetScheme(node, Scheme(), finish);
  SetScheme(node, FunctionScheme::kEpochs, [this, node, finish] {
    StartEndNode(node, number_, [this, node, finish] { SetScheme(node, Scheme(), finish); });
  });
}

void Numbering::StartEndNode(int node, std::uint8_t number, std::function<void()> next) {
  ib::VendorFunction function;
  function.start = true;
  function.number = number;
  Ask(node, SetRequest({node}, MadAttribute::kVendorFunction, 0, function),
      [this, node, number, next = std::move(next)](const Mad&) {
        map_.node(node).status.epoch = number;
        next();
      });
}

void Numbering::SetScheme(int node, FunctionScheme scheme, std::function<void()> next) {
  ib::VendorScheme wanted{.scheme = scheme};
  if (map_.node(node).IsSwitch() && scheme == FunctionScheme::kEpochs) {
    wanted.hold_cycles = config_.hold_cycles;
  }
  Ask(node, SetRequest({node}, MadAttribute::kVendorScheme, 0, wanted),
      [next = std::move(next)](const Mad&) { next(); });
}

void Numbering::Ask(int node, SmpRequest request, std::function<void(const Mad&)> next) {
  const MadAttribute attribute = request.mad.attribute();
  batch_.Add(std::move(request),
             [this, node, attribute, next = std::move(next)](const SmpReply& reply) {
               if (CheckReply(reply, attribute, map_.node(node).name, &result_)) next(reply.mad);
             });
}

// What was read at discovery is out of date from here on.
void Numbering::Finish(int node) {
  map_.node(node).is_numbered = true;
  map_.node(node).status.epoch = number_;
}

void Numbering::Release(SmpBatch& batch, StageResult& result, int node) {
  if (held_.count(node) == 0) return;
  batch.Add(SetRequest({node}, MadAttribute::kVendorInjection, 0, ib::VendorInjection{false}),
            [this, node, &result](const SmpReply& reply) {
              if (reply.outcome == SmpOutcome::kNoRoute) return;
              if (CheckReply(reply, MadAttribute::kVendorInjection, map_.node(node).name, &result))
                held_.erase(node);
            });
}

}  // namespace lanecut
