// SPDX-License-Identifier: Apache-2.0
//
// Compact packets in the software double of a fabric.
#include <algorithm>

#include "sw/mad/compact_mad.h"
#include "sw/wire/function_number.h"
#include "tests/unit/subnet_manager/fabric_double.h"

namespace lanecut {

namespace {

constexpr Cycle kCompactAgentCycles = 60;
constexpr int kHopShare = 6;

Cycle WireWords(const CompactPacket& compact) {
  Packet packet;
  BuildCompactPacket(compact, &packet);
  return static_cast<Cycle>(packet.WireWords());
}

}  // namespace

bool FabricDouble::SendCompact(Station& station, const CompactPacket& compact) {
  const Cycle words = WireWords(compact);
  if (refuse_all || station.tx_free > now_ + 16 * words) return false;
  station.tx_free = std::max(station.tx_free, now_) + words;
  compact_words += words;
  if ((outbound_filter && !outbound_filter(ib::MadOf(compact))) || IsLost()) return true;
  Schedule(station.tx_free,
           [this, compact, node = station.node] { TraverseCompact(node, 1, compact); });
  return true;
}

void FabricDouble::TraverseCompact(int node, int port, const CompactPacket& compact) {
  const std::optional<Peer> peer = topology_.PeerOf(node, port);
  if (!peer || !cable_up_[peer->cable]) return;
  Schedule(now_ + options_.hop_cycles / kHopShare, [this, peer, compact] {
    if (!cable_up_[peer->cable]) return;
    compact.kind == CompactKind::kFlood ? ArriveFlood(peer->node, peer->port, compact)
                                        : ArriveCompact(peer->node, peer->port, compact);
  });
}

void FabricDouble::ArriveCompact(int node, int port, CompactPacket compact) {
  const bool is_switch = topology_.IsSwitch(node);
  if (compact.kind == CompactKind::kAnswer) {
    if (!is_switch) {
      Station* station = StationAt(node);
      if (station != nullptr && compact.hop_pointer == 0)
        Deliver(*station, ib::MadOf(compact), WireWords(compact));
      return;
    }
    if (compact.hop_pointer == 0) return;
    --compact.hop_pointer;
    return TraverseCompact(node, compact.path.at(compact.hop_pointer), compact);
  }
  const int out = compact.path.at(compact.hop_pointer);
  if (is_switch) {
    compact.path.at(compact.hop_pointer) = static_cast<std::uint8_t>(port);
    ++compact.hop_pointer;
  }
  if (out == 0) {
    ProcessCompact(node, port, compact);
  } else if (is_switch) {
    TraverseCompact(node, out, compact);
  }
}

void FabricDouble::ArriveFlood(int node, int port, const CompactPacket& flood) {
  if ((flood_filter && !flood_filter(node)) || IsLost() || agents_[node].mute) return;
  if (!agents_[node].floods.Take(flood.number, now_)) return;
  ++agents_[node].floods_taken;
  if (topology_.IsSwitch(node)) {
    for (int out = 1; out <= topology_.node(node).num_ports; ++out) {
      if (out != port) TraverseCompact(node, out, flood);
    }
  }
  Mad mad = ib::MadOf(flood);
  Answer(node, port, &mad);
}

void FabricDouble::ProcessCompact(int node, int port, const CompactPacket& request) {
  if (agents_[node].mute) return;
  Mad mad = ib::MadOf(request);
  const bool is_update = mad.attribute() == ib::MadAttribute::kVendorTableUpdate;
  const ib::MadStatus status = is_update ? AnswerUpdate(node, request) : Answer(node, port, &mad);
  if (is_update) EncodeVlDrain(node, &mad);
  ib::MakeResponse(&mad, status);
  CompactPacket answer = ib::CompactAnswer(request, mad);
  if (topology_.IsSwitch(node)) --answer.hop_pointer;
  Schedule(now_ + kCompactAgentCycles,
           [this, node, port, answer] { TraverseCompact(node, port, answer); });
}

ib::MadStatus FabricDouble::AnswerUpdate(int node, const CompactPacket& request) {
  if (!topology_.IsSwitch(node)) return ib::MadStatus::kUnsupportedAttribute;
  Agent& agent = agents_[node];
  if (agent.busy_answers > 0) {
    --agent.busy_answers;
    return ib::MadStatus::kBusy;
  }
  const std::uint32_t modifier = request.modifier;
  const std::uint8_t number = FunctionNumber(modifier);
  const bool changes = (modifier & ib::kUpdateCommit) != 0;
  const bool announces = (modifier & ib::kUpdateReady) != 0;
  const bool is_active = number == FunctionNumber(agent.epoch);
  if ((changes || announces) && is_active) return ib::MadStatus::kOk;
  if (announces && agent.ready && agent.started) return ib::MadStatus::kOk;
  if (announces && (number != NextNumber(agent.epoch) || agent.restricted))
    return ib::MadStatus::kBusy;
  const ib::MadStatus status = WriteUpdate(node, request);
  if (status != ib::MadStatus::kOk) return status;
  if (changes) {
    commits.push_back(topology_.node(node).name);
    agent.bank = 1 - agent.bank;
    ++agent.commits;
    agent.epoch = number;
  }
  agent.ready |= announces;
  ScheduleTokens();
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::WriteUpdate(int node, const CompactPacket& request) {
  Agent& agent = agents_[node];
  const int bank = (request.modifier & ib::kUpdateActive) != 0 ? agent.bank : 1 - agent.bank;
  NoteWrite(node, bank);
  for (std::size_t i = 0; i < request.data.size();) {
    const std::uint32_t head = request.data[i++];
    const std::uint32_t first = head >> 16;
    const std::uint32_t count = head & 0xFFFF;
    if (first % 4 != 0 || count % 4 != 0 || first + count > agent.lft[bank].size() ||
        i + count / 4 > request.data.size()) {
      return ib::MadStatus::kInvalidField;
    }
    for (std::uint32_t k = 0; k < count; ++k) {
      agent.lft[bank][first + k] =
          static_cast<std::uint8_t>(request.data[i + k / 4] >> (24 - 8 * (k % 4)));
    }
    i += count / 4;
  }
  return ib::MadStatus::kOk;
}

}  // namespace lanecut
