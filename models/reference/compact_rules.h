// SPDX-License-Identifier: Apache-2.0
//
// What a switch must do with a compact management packet (sw/wire/compact.h): its way, what changes
// on it, and the answer to it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/wire/compact.h"

namespace lanecut::reference {

// The entry of the path that is a switch's, from the first words as they arrive there. `word` holds
// it: with that word the switch knows the way.
struct CompactStep {
  // At least words 0..3. Only for packets with a path.
  explicit CompactStep(std::span<const std::uint32_t> words);

  bool is_answer = false;
  int entry = 0;
  int word = 0;
  bool is_outside = false;  // of the path: no way on
};

// Has it a path that a switch follows? At least words 0..2.
bool HasCompactPath(std::span<const std::uint32_t> words);

// Words that are changed on the way through port `in_port`, and back as they came if the packet
// went out of port `out_port`.
void StepCompact(std::vector<std::uint32_t>* words, int in_port);
void UnstepCompact(std::vector<std::uint32_t>* words, int out_port);

// A request, as the agent serves it, that has not been answered yet.
struct CompactRequest {
  CompactPacket packet;
  int in_port = 0;
};

// A flooded command that the agent may copy to some ports.
struct CompactFlood {
  std::vector<std::uint32_t> words;  // LRH..ICRC
  std::uint32_t ports = 0;           // a bit for each where no copy has left yet
};

// Does a switch serve it at the end of its path?
bool IsServed(const CompactPacket& packet);

// Null, or what is wrong with `answer`, which leaves by `port`, as the answer to `request`.
const char* WrongCompactAnswer(const CompactRequest& request, const CompactPacket& answer,
                               int port);

}  // namespace lanecut::reference
