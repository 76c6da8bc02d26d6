// SPDX-License-Identifier: Apache-2.0
//
// The directed route: steps, ends, bad routes, bad packets, and the pace at which packets pass.
#include <cstdint>
#include <functional>
#include <vector>

#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

template <typename Kind>
class RelayTest : public AgentTest<Kind> {
 protected:
  static constexpr int kPorts = Kind::kPorts;

  // A request on its way: at hop `hop` of `count`, to leave at `egress`.
  static Smp Outbound(int hop, int count, int egress) {
    Smp smp;
    smp.hop_pointer = static_cast<uint8_t>(hop);
    smp.hop_count = static_cast<uint8_t>(count);
    smp.data.fill(0xA5C3F00D);
    for (int i = 1; i <= 63; ++i) smp.initial_path.push_back(static_cast<uint8_t>(0x80 + i));
    if (hop < 63) smp.initial_path[hop] = static_cast<uint8_t>(egress);  // index hop + 1
    for (int i = 1; i <= 63; ++i) smp.return_path.push_back(static_cast<uint8_t>(0xC0 + i));
    return smp;
  }

  // A response on its way back: about to be sent out of return path index hop - 1.
  static Smp Returning(int hop, int count, int egress) {
    Smp smp = Outbound(63, count, 0);
    smp.hop_pointer = static_cast<uint8_t>(hop);
    smp.method = kGetResp;
    smp.status = 0x8000;
    if (hop >= 2 && hop <= 64) smp.return_path[hop - 2] = static_cast<uint8_t>(egress);
    return smp;
  }

  static Words Relayed(Smp smp, int ingress) {
    if ((smp.status & 0x8000) == 0) {
      smp.return_path[smp.hop_pointer - 1] = static_cast<uint8_t>(ingress);
      ++smp.hop_pointer;
    } else {
      --smp.hop_pointer;
    }
    return Build(smp);
  }

  // Sends to an engine and expects exactly this.
  void Expect(int engine, const Words& sent, int ingress, const Words& expected, int egress) {
    this->bench_.departures[engine].clear();
    this->bench_.Send(engine, {.words = sent, .port = ingress});
    ASSERT_TRUE(this->bench_.Drain());
    ASSERT_EQ(this->bench_.departures[engine].size(), 1u);
    EXPECT_EQ(this->bench_.departures[engine][0].port, egress);
    EXPECT_EQ(this->bench_.departures[engine][0].words, expected);
  }

  void ExpectDropped(int engine, const Words& sent, int ingress = 1) {
    this->bench_.departures[engine].clear();
    this->bench_.Send(engine, {.words = sent, .port = ingress});
    ASSERT_TRUE(this->bench_.Drain());
    EXPECT_TRUE(this->bench_.departures[engine].empty());
  }

  // Offers `count` packets back to back and returns the cycles from the first word out to the last
  // end word.
  uint64_t Pace(int engine, int count, const Words& words) {
    for (int i = 0; i < count; ++i) this->bench_.Send(engine, {.words = words, .port = 2});
    EXPECT_TRUE(this->bench_.Drain());
    const auto& out = this->bench_.departures[engine];
    EXPECT_EQ(out.size(), static_cast<size_t>(count));
    return out.empty() ? 0 : out.back().end_cycle - out.front().first_cycle + 1;
  }
};
TYPED_TEST_SUITE(RelayTest, Kinds);

TYPED_TEST(RelayTest, OutboundStepsAtEveryHop) {
  for (int hop = 1; hop <= 62; ++hop) {
    const int ingress = 1 + hop % this->kPorts;
    const int egress = 1 + (hop * 5 + 2) % this->kPorts;
    const Smp smp = this->Outbound(hop, 63, egress);
    this->Expect(0, Build(smp), ingress, this->Relayed(smp, ingress), egress);
  }
}

TYPED_TEST(RelayTest, ReturningStepsAtEveryHop) {
  for (int hop = 2; hop <= 63; ++hop) {
    const int egress = 1 + (hop * 3 + 1) % this->kPorts;
    const Smp smp = this->Returning(hop, 63, egress);
    this->Expect(1, Build(smp), 1, this->Relayed(smp, 1), egress);
  }
}

