// SPDX-License-Identifier: Apache-2.0
#include "sw/mad/path_record.h"

namespace lanecut::ib {
namespace {

constexpr std::uint8_t kSubnAdmVersion = 2;
constexpr std::size_t kPathComponentMask = 48;
constexpr std::size_t kRecord = 56;

// Bits of the ComponentMask.
constexpr std::uint64_t kDgid = 1 << 2;
constexpr std::uint64_t kSgid = 1 << 3;
constexpr std::uint64_t kReversible = 1 << 11;
constexpr std::uint64_t kNumPaths = 1 << 12;

constexpr std::uint8_t kReversibleBit = 0x80;
constexpr std::uint8_t kSixBits = 0x3F;
constexpr std::uint8_t kExactly = 0x80;  // selector before a value of six bits

Gid GetGid(const Mad& mad, std::size_t offset) {
  return {.prefix = mad.Get64(offset), .guid = mad.Get64(offset + 8)};
}

void SetGid(const Gid& gid, std::size_t offset, Mad* mad) {
  mad->Set64(offset, gid.prefix);
  mad->Set64(offset + 8, gid.guid);
}

}  // namespace

PathRecord PathRecord::Decode(const Mad& mad) {
  PathRecord record;
  record.dgid = GetGid(mad, kRecord + 8);
  record.sgid = GetGid(mad, kRecord + 24);
  record.dlid = mad.Get16(kRecord + 40);
  record.slid = mad.Get16(kRecord + 42);
  record.reversible = (mad.Get8(kRecord + 49) & kReversibleBit) != 0;
  record.num_paths = mad.Get8(kRecord + 49) & static_cast<std::uint8_t>(~kReversibleBit);
  record.p_key = mad.Get16(kRecord + 50);
  record.sl = mad.Get8(kRecord + 53) & 0x0F;
  record.mtu = mad.Get8(kRecord + 54) & kSixBits;
  record.rate = mad.Get8(kRecord + 55) & kSixBits;
  record.packet_life_time = mad.Get8(kRecord + 56) & kSixBits;
  return record;
}

void PathRecord::Encode(Mad* mad) const {
  SetGid(dgid, kRecord + 8, mad);
  SetGid(sgid, kRecord + 24, mad);
  mad->Set16(kRecord + 40, dlid);
  mad->Set16(kRecord + 42, slid);
  mad->Set8(kRecord + 49, static_cast<std::uint8_t>((reversible ? kReversibleBit : 0) | num_paths));
  mad->Set16(kRecord + 50, p_key);
  mad->Set16(kRecord + 52, sl);
  mad->Set8(kRecord + 54, kExactly | mtu);
  mad->Set8(kRecord + 55, kExactly | rate);
  mad->Set8(kRecord + 56, kExactly | packet_life_time);
}

Mad MakePathQuery(const Gid& from, const Gid& to) {
  Mad mad = MakeSmp(MadClass::kSubnAdm, MadMethod::kGet, MadAttribute::kPathRecord, 0);
  mad.Set8(2, kSubnAdmVersion);
  mad.Set64(kPathComponentMask, kDgid | kSgid | kReversible | kNumPaths);
  SetGid(to, kRecord + 8, &mad);
  SetGid(from, kRecord + 24, &mad);
  mad.Set8(kRecord + 49, kReversibleBit | 1);
  return mad;
}

}  // namespace lanecut::ib
