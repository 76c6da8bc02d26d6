// SPDX-License-Identifier: Apache-2.0
//
// What a run says about itself in the end: the content of summary.json and of the terminal table.
//
// All latencies are cycles. `queue` runs from a packet's generation to the cycle in which its
// header is on the source's output pins, `network` from there to the cycle after its last word has
// reached the destination's input pins, less the cycles in which channel gates have held it, which
// are `token`; `total` is their sum. Latencies are those of packets
// generated in the measurement window, throughput is what was delivered in it; neither knows
// acknowledgements and discarded copies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut {

struct LatencyStatistics {
  std::uint64_t packets = 0;
  double mean = 0;
  Cycle p50 = 0;  // the smallest latency that at least half of the packets do not exceed
  Cycle p99 = 0;
  Cycle max = 0;
};

// Packets of the whole run, warm-up and drain included.
//   generated = sent + refused + waiting      sent = delivered + dropped + in_flight
struct Accounting {
  std::uint64_t generated = 0;
  std::uint64_t refused = 0;    // never entered the network, for the reasons in refused_by
  std::uint64_t waiting = 0;    // still in a source queue
  std::uint64_t sent = 0;       // entered the network
  std::uint64_t delivered = 0;  // arrived whole at their destination
  std::uint64_t dropped = 0;    // lost in the network, for the reasons in dropped_by
  std::uint64_t in_flight = 0;  // in the network at the end
  std::uint64_t unexpected =
      0;  // reports about packets that were not there: twice delivered, never sent
  std::uint64_t reordered = 0;  // of those delivered: after a younger one of the same flow
  std::map<std::string, std::uint64_t> refused_by;
  std::map<std::string, std::uint64_t> dropped_by;

  bool Balanced() const {
    return unexpected == 0 && generated == sent + refused + waiting &&
           sent == delivered + dropped + in_flight;
  }
};

// With the end-to-end protocol (node.reliable) packets are copies: the counts of `Accounting` hold
// retransmissions and acknowledgements too. What an application sees is this:
struct EndToEnd {
  std::uint64_t messages = 0;         // sent, once or more often
  std::uint64_t delivered = 0;        // handed on, once and in order
  std::uint64_t retransmissions = 0;  // copies sent
  std::uint64_t acks = 0;             // copies sent
  std::uint64_t discarded = 0;        // copies delivered: duplicates, or beyond the reorder buffer
};

struct TimelineEntry {
  Cycle cycle = 0;
  std::string kind;    // "fault", "detected", "computed", "halted", "drained", "loaded", "resumed",
                       // "started", "completed"
  std::string where;   // a node or a link, may be empty
  std::string detail;  // free text, may be empty
};

struct Summary {
  std::string name;
  std::uint64_t seed = 0;
  std::string
      outcome;  // "ok", or in a word what went wrong: "stall", "accounting", "mismatch", "timeout"
  std::string message;  // empty if ok
  std::uint64_t ns_per_cycle = 0;
  std::uint64_t switches = 0;
  std::uint64_t end_nodes = 0;
  std::uint64_t links = 0;
  Cycle cycles = 0;  // of the whole run
  Cycle measure_begin = 0;
  Cycle measure_end = 0;
  double offered_bytes_per_ns_switch = 0;
  double accepted_bytes_per_ns_switch = 0;
  double accepted_load = 0;  // words delivered per cycle and end node: compare with traffic.load
  LatencyStatistics queue;
  LatencyStatistics network;
  LatencyStatistics token;
  LatencyStatistics total;
  Accounting accounting;
  std::optional<EndToEnd> end_to_end;
  std::vector<TimelineEntry> timeline;

  bool ok() const { return outcome == "ok"; }
};

// summary.json: keys in a fixed order, a final newline.
std::string SummaryJson(const Summary& summary);

// For people, at most 100 columns.
std::string SummaryText(const Summary& summary);

}  // namespace lanecut
