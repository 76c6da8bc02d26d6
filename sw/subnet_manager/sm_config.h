// SPDX-License-Identifier: Apache-2.0
//
// What a subnet manager is told. All times are in cycles.
#pragma once

#include <string>

#include "sw/wire/word.h"

namespace lanecut {

// When a static reconfiguration writes the new tables.
enum class StaticLoad {
  // After the network has drained, into the active bank: only what differs from the tables in use.
  // The fewest packets; the
  // manager's own link is the bottleneck, so this is usually the quickest.
  kActiveBankAfterDrain,
  // While the network drains, into the inactive bank, which is committed once it has drained. The
  // inactive bank's contents
  // are not known the first time, so all of it is written.
  kInactiveBankDuringDrain,
};

struct SmConfig {
  int window = 16;              // SMPs outstanding at a time
  Cycle timeout = 8192;         // until the first retry; doubles at every further one
  int retries = 5;              // after the first attempt
  Cycle sweep_period = 312500;  // light sweep; 0 = none (5 ms at 1X SDR)
  std::string routing_engine = "updown";
  std::string root;           // NodeDescription of the root switch; empty = the engine's choice
  bool allow_cyclic = false;  // load tables whose channel dependency graph has a cycle
  int data_vls = 2;           // data VLs that every port must have
  bool transit_first = true;  // switches let packets in the network go before injected ones
  StaticLoad static_load = StaticLoad::kActiveBankAfterDrain;
  Cycle compute_time = 0;            // modelled time of a table computation during reconfiguration
  Cycle drain_timeout = 10'000'000;  // a network that has not drained by then has failed
  int max_restarts = 3;              // of a bring-up or reconfiguration, before it counts as failed
};

}  // namespace lanecut
