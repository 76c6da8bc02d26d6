// SPDX-License-Identifier: Apache-2.0
//
// Two end nodes on one link, brought up by SMPs, and an observer that accounts for every packet.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "models/hca/hca.h"
#include "models/link/link.h"
#include "sw/mad/attributes.h"
#include "sw/mad/mad.h"

namespace lanecut {

class PacketLedger : public HcaObserver {
 public:
  enum class Fate { kWaiting, kOnTheWay, kDelivered, kDropped };
  using Flow = std::pair<int, int>;  // source, and which of the nodes, which have up to four LIDs

  void OnGenerated(int, const HcaPacket& packet) override {
    EXPECT_TRUE(fates.emplace(packet.id, Fate::kWaiting).second);
  }
  void OnSourceDrop(int, const HcaPacket& packet, DropReason reason, Cycle) override {
    Move(packet.id, Fate::kWaiting, Fate::kDropped);
    ++drops[static_cast<std::size_t>(reason)];
  }
  void OnInjected(int hca, const HcaPacket& packet) override {
    if (packet.kind == PacketKind::kData)
      awaited[{hca, packet.dlid / 4}].push_back(packet.generated);
    ++kinds[static_cast<std::size_t>(packet.kind)];
    Move(packet.id, Fate::kWaiting, Fate::kOnTheWay);
    injected[packet.id] = packet.injected;
  }
  void OnCutShort(int, const HcaPacket& packet, Cycle) override {
    Move(packet.id, Fate::kOnTheWay, Fate::kDropped);
    ++drops[static_cast<std::size_t>(DropReason::kLinkCut)];
  }
  void OnDelivered(int, const HcaPacket& packet) override {
    Move(packet.id, Fate::kOnTheWay, Fate::kDelivered);
    if (packet.kind != PacketKind::kAck) {
      EXPECT_EQ(packet.injected, injected[packet.id]);
    }
    discarded += packet.discarded ? 1 : 0;
    delivered.push_back(packet);
  }
  void OnReceiveDrop(int, std::uint64_t id, DropReason reason, Cycle) override {
    refused.push_back(id);
    ++refusals[static_cast<std::size_t>(reason)];
  }
  void OnOrderError(int, const HcaPacket&) override { ++order_errors; }
  void OnPathChange(int, const PathTable::Change&, Cycle) override { ++path_changes; }
  // Every message once, in the order in which they were first sent.
  void OnMessage(int, const HcaMessage& message, Cycle) override {
    const Flow key{message.source, message.dlid / 4};
    std::deque<Cycle>& flow = awaited[key];
    EXPECT_EQ(message.number, next_number[key]++);
    ASSERT_FALSE(flow.empty());
    EXPECT_EQ(flow.front(), message.generated);
    flow.pop_front();
    ++messages;
  }

  struct Token {
    int hca;
    int vl;
    int number;
    friend bool operator==(const Token&, const Token&) = default;
  };
  void OnTokenSent(int hca, int vl, std::uint8_t number, Cycle) override {
    tokens_sent.push_back({hca, vl, number});
  }
  void OnTokenPassed(int hca, int vl, std::uint8_t number, Cycle) override {
    tokens_passed.push_back({hca, vl, number});
  }
  void OnStalePacket(int, const HcaPacket& packet, std::uint8_t passed) override {
    EXPECT_EQ(fates[packet.id], Fate::kOnTheWay);
    stale.push_back(packet.id);
    stale_after = passed;
  }

  std::size_t Awaited() const {
    std::size_t count = 0;
    for (const auto& [flow, cycles] : awaited) count += cycles.size();
    return count;
  }
  int Kind(PacketKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }

  int Count(Fate fate) const {
    int count = 0;
    for (const auto& [id, f] : fates) count += f == fate ? 1 : 0;
    return count;
  }
  int Drops(DropReason reason) const { return drops[static_cast<std::size_t>(reason)]; }
  int Refusals(DropReason reason) const { return refusals[static_cast<std::size_t>(reason)]; }

