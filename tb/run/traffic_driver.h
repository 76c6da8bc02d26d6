// SPDX-License-Identifier: Apache-2.0
//
// Offers the packets of a traffic source to the end nodes, addressed by the path records of the
// moment.
#pragma once

#include <memory>

#include "models/traffic/traffic.h"
#include "tb/fabric/fabric.h"
#include "tb/run/path_records.h"

namespace lanecut {

class TrafficDriver {
 public:
  // Pointers are kept. Sources and destinations are places among the end nodes.
  TrafficDriver(Fabric* fabric, const PathRecords* paths);

  void Start(std::unique_ptr<TrafficSource> source);
  void Stop();

 private:
  void Offer(Cycle now);

  Fabric* fabric_;
  const PathRecords* paths_;
  std::unique_ptr<TrafficSource> source_;
  int task_;
};

}  // namespace lanecut
