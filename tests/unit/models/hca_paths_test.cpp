// SPDX-License-Identifier: Apache-2.0
//
// An end node with several paths to its peer: which one packets take, and when it changes. The link
// between the two is all paths at once; what differs is the LID and the SL.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using ib::MadAttribute;
using ib::MadStatus;
using Path = PathTable::Path;

constexpr std::uint16_t kPeer = HcaPair::kLid[1];  // 8 to 11
constexpr Cycle kTimeout = 500;

// LMC 2 at both; SL s goes on VL s % 2.
void BringUp(HcaPair& pair) {
  pair.BringUp();
  for (const int node : {0, 1}) {
    ib::PortInfo info = ib::PortInfo::Decode(pair.Get(node, MadAttribute::kPortInfo));
    info.lmc = 2;
    info.port_state = ib::PortState::kNoChange;
    ASSERT_EQ(pair.Set(node, MadAttribute::kPortInfo, info).status(), 0);
    ib::SlToVlBlock table;
    for (std::size_t sl = 0; sl < 16; ++sl) table.vl_of_sl[sl] = sl % 2;
    ASSERT_EQ(pair.Set(node, MadAttribute::kSlToVlMappingTable, table).status(), 0);
  }
}

ib::VendorPaths Paths(std::vector<ib::VendorPaths::Entry> entries) {
  ib::VendorPaths paths;
  std::ranges::copy(entries, paths.entries.begin());
  return paths;
}

TEST(HcaPaths, PacketsTakeTheFirstPath) {
  HcaPair pair;
  BringUp(pair);
  pair.a().LoadPaths(kPeer, {{10, 1}, {9, 0}}, pair.now);
  EXPECT_TRUE(pair.a().Offer(pair.now, kPeer, 32, 0));
  pair.Run(100);
  ASSERT_EQ(pair.ledger.delivered.size(), 1U);
  EXPECT_EQ(pair.ledger.delivered[0].dlid, 10);
  EXPECT_EQ(pair.ledger.delivered[0].sl, 1);
  EXPECT_EQ(pair.ledger.delivered[0].vl, 1);
}

// Those that wait go by the new path, too, in their order; what is being sent stays as it is.
TEST(HcaPaths, ASetMovesThePacketsThatWait) {
  HcaPair pair;
  BringUp(pair);
  pair.a().LoadPaths(kPeer, {{10, 1}, {9, 0}}, pair.now);
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(pair.a().Offer(pair.now, kPeer, 32, 1));
  const ib::Mad answer = pair.Set(0, MadAttribute::kVendorPaths,
                                  Paths({{.lid = kPeer, .exists = true, .offset = 3, .sl = 2}}));
  EXPECT_EQ(answer.status(), 0);
  EXPECT_EQ(ib::VendorPaths::Decode(answer).entries[0].offset, 3);
  EXPECT_GT(pair.a().QueuedPackets(), 30);
  EXPECT_TRUE(pair.a().Offer(pair.now, kPeer, 32, 1));
  pair.Run(1000);
  ASSERT_EQ(pair.ledger.delivered.size(), 41U);
  bool moved = false;
  std::uint64_t last = 0;
  for (const HcaPacket& packet : pair.ledger.delivered) {
    moved = moved || packet.dlid != 10;
    EXPECT_EQ(packet.dlid, moved ? 11 : 10);
    EXPECT_EQ(packet.sl, moved ? 2 : 1);
    EXPECT_GT(packet.id, last);
    last = packet.id;
  }
  EXPECT_EQ(pair.ledger.path_changes, 1);
  EXPECT_EQ(pair.ledger.order_errors, 0);
}

TEST(HcaPaths, WithoutAPathNothingIsSent) {
  HcaPair pair;
  BringUp(pair);
  for (int i = 0; i < 40; ++i) pair.a().Offer(pair.now, kPeer, 32, 0);
  pair.Set(0, MadAttribute::kVendorPaths, Paths({{.lid = kPeer}}));
  const int waiting = pair.ledger.Drops(DropReason::kNoPath);
  EXPECT_GT(waiting, 30);
  EXPECT_FALSE(pair.a().Offer(pair.now, kPeer, 32, 0));
  EXPECT_EQ(pair.ledger.Drops(DropReason::kNoPath), waiting + 1);
  pair.Run(1000);
  EXPECT_EQ(pair.ledger.delivered.size(), 40U - static_cast<std::size_t>(waiting));
}

