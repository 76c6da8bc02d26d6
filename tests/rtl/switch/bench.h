// SPDX-License-Identifier: Apache-2.0
//
// A switch without its management agent, a Peer on every port, and the tables in the test's hands.
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sw/wire/drop_reason.h"
#include "tests/rtl/switch/peer.h"

// A variable of the agent double, as Verilator names it in the root class.
#define LANECUT_DOUBLE(name) top_.rootp->lanecut_switch__DOT__u_agent__DOT__##name

namespace lanecut::test {

struct Drop {
  enum class Where { kRx, kInput, kOutput } where;
  int port;
  int lane;  // -1 for kRx
  DropReason reason;
  Cycle cycle;
  // kInput: number of the packet, of the function that routed it, of the switch.
  std::array<int, 3> numbers{};
};

// V: the verilated class; R: its root class, which shows the agent double.
template <class V, int kPorts>
class SwitchBench {
 public:
  static constexpr int kLanes = 3;

  SwitchBench() : context_(std::make_unique<VerilatedContext>()), top_(context_.get()) {
    top_.rst_i = 1;
    top_.clk_i = 0;
    top_.tick_i = 0;
    top_.phy_up_i = 0;
    top_.guid_i = 1;
    top_.four_lanes_i = 0;
    LANECUT_DOUBLE(dbl_ready) = 3;
    for (int i = 0; i < 4; ++i) Edge();
    top_.rst_i = 0;
    Edge();
  }

  // Packets that reached port 0, per engine, and the port the last one came from.
  std::uint32_t AgentPackets(int engine) { return LANECUT_DOUBLE(dbl_packets)[engine]; }
  std::uint32_t AgentLastPort() { return LANECUT_DOUBLE(dbl_last_port); }
  void AgentReady(int mask) { LANECUT_DOUBLE(dbl_ready) = mask; }
  // Bit p: an end node is attached to port p.
  void SetEndNodePorts(int mask) { LANECUT_DOUBLE(dbl_end_node_ports) = mask; }
  // Of all ports, 0 to 31.
  void SetHoqLife(int life) {
    LANECUT_DOUBLE(dbl_hoq_short) = static_cast<std::uint8_t>(31 - life);
  }
  // Of the switch, 0 to 31.
  void SetLifeTime(int life) {
    LANECUT_DOUBLE(dbl_life_short) = static_cast<std::uint8_t>(31 - life);
  }
  // Links run at 4X.
  void SetFourLanes() { top_.four_lanes_i = 1; }
  void SelectBank(bool bank) { LANECUT_DOUBLE(dbl_bank) = bank; }
  // Reconfiguration, as the manager would have it.
  void SetScheme(int scheme) { LANECUT_DOUBLE(dbl_scheme) = scheme; }
  // EBR: for how many cycles heads wait.
  void SetHold(int cycles) { LANECUT_DOUBLE(dbl_hold) = static_cast<std::uint32_t>(cycles); }
  void SetEpoch(int epoch) { LANECUT_DOUBLE(dbl_epoch) = epoch; }
  int Epoch() { return LANECUT_DOUBLE(dbl_epoch); }
  void SetNextReady() { LANECUT_DOUBLE(dbl_next_ready) = 1; }
  void StartChange() {
    LANECUT_DOUBLE(dbl_start) = 1;
    Edge();
    LANECUT_DOUBLE(dbl_start) = 0;
  }
  // Double Scheme: the manager's commands.
  void Drain() { Pulse(LANECUT_DOUBLE(dbl_drain)); }
  void SwitchOver() { Pulse(LANECUT_DOUBLE(dbl_switch)); }
  void ClearDrain() { Pulse(LANECUT_DOUBLE(dbl_clear)); }
  // Bit c: input channel c can feed output channel `row`; channel (port - 1) * 2 + vl.
  void SetFeeders(int row, std::uint32_t feeders, bool bank = false) {
    LANECUT_DOUBLE(dbl_row_we) = 1;
    LANECUT_DOUBLE(dbl_row_bank) = bank;
    LANECUT_DOUBLE(dbl_row) = row;
    LANECUT_DOUBLE(dbl_row_data) = feeders;
    Edge();
    LANECUT_DOUBLE(dbl_row_we) = 0;
  }
  bool DataBusy() { return LANECUT_DOUBLE(dbl_busy); }
  auto& Top() { return top_; }
  Peer& At(int port) { return peers_[port - 1]; }
  Cycle Now() const { return now_; }
  const std::vector<Drop>& Drops() const { return drops_; }

