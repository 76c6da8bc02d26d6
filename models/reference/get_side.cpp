// SPDX-License-Identifier: Apache-2.0
//
// What arrives: acceptance or refusal, the prediction of what becomes of a packet, and what drop
// pulses mean.
#include <fmt/format.h>

#include <algorithm>

#include "models/reference/model_impl.h"
#include "sw/wire/crc.h"
#include "sw/wire/function_number.h"
#include "sw/wire/link_packet.h"
#include "sw/wire/packet.h"

namespace lanecut {

using reference::kMadOffset;
using reference::kMadWords;
using reference::kNoPacket;
using reference::SmpAction;
using reference::SmpFields;
using reference::SmpMethod;

namespace {

constexpr int kMinPktLen = 6;        // LRH, BTH and ICRC in words
constexpr Cycle kRefusalLatest = 8;  // cycles from a header to the pulse of its refusal
constexpr Cycle kSilentBadKept =
    4096;  // cycles in which a bad management packet may be dropped with a pulse

}  // namespace

void ReferenceModel::Impl::OnGet(int index, Cycle t, Word word) {
  LaneState& lane = *lanes_[static_cast<std::size_t>(index)];
  switch (word.ctrl) {
    case Ctrl::kIdle:
      return;
    case Ctrl::kBody:
    case Ctrl::kGoodEnd:
    case Ctrl::kBadEnd:
      if (lane.got_state == State::kData) {
        GotWord(lane, t, word);
      } else if (lane.got_state == State::kLink) {
        GotLinkPacket(lane, t, word);
      }
      return;
    case Ctrl::kStartData:
      if (lane.got_state == State::kData) CloseArrival(lane, t);
      GotStart(lane, t, word.data);
      return;
    case Ctrl::kStartLink:
      if (lane.got_state == State::kData) CloseArrival(lane, t);
      lane.got_state = State::kLink;
      lane.got_link_word = word.data;
      lane.got_last = t;
      return;
  }
}

void ReferenceModel::Impl::GotStart(LaneState& lane, Cycle t, std::uint32_t word) {
  CheckRefusals(lane, t);
  const bool nothing = lane.ring_head == lane.ring_tail;
  const PacketIndex next = nothing ? kNoPacket : lane.ring[lane.ring_head % lane.ring.size()];
  if (nothing || pool_[next].put_start + lane.fly != t) {
    Fail(Check::kFraming, t, lane.to, lane.to_port, -1, nothing ? nullptr : &pool_[next],
         nothing ? "nothing: nothing was sent"
                 : fmt::format("arrival in cycle {}", pool_[next].put_start + lane.fly),
         "the start of a packet");
    return;
  }
  ++lane.ring_head;
  lane.got_state = State::kData;
  lane.got = next;
  lane.got_last = t;
  HopPacket& p = pool_[next];
  p.got_start = t;
  p.got_words = 1;
  p.corrupted = p.words[0] != word;
  p.words[0] = word;
}

void ReferenceModel::Impl::GotWord(LaneState& lane, Cycle t, Word word) {
  if (t != lane.got_last + 1) return CloseArrival(lane, t);
  lane.got_last = t;
  HopPacket& p = pool_[lane.got];
  const int index = p.got_words++;
  if (index >= p.put_words) {
    return Fail(Check::kFraming, t, lane.to, lane.to_port, -1, &p, "the words that were sent",
                "more of them");
  }
  if (pool_.WordAt(p, index) != word.data) {
    p.corrupted = true;
    pool_.SetWord(p, index, word.data);
  }
  if (p.for_agent && index >= kCompactPathWord) FollowPath(lane, p, index);
  const bool end = word.ctrl != Ctrl::kBody;
  if (index == 1) {
    if (end) {
      p.got_words = 1;
      return CloseArrival(lane, t);
    }
    GotHeader(lane, p, t);
  } else if (end) {
    EndArrival(lane, p, t, !GoodEnd(p, word));
    lane.got_state = State::kIdle;
  } else if (index + 1 == p.length) {
    EndArrival(lane, p, t, /*bad=*/true);  // longer than it says
    lane.got_state = State::kSkip;
  }
}

bool ReferenceModel::Impl::GoodEnd(const HopPacket& p, Word word) const {
  if (word.ctrl != Ctrl::kGoodEnd || p.got_words != p.length) return false;
  if (!p.corrupted) return p.put_valid;
  std::vector<std::uint32_t> words = pool_.Words(p, 0, p.got_words);
  if (p.stepped) reference::UnstepCompact(&words, p.prediction.routes[0].port);
  return VcrcOk(words);
}

// A compact packet says its way itself. It is known with the word of the path that this switch is
// in.
void ReferenceModel::Impl::FollowPath(LaneState& lane, HopPacket& p, int index) {
  const std::vector<std::uint32_t> words = pool_.Words(p, 0, index + 1);
  if (!reference::HasCompactPath(words)) return;
  const reference::CompactStep step(words);
  if (step.word != index) return;
  Node& node = *nodes_[static_cast<std::size_t>(lane.to)];
  const int port = PathEntry(words, step.entry % (kEntriesPerWord * kMaxPathWords));
  const bool is_nowhere = step.is_outside || port > node.ports || (step.is_answer && port == 0);
  if (!is_nowhere && port == 0) return;  // it has arrived
  p.for_agent = false;
  p.prediction = {};
  if (is_nowhere) {
    p.prediction.Add({0, 0, DropReason::kUnreachable});
  } else {
    p.prediction.Add(
        {static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(node.vls), DropReason::kNone});
    StepWords(p, lane.to_port);
  }
  p.node = static_cast<std::int16_t>(lane.to);
  node.tracker->Link(lane.got, lane.to_port, node.vls);
}

void ReferenceModel::Impl::StepWords(HopPacket& p, int in_port) {
  std::vector<std::uint32_t> words = pool_.Words(p, 0, p.got_words);
  reference::StepCompact(&words, in_port);
  for (int i = 3; i < p.got_words; ++i) pool_.SetWord(p, i, words[static_cast<std::size_t>(i)]);
  p.stepped = true;
}

// At the end of its path, or flooded.
void ReferenceModel::Impl::EndCompact(LaneState& lane, HopPacket& p, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.to)];
  std::vector<std::uint32_t> words = pool_.Words(p, 0, p.got_words - 1);
  const auto arrived = ParseCompactPacket(words);
  if (!IcrcOk(words) || !arrived || !reference::IsServed(*arrived)) {
    return Settle(p, DropReason::kManagement);
  }
  Settle(p, DropReason::kNone);
  const bool is_flood = arrived->kind == CompactKind::kFlood;
  const bool is_set = arrived->method == static_cast<std::uint8_t>(SmpMethod::kSet);
  if (is_set && node.tables.MustDeny(0, t)) return;
  if (is_set && (!is_flood || node.flood_filter.Take(arrived->number, t))) {
    node.tables.RequestCompact(lane.to_port, *arrived, t);
    FollowTables(lane.to, t);
  }
  if (!node.is_switch()) return;
  if (is_flood) {
    const std::uint32_t others = ~(1U << lane.to_port);
    node.floods.push_back({std::move(words), others});
    if (node.floods.size() > Node::kRemembered) node.floods.erase(node.floods.begin());
    return;
  }
  reference::StepCompact(&words, lane.to_port);
  node.compact_requests.push_back({*ParseCompactPacket(words), lane.to_port});
  if (node.compact_requests.size() > Node::kRemembered) {
    node.compact_requests.erase(node.compact_requests.begin());
  }
}

