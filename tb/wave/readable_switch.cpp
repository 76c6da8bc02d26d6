// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/readable_switch.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/wire/packet.h"

namespace lanecut {
namespace {

constexpr std::uint64_t kNone = 255;  // in place of a queue
constexpr int kQueueBits = 8;
constexpr int kStateBits = 4;

bool IsPlain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

int VlOf(int lane, int vls) { return lane == vls ? kVl15 : lane; }

// "1.VL0", and what is at the other end of the cable.
std::string QueueName(const Topology& topology, int node, int queue, int vls, const char* word) {
  const int port = queue / (vls + 1) + 1;
  const std::string name = fmt::format("{}.VL{}", port, VlOf(queue % (vls + 1), vls));
  const auto peer = topology.PeerOf(node, port);
  return peer ? fmt::format("{} {} {}", name, word, topology.node(peer->node).name) : name;
}

std::uint64_t QueueValue(int queue) {
  return queue < 0 ? kNone : static_cast<std::uint64_t>(queue);
}

}  // namespace

std::string ScopeName(const Topology& topology, int node) {
  std::string name = topology.node(node).name;
  if (std::ranges::all_of(name, IsPlain)) return name;
  std::ranges::replace_if(
      name, [](char c) { return !IsPlain(c); }, '_');
  return fmt::format("{}_{}", name, node);
}

std::array<std::string, 2> QueueScope(const char* direction, int port, int lane, int vls) {
  return {fmt::format("port{}", port), fmt::format("{}_vl{}", direction, VlOf(lane, vls))};
}

ReadableSwitch::ReadableSwitch(const Topology& topology, int node, int vls, const SwitchView* view,
                               const ValueNames* lids)
    : name_(ScopeName(topology, node)), vls_(vls), view_(view), lids_(lids) {
  const int queues = static_cast<int>(view->inputs().size());
  ports_ = queues / (vls + 1);
  for (int i = 0; i < kInputStates; ++i) {
    input_states_[static_cast<std::uint64_t>(i)] = InputStateName(static_cast<InputState>(i));
  }
  for (int i = 0; i < kOutputStates; ++i) {
    output_states_[static_cast<std::uint64_t>(i)] = OutputStateName(static_cast<OutputState>(i));
  }
  for (int q = 0; q < queues; ++q) {
    outputs_[static_cast<std::uint64_t>(q)] = QueueName(topology, node, q, vls, "to");
    inputs_[static_cast<std::uint64_t>(q)] = QueueName(topology, node, q, vls, "from");
  }
  for (ValueNames* names : {&outputs_, &inputs_}) {
    (*names)[static_cast<std::uint64_t>(queues)] = "agent";
    (*names)[kNone] = "-";
  }
}

std::vector<ReadableSignal> ReadableSwitch::Signals() const {
  std::vector<ReadableSignal> signals;
  const std::vector<Column> inputs = InputColumns();
  const std::vector<Column> outputs = OutputColumns();
  for (int q = 0; q < ports_ * (vls_ + 1); ++q) {
    const int port = q / (vls_ + 1) + 1;
    const int lane = q % (vls_ + 1);
    const auto queue = static_cast<std::size_t>(q);
    AddQueue(QueueScope("in", port, lane, vls_), queue, inputs, &signals);
    AddQueue(QueueScope("out", port, lane, vls_), queue, outputs, &signals);
  }
  return signals;
}

void ReadableSwitch::AddQueue(const std::array<std::string, 2>& scope, std::size_t queue,
                              const std::vector<Column>& columns,
                              std::vector<ReadableSignal>* to) const {
  for (const Column& column : columns) {
    to->push_back({{name_, scope[0], scope[1]},
                   column.name,
                   column.bits,
                   column.names,
                   [view = view_, queue, value = column.value] { return value(*view, queue); }});
  }
}

std::vector<ReadableSwitch::Column> ReadableSwitch::InputColumns() const {
  return {
      {"state", kStateBits, &input_states_,
       [](const SwitchView& view, std::size_t q) {
         return static_cast<std::uint64_t>(view.inputs()[q].state);
       }},
      {"packet", 64, nullptr,
       [](const SwitchView& view, std::size_t q) { return view.inputs()[q].front.id; }},
      {"source", 16, lids_,
       [](const SwitchView& view, std::size_t q) -> std::uint64_t {
         return view.inputs()[q].front.slid;
       }},
      {"destination", 16, lids_,
       [](const SwitchView& view, std::size_t q) -> std::uint64_t {
         return view.inputs()[q].front.dlid;
       }},
      {"wants", kQueueBits, &outputs_,
       [](const SwitchView& view, std::size_t q) { return QueueValue(view.inputs()[q].wants); }},
      {"packets", 8, nullptr,
       [](const SwitchView& view, std::size_t q) {
         return static_cast<std::uint64_t>(view.inputs()[q].front.packets);
       }},
  };
}

std::vector<ReadableSwitch::Column> ReadableSwitch::OutputColumns() const {
  return {
      {"holder", kQueueBits, &inputs_,
       [](const SwitchView& view, std::size_t q) { return QueueValue(view.outputs()[q].holder); }},
      {"state", kStateBits, &output_states_,
       [](const SwitchView& view, std::size_t q) {
         return static_cast<std::uint64_t>(view.outputs()[q].state);
       }},
      {"packet", 64, nullptr,
       [](const SwitchView& view, std::size_t q) { return view.outputs()[q].front.id; }},
      {"source", 16, lids_,
       [](const SwitchView& view, std::size_t q) -> std::uint64_t {
         return view.outputs()[q].front.slid;
       }},
      {"destination", 16, lids_,
       [](const SwitchView& view, std::size_t q) -> std::uint64_t {
         return view.outputs()[q].front.dlid;
       }},
      {"packets", 8, nullptr,
       [](const SwitchView& view, std::size_t q) {
         return static_cast<std::uint64_t>(view.outputs()[q].front.packets);
       }},
      {"free", 8, nullptr,
       [](const SwitchView& view, std::size_t q) {
         return static_cast<std::uint64_t>(view.outputs()[q].free);
       }},
      {"credits", 12, nullptr,
       [](const SwitchView& view, std::size_t q) {
         return static_cast<std::uint64_t>(view.outputs()[q].credits);
       }},
  };
}

}  // namespace lanecut
