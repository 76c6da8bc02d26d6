// SPDX-License-Identifier: Apache-2.0
//
// Reads the counters of every port of every switch that can be reached.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sw/mad/attributes.h"
#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/sm_observer.h"
#include "sw/subnet_manager/smp_batch.h"

namespace lanecut {

class CounterReader {
 public:
  using Done = std::function<void(const std::vector<PortReading>&)>;

  CounterReader(const FabricMap& map, SmpEngine& engine);

  // `done` is called once: with all readings, in the order in which the switches were found, then
  // by port. Those that are not answered are missing.
  void Run(Done done);
  // `done` gets what has been read so far.
  void Abandon();
  bool IsRunning() const { return batch_.IsRunning(); }

 private:
  void Ask(const PortRef& port);
  void Finish();

  const FabricMap& map_;
  SmpBatch batch_;
  Done done_;
  std::map<std::pair<int, int>, ib::VendorPortCounters> read_;  // by node of the map and port
};

}  // namespace lanecut
