// SPDX-License-Identifier: Apache-2.0
//
// Reconfiguration under traffic: what the schemes that number routing functions send, in which
// order, and that they end whatever happens.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sw/routing/feeder_rows.h"
#include "tests/unit/subnet_manager/fabric_double.h"
#include "tests/unit/subnet_manager/running_fabric.h"
#include "tests/unit/subnet_manager/test_fabrics.h"

namespace lanecut {
namespace {

using ib::MadAttribute;
using Scheme = ReconfigurationScheme;

SmConfig With(Scheme scheme) {
  SmConfig config;
  config.scheme = scheme;
  return config;
}

struct Case {
  Scheme scheme;
  ManagementEncoding encoding;
};

SmConfig With(const Case& one) {
  SmConfig config = With(one.scheme);
  config.encoding = one.encoding;
  return config;
}

class SchemeFabric : public RunningFabric {
 protected:
  bool UsesTokens() { return config_.UsesTokens(); }
  void BringUp(SmConfig config, DoubleOptions options = {}) {
    config_ = config;
    RunningFabric::BringUp(Torus({4, 4}, 1), std::move(config), options);
  }

  // Everybody has the same function, none is left in between, and no end node is held.
  void ExpectOneFunction(std::uint8_t number, const std::vector<std::string>& except = {}) {
    for (std::size_t i = 0; i < fabric_->topology().nodes().size(); ++i) {
      const std::string& name = fabric_->topology().node(static_cast<int>(i)).name;
      if (std::find(except.begin(), except.end(), name) != except.end()) continue;
      const auto& agent = fabric_->agent(static_cast<int>(i));
      EXPECT_EQ(agent.epoch, number) << name;
      EXPECT_EQ(agent.scheme, config_.DrainsVls() ? ib::FunctionScheme::kDouble
                              : UsesTokens()      ? ib::FunctionScheme::kTokens
                                                  : ib::FunctionScheme::kEpochs)
          << name;
      EXPECT_FALSE(agent.started) << name;
      EXPECT_FALSE(agent.draining || agent.restricted) << name;
      EXPECT_FALSE(agent.halted) << name;
      EXPECT_EQ(agent.late_writes, 0) << name;
    }
  }
  std::uint8_t NumberInForce() { return fabric_->agent("S0_0").epoch; }

  void ExpectRows(const std::vector<std::string>& except = {}) {
    if (!UsesTokens()) return;
    const Topology& seen = manager().topology();
    const DependencyGraph graph(seen, manager().tables());
    const std::vector<FeederRows> rows = ComputeFeederRows(seen, graph, config_.data_vls);
    for (const int node : seen.switches()) {
      const std::string& name = seen.node(node).name;
      if (std::find(except.begin(), except.end(), name) != except.end()) continue;
      auto& agent = fabric_->agent(name);
      for (int block = 0; block < rows[node].NumBlocks(); ++block) {
        EXPECT_EQ(agent.rows[agent.bank][block], rows[node].BlockAt(block)) << name;
      }
    }
  }

  void ExpectGood(const std::vector<std::string>& except = {}) {
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
    ExpectTablesLoaded(*fabric_, except);
    std::vector<std::string> silent = except;
    for (const std::string& name : except) {
      if (name[0] == 'S') silent.push_back("H" + name.substr(1) + "_0");
    }
    ExpectAllDeliverable(*fabric_, silent);
    ExpectRows(except);
    ExpectOneFunction(NumberInForce(), silent);
  }

  void ForAllLinksOf(const std::string& name, bool restore) {
    const Topology& t = fabric_->topology();
    for (int port = 1; port <= 4; ++port) {
      const int cable = t.PeerOf(*t.FindNode(name), port)->cable;
      restore ? fabric_->Restore(cable) : fabric_->Cut(cable);
    }
  }

  void Reset(const std::string& name) {
    auto& agent = fabric_->agent(name);
    for (auto& lft : agent.lft) lft.assign(lft.size(), 9);
    for (auto& tables : agent.sl_to_vl) tables.clear();
    for (auto& rows : agent.rows) rows.clear();
    agent.lid = agent.master_lid = 0;
    agent.epoch = 0;
    agent.ready = agent.started = false;
    agent.scheme = ib::FunctionScheme::kNone;
  }

  std::uint64_t Sent(MadAttribute attribute) {
    const auto& sent = manager().counters().sent;
    const auto it = sent.find(attribute);
    return it == sent.end() ? 0 : it->second;
  }
  std::uint64_t TablePackets() {
    return Sent(MadAttribute::kVendorInactiveForwardingTable) +
           Sent(MadAttribute::kVendorInactiveSlToVl) + Sent(MadAttribute::kVendorTableUpdate);
  }

