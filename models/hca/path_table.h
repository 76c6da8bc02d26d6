// SPDX-License-Identifier: Apache-2.0
//
// The paths that an end node may use to each destination, and the one that it does use: automatic
// path migration (IBA 17.2.8), with as many alternates as there are.
//
// A destination is known by its lowest LID. Its paths are in the order in which to use them; after
// the last one comes the first again. A destination of which nothing has been loaded is reached by
// whatever LID and SL a packet asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace lanecut {

class PathTable {
 public:
  struct Path {
    std::uint16_t dlid = 0;
    std::uint8_t sl = 0;
    friend bool operator==(const Path&, const Path&) = default;
  };
  // To a destination that had been known before; nothing: no path.
  struct Change {
    std::uint16_t lid = 0;
    std::optional<Path> from;
    std::optional<Path> to;
  };

  // These paths lead to the destination, and no others do; the first one is used.
  void Load(std::uint16_t lid, std::vector<Path> paths);
  // This path is used, which may be a new one; nothing: none is.
  void Use(std::uint16_t lid, std::optional<Path> path);
  // The next path is used. False if there is no other one.
  bool Migrate(std::uint16_t lid);

  bool empty() const { return destinations_.empty(); }
  // The lowest LID of the node that has this one, as far as it is known.
  std::uint16_t DestinationOf(std::uint16_t dlid) const;
  // The path of a packet that was to go by `asked`; nothing: there is none.
  std::optional<Path> PathFor(const Path& asked) const;

  // What has changed since the last call.
  std::vector<Change> TakeChanges();

 private:
  struct Destination {
    std::vector<Path> paths;
    std::size_t used = 0;
    std::optional<Path> Used() const;
  };

  Destination& Find(std::uint16_t lid);
  void Note(std::uint16_t lid, const std::optional<Path>& from, const std::optional<Path>& to);

  std::unordered_map<std::uint16_t, Destination> destinations_;   // by lowest LID
  std::unordered_map<std::uint16_t, std::uint16_t> lowest_lids_;  // by LID
  std::vector<Change> changes_;
};

}  // namespace lanecut
