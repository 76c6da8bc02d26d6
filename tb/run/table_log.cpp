// SPDX-License-Identifier: Apache-2.0
#include "tb/run/table_log.h"

#include <fmt/format.h>

#include <optional>

namespace lanecut {

bool ChangesTables(const Mad& mad) {
  switch (mad.attribute()) {
    case ib::MadAttribute::kLinearForwardingTable:
    case ib::MadAttribute::kSlToVlMappingTable:
    case ib::MadAttribute::kVendorInactiveForwardingTable:
    case ib::MadAttribute::kVendorInactiveSlToVl:
    case ib::MadAttribute::kVendorFeederRows:
    case ib::MadAttribute::kVendorBank:
    case ib::MadAttribute::kVendorFunction:
    case ib::MadAttribute::kVendorTableUpdate:
      return true;
    default:
      return false;
  }
}

std::string DescribeTablePacket(const Mad& mad) {
  return fmt::format("{} {:#x} tid {:#x}", ib::MadAttributeName(mad.attribute()), mad.modifier(),
                     mad.transaction_id());
}

void TableLog::OnSent(const Mad& mad, Cycle t) {
  if (mad.method() != ib::MadMethod::kSet || !mad.is_directed() || !ChangesTables(mad)) return;
  sent_.insert(mad.transaction_id());
  Record("table-sent", mad, t);
}

void TableLog::OnReceived(const Mad& mad, Cycle t) {
  const bool is_answer = mad.method() == ib::MadMethod::kGetResp;
  if (is_answer && sent_.contains(mad.transaction_id())) Record("table-answered", mad, t);
}

void TableLog::Record(std::string_view kind, const Mad& mad, Cycle t) {
  if (recorder_ == nullptr) return;
  int node = manager_;
  for (std::size_t hop = 1; hop <= mad.hop_count(); ++hop) {
    const auto peer = topology_->PeerOf(node, mad.initial_path(hop));
    if (!peer) return;
    node = peer->node;
  }
  recorder_->Event(t, kind, topology_->node(node).name, DescribeTablePacket(mad));
}

}  // namespace lanecut
