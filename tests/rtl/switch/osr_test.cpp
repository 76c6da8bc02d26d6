// SPDX-License-Identifier: Apache-2.0
//
// OSR in one switch: tokens, the order of old and new packets, banks, and what may go wrong.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tb/switch/head_waits.h"
#include "tests/rtl/switch/scheme_bench.h"

namespace lanecut::test {
namespace {

constexpr int kChannels = kPorts * 2;

class OsrTest : public SchemeTest {
 protected:
  void SetUp() override {
    SchemeTest::SetUp();
    bench_.SetScheme(kOsr);
    LoadNewTables();
  }

  // The other bank: LID 10 leaves by port 4, LID 40 by port 1, the rest as before.
  void LoadNewTables() {
    std::array<int, 16> vls{};
    for (int sl = 0; sl < 16; ++sl) vls[sl] = sl & 1;
    for (int lid = 0; lid < 64; ++lid) bench_.SetLft(lid, 255, true);
    bench_.SetLft(10, 4, true);
    bench_.SetLft(20, 2, true);
    bench_.SetLft(30, 3, true);
    bench_.SetLft(40, 1, true);
    for (int in = 1; in <= kPorts; ++in) {
      for (int out = 1; out <= kPorts; ++out) bench_.SetSlToVl(in, out, vls, true);
    }
  }
  void FeedAllFromAll(bool bank = false) {
    for (int row = 0; row < kChannels; ++row) bench_.SetFeeders(row, (1u << kChannels) - 1, bank);
  }
  void SendAllTokens(int number) {
    for (int port = 1; port <= kPorts; ++port) {
      for (int vl = 0; vl < 2; ++vl) bench_.At(port).SendToken(vl, number);
    }
  }
  int TokensAt(int port, int vl) {
    return static_cast<int>(std::ranges::count_if(
        bench_.At(port).tokens, [vl](const Token& token) { return token.vl == vl; }));
  }
};

TEST_F(OsrTest, OutputsWithoutFeedersSendTheirTokenAtOnce) {
  bench_.StartChange();
  bench_.Run(60);
  for (int port = 1; port <= kPorts; ++port) {
    ASSERT_EQ(bench_.At(port).tokens.size(), 2u) << port;
    for (const Token& token : bench_.At(port).tokens) EXPECT_EQ(token.number, 1);
  }
  EXPECT_EQ(bench_.Top().trace_change_o, 1);
  EXPECT_EQ(bench_.Epoch(), 0) << "no input channel has had its token";
}

TEST_F(OsrTest, TheSwitchFlipsWhenAllChannelsHaveTheirTokens) {
  FeedAllFromAll();
  bench_.SetNextReady();
  bench_.StartChange();
  bench_.Run(20);
  EXPECT_TRUE(bench_.At(1).tokens.empty());
  SendAllTokens(1);
  bench_.Run(60);
  EXPECT_EQ(bench_.Epoch(), 1);
  EXPECT_EQ(bench_.Top().trace_change_o, 0);
  for (int port = 1; port <= kPorts; ++port) {
    EXPECT_EQ(bench_.At(port).acks.size(), 2u);
    EXPECT_EQ(bench_.At(port).tokens.size(), 2u);
  }
  // Routed by the other bank now.
  bench_.At(2).Send(Numbered(1, 0, 1, 7));
  bench_.Run(60);
  ASSERT_EQ(bench_.At(4).packets.size(), 1u);
  EXPECT_EQ(NumberOf(bench_.At(4).packets[0]), 1);
}

TEST_F(OsrTest, AnArrivingTokenStartsTheChange) {
  bench_.SetNextReady();
  SendAllTokens(1);
  bench_.Run(80);
  EXPECT_EQ(bench_.Epoch(), 1);
  EXPECT_EQ(bench_.At(3).tokens.size(), 2u);
}

TEST_F(OsrTest, WithoutTheNewFunctionTheSwitchDoesNotFlip) {
  SendAllTokens(1);
  bench_.Run(80);
  EXPECT_EQ(bench_.Epoch(), 0);
  bench_.SetNextReady();
  bench_.Run(10);
  EXPECT_EQ(bench_.Epoch(), 1);
}

TEST_F(OsrTest, ATokenWaitsForAllFeedersAndFollowsTheirOldPackets) {
  bench_.SetFeeders(Channel(1, 0), 1u << Channel(2, 0) | 1u << Channel(3, 0));
  bench_.StartChange();
  bench_.At(2).SendToken(0, 1);
  bench_.Run(100);
  EXPECT_EQ(TokensAt(1, 0), 0);
  EXPECT_EQ(TokensAt(1, 1), 1);
  for (int i = 0; i < 5; ++i) bench_.At(3).Send(Numbered(0, 0, 1, 100 + i));
  bench_.At(3).SendToken(0, 1);
  bench_.Run(300);
  ASSERT_EQ(TokensAt(1, 0), 1);
  const Token token =
      *std::ranges::find_if(bench_.At(1).tokens, [](const Token& each) { return each.vl == 0; });
  EXPECT_EQ(bench_.At(1).packets.size(), 5u);
  EXPECT_EQ(token.packets_before, 5u);
}

TEST_F(OsrTest, ATokenStaysBehindWhatWaitsInTheOutputQueue) {
  bench_.SetFeeders(Channel(1, 0), 1u << Channel(3, 0));
  bench_.At(1).Block(0, true);
  for (int i = 0; i < 24; ++i) bench_.At(3).Send(Numbered(0, 0, 1, 100 + i));
  bench_.Run(600);
  bench_.StartChange();
  bench_.At(3).SendToken(0, 1);
  bench_.Run(100);
  EXPECT_EQ(bench_.Top().trace_sent_o >> Channel(1, 0) & 1, 1) << "it stands in the queue";
  EXPECT_EQ(TokensAt(1, 0), 0);
  bench_.At(1).Block(0, false);
  bench_.Run(600);
  ASSERT_EQ(TokensAt(1, 0), 1);
  const Token token =
      *std::ranges::find_if(bench_.At(1).tokens, [](const Token& each) { return each.vl == 0; });
  EXPECT_EQ(token.packets_before, 24u);
}

TEST_F(OsrTest, ANewPacketIsTheTokenOfItsChannelAndWaitsForItsOutput) {
  // Both can feed the output that the new packet wants by the new function.
  bench_.SetFeeders(Channel(4, 0), 1u << Channel(2, 0) | 1u << Channel(3, 0));
  bench_.SetNextReady();
  bench_.StartChange();
  bench_.At(2).Send(Numbered(0, 0, 4, 1));
  bench_.At(2).Send(Numbered(1, 0, 1, 2));
  bench_.Run(200);
  EXPECT_EQ(bench_.Top().trace_done_o >> Channel(2, 0) & 1, 1);
  ASSERT_EQ(bench_.At(4).packets.size(), 1u) << "only the old one";
  bench_.At(3).Send(Numbered(0, 0, 4, 3));
  bench_.Run(60);
  EXPECT_EQ(bench_.At(4).packets.size(), 2u);
  bench_.At(3).SendToken(0, 1);
  bench_.Run(60);
  ASSERT_EQ(bench_.At(4).packets.size(), 3u);
  EXPECT_EQ(IdOf(bench_.At(4).packets[2]), 2u);
  EXPECT_EQ(NumberOf(bench_.At(4).packets[2]), 1);
}

// ---- How long heads are held ----

class OsrWaitTest : public OsrTest {
 protected:
  using Waits = std::vector<std::pair<std::uint64_t, Cycle>>;  // packet, cycles

