// SPDX-License-Identifier: Apache-2.0
#include "sw/scenario/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace lanecut {
namespace {

constexpr std::size_t kIndent = 21;  // of the schema's text behind the keys
constexpr double kMaxCycles = 1e12;
constexpr double kMostHoldCycles = (1 << 20) - 1;
constexpr double kMaxSeed = 9007199254740991;  // 2^53 - 1, exact in every reader of JSON

// A value at a chain of members: At<&Scenario::link, &LinkScenario::cable_m>().
template <typename Owner, auto Member, auto... Rest>
auto& Follow(Owner& owner) {
  if constexpr (sizeof...(Rest) == 0) {
    return owner.*Member;
  } else {
    return Follow<std::remove_reference_t<decltype(owner.*Member)>, Rest...>(owner.*Member);
  }
}

template <typename Owner, auto... Members>
auto FieldOf() {
  using T = std::remove_reference_t<decltype(Follow<Owner, Members...>(std::declval<Owner&>()))>;
  return typename KeyBinding<Owner>::template Field<T>{
      [](const Owner& owner) -> const T& { return Follow<const Owner, Members...>(owner); },
      [](Owner& owner) -> T& { return Follow<Owner, Members...>(owner); }};
}

template <typename Owner, auto... Members>
auto ChoiceOf() {
  using T = std::remove_reference_t<decltype(Follow<Owner, Members...>(std::declval<Owner&>()))>;
  return typename KeyBinding<Owner>::Choice{
      [](const Owner& owner) {
        return static_cast<std::size_t>(Follow<const Owner, Members...>(owner));
      },
      [](Owner& owner, std::size_t index) {
        Follow<Owner, Members...>(owner) = static_cast<T>(index);
      }};
}

template <auto... Members>
auto At() {
  return FieldOf<Scenario, Members...>();
}
template <auto... Members>
auto ChoiceAt() {
  return ChoiceOf<Scenario, Members...>();
}

constexpr std::string_view kTopologies[] = {
    "torus",     "mesh",           "ring",       "hypercube", "full-mesh",
    "dragonfly", "random-regular", "kary-ntree", "xgft",      "netlist"};
constexpr std::string_view kRates[] = {"1x-sdr", "4x-sdr"};
constexpr std::string_view kEngines[] = {
    "updown", "dor",   "minhop", "lash", "dfsssp", "ftree",         "mroots",  "tor", "lturn",
    "fx",     "smart", "dl",     "tftr", "spftr",  "spftr-derived", "a-spftr", "file"};
constexpr std::string_view kComputingEngines[] = {
    "updown", "dor", "minhop", "lash", "dfsssp", "ftree", "mroots",        "tor",
    "lturn",  "fx",  "smart",  "dl",   "tftr",   "spftr", "spftr-derived", "a-spftr"};
constexpr std::string_view kTrees[] = {"bfs", "dfs"};
constexpr std::string_view kRootChoices[] = {"mean-distance", "least-load"};
constexpr std::string_view kPatterns[] = {
    "uniform", "bit-reversal",      "bit-complement", "transpose",   "shuffle",
    "tornado", "nearest-neighbour", "hot-spot",       "permutation", "trace"};
constexpr std::string_view kSchemes[] = {
    "static", "osr-pda", "osr-la", "ebr", "ebrd", "double-scheme", "apm", "rftr", "apm-rftr-ebr"};
constexpr std::string_view kChanges[] = {"reroute", "remove", "add"};
constexpr std::string_view kEncodings[] = {"ib", "compact"};
constexpr std::string_view kHalts[] = {"serial", "flood"};
constexpr std::string_view kOrders[] = {"nearest-fault", "farthest-manager"};
constexpr std::string_view kFaults[] = {"cut", "flap", "restore", "bit-errors", "fc-loss"};

std::vector<KeySpec<Scenario>> MakeScenarioKeys() {
  using S = Scenario;
  return {
      {.table = "",
       .key = "name",
       .field = At<&S::name>(),
       .unset = "the file's name without .toml",
       .doc =
           "Title of the run; results go to out/NAME by default. Letters, digits, `.`, `_`, `-`."},
      {.table = "",
       .key = "seed",
       .field = At<&S::seed>(),
       .min = 0,
       .max = kMaxSeed,
       .doc = "Seed of everything random. Same scenario and seed, same results, bit for bit."},

      {.table = "topology",
       .key = "kind",
       .field = ChoiceAt<&S::topology, &TopologyScenario::kind>(),
       .choices = kTopologies,
       .required = true,
       .doc = "Shape of the network."},
      {.table = "topology",
       .key = "size",
       .field = At<&S::topology, &TopologyScenario::size>(),
       .min = 1,
       .max = 4096,
       .doc = "torus, mesh: switches in each dimension, 1 to 6 dimensions of 2 to 64; a torus "
              "dimension of size 2 has two parallel links. ring, full-mesh: switches. hypercube: "
              "dimensions. dragonfly: switches per group, global links per switch, and, if not as "
              "many as possible, groups. random-regular: switches, links to others at each. "
              "kary-ntree: k, n. xgft: children at each level from the leaf switches up."},
      {.table = "topology",
       .key = "parents",
       .field = At<&S::topology, &TopologyScenario::parents>(),
       .min = 1,
       .max = 254,
       .doc = "xgft: parents of nodes at each level; the first is 1, that of the end nodes."},
      {.table = "topology",
       .key = "nodes_per_switch",
       .field = At<&S::topology, &TopologyScenario::nodes_per_switch>(),
       .min = 1,
       .max = 16,
       .doc = "End nodes at every switch; not of a kary-ntree, xgft or netlist."},
      {.table = "topology",
       .key = "seed",
       .field = At<&S::topology, &TopologyScenario::seed>(),
       .min = 0,
       .max = kMaxSeed,
       .doc = "random-regular: the same seed gives the same network, whatever the run's seed."},
      {.table = "topology",
       .key = "file",
       .field = At<&S::topology, &TopologyScenario::file>(),
       .unset = "none",
       .doc = "netlist: file in the format of ibsim, ibnetdiscover or opensm-subnet.lst, seen from "
              "the scenario's folder."},

      {.table = "link",
       .key = "rate",
       .field = ChoiceAt<&S::link, &LinkScenario::rate>(),
       .choices = kRates,
       .doc = "Rate of all links: 32 bits per cycle of 16 ns (1x-sdr) or 4 ns (4x-sdr)."},
      {.table = "link",
       .key = "cable_m",
       .field = At<&S::link, &LinkScenario::cable_m>(),
       .min = 0,
       .max = 10'000,
       .unit = "m",
       .doc = "Length of every cable."},
      {.table = "link",
       .key = "fly_ns_per_m",
       .field = At<&S::link, &LinkScenario::fly_ns_per_m>(),
       .min = 0,
       .max = 100,
       .unit = "ns/m",
       .doc = "Signal delay of the cable; the product is rounded to whole cycles, at least 1."},
      {.table = "link",
       .key = "fly_cycles",
       .field = At<&S::link, &LinkScenario::fly_cycles>(),
       .min = 1,
       .max = 10'000,
       .unset = "from cable_m and fly_ns_per_m",
       .unit = "cycles",
       .doc = "Fly time of every cable, instead of a length."},

      {.table = "switch",
       .key = "vls",
       .field = At<&S::switches, &SwitchScenario::vls>(),
       .min = 1,
       .max = 8,
       .doc = "Virtual lanes for data; VL15 for management comes on top."},
      {.table = "switch",
       .key = "buffer_bytes",
       .field = At<&S::switches, &SwitchScenario::buffer_bytes>(),
       .min = 64,
       .max = 65'536,
       .multiple_of = 64,
       .unit = "bytes",
       .doc = "Buffer of each data VL at every input and every output of a switch."},
      {.table = "switch",
       .key = "route_cycles",
       .field = At<&S::switches, &SwitchScenario::route_cycles>(),
       .min = 6,
       .max = 64,
       .unit = "cycles",
       .doc = "Header latency of an idle switch, pins to pins; 6 is the length of its pipeline."},
      {.table = "switch",
       .key = "transit_first",
       .field = At<&S::switches, &SwitchScenario::transit_first>(),
       .doc = "Packets in the network go before those that end nodes inject, which also leave a "
              "quarter of an output queue free. Without, all inputs take turns: throughput falls "
              "beyond saturation, and a cycle of channels deadlocks more easily."},
      {.table = "switch",
       .key = "hoq_life",
       .field = At<&S::switches, &SwitchScenario::hoq_life>(),
       .min = 0,
       .max = 19,
       .unset = "no limit",
       .doc = "PortInfo.HOQLife that the manager gives all ports of switches: a packet that has "
              "stood at the head of an output queue for 4.096 us x 2^hoq_life (256 x 2^hoq_life "
              "cycles at 1X SDR, 1,024 x 2^hoq_life at 4X) is discarded."},
      {.table = "switch",
       .key = "vl_weights_high",
       .field = At<&S::switches, &SwitchScenario::vl_weights_high>(),
       .min = 0,
       .max = 255,
       .unit = "64 bytes",
       .doc =
           "VL arbitration that the manager gives all ports, of end nodes, too: weights of VL 0, "
           "1 .. in the high-priority list, 0 for none. Without weights VLs take turns by "
           "packet."},
      {.table = "switch",
       .key = "vl_weights_low",
       .field = At<&S::switches, &SwitchScenario::vl_weights_low>(),
       .min = 0,
       .max = 255,
       .unit = "64 bytes",
       .doc = "The same of the low-priority list. Each VL needs a weight in one of the two."},
      {.table = "switch",
       .key = "vl_high_limit",
       .field = At<&S::switches, &SwitchScenario::vl_high_limit>(),
       .min = 0,
       .max = 255,
       .unit = "4 KiB",
       .doc =
           "PortInfo.VLHighLimit with vl_weights_high: how much may be sent from that list while "
           "a packet of the other one waits; 0 one packet, 255 without end."},
      {.table = "switch",
       .key = "life_time",
       .field = At<&S::switches, &SwitchScenario::life_time>(),
       .min = 0,
       .max = 19,
       .unset = "no limit",
       .doc =
           "SwitchInfo.LifeTimeValue that the manager gives all switches: a packet that has been "
           "in a switch for longer than 4.096 us x 2^life_time (256 x 2^life_time cycles at 1X "
           "SDR, 1,024 x 2^life_time at 4X) is discarded at the head of its output queue, after "
           "a quarter more at the latest."},

      {.table = "node",
       .key = "source_queue",
       .field = At<&S::node, &NodeScenario::source_queue>(),
       .min = 1,
       .max = 65'536,
       .unit = "packets",
       .doc = "Source queue of an end node; packets generated beyond it are counted as refused."},
      {.table = "node",
       .key = "buffer_bytes",
       .field = At<&S::node, &NodeScenario::buffer_bytes>(),
       .min = 64,
       .max = 65'536,
       .multiple_of = 64,
       .unit = "bytes",
       .doc = "Receive buffer of each data VL of an end node."},
      {.table = "node",
       .key = "reliable",
       .field = At<&S::node, &NodeScenario::reliable>(),
       .doc = "End-to-end protocol: what is lost is sent again, and every message arrives once and "
              "in order."},
      {.table = "node",
       .key = "retransmit_cycles",
       .field = At<&S::node, &NodeScenario::retransmit_cycles>(),
       .min = 100,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "reliable: wait for an acknowledgement before a packet is sent again."},
      {.table = "node",
       .key = "window_packets",
       .field = At<&S::node, &NodeScenario::window_packets>(),
       .min = 1,
       .max = 4'096,
       .unit = "packets",
       .doc = "reliable: packets to one destination that may be unacknowledged."},
      {.table = "node",
       .key = "reorder_packets",
       .field = At<&S::node, &NodeScenario::reorder_packets>(),
       .min = 0,
       .max = 4'096,
       .unit = "packets",
       .doc = "reliable: packets that a destination keeps behind a missing one, for each source."},

      {.table = "routing",
       .key = "engine",
       .field = At<&S::routing, &RoutingScenario::engine>(),
       .choices = kEngines,
       .doc =
           "Routing function. `dor` needs a torus or mesh, `ftree` a fat tree, `lash` and `dfsssp` "
           "VLs enough, `spftr`, `spftr-derived` and `a-spftr` a torus of 5x5 or more, the first "
           "two also of three dimensions; `file` reads the tables "
           "instead."},
      {.table = "routing",
       .key = "file",
       .field = At<&S::routing, &RoutingScenario::file>(),
       .unset = "none",
       .doc = "engine file: forwarding tables as `lanecut route --dump` and OpenSM write them "
              "(opensm-lfts.dump or opensm.fdbs), seen from the scenario's folder."},
      {.table = "routing",
       .key = "sl2vl_file",
       .field = At<&S::routing, &RoutingScenario::sl2vl_file>(),
       .unset = "none",
       .doc = "engine file: SLtoVL tables (opensm-sl2vl.dump). Without, pairs are spread over the "
              "data VLs; with it, packets go on SL 0 unless path_records_file says otherwise."},
      {.table = "routing",
       .key = "path_records_file",
       .field = At<&S::routing, &RoutingScenario::path_records_file>(),
       .unset = "none",
       .doc = "engine file: SL of every pair, as `saquery PathRecord` prints path records."},
      {.table = "routing",
       .key = "root",
       .field = At<&S::routing, &RoutingScenario::root>(),
       .unset = "chosen by the engine",
       .doc = "Root switch of updown, mroots, tor, lturn, fx, smart and dl, by name: `S0_0`."},
      {.table = "routing",
       .key = "root_choice",
       .field = At<&S::routing, &RoutingScenario::root_choice>(),
       .choices = kRootChoices,
       .doc = "updown without a root: the switch nearest to all others, or the one with the least "
              "load on the busiest link, of all roots."},
      {.table = "routing",
       .key = "tree",
       .field = At<&S::routing, &RoutingScenario::tree>(),
       .choices = kTrees,
       .doc = "Breadth-first or depth-first tree of updown, mroots and tor."},
      {.table = "routing",
       .key = "balance",
       .field = At<&S::routing, &RoutingScenario::balance>(),
       .doc = "updown, minhop, mroots, lturn, fx: weigh whole ways and all pairs when spreading "
              "the load."},
      {.table = "routing",
       .key = "paths",
       .field = At<&S::routing, &RoutingScenario::paths>(),
       .min = 1,
       .max = 128,
       .doc = "tftr, spftr, spftr-derived, a-spftr: disjoint paths wanted for each pair of end "
              "nodes, which use "
              "the first "
              "one that is whole. Pairs that cannot have as many get fewer."},
      {.table = "routing",
       .key = "lmc",
       .field = At<&S::routing, &RoutingScenario::lmc>(),
       .min = 0,
       .max = 7,
       .doc = "Every end node has 2^lmc LIDs, so that several paths can lead to it."},
      {.table = "routing",
       .key = "after_fault_engine",
       .field = At<&S::routing, &RoutingScenario::after_fault_engine>(),
       .choices = kComputingEngines,
       .unset = "as engine",
       .doc = "Routing function of the tables computed after a fault."},
      {.table = "routing",
       .key = "after_fault_root",
       .field = At<&S::routing, &RoutingScenario::after_fault_root>(),
       .unset = "as root",
       .doc = "Root switch of the tables computed after a fault."},
      {.table = "routing",
       .key = "allow_cyclic",
       .field = At<&S::routing, &RoutingScenario::allow_cyclic>(),
       .doc = "Load tables even if their channel dependency graph has a cycle."},

      {.table = "manager",
       .key = "node",
       .field = At<&S::manager, &ManagerScenario::node>(),
       .unset = "the topology's first end node",
       .doc = "End node the subnet manager runs on, by name: `H0_0_0`."},
      {.table = "manager",
       .key = "standby",
       .field = At<&S::manager, &ManagerScenario::standby>(),
       .unset = "none",
       .doc = "End node of a second subnet manager, which takes over if the first one is cut off. "
              "Without, the run fails then."},
      {.table = "manager",
       .key = "standby_poll_cycles",
       .field = At<&S::manager, &ManagerScenario::standby_poll_cycles>(),
       .min = 100,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "From one question of the standby whether the manager is there to the next, not less "
              "than timeout_cycles. After 4 without an answer it looks itself."},
      {.table = "manager",
       .key = "window",
       .field = At<&S::manager, &ManagerScenario::window>(),
       .min = 1,
       .max = 1'024,
       .unit = "packets",
       .doc = "Management packets that may wait for their answer at the same time."},
      {.table = "manager",
       .key = "timeout_cycles",
       .field = At<&S::manager, &ManagerScenario::timeout_cycles>(),
       .min = 100,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "Wait for an answer before a management packet is sent again."},
      {.table = "manager",
       .key = "retries",
       .field = At<&S::manager, &ManagerScenario::retries>(),
       .min = 0,
       .max = 100,
       .doc = "How often it is sent again before its target counts as lost."},
      {.table = "manager",
       .key = "sweep_cycles",
       .field = At<&S::manager, &ManagerScenario::sweep_cycles>(),
       .min = 0,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "Period of the sweeps that look for changes; 0: none."},
      {.table = "manager",
       .key = "compute_cycles",
       .field = At<&S::manager, &ManagerScenario::compute_cycles>(),
       .min = 0,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "Simulated time that computing routing tables takes after bring-up, whatever the "
              "fabric."},
      {.table = "manager",
       .key = "compute_cycles_per_switch",
       .field = At<&S::manager, &ManagerScenario::compute_cycles_per_switch>(),
       .min = 0,
       .max = 1e9,
       .unit = "cycles",
       .doc = "... and what each switch adds."},
      {.table = "manager",
       .key = "compute_cycles_per_path",
       .field = At<&S::manager, &ManagerScenario::compute_cycles_per_path>(),
       .min = 0,
       .max = 1e9,
       .unit = "cycles",
       .doc = "... and each path, that is, each source and destination."},
      {.table = "manager",
       .key = "trap",
       .field = At<&S::manager, &ManagerScenario::trap>(),
       .doc = "React to the traps of switches; without, changes are found by sweeps only."},
      {.table = "manager",
       .key = "encoding",
       .field = At<&S::manager, &ManagerScenario::encoding>(),
       .choices = kEncodings,
       .doc = "How commands and tables travel when the subnet is up. `ib`: standard packets of 256 "
              "bytes of MAD, 64 table entries each; `compact`: packets with their path in front, "
              "which cut through, sized to their contents, a whole table in one of them."},

      {.table = "traffic",
       .key = "pattern",
       .field = At<&S::traffic, &TrafficScenario::pattern>(),
       .choices = kPatterns,
       .doc = "Destinations: `uniform` draws every other end node with the same probability; see "
              "Traffic patterns for the others."},
      {.table = "traffic",
       .key = "file",
       .field = At<&S::traffic, &TrafficScenario::file>(),
       .unset = "none",
       .doc = "trace, permutation: text file, seen from the scenario's folder. A permutation "
              "without one is drawn with the seed."},
      {.table = "traffic",
       .key = "hot_fraction",
       .field = At<&S::traffic, &TrafficScenario::hot_fraction>(),
       .min = 0.001,
       .max = 1,
       .doc = "hot-spot: part of the sources that sends everything to one end node, at least one "
              "source."},
      {.table = "traffic",
       .key = "load",
       .field = At<&S::traffic, &TrafficScenario::load>(),
       .min = 0,
       .max = 1,
       .doc =
           "Offered load of each end node, as a fraction of the link rate; a trace has its own."},
      {.table = "traffic",
       .key = "packet_bytes",
       .field = At<&S::traffic, &TrafficScenario::packet_bytes>(),
       .min = 46,
       .max = 282,
       .unit = "bytes",
       .doc = "Size of a packet, LRH to VCRC: 26 bytes and a payload that is a multiple of 4."},
      {.table = "traffic",
       .key = "on_cycles",
       .field = At<&S::traffic, &TrafficScenario::on_cycles>(),
       .min = 0,
       .max = 1e9,
       .unit = "cycles",
       .doc = "Mean time for which a source sends in bursts; 0: it sends steadily."},
      {.table = "traffic",
       .key = "off_cycles",
       .field = At<&S::traffic, &TrafficScenario::off_cycles>(),
       .min = 0,
       .max = 1e9,
       .unit = "cycles",
       .doc = "Mean time between two bursts. The load is the mean of both times."},
      {.table = "traffic",
       .key = "start_cycles",
       .field = At<&S::traffic, &TrafficScenario::start_cycles>(),
       .min = 0,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "Pause between the subnet coming up and the first packets."},

      {.table = "run",
       .key = "warmup_packets",
       .field = At<&S::run, &RunScenario::warmup_packets>(),
       .min = 0,
       .max = kMaxCycles,
       .unit = "packets",
       .doc = "Warm up until so many packets are delivered. Not together with warmup_cycles."},
      {.table = "run",
       .key = "warmup_cycles",
       .field = At<&S::run, &RunScenario::warmup_cycles>(),
       .min = 0,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "Warm up for so long."},
      {.table = "run",
       .key = "measure_cycles",
       .field = At<&S::run, &RunScenario::measure_cycles>(),
       .min = 1,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "Length of the measurement, which follows the warm-up."},
      {.table = "run",
       .key = "drain",
       .field = At<&S::run, &RunScenario::drain>(),
       .doc = "After the measurement stop the traffic and wait until the network is empty."},
      {.table = "run",
       .key = "drain_cycles",
       .field = At<&S::run, &RunScenario::drain_cycles>(),
       .min = 1,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "If it is not empty after so long, the run fails."},
      {.table = "run",
       .key = "stall_cycles",
       .field = At<&S::run, &RunScenario::stall_cycles>(),
       .min = 100,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "If packets wait and none moves for so long, the run fails and names what waits."},
      {.table = "run",
       .key = "max_cycles",
       .field = At<&S::run, &RunScenario::max_cycles>(),
       .min = 1,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "Limit of the whole run, bring-up and drain included; reaching it fails the run."},
      {.table = "run",
       .key = "checks",
       .field = At<&S::run, &RunScenario::checks>(),
       .doc = "Follow every packet with the reference model and stop at the first difference."},
      {.table = "run",
       .key = "skip_idle",
       .field = At<&S::run, &RunScenario::skip_idle>(),
       .doc = "Do not evaluate switches with nothing to do. Changes the speed, not the results."},

      {.table = "results",
       .key = "interval_cycles",
       .field = At<&S::results, &ResultsScenario::interval_cycles>(),
       .min = 1,
       .max = 1e9,
       .unit = "cycles",
       .doc = "Interval of the time series."},
      {.table = "results",
       .key = "packets",
       .field = At<&S::results, &ResultsScenario::packets>(),
       .doc = "One row for every packet."},

      {.table = "reconfiguration",
       .key = "scheme",
       .field = At<&S::reconfiguration, &ReconfigurationScenario::scheme>(),
       .choices = kSchemes,
       .doc =
           "`static`: stop injection, drain, load the new tables, resume. The others leave "
           "traffic running. `osr-la`: load the new tables beside the old ones, then start "
           "tokens that separate old packets from new ones on every channel; `osr-pda`: start "
           "the tokens first. `ebr`: switch by switch, nearest to the fault first; old packets "
           "that would block for ever are dropped; `ebrd`: send only what differs. "
           "`double-scheme`: old packets on VL0, new ones on VL1, while the tables change; needs "
           "an engine without datelines (`updown`). `apm`: no new tables; end nodes are told to "
           "take the next one of the paths that they have. `rftr`: the tables get new paths "
           "beside the old ones, for the pairs that the fault cuts, and end nodes are told. "
           "`apm-rftr-ebr`: end nodes take other paths that they have, at once; rftr keeps two "
           "disjoint ones ready for every pair; and where it cannot, new tables by ebr."},
      {.table = "reconfiguration",
       .key = "halt",
       .field = At<&S::reconfiguration, &ReconfigurationScenario::halt>(),
       .choices = kHalts,
       .doc = "static: end nodes are told to stop and to resume one by one (`serial`), or by a "
              "command that every switch passes on (`flood`), which needs manager.encoding = "
              "\"compact\"."},
      {.table = "reconfiguration",
       .key = "order",
       .field = At<&S::reconfiguration, &ReconfigurationScenario::order>(),
       .choices = kOrders,
       .doc = "ebr, ebrd: which switches get their tables first. `farthest-manager`: those whose "
              "tables travel longest, so that the last one is there sooner."},
      {.table = "reconfiguration",
       .key = "hold_cycles",
       .field = At<&S::reconfiguration, &ReconfigurationScenario::hold_cycles>(),
       .min = 0,
       .max = kMostHoldCycles,
       .unit = "cycles",
       .doc = "ebr, ebrd: for how long packets wait in a switch for new tables when their port has "
              "gone down, instead of being discarded, and blocked ones are not dropped after new "
              "tables; 0: not at all. Best a little more than a change takes."},
      {.table = "reconfiguration",
       .key = "differences",
       .field = At<&S::reconfiguration, &ReconfigurationScenario::differences>(),
       .doc = "osr-la, osr-pda: switches are told only what differs from the tables that their "
              "inactive bank holds, as under ebrd. Without, compact packets hold whole tables."},
  };
}

constexpr std::string_view kAtCycleDoc =
    "When, counted from the start of the simulation. Give this or after_warmup.";
constexpr std::string_view kAfterWarmupDoc = "When, counted from the end of the warm-up.";

std::vector<KeySpec<ChangeScenario>> MakeChangeKeys() {
  using C = ChangeScenario;
  return {
      {.table = "change",
       .key = "kind",
       .field = ChoiceOf<C, &C::kind>(),
       .choices = kChanges,
       .required = true,
       .doc = "`reroute`: tables by another engine or from another root; `remove`: a link or "
              "switch out of service, first off the routes and then disabled; `add`: into service. "
              "What is added first is out of service from the beginning."},
      {.table = "change",
       .key = "what",
       .field = FieldOf<C, &C::what>(),
       .unset = "none",
       .doc = "remove, add: a link by one of its ends, `S0_0:1`, or a switch, `S0_0`."},
      {.table = "change",
       .key = "engine",
       .field = FieldOf<C, &C::engine>(),
       .choices = kEngines,
       .unset = "as before",
       .doc = "reroute: routing function of all tables from then on."},
      {.table = "change",
       .key = "file",
       .field = FieldOf<C, &C::file>(),
       .unset = "none",
       .doc = "reroute, engine file: forwarding tables as in routing.file."},
      {.table = "change",
       .key = "root",
       .field = FieldOf<C, &C::root>(),
       .unset = "as before",
       .doc = "reroute: root switch of updown from then on."},
      {.table = "change",
       .key = "at_cycle",
       .field = FieldOf<C, &C::at_cycle>(),
       .min = 0,
       .max = kMaxCycles,
       .unset = "see after_warmup",
       .unit = "cycles",
       .doc = kAtCycleDoc},
      {.table = "change",
       .key = "after_warmup",
       .field = FieldOf<C, &C::after_warmup>(),
       .min = 0,
       .max = kMaxCycles,
       .unset = "see at_cycle",
       .unit = "cycles",
       .doc = kAfterWarmupDoc},
  };
}

std::vector<KeySpec<FaultScenario>> MakeFaultKeys() {
  using F = FaultScenario;
  return {
      {.table = "fault",
       .key = "kind",
       .field = ChoiceOf<F, &F::kind>(),
       .choices = kFaults,
       .required = true,
       .doc = "`cut`: the link goes down; `flap`: and comes back; `restore`: a cut link comes up; "
              "`bit-errors`: words are corrupted; `fc-loss`: flow-control packets vanish."},
      {.table = "fault",
       .key = "link",
       .field = FieldOf<F, &F::link>(),
       .doc =
           "A link by one of its ends, `S0_0:1` (port 1 of switch S0_0); `random`: a link between "
           "switches, drawn with the seed; `all`: bit-errors and fc-loss only."},
      {.table = "fault",
       .key = "at_cycle",
       .field = FieldOf<F, &F::at_cycle>(),
       .min = 0,
       .max = kMaxCycles,
       .unset = "see after_warmup",
       .unit = "cycles",
       .doc = kAtCycleDoc},
      {.table = "fault",
       .key = "after_warmup",
       .field = FieldOf<F, &F::after_warmup>(),
       .min = 0,
       .max = kMaxCycles,
       .unset = "see at_cycle",
       .unit = "cycles",
       .doc = kAfterWarmupDoc},
      {.table = "fault",
       .key = "duration_cycles",
       .field = FieldOf<F, &F::duration_cycles>(),
       .min = 0,
       .max = kMaxCycles,
       .unit = "cycles",
       .doc = "flap: how long the link is down. bit-errors, fc-loss: how long; 0: to the end."},
      {.table = "fault",
       .key = "rate",
       .field = FieldOf<F, &F::rate>(),
       .min = 0,
       .max = 1,
       .doc = "bit-errors: probability that a word is corrupted; "
              "fc-loss: that a flow-control packet is lost."},
  };
}

std::string NumberText(double value) {
  return value == static_cast<double>(static_cast<std::uint64_t>(value))
             ? fmt::format("{}", static_cast<std::uint64_t>(value))
             : fmt::format("{}", value);
}

std::string Quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string JoinQuoted(std::span<const std::string_view> words) {
  std::string result;
  for (std::string_view word : words) {
    result += (result.empty() ? "" : ", ") + Quoted(word);
  }
  return result;
}

template <typename Owner>
struct ValuePrinter {
  using Binding = KeyBinding<Owner>;
  const KeySpec<Owner>& spec;
  const Owner& owner;

