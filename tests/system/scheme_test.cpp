// SPDX-License-Identifier: Apache-2.0
//
// Changes of the routing function under traffic, on the RTL: random fabrics, old and new functions,
// faults, loads and seeds. Three cases in four have a second event while the change is under way:
// another fault, a repair, or a planned change; one in four has links that lose flow-control
// packets and corrupt words, so that tables, answers and tokens get lost, too. Every change must
// complete, with every packet accounted for, the reference model watching, and only the drops that
// the scheme and the links allow.
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

constexpr int kCases = 200;  // per scheme, half of them with each encoding
constexpr const char* kEncodings[] = {"ib", "compact"};

struct Start {
  const char* topology;
  const char* root;      // of the old function
  const char* new_root;  // of the one after the fault
  int share;             // of the cases, in percent: time goes with the number of switches
};

constexpr Start kStarts[] = {
    {"kind = \"torus\"\nsize = [2, 4]\nnodes_per_switch = 2", "S0_0", "S1_3", 20},
    {"kind = \"torus\"\nsize = [3, 3]", "S0_0", "S0_0", 20},
    {"kind = \"torus\"\nsize = [3, 3]\nnodes_per_switch = 2", "S0_0", "S2_1", 12},
    {"kind = \"mesh\"\nsize = [3, 3]\nnodes_per_switch = 2", "S1_1", "S2_2", 12},
    {"kind = \"netlist\"\nfile = \"netlists/quad-parallel.net\"", "S0", "S3", 30},
    {"kind = \"torus\"\nsize = [4, 4]", "S0_0", "S2_3", 6},
};

int CasesOf(const Start& start) {
  const char* wish = std::getenv("LANECUT_CASES");
  const int cases = wish != nullptr ? std::atoi(wish) : kCases;
  return std::max(1, (cases * start.share + 199) / 200);
}

// Short time-outs, as some cases lose management packets. Where the traps of a second fault are
// lost behind the first one, traffic under osr-pda stands until the manager has made its last
// attempt: 2500 x (1 + 2 + 4 + 8) cycles, and once more for what it finds out next. That is no
// stall.
Scenario MakeStart(const Start& start, const std::string& scheme, const std::string& encoding,
                   const std::string& setting = "") {
  return MakeScenario(
      "[topology]\n" + std::string(start.topology) + "\n[routing]\nengine = \"updown\"\nroot = \"" +
      start.root + "\"\nafter_fault_root = \"" + start.new_root +
      "\"\n[manager]\ntimeout_cycles = 2500\nretries = 3\nencoding = \"" + encoding +
      "\"\n[run]\nstall_cycles = 100000\n[reconfiguration]\nscheme = \"" + scheme + "\"\n" +
      setting + "\n");
}

// What happens in a case, as overrides of its scenario.
struct Story {
  std::vector<std::string> overrides;
  bool is_single = true;  // nothing comes between
  bool has_losses = false;
};

std::string LinkName(const Topology& topology, std::mt19937& random) {
  std::vector<PortRef> ends;
  for (const Cable& cable : topology.cables()) {
    if (topology.IsSwitch(cable.a.node) && topology.IsSwitch(cable.b.node)) ends.push_back(cable.a);
  }
  const PortRef end = ends[random() % ends.size()];
  return topology.node(end.node).name + ":" + std::to_string(end.port);
}

void AddSecond(const Topology& topology, const std::string& at, std::mt19937& random,
               Story& story) {
  const auto add = [&story](const std::string& override) { story.overrides.push_back(override); };
  story.is_single = false;
  switch (random() % 4) {
    case 0:
      add("fault.1.kind=cut");
      add("fault.1.after_warmup=" + at);
      break;
    case 1:
      add("fault.0.kind=flap");
      add("fault.0.duration_cycles=" + std::to_string(1 + random() % 3500));
      break;
    case 2:
      add("change.0.kind=reroute");
      add("change.0.root=" + topology.node(topology.switches()[1]).name);
      add("change.0.after_warmup=" + at);
      break;
    default:
      add("change.0.kind=remove");
      add("change.0.what=" + LinkName(topology, random));
      add("change.0.after_warmup=" + at);
      break;
  }
}

Story Tell(const Topology& topology, int seed) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  Story story;
  const auto add = [&story](const std::string& override) { story.overrides.push_back(override); };
  const auto cut = static_cast<int>(100 + random() % 600);
  add("seed=" + std::to_string(seed));
  add("traffic.load=" + std::to_string(0.02 + 0.01 * static_cast<double>(random() % 60)));
  add("run.measure_cycles=4500");
  add("fault.0.kind=cut");
  add("fault.0.link=random");
  add("fault.0.after_warmup=" + std::to_string(cut));
  if (random() % 4 != 0) {
    AddSecond(topology, std::to_string(cut + random() % 3500), random, story);
  }
  story.has_losses = random() % 4 == 0;
  if (!story.has_losses) return story;
  const bool has_cut = std::ranges::count(story.overrides, "fault.1.kind=cut") > 0;
  for (int k = 0; k < 2; ++k) {
    const std::string fault = "fault." + std::to_string((has_cut ? 2 : 1) + k) + ".";
    add(fault + "kind=" + (k == 0 ? "bit-errors" : "fc-loss"));
    add(fault + "link=all");
    add(fault + "rate=" + (k == 0 ? "0.00002" : "0.05"));
    add(fault + "after_warmup=100");
    add(fault + "duration_cycles=4000");
  }
  return story;
}

