// SPDX-License-Identifier: Apache-2.0
//
// Compact requests at the agent: what they say, how they are answered, table updates, and what is
// refused or dropped.
#include "tests/rtl/mgmt/compact.h"

#include <cstdint>
#include <functional>
#include <vector>

#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kUpdate = 0xFF0A;
constexpr uint32_t kCommit = 1U << 31;
constexpr uint32_t kReady = 1U << 30;
constexpr uint32_t kActive = 1U << 29;
constexpr uint16_t kOk = 0;
constexpr uint16_t kBusy = 0x0001;
constexpr uint16_t kUnsupported = 0x000C;
constexpr uint16_t kInvalid = 0x001C;

template <typename Kind>
class CompactTest : public AgentTest<Kind> {
 protected:
  static Compact Get(uint16_t attribute, uint32_t modifier, int words) {
    Compact request;
    request.attribute = attribute;
    request.code = static_cast<uint16_t>(words << 8 | kGet);
    request.contents = {modifier};
    return request;
  }
  static Compact Set(uint16_t attribute, uint32_t modifier, std::vector<uint32_t> data) {
    Compact request;
    request.attribute = attribute;
    request.code = kSet;
    request.contents = std::move(data);
    request.contents.insert(request.contents.begin(), modifier);
    return request;
  }
  static Words Answer(const Compact& request, uint16_t status, std::vector<uint32_t> data = {}) {
    Compact answer = request;
    answer.opcode |= 0x20;
    --answer.hop;
    answer.code = status;
    answer.contents = std::move(data);
    return Build(answer);
  }
  void Expect(const Compact& request, uint16_t status, std::vector<uint32_t> data = {},
              int port = 1) {
    const Departure answer = this->bench_.Ask(Build(request), port);
    EXPECT_EQ(answer.port, port);
    EXPECT_EQ(answer.words, Answer(request, status, std::move(data)));
  }
  void ExpectDropped(const Words& words) {
    for (const int engine : {0, 1}) {
      this->bench_.departures[engine].clear();
      this->bench_.Send(engine, {.words = words, .port = 1});
      ASSERT_TRUE(this->bench_.Drain());
      EXPECT_TRUE(this->bench_.departures[engine].empty());
    }
  }
  // Entries of four LIDs as a word.
  static uint32_t Entries(uint32_t port) { return port * 0x01010101; }
  static uint32_t Piece(int first, int count) {
    return static_cast<uint32_t>(first) << 16 | static_cast<uint32_t>(count);
  }
};
TYPED_TEST_SUITE(CompactTest, Kinds);

TYPED_TEST(CompactTest, AGetIsAnsweredWithAsManyWordsAsWereWanted) {
  this->Expect(this->Get(0x0010, 0, 2), kOk, {0x53335F34, 0}, 2);
  this->Expect(this->Get(0x0010, 0, 1), kOk, {0x53335F34}, this->bench_.kPorts);
  this->Expect(this->Get(0x0010, 0, 0), kOk);
  std::vector<uint32_t> name(16);
  name[0] = 0x53335F34;
  this->Expect(this->Get(0x0010, 0, 16), kOk, name);
  this->Expect(this->Get(0x0010, 0, 200), kOk, name);
}

TYPED_TEST(CompactTest, AnswersEqualThoseOfSmpsForEveryAttribute) {
  for (const uint16_t attribute :
       {0x0010, 0x0011, 0x0012, 0x0015, 0x0017, 0x0019, 0xFF00, 0xFF02, 0xFF03, 0xFF04, 0xFF05,
        0xFF06, 0xFF07, 0xFF08, 0xFF09, 0xFF0B}) {
    const Departure smp = this->bench_.Ask(Build(this->Request(kGet, attribute, 1)));
    ASSERT_EQ(smp.words.size(), static_cast<size_t>(kSmpWords));
    const auto status = static_cast<uint16_t>(smp.words[kMad + 1] >> 16 & 0x7FFF);
    std::vector<uint32_t> data;
    if (status == 0) data.assign(smp.words.begin() + kData, smp.words.begin() + kData + 16);
    this->Expect(this->Get(attribute, 1, 16), status, data);
  }
}

