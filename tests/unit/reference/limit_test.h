// SPDX-License-Identifier: Apache-2.0
//
// A limit on packets' lives at output port 2 of the switch in the middle: what its tests share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/reference/bench.h"

namespace lanecut {

class LimitTest : public ::testing::Test {
 protected:
  // `lifetime`: the switch is built with limits.
  LimitTest(DropReason reason, Cycle end, bool lifetime)
      : bench_(lifetime), reason_(reason), end_(end) {
    bench_.BringUp();
  }

  void OutputDrop(Cycle t, int vl = 0) {
    bench_.At(t, [=, this](ReferenceModel& m) { m.OnOutputDrop(0, 2, vl, reason_, t); });
  }
  ReferenceModel& Finish() {
    bench_.model().SetDropHandler([this](std::uint64_t id, DropReason reason, int) {
      EXPECT_EQ(reason, reason_);
      dropped_.push_back(id);
    });
    bench_.Run(end_);
    bench_.model().Finish(end_, true);
    return bench_.model();
  }
  void ExpectText(const char* text) {
    EXPECT_NE(Failure(bench_.model()).find(text), std::string::npos) << Failure(bench_.model());
  }
  // Packet `id` from end node `from` to 2.
  Wire Send(int from, Cycle t, std::uint64_t id) { return bench_.Send(from, t, Data(id, from, 2)); }

  Bench bench_;
  std::vector<std::uint64_t> dropped_;

 private:
  DropReason reason_;
  Cycle end_;
};

}  // namespace lanecut
