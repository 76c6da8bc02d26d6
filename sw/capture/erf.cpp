// SPDX-License-Identifier: Apache-2.0
#include "sw/capture/erf.h"

#include <algorithm>

namespace lanecut {
namespace {

constexpr std::size_t kHeaderBytes = 16;
constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr unsigned kVaryingLength = 0x04;
constexpr unsigned kRxError = 0x10;

// Rounded up, so that a reader who rounds down or to the nearest gets the same ns.
std::uint64_t FixedPoint(std::uint64_t ns) {
  const std::uint64_t fraction = ((ns % kNsPerSecond << 32) + kNsPerSecond - 1) / kNsPerSecond;
  return (ns / kNsPerSecond << 32) + fraction;
}

void AppendByte(std::uint64_t value, std::string* file) {
  file->push_back(static_cast<char>(value & 0xFF));
}

void AppendBigEndian16(std::size_t value, std::string* file) {
  AppendByte(value >> 8, file);
  AppendByte(value, file);
}

}  // namespace

void AppendErf(const ErfRecord& record, std::string* file) {
  std::string bytes = record.bytes;
  if (record.type == ErfType::kInfinibandLink) {
    bytes.resize(std::max(bytes.size(), kErfLinkPacketBytes));
  }
  const std::uint64_t time = FixedPoint(record.ns);
  for (int shift = 0; shift < 64; shift += 8) AppendByte(time >> shift, file);
  AppendByte(static_cast<std::uint8_t>(record.type), file);
  AppendByte(
      static_cast<unsigned>(record.interface) | kVaryingLength | (record.rx_error ? kRxError : 0U),
      file);
  AppendBigEndian16(kHeaderBytes + bytes.size(), file);
  AppendBigEndian16(0, file);
  AppendBigEndian16(bytes.size(), file);
  file->append(bytes);
}

}  // namespace lanecut
