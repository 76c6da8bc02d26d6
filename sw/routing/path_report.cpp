// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/path_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <utility>

#include "sw/routing/dependency_graph.h"

namespace lanecut {
namespace {

// What one path takes between its first and its last switch.
struct Footprint {
  std::set<int> switches;
  std::set<int> cables;
};

template <typename T>
bool Meet(const std::set<T>& a, const std::set<T>& b) {
  return std::ranges::any_of(a, [&](const T& each) { return b.contains(each); });
}

bool AreDisjoint(const Footprint& a, const Footprint& b) {
  return !Meet(a.switches, b.switches) && !Meet(a.cables, b.cables);
}

// The size of the largest set of paths that are disjoint from each other, among those from `first`
// on and together with the chosen ones.
int MostDisjoint(const std::vector<Footprint>& paths, std::size_t first,
                 std::vector<std::size_t>& chosen) {
  int most = static_cast<int>(chosen.size());
  for (std::size_t next = first; next < paths.size(); ++next) {
    const bool fits = std::ranges::all_of(
        chosen, [&](std::size_t other) { return AreDisjoint(paths[next], paths[other]); });
    if (!fits) continue;
    chosen.push_back(next);
    most = std::max(most, MostDisjoint(paths, next + 1, chosen));
    chosen.pop_back();
    if (most == static_cast<int>(paths.size())) break;
  }
  return most;
}

void CountOne(std::vector<std::int64_t>& counts, int index) {
  if (index >= static_cast<int>(counts.size())) counts.resize(index + 1);
  ++counts[index];
}

class Reporter {
 public:
  Reporter(const Topology& topology, const RoutingTables& tables)
      : topology_(topology), tables_(tables) {
    for (const Node& node : topology.nodes()) {
      first_port_.push_back(static_cast<int>(on_link_.size()));
      on_link_.resize(on_link_.size() + node.num_ports + 1);
    }
    for (const Cable& cable : topology.cables()) {
      if (topology.IsSwitch(cable.a.node) && topology.IsSwitch(cable.b.node)) report_.links += 2;
    }
  }

  void AddPair(int source, int destination) {
    ++report_.pairs;
    std::vector<Footprint> footprints;
    int shortest = 0;
    for (int i = 0; i < tables_.NumPaths(source, destination); ++i) {
      const auto record = tables_.PathOf(source, destination, i);
      const Path path = TracePath(topology_, tables_, source, destination, record);
      if (path.end != PathEnd::kDelivered) continue;
      if (i == 0) AddToLinks(path);
      const int length = AddPath(path, record.sl, record.dlid - tables_.lids[destination]);
      shortest = footprints.empty() ? length : std::min(shortest, length);
      footprints.push_back(FootprintOf(path));
    }
    std::vector<std::size_t> chosen;
    CountOne(report_.pairs_by_disjoint, MostDisjoint(footprints, 0, chosen));
    report_.total_shortest += shortest;
  }

  const PathReport& report() const { return report_; }

 private:
  int AddPath(const Path& path, int sl, int offset) {
    // The first hop leaves the end node, the last one the last switch.
    const int length = static_cast<int>(path.hops.size()) - 2;
    ++report_.paths;
    report_.total_length += length;
    report_.longest = std::max(report_.longest, length);
    report_.sls = std::max(report_.sls, sl + 1);
    report_.lmc = std::max(report_.lmc, static_cast<int>(std::bit_width<unsigned>(offset)));
    CountOne(report_.paths_by_sl, sl);
    int transitions = 0;
    for (std::size_t i = 0; i < path.hops.size(); ++i) {
      report_.vls = std::max(report_.vls, path.hops[i].vl + 1);
      const bool between_switches = i >= 2 && i + 1 < path.hops.size();
      if (between_switches && path.hops[i].vl != path.hops[i - 1].vl) ++transitions;
    }
    CountOne(report_.paths_by_transitions, transitions);
    return length;
  }

  void AddToLinks(const Path& path) {
    for (std::size_t i = 1; i + 1 < path.hops.size(); ++i) {
      ++report_.first_length;
      std::int64_t& pairs = on_link_[first_port_[path.hops[i].node] + path.hops[i].out_port];
      report_.busiest_link = std::max(report_.busiest_link, ++pairs);
    }
  }

  Footprint FootprintOf(const Path& path) const {
    Footprint footprint;
    for (std::size_t i = 1; i + 1 < path.hops.size(); ++i) {
      const Hop& hop = path.hops[i];
      if (i > 1) footprint.switches.insert(hop.node);
      footprint.cables.insert(topology_.PeerOf(hop.node, hop.out_port)->cable);
    }
    return footprint;
  }

  const Topology& topology_;
  const RoutingTables& tables_;
  PathReport report_;
  std::vector<int> first_port_;  // by node: where its ports begin in on_link_
  std::vector<std::int64_t> on_link_;
};

std::string Shares(const std::vector<std::int64_t>& counts, std::int64_t all,
                   const std::function<std::string(std::size_t)>& name) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text += fmt::format("{}{} {:.2f} %", text.empty() ? "" : ", ", name(i),
                        100.0 * static_cast<double>(counts[i]) / static_cast<double>(all));
  }
  return text.empty() ? "none" : text;
}

}  // namespace

double PathReport::MeanLength() const {
  return static_cast<double>(total_length) / static_cast<double>(std::max<std::int64_t>(paths, 1));
}

double PathReport::MeanShortest() const {
  const std::int64_t without = pairs_by_disjoint.empty() ? 0 : pairs_by_disjoint[0];
  return static_cast<double>(total_shortest) /
         static_cast<double>(std::max<std::int64_t>(pairs - without, 1));
}

double PathReport::MeanLink() const {
  return static_cast<double>(first_length) / std::max(links, 1);
}

PathReport ReportPaths(const Topology& topology, const RoutingTables& tables) {
  Reporter reporter(topology, tables);
  const auto switch_of = [&](int hca) {
    const auto peer = topology.PeerOf(hca, 1);
    return tables.lids[hca] != 0 && peer ? peer->node : -1;
  };
  for (const int source : topology.hcas()) {
    for (const int destination : topology.hcas()) {
      const int from = switch_of(source);
      const int to = switch_of(destination);
      if (from >= 0 && to >= 0 && from != to) reporter.AddPair(source, destination);
    }
  }
  return reporter.report();
}

std::string Describe(const PathReport& report) {
  std::string text = fmt::format("pairs      {}, {} paths; disjoint paths of a pair: {}\n",
                                 report.pairs, report.paths,
                                 Shares(report.pairs_by_disjoint, report.pairs,
                                        [](std::size_t i) { return fmt::format("{}:", i); }));
  text += fmt::format("hops       {:.4f} on average, {:.4f} by the shortest path, at most {}\n",
                      report.MeanLength(), report.MeanShortest(), report.longest);
  text +=
      fmt::format("load       {} pairs on the busiest link between switches, {:.2f} on average\n",
                  report.busiest_link, report.MeanLink());
  text += fmt::format("changes    of VL on the way: {}\n",
                      Shares(report.paths_by_transitions, report.paths,
                             [](std::size_t i) { return fmt::format("{}:", i); }));
  text += fmt::format("uses       {} VLs, {} SLs ({}), LMC {}\n", report.vls, report.sls,
                      Shares(report.paths_by_sl, report.paths,
                             [](std::size_t i) { return fmt::format("SL{}:", i); }),
                      report.lmc);
  return text;
}

}  // namespace lanecut
