// SPDX-License-Identifier: Apache-2.0
//
// Double Scheme: which VLs packets may take in a change of function, when a node may say that a VL
// is empty or change to the next function, and that packets of two functions are never on one VL of
// a link.
//
// What a switch says on its trace port is believed only as far as the commands that it has got and
// the credits on its links bear it out; which VL a packet may take then follows from that. A packet
// that was in its input queue as that changed may take the VL of before, too, as it may have
// crossed already: but no more of them than an output queue holds.
//
// Source: T. M. Pinkston, R. Pang, J. Duato, Deadlock-Free Dynamic Reconfiguration Schemes for
// Increased Network Dependability, IEEE Transactions on Parallel and Distributed Systems 14(8),
// 2003.
#include <fmt/format.h>

#include "models/reference/model_impl.h"
#include "sw/wire/function_number.h"

namespace lanecut {

using reference::NumberIn;
using reference::Prediction;
using reference::Scheme;

// ---- Packets ----

// A data packet starts on the lane: the packets before it on this VL are of the same function, or
// gone.
void ReferenceModel::Impl::PutFunction(LaneState& lane, const HopPacket& p, int blocks, Cycle t) {
  Node& from = *nodes_[static_cast<std::size_t>(lane.from)];
  Numbers& numbers = lane.numbers[lane.put_lane];
  const std::uint8_t number = FunctionNumber(NumberIn(lane.sent[1]));
  const bool is_under = from.is_switch() ? from.tables.IsUnder(Scheme::kDouble, t) : from.reports;
  const int before = is_under ? numbers.put : -1;
  numbers.put = is_under ? number : -1;
  if (!from.is_switch()) CheckInjectedVl(lane, p, number, t);
  if (before < 0 || before == number) return;
  const auto fail = [&](std::string expected) {
    Fail(Check::kDrain, t, lane.from, lane.from_port, lane.put_lane, &p, std::move(expected),
         fmt::format("a packet of function {}", number));
  };
  if (!IsNewer(number, static_cast<std::uint8_t>(before))) {
    fail(fmt::format("only packets of function {} or newer", before));
  } else if (!lane.credit.Unused(lane.put_lane, blocks)) {
    fail(fmt::format("packets of function {} only: some are still on this VL", before));
  }
}

void ReferenceModel::Impl::CheckInjectedVl(const LaneState& lane, const HopPacket& p,
                                           std::uint8_t number, Cycle t) {
  const EndNodeState& state = lane.put_state_of_sender;
  const auto fail = [&](std::string expected, std::string seen) {
    Fail(Check::kDrain, t, lane.from, lane.from_port, lane.put_lane, &p, std::move(expected),
         std::move(seen));
  };
  if (!nodes_[static_cast<std::size_t>(lane.from)]->reports) return;
  if (number != state.number) {
    return fail(fmt::format("packets of function {}", state.number),
                fmt::format("one of function {}", number));
  }
  if (state.draining && lane.put_lane != 0) {
    fail("packets on VL 0 only: the end node drains", "one on another VL");
  } else if (state.restricted && lane.put_lane != 1) {
    fail("packets on VL 1 only: VL 0 is not open again", "one on another VL");
  }
}

// A packet leaves a switch by a VL that is closed to it: it had crossed before.
void ReferenceModel::Impl::CountClosed(const LaneState& lane, const HopPacket& arrived,
                                       std::uint8_t number, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const bool is_data = lane.put_lane < node.vls;
  if (!is_data || !node.tables.MayBeUnder(Scheme::kDouble, t)) return;
  const bool is_active = number == FunctionNumber(node.tables.epoch());
  const bool is_closed =
      node.levels.draining ? lane.put_lane != 0 && is_active : node.levels.restricted && !is_active;
  if (!is_closed) return;
  int& blocks = node.crossed_before[Channel(node, lane.from_port, lane.put_lane)];
  blocks += arrived.blocks;
  if (blocks <= node.buf_blocks) return;
  Fail(Check::kDrain, t, lane.from, lane.from_port, lane.put_lane, &arrived,
       fmt::format("no more of function {} on this VL: its output queue holds {} blocks", number,
                   node.buf_blocks),
       "the packet leaving here");
}

// ---- What a switch says of itself ----

// "" if VL `vl` of this port has no packets from here on to the neighbour's input queue.
std::string ReferenceModel::Impl::WhyNotEmpty(Node& node, int port, int vl, Cycle t) {
  const int out = node.out_lane[static_cast<std::size_t>(port)];
  if (node.is_switch() && node.tracker->KnownBlocks(port, vl) != 0) {
    return fmt::format("packets are in the output queue of port {}, VL {}", port, vl);
  }
  if (out < 0) return "";
  const LaneState& lane = *lanes_[static_cast<std::size_t>(out)];
  // A port that is not Active sends nothing; the manager's own may be in any state.
  const std::uint8_t states = node.tables.PortStates(port, t);
  const bool is_active = states == reference::StateBit(reference::kActive) ||
                         (states == reference::kAnyState && !lane.cut);
  if (!is_active || lane.credit.Unused(vl)) return "";
  return fmt::format("the credits of port {}, VL {} are not all back", port, vl);
}

void ReferenceModel::Impl::CheckSwitchOver(int node_index, const SwitchState& now, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const SwitchState& was = node.levels;
  const auto fail = [&](std::string expected) {
    Fail(Check::kDrain, t, node_index, -1, -1, nullptr, std::move(expected),
         fmt::format("function {} in place of {}", now.epoch, was.epoch));
  };
  if (now.epoch != NextNumber(was.epoch)) return fail("the next function");
  if (!node.tables.told_switch()) return fail("no other function without a command");
  if (!was.draining) return fail("no other function: the switch has not drained");
  if (!node.tables.ready()) return fail("no other function: no bank holds the next one");
  if (now.draining || !now.restricted || now.open.any()) {
    return fail("VL 1 only, once it switches over");
  }
  node.tables.SwitchOver();
  node.crossed_before.assign(node.crossed_before.size(), 0);
}

void ReferenceModel::Impl::CheckVls(int node_index, const SwitchState& now, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const SwitchState& was = node.levels;
  const auto fail = [&](std::string expected, std::string seen) {
    Fail(Check::kDrain, t, node_index, -1, -1, nullptr, std::move(expected), std::move(seen));
  };
  const bool cleared = node.tables.told_clear();
  if (now.draining && !was.draining) {
    if (!node.tables.told_drain()) return fail("no drain without a command", "one that began");
    node.crossed_before.assign(node.crossed_before.size(), 0);
  }
  if (was.draining && !now.draining && !cleared) return fail("the drain to go on", "its end");
  if (now.restricted && !was.restricted) {
    return fail("VLs closed with a new function", "closed without one");
  }
  if (was.restricted && !now.restricted && !cleared &&
      was.open.count() != static_cast<std::size_t>(node.ports)) {
    return fail("VL 1 only: VL 0 is not open at every port", "all VLs in use");
  }
  if (now.restricted && (was.open & ~now.open).any()) {
    return fail("VL 0 to stay open", "a port where it is closed again");
  }
  for (int port = 1; port <= node.ports; ++port) {
    const auto bit = static_cast<std::size_t>(port - 1);
    if (now.open[bit] && !was.open[bit]) {
      const std::string why = now.restricted ? WhyNotEmpty(node, port, 0, t) : "it is not closed";
      if (!why.empty())
        return fail(fmt::format("VL 0 of port {} closed: {}", port, why), "it opens");
    }
    for (int vl = 1; vl < node.vls && now.vl_idle && !was.vl_idle; ++vl) {
      const std::string why = now.draining ? WhyNotEmpty(node, port, vl, t) : "it does not drain";
      if (!why.empty()) return fail("no idle VLs: " + why, "the switch idle");
    }
  }
}

// From here on packets take other VLs, or go by another function; those that wait already, too.
void ReferenceModel::Impl::FollowVls(int node_index, const SwitchState& now, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const SwitchState& was = node.levels;
  if (now.draining == was.draining && now.restricted == was.restricted && now.open == was.open) {
    return;
  }
  node.tables.FollowVls(now.draining, now.restricted, now.open);
  for (const PacketIndex i : node.tracker->Uncrossed()) {
    const HopPacket& p = pool_[i];
    if (p.prediction.Pending()) continue;
    // The newest come first.
    Prediction routes = node.tables.Predict(p.in_port, static_cast<std::uint16_t>(p.words[0]),
                                            static_cast<int>((p.words[0] >> 20) & 0xF),
                                            NumberIn(p.words[1]), /*vl15=*/false, t);
    for (int k = 0; k < p.prediction.count; ++k) {
      routes.Add(p.prediction.routes[static_cast<std::size_t>(k)]);
    }
    if (routes.count != 1) node.tracker->Reroute(i, routes);
  }
}

// What nodes have sent so far says nothing of what they may send next.
void ReferenceModel::Impl::ForgetFunctions(const Node& node) {
  for (const int out : node.out_lane) {
    if (out >= 0) ForgetFunctions(*lanes_[static_cast<std::size_t>(out)]);
  }
}

void ReferenceModel::Impl::ForgetFunctions(LaneState& lane) {
  for (Numbers& numbers : lane.numbers) numbers.put = -1;
}

// ---- What an end node says of itself ----

void ReferenceModel::Impl::OnEndNodeState(int node_index, const EndNodeState& now, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const EndNodeState was = node.end_node;
  const auto fail = [&](std::string expected, std::string seen) {
    Fail(Check::kDrain, t, node_index, 1, -1, nullptr, std::move(expected), std::move(seen));
  };
  const bool is_first = !node.reports;
  const bool cleared = is_first || node.tables.told_clear();
  node.end_node = now;
  node.reports = true;
  if (now.draining && now.restricted) return fail("a drain or its end", "both");
  const bool switches_over = now.number != was.number && (was.draining || now.restricted);
  if (now.number != was.number && !switches_over) ForgetFunctions(node);  // set by command
  if (switches_over && now.number != NextNumber(was.number)) {
    return fail("the next function", fmt::format("{} in place of {}", now.number, was.number));
  }
  if (was.draining && !now.draining && now.number == was.number && !cleared) {
    return fail("the drain to go on", "its end");
  }
  const bool opens = !now.draining && !now.restricted && (was.restricted || was.draining);
  const bool becomes_idle = now.vl_idle && !was.vl_idle;
  if (opens && !cleared) {
    const std::string why = WhyNotEmpty(node, 1, 0, t);
    if (!why.empty()) return fail("VL 0 closed: " + why, "it opens");
  }
  for (int vl = 1; vl < node.vls && becomes_idle; ++vl) {
    const std::string why = now.draining ? WhyNotEmpty(node, 1, vl, t) : "it does not drain";
    if (!why.empty()) return fail("no idle VLs: " + why, "the end node idle");
  }
}

}  // namespace lanecut
