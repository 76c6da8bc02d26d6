// SPDX-License-Identifier: Apache-2.0
//
// Changes of the routing function under traffic, on the RTL: random fabrics, old and new functions,
// faults, loads and seeds. Every change must complete, with every packet accounted for, the
// reference model watching, and only the drops that the scheme allows.
//
// LANECUT_CASES sets how many cases per scheme, instead of the number below.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr int kCases = 200;  // per scheme

struct Start {
  const char* topology;
  const char* root;      // of the old function
  const char* new_root;  // of the one after the fault
};

constexpr Start kStarts[] = {
    {"kind = \"torus\"\nsize = [2, 4]\nnodes_per_switch = 2", "S0_0", "S1_3"},
    {"kind = \"torus\"\nsize = [3, 3]", "S0_0", "S0_0"},
    {"kind = \"torus\"\nsize = [3, 3]\nnodes_per_switch = 2", "S0_0", "S2_1"},
    {"kind = \"mesh\"\nsize = [3, 3]\nnodes_per_switch = 2", "S1_1", "S2_2"},
    {"kind = \"netlist\"\nfile = \"netlists/quad-parallel.net\"", "S0", "S3"},
    {"kind = \"torus\"\nsize = [4, 4]", "S0_0", "S2_3"},
};

int CasesPerStart() {
  const char* wish = std::getenv("LANECUT_CASES");
  const int cases = wish != nullptr ? std::atoi(wish) : kCases;
  return std::max(1, cases / static_cast<int>(std::size(kStarts)) + 1);
}

Scenario MakeStart(const Start& start, const std::string& scheme) {
  return MakeScenario("[topology]\n" + std::string(start.topology) +
                      "\n[routing]\nengine = \"updown\"\nroot = \"" + start.root +
                      "\"\nafter_fault_root = \"" + start.new_root +
                      "\"\n[reconfiguration]\nscheme = \"" + scheme + "\"\n");
}

bool Reached(const Summary& summary, std::string_view kind) {
  return std::ranges::any_of(summary.timeline,
                             [kind](const TimelineEntry& entry) { return entry.kind == kind; });
}

void ExpectChanged(const Summary& summary, const std::set<std::string>& may_drop) {
  EXPECT_EQ(summary.outcome, "ok") << summary.message;
  EXPECT_TRUE(summary.accounting.Balanced());
  EXPECT_EQ(summary.accounting.in_flight, 0u);
  EXPECT_TRUE(Reached(summary, "completed"));
  EXPECT_TRUE(Reached(summary, "in-force"));
  for (const auto& [reason, count] : summary.accounting.dropped_by) {
    EXPECT_TRUE(count == 0 || may_drop.contains(reason)) << reason << ": " << count;
  }
}

void RunScheme(const std::string& scheme, const std::set<std::string>& may_drop) {
  std::mt19937 random(1);
  int seed = 0;
  for (const Start& start : kStarts) {
    std::vector<Case> cases;
    for (int i = 0; i < CasesPerStart(); ++i) {
      ++seed;
      const double load = 0.02 + 0.01 * static_cast<double>(random() % 60);
      const auto cut = static_cast<int>(200 + random() % 2000);
      cases.push_back(
          {scheme + " " + start.topology + ", seed " + std::to_string(seed),
           [=](Simulation& simulation, const Scenario& scenario) {
             ExpectChanged(
                 simulation.Run(
                     With(scenario,
                          {"seed=" + std::to_string(seed), "traffic.load=" + std::to_string(load),
                           "run.measure_cycles=9000", "fault.0.kind=cut", "fault.0.link=random",
                           "fault.0.after_warmup=" + std::to_string(cut)})),
                 may_drop);
           }});
    }
    RunCases(MakeStart(start, scheme), cases);
  }
}

// What a cut link alone may cost: packets on the wire, and those that were routed to it.
const std::set<std::string> kAtTheFault = {"port_inactive", "bad", "link_cut"};

std::set<std::string> AtTheFaultOr(const char* reason) {
  std::set<std::string> reasons = kAtTheFault;
  reasons.insert(reason);
  return reasons;
}

TEST(Scheme, OsrLa) { RunScheme("osr-la", kAtTheFault); }
TEST(Scheme, OsrPda) { RunScheme("osr-pda", kAtTheFault); }
TEST(Scheme, Ebr) { RunScheme("ebr", AtTheFaultOr("epoch")); }
TEST(Scheme, Ebrd) { RunScheme("ebrd", AtTheFaultOr("epoch")); }
TEST(Scheme, DoubleScheme) { RunScheme("double-scheme", kAtTheFault); }

// A second link fails while the change runs, in each of its phases, and management packets are
// lost.
TEST(Scheme, DoubleSchemeWithMoreFaultsOnTheWay) {
  std::vector<Case> cases;
  for (int delay = 100; delay < 12'000; delay += 800) {
    cases.push_back(
        {"second cut after " + std::to_string(delay),
         [=](Simulation& simulation, const Scenario& scenario) {
           ExpectChanged(
               simulation.Run(With(
                   scenario, {"seed=" + std::to_string(delay), "traffic.load=0.3",
                              "run.measure_cycles=40000", "fault.0.kind=cut", "fault.0.link=S1_1:1",
                              "fault.0.after_warmup=500", "fault.1.kind=cut", "fault.1.link=S0_0:1",
                              "fault.1.after_warmup=" + std::to_string(500 + delay),
                              "fault.2.kind=bit-errors", "fault.2.link=random", "fault.2.rate=1e-5",
                              "fault.2.after_warmup=400"})),
               kAtTheFault);
         }});
  }
  RunCases(MakeStart(kStarts[5], "double-scheme"), cases);
}

}  // namespace
}  // namespace lanecut::testing
