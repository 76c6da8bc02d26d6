// SPDX-License-Identifier: Apache-2.0
//
// A part of a switch that is to be looked at.
#pragma once

namespace lanecut {

struct WavePlace {
  int node = 0;
  int port = 0;  // 0: all of the switch
  int vl = -1;   // of the queues of the port; -1: those of all data VLs
  friend bool operator==(const WavePlace&, const WavePlace&) = default;
};

}  // namespace lanecut
