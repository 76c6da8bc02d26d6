// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_admin/path_queries.h"

#include <algorithm>

namespace lanecut {
namespace {

// Transaction IDs unlike those that are made for programs outside.
constexpr std::uint64_t kFirstId = std::uint64_t{0xFFFF} << 48;

}  // namespace

PathQueries::PathQueries(const Config& config, std::vector<EndNode> end_nodes)
    : config_(config),
      end_nodes_(std::move(end_nodes)),
      asking_(end_nodes_.size()),
      records_(end_nodes_.size() * end_nodes_.size()),
      next_id_(kFirstId) {}

int PathQueries::DestinationOf(std::size_t source) const {
  return static_cast<int>((source + 1 + asking_[source].asked) % end_nodes_.size());
}

void PathQueries::EndQuery(std::size_t source) {
  ++asking_[source].asked;
  asking_[source].tries = 0;
}

bool PathQueries::Done() const {
  return std::ranges::all_of(asking_,
                             [&](const Asking& a) { return a.asked + 1 >= end_nodes_.size(); });
}

void PathQueries::Step(Cycle now) {
  for (std::size_t source = 0; source < end_nodes_.size(); ++source) {
    Asking& asking = asking_[source];
    if (asking.tries > config_.retries && now >= asking.deadline) {
      unanswered_.emplace_back(static_cast<int>(source), DestinationOf(source));
      EndQuery(source);
    }
    if (asking.asked + 1 >= end_nodes_.size()) continue;
    if (asking.tries > 0 && now < asking.deadline) continue;
    if (asking.tries == 0) asking.id = next_id_++;
    const EndNode& node = end_nodes_[source];
    Mad query = ib::MakePathQuery(node.gid, end_nodes_[DestinationOf(source)].gid);
    query.set_transaction_id(asking.id);
    // Entered before it is sent: the answer of a manager at this node may come at once.
    const Asking before = asking;
    ++asking.tries;
    asking.deadline = now + config_.timeout;
    if (!node.transport->Send(query, node.manager_lid)) asking = before;
  }
}

bool PathQueries::OnMad(int end_node, const Mad& mad) {
  if (mad.transaction_id() < kFirstId || mad.method() != ib::MadMethod::kGetResp) return false;
  const auto source = static_cast<std::size_t>(end_node);
  const Asking& asking = asking_[source];
  if (asking.tries == 0 || mad.transaction_id() != asking.id) return true;  // one that came late
  if (mad.status() == static_cast<std::uint16_t>(ib::MadStatus::kBusy)) return true;
  const int destination = DestinationOf(source);
  if (mad.status() == 0) {
    records_[source * end_nodes_.size() + static_cast<std::size_t>(destination)] =
        ib::PathRecord::Decode(mad);
  } else {
    refused_.emplace_back(end_node, destination);
  }
  EndQuery(source);
  return true;
}

}  // namespace lanecut
