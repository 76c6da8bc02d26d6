// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/path_reconfiguration.h"

#include <utility>
#include <vector>

#include "sw/subnet_manager/kept_tables.h"
#include "sw/subnet_manager/path_telling.h"
#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

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
  std::vector<PathUse> uses;
  for (const auto& [source, destination] : doubtful_)
    uses.push_back(FirstPathOf(*after_, source, destination));
  batch_.Run([this, &uses] { TellPaths(batch_, map_, *after_, uses, &result_); },
             [this] { Finish(); });
}

void PathReconfiguration::Finish() {
  if (!Continue(result_)) return;
  doubtful_.clear();
  report_(SmEventKind::kPathsChanged, after_);
  End(result_);
}

}  // namespace lanecut
