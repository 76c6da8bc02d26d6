// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/static_reconfiguration.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

using ib::MadAttribute;

StaticReconfiguration::StaticReconfiguration(const ReconfigurationTools& tools)
    : config_(tools.config),
      map_(tools.map),
      batch_(tools.engine),
      activation_(tools.activation),
      loader_(tools.loader),
      now_(tools.now) {}

void StaticReconfiguration::Run(const RoutePlan& /*before*/, const RoutePlan& after, Report report,
                                Done done) {
  plan_ = &after;
  report_ = std::move(report);
  done_ = std::move(done);
  result_ = {};
  computed_at_ = now_ + after.compute_time;
  is_computed_ = is_drained_ = is_preloaded_ = false;
  previous_.clear();
  phase_ = SmPhase::kHalt;
  is_running_ = true;
  SetInjection(true, [this] { OnHalted(); });
  OnTimer();
}

void StaticReconfiguration::Abandon() {
  batch_.Abandon();
  activation_.Abandon();
  loader_.Abandon();
  is_running_ = false;
}

void StaticReconfiguration::OnTimer() {
  if (IsRunning() && !is_computed_ && now_ >= computed_at_) OnComputed();
}

Cycle StaticReconfiguration::NextDeadline() const {
  return IsRunning() && !is_computed_ ? computed_at_ : kNoDeadline;
}

void StaticReconfiguration::SetInjection(bool halted, std::function<void()> next) {
  const auto submit = [this, halted] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      if (map_.node(node).IsSwitch() || !map_.node(node).IsReachable()) continue;
      batch_.Add(SetRequest({node}, MadAttribute::kVendorInjection, 0, ib::VendorInjection{halted}),
                 [this, node](const SmpReply& reply) {
                   CheckReply(reply, MadAttribute::kVendorInjection, map_.node(node).name,
                              &result_);
                 });
    }
  };
  batch_.Run(submit, [this, next = std::move(next)] {
    if (Continue(result_)) next();
  });
}

void StaticReconfiguration::OnHalted() {
  report_(SmEventKind::kHalted, nullptr);
  phase_ = SmPhase::kDrain;
  drain_deadline_ = now_ + config_.drain_timeout;
  Poll();
}

void StaticReconfiguration::Poll() {
  current_.assign(map_.nodes().size(), {});
  const auto submit = [this] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      if (!map_.node(node).IsReachable()) continue;
      batch_.Add(GetRequest({node}, MadAttribute::kVendorStatus), [this,
                                                                   node](const SmpReply& reply) {
        const MapNode& record = map_.node(node);
        if (!CheckReply(reply, MadAttribute::kVendorStatus, record.name, &result_)) return;
        const ib::VendorStatus status = ib::VendorStatus::Decode(reply.mad, record.info.node_type);
        const bool busy = status.busy || (!record.IsSwitch() && !status.halted);
        current_[node] = {busy, status.data_received, status.data_sent, status.data_dropped};
      });
    }
  };
  batch_.Run(submit, [this] { OnPolled(); });
}

void StaticReconfiguration::OnPolled() {
  if (!Continue(result_)) return;
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
  is_computed_ = true;
  report_(SmEventKind::kTablesComputed, nullptr);
  if (config_.static_load == StaticLoad::kInactiveBankDuringDrain) LoadInactiveBanks();
  TryReload();
}

void StaticReconfiguration::LoadInactiveBanks() {
  loader_.Load(*plan_, TableBank::kInactive, [this](const StageResult& result) {
    if (!Continue(result)) return;
    is_preloaded_ = true;
    TryReload();
  });
}

// Once the tables are there and the network is empty: LIDs of new nodes and ports to Armed, then
// the tables.
void StaticReconfiguration::TryReload() {
  const bool preloads = config_.static_load == StaticLoad::kInactiveBankDuringDrain;
  if (phase_ != SmPhase::kDrain || !is_drained_ || !is_computed_ || (preloads && !is_preloaded_)) {
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
    loader_.Commit(*plan_, loaded);
  } else {
    loader_.Load(*plan_, TableBank::kActive, loaded);
  }
}

void StaticReconfiguration::OnTablesLoaded() {
  report_(SmEventKind::kTablesLoaded, plan_);
  activation_.Activate([this](const StageResult& result) {
    if (Continue(result)) Resume();
  });
}

void StaticReconfiguration::Resume() {
  phase_ = SmPhase::kResume;
  SetInjection(false, [this] {
    report_(SmEventKind::kResumed, nullptr);
    End(result_);
  });
}

bool StaticReconfiguration::Continue(const StageResult& result) {
  if (result.outcome == StageOutcome::kComplete) return true;
  End(result);
  return false;
}

void StaticReconfiguration::End(const StageResult& result) {
  // Abandon() clears what `result` may refer to.
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const StageResult copy = result;
  const Done done = std::move(done_);
  Abandon();
  done(copy);
}

}  // namespace lanecut