  std::map<std::uint64_t, Fate> fates;
  std::map<std::uint64_t, Cycle> injected;
  std::vector<HcaPacket> delivered;
  std::vector<std::uint64_t> refused;
  std::array<int, kDropReasons> drops{};
  std::array<int, kDropReasons> refusals{};
  std::vector<Token> tokens_sent;
  std::vector<Token> tokens_passed;
  std::vector<std::uint64_t> stale;
  int stale_after = -1;
  int order_errors = 0;
  int path_changes = 0;
  int discarded = 0;
  int messages = 0;
  std::array<int, 3> kinds{};                 // injected, by PacketKind
  std::map<Flow, std::deque<Cycle>> awaited;  // injected once or more, not yet handed on
  std::map<Flow, std::uint64_t> next_number;

 private:
  void Move(std::uint64_t id, Fate from, Fate to) {
    EXPECT_EQ(fates[id], from) << "packet " << std::hex << id;
    fates[id] = to;
  }
};

struct HcaPair {
  static constexpr std::uint16_t kLid[2] = {4, 8};

  explicit HcaPair(int fly = 5, HcaConfig config = {}) : link(0, fly) {
    for (int i = 0; i < 2; ++i) {
      config.index = i;
      config.node_guid = 0x4c43000000020000 + static_cast<std::uint64_t>(i);
      config.name = i == 0 ? "H0" : "H1";
      nodes.emplace_back(config, &ledger);
    }
    for (int i = 0; i < 2; ++i) nodes[static_cast<std::size_t>(i)].Connect(&link, i);
    a().SetMadHandler([this](const MadBytes& mad, std::uint16_t, Cycle t) {
      answers.push_back({mad});
      answer_cycle = t;
    });
  }

  Hca& a() { return nodes[0]; }
  Hca& b() { return nodes[1]; }

  void Step() {
    a().Step(now);
    b().Step(now);
    ++now;
  }
  void Run(Cycle cycles) {
    for (Cycle end = now + cycles; now < end;) Step();
  }

  // Sends an SMP from node a, to itself (0 hops) or to b (1 hop), and waits for the answer.
  ib::Mad Ask(int hops, ib::Mad mad) {
    mad.set_hop_count(static_cast<std::uint8_t>(hops));
    mad.set_initial_path(1, 1);
    answers.clear();
    EXPECT_TRUE(a().SendMad(mad.bytes));
    for (int i = 0; i < 1000 && answers.empty(); ++i) Step();
    EXPECT_EQ(answers.size(), 1U);
    return answers.empty() ? ib::Mad{} : answers.front();
  }
  ib::Mad Get(int hops, ib::MadAttribute attribute, std::uint32_t modifier = 0) {
    return Ask(hops,
               ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet, attribute, modifier));
  }
  template <typename Attribute>
  ib::Mad Set(int hops, ib::MadAttribute attribute, const Attribute& value,
              std::uint32_t modifier = 0) {
    ib::Mad mad =
        ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kSet, attribute, modifier);
    value.Encode(&mad);
    return Ask(hops, mad);
  }
  ib::MadStatus SetState(int node, ib::PortState state) {
    ib::PortInfo info = ib::PortInfo::Decode(Get(node, ib::MadAttribute::kPortInfo));
    info.lid = kLid[node];
    info.port_state = state;
    return static_cast<ib::MadStatus>(Set(node, ib::MadAttribute::kPortInfo, info).status());
  }
  void BringUp() {
    Run(20);
    for (const ib::PortState state : {ib::PortState::kArmed, ib::PortState::kActive}) {
      for (const int node : {1, 0}) ASSERT_EQ(SetState(node, state), ib::MadStatus::kOk);
    }
  }

  Link link;
  PacketLedger ledger;
  std::vector<Hca> nodes;
  Cycle now = 1;
  std::vector<ib::Mad> answers;
  Cycle answer_cycle = 0;
};

}  // namespace lanecut