TYPED_TEST(CompactTest, ASetIsAcknowledgedWithItsStatus) {
  this->Expect(this->Set(0xFF06, 0, {0x80000004}), kOk);
  EXPECT_EQ(this->bench_.dut().end_node_ports_o, 2);
  EXPECT_EQ(this->bench_.dut().transit_first_o, 1);
  Compact asks = this->Set(0xFF06, 0, {0x80000008});
  asks.code |= 1 << 8;  // with what it is now
  this->Expect(asks, kOk, {0x80000008});
  this->Expect(this->Set(0x0010, 0, {1}), kUnsupported);
  this->Expect(this->Set(0x0019, 0x10000, {1}), kInvalid);
  this->Expect(this->Set(0xFFEE, 0, {1}), kUnsupported);
}

// Shorter than a MAD's data: the words that are not there stay as they are. And longer: no more
// than a MAD's are taken.
TYPED_TEST(CompactTest, ASetWritesTheWordsThatItHas) {
  this->Expect(this->Set(0x0019, 0, {0x01020304, 0x05060708}), kOk);
  for (int lid = 0; lid < 8; ++lid) EXPECT_EQ(this->bench_.Lft(0, lid), lid + 1);
  EXPECT_EQ(this->bench_.Lft(0, 8), 0xFF);
  std::vector<uint32_t> words(40, this->Entries(4));
  for (int i = 0; i < 16; ++i) words[i] = this->Entries(3);
  this->Expect(this->Set(0x0019, 1, words), kOk);
  for (int lid = 64; lid < 128; ++lid) EXPECT_EQ(this->bench_.Lft(0, lid), 3);
  EXPECT_EQ(this->bench_.Lft(0, 128), 0xFF);
}

TYPED_TEST(CompactTest, SlToVlForAllPortsIsThereWhenTheAnswerComes) {
  this->Expect(this->Set(0xFF04, 0x30000, {0x11111111, 0x10101010}), kOk);
  for (int in = 0; in <= this->bench_.kPorts; ++in) {
    for (int out = 0; out <= this->bench_.kPorts; ++out) {
      EXPECT_EQ(this->bench_.SlToVl(1, in, out, 0), 0x11111111u);
      EXPECT_EQ(this->bench_.SlToVl(1, in, out, 1), 0x10101010u);
    }
  }
  // Nothing of it is still going on.
  this->Expect(this->Set(0xFF04, 0x0101, {0x22222222, 0x20202020}), kOk);
  EXPECT_EQ(this->bench_.SlToVl(1, 1, 1, 0), 0x22222222u);
}

TYPED_TEST(CompactTest, PathsOfEveryLength) {
  for (const int words : {1, 3, 4, 8}) {
    Compact request = this->Get(0x0010, 0, 1);
    request.opcode = static_cast<uint8_t>(0xC0 | words);
    request.path.assign(words, 0x12345678);
    request.hop = static_cast<uint8_t>(8 * words - 1);
    this->Expect(request, kOk, {0x53335F34});
  }
}

// ---- Table updates ----

TYPED_TEST(CompactTest, AnUpdateWritesPiecesOfAnyLengthAnywhere) {
  this->Expect(this->Set(kUpdate, kActive,
                         {this->Piece(4, 8), this->Entries(1), this->Entries(2),
                          this->Piece(128, 4), this->Entries(3)}),
               kOk);
  for (int lid = 0; lid < 256; ++lid) {
    const int expected = lid >= 4 && lid < 8       ? 1
                         : lid >= 8 && lid < 12    ? 2
                         : lid >= 128 && lid < 132 ? 3
                                                   : 0xFF;
    EXPECT_EQ(this->bench_.Lft(0, lid), expected) << lid;
    EXPECT_EQ(this->bench_.Lft(1, lid), 0xFF) << lid;
  }
}

