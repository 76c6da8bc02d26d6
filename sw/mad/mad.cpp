// SPDX-License-Identifier: Apache-2.0
#include "sw/mad/mad.h"

namespace lanecut::ib {

namespace {

constexpr std::uint16_t kDirectionBit = 0x8000;
constexpr std::uint8_t kBaseVersion = 1;
constexpr std::uint8_t kClassVersion = 1;
constexpr std::size_t kDrSlidOffset = 32;
constexpr std::size_t kDrDlidOffset = 34;

template <typename T>
T GetBigEndian(const Mad& mad, std::size_t offset) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>(value << 8 | mad.Get8(offset + i));
  }
  return value;
}

template <typename T>
void SetBigEndian(Mad* mad, std::size_t offset, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    mad->Set8(offset + i, static_cast<std::uint8_t>(value >> (8 * (sizeof(T) - 1 - i))));
  }
}

}  // namespace

const char* MadAttributeName(MadAttribute attribute) {
  switch (attribute) {
    case MadAttribute::kNotice:
      return "Notice";
    case MadAttribute::kNodeDescription:
      return "NodeDescription";
    case MadAttribute::kNodeInfo:
      return "NodeInfo";
    case MadAttribute::kSwitchInfo:
      return "SwitchInfo";
    case MadAttribute::kGuidInfo:
      return "GUIDInfo";
    case MadAttribute::kPortInfo:
      return "PortInfo";
    case MadAttribute::kPKeyTable:
      return "P_KeyTable";
    case MadAttribute::kSlToVlMappingTable:
      return "SLtoVLMappingTable";
    case MadAttribute::kVlArbitrationTable:
      return "VLArbitrationTable";
    case MadAttribute::kLinearForwardingTable:
      return "LinearForwardingTable";
    case MadAttribute::kMulticastForwardingTable:
      return "MulticastForwardingTable";
    case MadAttribute::kSmInfo:
      return "SMInfo";
    case MadAttribute::kPathRecord:
      return "PathRecord";
    case MadAttribute::kVendorStatus:
      return "VendorStatus";
    case MadAttribute::kVendorInjection:
      return "VendorInjection";
    case MadAttribute::kVendorBank:
      return "VendorBank";
    case MadAttribute::kVendorInactiveForwardingTable:
      return "VendorInactiveForwardingTable";
    case MadAttribute::kVendorInactiveSlToVl:
      return "VendorInactiveSLtoVL";
    case MadAttribute::kVendorEndNodePorts:
      return "VendorEndNodePorts";
    case MadAttribute::kVendorScheme:
      return "VendorScheme";
    case MadAttribute::kVendorFunction:
      return "VendorFunction";
    case MadAttribute::kVendorFeederRows:
      return "VendorFeederRows";
    case MadAttribute::kVendorVlDrain:
      return "VendorVlDrain";
    case MadAttribute::kVendorTableUpdate:
      return "VendorTableUpdate";
    case MadAttribute::kVendorPaths:
      return "VendorPaths";
    case MadAttribute::kVendorPortCounters:
      return "VendorPortCounters";
  }
  return "unknown attribute";
}

std::uint16_t Mad::Get16(std::size_t offset) const {
  return GetBigEndian<std::uint16_t>(*this, offset);
}
std::uint32_t Mad::Get32(std::size_t offset) const {
  return GetBigEndian<std::uint32_t>(*this, offset);
}
std::uint64_t Mad::Get64(std::size_t offset) const {
  return GetBigEndian<std::uint64_t>(*this, offset);
}
void Mad::Set16(std::size_t offset, std::uint16_t value) { SetBigEndian(this, offset, value); }
void Mad::Set32(std::size_t offset, std::uint32_t value) { SetBigEndian(this, offset, value); }
void Mad::Set64(std::size_t offset, std::uint64_t value) { SetBigEndian(this, offset, value); }

std::uint16_t Mad::status() const {
  const std::uint16_t raw = Get16(4);
  return is_directed() ? raw & static_cast<std::uint16_t>(~kDirectionBit) : raw;
}

void Mad::set_status(MadStatus status) {
  const std::uint16_t keep = is_directed() ? Get16(4) & kDirectionBit : 0;
  Set16(4, keep | static_cast<std::uint16_t>(status));
}

void Mad::set_direction(bool returning) {
  const std::uint8_t rest = Get8(4) & 0x7F;
  Set8(4, returning ? rest | 0x80 : rest);
}

Mad MakeSmp(MadClass mad_class, MadMethod method, MadAttribute attribute, std::uint32_t modifier) {
  Mad mad;
  mad.Set8(0, kBaseVersion);
  mad.Set8(1, static_cast<std::uint8_t>(mad_class));
  mad.Set8(2, kClassVersion);
  mad.set_method(method);
  mad.set_attribute(attribute);
  mad.set_modifier(modifier);
  if (mad_class == MadClass::kSubnDirected) {
    mad.Set16(kDrSlidOffset, kPermissiveLid);
    mad.Set16(kDrDlidOffset, kPermissiveLid);
  }
  return mad;
}

void MakeResponse(Mad* mad, MadStatus status) {
  mad->set_method(MadMethod::kGetResp);
  mad->set_status(status);
  if (mad->is_directed()) mad->set_direction(true);
}

}  // namespace lanecut::ib
