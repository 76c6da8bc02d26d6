// SPDX-License-Identifier: Apache-2.0
//
// The performance management agent of an end node (IBA 16.1): what its port has sent and received.
//
// Attributes: ClassPortInfo, PortCounters and PortCountersExtended, Get, and a Set of the counters,
// which clears those that it selects. Errors: UnsupportedAttribute, or InvalidField for another
// port than 1. Data count in words, from LRH to ICRC; packets of all VLs count, link packets do
// not.
#pragma once

#include <cstdint>

#include "sw/mad/mad.h"

namespace lanecut {

class Pma {
 public:
  // A packet of so many words with its VCRC has left, or has come undamaged.
  void OnSent(std::size_t wire_words) {
    ++packets_sent_;
    words_sent_ += wire_words - 1;
  }
  void OnReceived(std::size_t wire_words) {
    ++packets_received_;
    words_received_ += wire_words - 1;
  }
  void OnReceiveError() { ++receive_errors_; }
  void OnLinkDowned() { ++links_downed_; }
  void OnVl15Dropped() { ++vl15_dropped_; }

  // Turns a Get or a Set into its response.
  void Answer(ib::Mad* mad);

 private:
  ib::MadStatus Serve(ib::Mad* mad);
  void Clear(std::uint32_t selected);

  std::uint64_t packets_sent_ = 0;
  std::uint64_t packets_received_ = 0;
  std::uint64_t words_sent_ = 0;
  std::uint64_t words_received_ = 0;
  std::uint64_t receive_errors_ = 0;
  std::uint64_t links_downed_ = 0;
  std::uint64_t vl15_dropped_ = 0;
};

}  // namespace lanecut
