// SPDX-License-Identifier: Apache-2.0
//
// EBR that waits: the head of an input queue that wants a port which has left Active stays for a
// limited time instead of crossing to be discarded. Whenever its switch has a newer function than
// the one that chose the port, it is looked up again. After a commit blocked heads are spared the
// drop test for as long.
//
// When a packet has reached the head of its queue cannot be seen. So from a commit, or the loss of
// a port, on a packet that may be held may leave by the old function or by the new one.
#include <algorithm>

#include "models/reference/model_impl.h"
#include "sw/wire/function_number.h"

namespace lanecut {

using reference::NumberIn;
using reference::Prediction;
using reference::Scheme;

namespace {

constexpr Cycle kPortSettles = 8;  // from a cut to the port's new state, with a margin
constexpr int kTooOld = 3;         // functions behind: a head does not wait any more

}  // namespace

void ReferenceModel::Impl::FollowHold(Node& node, Cycle t) {
  if (node.tables.HoldCycles(t).most == 0 || !node.tables.MayBeUnder(Scheme::kEbr, t)) return;
  for (const PacketIndex i : node.tracker->Uncrossed()) {
    const HopPacket& p = pool_[i];
    const auto* routes = p.prediction.routes.data();
    const bool may_be_held =
        std::any_of(routes, routes + p.prediction.count, [&](const reference::Route& route) {
          return route.drop == DropReason::kNone && route.port != 0 &&
                 node.tables.PortStates(route.port, t) != StateBit(reference::kActive);
        });
    if (!may_be_held) continue;
    Prediction both = p.prediction;
    const Prediction now = node.tables.Predict(p.in_port, static_cast<std::uint16_t>(p.words[0]),
                                               static_cast<int>((p.words[0] >> 20) & 0xF),
                                               NumberIn(p.words[1]), /*vl15=*/false, t);
    for (int k = 0; k < now.count; ++k) both.Add(now.routes[static_cast<std::size_t>(k)]);
    if (both.count != p.prediction.count) node.tracker->Reroute(i, both);
  }
}

// A port that is not Active discards a packet in cycle `t`: when had it come at the latest? What
// comes while heads wait for the port is not discarded.
Cycle ReferenceModel::Impl::DiscardCameBy(Node& node, int port, Cycle t) {
  const Cycle least = node.tables.HoldCycles(t).least;
  const reference::TableMirror::Left left = node.tables.LeftActive(port);
  const bool is_known = left.first != reference::kNever && left.last != reference::kNever;
  const bool holds =
      least != 0 && is_known && t <= left.first + least && node.tables.IsUnder(Scheme::kEbr, t);
  if (!holds) return t;
  const std::vector<PacketIndex> waiting = node.tracker->Uncrossed();
  const bool is_one_too_old = std::any_of(waiting.begin(), waiting.end(), [&](PacketIndex i) {
    return FunctionsBehind(NumberIn(pool_[i].words[1]), node.tables.epoch()) == kTooOld;
  });
  return is_one_too_old ? t : std::min(t, left.last + kPortSettles);
}

// Is a blocked head with these numbers spared the drop test in cycle `t`?
bool ReferenceModel::Impl::IsSpared(Node& node, const EpochNumbers& seen, Cycle t) {
  if (t <= node.committed + kTraceLatest || t > node.committed + node.tables.HoldCycles(t).least) {
    return false;
  }
  const std::uint8_t before = FunctionNumber(seen.now - 1U);
  return !IsNewer(before, seen.packet) && !IsNewer(before, seen.routed);
}

}  // namespace lanecut
