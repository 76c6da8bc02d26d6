// SPDX-License-Identifier: Apache-2.0
//
// Adapts a class `V` that was verilated for waves to `TracedSwitch`. Included only where such kinds
// are registered, as verilated_switch.h.
//
// It is left settled in a cycle, its inputs those of that cycle, so that waves show in each cycle
// what belongs together; the clock edge follows when the next cycle is known.
#pragma once

#include <verilated_fst_c.h>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>

#include "tb/switch/verilated_switch.h"
#include "tb/wave/traced_kinds.h"
#include "tb/wave/traced_switch.h"

namespace lanecut {

// A variable of wave_view.sv in the verilated class `root`.
#define LANECUT_VIEW(name) root.lanecut_switch__DOT__u_wave__DOT__##name

template <class V>
class VerilatedTracedSwitch final : public TracedSwitch {
 public:
  VerilatedTracedSwitch(const SwitchKind& kind, VerilatedContext* context, const std::string& name)
      : model_(kind, context, name) {
    const int queues = kind.ports * (kind.vls + 1);
    signals_.inputs.resize(static_cast<std::size_t>(queues));
    signals_.outputs.resize(static_cast<std::size_t>(queues));
    model_.pins.reset = true;
    for (int i = 0; i < kResetCycles; ++i) StepIdle();
    model_.pins.reset = false;
  }

  const SwitchKind& kind() const override { return model_.kind(); }
  void SetStraps(std::uint64_t guid, const std::string& name, bool four_lanes) override {
    model_.SetStraps(guid, name, four_lanes);
  }

  void Step(const SwitchPins& pins) override {
    model_.Clock();
    std::copy_n(pins.rx_data, kind().ports, model_.pins.rx_data);
    model_.pins.rx_ctrl = pins.rx_ctrl;
    model_.pins.phy_up = pins.phy_up;
    model_.pins.tick = pins.tick;
    model_.Settle();
  }

  void StepIdle() override {
    model_.Clock();
    model_.pins.rx_ctrl = 0;
    model_.pins.tick = false;
    model_.Settle();
  }

  bool HasOutputs(const SwitchPins& pins) const override {
    const SwitchPins& own = model_.pins;
    return own.tx_ctrl == pins.tx_ctrl &&
           std::equal(own.tx_data, own.tx_data + kind().ports, pins.tx_data) &&
           own.idle == pins.idle && own.error == pins.error && own.phy_enable == pins.phy_enable &&
           own.rx_drop == pins.rx_drop && own.in_drop == pins.in_drop &&
           own.out_drop == pins.out_drop;
  }

  const SwitchSignals& Look() override {
    const Root& root = *model_.root();
    signals_.scheme = static_cast<SwitchScheme>(LANECUT_VIEW(scheme));
    for (int q = 0; q < static_cast<int>(signals_.inputs.size()); ++q) {
      LookAtInput(root, q, &signals_.inputs[static_cast<std::size_t>(q)]);
      LookAtOutput(root, q, &signals_.outputs[static_cast<std::size_t>(q)]);
    }
    return signals_;
  }

  void AddTo(VerilatedFstC* file) override { model_.AddTo(file); }

 private:
  using Root = std::remove_pointer_t<decltype(std::declval<V>().rootp)>;

  class Model final : public VerilatedSwitch<V> {
   public:
    using VerilatedSwitch<V>::VerilatedSwitch;
    void Clock() {
      if (!settled_) return;
      this->top().clk_i = 1;
      this->top().eval();
      this->ReadOutputs();
    }
    void Settle() {
      this->top().clk_i = 0;
      this->ApplyInputs();
      this->top().eval();
      settled_ = true;
    }
    const Root* root() { return this->top().rootp; }
    void AddTo(VerilatedFstC* file) { this->top().trace(file, 0); }

   private:
    bool settled_ = false;
  };

  // `width` bits, a power of two of at most 32, at `index` times that many.
  template <class T>
  static std::uint32_t Field(const T& bits, int index, int width) {
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    if constexpr (std::is_integral_v<T>) {
      return static_cast<std::uint32_t>(std::uint64_t{bits} >> (index * width) & mask);
    } else {
      return static_cast<std::uint32_t>(bits[index * width / 32] >> (index * width % 32) & mask);
    }
  }
  template <class T>
  static bool Bit(const T& bits, int index) {
    return Field(bits, index, 1) != 0;
  }
  template <class T>
  static int Byte(const T& bits, int index) {
    return static_cast<int>(Field(bits, index, 8));
  }

  void LookAtInput(const Root& root, int q, InputSignals* input) const {
    input->write = Bit(LANECUT_VIEW(in_write), q);
    input->start = Bit(LANECUT_VIEW(in_start), q);
    input->word = Field(LANECUT_VIEW(in_word), q / (kind().vls + 1), 32);
    input->head = Bit(LANECUT_VIEW(in_head), q);
    input->take = Bit(LANECUT_VIEW(in_take), q);
    input->pop = Bit(LANECUT_VIEW(in_pop), q);
    input->end = Bit(LANECUT_VIEW(in_end), q);
    input->drop = Bit(LANECUT_VIEW(in_drop), q);
    input->request = Bit(LANECUT_VIEW(in_request), q);
    input->out = Byte(LANECUT_VIEW(in_out), q);
    input->hold = Bit(LANECUT_VIEW(in_hold), q);
    input->lookup = Bit(LANECUT_VIEW(in_lookup), q);
    input->lost = Bit(LANECUT_VIEW(in_lost), q);
  }

  void LookAtOutput(const Root& root, int q, OutputSignals* output) const {
    output->write = Bit(LANECUT_VIEW(out_write), q);
    output->start = Bit(LANECUT_VIEW(out_start), q);
    output->word = Field(LANECUT_VIEW(out_word), q, 32);
    output->head = Bit(LANECUT_VIEW(out_head), q);
    output->take = Bit(LANECUT_VIEW(out_take), q);
    output->pop = Bit(LANECUT_VIEW(out_pop), q);
    output->end = Bit(LANECUT_VIEW(out_end), q);
    output->drop = Bit(LANECUT_VIEW(out_drop), q);
    output->ready = Bit(LANECUT_VIEW(out_ready), q);
    output->free = Byte(LANECUT_VIEW(out_free), q);
    output->credits = static_cast<int>(Field(LANECUT_VIEW(out_credit), q, 16));
    output->busy = Bit(LANECUT_VIEW(out_busy), q);
    output->last = Bit(LANECUT_VIEW(out_last), q);
    output->from = Byte(LANECUT_VIEW(out_from), q);
    output->chosen = Bit(LANECUT_VIEW(out_chosen), q);
    output->next = Byte(LANECUT_VIEW(out_next), q);
    output->grant = Bit(LANECUT_VIEW(out_grant), q);
  }

  SwitchSignals signals_;
  Model model_;
};

#undef LANECUT_VIEW

template <class V>
TracedSwitchMaker TracedMakerOf() {
  return [](const SwitchKind& kind, const std::string& name) {
    return std::make_unique<VerilatedTracedSwitch<V>>(kind, SwitchContext(), name);
  };
}

}  // namespace lanecut
