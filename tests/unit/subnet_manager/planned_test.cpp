// SPDX-License-Identifier: Apache-2.0
//
// Changes that an operator asks for: other tables, links and switches out of service and into it,
// alone and while something else is under way.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/subnet_manager/running_fabric.h"

namespace lanecut {
namespace {

using Scheme = ReconfigurationScheme;
using Kind = PlannedChange::Kind;

class Planned : public RunningFabric, public testing::WithParamInterface<Scheme> {
 protected:
  void BringUpTorus(const std::vector<PortKey>& out_of_service = {}) {
    SmConfig config;
    config.scheme = GetParam();
    config.root = "S0_0";
    config.out_of_service = out_of_service;
    BringUp(Torus({4, 4}, 1), config, {});
  }

  std::vector<PortKey> Ends(int cable) const {
    const Cable& ends = torus_.cables()[cable];
    return {{torus_.node(ends.a.node).guid, ends.a.port},
            {torus_.node(ends.b.node).guid, ends.b.port}};
  }
  std::vector<PortKey> Link(const std::string& a, const std::string& b) const {
    return Ends(CableBetween(torus_, a, b));
  }
  std::vector<PortKey> Switch(const std::string& name) const {
    std::vector<PortKey> ports;
    const int node = *torus_.FindNode(name);
    for (int port = 1; port <= torus_.node(node).num_ports; ++port) {
      const auto peer = torus_.PeerOf(node, port);
      if (!peer) continue;
      for (const PortKey& end : Ends(peer->cable)) ports.push_back(end);
    }
    return ports;
  }

  static PlannedChange Reroute(const std::string& engine, const std::string& root) {
    return {Kind::kReroute, engine, root, {}, "reroute"};
  }
  static PlannedChange Remove(std::vector<PortKey> ports) {
    return {Kind::kRemove, "", "", std::move(ports), "remove"};
  }
  static PlannedChange Add(std::vector<PortKey> ports) {
    return {Kind::kAdd, "", "", std::move(ports), "add"};
  }

  bool Do(const PlannedChange& change) {
    manager().Change(change, fabric_->now());
    return Settle();
  }

  ib::PortState StateOf(const std::string& node, int port) {
    return fabric_->agent(node).ports[port].state;
  }

  void ExpectGood(const std::vector<std::string>& except = {}) {
    ASSERT_EQ(manager().phase(), SmPhase::kUp) << fabric_->events().back().detail;
    ExpectTablesLoaded(*fabric_, except);
    ExpectAllDeliverable(*fabric_, except);
    for (std::size_t i = 0; i < torus_.nodes().size(); ++i) {
      const std::string& name = torus_.node(static_cast<int>(i)).name;
      if (std::count(except.begin(), except.end(), name) > 0) continue;
      EXPECT_FALSE(fabric_->agent(static_cast<int>(i)).halted) << name;
      EXPECT_FALSE(fabric_->agent(static_cast<int>(i)).started) << name;
      EXPECT_EQ(fabric_->agent(static_cast<int>(i)).epoch, fabric_->agent("S0_0").epoch) << name;
    }
  }

  RoutingTables UpDownFrom(const std::string& root) {
    const Topology& t = manager().topology();
    return FindRoutingEngine("updown").Compute({t, manager().tables().lids, 2, t.FindNode(root)});
  }

