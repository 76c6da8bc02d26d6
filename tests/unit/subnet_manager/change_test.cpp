// SPDX-License-Identifier: Apache-2.0
//
// Faults and repairs of a running fabric: how the manager learns of them, and what it does.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/unit/subnet_manager/fabric_double.h"
#include "tests/unit/subnet_manager/running_fabric.h"
#include "tests/unit/subnet_manager/test_fabrics.h"

namespace lanecut {
namespace {

class Change : public RunningFabric {
 protected:
  // How often nodes are asked for their status while a link is routed around.
  std::uint64_t PollsOfAChange() {
    const auto asked = [this] {
      return manager().counters().sent.at(ib::MadAttribute::kVendorStatus);
    };
    const std::uint64_t before = asked();
    Cut("S1_1", "S2_1");
    EXPECT_TRUE(Reconfigure());
    return asked() - before;
  }
};

// Whatever else is written to SwitchInfo.
TEST_F(Change, LifeTimeGoesToSwitchesAndStays) {
  for (const std::optional<std::uint8_t> life : {std::optional<std::uint8_t>{4}, {}}) {
    SmConfig config;
    config.life_time = life;
    BringUp(config);
    Cut("S0_0", "S1_0");
    ASSERT_TRUE(Reconfigure());
    for (const int node : fabric_->topology().switches()) {
      EXPECT_EQ(fabric_->agent(node).life_time, life.value_or(31));
    }
  }
}

TEST_F(Change, CutLinkIsRoutedAround) {
  BringUp();
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(manager().phase(), SmPhase::kUp);
  EXPECT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size() - 1);
  ExpectTablesLoaded(*fabric_);
  ExpectAllDeliverable(*fabric_);
  ExpectNobodyHalted(*fabric_);
  EXPECT_LE(When(SmEventKind::kTrapReceived), When(SmEventKind::kTopologyChanged));
  EXPECT_LE(When(SmEventKind::kTopologyChanged), When(SmEventKind::kTablesComputed));
  EXPECT_LE(When(SmEventKind::kTablesComputed), When(SmEventKind::kHalted));
  EXPECT_LT(When(SmEventKind::kHalted), When(SmEventKind::kDrained));
  EXPECT_LT(When(SmEventKind::kDrained), When(SmEventKind::kTablesLoaded));
  EXPECT_LT(When(SmEventKind::kTablesLoaded), When(SmEventKind::kResumed));
  const std::string detail = fabric_->Find(SmEventKind::kTopologyChanged, up_)->detail;
  EXPECT_EQ(detail, "lost link S1_1 port 1 - S2_1 port 2");
}

TEST_F(Change, EveryLinkOfTheTorusInTurn) {
  BringUp();
  for (std::size_t cable = 0; cable < fabric_->topology().cables().size(); ++cable) {
    const Cable& ends = fabric_->topology().cables()[cable];
    if (!fabric_->topology().IsSwitch(ends.a.node) || !fabric_->topology().IsSwitch(ends.b.node))
      continue;
    fabric_->Cut(static_cast<int>(cable));
    ASSERT_TRUE(Reconfigure()) << cable;
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
    fabric_->Restore(static_cast<int>(cable));
    ASSERT_TRUE(Reconfigure()) << cable;
    ASSERT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size());
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
  }
  ExpectNobodyHalted(*fabric_);
}

