// SPDX-License-Identifier: Apache-2.0
//
// Surroundings of a verilated mgmt_agent: a crossbar that delivers and takes packets, link states
// that follow commands, counters, and the tables of the route units as the broadcast bus writes
// them.
//
// Kind: what distinguishes the verilated configurations (see kinds.h).
#pragma once

#include <verilated.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/rtl/mgmt/smp.h"

namespace lanecut::mgmt_test {

// A packet on its way to the agent.
struct Arrival {
  Words words;
  int port = 1;
  bool bad = false;
  bool vl15 = true;
};

// A packet that the agent sent.
struct Departure {
  int port = 0;
  int vl = 15;
  Words words;
  uint64_t first_cycle = 0;
  uint64_t end_cycle = 0;
  size_t length = 0;  // wire words as announced
};

template <typename Kind>
class AgentBench {
 public:
  static constexpr int kPorts = Kind::kPorts;
  static constexpr uint64_t kGuid = 0x4C43000000010007;

  AgentBench() : context_(std::make_unique<VerilatedContext>()), dut_(context_.get(), "agent") {
    for (auto& bank : lft_) bank.assign(Kind::kLftDepth, 0x5A);
    port_state_.fill(2);
    dut_.guid_i = kGuid;
    SetName("S3_4");
    Reset();
  }
  ~AgentBench() {
    dut_.final();
    // The model leaves the context of the thread, which is that of the newest bench.
    Verilated::threadContextp(context_.get());
  }

  // Holds reset for two cycles, then waits until the agent is idle.
  void Reset() {
    dut_.rst_i = 1;
    Step();
    Step();
    dut_.rst_i = 0;
    while (!dut_.idle_o) Step();
    departures[0].clear();
    departures[1].clear();
  }

  // One clock cycle.
  void Step() {
    Drive();
    dut_.clk_i = 0;
    dut_.eval();
    Sample();
    ++cycle;
    if (skip_idle && dut_.idle_o && !dut_.tick_i && !dut_.rst_i) {
      ++skipped;
      return;
    }
    dut_.clk_i = 1;
    dut_.eval();
  }

  void Step(int cycles) {
    for (int i = 0; i < cycles; ++i) Step();
  }

  // Until everything queued is in, everything due is out and the agent says it is idle.
  bool Drain(int limit = 20000) {
    for (int i = 0; i < limit; ++i) {
      Step();
      if (Quiet()) return true;
    }
    return false;
  }

  bool Quiet() const {
    return dut_.idle_o && inputs_[0].queue.empty() && inputs_[1].queue.empty() &&
           !inputs_[0].busy && !inputs_[1].busy && outputs_[0].words.empty() &&
           outputs_[1].words.empty();
  }

  void Send(int engine, Arrival arrival) { inputs_[engine].queue.push_back(std::move(arrival)); }

  // Sends a request to engine 0 and returns what comes out of it (empty words if nothing does).
  Departure Ask(const Words& request, int port = 1, bool vl15 = true) {
    departures[0].clear();
    Send(0, {.words = request, .port = port, .vl15 = vl15});
    Drain();
    return departures[0].empty() ? Departure{} : departures[0].front();
  }

  void SetPortState(int port, int state) { port_state_[port] = state; }
  int PortState(int port) const { return port_state_[port]; }

  void Tick() {
    tick_ = true;
    Step();
  }

  void SetName(const std::string& name) {
    for (int i = 0; i < 4; ++i) dut_.name_i[i] = 0;
    for (size_t i = 0; i < name.size(); ++i) {
      dut_.name_i[3 - i / 4] |= static_cast<uint32_t>(name[i]) << (24 - 8 * (i % 4));
    }
  }

  auto& dut() { return dut_; }
  uint32_t HoqLifeBit(int bit) const {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(dut_.hoq_life_o)>>) {
      return dut_.hoq_life_o >> bit & 1;
    } else {
      return dut_.hoq_life_o[bit / 32] >> (bit % 32) & 1;
    }
  }
  uint8_t Lft(int bank, int lid) const { return lft_[bank][lid]; }
  uint32_t SlToVl(int bank, int in, int out, int half) const { return sl_[bank][in][out][half]; }
  static uint32_t Counter(int port, int index) { return 0xC0000000u + port * 256 + index; }

  std::array<std::vector<Departure>, 2> departures;
  // Words of VL arbitration tables that went to the ports; `address` as in vl_arbiter.
  struct ArbWrite {
    int port = 0;
    uint32_t address = 0;
    uint32_t data = 0;
  };
  std::vector<ArbWrite> arb_writes;
  // Feeder rows as osr_control would hold them, and its commands so far.
  std::array<std::array<std::array<uint32_t, 4>, 128>, 2> rows{};
  int starts = 0;
  int drains = 0;  // of Double Scheme: commands to drain, to switch over, to forget
  int switches = 0;
  int clears = 0;
  uint64_t cycle = 0;
  // Probability in 1/256 that a waiting packet is granted, or a queued one delivered, in a cycle.
  int grant_rate = 256;
  int deliver_rate = 256;
  // Leave out the clock edges of cycles in which the agent says it is idle.
  bool skip_idle = false;
  uint64_t skipped = 0;
  // No grants at all.
  bool blocked = false;
  std::mt19937 random{1};

 private:
  struct Input {
    std::deque<Arrival> queue;
    bool busy = false;  // words of the front are being delivered
    bool starting = false;
    size_t next = 0;
  };

  bool Chance(int rate) { return static_cast<int>(random() & 255) < rate; }

