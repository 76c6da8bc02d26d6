// SPDX-License-Identifier: Apache-2.0
#include "tests/system/ring.h"

#include <fmt/format.h>

#include <fstream>

#include "sw/cli/network.h"
#include "sw/routing/lft_dump.h"
#include "sw/routing/table_builder.h"
#include "sw/scenario/reader.h"

namespace lanecut::testing {
namespace {

constexpr std::uint8_t kClockwise = 1;
constexpr std::uint8_t kBack = 2;
constexpr std::uint8_t kEndNode = 3;
constexpr std::uint8_t kManager = 5;

constexpr const char* kScenario = R"(
[topology]
kind = "netlist"
file = "ring.net"
[switch]
vls = 1
buffer_bytes = 512
transit_first = false
[node]
buffer_bytes = 512
[routing]
engine = "file"
file = "before.lfts"
[traffic]
pattern = "permutation"
file = "flows.txt"
load = 1.0
packet_bytes = 282
[manager]
window = 1
[run]
warmup_cycles = 1000
measure_cycles = 8000
stall_cycles = 4000
[reconfiguration]
scheme = "ebr"
[[change]]
kind = "reroute"
engine = "file"
file = "after.lfts"
after_warmup = 1000
)";

// End node 0 or 1 of a switch.
std::string HcaOf(const std::string& name, int index) {
  return fmt::format("H{}_{}", name.substr(1), index);
}

std::string Netlist(const RingChange& change) {
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) {
    text += fmt::format("Switch\t5 \"{}\"\n[{}]\t\"{}\"[{}]\n[{}]\t\"{}\"[{}]\n", change.names[i],
                        kClockwise, change.names[(i + 1) % 4], kBack, kBack,
                        change.names[(i + 3) % 4], kClockwise);
    for (const int k : {0, 1}) {
      text += fmt::format("[{}]\t\"{}\"[1]\n", kEndNode + k, HcaOf(change.names[i], k));
    }
    if (change.manager_apart && i % 2 == 1) {
      text += fmt::format("[{}]\t\"SM\"[{}]\n", kManager, i == 1 ? 1 : 2);
    }
    text += "\n";
  }
  if (change.manager_apart) {
    text += fmt::format(
        "Switch\t5 \"SM\"\n[1]\t\"{}\"[{}]\n[2]\t\"{}\"[{}]\n[{}]\t\"HM_0\"[1]\n\n"
        "Ca\t1 \"HM_0\"\n[1]\t\"SM\"[{}]\n\n",
        change.names[1], kManager, change.names[3], kManager, kEndNode, kEndNode);
  }
  for (const std::string& name : change.names) {
    for (const int k : {0, 1}) {
      text += fmt::format("Ca\t1 \"{}\"\n[1]\t\"{}\"[{}]\n\n", HcaOf(name, k), name, kEndNode + k);
    }
  }
  return text;
}

std::string Flows(const RingChange& change) {
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) {
    text += fmt::format("{} {}\n{} {}\n", HcaOf(change.names[i], 0),
                        HcaOf(change.names[(i + 2) % 4], 0), HcaOf(change.names[i], 1),
                        HcaOf(change.names[(i + 1) % 4], 1));
  }
  return text;
}

// The ways from and to the manager's switch. They are no part of a cycle: nothing passes through
// it.
void AddManager(const Topology& topology, const RingChange& change, RoutingTables* tables) {
  const int manager = *topology.FindNode("SM");
  const int node = *topology.FindNode("HM_0");
  const auto set = [&](int at, std::uint8_t to_switch, std::uint8_t to_node) {
    tables->lft[at][tables->lids[manager]] = to_switch;
    tables->lft[at][tables->lids[node]] = to_node;
  };
  set(manager, 0, kEndNode);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint8_t port = i % 2 == 1 ? kManager : kClockwise;
    set(*topology.FindNode(change.names[i]), port, port);
    const std::uint8_t way = i == 3 ? 2 : 1;
    const std::string& name = change.names[i];
    for (const std::string& to : {name, HcaOf(name, 0), HcaOf(name, 1)}) {
      tables->lft[manager][tables->lids[*topology.FindNode(to)]] = way;
    }
  }
}

void WriteTables(const Topology& topology, const RingChange& change, const RingFunction& clockwise,
                 const std::filesystem::path& file) {
  RoutingTables tables = EmptyTables(topology, SequentialLids(topology));
  for (std::size_t at = 0; at < 4; ++at) {
    auto& lft = tables.lft[*topology.FindNode(change.names[at])];
    for (std::size_t to = 0; to < 4; ++to) {
      const std::size_t way = (to + 4 - at) % 4;
      const bool goes_on = way == 1 || (way == 2 && clockwise[at]);
      const std::uint8_t port = goes_on ? kClockwise : kBack;
      lft[tables.lids[*topology.FindNode(change.names[to])]] = way == 0 ? 0 : port;
      for (const int k : {0, 1}) {
        const int node = *topology.FindNode(HcaOf(change.names[to], k));
        lft[tables.lids[node]] = way == 0 ? static_cast<std::uint8_t>(kEndNode + k) : port;
      }
    }
  }
  if (change.manager_apart) AddManager(topology, change, &tables);
  std::ofstream out(file);
  WriteLftDump(topology, tables, out);
}

}  // namespace

Scenario MakeRing(const std::filesystem::path& folder, const RingChange& change,
                  const std::vector<std::string>& overrides) {
  std::ofstream(folder / "ring.net") << Netlist(change);
  std::ofstream(folder / "flows.txt") << Flows(change);
  for (const char* file : {"before.lfts", "after.lfts"}) std::ofstream(folder / file) << '\n';
  const Topology topology = BuildTopology(ParseScenario(kScenario, folder / "ring.toml"));
  WriteTables(topology, change, change.before, folder / "before.lfts");
  WriteTables(topology, change, change.after, folder / "after.lfts");
  std::vector<std::string> settings = overrides;
  settings.push_back(
      fmt::format("manager.node={}", change.manager_apart ? "HM_0" : HcaOf(change.names[0], 0)));
  return ParseScenario(kScenario, folder / "ring.toml", settings);
}

}  // namespace lanecut::testing