TYPED_TEST(RelayTest, TurnsRoundWhereTheRouteEnds) {
  for (int hop = 1; hop <= 63; ++hop) {
    Smp smp = this->Outbound(hop, hop, 0);
    smp.attribute = 0x0010;
    const int ingress = 1 + hop % this->kPorts;
    Smp expected = smp;
    expected.method = kGetResp;
    expected.status = 0x8000;
    expected.data = {0x53335F34};
    expected.return_path[hop - 1] = static_cast<uint8_t>(ingress);
    this->Expect(0, Build(smp), ingress, Build(expected), ingress);
  }
}

TYPED_TEST(RelayTest, EveryPortToEveryPort) {
  for (int in = 1; in <= this->kPorts; ++in) {
    for (int out = 1; out <= this->kPorts; ++out) {
      const Smp go = this->Outbound(2, 4, out);
      this->Expect(0, Build(go), in, this->Relayed(go, in), out);
      const Smp back = this->Returning(3, 4, out);
      this->Expect(1, Build(back), in, this->Relayed(back, in), out);
    }
  }
}

TYPED_TEST(RelayTest, OtherMethodsAndVersionsPassUntouched) {
  Smp smp = this->Outbound(3, 9, 2);
  smp.method = kTrapRepress;
  smp.attribute = 0xBEEF;
  Words sent = Build(smp);
  Words expected = this->Relayed(smp, 1);
  for (Words* words : {&sent, &expected}) {
    (*words)[kMad] = (*words)[kMad] | 0x07000300;
    SealIcrc(*words);
  }
  this->Expect(0, sent, 1, expected, 2);
}

TYPED_TEST(RelayTest, BadRoutesAreDropped) {
  const int beyond = this->kPorts + 1;
  for (const int egress : {0, beyond, 0x11, 0x82, 0xFF}) {
    this->ExpectDropped(0, Build(this->Outbound(2, 5, egress)));
    this->ExpectDropped(1, Build(this->Returning(3, 5, egress)));
  }
  // Hop pointer 0 of a longer route; past the end; a count beyond the path.
  this->ExpectDropped(0, Build(this->Outbound(0, 5, 2)));
  this->ExpectDropped(0, Build(this->Outbound(6, 5, 2)));
  this->ExpectDropped(0, Build(this->Outbound(7, 5, 2)));
  this->ExpectDropped(0, Build(this->Outbound(2, 64, 2)));
  this->ExpectDropped(0, Build(this->Outbound(2, 255, 2)));
  Smp smp = this->Outbound(5, 5, 2);
  smp.hop_pointer = smp.hop_count = 64;
  this->ExpectDropped(0, Build(smp));
  smp.hop_pointer = 5 + 64;
  smp.hop_count = 5;
  this->ExpectDropped(0, Build(smp));
  this->ExpectDropped(1, Build(this->Returning(6, 5, 2)));
  this->ExpectDropped(1, Build(this->Returning(2, 64, 2)));
  smp = this->Returning(3, 5, 2);
  smp.hop_pointer = 3 + 64;
  this->ExpectDropped(1, Build(smp));
  // A part by LID.
  smp = this->Outbound(2, 5, 2);
  smp.dr_lids = 0xFFFF0001;
  this->ExpectDropped(0, Build(smp));
}

TYPED_TEST(RelayTest, WhatEndsHereButIsNoRequestIsDropped) {
  for (const int hop : {0, 1}) this->ExpectDropped(1, Build(this->Returning(hop, 5, 2)));
  Smp smp = this->Outbound(5, 5, 2);
  for (const uint8_t method : {0x00, 0x03, 0x05, 0x06, 0x12, 0x81, 0x82}) {
    smp.method = method;
    this->ExpectDropped(0, Build(smp));
  }
  smp.method = kGet;
  this->ExpectDropped(1, Build(smp));
  smp.mgmt_class = kClassLid;
  smp.method = kGetResp;
  this->ExpectDropped(0, Build(smp));
  smp.method = kGet;
  smp.mgmt_class = 0x04;
  this->ExpectDropped(0, Build(smp));
}

