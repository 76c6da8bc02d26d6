// SPDX-License-Identifier: Apache-2.0
#include "models/hca/m_key.h"

namespace lanecut {

using ib::Mad;
using ib::MadMethod;
using ib::PortInfo;

namespace {

constexpr std::uint8_t kHidesKey = 1;      // protection bits
constexpr std::uint8_t kProtectsGets = 2;  // ... from here on
constexpr std::uint16_t kMostViolations = 0xFFFF;

}  // namespace

bool MKey::Admits(const Mad& mad, Cycle t) {
  if (lease_end_ && t >= *lease_end_) {
    lease_end_.reset();
    protect_bits_ = 0;
  }
  if (IsBroughtBy(mad)) {
    lease_end_.reset();
    return true;
  }
  if (mad.method() == MadMethod::kGet && protect_bits_ < kProtectsGets) return true;
  if (violations_ != kMostViolations) ++violations_;
  if (!lease_end_ && lease_period_ != 0) lease_end_ = t + lease_period_ * cycles_per_second_;
  return false;
}

void MKey::Read(const Mad& request, PortInfo* info) const {
  const bool is_hidden =
      request.method() == MadMethod::kGet && protect_bits_ == kHidesKey && !IsBroughtBy(request);
  info->m_key = is_hidden ? 0 : key_;
  info->m_key_protect_bits = protect_bits_;
  info->m_key_lease_period = lease_period_;
  info->m_key_violations = violations_;
}

void MKey::Write(const PortInfo& info) {
  key_ = info.m_key;
  protect_bits_ = info.m_key_protect_bits;
  lease_period_ = info.m_key_lease_period;
  violations_ = info.m_key_violations;
}

}  // namespace lanecut
