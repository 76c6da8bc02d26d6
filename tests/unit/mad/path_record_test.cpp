// SPDX-License-Identifier: Apache-2.0
#include "sw/mad/path_record.h"

#include <gtest/gtest.h>

namespace lanecut::ib {
namespace {

// Offsets and bits as in the architecture's figures, written out.
TEST(PathRecord, QueryIsASubnAdmGet) {
  const Mad mad = MakePathQuery({.prefix = 0xFE80000000000000, .guid = 0x1111},
                                {.prefix = 0xFE80000000000000, .guid = 0x2222});
  EXPECT_EQ(mad.Get32(0), 0x01030201u);  // base version, class, class version, Get
  EXPECT_EQ(mad.Get16(16), 0x0035);
  EXPECT_EQ(mad.Get64(48), 0x180Cu);  // DGID, SGID, Reversible, NumbPath
  EXPECT_EQ(mad.Get64(56 + 8), 0xFE80000000000000u);
  EXPECT_EQ(mad.Get64(56 + 16), 0x2222u);
  EXPECT_EQ(mad.Get64(56 + 32), 0x1111u);
  EXPECT_EQ(mad.Get8(56 + 49), 0x81);  // reversible, one
}

TEST(PathRecord, Fields) {
  Mad mad;
  mad.Set16(56 + 40, 44);
  mad.Set16(56 + 42, 33);
  mad.Set8(56 + 49, 0x80);
  mad.Set16(56 + 50, 0xFFFF);
  mad.Set16(56 + 52, 0xABC7);  // QoS class and SL
  mad.Set8(56 + 54, 0x82);
  mad.Set8(56 + 55, 0x83);
  mad.Set8(56 + 56, 0x92);
  const PathRecord record = PathRecord::Decode(mad);
  EXPECT_EQ(record.dlid, 44);
  EXPECT_EQ(record.slid, 33);
  EXPECT_TRUE(record.reversible);
  EXPECT_EQ(record.num_paths, 0);
  EXPECT_EQ(record.p_key, 0xFFFF);
  EXPECT_EQ(record.sl, 7);
  EXPECT_EQ(record.mtu, 2);
  EXPECT_EQ(record.rate, 3);
  EXPECT_EQ(record.packet_life_time, 0x12);
}

TEST(PathRecord, RoundTrip) {
  const PathRecord record{.dgid = {.prefix = 1, .guid = 2},
                          .sgid = {.prefix = 3, .guid = 4},
                          .dlid = 5,
                          .slid = 6,
                          .reversible = true,
                          .num_paths = 7,
                          .p_key = 8,
                          .sl = 9,
                          .mtu = 4,
                          .rate = 3,
                          .packet_life_time = 18};
  Mad mad;
  record.Encode(&mad);
  EXPECT_EQ(PathRecord::Decode(mad), record);
}

}  // namespace
}  // namespace lanecut::ib
