// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/turn_rules.h"

#include "sw/routing/acyclic_graph.h"
#include "sw/routing/routing.h"

namespace lanecut {
namespace {

struct Turn {
  int link = -1;
  int next = -1;
  int id = -1;
};

// All but those back to where the packet came from, and those of failed links.
std::vector<Turn> TurnsOf(const SwitchFabric& fabric, std::span<const std::uint8_t> failed) {
  const auto works = [&](int link) { return failed.empty() || failed[link] == 0; };
  std::vector<Turn> turns;
  for (int link = 0; link < fabric.num_links(); ++link) {
    for (const int next : fabric.LinksFrom(fabric.link(link).to)) {
      if (next != fabric.link(link).reverse && works(link) && works(next))
        turns.push_back({link, next, fabric.Turn(link, next)});
    }
  }
  return turns;
}

}  // namespace

TurnRules::TurnRules(const SwitchFabric& fabric, std::span<const Step> used, int vls,
                     std::span<const std::uint8_t> failed)
    : vls_(vls), after_(static_cast<std::size_t>(fabric.num_turns()) * vls, 0) {
  // VL by VL in the order to begin with: steps to higher ones agree with it.
  AcyclicGraph graph(fabric.num_links() * vls);
  std::vector<VlSet> refused(after_.size(), 0);  // what closes a cycle does so ever after
  const auto allow = [&](const Turn& turn, int vl, int next_vl) {
    const std::size_t at = static_cast<std::size_t>(turn.id) * vls_ + vl;
    VlSet& after = after_[at];
    const auto bit = static_cast<VlSet>(1U << next_vl);
    if (((after | refused[at]) & bit) != 0) return (after & bit) != 0;
    // Steps that only ever rise close no cycle.
    const bool rises = next_vl > vl && !lowers_;
    const bool fits = rises || graph.Add(vl * fabric.num_links() + turn.link,
                                         next_vl * fabric.num_links() + turn.next);
    (fits ? after : refused[at]) |= bit;
    return fits;
  };
  for (const Step& step : used) lowers_ = lowers_ || step.next_vl < step.vl;
  std::vector<bool> in_use(fabric.num_turns(), false);
  for (const Step& step : used) {
    const Turn turn{step.link, step.next, fabric.Turn(step.link, step.next)};
    if (!allow(turn, step.vl, step.next_vl)) {
      throw RoutingError(
          "rftr: the tables to begin with can deadlock; expected those of an engine that rules it "
          "out");
    }
    in_use[turn.id] = in_use[turn.id] || step.vl == step.next_vl;
  }
  const std::vector<Turn> turns = TurnsOf(fabric, failed);
  for (int vl = 0; vl < vls; ++vl) {
    for (const Turn& turn : turns) {
      if (in_use[turn.id]) allow(turn, vl, vl);
    }
    for (const Turn& turn : turns) {
      if (vl > 0 && (After(turn.id, vl - 1) >> (vl - 1) & 1) != 0) allow(turn, vl, vl);
    }
    for (const Turn& turn : turns) allow(turn, vl, vl);
  }
  for (int vl = 0; vl < vls; ++vl) {
    for (int higher = vl + 1; higher < vls; ++higher) {
      for (const Turn& turn : turns) allow(turn, vl, higher);
    }
  }
  forbidden_.assign(fabric.num_turns(), 0);
  forbidden_after_.assign(fabric.num_links(), 0);
  forbidden_before_.assign(fabric.num_links(), 0);
  for (const Turn& turn : turns) {
    bool is_allowed = false;
    for (int vl = 0; vl < vls; ++vl) is_allowed |= (After(turn.id, vl) >> vl & 1) != 0;
    if (is_allowed) continue;
    forbidden_[turn.id] = forbidden_after_[turn.link] = forbidden_before_[turn.next] = 1;
  }
}

}  // namespace lanecut