// What is relayed goes to the output queue of a Down port, which discards it and reports so; an
// answer is not made.
TYPED_TEST(RelayTest, DownPortsGetNoAnswersAndDiscardWhatIsRelayed) {
  this->bench_.SetPortState(2, 1);
  const Smp smp = this->Outbound(2, 5, 2);
  this->Expect(0, Build(smp), 1, this->Relayed(smp, 1), 2);
  this->ExpectDropped(0, Build(this->Outbound(5, 5, 2)), 2);
}

TYPED_TEST(RelayTest, BadPacketsAreDroppedAndTheNextIsServed) {
  const Smp good = this->Outbound(2, 5, 3);
  const Words intact = Build(good);
  const std::vector<std::function<void(Arrival&)>> damages = {
      [](Arrival& a) { a.bad = true; },
      [](Arrival& a) { a.words.clear(); },
      [](Arrival& a) { a.words.resize(1); },
      [](Arrival& a) { a.words.resize(40); },
      [](Arrival& a) { a.words.resize(71); },
      [](Arrival& a) { a.words.push_back(0); },
      [](Arrival& a) { a.words.resize(79); },
      [](Arrival& a) { a.words.resize(80); },
      [](Arrival& a) { a.words.resize(81); },
      [](Arrival& a) { a.words.resize(200); },
      [](Arrival& a) { a.words.resize(73 + 128); },
      [](Arrival& a) { a.words[71] ^= 1; },
      [](Arrival& a) { a.words[30] ^= 0x00800000; },
      [](Arrival& a) {
        a.words[0] ^= 0x00010000;
        SealIcrc(a.words);
      },  // LNH 3: GRH
      [](Arrival& a) {
        a.words[1] ^= 0x00010000;
        SealIcrc(a.words);
      },  // PktLen
      [](Arrival& a) {
        a.words[2] ^= 0x60000000;
        SealIcrc(a.words);
      },  // RC
      [](Arrival& a) {
        a.words[3] ^= 0x00000001;
        SealIcrc(a.words);
      },  // QP 1
      [](Arrival& a) { a.vl15 = false; },
  };
  for (int engine = 0; engine < 2; ++engine) {
    for (size_t i = 0; i < damages.size(); ++i) {
      Arrival arrival{.words = intact, .port = 1};
      damages[i](arrival);
      this->bench_.departures[engine].clear();
      this->bench_.Send(engine, arrival);
      this->bench_.Send(engine, {.words = intact, .port = 1});
      ASSERT_TRUE(this->bench_.Drain());
      ASSERT_EQ(this->bench_.departures[engine].size(), 1u) << "damage " << i;
      EXPECT_EQ(this->bench_.departures[engine][0].words, this->Relayed(good, 1)) << "damage " << i;
    }
  }
}

TYPED_TEST(RelayTest, WhatSwitchesMayChangeDoesNotSpoilTheIcrc) {
  const Smp smp = this->Outbound(2, 5, 3);
  Words words = Build(smp);
  words[0] &= 0x0FFFFFFF;  // LRH.VL
  words[1] |= 0xA8000000;  // bits beside PktLen
  words[3] |= 0x5A000000;  // BTH reserved byte
  Words expected = this->Relayed(smp, 1);
  expected[0] = words[0];
  expected[1] = words[1];
  expected[3] = words[3];
  this->Expect(0, words, 1, expected, 3);
}

TYPED_TEST(RelayTest, RelaysBackToBackAtLinkRate) {
  const int count = 40;
  EXPECT_EQ(this->Pace(0, count, Build(this->Outbound(2, 5, 3))), 73u * count);
  EXPECT_EQ(this->Pace(1, count, Build(this->Returning(3, 5, 3))), 73u * count);
}

TYPED_TEST(RelayTest, BothEnginesAtOnce) {
  const int count = 40;
  const Words back = Build(this->Returning(3, 5, 3));
  for (int i = 0; i < count; ++i) this->bench_.Send(1, {.words = back, .port = 4});
  EXPECT_EQ(this->Pace(0, count, Build(this->Outbound(2, 5, 3))), 73u * count);
  ASSERT_EQ(this->bench_.departures[1].size(), static_cast<size_t>(count));
  EXPECT_EQ(this->bench_.departures[1].back().end_cycle -
                this->bench_.departures[1].front().first_cycle + 1,
            73u * count);
}

