// SPDX-License-Identifier: Apache-2.0
//
// M_Key: what is answered, dropped, counted and reported at each level of protection, and how long
// it is protected.
#include <cstdint>
#include <vector>

#include "tests/rtl/mgmt/compact.h"
#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kPortInfo = 0x0015;
constexpr uint16_t kNodeDesc = 0x0010;
constexpr uint64_t kKey = 0x0123456789ABCDEF;
constexpr uint16_t kOwnLid = 0x21;
constexpr uint16_t kManagerLid = 0x35;
constexpr int kManagerPort = 3;
constexpr int kTicksPerSecond1x = 15259;  // 1 s / (4096 x 16 ns), rounded up
constexpr int kTicksPerSecond4x = 61035;  // 1 s / (4096 x 4 ns), rounded down

template <typename Kind>
class MKeyTest : public AgentTest<Kind> {
 protected:
  // PortInfo of port 0 with this M_Key.
  static Data WithKey(uint64_t key, uint32_t protect, uint32_t lease = 0) {
    Data data{};
    data[0] = static_cast<uint32_t>(key >> 32);
    data[1] = static_cast<uint32_t>(key);
    data[4] = static_cast<uint32_t>(kOwnLid) << 16 | kManagerLid;
    data[6] = lease;
    data[8] = protect << 14;
    data[10] = 0xFF00;
    data[13] = 0x00880000;
    return data;
  }

  Smp Keyed(uint64_t key, uint8_t method, uint16_t attribute, const Data& data = {}) {
    Smp smp = this->Request(method, attribute, 0, data);
    smp.m_key = key;
    return smp;
  }

  Words AnswerTo(const Smp& smp) { return this->bench_.Ask(Build(smp)).words; }
  bool IsAnswered(const Smp& smp) { return AnswerTo(smp).size() == kSmpWords; }

  // `before` is the M_Key until now.
  void Protect(uint32_t protect, uint32_t lease = 0, uint64_t before = 0) {
    const Words words = AnswerTo(Keyed(before, kSet, kPortInfo, WithKey(kKey, protect, lease)));
    ASSERT_EQ(words.size(), static_cast<size_t>(kSmpWords));
    // Whoever has set it may know it.
    EXPECT_EQ(words[kData], static_cast<uint32_t>(kKey >> 32));
    EXPECT_EQ(words[kData + 1], static_cast<uint32_t>(kKey));
  }

  uint64_t KeyRead(uint64_t with) {
    const Words words = AnswerTo(Keyed(with, kGet, kPortInfo));
    EXPECT_EQ(words.size(), static_cast<size_t>(kSmpWords));
    return static_cast<uint64_t>(words.at(kData)) << 32 | words.at(kData + 1);
  }
  uint32_t Violations() { return AnswerTo(Keyed(kKey, kGet, kPortInfo)).at(kData + 11) >> 16; }
  uint32_t ProtectBits() { return AnswerTo(Keyed(kKey, kGet, kPortInfo)).at(kData + 8) >> 14 & 3; }

  void Ticks(int count) {
    for (int i = 0; i < count; ++i) this->bench_.Tick();
  }
};
TYPED_TEST_SUITE(MKeyTest, Kinds);

TYPED_TEST(MKeyTest, WithoutOneEveryKeyWillDo) {
  EXPECT_TRUE(this->IsAnswered(this->Keyed(kKey, kGet, kNodeDesc)));
  EXPECT_TRUE(this->IsAnswered(this->Keyed(7, kSet, kPortInfo, this->WithKey(0, 3))));
  EXPECT_TRUE(this->IsAnswered(this->Keyed(0, kGet, kNodeDesc)));
  EXPECT_EQ(this->Violations(), 0u);
}

TYPED_TEST(MKeyTest, ProtectionAsTheStandardHasIt) {
  this->Protect(0);
  for (const uint32_t protect : {0, 1, 2, 3}) {
    this->Protect(protect, 0, kKey);
    EXPECT_EQ(this->ProtectBits(), protect);
    for (const uint64_t wrong : {uint64_t{0}, kKey ^ 1, kKey ^ (uint64_t{1} << 63)}) {
      EXPECT_FALSE(this->IsAnswered(this->Keyed(wrong, kSet, 0x0014)));
      EXPECT_EQ(this->IsAnswered(this->Keyed(wrong, kGet, kNodeDesc)), protect < 2);
      if (protect < 2) {
        EXPECT_EQ(this->KeyRead(wrong), protect == 0 ? kKey : 0);
      }
    }
    EXPECT_TRUE(this->IsAnswered(this->Keyed(kKey, kSet, 0x0014)));
    EXPECT_TRUE(this->IsAnswered(this->Keyed(kKey, kGet, kNodeDesc)));
    EXPECT_EQ(this->KeyRead(kKey), kKey);
    EXPECT_EQ(this->Violations(), protect < 2 ? 3u : 6u) << "since the Set of PortInfo";
  }
}