ReferenceModel::Impl::Reasons ReferenceModel::Impl::MustRefuse(const Node& node, const HopPacket& p,
                                                               std::uint8_t states) const {
  const int vl = LaneOfVl(node, p.words[0]);
  const bool management = p.words[0] >> 28 == kVl15;
  Reasons reasons = 0;
  if (vl < 0) reasons |= Bit(DropReason::kBadVl);
  if (((p.words[0] >> 24) & 0xF) != 0) reasons |= Bit(DropReason::kBad);
  if (!management && (states & reference::kAcceptsData) == 0) {
    reasons |= Bit(DropReason::kPortInactive);
  }
  const int room = management ? node.shape.vl15_blocks : node.buf_blocks;
  if (p.length <= kMinPktLen || p.blocks > room) reasons |= Bit(DropReason::kLength);
  return reasons;
}

void ReferenceModel::Impl::GotHeader(LaneState& lane, HopPacket& p, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.to)];
  p.length = static_cast<std::uint16_t>(((p.words[1] >> 16) & 0x7FF) + 1);
  p.blocks = static_cast<std::uint16_t>(BlocksOfWords(p.length));
  const int vl = LaneOfVl(node, p.words[0]);
  if (vl >= 0 && vl < node.vls) lane.credit.Received(vl, p.blocks);
  if (p.corrupted) lane.disturbed = true;
  if (!node.is_switch()) return;

  const std::uint8_t states = node.tables.PortStates(lane.to_port, t);
  if (const Reasons must = MustRefuse(node, p, states); must != 0) return Refuse(lane, must, t);
  lane.may_refuse = 0;
  const bool management = vl == node.vls;
  if (management || lane.disturbed) lane.may_refuse |= Bit(DropReason::kNoRoom);
  if (!management && (states & ~reference::kAcceptsData) != 0) {
    lane.may_refuse |= Bit(DropReason::kPortInactive);
  }

  const auto dlid = static_cast<std::uint16_t>(p.words[0]);
  p.for_agent = management && dlid == kPermissiveLid;
  if (p.for_agent) return;
  p.prediction = node.tables.Predict(lane.to_port, dlid, static_cast<int>((p.words[0] >> 20) & 0xF),
                                     reference::NumberIn(p.words[1]), management, p.got_start);
  p.stale = !management && IsStale(lane, vl, reference::NumberIn(p.words[1]), t);
  const reference::Route& route = p.prediction.routes[0];
  p.for_agent = p.prediction.Certain() && route.drop == DropReason::kNone && route.port == 0;
  if (p.for_agent) return;
  p.node = static_cast<std::int16_t>(lane.to);
  node.tracker->Link(lane.got, lane.to_port, vl);
}

