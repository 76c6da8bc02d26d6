// SPDX-License-Identifier: Apache-2.0
//
// General management packets: they travel like data, but end nodes send and take them without a
// word, and the agent of a switch answers them.
#include <fmt/format.h>

#include <algorithm>

#include "models/reference/model_impl.h"
#include "sw/wire/packet.h"

namespace lanecut {

using reference::kMadOffset;
using reference::SmpFields;
using reference::SmpMethod;

namespace {

constexpr std::uint8_t kPerformance = 0x04;

// Header, number and service level go back to where they came from.
bool Answers(const std::vector<std::uint32_t>& request, const std::uint32_t* answer) {
  const std::uint32_t sl = 0x00F00000;
  return ((request[0] ^ answer[0]) & sl) == 0 && (request[0] & 0xFFFF) == (answer[1] & 0xFFFF) &&
         (request[1] & 0xFFFF) == (answer[0] & 0xFFFF) && request[4] == answer[4];
}

}  // namespace

// Whole and good.
void ReferenceModel::Impl::GeneralAtAgent(Node& node, const HopPacket& p) {
  if (p.got_words != kSmpPacketWords + 1) return;
  std::vector<std::uint32_t> words = pool_.Words(p, 0, p.got_words);
  const SmpFields fields(words);
  if (!IsGmp(words) || fields.mad_class != kPerformance) return;
  if (!fields.Is(SmpMethod::kGet) && !fields.Is(SmpMethod::kSet)) return;
  node.general_requests.push_back(std::move(words));
  if (node.general_requests.size() > Node::kRemembered) node.general_requests.pop_front();
}

// A switch sends what did not come to it: true if it is an answer that its agent may give.
bool ReferenceModel::Impl::MatchGeneral(LaneState& lane, HopPacket& p, Cycle t) {
  if (!IsGmp(lane.sent)) return false;
  Node& node = *nodes_[static_cast<std::size_t>(lane.from)];
  const auto request = std::ranges::find_if(
      node.general_requests,
      [&lane](const std::vector<std::uint32_t>& r) { return Answers(r, lane.sent.data()); });
  if (request == node.general_requests.end()) return false;
  node.general_requests.erase(request);
  p.general = true;
  BornHere(p);
  const auto dlid = static_cast<std::uint16_t>(lane.sent[0]);
  const int sl = static_cast<int>((lane.sent[0] >> 20) & 0xF);
  const auto prediction =
      node.tables.Predict(/*in_port=*/0, dlid, sl, reference::NumberIn(lane.sent[1]), false, t);
  if (prediction.Certain() && !prediction.Allows(lane.from_port, lane.put_lane)) {
    const reference::Route& route = prediction.routes[0];
    Fail(Check::kRoute, t, lane.from, lane.from_port, lane.put_lane, &p,
         fmt::format("port {}, VL {}", route.port, route.lane), "an answer leaving here");
  }
  return true;
}

// An answer of the agent waits in an output queue that is being emptied.
bool ReferenceModel::Impl::DropGeneral(Node& node, DropReason reason) {
  if (node.general_requests.empty()) return false;
  node.general_requests.pop_front();
  accounting_.Sent(false);
  accounting_.Settled(false, reason);
  return true;
}

void ReferenceModel::Impl::OnGeneralPacket(int node_index, Cycle t) {
  Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const bool known = !node.arrivals.empty();
  const HopPacket* p = known ? &pool_[node.arrivals.front().packet] : nullptr;
  if (!known || !node.arrivals.front().may_deliver || !p->general) {
    return Fail(Check::kUnknown, t, node_index, 1, -1, p,
                known ? "this packet reported" : "nothing: nothing has arrived",
                "a general management packet taken");
  }
  const PacketIndex i = node.arrivals.front().packet;
  node.arrivals.pop_front();
  Settle(pool_[i], DropReason::kNone);
  pool_.Release(i);
}

void ReferenceModel::OnGeneralPacket(int node, Cycle t) {
  if (!failed()) impl_->OnGeneralPacket(node, t);
}

}  // namespace lanecut
