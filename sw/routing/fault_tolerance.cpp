// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/fault_tolerance.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <span>

#include "sw/routing/switch_fabric.h"
#include "sw/routing/traced_paths.h"

namespace lanecut {
namespace {

// By cable the link that comes first.
std::vector<int> CablesOf(const SwitchFabric& fabric) {
  std::vector<int> cables;
  for (int link = 0; link < fabric.num_links(); ++link) {
    if (link < fabric.link(link).reverse) cables.push_back(link);
  }
  return cables;
}

class RftrModel : public FaultModel {
 public:
  RftrModel(const Topology& topology, const RoutingTables& tables, RftrLimits limits)
      : paths_(topology, tables, limits),
        cables_(CablesOf(paths_.fabric())),
        states_{paths_.initial()} {}

  int num_cables() const override { return static_cast<int>(cables_.size()); }

  Verdict Fail(int faults, int cable) override {
    if (faults == static_cast<int>(states_.size())) states_.push_back(states_.back());
    RftrState& state = states_[faults];
    state = states_[faults - 1];
    const bool met = paths_.Fail(state, std::span(&cables_[cable], 1)).unmet.empty();
    return {met, !met, state.vls, state.sls};
  }

 private:
  RftrPaths paths_;
  std::vector<int> cables_;
  std::vector<RftrState> states_;  // by number of faults
};

class AlternatesModel : public FaultModel {
 public:
  AlternatesModel(const Topology& topology, const RoutingTables& tables)
      : fabric_(topology),
        cables_(CablesOf(fabric_)),
        paths_(TracePaths(fabric_, topology, tables, "alternates")),
        states_(1) {
    std::vector<std::vector<int>> by_link(fabric_.num_links());
    states_[0].failed.assign(fabric_.num_links(), 0);
    states_[0].path_failed.assign(paths_.size(), 0);
    states_[0].paths_of_pair.assign(paths_.empty() ? 0 : paths_.back().pair + 1, 0);
    for (std::size_t path = 0; path < paths_.size(); ++path) {
      for (const std::int32_t link : paths_[path].links)
        by_link[link].push_back(static_cast<int>(path));
      ++states_[0].paths_of_pair[paths_[path].pair];
      sls_ = std::max(sls_, paths_[path].record.sl + 1);
      for (const std::uint8_t vl : paths_[path].vls) vls_ = std::max(vls_, vl + 1);
    }
    for (const int link : cables_) {
      auto& crossing = crossing_.emplace_back(by_link[link]);
      const auto& back = by_link[fabric_.link(link).reverse];
      crossing.insert(crossing.end(), back.begin(), back.end());
    }
  }

  int num_cables() const override { return static_cast<int>(cables_.size()); }

  Verdict Fail(int faults, int cable) override {
    if (faults == static_cast<int>(states_.size())) states_.emplace_back();
    State& state = states_[faults];
    state = states_[faults - 1];
    state.failed[cables_[cable]] = 1;
    state.failed[fabric_.link(cables_[cable]).reverse] = 1;
    for (const int path : crossing_[cable]) {
      if (state.path_failed[path] != 0) continue;
      state.path_failed[path] = 1;
      if (--state.paths_of_pair[paths_[path].pair] == 0) state.lost.push_back(path);
    }
    return {!AnyJoined(state), false, vls_, sls_};
  }

 private:
  struct State {
    std::vector<std::uint8_t> failed;       // by link
    std::vector<std::uint8_t> path_failed;  // by path
    std::vector<std::uint8_t> paths_of_pair;
    std::vector<int> lost;  // of each pair that has no path left the last one
  };

  // Whether the topology joins a pair that has no path left.
  bool AnyJoined(const State& state) {
    if (state.lost.empty()) return false;
    part_.assign(fabric_.num_switches(), -1);
    for (int start = 0; start < fabric_.num_switches(); ++start) {
      if (part_[start] >= 0) continue;
      part_[start] = start;
      queue_ = {start};
      for (std::size_t head = 0; head < queue_.size(); ++head) {
        for (const int link : fabric_.LinksFrom(queue_[head])) {
          const int next = fabric_.link(link).to;
          if (state.failed[link] != 0 || part_[next] >= 0) continue;
          part_[next] = start;
          queue_.push_back(next);
        }
      }
    }
    return std::ranges::any_of(
        state.lost, [&](int path) { return part_[paths_[path].from] == part_[paths_[path].to]; });
  }

  SwitchFabric fabric_;
  std::vector<int> cables_;
  std::vector<TracedPath> paths_;
  std::vector<std::vector<int>> crossing_;  // by cable: paths
  int vls_ = 1;
  int sls_ = 1;
  std::vector<State> states_;  // by number of faults
  std::vector<int> part_;      // by switch: of which part of the fabric
  std::vector<int> queue_;
};

void Count(FaultCount& count, const FaultModel::Verdict& verdict) {
  ++count.combinations;
  if (!verdict.tolerated) return;
  ++count.tolerated;
  count.vls = std::max(count.vls, verdict.vls);
  count.sls = std::max(count.sls, verdict.sls);
}

std::int64_t Choose(std::int64_t n, std::int64_t k) {
  if (k > n) return 0;
  std::int64_t result = 1;
  for (std::int64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// Adds a cable from `first` on to the faults - 1 that have failed.
void CountFrom(FaultModel& model, int faults, int first, std::vector<FaultCount>& counts) {
  const int most = static_cast<int>(counts.size());
  for (int cable = first; cable < model.num_cables(); ++cable) {
    const FaultModel::Verdict verdict = model.Fail(faults, cable);
    Count(counts[faults - 1], verdict);
    if (faults == most) continue;
    if (!verdict.ends) {
      CountFrom(model, faults + 1, cable + 1, counts);
    } else {
      for (int more = 1; faults + more <= most; ++more)
        counts[faults + more - 1].combinations += Choose(model.num_cables() - cable - 1, more);
    }
  }
}

}  // namespace

std::unique_ptr<FaultModel> MakeAlternatesModel(const Topology& topology,
                                                const RoutingTables& tables) {
  return std::make_unique<AlternatesModel>(topology, tables);
}

std::unique_ptr<FaultModel> MakeRftrModel(const Topology& topology, const RoutingTables& tables,
                                          RftrLimits limits) {
  return std::make_unique<RftrModel>(topology, tables, limits);
}

std::vector<FaultCount> CountCombinations(FaultModel& model, int most) {
  std::vector<FaultCount> counts(most);
  CountFrom(model, 1, 0, counts);
  return counts;
}

std::vector<FaultCount> CountSamples(FaultModel& model, int most, std::int64_t samples,
                                     std::uint64_t seed) {
  std::vector<FaultCount> counts(most);
  std::mt19937_64 random(seed);
  std::vector<int> cables(model.num_cables());
  std::iota(cables.begin(), cables.end(), 0);
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    bool ended = false;
    for (int fault = 0; fault < most; ++fault) {
      // A partial shuffle; what an earlier one has left serves as well as the numbers in order.
      std::swap(cables[fault], cables[fault + random() % (cables.size() - fault)]);
      FaultModel::Verdict verdict{false, true, 0, 0};
      if (!ended) verdict = model.Fail(fault + 1, cables[fault]);
      ended = verdict.ends;
      Count(counts[fault], verdict);
    }
  }
  return counts;
}

}  // namespace lanecut