// The receiver has no use for the packet and must say so.
void ReferenceModel::Impl::Refuse(LaneState& lane, Reasons reasons, Cycle t) {
  lane.refusals.push_back({lane.got, reasons, t});  // takes over the receiver's hold
  pool_[lane.got].got_done = true;
  pool_[lane.got].bad = true;
  lane.got = kNoPacket;
  lane.got_state = State::kSkip;
}

void ReferenceModel::Impl::CheckRefusals(LaneState& lane, Cycle t) {
  if (lane.refusals.empty() || t <= lane.refusals.front().t + kRefusalLatest) return;
  Fail(Check::kDrop, t, lane.to, lane.to_port, -1, &pool_[lane.refusals.front().packet],
       fmt::format("the packet refused around cycle {}", lane.refusals.front().t + 1),
       "no drop on the trace port");
}

void ReferenceModel::Impl::CheckMissingDrop(int node, Cycle t) {
  const PacketIndex missing = nodes_[static_cast<std::size_t>(node)]->tracker->missing_drop();
  if (missing == kNoPacket) return;
  const HopPacket& p = pool_[missing];
  Fail(Check::kDrop, t, node, p.in_port, p.in_lane, &p,
       fmt::format("a drop as {}", DropReasonName(p.prediction.routes[0].drop)),
       "packets behind it that have passed");
}

// Nothing more of the open packet comes.
void ReferenceModel::Impl::CloseArrival(LaneState& lane, Cycle t) {
  HopPacket& p = pool_[lane.got];
  if (p.got_words == 1 && nodes_[static_cast<std::size_t>(lane.to)]->is_switch()) {
    Refuse(lane, Bit(DropReason::kBad), t);
  } else {
    EndArrival(lane, p, t, /*bad=*/true);
  }
  lane.got_state = State::kIdle;
}

void ReferenceModel::Impl::CloseIfOver(LaneState& lane, Cycle t) {
  if (lane.got_state == State::kData && lane.got_last + 1 < t) CloseArrival(lane, t);
}

