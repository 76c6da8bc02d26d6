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

enum Colour { kNormal = 0, kRed = 1, kOrange = 2, kYellow = 3, kGreen = 4, kBlue = 5, kViolet = 7 };

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

// What the packet in front does, and which one it is.
void AddFront(const std::string& name, const std::string& queue, Text* text) {
  text->Signal(name + " state", queue + ".state[3:0]", kNames, kYellow);
  text->Signal(name + " packet", queue + ".packet[63:0]", kHex, kGreen);
  text->Signal(name + " source", queue + ".source[15:0]", kNames, kGreen);
  text->Signal(name + " destination", queue + ".destination[15:0]", kNames, kGreen);
}

// `name` is that of the queue for people, `raw` the scope of its gate, `view` that in wave_view.
void AddInput(const std::string& name, const std::string& queue, const std::string& raw,
              const std::string& view, Text* text) {
  AddFront(name, queue, text);
  text->Signal(name + " wants", queue + ".wants[7:0]", kNames, kOrange);
  text->Signal(name + " packets", queue + ".packets[7:0]", kDecimal, kNormal);
  text->Signal(name + " gate allows", raw + ".u_gate.allow_o", kBit, kNormal);
  text->Signal(name + " drops for", view + ".in_reason[3:0]", kNames, kRed);
  text->Signal(name + " request", raw + ".u_head.request_o", kBit, kNormal);
  text->Signal(name + " grant", raw + ".u_head.grant_i", kBit, kNormal);
}

void AddOutput(const std::string& name, const std::string& queue, bool has_credits, Text* text) {
  text->Signal(name + " holder", queue + ".holder[7:0]", kNames, kOrange);
  AddFront(name, queue, text);
  text->Signal(name + " packets", queue + ".packets[7:0]", kDecimal, kNormal);
  text->Signal(name + " free blocks", queue + ".free[7:0]", kDecimal, kBlue);
  if (!has_credits) return;
  text->Signal(name + " credits", queue + ".credits[11:0]", kDecimal, kBlue);
}

// Is a queue of that port and VL in sight, or, VL -1, any of that port?
bool InSight(const WavePlace& at, const std::vector<WavePlace>& places) {
  if (places.empty()) return at.vl != kVl15;
  return std::ranges::any_of(places, [&](const WavePlace& place) {
    if (place.node != at.node || (place.port != 0 && place.port != at.port)) return false;
    return at.vl < 0 || at.vl == place.vl || (place.vl < 0 && at.vl != kVl15);
  });
}

class PortText {
 public:
  PortText(const Topology& topology, const PortRef& at, const SaveFileOptions& options, Text* text)
      : topology_(topology),
        at_(at),
        options_(options),
        text_(text),
        name_(ScopeName(topology, at.node)),
        raw_(fmt::format("{}.lanecut_switch.gen_port[{}].u_port", name_, at.port - 1)),
        view_(fmt::format("{}.lanecut_switch.u_wave.gen_port[{}]", name_, at.port - 1)) {}

  void Add(const Peer& peer) {
    const std::string title = fmt::format("{} port {} - {}:{}", topology_.node(at_.node).name,
                                          at_.port, topology_.node(peer.node).name, peer.port);
    const bool closed = !InSight({at_.node, at_.port, -1}, options_.places);
    text_->Begin(title, closed);
    text_->Signal("link", view_ + ".link[2:0]", kNames, kNormal);
    text_->Signal("receives", view_ + ".rx[2:0]", kNames, kViolet);
    text_->Signal("received word", raw_ + ".rx_data_i[31:0]", kHex, kViolet);
    for (int lane = 0; lane <= options_.vls; ++lane) AddQueue(lane, true);
    for (int lane = 0; lane <= options_.vls; ++lane) AddQueue(lane, false);
    text_->Signal("sends", view_ + ".tx[2:0]", kNames, kViolet);
    text_->Signal("sent word", raw_ + ".tx_data_o[31:0]", kHex, kViolet);
    text_->End(title, closed);
  }

 private:
  void AddQueue(int lane, bool is_input) {
    const std::array<std::string, 2> scope =
        QueueScope(is_input ? "in" : "out", at_.port, lane, options_.vls);
    const std::string queue = fmt::format("{}.{}.{}", name_, scope[0], scope[1]);
    const int vl = lane == options_.vls ? kVl15 : lane;
    const std::string title = fmt::format("{} VL{}", is_input ? "in" : "out", vl);
    const bool closed = !InSight({at_.node, at_.port, vl}, options_.places);
    text_->Begin(title, closed);
    if (is_input) {
      AddInput(title, queue, fmt::format("{}.u_input.gen_lane[{}]", raw_, lane),
               fmt::format("{}.gen_lane[{}]", view_, lane), text_);
    } else {
      AddOutput(title, queue, vl != kVl15, text_);
    }
    text_->End(title, closed);
  }

  const Topology& topology_;
  PortRef at_;
  const SaveFileOptions& options_;
  Text* text_;
  std::string name_;  // scope of the switch
  std::string raw_;   // ... of the port in the RTL
  std::string view_;  // ... and in wave_view
};

std::string Heading(const SaveFileOptions& options) {
  constexpr int kNamedMarkers = 26;
  const Cycle before = std::min(options.marked - options.first, kCyclesBeforeMark);
  std::string markers;
  for (int i = 0; i < kNamedMarkers; ++i) markers += " -1";
  const double zoom = kZoom - std::log2(static_cast<double>(options.ns_per_cycle));
  return fmt::format(
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n*{:.2f} {}{}\n"
      "[sst_expanded] 0\n[signals_width] 300\n",
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
      const auto peer = topology.PeerOf(node, port);
      if (peer) PortText(topology, {node, port}, options, &text).Add(*peer);
    }
  }
  return Heading(options) + text.text();
}

}  // namespace lanecut