// Whichever end's trap comes first, and wherever the manager's own routes lead: it does not wait
// for time-outs.
TEST_F(Change, NoticesEveryCutWithinAFewRoundTrips) {
  const Topology topology = Torus({4, 4}, 1);
  for (std::size_t cable = 0; cable < topology.cables().size(); ++cable) {
    if (static_cast<int>(cable) == CableBetween(topology, "S0_0", "H0_0_0")) continue;
    BringUp();
    fabric_->Cut(static_cast<int>(cable));
    ASSERT_TRUE(Reconfigure());
    ASSERT_EQ(manager().phase(), SmPhase::kUp);
    EXPECT_LE(When(SmEventKind::kTopologyChanged), up_ + 8000) << cable;
    EXPECT_LE(When(SmEventKind::kResumed), up_ + 60'000) << cable;
  }
}

// Once up, the manager asks every switch whether it has missed anything. A trap does not wait for
// the last answer, and what has been asked when a change begins is not asked again.
TEST_F(Change, ATrapGoesBeforeQuestionsAboutTheBringUp) {
  fabric_.emplace(Torus({8, 8}, 1), DoubleOptions{});
  fabric_->StartManager({});
  const auto asked = [this] { return manager().counters().sent.at(ib::MadAttribute::kSwitchInfo); };
  const auto has = [this](SmEventKind kind) {
    return fabric_->RunUntil([this, kind] { return fabric_->Count(kind) > 0; }, kLimit);
  };
  ASSERT_TRUE(has(SmEventKind::kSubnetUp));
  const std::uint64_t before = asked();
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(has(SmEventKind::kReconfigurationStarted));
  EXPECT_LT(asked() - before, 64u);
  ASSERT_TRUE(Settle());
  EXPECT_GE(asked() - before, 64u);
  EXPECT_LT(asked() - before, 64u + 32u);
  EXPECT_EQ(Completed(), 1);
  ExpectAllDeliverable(*fabric_);
}

TEST_F(Change, SweepsNoticeEveryCutWithoutWaitingForTimeouts) {
  const Topology topology = Torus({4, 4}, 1);
  for (std::size_t cable = 0; cable < topology.cables().size(); ++cable) {
    if (static_cast<int>(cable) == CableBetween(topology, "S0_0", "H0_0_0")) continue;
    SmConfig config;
    config.sweep_period = 50'000;
    DoubleOptions options;
    options.send_traps = false;
    BringUp(config, options);
    fabric_->Cut(static_cast<int>(cable));
    ASSERT_TRUE(Reconfigure());
    ASSERT_EQ(manager().phase(), SmPhase::kUp);
    EXPECT_LE(When(SmEventKind::kTopologyChanged), up_ + 50'000 + 10'000) << cable;
  }
}

TEST_F(Change, OnlyChangedBlocksAreLoaded) {
  BringUp(Torus({4, 4}, 4), {}, {});  // 80 LIDs: two blocks
  const auto before = manager().counters().sent;
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  const auto& after = manager().counters().sent;
  using ib::MadAttribute;
  EXPECT_LE(after.at(MadAttribute::kLinearForwardingTable) -
                before.at(MadAttribute::kLinearForwardingTable),
            32u);
  EXPECT_GE(after.at(MadAttribute::kLinearForwardingTable) -
                before.at(MadAttribute::kLinearForwardingTable),
            1u);
  // A table for every pair of ports was there already, but for pairs that no path used.
  EXPECT_LT(
      after.at(MadAttribute::kSlToVlMappingTable) - before.at(MadAttribute::kSlToVlMappingTable),
      60u);
}

TEST_F(Change, NothingIsHaltedTwiceOrLeftHalted) {
  BringUp();
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(manager().counters().sent.at(ib::MadAttribute::kVendorInjection), 2u * 16);
}

TEST_F(Change, LostTrapsAreMadeUpForBySweeps) {
  SmConfig config;
  config.sweep_period = 400'000;
  DoubleOptions options;
  options.send_traps = false;
  BringUp(config, options);
  const Cycle cut = fabric_->now();
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(fabric_->Count(SmEventKind::kTrapReceived), 0);
  EXPECT_LE(fabric_->Find(SmEventKind::kSweepChange, cut)->cycle, cut + 500'000);
  ExpectTablesLoaded(*fabric_);
  ExpectAllDeliverable(*fabric_);
}

TEST_F(Change, SweepsCanBeSwitchedOff) {
  SmConfig config;
  config.sweep_period = 0;
  BringUp(config);
  EXPECT_EQ(manager().NextDeadline(), kNoDeadline);
}

TEST_F(Change, QuietSweepsDoNothingElse) {
  BringUp();
  const auto before = manager().counters();
  const std::size_t events = fabric_->events().size();
  fabric_->RunFor(2'000'000);
  EXPECT_EQ(fabric_->events().size(), events);
  const auto sweeps = manager().counters().sent.at(ib::MadAttribute::kSwitchInfo) -
                      before.sent.at(ib::MadAttribute::kSwitchInfo);
  EXPECT_EQ(sweeps, manager().counters().total_sent - before.total_sent);
  EXPECT_GE(sweeps, 16u * 5);
}

TEST_F(Change, TrapsAreRepressed) {
  BringUp();
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  fabric_->RunFor(500'000);
  for (const int node : fabric_->topology().switches())
    EXPECT_FALSE(fabric_->agent(node).trap_pending);
  EXPECT_GE(manager().counters().traps_repressed, 2u);
}

TEST_F(Change, EndNodeCutOffAndBack) {
  BringUp();
  Cut("S2_2", "H2_2_0");
  ASSERT_TRUE(Reconfigure());
  ExpectAllDeliverable(*fabric_, {"H2_2_0"});
  const Lid lid = fabric_->agent("H2_2_0").lid;
  for (const int node : fabric_->topology().switches()) {
    const auto& agent = fabric_->agent(node);
    EXPECT_EQ(agent.lft[agent.bank][lid], ib::kLftUnreachable)
        << fabric_->topology().node(node).name;
  }
  Restore("S2_2", "H2_2_0");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(fabric_->agent("H2_2_0").lid, lid);
  ExpectTablesLoaded(*fabric_);
  ExpectAllDeliverable(*fabric_);
}

TEST_F(Change, SwitchCutOffAndBackWithOtherTables) {
  BringUp();
  for (const char* neighbour : {"S1_2", "S3_2", "S2_1", "S2_3"}) Cut("S2_2", neighbour);
  ASSERT_TRUE(Reconfigure());
  fabric_->RunFor(2'000'000);  // traps of all neighbours
  ASSERT_TRUE(Settle());
  ExpectAllDeliverable(*fabric_, {"H2_2_0"});
  ExpectTablesLoaded(*fabric_, {"S2_2", "H2_2_0"});
  // It comes back as after a reset.
  auto& agent = fabric_->agent("S2_2");
  for (auto& lft : agent.lft) lft.assign(lft.size(), 9);
  for (auto& tables : agent.sl_to_vl) tables.clear();
  agent.lid = agent.master_lid = 0;
  for (const char* neighbour : {"S1_2", "S3_2", "S2_1", "S2_3"}) Restore("S2_2", neighbour);
  ASSERT_TRUE(Reconfigure());
  fabric_->RunFor(2'000'000);
  ASSERT_TRUE(Settle());
  ASSERT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size());
  ExpectTablesLoaded(*fabric_);
  ExpectAllDeliverable(*fabric_);
  ExpectNobodyHalted(*fabric_);
}

TEST_F(Change, BouncedLinkIsActivatedAgainWithoutHaltingAnybody) {
  BringUp();
  Cut("S1_1", "S2_1");
  Restore("S1_1", "S2_1");
  ASSERT_TRUE(Respond(SmEventKind::kLinksRestored));
  EXPECT_EQ(fabric_->Count(SmEventKind::kReconfigurationStarted), 0);
  EXPECT_EQ(manager().counters().sent.count(ib::MadAttribute::kVendorInjection), 0u);
  ExpectAllDeliverable(*fabric_);
}

TEST_F(Change, BouncedEndNodeLink) {
  BringUp();
  Cut("S2_1", "H2_1_0");
  Restore("S2_1", "H2_1_0");
  ASSERT_TRUE(Respond(SmEventKind::kLinksRestored));
  ExpectAllDeliverable(*fabric_);
}

TEST_F(Change, NoisyAgentsCauseNoLoop) {
  DoubleOptions options;
  options.traps_for_sets = true;
  BringUp({}, options);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  Restore("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  fabric_->RunFor(3'000'000);
  ASSERT_TRUE(Settle());
  EXPECT_EQ(fabric_->Count(SmEventKind::kReconfigurationStarted), 2);
  ExpectAllDeliverable(*fabric_);
}

TEST_F(Change, SecondCutAtAnyMomentOfTheFirstReconfiguration) {
  for (Cycle delay = 200; delay < 40'000; delay += 1700) {
    BringUp();
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + delay, [this] { Cut("S0_0", "S1_0"); });
    ASSERT_TRUE(Reconfigure()) << delay;
    fabric_->RunFor(1'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << delay << ": " << fabric_->events().back().detail;
    EXPECT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size() - 2)
        << delay;
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
    ExpectNobodyHalted(*fabric_);
  }
}

TEST_F(Change, RepairAtAnyMomentOfTheReconfiguration) {
  for (Cycle delay = 200; delay < 40'000; delay += 1700) {
    BringUp();
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + delay, [this] { Restore("S1_1", "S2_1"); });
    fabric_->RunFor(1'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << delay << ": " << fabric_->events().back().detail;
    EXPECT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size()) << delay;
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
    ExpectNobodyHalted(*fabric_);
  }
}

TEST_F(Change, SwitchBouncesAtAnyMomentOfTheReconfiguration) {
  for (Cycle delay = 200; delay < 30'000; delay += 900) {
    BringUp();
    Cut("S1_1", "S2_1");
    const char* kNeighbours[] = {"S1_2", "S3_2", "S2_1", "S2_3"};
    fabric_->At(fabric_->now() + delay, [&] {
      for (const char* neighbour : kNeighbours) Cut("S2_2", neighbour);
    });
    fabric_->At(fabric_->now() + delay + 30 + delay / 2, [&] {
      for (const char* neighbour : kNeighbours) Restore("S2_2", neighbour);
    });
    fabric_->RunFor(2'000'000);
    ASSERT_TRUE(Settle()) << delay;
    EXPECT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size() - 1)
        << delay;
    ExpectAllDeliverable(*fabric_);
  }
}

