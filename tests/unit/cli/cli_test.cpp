// SPDX-License-Identifier: Apache-2.0
//
// The command line as a user meets it: what is printed where, and with which exit status.
#include "sw/cli/cli.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "sw/cli/network.h"
#include "sw/results/recorder.h"
#include "sw/routing/routing.h"
#include "sw/scenario/reader.h"
#include "sw/scenario/schema.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {
namespace {

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
  std::optional<RunOptions> run;  // what the simulator was asked to do
  std::optional<SweepOptions> sweep;
  std::optional<ServeOptions> serve;
  std::optional<WaveOptions> wave;
};

Outcome Call(const std::vector<std::string>& arguments,
             const std::function<int(const RunOptions&)>& simulate = nullptr) {
  std::vector<const char*> argv = {"lanecut"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  Outcome outcome;
  const auto run = [&](const RunOptions& options) {
    outcome.run = options;
    return simulate ? simulate(options) : kExitOk;
  };
  const auto sweep = [&](const SweepOptions& options) {
    outcome.sweep = options;
    return kExitOk;
  };
  const auto serve = [&](const ServeOptions& options) {
    outcome.serve = options;
    return kExitOk;
  };
  const auto wave = [&](const WaveOptions& options) {
    outcome.wave = options;
    return kExitOk;
  };
  outcome.status =
      RunCli(static_cast<int>(argv.size()), argv.data(), {run, sweep, serve, wave}, out, err);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

// Bad input: status 2, one line on standard error, nothing on standard output, no simulation.
void ExpectBadInput(const std::vector<std::string>& arguments, const std::string& error) {
  const Outcome outcome = Call(arguments);
  EXPECT_EQ(outcome.status, kExitBadInput);
  EXPECT_EQ(outcome.err, error + "\n");
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(outcome.run);
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class CliTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) const {
    return folder_.Write(name, text);
  }
  std::string Scenario() const { return Write("s.toml", "[topology]\nkind = \"torus\"\n"); }

  TemporaryFolder folder_;
};

TEST_F(CliTest, HelpHasExamplesAtEveryLevel) {
  const std::vector<std::vector<std::string>> calls = {
      {"--help"},         {"run", "--help"},  {"sweep", "--help"}, {"serve", "--help"},
      {"wave", "--help"}, {"topo", "--help"}, {"route", "--help"}, {"faults", "--help"}};
  for (const auto& arguments : calls) {
    const Outcome outcome = Call(arguments);
    EXPECT_EQ(outcome.status, kExitOk);
    EXPECT_TRUE(Contains(outcome.out, "Examples:\n  lanecut ")) << outcome.out;
    EXPECT_TRUE(Contains(outcome.out, "Usage: lanecut")) << outcome.out;
    EXPECT_EQ(outcome.err, "");
  }
}

// Help that shows commands which fail teaches nothing. Those that read no file of the user are run.
TEST_F(CliTest, ExamplesWork) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(LANECUT_ROOT);
  int tried = 0;
  for (const char* command : {"run", "sweep", "serve", "wave", "topo", "route", "faults"}) {
    std::istringstream help(Call({command, "--help"}).out);
    for (std::string line; std::getline(help, line);) {
      const bool example = line.starts_with("  lanecut ");
      if (!example || Contains(line, "--out") || Contains(line, "--tables") ||
          Contains(line, "--dumps")) {
        continue;
      }
      std::istringstream words(line.substr(0, line.find('|')).substr(10));
      std::vector<std::string> arguments;
      for (std::string word; words >> word;) arguments.push_back(word);
      const Outcome outcome = Call(arguments);
      EXPECT_EQ(outcome.status, kExitOk) << line << "\n" << outcome.err << outcome.out;
      ++tried;
    }
  }
  std::filesystem::current_path(before);
  EXPECT_GE(tried, 10);
}

