// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/fault_tolerance.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <span>

#include "sw/routing/fabric_parts.h"
#include "sw/routing/switch_fabric.h"
#include "sw/routing/traced_paths.h"

namespace lanecut {
namespace {

// What can fail: by number a link of the cable, or a switch.
std::vector<int> PartsOf(const SwitchFabric& fabric, FailingPart kind) {
  std::vector<int> parts;
  if (kind == FailingPart::kSwitches) {
    parts.resize(fabric.num_switches());
    std::iota(parts.begin(), parts.end(), 0);
    return parts;
  }
  for (int link = 0; link < fabric.num_links(); ++link) {
    if (link < fabric.link(link).reverse) parts.push_back(link);
  }
  return parts;
}

class RftrModel : public FaultModel {
 public:
  RftrModel(const Topology& topology, const RoutingTables& tables, RftrLimits limits,
            FailingPart kind)
      : paths_(topology, tables, limits),
        kind_(kind),
        parts_(PartsOf(paths_.fabric(), kind)),
        states_{paths_.initial()} {}

  int num_parts() const override { return static_cast<int>(parts_.size()); }

  Verdict Fail(int faults, int part) override {
    if (faults == static_cast<int>(states_.size())) states_.push_back(states_.back());
    RftrState& state = states_[faults];
    state = states_[faults - 1];
    const std::span<const int> one(&parts_[part], 1);
    const bool is_cable = kind_ == FailingPart::kCables;
    const RftrPaths::Outcome outcome = paths_.Fail(state, is_cable ? one : std::span<const int>{},
                                                   is_cable ? std::span<const int>{} : one);
    const bool met = outcome.unmet.empty();
    return {met, !met, state.vls, state.sls};
  }

 private:
  RftrPaths paths_;
  FailingPart kind_;
  std::vector<int> parts_;
  std::vector<RftrState> states_;  // by number of faults
};

class AlternatesModel : public FaultModel {
 public:
  AlternatesModel(const Topology& topology, const RoutingTables& tables, FailingPart kind)
      : fabric_(topology),
        kind_(kind),
        parts_(PartsOf(fabric_, kind)),
        paths_(TracePaths(fabric_, topology, tables, "alternates")),
        states_(1) {
    State& first = states_[0];
    first.failed.assign(fabric_.num_links(), 0);
    first.failed_switch.assign(fabric_.num_switches(), 0);
    first.path_failed.assign(paths_.size(), 0);
    first.paths_of_pair.assign(paths_.empty() ? 0 : paths_.back().pair + 1, 0);
    for (const TracedPath& path : paths_) {
      ++first.paths_of_pair[path.pair];
      sls_ = std::max(sls_, path.record.sl + 1);
      for (const std::uint8_t vl : path.vls) vls_ = std::max(vls_, vl + 1);
    }
    FindCrossing();
  }

  int num_parts() const override { return static_cast<int>(parts_.size()); }

  Verdict Fail(int faults, int part) override {
    if (faults == static_cast<int>(states_.size())) states_.emplace_back();
    State& state = states_[faults];
    state = states_[faults - 1];
    if (kind_ == FailingPart::kCables) {
      FailCable(state, parts_[part]);
    } else {
      state.failed_switch[parts_[part]] = 1;
      for (const int link : fabric_.LinksFrom(parts_[part])) FailCable(state, link);
    }
    for (const int path : crossing_[part]) {
      if (state.path_failed[path] != 0) continue;
      state.path_failed[path] = 1;
      if (--state.paths_of_pair[paths_[path].pair] == 0) state.lost.push_back(path);
    }
    return {!AnyJoined(state), false, vls_, sls_};
  }

 private:
  struct State {
    std::vector<std::uint8_t> failed;         // by link
    std::vector<std::uint8_t> failed_switch;  // by switch
    std::vector<std::uint8_t> path_failed;    // by path
    std::vector<std::uint8_t> paths_of_pair;
    std::vector<int> lost;  // of each pair that has no path left the last one
  };

  void FindCrossing() {
    std::vector<int> part_of(
        kind_ == FailingPart::kCables ? fabric_.num_links() : fabric_.num_switches(), -1);
    for (int part = 0; part < num_parts(); ++part) {
      part_of[parts_[part]] = part;
      if (kind_ == FailingPart::kCables) part_of[fabric_.link(parts_[part]).reverse] = part;
    }
    crossing_.resize(parts_.size());
    for (int path = 0; path < static_cast<int>(paths_.size()); ++path) {
      if (kind_ == FailingPart::kSwitches) crossing_[part_of[paths_[path].from]].push_back(path);
      for (const std::int32_t link : paths_[path].links) {
        const int crossed = kind_ == FailingPart::kCables ? link : fabric_.link(link).to;
        crossing_[part_of[crossed]].push_back(path);
      }
    }
  }

  void FailCable(State& state, int link) const {
    state.failed[link] = 1;
    state.failed[fabric_.link(link).reverse] = 1;
  }

  // Whether the topology joins a pair that has no path left.
  bool AnyJoined(const State& state) {
    if (state.lost.empty()) return false;
    joined_.Find(fabric_, state.failed, state.failed_switch);
    return std::ranges::any_of(
        state.lost, [&](int path) { return joined_.Joined(paths_[path].from, paths_[path].to); });
  }

  SwitchFabric fabric_;
  FailingPart kind_;
  std::vector<int> parts_;
  std::vector<TracedPath> paths_;
  std::vector<std::vector<int>> crossing_;  // by part: paths
  int vls_ = 1;
  int sls_ = 1;
  std::vector<State> states_;  // by number of faults
  FabricParts joined_;
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

// Adds a fault from `first` on to the faults - 1 that there are.
void CountFrom(FaultModel& model, int faults, int first, std::vector<FaultCount>& counts) {
  const int most = static_cast<int>(counts.size());
  for (int part = first; part < model.num_parts(); ++part) {
    const FaultModel::Verdict verdict = model.Fail(faults, part);
    Count(counts[faults - 1], verdict);
    if (faults == most) continue;
    if (!verdict.ends) {
      CountFrom(model, faults + 1, part + 1, counts);
    } else {
      for (int more = 1; faults + more <= most; ++more)
        counts[faults + more - 1].combinations += Choose(model.num_parts() - part - 1, more);
    }
  }
}

}  // namespace

std::unique_ptr<FaultModel> MakeAlternatesModel(const Topology& topology,
                                                const RoutingTables& tables, FailingPart kind) {
  return std::make_unique<AlternatesModel>(topology, tables, kind);
}

std::unique_ptr<FaultModel> MakeRftrModel(const Topology& topology, const RoutingTables& tables,
                                          RftrLimits limits, FailingPart kind) {
  return std::make_unique<RftrModel>(topology, tables, limits, kind);
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
  std::vector<int> parts(model.num_parts());
  std::iota(parts.begin(), parts.end(), 0);
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    bool ended = false;
    for (int fault = 0; fault < most; ++fault) {
      // A partial shuffle; what an earlier one has left serves as well as the numbers in order.
      std::swap(parts[fault], parts[fault + random() % (parts.size() - fault)]);
      FaultModel::Verdict verdict{false, true, 0, 0};
      if (!ended) verdict = model.Fail(fault + 1, parts[fault]);
      ended = verdict.ends;
      Count(counts[fault], verdict);
    }
  }
  return counts;
}

}  // namespace lanecut
