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
  bool allowed = false;
  for (std::size_t age = 0; age < kLimits && !allowed; ++age) {
    const Limit& limit = s.limits[(s.newest + kLimits - age) % kLimits];
    allowed = limit.known && Within(limit.fccl, s.sent, blocks);
    if (!limit.known || limit.arrived + kSettle <= t) break;  // it has replaced those before it
  }
  s.sent = static_cast<std::uint16_t>((s.sent + blocks) & kMask);
  return allowed;
}

void CreditCheck::LimitArrives(int vl, int fccl, Cycle t) {
  Vl& s = state_[At(vl)];
  s.newest = static_cast<std::uint8_t>((s.newest + 1) % kLimits);
  s.limits[s.newest] = {t, static_cast<std::uint16_t>(fccl), true};
}

void CreditCheck::Received(int vl, int blocks) {
  Vl& s = state_[At(vl)];
  s.received = static_cast<std::uint16_t>((s.received + blocks) & kMask);
  s.before_fall = static_cast<std::uint16_t>((s.before_fall + blocks) & kMask);
}

void CreditCheck::SentArrives(int vl, int fctbs, Cycle t) {
  Vl& s = state_[At(vl)];
  if (Distance(fctbs, s.received) < 0) {
    // A count that fell a moment ago still holds if it was the higher one.
    if (!Fell(s, t) || Distance(s.received, s.before_fall) > 0) s.before_fall = s.received;
    s.fell_at = t;
  }
  s.received = static_cast<std::uint16_t>(fctbs);
  if (s.restarted) s.has_promised = false;  // that promise was about another count
  s.restarted = false;
}

bool CreditCheck::Promise(int vl, int fccl, Cycle t) {
  Vl& s = state_[At(vl)];
  s.promised = static_cast<std::uint16_t>(fccl);
  s.has_promised = true;
  return MayPromise(vl, fccl, t);
}

void CreditCheck::RestartReceiver(int vl, int fccl) {
  Vl& s = state_[At(vl)];
  s.received = static_cast<std::uint16_t>((fccl - buf_blocks_) & kMask);
  s.before_fall = s.received;
  s.restarted = true;
}

bool CreditCheck::MayPromise(int vl, int fccl, Cycle t) const {
  const Vl& s = state_[At(vl)];
  return s.restarted || Distance(fccl, s.received) <= buf_blocks_ ||
         (Fell(s, t) && Distance(fccl, s.before_fall) <= buf_blocks_);
}

int CreditCheck::Occupied(int vl, Cycle t) const {
  const Vl& s = state_[At(vl)];
  if (!s.has_promised || s.restarted) return -1;
  if (Fell(s, t) && Distance(s.received, s.before_fall) < 0) return -1;
  return std::max(buf_blocks_ - Distance(s.promised, s.received), 0);
}

bool CreditCheck::Fell(const Vl& s, Cycle t) { return t < s.fell_at + kSettle; }

bool CreditCheck::HasCredit(int vl, int blocks) const {
  const Vl& s = state_[At(vl)];
  const Limit& limit = s.limits[s.newest];
  return limit.known && Within(limit.fccl, s.sent, blocks);
}

bool CreditCheck::Unused(int vl, int since) const {
  const Vl& s = state_[At(vl)];
  const Limit& limit = s.limits[s.newest];
  return limit.known && ((limit.fccl - (s.sent - since)) & kMask) == buf_blocks_;
}

}  // namespace lanecut::reference
