// SPDX-License-Identifier: Apache-2.0
//
// The routing function that an end node's packets are for, and the tokens that separate packets of
// one function from those of the next.
//
// Every data packet that the node injects carries the function's number. Under OSR a change of
// function also sends a token on every data VL. Between packets it stands behind the packet that
// was being sent, which was the last one of the old function, so it may go as soon as the wire is
// free. It is repeated with every tick and when the port becomes Active, until it is acknowledged.
//
// A VL of the neighbour has passed the token when the token or a packet of its function has
// arrived: either means that no older packet follows. Every token that arrives is acknowledged; one
// that is not newer than what the VL has passed means nothing more.
//
// Source: O. Lysne et al., An Efficient and Deadlock-Free Network Reconfiguration Protocol, IEEE
// Transactions on Computers 57(6), 2008; numbers, repetition and acknowledgement are this
// project's.
#pragma once

#include <array>
#include <cstdint>

#include "models/hca/flow_control.h"
#include "sw/mad/attributes.h"
#include "sw/wire/function_number.h"
#include "sw/wire/link_packet.h"

namespace lanecut {

class RoutingFunction {
 public:
  explicit RoutingFunction(int num_vls) : all_((1U << num_vls) - 1) {}

  ib::FunctionScheme scheme() const { return scheme_; }
  bool osr() const { return scheme_ == ib::FunctionScheme::kTokens; }
  // Another scheme than before forgets all tokens: every VL starts with the node's own number.
  void SetScheme(ib::FunctionScheme scheme);

  // Of the packets that are injected now.
  std::uint8_t number() const { return number_; }
  // From now on packets are for function `number`. Under OSR it must be the next one, and no change
  // may be under way: else false, and nothing happens. The present number is always right.
  bool Start(std::uint8_t number);
  // OSR: some VL has not passed the token of the node's number.
  bool Awaits() const;
  // OSR: that, or a token of the node is not acknowledged.
  bool Changing() const { return unacknowledged_ != 0 || Awaits(); }

  // Sending. Only while the port is Active.
  bool Due() const { return (ack_due_ | token_due_) != 0; }
  // The next one to send, acknowledgements first. Only if Due(). `first`: a token that has not been
  // sent before.
  LinkPacket Next(bool* first);
  // What is not acknowledged is due again.
  void Repeat() { token_due_ = unacknowledged_; }
  // The link is gone: whoever sent a token will repeat it.
  void ForgetAcks() { ack_due_ = 0; }

  // Receiving, on a data VL. True if the VL has passed a token by that.
  bool TokenArrives(const LinkPacket& token);
  bool PacketArrives(int vl, std::uint8_t number);
  void AckArrives(const LinkPacket& ack);
  // A packet of that number should not come any more. Only under OSR.
  bool IsStale(int vl, std::uint8_t number) const {
    return osr() && IsNewer(passed_[static_cast<std::size_t>(vl)], number);
  }
  // The newest function whose token the VL has passed.
  std::uint8_t passed(int vl) const { return passed_[static_cast<std::size_t>(vl)]; }

 private:
  bool Pass(int vl, std::uint8_t number);

  ib::FunctionScheme scheme_ = ib::FunctionScheme::kNone;
  std::uint8_t number_ = 0;
  // By VL, a bit each.
  std::uint32_t all_;
  std::uint32_t token_due_ = 0;
  std::uint32_t unsent_ = 0;  // of these, those that have never been sent
  std::uint32_t unacknowledged_ = 0;
  std::uint32_t ack_due_ = 0;
  std::array<std::uint8_t, FlowControl::kMaxVls> passed_{};
  std::array<std::uint8_t, FlowControl::kMaxVls> ack_number_{};
};

}  // namespace lanecut
