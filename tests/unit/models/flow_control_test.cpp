// SPDX-License-Identifier: Apache-2.0
#include "models/hca/flow_control.h"

#include <gtest/gtest.h>

namespace lanecut {
namespace {

LinkPacket Update(std::uint8_t vl, int fctbs, int fccl) {
  return {.op = kOpFlowControl,
          .fctbs = static_cast<std::uint16_t>(fctbs & kCreditMask),
          .vl = vl,
          .fccl = static_cast<std::uint16_t>(fccl & kCreditMask)};
}

// Sends all that is due.
void Drain(FlowControl* port) {
  while (port->Changed()) port->Next(kOpFlowControl);
}

TEST(FlowControl, SendsNothingBeforeTheFirstUpdate) {
  FlowControl port(2, 16);
  port.Reset();
  EXPECT_FALSE(port.MaySend(0, 1));
  port.Update(Update(0, 0, 16));
  EXPECT_TRUE(port.MaySend(0, 16));
  EXPECT_FALSE(port.MaySend(0, 17));
  EXPECT_FALSE(port.MaySend(1, 1));
}

TEST(FlowControl, FirstUpdatesOfAllVlsAreUrgent) {
  FlowControl port(3, 16);
  EXPECT_FALSE(port.Changed());
  port.Reset();
  unsigned seen = 0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(port.Urgent());
    const LinkPacket packet = port.Next(kOpFlowControlInit);
    EXPECT_EQ(packet.op, kOpFlowControlInit);
    EXPECT_EQ(packet.fccl, 16);
    EXPECT_EQ(packet.fctbs, 0);
    seen |= 1U << packet.vl;
  }
  EXPECT_EQ(seen, 7U);
  EXPECT_FALSE(port.Changed());
}

TEST(FlowControl, UrgentFromAQuarterOfTheBufferOn) {
  FlowControl port(1, 16);
  port.Reset();
  Drain(&port);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(port.Received(0, 1));
    EXPECT_FALSE(port.Urgent());
    EXPECT_TRUE(port.Changed());
  }
  ASSERT_TRUE(port.Received(0, 1));
  EXPECT_TRUE(port.Urgent());
  EXPECT_EQ(port.Next(kOpFlowControl).fccl, 20);
  EXPECT_FALSE(port.Changed());
}

TEST(FlowControl, RefreshRepeatsEveryVl) {
  FlowControl port(2, 16);
  port.Reset();
  Drain(&port);
  port.Sent(1, 5);
  port.Refresh();
  int fctbs = 0;
  for (int i = 0; i < 2; ++i) fctbs += port.Next(kOpFlowControl).fctbs;
  EXPECT_EQ(fctbs, 5);
  EXPECT_FALSE(port.Changed());
}

TEST(FlowControl, CountsWrapAround) {
  FlowControl port(1, 16);
  port.Reset();
  Drain(&port);
  int sent = 0;
  for (int round = 0; round < 3000; ++round) {
    port.Update(Update(0, sent, sent + 16));  // the neighbour as a mirror
    ASSERT_TRUE(port.MaySend(0, 16)) << sent;
    ASSERT_FALSE(port.MaySend(0, 17)) << sent;
    port.Sent(0, 5);
    ASSERT_EQ(port.Credit(0), 11);
    ASSERT_TRUE(port.Received(0, 5));
    Drain(&port);
    sent += 5;
  }
}

TEST(FlowControl, HealsWhatWasLost) {
  FlowControl port(1, 16);
  port.Reset();
  Drain(&port);
  // The neighbour sent 12 blocks, none of which arrived: its next update tells.
  port.Update(Update(0, 12, 16));
  ASSERT_TRUE(port.Urgent());
  EXPECT_EQ(port.Next(kOpFlowControl).fccl, 28);
}

TEST(FlowControl, KnowsAPacketWithoutCredit) {
  FlowControl port(1, 16);
  port.Reset();
  EXPECT_FALSE(port.Received(0, 1));  // nothing was promised yet
  Drain(&port);
  EXPECT_TRUE(port.Received(0, 16));
  EXPECT_FALSE(port.Received(0, 1));  // free again, but not told
  Drain(&port);
  EXPECT_TRUE(port.Received(0, 1));
}

TEST(FlowControl, ResetForgets) {
  FlowControl port(1, 16);
  port.Reset();
  port.Update(Update(0, 100, 200));
  port.Sent(0, 10);
  port.Reset();
  EXPECT_FALSE(port.MaySend(0, 1));
  const LinkPacket packet = port.Next(kOpFlowControl);
  EXPECT_EQ(packet.fctbs, 0);
  EXPECT_EQ(packet.fccl, 16);
}

}  // namespace
}  // namespace lanecut
