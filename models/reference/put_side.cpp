// SPDX-License-Identifier: Apache-2.0
//
// What nodes send: framing, credit, and which of the packets inside a switch it is that leaves.
#include <fmt/format.h>

#include <algorithm>

#include "models/reference/model_impl.h"
#include "sw/wire/crc.h"
#include "sw/wire/function_number.h"
#include "sw/wire/link_packet.h"
#include "sw/wire/packet.h"

namespace lanecut {

using reference::kIdentityWords;
using reference::kMadOffset;
using reference::kMaxWords;
using reference::kNoPacket;
using reference::kSmpWireWords;
using reference::SmpFields;
using reference::SmpMethod;

namespace {

constexpr Cycle kNoticeLatest = 4;  // cycles that a sender may take to see that its link is cut

}  // namespace

void ReferenceModel::Impl::OnPut(int index, Cycle t, Word word) {
  LaneState& lane = *lanes_[static_cast<std::size_t>(index)];
  switch (word.ctrl) {
    case Ctrl::kIdle:
      return;
    case Ctrl::kBody:
    case Ctrl::kGoodEnd:
    case Ctrl::kBadEnd:
      if (lane.put_state == State::kData) {
        PutWord(lane, t, word);
      } else if (lane.put_state == State::kLink) {
        PutLinkPacket(lane, t, word);
      } else if (lane.put_state == State::kSkip && t <= lane.cut_at + kNoticeLatest) {
        // The sender had the end out before it noticed the cut: it will not speak of a packet cut.
        if (word.ctrl != Ctrl::kBody) lane.cut_lanes = 0;
      } else if (!MayBeDown(lane, t)) {
        Fail(Check::kFraming, t, lane.from, lane.from_port, -1, nullptr, "the start of a packet",
             "a word of no packet");
      }
      return;
    case Ctrl::kStartData:
    case Ctrl::kStartLink:
      if (lane.put_state == State::kLink && MayBeDown(lane, t)) lane.put_state = State::kIdle;
      if (lane.put_state == State::kData || lane.put_state == State::kLink) {
        Fail(Check::kFraming, t, lane.from, lane.from_port, lane.put_lane,
             lane.put == kNoPacket ? nullptr : &pool_[lane.put], "the rest of the packet",
             "the start of another one");
        return;
      }
      lane.put_last = t;
      if (word.ctrl == Ctrl::kStartData) {
        PutStart(lane, t, word.data);
      } else {
        lane.put_state = State::kLink;
        lane.put_link_word = word.data;
      }
      return;
  }
}

// A manager may have sent the port through Down, which halves a link packet at either word.
bool ReferenceModel::Impl::MayBeDown(const LaneState& lane, Cycle t) {
  reference::TableMirror& tables = nodes_[static_cast<std::size_t>(lane.from)]->tables;
  return !lane.cut && (tables.PortStates(lane.from_port, t) & StateBit(reference::kDown)) != 0;
}

void ReferenceModel::Impl::PutStart(LaneState& lane, Cycle t, std::uint32_t word) {
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const int vl = LaneOfVl(node, word);
  if (vl < 0) {
    Fail(Check::kRoute, t, lane.from, lane.from_port, static_cast<int>(word >> 28), nullptr,
         "a VL that exists", "the start of a packet on another one");
    return;
  }
  lane.put_state = State::kData;
  lane.put_lane = static_cast<std::uint8_t>(vl);
  lane.put = pool_.Make();
  lane.sent[0] = word;
  lane.put_state_of_sender = node.end_node;
  HopPacket& p = pool_[lane.put];
  p.words[0] = word;
  p.put_words = 1;
  p.put_start = t;
  p.lane = lane.index;
  p.management = vl == node.vls;
  p.doomed = lane.cut;
  if (!node.is_switch()) BornHere(p);
  if (!p.doomed) {
    pool_.Hold(lane.put);
    lane.ring[lane.ring_tail++ % lane.ring.size()] = lane.put;
  }
}

// A copy that was not there before.
void ReferenceModel::Impl::BornHere(HopPacket& p) {
  p.matched = true;
  accounting_.Sent(p.management);
  if (p.settled) {
    Account(p);
  } else {
    p.copy = true;
  }
}

void ReferenceModel::Impl::PutWord(LaneState& lane, Cycle t, Word word) {
  HopPacket& p = pool_[lane.put];
  if (t != lane.put_last + 1) {
    Fail(Check::kFraming, t, lane.from, lane.from_port, lane.put_lane, &p,
         "the words of a packet back to back", fmt::format("a gap before word {}", p.put_words));
    return;
  }
  lane.put_last = t;
  const int index = p.put_words;
  if (index >= kMaxWords) {
    Fail(Check::kFraming, t, lane.from, lane.from_port, lane.put_lane, &p, "the end of the packet",
         "more words than PktLen can say");
    return;
  }
  lane.sent[static_cast<std::size_t>(index)] = word.data;
  pool_.SetWord(p, index, word.data);
  ++p.put_words;
  if (word.ctrl != Ctrl::kBody) {
    PutEnd(lane, p, t, word.ctrl == Ctrl::kBadEnd);
  } else if (lane.source != kNoPacket) {
    CheckWord(lane, p, index, word.data, t);
  } else if (index == 1) {
    PutHeader(lane, p, t);
  } else if (index == kIdentityWords - 1) {
    PutIdentity(lane, p, t);
  }
}

void ReferenceModel::Impl::PutHeader(LaneState& lane, HopPacket& p, Cycle t) {
  if (lane.put_lane == nodes_[static_cast<std::size_t>(lane.from)]->vls || p.doomed) return;
  reference::TableMirror& tables = nodes_[static_cast<std::size_t>(lane.from)]->tables;
  if ((tables.PortStates(lane.from_port, t) & StateBit(reference::kActive)) == 0) {
    Fail(Check::kPortState, t, lane.from, lane.from_port, lane.put_lane, &p,
         "no data while the port is not Active", "the start of a packet");
    return;
  }
  const int blocks = BlocksOfWords(static_cast<int>((lane.sent[1] >> 16) & 0x7FF) + 1);
  Charge(lane, p, blocks, t);
  PutNumber(lane, p, blocks, t);
}

void ReferenceModel::Impl::Charge(LaneState& lane, const HopPacket& p, int blocks, Cycle t) {
  const int sent = lane.credit.sent(lane.put_lane);
  if (!lane.credit.Start(lane.put_lane, blocks, t)) {
    Fail(Check::kCredit, t, lane.from, lane.from_port, lane.put_lane, &p,
         fmt::format("no start: {} blocks sent, limit {}", sent, lane.credit.limit(lane.put_lane)),
         fmt::format("the start of a packet of {} blocks", blocks));
  }
}

void ReferenceModel::Impl::PutIdentity(LaneState& lane, HopPacket& p, Cycle t) {
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (lane.put_lane == node.vls) return;  // SMPs look alike for longer
  if (!node.is_switch()) {
    p.general = IsGmp(lane.sent);
    if (!p.general) CheckInjection(lane, p, t);
  } else if (!Match(lane, p, t, kIdentityWords, /*ended=*/false) && !MatchGeneral(lane, p, t)) {
    DiagnoseData(lane, p, t, kIdentityWords);
  }
}

void ReferenceModel::Impl::CheckInjection(LaneState& lane, HopPacket& p, Cycle t) {
  const std::uint64_t id = PacketIdOf(lane.sent);
  if (const auto expected = accounting_.Injected(lane.from, id)) {
    Fail(Check::kUnknown, t, lane.from, lane.from_port, lane.put_lane, &p, *expected,
         "this one being sent");
    return;
  }
  const auto flow = accounting_.NextOfFlow(lane.from, static_cast<std::uint16_t>(lane.sent[0]),
                                           static_cast<int>((lane.sent[0] >> 20) & 0xF));
  p.id = id;
  p.flow = flow.index;
  p.flow_sequence = flow.sequence;
}

// A word of a packet whose arrival is known must be the word that arrived.
void ReferenceModel::Impl::CheckWord(LaneState& lane, const HopPacket& p, int index,
                                     std::uint32_t word, Cycle t) {
  const HopPacket& s = pool_[lane.source];
  if (index >= s.got_words) {
    Fail(s.got_done ? Check::kFraming : Check::kEarly, t, lane.from, lane.from_port, lane.put_lane,
         &p, s.got_done ? "a bad end: no more has arrived" : "a word only after it has arrived",
         fmt::format("word {}", index));
    return;
  }
  const std::uint32_t arrived = pool_.WordAt(s, index);
  if (word != arrived) {
    Fail(Check::kContent, t, lane.from, lane.from_port, lane.put_lane, &s,
         fmt::format("word {} = {:08x}", index, arrived), fmt::format("{:08x}", word));
  }
}

bool ReferenceModel::Impl::Match(LaneState& lane, HopPacket& p, Cycle t, int count, bool ended) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  // A truncated packet has ended when nothing more of it came: its lane may not know yet.
  if (ended) {
    for (const int in : node.in_lane) {
      if (in >= 0) CloseIfOver(*lanes_[static_cast<std::size_t>(in)], t);
    }
  }
  const PacketIndex source =
      node.tracker->FindLeaving(lane.from_port, lane.put_lane, lane.sent.data(), count, ended);
  if (source == kNoPacket) return false;
  Adopt(lane, p, source, t);
  return true;
}

