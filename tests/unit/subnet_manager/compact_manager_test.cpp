// SPDX-License-Identifier: Apache-2.0
//
// What the manager does differently with compact packets: whole tables in one packet, nothing that
// waits for the window, commands that are flooded and those who have missed them.
#include <gtest/gtest.h>

#include <map>

#include "sw/mad/compact_mad.h"
#include "tests/unit/subnet_manager/running_fabric.h"

namespace lanecut {
namespace {

using ib::MadAttribute;
using Scheme = ReconfigurationScheme;

SmConfig Compact(Scheme scheme) {
  SmConfig config;
  config.encoding = ManagementEncoding::kCompact;
  config.scheme = scheme;
  config.flood_halt = scheme == Scheme::kStatic;
  return config;
}

class CompactManager : public RunningFabric {
 protected:
  std::uint64_t Sent(MadAttribute attribute) {
    const auto& sent = manager().counters().sent;
    const auto it = sent.find(attribute);
    return it == sent.end() ? 0 : it->second;
  }
  void CutAndReconfigure() {
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
    ExpectGood();
  }
  void ExpectGood() {
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
    ExpectTablesLoaded(*fabric_);
    ExpectAllDeliverable(*fabric_);
    for (std::size_t i = 0; i < fabric_->topology().nodes().size(); ++i) {
      EXPECT_FALSE(fabric_->agent(static_cast<int>(i)).halted);
    }
  }
};

TEST_F(CompactManager, ATableAndWhatComesOfItAreOnePacketForEachSwitch) {
  for (const Scheme scheme :
       {Scheme::kEbr, Scheme::kEbrd, Scheme::kOsrLa, Scheme::kOsrPda, Scheme::kDouble}) {
    BringUp(Compact(scheme));
    std::map<std::uint64_t, int> updates;  // by what comes after them
    int others = 0;
    fabric_->outbound_filter = [&](const Mad& mad) {
      others += mad.attribute() == MadAttribute::kVendorBank ||
                mad.attribute() == MadAttribute::kVendorInactiveForwardingTable;
      if (mad.attribute() == MadAttribute::kVendorTableUpdate) ++updates[mad.modifier() >> 29];
      return true;
    };
    CutAndReconfigure();
    const std::uint64_t expected =
        (UsesEpochs(scheme) ? ib::kUpdateCommit : ib::kUpdateReady) >> 29;
    EXPECT_EQ(updates[expected], 16);
    EXPECT_EQ(others, 0);
    EXPECT_EQ(manager().counters().retries, 0U);
    for (const int node : fabric_->topology().switches()) {
      EXPECT_EQ(fabric_->agent(node).flips + fabric_->agent(node).commits, 1);
    }
  }
}

TEST_F(CompactManager, TablesWaitForNoAnswer) {
  SmConfig config = Compact(Scheme::kEbr);
  config.window = 1;
  DoubleOptions options;
  options.optimized_sl_to_vl = true;
  BringUp(config, options);
  Cycle first = 0;
  Cycle last = 0;
  fabric_->outbound_filter = [&](const Mad& mad) {
    if (mad.attribute() == MadAttribute::kVendorTableUpdate && mad.modifier() >> 31 != 0) {
      if (first == 0) first = fabric_->now();
      last = fabric_->now();
    }
    return true;
  };
  CutAndReconfigure();
  // 2 + 3 words of header, 3 of path, 2 of attribute, 5 of table, ICRC and VCRC: 17 for each.
  EXPECT_LE(last - first, 16U * 17);
}

// New packets wait for the tables, but nobody for those who ask whether the flood has come.
TEST_F(CompactManager, TablesGoBeforeTheQuestionsWhoHasStarted) {
  BringUp(Compact(Scheme::kOsrPda));
  int updates = 0;  // or what must be answered before
  int questions = 0;
  fabric_->outbound_filter = [&](const Mad& mad) {
    updates += mad.attribute() == MadAttribute::kVendorTableUpdate ||
               mad.attribute() == MadAttribute::kVendorInactiveSlToVl;
    if (mad.attribute() == MadAttribute::kVendorFunction && mad.method() == ib::MadMethod::kGet) {
      ++questions;
      EXPECT_GE(updates, 16);
    }
    return true;
  };
  CutAndReconfigure();
  EXPECT_GE(questions, 16);
}

TEST_F(CompactManager, EbrdSendsOnlyWhatDiffers) {
  std::map<Scheme, std::uint64_t> entries;
  for (const Scheme scheme : {Scheme::kEbr, Scheme::kEbrd}) {
    SmConfig config = Compact(scheme);
    BringUp(Torus({6, 6}, 2), config, {});
    const std::uint64_t before = fabric_->compact_words;
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
    ExpectGood();
    entries[scheme] = fabric_->compact_words - before;
  }
  EXPECT_LT(entries[Scheme::kEbrd], entries[Scheme::kEbr]);
}

// Of every change, not only of the first.
TEST_F(CompactManager, OsrSendsOnlyWhatDiffersIfTold) {
  for (const Scheme scheme : {Scheme::kOsrLa, Scheme::kOsrPda}) {
    std::map<std::pair<bool, int>, std::uint64_t> words;
    for (const bool differences : {false, true}) {
      SmConfig config = Compact(scheme);
      config.differences = differences;
      BringUp(Torus({6, 6}, 2), config, {});
      int change = 0;
      for (const char* to : {"S2_1", "S0_1"}) {
        const std::uint64_t before = fabric_->compact_words;
        Cut("S1_1", to);
        ASSERT_TRUE(Reconfigure());
        ExpectGood();
        words[{differences, change++}] = fabric_->compact_words - before;
      }
    }
    for (const int change : {0, 1}) EXPECT_LT((words[{true, change}]), (words[{false, change}]));
  }
}

// ---- Floods ----

TEST_F(CompactManager, HaltAndResumeAreFlooded) {
  BringUp(Compact(Scheme::kStatic));
  CutAndReconfigure();
  // Two floods, the manager's own node, and the question who is halted.
  EXPECT_EQ(Sent(MadAttribute::kVendorInjection), 2U + 2 + 16);
  for (std::size_t i = 0; i < fabric_->topology().nodes().size(); ++i) {
    const int node = static_cast<int>(i);
    const int expected = node == fabric_->manager_node() ? 0 : 2;
    EXPECT_EQ(fabric_->agent(node).floods_taken, expected);
  }
  EXPECT_LE(When(SmEventKind::kHalted), When(SmEventKind::kDrained));
  EXPECT_LT(When(SmEventKind::kTablesLoaded), When(SmEventKind::kResumed));
}

TEST_F(CompactManager, NobodyStaysHaltedOrInjectsWhoHasMissedAFlood) {
  for (int lost = 0; lost < 4; ++lost) {
    BringUp(Compact(Scheme::kStatic));
    int floods = 0;
    fabric_->flood_filter = [&](int node) {
      ++floods;
      if (lost == 0) return false;                                            // all of them
      if (lost == 1) return node != *fabric_->topology().FindNode("H2_2_0");  // one end node
      if (lost == 2) return node % 5 != 2;                                    // some
      return floods % 2 == 0;
    };
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(
        fabric_->RunUntil([&] { return fabric_->Count(SmEventKind::kDrained) > 0; }, kLimit));
    for (const int node : fabric_->topology().hcas()) EXPECT_TRUE(fabric_->agent(node).halted);
    ASSERT_TRUE(Reconfigure());
    ExpectGood();
    if (lost == 0) {
      EXPECT_GT(Sent(MadAttribute::kVendorInjection), 2U + 2 + 16 + 15);
    }
  }
}

TEST_F(CompactManager, StaticSurvivesLossesAndASecondCut) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    DoubleOptions options;
    options.loss = 0.05;
    options.seed = seed;
    SmConfig config = Compact(Scheme::kStatic);
    config.flood_halt = seed % 2 == 0;
    RunningFabric::BringUp(config, options);
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + 700 * seed, [this] { Cut("S0_0", "S1_0"); });
    fabric_->RunFor(3'000'000);
    ASSERT_TRUE(Settle()) << seed;
    ExpectGood();
  }
}