  SmConfig config_;
};

class EveryScheme : public SchemeFabric, public testing::WithParamInterface<Case> {
 protected:
  static Scheme scheme() { return GetParam().scheme; }
  static bool IsCompact() { return GetParam().encoding == ManagementEncoding::kCompact; }
};

std::vector<Case> EveryCase() {
  std::vector<Case> cases;
  for (const Scheme scheme :
       {Scheme::kOsrPda, Scheme::kOsrLa, Scheme::kEbr, Scheme::kEbrd, Scheme::kDouble}) {
    for (const auto encoding : {ManagementEncoding::kIb, ManagementEncoding::kCompact}) {
      cases.push_back({scheme, encoding});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryScheme, testing::ValuesIn(EveryCase()),
                         [](const auto& param_info) {
                           std::string name(SchemeName(param_info.param.scheme));
                           std::replace(name.begin(), name.end(), '-', '_');
                           const bool is_ib = param_info.param.encoding == ManagementEncoding::kIb;
                           return name + (is_ib ? "_ib" : "_compact");
                         });

// ---- Bring-up ----

TEST_P(EveryScheme, BringUpSetsSchemeAndRows) {
  BringUp(With(GetParam()));
  ExpectGood();
  EXPECT_EQ(NumberInForce(), 5);  // what the switches said
  EXPECT_EQ(Sent(MadAttribute::kVendorScheme), 32u + (UsesTokens() ? 16 : 0));  // asked first
  EXPECT_EQ(Sent(MadAttribute::kVendorFeederRows), UsesTokens() ? 16u : 0u);
}

TEST_P(EveryScheme, BringUpMakesNumbersAlike) {
  config_ = With(GetParam());
  fabric_.emplace(Torus({4, 4}, 1), DoubleOptions{});
  fabric_->agent("S2_2").epoch = 2;
  fabric_->agent("S3_1").epoch = 6;
  fabric_->agent("H1_1_0").epoch = 0;
  fabric_->StartManager(config_);
  ASSERT_TRUE(Settle());
  EXPECT_EQ(NumberInForce(), 5);
  ExpectGood();
}

TEST_P(EveryScheme, OnlySwitchesUnderEpochsLearnForHowLongHeadsWait) {
  SmConfig config = With(GetParam());
  config.hold_cycles = 5000;
  BringUp(config);
  for (std::size_t i = 0; i < fabric_->topology().nodes().size(); ++i) {
    const int node = static_cast<int>(i);
    const bool waits = config.UsesEpochs() && fabric_->topology().IsSwitch(node);
    EXPECT_EQ(fabric_->agent(node).hold_cycles, waits ? 5000u : 0u);
  }
}

TEST(SchemeBringUp, StaticLeavesSchemesAlone) {
  FabricDouble fabric(Torus({4, 4}, 1), {});
  fabric.StartManager({});
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  EXPECT_EQ(fabric.manager().counters().sent.count(MadAttribute::kVendorScheme), 0u);
  EXPECT_EQ(fabric.manager().counters().sent.count(MadAttribute::kVendorFeederRows), 0u);
}

// ---- A lost link ----

TEST_P(EveryScheme, CutLinkIsRoutedAroundWithoutHaltingAnybody) {
  BringUp(With(GetParam()));
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(NumberInForce(), 6);
  EXPECT_EQ(Sent(MadAttribute::kVendorInjection), 0u);
  EXPECT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size() - 1);
  EXPECT_EQ(fabric_->Count(SmEventKind::kChangeStarted), 1);
  EXPECT_EQ(fabric_->Count(SmEventKind::kChangeCompleted), 1);
  for (const int node : fabric_->topology().switches()) {
    EXPECT_EQ(fabric_->agent(node).flips + fabric_->agent(node).commits, 1);
  }
  EXPECT_EQ(manager().counters().retries, 0u);
  EXPECT_EQ(manager().counters().refused, 0u);
}

TEST_P(EveryScheme, EventsComeInOrder) {
  BringUp(With(GetParam()));
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  const Cycle loaded = When(SmEventKind::kTablesLoaded);
  const Cycle started = When(SmEventKind::kChangeStarted);
  const Cycle completed = When(SmEventKind::kChangeCompleted);
  EXPECT_LE(When(SmEventKind::kTablesComputed), loaded);
  if (scheme() == Scheme::kOsrLa || scheme() == Scheme::kDouble) {
    EXPECT_LE(loaded, started);
  } else {
    EXPECT_LT(started, loaded);
  }
  EXPECT_LE(loaded, completed);
  EXPECT_LE(started, completed);
  // The tables change hands once: for end nodes that have started, or when all switches have them.
  int changes = 0;
  for (const SmEvent& event : fabric_->events()) {
    if (event.cycle < up_ || !event.new_tables) continue;
    ++changes;
    EXPECT_EQ(event.kind,
              config_.UsesEpochs() ? SmEventKind::kTablesLoaded : SmEventKind::kChangeStarted);
  }
  EXPECT_EQ(changes, 1);
}

TEST_P(EveryScheme, EveryLinkOfTheTorusInTurn) {
  BringUp(With(GetParam()));
  for (std::size_t cable = 0; cable < fabric_->topology().cables().size(); ++cable) {
    const Cable& ends = fabric_->topology().cables()[cable];
    if (!fabric_->topology().IsSwitch(ends.a.node) || !fabric_->topology().IsSwitch(ends.b.node))
      continue;
    fabric_->Cut(static_cast<int>(cable));
    ASSERT_TRUE(Reconfigure()) << cable;
    ExpectGood();
    fabric_->Restore(static_cast<int>(cable));
    ASSERT_TRUE(Reconfigure()) << cable;
    ASSERT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size());
    ExpectGood();
  }
}

TEST_P(EveryScheme, NumbersWrap) {
  BringUp(With(GetParam()));
  for (int change = 1; change <= 10; ++change) {
    change % 2 != 0 ? Cut("S1_1", "S2_1") : Restore("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure()) << change;
    EXPECT_EQ(NumberInForce(), (5 + change) % 8);
    ExpectGood();
  }
}

TEST_P(EveryScheme, LossOfManagementPackets) {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    DoubleOptions options;
    options.loss = 0.05;
    options.seed = seed;
    BringUp(With(GetParam()), options);
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure()) << seed;
    ExpectGood();
    EXPECT_GT(manager().counters().retries, 0u);
    Restore("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure()) << seed;
    ExpectGood();
  }
}

TEST_P(EveryScheme, BusyAnswersMeanLater) {
  BringUp(With(GetParam()));
  fabric_->agent("S2_1").busy_answers = 2;
  fabric_->agent("S3_3").busy_answers = 1;
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(NumberInForce(), 6);
  EXPECT_EQ(fabric_->agent("S2_1").busy_answers, 0);
  EXPECT_EQ(fabric_->Count(SmEventKind::kRestarted), 0);
}

TEST_P(EveryScheme, ASwitchThatStaysBusyIsNamed) {
  SmConfig config = With(GetParam());
  config.timeout = 2000;
  config.retries = 1;
  BringUp(config);
  fabric_->agent("S3_3").busy_answers = 1'000'000;
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(fabric_->RunUntil([&] { return manager().phase() == SmPhase::kFailed; }, 4 * kLimit));
  const std::string detail = fabric_->events().back().detail;
  // Compact: whichever comes first, the start or the tables.
  const std::string attribute = IsCompact()          ? ""
                                : config.DrainsVls() ? "VendorVlDrain"
                                : UsesTokens()       ? "VendorFunction"
                                                     : "VendorBank";
  EXPECT_NE(detail.find("S3_3 is too busy for " + attribute), std::string::npos) << detail;
}

// ---- More than one fault ----

TEST_P(EveryScheme, SecondCutAtAnyMoment) {
  for (Cycle delay = 200; delay < 40'000; delay += 900) {
    BringUp(With(GetParam()));
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + delay, [this] { Cut("S0_0", "S1_0"); });
    ASSERT_TRUE(Reconfigure()) << delay;
    fabric_->RunFor(1'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << delay << ": " << fabric_->events().back().detail;
    EXPECT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size() - 2)
        << delay;
    ExpectGood();
    if (HasFailure()) FAIL() << "second cut after " << delay;
  }
}

TEST_P(EveryScheme, RepairAtAnyMoment) {
  for (Cycle delay = 200; delay < 40'000; delay += 900) {
    BringUp(With(GetParam()));
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + delay, [this] { Restore("S1_1", "S2_1"); });
    fabric_->RunFor(1'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << delay << ": " << fabric_->events().back().detail;
    EXPECT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size()) << delay;
    ExpectGood();
    if (HasFailure()) FAIL() << "repair after " << delay;
  }
}

