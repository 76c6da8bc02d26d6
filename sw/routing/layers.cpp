// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/layers.h"

#include <numeric>
#include <utility>

namespace lanecut {

// Fills one layer with the pairs that no layer before has taken.
class Layers::Filler {
 public:
  Filler(const Forest& forest, std::vector<std::uint8_t>& layer, std::uint8_t number)
      : forest_(forest),
        graph_(forest.graph()),
        layer_(layer),
        number_(number),
        acyclic_(graph_),
        refused_(graph_.num_turns(), false),
        fit_(graph_.num_switches()) {}

  // Returns how many pairs of a tree it took; the others are of the next layer then.
  std::int64_t FillTo(int tree) {
    const int target = forest_.TargetOf(tree);
    std::uint8_t* layer = &layer_[static_cast<std::size_t>(tree) * graph_.num_switches()];
    std::fill(fit_.begin(), fit_.end(), Fit::kUnknown);
    fit_[target] = Fit::kPresent;
    std::int64_t taken = 0;
    for (int place = 0; place < graph_.num_switches(); ++place) {
      if (place == target || layer[place] != number_ || graph_.EndNodesAt(place) == 0) continue;
      if (forest_.LinkTo(tree, place) < 0) continue;
      if (Take(tree, target, place)) {
        ++taken;
      } else {
        layer[place] = number_ + 1;
      }
    }
    return taken;
  }

 private:
  bool Take(int tree, int target, int place) {
    switch (FitOf(tree, target, place)) {
      case Fit::kPresent:
        return true;
      case Fit::kRefused:
        return false;
      default:
        return AddWay(tree, target);
    }
  }

  int Next(int tree, int place) const { return graph_.link(forest_.LinkTo(tree, place)).to; }

  // Whether the turns of a place's way are all in the layer, or could be had with what is known.
  // Leaves in way_ the places from here to the first one whose way is all there.
  Fit FitOf(int tree, int target, int place) {
    way_.clear();
    while (fit_[place] == Fit::kUnknown || fit_[place] == Fit::kMissing) {
      way_.push_back(place);
      place = Next(tree, place);
    }
    Fit fit = fit_[place];
    for (std::size_t i = way_.size(); i-- > 0;) {
      const int here = way_[i];
      const int next = Next(tree, here);
      if (next != target && fit != Fit::kRefused) {
        const int link = forest_.LinkTo(tree, here);
        const int after = forest_.LinkTo(tree, next);
        if (refused_[graph_.Turn(link, after)]) {
          fit = Fit::kRefused;
        } else if (!acyclic_.Has(link, after)) {
          fit = Fit::kMissing;
        }
      }
      fit_[here] = fit;
    }
    return fit;
  }

  // Adds the missing turns of the way in way_, or none of them. It begins at the target's end: what
  // fails from some place on fails for all others whose way leads there.
  bool AddWay(int tree, int target) {
    added_.clear();
    for (std::size_t i = way_.size(); i-- > 0;) {
      const int next = Next(tree, way_[i]);
      if (next == target) continue;
      const int link = forest_.LinkTo(tree, way_[i]);
      const int after = forest_.LinkTo(tree, next);
      if (acyclic_.Has(link, after)) continue;
      if (acyclic_.Add(link, after)) {
        added_.emplace_back(link, after);
        continue;
      }
      // Refused with nothing but what stays, it is refused for ever.
      if (added_.empty()) refused_[graph_.Turn(link, after)] = true;
      for (const auto& [from, to] : added_) acyclic_.Remove(from, to);
      for (std::size_t before = 0; before <= i; ++before) fit_[way_[before]] = Fit::kRefused;
      return false;
    }
    for (const int place : way_) fit_[place] = Fit::kPresent;
    return true;
  }

  const Forest& forest_;
  const SwitchGraph& graph_;
  std::vector<std::uint8_t>& layer_;
  std::uint8_t number_;
  AcyclicLayer acyclic_;
  std::vector<bool> refused_;  // by turn
  std::vector<Fit> fit_;       // by place, of the present destination
  std::vector<int> way_;       // scratch
  std::vector<std::pair<int, int>> added_;
};

Layers::Layers(const Forest& forest, int most)
    : graph_(forest.graph()),
      layer_(static_cast<std::size_t>(forest.num_trees()) * graph_.num_switches(), 0) {
  // A layer takes what it would take if all trees were offered to it before the next layer began;
  // but so a pair that fits none is known early.
  std::vector<Filler> fillers;
  for (int tree = 0; tree < forest.num_trees() && count() <= most; ++tree) {
    if (forest.EndNodesOf(tree) == 0) continue;
    std::int64_t left = 0;
    for (int place = 0; place < graph_.num_switches(); ++place) {
      if (graph_.EndNodesAt(place) > 0 && forest.LinkTo(tree, place) >= 0) ++left;
    }
    for (int i = 0; left > 0 && i < most; ++i) {
      if (i == count()) {
        fillers.emplace_back(forest, layer_, static_cast<std::uint8_t>(i));
        pairs_in_.push_back(0);
      }
      const std::int64_t taken = fillers[i].FillTo(tree);
      pairs_in_[i] += taken;
      left -= taken;
    }
    if (left > 0) pairs_in_.push_back(left);
  }
}

}  // namespace lanecut
