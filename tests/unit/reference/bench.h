// SPDX-License-Identifier: Apache-2.0
//
// A script for the reference model: one switch with three end nodes, and words, pulses and reports
// at chosen cycles. The test plays the switch, rightly or wrongly, so every check can be shown to
// fire.
//
// End node i (1..3) sits at port i of switch 0 and has LID i; it sends on lane 2(i-1) and receives
// on lane 2(i-1)+1. `BringUp` loads the tables by SMPs: LID i leaves by port i; SL n goes to VL n,
// SL 2 is discarded. Ports 1..3 become Active.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/reference/reference_model.h"
#include "sw/wire/packet.h"

namespace lanecut {

using Wire = std::vector<Word>;

class Bench {
 public:
  static constexpr Cycle kFly = 5;
  static constexpr int kPorts = 3;
  static constexpr int kSwitch = 0;

  // `lifetime`: the switch has HOQLife and LifeTimeValue.
  explicit Bench(bool lifetime = false);

  // --- Events. What a lane carries arrives kFly cycles later.
  void Put(int lane, Cycle t, const Wire& wire);
  // Word `index` arrives as `word`.
  void PutDamaged(int lane, Cycle t, const Wire& wire, int index, std::uint32_t word);
  void At(Cycle t, std::function<void(ReferenceModel&)> event);  // after the arrivals of t
  void Cut(int port, Cycle t);                                   // both lanes of the port's cable
  void Restore(int port, Cycle t);

  // --- Larger steps.
  void BringUp(Cycle t = 100);  // takes less than kUp - t cycles
  static constexpr Cycle kUp = 12000;
  // A Set by end node 1 whose last word reaches the switch in the cycle returned, and its answer
  // `delay` cycles later.
  Cycle Set(Cycle t, std::uint16_t attribute, std::uint32_t modifier,
            const std::vector<std::uint32_t>& data, Cycle delay = 40, std::uint16_t status = 0);
  void FlowControl(int lane, Cycle t, int vl, int fctbs, int fccl);
  // Generation, and the packet on end node `from`'s lane from cycle t on.
  Wire Send(int from, Cycle t, const DataPacket& packet);
  Wire Send(int from, Cycle t, const Wire& wire, std::uint64_t id);
  // The packet leaves the switch by `port`.
  void Leave(int port, Cycle t, const Wire& wire) { Put(2 * (port - 1) + 1, t, wire); }
  // End node `at` reports the packet that left the switch in cycle t.
  void Deliver(int at, Cycle t, const Wire& wire, std::uint64_t id);

  // Plays everything up to and including cycle `end`.
  ReferenceModel& Run(Cycle end);
  ReferenceModel& model() { return model_; }

 private:
  struct Event {
    Cycle t;
    int phase;
    std::size_t order;
    std::function<void(ReferenceModel&)> run;
  };
  void Add(Cycle t, int phase, std::function<void(ReferenceModel&)> run);

  ReferenceModel model_;
  std::vector<Event> events_;
  std::optional<Cycle> cut_at_[kPorts + 1];
  std::uint64_t next_tid_ = 1;
};

DataPacket Data(std::uint64_t id, int from, int to, int sl = 0);
// The words of the packet on its first link.
Wire WireOf(const DataPacket& packet);
Wire WireOf(const AckPacket& ack);
Wire WireOf(const GmpPacket& gmp);
// The same packet on another VL, VCRC included; or with a bad end after `words` words.
Wire OnVl(const Wire& wire, int vl);
Wire BadEnd(const Wire& wire, int words);
// With the VCRC made right for the words as they are.
Wire Seal(Wire wire);

using Mad = std::vector<std::uint32_t>;
// A directed-route MAD as it stands on the link towards its first switch.
Mad DirectedMad(int method, std::uint64_t tid, std::uint16_t attribute, std::uint32_t modifier,
                const std::vector<int>& initial_path, const std::vector<std::uint32_t>& data = {});
Wire SmpWire(const Mad& mad);
// The answer to a request that came by `in_port` and ended at this switch.
Mad Answer(const Mad& request, int in_port, std::uint16_t status = 0);

// "" or the check that failed and its text.
std::string Failure(const ReferenceModel& model);

#define EXPECT_CLEAN(model) EXPECT_EQ(Failure(model), "")
#define EXPECT_FAILS(model, expected_check)                                               \
  do {                                                                                    \
    ASSERT_TRUE((model).failed()) << "the model saw nothing wrong";                       \
    EXPECT_EQ((model).mismatch()->check, (expected_check)) << (model).mismatch()->Text(); \
  } while (false)

}  // namespace lanecut
