// SPDX-License-Identifier: Apache-2.0
//
// The verilated configurations of mgmt_agent and the fixture that every test of it uses.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "Vmgmt_agent_p14v8.h"
#include "Vmgmt_agent_p2v1.h"
#include "Vmgmt_agent_p6v2.h"
#include "tests/rtl/mgmt/agent_bench.h"
#include "tests/rtl/mgmt/smp.h"

namespace lanecut::mgmt_test {

struct SmallKind {
  using Dut = Vmgmt_agent_p6v2;
  static constexpr int kPorts = 6;
  static constexpr int kLftDepth = 256;
  static constexpr int kBufBlocks = 16;
  static constexpr int kVl15Blocks = 32;
  static constexpr uint32_t kMtuCap = 2;  // 512: 1024 and its headers do not fit 1024 bytes
  static constexpr uint32_t kVlCap = 2;   // VL 0 and 1
  static constexpr uint32_t kVls = 2;
  static constexpr uint32_t kVlArbEntries = 8;
  static constexpr bool kLifetime = false;
};

struct WideKind {
  using Dut = Vmgmt_agent_p14v8;
  static constexpr int kPorts = 14;
  static constexpr int kLftDepth = 1024;
  static constexpr int kBufBlocks = 32;
  static constexpr int kVl15Blocks = 64;
  static constexpr uint32_t kMtuCap = 3;  // 1024
  static constexpr uint32_t kVlCap = 4;   // VL 0 to 7
  static constexpr uint32_t kVls = 8;
  static constexpr uint32_t kVlArbEntries = 16;
  static constexpr bool kLifetime = true;
};

// As small as it gets: no performance management.
struct BareKind {
  using Dut = Vmgmt_agent_p2v1;
  static constexpr int kPorts = 2;
  static constexpr int kLftDepth = 64;
  static constexpr int kBufBlocks = 8;
  static constexpr int kVl15Blocks = 8;
  static constexpr uint32_t kMtuCap = 1;  // 256
  static constexpr uint32_t kVlCap = 1;   // VL 0
  static constexpr bool kLifetime = false;
  static constexpr uint32_t kVlArbEntries = 0;
};

template <typename Kind>
class AgentTest : public testing::Test {
 protected:
  // Nothing impossible may have happened, whatever the test did.
  void TearDown() override {
    EXPECT_EQ(bench_.dut().error_o, 0);
    EXPECT_EQ(bench_.protocol_errors, 0);
  }

  // A directed-route request for this switch, one hop from the manager, arriving at `port`.
  static Smp Request(uint8_t method, uint16_t attribute, uint32_t modifier = 0,
                     const Data& data = {}) {
    Smp smp;
    smp.method = method;
    smp.attribute = attribute;
    smp.modifier = modifier;
    smp.data = data;
    smp.hop_pointer = smp.hop_count = 1;
    smp.initial_path = {1};
    return smp;
  }

  // Word for word: the answer to `request` with this status and, if it is 0, these data.
  void ExpectAnswer(const Smp& request, uint16_t status, const Data& data, int port = 1) {
    const Departure answer = bench_.Ask(Build(request), port);
    Smp expected = request;
    expected.method = kGetResp;
    expected.status = status | 0x8000;
    expected.return_path = {static_cast<uint8_t>(port)};
    if (status == 0) expected.data = data;
    EXPECT_EQ(answer.port, port);
    EXPECT_EQ(answer.words, Build(expected));
  }

  void ExpectGet(uint16_t attribute, uint32_t modifier, const Data& data, int port = 1) {
    ExpectAnswer(Request(kGet, attribute, modifier), 0, data, port);
  }

  // A Set that is granted and answered with `after`.
  void ExpectSet(uint16_t attribute, uint32_t modifier, const Data& data, const Data& after) {
    ExpectAnswer(Request(kSet, attribute, modifier, data), 0, after);
  }

  void ExpectStatus(const Smp& request, uint16_t status) { ExpectAnswer(request, status, {}); }

  // Reads an attribute's words.
  Data Get(uint16_t attribute, uint32_t modifier = 0) {
    const Departure answer = bench_.Ask(Build(Request(kGet, attribute, modifier)));
    Data data{};
    if (answer.words.size() != kSmpWords) return data;
    for (int i = 0; i < 16; ++i) data[i] = answer.words[kData + i];
    return data;
  }

  // Gives the switch a LID and a manager, and routes to them in the active bank.
  void AssignLids(uint16_t lid, uint16_t manager_lid, int manager_port, int sl = 0) {
    Data port_info{};
    port_info[4] = static_cast<uint32_t>(lid) << 16 | manager_lid;
    port_info[9] = static_cast<uint32_t>(sl) << 24;
    bench_.Ask(Build(Request(kSet, 0x0015, 0, port_info)));
    Route(manager_lid, manager_port);
  }

  // Writes the LFT block of `lid` so that it goes to `port` and all others nowhere.
  void Route(uint16_t lid, int port) {
    Data block;
    block.fill(0xFFFFFFFF);
    const int shift = 24 - 8 * (lid % 4);
    uint32_t& word = block[lid % 64 / 4];
    word = (word & ~(0xFFu << shift)) | static_cast<uint32_t>(port) << shift;
    bench_.Ask(Build(Request(kSet, 0x0019, lid / 64, block)));
  }

  AgentBench<Kind> bench_;
};

using Kinds = testing::Types<SmallKind, WideKind>;

}  // namespace lanecut::mgmt_test
