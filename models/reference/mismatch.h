// SPDX-License-Identifier: Apache-2.0
//
// The first difference between what the reference model expects and what the fabric did, and how it
// reads.
#pragma once

#include <cstdint>
#include <string>

#include "sw/wire/word.h"

namespace lanecut {

// Which of the model's checks failed; also the first word of the message.
enum class Check : std::uint8_t {
  kFraming,  // words of a packet not back to back, wrong start or end, wrong link delay
  kCrc,      // VCRC, ICRC or LPCRC wrong where it must be right, or a good end on a bad packet
  kRoute,    // left by a port, or on a VL, that the tables do not give
  kOrder,    // overtook a packet of the same (input port, VL) -> (output port, VL), or of its flow
  kContent,  // a field or payload word changed on the way
  kUnknown,  // a packet from nowhere, or one that has already left: lost identity or duplicated
  kEarly,    // left earlier than the pipeline allows
  kCredit,  // sent without credit, promised more than the buffer, or a queue fuller than its buffer
  kDrop,  // dropped without cause, for another reason than predicted, or not dropped when it had to
          // be
  kNumber,      // left with another routing-function number than it must have
  kToken,       // OSR: packets of an old function behind the token to a newer one, a token without
                // cause, or a switch that changes its function too early
  kDrain,       // Double Scheme: a packet on a VL that is closed to it, packets of two functions on
                // one VL at a time, or a node that changes its function or its VLs too early
  kPortState,   // data sent by a port that is not Active
  kManagement,  // a directed-route SMP relayed wrongly, or an answer that nobody asked for
  kLost,        // never left, never dropped, never delivered (found by Finish or by a packet that
                // overtook it)
  kAccounting,  // copies do not add up, or a counter disagrees
};

const char* CheckName(Check check);

struct Mismatch {
  Check check = Check::kFraming;
  Cycle cycle = 0;
  std::string node;    // name of the switch or end node
  int port = -1;       // -1: not known
  int vl = -1;         // 15: management; -1: not known
  std::string packet;  // id, SLID, DLID, SL; empty: none
  std::string expected;
  std::string seen;

  // One line: "route: cycle 1234, switch S0_1, port 3, VL 0, packet 0x17 (LID 4 -> 9, SL 0):
  // expected ..., seen ...".
  std::string Text() const;
};

}  // namespace lanecut
