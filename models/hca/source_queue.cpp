// SPDX-License-Identifier: Apache-2.0
#include "models/hca/source_queue.h"

#include <cstddef>

namespace lanecut {

SourceQueue::SourceQueue(int capacity) : nodes_(static_cast<std::size_t>(capacity)) {
  for (int i = capacity - 1; i >= 0; --i) {
    nodes_[i].next = free_;
    free_ = i;
  }
}

void SourceQueue::Push(const Entry& entry) {
  const int node = free_;
  free_ = nodes_[node].next;
  nodes_[node] = {entry, kEnd};
  List& list = lists_[entry.sl];
  (list.head == kEnd ? list.head : nodes_[list.tail].next) = node;
  list.tail = node;
  waiting_sls_ |= 1U << entry.sl;
  ++size_;
}

std::vector<SourceQueue::Entry> SourceQueue::Extract(
    const std::function<bool(const Entry&)>& unwanted) {
  std::vector<Entry> extracted;
  for (int sl = 0; sl < kSls; ++sl) {
    std::vector<Entry> kept;
    while ((waiting_sls_ >> sl & 1) != 0) {
      const Entry entry = Front(sl);
      Pop(sl);
      (unwanted(entry) ? extracted : kept).push_back(entry);
    }
    for (const Entry& entry : kept) Push(entry);
  }
  return extracted;
}

void SourceQueue::Pop(int sl) {
  List& list = lists_[sl];
  const int node = list.head;
  list.head = nodes_[node].next;
  if (list.head == kEnd) waiting_sls_ &= ~(1U << sl);
  nodes_[node].next = free_;
  free_ = node;
  --size_;
}

}  // namespace lanecut
