// SPDX-License-Identifier: Apache-2.0
//
// Double Scheme at an end node: which VLs its packets may take while one routing function gives way
// to the next.
//
// While it drains, all packets go to VL0. From the switch-over on packets are for the new function
// and go to VL1, until nothing is left on VL0: all that was sent has left the neighbour's buffer.
// Then all VLs may be used. If old packets are left on VL1 when it switches over, because it has
// been told late or never to drain, it is closed until they have left, too: so a VL of its link
// never has packets of both functions. Source: T. M. Pinkston, R. Pang, J. Duato, IEEE Transactions
// on Parallel and Distributed Systems 14(8), 2003.
#pragma once

namespace lanecut {

class VlDrain {
 public:
  enum class State { kAllVls, kDraining, kRestricted };

  State state() const { return state_; }
  bool is_active() const { return state_ != State::kAllVls; }
  bool draining() const { return state_ == State::kDraining; }
  bool restricted() const { return state_ == State::kRestricted; }
  // Draining, and nothing is left on another VL than 0.
  bool idle() const { return draining() && idle_; }
  // It has switched over, and old packets may be left on VL1: nothing may be sent.
  bool closed() const { return closed_; }

  // No change is under way.
  void Clear() { *this = {}; }
  void Drain() { state_ = State::kDraining; }
  void SwitchOver() {
    state_ = State::kRestricted;
    closed_ = true;
  }
  // What the link says: nothing is left on VL0, or on the others.
  void Follow(bool vl0_free, bool others_free) {
    idle_ = draining() && others_free;
    closed_ = closed_ && !others_free;
    if (restricted() && !closed_ && vl0_free) Clear();
  }

  // The VL of a packet that would otherwise take `vl`, a data VL.
  int VlFor(int vl) const { return draining() ? 0 : restricted() ? 1 : vl; }

 private:
  State state_ = State::kAllVls;
  bool idle_ = false;
  bool closed_ = false;
};

}  // namespace lanecut
