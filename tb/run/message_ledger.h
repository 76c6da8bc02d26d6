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
  // For the first time.
  void Sent(int source, const HcaPacket& packet);
  // Nothing, or what was expected instead.
  std::optional<std::string> HandedOn(bool right_place, const HcaMessage& message);

  std::uint64_t open() const { return open_; }

 private:
  struct Flow {
    std::uint64_t handed_on = 0;
    std::deque<Cycle> open;  // when they were generated
  };

  std::unordered_map<std::uint32_t, Flow> flows_;  // source << 16 | dlid
  std::uint64_t open_ = 0;
};

}  // namespace lanecut
