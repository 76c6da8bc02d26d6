// SPDX-License-Identifier: Apache-2.0
//
// What a person wants to know of the queues of a switch, made from its signals: which packet stands
// in front of each, and what it does or waits for.
//
// The packet in front is the one that leaves the queue, or else the oldest that waits there.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "tb/wave/traced_switch.h"

namespace lanecut {

// Of the packet in front of an input queue.
enum class InputState : std::uint8_t {
  kEmpty,
  kRouting,       // its output is being looked up
  kMoves,         // it crosses, or begins to in the next cycle
  kDropped,       // it leaves to be discarded
  kNoCredits,     // no room in the output queue, whose own head has no credits
  kOutputFull,    // no room in the output queue, which is being sent
  kOutputBusy,    // another packet crosses to that output queue
  kOtherFirst,    // another input was chosen
  kToken,         // OSR: for the token of its input or output
  kDraining,      // Double Scheme: to be looked up again, as VLs are being drained
  kNextFunction,  // to be looked up in the next routing function
  kPortLost,      // EBR: its port has gone down
  kAgentBusy,     // the management agent takes no packet
};
inline constexpr int kInputStates = 13;
std::string_view InputStateName(InputState state);

// Of the packet in front of an output queue.
enum class OutputState : std::uint8_t {
  kEmpty,
  kSending,
  kDropped,    // it goes nowhere: the port may not send, or its time is over
  kNoCredits,  // the neighbour has no room for it
  kLinkBusy,   // another VL, or a link packet, is sent before it
};
inline constexpr int kOutputStates = 5;
std::string_view OutputStateName(OutputState state);

// Of the packet in front; 0 where it is not known: there is none, the words that say so have not
// come yet, or, the id, it is no data packet.
struct FrontPacket {
  std::uint64_t id = 0;
  std::uint16_t slid = 0;
  std::uint16_t dlid = 0;
  int packets = 0;  // in the queue, this one included
};

struct InputView {
  InputState state = InputState::kEmpty;
  FrontPacket front;
  int wants = -1;  // output queue of a head; as many as there are: the agent; -1: not known
};

struct OutputView {
  OutputState state = OutputState::kEmpty;
  FrontPacket front;
  int holder = -1;  // input queue whose packet crosses or has been chosen; as many as there are:
                    // the agent; -1: none
  int free = 0;     // blocks
  int credits = 0;  // blocks
};

class SwitchView {
 public:
  explicit SwitchView(int queues);

  // To be called for every cycle in which the switch was not idle, from the first one on.
  void Follow(const SwitchSignals& signals);

  // Of the cycle that was followed last; by queue.
  const std::vector<InputView>& inputs() const { return inputs_; }
  const std::vector<OutputView>& outputs() const { return outputs_; }

 private:
  static constexpr std::size_t kIdWords = 7;  // the first words, with the packet's id
  struct Packet {
    std::array<std::uint32_t, kIdWords> words{};
    std::size_t count = 0;
  };
  struct Queue {
    std::deque<Packet> packets;
    bool dropping = false;  // the packet that leaves goes nowhere
  };

  static FrontPacket Front(const Queue& queue);
  static void Advance(const QueueSignals& now, Queue* queue);
  static InputState StateOfInput(const Queue& queue, const InputSignals& now,
                                 const SwitchSignals& all);
  static InputState WaitsFor(int output, const SwitchSignals& all);
  static OutputState StateOfOutput(const Queue& queue, const OutputSignals& now);

  std::vector<Queue> input_queues_;
  std::vector<Queue> output_queues_;
  std::vector<InputView> inputs_;
  std::vector<OutputView> outputs_;
};

}  // namespace lanecut
