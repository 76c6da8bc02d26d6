// SPDX-License-Identifier: Apache-2.0
//
// Follows the messages of the end-to-end protocol: what was sent must be handed on once, in the
// order in which it was first sent. Knows them by the cycle in which they were generated, not by
// their PSN, so that a mistake in the PSN shows.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

#include "models/hca/hca_observer.h"

namespace lanecut {

class MessageLedger {
 public:
  // End nodes by number. A message generated in that cycle is sent for the first time.
  void Sent(int source, int destination, Cycle generated);
  // By an end node; `destination` is the one that its LID belongs to. Nothing, or what was expected
  // instead.
  std::optional<std::string> HandedOn(int by, int destination, const HcaMessage& message);

  std::uint64_t open() const { return open_; }

 private:
  struct Flow {
    std::uint64_t handed_on = 0;
    std::deque<Cycle> open;  // when they were generated
  };

  std::unordered_map<std::uint32_t, Flow> flows_;  // source << 16 | destination
  std::uint64_t open_ = 0;
};

}  // namespace lanecut
