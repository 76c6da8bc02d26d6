// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reference/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "sw/wire/crc.h"
#include "sw/wire/link_packet.h"

namespace lanecut {

namespace {

// Order within a cycle: words put for it were decided in the one before.
constexpr int kPutPhase = 0;
constexpr int kCutPhase = 1;
constexpr int kGetPhase = 2;
constexpr int kEventPhase = 3;

constexpr int kMadOffset = 7;

}  // namespace

Bench::Bench(bool lifetime) {
  SwitchShape shape;
  shape.lifetime = lifetime;
  shape.ports = kPorts;
  model_.AddSwitch("S", shape);
  for (int i = 1; i <= kPorts; ++i) model_.AddEndNode(fmt::format("H{}", i), {});
  for (int i = 1; i <= kPorts; ++i) {
    model_.AddLane(i, 1, kSwitch, i, kFly);
    model_.AddLane(kSwitch, i, i, 1, kFly);
  }
}

void Bench::Add(Cycle t, int phase, std::function<void(ReferenceModel&)> run) {
  events_.push_back({t, phase, events_.size(), std::move(run)});
}

void Bench::At(Cycle t, std::function<void(ReferenceModel&)> event) {
  Add(t, kEventPhase, std::move(event));
}

void Bench::Put(int lane, Cycle t, const Wire& wire) { PutDamaged(lane, t, wire, -1, 0); }

void Bench::PutDamaged(int lane, Cycle t, const Wire& wire, int index, std::uint32_t word) {
  const std::optional<Cycle>& cut = cut_at_[lane / 2 + 1];
  for (std::size_t k = 0; k < wire.size(); ++k) {
    const Word sent = wire[k];
    const Cycle at = t + k;
    // The end of the link stops its sender, and what it had sent is lost.
    if (cut && at > *cut && t <= *cut) return;
    Add(at, kPutPhase, [=](ReferenceModel& m) { m.OnPut(lane, at, sent); });
    Word arrives = sent;
    if (static_cast<int>(k) == index) arrives.data = word;
    if (cut && at <= *cut && at + kFly >= *cut) continue;
    Add(at + kFly, kGetPhase, [=](ReferenceModel& m) { m.OnGet(lane, at + kFly, arrives); });
  }
}

void Bench::Cut(int port, Cycle t) {
  cut_at_[port] = t;
  Add(t, kCutPhase, [=](ReferenceModel& m) {
    m.OnCut(2 * (port - 1), t);
    m.OnCut(2 * (port - 1) + 1, t);
  });
}

void Bench::Restore(int port, Cycle t) {
  Add(t, kCutPhase, [=](ReferenceModel& m) {
    m.OnRestore(2 * (port - 1), t);
    m.OnRestore(2 * (port - 1) + 1, t);
  });
}

void Bench::FlowControl(int lane, Cycle t, int vl, int fctbs, int fccl) {
  LinkPacket packet;
  packet.vl = static_cast<std::uint8_t>(vl);
  packet.fctbs = static_cast<std::uint16_t>(fctbs);
  packet.fccl = static_cast<std::uint16_t>(fccl);
  const auto words = EncodeLinkPacket(packet);
  Put(lane, t, Wire(words.begin(), words.end()));
}

Cycle Bench::Set(Cycle t, std::uint16_t attribute, std::uint32_t modifier,
                 const std::vector<std::uint32_t>& data, Cycle delay, std::uint16_t status) {
  const Mad request = DirectedMad(2, next_tid_++, attribute, modifier, {1}, data);
  const Wire wire = SmpWire(request);
  Put(0, t, wire);
  const Cycle arrived = t + wire.size() - 1 + kFly;
  Put(1, arrived + delay, SmpWire(Answer(request, 1, status)));
  return arrived;
}

void Bench::BringUp(Cycle t) {
  for (int lane = 0; lane < 2 * kPorts; ++lane) {
    for (int vl = 0; vl < 2; ++vl) {
      FlowControl(lane, t - 50 + 2 * static_cast<Cycle>(vl), vl, 0, 16);
    }
  }
  const auto step = [&](std::uint16_t attribute, std::uint32_t modifier, const Mad& data) {
    Set(t, attribute, modifier, data);
    t += 300;
  };
  Mad lft(16, 0xFFFFFFFF);
  lft[0] = 0x00010203;
  step(0x0019, 0, lft);
  Mad sl_to_vl(16, 0xFFFFFFFF);
  sl_to_vl[0] = 0x01FFFFFF;
  for (std::uint32_t in = 1; in <= kPorts; ++in) {
    for (std::uint32_t out = 1; out <= kPorts; ++out) step(0x0017, in << 8 | out, sl_to_vl);
  }
  for (const std::uint32_t state : {3U, 4U}) {
    for (std::uint32_t port = 1; port <= kPorts; ++port) {
      Mad port_info(16, 0);
      port_info[8] = state << 24;
      step(0x0015, port, port_info);
    }
  }
}

Wire Bench::Send(int from, Cycle t, const DataPacket& packet) {
  return Send(from, t, WireOf(packet), packet.id);
}

Wire Bench::Send(int from, Cycle t, const Wire& wire, std::uint64_t id) {
  Add(t, kPutPhase, [=](ReferenceModel& m) { m.OnGenerated(from, id, t); });
  Put(2 * (from - 1), t, wire);
  return wire;
}

void Bench::Deliver(int at, Cycle t, const Wire& wire, std::uint64_t id) {
  const Cycle end = t + wire.size() - 1 + kFly;
  At(end, [=](ReferenceModel& m) { m.OnDelivered(at, id, end); });
}

ReferenceModel& Bench::Run(Cycle end) {
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return std::tie(a.t, a.phase, a.order) < std::tie(b.t, b.phase, b.order);
  });
  for (const Event& event : events_) {
    if (event.t <= end) event.run(model_);
  }
  std::erase_if(events_, [end](const Event& event) { return event.t <= end; });
  return model_;
}

