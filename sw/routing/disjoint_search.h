// SPDX-License-Identifier: Apache-2.0
//
// Searches disjoint paths between two switches that fit into service levels. Private to sw/routing.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/routing/lane_order.h"
#include "sw/routing/switch_fabric.h"

namespace lanecut {

// A way over links from one switch to another, and the SL on which packets take it.
struct SwitchPath {
  std::vector<int> links;
  int sl = 0;
};

// How many paths from one switch to another there are at most that share no switch but these two
// and no cable, if more than `wanted` do not count; and how long they are together if they are as
// short as possible.
struct DisjointBound {
  int paths = 0;
  int total_length = 0;
};
DisjointBound MostDisjointPaths(const SwitchFabric& fabric, int from, int to, int wanted);

class DisjointSearch {
 public:
  DisjointSearch(const SwitchFabric& fabric, const std::vector<bool>& forbidden, int vls);

  // The shortest `wanted` disjoint paths it can find that fit into the first `sls` of the levels
  // together with what is in them; adds them there. Fewer, as many as it can find, if not so many
  // fit. `bound`: what the topology allows.
  std::vector<SwitchPath> Find(std::vector<LaneOrder>& levels, int sls, int from, int to,
                               DisjointBound bound);

  // States looked at so far: a measure of work that does not depend on the machine.
  std::int64_t work() const { return work_; }

 private:
  struct State {
    int hops = -1;
    int penalty = 0;
    int parent = -1;
    std::uint32_t stamp = 0;
  };
  struct Try {
    std::vector<SwitchPath> paths;
    int total_length = 0;
  };

  // The first and last link of a path; -1: any last link.
  struct Ends {
    int first;
    int last;
  };

  // The first links in their order from the `first_out`-th, the last links backwards from the
  // `first_in`-th, or any if that is -1.
  std::vector<Ends> EndsFrom(int first_out, int first_in, int wanted) const;
  // `wanted` paths with these ends, or as many as it finds one after the other, that have at most
  // `most` hops together; gives up with the first that it does not find if only all are of use.
  // `failed`: the place in `ends` of the first without a path, or -1.
  Try FindAll(std::vector<LaneOrder>& levels, int sls, const std::vector<Ends>& ends, int wanted,
              int most, bool all_or_none, int& failed);
  // The same in other orders, if need be: what finds no path comes first the next time.
  Try FindInAnyOrder(std::vector<LaneOrder>& levels, int sls, std::vector<Ends> ends, int wanted,
                     int most, bool all_or_none);
  bool FindOne(std::vector<LaneOrder>& levels, int sls, int first_link, int last_link, int longest,
               SwitchPath& path);
  // The state in which the best path ends that has at most `longest` hops; -1 if there is none.
  int Search(const std::vector<LaneOrder>& levels, int sls, unsigned closed_levels, int first_link,
             int last_link, int longest);
  void Expand(int state, const LaneOrder& level, int last_link);
  // Hops that a packet has still to go at least, having come by a link.
  int HopsAfter(int link) const;
  void Reach(int sl, int vl, int link, int hops, int penalty, int parent);
  int BestGoal(const std::vector<int>& states) const;
  bool Revisits(int state, int place) const;
  std::vector<int> LinksTo(int state) const;

  int IdOf(int sl, int vl, int link) const { return (sl * vls_ + vl) * fabric_.num_links() + link; }

  const SwitchFabric& fabric_;
  const std::vector<bool>& forbidden_;
  int vls_;
  std::vector<bool> blocked_;  // switches of the paths found so far
  std::vector<State> states_;  // by SL, VL, link
  // States to expand, by the least hops that a path through them can have beyond the fewest of all,
  // then by the hops to them.
  std::vector<std::vector<std::vector<int>>> queue_;
  int fewest_ = 0;
  int longest_ = 0;
  std::uint32_t stamp_ = 0;
  std::int64_t work_ = 0;
  int from_ = -1;
  int to_ = -1;
  std::vector<std::vector<int>> hops_;   // to a switch, by it, then by switch
  const std::vector<int>* hops_to_end_;  // of those: to where the path must arrive in the end
  int hops_beyond_ = 0;                  // from there to the destination
};

}  // namespace lanecut
