// SPDX-License-Identifier: Apache-2.0
//
// A scenario: everything that decides what a run does, as plain data.
//
// Times are cycles of the link clock unless the name says otherwise, sizes are bytes. The member
// initialisers are the documented defaults: the schema (schema.h) reads them from here. A Scenario
// that came out of ReadScenario() (reader.h) is valid: every value is in range and they fit
// together as far as that can be known without building the topology.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut {

enum class TopologyKind : std::uint8_t {
  kTorus,
  kMesh,
  kRing,
  kHypercube,
  kFullMesh,
  kDragonfly,
  kRandomRegular,
  kKaryNtree,
  kXgft,
  kNetlist
};
enum class LinkRate : std::uint8_t { k1xSdr, k4xSdr };
enum class ChangeKind : std::uint8_t { kReroute, kRemove, kAdd };
enum class FaultKind : std::uint8_t { kCut, kFlap, kRestore, kBitErrors, kFcLoss };

struct TopologyScenario {
  TopologyKind kind = TopologyKind::kTorus;
  std::vector<std::uint64_t> size = {4, 4};  // what it means depends on the kind; not of a netlist
  std::vector<std::uint64_t> parents;        // xgft, from level 1 up
  std::uint64_t nodes_per_switch = 1;        // where every switch has the same number
  std::uint64_t seed = 1;                    // random-regular
  std::string file;                          // netlist: the name as written in the scenario
  std::filesystem::path path;  // netlist: where that file is, seen from the current folder
};

struct LinkScenario {
  LinkRate rate = LinkRate::k1xSdr;
  double cable_m = 15;
  double fly_ns_per_m = 5;
  std::optional<std::uint64_t> fly_cycles;  // overrides cable_m x fly_ns_per_m
};

struct SwitchScenario {
  std::uint64_t vls = 2;  // data VLs; VL15 comes on top
  std::uint64_t buffer_bytes = 1024;
  std::uint64_t route_cycles = 6;
  bool transit_first = true;              // packets in the network go before injected ones
  std::optional<std::uint64_t> hoq_life;  // PortInfo.HOQLife of all ports; without: no limit
  // VL arbitration of all ports: weights in blocks of 64 bytes by VL, empty: none are given; limit
  // in units of 4 KiB.
  std::vector<std::uint64_t> vl_weights_high;
  std::vector<std::uint64_t> vl_weights_low;
  std::uint64_t vl_high_limit = 0;
  std::optional<std::uint64_t> life_time;  // SwitchInfo.LifeTimeValue; without: no limit
};

struct NodeScenario {
  std::uint64_t source_queue = 64;  // packets
  std::uint64_t buffer_bytes = 1024;
  bool reliable = false;  // end-to-end protocol; the rest is for it
  Cycle retransmit_cycles = 10'000;
  std::uint64_t window_packets = 16;
  std::uint64_t reorder_packets = 16;
};

struct RoutingScenario {
  std::string engine = "updown";
  std::string file;                           // engine "file": the name as written in the scenario
  std::filesystem::path path;                 // where that file is, seen from the current folder
  std::string sl2vl_file;                     // engine "file": SLtoVL tables; empty: none
  std::filesystem::path sl2vl_path;           // likewise
  std::string path_records_file;              // engine "file": path records; empty: none
  std::filesystem::path path_records_path;    // likewise
  std::string root;                           // switch name; empty: the engine chooses
  std::string root_choice = "mean-distance";  // or "least-load"
  std::string tree = "bfs";                   // or "dfs"
  bool balance = false;
  std::uint64_t paths = 1;         // wanted for each pair
  std::uint64_t lmc = 0;           // of every end node
  std::string after_fault_engine;  // empty: as before the fault
  std::string after_fault_root;    // empty: as before the fault
  bool allow_cyclic = false;
};

struct ManagerScenario {
  std::string node;     // end node name; empty: the topology's first end node
  std::string standby;  // ... of another manager; empty: none
  std::uint64_t standby_poll_cycles = 20'000;
  std::uint64_t window = 16;
  std::uint64_t timeout_cycles = 20'000;
  std::uint64_t retries = 5;
  std::uint64_t sweep_cycles = 1'000'000;  // 0: no periodic sweep
  std::uint64_t compute_cycles = 0;
  double compute_cycles_per_switch = 0;
  double compute_cycles_per_path = 0;
  bool trap = true;
  std::string encoding = "ib";
};

