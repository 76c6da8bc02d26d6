// SPDX-License-Identifier: Apache-2.0
//
// A standby subnet manager: it takes over when the master is cut off, and only then, and finishes
// what the master has begun.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sw/subnet_manager/standby_watch.h"
#include "tests/unit/subnet_manager/fabric_double.h"
#include "tests/unit/subnet_manager/running_fabric.h"
#include "tests/unit/subnet_manager/test_fabrics.h"

namespace lanecut {
namespace {

using ib::MadAttribute;

constexpr Cycle kPoll = 3000;
constexpr const char* kMaster = "H0_0_0";
constexpr const char* kItsSwitch = "S0_0";

class StandbyFabric : public RunningFabric {
 protected:
  void BringUp(SmConfig config, DoubleOptions options = {}) {
    config_ = std::move(config);
    config_.timeout = 2500;
    config_.retries = 3;
    config_.standby_poll = kPoll;
    RunningFabric::BringUp(config_, options);
    fabric_->StartStandby(config_);
    fabric_->RunFor(60'000);
    ASSERT_EQ(fabric_->Count(SmEventKind::kTookOver), 0);
  }
  void CutMaster() { Cut(kMaster, kItsSwitch); }
  void RestoreMaster() { Restore(kMaster, kItsSwitch); }
  bool AwaitTakeover() {
    return fabric_->RunUntil(
        [this] {
          return fabric_->Count(SmEventKind::kTookOver) > 0 || fabric_->Count(SmEventKind::kFailed);
        },
        kLimit);
  }

  // The standby has brought tables into force that do without the master's end node.
  void ExpectFinished(const std::vector<std::string>& except = {kMaster}) {
    ASSERT_TRUE(AwaitTakeover());
    ASSERT_TRUE(Settle());
    ASSERT_EQ(fabric_->Count(SmEventKind::kTookOver), 1) << fabric_->events().back().detail;
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
    EXPECT_EQ(fabric_->Count(SmEventKind::kManagerLost), 1);
    ExpectTablesLoaded(*fabric_, except);
    ExpectAllDeliverable(*fabric_, except);
    ExpectOneFunction(except);
    for (std::size_t i = 0; i < fabric_->topology().nodes().size(); ++i) {
      const auto& agent = fabric_->agent(static_cast<int>(i));
      const std::string& name = fabric_->topology().node(static_cast<int>(i)).name;
      if (std::find(except.begin(), except.end(), name) != except.end()) continue;
      EXPECT_EQ(agent.master_lid, fabric_->agent(fabric_->standby_node()).lid) << name;
      EXPECT_EQ(agent.lid, lids_[name]) << name;
    }
  }
  void ExpectOneFunction(const std::vector<std::string>& except) {
    for (std::size_t i = 0; i < fabric_->topology().nodes().size(); ++i) {
      const std::string& name = fabric_->topology().node(static_cast<int>(i)).name;
      if (std::find(except.begin(), except.end(), name) != except.end()) continue;
      const auto& agent = fabric_->agent(static_cast<int>(i));
      EXPECT_FALSE(agent.halted) << name;
      EXPECT_FALSE(agent.started || agent.draining || agent.restricted) << name;
      EXPECT_EQ(agent.late_writes, 0) << name;
      if (!config_.UsesNumbers()) continue;
      EXPECT_EQ(agent.epoch, fabric_->agent("S1_1").epoch) << name;
    }
  }
  // But for what it says of itself when it is asked.
  std::uint64_t SentByTheFirst() {
    const SmpCounters& counters = fabric_->first_manager().counters();
    const auto answers = counters.sent.find(MadAttribute::kSmInfo);
    return counters.total_sent - (answers == counters.sent.end() ? 0 : answers->second);
  }
  void NoteLids() {
    for (std::size_t i = 0; i < fabric_->topology().nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      lids_[fabric_->topology().node(node).name] = fabric_->agent(node).lid;
    }
  }

  SmConfig config_;
  std::map<std::string, Lid> lids_;
};

struct Case {
  ReconfigurationScheme scheme;
  ManagementEncoding encoding;
  bool flood = false;
};

class Standby : public StandbyFabric, public testing::WithParamInterface<Case> {
 protected:
  void BringUp(DoubleOptions options = {}) {
    SmConfig config;
    config.scheme = GetParam().scheme;
    config.encoding = GetParam().encoding;
    config.flood_halt = GetParam().flood;
    StandbyFabric::BringUp(config, options);
    NoteLids();
  }
};

std::vector<Case> EveryCase() {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < kSchemeNames.size(); ++i) {
    if (ChangesPaths(static_cast<ReconfigurationScheme>(i))) continue;  // there is none
    for (const auto encoding : {ManagementEncoding::kIb, ManagementEncoding::kCompact}) {
      cases.push_back({static_cast<ReconfigurationScheme>(i), encoding});
    }
  }
  cases.push_back({ReconfigurationScheme::kStatic, ManagementEncoding::kCompact, true});
  return cases;
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  std::string name(SchemeName(info.param.scheme));
  name += info.param.encoding == ManagementEncoding::kIb ? "_ib" : "_compact";
  if (info.param.flood) name += "_flood";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Schemes, Standby, testing::ValuesIn(EveryCase()), NameOf);

TEST_P(Standby, TakesOverWhenNothingElseHappens) {
  BringUp();
  CutMaster();
  ExpectFinished();
}

// Through every phase of a change, and the moments in which requests are on their way.
TEST_P(Standby, FinishesAChangeAtAnyMoment) {
  std::set<SmPhase> phases;
  for (Cycle delay = 150; delay < 30'000; delay += delay < 12'000 ? 470 : 3000) {
    BringUp();
    Cut("S1_1", "S2_1");
    fabric_->RunFor(delay);
    phases.insert(manager().phase());
    CutMaster();
    ExpectFinished();
    if (HasFailure()) FAIL() << "cut off after " << delay;
  }
  EXPECT_GE(phases.size(), 2u);
}

// Its packets and those of the master get lost, and commands are repeated.
TEST_P(Standby, FinishesAChangeThoughPacketsAreLost) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    DoubleOptions options;
    options.loss = 0.02;
    options.seed = seed;
    BringUp(options);
    Cut("S2_2", "S2_3");
    fabric_->RunFor(500 + 700 * seed);
    CutMaster();
    ExpectFinished();
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST_P(Standby, ALinkFailsAfterTheTakeover) {
  for (Cycle delay = 100; delay < 20'000; delay += 2300) {
    BringUp();
    Cut("S1_1", "S2_1");
    fabric_->RunFor(3000);
    CutMaster();
    ASSERT_TRUE(AwaitTakeover());
    fabric_->RunFor(delay);
    Cut("S3_3", "S3_0");
    ASSERT_TRUE(Settle());
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << delay << ": " << fabric_->events().back().detail;
    fabric_->RunFor(200'000);  // the trap may have gone to the lost manager first
    ExpectFinished();
    if (HasFailure()) FAIL() << "cut after " << delay;
  }
}

// The master gives up before the standby takes over, so a link that comes back makes no second one.
TEST_P(Standby, AMasterThatComesBackIsSilent) {
  BringUp();
  Cut("S1_1", "S2_1");
  fabric_->RunFor(3000);
  CutMaster();
  ASSERT_TRUE(AwaitTakeover());
  const std::uint64_t sent = SentByTheFirst();
  RestoreMaster();
  ASSERT_TRUE(fabric_->RunUntil([this] { return manager().IsSettled(); }, kLimit));
  fabric_->RunFor(200'000);
  ASSERT_TRUE(Settle());
  EXPECT_EQ(fabric_->first_manager().phase(), SmPhase::kFailed);
  EXPECT_EQ(SentByTheFirst(), sent);
  ExpectFinished({});  // its end node is in use again
}

TEST_P(Standby, AMasterWhoseLinkBouncesGoesOn) {
  for (Cycle delay = 150; delay < 12'000; delay += 900) {
    BringUp();
    Cut("S1_1", "S2_1");
    fabric_->RunFor(delay);
    CutMaster();
    fabric_->RunFor(2000);
    RestoreMaster();
    fabric_->RunFor(400'000);
    ASSERT_TRUE(Settle());
    EXPECT_EQ(fabric_->Count(SmEventKind::kTookOver), 0);
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
    ExpectAllDeliverable(*fabric_);
    ExpectOneFunction({});
    if (HasFailure()) FAIL() << "bounces after " << delay;
  }
}

// The master goes on in its part, until it meets the one that has the rest.
TEST_P(Standby, AFabricCutInTwoHasOneMasterWhenItIsWhole) {
  BringUp();
  const Topology& t = fabric_->topology();
  std::vector<int> cables;
  for (int port = 1; port <= 4; ++port)
    cables.push_back(t.PeerOf(*t.FindNode(kItsSwitch), port)->cable);
  for (const int cable : cables) fabric_->Cut(cable);
  ASSERT_TRUE(AwaitTakeover());
  ASSERT_TRUE(Settle());
  fabric_->RunFor(200'000);
  EXPECT_NE(fabric_->first_manager().phase(), SmPhase::kFailed);
  ExpectFinished({kMaster, kItsSwitch});
  for (const int cable : cables) fabric_->Restore(cable);
  fabric_->RunFor(400'000);
  EXPECT_EQ(fabric_->Count(SmEventKind::kGaveWay), 1);
  EXPECT_EQ(fabric_->first_manager().phase(), SmPhase::kFailed);
  ExpectFinished({});
}

using StandbyPolls = StandbyFabric;

TEST_F(StandbyPolls, LostAnswersBelowTheLimitAreNoLoss) {
  BringUp({});
  int lost = 0;
  int answered = 0;
  fabric_->inbound_filter = [&](const Mad& mad) {
    if (mad.attribute() != MadAttribute::kSmInfo || mad.method() != ib::MadMethod::kGetResp)
      return true;
    const bool is_lost = (lost + answered) % StandbyWatch::kMissedPolls != 0;
    ++(is_lost ? lost : answered);
    return !is_lost;
  };
  fabric_->RunFor(40 * kPoll);
  EXPECT_GE(lost, 20);
  EXPECT_EQ(fabric_->Count(SmEventKind::kManagerLost), 0);
}

// As many in a row are one, but a master that is found is a master.
TEST_F(StandbyPolls, AMasterThatCanBeFoundIsNotReplaced) {
  BringUp({});
  int to_lose = StandbyWatch::kMissedPolls;
  fabric_->inbound_filter = [&](const Mad& mad) {
    const bool is_poll =
        mad.attribute() == MadAttribute::kSmInfo && mad.method() == ib::MadMethod::kGetResp;
    return !is_poll || to_lose-- <= 0;
  };
  fabric_->RunFor(40 * kPoll);
  EXPECT_LT(to_lose, 0);
  EXPECT_EQ(fabric_->Count(SmEventKind::kManagerLost), 1);
  EXPECT_EQ(fabric_->Count(SmEventKind::kTookOver), 0);
  EXPECT_EQ(manager().phase(), SmPhase::kUp);
}

TEST_F(StandbyPolls, ChangesNothingWhileItWatches) {
  BringUp({});
  bool has_set = false;
  fabric_->outbound_filter = [&](const Mad& mad) {
    has_set |= mad.method() == ib::MadMethod::kSet;
    return true;
  };
  fabric_->RunFor(100 * kPoll);
  EXPECT_FALSE(has_set);
}

TEST_F(StandbyPolls, FollowsTheMasterOnOtherWays) {
  BringUp({});
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"S3_3", "S3_0"}, {"S3_3", "S0_3"}, {"S3_3", "S3_2"}}) {
    Cut(a, b);
    fabric_->RunFor(60 * kPoll);
    EXPECT_EQ(fabric_->Count(SmEventKind::kTookOver), 0) << a << " " << b;
  }
  ASSERT_TRUE(Settle());
  CutMaster();
  NoteLids();
  ASSERT_TRUE(AwaitTakeover());
  EXPECT_EQ(fabric_->Count(SmEventKind::kTookOver), 1);
}

// Whoever is cut off is not the master of anything.
TEST_F(StandbyPolls, AStandbyThatIsCutOffDoesNotTakeOver) {
  BringUp({});
  Cut("H3_3_0", "S3_3");
  fabric_->RunFor(100 * kPoll);
  EXPECT_EQ(fabric_->Count(SmEventKind::kTookOver), 0);
  EXPECT_EQ(fabric_->Count(SmEventKind::kFailed), 0);
}

}  // namespace
}  // namespace lanecut
