// SPDX-License-Identifier: Apache-2.0
#include "models/hca/pma.h"

#include <algorithm>
#include <limits>

namespace lanecut {

using ib::Mad;
using ib::MadMethod;
using ib::MadStatus;

namespace {

// IBA 16.1.2: attributes, and where their fields are in the data of the MAD.
constexpr std::uint16_t kClassPortInfo = 0x0001;
constexpr std::uint16_t kPortCounters = 0x0012;
constexpr std::uint16_t kPortCountersExtended = 0x001D;
constexpr std::size_t kData = ib::kSmpDataOffset;
constexpr std::size_t kPortSelect = kData + 1;
constexpr std::size_t kCounterSelect = kData + 2;

constexpr std::uint16_t kExtendedWidth = 0x0200;  // CapabilityMask
constexpr std::uint8_t kResponseTime = 8;         // 4.096 us * 2^8

// CounterSelect of PortCounters.
constexpr std::uint32_t kLinkDowned = 1U << 2;
constexpr std::uint32_t kReceiveErrors = 1U << 3;
constexpr std::uint32_t kVl15Dropped = 1U << 11;
constexpr int kFirstOfExtended = 12;
constexpr std::uint32_t kWordsSent = 1U << 12;
constexpr std::uint32_t kWordsReceived = 1U << 13;
constexpr std::uint32_t kPacketsSent = 1U << 14;
constexpr std::uint32_t kPacketsReceived = 1U << 15;

// Counters stop at the largest value of their field.
template <typename T>
T Saturated(std::uint64_t count) {
  return static_cast<T>(std::min<std::uint64_t>(count, std::numeric_limits<T>::max()));
}

}  // namespace

void Pma::Answer(Mad* mad) {
  const MadStatus status = Serve(mad);
  mad->set_method(MadMethod::kGetResp);
  mad->set_status(status);
}

MadStatus Pma::Serve(Mad* mad) {
  const auto attribute = static_cast<std::uint16_t>(mad->attribute());
  const bool is_set = mad->method() == MadMethod::kSet;
  if (attribute == kClassPortInfo && !is_set) {
    std::fill(mad->bytes.begin() + kData, mad->bytes.end(), std::uint8_t{0});
    mad->Set16(kData, 0x0101);  // versions
    mad->Set16(kData + 2, kExtendedWidth);
    mad->Set32(kData + 4, kResponseTime);
    return MadStatus::kOk;
  }
  const bool is_extended = attribute == kPortCountersExtended;
  if (!is_extended && attribute != kPortCounters) return MadStatus::kUnsupportedAttribute;
  if (mad->Get8(kPortSelect) != 1) return MadStatus::kInvalidField;
  const std::uint32_t selected = mad->Get16(kCounterSelect);
  if (is_set) Clear(is_extended ? (selected & 0xF) << kFirstOfExtended : selected);
  std::fill(mad->bytes.begin() + kData + 4, mad->bytes.end(), std::uint8_t{0});
  if (is_extended) {
    mad->Set64(kData + 8, words_sent_);
    mad->Set64(kData + 16, words_received_);
    mad->Set64(kData + 24, packets_sent_);
    mad->Set64(kData + 32, packets_received_);
    mad->Set64(kData + 40, packets_sent_);  // unicast: there is no other
    mad->Set64(kData + 48, packets_received_);
    return MadStatus::kOk;
  }
  mad->Set8(kData + 7, Saturated<std::uint8_t>(links_downed_));
  mad->Set16(kData + 8, Saturated<std::uint16_t>(receive_errors_));
  mad->Set16(kData + 22, Saturated<std::uint16_t>(vl15_dropped_));
  mad->Set32(kData + 24, Saturated<std::uint32_t>(words_sent_));
  mad->Set32(kData + 28, Saturated<std::uint32_t>(words_received_));
  mad->Set32(kData + 32, Saturated<std::uint32_t>(packets_sent_));
  mad->Set32(kData + 36, Saturated<std::uint32_t>(packets_received_));
  return MadStatus::kOk;
}

void Pma::Clear(std::uint32_t selected) {
  if ((selected & kLinkDowned) != 0) links_downed_ = 0;
  if ((selected & kReceiveErrors) != 0) receive_errors_ = 0;
  if ((selected & kVl15Dropped) != 0) vl15_dropped_ = 0;
  if ((selected & kWordsSent) != 0) words_sent_ = 0;
  if ((selected & kWordsReceived) != 0) words_received_ = 0;
  if ((selected & kPacketsSent) != 0) packets_sent_ = 0;
  if ((selected & kPacketsReceived) != 0) packets_received_ = 0;
}

}  // namespace lanecut
