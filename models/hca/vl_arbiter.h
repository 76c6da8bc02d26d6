// SPDX-License-Identifier: Apache-2.0
//
// VL arbitration by tables: which VL sends the next data packet (IBA 7.6.9).
//
// Two lists of VLs with weights in blocks of 64 bytes. Within a list an entry sends packets for as
// long as some of its weight is left and its VL has one that can go; the last packet may be longer
// than what is left. Then it is the turn of the next entry whose VL can send, with its whole
// weight. Entries of weight 0, or of VLs that there are not, are skipped; a VL in no list does not
// send.
//
// The high-priority list goes first, but after HighLimit x 4 KiB of its packets it is the turn of a
// packet of the other list. The count starts anew when a low-priority packet goes, and when its
// turn has come and none can. HighLimit 0 stands for one packet, 255 for no limit.
//
// A node arbitrates by these lists from the moment that one of them is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sw/mad/attributes.h"

namespace lanecut {

class VlArbiter {
 public:
  // Entries of each list. At first the high-priority list is empty, and in the other one each of
  // the VLs has weight 1, so that they take turns by packet.
  VlArbiter(std::size_t entries, int num_vls);

  enum class Priority : std::uint8_t { kLow, kHigh };

  // A list's entries; those beyond its end are left out. Its turn ends.
  void Write(Priority priority, std::span<const ib::VlArbitrationEntry> entries);
  bool is_written() const { return is_written_; }
  void SetHighLimit(std::uint8_t limit) { high_limit_ = limit; }
  std::span<const ib::VlArbitrationEntry> entries(Priority priority) const {
    return ListOf(priority).entries;
  }

  // The VL that sends now, or -1. `blocks`: for each VL the length of the packet that it would
  // send, 0 if none can go.
  int Next(std::span<const int> blocks);

 private:
  struct List {
    std::vector<ib::VlArbitrationEntry> entries;
    std::size_t turn = 0;  // entry that sent last
    int left = 0;          // of its weight
  };

  List& ListOf(Priority priority) { return priority == Priority::kHigh ? high_ : low_; }
  const List& ListOf(Priority priority) const { return priority == Priority::kHigh ? high_ : low_; }
  static bool CanSend(const ib::VlArbitrationEntry& entry, std::span<const int> blocks);
  static std::optional<std::size_t> TurnOf(const List& list, std::span<const int> blocks);
  static int Send(List* list, std::size_t entry, std::span<const int> blocks);
  bool LowIsDue() const;

  List high_;
  List low_;
  bool is_written_ = false;
  std::uint8_t high_limit_ = 0;
  int high_blocks_ = 0;  // sent since a low-priority packet could have gone
};

}  // namespace lanecut