void ReferenceModel::Impl::EndArrival(LaneState& lane, HopPacket& p, Cycle t, bool bad) {
  const PacketIndex got = lane.got;
  p.got_done = true;
  p.bad = bad;
  const int vl = static_cast<int>(p.words[0] >> 28);
  if (!bad && vl != kVl15) Passed(lane, vl, FunctionNumber(reference::NumberIn(p.words[1])), t);
  if (!nodes_[static_cast<std::size_t>(lane.to)]->is_switch()) {
    EndAtEndNode(lane, p, t);
  } else if (p.for_agent) {
    EndAtAgent(lane, p, t);
  } else if (bad && p.node >= 0) {
    nodes_[static_cast<std::size_t>(lane.to)]->tracker->MarkBad(got);
  }
  lane.got = kNoPacket;
  pool_.Release(got);
}

// The agent takes it. A bad packet that it was already reading vanishes without a pulse.
void ReferenceModel::Impl::EndAtAgent(LaneState& lane, HopPacket& p, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.to)];
  const int vl = LaneOfVl(node, p.words[0]);
  if (p.bad) {
    lane.silent_bad[static_cast<std::size_t>(vl)].push_back(t);
    return Settle(p, DropReason::kBad);
  }
  if (vl != node.vls) {
    GeneralAtAgent(node, p);
    return Settle(p, DropReason::kNone);
  }
  if (p.got_words > kCompactPathWord && IsCompact(p.words)) return EndCompact(lane, p, t);
  std::vector<std::uint32_t> words = pool_.Words(p, 0, p.got_words);
  const reference::SmpStep step = reference::StepSmp(&words, lane.to_port, node.ports);
  if (step.action == SmpAction::kDiscard) return Settle(p, DropReason::kManagement);
  const SmpFields smp(words);
  if (step.action == SmpAction::kConsume) {
    Settle(p, DropReason::kNone);
    const auto mad = std::span(words).subspan<kMadOffset, kMadWords>();
    if (smp.Is(SmpMethod::kSet)) {
      if (node.tables.MustDeny(reference::MKeyOf(mad), t)) return;
      node.tables.Request(lane.to_port, mad, t);
      FollowTables(lane.to, t);
    }
    if (smp.Is(SmpMethod::kSet) || smp.Is(SmpMethod::kGet)) {
      node.requests.push_back({std::move(words), lane.to_port, t});
      if (node.requests.size() > Node::kRemembered) node.requests.erase(node.requests.begin());
    }
    return;
  }
  for (int i = 1; i < p.got_words; ++i) pool_.SetWord(p, i, words[static_cast<std::size_t>(i)]);
  p.prediction = {};
  p.prediction.Add({static_cast<std::uint8_t>(step.port), static_cast<std::uint8_t>(node.vls),
                    DropReason::kNone});
  p.node = static_cast<std::int16_t>(lane.to);
  node.tracker->Link(lane.got, lane.to_port, node.tracker->RelayLane(smp.Response()));
}

void ReferenceModel::Impl::EndAtEndNode(LaneState& lane, HopPacket& p, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.to)];
  if (p.words[0] >> 28 == kVl15) {
    if (!p.bad && p.got_words > kCompactPathWord && IsCompact(p.words)) {
      return EndCompact(lane, p, t);
    }
    Settle(p, p.bad ? DropReason::kBad : DropReason::kNone);
    if (p.bad || p.got_words != reference::kSmpWireWords) return;
    const std::vector<std::uint32_t> words = pool_.Words(p, 0, p.got_words);
    const SmpFields smp(words);
    const bool here = !smp.Directed() || (!smp.returning && smp.hop_pointer == smp.hop_count);
    if (smp.Is(SmpMethod::kSet) && here) {
      node.tables.Request(lane.to_port, std::span(words).subspan<kMadOffset, kMadWords>(), t);
    }
    return;
  }
  SinkArrival arrival{lane.got, !p.bad, 0, t};
  pool_.Hold(lane.got);
  if (p.bad) {
    arrival.may_drop = static_cast<Reasons>(~Reasons{0});
  } else {
    const std::uint8_t states = node.tables.PortStates(lane.to_port, t);
    if ((states & ~reference::kAcceptsData) != 0)
      arrival.may_drop |= Bit(DropReason::kPortInactive);
    if (lane.disturbed) arrival.may_drop |= Bit(DropReason::kNoRoom);
    if (!node.tables.MayHaveLid(static_cast<std::uint16_t>(p.words[0]), t)) {
      arrival.may_drop |= Bit(DropReason::kMisdelivered);
      arrival.may_deliver = false;
    }
  }
  node.arrivals.push_back(arrival);
}

