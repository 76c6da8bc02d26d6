// SPDX-License-Identifier: Apache-2.0
//
// Window, retries, time-outs and matching of the SMP engine, against a transport that only records.
#include "sw/subnet_manager/smp_engine.h"

#include <gtest/gtest.h>

#include "sw/mad/compact_mad.h"
#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {
namespace {

class Recorder : public MadTransport {
 public:
  bool Send(const Mad& mad, std::uint16_t dlid) override {
    if (room == 0) return false;
    --room;
    sent.push_back(mad);
    dlids.push_back(dlid);
    return true;
  }
  bool SendCompact(const CompactPacket& compact) override {
    if (room == 0) return false;
    --room;
    compacts.push_back(compact);
    return true;
  }
  int room = 1000;
  std::vector<Mad> sent;
  std::vector<CompactPacket> compacts;
  std::vector<std::uint16_t> dlids;
};

class EngineTest : public testing::Test {
 protected:
  EngineTest() {
    config_.window = 2;
    config_.timeout = 100;
    config_.retries = 3;
  }
  void Submit(int node, bool retry = true) {
    SmpRequest request;
    request.target = {node, 0};
    request.mad = ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet,
                              ib::MadAttribute::kNodeInfo, 0);
    request.retry = retry;
    engine_.Submit(std::move(request),
                   [this](const SmpReply& reply) { replies_.push_back(reply); });
  }
  Mad ResponseTo(std::size_t index, ib::MadStatus status = ib::MadStatus::kOk) {
    Mad mad = transport_.sent.at(index);
    ib::MakeResponse(&mad, status);
    return mad;
  }

  SmConfig config_;
  Recorder transport_;
  std::optional<DirectedRoute> route_ = DirectedRoute{1, 4, 2};
  SmpEngine engine_{config_, transport_, [this](const SmpTarget&) { return route_; }};
  std::vector<SmpReply> replies_;
};

TEST_F(EngineTest, WritesRouteAndTransactionId) {
  Submit(0);
  engine_.Advance(0);
  ASSERT_EQ(transport_.sent.size(), 1u);
  const Mad& mad = transport_.sent[0];
  EXPECT_EQ(mad.hop_pointer(), 0);
  EXPECT_EQ(mad.hop_count(), 3);
  EXPECT_EQ(mad.initial_path(0), 0);
  EXPECT_EQ(mad.initial_path(1), 1);
  EXPECT_EQ(mad.initial_path(2), 4);
  EXPECT_EQ(mad.initial_path(3), 2);
  EXPECT_NE(mad.transaction_id(), 0u);
  EXPECT_EQ(transport_.dlids[0], ib::kPermissiveLid);
}

TEST_F(EngineTest, KeepsTheWindow) {
  for (int i = 0; i < 5; ++i) Submit(i);
  engine_.Advance(0);
  EXPECT_EQ(transport_.sent.size(), 2u);
  engine_.OnResponse(ResponseTo(1));
  engine_.Advance(10);
  EXPECT_EQ(transport_.sent.size(), 3u);
  EXPECT_EQ(replies_.size(), 1u);
  EXPECT_FALSE(engine_.IsIdle());
}

TEST_F(EngineTest, UrgentRequestsPassTheWindow) {
  for (int i = 0; i < 5; ++i) Submit(i);
  engine_.Advance(0);
  SmpRequest request;
  request.target = {9, 0};
  request.mad =
      ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet, ib::MadAttribute::kPortInfo, 0);
  request.urgent = true;
  engine_.Submit(std::move(request), {});
  engine_.Advance(1);
  ASSERT_EQ(transport_.sent.size(), 3u);
  EXPECT_EQ(transport_.sent.back().attribute(), ib::MadAttribute::kPortInfo);
}

