// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/numbering.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lanecut {

using ib::FunctionScheme;
using ib::MadAttribute;

Numbering::Numbering(const SmConfig& config, FabricMap& map, SmpEngine& engine, TableLoader& loader)
    : config_(config), map_(map), batch_(engine), loader_(loader) {}

void Numbering::Run(bool hold, Done done) {
  result_ = {};
  if (!is_found_) FindNumber();
  const auto submit = [this, hold] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const MapNode& record = map_.nodes()[i];
      if (!record.IsReachable() || record.is_numbered) continue;
      const int node = static_cast<int>(i);
      record.IsSwitch() ? NumberSwitch(node) : NumberEndNode(node, hold);
    }
  };
  batch_.Run(submit, [this, done = std::move(done)] { done(StageResult(result_)); });
}

bool Numbering::IsNeeded(const FabricMap& map) {
  return std::any_of(map.nodes().begin(), map.nodes().end(),
                     [](const MapNode& node) { return node.IsReachable() && !node.is_numbered; });
}

void Numbering::FindNumber() {
  std::array<int, ib::kFunctionNumbers> count{};
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    const MapNode& record = map_.nodes()[i];
    if (record.IsSwitch() && record.IsReachable()) ++count[Reported(static_cast<int>(i))];
  }
  number_ = static_cast<std::uint8_t>(std::max_element(count.begin(), count.end()) - count.begin());
  is_found_ = true;
}

std::uint8_t Numbering::Reported(int node) const {
  return static_cast<std::uint8_t>(map_.node(node).status.epoch % ib::kFunctionNumbers);
}

FunctionScheme Numbering::Scheme() const {
  return config_.UsesTokens() ? FunctionScheme::kTokens : FunctionScheme::kEpochs;
}

void Numbering::NumberSwitch(int node) {
  const auto finish = [this, node] { Finish(node); };
  if (Reported(node) == number_) return SetScheme(node, Scheme(), finish);
  SetScheme(node, FunctionScheme::kNone, [this, node, finish] {
    loader_.CommitInactive(batch_, result_, node, number_, [this, node, finish](bool ok) {
      if (ok) SetScheme(node, Scheme(), finish);
    });
  });
}

void Numbering::NumberEndNode(int node, bool hold) {
  if (hold) {
    held_.insert(node);
    batch_.Add(SetRequest({node}, MadAttribute::kVendorInjection, 0, ib::VendorInjection{true}),
               [this, node](const SmpReply& reply) {
                 CheckReply(reply, MadAttribute::kVendorInjection, map_.node(node).name, &result_);
               });
  }
  const auto finish = [this, node] { Finish(node); };
  if (Reported(node) == number_) return SetScheme(node, Scheme(), finish);
  SetScheme(node, FunctionScheme::kEpochs, [this, node, finish] {
    ib::VendorFunction function;
    function.start = true;
    function.number = number_;
    batch_.Add(
        SetRequest({node}, MadAttribute::kVendorFunction, 0, function),
        [this, node, finish](const SmpReply& reply) {
          if (!CheckReply(reply, MadAttribute::kVendorFunction, map_.node(node).name, &result_))
            return;
          if (Scheme() == FunctionScheme::kEpochs) return finish();
          SetScheme(node, Scheme(), finish);
        });
  });
}

void Numbering::SetScheme(int node, FunctionScheme scheme, std::function<void()> next) {
  batch_.Add(SetRequest({node}, MadAttribute::kVendorScheme, 0, ib::VendorScheme{scheme}),
             [this, node, next = std::move(next)](const SmpReply& reply) {
               if (CheckReply(reply, MadAttribute::kVendorScheme, map_.node(node).name, &result_))
                 next();
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
