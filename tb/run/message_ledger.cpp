// SPDX-License-Identifier: Apache-2.0
#include "tb/run/message_ledger.h"

#include <fmt/format.h>

namespace lanecut {
namespace {

std::uint32_t Key(int source, int destination) {
  return static_cast<std::uint32_t>(source) << 16 | static_cast<std::uint16_t>(destination);
}

}  // namespace

void MessageLedger::Sent(int source, int destination, Cycle generated) {
  flows_[Key(source, destination)].open.push_back(generated);
  ++open_;
}

std::optional<std::string> MessageLedger::HandedOn(int by, int destination,
                                                   const HcaMessage& message) {
  Flow& flow = flows_[Key(message.source, destination)];
  if (by != destination) return fmt::format("that at the node with LID {}", message.dlid);
  if (flow.open.empty()) return "none: all that were sent have been handed on";
  if (message.number != flow.handed_on || message.generated != flow.open.front()) {
    return fmt::format("message {}, generated in cycle {}", flow.handed_on, flow.open.front());
  }
  flow.open.pop_front();
  ++flow.handed_on;
  --open_;
  return std::nullopt;
}

}  // namespace lanecut