TEST_F(EngineTest, WithoutBackoffEveryAttemptWaitsEquallyLong) {
  SmpRequest request;
  request.target = {0, 0};
  request.mad =
      ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet, ib::MadAttribute::kNodeInfo, 0);
  request.backoff = false;
  engine_.Submit(std::move(request), [this](const SmpReply& reply) { replies_.push_back(reply); });
  for (Cycle t = 0; t <= 300; t += 100) {
    engine_.Advance(t);
    EXPECT_EQ(engine_.NextDeadline(), t + 100);
  }
  EXPECT_EQ(transport_.sent.size(), 4u);
  engine_.Advance(400);
  ASSERT_EQ(replies_.size(), 1u);
  EXPECT_EQ(replies_[0].outcome, SmpOutcome::kTimedOut);
}

TEST_F(EngineTest, RerouteRepeatsAtOnceWhatIsOnAnotherRoute) {
  Submit(0);
  engine_.Advance(0);
  engine_.Reroute(10);
  engine_.Advance(10);
  EXPECT_EQ(transport_.sent.size(), 1u);  // the same route
  route_ = DirectedRoute{1, 3};
  engine_.Reroute(20);
  engine_.Advance(20);
  EXPECT_EQ(transport_.sent.size(), 2u);
}

TEST_F(EngineTest, ATransportThatTakesNothingIsGivenUp) {
  transport_.room = 0;
  Submit(0);
  engine_.Advance(0);
  for (int i = 0; i < 1000 && replies_.empty(); ++i) engine_.Advance(engine_.NextDeadline());
  ASSERT_EQ(replies_.size(), 1u);
  EXPECT_EQ(replies_[0].outcome, SmpOutcome::kTimedOut);
  EXPECT_EQ(engine_.counters().total_sent, 0u);
}

TEST_F(EngineTest, RetriesWithDoublingTimeoutsThenGivesUp) {
  Submit(0);
  engine_.Advance(0);
  std::vector<Cycle> attempts;
  std::size_t seen = 1;
  while (replies_.empty()) {
    const Cycle due = engine_.NextDeadline();
    engine_.Advance(due - 1);
    EXPECT_EQ(transport_.sent.size(), seen);
    engine_.Advance(due);
    if (transport_.sent.size() > seen) attempts.push_back(due);
    seen = transport_.sent.size();
  }
  EXPECT_EQ(attempts, (std::vector<Cycle>{100, 300, 700}));
  EXPECT_EQ(replies_[0].outcome, SmpOutcome::kTimedOut);
  EXPECT_EQ(engine_.counters().retries, 3u);
  EXPECT_EQ(engine_.counters().timeouts, 4u);
  EXPECT_EQ(engine_.counters().abandoned, 1u);
  EXPECT_EQ(engine_.NextDeadline(), kNoDeadline);
  for (const Mad& mad : transport_.sent) {
    EXPECT_EQ(mad.transaction_id(), transport_.sent[0].transaction_id());
  }
}

TEST_F(EngineTest, ADuplicateAnswerIsCountedAndIgnored) {
  Submit(0);
  engine_.Advance(0);
  engine_.Advance(100);
  engine_.OnResponse(ResponseTo(0));
  engine_.OnResponse(ResponseTo(1));
  EXPECT_EQ(replies_.size(), 1u);
  EXPECT_TRUE(replies_[0].repeated);
  EXPECT_EQ(engine_.counters().unmatched, 1u);
}

TEST_F(EngineTest, AnErrorStatusIsReported) {
  Submit(0);
  engine_.Advance(0);
  engine_.OnResponse(ResponseTo(0, ib::MadStatus::kInvalidField));
  ASSERT_EQ(replies_.size(), 1u);
  EXPECT_EQ(replies_[0].outcome, SmpOutcome::kRefused);
  EXPECT_EQ(replies_[0].mad.status(), 0x1C);
  EXPECT_EQ(engine_.counters().refused, 1u);
}