// The number of the function that routed it, or, by the literal rule of EBR, the one that the
// switch had when it sent it on: from then to now.
bool ReferenceModel::Impl::MayLeaveWith(const LaneState& lane, const HopPacket& s,
                                        std::uint8_t number, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (s.prediction.AllowsNumber(lane.from_port, lane.put_lane, number)) return true;
  if (!node.shape.ebr_literal || !node.tables.MayBeUnder(reference::Scheme::kEbr, t)) return false;
  const auto routed = FunctionNumber(s.prediction.routes[0].number);
  bool may = false;
  node.tables.ForEpochs(t, [&](std::uint8_t epoch) {
    may = may || !(IsNewer(routed, number) || IsNewer(number, FunctionNumber(epoch)));
  });
  return may;
}

// `p` is the next hop of `source`.
void ReferenceModel::Impl::Adopt(LaneState& lane, HopPacket& p, PacketIndex source, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  HopPacket& s = pool_[source];
  const Cycle earliest = s.got_start + static_cast<Cycle>(node.shape.route_cycles);
  if (p.put_start < earliest) {
    Fail(Check::kEarly, t, lane.from, lane.from_port, lane.put_lane, &s,
         fmt::format("header out in cycle {} at the earliest", earliest),
         fmt::format("cycle {}", p.put_start));
    return;
  }
  lane.source = source;
  pool_.Hold(source);
  p.matched = true;
  p.management = s.management;
  p.general = s.general;
  p.id = s.id;
  p.flow = s.flow;
  p.flow_sequence = s.flow_sequence;
  s.copy = false;
  if (p.settled) {
    Account(p);
  } else {
    p.copy = true;
  }
  const auto number = reference::NumberIn(lane.sent[1]);
  if (!p.management && p.put_words > 2 && !MayLeaveWith(lane, s, number, t)) {
    Fail(Check::kNumber, t, lane.from, lane.from_port, lane.put_lane, &s,
         fmt::format("routing function {}", s.prediction.routes[0].number),
         fmt::format("{}", number));
    return;
  }
  CheckHoqLife(lane, p, s);
  CheckLifeTime(lane, p, s);
  CountClosed(lane, s, FunctionNumber(number), t);
  Leaves(lane, s);
  if (!node.tracker->Leave(source)) {
    Fail(Check::kCredit, t, lane.from, lane.from_port, lane.put_lane, &s,
         fmt::format("at most {} blocks in an output queue", node.buf_blocks),
         "packets that must be there and need more");
  }
  CheckMissingDrop(lane.from, t);
}