TEST_F(CliTest, UsageErrors) {
  ExpectBadInput({},
                 "lanecut: the command is missing; expected one of run, sweep, serve, wave, topo, "
                 "route, faults, "
                 "or --help");
  ExpectBadInput({"rum"},
                 "lanecut: unknown command \"rum\"; expected one of run, sweep, serve, wave, topo, "
                 "route, faults, or --help");
  ExpectBadInput(
      {"run"},
      "lanecut: run: SCENARIO is missing; expected a scenario file, see lanecut run --help");
  ExpectBadInput(
      {"run", Scenario(), "--fast"},
      "lanecut run: The following argument was not expected: --fast; see lanecut run --help");
  ExpectBadInput({"run", Scenario(), "--seed", "x"},
                 "lanecut run: Could not convert: --seed = x; see lanecut run --help");
  ExpectBadInput({"topo"}, "lanecut topo: TOPOLOGY is required; see lanecut topo --help");
  EXPECT_EQ(Call({"--fast"}).status, kExitBadInput);
  EXPECT_EQ(Call({"route", "torus:4x4", "--vls", "16"}).status, kExitBadInput);
  EXPECT_EQ(Call({"run", "--schema", "pdf"}).status, kExitBadInput);
}

TEST_F(CliTest, RunCapturesLinksThatThereAre) {
  const Outcome two =
      Call({"run", Scenario(), "--capture", "S0_0:1,H0_0_0:1,S0_0:1", "--capture-window", "..500"});
  ASSERT_TRUE(two.run && two.run->capture);
  EXPECT_EQ(two.run->capture->cables.size(), 2u);
  EXPECT_EQ(two.run->capture->window.begin, 0u);
  EXPECT_EQ(two.run->capture->window.end, 500u);
  const Outcome all = Call({"run", Scenario(), "--capture", "all", "--capture-window", "7.."});
  ASSERT_TRUE(all.run && all.run->capture);
  EXPECT_EQ(all.run->capture->cables.size(), BuildTopology(all.run->scenario).cables().size());
  EXPECT_EQ(all.run->capture->window.begin, 7u);
  EXPECT_FALSE(Call({"run", Scenario()}).run->capture);
  ExpectBadInput({"run", Scenario(), "--capture", "H0_0_0:2"},
                 "lanecut: run: --capture H0_0_0:2: no such link; expected all, or one of "
                 "H0_0_0:1");
  ExpectBadInput({"run", Scenario(), "--capture", "all", "--capture-window", "9..9"},
                 "lanecut: run: --capture-window 9..9: expected two cycles, the first below the "
                 "second, like 250000..260000");
}

TEST_F(CliTest, RunHandsOverACheckedScenario) {
  const Outcome outcome =
      Call({"run", Scenario(), "--set", "traffic.load=0.3", "--set", "fault.0.kind=cut", "--set",
            "fault.0.at_cycle=9", "--seed", "77", "--out", "some/where", "--json"});
  EXPECT_EQ(outcome.status, kExitOk);
  ASSERT_TRUE(outcome.run);
  EXPECT_DOUBLE_EQ(outcome.run->scenario.traffic.load, 0.3);
  EXPECT_EQ(outcome.run->scenario.seed, 77u);
  EXPECT_EQ(outcome.run->scenario.faults.size(), 1u);
  EXPECT_EQ(outcome.run->out, "some/where");
  EXPECT_TRUE(outcome.run->json);
  EXPECT_FALSE(outcome.run->progress);
}

TEST_F(CliTest, ServeHandsTheScenarioOver) {
  const auto serve =
      Call({"serve", Scenario(), "--set", "fault=[]", "--seed", "7", "--traffic"}).serve;
  ASSERT_TRUE(serve);
  EXPECT_EQ(serve->scenario.seed, 7U);
  EXPECT_TRUE(serve->traffic);
  EXPECT_TRUE(serve->out.empty()) << "results only where they are asked for";
  ExpectBadInput(
      {"serve"},
      "lanecut: serve: SCENARIO is missing; expected a scenario file, see lanecut serve --help");
}

