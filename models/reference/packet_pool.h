// SPDX-License-Identifier: Apache-2.0
//
// Packets as the reference model sees them: one record per packet and hop.
//
// A hop starts with the packet's first word on a lane and ends when the packet has left the node at
// the lane's far end (or is gone). So a packet that stretches over three switches has three
// records, each with the words that arrived on its own lane, bit errors included; exactly one of
// them is the copy that is counted. Records are recycled; the words beyond the first block live in
// chunks of their own, so that a short packet costs a few cache lines.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sw/wire/drop_reason.h"
#include "sw/wire/word.h"

namespace lanecut::reference {

using PacketIndex = std::uint32_t;
inline constexpr PacketIndex kNoPacket = 0xFFFFFFFF;

inline constexpr int kInlineWords = 16;
inline constexpr int kMaxWords = 2048;    // PktLen has 11 bits; the VCRC word follows
inline constexpr int kIdentityWords = 7;  // words 0..6 hold the header and the packet id; an
                                          // acknowledgement, its ICRC included, has no more

// Where a packet goes at a switch: output port and lane, or why it goes nowhere, and with which
// routing-function number it leaves. Port 0 is the management agent.
struct Route {
  std::uint8_t port = 0;
  std::uint8_t lane = 0;
  DropReason drop = DropReason::kNone;
  std::uint8_t number = 0;
  friend bool operator==(const Route&, const Route&) = default;
};

// All routes that the tables allow; more than one only while a table write takes effect, none while
// no bank holds the function that the packet is for.
struct Prediction {
  static constexpr int kMax = 8;
  std::array<Route, kMax> routes{};
  std::uint8_t count = 0;

  void Add(Route route);
  bool Certain() const { return count == 1; }
  bool Pending() const { return count == 0; }
  bool Allows(int port, int lane) const;
  bool AllowsDrop(DropReason reason) const;
  bool AllowsNumber(int port, int lane, std::uint8_t number) const;
};

// The number stands in the LRH's second word, above PktLen.
inline constexpr std::uint32_t kWithoutNumber = 0x07FFFFFF;
constexpr std::uint8_t NumberIn(std::uint32_t word) {
  return static_cast<std::uint8_t>(word >> 27);
}

struct alignas(64) HopPacket {
  std::array<std::uint32_t, kInlineWords> words{};  // as put, then as arrived

  PacketIndex in_next = kNoPacket, in_prev = kNoPacket;  // arrival order of its input (port, lane)
  PacketIndex q_next = kNoPacket, q_prev = kNoPacket;    // order of its (input, output) pair
  std::int32_t queue = -1;                               // which pair; -1: none
  std::uint32_t chunk = kNoPacket;                       // words from kInlineWords on
  std::uint16_t put_words = 0;
  std::uint16_t got_words = 0;  // words that the receiver takes into account
  std::uint16_t length = 0;     // wire words according to the LRH as it arrived
  std::uint16_t blocks = 0;
  std::int16_t node = -1;  // where it is linked; -1: at no node
  std::uint8_t in_port = 0;
  std::uint8_t in_lane = 0;
  std::uint8_t holds = 0;  // who still needs the record

  bool management : 1 = false;  // kind of the copy
  bool copy : 1 = false;        // this record is the copy that is counted
  bool matched : 1 = false;     // known which packet it is
  bool settled : 1 = false;     // its fate is known (perhaps before the packet itself is)
  bool put_done : 1 = false;
  bool put_valid : 1 = false;  // put with a good end and a right VCRC
  bool got_done : 1 = false;
  bool corrupted : 1 = false;   // arrived differently from how it was put
  bool bad : 1 = false;         // the receiver found it bad
  bool bad_linked : 1 = false;  // ... while it was linked at the node
  bool crossed : 1 = false;     // known to have left the input queue
  bool in_output : 1 = false;   // ... and counted in its output queue
  bool doomed : 1 = false;      // put on a link that is down
  bool suspect : 1 = false;     // perhaps dropped where it waited, for what it is
  bool stale : 1 = false;       // OSR: behind the token to a newer function than its own
  bool stepped : 1 = false;     // words are as they leave: see StepCompact
  bool general : 1 = false;     // a general management packet
  bool for_agent : 1 = false;   // meant for the management agent of the node where it arrives

  DropReason fate = DropReason::kNone;  // kNone and settled: delivered
  Prediction prediction;
  std::int32_t lane = -1;
  std::uint32_t flow = 0;
  std::uint64_t flow_sequence = 0;
  std::uint64_t id = 0;  // as sent by the source; 0: not known
  Cycle put_start = 0;
  Cycle got_start = 0;
  Cycle crossed_at = 0;  // ... at the latest; 0: not known
};

class PacketPool {
 public:
  // A fresh record with one hold.
  PacketIndex Make();
  void Hold(PacketIndex i) { ++(*this)[i].holds; }
  void Release(PacketIndex i) {
    if (--(*this)[i].holds == 0) Free(i);
  }

  HopPacket& operator[](PacketIndex i) { return slabs_[i / kSlab][i % kSlab]; }
  const HopPacket& operator[](PacketIndex i) const { return slabs_[i / kSlab][i % kSlab]; }

  std::uint32_t WordAt(const HopPacket& p, int index) const {
    return index < kInlineWords ? p.words[index] : chunks_[p.chunk][index - kInlineWords];
  }
  void SetWord(HopPacket& p, int index, std::uint32_t word) {
    if (index < kInlineWords) {
      p.words[index] = word;
    } else {
      SetLongWord(p, index, word);
    }
  }

  // Words first..last-1, contiguous.
  std::vector<std::uint32_t> Words(const HopPacket& p, int first, int last) const;

  // Calls f(index, packet) for every record in use.
  template <class F>
  void ForEach(F f) const {
    for (PacketIndex i = 0; i < made_; ++i) {
      if ((*this)[i].holds != 0) f(i, (*this)[i]);
    }
  }

 private:
  void Free(PacketIndex i);
  void SetLongWord(HopPacket& p, int index, std::uint32_t word);

  static constexpr PacketIndex kSlab = 1024;

  std::vector<std::unique_ptr<HopPacket[]>> slabs_;  // references stay valid
  PacketIndex made_ = 0;
  std::vector<PacketIndex> free_;
  std::vector<std::vector<std::uint32_t>> chunks_;
  std::vector<std::uint32_t> free_chunks_;
};

// "0x1700000001 (LID 4 -> 9, SL 0)" or, for management, "SMP TID 0x12 attribute 0x19 method 2".
std::string Describe(const PacketPool& pool, const HopPacket& p);

}  // namespace lanecut::reference
