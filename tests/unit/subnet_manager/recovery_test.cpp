// SPDX-License-Identifier: Apache-2.0
//
// Faults one after the other under apm-rftr-ebr: other paths that are there, then more by RFTR,
// then other tables by EBR, as the manager chooses.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sw/routing/sl_halves.h"
#include "sw/topology/families.h"
#include "tests/unit/subnet_manager/running_fabric.h"

namespace lanecut {
namespace {

SmConfig Config(int paths, int lmc) {
  SmConfig config;
  config.scheme = ReconfigurationScheme::kApmRftrEbr;
  config.routing_engine = "tftr";
  config.paths = paths;
  config.lmc = lmc;
  return config;
}

class Recovery : public RunningFabric {
 protected:
  // The last choice, up to the colon.
  std::string Choice() { return Detail().substr(0, Detail().find(':')); }
  std::string Detail() {
    const auto& events = fabric_->events();
    const auto last = std::find_if(events.rbegin(), events.rend(), [](const SmEvent& event) {
      return event.kind == SmEventKind::kRecoveryChosen;
    });
    return last == events.rend() ? "none" : last->detail;
  }
  // Their half: 0 or 1; every path of every pair is on the same one.
  int HalfInUse() {
    std::set<int> halves;
    const RoutingTables& tables = manager().tables();
    for (const int source : manager().topology().hcas()) {
      for (const int destination : manager().topology().hcas()) {
        for (int i = 0; source != destination && i < tables.NumPaths(source, destination); ++i)
          halves.insert(tables.PathOf(source, destination, i).sl / kSlsOfHalf);
      }
    }
    EXPECT_EQ(halves.size(), 1u);
    return *halves.begin();
  }
  void ExpectGood() {
    ASSERT_NE(manager().phase(), SmPhase::kFailed) << fabric_->events().back().detail;
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
    ExpectNobodyHalted(*fabric_);
    HalfInUse();
  }
  // Cuts cables between switches in random order, but none that cuts a switch off, until `done`.
  void CutUntil(std::uint32_t seed, int most, const std::function<bool()>& done) {
    std::mt19937 random(seed);
    std::vector<int> cables;
    for (int i = 0; i < static_cast<int>(fabric_->topology().cables().size()); ++i) {
      const Cable& cable = fabric_->topology().cables()[i];
      if (fabric_->topology().IsSwitch(cable.a.node) && fabric_->topology().IsSwitch(cable.b.node))
        cables.push_back(i);
    }
    std::ranges::shuffle(cables, random);
    for (const int cable : cables) {
      if (most == 0 || done()) break;
      if (std::ranges::find(cut_, cable) != cut_.end()) continue;
      cut_.push_back(cable);
      const std::vector<int> hops = fabric_->topology().Without(cut_).HopsFrom(0);
      if (std::ranges::count(hops, -1) > 0) {
        cut_.pop_back();
        continue;
      }
      --most;
      fabric_->Cut(cable);
      ASSERT_TRUE(Reconfigure()) << fabric_->events().back().detail;
      ExpectGood();
      if (HasFailure()) return;
    }
  }
  std::vector<int> cut_;  // by CutUntil()
  int Chosen(const std::string& choice) {
    return static_cast<int>(std::ranges::count_if(fabric_->events(), [&](const SmEvent& event) {
      return event.kind == SmEventKind::kRecoveryChosen && event.detail.starts_with(choice + ": ");
    }));
  }
};

TEST_F(Recovery, AllThreeOneAfterTheOther) {
  BringUp(Config(4, 4));
  EXPECT_EQ(HalfInUse(), 0);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(Choice(), "disjoint paths") << Detail();
  cut_ = {CableBetween(fabric_->topology(), "S1_1", "S2_1")};
  CutUntil(1, 20, [this] { return Chosen("ebr") > 0; });
  EXPECT_GT(Chosen("rftr"), 0);
  EXPECT_EQ(Choice(), "ebr") << Detail();
  EXPECT_NE(Detail().find("rftr: "), std::string::npos);  // why not
  EXPECT_EQ(HalfInUse(), 1);
  // And again from there.
  const int faults_before = fabric_->Count(SmEventKind::kAlternatesTaken);
  CutUntil(2, 2, [] { return false; });
  EXPECT_GT(fabric_->Count(SmEventKind::kAlternatesTaken), faults_before);
}

// The first fault that leaves a pair with one path is for RFTR; what is whole stays.
TEST_F(Recovery, TwoPathsAreReadyAfterEveryFault) {
  BringUp(Config(2, 4));
  RoutingTables before = manager().tables();
  for (const auto& [a, b] : {std::pair{"S1_1", "S2_1"}, {"S1_1", "S1_2"}, {"S3_0", "S0_0"}}) {
    Cut(a, b);
    ASSERT_TRUE(Reconfigure());
    ExpectGood();
    ASSERT_EQ(Choice(), "rftr") << Detail();
    for (const int source : manager().topology().hcas()) {
      for (const int destination : manager().topology().hcas()) {
        if (source == destination) continue;
        EXPECT_EQ(manager().tables().NumPaths(source, destination), 2);
        std::vector<RoutingTables::PathRecord> whole;
        for (int i = 0; i < before.NumPaths(source, destination); ++i) {
          const auto record = before.PathOf(source, destination, i);
          if (TracePath(manager().topology(), before, source, destination, record).end ==
              PathEnd::kDelivered) {
            whole.push_back(record);
          }
        }
        for (std::size_t i = 0; i < whole.size(); ++i)
          EXPECT_EQ(manager().tables().PathOf(source, destination, static_cast<int>(i)), whole[i]);
      }
    }
    before = manager().tables();
  }
}

// End nodes have another path before the new tables are even computed.
TEST_F(Recovery, AlternatesAreTakenAtOnce) {
  SmConfig config = Config(2, 4);
  config.compute_time = 200'000;
  BringUp(config);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  const Cycle cut_at = When(SmEventKind::kTrapReceived);
  EXPECT_LT(When(SmEventKind::kAlternatesTaken), cut_at + 50'000);
  EXPECT_GT(When(SmEventKind::kRecoveryChosen), cut_at + 200'000);
  EXPECT_GT(When(SmEventKind::kTablesLoaded), When(SmEventKind::kRecoveryChosen));
  EXPECT_GE(When(SmEventKind::kPathsChanged), When(SmEventKind::kTablesLoaded));
  const std::string detail = fabric_->Find(SmEventKind::kAlternatesTaken)->detail;
  const auto of = detail.find(" of ");
  EXPECT_EQ(detail.substr(0, of), detail.substr(of + 4, of)) << detail;  // all of them
}

// Where LIDs are short it comes to EBR soon; each takes the other half of the SLs.
TEST_F(Recovery, OneEbrAfterTheOther) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    BringUp(Config(2, 3));
    cut_.clear();
    for (int change = 1; change <= 3; ++change) {
      CutUntil(seed * 10 + static_cast<std::uint32_t>(change), 6,
               [&] { return Chosen("ebr") == change; });
      ASSERT_FALSE(HasFailure()) << seed;
      EXPECT_EQ(HalfInUse(), Chosen("ebr") % 2);
    }
    EXPECT_GT(Chosen("ebr"), 0);
  }
}

TEST_F(Recovery, ALinkThatIsBackIsUsedAfterTheNextEbr) {
  BringUp(Config(2, 3));
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  Restore("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(Choice(), "disjoint paths") << Detail();
  CutUntil(4, 12, [this] { return Chosen("ebr") > 0; });
  EXPECT_EQ(Choice(), "ebr");
}

// RFTR has no tables for it, so it comes in by EBR.
TEST_F(Recovery, ANodeThatComesLater) {
  const Topology torus = Torus({4, 4}, 1);
  fabric_.emplace(torus, DoubleOptions{});
  const int cable = CableBetween(torus, "H3_3_0", "S3_3");
  fabric_->Cut(cable);
  fabric_->StartManager(Config(2, 4));
  ASSERT_TRUE(Settle());
  ASSERT_TRUE(manager().IsUp());
  fabric_->Restore(cable);
  ASSERT_TRUE(Reconfigure());
  ASSERT_TRUE(Settle());
  ExpectGood();
  EXPECT_EQ(Detail(), "ebr: H3_3_0 is not in the tables in force");
}

// Path sets of a torus's patterns, and tftr for what is left of it.
TEST_F(Recovery, PatternsToBeginWith) {
  SmConfig config = Config(4, 5);
  config.routing_engine = "spftr";
  config.after_fault_engine = "tftr";
  BringUp(Torus({5, 5}, 1), config, {});
  CutUntil(3, 30, [this] { return Chosen("ebr") > 0; });
  EXPECT_GT(Chosen("disjoint paths"), 0);
  EXPECT_GT(Chosen("rftr"), 0);
  EXPECT_EQ(Chosen("ebr"), 1);
}

// Where LMC 3 leaves few LIDs: the second fault is for EBR.
class RecoveryByEbr : public Recovery, public testing::WithParamInterface<ManagementEncoding> {
 protected:
  SmConfig Start() {
    SmConfig config = Config(2, 3);
    config.encoding = GetParam();
    return config;
  }
  static constexpr std::pair<const char*, const char*> kFaults[] = {
      {"S1_1", "S2_1"}, {"S1_1", "S1_2"}, {"S3_0", "S0_0"}, {"S2_2", "S2_3"}, {"S0_1", "S0_2"},
      {"S2_0", "S2_1"}, {"S1_3", "S2_3"}, {"S0_2", "S3_2"}, {"S1_0", "S1_1"}, {"S0_3", "S0_0"}};
};

TEST_P(RecoveryByEbr, SurvivesLossOfManagementPackets) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    DoubleOptions options;
    options.loss = 0.05;
    options.seed = seed;
    BringUp(Start(), options);
    for (const auto& [a, b] : kFaults) {
      Cut(a, b);
      ASSERT_TRUE(Reconfigure());
      ASSERT_TRUE(Settle());
      ExpectGood();
    }
    EXPECT_GT(Chosen("ebr"), 0);
  }
}

// Whatever is under way at the second fault: alternates, RFTR, EBR before and after its first
// commit, telling.
TEST_P(RecoveryByEbr, AnotherFaultAtAnyMoment) {
  // Which fault brings about EBR, and how long everything takes from there.
  BringUp(Start());
  std::size_t faults = 0;
  Cycle length = 0;
  while (faults < std::size(kFaults) && Chosen("ebr") == 0) {
    const Cycle cut = fabric_->now();
    Cut(kFaults[faults].first, kFaults[faults].second);
    ++faults;
    ASSERT_TRUE(Reconfigure());
    length = fabric_->now() - cut;
  }
  ASSERT_EQ(Choice(), "ebr");
  std::set<SmPhase> phases;
  constexpr int kMoments = 20;
  for (int moment = 0; moment <= kMoments; ++moment) {
    BringUp(Start());
    for (std::size_t i = 0; i + 1 < faults; ++i) {
      Cut(kFaults[i].first, kFaults[i].second);
      ASSERT_TRUE(Reconfigure());
    }
    Cut(kFaults[faults - 1].first, kFaults[faults - 1].second);
    fabric_->RunFor(length * static_cast<Cycle>(moment) / kMoments);
    phases.insert(manager().phase());
    Cut("S3_2", "S3_3");
    ASSERT_TRUE(SettleWith(fabric_->topology().cables().size() - faults - 1)) << moment;
    ExpectGood();
    ASSERT_FALSE(HasFailure()) << moment;
  }
  EXPECT_TRUE(phases.contains(SmPhase::kPaths));
  EXPECT_TRUE(phases.contains(SmPhase::kCommit));
}

INSTANTIATE_TEST_SUITE_P(Encodings, RecoveryByEbr,
                         testing::Values(ManagementEncoding::kIb, ManagementEncoding::kCompact),
                         [](const auto& encoding) {
                           return encoding.param == ManagementEncoding::kIb ? "ib" : "compact";
                         });

}  // namespace
}  // namespace lanecut
