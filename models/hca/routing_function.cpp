// SPDX-License-Identifier: Apache-2.0
#include "models/hca/routing_function.h"

#include <bit>

namespace lanecut {

void RoutingFunction::SetScheme(ib::FunctionScheme scheme) {
  if (scheme == scheme_) return;
  scheme_ = scheme;
  token_due_ = unsent_ = unacknowledged_ = ack_due_ = 0;
  passed_.fill(number_);
}

bool RoutingFunction::Start(std::uint8_t number) {
  const std::uint8_t wanted = FunctionNumber(number);
  if (wanted == number_) return true;
  if (osr()) {
    if (wanted != NextNumber(number_) || Changing()) return false;
    token_due_ = unsent_ = unacknowledged_ = all_;
  }
  number_ = wanted;
  return true;
}

bool RoutingFunction::Awaits() const {
  if (!osr()) return false;
  for (std::uint32_t vls = all_; vls != 0; vls &= vls - 1) {
    if (IsNewer(number_, passed(std::countr_zero(vls)))) return true;
  }
  return false;
}

LinkPacket RoutingFunction::Next(bool* first) {
  *first = false;
  if (ack_due_ != 0) {
    const int vl = std::countr_zero(ack_due_);
    ack_due_ &= ack_due_ - 1;
    return TokenPacket(kOpTokenAck, vl, ack_number_[static_cast<std::size_t>(vl)]);
  }
  const int vl = std::countr_zero(token_due_);
  const std::uint32_t bit = 1U << vl;
  *first = (unsent_ & bit) != 0;
  unsent_ &= ~bit;
  token_due_ &= ~bit;
  return TokenPacket(kOpToken, vl, number_);
}

bool RoutingFunction::TokenArrives(const LinkPacket& token) {
  if (!osr() || token.vl >= passed_.size()) return false;
  ack_due_ |= 1U << token.vl;
  ack_number_[token.vl] = token.number();
  return Pass(token.vl, token.number());
}

bool RoutingFunction::PacketArrives(int vl, std::uint8_t number) {
  return osr() && Pass(vl, number);
}

bool RoutingFunction::Pass(int vl, std::uint8_t number) {
  std::uint8_t& passed = passed_[static_cast<std::size_t>(vl)];
  if (!IsNewer(number, passed)) return false;
  passed = FunctionNumber(number);
  return true;
}

void RoutingFunction::AckArrives(const LinkPacket& ack) {
  if (ack.number() != number_ || ack.vl >= passed_.size()) return;
  unacknowledged_ &= ~(1U << ack.vl);
  token_due_ &= ~(1U << ack.vl);
}

}  // namespace lanecut
