// SPDX-License-Identifier: Apache-2.0
#include "sw/scenario/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sw/routing/routing.h"
#include "sw/scenario/origin.h"
#include "sw/scenario/schema.h"

namespace lanecut {
namespace {

// `what` is expected at the path.
void CheckFile(const Scenario& s, std::string_view key, const std::filesystem::path& path,
               std::string_view what) {
  if (std::filesystem::is_regular_file(path)) return;
  const bool is_set = OriginOf(s, key).starts_with("--set");
  throw ErrorAt(
      s, key, fmt::format("there is no file \"{}\"", path.string()),
      fmt::format("{} path seen from the {} folder", what, is_set ? "current" : "scenario's"));
}

constexpr std::uint64_t kUnicastLids = 0xBFFF;  // IBA 4.1.3: unicast LIDs are 0x0001 to 0xBFFF

using Kind = TopologyKind;

bool IsTree(Kind kind) { return kind == Kind::kKaryNtree || kind == Kind::kXgft; }

bool IsGrid(Kind kind) {
  return kind == Kind::kTorus || kind == Kind::kMesh || kind == Kind::kRing ||
         kind == Kind::kHypercube;
}

bool Given(const Scenario& s, const std::string& key) { return s.origins.contains(key); }

// Doubles, because sizes that are far too large must not wrap around.
struct NodeCounts {
  double switches = 1;
  double end_nodes = 0;
};

NodeCounts CountTree(const std::vector<std::uint64_t>& children,
                     const std::vector<std::uint64_t>& parents) {
  NodeCounts counts{0, 1};
  for (const auto m : children) counts.end_nodes *= static_cast<double>(m);
  double subtrees = counts.end_nodes;
  double tops = 1;
  for (std::size_t l = 0; l < children.size(); ++l) {
    subtrees /= static_cast<double>(children[l]);
    tops *= static_cast<double>(parents[l]);
    counts.switches += subtrees * tops;
  }
  return counts;
}

// Of any kind but a netlist, whose `size` has the right number of elements.
NodeCounts CountNodes(const TopologyScenario& t) {
  NodeCounts counts;
  const auto first = static_cast<double>(t.size.front());
  if (t.kind == Kind::kXgft) return CountTree(t.size, t.parents);
  if (t.kind == Kind::kKaryNtree) {
    std::vector<std::uint64_t> parents(t.size[1], t.size[0]);
    parents.front() = 1;
    return CountTree(std::vector<std::uint64_t>(t.size[1], t.size[0]), parents);
  }
  if (t.kind == Kind::kTorus || t.kind == Kind::kMesh) {
    for (const std::uint64_t size : t.size) counts.switches *= static_cast<double>(size);
  } else if (t.kind == Kind::kHypercube) {
    counts.switches = std::exp2(first);
  } else if (t.kind == Kind::kDragonfly) {
    const double most = first * static_cast<double>(t.size[1]) + 1;
    counts.switches = first * (t.size.size() > 2 ? static_cast<double>(t.size[2]) : most);
  } else {
    counts.switches = first;
  }
  counts.end_nodes = counts.switches * static_cast<double>(t.nodes_per_switch);
  return counts;
}

void CheckName(const Scenario& s) {
  const bool plain = std::ranges::all_of(s.name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
  });
  if (!plain || s.name.empty() || s.name.front() == '.') {
    throw ErrorAt(s, "name", fmt::format("name \"{}\" cannot name a folder", s.name),
                  "letters, digits, \".\", \"_\", \"-\", not starting with \".\"");
  }
}

// How many numbers `size` has, by kind.
struct SizeRule {
  std::size_t least;
  std::size_t most;
  std::string_view expected;
};

SizeRule SizeRuleOf(Kind kind) {
  switch (kind) {
    case Kind::kRing:
    case Kind::kFullMesh:
      return {1, 1, "1, of switches"};
    case Kind::kHypercube:
      return {1, 1, "1, of dimensions"};
    case Kind::kDragonfly:
      return {2, 3, "switches per group, global links per switch and perhaps groups"};
    case Kind::kRandomRegular:
      return {2, 2, "2, of switches and of links at each"};
    case Kind::kKaryNtree:
      return {2, 2, "2, k and n"};
    case Kind::kXgft:
      return {1, 6, "1 to 6, one for each level of switches"};
    default:
      return {1, 6, "1 to 6"};
  }
}

void CheckSize(const Scenario& s) {
  const TopologyScenario& t = s.topology;
  const SizeRule rule = SizeRuleOf(t.kind);
  const bool dimensions = t.kind == Kind::kTorus || t.kind == Kind::kMesh;
  if (t.size.size() < rule.least || t.size.size() > rule.most) {
    throw ErrorAt(s, "topology.size",
                  fmt::format("topology.size has {} {}", t.size.size(),
                              dimensions ? "dimensions" : "numbers"),
                  std::string(rule.expected));
  }
  for (const std::uint64_t size : t.size) {
    if (!dimensions || (size >= 2 && size <= 64)) continue;
    throw ErrorAt(s, "topology.size", fmt::format("topology.size = {} is out of range", size),
                  "2 to 64 switches in each dimension");
  }
  if (t.kind == Kind::kXgft && t.parents.size() != t.size.size()) {
    throw ErrorAt(s, "topology.parents",
                  fmt::format("topology.parents has {} numbers", t.parents.size()),
                  fmt::format("{}, as topology.size has", t.size.size()));
  }
}

std::string_view KindName(const Scenario& s) {
  for (const auto& spec : ScenarioKeys()) {
    if (spec.table == "topology" && spec.key == "kind")
      return spec.choices[static_cast<std::size_t>(s.topology.kind)];
  }
  return "";
}

ScenarioError NotOfThisKind(const Scenario& s, const std::string& key) {
  std::string expected = "another topology.kind with it";
  if (key == "topology.file") expected = "topology.kind = \"netlist\" with it";
  if (key == "topology.parents") expected = "topology.kind = \"xgft\" with it";
  if (key == "topology.seed") expected = "topology.kind = \"random-regular\" with it";
  return ErrorAt(s, key, fmt::format("{} is given for a \"{}\"", key, KindName(s)), expected);
}

void CheckShape(const Scenario& s) {
  for (const char* key :
       {"topology.file", "topology.parents", "topology.nodes_per_switch", "topology.seed"}) {
    if (Given(s, key) && !TakesKey(s.topology.kind, key)) throw NotOfThisKind(s, key);
  }
  CheckSize(s);
  const NodeCounts counts = CountNodes(s.topology);
  const double lids = counts.switches + counts.end_nodes;
  if (lids > kUnicastLids) {
    throw ErrorAt(s, "topology.size",
                  fmt::format("switches and end nodes would need {:.0f} LIDs", lids),
                  fmt::format("at most {}", kUnicastLids));
  }
}

void CheckNetlist(const Scenario& s) {
  if (s.topology.file.empty()) {
    throw ErrorAt(s, "topology.file", "topology.file is missing",
                  "the netlist's file, as topology.kind is \"netlist\"");
  }
  for (const char* key : {"topology.size", "topology.nodes_per_switch", "topology.parents"}) {
    if (Given(s, key)) {
      throw ErrorAt(s, key, fmt::format("{} is given for a netlist", key),
                    "topology.kind = \"torus\" or \"mesh\" with it");
    }
  }
  CheckFile(s, "topology.file", s.topology.path, "a netlist, its");
}

void CheckLink(const Scenario& s) {
  if (!Given(s, "link.fly_cycles")) return;
  for (const char* key : {"link.cable_m", "link.fly_ns_per_m"}) {
    if (Given(s, key)) {
      throw ErrorAt(s, key, fmt::format("{} is given together with link.fly_cycles", key),
                    "only one of the two");
    }
  }
}

// Tables of VL arbitration: a VL without a weight would never send.
void CheckArbitration(const Scenario& s) {
  const SwitchScenario& switches = s.switches;
  if (switches.vl_weights_high.empty() && switches.vl_high_limit != 0) {
    throw ErrorAt(s, "switch.vl_high_limit",
                  fmt::format("switch.vl_high_limit = {} without switch.vl_weights_high",
                              switches.vl_high_limit),
                  "weights with it");
  }
  if (switches.vl_weights_high.empty() && switches.vl_weights_low.empty()) return;
  const auto check_size = [&](const std::string& key, const std::vector<std::uint64_t>& weights) {
    if (weights.size() <= switches.vls) return;
    throw ErrorAt(
        s, key,
        fmt::format("{} has {} weights with switch.vls = {}", key, weights.size(), switches.vls),
        "at most one for each VL");
  };
  check_size("switch.vl_weights_high", switches.vl_weights_high);
  check_size("switch.vl_weights_low", switches.vl_weights_low);
  const auto has = [](const std::vector<std::uint64_t>& weights, std::uint64_t vl) {
    return vl < weights.size() && weights[vl] != 0;
  };
  for (std::uint64_t vl = 0; vl < switches.vls; ++vl) {
    if (has(switches.vl_weights_high, vl) || has(switches.vl_weights_low, vl)) continue;
    const bool only_high = switches.vl_weights_low.empty();
    throw ErrorAt(s, only_high ? "switch.vl_weights_high" : "switch.vl_weights_low",
                  fmt::format("VL {} has no weight in switch.vl_weights_high or "
                              "switch.vl_weights_low, so it would never send",
                              vl),
                  "a weight of 1 to 255 in one of them");
  }
}

// Dimension-order routing on a ring of 5 or more needs a second lane to break the cycle.
void CheckEngine(const Scenario& s, const std::string& key, const std::string& engine) {
  if (engine != "dor") return;
  if (!IsGrid(s.topology.kind)) {
    throw ErrorAt(s, key, fmt::format("{} = \"dor\" on a \"{}\"", key, KindName(s)),
                  "a torus or mesh for dor");
  }
  const bool ring = (s.topology.kind == Kind::kTorus || s.topology.kind == Kind::kRing) &&
                    std::ranges::any_of(s.topology.size, [](auto size) { return size >= 5; });
  if (ring && s.switches.vls < 2 && !s.routing.allow_cyclic) {
    throw ErrorAt(s, "switch.vls",
                  fmt::format("switch.vls = {} with {} = \"dor\" on a torus", s.switches.vls, key),
                  "at least 2: the second lane breaks the cycle of a ring");
  }
}

bool Takes(const std::string& engine, EngineOption option) {
  return engine != "file" && FindRoutingEngine(engine).takes(option);
}

void CheckTakes(const Scenario& s, const std::string& key, EngineOption option,
                const std::string& engine) {
  if (Takes(engine, option)) return;
  throw ErrorAt(s, key,
                fmt::format("{} is given for engine \"{}\", which has no use for it", key, engine),
                "engine " + EnginesThatTake(option, false));
}

void CheckRoot(const Scenario& s, const std::string& key, const std::string& root,
               const std::string& engine) {
  if (!root.empty()) CheckTakes(s, key, EngineOption::kRoot, engine);
}

// What is not as by default (a scenario that a run leaves behind has every key) must be of use to
// one of the engines of a run.
void CheckEngineOptions(const Scenario& s, const std::string& after) {
  const RoutingScenario defaults;
  const auto check = [&](bool is_wanted, const char* key, EngineOption option) {
    const bool is_of_use =
        Takes(after, option) || std::ranges::any_of(s.changes, [&](const ChangeScenario& change) {
          return !change.engine.empty() && Takes(change.engine, option);
        });
    if (is_wanted && !is_of_use) CheckTakes(s, key, option, s.routing.engine);
  };
  check(s.routing.root_choice != defaults.root_choice, "routing.root_choice",
        EngineOption::kRootChoice);
  check(s.routing.tree != defaults.tree, "routing.tree", EngineOption::kTree);
  check(s.routing.balance != defaults.balance, "routing.balance", EngineOption::kBalance);
}

// `prefix` of the keys engine and file.
void CheckTables(const Scenario& s, const std::string& prefix, const std::string& engine,
                 const std::string& file, const std::filesystem::path& path) {
  const std::string key = prefix + "file";
  if (engine == "file" && file.empty()) {
    throw ErrorAt(s, key, fmt::format("{} is missing", key),
                  fmt::format("the file of the tables, as {}engine is \"file\"", prefix));
  }
  if (engine != "file" && !file.empty()) {
    throw ErrorAt(s, key, fmt::format("{} is given for engine \"{}\"", key, engine),
                  fmt::format("no file, or {}engine = \"file\"", prefix));
  }
  if (engine == "file") CheckFile(s, key, path, "forwarding tables, their");
}

// Files beside routing.file.
void CheckMoreTables(const Scenario& s, const std::string& key, const std::string& file,
                     const std::filesystem::path& path, const std::string& needs) {
  if (file.empty()) return;
  if (!needs.empty()) throw ErrorAt(s, key, fmt::format("{} is given alone", key), needs);
  CheckFile(s, key, path, "a file, its");
}

bool GivesSeveralPaths(const std::string& engine) {
  return engine != "file" && FindRoutingEngine(engine).needs_lid_ranges();
}

bool KeepsTables(const Scenario& s) {
  const std::string& scheme = s.reconfiguration.scheme;
  return scheme == "apm" || scheme == "rftr" || scheme == "apm-rftr-ebr";
}

// Packets that wait with a LID of the old tables must not meet others with new ones.
void CheckSeveralPaths(const Scenario& s, const std::string& key, const std::string& engine) {
  if (s.routing.paths > 1 && !GivesSeveralPaths(engine)) {
    throw ErrorAt(s, "routing.paths",
                  fmt::format("routing.paths = {} with {} = \"{}\"", s.routing.paths, key, engine),
                  "1, or engine \"tftr\", \"spftr\", \"spftr-derived\" or \"a-spftr\", the only "
                  "ones that give several");
  }
  const std::string& scheme = s.reconfiguration.scheme;
  const bool has_several = GivesSeveralPaths(engine) || s.routing.lmc > 0;
  if (!has_several || scheme == "static" || KeepsTables(s)) return;
  throw ErrorAt(
      s, "reconfiguration.scheme",
      fmt::format("reconfiguration.scheme = \"{}\" where end nodes have several LIDs", scheme),
      "scheme \"static\", \"apm\", \"rftr\" or \"apm-rftr-ebr\", or another engine and "
      "routing.lmc = 0");
}

// They are the tables of the bring-up, of a manager that has seen it.
void CheckKeptTables(const Scenario& s) {
  if (!KeepsTables(s)) return;
  const std::string with =
      fmt::format("with reconfiguration.scheme = \"{}\"", s.reconfiguration.scheme);
  const auto refuse = [&](const char* key, const std::string& value, const char* expected) {
    throw ErrorAt(s, key, fmt::format("{} = {} {}", key, value, with), expected);
  };
  const RoutingScenario& routing = s.routing;
  const bool computes_others = s.reconfiguration.scheme == "apm-rftr-ebr";
  if (s.reconfiguration.scheme != "rftr" && routing.paths < 2) {
    refuse("routing.paths", "1", "2 or more: a path to take when the first one fails");
  }
  if (s.reconfiguration.scheme != "apm" && routing.lmc == 0) {
    refuse("routing.lmc", "0", "1 to 7: new paths need LIDs of their own; 3 is mostly enough");
  }
  if (!routing.after_fault_engine.empty() && !computes_others) {
    refuse("routing.after_fault_engine", '"' + routing.after_fault_engine + '"',
           "none: the scheme computes no other tables");
  }
  const bool needs_whole_torus = routing.engine == "spftr" || routing.engine == "a-spftr";
  if (computes_others && needs_whole_torus && routing.after_fault_engine != "tftr") {
    refuse("routing.after_fault_engine", '"' + routing.after_fault_engine + '"',
           "\"tftr\": the patterns of routing.engine are for tori without faults");
  }
  if (!routing.after_fault_root.empty() && !computes_others) {
    refuse("routing.after_fault_root", '"' + routing.after_fault_root + '"',
           "none: the scheme computes no other tables");
  }
  if (!s.manager.standby.empty()) {
    refuse("manager.standby", '"' + s.manager.standby + '"',
           "none: it would not know the tables of the bring-up");
  }
}

void CheckRouting(const Scenario& s) {
  const RoutingScenario& routing = s.routing;
  const std::string& after =
      routing.after_fault_engine.empty() ? routing.engine : routing.after_fault_engine;
  CheckEngine(s, "routing.engine", routing.engine);
  CheckTables(s, "routing.", routing.engine, routing.file, routing.path);
  CheckMoreTables(s, "routing.sl2vl_file", routing.sl2vl_file, routing.sl2vl_path,
                  routing.engine == "file" ? "" : "routing.engine = \"file\" and routing.file");
  CheckMoreTables(s, "routing.path_records_file", routing.path_records_file,
                  routing.path_records_path,
                  routing.sl2vl_file.empty() ? "routing.sl2vl_file, too" : "");
  CheckEngine(s, "routing.after_fault_engine", after);
  CheckEngineOptions(s, after);
  CheckRoot(s, "routing.root", routing.root, routing.engine);
  CheckRoot(s, "routing.after_fault_root", routing.after_fault_root, after);
  if (routing.allow_cyclic && s.reconfiguration.scheme != "static") {
    throw ErrorAt(s, "routing.allow_cyclic",
                  fmt::format("routing.allow_cyclic with reconfiguration.scheme = \"{}\"",
                              s.reconfiguration.scheme),
                  "scheme \"static\", the only one that works with cyclic tables");
  }
  CheckSeveralPaths(s, "routing.engine", routing.engine);
  CheckSeveralPaths(s, "routing.after_fault_engine", after);
  CheckKeptTables(s);
  if (s.reconfiguration.scheme == "double-scheme" && s.switches.vls < 2) {
    throw ErrorAt(s, "switch.vls",
                  fmt::format("switch.vls = {} with reconfiguration.scheme = \"double-scheme\"",
                              s.switches.vls),
                  "at least 2: one for old packets and one for new ones");
  }
}

void CheckHold(const Scenario& s) {
  const ReconfigurationScenario& change = s.reconfiguration;
  if (change.hold_cycles == 0) return;
  if (change.scheme != "ebr" && change.scheme != "ebrd") {
    throw ErrorAt(s, "reconfiguration.hold_cycles",
                  fmt::format("reconfiguration.hold_cycles = {} with reconfiguration.scheme = "
                              "\"{}\"",
                              change.hold_cycles, change.scheme),
                  "0, or scheme \"ebr\" or \"ebrd\", the only ones that let packets wait");
  }
  if (change.hold_cycles >= s.run.stall_cycles) {
    throw ErrorAt(s, "reconfiguration.hold_cycles",
                  fmt::format("reconfiguration.hold_cycles = {} is not less than run.stall_cycles "
                              "= {}, so that a wait for it would count as a stall",
                              change.hold_cycles, s.run.stall_cycles),
                  fmt::format("less than {}", s.run.stall_cycles));
  }
}

void CheckDifferences(const Scenario& s) {
  const std::string& scheme = s.reconfiguration.scheme;
  if (!s.reconfiguration.differences || scheme == "osr-la" || scheme == "osr-pda") return;
  throw ErrorAt(s, "reconfiguration.differences",
                fmt::format("reconfiguration.differences = true with reconfiguration.scheme = "
                            "\"{}\"",
                            scheme),
                "false, or scheme \"osr-la\" or \"osr-pda\"");
}

void CheckManagement(const Scenario& s) {
  CheckHold(s);
  CheckDifferences(s);
  if (s.reconfiguration.halt == "flood" && s.manager.encoding != "compact") {
    throw ErrorAt(s, "reconfiguration.halt",
                  fmt::format("reconfiguration.halt = \"flood\" with manager.encoding = \"{}\"",
                              s.manager.encoding),
                  "manager.encoding = \"compact\", the only one that can be flooded");
  }
  const ManagerScenario& manager = s.manager;
  if (!manager.standby.empty() && manager.standby_poll_cycles < manager.timeout_cycles) {
    throw ErrorAt(s, "manager.standby_poll_cycles",
                  fmt::format("manager.standby_poll_cycles = {} with manager.timeout_cycles = {}",
                              manager.standby_poll_cycles, manager.timeout_cycles),
                  "at least manager.timeout_cycles");
  }
}

void CheckPacket(const Scenario& s) {
  if (s.traffic.packet_bytes % 4 != 2) {
    throw ErrorAt(
        s, "traffic.packet_bytes",
        fmt::format("traffic.packet_bytes = {} leaves no whole payload", s.traffic.packet_bytes),
        "26 plus a multiple of 4: 46, 50, ... 58, ... 282");
  }
  const std::uint64_t needed = (PacketWords(s.traffic) + 15) / 16 * 64;
  const auto check_buffer = [&](const char* key, std::uint64_t bytes) {
    if (bytes < needed) {
      throw ErrorAt(
          s, Given(s, key) ? key : "traffic.packet_bytes",
          fmt::format("{} = {} holds no packet of {} bytes", key, bytes, s.traffic.packet_bytes),
          fmt::format("at least {}", needed));
    }
  };
  check_buffer("switch.buffer_bytes", s.switches.buffer_bytes);
  check_buffer("node.buffer_bytes", s.node.buffer_bytes);
}

void CheckReliable(const Scenario& s) {
  if (!s.node.reliable || s.node.retransmit_cycles < s.run.stall_cycles) return;
  throw ErrorAt(s, "node.retransmit_cycles",
                fmt::format("node.retransmit_cycles = {} is not less than run.stall_cycles = {}, "
                            "so that a wait for it would count as a stall",
                            s.node.retransmit_cycles, s.run.stall_cycles),
                fmt::format("less than {}", s.run.stall_cycles));
}

bool IsTrace(const Scenario& s) { return s.traffic.pattern == "trace"; }

void CheckTrafficFile(const Scenario& s) {
  const TrafficScenario& traffic = s.traffic;
  const bool takes_file = IsTrace(s) || traffic.pattern == "permutation";
  if (!traffic.file.empty() && !takes_file) {
    throw ErrorAt(
        s, "traffic.file",
        fmt::format("traffic.file is given for traffic.pattern = \"{}\"", traffic.pattern),
        "no file, or traffic.pattern = \"permutation\" or \"trace\"");
  }
  if (IsTrace(s) && traffic.file.empty()) {
    throw ErrorAt(s, "traffic.file", "traffic.file is missing",
                  "the trace's file, as traffic.pattern is \"trace\"");
  }
  if (!traffic.file.empty()) CheckFile(s, "traffic.file", traffic.path, "a text file, its");
}

void CheckTraffic(const Scenario& s) {
  const TrafficScenario& traffic = s.traffic;
  CheckTrafficFile(s);
  if ((traffic.on_cycles == 0) != (traffic.off_cycles == 0)) {
    const bool on = traffic.on_cycles != 0;
    throw ErrorAt(s, on ? "traffic.on_cycles" : "traffic.off_cycles",
                  fmt::format("traffic.{}_cycles is given without traffic.{}_cycles",
                              on ? "on" : "off", on ? "off" : "on"),
                  "both for bursts, neither for steady traffic");
  }
  if (traffic.on_cycles == 0 || IsTrace(s)) return;
  const double peak = traffic.load * static_cast<double>(traffic.on_cycles + traffic.off_cycles) /
                      static_cast<double>(traffic.on_cycles);
  constexpr double kRounding = 1e-9;
  if (peak > 1 + kRounding) {
    throw ErrorAt(s, "traffic.load",
                  fmt::format("traffic.load = {} needs {:.3g} times the link rate while a source "
                              "is on",
                              traffic.load, peak),
                  "at most on_cycles / (on_cycles + off_cycles)");
  }
}

// The least time in which the warm-up can deliver its packets: on a netlist nothing is known of it.
Cycle ShortestWarmup(const Scenario& s) {
  if (s.run.warmup_packets == 0) return s.run.warmup_cycles;
  if (s.topology.kind == Kind::kNetlist || IsTrace(s)) return 0;
  const double nodes = CountNodes(s.topology).end_nodes;
  const double words = static_cast<double>(s.run.warmup_packets * PacketWords(s.traffic));
  return static_cast<Cycle>(std::ceil(words / (nodes * s.traffic.load)));
}

void CheckPhases(const Scenario& s) {
  const RunScenario& run = s.run;
  if (run.warmup_packets > 0 && run.warmup_cycles > 0) {
    throw ErrorAt(s, "run.warmup_packets",
                  "run.warmup_packets and run.warmup_cycles are both given", "only one of the two");
  }
  if (run.warmup_packets > 0 && s.traffic.load == 0 && !IsTrace(s)) {
    throw ErrorAt(s, "run.warmup_packets",
                  fmt::format("run.warmup_packets = {} with traffic.load = 0", run.warmup_packets),
                  "a load, or no warm-up");
  }
  const Cycle warmup = ShortestWarmup(s);
  const Cycle phases = s.traffic.start_cycles + warmup + run.measure_cycles;
  if (phases > run.max_cycles) {
    const char* key = run.warmup_packets > 0 ? "run.warmup_packets" : "run.warmup_cycles";
    throw ErrorAt(s, warmup > 0 ? key : "run.measure_cycles",
                  fmt::format("start, warm-up and measurement take {} + {} + {} cycles, more than "
                              "run.max_cycles = {}",
                              s.traffic.start_cycles, warmup, run.measure_cycles, run.max_cycles),
                  "phases that end before the run does");
  }
  if (run.stall_cycles > run.max_cycles) {
    throw ErrorAt(s, "run.stall_cycles",
                  fmt::format("run.stall_cycles = {} is more than run.max_cycles = {}",
                              run.stall_cycles, run.max_cycles),
                  "a time within the run");
  }
}

bool IsPortName(const std::string& link) {
  const std::size_t colon = link.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == link.size()) return false;
  return std::all_of(link.begin() + static_cast<std::ptrdiff_t>(colon) + 1, link.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

void CheckFaultLink(const Scenario& s, const FaultScenario& fault, const std::string& prefix,
                    bool rated) {
  const std::string key = prefix + "link";
  if (fault.link == "all" && !rated) {
    throw ErrorAt(s, key, fmt::format("{} = \"all\" for a fault that takes links down", key),
                  "a link like \"S0_0:1\", or \"random\"");
  }
  if (fault.link == "random" && fault.kind == FaultKind::kRestore) {
    throw ErrorAt(s, key, fmt::format("{} = \"random\" for a restore", key),
                  "the link that was cut, like \"S0_0:1\"");
  }
  if (fault.link != "all" && fault.link != "random" && !IsPortName(fault.link)) {
    throw ErrorAt(s, key, fmt::format("{} = \"{}\" names no link", key, fault.link),
                  "node and port like \"S0_0:1\", or \"random\", or \"all\"");
  }
}

// Of a fault or a planned change.
template <typename Event>
void CheckTime(const Scenario& s, const Event& event, const std::string& prefix) {
  if (!event.at_cycle && !event.after_warmup) {
    throw ErrorAt(s, prefix + "at_cycle",
                  fmt::format("neither {0}at_cycle nor {0}after_warmup is given", prefix),
                  "one of the two");
  }
  if (event.at_cycle && event.after_warmup) {
    throw ErrorAt(s, prefix + "after_warmup",
                  fmt::format("{0}at_cycle and {0}after_warmup are both given", prefix),
                  "one of the two");
  }
  if (event.after_warmup && *event.after_warmup >= s.run.measure_cycles) {
    throw ErrorAt(s, prefix + "after_warmup",
                  fmt::format("{}after_warmup = {} is not within the measurement of {} cycles",
                              prefix, *event.after_warmup, s.run.measure_cycles),
                  fmt::format("less than run.measure_cycles = {}", s.run.measure_cycles));
  }
  if (event.at_cycle && *event.at_cycle >= s.run.max_cycles) {
    throw ErrorAt(s, prefix + "at_cycle",
                  fmt::format("{}at_cycle = {} is beyond the run", prefix, *event.at_cycle),
                  fmt::format("less than run.max_cycles = {}", s.run.max_cycles));
  }
}

void CheckReroute(const Scenario& s, const ChangeScenario& change, const std::string& prefix) {
  if (!change.what.empty()) {
    throw ErrorAt(s, prefix + "what", prefix + "what is given for a reroute",
                  "an engine or a root, or kind \"remove\" or \"add\"");
  }
  if (change.engine.empty() && change.root.empty()) {
    throw ErrorAt(s, prefix + "engine",
                  fmt::format("neither {0}engine nor {0}root is given", prefix),
                  "what shall be different");
  }
  if (KeepsTables(s)) {
    throw ErrorAt(s, prefix + "kind",
                  fmt::format("{}kind = \"reroute\" with reconfiguration.scheme = \"{}\"", prefix,
                              s.reconfiguration.scheme),
                  "another scheme: this one keeps the tables of the bring-up");
  }
  CheckTables(s, prefix, change.engine, change.file, change.path);
  if (!change.engine.empty()) {
    CheckEngine(s, prefix + "engine", change.engine);
    CheckSeveralPaths(s, prefix + "engine", change.engine);
    CheckRoot(s, prefix + "root", change.root, change.engine);
  }
}

void CheckService(const Scenario& s, const ChangeScenario& change, const std::string& prefix) {
  for (const auto& [key, value] :
       {std::pair{"engine", change.engine}, {"file", change.file}, {"root", change.root}}) {
    if (value.empty()) continue;
    throw ErrorAt(s, prefix + key, prefix + key + " is given for a change of links",
                  "what to remove or add, or kind \"reroute\"");
  }
  if (change.what.empty()) {
    throw ErrorAt(s, prefix + "what", prefix + "what is missing",
                  "a link like \"S0_0:1\", or a switch like \"S0_0\"");
  }
}

void CheckChange(const Scenario& s, std::size_t index) {
  const ChangeScenario& change = s.changes[index];
  const std::string prefix = fmt::format("change.{}.", index);
  change.kind == ChangeKind::kReroute ? CheckReroute(s, change, prefix)
                                      : CheckService(s, change, prefix);
  CheckTime(s, change, prefix);
}

void CheckFault(const Scenario& s, std::size_t index) {
  const FaultScenario& fault = s.faults[index];
  const std::string prefix = fmt::format("fault.{}.", index);
  const bool rated = fault.kind == FaultKind::kBitErrors || fault.kind == FaultKind::kFcLoss;
  CheckFaultLink(s, fault, prefix, rated);
  CheckTime(s, fault, prefix);
  if (rated != (fault.rate > 0)) {
    throw ErrorAt(s, prefix + "rate", fmt::format("{}rate = {}", prefix, fault.rate),
                  rated ? "a probability above 0" : "no rate for this kind of fault");
  }
  const bool lasts = rated || fault.kind == FaultKind::kFlap;
  if (!lasts && fault.duration_cycles > 0) {
    throw ErrorAt(s, prefix + "duration_cycles",
                  fmt::format("{}duration_cycles is given for a fault that does not end", prefix),
                  "kind \"flap\", \"bit-errors\" or \"fc-loss\"");
  }
  if (fault.kind == FaultKind::kFlap && fault.duration_cycles == 0) {
    throw ErrorAt(s, prefix + "duration_cycles",
                  fmt::format("{}duration_cycles is missing for a flap", prefix),
                  "how long the link is down");
  }
}

}  // namespace

bool TakesKey(TopologyKind kind, std::string_view key) {
  if (key == "topology.size") return kind != Kind::kNetlist;
  if (key == "topology.parents") return kind == Kind::kXgft;
  if (key == "topology.nodes_per_switch") return kind != Kind::kNetlist && !IsTree(kind);
  if (key == "topology.seed") return kind == Kind::kRandomRegular;
  if (key == "topology.file") return kind == Kind::kNetlist;
  return true;
}

void ValidateScenario(const Scenario& scenario) {
  CheckName(scenario);
  scenario.topology.kind == Kind::kNetlist ? CheckNetlist(scenario) : CheckShape(scenario);
  CheckLink(scenario);
  CheckArbitration(scenario);
  CheckRouting(scenario);
  CheckManagement(scenario);
  CheckPacket(scenario);
  CheckTraffic(scenario);
  CheckReliable(scenario);
  CheckPhases(scenario);
  for (std::size_t i = 0; i < scenario.changes.size(); ++i) CheckChange(scenario, i);
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) CheckFault(scenario, i);
}

}  // namespace lanecut