TEST_F(Change, LossOfManagementPackets) {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    DoubleOptions options;
    options.loss = 0.05;
    options.seed = seed;
    for (const StaticLoad load :
         {StaticLoad::kActiveBankAfterDrain, StaticLoad::kInactiveBankDuringDrain}) {
      SmConfig config;
      config.static_load = load;
      BringUp(config, options);
      Cut("S1_1", "S2_1");
      ASSERT_TRUE(Reconfigure()) << seed;
      ASSERT_EQ(manager().phase(), SmPhase::kUp) << seed << ": " << fabric_->events().back().detail;
      ExpectTablesLoaded(*fabric_);
      ExpectAllDeliverable(*fabric_);
      ExpectNobodyHalted(*fabric_);
    }
  }
}

TEST_F(Change, SilentSwitchIsLeftOut) {
  SmConfig config;
  config.timeout = 2000;
  config.retries = 2;
  BringUp(config);
  fabric_->agent("S2_2").mute = true;
  ASSERT_TRUE(Reconfigure());
  ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
  EXPECT_GE(fabric_->Count(SmEventKind::kSweepChange), 1);
  ExpectAllDeliverable(*fabric_, {"H2_2_0"});
}

TEST_F(Change, ManagerCutOffFails) {
  SmConfig config;
  config.timeout = 2000;
  config.retries = 2;
  BringUp(config);
  Cut("S0_0", "H0_0_0");
  ASSERT_TRUE(fabric_->RunUntil([&] { return manager().phase() == SmPhase::kFailed; }, kLimit));
  EXPECT_EQ(fabric_->events().back().detail,
            "manager H0_0_0 cut off in phase 'up': its own link is down");
  EXPECT_EQ(manager().NextDeadline(), kNoDeadline);
}

