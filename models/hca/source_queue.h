// SPDX-License-Identifier: Apache-2.0
//
// Packets that wait at an end node to be sent: first in, first out per SL, a common limit for all
// SLs. Packets of one SL can only go in order; those of different SLs may overtake each other, or a
// blocked VL would block all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut {

class SourceQueue {
 public:
  static constexpr int kSls = 16;

  struct Entry {
    std::uint64_t id = 0;
    Cycle generated = 0;
    int payload_bytes = 0;
    std::uint16_t dlid = 0;
    std::uint8_t sl = 0;
  };

  explicit SourceQueue(int capacity);

  int size() const { return size_; }
  bool full() const { return free_ == kEnd; }
  // Bit sl is set if packets of that SL wait.
  std::uint32_t waiting_sls() const { return waiting_sls_; }

  // Not when full.
  void Push(const Entry& entry);
  // Only for an SL that waits.
  const Entry& Front(int sl) const { return nodes_[lists_[sl].head].entry; }
  void Pop(int sl);
  // Takes out those that `unwanted` holds for and returns them, by SL, oldest first.
  std::vector<Entry> Extract(const std::function<bool(const Entry&)>& unwanted);

 private:
  static constexpr int kEnd = -1;

  struct Node {
    Entry entry;
    int next = kEnd;
  };
  struct List {
    int head = kEnd;
    int tail = kEnd;
  };

  std::vector<Node> nodes_;
  List lists_[kSls];
  int free_ = kEnd;
  int size_ = 0;
  std::uint32_t waiting_sls_ = 0;
};

}  // namespace lanecut