  void SetUp() override {
    OsrTest::SetUp();
    bench_.hook = [this](int port, Cycle now, Word& in) {
      if (port == 1) FollowTrace(now);
      if (in.ctrl == Ctrl::kStartData) header_in_ = now;
      if (in.ctrl != Ctrl::kIdle) heads_.OnWord(port - 1, now, in);
    };
  }
  void FollowTrace(Cycle now) {
    const auto& top = bench_.Top();
    for (int port = 0; port < kPorts; ++port) {
      if (top.trace_accept_o >> port & 1) heads_.OnAccepted(port, now);
      const auto ctrl = static_cast<Ctrl>(top.tx_ctrl_o >> (3 * port) & 7);
      if (ctrl == Ctrl::kStartData) header_out_ = now;
    }
    for (int channel = 0; channel < kChannels; ++channel) {
      if (top.trace_held_o >> channel & 1) heads_.OnHeld(channel);
      if (top.trace_take_o >> channel & 1) heads_.OnTaken(channel);
    }
  }

  Waits waits_;
  Cycle header_in_ = 0;  // of the last packet, on the pins
  Cycle header_out_ = 0;
  HeadWaits heads_{kPorts, 2,
                   [this](std::uint64_t id, Cycle cycles) { waits_.emplace_back(id, cycles); }};
};

TEST_F(OsrWaitTest, WithoutAChangeNobodyWaits) {
  for (int i = 0; i < 20; ++i) bench_.At(2).Send(Numbered(0, i & 1, 1 + i % 4, 10 + i));
  bench_.Run(600);
  EXPECT_TRUE(waits_.empty());
}

// All that a lone packet needs beyond the six cycles of a header is what it has been held.
TEST_F(OsrWaitTest, APacketIsHeldUntilItsOutputHasSentItsToken) {
  bench_.SetFeeders(Channel(4, 0), 1u << Channel(2, 0) | 1u << Channel(3, 0));
  bench_.SetNextReady();
  bench_.StartChange();
  bench_.At(2).Send(Numbered(1, 0, 1, 2));
  bench_.Run(100);
  EXPECT_TRUE(waits_.empty());
  bench_.At(3).SendToken(0, 1);
  bench_.Run(60);
  EXPECT_EQ(waits_, (Waits{{2, header_out_ - header_in_ - 6}}));
  EXPECT_GT(waits_[0].second, 60u);
}

TEST_F(OsrWaitTest, EachPacketHasItsOwnWait) {
  bench_.StartChange();
  for (int i = 0; i < 6; ++i) bench_.At(2).Send(Numbered(1, 0, i < 3 ? 1 : 3, 10 + i));
  std::vector<Word> damaged = Numbered(1, 0, 1, 5);
  damaged.resize(2);
  bench_.At(2).Send(damaged);
  bench_.At(2).Send(Numbered(1, 1, 1, 20));
  bench_.Run(300);
  bench_.SetNextReady();
  bench_.Run(300);
  ASSERT_EQ(bench_.At(4).packets.size(), 4u);
  // The first on each VL have waited for the tables; those behind them at most to be looked up.
  std::ranges::sort(waits_);
  ASSERT_FALSE(waits_.empty());
  EXPECT_EQ(waits_.front().first, 10u);
  EXPECT_EQ(waits_.back().first, 20u);
  for (const auto& [id, cycles] : waits_) {
    if (id == 10 || id == 20) {
      EXPECT_GT(cycles, 100u) << id;
    } else {
      EXPECT_LT(cycles, 10u) << id;
    }
  }
}

TEST_F(OsrTest, NewPacketsWaitForLateTablesAndAreLookedUpThen) {
  bench_.StartChange();
  for (int i = 0; i < 6; ++i) bench_.At(2).Send(Numbered(1, i & 1, i < 3 ? 1 : 3, 10 + i));
  bench_.Run(200);
  EXPECT_TRUE(bench_.At(4).packets.empty());
  EXPECT_TRUE(bench_.At(3).packets.empty());
  bench_.SetNextReady();
  bench_.Run(200);
  EXPECT_EQ(bench_.At(4).packets.size(), 3u) << "LID 10 by the new tables";
  EXPECT_EQ(bench_.At(3).packets.size(), 3u);
  EXPECT_TRUE(bench_.At(1).packets.empty());
  EXPECT_TRUE(bench_.Drops().empty());
}

TEST_F(OsrTest, WaitingPacketsAreLookedUpWhileOthersAndManagementArrive) {
  bench_.StartChange();
  std::array<int, 2> sent{};
  for (int i = 0; i < 10; ++i) bench_.At(2).Send(Numbered(1, i & 1, 1, 10 + i));
  bench_.Run(250);
  bench_.SetNextReady();
  // On the other VL of the same port, back to back, while the heads of both VLs ask.
  for (int i = 0; i < 30; ++i) {
    bench_.At(2).Send(Numbered(1, i & 1, 3, 100 + i));
    ++sent[i & 1];
  }
  bench_.Run(1200);
  EXPECT_EQ(bench_.At(4).packets.size(), 10u);
  EXPECT_EQ(bench_.At(3).packets.size(), 30u);
}

TEST_F(OsrTest, AnOldPacketWithoutAFeederRowIsDroppedWhileAChangeIsUnderWay) {
  bench_.SetFeeders(Channel(1, 0), 1u << Channel(3, 0));
  bench_.At(2).Send(Numbered(0, 0, 1, 1));
  bench_.Run(60);
  EXPECT_EQ(bench_.At(1).packets.size(), 1u) << "no change is under way";
  bench_.StartChange();
  bench_.At(2).Send(Numbered(0, 0, 1, 2));
  bench_.At(3).Send(Numbered(0, 0, 1, 3));
  bench_.Run(60);
  ASSERT_EQ(bench_.At(1).packets.size(), 2u);
  EXPECT_EQ(IdOf(bench_.At(1).packets[1]), 3u);
  EXPECT_EQ(DropsOf(kDropNoFeeder), 1);
}

TEST_F(OsrTest, APortWithoutALinkGetsItsTokenByItself) {
  FeedAllFromAll();
  bench_.SetNextReady();
  bench_.Top().phy_up_i &= ~(1u << 2);
  bench_.Run(20);
  bench_.StartChange();
  for (const int port : {1, 2, 4}) {
    for (int vl = 0; vl < 2; ++vl) bench_.At(port).SendToken(vl, 1);
  }
  bench_.Run(80);
  EXPECT_EQ(bench_.Epoch(), 1);
  EXPECT_EQ(TokensAt(1, 0), 1);
}

TEST_F(OsrTest, AnUnacknowledgedTokenIsRepeatedWithEveryTick) {
  bench_.tick_every = 256;
  bench_.At(1).acknowledges = false;
  bench_.StartChange();
  bench_.Run(60);
  const int first = TokensAt(1, 0);
  bench_.Run(256 * 4);
  EXPECT_EQ(TokensAt(1, 0), first + 4);
  EXPECT_EQ(TokensAt(2, 0), 1);
  bench_.At(1).acknowledges = true;
  bench_.Run(256 * 4);
  EXPECT_EQ(TokensAt(1, 0), first + 5);
}

TEST_F(OsrTest, ADuplicateTokenIsAcknowledgedAndMeansNothing) {
  bench_.SetNextReady();
  SendAllTokens(1);
  bench_.Run(100);
  ASSERT_EQ(bench_.Epoch(), 1);
  SendAllTokens(1);
  bench_.Run(100);
  EXPECT_EQ(bench_.Epoch(), 1);
  EXPECT_EQ(bench_.Top().trace_change_o, 0);
  EXPECT_EQ(bench_.At(2).acks.size(), 4u);
}

TEST_F(OsrTest, APacketOfAFunctionThatIsGoneIsDropped) {
  bench_.SetNextReady();
  SendAllTokens(1);
  bench_.Run(100);
  bench_.At(2).Send(Numbered(0, 0, 1, 5));
  bench_.Run(60);
  EXPECT_EQ(DropsOf(kDropStale), 1);
}

TEST_F(OsrTest, ADamagedPacketIsNoToken) {
  bench_.SetNextReady();
  bench_.StartChange();
  std::vector<Word> wire = Numbered(1, 0, 1, 5);
  wire[8].data ^= 0x10;
  bench_.At(2).Send(wire);
  bench_.Run(60);
  EXPECT_EQ(bench_.Top().trace_done_o >> Channel(2, 0) & 1, 0);
  EXPECT_EQ(DropsOf(DropReason::kBad), 1);
}

TEST_F(OsrTest, ManyChangesInARowCountOn) {
  for (int change = 1; change <= 20; ++change) {
    for (int row = 0; row < kChannels; ++row) {
      bench_.SetFeeders(row, (1u << kChannels) - 1, (change & 1) == 0);
    }
    bench_.SetNextReady();
    bench_.StartChange();
    const int number = change % 8;
    const int old = (change + 7) % 8;
    for (int port = 1; port <= kPorts; ++port) {
      bench_.At(port).Send(Numbered(old, 0, port % 4 + 1, change * 100 + port));
      bench_.At(port).Send(Numbered(number, 0, port % 4 + 1, change * 100 + 10 + port));
      bench_.At(port).SendToken(1, number);
      bench_.At(port).SendToken(0, number);
    }
    bench_.Run(300);
    ASSERT_EQ(bench_.Epoch(), number) << change;
  }
  std::size_t delivered = 0;
  for (int port = 1; port <= kPorts; ++port) delivered += bench_.At(port).packets.size();
  EXPECT_EQ(delivered, 160u);
  EXPECT_TRUE(bench_.Drops().empty());
}

}  // namespace
}  // namespace lanecut::test
