// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/counter_reader.h"

namespace lanecut {

CounterReader::CounterReader(const FabricMap& map, SmpEngine& engine) : map_(map), batch_(engine) {}

void CounterReader::Run(Done done) {
  read_.clear();
  done_ = std::move(done);
  const auto submit = [this] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const MapNode& node = map_.nodes()[i];
      if (!node.IsSwitch() || !node.IsReachable()) continue;
      for (int port = 1; port <= node.NumPorts(); ++port) Ask({static_cast<int>(i), port});
    }
  };
  batch_.Run(submit, [this] { Finish(); });
}

void CounterReader::Abandon() {
  if (!batch_.IsRunning()) return;
  batch_.Abandon();
  Finish();
}

void CounterReader::Ask(const PortRef& port) {
  SmpRequest request = GetRequest({port.node}, ib::MadAttribute::kVendorPortCounters,
                                  static_cast<std::uint32_t>(port.port));
  request.backoff = false;  // the network is at rest: an answer that is late has been lost
  batch_.Add(std::move(request), [this, port](const SmpReply& reply) {
    if (reply.outcome != SmpOutcome::kAnswered) return;
    read_[{port.node, port.port}] = ib::VendorPortCounters::Decode(reply.mad);
  });
}

void CounterReader::Finish() {
  std::vector<PortReading> readings;
  for (const auto& [at, counters] : read_) {
    readings.push_back({map_.node(at.first).name, at.second, counters});
  }
  done_(readings);
}

}  // namespace lanecut
