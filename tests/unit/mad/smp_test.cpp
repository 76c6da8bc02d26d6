// SPDX-License-Identifier: Apache-2.0
//
// SMP header layout, and what every node on a directed route does with hop pointer and return path.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sw/mad/directed_route.h"
#include "sw/mad/mad.h"

namespace lanecut::ib {
namespace {

// Made with libibmad's mad_set_field().
TEST(SmpHeader, DirectedRouteResponse) {
  const std::array<std::uint8_t, 36> bytes{0x01, 0x81, 0x01, 0x81, 0x80, 0x1C, 0x03, 0x05, 0x11,
                                           0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x00, 0x15,
                                           0x00, 0x00, 0x01, 0x02, 0x03, 0x04, 0x00, 0x00, 0x00,
                                           0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF};
  Mad read;
  std::copy(bytes.begin(), bytes.end(), read.bytes.begin());
  EXPECT_EQ(read.mad_class(), MadClass::kSubnDirected);
  EXPECT_EQ(read.method(), MadMethod::kGetResp);
  EXPECT_TRUE(read.direction());
  EXPECT_EQ(read.status(), 0x1C);
  EXPECT_EQ(read.hop_pointer(), 3);
  EXPECT_EQ(read.hop_count(), 5);
  EXPECT_EQ(read.transaction_id(), 0x1122334455667788u);
  EXPECT_EQ(read.attribute(), MadAttribute::kPortInfo);
  EXPECT_EQ(read.modifier(), 0x01020304u);

  Mad made = MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kPortInfo, 0x01020304);
  made.set_transaction_id(0x1122334455667788);
  made.set_hop_pointer(3);
  made.set_hop_count(5);
  MakeResponse(&made, MadStatus::kInvalidField);
  EXPECT_EQ(made, read);
}

TEST(SmpHeader, LidRoutedHasSixteenBitsOfStatusAndNoRoute) {
  Mad mad = MakeSmp(MadClass::kSubnLid, MadMethod::kTrap, MadAttribute::kNotice, 0);
  EXPECT_EQ(mad.Get32(0), 0x01010105u);
  EXPECT_EQ(mad.Get32(32), 0u);
  mad.Set16(4, 0x801C);
  EXPECT_EQ(mad.status(), 0x801C);
  MakeResponse(&mad, MadStatus::kUnsupportedAttribute);
  EXPECT_EQ(mad.Get16(4), 0x000C);
}

TEST(SmpHeader, WordsAreInWireOrder) {
  Mad mad;
  mad.Set8(4, 0xAB);
  mad.Set8(7, 0xCD);
  EXPECT_EQ(mad.Word(1), 0xAB0000CDu);
  mad.SetWord(63, 0x01020304);
  EXPECT_EQ(mad.Get8(255), 4);
}

TEST(SmpHeader, NamesAttributes) {
  EXPECT_EQ(std::string(MadAttributeName(MadAttribute::kNodeInfo)), "NodeInfo");
  EXPECT_EQ(std::string(MadAttributeName(static_cast<MadAttribute>(0x7777))), "unknown attribute");
}

// A request with this path from the manager: out ports of the manager and of the switches on the
// way.
Mad Request(std::initializer_list<std::uint8_t> path) {
  Mad mad = MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kNodeInfo, 0);
  mad.set_hop_count(static_cast<std::uint8_t>(path.size()));
  std::size_t hop = 1;
  for (const std::uint8_t port : path) mad.set_initial_path(hop++, port);
  return mad;
}

