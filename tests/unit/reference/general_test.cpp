// SPDX-License-Identifier: Apache-2.0
//
// General management packets: they pass like data, are taken by end nodes without an id, and
// answered by the agent of a switch, on the way that the tables give.
#include <gtest/gtest.h>

#include "sw/wire/packet.h"
#include "tests/unit/reference/bench.h"

namespace lanecut {
namespace {

constexpr Cycle kT = Bench::kUp;
constexpr Cycle kWords = 73;
constexpr Cycle kIn = kT + kWords - 1 + Bench::kFly;  // its last word is on the switch's pins
constexpr Cycle kOut = kIn + 40;                      // an answer leaves
constexpr Cycle kEnd = kT + 3000;

GmpPacket Request(std::uint16_t dlid) {
  GmpPacket gmp{.slid = 1, .dlid = dlid, .psn = 7, .mad = {}};
  gmp.mad[0] = 1;
  gmp.mad[1] = 4;  // performance management
  gmp.mad[2] = 1;
  gmp.mad[3] = 1;  // Get
  return gmp;
}

GmpPacket Answer() {
  GmpPacket gmp = Request(1);
  gmp.slid = 0;
  gmp.mad[3] = 0x81;
  return gmp;
}

class General : public ::testing::Test {
 protected:
  General() { bench_.BringUp(); }

  // End node 1 sends it to the agent, which has LID 0.
  void Ask() { bench_.Put(0, kT, WireOf(Request(0))); }
  // An end node takes what left the switch in cycle t.
  void Take(int at, Cycle t) {
    bench_.At(t + kWords - 1 + Bench::kFly,
              [at](ReferenceModel& model) { model.OnGeneralPacket(at, kEnd); });
  }
  ReferenceModel& Finish() {
    bench_.Run(kEnd);
    bench_.model().Finish(kEnd, true);
    return bench_.model();
  }

  Bench bench_;
};

TEST_F(General, PassesLikeData) {
  const Wire wire = WireOf(Request(2));
  bench_.Put(0, kT, wire);
  bench_.Leave(2, kT + 11, wire);
  Take(2, kT + 11);
  EXPECT_CLEAN(Finish());
}

TEST_F(General, LeavesByTheTable) {
  const Wire wire = WireOf(Request(2));
  bench_.Put(0, kT, wire);
  bench_.Leave(3, kT + 11, wire);
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(General, MustBeTaken) {
  const Wire wire = WireOf(Request(2));
  bench_.Put(0, kT, wire);
  bench_.Leave(2, kT + 11, wire);
  EXPECT_TRUE(Finish().failed());
}

TEST_F(General, IsNoDataPacket) {
  const Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  bench_.Leave(2, kT + 11, wire);
  bench_.At(kT + 200, [](ReferenceModel& model) { model.OnGeneralPacket(2, kT + 200); });
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(General, AgentAnswers) {
  Ask();
  bench_.Leave(1, kOut, WireOf(Answer()));
  Take(1, kOut);
  EXPECT_CLEAN(Finish());
}

TEST_F(General, AgentMayBeSilent) {
  Ask();
  EXPECT_CLEAN(Finish());
}

TEST_F(General, AnswerLeavesByTheTable) {
  Ask();
  bench_.Leave(2, kOut, WireOf(Answer()));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(General, AnswerLeavesOnTheVlOfItsSl) {
  Ask();
  bench_.Leave(1, kOut, OnVl(WireOf(Answer()), 1));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(General, NobodyHasAsked) {
  bench_.Leave(1, kOut, WireOf(Answer()));
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(General, AnswersOnce) {
  Ask();
  bench_.Leave(1, kOut, WireOf(Answer()));
  Take(1, kOut);
  bench_.Leave(1, kOut + 200, WireOf(Answer()));
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(General, AnotherClassIsNotAnswered) {
  GmpPacket request = Request(0);
  request.mad[1] = 3;
  bench_.Put(0, kT, WireOf(request));
  bench_.Leave(1, kOut, WireOf(Answer()));
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

}  // namespace
}  // namespace lanecut