bool Reached(const Summary& summary, std::string_view kind) {
  return std::ranges::any_of(summary.timeline,
                             [kind](const TimelineEntry& entry) { return entry.kind == kind; });
}

void ExpectChanged(const Summary& summary, const Story& story,
                   const std::set<std::string>& may_drop) {
  EXPECT_EQ(summary.outcome, "ok") << summary.message;
  EXPECT_TRUE(summary.accounting.Balanced());
  EXPECT_EQ(summary.accounting.in_flight, 0u);
  EXPECT_TRUE(Reached(summary, "completed") || Reached(summary, "restored"));
  EXPECT_TRUE(Reached(summary, "in-force") || !story.is_single);
  if (story.has_losses) return;  // a corrupted header may lead anywhere
  for (const auto& [reason, count] : summary.accounting.dropped_by) {
    EXPECT_TRUE(count == 0 || may_drop.contains(reason)) << reason << ": " << count;
  }
}

void RunStarts(const std::string& scheme, const std::string& encoding,
               const std::set<std::string>& may_drop, const std::string& setting = "") {
  int seed = encoding == "ib" ? 0 : 10'000;
  for (const Start& start : kStarts) {
    std::vector<Case> cases;
    for (int i = 0; i < CasesOf(start); ++i) {
      ++seed;
      cases.push_back(
          {scheme + " " + encoding + " " + start.topology + ", seed " + std::to_string(seed),
           [=](Simulation& simulation, const Scenario& scenario) {
             const Story story = Tell(simulation.fabric().topology(), seed);
             ExpectChanged(simulation.Run(With(scenario, story.overrides)), story, may_drop);
           }});
    }
    RunCases(MakeStart(start, scheme, encoding, setting), cases);
  }
}

void RunScheme(const std::string& scheme, const std::set<std::string>& may_drop) {
  for (const char* encoding : kEncodings) RunStarts(scheme, encoding, may_drop);
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
TEST(Scheme, OsrLaByDifferences) {
  RunStarts("osr-la", "compact", kAtTheFault, "differences = true");
}
TEST(Scheme, OsrPdaByDifferences) {
  RunStarts("osr-pda", "compact", kAtTheFault, "differences = true");
}
TEST(Scheme, Ebr) { RunScheme("ebr", AtTheFaultOr("epoch")); }
TEST(Scheme, Ebrd) { RunScheme("ebrd", AtTheFaultOr("epoch")); }
// Heads that wait, for times that end while most changes are under way, and after.
TEST(Scheme, EbrWithHeadsThatWait) {
  RunStarts("ebr", "ib", AtTheFaultOr("epoch"), "hold_cycles = 2500");
}
TEST(Scheme, EbrdWithHeadsThatWait) {
  RunStarts("ebrd", "compact", AtTheFaultOr("epoch"), "hold_cycles = 10000");
}
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
               {}, kAtTheFault);
         }});
  }
  RunCases(MakeStart(kStarts[5], "double-scheme", "ib"), cases);
}

// The link of one end node corrupts nearly everything for a while, so that the end node misses the
// drain, the switch-over or both, and is told when others have long used all VLs.
TEST(Scheme, DoubleSchemeWhereAnEndNodeMissesTheFloods) {
  std::vector<Case> cases;
  for (const int begin : {2000, 2400, 2800, 3200}) {
    cases.push_back(
        {"link in errors from " + std::to_string(begin),
         [=](Simulation& simulation, const Scenario& scenario) {
           const Story story{.overrides = {}, .is_single = true, .has_losses = true};
           ExpectChanged(
               simulation.Run(With(
                   scenario,
                   {"traffic.load=0.3", "run.measure_cycles=20000", "fault.0.kind=cut",
                    "fault.0.link=S1_1:1", "fault.0.after_warmup=500", "fault.1.kind=bit-errors",
                    "fault.1.link=H2_2_0:1", "fault.1.rate=0.2", "fault.1.duration_cycles=2500",
                    "fault.1.after_warmup=" + std::to_string(500 + begin)})),
               story, kAtTheFault);
         }});
  }
  RunCases(MakeStart(kStarts[5], "double-scheme", "compact"), cases);
}

}  // namespace
}  // namespace lanecut::testing
