// SPDX-License-Identifier: Apache-2.0
//
// Records of an Extensible Record Format file (.erf), which Wireshark reads: a 16-byte header, then
// the bytes of the packet as they were on the link.
//
// Header: time, 32.32 fixed point, seconds, little endian (8 bytes); type (1); flags (1); record
// length with header (2); lost records (2); wire length (2); the last three big endian. A file is
// its records, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lanecut {

enum class ErfType : std::uint8_t {
  kInfiniband = 21,      // LRH to VCRC
  kInfinibandLink = 25,  // a link packet
};

struct ErfRecord {
  ErfType type = ErfType::kInfiniband;
  std::uint64_t ns = 0;   // below 2^32 seconds
  int interface = 0;      // 0..3
  bool rx_error = false;  // ended badly, or without an end
  std::string bytes = {};
};

// Link packets are padded with zeros to this length: for its summary, Wireshark (4.0) reads an LRH
// in their place, and by FCTBS also a GRH and a BTH behind it, and calls the packet malformed if it
// ends before them.
inline constexpr std::size_t kErfLinkPacketBytes = 64;

// Appends the record to `file`. At most 65,519 bytes.
void AppendErf(const ErfRecord& record, std::string* file);

}  // namespace lanecut
