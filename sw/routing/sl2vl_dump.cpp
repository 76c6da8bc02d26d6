// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/sl2vl_dump.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <vector>

#include "sw/topology/opensm_order.h"

namespace lanecut {
namespace {

constexpr std::string_view kRule = "#--------------------------------------------------------\n";
constexpr std::string_view kSwitch = "Switch ";
constexpr std::string_view kEndNode = "Channel Adapter ";

void WriteRow(const SlToVlTable& table, int in, int out_port, int shown_out, std::ostream& out) {
  out << fmt::format("{:<3} {:<3} :", in, shown_out);
  for (int sl = 0; sl < kServiceLevels; ++sl) {
    out << fmt::format(" {:<2}", table.At(in, out_port, sl));
  }
  out << '\n';
}

class SlToVlReader {
 public:
  SlToVlReader(const Topology& topology, const std::string& file, int vls, RoutingTables* tables)
      : topology_(topology), file_(file), vls_(vls), tables_(tables) {
    for (const Node& node : topology.nodes()) seen_.emplace_back(NumRows(node), false);
  }

  void Read(std::istream& in) {
    std::string line;
    while (std::getline(in, line)) {
      ++number_;
      if (line.starts_with(kSwitch)) {
        StartNode(NodeKind::kSwitch, line.substr(kSwitch.size()));
      } else if (line.starts_with(kEndNode)) {
        StartNode(NodeKind::kHca, line.substr(kEndNode.size()));
      } else if (!line.empty() && line.front() != '#') {
        ReadRow(line);
      }
    }
    CheckWhole();
  }

 private:
  // Of a switch: (in port 0.., out port 1..).
  static std::size_t NumRows(const Node& node) {
    return node.kind == NodeKind::kHca ? 1 : (node.num_ports + 1) * node.num_ports;
  }

  [[noreturn]] void Fail(const std::string& problem, const std::string& expected) const {
    throw RoutingError(fmt::format("{}:{}: {}; expected {}", file_, number_, problem, expected));
  }

  void StartNode(NodeKind kind, const std::string& rest) {
    const auto found = topology_.FindPortGuid(std::strtoull(rest.c_str(), nullptr, 16));
    if (!found || topology_.node(*found).kind != kind) {
      Fail("no such node", "\"Switch 0x..\" or \"Channel Adapter 0x..\" of the topology");
    }
    node_ = *found;
  }

  void ReadRow(const std::string& line) {
    std::istringstream words(line);
    int in = -1;
    int out = -1;
    std::string colon;
    std::array<int, kServiceLevels> row{};
    words >> in >> out >> colon;
    for (int& vl : row) words >> vl;
    if (node_ < 0 || words.fail() || colon != ":") {
      Fail("bad row", "\"in out : \" and the VLs of SLs 0 to 15, under a node");
    }
    const Node& node = topology_.node(node_);
    const bool is_switch = node.kind == NodeKind::kSwitch;
    if (is_switch ? in < 0 || in > node.num_ports || out < 1 || out > node.num_ports
                  : in != 0 || out != 0) {
      Fail(fmt::format("{} has no ports {} {}", node.name, in, out),
           is_switch ? fmt::format("in 0 to {0}, out 1 to {0}", node.num_ports) : "0 0");
    }
    for (int sl = 0; sl < kServiceLevels; ++sl) {
      const int vl = row[sl];
      if (vl < 0 || (vl >= vls_ && vl != kDropVl)) {
        Fail(fmt::format("SL {} has VL {}", sl, vl), fmt::format("0 to {}, or 15", vls_ - 1));
      }
      tables_->sl2vl[node_].At(in, is_switch ? out : 1, sl) = static_cast<std::uint8_t>(vl);
    }
    seen_[node_][is_switch ? in * node.num_ports + out - 1 : 0] = true;
  }

  void CheckWhole() const {
    for (std::size_t node = 0; node < seen_.size(); ++node) {
      for (std::size_t row = 0; row < seen_[node].size(); ++row) {
        const Node& at = topology_.nodes()[node];
        const bool is_switch = at.kind == NodeKind::kSwitch;
        const int out = is_switch ? static_cast<int>(row) % at.num_ports + 1 : 1;
        if (seen_[node][row] || !topology_.PeerOf(static_cast<int>(node), out)) continue;
        Fail(fmt::format("no row of {} ports {} {}", at.name, is_switch ? row / at.num_ports : 0,
                         is_switch ? out : 0),
             "all in ports of every out port with a cable");
      }
    }
  }

  const Topology& topology_;
  const std::string& file_;
  int vls_;
  RoutingTables* tables_;
  int node_ = -1;
  int number_ = 0;
  std::vector<std::vector<bool>> seen_;  // by node, then row
};

}  // namespace

void WriteSlToVlDump(const Topology& topology, const RoutingTables& tables, std::ostream& out) {
  for (const int i : OpenSmPortOrder(topology)) {
    const Node& node = topology.node(i);
    const bool is_switch = node.kind == NodeKind::kSwitch;
    out << fmt::format("{}{:#018x}, base LID {}, \"{}\"\n", is_switch ? kSwitch : kEndNode,
                       node.PortGuid(), tables.lids[i], node.name)
        << "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
        << kRule;
    if (!is_switch) WriteRow(tables.sl2vl[i], 0, 1, 0, out);
    for (int port = 1; is_switch && port <= node.num_ports; ++port) {
      if (!topology.PeerOf(i, port)) continue;
      for (int in = 0; in <= node.num_ports; ++in) WriteRow(tables.sl2vl[i], in, port, port, out);
    }
    out << kRule << '\n';
  }
}

void ReadSlToVlDump(const Topology& topology, std::istream& in, const std::string& file, int vls,
                    RoutingTables* tables) {
  SlToVlReader(topology, file, vls, tables).Read(in);
}

}  // namespace lanecut
