// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/path_reconfiguration.h"

#include <algorithm>
#include <map>

#include "sw/subnet_manager/kept_tables.h"
#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

using ib::MadAttribute;

PathReconfiguration::PathReconfiguration(const ReconfigurationTools& tools)
    : config_(tools.config),
      map_(tools.map),
      batch_(tools.engine),
      activation_(tools.activation),
      loader_(tools.loader),
      now_(tools.now) {}

void PathReconfiguration::Run(const RoutePlan& before, const RoutePlan& after, Report report,
                              Done done) {
  before_ = &before;
  after_ = &after;
  report_ = std::move(report);
  done_ = std::move(done);
  result_ = {};
  phase_ = SmPhase::kReload;
  is_running_ = true;
  is_computed_ = false;
  computed_at_ = now_ + after.compute_time;
  OnTimer();
}

void PathReconfiguration::Abandon() {
  batch_.Abandon();
  activation_.Abandon();
  loader_.Abandon();
  is_running_ = false;
}

void PathReconfiguration::OnTimer() {
  if (is_running_ && !is_computed_ && now_ >= computed_at_) OnComputed();
}

Cycle PathReconfiguration::NextDeadline() const {
  return is_running_ && !is_computed_ ? computed_at_ : kNoDeadline;
}

void PathReconfiguration::OnComputed() {
  is_computed_ = true;
  report_(SmEventKind::kTablesComputed, nullptr);
  activation_.Configure([this](const StageResult& result) {
    if (Continue(result)) LoadTables();
  });
}

// Only what differs is sent; under apm nothing does, unless a node has lost its tables.
void PathReconfiguration::LoadTables() {
  loader_.Add(*after_, [this](const StageResult& loaded) {
    if (!Continue(loaded)) return;
    if (config_.scheme == ReconfigurationScheme::kRftr)
      report_(SmEventKind::kTablesLoaded, nullptr);
    activation_.Activate([this](const StageResult& result) {
      if (Continue(result)) TellEndNodes();
    });
  });
}

void PathReconfiguration::TellEndNodes() {
  phase_ = SmPhase::kPaths;
  for (const auto& pair : ChangedPairs(*before_, *after_)) doubtful_.insert(pair);
  std::map<int, std::vector<int>> destinations;
  for (const auto& [source, destination] : doubtful_) destinations[source].push_back(destination);
  const auto submit = [this, &destinations] {
    for (const auto& [source, list] : destinations) Tell(source, list);
  };
  batch_.Run(submit, [this] { Finish(); });
}

void PathReconfiguration::Tell(int source, const std::vector<int>& destinations) {
  const int node = after_->map_nodes[source];
  if (!map_.node(node).IsReachable()) return;
  for (std::size_t begin = 0; begin < destinations.size(); begin += ib::VendorPaths::kEntries) {
    const std::size_t count = std::min(ib::VendorPaths::kEntries, destinations.size() - begin);
    ib::VendorPaths paths;
    for (std::size_t i = 0; i < count; ++i)
      paths.entries[i] = EntryOf(source, destinations[begin + i]);
    batch_.Add(SetRequest({node}, MadAttribute::kVendorPaths, 0, paths),
               [this, node](const SmpReply& reply) {
                 if (reply.outcome == SmpOutcome::kNoRoute) return;
                 CheckReply(reply, MadAttribute::kVendorPaths, map_.node(node).name, &result_);
               });
  }
}

ib::VendorPaths::Entry PathReconfiguration::EntryOf(int source, int destination) const {
  ib::VendorPaths::Entry entry;
  entry.lid = after_->tables.lids[destination];
  entry.exists = after_->tables.NumPaths(source, destination) > 0;
  if (!entry.exists) return entry;
  const RoutingTables::PathRecord record = after_->tables.PathOf(source, destination, 0);
  entry.offset = static_cast<std::uint8_t>(record.dlid - entry.lid);
  entry.sl = record.sl;
  return entry;
}

void PathReconfiguration::Finish() {
  if (!Continue(result_)) return;
  doubtful_.clear();
  report_(SmEventKind::kPathsChanged, after_);
  End(result_);
}

bool PathReconfiguration::Continue(const StageResult& result) {
  if (result.outcome == StageOutcome::kComplete) return true;
  End(result);
  return false;
}

void PathReconfiguration::End(const StageResult& result) {
  // Abandon() clears what `result` may refer to.
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const StageResult copy = result;
  const Done done = std::move(done_);
  Abandon();
  done(copy);
}

}  // namespace lanecut