// So much of the change is lost that requests are given up, and the manager begins anew, several
// times.
TEST_P(EveryScheme, SecondCutWhileRequestsAreGivenUp) {
  int restarts = 0;
  int given_up = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    SmConfig config = With(GetParam());
    config.timeout = 2000;
    config.retries = 3;
    config.max_restarts = 50;
    BringUp(config);
    std::mt19937 random(seed);
    const Cycle end = fabric_->now() + 150'000;
    fabric_->outbound_filter = [&](const Mad& mad) {
      const bool is_own = mad.attribute() >= MadAttribute::kVendorBank;
      return !is_own || fabric_->now() > end || random() % 100 >= 45;
    };
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + 1000 * seed, [this] { Cut("S0_0", "S1_0"); });
    ASSERT_TRUE(Reconfigure()) << seed;
    fabric_->RunFor(2'000'000);
    ASSERT_TRUE(Settle()) << seed;
    restarts += fabric_->Count(SmEventKind::kRestarted);
    if (manager().phase() == SmPhase::kFailed) {
      // Every attempt takes a number, and there are few.
      const std::string detail = fabric_->events().back().detail;
      EXPECT_TRUE(config.UsesEpochs()) << seed;
      EXPECT_NE(detail.find("functions behind the others"), std::string::npos) << detail;
      ++given_up;
      continue;
    }
    ExpectGood();
    if (HasFailure()) FAIL() << "seed " << seed << ": " << fabric_->events().back().detail;
  }
  EXPECT_GT(restarts, 10);
  EXPECT_LT(given_up, 10);
}

