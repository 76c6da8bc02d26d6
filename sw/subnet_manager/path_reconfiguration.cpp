// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/path_reconfiguration.h"

#include <algorithm>
#include <map>

#include "sw/subnet_manager/kept_tables.h"
#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

using ib::MadAttribute;

PathReconfiguration::PathReconfiguration(const ReconfigurationTools& tools)
    : ComputedReconfiguration(tools, SmPhase::kReload) {}

void PathReconfiguration::Run(const RoutePlan& before, const RoutePlan& after, Report report,
                              Done done) {
  Begin(before, after, std::move(report), std::move(done));
  phase_ = SmPhase::kReload;
  OnTimer();
}

void PathReconfiguration::OnComputed() {
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

}  // namespace lanecut
