// SPDX-License-Identifier: Apache-2.0
//
// Reading the switches' port counters: all of them, in order, and always an end.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/unit/subnet_manager/fabric_double.h"
#include "tests/unit/subnet_manager/test_fabrics.h"

namespace lanecut {
namespace {

constexpr Cycle kLimit = 20'000'000;

class Counters : public testing::Test {
 protected:
  explicit Counters(DoubleOptions options = {}) : fabric_(Torus({4, 4}, 1), options) {
    SmConfig config;
    config.sweep_period = 0;
    SubnetManager& manager = fabric_.StartManager(config);
    EXPECT_TRUE(fabric_.RunUntil([&] { return manager.IsSettled(); }, kLimit));
  }

  void Start() {
    fabric_.manager().ReadCounters(fabric_.now(), [this](const std::vector<PortReading>& readings) {
      EXPECT_FALSE(readings_) << "done is called twice";
      readings_ = readings;
    });
  }
  void Finish() {
    ASSERT_TRUE(fabric_.RunUntil([&] { return readings_.has_value(); }, kLimit));
    std::string last;
    int port = 0;
    for (const PortReading& reading : *readings_) {
      port = reading.node == last ? port + 1 : 1;
      last = reading.node;
      EXPECT_EQ(reading.port, port);
      EXPECT_EQ(fabric_.topology().node(static_cast<int>(reading.counters.data_received)).name,
                reading.node);
      EXPECT_EQ(reading.counters.data_sent, static_cast<std::uint32_t>(reading.port));
    }
  }

  FabricDouble fabric_;
  std::optional<std::vector<PortReading>> readings_;
};

class LossyCounters : public Counters {
 protected:
  LossyCounters() : Counters({.loss = 0.05}) {}
};

// All requests, time-outs and all, one window after the other.
Cycle RequestsTake(int requests) {
  const SmConfig config;
  const Cycle attempts = static_cast<Cycle>(config.retries) + 1;
  return static_cast<Cycle>(requests / config.window + 1) * attempts * (config.timeout + 1000);
}

TEST_F(Counters, EveryPortOfEverySwitchIsRead) {
  Start();
  EXPECT_FALSE(readings_);
  Finish();
  EXPECT_EQ(readings_->size(), 16u * 5);
  EXPECT_TRUE(fabric_.manager().IsSettled());
}

TEST_F(LossyCounters, LostPacketsAreRepeated) {
  Start();
  Finish();
  EXPECT_EQ(readings_->size(), 16u * 5);
}

TEST_F(Counters, ASwitchThatDoesNotAnswerIsLeftOut) {
  fabric_.agent("S3_3").mute = true;
  Start();
  Finish();
  EXPECT_EQ(readings_->size(), 15u * 5);
}

TEST_F(Counters, SilenceIsNotWaitedForForLong) {
  for (const int node : fabric_.topology().switches()) fabric_.agent(node).mute = true;
  Start();
  const Cycle limit = fabric_.now() + RequestsTake(16 * 5);
  ASSERT_TRUE(fabric_.RunUntil([&] { return readings_.has_value(); }, limit));
  EXPECT_TRUE(readings_->empty());
}

TEST_F(Counters, StoppingKeepsWhatHasBeenRead) {
  Start();
  fabric_.RunFor(3000);
  EXPECT_FALSE(readings_);
  fabric_.manager().StopReadingCounters();
  ASSERT_TRUE(readings_);
  EXPECT_GT(readings_->size(), 0u);
  EXPECT_LT(readings_->size(), 16u * 5);
  fabric_.manager().StopReadingCounters();  // nothing to stop; late answers are for nobody
  fabric_.RunFor(100'000);
  readings_.reset();
  Start();
  Finish();
  EXPECT_EQ(readings_->size(), 16u * 5);
}

TEST_F(Counters, AFaultBetweenEndsTheReading) {
  Start();
  fabric_.Cut(CableBetween(fabric_.topology(), "S0_0", "S1_0"));
  Finish();
  EXPECT_LT(readings_->size(), 16u * 5);
  ASSERT_TRUE(fabric_.RunUntil([&] { return fabric_.Count(SmEventKind::kResumed) == 1; }, kLimit));
  ExpectAllDeliverable(fabric_);
}

}  // namespace
}  // namespace lanecut
