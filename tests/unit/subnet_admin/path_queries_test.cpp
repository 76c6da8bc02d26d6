// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_admin/path_queries.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace lanecut {
namespace {

constexpr int kNodes = 3;
constexpr std::uint16_t kManagerLid = 17;

struct Sent {
  int source;
  Mad mad;
};

class Queries : public ::testing::Test, public MadTransport {
 protected:
  // Which end node sends is known by its GID.
  bool Send(const Mad& mad, std::uint16_t dlid) override {
    EXPECT_EQ(dlid, kManagerLid);
    if (!has_room_) return false;
    const auto sgid = ib::PathRecord::Decode(mad).sgid;
    sent_.push_back({static_cast<int>(sgid.guid) - 100, mad});
    return true;
  }
  bool SendCompact(const CompactPacket&) override { return false; }

  std::vector<Sent> Take() { return std::exchange(sent_, {}); }

  // The SL is 4 x source + destination.
  static Mad AnswerTo(const Mad& query, std::uint16_t status = 0) {
    Mad answer = query;
    answer.set_method(ib::MadMethod::kGetResp);
    answer.Set16(4, status);
    ib::PathRecord record = ib::PathRecord::Decode(query);
    record.slid = static_cast<std::uint16_t>(record.sgid.guid - 100 + 1);
    record.dlid = static_cast<std::uint16_t>(record.dgid.guid - 100 + 1);
    record.sl = static_cast<std::uint8_t>(4 * (record.slid - 1) + record.dlid - 1);
    record.Encode(&answer);
    return answer;
  }

  PathQueries::EndNode Node(int i) {
    return {.transport = this,
            .gid = {.prefix = 0xFE80, .guid = 100 + static_cast<std::uint64_t>(i)},
            .manager_lid = kManagerLid};
  }

  std::vector<Sent> sent_;
  bool has_room_ = true;
  PathQueries queries_{{.timeout = 100, .retries = 2}, {Node(0), Node(1), Node(2)}};
};

TEST_F(Queries, EverybodyAsksForEverybodyOneAtATime) {
  for (Cycle now = 0; !queries_.Done(); ++now) {
    ASSERT_LT(now, 10u);
    queries_.Step(now);
    queries_.Step(now);  // nothing more
    const auto sent = Take();
    EXPECT_EQ(sent.size(), static_cast<std::size_t>(kNodes));
    for (const Sent& query : sent) {
      EXPECT_TRUE(queries_.OnMad(query.source, AnswerTo(query.mad)));
    }
  }
  for (int source = 0; source < kNodes; ++source) {
    for (int destination = 0; destination < kNodes; ++destination) {
      const auto& record = queries_.Find(source, destination);
      ASSERT_EQ(record.has_value(), source != destination);
      if (!record) continue;
      EXPECT_EQ(record->sl, 4 * source + destination);
      EXPECT_EQ(record->dlid, destination + 1);
    }
  }
  EXPECT_TRUE(queries_.refused().empty());
  EXPECT_TRUE(queries_.unanswered().empty());
}

TEST_F(Queries, SentAgainUntilAnswered) {
  queries_.Step(0);
  const auto first = Take();
  ASSERT_EQ(first.size(), 3u);
  queries_.Step(99);
  EXPECT_TRUE(Take().empty());
  queries_.Step(100);
  const auto second = Take();
  ASSERT_EQ(second.size(), 3u);
  EXPECT_EQ(second[0].mad, first[0].mad);
  EXPECT_TRUE(queries_.OnMad(0, AnswerTo(second[0].mad)));
  EXPECT_TRUE(queries_.Find(0, 1).has_value());
  // The other one's answer comes, too: of no use.
  EXPECT_TRUE(queries_.OnMad(0, AnswerTo(first[0].mad)));
  EXPECT_FALSE(queries_.Find(0, 2).has_value());
}

TEST_F(Queries, BusyIsNoAnswer) {
  queries_.Step(0);
  const auto sent = Take();
  EXPECT_TRUE(queries_.OnMad(0, AnswerTo(sent[0].mad, 1)));
  EXPECT_FALSE(queries_.Find(0, 1).has_value());
  queries_.Step(100);
  EXPECT_EQ(Take().at(0).mad, sent[0].mad);
}

TEST_F(Queries, GivenUpAfterTheLastRetry) {
  for (Cycle now = 0; now < 10'000 && !queries_.Done(); now += 100) queries_.Step(now);
  EXPECT_TRUE(queries_.Done());
  EXPECT_EQ(queries_.unanswered().size(), 6u);
  EXPECT_EQ(Take().size(), 6u * 3);
}

TEST_F(Queries, ErrorsAreKept) {
  queries_.Step(0);
  const auto sent = Take();
  EXPECT_TRUE(queries_.OnMad(1, AnswerTo(sent[1].mad, 0x0300)));
  EXPECT_EQ(queries_.refused(), (std::vector<std::pair<int, int>>{{1, 2}}));
}

TEST_F(Queries, WaitsForRoom) {
  has_room_ = false;
  for (Cycle now = 0; now < 1000; ++now) queries_.Step(now);
  has_room_ = true;
  queries_.Step(1000);
  EXPECT_EQ(Take().size(), 3u);
  EXPECT_TRUE(queries_.unanswered().empty());
}

TEST_F(Queries, WhatIsNotTheirsIsLeftAlone) {
  queries_.Step(0);
  Mad other = AnswerTo(Take()[0].mad);
  other.set_transaction_id(5);
  EXPECT_FALSE(queries_.OnMad(0, other));
}

}  // namespace
}  // namespace lanecut
