// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/path_telling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lanecut {

using ib::MadAttribute;

namespace {

ib::VendorPaths::Entry EntryOf(const RoutePlan& plan, const PathUse& use) {
  ib::VendorPaths::Entry entry;
  entry.lid = plan.tables.lids[use.destination];
  entry.exists = use.record.has_value();
  if (!use.record) return entry;
  entry.offset = static_cast<std::uint8_t>(use.record->dlid - entry.lid);
  entry.sl = use.record->sl;
  return entry;
}

void TellSource(SmpBatch& batch, const FabricMap& map, const RoutePlan& plan,
                std::span<const PathUse> uses, StageResult* result) {
  const int node = plan.map_nodes[uses.front().source];
  if (!map.node(node).IsReachable()) return;
  while (!uses.empty()) {
    const std::size_t count = std::min(ib::VendorPaths::kEntries, uses.size());
    ib::VendorPaths paths;
    for (std::size_t i = 0; i < count; ++i) paths.entries[i] = EntryOf(plan, uses[i]);
    uses = uses.subspan(count);
    batch.Add(SetRequest({node}, MadAttribute::kVendorPaths, 0, paths),
              [&map, node, result](const SmpReply& reply) {
                if (reply.outcome == SmpOutcome::kNoRoute) return;
                CheckReply(reply, MadAttribute::kVendorPaths, map.node(node).name, result);
              });
  }
}

}  // namespace

PathUse FirstPathOf(const RoutePlan& plan, int source, int destination) {
  PathUse use{source, destination, std::nullopt};
  if (plan.tables.NumPaths(source, destination) > 0)
    use.record = plan.tables.PathOf(source, destination, 0);
  return use;
}

void TellPaths(SmpBatch& batch, const FabricMap& map, const RoutePlan& plan,
               const std::vector<PathUse>& uses, StageResult* result) {
  for (auto begin = uses.begin(); begin != uses.end();) {
    const auto end = std::find_if(begin, uses.end(),
                                  [&](const PathUse& use) { return use.source != begin->source; });
    TellSource(batch, map, plan, {begin, end}, result);
    begin = end;
  }
}

}  // namespace lanecut
