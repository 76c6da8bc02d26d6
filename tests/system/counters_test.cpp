// SPDX-License-Identifier: Apache-2.0
//
// The switches' port counters in the results agree with what the end nodes and the checker counted.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "sw/cli/network.h"
#include "sw/mad/attributes.h"
#include "tests/query.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

class Counters : public ::testing::Test {
 protected:
  Counters()
      : folder_(std::filesystem::temp_directory_path() /
                ("lanecut-counters-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
  }
  ~Counters() override { std::filesystem::remove_all(folder_); }

  // Runs and reads the counters of the results; in a child.
  Summary Run(const Scenario& scenario) {
    topology_ = BuildTopology(scenario);
    Simulation simulation(scenario, topology_, {folder_, false});
    simulation.BringUp();
    const Summary summary = simulation.Run(scenario);
    EXPECT_EQ(summary.outcome, "ok") << summary.message;
    std::istringstream rows(Query(folder_ / "results.sqlite",
                                  "SELECT node || ':' || port || ' ' || name || ' ' || value "
                                  "FROM counters"));
    std::string port;
    std::string name;
    std::uint64_t value = 0;
    while (rows >> port >> name >> value) {
      EXPECT_TRUE(values_.emplace(port + ' ' + name, value).second) << port << ' ' << name;
    }
    return summary;
  }

  std::uint64_t At(const PortRef& port, const std::string& name) const {
    return values_.at(topology_.node(port.node).name + ':' + std::to_string(port.port) + ' ' +
                      name);
  }

  // Over the ports of switches that lead to end nodes.
  std::uint64_t SumAtEndNodes(const std::string& name) const {
    std::uint64_t sum = 0;
    for (const Cable& cable : topology_.cables()) {
      if (!topology_.IsSwitch(cable.a.node)) sum += At(cable.b, name);
      if (!topology_.IsSwitch(cable.b.node)) sum += At(cable.a, name);
    }
    return sum;
  }

  bool JoinsSwitches(const Cable& cable) const {
    return topology_.IsSwitch(cable.a.node) && topology_.IsSwitch(cable.b.node);
  }

  std::uint64_t Sum(const std::string& name) const {
    std::uint64_t sum = 0;
    for (const auto& [key, value] : values_) sum += key.ends_with(' ' + name) ? value : 0;
    return sum;
  }

  std::filesystem::path folder_;
  Topology topology_;
  std::map<std::string, std::uint64_t> values_;  // "S0_0:1 data_sent"
};

constexpr const char* kScenario =
    "[topology]\nkind = \"torus\"\nsize = [4, 4]\nnodes_per_switch = 2\n"
    "[traffic]\nload = 0.2\n[run]\nmeasure_cycles = 5000\n";

TEST_F(Counters, CountEveryPacketOnEveryLink) {
  InChild("clean", [this] {
    const Summary summary = Run(MakeScenario(kScenario));
    EXPECT_EQ(values_.size(), topology_.switches().size() * 6 * ib::kPortCounters.size());
    EXPECT_EQ(SumAtEndNodes("data_received"), summary.accounting.sent);
    EXPECT_EQ(SumAtEndNodes("data_sent"), summary.accounting.delivered);
    EXPECT_EQ(Sum("data_received"), Sum("data_sent"));
    EXPECT_GT(Sum("words_received"), 15 * Sum("data_received"));
    for (const Cable& cable : topology_.cables()) {
      if (!JoinsSwitches(cable)) continue;
      EXPECT_EQ(At(cable.a, "data_sent"), At(cable.b, "data_received"));
      EXPECT_EQ(At(cable.b, "data_sent"), At(cable.a, "data_received"));
    }
    // Not vl15_dropped: management packets are not acknowledged by credits, and the bring-up is
    // busy.
    for (const char* error :
         {"receive_errors", "transmit_discards", "link_downed", "relay_errors", "overruns"}) {
      EXPECT_EQ(Sum(error), 0u) << error;
    }
  });
}

TEST_F(Counters, TellWhichLinkWasCutAndWhatItCost) {
  InChild("cut", [this] {
    const Summary summary =
        Run(MakeScenario(kScenario, {"traffic.load=0.8", "fault.0.kind=cut", "fault.0.link=S1_1:1",
                                     "fault.0.after_warmup=2000"}));
    EXPECT_GT(summary.accounting.dropped, 0u);
    EXPECT_EQ(SumAtEndNodes("data_received"), summary.accounting.sent);
    EXPECT_GE(SumAtEndNodes("data_sent"), summary.accounting.delivered);
    EXPECT_GT(Sum("transmit_discards"), 0u);
    EXPECT_EQ(Sum("link_downed"), 2u);
    const PortRef cut{*topology_.FindNode("S1_1"), 1};
    EXPECT_EQ(At(cut, "link_downed"), 1u);
    const Peer peer = *topology_.PeerOf(cut.node, cut.port);
    EXPECT_EQ(At({peer.node, peer.port}, "link_downed"), 1u);
  });
}

TEST_F(Counters, AreLeftOutWhereLinksLoseThem) {
  InChild("bit errors", [this] {
    // Not before the manager has settled: its inspection of the ports after the bring-up takes long
    // on such links.
    Run(MakeScenario(kScenario,
                     {"run.warmup_cycles=20000", "fault.0.kind=bit-errors", "fault.0.link=all",
                      "fault.0.rate=5e-3", "fault.0.after_warmup=1000"}));
    EXPECT_FALSE(values_.empty());
    EXPECT_LT(values_.size(), topology_.switches().size() * 6 * ib::kPortCounters.size());
  });
}

TEST_F(Counters, AreLeftOutIfTheirTurnDoesNotCome) {
  InChild("no time", [this] {
    Run(MakeScenario(kScenario, {"run.drain_cycles=5000"}));
    EXPECT_FALSE(values_.empty());
    EXPECT_LT(values_.size(), topology_.switches().size() * 6 * ib::kPortCounters.size());
  });
}

TEST_F(Counters, AreNotReadIfTheRunDoesNotDrain) {
  InChild("no drain", [this] {
    Run(MakeScenario(kScenario, {"run.drain=false"}));
    EXPECT_TRUE(values_.empty());
  });
}

}  // namespace
}  // namespace lanecut::testing