TEST_F(CliTest, WaveTakesAWindowOrAnEvent) {
  const auto window = Call({"wave", Scenario(), "--seed", "7", "--switch", "S1_0,S0_0", "--switch",
                            "S1_0", "--from", "9", "--to", "9"})
                          .wave;
  ASSERT_TRUE(window);
  EXPECT_EQ(window->scenario.seed, 7U);
  const Topology topology = BuildTopology(window->scenario);
  EXPECT_EQ(window->switches,
            (std::vector<int>{*topology.FindNode("S1_0"), *topology.FindNode("S0_0")}));
  EXPECT_FALSE(window->around);
  EXPECT_EQ(window->first, 9U);
  EXPECT_EQ(window->last, 9U);
  EXPECT_EQ(window->out, "out/s-wave");

  using Kind = WaveEvent::Kind;
  const std::vector<std::tuple<const char*, Kind, std::uint64_t>> events = {
      {"epoch-drop", Kind::kEpochDrop, 0},
      {"token", Kind::kToken, 0},
      {"credit-stall:20", Kind::kCreditStall, 20},
      {"packet:0x2a", Kind::kPacket, 42},
      {"packet:42", Kind::kPacket, 42},
      {"assertion", Kind::kAssertion, 0},
      {"stall", Kind::kStall, 0}};
  for (const auto& [text, kind, value] : events) {
    const auto wave = Call({"wave", Scenario(), "--around", text, "--out", "w"}).wave;
    ASSERT_TRUE(wave && wave->around) << text;
    EXPECT_EQ(wave->around->kind, kind) << text;
    EXPECT_EQ(wave->around->value, value) << text;
    EXPECT_EQ(wave->around->text, text);
    EXPECT_TRUE(wave->switches.empty());
    EXPECT_EQ(wave->out, "w");
  }
}

TEST_F(CliTest, WaveErrors) {
  ExpectBadInput(
      {"wave"},
      "lanecut: wave: SCENARIO is missing; expected a scenario file, see lanecut wave --help");
  for (const char* event : {"", "stalls", "stall:1", "packet", "packet:", "packet:0x", "packet:1x",
                            "credit-stall:-1"}) {
    const Outcome outcome = Call({"wave", Scenario(), "--around", event});
    EXPECT_EQ(outcome.status, kExitBadInput) << event;
    EXPECT_FALSE(outcome.wave) << event;
  }
  ExpectBadInput({"wave", Scenario(), "--switch", "S0_0", "--from", "2", "--to", "1"},
                 "lanecut: wave: --from 2 --to 1: expected the first cycle and the last one of a "
                 "window");
}

TEST_F(CliTest, SweepSharesFabricsWhereItCan) {
  const auto sweep =
      Call({"sweep", Scenario(), "--vary", "reconfiguration.scheme=static,ebrd", "--vary",
            "traffic.load=0.1,0.2", "--vary", "seed=3..5", "--set", "run.drain=false"})
          .sweep;
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->out, "out/s-sweep");
  ASSERT_EQ(sweep->groups.size(), 2u);  // the scheme is built in, load and seed are not
  for (const SweepGroup& group : sweep->groups) EXPECT_EQ(group.size(), 6u);
  const SweepRun& run = sweep->groups[1][4];
  EXPECT_EQ(run.name, "reconfiguration.scheme=ebrd,traffic.load=0.2,seed=4");
  EXPECT_EQ(run.scenario.reconfiguration.scheme, "ebrd");
  EXPECT_DOUBLE_EQ(run.scenario.traffic.load, 0.2);
  EXPECT_EQ(run.scenario.seed, 4u);
  EXPECT_FALSE(run.scenario.run.drain);
}

TEST_F(CliTest, SweepVariesLists) {
  const auto sweep = Call({"sweep", Scenario(), "--vary", "topology.size=[3,3],[4,4]"}).sweep;
  ASSERT_TRUE(sweep);
  ASSERT_EQ(sweep->groups.size(), 2u);
  EXPECT_EQ(sweep->groups[0][0].name, "topology.size=[3,3]");
  EXPECT_EQ(sweep->groups[1][0].scenario.topology.size, (std::vector<std::uint64_t>{4, 4}));
}

