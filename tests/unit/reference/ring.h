// SPDX-License-Identifier: Apache-2.0
//
// A ring of three switches that can be filled until all queues wait for the next one.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/unit/reference/bench.h"

namespace lanecut {

// Switch i's port 1 leads to port 2 of switch i+1; port 3 has an end node with LID i+1. Everyone
// sends to the node two switches further, clockwise, and nobody gets more than what the buffers
// take.
class Ring : public ::testing::Test {
 protected:
  static constexpr int kNodes = 3;
  static constexpr Cycle kFly = 5;
  static constexpr int kBlocks = 2;

  explicit Ring(bool ebr_literal = false) {
    SwitchShape shape;
    shape.ports = 3;
    shape.vls = 1;
    shape.buf_blocks = kBlocks;
    shape.ebr_literal = ebr_literal;
    EndNodeShape end_node;
    end_node.vls = 1;
    end_node.buf_blocks = kBlocks;
    for (int i = 0; i < kNodes; ++i)
      model_.AddSwitch(std::string(1, static_cast<char>('A' + i)), shape);
    for (int i = 0; i < kNodes; ++i)
      model_.AddEndNode(std::string(1, static_cast<char>('x' + i)), end_node);
    for (int i = 0; i < kNodes; ++i) {
      const int next = (i + 1) % kNodes;
      model_.AddLane(i, 1, next, 2, kFly);        // 4i
      model_.AddLane(next, 2, i, 1, kFly);        // 4i + 1
      model_.AddLane(kNodes + i, 1, i, 3, kFly);  // 4i + 2
      model_.AddLane(i, 3, kNodes + i, 1, kFly);  // 4i + 3
    }
  }

  void Move(int lane, Cycle t, const Wire& wire) {
    for (std::size_t k = 0; k < wire.size(); ++k) model_.OnPut(lane, t + k, wire[k]);
    for (std::size_t k = 0; k < wire.size(); ++k) model_.OnGet(lane, t + k + kFly, wire[k]);
  }

  void FlowControl(int lane, Cycle t, int fctbs, int fccl) {
    LinkWords(lane, t, static_cast<std::uint32_t>(fctbs) << 16 | static_cast<std::uint32_t>(fccl));
  }

  void LinkWords(int lane, Cycle t, std::uint32_t word);

  // Straight into the switch's agent, as if the packets had come from its end node.
  void Configure(int i, Cycle t) {
    Mad lft(16, 0xFFFFFFFF);
    lft[0] = 0;
    for (int lid = 1; lid <= kNodes; ++lid) {
      const std::uint32_t port = lid == i + 1 ? 3 : 1;
      lft[static_cast<std::size_t>(lid / 4)] |= port << (24 - 8 * (lid % 4));
    }
    Set(i, t, 0x0019, 0, lft);
    Mad vl0(16, 0);
    for (std::uint32_t in = 1; in <= 3; ++in) {
      for (std::uint32_t out = 1; out <= 3; ++out) Set(i, t += 400, 0x0017, in << 8 | out, vl0);
    }
    for (const std::uint32_t state : {3U, 4U}) {
      for (std::uint32_t port = 1; port <= 3; ++port) {
        Mad port_info(16, 0);
        port_info[8] = state << 24;
        Set(i, t += 400, 0x0015, port, port_info);
      }
    }
  }

  void Set(int i, Cycle t, std::uint16_t attribute, std::uint32_t modifier, const Mad& data) {
    const Mad request = DirectedMad(2, t, attribute, modifier, {1}, data);
    Move(4 * i + 2, t, SmpWire(request));
    Move(4 * i + 3, t + 150, SmpWire(Answer(request, 3)));
  }

  // Brings the ring up from cycle 100 on and fills it until nothing moves; the cycle in which that
  // is so.
  Cycle Deadlock();

  ReferenceModel model_;
};

inline void Ring::LinkWords(int lane, Cycle t, std::uint32_t word) {
  Wire wire{{word, Ctrl::kStartLink}, {0, Ctrl::kGoodEnd}};
  wire = Seal(wire);
  Move(lane, t, wire);
}

inline Cycle Ring::Deadlock() {
  for (int i = 0; i < kNodes; ++i) Configure(i, 100 + 10000 * static_cast<Cycle>(i));
  Cycle t = 100000;
  for (int lane = 0; lane < 4 * kNodes; ++lane) FlowControl(lane, t, 0, kBlocks);
  t += 100;
  // Each end node sends 6 packets: 2 stand in the next switch's input queue, 2 in the own output
  // queue, 2 in the own input.
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < kNodes; ++i) {
      const auto id = static_cast<std::uint64_t>(100 * (i + 1) + k);
      const DataPacket packet = Data(id, i + 1, (i + 2) % kNodes + 1);
      model_.OnGenerated(kNodes + i, id, t);
      Move(4 * i + 2, t, WireOf(packet));
      if (k < 2) Move(4 * i, t + 11, WireOf(packet));
      // What has crossed is free again.
      if (k < 4) FlowControl(4 * i + 3, t + 60, 0, k + 1 + kBlocks);
      EXPECT_CLEAN(model_);
    }
    t += 100;
  }
  for (int i = 0; i < kNodes; ++i) {
    FlowControl(4 * i + 1, t, 0, 2);  // the receiver of the ring's lane: full
    FlowControl(4 * i, t + 10, 2, 2);
  }
  return t + 100;
}

}  // namespace lanecut
