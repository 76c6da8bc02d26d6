// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/permutation.h"

#include <numeric>
#include <string>

#include "models/traffic/streams.h"

namespace lanecut {

// Sattolo's shuffle.
Permutation Permutation::Drawn(int nodes, std::uint64_t seed) {
  std::vector<int> destinations(static_cast<std::size_t>(nodes));
  std::iota(destinations.begin(), destinations.end(), 0);
  Random random(seed, kPermutationStream);
  for (std::size_t i = destinations.size(); i-- > 1;) {
    std::swap(destinations[i], destinations[random.Below(static_cast<std::uint32_t>(i))]);
  }
  return Permutation(std::move(destinations));
}

Permutation Permutation::Read(const std::filesystem::path& file, const NodeNames& nodes) {
  std::vector<int> destinations(static_cast<std::size_t>(nodes.size()));
  std::iota(destinations.begin(), destinations.end(), 0);
  std::vector<int> line_of_source(destinations.size());
  std::vector<int> line_of_destination(destinations.size());
  TextFile text(file);
  while (text.Next("source and destination", 2)) {
    const int source = text.Node(0, nodes);
    const int destination = text.Node(1, nodes);
    const auto once = [&text](int& line, std::size_t field, const char* what) {
      if (line != 0) {
        throw text.Error(
            std::string(text.field(field)) + " is a " + what + " again",
            std::string("each ") + what + " once; it is one in line " + std::to_string(line));
      }
      line = text.line();
    };
    once(line_of_source[static_cast<std::size_t>(source)], 0, "source");
    once(line_of_destination[static_cast<std::size_t>(destination)], 1, "destination");
    destinations[static_cast<std::size_t>(source)] = destination;
  }
  return Permutation(std::move(destinations));
}

}  // namespace lanecut
