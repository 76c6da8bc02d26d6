// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/uniform.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "sw/wire/packet.h"

namespace lanecut {

UniformTraffic::UniformTraffic(const UniformTrafficConfig& config)
    : destinations_(config.destinations),
      payload_bytes_(config.payload_bytes),
      sl_(config.sl),
      gap_(config.load / DataWireWords(config.payload_bytes)) {
  if (!(config.load >= 0)) {
    throw std::invalid_argument("load " + std::to_string(config.load) + ": expected 0 or more");
  }
  for (const int node : config.sources) {
    const auto self = std::find(destinations_.begin(), destinations_.end(), node);
    const std::size_t others = destinations_.size() - (self != destinations_.end() ? 1 : 0);
    if (others == 0) {
      throw std::invalid_argument("source " + std::to_string(node) +
                                  " has no destination but itself");
    }
    sources_.push_back({.node = node,
                        .self = static_cast<std::size_t>(self - destinations_.begin()),
                        .random = Random(config.seed, static_cast<std::uint64_t>(node))});
  }
  // As if the last packet had started just before `start`; a first gap of one means `start` itself.
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const std::uint64_t gap = gap_.Draw(&sources_[i].random);
    if (gap != GeometricGap::kNever) heap_.push_back({config.start + gap - 1, i});
  }
  std::sort(heap_.begin(), heap_.end(), Earlier);
}

TrafficEvent UniformTraffic::Pop() {
  Due& due = heap_.front();
  Source& source = sources_[due.source];
  const TrafficEvent event{.cycle = due.cycle,
                           .source = source.node,
                           .destination = Destination(&source),
                           .payload_bytes = payload_bytes_,
                           .sl = sl_};
  due.cycle += gap_.Draw(&source.random);
  SiftDown();
  return event;
}

bool UniformTraffic::Earlier(const Due& a, const Due& b) {
  return std::tie(a.cycle, a.source) < std::tie(b.cycle, b.source);
}

// The first entry has become later.
void UniformTraffic::SiftDown() {
  for (std::size_t parent = 0;;) {
    std::size_t child = 2 * parent + 1;
    if (child >= heap_.size()) return;
    if (child + 1 < heap_.size() && Earlier(heap_[child + 1], heap_[child])) ++child;
    if (!Earlier(heap_[child], heap_[parent])) return;
    std::swap(heap_[child], heap_[parent]);
    parent = child;
  }
}

int UniformTraffic::Destination(Source* source) const {
  const bool among = source->self < destinations_.size();
  std::size_t index =
      source->random.Below(static_cast<std::uint32_t>(destinations_.size() - (among ? 1 : 0)));
  if (among && index >= source->self) ++index;
  return destinations_[index];
}

}  // namespace lanecut
