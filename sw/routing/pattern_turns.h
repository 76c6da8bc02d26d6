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

#include <cstdint>

#include "sw/routing/torus_movement.h"

namespace lanecut {

// One bit for each axis: whether a switch is the last one along it.
using LastBits = unsigned;
// VLs by SL: bit s for SL s.
using LaneBits = std::uint8_t;

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

// What one turn, or several in a row, do to a packet on its way, for every SL at once: those SLs on
// which it would have to fall back to VL 0, or to cross a forbidden turn other than from VL 0 to 1,
// drop out.
class LaneTurns {
 public:
  LaneTurns() = default;
  LaneTurns(const PatternTurn& turn)  // NOLINT(google-explicit-constructor): it is one
      : unfit_from_1_(turn.is_forbidden ? ~LaneBits{0} : ~turn.lanes),
        unfit_(turn.is_forbidden ? ~turn.lanes : 0),
        lanes_(turn.lanes) {}

  // These, then those.
  LaneTurns And(const LaneTurns& next) const {
    LaneTurns both = *this;
    both.unfit_ |= next.UnfitFrom(lanes_);
    both.lanes_ = next.lanes_;
    return both;
  }
  // SLs that drop out, by the VLs before.
  LaneBits UnfitFrom(LaneBits lanes) const { return (lanes & unfit_from_1_) | unfit_; }
  LaneBits lanes() const { return lanes_; }  // after them

 private:
  LaneBits unfit_from_1_ = 0;
  LaneBits unfit_ = 0;  // from either VL
  LaneBits lanes_ = 0;
};

// A packet on its way, for every SL at once. It begins on VL 0.
class LaneWalk {
 public:
  void Turn(const LaneTurns& turns) {
    unfit_ |= turns.UnfitFrom(lanes_);
    lanes_ = turns.lanes();
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
