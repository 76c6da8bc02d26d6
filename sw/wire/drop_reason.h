// SPDX-License-Identifier: Apache-2.0
//
// Why a packet was dropped. The values below 16 equal `lanecut_pkg::drop_e` in the RTL and are
// what its trace port reports.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanecut {

enum class DropReason : std::uint8_t {
  kNone = 0,
  kPortInactive = 1,   // arrived at, or queued for, a port whose state forbids it
  kBad = 2,            // VCRC error, bad end (EBP) or truncated
  kNoRoom = 3,         // VL15 buffer full, or a data packet that came without credit
  kLength = 4,         // longer than the buffer or shorter than a header
  kBadVl = 5,          // a VL that is not operational
  kUnreachable = 6,    // LFT entry 255, a port that does not exist, or a DLID beyond the table
  kVlDiscard = 7,      // SLtoVL entry 15
  kSourceQueue = 8,    // end node: source queue full, packet never entered the network
  kLinkCut = 9,        // on the wire, or half sent, when the link went down
  kMisdelivered = 10,  // end node: DLID is not its own
  kManagement = 11,    // agent: malformed, or a directed route that leads nowhere
  kEpoch = 12,         // EBR: could not move, and came or was routed by an older function
  kStale = 13,         // OSR: of an older function than its channel
  kNoFeeder = 14,      // OSR: old, on a way that the function it is for does not have
  kNoPath = 15,        // end node: its destination, or itself, is out of service
  kHoqLife = 16,       // stood at the head of an output queue for longer than HOQLife
  kLifeTime = 17,      // was in a switch for longer than LifeTimeValue
  kUnknown = 18,       // of no packet's report: a run without checks cannot tell
};

inline constexpr int kDropReasons = 18;  // those that are reported

// The name used in results, e.g. "unreachable".
std::string_view DropReasonName(DropReason reason);

}  // namespace lanecut