TEST_F(CliTest, SweepChecksEveryRunBeforeTheFirst) {
  ExpectBadInput(
      {"sweep", Scenario(), "--vary", "traffic.load=0.1,2"},
      "--set traffic.load=2: traffic.load = 2 is out of range; expected a number from 0 to 1");
  ExpectBadInput({"sweep", Scenario(), "--vary", "seed"},
                 "lanecut: sweep: --vary seed: expected KEY=VALUE,VALUE... or KEY=FIRST..LAST");
  ExpectBadInput({"sweep", Scenario(), "--vary", "seed=5..3"},
                 "lanecut: sweep: 5..3 is no range; expected up to 1000 numbers, FIRST..LAST");
}

TEST_F(CliTest, ResultsGoToAFolderNamedAfterTheScenario) {
  EXPECT_EQ(Call({"run", Scenario()}).run->out, "out/s");
}

TEST_F(CliTest, RunRefusesBadScenarios) {
  const std::string file =
      Write("bad.toml", "[topology]\nkind = \"torus\"\n\n[traffic]\nlaod = 1\n");
  ExpectBadInput({"run", file}, file + ":5: unknown key traffic.laod; did you mean traffic.load?");
  ExpectBadInput({"run", "none.toml"}, "none.toml: cannot be read; expected a scenario file");
  ExpectBadInput(
      {"run", Scenario(), "--set", "switch.vls=0"},
      "--set switch.vls=0: switch.vls = 0 is out of range; expected a whole number from 1 "
      "to 8");
  ExpectBadInput({"run", Scenario(), "--set", "routing.root=S9_9"},
                 "--set routing.root=S9_9: routing.root = \"S9_9\" is no switch of this topology; "
                 "expected one of S0_0, S1_0, S2_0, S3_0, ...");
}

TEST_F(CliTest, RunRefusesBadNetlists) {
  Write("n.net", "Switch 2 \"S0\"\n[1] \"S1\"[1]\n");
  const std::string file = Write("s.toml", "[topology]\nkind = \"netlist\"\nfile = \"n.net\"\n");
  const Outcome outcome = Call({"run", file});
  EXPECT_EQ(outcome.status, kExitBadInput);
  EXPECT_TRUE(outcome.err.starts_with((folder_.path() / "n.net").string() + ":2: ")) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1);
}

TEST_F(CliTest, ExitStatusOfRuns) {
  EXPECT_EQ(Call({"run", Scenario()}, [](const RunOptions&) { return kExitFailed; }).status,
            kExitFailed);
  const auto call = [this](auto error) {
    return Call({"run", Scenario()}, [error](const RunOptions&) -> int { throw error; });
  };
  EXPECT_EQ(call(ScenarioError("s.toml:3: x; expected y")).status, kExitBadInput);
  EXPECT_EQ(call(ScenarioError("s.toml:3: x; expected y")).err, "s.toml:3: x; expected y\n");
  EXPECT_EQ(call(ResultsError("out: x")).status, kExitBadInput);
  EXPECT_EQ(call(RoutingError("x")).status, kExitBadInput);
  const Outcome crash = call(std::runtime_error("two\nlines"));
  EXPECT_EQ(crash.status, kExitFailed);
  EXPECT_EQ(crash.err, "lanecut: two lines\n");
}

TEST_F(CliTest, DryRunPrintsTheScenarioAndDoesNotRun) {
  const Outcome outcome = Call({"run", Scenario(), "--dry-run", "--seed", "5"});
  EXPECT_EQ(outcome.status, kExitOk);
  EXPECT_FALSE(outcome.run);
  EXPECT_EQ(ParseScenario(outcome.out, "d.toml").seed, 5u);
}