DataPacket Data(std::uint64_t id, int from, int to, int sl) {
  DataPacket packet;
  packet.id = id;
  packet.slid = static_cast<std::uint16_t>(from);
  packet.dlid = static_cast<std::uint16_t>(to);
  packet.sl = static_cast<std::uint8_t>(sl);
  return packet;
}

namespace {

template <typename Fields>
Wire Build(const Fields& fields, void (*build)(const Fields&, Packet*)) {
  Packet packet;
  build(fields, &packet);
  Wire wire;
  BuildWire(packet, &wire);
  return wire;
}

}  // namespace

Wire WireOf(const DataPacket& data) { return Build(data, BuildDataPacket); }
Wire WireOf(const AckPacket& ack) { return Build(ack, BuildAckPacket); }
Wire WireOf(const GmpPacket& gmp) { return Build(gmp, BuildGmpPacket); }

Wire Seal(Wire wire) {
  std::uint16_t crc = kVcrcInit;
  for (std::size_t i = 0; i + 1 < wire.size(); ++i) crc = VcrcStep(crc, wire[i].data);
  wire.back().data = std::uint32_t{VcrcWire(crc)} << 16;
  return wire;
}

Wire OnVl(const Wire& wire, int vl) {
  Wire other = wire;
  other[0].data = (other[0].data & 0x0FFFFFFF) | static_cast<std::uint32_t>(vl) << 28;
  return Seal(other);
}

Wire BadEnd(const Wire& wire, int words) {
  Wire other(wire.begin(), wire.begin() + words);
  other = Seal(other);
  other.back().data = ~other.back().data;
  other.back().ctrl = Ctrl::kBadEnd;
  return other;
}

Mad DirectedMad(int method, std::uint64_t tid, std::uint16_t attribute, std::uint32_t modifier,
                const std::vector<int>& initial_path, const std::vector<std::uint32_t>& data) {
  Mad mad(64, 0);
  mad[0] = 0x01810100 | static_cast<std::uint32_t>(method);
  mad[1] = 1U << 8 | static_cast<std::uint32_t>(initial_path.size());
  mad[2] = static_cast<std::uint32_t>(tid >> 32);
  mad[3] = static_cast<std::uint32_t>(tid);
  mad[4] = std::uint32_t{attribute} << 16;
  mad[5] = modifier;
  mad[8] = 0xFFFFFFFF;
  std::copy(data.begin(), data.end(), mad.begin() + 16);
  for (std::size_t hop = 1; hop <= initial_path.size(); ++hop) {
    mad[32 + hop / 4] |= static_cast<std::uint32_t>(initial_path[hop - 1]) << (24 - 8 * (hop % 4));
  }
  return mad;
}

Wire SmpWire(const Mad& mad) {
  SmpPacket smp;
  Packet packet;
  BuildSmpPacket(smp, &packet);
  std::copy(mad.begin(), mad.end(), packet.words.begin() + kMadOffset);
  SealIcrc(&packet);
  Wire wire;
  BuildWire(packet, &wire);
  return wire;
}

Mad Answer(const Mad& request, int in_port, std::uint16_t status) {
  Mad mad = request;
  const std::uint32_t hops = request[1] & 0xFF;
  mad[0] = (mad[0] & 0xFFFFFF00) | 0x81;
  mad[1] = 0x80000000 | std::uint32_t{status} << 16 | hops << 8 | hops;
  mad[48 + hops / 4] |= static_cast<std::uint32_t>(in_port) << (24 - 8 * (hops % 4));
  return mad;
}

std::string Failure(const ReferenceModel& model) {
  return model.failed() ? model.mismatch()->Text() : "";
}

}  // namespace lanecut
