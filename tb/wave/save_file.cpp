// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/save_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sw/wire/packet.h"
#include "tb/wave/readable_switch.h"

namespace lanecut {
namespace {

// Flags of a trace, as GTKWave writes them.
enum : std::uint64_t {
  kHex = 0x22,
  kDecimal = 0x24,
  kBit = 0x28,
  kNames = 0x1'0000'0028,  // by the names of values
  kGroup = 0x80'0200,
  kGroupClosed = 0xC0'0200,
  kGroupEnd = 0x100'0200,
  kGroupClosedEnd = 0x140'0200,
};

enum Colour { kNormal = 0, kOrange = 2, kYellow = 3, kGreen = 4, kBlue = 5, kViolet = 7 };

constexpr Cycle kCyclesBeforeMark = 12;  // that are in sight when it opens
constexpr double kZoom = -2.3;           // room for the number of a cycle, were it 1 ns long

class Text {
 public:
  // `name` is what is shown.
  void Signal(const std::string& name, const std::string& signal, std::uint64_t flags,
              Colour colour) {
    text_ += fmt::format("@{:x}\n[color] {}\n+{{{}}} {}\n", flags, static_cast<int>(colour), name,
                         signal);
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

// `name` is that of the queue for people, `raw` the scope of its gate.
void AddInput(const std::string& name, const std::string& queue, const std::string& raw,
              Text* text) {
  text->Signal(name + " state", queue + ".state[3:0]", kNames, kYellow);
  text->Signal(name + " packet", queue + ".packet[63:0]", kHex, kGreen);
  text->Signal(name + " source", queue + ".source[15:0]", kNames, kGreen);
  text->Signal(name + " destination", queue + ".destination[15:0]", kNames, kGreen);
  text->Signal(name + " wants", queue + ".wants[7:0]", kNames, kOrange);
  text->Signal(name + " packets", queue + ".packets[7:0]", kDecimal, kNormal);
  text->Signal(name + " gate allows", raw + ".u_gate.allow_o", kBit, kNormal);
  text->Signal(name + " request", raw + ".u_head.request_o", kBit, kNormal);
  text->Signal(name + " grant", raw + ".u_head.grant_i", kBit, kNormal);
}

void AddOutput(const std::string& name, const std::string& queue, bool has_credits, Text* text) {
  text->Signal(name + " holder", queue + ".holder[7:0]", kNames, kOrange);
  text->Signal(name + " state", queue + ".state[3:0]", kNames, kYellow);
  text->Signal(name + " packet", queue + ".packet[63:0]", kHex, kGreen);
  text->Signal(name + " source", queue + ".source[15:0]", kNames, kGreen);
  text->Signal(name + " destination", queue + ".destination[15:0]", kNames, kGreen);
  text->Signal(name + " packets", queue + ".packets[7:0]", kDecimal, kNormal);
  text->Signal(name + " free blocks", queue + ".free[7:0]", kDecimal, kBlue);
  if (!has_credits) return;
  text->Signal(name + " credits", queue + ".credits[11:0]", kDecimal, kBlue);
}

void AddQueue(const std::string& name, int port, int lane, int vls, bool is_input, Text* text) {
  const std::array<std::string, 2> scope = QueueScope(is_input ? "in" : "out", port, lane, vls);
  const std::string queue = fmt::format("{}.{}.{}", name, scope[0], scope[1]);
  const std::string title =
      fmt::format("{} VL{}", is_input ? "in" : "out", lane == vls ? kVl15 : lane);
  const bool closed = lane == vls;  // management
  text->Begin(title, closed);
  if (is_input) {
    AddInput(title, queue,
             fmt::format("{}.lanecut_switch.gen_port[{}].u_port.u_input.gen_lane[{}]", name,
                         port - 1, lane),
             text);
  } else {
    AddOutput(title, queue, lane < vls, text);
  }
  text->End(title, closed);
}

void AddPort(const Topology& topology, const PortRef& at, const Peer& peer, int vls, bool closed,
             Text* text) {
  const std::string name = ScopeName(topology, at.node);
  const std::string raw = fmt::format("{}.lanecut_switch.gen_port[{}].u_port", name, at.port - 1);
  const std::string view = fmt::format("{}.lanecut_switch.u_wave.gen_port[{}]", name, at.port - 1);
  const std::string title = fmt::format("{} port {} - {}:{}", topology.node(at.node).name, at.port,
                                        topology.node(peer.node).name, peer.port);
  text->Begin(title, closed);
  text->Signal("link", view + ".link[2:0]", kNames, kNormal);
  text->Signal("receives", view + ".rx[2:0]", kNames, kViolet);
  text->Signal("received word", raw + ".rx_data_i[31:0]", kHex, kViolet);
  for (int lane = 0; lane <= vls; ++lane) AddQueue(name, at.port, lane, vls, true, text);
  for (int lane = 0; lane <= vls; ++lane) AddQueue(name, at.port, lane, vls, false, text);
  text->Signal("sends", view + ".tx[2:0]", kNames, kViolet);
  text->Signal("sent word", raw + ".tx_data_o[31:0]", kHex, kViolet);
  text->End(title, closed);
}

bool InSight(const PortRef& at, const std::vector<PortRef>& places) {
  return places.empty() || std::ranges::any_of(places, [&](const PortRef& place) {
           return place == at || place == PortRef{at.node, 0};
         });
}

std::string Heading(const SaveFileOptions& options) {
  constexpr int kNamedMarkers = 26;
  const Cycle before = std::min(options.marked - options.first, kCyclesBeforeMark);
  std::string markers;
  for (int i = 0; i < kNamedMarkers; ++i) markers += " -1";
  const double zoom = kZoom - std::log2(static_cast<double>(options.ns_per_cycle));
  return fmt::format(
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n*{:.2f} {}{}\n"
      "[sst_expanded] 0\n[signals_width] 330\n",
      options.waves.string(), (options.marked - before) * options.ns_per_cycle, zoom,
      options.marked * options.ns_per_cycle, markers);
}

}  // namespace

std::string SaveFile(const Topology& topology, const SaveFileOptions& options) {
  Text text;
  text.Signal("clk", "run.clk", kBit, kNormal);
  text.Signal("cycle", "run.cycle[63:0]", kDecimal, kNormal);
  for (const int node : options.switches) {
    const std::string& name = topology.node(node).name;
    const std::string scope = ScopeName(topology, node) + ".lanecut_switch";
    text.Signal(name + " scheme", scope + ".u_wave.scheme_name[1:0]", kNames, kNormal);
    text.Signal(name + " function", scope + ".epoch[4:0]", kDecimal, kNormal);
    text.Signal(name + " bank", scope + ".bank", kBit, kNormal);
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      const PortRef at{node, port};
      const auto peer = topology.PeerOf(node, port);
      if (peer) {
        AddPort(topology, at, *peer, options.vls, !InSight(at, options.places), &text);
      }
    }
  }
  return Heading(options) + text.text();
}

}  // namespace lanecut