void ReferenceModel::Impl::PutEnd(LaneState& lane, HopPacket& p, Cycle t, bool bad_end) {
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (node.is_switch() && lane.source == kNoPacket && !p.general) {
    if (lane.put_lane == node.vls) {
      MatchManagement(lane, p, t);
    } else if (!Match(lane, p, t, p.put_words - 1, /*ended=*/true)) {
      DiagnoseData(lane, p, t, p.put_words - 1);
    }
    if (failed_) return;
  }
  // A torso of two words: its bad end stands where the length would, but the sender knew it.
  const bool told_length = p.put_words > 2 || lane.source == kNoPacket;
  if (!told_length && lane.put_lane != node.vls && !p.doomed) {
    Charge(lane, p, pool_[lane.source].blocks, t);
  }
  CheckEnd(lane, p, t, bad_end);
  p.put_valid = !bad_end;
  lane.queue_left[lane.put_lane] = t;
  HasLeft(lane, t);
  if (p.doomed) Settle(p, DropReason::kLinkCut);
  FinishPut(lane, p);
}

void ReferenceModel::Impl::FinishPut(LaneState& lane, HopPacket& p) {
  p.put_done = true;
  if (lane.source != kNoPacket) pool_.Release(lane.source);
  lane.source = kNoPacket;
  pool_.Release(lane.put);
  lane.put = kNoPacket;
  lane.put_state = State::kIdle;
}

