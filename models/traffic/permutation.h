// SPDX-License-Identifier: Apache-2.0
//
// Permutation: each source has one destination, and no two the same.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/traffic/pattern.h"
#include "models/traffic/text_file.h"

namespace lanecut {

class Permutation : public Pattern {
 public:
  // By source; a source that is its own destination sends nothing.
  explicit Permutation(std::vector<int> destinations) : destinations_(std::move(destinations)) {}
  // One of all permutations that are a single cycle, so that no node is left to itself.
  static Permutation Drawn(int nodes, std::uint64_t seed);
  // A line `source destination` for each source; one without a line sends nothing. Throws
  // TrafficFileError.
  static Permutation Read(const std::filesystem::path& file, const NodeNames& nodes);

  bool Sends(int source) const override { return Draw(source, nullptr) != source; }
  int Draw(int source, Random*) const override {
    return destinations_[static_cast<std::size_t>(source)];
  }

 private:
  std::vector<int> destinations_;
};

}  // namespace lanecut
