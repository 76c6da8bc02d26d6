// SPDX-License-Identifier: Apache-2.0
//
// HOQLife (IBA vol. 1, 18.2.5.4): the head of an output queue is discarded when it has stood there
// for 4.096 us x 2^HOQLife, and not before. Seen from outside, it has not stood there for longer
// than since the packet before it left the queue, nor since it can have crossed the switch.
#include <fmt/format.h>

#include <algorithm>

#include "models/reference/model_impl.h"

namespace lanecut {

namespace {

constexpr int kBlockWords = 16;
// Time that management packets, which go first, may take from a head that has stood too long.
constexpr Cycle kManagementBurst = 4096;

}  // namespace

void ReferenceModel::Impl::HoqDrop(LaneState& lane, int vl, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const auto fail = [&](std::string expected) {
    Fail(Check::kDrop, t, lane.from, lane.from_port, vl, nullptr, std::move(expected),
         "a drop as hoq_life");
  };
  if (!node.shape.lifetime) return fail("no such drop: the switch is built without HOQLife");
  if (vl == node.vls) return fail("no such drop: management packets are exempt");
  const int life = node.tables.HoqLife(lane.from_port, t).least;
  if (life > reference::kLastLife) return fail("no such drop: HOQLife is without end");
  const Cycle limit = node.shape.life_unit << life;
  Cycle& left = lane.queue_left[static_cast<std::size_t>(vl)];
  if (t <= left + limit) {
    return fail(fmt::format("no such drop before cycle {}: the packet before it left in {}",
                            left + limit + 1, left));
  }
  left = t;
  const Cycle least = limit + static_cast<Cycle>(node.shape.route_cycles) - 1;
  const bool found =
      t > least && node.tracker->OutputDrop(lane.from_port, vl, {DropReason::kHoqLife, t - least});
  if (!found) fail(fmt::format("no such drop: no packet came {} cycles ago for this queue", least));
}

// `s` leaves as `p`. Does it leave so late that it should have been discarded?
void ReferenceModel::Impl::CheckHoqLife(const LaneState& lane, const HopPacket& p,
                                        const HopPacket& s) {
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  if (!node.shape.lifetime || p.management || s.crossed_at == 0) return;
  const reference::TableMirror::HoqLives lives = node.tables.HoqLife(lane.from_port, p.put_start);
  const int life = lives.most;
  if (life > reference::kLastLife) return;
  const Cycle since = std::max({s.crossed_at, lane.queue_left[lane.put_lane], lives.since});
  // The other VLs take turns with it.
  const auto turns = static_cast<Cycle>(node.vls * node.buf_blocks * kBlockWords);
  const Cycle latest = since + (node.shape.life_unit << life) + turns + kManagementBurst;
  if (p.put_start <= latest) return;
  Fail(Check::kDrop, p.put_start, lane.from, lane.from_port, lane.put_lane, &s,
       fmt::format("a drop as hoq_life: it has been at the head since cycle {} at the latest",
                   since),
       "the packet leaving");
}

}  // namespace lanecut
