// SPDX-License-Identifier: Apache-2.0
#include "models/hca/flow_control.h"

#include <bit>

namespace lanecut {

FlowControl::FlowControl(int num_vls, int buffer_blocks)
    : buffer_blocks_(buffer_blocks), all_((1U << num_vls) - 1) {}

void FlowControl::Reset() {
  vls_.fill({});
  changed_ = 0;
  urgent_ = all_;
}

void FlowControl::Sent(int vl, int blocks) {
  Vl& v = vls_[vl];
  v.fctbs = static_cast<std::uint16_t>((v.fctbs + blocks) & kCreditMask);
}

bool FlowControl::Received(int vl, int blocks) {
  Vl& v = vls_[vl];
  // The neighbour may know an older limit, never a newer one.
  if (!v.advertised_known || !HasCredit(v.advertised, v.abr, blocks)) return false;
  v.abr = static_cast<std::uint16_t>((v.abr + blocks) & kCreditMask);
  Mark(vl);
  return true;
}

void FlowControl::Update(const LinkPacket& packet) {
  Vl& v = vls_[packet.vl];
  v.limit_known = true;
  v.limit = packet.fccl;
  // All packets before this one have arrived or never will: nothing overtakes on a link.
  v.abr = packet.fctbs;
  Mark(packet.vl);
}

LinkPacket FlowControl::Next(std::uint8_t op) {
  const std::uint32_t due = urgent_ != 0 ? urgent_ : changed_;
  const std::uint32_t after_last = due & ~((2U << last_vl_) - 1);
  last_vl_ = std::countr_zero(after_last != 0 ? after_last : due);
  Vl& v = vls_[last_vl_];
  v.advertised = Fccl(v);
  v.advertised_known = true;
  urgent_ &= ~(1U << last_vl_);
  changed_ &= ~(1U << last_vl_);
  return {
      .op = op, .fctbs = v.fctbs, .vl = static_cast<std::uint8_t>(last_vl_), .fccl = v.advertised};
}

int FlowControl::Credit(int vl) const {
  const Vl& v = vls_[vl];
  const int credit = (v.limit - v.fctbs) & kCreditMask;
  return v.limit_known && credit <= 2048 ? credit : 0;
}

// The limit of this VL may have moved.
void FlowControl::Mark(int vl) {
  const std::uint32_t bit = 1U << vl;
  const int moved = (Fccl(vls_[vl]) - vls_[vl].advertised) & kCreditMask;
  changed_ = moved != 0 ? changed_ | bit : changed_ & ~bit;
  if (4 * moved >= buffer_blocks_) urgent_ |= bit;
}

}  // namespace lanecut
