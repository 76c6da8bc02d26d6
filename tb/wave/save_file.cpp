// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/save_file.h"

#include <fmt/format.h>

#include "tb/wave/readable_switch.h"

namespace lanecut {
namespace {

// Flags of a trace, as GTKWave writes them.
enum : std::uint64_t {
  kHex = 0x22,
  kDecimal = 0x24,
  kBit = 0x28,
  kNames = 0x1'0000'0028,  // by the names of values
  kComment = 0x200,
  kGroup = 0x80'0200,
  kGroupClosed = 0xC0'0200,
  kGroupEnd = 0x100'0200,
  kGroupClosedEnd = 0x140'0200,
};

enum Colour { kNormal = 0, kOrange = 2, kYellow = 3, kGreen = 4, kBlue = 5, kViolet = 7 };

constexpr Cycle kCyclesBeforeMark = 40;  // that are in sight when it opens

class Text {
 public:
  void Signal(const std::string& name, std::uint64_t flags, Colour colour) {
    text_ += fmt::format("@{:x}\n[color] {}\n{}\n", flags, static_cast<int>(colour), name);
  }
  void Begin(const std::string& name, bool closed) {
    text_ += fmt::format("@{:x}\n-{}\n", closed ? std::uint64_t{kGroupClosed} : kGroup, name);
  }
  void End(const std::string& name, bool closed) {
    text_ += fmt::format("@{:x}\n-{}\n", closed ? std::uint64_t{kGroupClosedEnd} : kGroupEnd, name);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void AddInput(const std::string& queue, const std::string& raw, Text* text) {
  text->Signal(queue + ".state[3:0]", kNames, kYellow);
  text->Signal(queue + ".packet[63:0]", kHex, kGreen);
  text->Signal(queue + ".source[15:0]", kNames, kGreen);
  text->Signal(queue + ".destination[15:0]", kNames, kGreen);
  text->Signal(queue + ".wants[7:0]", kNames, kOrange);
  text->Signal(queue + ".packets[7:0]", kDecimal, kNormal);
  text->Signal(raw + ".u_gate.allow_o", kBit, kNormal);
  text->Signal(raw + ".u_head.request_o", kBit, kNormal);
  text->Signal(raw + ".u_head.grant_i", kBit, kNormal);
}

void AddOutput(const std::string& queue, bool has_credits, Text* text) {
  text->Signal(queue + ".holder[7:0]", kNames, kOrange);
  text->Signal(queue + ".state[3:0]", kNames, kYellow);
  text->Signal(queue + ".packet[63:0]", kHex, kGreen);
  text->Signal(queue + ".source[15:0]", kNames, kGreen);
  text->Signal(queue + ".destination[15:0]", kNames, kGreen);
  text->Signal(queue + ".packets[7:0]", kDecimal, kNormal);
  text->Signal(queue + ".free[7:0]", kDecimal, kBlue);
  if (has_credits) text->Signal(queue + ".credits[11:0]", kDecimal, kBlue);
}

void AddPort(const Topology& topology, int node, int port, int vls, Text* text) {
  const std::string name = ScopeName(topology, node);
  const std::string raw = fmt::format("{}.lanecut_switch.gen_port[{}].u_port", name, port - 1);
  const std::string view = fmt::format("{}.lanecut_switch.u_wave.gen_port[{}]", name, port - 1);
  const auto peer = topology.PeerOf(node, port);
  const std::string title = fmt::format("{} port {} - {}:{}", topology.node(node).name, port,
                                        topology.node(peer->node).name, peer->port);
  text->Begin(title, false);
  text->Signal(view + ".link[2:0]", kNames, kNormal);
  text->Signal(view + ".rx[2:0]", kNames, kViolet);
  text->Signal(raw + ".rx_data_i[31:0]", kHex, kViolet);
  for (const char* direction : {"in", "out"}) {
    for (int lane = 0; lane <= vls; ++lane) {
      const std::array<std::string, 2> scope = QueueScope(direction, port, lane, vls);
      const std::string queue = fmt::format("{}.{}.{}", name, scope[0], scope[1]);
      const bool closed = lane == vls;  // management
      text->Begin(scope[1], closed);
      if (direction[0] == 'i') {
        AddInput(queue, fmt::format("{}.u_input.gen_lane[{}]", raw, lane), text);
      } else {
        AddOutput(queue, lane < vls, text);
      }
      text->End(scope[1], closed);
    }
  }
  text->Signal(view + ".tx[2:0]", kNames, kViolet);
  text->Signal(raw + ".tx_data_o[31:0]", kHex, kViolet);
  text->End(title, false);
}

}  // namespace

std::string SaveFile(const Topology& topology, const SaveFileOptions& options) {
  Text text;
  text.Signal("run.clk", kBit, kNormal);
  text.Signal("run.cycle[63:0]", kDecimal, kNormal);
  for (const int node : options.switches) {
    const std::string name = ScopeName(topology, node);
    text.Signal(name + ".lanecut_switch.u_wave.scheme_name[1:0]", kNames, kNormal);
    text.Signal(name + ".lanecut_switch.epoch[4:0]", kDecimal, kNormal);
    text.Signal(name + ".lanecut_switch.bank", kBit, kNormal);
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      if (topology.PeerOf(node, port)) AddPort(topology, node, port, options.vls, &text);
    }
  }
  const Cycle begin =
      std::max(options.first, options.marked - std::min(options.marked, kCyclesBeforeMark));
  return fmt::format(
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n*-7.5 {}{}\n"
      "[sst_expanded] 0\n[signals_width] 330\n{}",
      options.waves.string(), begin * options.ns_per_cycle, options.marked * options.ns_per_cycle,
      [] {
        std::string none;
        for (int i = 0; i < 26; ++i) none += " -1";
        return none;
      }(),
      text.text());
}

}  // namespace lanecut
