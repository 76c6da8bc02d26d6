// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/uniform.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace lanecut {
namespace {

std::unique_ptr<const Pattern> PatternOf(const UniformTrafficConfig& config) {
  auto pattern = std::make_unique<UniformPattern>(config.destinations);
  for (const int node : config.sources) {
    if (pattern->Sends(node)) continue;
    throw std::invalid_argument("source " + std::to_string(node) +
                                " has no destination but itself");
  }
  return pattern;
}

}  // namespace

UniformPattern::UniformPattern(std::vector<int> destinations)
    : destinations_(std::move(destinations)) {
  for (std::size_t i = 0; i < destinations_.size(); ++i) {
    const auto node = static_cast<std::size_t>(destinations_[i]);
    if (node >= index_.size()) index_.resize(node + 1, destinations_.size());
    index_[node] = i;
  }
}

std::size_t UniformPattern::IndexOf(int node) const {
  const auto at = static_cast<std::size_t>(node);
  return at < index_.size() ? index_[at] : destinations_.size();
}

bool UniformPattern::Sends(int source) const {
  return destinations_.size() > (IndexOf(source) < destinations_.size() ? 1U : 0U);
}

int UniformPattern::Draw(int source, Random* random) const {
  const std::size_t self = IndexOf(source);
  const bool among = self < destinations_.size();
  std::size_t index =
      random->Below(static_cast<std::uint32_t>(destinations_.size() - (among ? 1 : 0)));
  if (among && index >= self) ++index;
  return destinations_[index];
}

UniformTraffic::UniformTraffic(const UniformTrafficConfig& config)
    : Injection({.sources = config.sources,
                 .load = config.load,
                 .payload_bytes = config.payload_bytes,
                 .sl = config.sl,
                 .seed = config.seed,
                 .start = config.start},
                PatternOf(config)) {}

}  // namespace lanecut