TEST_F(CliTest, Schema) {
  EXPECT_EQ(Call({"run", "--schema"}).out, SchemaText());
  EXPECT_EQ(Call({"run", "--schema", "markdown"}).out, SchemaMarkdown());
}

// The schema's list of engines is written by hand: the scenario knows nothing of the library. The
// manager gives every node one LID, so engines that need more are not among them.
TEST_F(CliTest, TopoDescribes) {
  const Outcome outcome = Call({"topo", "torus:3x4:2"});
  EXPECT_EQ(outcome.status, kExitOk);
  EXPECT_TRUE(Contains(outcome.out, "12")) << outcome.out;
  EXPECT_TRUE(Contains(outcome.out, "24")) << outcome.out;
}

TEST_F(CliTest, TopoWritesNetlistsThatItReads) {
  const std::string file = (folder_.path() / "t.net").string();
  const Outcome written = Call({"topo", "torus:2x3:2", "--netlist", "--out", file});
  EXPECT_EQ(written.status, kExitOk) << written.err;
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(Call({"topo", file, "--netlist"}).out, Call({"topo", "torus:2x3:2", "--netlist"}).out);
  EXPECT_EQ(folder_.Entries(), 1) << "nothing else is left";
}

TEST_F(CliTest, TopoKnowsEveryFamily) {
  for (const auto& [shape, expected] : std::vector<std::pair<const char*, const char*>>{
           {"ring:6", "bisection  2 cables"},
           {"hypercube:5:2", "bisection  16 cables"},
           {"full-mesh:6", "bisection  9 cables"},
           {"dragonfly:4x2:2", "switches   36, 5 to 5"},
           {"dragonfly:4x2x5", "switches   20, 5 to 5"},
           {"random-regular:20x3:1:9", "switches   20, 3 to 3"},
           {"kary-ntree:4x2", "bisection  8 cables"},
           {"xgft:4x4:1x2", "end nodes  16"},
           {"torus:4x4", "bisection  8 cables"}}) {
    const Outcome outcome = Call({"topo", shape});
    EXPECT_EQ(outcome.status, kExitOk) << outcome.err;
    EXPECT_TRUE(Contains(outcome.out, expected)) << outcome.out;
  }
  EXPECT_EQ(Call({"topo", "ring:6", "--dot"}).out.find("graph fabric {"), 0u);
  EXPECT_NE(Call({"topo", "random-regular:20x3:1:9", "--netlist"}).out,
            Call({"topo", "random-regular:20x3:1:8", "--netlist"}).out);
}

TEST_F(CliTest, TopoErrors) {
  const Outcome unknown = Call({"topo", "rong:8"});
  EXPECT_EQ(unknown.status, kExitBadInput);
  EXPECT_EQ(unknown.err.find("lanecut: topology \"rong:8\": neither a file nor a shape; expected "
                             "a shape like torus:8x8:2"),
            0u)
      << unknown.err;
  ExpectBadInput({"topo", "full-mesh:1"},
                 "lanecut: full-mesh:1: --set topology.size=[1]: topology.size makes a full mesh "
                 "of 1 switches; expected 2 or more");
  EXPECT_EQ(Call({"topo", "torus:8x"}).status, kExitBadInput);
  EXPECT_EQ(Call({"topo", "torus:"}).status, kExitBadInput);
  EXPECT_EQ(Call({"topo", "torus:4x4:0"}).status, kExitBadInput);
  EXPECT_EQ(Call({"topo", "torus:4x4:1:1"}).status, kExitBadInput);
  EXPECT_EQ(Call({"topo", "kary-ntree:2x3:1"}).status, kExitBadInput);
  EXPECT_EQ(Call({"topo", "xgft:4x4:1x4x4"}).status, kExitBadInput);
  EXPECT_EQ(Call({"topo", "netlist:4"}).status, kExitBadInput);
  EXPECT_EQ(Call({"topo", "ring:4", "--dot", "--netlist"}).status, kExitBadInput);
  const Outcome outcome = Call({"topo", "torus:4", "--out", (folder_.path() / "no/such").string()});
  EXPECT_EQ(outcome.status, kExitBadInput);
  EXPECT_TRUE(Contains(outcome.err, "cannot be written"));
}

