// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/switch_view.h"

#include <algorithm>

#include "sw/wire/packet.h"

namespace lanecut {

std::string_view InputStateName(InputState state) {
  constexpr std::array<std::string_view, kInputStates> kNames = {
      "empty",         "routing",     "moves",       "dropped", "no credits",
      "output full",   "output busy", "other first", "token",   "draining",
      "next function", "port lost",   "agent busy"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view OutputStateName(OutputState state) {
  constexpr std::array<std::string_view, kOutputStates> kNames = {"empty", "sending", "dropped",
                                                                  "no credits", "link busy"};
  return kNames[static_cast<std::size_t>(state)];
}

SwitchView::SwitchView(int queues)
    : input_queues_(static_cast<std::size_t>(queues)),
      output_queues_(static_cast<std::size_t>(queues)),
      inputs_(static_cast<std::size_t>(queues)),
      outputs_(static_cast<std::size_t>(queues)) {}

void SwitchView::Follow(const SwitchSignals& signals) {
  const int agent = static_cast<int>(inputs_.size());
  for (std::size_t q = 0; q < inputs_.size(); ++q) {
    const InputSignals& in = signals.inputs[q];
    const InputState state = StateOfInput(input_queues_[q], in, signals);
    inputs_[q] = {state, Front(input_queues_[q]),
                  in.head && !in.pop && !in.hold ? std::min(in.out, agent) : -1};
    const OutputSignals& out = signals.outputs[q];
    const int holder = out.busy ? out.from : out.chosen ? out.next : -1;
    outputs_[q] = {StateOfOutput(output_queues_[q], out), Front(output_queues_[q]),
                   std::min(holder, agent), out.free, out.credits};
  }
  for (std::size_t q = 0; q < inputs_.size(); ++q) {
    Advance(signals.inputs[q], &input_queues_[q]);
    Advance(signals.outputs[q], &output_queues_[q]);
  }
}

FrontPacket SwitchView::Front(const Queue& queue) {
  FrontPacket front;
  front.packets = static_cast<int>(queue.packets.size());
  if (queue.packets.empty()) return front;
  const Packet& packet = queue.packets.front();
  if (packet.count < kLrhWords) return front;
  const Lrh lrh = Lrh::Decode(packet.words[0], packet.words[1]);
  front.slid = lrh.slid;
  front.dlid = lrh.dlid;
  if (packet.count == kIdWords && lrh.vl != kVl15 && !IsGmp(packet.words)) {
    front.id = PacketIdOf(packet.words);
  }
  return front;
}

void SwitchView::Advance(const QueueSignals& now, Queue* queue) {
  if (now.pop && now.end && !queue->packets.empty()) queue->packets.pop_front();
  if (now.take) queue->dropping = now.drop;
  if (!now.write) return;
  if (now.start) queue->packets.emplace_back();
  if (queue->packets.empty()) return;
  Packet& packet = queue->packets.back();
  if (packet.count < kIdWords) packet.words[packet.count++] = now.word;
}

InputState SwitchView::StateOfInput(const Queue& queue, const InputSignals& now,
                                    const SwitchSignals& all) {
  if (now.pop) return queue.dropping ? InputState::kDropped : InputState::kMoves;
  if (now.take) return now.drop ? InputState::kDropped : InputState::kMoves;
  if (!now.head) return queue.packets.empty() ? InputState::kEmpty : InputState::kRouting;
  if (now.hold) {
    if (now.lost) return InputState::kPortLost;
    if (all.scheme == SwitchScheme::kDouble) return InputState::kDraining;
    return now.lookup ? InputState::kNextFunction : InputState::kToken;
  }
  return WaitsFor(now.out, all);
}

InputState SwitchView::WaitsFor(int output, const SwitchSignals& all) {
  if (output >= static_cast<int>(all.outputs.size())) return InputState::kAgentBusy;
  const OutputSignals& out = all.outputs[static_cast<std::size_t>(output)];
  if (out.busy && !out.last) return InputState::kOutputBusy;
  if (out.grant) return InputState::kOtherFirst;
  return out.head && !out.ready && !out.pop ? InputState::kNoCredits : InputState::kOutputFull;
}

OutputState SwitchView::StateOfOutput(const Queue& queue, const OutputSignals& now) {
  if (now.drop) return OutputState::kDropped;
  if (now.pop) return queue.dropping ? OutputState::kDropped : OutputState::kSending;
  if (now.take) return OutputState::kSending;
  if (!now.head) return OutputState::kEmpty;
  return now.ready ? OutputState::kLinkBusy : OutputState::kNoCredits;
}

}  // namespace lanecut
