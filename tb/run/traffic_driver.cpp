// SPDX-License-Identifier: Apache-2.0
#include "tb/run/traffic_driver.h"

namespace lanecut {

TrafficDriver::TrafficDriver(Fabric* fabric, const PathRecords* paths)
    : fabric_(fabric),
      paths_(paths),
      task_(fabric->clock().agenda().Add([this](Cycle now) { Offer(now); })) {}

void TrafficDriver::Start(std::unique_ptr<TrafficSource> source) {
  source_ = std::move(source);
  fabric_->clock().agenda().Arm(task_, source_->NextCycle());
}

void TrafficDriver::Stop() {
  source_.reset();
  fabric_->clock().agenda().Arm(task_, Agenda::kNever);
}

void TrafficDriver::Offer(Cycle now) {
  while (source_->NextCycle() <= now) {
    const TrafficEvent event = source_->Pop();
    const PathRecord& path = paths_->Find(event.source, event.destination);
    if (path.dlid == 0) continue;  // an end node that the manager has never seen
    fabric_->hca(event.source).Offer(path.dlid, event.payload_bytes, path.sl);
  }
  fabric_->clock().agenda().Arm(task_, source_->NextCycle());
}

}  // namespace lanecut