TEST_F(CliTest, RouteChecks) {
  const Outcome good = Call({"route", "torus:4x4", "--engine", "dor", "--vls", "2"});
  EXPECT_EQ(good.status, kExitOk) << good.err;
  EXPECT_TRUE(Contains(good.out, "no cycle")) << good.out;
  const Outcome cyclic = Call({"route", "torus:5x5", "--engine", "minhop"});
  EXPECT_EQ(cyclic.status, kExitFailed);
  EXPECT_TRUE(Contains(cyclic.out, "CYCLIC")) << cyclic.out;
  EXPECT_TRUE(Contains(cyclic.out, " -> ")) << cyclic.out;
}

TEST_F(CliTest, RouteReports) {
  const Outcome outcome = Call({"route", "torus:4x4", "--report"});
  EXPECT_EQ(outcome.status, kExitOk) << outcome.err;
  EXPECT_TRUE(Contains(outcome.out, "240, 240 paths; disjoint paths of a pair: 1: 100.00 %"))
      << outcome.out;
  ExpectBadInput({"route", "torus:4x4", "--paths", "4"},
                 "4 paths for each pair, and this engine has one; expected 1, or an engine for "
                 "more, like tftr");
}

TEST_F(CliTest, RouteSeveralPaths) {
  const std::vector<std::string> tftr = {"route", "torus:4x4", "--engine", "tftr",
                                         "--vls", "2",         "--paths",  "4"};
  std::vector<std::string> report = tftr;
  report.emplace_back("--report");
  const Outcome outcome = Call(report);
  EXPECT_EQ(outcome.status, kExitOk) << outcome.err;
  EXPECT_TRUE(Contains(outcome.out, "240, 960 paths; disjoint paths of a pair: 4: 100.00 %"))
      << outcome.out;
  EXPECT_TRUE(Contains(outcome.out, "no cycle")) << outcome.out;
  std::vector<std::string> few = tftr;
  few.insert(few.end(), {"--sls", "1"});
  EXPECT_EQ(Call(few).status, kExitBadInput);
}

TEST_F(CliTest, RouteAroundCuts) {
  EXPECT_EQ(Call({"route", "torus:4x4", "--cut", "S0_0:1", "--cut", "S1_1:3"}).status, kExitOk);
  const Outcome split = Call({"route", "mesh:2", "--cut", "S0:1"});
  EXPECT_EQ(split.status, kExitFailed);
  EXPECT_TRUE(Contains(split.out, "pairs do not arrive")) << split.out;
  ExpectBadInput(
      {"route", "mesh:2", "--cut", "S0:9"},
      "lanecut: --cut S0:9: there is no such link; expected a node and one of its cabled "
      "ports, like S0_0:1");
}