TYPED_TEST(CompactTest, TheLongestUpdate) {
  std::vector<uint32_t> data = {this->Piece(8, 4 * 58)};
  for (int i = 0; i < 58; ++i) data.push_back(this->Entries(1 + i % 6));
  Compact request = this->Set(kUpdate, 0, data);
  this->Expect(request, kOk);
  for (int lid = 8; lid < 8 + 4 * 58; ++lid) {
    EXPECT_EQ(this->bench_.Lft(1, lid), 1 + (lid - 8) / 4 % 6);
  }
  EXPECT_EQ(this->bench_.Lft(1, 8 + 4 * 58), 0xFF);
  // The same behind the longest path.
  request.opcode = 0xC8;
  request.path.assign(8, 0);
  this->Expect(request, kOk);
  request.contents.push_back(0);
  this->ExpectDropped(Build(request));
}

TYPED_TEST(CompactTest, AnUpdateThatCommitsDoesSoOnce) {
  const Compact update = this->Set(kUpdate, kCommit | 3, {this->Piece(0, 4), this->Entries(2)});
  this->Expect(update, kOk);
  EXPECT_EQ(this->bench_.dut().bank_o, 1);
  EXPECT_EQ(this->bench_.dut().epoch_o, 3);
  EXPECT_EQ(this->bench_.Lft(1, 0), 2);
  this->Expect(update, kOk);  // its answer was lost
  EXPECT_EQ(this->bench_.dut().bank_o, 1);
  EXPECT_EQ(this->bench_.Lft(0, 0), 0xFF);
  this->Expect(this->Set(kUpdate, kCommit | 4, {this->Piece(0, 0)}), kOk);  // an empty one
  EXPECT_EQ(this->bench_.dut().bank_o, 0);
  EXPECT_EQ(this->bench_.dut().epoch_o, 4);
}

TYPED_TEST(CompactTest, BadUpdatesChangeNothing) {
  const int depth = TypeParam::kLftDepth;
  const std::vector<std::vector<uint32_t>> bad = {
      {this->Piece(2, 4), 0},  // not on a word
      {this->Piece(4, 3), 0},
      {this->Piece(4, 8), 0},  // cut short
      {this->Piece(4, 4)},
      {this->Piece(4, 4), 0, this->Piece(8, 4)},  // the second one
      {this->Piece(4, 4), 0, this->Piece(8, 6), 0, 0},
      {this->Piece(depth, 4), 0},  // beyond the table
      {this->Piece(depth - 4, 8), 0, 0},
      {this->Piece(0xFFFC, 0xFFFC), 0},
  };
  for (const auto& data : bad) {
    this->Expect(this->Set(kUpdate, kCommit | 1, data), kInvalid);
    EXPECT_EQ(this->bench_.dut().bank_o, 0);
    for (int lid = 0; lid < 16; ++lid) EXPECT_EQ(this->bench_.Lft(1, lid), 0xFF);
  }
  for (const uint32_t modifier : {kCommit | kReady, kCommit | kActive, kActive | 0x20u, 1u << 28}) {
    this->Expect(this->Set(kUpdate, modifier, {0}), kInvalid);
  }
  this->Expect(this->Get(kUpdate, 0, 1), kUnsupported);
  this->ExpectStatus(this->Request(kSet, kUpdate, kCommit | 1), kUnsupported);  // an SMP
  // After all that a good one.
  this->Expect(this->Set(kUpdate, 0, {this->Piece(4, 4), this->Entries(5)}), kOk);
  EXPECT_EQ(this->bench_.Lft(1, 4), 5);
}

using CompactOsrTest = CompactTest<WideKind>;

