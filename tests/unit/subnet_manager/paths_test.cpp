// SPDX-License-Identifier: Apache-2.0
//
// End nodes with several LIDs, and faults that are got round by other paths: apm and rftr.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/subnet_manager/running_fabric.h"

namespace lanecut {
namespace {

using ib::MadAttribute;
using Scheme = ReconfigurationScheme;

SmConfig Config(Scheme scheme) {
  SmConfig config;
  config.scheme = scheme;
  config.lmc = scheme == Scheme::kApm ? 4 : 3;
  if (scheme == Scheme::kApm) {
    config.routing_engine = "tftr";
    config.paths = 4;
  }
  return config;
}

class Paths : public RunningFabric {
 protected:
  std::uint64_t Sent(MadAttribute attribute) {
    const auto& sent = manager().counters().sent;
    const auto found = sent.find(attribute);
    return found == sent.end() ? 0 : found->second;
  }
  std::uint64_t TablesSent() {
    return Sent(MadAttribute::kLinearForwardingTable) + Sent(MadAttribute::kSlToVlMappingTable);
  }
  std::size_t Told() {
    std::size_t told = 0;
    for (const int node : fabric_->topology().hcas()) told += fabric_->agent(node).paths.size();
    return told;
  }
  void ExpectGood() {
    ASSERT_NE(manager().phase(), SmPhase::kFailed) << fabric_->events().back().detail;
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
    ExpectNobodyHalted(*fabric_);
  }
};

TEST_F(Paths, EndNodesGetRangesOfLids) {
  SmConfig config;
  config.lmc = 2;
  BringUp(config);
  int lid = 4;
  for (const int node : fabric_->topology().hcas()) {
    EXPECT_EQ(fabric_->agent(node).lid, lid);
    EXPECT_EQ(fabric_->agent(node).ports[1].set.lmc, 2);
    lid += 4;
  }
  for (const int node : fabric_->topology().switches()) EXPECT_EQ(fabric_->agent(node).lid, lid++);
  ExpectGood();
}

TEST_F(Paths, SeveralPathsAreComputedForEveryPair) {
  SmConfig config = Config(Scheme::kApm);
  config.scheme = Scheme::kStatic;
  BringUp(config);
  const RoutingTables& tables = manager().tables();
  for (const int source : manager().topology().hcas()) {
    for (const int destination : manager().topology().hcas()) {
      if (source == destination) continue;
      EXPECT_EQ(tables.NumPaths(source, destination), 4);
    }
  }
  ExpectGood();
  EXPECT_EQ(fabric_->Find(SmEventKind::kTablesComputed)->detail, "tftr, 4 paths");
  Cut("S0_0", "S1_0");  // new tables for what is left
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
}

// The paths in the order of the tables, from the one in use on.
TEST_F(Paths, ApmTakesTheNextPathThatIsWhole) {
  BringUp(Config(Scheme::kApm));
  const RoutingTables base = manager().tables();
  const std::uint64_t tables_sent = TablesSent();
  for (const auto& [a, b] : {std::pair{"S1_1", "S2_1"}, {"S1_1", "S1_2"}, {"S0_1", "S1_1"}}) {
    const RoutingTables before = manager().tables();
    Cut(a, b);
    ASSERT_TRUE(Reconfigure());
    ExpectGood();
    const Topology& now = manager().topology();
    std::size_t changed = 0;
    for (const int source : now.hcas()) {
      for (const int destination : now.hcas()) {
        if (source == destination) continue;
        const auto& list = base.alternatives[source][destination];
        const auto used = std::ranges::find(list, before.PathOf(source, destination, 0));
        auto next = used;
        while (TracePath(now, base, source, destination, *next).end != PathEnd::kDelivered) {
          if (++next == list.end()) next = list.begin();
          ASSERT_NE(next, used);
        }
        EXPECT_EQ(manager().tables().PathOf(source, destination, 0), *next);
        changed += next != used ? 1 : 0;
      }
    }
    EXPECT_GT(changed, 0u);
    EXPECT_EQ(fabric_->events().back().detail, std::to_string(changed) + " of 240 pairs");
  }
  EXPECT_EQ(TablesSent(), tables_sent);
}

TEST_F(Paths, ApmStaysOnAPathThatIsWhole) {
  BringUp(Config(Scheme::kApm));
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  const std::uint64_t told = Sent(MadAttribute::kVendorPaths);
  EXPECT_GT(told, 0u);
  EXPECT_LE(told, 16u);
  Restore("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(Sent(MadAttribute::kVendorPaths), told);
  Cut("S0_0", "S1_0");  // all four paths of each pair are there again, but for this link
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
}

TEST_F(Paths, ApmNamesAPairThatHasLostAllPaths) {
  BringUp(Config(Scheme::kApm));
  for (const char* other : {"S1_0", "S0_1", "S0_3"}) {
    Cut("S0_0", other);
    ASSERT_TRUE(Reconfigure());
  }
  ExpectGood();
  // Some way is left from S0_0, but not all of these paths lead through it.
  Cut("S3_1", "S3_0");
  Cut("S3_2", "S3_3");
  ASSERT_TRUE(fabric_->RunUntil([&] { return manager().phase() == SmPhase::kFailed; }, kLimit));
  EXPECT_NE(fabric_->events().back().detail.find("routing: the tables of tftr do not lead from H"),
            std::string::npos)
      << fabric_->events().back().detail;
}

TEST_F(Paths, RftrAddsWhatThePairsThatAreCutNeed) {
  BringUp(Config(Scheme::kRftr));
  const std::uint64_t blocks = Sent(MadAttribute::kLinearForwardingTable);
  std::uint64_t sent = blocks;
  for (const auto& [a, b] : {std::pair{"S1_1", "S2_1"},
                             {"S1_1", "S1_2"},
                             {"S0_1", "S1_1"},
                             {"S3_3", "S0_3"},
                             {"S2_2", "S2_3"}}) {
    const RoutingTables before = manager().tables();
    Cut(a, b);
    ASSERT_TRUE(Reconfigure());
    ExpectGood();
    EXPECT_LT(Sent(MadAttribute::kLinearForwardingTable) - sent, blocks / 2);
    sent = Sent(MadAttribute::kLinearForwardingTable);
    // Only pairs whose path has crossed the link have another one.
    for (const int source : manager().topology().hcas()) {
      for (const int destination : manager().topology().hcas()) {
        if (source == destination) continue;
        const auto old = before.PathOf(source, destination, 0);
        const bool is_whole =
            TracePath(manager().topology(), before, source, destination, old).end ==
            PathEnd::kDelivered;
        EXPECT_EQ(manager().tables().PathOf(source, destination, 0) == old, is_whole);
      }
    }
  }
}

TEST_F(Paths, RftrDoesWithoutALinkThatIsBack) {
  BringUp(Config(Scheme::kRftr));
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  const RoutingTables after = manager().tables();
  Restore("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(manager().tables(), after);
  EXPECT_EQ(fabric_->agent("S1_1").ports[1].state, ib::PortState::kActive);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
}

TEST_F(Paths, RftrSaysWhatItLacks) {
  SmConfig config = Config(Scheme::kRftr);
  config.lmc = 0;
  BringUp(config);
  Cut("S0_0", "S1_0");
  ASSERT_TRUE(fabric_->RunUntil([&] { return manager().phase() == SmPhase::kFailed; }, kLimit));
  EXPECT_EQ(
      fabric_->events().back().detail,
      "routing: rftr: LMC 0 gives 1 LIDs to an end node, and its paths need 2; expected LMC 1");
}

TEST_F(Paths, NoStandby) {
  SmConfig config = Config(Scheme::kRftr);
  BringUp(config);
  config.is_standby = true;
  EXPECT_THROW(fabric_->StartStandby(config), RoutingError);
}

class EveryPathScheme : public Paths, public testing::WithParamInterface<Scheme> {};

TEST_P(EveryPathScheme, SurvivesLossOfManagementPackets) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    DoubleOptions options;
    options.loss = 0.05;
    options.seed = seed;
    BringUp(Config(GetParam()), options);
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
    Cut("S1_1", "S1_2");
    ASSERT_TRUE(Reconfigure());
    ASSERT_TRUE(Settle());
    ExpectGood();
  }
}

// The first change is abandoned wherever it stands.
TEST_P(EveryPathScheme, ASecondFaultAtAnyMoment) {
  BringUp(Config(GetParam()));
  Cut("S1_1", "S2_1");
  const Cycle cut = fabric_->now();
  ASSERT_TRUE(Reconfigure());
  const Cycle length = fabric_->now() - cut;
  constexpr int kMoments = 20;
  for (int moment = 0; moment <= kMoments; ++moment) {
    BringUp(Config(GetParam()));
    Cut("S1_1", "S2_1");
    fabric_->RunFor(length * static_cast<Cycle>(moment) / kMoments);
    Cut("S1_1", "S1_2");
    ASSERT_TRUE(SettleWith(fabric_->topology().cables().size() - 2)) << moment;
    ExpectGood();
  }
}

TEST_P(EveryPathScheme, SendsCompactPacketsToo) {
  SmConfig config = Config(GetParam());
  config.encoding = ManagementEncoding::kCompact;
  BringUp(config);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_GT(Told(), 0u);
}

TEST_P(EveryPathScheme, ANodeThatComesLaterIsRefused) {
  const Topology torus = Torus({4, 4}, 1);
  fabric_.emplace(torus, DoubleOptions{});
  const int cable = CableBetween(torus, "H3_3_0", "S3_3");
  fabric_->Cut(cable);
  fabric_->StartManager(Config(GetParam()));
  ASSERT_TRUE(Settle());
  ASSERT_TRUE(manager().IsUp());
  fabric_->Restore(cable);
  ASSERT_TRUE(fabric_->RunUntil([&] { return manager().phase() == SmPhase::kFailed; }, kLimit));
  EXPECT_NE(fabric_->events().back().detail.find("H3_3_0 was not there"), std::string::npos)
      << fabric_->events().back().detail;
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryPathScheme, testing::Values(Scheme::kApm, Scheme::kRftr),
                         [](const auto& param_info) {
                           return std::string(SchemeName(param_info.param));
                         });

}  // namespace
}  // namespace lanecut