struct TrafficScenario {
  std::string pattern = "uniform";
  std::string file;            // permutation, trace: the name as written in the scenario
  std::filesystem::path path;  // where that file is, seen from the current folder
  double hot_fraction = 0.1;   // hot-spot: of the sources
  double load = 0.1;           // fraction of the link rate, per end node
  std::uint64_t packet_bytes = 58;
  Cycle on_cycles = 0;  // bursts: mean lengths; both 0: steady
  Cycle off_cycles = 0;
  Cycle start_cycles = 0;  // after the subnet is up
};

struct RunScenario {
  std::uint64_t warmup_packets = 0;  // delivered packets; at most one of the two is set
  Cycle warmup_cycles = 0;
  Cycle measure_cycles = 20'000;
  bool drain = true;
  Cycle drain_cycles = 1'000'000;
  Cycle stall_cycles = 20'000;
  Cycle max_cycles = 100'000'000;
  bool checks = true;
  bool skip_idle = true;
};

struct ResultsScenario {
  Cycle interval_cycles = 1'000;
  bool packets = true;
};

struct ReconfigurationScenario {
  std::string scheme = "static";
  std::string halt = "serial";
  std::string order = "nearest-fault";
  std::uint64_t hold_cycles = 0;
  bool differences = false;  // osr-la, osr-pda: only what differs is sent
};

struct FaultScenario {
  FaultKind kind = FaultKind::kCut;
  std::string link = "random";    // "S0_0:1", "random", or "all" (bit-errors and fc-loss only)
  std::optional<Cycle> at_cycle;  // counted from the start of the simulation
  std::optional<Cycle>
      after_warmup;  // counted from the end of the warm-up; exactly one of the two is set
  std::uint64_t duration_cycles =
      0;            // flap: how long the link is down; bit-errors, fc-loss: 0 = until the end
  double rate = 0;  // bit-errors: per word; fc-loss: per flow-control packet
};

// Planned, as opposed to a fault.
struct ChangeScenario {
  ChangeKind kind = ChangeKind::kReroute;
  std::string what;               // remove, add: a link "S0_0:1", or a switch "S0_0"
  std::string engine;             // reroute; empty: as before
  std::string file;               // engine "file": the name as written in the scenario
  std::filesystem::path path;     // where that file is, seen from the current folder
  std::string root;               // reroute; empty: as before, or the engine's choice if it is new
  std::optional<Cycle> at_cycle;  // as for a fault
  std::optional<Cycle> after_warmup;
};

struct Scenario {
  std::string name;
  std::uint64_t seed = 1;
  TopologyScenario topology;
  LinkScenario link;
  SwitchScenario switches;  // table [switch]
  NodeScenario node;
  RoutingScenario routing;
  ManagerScenario manager;
  TrafficScenario traffic;
  RunScenario run;
  ResultsScenario results;
  ReconfigurationScenario reconfiguration;
  std::vector<ChangeScenario> changes;  // tables [[change]], in the order of the file
  std::vector<FaultScenario> faults;    // tables [[fault]], in the order of the file

  std::filesystem::path source;  // the file it was read from
  std::map<std::string, std::string>
      origins;  // "switch.vls", "fault.0.link" -> "file:line" or "--set ..."
};

// Bad input: what() is one line, "file:line: what is wrong; what was expected". Exit status 2.
class ScenarioError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The error to throw when something that only the fabric can know makes the value of `key`
// ("routing.root") unusable.
ScenarioError ErrorAt(const Scenario& scenario, std::string_view key, std::string_view what,
                      std::string_view expected);

// Duration of one cycle: 16 ns at 1X SDR, 4 ns at 4X SDR.
std::uint64_t NsPerCycle(LinkRate rate);

// Fly time of a cable in cycles, at least 1: link.fly_cycles if set, else cable_m x fly_ns_per_m
// rounded to the nearest cycle.
Cycle FlyCycles(const LinkScenario& link);

// Payload of a data packet: what packet_bytes leaves after LRH 8, BTH 12, ICRC 4 and VCRC 2 bytes.
std::uint64_t PayloadBytes(const TrafficScenario& traffic);

// Words a data packet takes on a link; the two delimiter symbols count.
std::uint64_t PacketWords(const TrafficScenario& traffic);

// 64-byte credit blocks of a buffer of that many bytes.
constexpr std::uint64_t BufferBlocks(std::uint64_t buffer_bytes) { return buffer_bytes / 64; }

}  // namespace lanecut