void ReferenceModel::Impl::CheckEnd(LaneState& lane, const HopPacket& p, Cycle t, bool bad_end) {
  const auto fail = [&](Check check, const char* expected, std::string seen) {
    Fail(check, t, lane.from, lane.from_port, lane.put_lane, &p, expected, std::move(seen));
  };
  const int words = p.put_words;
  if (lane.source != kNoPacket) {
    const PacketIndex source = lane.source;
    const HopPacket& s = pool_[source];
    if (!s.got_done) CloseIfOver(*lanes_[static_cast<std::size_t>(s.lane)], t);
    if (!s.got_done) return fail(Check::kEarly, "an end only after it has arrived", "the end");
    if (s.bad && !bad_end) return fail(Check::kCrc, "a bad end: the packet is bad", "a good end");
    if (!s.bad && bad_end) return fail(Check::kCrc, "a good end: the packet is good", "a bad end");
    if (words > s.got_words || (!s.bad && words < s.got_words)) {
      return fail(Check::kFraming, "as many words as have arrived",
                  fmt::format("{} words for {}", words, s.got_words));
    }
  } else if (bad_end) {
    return fail(Check::kFraming, "a good end where a packet is made", "a bad end");
  }
  if (bad_end) return;
  const int length = static_cast<int>((lane.sent[1] >> 16) & 0x7FF) + 1;
  if (words != length) {
    return fail(Check::kFraming, "PktLen + 1 words", fmt::format("{} words", words));
  }
  const std::span<const std::uint32_t> covered(lane.sent.data(),
                                               static_cast<std::size_t>(words - 1));
  const std::uint32_t vcrc = lane.sent[static_cast<std::size_t>(words - 1)] >> 16;
  if (Vcrc(covered) != vcrc) {
    return fail(Check::kCrc, "a good end only with a right VCRC",
                fmt::format("VCRC {:04x} for {:04x}", vcrc, Vcrc(covered)));
  }
  if (lane.source == kNoPacket && !IcrcOk(covered)) {
    fail(Check::kCrc, "a right ICRC where a packet is made", "another one");
  }
}

// A management packet has left a switch: it was relayed, it goes by the forwarding table, or the
// agent has made it.
void ReferenceModel::Impl::MatchManagement(LaneState& lane, HopPacket& p, Cycle t) {
  if (Match(lane, p, t, p.put_words - 1, /*ended=*/true)) return;
  if (p.put_words > kCompactPathWord && IsCompact(lane.sent)) return MatchCompact(lane, p, t);
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (p.put_words != kSmpWireWords) return DiagnoseManagement(lane, p, t);
  const std::vector<std::uint32_t> words(lane.sent.begin(), lane.sent.begin() + kSmpWireWords);
  const SmpFields smp(words);
  if (smp.Is(SmpMethod::kTrap)) return BornHere(p);
  // A retry may have come another way than the first attempt: rather the one whose answer fits
  // here.
  const auto asked = [&](const auto& r) { return SmpFields(r.words).tid == smp.tid; };
  const auto asked_here = [&](const auto& r) { return asked(r) && r.in_port == lane.from_port; };
  auto request = std::find_if(node.requests.begin(), node.requests.end(), asked_here);
  if (request == node.requests.end()) {
    request = std::find_if(node.requests.begin(), node.requests.end(), asked);
  }
  if (!smp.Is(SmpMethod::kGetResp) || request == node.requests.end()) {
    return DiagnoseManagement(lane, p, t);
  }
  if (const char* expected = reference::WrongAnswer(*request, words, lane.from_port)) {
    return Fail(Check::kManagement, t, lane.from, lane.from_port, node.vls, &p, expected,
                "an answer with another one");
  }
  node.requests.erase(request);
  node.tables.Answer(smp.tid, smp.status, p.put_start);
  BornHere(p);
}

