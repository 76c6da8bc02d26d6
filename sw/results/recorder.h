// SPDX-License-Identifier: Apache-2.0
//
// Collects what happens in a run and writes the results folder: results.sqlite, summary.json,
// host.json and attached files.
//
// The fabric reports each packet's life in the order of simulated time: Generated, then Refused or
// Injected, then Delivered or Dropped. Rows are written as packets end, so memory holds the open
// ones only. Everything goes into "<folder>.partial-<pid>", which takes the folder's name in
// Finish(); a Recorder that is destroyed before that leaves nothing behind. Same calls, same bytes:
// no host time or path enters results.sqlite or summary.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/results/summary.h"
#include "sw/wire/drop_reason.h"
#include "sw/wire/packet.h"
#include "sw/wire/word.h"

namespace lanecut {

// The folder cannot be written, or holds something else than results. One line.
class ResultsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RecorderOptions {
  std::filesystem::path folder;  // empty: nothing is written, the summary is still computed
  std::string name;
  std::uint64_t seed = 0;
  std::uint64_t ns_per_cycle = 16;
  std::uint64_t links = 0;
  Cycle interval_cycles = 1'000;       // of the time series
  bool packets = true;                 // one row per packet
  bool end_to_end = false;             // the end nodes have the end-to-end protocol
  std::vector<std::string> switches;   // names
  std::vector<std::string> end_nodes;  // names; packets name end nodes by index into this
  std::vector<std::pair<std::string, std::string>> config;  // dotted key, value
};

struct PacketInfo {
  std::uint64_t id = 0;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint8_t sl = 0;
  std::uint32_t bytes = 0;  // LRH to VCRC
  std::uint32_t words = 0;  // on a link
  PacketKind kind = PacketKind::kData;
};

// Times of the machine the run was made on; they go into host.json and nowhere
// else.
struct HostTimes {
  double wall_seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t cycles = 0;
  std::uint64_t word_hops = 0;    // words that crossed a link, summed over links; 0: not counted
  std::uint64_t packet_hops = 0;  // the same for data packets
  std::uint64_t peak_memory_bytes = 0;
  std::vector<std::pair<Cycle, double>> computations = {};  // of tables: when, and seconds
};

class Recorder {
 public:
  // Throws ResultsError if the folder exists and is neither empty nor the result of an earlier run.
  explicit Recorder(RecorderOptions options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void Generated(const PacketInfo& packet, Cycle cycle);
  void Refused(std::uint64_t id, Cycle cycle, DropReason reason);  // at its source
  void Readdressed(std::uint64_t id, std::uint8_t sl);  // it waits for another path, with this SL
  void Injected(std::uint64_t id, Cycle cycle);  // header on the source's output pins in this cycle
  // The cycle after the last word's arrival; `token`: cycles of its time in the network in which
  // channel gates have held it.
  void Delivered(std::uint64_t id, Cycle cycle, bool discarded = false, Cycle token = 0);
  // Bytes of whatever packet that entered or left the network on this data VL.
  void InjectedOn(int vl, std::uint32_t bytes, Cycle cycle);
  void DeliveredOn(int vl, std::uint32_t bytes, Cycle cycle);
  // End-to-end protocol: a message was handed on to its application.
  void MessageDelivered();
  // A packet that is reported as delivered comes after a younger one of the same flow.
  void Reordered();
  void Dropped(std::uint64_t id, Cycle cycle, DropReason reason, std::string_view where);

  void BeginMeasurement(Cycle cycle);
  void EndMeasurement(Cycle cycle);

  void Event(Cycle cycle, std::string_view kind, std::string_view where, std::string_view detail);
  // An event that also appears in the summary's timeline.
  void Milestone(Cycle cycle, std::string_view kind, std::string_view where,
                 std::string_view detail);
  // port -1: of the node as a whole.
  void Counter(std::string_view node, int port, std::string_view name, std::uint64_t value);

  // Where other writers (waves, captures) may put files of their own; empty if nothing is written.
  std::filesystem::path PartialFolder() const;
  // A text file to lie in the folder, e.g. the effective scenario.
  void Attach(std::string_view file_name, std::string_view contents);

  std::uint64_t OpenPackets() const;  // generated and neither refused, delivered nor dropped

  // Ends the recording at `cycle` and puts the folder in place. `outcome` "ok" becomes "accounting"
  // if the packets do not add up.
  Summary Finish(Cycle cycle, std::string_view outcome, std::string_view message,
                 const HostTimes& host);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lanecut
