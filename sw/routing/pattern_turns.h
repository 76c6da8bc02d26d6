// SPDX-License-Identifier: Apache-2.0
//
// What a turn does to a packet's VL under SPFTR (Montanana, thesis UPV 2008, sections 4.3.3 to
// 4.3.6), in a torus of any number of axes. Private to sw/routing and sw/patterns.
//
// A turn, straight on included, lies in the plane of its two axes, and Table 4.2 of the thesis says
// which VL a packet has after it in each of that plane's regions, by whether the switch is the last
// one along either axis. Entries of packets that go straight on depend on their own axis only, so
// all planes that share it agree: that is what lets the table stand for three axes.
//
// The routing underneath forbids turns from growing coordinates of an axis to falling ones of
// another, and, at the last switch of an axis, to go on from another growing direction (or straight
// on) round the torus, and the same backwards. What is left has no cycle of links. A path crosses
// at most one such turn, on VL 0 before and on VL 1 after it.
#pragma once

#include "sw/routing/torus_movement.h"

namespace lanecut {

// One bit for each axis: whether a switch is the last one along it.
using LastBits = unsigned;
// VLs by SL: bit s for SL s.
using LaneBits = unsigned;

struct PatternTurn {
  LaneBits lanes = 0;  // after it
  bool is_forbidden = false;
};

// From one heading to the next. Not for packets that turn back.
bool IsForbiddenTurn(int heading, int next, LastBits last);

inline constexpr int kSpftrSls = 4;
LaneBits SpftrLanes(int heading, int next, LastBits last);
inline PatternTurn SpftrTurn(int heading, int next, LastBits last) {
  return {SpftrLanes(heading, next, last), IsForbiddenTurn(heading, next, last)};
}

// The VLs of a packet on its way, for every SL at once: those SLs on which it would have to fall
// back to VL 0, or to cross a forbidden turn other than from VL 0 to 1, drop out.
class LaneWalk {
 public:
  void Turn(const PatternTurn& turn) {
    unfit_ |= lanes_ & ~turn.lanes;
    if (turn.is_forbidden) unfit_ |= lanes_ | ~turn.lanes;
    lanes_ = turn.lanes;
  }
  // The lowest SL that fits, `sls` if none does.
  int LowestSl(int sls) const {
    int sl = 0;
    while (sl < sls && (unfit_ >> sl & 1U) != 0) ++sl;
    return sl;
  }

 private:
  LaneBits lanes_ = 0;
  LaneBits unfit_ = 0;
};

}  // namespace lanecut