TEST_F(CliTest, RouteMeetsFaults) {
  const Outcome outcome =
      Call({"route", "torus:4x4", "--vls", "2", "--faults", "S0_0:1,S1_1:3", "--report"});
  EXPECT_EQ(outcome.status, kExitOk) << outcome.err;
  EXPECT_TRUE(Contains(outcome.out, "fault      S0_0:1: ")) << outcome.out;
  EXPECT_TRUE(Contains(outcome.out, " of 240 pairs have new paths, 0 are cut off; "))
      << outcome.out;
  EXPECT_TRUE(Contains(outcome.out, "fault      S1_1:3: ")) << outcome.out;
  EXPECT_TRUE(Contains(outcome.out, "no cycle")) << outcome.out;
  // A switch takes its end node with it, so not all pairs arrive.
  const Outcome node = Call({"route", "torus:4x4", "--vls", "2", "--faults", "S0_0"});
  EXPECT_EQ(node.status, kExitFailed);
  EXPECT_TRUE(Contains(node.out, " of 240 pairs have new paths, 30 are cut off; ")) << node.out;
  ExpectBadInput({"route", "torus:4x4", "--faults", "S9"},
                 "lanecut: --faults S9: there is no such link or switch; expected a switch, like "
                 "S0_0, or a node and one of its cabled ports, like S0_0:1");
  ExpectBadInput({"route", "torus:4x4", "--vls", "2", "--lmc", "0", "--faults", "S0_0:1"},
                 "fault S0_0:1: rftr: LMC 0 gives 1 LIDs to an end node, and its paths need 2; "
                 "expected LMC 1");
  EXPECT_EQ(Call({"route", "torus:4x4", "--faults", "S0_0:1", "--spare-vls", "1"}).status, kExitOk);
  const Outcome ready = Call({"route", "torus:4x4", "--engine", "tftr", "--vls", "2", "--paths",
                              "2", "--faults", "S0_0:1,S0_0:2,S0_0:3", "--ready", "2"});
  EXPECT_EQ(ready.status, kExitOk);
  EXPECT_NE(ready.out.find("pairs have got further paths\n"), std::string::npos) << ready.out;
  EXPECT_NE(ready.out.find("fewer    30 pairs, as the topology has no disjoint one: H"),
            std::string::npos)
      << ready.out;
}

TEST_F(CliTest, FaultsAreCounted) {
  const Outcome rftr = Call({"faults", "torus:4x4", "--vls", "2", "--most", "2"});
  EXPECT_EQ(rftr.status, kExitOk) << rftr.err;
  EXPECT_EQ(rftr.out,
            "faults    combinations       tolerated       not, %  VLs  SLs\n"
            "     1              32              32       0.0000    2    3\n"
            "     2             496             496       0.0000    2    3\n");
  const Outcome paths = Call({"faults", "torus:4", "--recovery", "paths", "--samples", "9"});
  EXPECT_EQ(paths.out,
            "faults         samples       tolerated       not, %  VLs  SLs\n"
            "     1               9               0     100.0000    0    0\n");
  ExpectBadInput({"faults", "torus:4", "--most", "5"},
                 "lanecut: --most 5: there are 4 cables between switches; expected no more");
  EXPECT_EQ(Call({"faults", "torus:4", "--recovery", "none"}).status, kExitBadInput);
}

TEST_F(CliTest, RouteReadsTheScenariosRouting) {
  const std::string file = Write(
      "r.toml", "[topology]\nkind = \"torus\"\n[routing]\nengine = \"dor\"\n[switch]\nvls = 2\n");
  EXPECT_EQ(Call({"route", file}).out,
            Call({"route", "torus:4x4", "--engine", "dor", "--vls", "2"}).out);
}

TEST_F(CliTest, RouteDumpsTablesThatItReads) {
  const std::string file = (folder_.path() / "t.lfts").string();
  const Outcome dump = Call({"route", "torus:3x3", "--dump", "--out", file});
  EXPECT_EQ(dump.status, kExitOk) << dump.err;
  EXPECT_TRUE(Contains(dump.out, "no cycle"));
  const Outcome read = Call({"route", "torus:3x3", "--tables", file});
  EXPECT_EQ(read.status, kExitOk) << read.err;
  EXPECT_EQ(read.out, dump.out);
  EXPECT_TRUE(Contains(Call({"route", "torus:3x3", "--dump"}).out, "Unicast lids"));
}

TEST_F(CliTest, RouteWritesWhatOpenSmWould) {
  const std::string folder = (folder_.path() / "dumps").string();
  const Outcome dumps =
      Call({"route", "torus:4x4", "--engine", "dor", "--vls", "2", "--dumps", folder});
  EXPECT_EQ(dumps.status, kExitOk) << dumps.err;
  const std::vector<std::string> lanes = {"--sl2vl", folder + "/opensm-sl2vl.dump",
                                          "--path-records", folder + "/path-records.txt"};
  for (const char* fabric : {"/opensm-subnet.lst", "/ibnetdiscover.net"}) {
    for (const char* tables : {"/opensm-lfts.dump", "/opensm.fdbs"}) {
      std::vector<std::string> call = {"route", folder + fabric, "--tables", folder + tables};
      EXPECT_EQ(Call(call).status, kExitFailed);  // all on SL 0
      call.insert(call.end(), lanes.begin(), lanes.end());
      const Outcome read = Call(call);
      EXPECT_EQ(read.out, dumps.out) << read.err;
    }
  }
  const std::string file = Write("file", "");
  ExpectBadInput({"route", "torus:4x4", "--dumps", file},
                 "lanecut: --dumps " + file + ": cannot be made; expected a folder");
}