  using Text = std::optional<std::string>;

  Text operator()(typename Binding::template Field<std::string> field) const {
    const std::string& value = field.get(owner);
    if (value.empty()) return std::nullopt;
    return Quoted(value);
  }
  Text operator()(typename Binding::template Field<std::uint64_t> field) const {
    return fmt::format("{}", field.get(owner));
  }
  Text operator()(typename Binding::template Field<std::optional<std::uint64_t>> field) const {
    const auto& value = field.get(owner);
    if (!value) return std::nullopt;
    return fmt::format("{}", *value);
  }
  Text operator()(typename Binding::template Field<double> field) const {
    return fmt::format("{}", field.get(owner));  // shortest text that reads back the same
  }
  Text operator()(typename Binding::template Field<bool> field) const {
    return field.get(owner) ? "true" : "false";
  }
  Text operator()(typename Binding::template Field<std::vector<std::uint64_t>> field) const {
    std::string items;
    for (std::uint64_t item : field.get(owner)) {
      fmt::format_to(std::back_inserter(items), "{}{}", items.empty() ? "" : ", ", item);
    }
    return fmt::format("[{}]", items);
  }
  Text operator()(typename Binding::Choice choice) const {
    return Quoted(spec.choices[choice.get(owner)]);
  }
};

template <typename Owner>
bool IsBoolean(const KeySpec<Owner>& spec) {
  return std::holds_alternative<typename KeyBinding<Owner>::template Field<bool>>(spec.field);
}

template <typename Owner>
bool IsText(const KeySpec<Owner>& spec) {
  return std::holds_alternative<typename KeyBinding<Owner>::template Field<std::string>>(
      spec.field);
}

template <typename Owner>
bool IsReal(const KeySpec<Owner>& spec) {
  return std::holds_alternative<typename KeyBinding<Owner>::template Field<double>>(spec.field);
}

template <typename Owner>
bool IsList(const KeySpec<Owner>& spec) {
  return std::holds_alternative<
      typename KeyBinding<Owner>::template Field<std::vector<std::uint64_t>>>(spec.field);
}

template <typename Owner>
std::string DefaultText(const KeySpec<Owner>& spec) {
  if (spec.required) return "required";
  const auto value = ValueText(spec, Owner{});
  return value ? *value : std::string(spec.unset);
}

// Calls print(table, spec) for the keys of every table in order.
template <typename Print>
void ForEachKey(std::string_view table, Print print) {
  for (const auto& spec : ScenarioKeys()) {
    if (spec.table == table) print(spec);
  }
  for (const auto& spec : ChangeKeys()) {
    if (spec.table == table) print(spec);
  }
  for (const auto& spec : FaultKeys()) {
    if (spec.table == table) print(spec);
  }
}

std::string Wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string result;
  std::size_t column = columns;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column + 1 + word.size() > columns) {
      fmt::format_to(std::back_inserter(result), "{}{:{}}", result.empty() ? "" : "\n", "", indent);
      column = indent;
    } else {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace

std::span<const KeySpec<Scenario>> ScenarioKeys() {
  static const auto keys = MakeScenarioKeys();
  return keys;
}

std::span<const KeySpec<ChangeScenario>> ChangeKeys() {
  static const auto keys = MakeChangeKeys();
  return keys;
}

std::span<const KeySpec<FaultScenario>> FaultKeys() {
  static const auto keys = MakeFaultKeys();
  return keys;
}

std::span<const TableDoc> ScenarioTables() {
  static const std::vector<TableDoc> tables = {
      {"", "What the run is called and what its random numbers start from."},
      {"topology", "Switches, end nodes and the cables between them."},
      {"link", "All links of a network are alike."},
      {"switch", "Parameters of the switch. Only configurations that were built can be run."},
      {"node", "End nodes."},
      {"routing", "How tables are computed."},
      {"manager", "The subnet manager."},
      {"traffic", "What the end nodes send."},
      {"run", "Phases: bring-up, warm-up, measurement, drain."},
      {"results", "What is recorded."},
      {"reconfiguration", "How new tables replace old ones."},
      {"change",
       "One table for each planned change of a fabric that is up, in any order; none is needed."},
      {"fault", "One table for each fault, in any order; none is needed."},
  };
  return tables;
}

std::string Heading(std::string_view table) {
  return IsList(table) ? fmt::format("[[{}]]", table) : fmt::format("[{}]", table);
}

template <typename Owner>
std::string ExpectedText(const KeySpec<Owner>& spec) {
  if (!spec.choices.empty()) return "one of " + JoinQuoted(spec.choices);
  if (IsText(spec)) return "a text";
  if (IsBoolean(spec)) return "true or false";
  const std::string range =
      fmt::format("from {} to {}", NumberText(spec.min), NumberText(spec.max));
  if (IsReal(spec)) return "a number " + range;
  if (IsList(spec)) return "a list of whole numbers " + range;
  if (spec.multiple_of > 1) return fmt::format("a multiple of {} {}", spec.multiple_of, range);
  return "a whole number " + range;
}

template <typename Owner>
std::optional<std::string> ValueText(const KeySpec<Owner>& spec, const Owner& owner) {
  return std::visit(ValuePrinter<Owner>{spec, owner}, spec.field);
}

template std::string ExpectedText(const KeySpec<Scenario>&);
template std::string ExpectedText(const KeySpec<ChangeScenario>&);
template std::string ExpectedText(const KeySpec<FaultScenario>&);
template std::optional<std::string> ValueText(const KeySpec<Scenario>&, const Scenario&);
template std::optional<std::string> ValueText(const KeySpec<ChangeScenario>&,
                                              const ChangeScenario&);
template std::optional<std::string> ValueText(const KeySpec<FaultScenario>&, const FaultScenario&);

std::string SchemaText() {
  std::string text;
  for (const TableDoc& table : ScenarioTables()) {
    fmt::format_to(std::back_inserter(text), "{}{}: {}\n", text.empty() ? "" : "\n",
                   table.name.empty() ? "top level" : Heading(table.name), table.doc);
    ForEachKey(table.name, [&text](const auto& spec) {
      const std::string values =
          fmt::format("{}{}{}; {}{}", ExpectedText(spec), spec.unit.empty() ? "" : ", ", spec.unit,
                      spec.required ? "" : "default ", DefaultText(spec));
      fmt::format_to(std::back_inserter(text), "  {:<18} {}\n{}\n", spec.key,
                     Wrapped(values, kIndent, 100).substr(kIndent),
                     Wrapped(spec.doc, kIndent, 100));
    });
  }
  return text;
}

std::string SchemaMarkdown() {
  std::string text;
  for (const TableDoc& table : ScenarioTables()) {
    const std::string heading =
        table.name.empty() ? "Top level" : fmt::format("`{}`", Heading(table.name));
    fmt::format_to(std::back_inserter(text), "{}### {}\n\n{}\n\n", text.empty() ? "" : "\n",
                   heading, table.doc);
    text += "| key | values | unit | default | meaning |\n|---|---|---|---|---|\n";
    ForEachKey(table.name, [&text](const auto& spec) {
      fmt::format_to(std::back_inserter(text), "| `{}` | {} | {} | {} | {} |\n", spec.key,
                     ExpectedText(spec), spec.unit, DefaultText(spec), spec.doc);
    });
  }
  return text;
}

}  // namespace lanecut
