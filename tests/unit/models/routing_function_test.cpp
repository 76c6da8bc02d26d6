// SPDX-License-Identifier: Apache-2.0
#include "models/hca/routing_function.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanecut {
namespace {

using ib::FunctionScheme;

RoutingFunction UnderOsr(int vls = 2) {
  RoutingFunction function(vls);
  function.SetScheme(FunctionScheme::kTokens);
  return function;
}

std::vector<LinkPacket> Drain(RoutingFunction* function) {
  std::vector<LinkPacket> packets;
  bool first = false;
  while (function->Due()) packets.push_back(function->Next(&first));
  return packets;
}

LinkPacket Token(int vl, std::uint8_t number) { return TokenPacket(kOpToken, vl, number); }
LinkPacket Ack(int vl, std::uint8_t number) { return TokenPacket(kOpTokenAck, vl, number); }

// One that was lost must come again, one that arrived must not.
TEST(RoutingFunction, RepeatsWhatIsNotAcknowledged) {
  RoutingFunction function = UnderOsr();
  ASSERT_TRUE(function.Start(1));
  EXPECT_EQ(Drain(&function), (std::vector{Token(0, 1), Token(1, 1)}));
  EXPECT_FALSE(function.Due());
  function.AckArrives(Ack(0, 1));
  function.Repeat();
  EXPECT_EQ(Drain(&function), std::vector{Token(1, 1)});
  function.AckArrives(Ack(1, 1));
  function.Repeat();
  EXPECT_FALSE(function.Due());
}

TEST(RoutingFunction, AckThatComesBeforeTheRepetitionStopsIt) {
  RoutingFunction function = UnderOsr(1);
  function.Start(1);
  Drain(&function);
  function.Repeat();
  function.AckArrives(Ack(0, 1));
  EXPECT_FALSE(function.Due());
}

TEST(RoutingFunction, AckOfAnotherTokenMeansNothing) {
  RoutingFunction function = UnderOsr(1);
  function.Start(1);
  Drain(&function);
  function.AckArrives(Ack(0, 0));
  function.AckArrives(Ack(0, 2));
  function.AckArrives(Ack(14, 1));
  function.AckArrives(Ack(15, 1));
  function.Repeat();
  EXPECT_TRUE(function.Due());
}

TEST(RoutingFunction, TellsATokenSentFirstFromARepetition) {
  RoutingFunction function = UnderOsr(1);
  function.Start(1);
  bool first = false;
  function.Next(&first);
  EXPECT_TRUE(first);
  function.Repeat();
  function.Next(&first);
  EXPECT_FALSE(first);
}

TEST(RoutingFunction, EveryTokenIsAcknowledgedAndCountsOnce) {
  RoutingFunction function = UnderOsr();
  EXPECT_TRUE(function.TokenArrives(Token(1, 1)));
  EXPECT_EQ(Drain(&function), std::vector{Ack(1, 1)});
  EXPECT_FALSE(function.TokenArrives(Token(1, 1)));
  EXPECT_EQ(Drain(&function), std::vector{Ack(1, 1)});
  EXPECT_FALSE(function.TokenArrives(Token(1, 0)));  // an old one, late
  EXPECT_EQ(Drain(&function), std::vector{Ack(1, 0)});
  EXPECT_EQ(function.passed(1), 1);
  EXPECT_EQ(function.passed(0), 0);
}

TEST(RoutingFunction, TokensOfOtherVlsAreAcknowledgedToo) {
  RoutingFunction function = UnderOsr(2);
  EXPECT_TRUE(function.TokenArrives(Token(7, 1)));
  EXPECT_EQ(Drain(&function), std::vector{Ack(7, 1)});
  EXPECT_FALSE(function.TokenArrives(Token(15, 1)));
  EXPECT_FALSE(function.Due());
}

TEST(RoutingFunction, PacketStandsForItsToken) {
  RoutingFunction function = UnderOsr();
  EXPECT_TRUE(function.PacketArrives(0, 1));
  EXPECT_FALSE(function.PacketArrives(0, 1));
  EXPECT_TRUE(function.IsStale(0, 0));
  EXPECT_FALSE(function.IsStale(0, 1));
  EXPECT_FALSE(function.IsStale(1, 0));
  EXPECT_FALSE(function.TokenArrives(Token(0, 1)));
}

TEST(RoutingFunction, ChangesUntilAllIsAcknowledgedAndPassed) {
  RoutingFunction function = UnderOsr();
  EXPECT_FALSE(function.Changing());
  function.TokenArrives(Token(0, 1));  // the neighbour was first
  EXPECT_FALSE(function.Changing());
  function.Start(1);
  EXPECT_TRUE(function.Awaits());
  function.TokenArrives(Token(1, 1));
  EXPECT_FALSE(function.Awaits());
  EXPECT_TRUE(function.Changing());
  function.AckArrives(Ack(0, 1));
  EXPECT_TRUE(function.Changing());
  function.AckArrives(Ack(1, 1));
  EXPECT_FALSE(function.Changing());
}

TEST(RoutingFunction, OnlyTheNextNumberMayStart) {
  RoutingFunction function = UnderOsr(1);
  EXPECT_FALSE(function.Start(2));
  EXPECT_FALSE(function.Start(7));
  EXPECT_TRUE(function.Start(1));
  EXPECT_TRUE(function.Start(1));  // done already
  EXPECT_EQ(Drain(&function).size(), 1U);
  EXPECT_FALSE(function.Start(2));  // a change is under way
  EXPECT_EQ(function.number(), 1);
  function.AckArrives(Ack(0, 1));
  function.TokenArrives(Token(0, 1));
  EXPECT_TRUE(function.Start(2));
}

TEST(RoutingFunction, NumbersGoRound) {
  RoutingFunction function = UnderOsr(1);
  for (int i = 1; i <= 20; ++i) {
    const std::uint8_t number = FunctionNumber(static_cast<std::uint32_t>(i));
    ASSERT_TRUE(function.Start(number)) << i;
    Drain(&function);
    function.AckArrives(Ack(0, number));
    ASSERT_TRUE(function.TokenArrives(Token(0, number))) << i;
    ASSERT_FALSE(function.Changing());
    EXPECT_TRUE(function.IsStale(0, FunctionNumber(static_cast<std::uint32_t>(i + 7))));
  }
}

TEST(RoutingFunction, NoTokensUnderOtherSchemes) {
  RoutingFunction function(2);
  function.SetScheme(FunctionScheme::kEpochs);
  EXPECT_TRUE(function.Start(5));
  EXPECT_EQ(function.number(), 5);
  EXPECT_FALSE(function.TokenArrives(Token(0, 6)));
  EXPECT_FALSE(function.PacketArrives(0, 6));
  EXPECT_FALSE(function.IsStale(0, 4));
  EXPECT_FALSE(function.Changing());
  function.Repeat();
  EXPECT_FALSE(function.Due());
  function.SetScheme(FunctionScheme::kTokens);  // all VLs start with 5
  EXPECT_FALSE(function.Changing());
  EXPECT_TRUE(function.IsStale(1, 4));
}

TEST(RoutingFunction, SameSchemeAgainKeepsTokens) {
  RoutingFunction function = UnderOsr();
  function.Start(1);
  function.SetScheme(FunctionScheme::kTokens);
  EXPECT_TRUE(function.Due());
  function.SetScheme(FunctionScheme::kNone);
  EXPECT_FALSE(function.Due());
}

}  // namespace
}  // namespace lanecut
