// SPDX-License-Identifier: Apache-2.0
#include "sw/mad/directed_route.h"

namespace lanecut::ib {

namespace {

DirectedRouteResult Process() { return {RouteStep::kProcess, 0}; }
DirectedRouteResult Discard() { return {RouteStep::kDiscard, 0}; }
DirectedRouteResult Forward(std::uint8_t port) {
  return port == 0 ? Discard() : DirectedRouteResult{RouteStep::kForward, port};
}

// Steps back along the return path; HopPointer is 1..HopCount+1 before.
DirectedRouteResult StepBack(Mad* mad) {
  mad->set_hop_pointer(mad->hop_pointer() - 1);
  if (mad->hop_pointer() == 0) return {RouteStep::kToManager, 0};
  return Forward(mad->return_path(mad->hop_pointer()));
}

DirectedRouteResult ReceiveOutbound(Mad* mad, std::uint8_t ingress, bool can_relay) {
  const std::uint8_t pointer = mad->hop_pointer();
  const std::uint8_t count = mad->hop_count();
  if (pointer == 0 || pointer > count) return Discard();  // the sender steps to 1 before sending
  if (pointer < count && !can_relay) return Discard();
  mad->set_return_path(pointer, ingress);
  mad->set_hop_pointer(pointer + 1);
  return pointer == count ? Process() : Forward(mad->initial_path(pointer + 1));
}

DirectedRouteResult ReceiveReturning(Mad* mad, bool can_relay) {
  const std::uint8_t pointer = mad->hop_pointer();
  if (pointer == 0 || pointer > mad->hop_count()) return Discard();
  if (pointer > 1 && !can_relay) return Discard();
  return StepBack(mad);
}

}  // namespace

DirectedRouteResult ReceiveDirectedRoute(Mad* mad, std::uint8_t ingress, bool can_relay) {
  if (mad->hop_count() > kMaxHops) return Discard();
  return mad->direction() ? ReceiveReturning(mad, can_relay)
                          : ReceiveOutbound(mad, ingress, can_relay);
}

DirectedRouteResult OriginateDirectedRoute(Mad* mad) {
  const std::uint8_t pointer = mad->hop_pointer();
  const std::uint8_t count = mad->hop_count();
  if (count > kMaxHops) return Discard();
  if (mad->direction()) {
    if (pointer != count + 1) return Discard();
    return StepBack(mad);
  }
  if (pointer != 0) return Discard();
  mad->set_hop_pointer(1);
  return count == 0 ? Process() : Forward(mad->initial_path(1));
}

}  // namespace lanecut::ib