TEST_F(EngineTest, BusyMeansLater) {
  Submit(0);
  engine_.Advance(0);
  engine_.OnResponse(ResponseTo(0, ib::MadStatus::kBusy));
  EXPECT_TRUE(replies_.empty());
  engine_.Advance(100);
  EXPECT_EQ(transport_.sent.size(), 2u);
  engine_.OnResponse(ResponseTo(1));
  EXPECT_EQ(replies_.size(), 1u);
}

TEST_F(EngineTest, ARequestWithoutRetryIsSentOnce) {
  Submit(0, false);
  engine_.Advance(0);
  engine_.Advance(100);
  EXPECT_EQ(transport_.sent.size(), 1u);
  ASSERT_EQ(replies_.size(), 1u);
  EXPECT_EQ(replies_[0].outcome, SmpOutcome::kTimedOut);
}

TEST_F(EngineTest, RetriesFollowAChangedRoute) {
  Submit(0);
  engine_.Advance(0);
  route_ = DirectedRoute{1, 3};
  engine_.Advance(100);
  EXPECT_EQ(transport_.sent.at(1).hop_count(), 2);
  route_.reset();
  engine_.Advance(300);
  ASSERT_EQ(replies_.size(), 1u);
  EXPECT_EQ(replies_[0].outcome, SmpOutcome::kNoRoute);
}

TEST_F(EngineTest, WaitsForATransportWithoutRoom) {
  transport_.room = 1;
  Submit(0);
  Submit(1);
  engine_.Advance(0);
  EXPECT_EQ(transport_.sent.size(), 1u);
  const Cycle again = engine_.NextDeadline();
  EXPECT_GT(again, 0u);
  EXPECT_LE(again, 100u);
  transport_.room = 10;
  engine_.Advance(again);
  EXPECT_EQ(transport_.sent.size(), 2u);
  EXPECT_EQ(engine_.counters().timeouts, 0u);
  EXPECT_EQ(engine_.counters().retries, 0u);
}

TEST_F(EngineTest, CancelledRequestsAreForgotten) {
  Submit(0);
  Submit(1);
  Submit(2);
  engine_.Advance(0);
  engine_.CancelAll();
  EXPECT_TRUE(engine_.IsIdle());
  engine_.OnResponse(ResponseTo(0));
  engine_.Advance(10'000);
  EXPECT_TRUE(replies_.empty());
  EXPECT_EQ(transport_.sent.size(), 2u);
}

TEST_F(EngineTest, ARequestThatIsNotNeededAnyMoreIsNotSent) {
  SmpRequest request;
  request.target = {0, 0};
  request.still_needed = [] { return false; };
  engine_.Submit(std::move(request), [this](const SmpReply& reply) { replies_.push_back(reply); });
  engine_.Advance(0);
  EXPECT_TRUE(transport_.sent.empty());
  ASSERT_EQ(replies_.size(), 1u);
  EXPECT_EQ(replies_[0].outcome, SmpOutcome::kSkipped);
}

TEST_F(EngineTest, CountsByAttribute) {
  Submit(0);
  engine_.Advance(0);
  engine_.SendUnacknowledged(ib::MakeSmp(ib::MadClass::kSubnLid, ib::MadMethod::kTrapRepress,
                                         ib::MadAttribute::kNotice, 0),
                             7);
  EXPECT_EQ(engine_.counters().sent.at(ib::MadAttribute::kNodeInfo), 1u);
  EXPECT_EQ(engine_.counters().sent.at(ib::MadAttribute::kNotice), 1u);
  EXPECT_EQ(engine_.counters().total_sent, 2u);
  EXPECT_EQ(transport_.dlids.back(), 7);
}

// ---- Compact ----

TEST_F(EngineTest, CompactRequestsDoNotWaitForTheWindow) {
  engine_.UseCompact();
  for (int i = 0; i < 5; ++i) {
    SmpRequest request;
    request.target = {i, 0};
    request.mad = ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet,
                              ib::MadAttribute::kVendorStatus, 0);
    engine_.Submit(std::move(request),
                   [this](const SmpReply& reply) { replies_.push_back(reply); });
  }
  for (int i = 0; i < 5; ++i) Submit(i);
  engine_.Advance(0);
  ASSERT_EQ(transport_.compacts.size(), 5u);
  EXPECT_EQ(transport_.sent.size(), 2u);  // the window of the others
  const CompactPacket& first = transport_.compacts[0];
  EXPECT_EQ(first.kind, CompactKind::kRequest);
  EXPECT_EQ(first.hop_pointer, 0);
  EXPECT_EQ(first.wanted, 4);
  EXPECT_EQ(first.path, CompactPath(std::vector<std::uint8_t>{4, 2}));  // not the own port
  Mad answer = ib::MadOf(ib::CompactAnswer(first, ib::MadOf(first)));
  engine_.OnResponse(answer);
  ASSERT_EQ(replies_.size(), 1u);
  EXPECT_EQ(replies_[0].outcome, SmpOutcome::kAnswered);
}