TEST_F(CompactManager, StartsThatAreLostAreRepeatedOneByOne) {
  for (const Scheme scheme : {Scheme::kOsrLa, Scheme::kOsrPda}) {
    for (const bool all : {true, false}) {
      BringUp(Compact(scheme));
      const int deaf = *fabric_->topology().FindNode("H2_2_0");
      fabric_->flood_filter = [=](int node) { return !all && node != deaf; };
      CutAndReconfigure();
      // The flood, the manager's own node, and those who have missed it.
      EXPECT_GE(Sent(MadAttribute::kVendorFunction), 3U);
      EXPECT_EQ(fabric_->Count(SmEventKind::kRestarted), 0);
    }
  }
}

// Drain and switch-over under Double Scheme, of every node in turn.
TEST_F(CompactManager, WhoMissesAFloodOfDoubleSchemeIsToldByThePolls) {
  const std::size_t nodes = Torus({4, 4}, 1).nodes().size();
  for (std::size_t deaf = 0; deaf < nodes; ++deaf) {
    for (const int missed : {1, 2, 3}) {
      BringUp(Compact(Scheme::kDouble));
      fabric_->flood_filter = [=, this](int node) {
        const int flood = fabric_->Count(SmEventKind::kDrained) == 0 ? 1 : 2;
        return static_cast<std::size_t>(node) != deaf || (missed & flood) == 0;
      };
      CutAndReconfigure();
      EXPECT_EQ(fabric_->Count(SmEventKind::kRestarted), 0);
      for (std::size_t i = 0; i < nodes; ++i) {
        EXPECT_EQ(fabric_->agent(static_cast<int>(i)).flips, 1);
      }
      if (HasFailure()) FAIL() << "node " << deaf << " has missed " << missed;
    }
  }
}

TEST_F(CompactManager, BothFloodsOfDoubleSchemeMayBeLostToAll) {
  BringUp(Compact(Scheme::kDouble));
  fabric_->flood_filter = [](int) { return false; };
  CutAndReconfigure();
  EXPECT_EQ(fabric_->Count(SmEventKind::kRestarted), 0);
}

TEST_F(CompactManager, TheStartIsFlooded) {
  BringUp(Compact(Scheme::kOsrLa));
  int starts = 0;
  fabric_->outbound_filter = [&](const Mad& mad) {
    starts +=
        mad.attribute() == MadAttribute::kVendorFunction && mad.method() == ib::MadMethod::kSet;
    return true;
  };
  CutAndReconfigure();
  EXPECT_EQ(starts, 1);
}

}  // namespace
}  // namespace lanecut