TEST_F(Change, ManagerCutOffOnTheWayNamesThePhase) {
  SmConfig config;
  config.timeout = 2000;
  std::set<SmPhase> phases;
  for (Cycle delay = 200; delay < 20'000; delay += 400) {
    BringUp(config);
    Cut("S1_1", "S2_1");
    fabric_->RunFor(delay);
    const SmPhase phase = manager().phase();
    phases.insert(phase);
    Cut("S0_0", "H0_0_0");
    fabric_->RunFor(config.timeout + 1);
    const SmEvent& last = fabric_->events().back();
    ASSERT_EQ(last.kind, SmEventKind::kCutOff) << delay;
    EXPECT_EQ(last.detail, "manager H0_0_0 cut off in phase '" + std::string(SmPhaseName(phase)) +
                               "': its own link is down");
    Restore("S0_0", "H0_0_0");
    fabric_->RunFor(100'000);
    EXPECT_EQ(manager().phase(), SmPhase::kFailed) << "it has given up for good";
  }
  EXPECT_EQ(phases, (std::set<SmPhase>{SmPhase::kUp, SmPhase::kHalt, SmPhase::kDrain,
                                       SmPhase::kReload, SmPhase::kResume}));
}

TEST_F(Change, ManagerWhoseOwnLinkBouncesGoesOn) {
  for (Cycle delay = 200; delay < 20'000; delay += 400) {
    BringUp();
    Cut("S1_1", "S2_1");
    fabric_->RunFor(delay);
    Cut("S0_0", "H0_0_0");
    fabric_->RunFor(1000);
    Restore("S0_0", "H0_0_0");
    fabric_->RunFor(200'000);
    ASSERT_TRUE(Settle());
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
    ExpectAllDeliverable(*fabric_);
    ExpectNobodyHalted(*fabric_);
  }
}

TEST_F(Change, ManagerWhoseTransportRefusesEverythingFails) {
  BringUp();
  fabric_->refuse_all = true;
  ASSERT_TRUE(fabric_->RunUntil([&] { return manager().phase() == SmPhase::kFailed; }, kLimit));
  EXPECT_EQ(fabric_->events().back().detail.find("discovery: "), 0u)
      << fabric_->events().back().detail;
}

TEST_F(Change, EngineThatCannotRouteTheRestFails) {
  SmConfig config;
  config.routing_engine = "dor";
  BringUp(config);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(manager().phase(), SmPhase::kFailed);
  EXPECT_EQ(fabric_->events().back().kind, SmEventKind::kFailed);
  EXPECT_EQ(fabric_->events().back().detail.find("routing: "), 0u);
  EXPECT_EQ(manager().counters().sent.count(ib::MadAttribute::kVendorInjection), 0u);
}

// ---- Draining ----

TEST_F(Change, WaitsForBusySwitches) {
  BringUp();
  fabric_->agent("S3_3").busy_polls = 7;
  EXPECT_EQ(PollsOfAChange(), 16u + 16 * 9);
}

TEST_F(Change, AsksAnEndNodeUntilItHasSentItsLastPacket) {
  BringUp();
  fabric_->agent("H3_3_0").busy_polls = 3;
  EXPECT_EQ(PollsOfAChange(), 16u * 5 + 15 + 4);
}

// The map gets longer between two polls.
TEST_F(Change, ANewSwitchIsFoundWhileTheNetworkDrains) {
  for (Cycle delay = 0; delay < 40'000; delay += 800) {
    fabric_.emplace(Torus({4, 4}, 1), DoubleOptions{});
    for (const char* neighbour : {"S2_3", "S0_3", "S3_2", "S3_0"}) Cut("S3_3", neighbour);
    fabric_->StartManager({});
    ASSERT_TRUE(Settle());
    fabric_->agent("S0_0").busy_polls = 5;
    Cut("S1_1", "S2_1");
    fabric_->RunFor(delay);
    Restore("S3_3", "S3_2");
    fabric_->RunFor(400'000);
    ASSERT_TRUE(Settle());
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << delay << ": " << fabric_->events().back().detail;
    EXPECT_TRUE(manager().topology().FindNode("S3_3"));
    ExpectNobodyHalted(*fabric_);
  }
}

TEST_F(Change, WaitsForCountersToStandStill) {
  BringUp();
  fabric_->agent("S3_3").moving_polls = 5;
  EXPECT_EQ(PollsOfAChange(), 16u + 16 * 6);
}

TEST_F(Change, TwoPollsAreTheLeast) {
  BringUp();
  EXPECT_EQ(PollsOfAChange(), 16u + 16 * 2);
}

TEST_F(Change, NetworkThatNeverDrainsFails) {
  SmConfig config;
  config.drain_timeout = 200'000;
  BringUp(config);
  fabric_->agent("S3_3").busy_polls = 1'000'000;
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(manager().phase(), SmPhase::kFailed);
  EXPECT_EQ(fabric_->events().back().detail,
            "drain: the network has not drained in 200000 cycles: packets wait in S3_3");
}

TEST_F(Change, NothingIsLoadedBeforeTheNetworkIsEmpty) {
  BringUp();
  fabric_->agent("S3_3").busy_polls = 7;
  fabric_->outbound_filter = [&](const Mad& mad) {
    if (mad.attribute() == ib::MadAttribute::kLinearForwardingTable) {
      EXPECT_NE(fabric_->Find(SmEventKind::kDrained, up_), std::nullopt);
    }
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
}

TEST_F(Change, ComputationTimeIsModelled) {
  SmConfig config;
  config.compute_time = 300'000;
  config.compute_time_per_switch = 100;
  config.compute_time_per_path = 2.5;
  BringUp(config);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(When(SmEventKind::kTablesComputed),
            When(SmEventKind::kReconfigurationStarted) + 300'000 + 16 * 100 + 16 * 15 * 5 / 2);
  EXPECT_EQ(fabric_->Find(SmEventKind::kTablesComputed, up_)->detail,
            "updown, 302200 cycles, 12 of 256 entries new");
  EXPECT_EQ(manager().computations().size(), 2u);
  EXPECT_LT(When(SmEventKind::kDrained), When(SmEventKind::kTablesComputed));
  EXPECT_LT(When(SmEventKind::kTablesComputed), When(SmEventKind::kTablesLoaded));
}

// ---- Inactive bank ----

class InactiveBank : public Change {
 protected:
  SmConfig Config() {
    SmConfig config;
    config.static_load = StaticLoad::kInactiveBankDuringDrain;
    return config;
  }

  // Returns how many switches have changed their bank. Static reconfiguration leaves the number of
  // the function alone.
  int ExpectCommitsOnce() {
    int total = 0;
    for (const int node : fabric_->topology().switches()) {
      const auto& agent = fabric_->agent(node);
      EXPECT_LE(agent.commits, 1);
      EXPECT_EQ(agent.epoch, 5);
      total += agent.commits;
    }
    return total;
  }
};

TEST_F(InactiveBank, IsLoadedWhileTheNetworkDrainsAndCommittedAfterwards) {
  BringUp(Config());
  fabric_->agent("S3_3").busy_polls = 40;
  bool loaded_early = false;
  fabric_->outbound_filter = [&](const Mad& mad) {
    const bool drained = fabric_->Find(SmEventKind::kDrained, up_).has_value();
    EXPECT_NE(mad.attribute(), ib::MadAttribute::kLinearForwardingTable);
    if (mad.attribute() == ib::MadAttribute::kVendorInactiveForwardingTable && !drained)
      loaded_early = true;
    EXPECT_TRUE(drained || mad.attribute() != ib::MadAttribute::kVendorBank);
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_TRUE(loaded_early);
  ExpectTablesLoaded(*fabric_);
  ExpectAllDeliverable(*fabric_);
  EXPECT_GE(ExpectCommitsOnce(), 1);
}

TEST_F(InactiveBank, RepeatedReconfigurationsAlternateBanks) {
  BringUp(Config());
  for (int round = 0; round < 3; ++round) {
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
    Restore("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
  }
}

TEST_F(InactiveBank, CommitWhoseAnswerIsLostHappensOnce) {
  BringUp(Config());
  Cut("S1_1", "S2_1");
  // Of some commits the request is lost, of others the answer: the manager cannot tell the two
  // apart.
  int commits = 0;
  int lost_requests = 0;
  int lost_answers = 0;
  fabric_->outbound_filter = [&](const Mad& mad) {
    const bool is_commit =
        mad.attribute() == ib::MadAttribute::kVendorBank && mad.method() == ib::MadMethod::kSet;
    if (!is_commit || ++commits % 3 != 0) return true;
    ++lost_requests;
    return false;
  };
  fabric_->inbound_filter = [&](const Mad& mad) {
    const bool is_answer = mad.attribute() == ib::MadAttribute::kVendorBank && lost_answers < 2;
    if (!is_answer) return true;
    ++lost_answers;
    return false;
  };
  ASSERT_TRUE(Reconfigure());
  ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
  EXPECT_GE(lost_requests, 1);
  EXPECT_GE(lost_answers, 1);
  EXPECT_GE(ExpectCommitsOnce(), 2);
  ExpectTablesLoaded(*fabric_);
}

TEST_F(InactiveBank, SecondCutAtAnyMoment) {
  for (Cycle delay = 200; delay < 60'000; delay += 2300) {
    BringUp(Config());
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + delay, [this] { Cut("S0_0", "S1_0"); });
    ASSERT_TRUE(Reconfigure()) << delay;
    fabric_->RunFor(1'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << delay << ": " << fabric_->events().back().detail;
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
    ExpectNobodyHalted(*fabric_);
  }
}

// ---- Repeatability ----

TEST(Repeatability, SameSeedSameTimeline) {
  std::vector<std::vector<std::pair<Cycle, std::string>>> timelines;
  for (const std::uint32_t seed : {3u, 3u, 4u}) {
    DoubleOptions options;
    options.loss = 0.05;
    options.seed = seed;
    FabricDouble fabric(Torus({4, 4}, 1), options);
    fabric.StartManager({});
    fabric.At(300'000, [&] { fabric.Cut(0); });
    fabric.RunUntil([] { return false; }, 2'000'000);
    auto& timeline = timelines.emplace_back();
    for (const SmEvent& event : fabric.events()) {
      timeline.emplace_back(event.cycle, std::string(SmEventName(event.kind)) + event.detail);
    }
  }
  EXPECT_EQ(timelines[0], timelines[1]);
  EXPECT_NE(timelines[0], timelines[2]);
}

}  // namespace
}  // namespace lanecut
