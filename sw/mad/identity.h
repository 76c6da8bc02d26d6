// SPDX-License-Identifier: Apache-2.0
//
// What switches and end nodes say of themselves in NodeInfo.
#pragma once

#include <cstdint>

namespace lanecut::ib {

inline constexpr std::uint32_t kVendorId = 0x004C43;
inline constexpr std::uint16_t kSwitchDeviceId = 0x4C43;  // as in rtl/mgmt/mgmt_attributes.sv
inline constexpr std::uint32_t kSwitchRevision = 1;       // likewise
inline constexpr std::uint16_t kHcaDeviceId = 0x0002;
inline constexpr std::uint32_t kHcaRevision = 0;

}  // namespace lanecut::ib