  const Topology torus_ = Torus({4, 4}, 1);
};

INSTANTIATE_TEST_SUITE_P(Schemes, Planned,
                         testing::Values(Scheme::kStatic, Scheme::kOsrPda, Scheme::kOsrLa,
                                         Scheme::kEbr, Scheme::kEbrd),
                         [](const auto& param_info) {
                           std::string name(SchemeName(param_info.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Planned, AnotherRoot) {
  BringUpTorus();
  ASSERT_TRUE(Do(Reroute("", "S3_2")));
  ExpectGood();
  EXPECT_EQ(Completed(), 1);
  EXPECT_EQ(manager().tables(), UpDownFrom("S3_2"));
  Cut("S1_1", "S2_1");  // it stays the root
  ASSERT_TRUE(Reconfigure());
  EXPECT_EQ(manager().tables(), UpDownFrom("S3_2"));
}

TEST_P(Planned, LinkLeavesAndReturns) {
  BringUpTorus();
  ASSERT_TRUE(Do(Remove(Link("S1_1", "S2_1"))));
  ExpectGood();
  EXPECT_EQ(Completed(), 1);
  EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size() - 1);
  const Cable& ends = torus_.cables()[CableBetween(torus_, "S1_1", "S2_1")];
  EXPECT_EQ(StateOf("S1_1", ends.a.port), ib::PortState::kInitialize);
  EXPECT_EQ(StateOf("S2_1", ends.b.port), ib::PortState::kInitialize);
  const auto complete =
      GetParam() == Scheme::kStatic ? SmEventKind::kResumed : SmEventKind::kChangeCompleted;
  EXPECT_LT(When(complete), When(SmEventKind::kOutOfService));

  ASSERT_TRUE(Do(Add(Link("S1_1", "S2_1"))));
  ExpectGood();
  EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size());
  EXPECT_EQ(StateOf("S1_1", ends.a.port), ib::PortState::kActive);
}

TEST_P(Planned, SwitchLeavesAndReturns) {
  BringUpTorus();
  const std::uint64_t guid = torus_.node(*torus_.FindNode("H2_1_0")).guid;
  EXPECT_TRUE(manager().IsServed(guid));
  ASSERT_TRUE(Do(Remove(Switch("S2_1"))));
  EXPECT_FALSE(manager().IsServed(guid));
  ExpectGood({"S2_1", "H2_1_0"});
  EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size() - 5);
  for (int port = 1; port <= 5; ++port) {
    EXPECT_EQ(StateOf("S2_1", port), ib::PortState::kInitialize) << port;
  }
  ASSERT_TRUE(Do(Add(Switch("S2_1"))));
  EXPECT_TRUE(manager().IsServed(guid));
  ExpectGood();
  EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size());
}

TEST_P(Planned, WhatIsOutOfServiceFromTheBeginningIsLeftAlone) {
  BringUpTorus(Switch("S2_1"));
  ExpectAllDeliverable(*fabric_, {"H2_1_0"});
  EXPECT_FALSE(manager().topology().FindNode("S2_1"));
  EXPECT_EQ(StateOf("S2_1", 1), ib::PortState::kInitialize);
  EXPECT_EQ(fabric_->agent("S2_1").lid, 0);
  ASSERT_TRUE(Do(Add(Switch("S2_1"))));
  ExpectGood();
}

TEST_P(Planned, WhatIsImpossibleIsRefusedAndChangesNothing) {
  BringUpTorus();
  const RoutingTables before = manager().tables();
  const std::vector<std::pair<PlannedChange, std::string>> impossible = {
      {Remove(Switch("S0_0")), " would be cut off"},  // the manager's
      {Remove(Link("S1_1", "H1_1_0")), ""},           // that end node alone: possible
      {Reroute("magic", ""), "magic"},
      {Reroute("", "S9_9"), "root \"S9_9\" is no switch of this fabric"},
      {Reroute("minhop", ""), "can deadlock"},
  };
  for (const auto& [change, why] : impossible) {
    const int refused = fabric_->Count(SmEventKind::kChangeRefused);
    ASSERT_TRUE(Do(change));
    ASSERT_EQ(manager().phase(), SmPhase::kUp);
    EXPECT_EQ(fabric_->Count(SmEventKind::kChangeRefused) - refused, why.empty() ? 0 : 1) << why;
    if (why.empty()) continue;
    const SmEvent& last = fabric_->events().back();
    EXPECT_NE(last.detail.find(why), std::string::npos) << last.detail;
  }
  EXPECT_EQ(Completed(), 1);
  ExpectGood({"H1_1_0"});
}

TEST_P(Planned, AskedForDuringBringUpItWaits) {
  SmConfig config;
  config.scheme = GetParam();
  fabric_.emplace(torus_, DoubleOptions{});
  fabric_->StartManager(config);
  manager().Change(Remove(Link("S1_1", "S2_1")), fabric_->now());
  ASSERT_TRUE(Settle());
  EXPECT_LE(fabric_->Find(SmEventKind::kSubnetUp)->cycle,
            fabric_->Find(SmEventKind::kChangePlanned)->cycle);
  ExpectGood();
  EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size() - 1);
}

// A second event at many moments of a change: all of them are carried out in the end.
class Overlap : public Planned {
 protected:
  static constexpr Cycle kStep = 1555;
  static constexpr Cycle kLast = 45'000;

  template <typename Second>
  void AtManyMoments(const PlannedChange& first, Second second,
                     const std::function<void()>& expect) {
    for (Cycle after = 0; after < kLast; after += kStep) {
      BringUpTorus();
      manager().Change(first, fabric_->now());
      fabric_->RunFor(after);
      second();
      ASSERT_TRUE(Settle()) << after;
      ASSERT_EQ(manager().phase(), SmPhase::kUp)
          << after << ": " << fabric_->events().back().detail;
      fabric_->RunFor(200'000);  // what nobody was told of
      ASSERT_TRUE(Settle()) << after;
      expect();
      if (HasFailure()) FAIL() << "with the second event " << after << " cycles after the first";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, Overlap,
                         testing::Values(Scheme::kStatic, Scheme::kOsrPda, Scheme::kOsrLa,
                                         Scheme::kEbr, Scheme::kEbrd),
                         [](const auto& param_info) {
                           std::string name(SchemeName(param_info.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Overlap, TwoRoots) {
  AtManyMoments(
      Reroute("", "S3_2"), [this] { manager().Change(Reroute("", "S1_3"), fabric_->now()); },
      [this] {
        ExpectGood();
        EXPECT_EQ(manager().tables(), UpDownFrom("S1_3"));
      });
}

TEST_P(Overlap, AnotherLinkFailsWhileOneLeaves) {
  AtManyMoments(
      Remove(Link("S1_1", "S2_1")), [this] { Cut("S0_0", "S1_0"); },
      [this] {
        ExpectGood();
        EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size() - 2);
      });
}

TEST_P(Overlap, TheLinkThatLeavesFails) {
  AtManyMoments(
      Remove(Link("S1_1", "S2_1")), [this] { Cut("S1_1", "S2_1"); },
      [this] {
        ExpectGood();
        EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size() - 1);
      });
}

TEST_P(Overlap, TheLinkThatLeavesIsWantedAgain) {
  AtManyMoments(
      Remove(Link("S1_1", "S2_1")),
      [this] { manager().Change(Add(Link("S1_1", "S2_1")), fabric_->now()); },
      [this] {
        ExpectGood();
        EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size());
      });
}

TEST_P(Overlap, ALinkFailsWhileASwitchLeaves) {
  AtManyMoments(
      Remove(Switch("S2_1")), [this] { Cut("S0_0", "S1_0"); },
      [this] {
        ExpectGood({"S2_1", "H2_1_0"});
        EXPECT_EQ(manager().topology().cables().size(), torus_.cables().size() - 6);
      });
}

}  // namespace
}  // namespace lanecut
