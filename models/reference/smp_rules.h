// SPDX-License-Identifier: Apache-2.0
//
// What a switch's agent must do with a management packet, from the directed-route rules of
// IBA 14.2.2 alone.
//
// Packets are the 73 wire words of an SMP: MAD word i is word 7 + i, the ICRC is word 71.
#pragma once

#include <cstdint>
#include <vector>

#include "models/reference/table_mirror.h"

namespace lanecut::reference {

inline constexpr int kSmpWireWords = 73;
inline constexpr int kMadOffset = 7;

enum class SmpMethod : std::uint8_t {
  kGet = 1,
  kSet = 2,
  kTrap = 5,
  kTrapRepress = 7,
  kGetResp = 0x81
};

// Fields of a MAD in a packet's words (at least kSmpWireWords - 1 of them).
struct SmpFields {
  explicit SmpFields(const std::vector<std::uint32_t>& words);

  std::uint8_t mad_class;
  std::uint8_t method;
  bool returning;        // D
  std::uint16_t status;  // 15 bits in the directed class
  std::uint8_t hop_pointer;
  std::uint8_t hop_count;
  std::uint64_t tid;
  std::uint16_t attribute;

  bool Directed() const { return mad_class == 0x81; }
  bool Is(SmpMethod m) const { return method == static_cast<std::uint8_t>(m); }
  // Goes through the agent's engine for directed-route responses.
  bool Response() const { return Directed() && (method & 0x80) != 0; }
};

enum class SmpAction : std::uint8_t { kRelay, kConsume, kDiscard };

struct SmpStep {
  SmpAction action = SmpAction::kDiscard;
  int port = 0;  // kRelay: by which it leaves
};

// `words` arrived whole and undamaged on port `in_port` of a switch and is meant for its agent.
// Turns it into what leaves (kRelay), or into what the agent works on (kConsume: hop pointer and
// return path have been stepped).
SmpStep StepSmp(std::vector<std::uint32_t>* words, int in_port, int ports);

// A request that an agent has taken and not yet answered.
struct PendingRequest {
  std::vector<std::uint32_t> words;
  int in_port = 0;
  Cycle t = 0;
};

// Null, or what is wrong with `answer`, which leaves by `port`, as the answer to `request` (`seen`
// gets the details).
const char* WrongAnswer(const PendingRequest& request, const std::vector<std::uint32_t>& answer,
                        int port);

}  // namespace lanecut::reference