  void Run(int cycles) {
    for (int i = 0; i < cycles; ++i) Edge();
  }

  // All ports up and Active, flow control exchanged.
  void BringUp() {
    top_.phy_up_i = (1U << kPorts) - 1;
    Run(4);
    SetState(3);
    SetState(4);
    Run(64);
  }

  void SetState(int state, std::uint32_t ports = (1U << kPorts) - 1) {
    LANECUT_DOUBLE(dbl_port_set) = ports;
    LANECUT_DOUBLE(dbl_port_state) = state;
    Edge();
    LANECUT_DOUBLE(dbl_port_set) = 0;
    Edge();
  }
  int State(int port) { return (LANECUT_DOUBLE(dbl_states) >> (3 * (port - 1))) & 7; }

  void SetLft(int lid, int port, bool bank = false) {
    lft_[bank][lid] = static_cast<std::uint8_t>(port);
    const int base = lid & ~3;
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word = word << 8 | lft_[bank][base + i];
    LANECUT_DOUBLE(dbl_lft_we) = 1;
    LANECUT_DOUBLE(dbl_bank_write) = bank;
    LANECUT_DOUBLE(dbl_addr) = base / 4;
    LANECUT_DOUBLE(dbl_data) = word;
    Edge();
    LANECUT_DOUBLE(dbl_lft_we) = 0;
  }

  // vls: VL of SL 0..7 and 8..15 for (in, out).
  void SetSlToVl(int in, int out, const std::array<int, 16>& vls, bool bank = false) {
    for (int half = 0; half < 2; ++half) {
      std::uint32_t word = 0;
      for (int i = 0; i < 8; ++i) word = word << 4 | static_cast<std::uint32_t>(vls[half * 8 + i]);
      LANECUT_DOUBLE(dbl_sl_we) = 1;
      LANECUT_DOUBLE(dbl_bank_write) = bank;
      LANECUT_DOUBLE(dbl_addr) = static_cast<std::uint16_t>(in << 5 | out << 1 | half);
      LANECUT_DOUBLE(dbl_data) = word;
      Edge();
    }
    LANECUT_DOUBLE(dbl_sl_we) = 0;
  }

  // LID 10 * p leaves by port p; SL 0 uses VL 0 and SL 1 VL 1, others alternate.
  void LoadPlainTables() {
    std::array<int, 16> vls{};
    for (int sl = 0; sl < 16; ++sl) vls[sl] = sl & 1;
    for (int lid = 0; lid < 64; ++lid) SetLft(lid, 255);
    for (int out = 0; out <= kPorts; ++out) SetLft(10 * out, out);
    for (int in = 1; in <= kPorts; ++in) {
      for (int out = 1; out <= kPorts; ++out) SetSlToVl(in, out, vls);
    }
  }

  // A list of port `port`, (VL, weight) each; what is not named has weight 0.
  void SetVlArbitration(int port, bool high, std::vector<std::pair<int, int>> entries) {
    entries.resize(8);
    for (std::size_t word = 0; word < entries.size() / 2; ++word) {
      const auto half = [&](std::size_t i) {
        return static_cast<std::uint32_t>(entries[i].first << 8 | entries[i].second);
      };
      WriteArbitration(port, static_cast<int>(high) << 4 | static_cast<int>(word),
                       half(2 * word) << 16 | half(2 * word + 1));
    }
  }
  // PortInfo.VLHighLimit.
  void SetHighLimit(int port, int limit) {
    WriteArbitration(port, 1 << 9, static_cast<std::uint32_t>(limit) << 8);
  }