TYPED_TEST(MKeyTest, ViolationsAreCountedUpToTheEnd) {
  Data full = this->WithKey(kKey, 2);
  full[11] = 0xFFFDABCD;
  ASSERT_TRUE(this->IsAnswered(this->Keyed(0, kSet, kPortInfo, full)));
  const std::vector<uint32_t> counts{0xFFFE, 0xFFFF, 0xFFFF};
  for (const uint32_t count : counts) {
    EXPECT_FALSE(this->IsAnswered(this->Keyed(1, kGet, kNodeDesc)));
    EXPECT_EQ(this->Violations(), count);
  }
}

TYPED_TEST(MKeyTest, DeniedSetsChangeNothing) {
  this->Protect(1);
  Data other = this->WithKey(5, 0);
  other[4] = 0x00770078;
  EXPECT_FALSE(this->IsAnswered(this->Keyed(5, kSet, kPortInfo, other)));
  EXPECT_EQ(this->KeyRead(kKey), kKey);
  EXPECT_EQ(this->AnswerTo(this->Keyed(kKey, kGet, kPortInfo)).at(kData + 4),
            static_cast<uint32_t>(kOwnLid) << 16 | kManagerLid);
}

TYPED_TEST(MKeyTest, RelayedPacketsNeedNone) {
  this->Protect(3);
  Smp passing = this->Keyed(0, kGet, kNodeDesc);
  passing.hop_count = 2;
  passing.initial_path = {1, 2};
  const Departure relayed = this->bench_.Ask(Build(passing));
  EXPECT_EQ(relayed.port, 2);
}

TYPED_TEST(MKeyTest, CompactPacketsBringNone) {
  Compact get{.attribute = kPortInfo, .code = 16u << 8 | kGet, .contents = {0}};
  Compact set{.attribute = 0xFF06, .code = kSet, .contents = {0, 2}};
  EXPECT_FALSE(this->bench_.Ask(Build(get)).words.empty());
  EXPECT_FALSE(this->bench_.Ask(Build(set)).words.empty());
  this->Protect(1);
  EXPECT_FALSE(this->bench_.Ask(Build(get)).words.empty());
  EXPECT_TRUE(this->bench_.Ask(Build(set)).words.empty());
  this->Protect(2, 0, kKey);
  EXPECT_TRUE(this->bench_.Ask(Build(get)).words.empty());
}

TYPED_TEST(MKeyTest, TheLeaseEndsTheProtectionAfterItsTime) {
  for (const bool four_lanes : {false, true}) {
    this->bench_.dut().four_lanes_i = four_lanes;
    this->bench_.Reset();
    this->Protect(2, 2);
    const int lease = 2 * (four_lanes ? kTicksPerSecond4x : kTicksPerSecond1x);
    this->Ticks(2 * lease);
    EXPECT_FALSE(this->IsAnswered(this->Keyed(1, kGet, kNodeDesc))) << "it has not begun";
    this->Ticks(lease - 1);
    EXPECT_FALSE(this->IsAnswered(this->Keyed(1, kGet, kNodeDesc))) << "nor begun anew";
    this->Ticks(1);
    EXPECT_TRUE(this->IsAnswered(this->Keyed(1, kGet, kNodeDesc)));
    EXPECT_EQ(this->KeyRead(1), kKey);
    EXPECT_FALSE(this->IsAnswered(this->Keyed(1, kSet, 0x0014)));
  }
}

TYPED_TEST(MKeyTest, TheRightKeyStopsTheLease) {
  this->Protect(2, 1);
  EXPECT_FALSE(this->IsAnswered(this->Keyed(1, kGet, kNodeDesc)));
  this->Ticks(kTicksPerSecond1x - 1);
  EXPECT_TRUE(this->IsAnswered(this->Keyed(kKey, kGet, kNodeDesc)));
  this->Ticks(2 * kTicksPerSecond1x);
  EXPECT_EQ(this->ProtectBits(), 2u);
}

// ---- Trap 256 ----

template <typename Kind>
class MKeyTrapTest : public MKeyTest<Kind> {
 protected:
  void SetUp() override {
    this->Protect(2);
    this->bench_.Ask(Build(this->RouteTo(kManagerLid)));
    this->bench_.departures[0].clear();
  }

  Smp RouteTo(uint16_t lid) {
    Data block;
    block.fill(0xFFFFFFFF);
    block[lid % 64 / 4] ^= (0xFFu ^ kManagerPort) << (24 - 8 * (lid % 4));
    return this->Keyed(kKey, kSet, 0x0019, block);
  }

