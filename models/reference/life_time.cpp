// SPDX-License-Identifier: Apache-2.0
//
// LifeTimeValue (IBA vol. 1, 18.2.5.4): the head of an output queue is discarded when its packet
// has been in the switch for longer than 4.096 us x 2^LifeTimeValue, after a quarter more at the
// latest. When the limit changes, the least one that the packet has met counts.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "models/reference/model_impl.h"

namespace lanecut {

namespace {

// From the decision to send to the header on the pins, with a margin.
constexpr Cycle kSending = 8;

std::string NoneAsOld(std::optional<Cycle> by) {
  return by ? fmt::format("no such drop: only of what came by cycle {}", *by)
            : "no such drop: LifeTimeValue is without end";
}

}  // namespace

void ReferenceModel::Impl::LifeDrop(LaneState& lane, int vl, Cycle t) {
  const Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const auto fail = [&](std::string expected) {
    Fail(Check::kDrop, t, lane.from, lane.from_port, vl, nullptr, std::move(expected),
         "a drop as life_time");
  };
  if (!node.shape.lifetime) return fail("no such drop: the switch is built without LifeTimeValue");
  if (vl == node.vls) return fail("no such drop: management packets are exempt");
  lane.queue_left[static_cast<std::size_t>(vl)] = t;
  const std::optional<Cycle> by = node.tables.TooOld(t, node.shape.life_unit);
  if (!by || !node.tracker->OutputDrop(lane.from_port, vl, {DropReason::kLifeTime, *by})) {
    fail(NoneAsOld(by));
  }
}

// `s` leaves as `p`. Has it been there for so long that it should have been discarded?
void ReferenceModel::Impl::CheckLifeTime(const LaneState& lane, const HopPacket& p,
                                         const HopPacket& s) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (!node.shape.lifetime || p.management) return;
  const reference::TableMirror::LifeTimes lives = node.tables.LifeTime(p.put_start);
  if (lives.most > reference::kLastLife) return;
  const Cycle limit = node.shape.life_unit << lives.most;
  const Cycle latest = std::max(s.got_start, lives.since) + limit + limit / 4 +
                       static_cast<Cycle>(node.shape.route_cycles) + kSending;
  if (p.put_start <= latest) return;
  Fail(Check::kDrop, p.put_start, lane.from, lane.from_port, lane.put_lane, &s,
       fmt::format("a drop as life_time: it may leave until cycle {}", latest),
       "the packet leaving");
}

}  // namespace lanecut