  std::uint32_t Counter(int port, int index) {
    LANECUT_DOUBLE(dbl_cnt_port) = port;
    LANECUT_DOUBLE(dbl_cnt_index) = index;
    Edge();
    return LANECUT_DOUBLE(dbl_cnt_value);
  }

  // One clock cycle: pins are exchanged, then the rising edge. `hook`, if set, may replace what a
  // peer sends.
  void Edge() {
    for (int p = 1; p <= kPorts; ++p) {
      const Word out{top_.tx_data_o[p - 1], static_cast<Ctrl>(top_.tx_ctrl_o >> (3 * (p - 1)) & 7)};
      Word in;
      if (!(top_.phy_up_i >> (p - 1) & 1)) {
        peers_[p - 1].Relink();
        up_since_[p - 1] = now_ + 1;
      } else if (now_ >=
                 up_since_[p - 1] + 2) {  // the switch's state machine follows the physical layer
        in = peers_[p - 1].Step(now_, out);
      }
      if (hook) hook(p, now_, in);
      top_.rx_data_i[p - 1] = in.data;
      top_.rx_ctrl_i &= ~(7U << (3 * (p - 1)));
      top_.rx_ctrl_i |= static_cast<std::uint32_t>(in.ctrl) << (3 * (p - 1));
    }
    top_.tick_i = tick_every != 0 && now_ % tick_every == 0;
    top_.clk_i = 0;
    top_.eval();
    CollectDrops();
    top_.clk_i = 1;
    top_.eval();
    ++now_;
    EXPECT_EQ(top_.error_o, 0) << "cycle " << now_;
  }

  std::function<void(int port, Cycle now, Word& in)> hook;
  Cycle tick_every = 4096;

 private:
  void WriteArbitration(int port, int address, std::uint32_t data) {
    LANECUT_DOUBLE(dbl_arb_we) = 1;
    LANECUT_DOUBLE(dbl_addr) = static_cast<std::uint16_t>(address | port << 5);
    LANECUT_DOUBLE(dbl_data) = data;
    Edge();
    LANECUT_DOUBLE(dbl_arb_we) = 0;
  }

  void Pulse(std::uint8_t& command) {
    command = 1;
    Edge();
    command = 0;
  }

  void CollectDrops() {
    for (int p = 0; p < kPorts; ++p) {
      if (top_.trace_rx_drop_o >> p & 1) {
        drops_.push_back({Drop::Where::kRx, p + 1, -1,
                          static_cast<DropReason>(top_.trace_rx_reason_o >> (4 * p) & 15), now_});
      }
      for (int l = 0; l < kLanes; ++l) {
        const int bit = p * kLanes + l;
        if (top_.trace_in_drop_o >> bit & 1) {
          const auto reason = static_cast<DropReason>(top_.trace_in_reason_o >> (4 * bit) & 15);
          const auto number = [bit](auto bits) { return static_cast<int>(bits >> (4 * bit) & 15); };
          drops_.push_back({Drop::Where::kInput,
                            p + 1,
                            l,
                            reason,
                            now_,
                            {number(top_.trace_in_number_o), number(top_.trace_in_routed_o),
                             static_cast<int>(top_.trace_in_epoch_o)}});
        }
        if (top_.trace_out_drop_o >> bit & 1) {
          const bool expired = (top_.trace_out_expired_o >> bit & 1) != 0;
          const bool old = (top_.trace_out_old_o >> bit & 1) != 0;
          drops_.push_back({Drop::Where::kOutput, p + 1, l,
                            old       ? DropReason::kLifeTime
                            : expired ? DropReason::kHoqLife
                                      : DropReason::kPortInactive,
                            now_});
        }
      }
    }
  }

  std::unique_ptr<VerilatedContext> context_;
  V top_;
  std::array<Peer, kPorts> peers_;
  std::array<Cycle, kPorts> up_since_{};
  std::array<std::array<std::uint8_t, 256>, 2> lft_{};
  std::vector<Drop> drops_;
  Cycle now_ = 0;
};

}  // namespace lanecut::test