TEST(HcaPaths, WrongSetsChangeNothing) {
  HcaPair pair;
  BringUp(pair);
  const ib::VendorPaths beyond = Paths(
      {{.lid = kPeer, .exists = true, .offset = 1}, {.lid = 0xBFFF, .exists = true, .offset = 1}});
  EXPECT_EQ(static_cast<MadStatus>(pair.Set(0, MadAttribute::kVendorPaths, beyond).status()),
            MadStatus::kInvalidField);
  EXPECT_EQ(static_cast<MadStatus>(pair.Get(0, MadAttribute::kVendorPaths).status()),
            MadStatus::kUnsupportedAttribute);
  pair.a().Offer(pair.now, kPeer, 32, 0);
  pair.Run(100);
  ASSERT_EQ(pair.ledger.delivered.size(), 1U);
  EXPECT_EQ(pair.ledger.delivered[0].dlid, kPeer);
}

// The end-to-end protocol: the peer's LIDs above the lowest are cut off by taking them from it.
class ReliablePaths : public testing::Test {
 protected:
  ReliablePaths() : pair_(5, {.reliable = {.on = true, .retransmit = kTimeout}}) {
    BringUp(pair_);
    pair_.a().LoadPaths(kPeer, {{11, 1}, {10, 0}, {8, 0}}, pair_.now);
  }
  void SetLmc(int lmc) {
    ib::PortInfo info = ib::PortInfo::Decode(pair_.Get(1, MadAttribute::kPortInfo));
    info.lmc = static_cast<std::uint8_t>(lmc);
    info.port_state = ib::PortState::kNoChange;
    pair_.Set(1, MadAttribute::kPortInfo, info);
  }
  HcaPair pair_;
};

TEST_F(ReliablePaths, OneLossIsNoReason) {
  pair_.link.SetFaults({.word_error_rate = 1}, 1);
  pair_.a().Offer(pair_.now, kPeer, 32, 0);
  pair_.Run(50);
  pair_.link.SetFaults({}, 1);
  pair_.Run(2 * kTimeout);
  EXPECT_EQ(pair_.ledger.messages, 1);
  EXPECT_EQ(pair_.ledger.path_changes, 0);
}

TEST_F(ReliablePaths, ASilentFlowMigratesUntilSomethingIsHeard) {
  SetLmc(0);  // only the third path is left
  for (int i = 0; i < 5; ++i) pair_.a().Offer(pair_.now, kPeer, 32, 0);
  pair_.Run(5 * kTimeout);
  EXPECT_EQ(pair_.ledger.messages, 5);
  EXPECT_EQ(pair_.ledger.path_changes, 2);
  EXPECT_EQ(pair_.a().Unacknowledged(), 0U);
  const int sent = pair_.ledger.Kind(PacketKind::kRetransmission);
  pair_.a().Offer(pair_.now, kPeer, 32, 0);  // by the path that has been found
  pair_.Run(kTimeout);
  EXPECT_EQ(pair_.ledger.messages, 6);
  EXPECT_EQ(pair_.ledger.Kind(PacketKind::kRetransmission), sent);
}

// The flow is one, whichever path its packets take.
TEST_F(ReliablePaths, MessagesStayInOrderAcrossPaths) {
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 3; ++i) pair_.a().Offer(pair_.now, kPeer, 32, 0);
    pair_.Set(0, MadAttribute::kVendorPaths,
              Paths({{.lid = kPeer,
                      .exists = true,
                      .offset = static_cast<std::uint8_t>(round % 4),
                      .sl = static_cast<std::uint8_t>(round % 2)}}));
  }
  pair_.Run(3 * kTimeout);
  EXPECT_EQ(pair_.ledger.messages, 60);
  EXPECT_EQ(pair_.a().Unacknowledged(), 0U);
}

}  // namespace
}  // namespace lanecut
