// SPDX-License-Identifier: Apache-2.0
//
// Shortest ways that keep to up*/down* where they can. Private to sw/routing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/switch_graph.h"
#include "sw/routing/updown_order.h"

namespace lanecut {

// Of the shortest ways only those that are legal in up*/down*, where a switch has such: they all
// fit one layer.
class LegalShortestWays {
 public:
  LegalShortestWays(const SwitchGraph& graph, UpDownOrder order)
      : graph_(graph), order_(std::move(order)), state_(graph.num_switches()) {}

  void To(int target, NextHops& hops) {
    ShortestWays(graph_, target, all_);
    hops.Clear(target);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const int place = all_.place(i);
      state_[place] = place == target ? State::kDown : StateOf(i);
      for (const int id : all_.LinksOf(i)) {
        if (state_[place] == State::kIllegal || Suits(id, state_[place])) hops.Add(id);
      }
      hops.Close(place);
    }
  }

 private:
  enum class State : std::uint8_t { kDown, kUp, kIllegal };  // of a place's ways

  // Whether the link begins a way of this kind.
  bool Suits(int id, State state) const {
    const DirectedLink& link = graph_.link(id);
    const bool up = order_.IsUp(link.from, link.to);
    if (state == State::kDown) return !up && state_[link.to] == State::kDown;
    return up && state_[link.to] != State::kIllegal;
  }

  State StateOf(std::size_t i) const {
    for (const State state : {State::kDown, State::kUp}) {
      if (std::ranges::any_of(all_.LinksOf(i), [&](int id) { return Suits(id, state); })) {
        return state;
      }
    }
    return State::kIllegal;
  }

  const SwitchGraph& graph_;
  UpDownOrder order_;
  std::vector<State> state_;  // by place
  NextHops all_;
};

}  // namespace lanecut
