// SPDX-License-Identifier: Apache-2.0
#include "models/reference/credit_check.h"

#include <algorithm>

namespace lanecut::reference {

namespace {

constexpr int kMask = 0xFFF;
constexpr int kHalf = 2048;

bool Within(int limit, int sent, int blocks) { return ((limit - sent - blocks) & kMask) <= kHalf; }

// a - b as a signed distance.
int Distance(int a, int b) {
  const int d = (a - b) & kMask;
  return d > kHalf ? d - (kMask + 1) : d;
}

}  // namespace

CreditCheck::CreditCheck(int vls, int buf_blocks)
    : buf_blocks_(buf_blocks), state_(static_cast<std::size_t>(vls)) {}

void CreditCheck::Reset() { std::fill(state_.begin(), state_.end(), Vl{}); }

bool CreditCheck::Start(int vl, int blocks, Cycle t) {
  Vl& s = state_[At(vl)];
  bool ok = s.limit_known && Within(s.limit, s.sent, blocks);
  ok = ok || (s.limit_before_known && t < s.limit_changed + kSettle &&
              Within(s.limit_before, s.sent, blocks));
  s.sent = static_cast<std::uint16_t>((s.sent + blocks) & kMask);
  return ok;
}

void CreditCheck::LimitArrives(int vl, int fccl, Cycle t) {
  Vl& s = state_[At(vl)];
  s.limit_before = s.limit;
  s.limit_before_known = s.limit_known;
  s.limit = static_cast<std::uint16_t>(fccl);
  s.limit_known = true;
  s.limit_changed = t;
}

void CreditCheck::Received(int vl, int blocks) {
  Vl& s = state_[At(vl)];
  s.received = static_cast<std::uint16_t>((s.received + blocks) & kMask);
  s.received_before = static_cast<std::uint16_t>((s.received_before + blocks) & kMask);
}

void CreditCheck::SentArrives(int vl, int fctbs, Cycle t) {
  Vl& s = state_[At(vl)];
  s.received_before = s.received;
  s.received = static_cast<std::uint16_t>(fctbs);
  s.received_changed = t;
}

bool CreditCheck::Promise(int vl, int fccl, Cycle t) {
  Vl& s = state_[At(vl)];
  s.promised = static_cast<std::uint16_t>(fccl);
  s.has_promised = true;
  if (Distance(fccl, s.received) <= buf_blocks_) return true;
  return t < s.received_changed + kSettle && Distance(fccl, s.received_before) <= buf_blocks_;
}

int CreditCheck::Occupied(int vl, Cycle t) const {
  const Vl& s = state_[At(vl)];
  if (!s.has_promised) return -1;
  const bool healing = Distance(s.received, s.received_before) < 0;
  if (healing && t < s.received_changed + kSettle) return -1;
  return std::clamp(buf_blocks_ - Distance(s.promised, s.received), 0, buf_blocks_);
}

bool CreditCheck::HasCredit(int vl, int blocks) const {
  const Vl& s = state_[At(vl)];
  return s.limit_known && Within(s.limit, s.sent, blocks);
}

}  // namespace lanecut::reference
