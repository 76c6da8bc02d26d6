// SPDX-License-Identifier: Apache-2.0
//
// The command line: `lanecut run | sweep | serve | wave | topo | route | faults`. Parses,
// validates, explains itself; simulation is done by the functions that main() hands in, so this
// library needs neither SystemC nor RTL.
//
// Exit status: 0 it worked, 1 the run or the check failed (stall, accounting, cyclic routing), 2
// bad input.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sw/capture/link_file.h"
#include "sw/scenario/scenario.h"

namespace lanecut {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitBadInput = 2;

struct CaptureOptions {
  std::vector<int> cables;  // of the topology, each once
  CaptureWindow window;
};

struct RunOptions {
  Scenario scenario;          // read, overridden, validated; --seed applied
  std::filesystem::path out;  // results folder: --out, else out/<scenario name>
  bool json = false;          // print summary.json instead of the table
  bool progress = false;      // stderr is a terminal
  std::optional<CaptureOptions> capture = std::nullopt;
};

struct SweepRun {
  std::string name;  // of its results folder, in SweepOptions::out
  Scenario scenario;
};

struct ServeOptions {
  Scenario scenario;          // as in RunOptions
  std::filesystem::path out;  // results folder; empty: none
  bool traffic = false;       // the scenario's, once all end nodes have been Active
  bool progress = false;
};

// What waves are to be taken around: the first of its kind in a run.
struct WaveEvent {
  enum class Kind : std::uint8_t {
    kEpochDrop,    // EBR drops a packet
    kToken,        // a switch processes or sends a token (OSR)
    kCreditStall,  // the head of an output queue lacks credits for more than `value` cycles
    kPacket,       // the way of the data packet with id `value`
    kAssertion,    // an assertion of the RTL fails, or error_o rises
    kStall,        // the last movement before the stall detector
  };
  Kind kind = Kind::kStall;
  std::uint64_t value = 0;
  std::string text;  // as on the command line
};

struct WaveOptions {
  Scenario scenario;          // as in RunOptions
  std::vector<int> switches;  // nodes; none: where the event is
  std::optional<WaveEvent> around;
  Cycle first = 0;            // without an event
  Cycle last = 0;             // included
  std::filesystem::path out;  // OUT.fst and OUT.gtkw are written
  bool progress = false;
};

// Runs that one fabric serves, brought up once.
using SweepGroup = std::vector<SweepRun>;

struct SweepOptions {
  std::vector<SweepGroup> groups;
  std::filesystem::path out;
  unsigned jobs = 1;  // simulations at a time
};

// Each simulates and returns the exit status. May throw ScenarioError or ResultsError (status 2);
// anything else thrown is 1.
using RunFunction = std::function<int(const RunOptions&)>;
using SweepFunction = std::function<int(const SweepOptions&)>;
using ServeFunction = std::function<int(const ServeOptions&)>;
using WaveFunction = std::function<int(const WaveOptions&)>;

struct Simulators {
  RunFunction run;
  SweepFunction sweep;
  ServeFunction serve;
  WaveFunction wave;
};

// The whole program but for simulation. Results and help go to `out`, errors to `err`, one line
// each.
int RunCli(int argc, const char* const* argv, const Simulators& simulators, std::ostream& out,
           std::ostream& err);

// The same on standard output and error; `progress` is decided here.
int RunCli(int argc, const char* const* argv, const Simulators& simulators);

}  // namespace lanecut
