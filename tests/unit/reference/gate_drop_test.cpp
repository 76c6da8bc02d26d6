// SPDX-License-Identifier: Apache-2.0
//
// Which packets the drops at the heads of input queues mean: a switch that crosses, drops and sends
// at random, and a tracker that sees arrivals, pulses and departures only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <set>
#include <vector>

#include "models/reference/switch_tracker.h"

namespace lanecut::reference {
namespace {

constexpr int kPorts = 3;
constexpr int kVls = 2;
constexpr int kBlocks = 4;
constexpr int kWords = 7;

class RandomSwitch {
 public:
  explicit RandomSwitch(unsigned seed)
      : random_(seed),
        tracker_(&pool_, kPorts, kVls, kBlocks, [this](PacketIndex i, DropReason reason) {
          EXPECT_EQ(reason, DropReason::kEpoch);
          EXPECT_TRUE(seen_.insert(pool_[i].words[2]).second);
        }) {}

  void Run(int steps) {
    for (int step = 0; step < steps && !::testing::Test::HasFailure(); ++step) {
      const int port = 1 + Below(kPorts);
      const int vl = Below(kVls);
      switch (Below(6)) {
        case 0:
        case 1:
          Arrive(port, vl);
          break;
        case 2:
          CrossHead(port, vl);
          break;
        case 3:
          DropHead(port, vl);
          break;
        case 4:
          Send(port, vl);
          break;
        default:
          EXPECT_TRUE(tracker_.Freed(port, vl, Input(port, vl).blocks, 1));
          break;
      }
    }
    Drain();
  }

 private:
  struct Packet {
    std::uint32_t id;
    int blocks;
    int out_port;
    int out_vl;
    bool may_drop;
  };
  struct Queue {
    std::deque<Packet> packets;
    int blocks = 0;

    void Push(const Packet& packet) {
      packets.push_back(packet);
      blocks += packet.blocks;
    }
    Packet Pop() {
      const Packet packet = packets.front();
      packets.pop_front();
      blocks -= packet.blocks;
      return packet;
    }
  };

  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Queue& Input(int port, int vl) { return inputs_[port - 1][vl]; }
  Queue& Output(int port, int vl) { return outputs_[port - 1][vl]; }

  void Arrive(int port, int vl) {
    const Packet packet{next_id_++, 1 + Below(2), 1 + Below(kPorts), Below(kVls), Below(2) == 0};
    if (Input(port, vl).blocks + packet.blocks > kBlocks) return;
    const PacketIndex i = pool_.Make();
    HopPacket& p = pool_[i];
    p.words[2] = packet.id;
    p.got_words = kWords;
    p.got_start = next_id_;
    p.blocks = static_cast<std::uint16_t>(packet.blocks);
    p.prediction.Add({static_cast<std::uint8_t>(packet.out_port),
                      static_cast<std::uint8_t>(packet.out_vl), DropReason::kNone});
    tracker_.Link(i, port, vl);
    pool_.Release(i);
    if (packet.may_drop) may_drop_.insert(packet.id);
    Input(port, vl).Push(packet);
  }

  void CrossHead(int port, int vl) {
    Queue& input = Input(port, vl);
    if (input.packets.empty()) return;
    const Packet& head = input.packets.front();
    Queue& output = Output(head.out_port, head.out_vl);
    if (output.blocks + head.blocks <= kBlocks) output.Push(input.Pop());
  }

  void DropHead(int port, int vl) {
    Queue& input = Input(port, vl);
    if (input.packets.empty() || !input.packets.front().may_drop) return;
    dropped_.insert(input.Pop().id);
    EXPECT_TRUE(tracker_.GateDrop(port, vl, DropReason::kEpoch, [this](PacketIndex i) {
      return may_drop_.contains(pool_[i].words[2]);
    }));
  }

  void Send(int port, int vl) {
    Queue& output = Output(port, vl);
    if (output.packets.empty()) return;
    const Packet packet = output.Pop();
    const std::uint32_t words[kWords] = {0, 0, packet.id, 0, 0, 0, 0};
    const PacketIndex i = tracker_.FindLeaving(port, vl, words, kWords, false);
    ASSERT_NE(i, kNoPacket) << packet.id;
    EXPECT_EQ(pool_[i].words[2], packet.id);
    EXPECT_TRUE(tracker_.Leave(i));
    EXPECT_EQ(tracker_.missing_drop(), kNoPacket);
  }

  void Drain() {
    for (int round = 0; round < 100; ++round) {
      for (int port = 1; port <= kPorts; ++port) {
        for (int vl = 0; vl < kVls; ++vl) {
          CrossHead(port, vl);
          Send(port, vl);
        }
      }
    }
    EXPECT_EQ(tracker_.unresolved_gate(DropReason::kEpoch), 0);
    EXPECT_EQ(seen_, dropped_);
    EXPECT_FALSE(dropped_.empty());
    for (int port = 1; port <= kPorts; ++port) {
      for (int vl = 0; vl < kVls; ++vl) EXPECT_EQ(tracker_.First(port, vl), kNoPacket);
    }
  }

  std::mt19937 random_;
  PacketPool pool_;
  SwitchTracker tracker_;
  Queue inputs_[kPorts][kVls];
  Queue outputs_[kPorts][kVls];
  std::uint32_t next_id_ = 1;
  std::set<std::uint32_t> may_drop_, dropped_, seen_;
};

TEST(GateDrop, EachDropIsAttributedToItsPacket) {
  for (unsigned seed = 1; seed <= 200 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    RandomSwitch(seed).Run(2000);
  }
}

}  // namespace
}  // namespace lanecut::reference
