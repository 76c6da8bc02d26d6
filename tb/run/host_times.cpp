// SPDX-License-Identifier: Apache-2.0
#include "tb/run/host_times.h"

#include <sys/resource.h>

#include <ctime>

namespace lanecut {

HostTimes MeasureHost(const Scenario& scenario, Fabric* fabric,
                      std::chrono::steady_clock::time_point start) {
  HostTimes host;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  host.wall_seconds = wall.count();
  host.cpu_seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  host.cycles = fabric->clock().now();
  host.packet_hops = fabric->traffic().data_packet_starts;
  host.word_hops = host.packet_hops * PacketWords(scenario.traffic);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  host.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return host;
}

}  // namespace lanecut