  static Smp Trap(uint32_t count) {
    Smp trap;
    trap.mgmt_class = kClassLid;
    trap.method = kTrap;
    trap.tid = 0x80000000 | count;
    trap.attribute = 0x0002;
    trap.slid = kOwnLid;
    trap.dlid = kManagerLid;
    trap.data = {0x82000002, 256u << 16 | kOwnLid};
    return trap;
  }

  void ExpectTrap(Smp trap) {
    ASSERT_TRUE(this->bench_.Drain());
    Words words = Build(trap);
    words[4] = 0;  // PSN
    SealIcrc(words);
    ASSERT_EQ(this->bench_.departures[0].size(), 1u);
    EXPECT_EQ(this->bench_.departures[0][0].words, words);
    EXPECT_EQ(this->bench_.departures[0][0].port, kManagerPort);
    this->bench_.departures[0].clear();
  }

  void Repress(uint32_t count) {
    Smp repress = Trap(count);
    repress.method = kTrapRepress;
    repress.m_key = kKey;
    repress.slid = kManagerLid;
    repress.dlid = kOwnLid;
    this->bench_.Send(0, {.words = Build(repress), .port = kManagerPort});
    ASSERT_TRUE(this->bench_.Drain());
  }
};
TYPED_TEST_SUITE(MKeyTrapTest, Kinds);

TYPED_TEST(MKeyTrapTest, SaysWhoTriedWhat) {
  Smp smp = this->Keyed(0xFEDCBA9876543210, kGet, 0x0019);
  smp.modifier = 3;
  this->bench_.Send(0, {.words = Build(smp)});
  Smp trap = this->Trap(1);
  trap.data[3] = 0xFFFFFFFF;
  trap.data[4] = static_cast<uint32_t>(kGet) << 24 | 0x0019;
  trap.data[5] = 3;
  trap.data[6] = 0xFEDCBA98;
  trap.data[7] = 0x76543210;
  trap.data[8] = 0x00C00000;  // by a directed route, which is left out
  this->ExpectTrap(trap);
  // Another one meanwhile is counted only.
  EXPECT_FALSE(this->IsAnswered(this->Keyed(1, kSet, kPortInfo)));
  EXPECT_EQ(this->Violations(), 2u);
  this->bench_.departures[0].clear();
  for (int i = 0; i < 16; ++i) {
    this->bench_.Tick();
    ASSERT_TRUE(this->bench_.Drain());
  }
  this->ExpectTrap(trap);
  this->Repress(1);
  for (int i = 0; i < 40; ++i) this->bench_.Tick();
  ASSERT_TRUE(this->bench_.Drain());
  EXPECT_TRUE(this->bench_.departures[0].empty());
  // By LID, and one that wants to silence a trap.
  smp = this->Keyed(5, kTrapRepress, 0x0002);
  smp.mgmt_class = kClassLid;
  smp.hop_pointer = smp.hop_count = 0;
  smp.initial_path.clear();
  smp.slid = 0x36;
  smp.dlid = kOwnLid;
  this->bench_.Send(0, {.words = Build(smp)});
  trap = this->Trap(2);
  trap.data[3] = 0x00360000;
  trap.data[4] = static_cast<uint32_t>(kTrapRepress) << 24 | 0x0002;
  trap.data[7] = 5;
  this->ExpectTrap(trap);
}

TYPED_TEST(MKeyTrapTest, BesideTrap128EachHasItsTurnAndItsRepress) {
  this->bench_.blocked = true;
  this->bench_.SetPortState(1, 1);
  while (!this->bench_.dut().out_req_o) this->bench_.Step();
  this->bench_.Send(0, {.words = Build(this->Keyed(1, kGet, kNodeDesc))});
  this->bench_.Step(400);
  this->bench_.blocked = false;
  ASSERT_TRUE(this->bench_.Drain());
  ASSERT_EQ(this->bench_.departures[0].size(), 2u);
  EXPECT_EQ(this->bench_.departures[0][0].words.at(kData + 1) >> 16, 128u);
  EXPECT_EQ(this->bench_.departures[0][1].words.at(kData + 1) >> 16, 256u);
  this->bench_.departures[0].clear();
  this->Repress(1);
  for (int i = 0; i < 16; ++i) {
    this->bench_.Tick();
    ASSERT_TRUE(this->bench_.Drain());
  }
  ASSERT_EQ(this->bench_.departures[0].size(), 1u);
  EXPECT_EQ(this->bench_.departures[0][0].words.at(kData + 1) >> 16, 128u);
}

}  // namespace
}  // namespace lanecut::mgmt_test
