// SPDX-License-Identifier: Apache-2.0
//
// Reconfiguration under traffic: when the channel gate of a switch may drop (EBR, OSR), the order
// of old packets, token and new packets on every lane, and when a switch may say that a channel has
// passed or sent its token or change to the next function (OSR).
//
// Sources: J. M. Montañana, PhD thesis, Universitat Politècnica de València 2008, table 6.2; O.
// Lysne et al., An Efficient and Deadlock-Free Network Reconfiguration Protocol, IEEE Transactions
// on Computers 57(6), 2008, lemma 2.
#include <fmt/format.h>

#include <algorithm>

#include "models/reference/epoch_rule.h"
#include "models/reference/model_impl.h"
#include "sw/wire/function_number.h"
#include "sw/wire/packet.h"

namespace lanecut {

using reference::kNoPacket;
using reference::NumberIn;
using reference::Scheme;

namespace {

// From the last word of a packet to its blocks being free, with a margin.
constexpr Cycle kLeavingLatest = 8;

}  // namespace

// ---- Packets and tokens on a lane ----

bool ReferenceModel::Impl::MayOvertake(Cycle t) {
  return std::any_of(nodes_.begin(), nodes_.end(), [t](const auto& node) {
    return node->is_switch() && (node->tables.MayBeUnder(Scheme::kEbr, t) ||
                                 node->tables.MayBeUnder(Scheme::kDouble, t));
  });
}

// Numbers are in order on a lane if the switch at either end is under OSR.
bool ReferenceModel::Impl::Ordered(const LaneState& lane, Cycle t) {
  for (const int node : {lane.from, lane.to}) {
    Node& at = *nodes_[static_cast<std::size_t>(node)];
    if (at.is_switch() && at.tables.IsUnder(Scheme::kOsr, t)) return true;
  }
  return false;
}

// A data packet of this number starts on the lane.
void ReferenceModel::Impl::PutNumber(LaneState& lane, const HopPacket& p, int blocks, Cycle t) {
  const std::uint8_t number = FunctionNumber(NumberIn(lane.sent[1]));
  Numbers& numbers = lane.numbers[lane.put_lane];
  if (!Ordered(lane, t)) return PutFunction(lane, p, blocks, t);
  const auto fail = [&](std::string expected) {
    Fail(Check::kToken, t, lane.from, lane.from_port, lane.put_lane, &p, std::move(expected),
         fmt::format("a packet of function {}", number));
  };
  if (numbers.put >= 0 && IsNewer(static_cast<std::uint8_t>(numbers.put), number)) {
    return fail(fmt::format("only packets of function {} or newer: {} has left", numbers.put,
                            numbers.token_put ? "its token" : "one of its packets"));
  }
  if (numbers.put != number) numbers.token_put = false;
  numbers.put = number;
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (node.is_switch() && node.reports && !HasSent(node, lane.from_port, lane.put_lane, number)) {
    fail(fmt::format("no packet newer than function {}: this channel has not sent its token",
                     node.tables.epoch()));
  }
}

// Has the output channel sent its token to this function?
bool ReferenceModel::Impl::HasSent(const Node& node, int port, int vl, std::uint8_t number) const {
  const std::uint8_t epoch = FunctionNumber(node.tables.epoch());
  if (node.tables.scheme() != Scheme::kOsr || !IsNewer(number, epoch)) return true;
  return number == NextNumber(epoch) && node.levels.change &&
         node.levels.sent[Channel(node, port, vl)];
}

void ReferenceModel::Impl::PutToken(LaneState& lane, const LinkPacket& packet, Cycle t) {
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const std::uint8_t number = packet.number();
  const auto fail = [&](std::string expected, std::string seen) {
    Fail(Check::kToken, t, lane.from, lane.from_port, packet.vl, nullptr, std::move(expected),
         std::move(seen));
  };
  if (packet.op == kOpTokenAck) {
    const LaneState& reverse = *lanes_[static_cast<std::size_t>(lane.reverse)];
    if ((reverse.numbers[packet.vl].tokens_got >> number & 1) == 0) {
      fail("an acknowledgement only of a token that has arrived",
           fmt::format("one for function {}", number));
    }
    return;
  }
  if (!Ordered(lane, t)) return;
  if (node.is_switch() && node.reports && !HasSent(node, lane.from_port, packet.vl, number)) {
    return fail("no token: its channel has not sent it", fmt::format("one to function {}", number));
  }
  Numbers& numbers = lane.numbers[packet.vl];
  if (numbers.put >= 0 && !IsNewer(number, static_cast<std::uint8_t>(numbers.put))) return;
  numbers.put = number;
  numbers.token_put = true;
}

// The receiver has taken a token, or a whole and good packet: the channel has passed the token to
// that function.
void ReferenceModel::Impl::Passed(LaneState& lane, int vl, std::uint8_t number, Cycle t) {
  Numbers& numbers = lane.numbers[static_cast<std::size_t>(vl)];
  Node& node = *nodes_[static_cast<std::size_t>(lane.to)];
  if (!node.is_switch() || !node.tables.MayBeUnder(Scheme::kOsr, t)) {
    numbers.passed = -1;
  } else if (numbers.passed < 0 || IsNewer(number, static_cast<std::uint8_t>(numbers.passed))) {
    numbers.passed = number;
  }
}

void ReferenceModel::Impl::GotToken(LaneState& lane, const LinkPacket& packet, Cycle t) {
  if (packet.op != kOpToken) return;
  lane.numbers[packet.vl].tokens_got |= static_cast<std::uint8_t>(1U << packet.number());
  Passed(lane, packet.vl, packet.number(), t);
}

// Has its channel passed the token to a newer function?
bool ReferenceModel::Impl::IsStale(LaneState& lane, int vl, std::uint8_t number, Cycle t) {
  const int passed = lane.numbers[static_cast<std::size_t>(vl)].passed;
  return passed >= 0 && IsNewer(static_cast<std::uint8_t>(passed), FunctionNumber(number)) &&
         nodes_[static_cast<std::size_t>(lane.to)]->tables.MayBeUnder(Scheme::kOsr, t);
}

// The tables have changed, or the state of a port.
void ReferenceModel::Impl::FollowTables(int node_index, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  if (!node.is_switch()) return;
  PlacePending(node, t);
  FollowHold(node, t);
}

// Some of the packets that wait for their function may have it now.
void ReferenceModel::Impl::PlacePending(Node& node, Cycle t) {
  for (const PacketIndex i : node.tracker->Pending()) {
    HopPacket& p = pool_[i];
    p.prediction = node.tables.Predict(p.in_port, static_cast<std::uint16_t>(p.words[0]),
                                       static_cast<int>((p.words[0] >> 20) & 0xF),
                                       NumberIn(p.words[1]), /*vl15=*/false, t);
    node.tracker->Place(i);
  }
}

// ---- Drops ----

bool ReferenceModel::Impl::IsGateDrop(DropReason reason) {
  return reason == DropReason::kEpoch || reason == DropReason::kStale ||
         reason == DropReason::kNoFeeder;
}

// "" if the head of an input queue may be dropped for that reason, or what was expected.
std::string ReferenceModel::Impl::WhyNoDrop(int node_index, PacketIndex i, const Gate& gate,
                                            Cycle t) {
  const DropReason reason = gate.reason;
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const HopPacket& p = pool_[i];
  if (reason == DropReason::kStale) {
    const bool stale = p.stale || p.prediction.AllowsDrop(reason);
    return stale ? "" : "no drop as stale: nothing newer has come on this channel before it";
  }
  if (p.prediction.Pending()) return "no such drop: it waits for its function";
  if (!p.prediction.Certain() || p.prediction.routes[0].drop != DropReason::kNone ||
      p.prediction.routes[0].port == 0) {
    return p.prediction.Certain() ? "no such drop: it leaves by no channel" : "";
  }
  return reason == DropReason::kEpoch ? WhyNoEpochDrop(&node, i, gate, t)
                                      : WhyNoFeederDrop(&node, p, t);
}

std::string ReferenceModel::Impl::WhyNoEpochDrop(Node* node, PacketIndex i, const Gate& gate,
                                                 Cycle t) {
  const HopPacket& p = pool_[i];
  const reference::Route& route = p.prediction.routes[0];
  const auto is_end_node = [&](int index) {
    return !nodes_[static_cast<std::size_t>(index)]->is_switch();
  };
  if (!node->tables.MayBeUnder(Scheme::kEbr, t))
    return "no epoch drop: the switch is not under EBR";
  const LaneState& in = *lanes_[static_cast<std::size_t>(p.lane)];
  if (is_end_node(in.from)) return "no epoch drop: it comes from an end node";
  const int out_index = node->out_lane[route.port];
  if (out_index < 0) return "no epoch drop: nothing is attached to its output";
  const LaneState& out = *lanes_[static_cast<std::size_t>(out_index)];
  if (is_end_node(out.to)) return "no epoch drop: it goes to an end node";

  const std::uint8_t packet = FunctionNumber(NumberIn(p.words[1]));
  bool may = false;
  bool spared = false;
  node->tables.ForEpochs(t, [&](std::uint8_t epoch) {
    const EpochNumbers seen{packet, FunctionNumber(route.number), FunctionNumber(epoch)};
    if (gate.numbers && *gate.numbers != seen) return;
    const bool says_drop = reference::EpochSaysDrop(seen.packet, seen.routed, seen.now);
    may = may || (says_drop && !IsSpared(*node, seen, t));
    spared = spared || says_drop;
  });
  if (!may && spared) {
    return fmt::format("no epoch drop: function {} is in force since cycle {} only",
                       FunctionNumber(node->tables.epoch()), node->committed);
  }
  if (!may) {
    return fmt::format(
        "no epoch drop: packet {}, routed by {}, switch {} (table 6.2 of the thesis){}", packet,
        route.number, FunctionNumber(node->tables.epoch()),
        gate.numbers ? fmt::format(", which says {}, {}, {}", gate.numbers->packet,
                                   gate.numbers->routed, gate.numbers->now)
                     : "");
  }
  int blocks = node->tracker->MostBlocks(i, route.port, route.lane);
  if (out.leaving_lane == route.lane && t <= out.leaving_until) blocks += out.leaving_blocks;
  if (blocks + p.blocks > node->buf_blocks) return "";
  return fmt::format("no epoch drop: at most {} of {} blocks of its output queue are taken", blocks,
                     node->buf_blocks);
}

std::string ReferenceModel::Impl::WhyNoFeederDrop(Node* node, const HopPacket& p, Cycle t) {
  const reference::Route& route = p.prediction.routes[0];
  if (!node->tables.MayBeUnder(Scheme::kOsr, t)) return "no such drop: the switch is not under OSR";
  if (!node->levels.change && t > node->change_ended + kTraceLatest) {
    return "no such drop: no change of function is under way";
  }
  const int in = static_cast<int>(Channel(*node, p.in_port, p.in_lane));
  const int out = static_cast<int>(Channel(*node, route.port, route.lane));
  const std::uint8_t number = FunctionNumber(NumberIn(p.words[1]));
  const std::uint8_t epoch = FunctionNumber(node->tables.epoch());
  if (number == epoch) {
    return node->tables.MustFeed(in, out, t) ? "no such drop: the feeder rows have its channels"
                                             : "";
  }
  // The switch may have changed functions just after the drop.
  if (NextNumber(number) == epoch && t <= node->change_ended + kTraceLatest) {
    return node->tables.MustHaveFed(in, out, t) ? "no such drop: the feeder rows have its channels"
                                                : "";
  }
  return fmt::format("no such drop: function {} is not the old one", number);
}

void ReferenceModel::Impl::GateDrop(int node_index, int port, int vl, const Gate& gate, Cycle t) {
  const DropReason reason = gate.reason;
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const auto eligible = [&](PacketIndex i) { return WhyNoDrop(node_index, i, gate, t).empty(); };
  if (vl < node.vls && node.tracker->GateDrop(port, vl, reason, eligible)) {
    return CheckMissingDrop(node_index, t);
  }
  const PacketIndex first =
      vl < node.vls ? node.tracker->Uncrossed(port, vl) : node.tracker->First(port, vl);
  std::string expected =
      vl < node.vls ? "no drop: the queue is empty" : "no such drop of a management packet";
  if (first != kNoPacket && vl < node.vls) {
    expected = WhyNoDrop(node_index, first, gate, t);
    if (expected.empty()) expected = "no more such drops: this packet has one already";
  }
  Fail(Check::kDrop, t, node_index, port, vl, first == kNoPacket ? nullptr : &pool_[first],
       expected, fmt::format("a drop as {}", DropReasonName(reason)));
}

// The last packet that went out on a lane holds its blocks a little longer.
void ReferenceModel::Impl::Leaves(LaneState& lane, const HopPacket& p) {
  lane.leaving_lane = lane.put_lane;
  lane.leaving_blocks = p.blocks;
  lane.leaving_until = reference::kNever;
}
void ReferenceModel::Impl::HasLeft(LaneState& lane, Cycle t) {
  if (lane.leaving_until == reference::kNever) lane.leaving_until = t + kLeavingLatest;
}

// ---- What a switch says of itself ----

void ReferenceModel::Impl::OnSwitchState(int node_index, const SwitchState& now, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const SwitchState& was = node.levels;
  const bool new_epoch = now.epoch != was.epoch;
  const bool by_drain = node.tables.MayBeUnder(Scheme::kDouble, t);
  if (new_epoch) {
    if (node.tables.Committed(now.epoch, t)) {
      ForgetFunctions(node);
    } else {
      by_drain ? CheckSwitchOver(node_index, now, t) : CheckFlip(node_index, now, t);
    }
  }
  if (!new_epoch && node.tables.IsUnder(Scheme::kOsr, t)) CheckChannels(node_index, now, t);
  if (!new_epoch && by_drain) CheckVls(node_index, now, t);
  if (failed_) return;
  if (was.change && !now.change) node.change_ended = t;
  FollowVls(node_index, now, t);
  node.levels = now;
  node.reports = true;
  if (!new_epoch) return;
  node.committed = t;
  FollowTables(node_index, t);
}

void ReferenceModel::Impl::CheckFlip(int node_index, const SwitchState& now, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const SwitchState& was = node.levels;
  const auto fail = [&](std::string expected) {
    Fail(Check::kToken, t, node_index, -1, -1, nullptr, std::move(expected),
         fmt::format("function {} in place of {}", now.epoch, was.epoch));
  };
  if (!node.tables.MayBeUnder(Scheme::kOsr, t)) return fail("no other function without a command");
  if (now.epoch != NextNumber(was.epoch)) return fail("the next function");
  if (!was.change) return fail("no other function: no change is under way");
  if (!node.tables.ready()) return fail("no other function: no bank holds the next one");
  for (int port = 1; port <= node.ports; ++port) {
    for (int vl = 0; vl < node.vls; ++vl) {
      const std::size_t channel = Channel(node, port, vl);
      if (!was.done[channel] || !was.sent[channel]) {
        return fail(
            fmt::format("the old function: {} channel of port {}, VL {} has not {} its token",
                        was.done[channel] ? "the output" : "the input", port, vl,
                        was.done[channel] ? "sent" : "passed"));
      }
    }
  }
  if (now.change || now.done.any() || now.sent.any()) {
    return fail("all channels as before a change, once it is over");
  }
  node.tables.Flip();
}

void ReferenceModel::Impl::CheckChannels(int node_index, const SwitchState& now, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const SwitchState& was = node.levels;
  const auto fail = [&](int port, int vl, const char* expected, const char* seen) {
    Fail(Check::kToken, t, node_index, port, vl, nullptr, expected, seen);
  };
  if (was.change && !now.change)
    return fail(-1, -1, "a change to end with the next function", "it ended");
  if (now.change && !was.change && !MayChange(node, t)) {
    return fail(-1, -1, "no change: neither command nor token nor newer packet has come",
                "it began");
  }
  for (int port = 1; port <= node.ports && !failed_; ++port) {
    for (int vl = 0; vl < node.vls; ++vl) {
      const std::size_t channel = Channel(node, port, vl);
      if ((was.done[channel] && !now.done[channel]) || (was.sent[channel] && !now.sent[channel])) {
        return fail(port, vl, "a token that stays passed and sent until the change is over",
                    "not so");
      }
      if (!now.change && (now.done[channel] || now.sent[channel])) {
        return fail(port, vl, "no token: no change is under way", "one passed or sent");
      }
      if (now.done[channel] && !was.done[channel]) CheckDone(node_index, port, vl, t);
      if (now.sent[channel] && !was.sent[channel]) CheckSent(node_index, port, vl, now, t);
    }
  }
}

// Has the switch been told to change, or seen that others do?
bool ReferenceModel::Impl::MayChange(const Node& node, Cycle) const {
  if (node.tables.started()) return true;
  const std::uint8_t epoch = FunctionNumber(node.tables.epoch());
  for (const int in : node.in_lane) {
    if (in < 0) continue;
    for (const Numbers& numbers : lanes_[static_cast<std::size_t>(in)]->numbers) {
      if (numbers.passed >= 0 && IsNewer(static_cast<std::uint8_t>(numbers.passed), epoch)) {
        return true;
      }
    }
  }
  return false;
}

void ReferenceModel::Impl::CheckDone(int node_index, int port, int vl, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const std::uint8_t epoch = FunctionNumber(node.tables.epoch());
  const int in = node.in_lane[static_cast<std::size_t>(port)];
  const bool dead = (node.tables.PortStates(port, t) & ~reference::kAcceptsData) != 0;
  const auto fail = [&](const HopPacket* p, const char* expected) {
    Fail(Check::kToken, t, node_index, port, vl, p, expected, "the input channel's token passed");
  };
  if (in < 0) return;  // a port without a cable takes no data
  LaneState& lane = *lanes_[static_cast<std::size_t>(in)];
  const int passed = lane.numbers[static_cast<std::size_t>(vl)].passed;
  if (passed < 0 || !IsNewer(static_cast<std::uint8_t>(passed), epoch)) {
    if (!dead) return fail(nullptr, "neither token nor newer packet has come on this channel");
    Passed(lane, vl, NextNumber(epoch), t);  // the channel gets its token by itself
    return;
  }
  if (dead || lane.got == kNoPacket) return;
  const HopPacket& p = pool_[lane.got];
  const bool old = p.got_words >= 2 && FunctionNumber(NumberIn(p.words[1])) == epoch;
  if (old && !p.stale && LaneOfVl(node, p.words[0]) == vl) {
    fail(&p, "no token passed before the end of this old packet");
  }
}

void ReferenceModel::Impl::CheckSent(int node_index, int port, int vl, const SwitchState& now,
                                     Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const int out = static_cast<int>(Channel(node, port, vl));
  for (int from = 1; from <= node.ports; ++from) {
    for (int from_vl = 0; from_vl < node.vls; ++from_vl) {
      const std::size_t in = Channel(node, from, from_vl);
      if (now.done[in] || !node.tables.MustFeed(static_cast<int>(in), out, t)) continue;
      return Fail(Check::kToken, t, node_index, port, vl, nullptr,
                  fmt::format("no token yet: port {}, VL {} feeds this channel and has not passed "
                              "its own",
                              from, from_vl),
                  "the output channel's token sent");
    }
  }
}

}  // namespace lanecut
