// SPDX-License-Identifier: Apache-2.0
//
// A switch with all schemes, and packets that carry a routing-function number.
#pragma once

#include "Vswitch_schemes.h"
#include "Vswitch_schemes___024root.h"
#include "tests/rtl/switch/bench.h"

namespace lanecut::test {

inline constexpr int kPorts = 4;
inline constexpr int kPlain = 0;  // schemes
inline constexpr int kEbr = 1;
inline constexpr int kOsr = 2;
inline constexpr int kDouble = 3;
inline constexpr auto kDropEpoch = static_cast<DropReason>(12);
inline constexpr auto kDropStale = static_cast<DropReason>(13);
inline constexpr auto kDropNoFeeder = static_cast<DropReason>(14);

inline int Channel(int port, int vl) { return (port - 1) * 2 + vl; }

// On VL `vl` with the SL of the same number to LID 10 * `port`.
inline std::vector<Word> Numbered(int number, int vl, int port, std::uint64_t id,
                                  int payload = 32) {
  DataPacket data;
  data.id = id;
  data.vl = static_cast<std::uint8_t>(vl);
  data.sl = data.vl;
  data.dlid = static_cast<std::uint16_t>(10 * port);
  data.slid = 5;
  data.epoch = static_cast<std::uint8_t>(number);
  data.payload_bytes = payload;
  Packet packet;
  BuildDataPacket(data, &packet);
  std::vector<Word> wire;
  BuildWire(packet, &wire);
  return wire;
}

inline int NumberOf(const Received& packet) { return static_cast<int>(packet.words.at(1) >> 27); }

class SchemeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    bench_.LoadPlainTables();
    bench_.BringUp();
  }
  std::uint64_t IdOf(const Received& packet) { return PacketIdOf(packet.words); }
  int DropsOf(DropReason reason) {
    int count = 0;
    for (const Drop& drop : bench_.Drops()) count += drop.reason == reason;
    return count;
  }
  // What was discarded at output port 1 on VL 0 used none of its credits: as many packets go on as
  // the peer has room for, when it takes them again. `id` is that of the first one.
  void ExpectCreditsUnused(std::uint64_t id) {
    bench_.At(1).packets.clear();
    bench_.At(1).Block(0, false);
    for (std::uint64_t i = 0; i < 40; ++i) bench_.At(2).Send(Numbered(0, 0, 1, id + i));
    bench_.Run(2000);
    ASSERT_EQ(bench_.At(1).packets.size(), 40u);
    EXPECT_EQ(IdOf(bench_.At(1).packets[0]), id);
    for (const Received& packet : bench_.At(1).packets) EXPECT_TRUE(packet.good);
  }
  // Output port 1, VL 0: no credits, and its queue full of packets from an end node, which are
  // exempt.
  void StopOutput(int end_nodes = 1 << 2) {
    bench_.SetEndNodePorts(end_nodes);
    bench_.At(1).Block(0, true);
    for (int i = 0; i < 60; ++i) bench_.At(2).Send(Numbered(bench_.Epoch(), 0, 1, i));
    // Those from end nodes leave a quarter of the queue free; port 4 fills it with what is left.
    bench_.Run(2000);
    for (int i = 0; i < 4; ++i) bench_.At(4).Send(Numbered(bench_.Epoch(), 0, 1, 900 + i));
    bench_.Run(200);
  }

  SwitchBench<Vswitch_schemes, kPorts> bench_;
};

}  // namespace lanecut::test
