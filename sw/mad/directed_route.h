// SPDX-License-Identifier: Apache-2.0
//
// What a node's subnet management interface does with a directed-route SMP: step the hop pointer,
// note the return port, and say where the SMP goes next.
//
// Source: InfiniBand Architecture volume 1, 14.2.2.1 to 14.2.2.4 (outgoing and returning SMPs).
#pragma once

#include "sw/mad/mad.h"

namespace lanecut::ib {

enum class RouteStep {
  kProcess,    // the SMP has arrived: this node's agent answers it
  kForward,    // send it out of `port`
  kToManager,  // a response is back at the node that asked
  kDiscard,    // hop pointer or path make no sense here
};

struct DirectedRouteResult {
  RouteStep step = RouteStep::kDiscard;
  std::uint8_t port = 0;  // kForward only
};

// An SMP that came in through external port `ingress` (1..). `can_relay` is true for a switch.
DirectedRouteResult ReceiveDirectedRoute(Mad* mad, std::uint8_t ingress, bool can_relay);

// An SMP that this node itself sends: a request of its manager (HopPointer 0), or the response made
// by MakeResponse(). A request with HopCount 0 is for the node itself; the response to one is for
// its own manager.
DirectedRouteResult OriginateDirectedRoute(Mad* mad);

}  // namespace lanecut::ib