TEST_P(EveryScheme, SwitchCutOffAtAnyMomentAndBack) {
  for (const bool is_reset : {true, false}) {
    for (Cycle delay = 200; delay < 30'000; delay += 1900) {
      BringUp(With(GetParam()));
      Cut("S1_1", "S2_1");
      fabric_->At(fabric_->now() + delay, [this] { ForAllLinksOf("S2_2", false); });
      fabric_->RunFor(2'000'000);
      ASSERT_TRUE(Settle()) << delay;
      ExpectGood({"S2_2", "H2_2_0"});
      if (is_reset) Reset("S2_2");
      ForAllLinksOf("S2_2", true);
      fabric_->RunFor(2'000'000);
      ASSERT_TRUE(Settle()) << delay;
      ASSERT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size() - 1);
      ExpectGood();
      if (HasFailure()) FAIL() << "cut off after " << delay;
    }
  }
}

TEST_P(EveryScheme, SwitchBouncesAtAnyMoment) {
  for (Cycle delay = 200; delay < 30'000; delay += 1100) {
    BringUp(With(GetParam()));
    Cut("S1_1", "S2_1");
    const Cycle off = 30 + delay / 2;
    fabric_->At(fabric_->now() + delay, [this] { ForAllLinksOf("S2_2", false); });
    fabric_->At(fabric_->now() + delay + off, [this] { ForAllLinksOf("S2_2", true); });
    fabric_->RunFor(2'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ASSERT_EQ(manager().topology().cables().size(), fabric_->topology().cables().size() - 1);
    ExpectGood();
    if (HasFailure()) FAIL() << "bounced after " << delay;
  }
}

// It is half read when the change that runs goes on.
TEST_P(EveryScheme, NewSwitchIsFoundAtAnyMoment) {
  for (Cycle delay = 200; delay < 30'000; delay += 2300) {
    config_ = With(GetParam());
    fabric_.emplace(Torus({4, 4}, 1), DoubleOptions{});
    ForAllLinksOf("S3_3", false);
    fabric_->StartManager(config_);
    ASSERT_TRUE(Settle());
    Cut("S1_1", "S2_1");
    fabric_->RunFor(delay);
    Restore("S3_3", "S3_2");
    fabric_->RunFor(1'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ASSERT_TRUE(manager().topology().FindNode("S3_3")) << delay;
    ExpectGood();
    if (HasFailure()) FAIL() << "found after " << delay;
  }
}

TEST_P(EveryScheme, EndNodeCutOffAndBack) {
  BringUp(With(GetParam()));
  Cut("S2_2", "H2_2_0");
  ASSERT_TRUE(Reconfigure());
  ExpectGood({"H2_2_0"});
  EXPECT_EQ(fabric_->agent("H2_2_0").epoch, 5);
  Restore("S2_2", "H2_2_0");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(NumberInForce(), 7);
  EXPECT_EQ(Sent(MadAttribute::kVendorInjection), 2u);  // held until there were tables
}

TEST_P(EveryScheme, EndNodeCutOffAtAnyMoment) {
  for (Cycle delay = 200; delay < 30'000; delay += 1100) {
    BringUp(With(GetParam()));
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + delay, [this] { Cut("S2_2", "H2_2_0"); });
    fabric_->RunFor(1'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ExpectGood({"H2_2_0"});
    if (HasFailure()) FAIL() << "cut off after " << delay;
  }
}

TEST_P(EveryScheme, LinkBouncesAtAnyMoment) {
  for (Cycle delay = 200; delay < 30'000; delay += 1100) {
    BringUp(With(GetParam()));
    Cut("S1_1", "S2_1");
    fabric_->At(fabric_->now() + delay, [this] { Cut("S2_2", "H2_2_0"); });
    fabric_->At(fabric_->now() + delay + 50, [this] { Restore("S2_2", "H2_2_0"); });
    fabric_->RunFor(1'000'000);
    ASSERT_TRUE(Settle()) << delay;
    ExpectGood();
    if (HasFailure()) FAIL() << "bounced after " << delay;
  }
}

TEST_P(EveryScheme, SilentSwitchIsLeftOut) {
  SmConfig config = With(GetParam());
  config.timeout = 2000;
  config.retries = 2;
  BringUp(config);
  fabric_->agent("S2_2").mute = true;
  for (int port = 1; port <= 4; ++port) {
    fabric_->agent("S2_2").ports[port].state = ib::PortState::kInitialize;
  }
  ASSERT_TRUE(fabric_->RunUntil(
      [&] { return fabric_->Count(SmEventKind::kReconfigurationStarted) > 0; }, kLimit));
  if (!UsesTokens()) {
    ASSERT_TRUE(Settle());
    ExpectGood({"S2_2", "H2_2_0"});
    return;
  }
  // Its neighbours wait for tokens that will never come: their ports are up.
  fabric_->RunFor(300'000);
  EXPECT_NE(manager().phase(), SmPhase::kUp);
}

// ---- Tokens ----

class Tokens : public SchemeFabric {};

TEST_F(Tokens, LookAheadLoadsEverythingBeforeItStartsAnybody) {
  BringUp(With(Scheme::kOsrLa));
  bool started = false;
  fabric_->outbound_filter = [&](const Mad& mad) {
    const bool is_load = mad.attribute() == MadAttribute::kVendorInactiveForwardingTable ||
                         mad.attribute() == MadAttribute::kVendorFeederRows;
    EXPECT_FALSE(is_load && started);
    if (mad.attribute() != MadAttribute::kVendorFunction || mad.method() != ib::MadMethod::kSet)
      return true;
    const auto function = ib::VendorFunction::Decode(mad);
    EXPECT_EQ(function.number, 6);
    EXPECT_NE(function.ready, function.start);
    started |= function.start;
    if (function.start) {
      for (const int node : fabric_->topology().switches()) {
        const auto& agent = fabric_->agent(node);
        EXPECT_TRUE(agent.ready || agent.epoch == 6);
      }
    }
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_TRUE(started);
}

TEST_F(Tokens, PdaStartsEverybodyFirst) {
  SmConfig config = With(Scheme::kOsrPda);
  config.compute_time = 30'000;
  BringUp(config);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_LT(When(SmEventKind::kChangeStarted), When(SmEventKind::kTablesComputed));
  EXPECT_LT(When(SmEventKind::kTablesComputed), When(SmEventKind::kTablesLoaded));
}

TEST_F(Tokens, LookAheadWaitsForTheComputation) {
  SmConfig config = With(Scheme::kOsrLa);
  config.compute_time = 30'000;
  BringUp(config);
  const std::uint64_t before = TablePackets();
  fabric_->outbound_filter = [&](const Mad& mad) {
    const bool is_load = mad.attribute() == MadAttribute::kVendorInactiveForwardingTable;
    EXPECT_TRUE(!is_load || fabric_->Find(SmEventKind::kTablesComputed, up_).has_value());
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_GT(TablePackets(), before);
}

// The answers would keep tokens from the manager's own node.
TEST_F(Tokens, NobodyIsAskedForTokensBeforeTheManagersOwnNodeHasItsOwn) {
  BringUp(With({Scheme::kOsrLa, ManagementEncoding::kCompact}), {.token_cycles = 1000});
  int asked = 0;
  fabric_->outbound_filter = [&](const Mad& mad) {
    if (mad.attribute() != MadAttribute::kVendorStatus) return true;
    ++asked;
    const auto& own = fabric_->agent(fabric_->manager_node());
    EXPECT_TRUE(own.epoch == 6 && !own.started);
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(asked, 16);
}

TEST_F(Tokens, SwitchesWithoutChangesAreReadyWithoutTables) {
  BringUp(With(Scheme::kOsrLa));
  for (int round = 0; round < 2; ++round) {
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
    Restore("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
  }
  // Both banks are known by now, and each holds what is wanted of it.
  const std::uint64_t before = TablePackets();
  const std::uint64_t rows = Sent(MadAttribute::kVendorFeederRows);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_EQ(TablePackets(), before);
  EXPECT_EQ(Sent(MadAttribute::kVendorFeederRows), rows);
}

TEST_F(Tokens, TokensThatNeverArriveFailNamingWhoWaits) {
  SmConfig config = With(Scheme::kOsrLa);
  config.drain_timeout = 100'000;
  DoubleOptions options;
  options.token_cycles = 1'000'000;
  BringUp(config, options);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(manager().phase(), SmPhase::kFailed);
  const std::string detail = fabric_->events().back().detail;
  EXPECT_EQ(detail.find("tokens: the tokens have not arrived in 100000 cycles: "), 0u) << detail;
  EXPECT_NE(detail.find(" and "), std::string::npos) << detail;
}

TEST_F(Tokens, CyclicTablesAreRefusedEvenIfAllowed) {
  SmConfig config = With(Scheme::kOsrLa);
  config.routing_engine = "minhop";
  config.allow_cyclic = true;
  fabric_.emplace(Torus({4, 4}, 1), DoubleOptions{});
  fabric_->StartManager(config);
  ASSERT_TRUE(Settle());
  EXPECT_EQ(manager().phase(), SmPhase::kFailed);
  const std::string detail = fabric_->events().back().detail;
  EXPECT_EQ(
      detail.find("routing: the tables of minhop can deadlock, and scheme osr-la needs tables "
                  "that cannot: "),
      0u)
      << detail;
}

// ---- Epochs ----

class Epochs : public SchemeFabric {
 protected:
  // In hops from S1_1 or S2_1, whichever is nearer, on the whole torus.
  int Distance(const std::string& name) {
    const Topology& t = fabric_->topology();
    const int node = *t.FindNode(name);
    return std::min(t.HopsFrom(*t.FindNode("S1_1"))[node], t.HopsFrom(*t.FindNode("S2_1"))[node]);
  }
  void ExpectNearestFirst() {
    ASSERT_EQ(fabric_->commits.size(), 16u);
    std::vector<int> distances;
    for (const std::string& name : fabric_->commits) distances.push_back(Distance(name));
    EXPECT_EQ(distances.front(), 0);
    EXPECT_EQ(distances.back(), 3);
  }
};

TEST_F(Epochs, CommitsAreSentInOrderOfDistanceFromTheFault) {
  for (const Scheme scheme : {Scheme::kEbr, Scheme::kEbrd}) {
    for (const double loss : {0.0, 0.05}) {
      DoubleOptions options;
      options.loss = loss;
      BringUp(With(scheme), options);
      int previous = 0;
      std::set<std::string> seen;  // routes: retries do not count
      fabric_->outbound_filter = [&](const Mad& mad) {
        if (mad.attribute() != MadAttribute::kVendorBank || mad.method() != ib::MadMethod::kSet)
          return true;
        int node = fabric_->manager_node();
        std::string route;
        for (int hop = 1; hop <= mad.hop_count(); ++hop) {
          route.push_back(static_cast<char>(mad.initial_path(hop)));
          node = fabric_->topology().PeerOf(node, route.back())->node;
        }
        if (!seen.insert(route).second) return true;
        const int distance = Distance(fabric_->topology().node(node).name);
        EXPECT_GE(distance, previous);
        previous = distance;
        return true;
      };
      Cut("S1_1", "S2_1");
      ASSERT_TRUE(Reconfigure());
      fabric_->outbound_filter = nullptr;
      ExpectGood();
      if (loss == 0) ExpectNearestFirst();
      EXPECT_EQ(seen.size(), 16u);
    }
  }
}

TEST_F(Epochs, APlannedChangeGoesOutFromTheManagerOrFromFarAway) {
  const Topology before = Torus({4, 4}, 1);
  RoutePlan plan;
  plan.topology = before;
  for (std::size_t i = 0; i < before.nodes().size(); ++i) {
    // The manager is node 0 of its map.
    plan.map_nodes.push_back(
        static_cast<int>(i) == *before.FindNode("H2_3_0") ? 0 : static_cast<int>(i) + 1);
  }
  const auto names = [&](DistributionOrder order) {
    std::vector<std::string> ordered;
    for (const RankedSwitch& ranked : RankSwitches(plan, plan, order)) {
      ordered.push_back(before.node(ranked.place).name);
    }
    return ordered;
  };
  const std::vector<std::string> near = names(DistributionOrder::kNearestFault);
  const std::vector<std::string> far = names(DistributionOrder::kFarthestManager);
  ASSERT_EQ(near.size(), 16u);
  EXPECT_EQ(near.front(), "S2_3");
  EXPECT_EQ(near.back(), "S0_1");
  EXPECT_EQ(far.front(), "S0_1");
  EXPECT_EQ(far.back(), "S2_3");
}

TEST_F(Epochs, FarthestFromTheManagerFirst) {
  SmConfig config = With(Scheme::kEbrd);
  config.order = DistributionOrder::kFarthestManager;
  BringUp(config);
  int previous = std::numeric_limits<int>::max();
  fabric_->outbound_filter = [&](const Mad& mad) {
    if (mad.attribute() != MadAttribute::kVendorBank || mad.method() != ib::MadMethod::kSet)
      return true;
    EXPECT_LE(mad.hop_count(), previous);
    previous = mad.hop_count();
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  fabric_->outbound_filter = nullptr;
  ExpectGood();
}

TEST_F(Epochs, EndNodesFollowTheirOwnSwitch) {
  BringUp(With(Scheme::kEbr));
  fabric_->inbound_filter = [&](const Mad&) {
    for (const int node : fabric_->topology().hcas()) {
      const int peer = fabric_->topology().PeerOf(node, 1)->node;
      EXPECT_TRUE(fabric_->agent(node).epoch == 5 || fabric_->agent(peer).epoch == 6);
    }
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
}

TEST_F(Epochs, WholeTablesOrOnlyDifferences) {
  std::uint64_t packets[2][2];
  for (const bool only_differences : {false, true}) {
    BringUp(With(only_differences ? Scheme::kEbrd : Scheme::kEbr));
    for (int change = 0; change < 2; ++change) {
      const std::uint64_t before = TablePackets();
      Cut(change == 0 ? "S1_1" : "S0_0", change == 0 ? "S2_1" : "S1_0");
      ASSERT_TRUE(Reconfigure());
      ExpectGood();
      packets[only_differences ? 1 : 0][change] = TablePackets() - before;
    }
    EXPECT_EQ(fabric_->commits.size(), 32u);  // a switch without differences commits, too
  }
  for (int change = 0; change < 2; ++change) {
    EXPECT_LT(packets[1][change], packets[0][change] / 2) << change;
    EXPECT_GT(packets[1][change], 0u);
  }
  EXPECT_GT(packets[0][0], 16u * 9);  // a block, and pairs of ports
}

TEST_F(Epochs, LoadsRunAheadOfCommits) {
  BringUp(With(Scheme::kEbr));
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  // Loads and answers of one switch after the other would take a round trip each.
  EXPECT_LT(When(SmEventKind::kChangeCompleted) - When(SmEventKind::kTablesComputed), 45'000u);
}

TEST_F(Epochs, CommitWhoseAnswerIsLostHappensOnce) {
  BringUp(With(Scheme::kEbr));
  Cut("S1_1", "S2_1");
  int commits = 0;
  int lost_requests = 0;
  int lost_answers = 0;
  fabric_->outbound_filter = [&](const Mad& mad) {
    const bool is_commit =
        mad.attribute() == MadAttribute::kVendorBank && mad.method() == ib::MadMethod::kSet;
    if (!is_commit || ++commits % 3 != 0) return true;
    ++lost_requests;
    return false;
  };
  fabric_->inbound_filter = [&](const Mad& mad) {
    if (mad.attribute() != MadAttribute::kVendorBank || lost_answers >= 2) return true;
    ++lost_answers;
    return false;
  };
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_GE(lost_requests, 1);
  EXPECT_EQ(lost_answers, 2);
  for (const int node : fabric_->topology().switches()) {
    EXPECT_EQ(fabric_->agent(node).commits, 1);
  }
}

// ---- Double Scheme ----

class DoubleScheme : public SchemeFabric {
 protected:
  // Every VlDrain command, as the node gets it.
  static bool IsCommand(const Mad& mad) {
    return mad.attribute() == MadAttribute::kVendorVlDrain && mad.method() == ib::MadMethod::kSet;
  }
};

// Compact: the flood, and those who are asked whether they are over. The manager's own node has no
// wire.
TEST_F(DoubleScheme, NobodySwitchesOverBeforeAllSwitchesAreIdleAndReady) {
  for (const auto encoding : {ManagementEncoding::kIb, ManagementEncoding::kCompact}) {
    BringUp(With({Scheme::kDouble, encoding}));
    int commands = 0;
    fabric_->outbound_filter = [&](const Mad& mad) {
      if (!IsCommand(mad) || !ib::VendorVlDrain::Decode(mad).switch_over) return true;
      ++commands;
      for (const int node : fabric_->topology().switches()) {
        const auto& agent = fabric_->agent(node);
        const bool is_idle = agent.draining && fabric_->now() >= agent.empty_at;
        EXPECT_TRUE(agent.epoch == 6 || (is_idle && agent.ready));
      }
      return true;
    };
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
    ExpectGood();
    EXPECT_GE(commands, 31);
  }
}

// Before the switch-over nobody is asked but switches that had packets left when they got their
// tables.
TEST_F(DoubleScheme, OnlySwitchesThatAreNotIdleAreAskedAgain) {
  for (const Cycle token_cycles : {1, 5000}) {
    DoubleOptions options;
    options.token_cycles = token_cycles;
    BringUp(With({Scheme::kDouble, ManagementEncoding::kCompact}), options);
    int drains = 0;
    fabric_->outbound_filter = [&](const Mad& mad) {
      if (!IsCommand(mad) || !ib::VendorVlDrain::Decode(mad).drain) return true;
      ++drains;
      return true;
    };
    Cut("S1_1", "S2_1");
    ASSERT_TRUE(Reconfigure());
    ExpectGood();
    if (token_cycles == 1) {
      EXPECT_EQ(drains, 1);  // the flood
    } else {
      EXPECT_GE(drains, 1 + 16);
    }
  }
}

TEST_F(DoubleScheme, DrainsWhileItComputesAndLoads) {
  SmConfig config = With(Scheme::kDouble);
  config.compute_time = 30'000;
  BringUp(config);
  std::optional<Cycle> first_drain;
  fabric_->outbound_filter = [&](const Mad& mad) {
    if (IsCommand(mad) && !first_drain) first_drain = fabric_->now();
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  ExpectGood();
  EXPECT_LT(*first_drain, When(SmEventKind::kTablesComputed));
  EXPECT_LE(When(SmEventKind::kTablesLoaded), When(SmEventKind::kDrained));
  EXPECT_LT(When(SmEventKind::kDrained), When(SmEventKind::kChangeStarted));
}

TEST_F(DoubleScheme, VlsThatDoNotRunEmptyFailNamingWhere) {
  SmConfig config = With(Scheme::kDouble);
  config.drain_timeout = 100'000;
  DoubleOptions options;
  options.token_cycles = 1'000'000;
  BringUp(config, options);
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(manager().phase(), SmPhase::kFailed);
  const std::string detail = fabric_->events().back().detail;
  EXPECT_EQ(detail.find("vl-drain: packets are left on VLs other than VL0 after 100000 cycles: "),
            0u)
      << detail;
}

TEST_F(DoubleScheme, OldPacketsThatStayOnVl0FailNamingWhere) {
  SmConfig config = With(Scheme::kDouble);
  config.drain_timeout = 100'000;
  BringUp(config);
  fabric_->outbound_filter = [&](const Mad& mad) {
    if (IsCommand(mad) && ib::VendorVlDrain::Decode(mad).switch_over) {
      fabric_->agent("S3_2").empty_at = kNoDeadline;
    }
    return true;
  };
  fabric_->inbound_filter = [&](const Mad&) {
    auto& agent = fabric_->agent("S3_2");
    if (agent.restricted) agent.empty_at = kNoDeadline;
    return true;
  };
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(manager().phase(), SmPhase::kFailed);
  EXPECT_EQ(fabric_->events().back().detail,
            "reopen: old packets are left on VL0 after 100000 cycles: S3_2");
}

// Rings with datelines are free of cycles by the choice of VLs only.
TEST_F(DoubleScheme, TablesThatNeedBothVlsAreRefusedAtOnce) {
  SmConfig config = With(Scheme::kDouble);
  config.routing_engine = "dor";
  fabric_.emplace(Torus({4, 4}, 1), DoubleOptions{});
  fabric_->StartManager(config);
  ASSERT_TRUE(Settle());
  ASSERT_EQ(manager().phase(), SmPhase::kFailed);
  const std::string detail = fabric_->events().back().detail;
  EXPECT_EQ(detail.find("routing: the tables of dor can deadlock if all packets are on one VL, as "
                        "scheme double-scheme has them during a change: S"),
            0u)
      << detail;
  EXPECT_NE(detail.find("; expected tables whose links alone have no cycle, like those of updown"),
            std::string::npos)
      << detail;
}

TEST_F(DoubleScheme, OneVlIsRefused) {
  SmConfig config = With(Scheme::kDouble);
  config.data_vls = 1;
  fabric_.emplace(Torus({4, 4}, 1), DoubleOptions{});
  fabric_->StartManager(config);
  ASSERT_TRUE(Settle());
  EXPECT_EQ(fabric_->events().back().detail,
            "routing: scheme double-scheme needs 2 data VLs, and there is one");
}

TEST_F(DoubleScheme, DimensionOrderOnAMeshNeedsNoSecondVl) {
  SmConfig config = With(Scheme::kDouble);
  config.routing_engine = "dor";
  fabric_.emplace(BuildMesh(std::array{3, 3}, 1), DoubleOptions{});
  fabric_->StartManager(config);
  ASSERT_TRUE(Settle());
  EXPECT_EQ(manager().phase(), SmPhase::kUp);
}

// ---- Another engine after a fault ----

using StaticAfterFault = RunningFabric;

TEST_P(EveryScheme, AnotherEngineAfterAFault) {
  SmConfig config = With(GetParam());
  config.routing_engine = "dor";
  config.after_fault_engine = "updown";
  if (config.DrainsVls()) return;  // see DoubleScheme
  BringUp(config);
  ExpectRows();
  Cut("S1_1", "S2_1");
  ASSERT_TRUE(Reconfigure());
  if (manager().phase() == SmPhase::kFailed) {
    // Packets of dor that wait at end nodes keep their service level, which updown must bear.
    EXPECT_EQ(fabric_->events().back().detail.find("routing: "), 0u);
    FAIL() << fabric_->events().back().detail;
  }
  ASSERT_EQ(manager().phase(), SmPhase::kUp);
  ExpectTablesLoaded(*fabric_);
  ExpectAllDeliverable(*fabric_);
  ExpectOneFunction(6);
}

// Dimension order is free of cycles on its own service levels, not on those that packets of updown
// were sent with.
TEST_P(EveryScheme, TablesThatPacketsOnTheWayCouldBlockAreRefused) {
  SmConfig config = With(GetParam());
  config.routing_engine = "updown";
  config.after_fault_engine = "dor";
  BringUp(config);
  Cut("S2_2", "H2_2_0");
  ASSERT_TRUE(Reconfigure());
  ASSERT_EQ(manager().phase(), SmPhase::kFailed);
  const std::string detail = fabric_->events().back().detail;
  const std::string expected = "routing: the tables of dor can deadlock, and scheme " +
                               std::string(SchemeName(scheme())) + " needs tables that cannot: S";
  EXPECT_EQ(detail.substr(0, expected.size()), expected);
}

TEST_F(StaticAfterFault, TablesThatOnlyOldPacketsCouldBlockAreGoodForAnEmptyNetwork) {
  SmConfig config;
  config.after_fault_engine = "dor";
  BringUp(config);
  Cut("S2_2", "H2_2_0");
  ASSERT_TRUE(Reconfigure());
  ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
}

TEST(AfterFault, AnotherRoot) {
  SmConfig config;
  config.root = "S0_0";
  config.after_fault_root = "S3_3";
  FabricDouble fabric(Torus({4, 4}, 1), {});
  SubnetManager& manager = fabric.StartManager(config);
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  const auto expected = [&](const char* root) {
    const Topology& t = manager.topology();
    const RoutingRequest request{t, manager.tables().lids, config.data_vls, t.FindNode(root)};
    return FindRoutingEngine("updown").Compute(request);
  };
  EXPECT_EQ(manager.tables(), expected("S0_0"));
  fabric.Cut(CableBetween(fabric.topology(), "S1_1", "S2_1"));
  ASSERT_TRUE(fabric.RunUntil(
      [&] { return fabric.Count(SmEventKind::kResumed) > 0 && manager.IsSettled(); }, kLimit));
  EXPECT_EQ(manager.tables(), expected("S3_3"));
  ExpectTablesLoaded(fabric);
}

TEST(AfterFault, EnginesThatDoNotExistAreRefused) {
  SmConfig config;
  config.after_fault_engine = "magic";
  FabricDouble fabric(TwoSwitches(), {});
  EXPECT_THROW(fabric.StartManager(config), RoutingError);
}

}  // namespace
}  // namespace lanecut
