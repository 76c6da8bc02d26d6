// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables as the contents of table updates (kVendorTableUpdate).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace lanecut {

// An update: the words of one packet, and the LIDs whose entries it holds, in their order.
struct TableUpdate {
  std::vector<std::uint32_t> words;
  std::vector<int> lids;
};

// The updates that write, of the entries from `first` to `last`, those that are `wanted_there`:
// whole words of four, and what is between two of them if that makes no packet longer. Always at
// least one, which may have an empty piece. An entry beyond the table is unreachable, and so is LID
// 0.
std::vector<TableUpdate> MakeTableUpdates(std::span<const std::uint8_t> table, int first, int last,
                                          const std::function<bool(int lid)>& wanted_there);

}  // namespace lanecut
