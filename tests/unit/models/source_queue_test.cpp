// SPDX-License-Identifier: Apache-2.0
#include "models/hca/source_queue.h"

#include <gtest/gtest.h>

#include <deque>

#include "models/random.h"

namespace lanecut {
namespace {

TEST(SourceQueue, IsFirstInFirstOutPerSlWithACommonLimit) {
  SourceQueue queue(10);
  std::deque<std::uint64_t> model[SourceQueue::kSls];
  int size = 0;
  Random random(1);
  for (std::uint64_t id = 0; id < 20000; ++id) {
    const int sl = static_cast<int>(random.Below(SourceQueue::kSls));
    EXPECT_EQ(queue.full(), size == 10);
    if (random.Below(2) == 0 && !queue.full()) {
      queue.Push({.id = id, .sl = static_cast<std::uint8_t>(sl)});
      model[sl].push_back(id);
      ++size;
    } else if (!model[sl].empty()) {
      ASSERT_EQ(queue.Front(sl).id, model[sl].front());
      queue.Pop(sl);
      model[sl].pop_front();
      --size;
    }
    ASSERT_EQ(queue.size(), size);
    for (int i = 0; i < SourceQueue::kSls; ++i) {
      ASSERT_EQ(queue.waiting_sls() >> i & 1, model[i].empty() ? 0U : 1U);
    }
  }
}

}  // namespace
}  // namespace lanecut