TYPED_TEST(RelayTest, SlowGrantsCostOnlyThemselves) {
  // A grant that takes three cycles per packet still leaves the sender busy all the time.
  this->bench_.grant_rate = 64;
  const int count = 200;
  const uint64_t cycles = this->Pace(0, count, Build(this->Outbound(2, 5, 3)));
  EXPECT_LT(cycles, (73u + 6) * count);
}

TYPED_TEST(RelayTest, ThreePacketsWaitAndTheRestIsHeldBack) {
  this->bench_.blocked = true;
  const Smp smp = this->Outbound(2, 5, 3);
  for (int i = 0; i < 6; ++i) this->bench_.Send(0, {.words = Build(smp), .port = 1});
  this->bench_.Step(1000);
  EXPECT_EQ(this->bench_.dut().in_ready_o & 1, 0);
  this->bench_.blocked = false;
  ASSERT_TRUE(this->bench_.Drain());
  EXPECT_EQ(this->bench_.departures[0].size(), 6u);
}

// Everything mixed, with random pauses on both sides: each engine must give what it should, in
// order.
TYPED_TEST(RelayTest, RandomMixInOrder) {
  std::mt19937 random(7);
  const auto pick = [&](int count) {
    return static_cast<int>(random() % static_cast<uint32_t>(count));
  };
  for (const int rate : {256, 128, 16, 3}) {
    this->bench_.grant_rate = rate;
    this->bench_.deliver_rate = rate == 3 ? 256 : rate;
    std::array<std::vector<std::pair<int, Words>>, 2> expected;
    for (auto& departures : this->bench_.departures) departures.clear();
    for (int i = 0; i < 300; ++i) {
      const int ingress = 1 + pick(this->kPorts);
      const int egress = 1 + pick(this->kPorts);
      const int count = 3 + pick(60);
      const int kind = pick(6);
      const int engine = kind == 0 ? 1 : pick(6) == 0 ? 1 : 0;
      Smp smp = engine == 1 ? this->Returning(2 + pick(count - 1), count, egress)
                            : this->Outbound(1 + pick(count - 1), count, egress);
      for (uint32_t& word : smp.data) word = static_cast<uint32_t>(random());
      Arrival arrival{.words = Build(smp), .port = ingress};
      if (engine == 0 && kind == 1) {
        smp = this->Request(kGet, 0x0010);
        arrival.words = Build(smp);
        smp.method = kGetResp;
        smp.status = 0x8000;
        smp.return_path = {static_cast<uint8_t>(ingress)};
        smp.data = {0x53335F34};
        expected[0].emplace_back(ingress, Build(smp));
      } else if (engine == 0 && kind == 2) {
        Data block;
        for (uint32_t& word : block) word = static_cast<uint32_t>(random());
        smp = this->Request(kSet, 0x0019, 1, block);
        arrival.words = Build(smp);
        smp.method = kGetResp;
        smp.status = 0x8000;
        smp.return_path = {static_cast<uint8_t>(ingress)};
        expected[0].emplace_back(ingress, Build(smp));
      } else if (kind == 3) {
        arrival.words.resize(1 + pick(100));
        arrival.bad = true;
      } else if (kind == 4) {
        arrival.words.resize(14);
        arrival.vl15 = false;
      } else {
        expected[engine].emplace_back(egress, this->Relayed(smp, ingress));
      }
      this->bench_.Send(engine, arrival);
    }
    ASSERT_TRUE(this->bench_.Drain(1000000));
    for (int e = 0; e < 2; ++e) {
      ASSERT_EQ(this->bench_.departures[e].size(), expected[e].size());
      for (size_t i = 0; i < expected[e].size(); ++i) {
        EXPECT_EQ(this->bench_.departures[e][i].port, expected[e][i].first);
        EXPECT_EQ(this->bench_.departures[e][i].words, expected[e][i].second);
      }
    }
  }
}

}  // namespace
}  // namespace lanecut::mgmt_test
