// SPDX-License-Identifier: Apache-2.0
//
// What RFTR knows and changes with every fault: the paths and what they use. May be copied, to try
// several faults one after the other. Written by RftrPaths alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sw/routing/reachability_table.h"
#include "sw/routing/turn_rules.h"

namespace lanecut {

struct RftrState {
  static constexpr TurnRules::VlSet kAnyVl = 0xffff;

  struct Route {
    std::uint32_t begin = 0;       // in hop_links and hop_vls
    std::int32_t direct_row = -1;  // of its far ends in the tables
    std::int32_t indirect_row = -1;
    std::uint16_t length = 0;
    std::uint8_t sl = 0;
    bool alive = true;
  };
  // The flows that cross a link make a list, each at the number of its hop. Those that have gone
  // elsewhere since stay in it.
  struct Crossing {
    std::int32_t flow = -1;
    std::int32_t next = -1;
  };

  // Keeps a reference to the fabric, as copies do.
  RftrState(const SwitchFabric& fabric, std::shared_ptr<const TurnRules> turn_rules)
      : rules(std::move(turn_rules)),
        direct(ReachabilityTable::Kind::kDirect, fabric),
        indirect(ReachabilityTable::Kind::kIndirect, fabric) {}

  std::span<const std::int32_t> LinksOf(const Route& route) const {
    return {hop_links.data() + route.begin, route.length};
  }
  std::span<const std::uint8_t> VlsOf(const Route& route) const {
    return {hop_vls.data() + route.begin, route.length};
  }

  // For as much again as there is, so that the next faults need not move it.
  void MakeRoom() {
    hop_links.reserve(2 * hop_links.size());
    hop_vls.reserve(2 * hop_vls.size());
    crossings.reserve(2 * crossings.size());
    direct.Reserve(2 * direct.end_row());
    indirect.Reserve(2 * indirect.end_row());
  }

  std::shared_ptr<const TurnRules> rules;
  int vls = 1;  // in use: 0 to vls - 1
  int sls = 1;
  std::vector<Route> routes;  // by flow
  std::vector<std::int32_t> hop_links;
  std::vector<std::uint8_t> hop_vls;
  std::vector<std::int32_t> alive_of_pair;   // flows, by pair
  std::vector<std::uint8_t> failed;          // by link
  std::vector<std::uint8_t> failed_switch;   // by place
  std::vector<std::int32_t> first_crossing;  // by link
  std::vector<Crossing> crossings;           // by hop
  // By SL, one more than there may be, then turn: the one VL that paths have there, or kAnyVl where
  // no path uses the entry; and how many do.
  std::vector<TurnRules::VlSet> entry_vls;
  std::vector<std::uint32_t> entry_paths;
  ReachabilityTable direct;    // DRT
  ReachabilityTable indirect;  // IRT
};

}  // namespace lanecut
