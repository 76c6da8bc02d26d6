// SPDX-License-Identifier: Apache-2.0
//
// For how long the channel gate has held each data packet at the head of an input queue of one
// switch, although it could ask for its output: under OSR, for a token, or for a function that has
// not arrived yet.
//
// Which packet is at the head follows from the order in which the switch says that it has accepted
// packets and that heads have left. A packet's id stands in its seventh word, so a wait is known
// when that has arrived and the packet has left. Packets cut short before that have none.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut {

class HeadWaits {
 public:
  // `cycles` is at least 1.
  using Report = std::function<void(std::uint64_t id, Cycle cycles)>;

  HeadWaits(int ports, int vls, Report report);

  // Ports and VLs count from 0; channel port * vls + vl. Words are those on the pins in cycle t;
  // the others are said by the trace port in cycle t, before the words of t.
  void OnWord(int port, Cycle t, Word word);
  void OnAccepted(int port, Cycle t);
  void OnHeld(int channel);
  void OnTaken(int channel);

 private:
  static constexpr std::size_t kIdWords = 7;
  struct Waiting {
    std::uint64_t id = 0;  // 0: not known yet
    Cycle held = 0;
  };
  // The packet that began last on a port's pins.
  struct Arriving {
    Cycle start = 0;
    std::size_t words = 0;
    std::array<std::uint32_t, kIdWords> first{};
    int channel = -1;       // once it has been accepted: it is the last one there, unless
    bool has_left = false;  // it has left already
    Cycle held = 0;         // ... after so long
    int vl_before = 0;      // of the packet before it, if that had two words only
  };

  void Identify(Arriving& arriving);

  int vls_;
  Report report_;
  std::vector<Arriving> arriving_;            // by port
  std::vector<std::deque<Waiting>> waiting_;  // by channel
};

}  // namespace lanecut
