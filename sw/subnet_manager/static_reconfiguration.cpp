// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/static_reconfiguration.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

using ib::MadAttribute;

StaticReconfiguration::StaticReconfiguration(const ReconfigurationTools& tools)
    : ComputedReconfiguration(tools, SmPhase::kHalt) {}

void StaticReconfiguration::Run(const RoutePlan& before, const RoutePlan& after, Report report,
                                Done done) {
  Begin(before, after, std::move(report), std::move(done));
  is_drained_ = is_preloaded_ = is_halted_ = false;
  previous_.clear();
  stopped_.clear();
  phase_ = SmPhase::kHalt;
  if (config_.flood_halt) {
    FloodInjection(true);
    StartDrain();
  } else {
    SetInjection(true, [this] { OnHalted(); });
  }
  OnTimer();
}

void StaticReconfiguration::SetInjection(bool halted, std::function<void()> next) {
  const auto submit = [this, halted] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      if (map_.node(node).IsSwitch() || !map_.node(node).IsReachable()) continue;
      SendInjection(node, halted);
    }
  };
  batch_.Run(submit, [this, next = std::move(next)] {
    if (Continue(result_)) next();
  });
}

void StaticReconfiguration::FloodInjection(bool halted) {
  const SmpRequest request =
      SetRequest({}, MadAttribute::kVendorInjection, 0, ib::VendorInjection{halted});
  engine_.Flood(request.mad, map_.node(FabricMap::kOwnNode).lid, now_);
}

void StaticReconfiguration::SendInjection(int node, bool halted) {
  batch_.Add(SetRequest({node}, MadAttribute::kVendorInjection, 0, ib::VendorInjection{halted}),
             [this, node](const SmpReply& reply) {
               CheckReply(reply, MadAttribute::kVendorInjection, map_.node(node).name, &result_);
             });
}

void StaticReconfiguration::OnHalted() {
  NoteHalted();
  StartDrain();
}

void StaticReconfiguration::NoteHalted() {
  is_halted_ = true;
  report_(SmEventKind::kHalted, nullptr);
}

void StaticReconfiguration::StartDrain() {
  phase_ = SmPhase::kDrain;
  drain_deadline_ = now_ + config_.drain_timeout;
  Poll();
}

void StaticReconfiguration::Poll() {
  current_.assign(map_.nodes().size(), {});
  const auto submit = [this] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      if (!map_.node(node).IsReachable() || stopped_.count(node) > 0) continue;
      batch_.Add(GetRequest({node}, MadAttribute::kVendorStatus), [this,
                                                                   node](const SmpReply& reply) {
        const MapNode& record = map_.node(node);
        if (!CheckReply(reply, MadAttribute::kVendorStatus, record.name, &result_)) return;
        const ib::VendorStatus status = ib::VendorStatus::Decode(reply.mad, record.info.node_type);
        const bool injects = !record.IsSwitch() && !status.halted;
        const bool busy = status.busy || injects;
        if (injects && config_.flood_halt) SendInjection(node, true);
        if (record.IsSwitch()) {
          current_[node] = {busy, status.data_received, status.data_sent, status.data_dropped};
          return;
        }
        current_[node].busy = busy;
        if (!busy) stopped_.insert(node);
      });
    }
  };
  batch_.Run(submit, [this] { OnPolled(); });
}

void StaticReconfiguration::OnPolled() {
  if (!Continue(result_)) return;
  // Whoever had missed the flood has acknowledged by now that it was told again.
  if (!is_halted_) NoteHalted();
  if (!IsDrained()) {
    if (now_ >= drain_deadline_) {
      result_.Note(StageOutcome::kRefused,
                   fmt::format("the network has not drained in {} cycles: {}",
                               config_.drain_timeout, BusyNodes()));
      End(result_);
      return;
    }
    previous_ = current_;
    Poll();
    return;
  }
  is_drained_ = true;
  report_(SmEventKind::kDrained, nullptr);
  TryReload();
}

bool StaticReconfiguration::IsDrained() const {
  return current_ == previous_ && std::none_of(current_.begin(), current_.end(),
                                               [](const NodeActivity& node) { return node.busy; });
}

std::string StaticReconfiguration::BusyNodes() const {
  std::vector<int> busy;
  for (std::size_t i = 0; i < current_.size(); ++i) {
    if (current_[i].busy) busy.push_back(static_cast<int>(i));
  }
  if (busy.empty()) return "packet counters still move";
  return "packets wait in " + map_.NameNodes(busy);
}

void StaticReconfiguration::OnComputed() {
  if (config_.static_load == StaticLoad::kInactiveBankDuringDrain) LoadInactiveBanks();
  TryReload();
}

void StaticReconfiguration::LoadInactiveBanks() {
  loader_.Load(*after_, TableBank::kInactive, [this](const StageResult& result) {
    if (!Continue(result)) return;
    is_preloaded_ = true;
    TryReload();
  });
}

// Once the tables are there and the network is empty: LIDs of new nodes and ports to Armed, then
// the tables.
void StaticReconfiguration::TryReload() {
  const bool preloads = config_.static_load == StaticLoad::kInactiveBankDuringDrain;
  if (phase_ != SmPhase::kDrain || !is_drained_ || !is_computed() || (preloads && !is_preloaded_)) {
    return;
  }
  phase_ = SmPhase::kReload;
  activation_.Configure([this](const StageResult& result) {
    if (Continue(result)) LoadTables();
  });
}

void StaticReconfiguration::LoadTables() {
  const auto loaded = [this](const StageResult& result) {
    if (Continue(result)) OnTablesLoaded();
  };
  if (is_preloaded_) {
    loader_.Commit(*after_, loaded);
  } else if (config_.IsCompact()) {
    loader_.UpdateActive(*after_, loaded);
  } else {
    loader_.Load(*after_, TableBank::kActive, loaded);
  }
}

void StaticReconfiguration::OnTablesLoaded() {
  report_(SmEventKind::kTablesLoaded, after_);
  activation_.Activate([this](const StageResult& result) {
    if (Continue(result)) Resume();
  });
}

void StaticReconfiguration::Resume() {
  phase_ = SmPhase::kResume;
  const auto resumed = [this] {
    report_(SmEventKind::kResumed, nullptr);
    config_.IsCompact() ? LoadRest() : End(result_);
  };
  if (config_.flood_halt) {
    FloodInjection(false);
    AskWhoIsHalted(resumed);
  } else {
    SetInjection(false, resumed);
  }
}

// Whoever has missed the flood is told again.
void StaticReconfiguration::AskWhoIsHalted(std::function<void()> next) {
  const auto submit = [this] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      if (map_.node(node).IsSwitch() || !map_.node(node).IsReachable()) continue;
      batch_.Add(
          GetRequest({node}, MadAttribute::kVendorInjection), [this, node](const SmpReply& reply) {
            if (CheckReply(reply, MadAttribute::kVendorInjection, map_.node(node).name, &result_) &&
                ib::VendorInjection::Decode(reply.mad).halted) {
              SendInjection(node, false);
            }
          });
    }
  };
  batch_.Run(submit, [this, next = std::move(next)] {
    if (Continue(result_)) next();
  });
}

// By the LIDs of switches no packet of an end node travels.
void StaticReconfiguration::LoadRest() {
  loader_.Load(*after_, TableBank::kActive, [this](const StageResult& result) { End(result); });
}

}  // namespace lanecut