TEST_F(CliTest, EnginesAreCompared) {
  // Of a ring of five with an end node each: a pair of neighbours and two that are two apart on
  // every link of minhop; dor needs 2 VLs.
  const Outcome table = Call({"route", "torus:5:1", "--compare", "minhop,dor,updown", "--balance"});
  EXPECT_EQ(table.status, kExitOk) << table.err;
  std::istringstream lines(table.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(Contains(line, "busiest")) << line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "minhop      1    1    1.5000    2         3      1.00            30  can deadlock");
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("dor       refuses: ")) << line;
  EXPECT_TRUE(Contains(line, "expected")) << line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("updown ")) << line;
  EXPECT_FALSE(std::getline(lines, line));
  // A row is what the engine by itself reports.
  const Outcome dor = Call({"route", "torus:4x4:2", "--vls", "2", "--engine", "dor", "--report"});
  const Outcome row = Call({"route", "torus:4x4:2", "--vls", "2", "--compare", "dor"});
  EXPECT_TRUE(Contains(dor.out, "2.1333 on average")) << dor.out;
  EXPECT_TRUE(Contains(row.out, "2.1333")) << row.out;
  EXPECT_TRUE(Contains(Call({"route", "torus:5:1", "--compare", "minhop"}).out, "can deadlock"));
  EXPECT_EQ(Call({"route", "torus:4:1", "--compare", "minhop,none"}).status, kExitBadInput);
  EXPECT_EQ(Call({"route", "torus:4:1", "--compare", "minhop", "--dump"}).status, kExitBadInput);
}

TEST_F(CliTest, RouteErrors) {
  const Outcome engine = Call({"route", "torus:4x4", "--engine", "torus-2qos"});
  EXPECT_EQ(engine.status, kExitBadInput);
  EXPECT_TRUE(Contains(engine.err, "updown")) << engine.err;
  ExpectBadInput({"route", "torus:4x4", "--root", "H0_0_0"},
                 "lanecut: --root H0_0_0: no switch has this name; expected a switch, like S0_0");
  ExpectBadInput({"route", "torus:4x4", "--engine", "lash", "--tree", "bfs"},
                 "lanecut: --tree is given for engine lash, which has no use for it; expected "
                 "--engine \"updown\", \"mroots\" or \"tor\"");
  ExpectBadInput({"faults", "torus:4x4", "--engine", "tftr", "--balance"},
                 "lanecut: --balance is given for engine tftr, which has no use for it; expected "
                 "--engine \"updown\", \"minhop\", \"mroots\", \"lturn\" or \"fx\"");
  EXPECT_EQ(Call({"route", "torus:4x4", "--engine", "dor", "--root", "S0_0"}).status,
            kExitBadInput);
  EXPECT_EQ(
      Call({"route", "torus:4x4", "--engine", "mroots", "--root-choice", "least-load"}).status,
      kExitBadInput);
  EXPECT_EQ(Call({"route", "torus:4x4", "--tables", "x", "--balance"}).status, kExitBadInput);
  ExpectBadInput({"route", "torus:4x4", "--tables", "none"},
                 "none:0: cannot be read; expected forwarding tables as lanecut route --dump "
                 "writes them");
  EXPECT_EQ(Call({"route", "torus:4x4", "--tables", "x", "--engine", "dor"}).status, kExitBadInput);
}

}  // namespace
}  // namespace lanecut