void ReferenceModel::Impl::OnDelivered(int node_index, std::uint64_t id, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const auto fail = [&](Check check, const HopPacket* p, std::string expected) {
    Fail(check, t, node_index, 1, -1, p, std::move(expected),
         fmt::format("packet 0x{:x} delivered", id));
  };
  if (node.arrivals.empty()) return fail(Check::kUnknown, nullptr, "nothing: nothing has arrived");
  const SinkArrival arrival = node.arrivals.front();
  HopPacket& p = pool_[arrival.packet];
  if (!arrival.may_deliver) return fail(Check::kDrop, &p, "this packet dropped");
  if (PacketIdOf(p.words) != id) {
    return fail(Check::kUnknown, &p, "this packet delivered");
  }
  // Packets that EBR routes by another function may overtake others of their flow.
  if (!accounting_.InOrder(p.flow, p.flow_sequence) && !MayOvertake(t)) {
    return fail(Check::kOrder, &p, "the packets of a flow in the order in which they were sent");
  }
  node.arrivals.pop_front();
  Settle(p, DropReason::kNone);
  pool_.Release(arrival.packet);
}

void ReferenceModel::Impl::OnSinkDrop(int node_index, DropReason reason, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  if (node.arrivals.empty()) {
    // An end node sees at once that a packet has been cut off.
    LaneState& lane = *lanes_[static_cast<std::size_t>(node.in_lane[1])];
    if (lane.got_state == State::kData && lane.got_last < t) CloseArrival(lane, t);
  }
  const bool known = !node.arrivals.empty();
  if (!known || (node.arrivals.front().may_drop & Bit(reason)) == 0) {
    Fail(Check::kDrop, t, node_index, 1, -1, known ? &pool_[node.arrivals.front().packet] : nullptr,
         known ? "this packet delivered" : "no drop: nothing has arrived",
         fmt::format("a drop as {}", DropReasonName(reason)));
    return;
  }
  const PacketIndex i = node.arrivals.front().packet;
  node.arrivals.pop_front();
  Settle(pool_[i], reason);
  pool_.Release(i);
}

void ReferenceModel::Impl::GotLinkPacket(LaneState& lane, Cycle t, Word word) {
  lane.got_state = State::kIdle;
  if (t != lane.got_last + 1 || word.ctrl != Ctrl::kGoodEnd) return;
  const auto packet = DecodeLinkPacket(lane.got_link_word, word.data);
  const Node& node = *nodes_[static_cast<std::size_t>(lane.to)];
  if (!packet || packet->vl >= node.vls) return;
  if (packet->op == kOpToken) return GotToken(lane, *packet, t);
  if (packet->op > kOpFlowControlInit) return;
  lane.credit.SentArrives(packet->vl, packet->fctbs, t);
  lanes_[static_cast<std::size_t>(lane.reverse)]->credit.LimitArrives(packet->vl, packet->fccl, t);
}

void ReferenceModel::Impl::OnRxDrop(int node_index, int port, DropReason reason, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  LaneState& lane = *lanes_[static_cast<std::size_t>(node.in_lane[static_cast<std::size_t>(port)])];
  CloseIfOver(lane, t);
  const std::string seen = fmt::format("a refusal as {}", DropReasonName(reason));
  if (!lane.refusals.empty()) {
    const Refusal refusal = lane.refusals.front();
    HopPacket& p = pool_[refusal.packet];
    if ((refusal.reasons & Bit(reason)) == 0) {
      Fail(Check::kDrop, t, node_index, port, -1, &p, "a refusal for another reason", seen);
      return;
    }
    lane.refusals.pop_front();
    Settle(p, reason);
    pool_.Release(refusal.packet);
    return;
  }
  const bool open = lane.got != kNoPacket && pool_[lane.got].got_words >= 2;
  if (!open || (lane.may_refuse & Bit(reason)) == 0) {
    Fail(Check::kDrop, t, node_index, port, -1, open ? &pool_[lane.got] : nullptr,
         "no refusal: there is nothing wrong", seen);
    return;
  }
  const PacketIndex got = lane.got;
  HopPacket& p = pool_[got];
  if (p.node >= 0) node.tracker->Unlink(got);
  p.got_done = true;
  p.bad = true;
  Settle(p, reason);
  lane.got = kNoPacket;
  lane.got_state = State::kSkip;
  pool_.Release(got);
}

