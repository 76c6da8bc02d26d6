// SPDX-License-Identifier: Apache-2.0
//
// Adapts a verilated class `V` (Vlanecut_p<ports>v<vls>) to `SwitchModel`. Included only where
// kinds are registered: everybody else stays independent of the generated headers.
//
// One clock edge takes two evaluations: the falling edge brings the clock down, the rising edge
// comes together with the new inputs. Verilator settles logic that hangs on inputs before it runs
// what the clock triggers, so the flops sample it settled.
#pragma once

#include <verilated.h>

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

#include "sw/wire/function_number.h"
#include "tb/switch/registry.h"
#include "tb/switch/switch_model.h"

namespace lanecut {

template <class V>
class VerilatedSwitch : public SwitchModel {
 public:
  VerilatedSwitch(const SwitchKind& kind, VerilatedContext* context, const std::string& name)
      : kind_(kind), top_(context, name.c_str()) {
    pins.rx_data = &top_.rx_data_i[0];
    pins.tx_data = &top_.tx_data_o[0];
    top_.clk_i = 0;
  }
  ~VerilatedSwitch() override { top_.final(); }

  const SwitchKind& kind() const override { return kind_; }

  void SetStraps(std::uint64_t guid, const std::string& name, bool four_lanes) override {
    top_.guid_i = guid;
    top_.four_lanes_i = four_lanes;
    for (int i = 0; i < 16; ++i) {
      const std::uint32_t byte =
          i < static_cast<int>(name.size()) ? static_cast<unsigned char>(name[i]) : 0;
      std::uint32_t& word =
          top_.name_i[3 - i / 4];  // the first character is the most significant byte
      const int shift = 24 - 8 * (i % 4);
      word = (word & ~(0xFFu << shift)) | (byte << shift);
    }
  }

  void ClockEdge() override {
    top_.clk_i = 0;
    top_.eval();
    ApplyInputs();
    top_.clk_i = 1;
    top_.eval();
    ReadOutputs();
  }

  int RxDropReason(int index) const override { return Nibble(top_.trace_rx_reason_o, index); }
  int InDropReason(int index) const override { return Nibble(top_.trace_in_reason_o, index); }

  EpochNumbers InDropNumbers(int index) const override {
    const auto number = [](int value) { return FunctionNumber(static_cast<std::uint8_t>(value)); };
    return {number(Nibble(top_.trace_in_number_o, index)),
            number(Nibble(top_.trace_in_routed_o, index)), number(top_.trace_in_epoch_o)};
  }

  SwitchState State() const override {
    SwitchState state;
    state.epoch = levels_.epoch;
    state.change = levels_.change;
    for (int c = 0; c < kind_.ports * kind_.vls; ++c) {
      state.done[static_cast<std::size_t>(c)] = Bit(levels_.done, c);
      state.sent[static_cast<std::size_t>(c)] = Bit(levels_.sent, c);
    }
    state.draining = levels_.vls.draining;
    state.vl_idle = levels_.vls.idle;
    state.restricted = levels_.vls.restricted;
    for (int p = 0; p < kind_.ports; ++p) {
      state.open[static_cast<std::size_t>(p)] = Bit(levels_.vls.open, p);
    }
    return state;
  }

 protected:
  // Those that are not in the instance already.
  void ApplyInputs() {
    top_.rx_ctrl_i = static_cast<std::remove_reference_t<decltype(top_.rx_ctrl_i)>>(pins.rx_ctrl);
    top_.phy_up_i = static_cast<std::remove_reference_t<decltype(top_.phy_up_i)>>(pins.phy_up);
    top_.tick_i = pins.tick;
    top_.rst_i = pins.reset;
  }

  void ReadOutputs() {
    pins.tx_ctrl = top_.tx_ctrl_o;
    pins.idle = top_.idle_o;
    pins.error = top_.error_o;
    pins.phy_enable = top_.phy_enable_o;
    pins.rx_drop = top_.trace_rx_drop_o;
    pins.in_drop = top_.trace_in_drop_o;
    pins.out_drop = top_.trace_out_drop_o;
    if (pins.out_drop != 0) {
      pins.out_expired = top_.trace_out_expired_o;
      pins.out_old = top_.trace_out_old_o;
    }
    if (kind_.schemes) {
      FollowState();
      pins.accepted = top_.trace_accept_o;
      pins.taken = top_.trace_take_o;
      pins.held = top_.trace_held_o;
    }
    pins.traced = (pins.rx_drop | pins.in_drop | pins.out_drop) != 0;
  }

  V& top() { return top_; }

 private:
  using Channels = std::remove_reference_t<decltype(std::declval<V>().trace_done_o)>;

  // As the trace port shows them.
  struct Vls {
    bool draining = false;
    bool idle = false;
    bool restricted = false;
    std::uint32_t open = 0;
    friend bool operator==(const Vls&, const Vls&) = default;
  };
  struct Levels {
    std::uint8_t epoch = 0;
    bool change = false;
    Channels done{};
    Channels sent{};
    Vls vls;
  };

  Vls ReadVls() const {
    return {top_.trace_draining_o != 0, top_.trace_vl_idle_o != 0, top_.trace_restricted_o != 0,
            top_.trace_open_o};
  }

  void FollowState() {
    const bool same = levels_.epoch == top_.trace_epoch_o &&
                      levels_.change == (top_.trace_change_o != 0) &&
                      levels_.done == top_.trace_done_o && levels_.sent == top_.trace_sent_o &&
                      levels_.vls == ReadVls();
    pins.moved = !same;
    if (same) return;
    levels_ = {top_.trace_epoch_o, top_.trace_change_o != 0, top_.trace_done_o, top_.trace_sent_o,
               ReadVls()};
  }

  template <class T>
  static bool Bit(const T& bits, int index) {
    if constexpr (std::is_integral_v<T>) {
      return (bits >> index & 1) != 0;
    } else {
      return (bits[index / 32] >> (index % 32) & 1) != 0;
    }
  }

  template <class T>
  static int Nibble(const T& bits, int index) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<int>((bits >> (4 * index)) & 0xF);
    } else {
      return static_cast<int>((bits[index / 8] >> (4 * (index % 8))) & 0xF);
    }
  }

  SwitchKind kind_;
  V top_;
  Levels levels_;
};

// For AddSwitchKind().
template <class V>
SwitchMaker MakerOf() {
  return [](const SwitchKind& kind, const std::string& name) {
    return std::make_unique<VerilatedSwitch<V>>(kind, SwitchContext(), name);
  };
}

}  // namespace lanecut
