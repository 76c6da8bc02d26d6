// SPDX-License-Identifier: Apache-2.0
#include "models/reference/reference_model.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "models/reference/model_impl.h"
#include "sw/wire/packet.h"

namespace lanecut {

using reference::kNoPacket;

namespace {

constexpr Cycle kReportLatest =
    64;  // cycles that an end node may take to say what it did with a packet
constexpr Cycle kManagementLatest = 20000;  // a management packet that is older has been lost

}  // namespace

// ---- Building ----

int ReferenceModel::Impl::AddNode(std::unique_ptr<Node> node) {
  node->in_lane.assign(static_cast<std::size_t>(node->ports + 1), -1);
  node->out_lane.assign(static_cast<std::size_t>(node->ports + 1), -1);
  nodes_.push_back(std::move(node));
  accounting_.AddNode();
  return static_cast<int>(nodes_.size()) - 1;
}

int ReferenceModel::Impl::AddSwitch(const std::string& name, const SwitchShape& shape) {
  if (static_cast<std::size_t>(shape.ports * shape.vls) > SwitchState::kChannels) {
    throw std::invalid_argument(fmt::format("switch '{}': more than {} channels of ports and VLs",
                                            name, SwitchState::kChannels));
  }
  auto node = std::make_unique<Node>(name, shape.ports, shape.vls, shape.lft_depth);
  node->shape = shape;
  node->buf_blocks = shape.buf_blocks;
  node->crossed_before.resize(static_cast<std::size_t>(shape.ports * shape.vls));
  node->tracker = std::make_unique<reference::SwitchTracker>(
      &pool_, shape.ports, shape.vls, shape.buf_blocks,
      [this](PacketIndex i, DropReason reason) { Settle(pool_[i], reason); });
  return AddNode(std::move(node));
}

int ReferenceModel::Impl::AddEndNode(const std::string& name, const EndNodeShape& shape) {
  auto node = std::make_unique<Node>(name, 1, shape.vls, 0);
  node->buf_blocks = shape.buf_blocks;
  return AddNode(std::move(node));
}

int ReferenceModel::Impl::AddLane(int from_node, int from_port, int to_node, int to_port,
                                  Cycle fly) {
  const auto checked = [this](int node, int port) -> Node& {
    if (node < 0 || node >= static_cast<int>(nodes_.size()) || port < 1 ||
        port > nodes_[static_cast<std::size_t>(node)]->ports) {
      throw std::invalid_argument(fmt::format("lane: node {} has no port {}", node, port));
    }
    return *nodes_[static_cast<std::size_t>(node)];
  };
  Node& from = checked(from_node, from_port);
  Node& to = checked(to_node, to_port);
  const int index = static_cast<int>(lanes_.size());
  auto lane = std::make_unique<LaneState>(std::max(from.vls, to.vls), to.buf_blocks);
  lane->index = index;
  lane->from = from_node;
  lane->from_port = from_port;
  lane->to = to_node;
  lane->to_port = to_port;
  lane->fly = fly;
  lane->ring.resize(std::bit_ceil(static_cast<std::size_t>(fly) + 4), kNoPacket);
  lane->numbers.resize(16);
  lane->silent_bad.resize(static_cast<std::size_t>(to.vls + 1));
  lane->queue_left.resize(static_cast<std::size_t>(from.vls + 1));
  from.out_lane[static_cast<std::size_t>(from_port)] = index;
  to.in_lane[static_cast<std::size_t>(to_port)] = index;
  const int back = to.out_lane[static_cast<std::size_t>(to_port)];
  if (back >= 0) {
    lane->reverse = back;
    lanes_[static_cast<std::size_t>(back)]->reverse = index;
  }
  from.tables.PhyUp(from_port, 0);
  lanes_.push_back(std::move(lane));
  return index;
}

// ---- Links ----

void ReferenceModel::Impl::OnCut(int index, Cycle t) {
  LaneState& lane = *lanes_[static_cast<std::size_t>(index)];
  Node& from = *nodes_[static_cast<std::size_t>(lane.from)];
  lane.cut = true;
  lane.cut_at = t;
  if (lane.put_state == State::kData) {
    HopPacket& p = pool_[lane.put];
    if (from.is_switch()) {
      MatchCut(lane, p, t);
      lane.cut_lanes |= static_cast<std::uint16_t>(1U << lane.put_lane);
    }
    FinishPut(lane, p);
  }
  HasLeft(lane, t);
  lane.put_state = State::kSkip;  // the sender may take a few cycles to notice
  if (lane.got_state == State::kData) CloseArrival(lane, t);
  lane.got_state = State::kIdle;
  for (; lane.ring_head != lane.ring_tail; ++lane.ring_head) {
    const PacketIndex i = lane.ring[lane.ring_head % lane.ring.size()];
    Settle(pool_[i], DropReason::kLinkCut);
    pool_.Release(i);
  }
  lane.credit.Reset();
  if (!Ordered(lane, t)) ForgetFunctions(lane);
  from.tables.PhyDown(lane.from_port, t);
  FollowTables(lane.from, t);
}

void ReferenceModel::Impl::OnRestore(int index, Cycle t) {
  LaneState& lane = *lanes_[static_cast<std::size_t>(index)];
  if (lane.cut_lanes != 0) {
    Fail(Check::kDrop, t, lane.from, lane.from_port, std::countr_zero(lane.cut_lanes), nullptr,
         "a pulse for the packet that was cut while being sent", "the link restored without one");
    return;
  }
  lane.cut = false;
  lane.disturbed = false;
  // What the sender began before it noticed the cut, and did not finish. A data packet is still
  // in its queue, and has been reported as discarded from there.
  // Some of it may still come if the repair is quick.
  if (lane.put_state == State::kData) FinishPut(lane, pool_[lane.put]);
  lane.put_state = State::kSkip;
  lane.credit.Reset();
  nodes_[static_cast<std::size_t>(lane.from)]->tables.PhyUp(lane.from_port, t);
}

// ---- Sources ----

void ReferenceModel::Impl::OnGenerated(int node, std::uint64_t id) {
  accounting_.Generated(node, id);
}

void ReferenceModel::Impl::OnSourceDrop(int node, std::uint64_t id, Cycle t) {
  if (const auto expected = accounting_.SourceDropped(node, id)) {
    Fail(Check::kAccounting, t, node, 1, -1, nullptr, *expected,
         fmt::format("packet 0x{:x} dropped at the source", id));
  }
}

void ReferenceModel::Impl::OnCutShort(int node, std::uint64_t id) {
  accounting_.CutShort(node, id);
}

// ---- Result ----

void ReferenceModel::Impl::Settle(HopPacket& p, DropReason fate) {
  p.settled = true;
  p.fate = fate;
  p.copy = false;
  if (p.matched) Account(p);
}

void ReferenceModel::Impl::Account(const HopPacket& p) {
  accounting_.Settled(p.management, p.fate);
  if (drop_handler_ && !p.management && p.fate != DropReason::kNone && p.id != 0) {
    drop_handler_(p.id, p.fate, lanes_[static_cast<std::size_t>(p.lane)]->to);
  }
}

int ReferenceModel::Impl::LaneOfVl(const Node& node, std::uint32_t word) const {
  const int vl = static_cast<int>(word >> 28);
  if (vl == kVl15) return node.vls;
  return vl < node.vls ? vl : -1;
}

std::string ReferenceModel::Impl::Where(const HopPacket& p) const {
  const LaneState& lane = *lanes_[static_cast<std::size_t>(p.lane)];
  const auto& to = nodes_[static_cast<std::size_t>(lane.to)]->name;
  if (p.got_words != 0) return fmt::format("in {}, came by port {}", to, lane.to_port);
  return fmt::format("on the link from {} port {} to {} port {}",
                     nodes_[static_cast<std::size_t>(lane.from)]->name, lane.from_port, to,
                     lane.to_port);
}

void ReferenceModel::Impl::Fail(Check check, Cycle t, int node, int port, int lane,
                                const HopPacket* p, std::string expected, std::string seen) {
  if (failed_) return;
  failed_ = true;
  const Node* at = node < 0 ? nullptr : nodes_[static_cast<std::size_t>(node)].get();
  mismatch_.check = check;
  mismatch_.cycle = t;
  if (at != nullptr) mismatch_.node = (at->is_switch() ? "switch " : "end node ") + at->name;
  mismatch_.port = port;
  mismatch_.vl = at != nullptr && lane == at->vls ? kVl15 : lane;
  if (p != nullptr) mismatch_.packet = Describe(pool_, *p);
  mismatch_.expected = std::move(expected);
  mismatch_.seen = std::move(seen);
}

Accounts ReferenceModel::Impl::accounts() const {
  Accounts sum = accounting_.accounts();
  pool_.ForEach([&](PacketIndex, const HopPacket& p) {
    if (p.copy) ++(p.management ? sum.management : sum.data).in_flight;
  });
  // Pulses whose packet is not known yet: it still counts as a copy in flight.
  const auto move = [](CopyCounts* counts, DropReason reason, int n) {
    counts->dropped[static_cast<std::size_t>(reason)] += static_cast<std::uint64_t>(n);
    counts->in_flight -= static_cast<std::uint64_t>(n);
  };
  for (const auto& node : nodes_) {
    if (!node->is_switch()) continue;
    for (const DropReason reason :
         {DropReason::kPortInactive, DropReason::kHoqLife, DropReason::kLifeTime}) {
      move(&sum.data, reason, node->tracker->unresolved_output(reason));
    }
    for (const DropReason reason :
         {DropReason::kEpoch, DropReason::kStale, DropReason::kNoFeeder}) {
      move(&sum.data, reason, node->tracker->unresolved_gate(reason));
    }
    move(&sum.data, DropReason::kBad, node->tracker->unresolved_bad(false));
    move(&sum.management, DropReason::kBad, node->tracker->unresolved_bad(true));
  }
  return sum;
}

std::vector<std::string> ReferenceModel::Impl::Leftovers(int limit) const {
  std::vector<std::string> lines;
  pool_.ForEach([&](PacketIndex, const HopPacket& p) {
    if (!p.copy || static_cast<int>(lines.size()) >= limit) return;
    lines.push_back(Describe(pool_, p) + ": " + Where(p));
  });
  return lines;
}

void ReferenceModel::Impl::FinishLane(LaneState& lane, Cycle t) {
  CloseIfOver(lane, t);
  CheckRefusals(lane, t);
  if (lane.cut_lanes != 0) {
    Fail(Check::kDrop, t, lane.from, lane.from_port, std::countr_zero(lane.cut_lanes), nullptr,
         "a pulse for the packet that was cut while being sent", "none");
  }
  const std::deque<SinkArrival>& arrivals = nodes_[static_cast<std::size_t>(lane.to)]->arrivals;
  if (!arrivals.empty() && arrivals.front().t + kReportLatest < t) {
    Fail(Check::kAccounting, t, lane.to, lane.to_port, -1, &pool_[arrivals.front().packet],
         "the end node to deliver or drop this packet", "neither");
  }
}

void ReferenceModel::Impl::Finish(Cycle t, bool drained) {
  for (const auto& lane : lanes_) FinishLane(*lane, t);
  const Accounts sum = accounts();
  // A packet damaged in its VL nibble may pass as the other kind until its fate is resolved, so the
  // kinds are added up.
  const std::uint64_t sent = sum.data.sent + sum.management.sent;
  const std::uint64_t found = sum.data.delivered + sum.data.Dropped() + sum.data.in_flight +
                              sum.management.delivered + sum.management.Dropped() +
                              sum.management.in_flight;
  if (sent != found) {
    Fail(Check::kAccounting, t, -1, -1, -1, nullptr, fmt::format("{} copies sent", sent),
         fmt::format("{} delivered, dropped or in flight", found));
  }
  pool_.ForEach([&](PacketIndex, const HopPacket& p) {
    const bool data_left = !p.management && drained && sum.data.in_flight != 0;
    const bool management_left = p.management && !p.bad && p.put_start + kManagementLatest < t;
    if (!p.copy || (!data_left && !management_left)) return;
    Fail(Check::kLost, t, lanes_[static_cast<std::size_t>(p.lane)]->to,
         lanes_[static_cast<std::size_t>(p.lane)]->to_port, -1, &p, "the packet gone",
         "it is still " + Where(p));
  });
}

// ---- The public face ----

ReferenceModel::ReferenceModel() : impl_(std::make_unique<Impl>()) {}
ReferenceModel::~ReferenceModel() = default;

int ReferenceModel::AddSwitch(const std::string& name, const SwitchShape& shape) {
  return impl_->AddSwitch(name, shape);
}
int ReferenceModel::AddEndNode(const std::string& name, const EndNodeShape& shape) {
  return impl_->AddEndNode(name, shape);
}
int ReferenceModel::AddLane(int from_node, int from_port, int to_node, int to_port, Cycle fly) {
  return impl_->AddLane(from_node, from_port, to_node, to_port, fly);
}

// After the first mismatch the model's picture is worth nothing: events are ignored.
void ReferenceModel::OnPut(int lane, Cycle t, Word word) {
  if (!failed()) impl_->OnPut(lane, t, word);
}
void ReferenceModel::OnGet(int lane, Cycle t, Word word) {
  if (!failed()) impl_->OnGet(lane, t, word);
}
void ReferenceModel::OnCut(int lane, Cycle t) {
  if (!failed()) impl_->OnCut(lane, t);
}
void ReferenceModel::OnRestore(int lane, Cycle t) {
  if (!failed()) impl_->OnRestore(lane, t);
}
void ReferenceModel::OnRxDrop(int node, int port, DropReason reason, Cycle t) {
  if (!failed()) impl_->OnRxDrop(node, port, reason, t);
}
void ReferenceModel::OnInputDrop(int node, int port, int vl, DropReason reason, Cycle t,
                                 const std::optional<EpochNumbers>& numbers) {
  if (!failed()) impl_->OnInputDrop(node, port, vl, reason, t, numbers);
}
void ReferenceModel::OnOutputDrop(int node, int port, int vl, DropReason reason, Cycle t) {
  if (!failed()) impl_->OnOutputDrop(node, port, vl, reason, t);
}
void ReferenceModel::OnSwitchState(int node, const SwitchState& state, Cycle t) {
  if (!failed()) impl_->OnSwitchState(node, state, t);
}
void ReferenceModel::OnEndNodeState(int node, const EndNodeState& state, Cycle t) {
  if (!failed()) impl_->OnEndNodeState(node, state, t);
}
void ReferenceModel::OnGenerated(int node, std::uint64_t id, Cycle) {
  if (!failed()) impl_->OnGenerated(node, id);
}
void ReferenceModel::OnSourceDrop(int node, std::uint64_t id, Cycle t) {
  if (!failed()) impl_->OnSourceDrop(node, id, t);
}
void ReferenceModel::OnCutShort(int node, std::uint64_t id, Cycle) {
  if (!failed()) impl_->OnCutShort(node, id);
}
void ReferenceModel::OnDelivered(int node, std::uint64_t id, Cycle t) {
  if (!failed()) impl_->OnDelivered(node, id, t);
}
void ReferenceModel::OnSinkDrop(int node, DropReason reason, Cycle t) {
  if (!failed()) impl_->OnSinkDrop(node, reason, t);
}

void ReferenceModel::SetDropHandler(DropHandler handler) {
  impl_->SetDropHandler(std::move(handler));
}
bool ReferenceModel::failed() const { return impl_->mismatch() != nullptr; }
const Mismatch* ReferenceModel::mismatch() const { return impl_->mismatch(); }
Accounts ReferenceModel::accounts() const { return impl_->accounts(); }

void ReferenceModel::Finish(Cycle t, bool drained) {
  if (!failed()) impl_->Finish(t, drained);
}
std::vector<std::string> ReferenceModel::Leftovers(int limit) const {
  return impl_->Leftovers(limit);
}
std::vector<WaitingChannel> ReferenceModel::Waiting() const { return impl_->Waiting(); }
std::vector<std::string> ReferenceModel::WaitingCycle() const { return impl_->WaitingCycle(); }

}  // namespace lanecut
