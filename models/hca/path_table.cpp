// SPDX-License-Identifier: Apache-2.0
#include "models/hca/path_table.h"

#include <algorithm>
#include <utility>

namespace lanecut {

std::optional<PathTable::Path> PathTable::Destination::Used() const {
  if (paths.empty()) return std::nullopt;
  return paths[used];
}

PathTable::Destination& PathTable::Find(std::uint16_t lid) {
  lowest_lids_.try_emplace(lid, lid);
  return destinations_[lid];
}

void PathTable::Note(std::uint16_t lid, const std::optional<Path>& from,
                     const std::optional<Path>& to) {
  if (from != to) changes_.push_back({lid, from, to});
}

void PathTable::Load(std::uint16_t lid, std::vector<Path> paths) {
  const bool was_known = destinations_.contains(lid);
  Destination& destination = Find(lid);
  const std::optional<Path> before = destination.Used();
  destination = {std::move(paths), 0};
  for (const Path& path : destination.paths) lowest_lids_[path.dlid] = lid;
  if (was_known) Note(lid, before, destination.Used());
}

void PathTable::Use(std::uint16_t lid, std::optional<Path> path) {
  const bool was_known = destinations_.contains(lid);
  Destination& destination = Find(lid);
  const std::optional<Path> before = was_known ? destination.Used() : Path{lid, 0};
  if (!path) {
    destination = {};
  } else {
    const auto known = std::ranges::find(destination.paths, *path);
    destination.used = static_cast<std::size_t>(known - destination.paths.begin());
    if (known == destination.paths.end()) destination.paths.push_back(*path);
    lowest_lids_[path->dlid] = lid;
  }
  Note(lid, before, destination.Used());
}

bool PathTable::Migrate(std::uint16_t lid) {
  const auto found = destinations_.find(lid);
  if (found == destinations_.end() || found->second.paths.size() < 2) return false;
  Destination& destination = found->second;
  const std::optional<Path> before = destination.Used();
  destination.used = (destination.used + 1) % destination.paths.size();
  Note(lid, before, destination.Used());
  return true;
}

std::uint16_t PathTable::DestinationOf(std::uint16_t dlid) const {
  const auto found = lowest_lids_.find(dlid);
  return found == lowest_lids_.end() ? dlid : found->second;
}

std::optional<PathTable::Path> PathTable::PathFor(const Path& asked) const {
  const auto found = destinations_.find(DestinationOf(asked.dlid));
  return found == destinations_.end() ? asked : found->second.Used();
}

std::vector<PathTable::Change> PathTable::TakeChanges() { return std::exchange(changes_, {}); }

}  // namespace lanecut
