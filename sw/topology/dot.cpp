// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/dot.h"

#include <fmt/format.h>

#include <string>

namespace lanecut {
namespace {

constexpr int kPitch = 120;  // between places, in points

std::string Quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

std::string PlaceOf(const Topology& topology, int node) {
  const auto& grid = topology.grid();
  if (!grid || grid->sizes.size() > 2 || !topology.IsSwitch(node)) return "";
  const auto& at = grid->coordinates[node];
  return fmt::format(", pos=\"{},{}\"", at[0] * kPitch, at.size() > 1 ? at[1] * kPitch : 0);
}

}  // namespace

void WriteDot(const Topology& topology, std::ostream& out) {
  out << "graph fabric {\n  node [fontsize=10];\n  edge [fontsize=7];\n";
  for (std::size_t i = 0; i < topology.nodes().size(); ++i) {
    const int node = static_cast<int>(i);
    out << fmt::format("  {} [shape={}{}];\n", Quoted(topology.node(node).name),
                       topology.IsSwitch(node) ? "box" : "plaintext", PlaceOf(topology, node));
  }
  for (const Cable& cable : topology.cables()) {
    out << fmt::format("  {} -- {} [taillabel=\"{}\", headlabel=\"{}\"];\n",
                       Quoted(topology.node(cable.a.node).name),
                       Quoted(topology.node(cable.b.node).name), cable.a.port, cable.b.port);
  }
  out << "}\n";
}

}  // namespace lanecut
