// SPDX-License-Identifier: Apache-2.0
//
// VL arbitration tables on the wire of one switch.
#include <map>

#include "tests/rtl/switch/scheme_bench.h"

namespace lanecut::test {
namespace {

constexpr int kPacketBlocks = 1;
constexpr int kRounds = 20;

class ArbiterTest : public SchemeTest {
 protected:
  // Ports 2 and 3 have so many packets for port 1, on VL 0 and on VL 1.
  void Offer(int packets) {
    for (int i = 0; i < packets; ++i) {
      bench_.At(2).Send(Numbered(0, 0, 1, 1000 + i));
      bench_.At(3).Send(Numbered(0, 1, 1, 5000 + i));
    }
  }
  // Of the packets received behind the first `skip`, so many per VL.
  std::map<int, int> Received(std::size_t skip, std::size_t count) {
    std::map<int, int> sent;
    const auto& packets = bench_.At(1).packets;
    EXPECT_GE(packets.size(), skip + count);
    for (std::size_t i = skip; i < skip + count && i < packets.size(); ++i) ++sent[packets[i].vl()];
    return sent;
  }
};

TEST_F(ArbiterTest, TwoVlsShareASaturatedLinkThreeToOne) {
  bench_.SetVlArbitration(1, false, {{0, 6 * kPacketBlocks}, {1, 2 * kPacketBlocks}});
  Offer(300);
  bench_.Run(6000);
  std::map<int, int> sent = Received(40, 8 * kRounds);
  EXPECT_NEAR(sent[0], 6 * kRounds, 1);
  EXPECT_NEAR(sent[1], 2 * kRounds, 1);
  EXPECT_TRUE(bench_.Drops().empty());
}

TEST_F(ArbiterTest, TheOtherPortsGoOnTakingTurns) {
  bench_.SetVlArbitration(4, false, {{0, 6}, {1, 2}});
  Offer(300);
  bench_.Run(6000);
  std::map<int, int> sent = Received(40, 200);
  EXPECT_NEAR(sent[0], 100, 1);
}

TEST_F(ArbiterTest, HighPriorityGoesFirstUpToItsLimit) {
  bench_.SetVlArbitration(1, true, {{1, 1}});
  bench_.SetVlArbitration(1, false, {{0, 1}});
  bench_.SetHighLimit(1, 1);  // 64 packets of a block
  Offer(1000);
  bench_.Run(10'000);
  std::map<int, int> sent = Received(100, 65 * 4);
  EXPECT_NEAR(sent[0], 4, 1);
}

TEST_F(ArbiterTest, LazyCreditsAreToldBesideAVlThatIsInNoList) {
  bench_.SetVlArbitration(1, false, {{1, 1}});
  bench_.At(2).Send(Numbered(0, 0, 1, 1));
  bench_.Run(100);
  EXPECT_TRUE(bench_.At(1).packets.empty()) << "VL 0 does not send";
  const int told = bench_.At(1).link_packets;
  bench_.At(1).Send(Numbered(0, 1, 2, 2));
  bench_.Run(100);
  EXPECT_EQ(bench_.At(2).packets.size(), 1u);
  EXPECT_GT(bench_.At(1).link_packets, told);
  bench_.At(3).Send(Numbered(0, 1, 1, 3));
  bench_.Run(100);
  ASSERT_EQ(bench_.At(1).packets.size(), 1u);
  EXPECT_EQ(IdOf(bench_.At(1).packets[0]), 3u);
  // In a list again, it does.
  bench_.SetVlArbitration(1, true, {{0, 1}});
  bench_.Run(100);
  EXPECT_EQ(bench_.At(1).packets.size(), 2u);
}

TEST_F(ArbiterTest, APortThatIsNotActiveDiscardsOfEveryVl) {
  bench_.SetVlArbitration(1, false, {{1, 1}});
  for (int i = 0; i < 40; ++i) bench_.At(2).Send(Numbered(0, 0, 1, i));
  bench_.Run(1000);
  EXPECT_TRUE(bench_.At(1).packets.empty());
  bench_.Top().phy_up_i = 0xE;
  bench_.Run(2000);
  EXPECT_EQ(bench_.Drops().size(), 40u);
  EXPECT_FALSE(bench_.DataBusy());
}

}  // namespace
}  // namespace lanecut::test
