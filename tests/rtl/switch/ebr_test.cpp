// SPDX-License-Identifier: Apache-2.0
//
// EBR in one switch: numbers on the way through, and who is dropped when nothing moves.
#include <array>
#include <set>
#include <string>

#include "tests/rtl/switch/scheme_bench.h"

namespace lanecut::test {
namespace {

class EbrTest : public SchemeTest {};

TEST_F(EbrTest, ANumberPassesUnchangedWithoutAScheme) {
  bench_.SetEpoch(2);
  bench_.At(3).Send(Numbered(5, 0, 1, 1));
  bench_.Run(100);
  ASSERT_EQ(bench_.At(1).packets.size(), 1u);
  EXPECT_EQ(NumberOf(bench_.At(1).packets[0]), 5);
  EXPECT_TRUE(bench_.At(1).packets[0].good);
}

TEST_F(EbrTest, AForwardedPacketCarriesTheNumberOfTheFunctionThatRoutedIt) {
  bench_.SetScheme(kEbr);
  bench_.SetEpoch(2);
  bench_.At(3).Send(Numbered(1, 0, 1, 1));
  bench_.Run(100);
  ASSERT_EQ(bench_.At(1).packets.size(), 1u);
  EXPECT_EQ(NumberOf(bench_.At(1).packets[0]), 2);
  EXPECT_TRUE(bench_.At(1).packets[0].good);
}

TEST_F(EbrTest, TheNumberIsThatOfTheLookupNotOfTheDeparture) {
  bench_.SetScheme(kEbr);
  bench_.At(1).Block(0, true);
  for (int i = 0; i < 40; ++i) bench_.At(3).Send(Numbered(0, 0, 1, i));
  bench_.Run(1500);
  bench_.SetEndNodePorts(1 << 1);  // nothing is dropped towards an end node
  bench_.SetEpoch(1);
  bench_.Run(10);
  bench_.At(1).packets.clear();
  bench_.At(1).Block(0, false);
  bench_.Run(2000);
  ASSERT_EQ(bench_.At(1).packets.size(), 24u);
  // 16 went to the peer, 16 were in the output queue and the others in the input queue already;
  // the last few were still with the sender.
  EXPECT_EQ(NumberOf(bench_.At(1).packets.front()), 0);
  for (const Received& packet : bench_.At(1).packets) EXPECT_TRUE(packet.good);
}

struct Row {
  int packet;
  int routed;
  int active;
  bool drop;
};

std::vector<Row> AllRows() {
  const std::set<std::string> dropped = {"001", "002", "011", "012", "022", "101",
                                         "102", "112", "122", "202", "212"};
  std::vector<Row> rows;
  for (int packet = 0; packet < 3; ++packet) {
    for (int active = 0; active < 3; ++active) {
      for (int routed = 0; routed <= active; ++routed) {  // a switch's number never goes back
        const std::string name =
            std::to_string(packet) + std::to_string(routed) + std::to_string(active);
        rows.push_back({packet, routed, active, dropped.contains(name)});
      }
    }
  }
  return rows;
}

class EbrRowTest : public EbrTest, public ::testing::WithParamInterface<Row> {};

TEST_P(EbrRowTest, AStuckHeadIsDroppedAsTheTableSays) {
  // Numbers count modulo 8: the same rows from another start.
  for (const int base : {0, 6}) {
    SCOPED_TRACE(base);
    const auto number = [base](int k) { return (base + k) % 8; };
    bench_.SetScheme(kEbr);
    bench_.SetEpoch(number(GetParam().routed));
    StopOutput();
    const int before = DropsOf(kDropEpoch);
    bench_.At(3).Send(Numbered(number(GetParam().packet), 0, 1, 1000));
    bench_.Run(30);
    bench_.SetEpoch(number(GetParam().active));
    bench_.Run(50);
    EXPECT_EQ(DropsOf(kDropEpoch) - before, GetParam().drop);
    if (GetParam().drop) {
      // An old packet is dropped at once, before the next number.
      const bool at_once = GetParam().packet < GetParam().routed;
      const std::array<int, 3> numbers{number(GetParam().packet), number(GetParam().routed),
                                       number(at_once ? GetParam().routed : GetParam().active)};
      EXPECT_EQ(bench_.Drops().back().numbers, numbers);
    }
    bench_.At(1).Block(0, false);
    bench_.Run(3000);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, EbrRowTest, ::testing::ValuesIn(AllRows()),
                         [](const auto& param_info) {
                           return std::to_string(param_info.param.packet) +
                                  std::to_string(param_info.param.routed) +
                                  std::to_string(param_info.param.active);
                         });

TEST_F(EbrTest, NothingIsDroppedWhileTheOutputMoves) {
  bench_.SetScheme(kEbr);
  for (int in = 2; in <= 4; ++in) {
    for (int i = 0; i < 50; ++i) bench_.At(in).Send(Numbered(0, 0, 1, in * 1000 + i));
  }
  bench_.Run(300);
  bench_.SetEpoch(1);
  bench_.Run(4000);
  EXPECT_EQ(bench_.At(1).packets.size(), 150u);
  EXPECT_EQ(DropsOf(kDropEpoch), 0);
}

TEST_F(EbrTest, PacketsFromEndNodesAreExempt) {
  bench_.SetScheme(kEbr);
  StopOutput(1 << 2 | 1 << 3);
  bench_.At(3).Send(Numbered(0, 0, 1, 1000));
  bench_.SetEpoch(1);
  bench_.Run(100);
  EXPECT_EQ(DropsOf(kDropEpoch), 0);
}

TEST_F(EbrTest, PacketsToEndNodesAreExempt) {
  bench_.SetScheme(kEbr);
  StopOutput(1 << 2 | 1 << 1);
  bench_.At(3).Send(Numbered(0, 0, 1, 1000));
  bench_.SetEpoch(1);
  bench_.Run(100);
  EXPECT_EQ(DropsOf(kDropEpoch), 0);
}

TEST_F(EbrTest, ADropFreesTheWayForTheNextHead) {
  bench_.SetScheme(kEbr);
  StopOutput();
  for (int i = 0; i < 10; ++i) bench_.At(3).Send(Numbered(0, 0, 1, 1000 + i));
  bench_.At(3).Send(Numbered(0, 0, 4, 2000));
  bench_.Run(300);
  EXPECT_EQ(bench_.At(4).packets.size(), 0u);
  bench_.SetEpoch(1);
  bench_.Run(10 * 15 + 50);  // a dropped packet leaves its queue word by word
  EXPECT_EQ(DropsOf(kDropEpoch), 10);
  ASSERT_EQ(bench_.At(4).packets.size(), 1u);
  EXPECT_EQ(IdOf(bench_.At(4).packets[0]), 2000u);
}

}  // namespace
}  // namespace lanecut::test
