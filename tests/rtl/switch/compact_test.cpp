// SPDX-License-Identifier: Apache-2.0
//
// Compact management packets on their way through a switch: latency, rate, path, and what has none.
#include "sw/wire/compact.h"

#include <random>

#include "tests/rtl/switch/scheme_bench.h"

namespace lanecut::test {
namespace {

constexpr int kFirstWord = 5;  // of the path

std::vector<Word> Wire(const Packet& packet) {
  std::vector<Word> wire;
  BuildWire(packet, &wire);
  return wire;
}

class CompactTest : public SchemeTest {
 protected:
  // At hop `hop` of a path of `words` words, to leave by `port`.
  static Packet Request(int hop, int port, int words = 3, int data = 3) {
    CompactPacket compact{.hop_pointer = static_cast<std::uint8_t>(hop),
                          .number = 0x123456,
                          .path = {},
                          .attribute = 0xFF02,
                          .method = 2,
                          .data = std::vector<std::uint32_t>(static_cast<std::size_t>(data), 7)};
    for (int i = 0; i < words * kEntriesPerWord; ++i) {
      compact.path.push_back(static_cast<std::uint8_t>(1 + i % 14));
    }
    if (hop < words * kEntriesPerWord) {
      compact.path[static_cast<std::size_t>(hop)] = static_cast<std::uint8_t>(port);
    }
    Packet packet;
    BuildCompactPacket(compact, &packet);
    return packet;
  }
  static Packet Answer(int hop, int port, int words = 3) {
    Packet packet = Request(hop - 1, port, words);
    packet.words[2] |= std::uint32_t{kCompactAnswer} << 24;
    packet.words[3] = (packet.words[3] & 0xFFFFFF) | static_cast<std::uint32_t>(hop) << 24;
    SealIcrc(&packet);
    return packet;
  }
  // As it must leave: by hand, not by the rules that the model has.
  static std::vector<std::uint32_t> Stepped(const Packet& packet, int hop, int in) {
    std::vector<std::uint32_t> words = packet.words;
    if ((words[2] >> 29 & 1) != 0) {
      words[3] -= 1U << 24;
      return words;
    }
    words[3] += 1U << 24;
    std::uint32_t& entry = words[static_cast<std::size_t>(kFirstWord + hop / 8)];
    const int shift = 28 - 4 * (hop % 8);
    entry = (entry & ~(0xFU << shift)) | static_cast<std::uint32_t>(in) << shift;
    return words;
  }
  // Sends it in by `in`; expects it to leave by `out`, so many cycles later.
  void Expect(const Packet& packet, int hop, int in, int out, Cycle latency) {
    for (int p = 1; p <= kPorts; ++p) bench_.At(p).packets.clear();
    bench_.tick_every = 0;  // a flow-control packet would go first
    Cycle start = 0;
    bench_.hook = [&](int port, Cycle now, Word& word) {
      if (port == in && word.ctrl == Ctrl::kStartData) start = now;
    };
    bench_.At(in).Send(Wire(packet));
    bench_.Run(200);
    bench_.hook = nullptr;
    ASSERT_EQ(bench_.At(out).packets.size(), 1U) << "hop " << hop << ", " << in << " to " << out;
    const Received& got = bench_.At(out).packets[0];
    EXPECT_TRUE(got.good);
    EXPECT_EQ(got.head - start, latency);
    EXPECT_EQ(std::vector(got.words.begin(), got.words.end() - 1), Stepped(packet, hop, in));
    EXPECT_TRUE(IcrcOk(std::span(got.words.data(), got.words.size() - 1)));
  }
};

TEST_F(CompactTest, CutsThroughAsSoonAsItsPathIsKnown) {
  for (const int words : {1, 3, 8}) {
    for (int hop = 0; hop < words * 8; ++hop) {
      const int in = 1 + hop % kPorts;
      const int out = 1 + (hop + 2) % kPorts;
      const auto latency = static_cast<Cycle>(10 + hop / 8);
      Expect(Request(hop, out, words), hop, in, out, latency);
      Expect(Answer(hop + 1, out, words), hop, in, out, latency);
    }
  }
}

TEST_F(CompactTest, EveryPortToEveryPort) {
  for (int in = 1; in <= kPorts; ++in) {
    for (int out = 1; out <= kPorts; ++out) {
      Expect(Request(2, out), 2, in, out, 10);
      Expect(Answer(3, out), 2, in, out, 10);
    }
  }
}

TEST_F(CompactTest, BackToBackAtLinkRateInBothDirections) {
  const int count = 60;
  const Packet request = Request(2, 3, 3, 34);  // a table
  const Packet answer = Answer(4, 1);
  for (int i = 0; i < count; ++i) {
    bench_.At(1).Send(Wire(request));
    bench_.At(3).Send(Wire(answer));
  }
  bench_.Run(count * 60);
  for (const auto& [port, packet] : {std::pair{3, &request}, std::pair{1, &answer}}) {
    const std::vector<Received>& got = bench_.At(port).packets;
    ASSERT_EQ(got.size(), static_cast<std::size_t>(count));
    // Flow control of the data lanes may go between two of them.
    const auto words = static_cast<Cycle>((count - 1) * packet->WireWords());
    EXPECT_LE(got.back().head - got.front().head, words + 8);
  }
}

TEST_F(CompactTest, WhatHasArrivedAndWhatIsFloodedGoesToTheAgent) {
  Expect(Request(2, 4), 2, 1, 4, 10);
  const std::uint32_t before = bench_.AgentPackets(0);
  for (const int hop : {0, 9, 23}) bench_.At(2).Send(Wire(Request(hop, 0)));
  CompactPacket flood{.kind = CompactKind::kFlood, .path = {}, .method = 2, .data = {1}};
  Packet packet;
  BuildCompactPacket(flood, &packet);
  bench_.At(2).Send(Wire(packet));
  bench_.Run(200);
  EXPECT_EQ(bench_.AgentPackets(0) - before, 4U);
  EXPECT_EQ(bench_.AgentPackets(1), 0U);
  EXPECT_EQ(bench_.AgentLastPort(), 2U);
}

TEST_F(CompactTest, WithoutAWayItIsDroppedAndCounted) {
  std::vector<Packet> lost = {Request(2, kPorts + 1), Request(2, 15), Request(24, 1),
                              Request(200, 1),        Answer(3, 0),   Answer(3, 9)};
  Packet before_the_path = Answer(1, 1);
  before_the_path.words[3] &= 0xFFFFFF;  // hop pointer 0
  SealIcrc(&before_the_path);
  lost.push_back(before_the_path);
  for (const Packet& packet : lost) bench_.At(1).Send(Wire(packet));
  bench_.Run(400);
  EXPECT_EQ(DropsOf(DropReason::kUnreachable), static_cast<int>(lost.size()));
  for (int p = 1; p <= kPorts; ++p) EXPECT_TRUE(bench_.At(p).packets.empty());
  EXPECT_EQ(bench_.AgentPackets(0), 0U);
}

TEST_F(CompactTest, ADamagedOneEndsBadOrVanishesAndTheNextPasses) {
  const Packet good = Request(2, 3);
  for (int cut = 1; cut < good.WireWords(); ++cut) {
    std::vector<Word> wire = Wire(good);
    wire.resize(static_cast<std::size_t>(cut));
    bench_.At(1).Send(wire);
    bench_.Run(40);
  }
  std::vector<Word> corrupt = Wire(good);
  corrupt[9].data ^= 4;
  bench_.At(1).Send(corrupt);
  bench_.Run(60);
  for (const Received& packet : bench_.At(3).packets) EXPECT_FALSE(packet.good);
  Expect(good, 2, 1, 3, 10);
}

TEST_F(CompactTest, BetweenDataAndSmpsOfAllKinds) {
  std::mt19937 random(5);
  bench_.SetScheme(kOsr);
  std::array<std::vector<std::vector<std::uint32_t>>, kPorts + 1> expected;
  int smps = 0;
  for (int i = 0; i < 400; ++i) {
    const int kind = static_cast<int>(random() % 4);
    const int out = 1 + static_cast<int>(random() % kPorts);
    const int hop = 1 + static_cast<int>(random() % 22);
    if (kind == 0) {
      bench_.At(1).Send(Numbered(0, static_cast<int>(random() % 2), out, 1000 + i));
    } else if (kind == 1) {
      Packet smp;
      BuildSmpPacket({}, &smp);
      bench_.At(1).Send(Wire(smp));
      ++smps;
    } else {
      Packet packet = kind == 2 ? Request(hop, out) : Answer(hop + 1, out);
      packet.words[4] = static_cast<std::uint32_t>(i);
      SealIcrc(&packet);
      bench_.At(1).Send(Wire(packet));
      expected[static_cast<std::size_t>(out)].push_back(Stepped(packet, hop, 1));
    }
  }
  bench_.Run(30'000);
  EXPECT_EQ(bench_.AgentPackets(0) + bench_.AgentPackets(1), static_cast<std::uint32_t>(smps));
  for (int p = 1; p <= kPorts; ++p) {
    std::vector<std::vector<std::uint32_t>> got;
    for (const Received& packet : bench_.At(p).packets) {
      if (packet.vl() == kVl15) got.emplace_back(packet.words.begin(), packet.words.end() - 1);
    }
    EXPECT_EQ(got, expected[static_cast<std::size_t>(p)]) << p;
  }
}

}  // namespace
}  // namespace lanecut::test