TEST_F(EngineTest, CompactRequestsAreRepeatedWithTheirContents) {
  engine_.UseCompact();
  SmpRequest request;
  request.mad = ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kSet,
                            ib::MadAttribute::kVendorTableUpdate, 7);
  request.contents = {0x00040004, 0x01020304};
  engine_.Submit(std::move(request), {});
  engine_.Advance(0);
  engine_.Advance(100);
  ASSERT_EQ(transport_.compacts.size(), 2u);
  EXPECT_EQ(transport_.compacts[0], transport_.compacts[1]);
  EXPECT_EQ(transport_.compacts[0].data, (std::vector<std::uint32_t>{0x00040004, 0x01020304}));
  EXPECT_EQ(transport_.compacts[0].modifier, 7u);
}

TEST_F(EngineTest, TheOwnNodeAndWhatIsToBeStandardAreAskedBySmps) {
  engine_.UseCompact();
  SmpRequest request;
  request.mad = ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet,
                            ib::MadAttribute::kVendorStatus, 0);
  request.standard = true;
  engine_.Submit(request, {});
  engine_.Advance(0);
  EXPECT_EQ(transport_.sent.size(), 1u);
  route_ = DirectedRoute{};
  request.standard = false;
  engine_.Submit(request, {});
  engine_.Advance(0);
  EXPECT_EQ(transport_.sent.size(), 2u);
  EXPECT_TRUE(transport_.compacts.empty());
}

TEST_F(EngineTest, FloodsGoFirstAndTheirNumbersFollowTheClock) {
  engine_.UseCompact();
  const Mad set = ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kSet,
                              ib::MadAttribute::kVendorInjection, 0);
  engine_.Flood(set, 9, 6400);
  engine_.Flood(set, 9, 6401);
  transport_.room = 0;
  engine_.Advance(6401);
  EXPECT_GT(engine_.NextDeadline(), 6401u);
  transport_.room = 100;
  engine_.Advance(engine_.NextDeadline());
  ASSERT_EQ(transport_.compacts.size(), 4u);  // and the own node, which this map puts elsewhere
  EXPECT_EQ(transport_.compacts[0].kind, CompactKind::kFlood);
  EXPECT_EQ(transport_.compacts[0].slid, 9);
  EXPECT_EQ(transport_.compacts[0].number, 100u);
  EXPECT_EQ(transport_.compacts[1].number, 101u);
  EXPECT_EQ(transport_.compacts[2].kind, CompactKind::kRequest);
  // Started again, it goes on from there.
  SmpEngine again(config_, transport_, [this](const SmpTarget&) { return route_; });
  again.UseCompact();
  again.Flood(set, 9, 7000);
  again.Advance(7000);
  EXPECT_EQ(transport_.compacts[4].number, 109u);
}

}  // namespace
}  // namespace lanecut
