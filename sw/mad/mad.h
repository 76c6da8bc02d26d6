// SPDX-License-Identifier: Apache-2.0
//
// A management datagram: 256 bytes in wire order (big endian), with accessors for the fields every
// MAD has and for the directed-route fields of an SMP.
//
// The bytes are the packet's payload; a fabric carries them as 64 words, first byte in bits 31:24
// (see Word()). Offsets are byte offsets. An offset outside the MAD is a programming error
// (assert). Source: InfiniBand Architecture volume 1, 13.4.2 (common header) and 14.2.1 (SMP
// formats).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanecut::ib {

inline constexpr std::size_t kMadBytes = 256;
inline constexpr std::size_t kMadWords = kMadBytes / 4;
inline constexpr std::size_t kSmpDataOffset = 64;
inline constexpr std::size_t kSmpDataBytes = 64;
inline constexpr std::size_t kInitialPathOffset = 128;
inline constexpr std::size_t kReturnPathOffset = 192;
inline constexpr int kMaxHops = 63;  // InitialPath[0] is not used

inline constexpr std::uint16_t kPermissiveLid = 0xFFFF;

enum class MadClass : std::uint8_t {
  kSubnLid = 0x01,       // LID routed
  kSubnDirected = 0x81,  // directed route
  kSubnAdm = 0x03,       // subnet administration; from here on general services, queue pair 1
  kPerformance = 0x04,
};

enum class MadMethod : std::uint8_t {
  kGet = 0x01,
  kSet = 0x02,
  kTrap = 0x05,
  kTrapRepress = 0x07,
  kGetResp = 0x81,
};

// Status codes in host order, without the directed-route D bit.
enum class MadStatus : std::uint16_t {
  kOk = 0,
  kBusy = 0x0001,
  kUnsupportedMethod = 0x0008,
  kUnsupportedAttribute = 0x000C,  // method and attribute combination
  kInvalidField = 0x001C,          // attribute or modifier value
};

// Attribute identifiers of subnet management, and one of subnet administration. The 0xFFxx ones are
// Lanecut's own.
enum class MadAttribute : std::uint16_t {
  kNotice = 0x0002,
  kNodeDescription = 0x0010,
  kNodeInfo = 0x0011,
  kSwitchInfo = 0x0012,
  kGuidInfo = 0x0014,
  kPortInfo = 0x0015,
  kPKeyTable = 0x0016,
  kSlToVlMappingTable = 0x0017,
  kVlArbitrationTable = 0x0018,
  kLinearForwardingTable = 0x0019,
  kMulticastForwardingTable = 0x001B,
  kSmInfo = 0x0020,
  kPathRecord = 0x0035,
  kVendorStatus = 0xFF00,
  kVendorInjection = 0xFF01,
  kVendorBank = 0xFF02,
  kVendorInactiveForwardingTable = 0xFF03,
  kVendorInactiveSlToVl = 0xFF04,
  kVendorPortCounters = 0xFF05,
  kVendorEndNodePorts = 0xFF06,
  kVendorScheme = 0xFF07,
  kVendorFunction = 0xFF08,
  kVendorFeederRows = 0xFF09,
  kVendorTableUpdate = 0xFF0A,  // compact packets only
  kVendorVlDrain = 0xFF0B,
  kVendorPaths = 0xFF0C,
};

// "NodeInfo", "VendorStatus", ...; "unknown attribute" for a value that is none of these.
const char* MadAttributeName(MadAttribute attribute);

struct Mad {
  std::array<std::uint8_t, kMadBytes> bytes{};

  std::uint8_t Get8(std::size_t offset) const { return bytes.at(offset); }
  std::uint16_t Get16(std::size_t offset) const;
  std::uint32_t Get32(std::size_t offset) const;
  std::uint64_t Get64(std::size_t offset) const;
  void Set8(std::size_t offset, std::uint8_t value) { bytes.at(offset) = value; }
  void Set16(std::size_t offset, std::uint16_t value);
  void Set32(std::size_t offset, std::uint32_t value);
  void Set64(std::size_t offset, std::uint64_t value);

  // Word `index` (0..63) as it stands on a link.
  std::uint32_t Word(std::size_t index) const { return Get32(4 * index); }
  void SetWord(std::size_t index, std::uint32_t value) { Set32(4 * index, value); }

  // Common header.
  MadClass mad_class() const { return static_cast<MadClass>(Get8(1)); }
  MadMethod method() const { return static_cast<MadMethod>(Get8(3)); }
  void set_method(MadMethod method) { Set8(3, static_cast<std::uint8_t>(method)); }
  bool is_response() const { return (Get8(3) & 0x80) != 0; }
  bool is_directed() const { return mad_class() == MadClass::kSubnDirected; }
  // Subnet management, queue pair 0; all other classes use queue pair 1.
  bool is_smp() const { return is_directed() || mad_class() == MadClass::kSubnLid; }
  // Without the D bit, so that both classes compare alike.
  std::uint16_t status() const;
  void set_status(MadStatus status);  // keeps the D bit of a directed-route SMP
  std::uint64_t transaction_id() const { return Get64(8); }
  void set_transaction_id(std::uint64_t tid) { Set64(8, tid); }
  MadAttribute attribute() const { return static_cast<MadAttribute>(Get16(16)); }
  void set_attribute(MadAttribute attribute) { Set16(16, static_cast<std::uint16_t>(attribute)); }
  // Of an SMP.
  std::uint64_t m_key() const { return Get64(24); }
  void set_m_key(std::uint64_t key) { Set64(24, key); }
  std::uint32_t modifier() const { return Get32(20); }
  void set_modifier(std::uint32_t modifier) { Set32(20, modifier); }

  // Directed-route part.
  bool direction() const { return (Get8(4) & 0x80) != 0; }  // D: 1 on the way back
  void set_direction(bool returning);
  std::uint8_t hop_pointer() const { return Get8(6); }
  void set_hop_pointer(std::uint8_t value) { Set8(6, value); }
  std::uint8_t hop_count() const { return Get8(7); }
  void set_hop_count(std::uint8_t value) { Set8(7, value); }
  std::uint8_t initial_path(std::size_t hop) const { return Get8(kInitialPathOffset + hop); }
  void set_initial_path(std::size_t hop, std::uint8_t port) {
    Set8(kInitialPathOffset + hop, port);
  }
  std::uint8_t return_path(std::size_t hop) const { return Get8(kReturnPathOffset + hop); }
  void set_return_path(std::size_t hop, std::uint8_t port) { Set8(kReturnPathOffset + hop, port); }

  friend bool operator==(const Mad&, const Mad&) = default;
};

// A request with BaseVersion, Class and ClassVersion filled in; a directed-route one has DrSLID =
// DrDLID = 0xFFFF.
Mad MakeSmp(MadClass mad_class, MadMethod method, MadAttribute attribute, std::uint32_t modifier);

// Turns a received request into its response: method GetResp and, for a directed route, D = 1.
// HopPointer stays.
void MakeResponse(Mad* mad, MadStatus status);

}  // namespace lanecut::ib

namespace lanecut {
using ib::Mad;
}  // namespace lanecut