TEST_F(CompactOsrTest, AnUpdateAnnouncesTheNextFunction) {
  bench_.Ask(Build(Request(kSet, 0xFF07, 0, {2})));
  Expect(Set(kUpdate, kReady | 2, {0}), kBusy);
  EXPECT_EQ(bench_.dut().next_ready_o, 0);
  Expect(Set(kUpdate, kReady | 1, {Piece(0, 4), Entries(2)}), kOk);
  EXPECT_EQ(bench_.dut().next_ready_o, 1);
  // Nobody has started, so it may be replaced; then it may not, and has been carried out.
  Expect(Set(kUpdate, kReady | 1, {Piece(0, 4), Entries(3)}), kOk);
  EXPECT_EQ(bench_.Lft(1, 0), 3);
  bench_.dut().osr_change_i = 1;
  Expect(Set(kUpdate, kReady | 1, {Piece(0, 4), Entries(4)}), kOk);
  EXPECT_EQ(bench_.Lft(1, 0), 3);
  bench_.dut().osr_flip_i = 1;
  bench_.Step();
  bench_.dut().osr_change_i = bench_.dut().osr_flip_i = 0;
  EXPECT_EQ(bench_.dut().epoch_o, 1);
  Expect(Set(kUpdate, kReady | 1, {Piece(0, 4), Entries(5)}), kOk);
  EXPECT_EQ(bench_.dut().next_ready_o, 0);
  EXPECT_EQ(bench_.Lft(0, 0), 0xFF);
}

// Under Double Scheme the answer says where the switch stands.
TEST_F(CompactOsrTest, AnAnnouncementIsAnsweredWithTheStateOfTheDrain) {
  constexpr uint32_t kDraining = 1U << 31;
  constexpr uint32_t kNextReady = 1U << 29;
  constexpr uint32_t kVlIdle = 1U << 28;
  bench_.Ask(Build(Request(kSet, 0xFF07, 0, {3})));
  Compact update = Set(kUpdate, kReady | 1, {Piece(0, 4), Entries(2)});
  update.code |= 1 << 8;
  bench_.dut().restricted_i = 1;
  Expect(update, kBusy);  // the change before is not over
  EXPECT_EQ(bench_.Lft(1, 0), 0xFF);
  bench_.dut().restricted_i = 0;
  Expect(update, kOk, {kNextReady | 1});
  bench_.dut().draining_i = 1;
  bench_.dut().vl_idle_i = 1;
  Expect(update, kOk, {kDraining | kNextReady | kVlIdle | 1});
  EXPECT_EQ(bench_.Lft(1, 0), 2);
}

using CompactPlainTest = CompactTest<SmallKind>;

TEST_F(CompactPlainTest, WithoutTokensAndDrainsNoFunctionIsAnnounced) {
  Expect(Set(kUpdate, kReady | 1, {0}), kInvalid);
}

// ---- Bad packets ----

TYPED_TEST(CompactTest, BadPacketsAreDroppedAndTheNextIsServed) {
  const Compact good = this->Get(0x0010, 0, 1);
  const Words intact = Build(good);
  const std::vector<std::function<void(Arrival&)>> damages = {
      [](Arrival& a) { a.bad = true; },
      [](Arrival& a) { a.words.resize(3); },
      [](Arrival& a) { a.words.resize(6); },
      [](Arrival& a) { a.words.pop_back(); },
      [](Arrival& a) { a.words.push_back(0); },
      [](Arrival& a) { a.words.back() ^= 1; },
      [](Arrival& a) { a.words[8] ^= 0x00010000; },
      [](Arrival& a) { a.words[4] ^= 1; },
      [](Arrival& a) {
        a.words[0] ^= 0x00010000;
        SealCompact(a.words);
      },  // LNH 3: GRH
      [](Arrival& a) {
        a.words[1] ^= 0x00010000;
        SealCompact(a.words);
      },  // PktLen
      [](Arrival& a) {
        a.words[2] |= 0x20000000;
        SealCompact(a.words);
      },  // an answer
      [](Arrival& a) {
        a.words[2] |= 0x10000000;
        SealCompact(a.words);
      },  // a flooded Get
      [](Arrival& a) {
        a.words[2] |= 0x0F000000;
        SealCompact(a.words);
      },  // 15 words of path
      [](Arrival& a) {
        a.words[3] ^= 1;
        SealCompact(a.words);
      },  // QP 1
      [](Arrival& a) {
        a.words[8] = (a.words[8] & ~0xFFu) | kTrapRepress;
        SealCompact(a.words);
      },
      [](Arrival& a) { a.vl15 = false; },
  };
  for (size_t i = 0; i < damages.size(); ++i) {
    Arrival arrival{.words = intact, .port = 1};
    damages[i](arrival);
    this->bench_.departures[0].clear();
    this->bench_.Send(0, arrival);
    this->bench_.Send(0, {.words = intact, .port = 1});
    ASSERT_TRUE(this->bench_.Drain());
    ASSERT_EQ(this->bench_.departures[0].size(), 1u) << "damage " << i;
    EXPECT_EQ(this->bench_.departures[0][0].words, this->Answer(good, kOk, {0x53335F34}));
  }
}

