// SPDX-License-Identifier: Apache-2.0
//
// Every kind of bad scenario gives one line that says where, what and what else.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/scenario/scenario_test_util.h"

// What topology.kind may be.
#define KINDS                                                                    \
  "\"torus\", \"mesh\", \"ring\", \"hypercube\", \"full-mesh\", \"dragonfly\", " \
  "\"random-regular\", "                                                         \
  "\"kary-ntree\", \"xgft\", \"netlist\""

namespace lanecut {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* error;  // in full
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class ScenarioErrorTest : public testing::TestWithParam<Case> {};

TEST_P(ScenarioErrorTest, OneExactLine) { EXPECT_EQ(ErrorOf(GetParam().text), GetParam().error); }

const Case kValues[] = {
    {"Syntax", "[topology]\nkind = \"torus\n",
     "s.toml:2: not TOML: Error while parsing string: unescaped control characters other than TAB "
     "(U+0009) are explicitly prohibited; expected key = value or [table]"},
    {"DuplicateKey", "seed = 1\nseed = 2\n",
     "s.toml:2: not TOML: Error while parsing key-value pair: cannot redefine existing integer "
     "'seed'; expected key = value or [table]"},
    {"Typo", "[topology]\nkind = \"torus\"\n\n[traffic]\nlaod = 0.3\n",
     "s.toml:5: unknown key traffic.laod; did you mean traffic.load?"},
    {"WrongTable", "[topology]\nkind = \"torus\"\n[node]\nvls = 3\n",
     "s.toml:4: unknown key node.vls; did you mean switch.vls?"},
    {"UnknownKey", "[topology]\nkind = \"torus\"\n[link]\ncolour = 3\n",
     "s.toml:4: unknown key link.colour; expected one of rate, cable_m, fly_ns_per_m, fly_cycles"},
    {"UnknownTopKey", "speed_of_light = 3\n",
     "s.toml:1: unknown key speed_of_light; expected one of name, seed"},
    {"UnknownTable", "[topologie]\nkind = \"torus\"\n",
     "s.toml:1: unknown table [topologie]; did you mean [topology]?"},
    {"UnknownSubtable", "[topology]\nkind = \"torus\"\n[topology.extra]\nx = 1\n",
     "s.toml:3: unknown key topology.extra; expected one of kind, size, parents, nodes_per_switch, "
     "seed, file"},
    {"ValueForTable", "link = 3\n", "s.toml:1: link is a whole number; expected a table, [link]"},
    {"TableForValue", "[seed]\n", "s.toml:1: seed is a table; expected a value"},
    {"SingleFault", "[fault]\nkind = \"cut\"\n",
     "s.toml:1: [fault] is one table; expected [[fault]], as there may be several"},
    {"UnknownFaultKey",
     "[topology]\nkind = \"torus\"\n[[fault]]\nkind = \"cut\"\nat_cycle = 1\n[[fault]]\nkid = 1\n",
     "s.toml:7: unknown key fault.kid; did you mean fault.kind?"},
    {"TextForNumber", "seed = 5\n[traffic]\nload = \"0.3\"\n",
     "s.toml:3: traffic.load is a text; expected a number from 0 to 1"},
    {"NumberForText", "[topology]\nkind = 3\n",
     "s.toml:2: topology.kind is a whole number; expected one of " KINDS ""},
    {"FractionForWhole", "[switch]\nvls = 2.0\n",
     "s.toml:2: switch.vls is a fractional number; expected a whole number from 1 to 8"},
    {"NumberForBoolean", "[run]\ndrain = 1\n",
     "s.toml:2: run.drain is a whole number; expected true or false"},
    {"NumberForList", "[topology]\nsize = 8\n",
     "s.toml:2: topology.size is a whole number; expected a list of whole numbers from 1 to 4096"},
    {"ListOfTexts", "[topology]\nsize = [\"8\"]\n",
     "s.toml:2: topology.size is a list of something else; expected a list of whole numbers from "
     "1 to 4096"},
    {"Date", "seed = 2020-01-01\n",
     "s.toml:1: seed is a date or time; expected a whole number from 0 to 9007199254740991"},
    {"EmptyText", "name = \"\"\n", "s.toml:1: name is empty; expected a text"},
    {"LinesInText", "name = \"a\\nb\"\n", "s.toml:1: name is not one line; expected a text"},
    {"TooSmall", "[switch]\nvls = 0\n",
     "s.toml:2: switch.vls = 0 is out of range; expected a whole number from 1 to 8"},
    {"Negative", "[run]\nstall_cycles = -5\n",
     "s.toml:2: run.stall_cycles = -5 is out of range; expected a whole number from 100 to "
     "1000000000000"},
    {"TooLarge", "[traffic]\nload = 1.5\n",
     "s.toml:2: traffic.load = 1.5 is out of range; expected a number from 0 to 1"},
    {"NotANumber", "[traffic]\nload = nan\n",
     "s.toml:2: traffic.load = nan is out of range; expected a number from 0 to 1"},
    {"NotAMultiple", "[switch]\nbuffer_bytes = 1000\n",
     "s.toml:2: switch.buffer_bytes = 1000 is out of range; expected a multiple of 64 from 64 to "
     "65536"},
    {"SizeInList", "[topology]\nsize = [8, 0]\n",
     "s.toml:2: topology.size = 0 is out of range; expected a list of whole numbers from 1 to "
     "4096"},
    {"UnknownChoice", "[topology]\nkind = \"toros\"\n",
     "s.toml:2: topology.kind = \"toros\" is unknown; expected one of " KINDS
     "; did you mean \"torus\"?"},
    {"UnknownEngine", "[routing]\nengine = \"torus-2qos\"\n",
     "s.toml:2: routing.engine = \"torus-2qos\" is unknown; expected one of \"updown\", "
     "\"dor\", \"minhop\", \"lash\", \"dfsssp\", \"ftree\", \"mroots\", "
     "\"tor\", \"lturn\", \"fx\", \"smart\", \"dl\", \"tftr\", \"spftr\", \"spftr-derived\", "
     "\"a-spftr\", \"file\""},
    {"MissingKey", "[topology]\nsize = [4]\n",
     "s.toml:1: topology.kind is missing; expected one of " KINDS ""},
    {"MissingTable", "seed = 3\n", "s.toml:1: topology.kind is missing; expected one of " KINDS ""},
    {"MissingFaultKind", "[topology]\nkind = \"torus\"\n[[fault]]\nat_cycle = 1\n",
     "s.toml:3: fault.0.kind is missing; expected one of \"cut\", \"flap\", \"restore\", "
     "\"bit-errors\", \"fc-loss\""},
};

INSTANTIATE_TEST_SUITE_P(Values, ScenarioErrorTest, testing::ValuesIn(kValues),
                         [](const auto& param) { return std::string(param.param.name); });

#define TORUS "[topology]\nkind = \"torus\"\n"

const Case kContradictions[] = {
    {"LimitWithoutWeights", TORUS "[switch]\nvl_weights_low = [1, 1]\nvl_high_limit = 3\n",
     "s.toml:5: switch.vl_high_limit = 3 without switch.vl_weights_high; expected weights with it"},
    {"WeightsBeyondTheVls", TORUS "[switch]\nvl_weights_low = [1, 1, 1]\n",
     "s.toml:4: switch.vl_weights_low has 3 weights with switch.vls = 2; expected at most one for "
     "each VL"},
    {"VlWithoutWeight", TORUS "[switch]\nvl_weights_high = [0, 1]\n",
     "s.toml:4: VL 0 has no weight in switch.vl_weights_high or switch.vl_weights_low, so it would "
     "never send; expected a weight of 1 to 255 in one of them"},
    {"VlWithoutLowWeight", TORUS "[switch]\nvls = 2\nvl_weights_low = [1]\n",
     "s.toml:5: VL 1 has no weight in switch.vl_weights_high or switch.vl_weights_low, so it would "
     "never send; expected a weight of 1 to 255 in one of them"},
    {"HoldWithoutEbr", "[topology]\nkind = \"torus\"\n[reconfiguration]\nhold_cycles = 9\n",
     "s.toml:4: reconfiguration.hold_cycles = 9 with reconfiguration.scheme = \"static\"; expected "
     "0, or scheme \"ebr\" or \"ebrd\", the only ones that let packets wait"},
    {"HoldLikeAStall",
     "[topology]\nkind = \"torus\"\n[reconfiguration]\nscheme = \"ebrd\"\nhold_cycles = 20_000\n",
     "s.toml:5: reconfiguration.hold_cycles = 20000 is not less than run.stall_cycles = 20000, so "
     "that a wait for it would count as a stall; expected less than 20000"},
    {"PathsOfUpdown", TORUS "[routing]\npaths = 2\n",
     "s.toml:4: routing.paths = 2 with routing.engine = \"updown\"; expected 1, or engine "
     "\"tftr\", \"spftr\", \"spftr-derived\" or \"a-spftr\", the only ones that give several"},
    {"SeveralLidsUnderEbr", TORUS "[routing]\nlmc = 1\n[reconfiguration]\nscheme = \"ebr\"\n",
     "s.toml:6: reconfiguration.scheme = \"ebr\" where end nodes have several LIDs; expected "
     "scheme "
     "\"static\", \"apm\", \"rftr\" or \"apm-rftr-ebr\", or another engine and routing.lmc = 0"},
    {"OnePathOnly",
     TORUS "[routing]\nengine = \"tftr\"\nlmc = 3\n[reconfiguration]\nscheme = "
           "\"apm-rftr-ebr\"\n",
     "s.toml:3: routing.paths = 1 with reconfiguration.scheme = \"apm-rftr-ebr\"; expected 2 or "
     "more: a path to take when the first one fails"},
    {"PatternsAfterAFault",
     "[topology]\nkind = \"torus\"\nsize = [5, 5]\n[routing]\nengine = \"spftr\"\nlmc = 3\npaths = "
     "2\n[reconfiguration]\nscheme = \"apm-rftr-ebr\"\n",
     "s.toml:4: routing.after_fault_engine = \"\" with reconfiguration.scheme = \"apm-rftr-ebr\"; "
     "expected \"tftr\": the patterns of routing.engine are for tori without faults"},
    {"ApmWithOnePath",
     TORUS "[routing]\nengine = \"tftr\"\npaths = 1\n[reconfiguration]\nscheme = \"apm\"\n",
     "s.toml:5: routing.paths = 1 with reconfiguration.scheme = \"apm\"; expected 2 or more: a "
     "path "
     "to take when the first one fails"},
    {"RftrWithOneLid", TORUS "[routing]\nlmc = 0\n[reconfiguration]\nscheme = \"rftr\"\n",
     "s.toml:4: routing.lmc = 0 with reconfiguration.scheme = \"rftr\"; expected 1 to 7: new paths "
     "need LIDs of their own; 3 is mostly enough"},
    {"RftrWithAnotherEngine",
     TORUS
     "[routing]\nlmc = 3\nafter_fault_engine = \"lash\"\n[reconfiguration]\nscheme = \"rftr\"\n",
     "s.toml:5: routing.after_fault_engine = \"lash\" with reconfiguration.scheme = \"rftr\"; "
     "expected none: the scheme computes no other tables"},
    {"RftrWithStandby",
     TORUS
     "[routing]\nlmc = 3\n[manager]\nstandby = \"H3_3_0\"\n[reconfiguration]\nscheme = \"rftr\"\n",
     "s.toml:6: manager.standby = \"H3_3_0\" with reconfiguration.scheme = \"rftr\"; expected "
     "none: it "
     "would not know the tables of the bring-up"},
    {"RerouteUnderRftr",
     TORUS
     "[routing]\nlmc = 3\n[reconfiguration]\nscheme = \"rftr\"\n[[change]]\nkind = \"reroute\"\n"
     "engine = \"lash\"\nat_cycle = 1\n",
     "s.toml:8: change.0.kind = \"reroute\" with reconfiguration.scheme = \"rftr\"; expected "
     "another "
     "scheme: this one keeps the tables of the bring-up"},
    {"DifferencesWithoutOsr", TORUS "[reconfiguration]\nscheme = \"ebrd\"\ndifferences = true\n",
     "s.toml:5: reconfiguration.differences = true with reconfiguration.scheme = \"ebrd\"; "
     "expected "
     "false, or scheme \"osr-la\" or \"osr-pda\""},
    {"Name", "name = \"a/b\"\n" TORUS,
     "s.toml:1: name \"a/b\" cannot name a folder; expected letters, digits, \".\", \"_\", \"-\", "
     "not starting with \".\""},
    {"Dimensions", TORUS "size = [2, 2, 2, 2, 2, 2, 2]\n",
     "s.toml:3: topology.size has 7 dimensions; expected 1 to 6"},
    {"Lids", TORUS "size = [64, 64]\nnodes_per_switch = 16\n",
     "s.toml:3: switches and end nodes would need 69632 LIDs; expected at most 49151"},
    {"FileForTorus", TORUS "file = \"x.net\"\n",
     "s.toml:3: topology.file is given for a \"torus\"; expected topology.kind = \"netlist\" with "
     "it"},
    {"SmallDimension", TORUS "size = [8, 1]\n",
     "s.toml:3: topology.size = 1 is out of range; expected 2 to 64 switches in each dimension"},
    {"RingOfTwoSizes", "[topology]\nkind = \"ring\"\nsize = [4, 4]\n",
     "s.toml:3: topology.size has 2 numbers; expected 1, of switches"},
    {"NodesOfATree", "[topology]\nkind = \"kary-ntree\"\nsize = [4, 2]\nnodes_per_switch = 2\n",
     "s.toml:4: topology.nodes_per_switch is given for a \"kary-ntree\"; expected another "
     "topology.kind with it"},
    {"ParentsOfATorus", TORUS "parents = [1]\n",
     "s.toml:3: topology.parents is given for a \"torus\"; expected topology.kind = \"xgft\" with "
     "it"},
    {"XgftWithoutParents", "[topology]\nkind = \"xgft\"\nsize = [4, 2]\n",
     "s.toml:1: topology.parents has 0 numbers; expected 2, as topology.size has"},
    {"LargeTree", "[topology]\nkind = \"kary-ntree\"\nsize = [64, 6]\n",
     "s.toml:3: switches and end nodes would need 75161927680 LIDs; expected at most 49151"},
    {"DorOnATree", "[topology]\nkind = \"kary-ntree\"\n[routing]\nengine = \"dor\"\n",
     "s.toml:4: routing.engine = \"dor\" on a \"kary-ntree\"; expected a torus or mesh for dor"},
    {"NoFile", "[topology]\nkind = \"netlist\"\n",
     "s.toml:1: topology.file is missing; expected the netlist's file, as topology.kind is "
     "\"netlist\""},
    {"FileNotThere", "[topology]\nkind = \"netlist\"\nfile = \"no/such.net\"\n",
     "s.toml:3: there is no file \"no/such.net\"; expected a netlist, its path seen from the "
     "scenario's folder"},
    {"SizeOfNetlist", "[topology]\nkind = \"netlist\"\nfile = \"x\"\nsize = [4]\n",
     "s.toml:4: topology.size is given for a netlist; expected topology.kind = \"torus\" or "
     "\"mesh\" with it"},
    {"TwoFlyTimes", TORUS "[link]\ncable_m = 3\nfly_cycles = 4\n",
     "s.toml:4: link.cable_m is given together with link.fly_cycles; expected only one of the two"},
    {"StandbyAsksTooOften", TORUS "[manager]\nstandby = \"H1_1_0\"\nstandby_poll_cycles = 5000\n",
     "s.toml:5: manager.standby_poll_cycles = 5000 with manager.timeout_cycles = 20000; expected "
     "at "
     "least manager.timeout_cycles"},
    {"DorOnOneLane", TORUS "size = [4, 5]\n[routing]\nengine = \"dor\"\n[switch]\nvls = 1\n",
     "s.toml:7: switch.vls = 1 with routing.engine = \"dor\" on a torus; expected at least 2: the "
     "second lane breaks the cycle of a ring"},
    {"RootOfDor", TORUS "[routing]\nengine = \"dor\"\nroot = \"S0_0\"\n",
     "s.toml:5: routing.root is given for engine \"dor\", which has no use for it; expected engine "
     "\"updown\", \"mroots\", \"tor\", \"lturn\", \"fx\", \"smart\" or \"dl\""},
    {"TreeOfLash", TORUS "[routing]\nengine = \"lash\"\ntree = \"dfs\"\n",
     "s.toml:5: routing.tree is given for engine \"lash\", which has no use for it; expected "
     "engine "
     "\"updown\", \"mroots\" or \"tor\""},
    {"BalanceOfTor", TORUS "[routing]\nengine = \"tor\"\nbalance = true\n",
     "s.toml:5: routing.balance is given for engine \"tor\", which has no use for it; expected "
     "engine \"updown\", \"minhop\", \"mroots\", \"lturn\" or \"fx\""},
    {"RootChoiceOfMroots", TORUS "[routing]\nengine = \"mroots\"\nroot_choice = \"least-load\"\n",
     "s.toml:5: routing.root_choice is given for engine \"mroots\", which has no use for it; "
     "expected "
     "engine \"updown\""},
    {"NoTables", TORUS "[routing]\nengine = \"file\"\n",
     "s.toml:3: routing.file is missing; expected the file of the tables, as routing.engine is "
     "\"file\""},
    {"TablesForUpdown", TORUS "[routing]\nfile = \"x.lfts\"\n",
     "s.toml:4: routing.file is given for engine \"updown\"; expected no file, or routing.engine = "
     "\"file\""},
    {"VlsWithoutTables", TORUS "[routing]\nsl2vl_file = \"x\"\n",
     "s.toml:4: routing.sl2vl_file is given alone; expected routing.engine = \"file\" and "
     "routing.file"},
    {"PathsWithoutVls", TORUS "[routing]\npath_records_file = \"x\"\n",
     "s.toml:4: routing.path_records_file is given alone; expected routing.sl2vl_file, too"},
    {"TablesNotThere", TORUS "[routing]\nengine = \"file\"\nfile = \"no/such.lfts\"\n",
     "s.toml:5: there is no file \"no/such.lfts\"; expected forwarding tables, their path seen "
     "from "
     "the scenario's folder"},
    {"TablesOfNoEngine",
     TORUS "[[change]]\nkind = \"reroute\"\nroot = \"S0_0\"\nfile = \"x\"\nat_cycle = 1\n",
     "s.toml:6: change.0.file is given for engine \"\"; expected no file, or change.0.engine = "
     "\"file\""},
    {"Payload", TORUS "[traffic]\npacket_bytes = 60\n",
     "s.toml:4: traffic.packet_bytes = 60 leaves no whole payload; expected 26 plus a multiple of "
     "4: 46, 50, ... 58, ... 282"},
    {"TimerLikeAStall", TORUS "[node]\nreliable = true\nretransmit_cycles = 20000\n",
     "s.toml:5: node.retransmit_cycles = 20000 is not less than run.stall_cycles = 20000, so that "
     "a "
     "wait for it would count as a stall; expected less than 20000"},
    {"FileForUniform", TORUS "[traffic]\nfile = \"x.txt\"\n",
     "s.toml:4: traffic.file is given for traffic.pattern = \"uniform\"; expected no file, or "
     "traffic.pattern = \"permutation\" or \"trace\""},
    {"NoTrace", TORUS "[traffic]\npattern = \"trace\"\n",
     "s.toml:3: traffic.file is missing; expected the trace's file, as traffic.pattern is "
     "\"trace\""},
    {"TraceNotThere", TORUS "[traffic]\npattern = \"trace\"\nfile = \"no/such.txt\"\n",
     "s.toml:5: there is no file \"no/such.txt\"; expected a text file, its path seen from the "
     "scenario's folder"},
    {"OnWithoutOff", TORUS "[traffic]\non_cycles = 20\n",
     "s.toml:4: traffic.on_cycles is given without traffic.off_cycles; expected both for bursts, "
     "neither for steady traffic"},
    {"BurstsAboveTheLink", TORUS "[traffic]\nload = 0.4\non_cycles = 100\noff_cycles = 200\n",
     "s.toml:4: traffic.load = 0.4 needs 1.2 times the link rate while a source is on; expected at "
     "most on_cycles / (on_cycles + off_cycles)"},
    {"SwitchBuffer", TORUS "[switch]\nbuffer_bytes = 64\n[traffic]\npacket_bytes = 282\n",
     "s.toml:4: switch.buffer_bytes = 64 holds no packet of 282 bytes; expected at least 320"},
    {"NodeBuffer", TORUS "[node]\nbuffer_bytes = 64\n[traffic]\npacket_bytes = 282\n",
     "s.toml:4: node.buffer_bytes = 64 holds no packet of 282 bytes; expected at least 320"},
    {"TwoWarmups", TORUS "[run]\nwarmup_cycles = 1\nwarmup_packets = 1\n",
     "s.toml:5: run.warmup_packets and run.warmup_cycles are both given; expected only one of the "
     "two"},
    {"WarmupWithoutLoad", TORUS "[traffic]\nload = 0\n[run]\nwarmup_packets = 1\n",
     "s.toml:6: run.warmup_packets = 1 with traffic.load = 0; expected a load, or no warm-up"},
    {"WarmupTooLong", TORUS "[run]\nwarmup_cycles = 900\nmeasure_cycles = 200\nmax_cycles = 1000\n",
     "s.toml:4: start, warm-up and measurement take 0 + 900 + 200 cycles, more than run.max_cycles "
     "= 1000; expected phases that end before the run does"},
    {"WarmupOfTooManyPackets",
     TORUS "[traffic]\nload = 0.5\n[run]\nwarmup_packets = 8000\nmax_cycles = 20000\n",
     "s.toml:6: start, warm-up and measurement take 0 + 15000 + 20000 cycles, more than "
     "run.max_cycles = 20000; expected phases that end before the run does"},
    {"StallTooLong", TORUS "[run]\nstall_cycles = 200000\nmax_cycles = 100000\n",
     "s.toml:4: run.stall_cycles = 200000 is more than run.max_cycles = 100000; expected a time "
     "within the run"},
    {"ReroutesNothing", TORUS "[[change]]\nkind = \"reroute\"\nat_cycle = 1\n",
     "s.toml:3: neither change.0.engine nor change.0.root is given; expected what shall be "
     "different"},
    {"ReroutesALink", TORUS "[[change]]\nkind = \"reroute\"\nwhat = \"S0_0\"\nat_cycle = 1\n",
     "s.toml:5: change.0.what is given for a reroute; expected an engine or a root, or kind "
     "\"remove\" or \"add\""},
    {"RemovesNothing", TORUS "[[change]]\nkind = \"remove\"\nat_cycle = 1\n",
     "s.toml:3: change.0.what is missing; expected a link like \"S0_0:1\", or a switch like "
     "\"S0_0\""},
    {"AddsARoot", TORUS "[[change]]\nkind = \"add\"\nroot = \"S0_0\"\nat_cycle = 1\n",
     "s.toml:5: change.0.root is given for a change of links; expected what to remove or add, or "
     "kind \"reroute\""},
    {"ChangeWithoutTime", TORUS "[[change]]\nkind = \"remove\"\nwhat = \"S0_0\"\n",
     "s.toml:3: neither change.0.at_cycle nor change.0.after_warmup is given; expected one of the "
     "two"},
    {"SingleChange", "[change]\nkind = \"add\"\n",
     "s.toml:1: [change] is one table; expected [[change]], as there may be several"},
    {"FaultLink", TORUS "[[fault]]\nkind = \"cut\"\nat_cycle = 1\nlink = \"S0_0\"\n",
     "s.toml:6: fault.0.link = \"S0_0\" names no link; expected node and port like \"S0_0:1\", or "
     "\"random\", or \"all\""},
    {"CutAll", TORUS "[[fault]]\nkind = \"cut\"\nat_cycle = 1\nlink = \"all\"\n",
     "s.toml:6: fault.0.link = \"all\" for a fault that takes links down; expected a link like "
     "\"S0_0:1\", or \"random\""},
    {"RestoreRandom", TORUS "[[fault]]\nkind = \"restore\"\nat_cycle = 1\n",
     "s.toml:3: fault.0.link = \"random\" for a restore; expected the link that was cut, like "
     "\"S0_0:1\""},
    {"NoTime", TORUS "[[fault]]\nkind = \"cut\"\n",
     "s.toml:3: neither fault.0.at_cycle nor fault.0.after_warmup is given; expected one of the "
     "two"},
    {"TwoTimes", TORUS "[[fault]]\nkind = \"cut\"\nat_cycle = 1\nafter_warmup = 1\n",
     "s.toml:6: fault.0.at_cycle and fault.0.after_warmup are both given; expected one of the "
     "two"},
    {"FaultAfterTheEnd", TORUS "[[fault]]\nkind = \"cut\"\nafter_warmup = 20000\n",
     "s.toml:5: fault.0.after_warmup = 20000 is not within the measurement of 20000 cycles; "
     "expected less than run.measure_cycles = 20000"},
    {"FaultBeyondTheRun", TORUS "[[fault]]\nkind = \"cut\"\nat_cycle = 100_000_000\n",
     "s.toml:5: fault.0.at_cycle = 100000000 is beyond the run; expected less than run.max_cycles "
     "= 100000000"},
    {"RateOfCut", TORUS "[[fault]]\nkind = \"cut\"\nat_cycle = 1\nrate = 0.5\n",
     "s.toml:6: fault.0.rate = 0.5; expected no rate for this kind of fault"},
    {"NoRate", TORUS "[[fault]]\nkind = \"fc-loss\"\nat_cycle = 1\nrate = 0\n",
     "s.toml:6: fault.0.rate = 0; expected a probability above 0"},
    {"DurationOfCut", TORUS "[[fault]]\nkind = \"cut\"\nat_cycle = 1\nduration_cycles = 5\n",
     "s.toml:6: fault.0.duration_cycles is given for a fault that does not end; expected kind "
     "\"flap\", \"bit-errors\" or \"fc-loss\""},
    {"FlapWithoutDuration", TORUS "[[fault]]\nkind = \"flap\"\nat_cycle = 1\n",
     "s.toml:3: fault.0.duration_cycles is missing for a flap; expected how long the link is "
     "down"},
};

INSTANTIATE_TEST_SUITE_P(Contradictions, ScenarioErrorTest, testing::ValuesIn(kContradictions),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(ScenarioErrorsTest, DorNeedsAGrid) {
  const TemporaryFolder folder;
  folder.Write("n.net", "");
  folder.Write("s.toml",
               "[topology]\nkind = \"netlist\"\nfile = \"n.net\"\n[routing]\nengine = \"dor\"\n");
  const std::string file = (folder.path() / "s.toml").string();
  try {
    ReadScenario(file);
    FAIL() << "accepted";
  } catch (const ScenarioError& error) {
    EXPECT_EQ(
        error.what(),
        file + ":5: routing.engine = \"dor\" on a \"netlist\"; expected a torus or mesh for dor");
  }
}

// A key of one pattern may stay where another one is chosen.
TEST(ScenarioErrorsTest, KeysThatDoNotApplyAreNoError) {
  EXPECT_EQ(ErrorOf(TORUS "[traffic]\npattern = \"trace\"\nfile = \"/etc/hostname\"\nload = 1\n"
                          "hot_fraction = 0.2\non_cycles = 1\noff_cycles = 9\n"
                          "[node]\nwindow_packets = 8\n"),
            "");
}

TEST(ScenarioErrorsTest, MissingFile) {
  try {
    ReadScenario("no/such.toml");
    FAIL() << "accepted";
  } catch (const ScenarioError& error) {
    EXPECT_STREQ(error.what(), "no/such.toml: cannot be read; expected a scenario file");
  }
}

TEST(ScenarioErrorsTest, SmallRingsNeedNoSecondLane) {
  EXPECT_EQ(ErrorOf(TORUS "size = [3, 2]\n[switch]\nvls = 1\n[routing]\nengine = \"dor\"\n"), "");
  EXPECT_EQ(ErrorOf(TORUS "[switch]\nvls = 1\n[routing]\nengine = \"dor\"\nallow_cyclic = true\n"),
            "");
}

TEST(ScenarioErrorsTest, CyclicTablesNeedAnEmptyNetwork) {
  const std::string cyclic = TORUS "[routing]\nengine = \"minhop\"\nallow_cyclic = true\n";
  EXPECT_EQ(ErrorOf(cyclic + "[reconfiguration]\nscheme = \"static\"\n"), "");
  const std::string error = ErrorOf(cyclic + "[reconfiguration]\nscheme = \"osr-la\"\n");
  EXPECT_NE(error.find("routing.allow_cyclic with reconfiguration.scheme = \"osr-la\"; expected "
                       "scheme \"static\", the only one that works with cyclic tables"),
            std::string::npos)
      << error;
  for (const char* scheme : {"osr-pda", "osr-la", "ebr", "ebrd", "double-scheme"}) {
    EXPECT_EQ(ErrorOf(TORUS "[reconfiguration]\nscheme = \"" + std::string(scheme) + "\"\n"), "");
  }
}

TEST(ScenarioErrorsTest, DoubleSchemeNeedsTwoLanes) {
  const std::string error =
      ErrorOf(TORUS "[switch]\nvls = 1\n[reconfiguration]\nscheme = \"double-scheme\"\n");
  EXPECT_NE(
      error.find("switch.vls = 1 with reconfiguration.scheme = \"double-scheme\"; expected at "
                 "least 2: one for old packets and one for new ones"),
      std::string::npos)
      << error;
}

// For values that only the fabric can judge.
TEST(ScenarioErrorsTest, ErrorAtNamesTheLine) {
  const Scenario s = ParseScenario(TORUS "[switch]\nvls = 3\n", "s.toml", {"seed=2"});
  EXPECT_STREQ(ErrorAt(s, "switch.vls", "w", "e").what(), "s.toml:4: w; expected e");
  EXPECT_STREQ(ErrorAt(s, "switch.route_cycles", "w", "e").what(), "s.toml:3: w; expected e");
  EXPECT_STREQ(ErrorAt(s, "seed", "w", "e").what(), "--set seed=2: w; expected e");
  EXPECT_STREQ(ErrorAt(s, "routing.root", "w", "e").what(), "s.toml:1: w; expected e");
}

}  // namespace
}  // namespace lanecut