TEST(DirectedRoute, ThereAndBackOverTwoSwitches) {
  // Manager port 1 - (3) switch A (5) - (2) switch B (4) - (1) end node.
  Mad mad = Request({1, 5, 4});
  DirectedRouteResult step = OriginateDirectedRoute(&mad);
  EXPECT_EQ(step.step, RouteStep::kForward);
  EXPECT_EQ(step.port, 1);
  EXPECT_EQ(mad.hop_pointer(), 1);

  step = ReceiveDirectedRoute(&mad, 3, true);  // A
  EXPECT_EQ(step.step, RouteStep::kForward);
  EXPECT_EQ(step.port, 5);
  EXPECT_EQ(mad.hop_pointer(), 2);
  EXPECT_EQ(mad.return_path(1), 3);

  step = ReceiveDirectedRoute(&mad, 2, true);  // B
  EXPECT_EQ(step.step, RouteStep::kForward);
  EXPECT_EQ(step.port, 4);
  EXPECT_EQ(mad.hop_pointer(), 3);
  EXPECT_EQ(mad.return_path(2), 2);

  step = ReceiveDirectedRoute(&mad, 1, false);  // end node
  EXPECT_EQ(step.step, RouteStep::kProcess);
  EXPECT_EQ(mad.hop_pointer(), 4);
  EXPECT_EQ(mad.return_path(3), 1);

  MakeResponse(&mad, MadStatus::kOk);
  step = OriginateDirectedRoute(&mad);
  EXPECT_EQ(step.step, RouteStep::kForward);
  EXPECT_EQ(step.port, 1);
  EXPECT_EQ(mad.hop_pointer(), 3);

  step = ReceiveDirectedRoute(&mad, 4, true);  // B
  EXPECT_EQ(step.step, RouteStep::kForward);
  EXPECT_EQ(step.port, 2);
  EXPECT_EQ(mad.hop_pointer(), 2);

  step = ReceiveDirectedRoute(&mad, 5, true);  // A
  EXPECT_EQ(step.step, RouteStep::kForward);
  EXPECT_EQ(step.port, 3);
  EXPECT_EQ(mad.hop_pointer(), 1);

  step = ReceiveDirectedRoute(&mad, 1, false);  // the manager's node
  EXPECT_EQ(step.step, RouteStep::kToManager);
  EXPECT_EQ(mad.hop_pointer(), 0);
}

TEST(DirectedRoute, ARequestForTheManagersOwnNodeStaysThere) {
  Mad mad = Request({});
  EXPECT_EQ(OriginateDirectedRoute(&mad).step, RouteStep::kProcess);
  MakeResponse(&mad, MadStatus::kOk);
  EXPECT_EQ(OriginateDirectedRoute(&mad).step, RouteStep::kToManager);
  EXPECT_EQ(mad.hop_pointer(), 0);
}

TEST(DirectedRoute, TheLastNodeMayBeASwitch) {
  Mad mad = Request({1});
  OriginateDirectedRoute(&mad);
  EXPECT_EQ(ReceiveDirectedRoute(&mad, 7, true).step, RouteStep::kProcess);
  EXPECT_EQ(mad.return_path(1), 7);
}

TEST(DirectedRoute, AnEndNodeDoesNotRelay) {
  Mad mad = Request({1, 2});
  OriginateDirectedRoute(&mad);
  EXPECT_EQ(ReceiveDirectedRoute(&mad, 1, false).step, RouteStep::kDiscard);
  MakeResponse(&mad, MadStatus::kOk);
  mad.set_hop_pointer(2);
  EXPECT_EQ(ReceiveDirectedRoute(&mad, 1, false).step, RouteStep::kDiscard);
}

TEST(DirectedRoute, NonsenseIsDiscarded) {
  Mad mad = Request({1, 2});
  EXPECT_EQ(ReceiveDirectedRoute(&mad, 1, true).step, RouteStep::kDiscard);  // pointer 0 on a wire
  mad.set_hop_pointer(3);
  EXPECT_EQ(ReceiveDirectedRoute(&mad, 1, true).step, RouteStep::kDiscard);  // beyond the end
  mad = Request({1, 0, 3});
  mad.set_hop_pointer(1);
  EXPECT_EQ(ReceiveDirectedRoute(&mad, 1, true).step, RouteStep::kDiscard);  // out port 0
  mad = Request({1});
  mad.set_hop_count(64);
  mad.set_hop_pointer(1);
  EXPECT_EQ(ReceiveDirectedRoute(&mad, 1, true).step,
            RouteStep::kDiscard);  // longer than the path field
  mad = Request({1});
  mad.set_direction(true);
  EXPECT_EQ(ReceiveDirectedRoute(&mad, 1, true).step, RouteStep::kDiscard);  // returning to nobody
  mad.set_hop_pointer(1);
  EXPECT_EQ(OriginateDirectedRoute(&mad).step,
            RouteStep::kDiscard);  // a response starts beyond the end
}

}  // namespace
}  // namespace lanecut::ib