  void Drive() {
    uint64_t states = 0;
    for (int p = 1; p <= kPorts; ++p)
      states |= static_cast<uint64_t>(port_state_[p]) << (3 * p - 3);
    dut_.port_state_i = static_cast<std::remove_reference_t<decltype(dut_.port_state_i)>>(states);
    dut_.tick_i = tick_;
    tick_ = false;
    dut_.cnt_data_i = dut_.cnt_port_o == 0 ? 0 : Counter(dut_.cnt_port_o, dut_.cnt_index_o);
    dut_.row_data_i = rows[dut_.row_bank_o][dut_.row_o][dut_.row_word_o];
    dut_.in_valid_i = dut_.in_end_i = dut_.in_bad_i = 0;
    dut_.out_pop_i = 0;
    for (int e = 0; e < 2; ++e) {
      DriveInput(e);
      const bool started = !outputs_[e].words.empty();
      if ((dut_.out_req_o >> e & 1) != 0 && (started || (!blocked && Chance(grant_rate)))) {
        dut_.out_pop_i |= 1 << e;
      }
    }
  }

  void DriveInput(int e) {
    Input& in = inputs_[e];
    const bool ready = (dut_.in_ready_o >> e & 1) != 0;
    bool ends_now = false;
    if (in.starting) {
      in.busy = true;
      in.starting = false;
      in.next = 0;
    }
    if (in.busy) {
      const Arrival& arrival = in.queue.front();
      ends_now = in.next == arrival.words.size();
      dut_.in_valid_i |= 1 << e;
      dut_.in_end_i |= ends_now << e;
      dut_.in_bad_i |= (ends_now && arrival.bad) << e;
      dut_.in_data_i &= ~(0xFFFFFFFFull << (32 * e));
      dut_.in_data_i |= static_cast<uint64_t>(ends_now ? 0xDEADBEEF : arrival.words[in.next])
                        << (32 * e);
      dut_.in_port_i = (dut_.in_port_i & ~(0xF << (4 * e))) | arrival.port << (4 * e);
      dut_.in_vl15_i = (dut_.in_vl15_i & ~(1 << e)) | arrival.vl15 << e;
      ++in.next;
      if (ends_now) {
        in.queue.pop_front();
        in.busy = false;
      }
    }
    // The decision for the next packet: at the earliest with the end word of this one.
    if (!in.busy && ready && !in.queue.empty() && Chance(deliver_rate)) in.starting = true;
  }

  void Sample() {
    for (int e = 0; e < 2; ++e) {
      if ((dut_.out_pop_i >> e & 1) == 0) continue;
      Departure& out = outputs_[e];
      if ((dut_.out_req_o >> e & 1) == 0) ++protocol_errors;
      if (out.words.empty()) {
        out.first_cycle = cycle;
        out.port = dut_.out_port_o >> (4 * e) & 0xF;
        out.vl = dut_.out_vl_o >> (4 * e) & 0xF;
        out.length = dut_.out_len_o >> (8 * e) & 0xFF;
      }
      if ((dut_.out_end_o >> e & 1) != 0) {
        out.end_cycle = cycle;
        if (out.words.size() + 1 != out.length) ++protocol_errors;
        departures[e].push_back(std::exchange(out, {}));
      } else {
        out.words.push_back(static_cast<uint32_t>(dut_.out_data_o >> (32 * e)));
      }
    }
    WriteTables();
    if (dut_.tbl_arb_we_o) {
      arb_writes.push_back({.port = dut_.tbl_addr_o >> 5 & 15,
                            .address = (dut_.tbl_addr_o >> 4 & 32u) | (dut_.tbl_addr_o & 31u),
                            .data = dut_.tbl_data_o});
    }
    if (dut_.row_we_o) rows[dut_.row_bank_o][dut_.row_o][dut_.row_word_o] = dut_.row_data_o;
    starts += dut_.osr_start_o;
    drains += dut_.vl_drain_o;
    switches += dut_.vl_switch_o;
    clears += dut_.vl_clear_o;
    if (dut_.cnt_clear_o) cleared.emplace_back(dut_.cnt_port_o, dut_.cnt_mask_o);
    FollowCommands();
  }

  void WriteTables() {
    const int bank = dut_.tbl_bank_o;
    const uint32_t address = dut_.tbl_addr_o;
    if (dut_.tbl_lft_we_o) {
      for (uint32_t i = 0; i < 4; ++i) {
        lft_[bank].at(address * 4 + i) = static_cast<uint8_t>(dut_.tbl_data_o >> (24 - 8 * i));
      }
      ++table_writes;
    }
    if (dut_.tbl_sl_we_o) {
      sl_[bank].at(address >> 5).at(address >> 1 & 15)[address & 1] = dut_.tbl_data_o;
      ++table_writes;
    }
  }

  // The transitions of rtl/link/link_state.sv with the physical link up.
  void FollowCommands() {
    for (int p = 1; p <= kPorts; ++p) {
      if ((dut_.port_set_o >> (p - 1) & 1) == 0) continue;
      const int state = dut_.port_set_state_o;
      const int now = port_state_[p];
      const bool legal = state == 1 || (state == 3 && now == 2) || (state == 4 && now == 3);
      if (legal) port_state_[p] = state;
      commands.emplace_back(p, state);
    }
  }

  std::unique_ptr<VerilatedContext> context_;
  typename Kind::Dut dut_;
  std::array<Input, 2> inputs_;
  std::array<Departure, 2> outputs_;
  std::array<int, 16> port_state_{};
  std::array<std::vector<uint8_t>, 2> lft_;
  using SlRow = std::array<std::array<uint32_t, 2>, 16>;
  std::array<std::array<SlRow, 16>, 2> sl_{};
  bool tick_ = false;

 public:
  int protocol_errors = 0;
  int table_writes = 0;
  std::vector<std::pair<int, int>> commands;  // (port, state) in order
  std::vector<std::pair<int, int>> cleared;   // (port, mask): counters, in order
};

}  // namespace lanecut::mgmt_test