void ReferenceModel::Impl::OnInputDrop(int node_index, int port, int vl, DropReason reason, Cycle t,
                                       const std::optional<EpochNumbers>& numbers) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  LaneState& lane = *lanes_[static_cast<std::size_t>(node.in_lane[static_cast<std::size_t>(port)])];
  CloseIfOver(lane, t);
  if (IsGateDrop(reason)) return GateDrop(node_index, port, vl, {reason, numbers}, t);
  if (node.tracker->InputDrop(port, vl, reason)) return CheckMissingDrop(node_index, t);
  std::deque<Cycle>& silent = lane.silent_bad[static_cast<std::size_t>(vl)];
  while (!silent.empty() && silent.front() + kSilentBadKept < t) silent.pop_front();
  if (reason == DropReason::kBad && !silent.empty()) {
    silent.pop_front();
    return;
  }
  const PacketIndex first = node.tracker->First(port, vl);
  std::string expected = "no drop: the queue is empty";
  if (first != kNoPacket) {
    const reference::Route& route = pool_[first].prediction.routes[0];
    expected =
        route.drop != DropReason::kNone
            ? fmt::format("a drop as {}", DropReasonName(route.drop))
            : fmt::format("no such drop in this queue; its first packet goes to port {}, VL {}",
                          route.port, route.lane);
  }
  Fail(Check::kDrop, t, node_index, port, vl, first == kNoPacket ? nullptr : &pool_[first],
       expected, fmt::format("a drop as {}", DropReasonName(reason)));
}

void ReferenceModel::Impl::OnOutputDrop(int node_index, int port, int vl, DropReason reason,
                                        Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  LaneState& lane =
      *lanes_[static_cast<std::size_t>(node.out_lane[static_cast<std::size_t>(port)])];
  const auto fail = [&](std::string expected) {
    Fail(Check::kDrop, t, node_index, port, vl, nullptr, std::move(expected), "a packet discarded");
  };
  if (reason == DropReason::kHoqLife) return HoqDrop(lane, vl, t);
  if (reason == DropReason::kLifeTime) return LifeDrop(lane, vl, t);
  if ((lane.cut_lanes >> vl & 1) != 0) {
    lane.cut_lanes &= static_cast<std::uint16_t>(~(1U << vl));
    return;
  }
  // The packet that was being sent when the manager sent the port through Down.
  if (lane.put_state == State::kData && lane.put_lane == vl && MayBeDown(lane, t)) {
    HopPacket& p = pool_[lane.put];
    MatchCut(lane, p, t);
    FinishPut(lane, p);
    return;
  }
  const std::uint8_t states = node.tables.PortStates(port, t);
  if (vl == node.vls) {
    if ((states & StateBit(reference::kDown)) == 0) return fail("no drop: the port is not Down");
    if (!node.tracker->OutputDropManagement(port)) {
      accounting_.Sent(true);  // an answer or a trap that the agent has made
      accounting_.Settled(true, DropReason::kPortInactive);
    }
    return;
  }
  if ((states & ~StateBit(reference::kActive)) == 0) return fail("no drop: the port is Active");
  lane.queue_left[static_cast<std::size_t>(vl)] = t;
  if (!node.tracker->OutputDrop(port, vl, {reason, DiscardCameBy(node, port, t)}) &&
      !DropGeneral(node, reason))
    fail("no drop: there is no packet for this queue");
}

}  // namespace lanecut