TYPED_TEST(CompactTest, ASetWithoutDataIsDropped) {
  Compact empty = this->Set(0xFF06, 0, {});
  this->ExpectDropped(Build(empty));
  empty.contents.clear();
  this->ExpectDropped(Build(empty));
}

TYPED_TEST(CompactTest, WhatChangesOnTheWayDoesNotSpoilTheIcrc) {
  const Compact request = this->Get(0x0010, 0, 1);
  Words words = Build(request);
  words[0] &= 0x0FFFFFFF;                       // LRH.VL
  words[1] |= 0xA8000000;                       // bits beside PktLen
  words[3] = (words[3] & 0xFFFFFF) | 5U << 24;  // hop pointer
  words[5] ^= 0x0A0B0C0D;                       // path
  words[7] ^= 0x11111111;
  const Departure answer = this->bench_.Ask(words, 1);
  ASSERT_EQ(answer.words.size(), 11u);
  EXPECT_EQ(answer.words[3], 4U << 24);
  EXPECT_EQ(answer.words[5], words[5]);
  EXPECT_EQ(answer.words[9], 0x53335F34u);
  Words sealed = answer.words;
  SealCompact(sealed);
  EXPECT_EQ(answer.words, sealed);
}

TYPED_TEST(CompactTest, DownPortsGetNoAnswers) {
  this->bench_.SetPortState(2, 1);
  EXPECT_TRUE(this->bench_.Ask(Build(this->Get(0x0010, 0, 1)), 2).words.empty());
}

// Between SMPs, relayed and served, with pauses on both sides.
TYPED_TEST(CompactTest, RandomMixWithSmps) {
  std::mt19937 random(11);
  const auto pick = [&](int count) {
    return static_cast<int>(random() % static_cast<uint32_t>(count));
  };
  for (const int rate : {256, 64, 8}) {
    this->bench_.grant_rate = rate;
    this->bench_.deliver_rate = 256;
    this->bench_.departures[0].clear();
    std::vector<Words> expected;
    for (int i = 0; i < 300; ++i) {
      const int kind = pick(4);
      Words sent;
      if (kind == 0) {
        const Smp smp = this->Request(kGet, 0x0010);
        Smp answer = smp;
        answer.method = kGetResp;
        answer.status = 0x8000;
        answer.return_path = {1};
        answer.data = {0x53335F34};
        sent = Build(smp);
        expected.push_back(Build(answer));
      } else if (kind == 1) {
        Smp smp = this->Request(kGet, 0x0010);
        smp.hop_count = 2;
        smp.initial_path = {1, 2};
        sent = Build(smp);
        smp.hop_pointer = 2;
        smp.return_path = {1};
        expected.push_back(Build(smp));
      } else {
        Compact compact = this->Get(0x0010, 0, pick(17));
        if (kind == 3) compact = this->Set(0xFF06, 0, {static_cast<uint32_t>(random())});
        compact.number = random() & 0xFFFFFF;
        std::vector<uint32_t> data(kind == 3 ? 0 : compact.code >> 8);
        if (!data.empty()) data[0] = 0x53335F34;
        sent = Build(compact);
        expected.push_back(this->Answer(compact, kOk, data));
      }
      this->bench_.Send(0, {.words = sent, .port = 1});
    }
    ASSERT_TRUE(this->bench_.Drain(1000000));
    ASSERT_EQ(this->bench_.departures[0].size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(this->bench_.departures[0][i].words, expected[i]) << i;
    }
  }
}

}  // namespace
}  // namespace lanecut::mgmt_test
