// SPDX-License-Identifier: Apache-2.0
#include "tb/switch/switch_module.h"

#include <bit>

#include "sw/wire/packet.h"

namespace lanecut {

SwitchModule::SwitchModule(const sc_core::sc_module_name& name, FabricClock* clock, int node,
                           std::unique_ptr<SwitchModel> model, bool skip_idle)
    : sc_module(name),
      clock_(clock),
      awake_(clock),
      activity_(clock->Activity(node)),
      model_(std::move(model)),
      ports_(model_->kind().ports),
      node_(node),
      skip_idle_(skip_idle) {
  Reset();
  SC_HAS_PROCESS(SwitchModule);
  SC_METHOD(Edge);
  sensitive << clock->edge();
  dont_initialize();
}

void SwitchModule::Reset() {
  model_->pins.reset = true;
  for (int i = 0; i < kResetCycles; ++i) model_->ClockEdge();
  model_->pins.reset = false;
  enabled_ = model_->pins.phy_enable;
}

void SwitchModule::Connect(int port, Lane* in, Lane* out) {
  ports_[port - 1].in = in;
  ports_[port - 1].out = out;
  in->SetActivityCounter(clock_->Activity(node_));
}

void SwitchModule::FollowHeads() {
  heads_.emplace(model_->kind().ports, model_->kind().vls, [this](std::uint64_t id, Cycle cycles) {
    if (observer_ != nullptr) observer_->OnHeld(node_, id, cycles);
  });
}

void SwitchModule::SetPhyUp(int port, bool up) {
  const std::uint32_t bit = 1u << (port - 1);
  model_->pins.phy_up = up ? model_->pins.phy_up | bit : model_->pins.phy_up & ~bit;
  awake_.Set(true);
}

void SwitchModule::Edge() {
  const bool tick = clock_->tick();
  if (!awake_ && *activity_ == 0 && !tick) return;
  const Cycle now = clock_->now();
  SwitchPins& pins = model_->pins;
  pins.tick = tick;
  if (heads_) ReportHeads(now);
  Receive(now);
  if (edges_ != nullptr) edges_->OnEdge(node_, *model_, now);
  if (pins.traced) ReportTrace(now);
  model_->ClockEdge();
  ++evaluations_;
  if (pins.moved && observer_ != nullptr) observer_->OnSwitchState(node_, model_->State(), now + 1);
  if (pins.phy_enable != enabled_) FollowEnables();
  Send(now + 1);
  awake_.Set(!skip_idle_ || !pins.idle || pins.traced);
}

void SwitchModule::FollowEnables() {
  const std::uint32_t now = model_->pins.phy_enable;
  for (std::uint32_t left = now ^ enabled_; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    if (enable_handler_) enable_handler_(node_, i + 1, (now >> i & 1) != 0);
  }
  enabled_ = now;
}

void SwitchModule::Receive(Cycle t) {
  std::uint64_t ctrl = 0;
  if (*activity_ != 0) {
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      if (ports_[i].in == nullptr) continue;
      const Word word = ports_[i].in->Get(t);
      if (word.ctrl == Ctrl::kIdle) continue;
      model_->pins.rx_data[i] = word.data;
      ctrl |= std::uint64_t{static_cast<std::uint8_t>(word.ctrl)} << (3 * i);
      if (heads_) heads_->OnWord(static_cast<int>(i), t, word);
      PacketTap& tap = ports_[i].arriving;
      if (tap.OnWord(t, word) && observer_ != nullptr)
        observer_->OnManagementIn(node_, tap.words(), t + 1);
    }
  }
  model_->pins.rx_ctrl = ctrl;
}

void SwitchModule::Send(Cycle t) {
  const SwitchPins& pins = model_->pins;
  std::uint64_t left = pins.tx_ctrl;
  while (left != 0) {
    const int i = std::countr_zero(left) / 3;
    const auto ctrl = static_cast<Ctrl>((left >> (3 * i)) & 7);
    left &= ~(std::uint64_t{7} << (3 * i));
    const Word word{pins.tx_data[i], ctrl};
    if (ctrl == Ctrl::kStartData) {
      ++packet_starts_;
      data_packet_starts_ += (word.data >> 28) != kVl15;
    }
    if (ports_[i].out != nullptr) ports_[i].out->Put(t, word);
    PacketTap& tap = ports_[i].leaving;
    if (tap.OnWord(t, word) && observer_ != nullptr)
      observer_->OnManagementOut(node_, tap.words(), tap.start());
  }
  if (pins.error && !error_seen_) {
    error_seen_ = true;
    if (observer_ != nullptr) observer_->OnSwitchError(node_, t);
  }
}

void SwitchModule::ReportHeads(Cycle t) {
  const SwitchPins& pins = model_->pins;
  for (std::uint32_t left = pins.accepted; left != 0; left &= left - 1) {
    heads_->OnAccepted(std::countr_zero(left), t);
  }
  for (std::uint64_t left = pins.held; left != 0; left &= left - 1) {
    heads_->OnHeld(std::countr_zero(left));
  }
  for (std::uint64_t left = pins.taken; left != 0; left &= left - 1) {
    heads_->OnTaken(std::countr_zero(left));
  }
}

void SwitchModule::ReportTrace(Cycle t) {
  if (observer_ == nullptr) return;
  const SwitchPins& pins = model_->pins;
  const int lanes = model_->kind().vls + 1;
  for (std::uint64_t left = pins.rx_drop; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    observer_->OnRxDrop(node_, i + 1, static_cast<DropReason>(model_->RxDropReason(i)), t);
  }
  for (std::uint64_t left = pins.in_drop; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    const auto reason = static_cast<DropReason>(model_->InDropReason(i));
    std::optional<EpochNumbers> numbers;
    if (reason == DropReason::kEpoch) numbers = model_->InDropNumbers(i);
    observer_->OnInputDrop(node_, i / lanes + 1, i % lanes, reason, t, numbers);
  }
  for (std::uint64_t left = pins.out_drop; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    const bool expired = (pins.out_expired >> i & 1) != 0;
    const bool old = (pins.out_old >> i & 1) != 0;
    observer_->OnOutputDrop(node_, i / lanes + 1, i % lanes,
                            old       ? DropReason::kLifeTime
                            : expired ? DropReason::kHoqLife
                                      : DropReason::kPortInactive,
                            t);
  }
}

}  // namespace lanecut
