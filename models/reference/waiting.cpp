// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom. A packet has left its input queue when its receiver has told that the blocks
// are free again (or when a later one has been seen to leave), so the picture is exact once
// everything stands still and has been told.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "models/reference/model_impl.h"
#include "models/reference/waiting_cycle.h"
#include "sw/wire/function_number.h"
#include "sw/wire/packet.h"

namespace lanecut {

using reference::kNoPacket;
using Kind = WaitingChannel::Kind;

struct ReferenceModel::Impl::Channels {
  using Key = std::tuple<Kind, int, int, int>;

  struct Entry {
    WaitingChannel channel;
    PacketIndex head;
    Key waits_for;
    bool waits = false;
  };

  Entry& At(Kind kind, int node, int port, int vl) {
    const auto [at, fresh] =
        index.try_emplace({kind, node, port, vl}, static_cast<int>(entries.size()));
    if (fresh) {
      entries.push_back({});
      WaitingChannel& channel = entries.back().channel;
      channel.kind = kind;
      channel.node = node;
      channel.port = port;
      channel.vl = vl;
      entries.back().head = kNoPacket;
    }
    return entries[static_cast<std::size_t>(at->second)];
  }

  std::vector<Entry> entries;
  std::map<Key, int> index;
};

void ReferenceModel::Impl::AddSwitchChannels(int node_index, Channels* channels) const {
  const Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  for (int port = 1; port <= node.ports; ++port) {
    for (int vl = 0; vl < node.vls; ++vl) {
      for (PacketIndex i = node.tracker->First(port, vl); i != kNoPacket; i = pool_[i].in_next) {
        const HopPacket& p = pool_[i];
        const reference::Route& route = p.prediction.routes[0];
        const bool leaves = route.drop == DropReason::kNone && route.port != 0;
        if (p.crossed && !leaves) continue;
        Channels::Entry& entry =
            p.crossed ? channels->At(Kind::kOutput, node_index, route.port, route.lane)
                      : channels->At(Kind::kInput, node_index, port, vl);
        ++entry.channel.packets;
        if (entry.head != kNoPacket && pool_[entry.head].got_start <= p.got_start) continue;
        entry.head = i;
        if (p.crossed) continue;
        entry.waits = leaves;
        entry.waits_for = {Kind::kOutput, node_index, route.port, route.lane};
      }
    }
  }
  for (Channels::Entry& entry : channels->entries) {
    const WaitingChannel& channel = entry.channel;
    if (channel.node != node_index || channel.kind != Kind::kOutput) continue;
    const LaneState& out =
        *lanes_[static_cast<std::size_t>(node.out_lane[static_cast<std::size_t>(channel.port)])];
    entry.waits = !out.credit.HasCredit(channel.vl, pool_[entry.head].blocks);
    entry.waits_for = {Kind::kInput, out.to, out.to_port, channel.vl};
  }
}

void ReferenceModel::Impl::AddSourceChannel(int node_index, Channels* channels) const {
  const Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  if (accounting_.Waiting(node_index) == 0 || node.out_lane[1] < 0) return;
  const LaneState& out = *lanes_[static_cast<std::size_t>(node.out_lane[1])];
  for (int vl = 0; vl < node.vls; ++vl) {
    if (out.credit.HasCredit(vl, 1)) continue;
    Channels::Entry& entry = channels->At(Kind::kSource, node_index, 1, vl);
    entry.channel.packets = accounting_.Waiting(node_index);
    entry.channel.head = fmt::format("0x{:x}", accounting_.FirstWaiting(node_index));
    entry.waits = true;
    entry.waits_for = {Kind::kInput, out.to, out.to_port, vl};
  }
}

// Under OSR a packet may wait for its function, or for the tokens before it; "" if it does not.
std::string ReferenceModel::Impl::WaitsForFunction(int node_index, const HopPacket& p) const {
  const Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  const std::uint8_t number = FunctionNumber(reference::NumberIn(p.words[1]));
  if (p.prediction.Pending()) {
    return fmt::format("waits for a bank that holds function {}", number);
  }
  const reference::Route& route = p.prediction.routes[0];
  const bool leaves = p.prediction.Certain() && route.port != 0;
  if (!node.reports || !leaves || HasSent(node, route.port, route.lane, number)) return "";
  return fmt::format("waits for the tokens of function {} at port {} VL {}", number, route.port,
                     route.lane);
}

// What the drop test of EBR sees; nothing under another scheme.
std::optional<EpochNumbers> ReferenceModel::Impl::NumbersOf(int node_index,
                                                            const HopPacket& p) const {
  const Node& node = *nodes_[static_cast<std::size_t>(node_index)];
  if (node.tables.scheme() != reference::Scheme::kEbr || !p.prediction.Certain()) return {};
  return EpochNumbers{FunctionNumber(reference::NumberIn(p.words[1])),
                      FunctionNumber(p.prediction.routes[0].number),
                      FunctionNumber(node.tables.epoch())};
}

std::vector<WaitingChannel> ReferenceModel::Impl::Waiting() const {
  Channels channels;
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    if (nodes_[static_cast<std::size_t>(node)]->is_switch()) {
      AddSwitchChannels(node, &channels);
    } else {
      AddSourceChannel(node, &channels);
    }
  }
  const auto name = [this](const Channels::Key& key) {
    const auto& [kind, node, port, vl] = key;
    const char* queue = kind == Kind::kInput    ? "input queue"
                        : kind == Kind::kOutput ? "output queue"
                                                : "source queue";
    return fmt::format("{} of {} port {} VL {}", queue,
                       nodes_[static_cast<std::size_t>(node)]->name, port, vl);
  };
  std::vector<WaitingChannel> result;
  for (Channels::Entry& entry : channels.entries) {
    WaitingChannel& channel = entry.channel;
    if (entry.head != kNoPacket) channel.head = Describe(pool_, pool_[entry.head]);
    std::string waits = "waits for nothing that can be seen";
    const bool at_input = channel.kind == Kind::kInput && entry.head != kNoPacket;
    const std::string function =
        at_input ? WaitsForFunction(channel.node, pool_[entry.head]) : std::string();
    if (!function.empty()) {
      waits = function;
    } else if (entry.waits) {
      const auto at = channels.index.find(entry.waits_for);
      if (at != channels.index.end()) channel.waits_for = at->second;
      waits = fmt::format("waits for {} the {}{}",
                          channel.kind == Kind::kInput ? "room in" : "credits of",
                          name(entry.waits_for), channel.waits_for < 0 ? ", which is empty" : "");
    }
    if (at_input) channel.numbers = NumbersOf(channel.node, pool_[entry.head]);
    channel.text = fmt::format(
        "{}: {} packets, head {} {}{}",
        name({channel.kind, channel.node, channel.port, channel.vl}), channel.packets, channel.head,
        channel.numbers ? fmt::format("with numbers {} {} {} ", channel.numbers->packet,
                                      channel.numbers->routed, channel.numbers->now)
                        : "",
        waits);
    result.push_back(channel);
  }
  return result;
}

std::vector<std::string> ReferenceModel::Impl::WaitingCycle() const {
  const std::vector<WaitingChannel> channels = Waiting();
  std::vector<int> waits_for;
  waits_for.reserve(channels.size());
  for (const WaitingChannel& channel : channels) waits_for.push_back(channel.waits_for);
  std::vector<std::string> lines;
  for (const int i : reference::FindWaitingCycle(waits_for)) {
    lines.push_back(channels[static_cast<std::size_t>(i)].text);
  }
  return lines;
}

}  // namespace lanecut
