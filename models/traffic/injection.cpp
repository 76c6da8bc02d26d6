// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/injection.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "models/traffic/streams.h"
#include "sw/wire/packet.h"

namespace lanecut {
namespace {

constexpr double kRounding = 1e-9;

}  // namespace

Injection::Injection(const InjectionConfig& config, std::unique_ptr<const Pattern> pattern)
    : pattern_(std::move(pattern)),
      payload_bytes_(config.payload_bytes),
      sl_(config.sl),
      gap_(config.load * config.on_off.Peak() / DataWireWords(config.payload_bytes)) {
  if (!(config.load >= 0)) {
    throw std::invalid_argument("load " + std::to_string(config.load) + ": expected 0 or more");
  }
  if (!config.on_off.steady() && config.load * config.on_off.Peak() > 1 + kRounding) {
    throw std::invalid_argument("load " + std::to_string(config.load * config.on_off.Peak()) +
                                " while on: expected at most 1");
  }
  for (const int node : config.sources) {
    if (!pattern_->Sends(node)) continue;
    const auto stream = static_cast<std::uint64_t>(node);
    sources_.push_back({.node = node, .random = Random(config.seed, stream), .on_off = {}});
    if (!config.on_off.steady()) {
      sources_.back().on_off.emplace(config.on_off, Random(config.seed, kOnOffStreams + stream));
    }
  }
  // As if the last packet had started just before `start`; a first gap of one means `start` itself.
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Cycle gap = Gap(&sources_[i]);
    if (gap != kNever) heap_.push_back({config.start + gap - 1, i});
  }
  std::sort(heap_.begin(), heap_.end(), Earlier);
}

TrafficEvent Injection::Pop() {
  Due& due = heap_.front();
  Source& source = sources_[due.source];
  const TrafficEvent event{.cycle = due.cycle,
                           .source = source.node,
                           .destination = pattern_->Draw(source.node, &source.random),
                           .payload_bytes = payload_bytes_,
                           .sl = sl_};
  due.cycle += Gap(&source);
  SiftDown();
  return event;
}

Cycle Injection::Gap(Source* source) const {
  static_assert(kNever == GeometricGap::kNever);
  const Cycle gap = gap_.Draw(&source->random);
  return source->on_off && gap != kNever ? source->on_off->Stretch(gap) : gap;
}

bool Injection::Earlier(const Due& a, const Due& b) {
  return std::tie(a.cycle, a.source) < std::tie(b.cycle, b.source);
}

// The first entry has become later.
void Injection::SiftDown() {
  for (std::size_t parent = 0;;) {
    std::size_t child = 2 * parent + 1;
    if (child >= heap_.size()) return;
    if (child + 1 < heap_.size() && Earlier(heap_[child + 1], heap_[child])) ++child;
    if (!Earlier(heap_[child], heap_[parent])) return;
    std::swap(heap_[child], heap_[parent]);
    parent = child;
  }
}

}  // namespace lanecut