// The agent has answered a compact request, or copied a flooded command.
void ReferenceModel::Impl::MatchCompact(LaneState& lane, HopPacket& p, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const std::span words(lane.sent.data(), static_cast<std::size_t>(p.put_words - 1));
  const std::optional<CompactPacket> sent = ParseCompactPacket(words);
  if (sent && sent->kind == CompactKind::kFlood && MatchFlood(lane, p.put_words - 1)) {
    return BornHere(p);
  }
  auto& requests = node.compact_requests;
  const auto asked = [&](const auto& r) { return sent && r.packet.number == sent->number; };
  const auto asked_here = [&](const auto& r) { return asked(r) && r.in_port == lane.from_port; };
  auto request = std::find_if(requests.begin(), requests.end(), asked_here);
  if (request == requests.end()) request = std::find_if(requests.begin(), requests.end(), asked);
  if (!sent || sent->kind != CompactKind::kAnswer || request == requests.end()) {
    return DiagnoseManagement(lane, p, t);
  }
  if (const char* expected = reference::WrongCompactAnswer(*request, *sent, lane.from_port)) {
    return Fail(Check::kManagement, t, lane.from, lane.from_port, node.vls, &p, expected,
                "an answer with another one");
  }
  requests.erase(request);
  node.tables.Answer(sent->number, sent->status, p.put_start);
  BornHere(p);
}

// Once by each port but the one by which it came.
bool ReferenceModel::Impl::MatchFlood(const LaneState& lane, int words) {
  for (reference::CompactFlood& flood : nodes_[static_cast<std::size_t>(lane.from)]->floods) {
    const bool is_due = (flood.ports >> lane.from_port & 1) != 0;
    if (!is_due || static_cast<int>(flood.words.size()) != words) continue;
    if (!std::equal(flood.words.begin() + 1, flood.words.end(), lane.sent.begin() + 1)) continue;
    flood.ports &= ~(1U << lane.from_port);
    return true;
  }
  return false;
}

// The link is gone and with it the rest of the packet that is being sent. Which packet it is
// follows from what there is.
void ReferenceModel::Impl::MatchCut(LaneState& lane, HopPacket& p, Cycle t) {
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (p.matched) return;
  if (Match(lane, p, t, p.put_words, /*ended=*/false)) return;
  if (lane.put_lane == node.vls) {
    BornHere(p);  // an answer or a trap of the agent
  } else {
    DiagnoseData(lane, p, t, p.put_words);
  }
}

void ReferenceModel::Impl::DiagnoseData(const LaneState& lane, const HopPacket& p, Cycle t,
                                        int count) {
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const auto fail = [&](Check check, const HopPacket& which, std::string expected,
                        std::string seen) {
    Fail(check, t, lane.from, lane.from_port, lane.put_lane, &which, std::move(expected),
         std::move(seen));
  };
  PacketIndex i = node.tracker->FindAnywhere(lane.sent.data(), 0, count);
  if (i == kNoPacket && count >= kIdentityWords) {
    // The same id; word 6 of an acknowledgement is its ICRC.
    const bool ack = lane.sent[2] >> 24 == kOpcodeRcAcknowledge;
    i = node.tracker->FindAnywhere(lane.sent.data(), 5, ack ? 6 : kIdentityWords);
  }
  if (i == kNoPacket && count >= kIdentityWords) {
    i = node.tracker->FindAnywhere(lane.sent.data(), 0, 5);  // the same headers
  }
  if (i != kNoPacket) {
    const HopPacket& s = pool_[i];
    for (int k = 0; k < count; ++k) {
      const std::uint32_t mask = k == 0   ? 0x0FFFFFFF
                                 : k == 1 ? reference::kWithoutNumber
                                          : 0xFFFFFFFF;
      if (((pool_.WordAt(s, k) ^ lane.sent[static_cast<std::size_t>(k)]) & mask) != 0) {
        return fail(Check::kContent, s, fmt::format("word {} = {:08x}", k, pool_.WordAt(s, k)),
                    fmt::format("{:08x}", lane.sent[static_cast<std::size_t>(k)]));
      }
    }
    const reference::Route& route = s.prediction.routes[0];
    if (s.prediction.Allows(lane.from_port, lane.put_lane)) {
      const PacketIndex ahead = node.tracker->AheadOf(i);
      if (ahead == kNoPacket) {
        return fail(Check::kFraming, s, "the words that arrived", "another number of them");
      }
      return fail(Check::kOrder, s, "packet " + Describe(pool_, pool_[ahead]) + " first",
                  "this one");
    }
    if (s.prediction.Pending()) {
      return fail(Check::kRoute, s, "the packet waiting: no bank holds its function",
                  "the packet leaving");
    }
    if (route.drop != DropReason::kNone) {
      return fail(Check::kDrop, s, fmt::format("drop as {}", DropReasonName(route.drop)),
                  "the packet leaving");
    }
    return fail(Check::kRoute, s, fmt::format("port {}, VL {}", route.port, route.lane),
                "the packet leaving here");
  }
  std::string where = "a packet that is not in this switch";
  pool_.ForEach([&](PacketIndex k, const HopPacket& other) {
    if (k == lane.put || !other.matched || count < kIdentityWords) return;
    if (other.words[5] == lane.sent[5] && other.words[6] == lane.sent[6]) {
      where = "a packet that is elsewhere: " + Where(other);
    }
  });
  fail(Check::kUnknown, p, "a packet that is in this switch", where);
}

void ReferenceModel::Impl::DiagnoseManagement(const LaneState& lane, const HopPacket& p, Cycle t) {
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const auto fail = [&](const HopPacket& which, std::string expected, std::string seen) {
    Fail(Check::kManagement, t, lane.from, lane.from_port, node.vls, &which, std::move(expected),
         std::move(seen));
  };
  const int count = p.put_words - 1;
  const std::uint32_t* words = lane.sent.data();
  PacketIndex i = kNoPacket;
  if (count > kMadOffset + 4) {
    i = node.tracker->FindAnywhere(words, kMadOffset + 2, kMadOffset + 4);  // the same TID
  }
  if (i == kNoPacket)
    return fail(p, "a packet to relay, an answer to a request, or a trap", "this one");
  const HopPacket& s = pool_[i];
  for (int k = 1; k < std::min<int>(count, s.got_words); ++k) {
    const std::uint32_t expected = pool_.WordAt(s, k);
    if (expected != words[static_cast<std::size_t>(k)]) {
      return fail(s, fmt::format("word {} = {:08x}", k, expected),
                  fmt::format("{:08x}", words[static_cast<std::size_t>(k)]));
    }
  }
  fail(s, fmt::format("port {}", s.prediction.routes[0].port), "the packet leaving here");
}

// A port that a manager has sent through Down counts from nothing, in both directions.
void ReferenceModel::Impl::FollowRestart(LaneState& lane, const LinkPacket& packet, Cycle t) {
  reference::TableMirror& tables = nodes_[static_cast<std::size_t>(lane.from)]->tables;
  reference::CreditCheck& back = lanes_[static_cast<std::size_t>(lane.reverse)]->credit;
  if (packet.fctbs != 0) return;
  if (lane.credit.SenderSays(packet.vl, 0) && back.MayPromise(packet.vl, packet.fccl, t)) return;
  if (!tables.MayBeInitialize(lane.from_port, t)) return;
  lane.credit.RestartSender(packet.vl);
  back.RestartReceiver(packet.vl, packet.fccl);
}

void ReferenceModel::Impl::PutLinkPacket(LaneState& lane, Cycle t, Word word) {
  lane.put_state = State::kIdle;
  const auto fail = [&](Check check, int vl, std::string expected, std::string seen) {
    Fail(check, t, lane.from, lane.from_port, vl, nullptr, std::move(expected), std::move(seen));
  };
  if (t != lane.put_last + 1 || word.ctrl != Ctrl::kGoodEnd) {
    return fail(Check::kFraming, -1, "a link packet of two words", "something else");
  }
  lane.put_last = t;
  const auto packet = DecodeLinkPacket(lane.put_link_word, word.data);
  if (!packet) return fail(Check::kCrc, -1, "a right LPCRC", "a wrong one");
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (lane.cut || packet->vl >= node.vls) return;
  if (packet->op == kOpToken || packet->op == kOpTokenAck) return PutToken(lane, *packet, t);
  if (packet->op > kOpFlowControlInit) return;
  const int vl = packet->vl;
  FollowRestart(lane, *packet, t);
  if (!lane.credit.SenderSays(vl, packet->fctbs)) {
    return fail(Check::kCredit, vl, fmt::format("FCTBS {}", lane.credit.sent(vl)),
                fmt::format("{}", packet->fctbs));
  }
  reference::CreditCheck& back = lanes_[static_cast<std::size_t>(lane.reverse)]->credit;
  if (!back.Promise(vl, packet->fccl, t)) {
    return fail(Check::kCredit, vl,
                fmt::format("FCCL of at most {} received and {} of buffer", back.received(vl),
                            back.buf_blocks()),
                fmt::format("{}", packet->fccl));
  }
  if (!node.is_switch()) return;
  const int occupied = back.Occupied(vl, t);
  if (occupied >= 0 && !node.tracker->Freed(lane.from_port, vl, occupied, t)) {
    fail(Check::kCredit, vl, fmt::format("at most {} blocks in an output queue", node.buf_blocks),
         "packets that have left their input queues and need more");
  }
  CheckMissingDrop(lane.from, t);
}

}  // namespace lanecut
