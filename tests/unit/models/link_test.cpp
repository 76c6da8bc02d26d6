// SPDX-License-Identifier: Apache-2.0
#include "models/link/link.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/wire/link_packet.h"

namespace lanecut {
namespace {

Word Body(std::uint32_t data) { return {data, Ctrl::kBody}; }

TEST(Link, DeliversAfterTheFlyTime) {
  for (const int fly : {0, 1, 5, 16, 33}) {
    Link link(0, fly);
    Lane& out = link.Out(0);
    Lane& in = link.In(1);
    ASSERT_EQ(&out, &in);
    for (Cycle t = 100; t < 200; ++t) {
      const Cycle sent = t - static_cast<Cycle>(fly);
      const Word expected =
          sent > 100 && sent % 3 == 0 ? Body(static_cast<std::uint32_t>(sent)) : Word{};
      EXPECT_EQ(in.Get(t), expected) << "fly " << fly << ", cycle " << t;
      if ((t + 1) % 3 == 0) out.Put(t + 1, Body(static_cast<std::uint32_t>(t + 1)));
    }
  }
}

TEST(Link, FullRateInBothDirections) {
  Link link(0, 5);
  for (Cycle t = 0; t < 1000; ++t) {
    for (int end = 0; end < 2; ++end) {
      const Word word = link.In(end).Get(t);
      if (t > 5) {
        EXPECT_EQ(word.data, static_cast<std::uint32_t>(10 * (t - 5)) + (1 - end));
      }
      link.Out(end).Put(t + 1, Body(static_cast<std::uint32_t>(10 * (t + 1)) + end));
    }
  }
}

TEST(Link, CountsWhatIsUnderWay) {
  Link first(0, 4);
  Link second(1, 4);
  int activity = 0;
  first.In(1).SetActivityCounter(&activity);
  second.In(1).SetActivityCounter(&activity);
  first.Out(0).Put(1, Body(1));
  first.Out(0).Put(2, Body(2));
  second.Out(0).Put(1, Body(3));
  EXPECT_EQ(activity, 3);
  for (Cycle t = 1; t <= 5; ++t) first.In(1).Get(t);
  EXPECT_EQ(activity, 2);
  EXPECT_FALSE(first.In(1).Empty());
  first.Cut(5);
  EXPECT_TRUE(first.In(1).Empty());
  EXPECT_EQ(activity, 1);
}

TEST(Link, AMissedWordIsAnError) {
  Link link(0, 2);
  link.Out(0).Put(1, Body(1));
  EXPECT_THROW(link.In(1).Get(4), std::logic_error);
}

TEST(Link, AnUnreadLaneIsAnError) {
  Link link(0, 2);
  const auto fill = [&link] {
    for (Cycle t = 1; t < 20; ++t) link.Out(0).Put(t, Body(1));
  };
  EXPECT_THROW(fill(), std::logic_error);
}

struct Log : LinkObserver {
  void OnPut(const Lane& lane, Cycle t, Word word) override { Note("put", lane, t, word); }
  void OnGet(const Lane& lane, Cycle t, Word word) override { Note("get", lane, t, word); }
  void OnLost(const Lane& lane, Cycle t, Word word) override { Note("lost", lane, t, word); }
  void OnCut(const Lane& lane, Cycle t) override { Note("cut", lane, t, {}); }
  void OnRestore(const Lane& lane, Cycle t) override { Note("restore", lane, t, {}); }
  void Note(const char* what, const Lane& lane, Cycle t, Word word) {
    lines.push_back(std::string(what) + " " + std::to_string(lane.id()) + " " + std::to_string(t) +
                    " " + std::to_string(word.data));
  }
  std::vector<std::string> lines;
};

TEST(Link, CutLosesWhatIsUnderWayAndRestoreStartsAfresh) {
  Link link(3, 2);
  Log log;
  link.SetObserver(&log);
  link.Out(0).Put(1, Body(11));
  link.Out(0).Put(2, Body(12));
  EXPECT_EQ(link.In(1).Get(3).data, 11U);
  link.Cut(4);
  link.Cut(4);
  EXPECT_FALSE(link.PhyUp());
  EXPECT_EQ(link.In(1).Get(4), Word{});
  link.Out(0).Put(5, Body(13));
  link.Restore(6);
  EXPECT_TRUE(link.PhyUp());
  link.Out(0).Put(7, Body(14));
  for (Cycle t = 6; t < 9; ++t) EXPECT_EQ(link.In(1).Get(t), Word{});
  EXPECT_EQ(link.In(1).Get(9).data, 14U);
  const std::vector<std::string> expected = {
      "put 6 1 11",  "put 6 2 12",    "get 6 3 11",    "cut 6 4 0",  "cut 7 4 0", "put 6 5 13",
      "lost 6 5 13", "restore 6 6 0", "restore 7 6 0", "put 6 7 14", "get 6 9 14"};
  EXPECT_EQ(log.lines, expected);
}

struct Stream {
  int flipped = 0;
  int lost = 0;
  std::vector<std::uint32_t> data;
};

// 10^6 words: link packets, each followed by two body words.
Stream SendMany(const LinkFaults& faults, std::uint64_t seed, int index = 0) {
  Link link(index, 1);
  link.SetFaults(faults, seed);
  Stream stream;
  const auto packet = EncodeLinkPacket({.vl = 1, .fccl = 99});
  const Word words[4] = {packet[0], packet[1], Body(0), Body(0)};
  int arrived = 0;
  for (Cycle t = 0; t < 1000000; ++t) {
    link.Out(0).Put(t, words[t % 4]);
    const Word word = link.In(1).Get(t);
    if (word.ctrl == Ctrl::kIdle) continue;
    ++arrived;
    const Word sent = words[(t - 1) % 4];
    EXPECT_EQ(word.ctrl, sent.ctrl);
    if (word.data != sent.data) {
      EXPECT_EQ(std::popcount(word.data ^ sent.data), 1);
      ++stream.flipped;
      stream.data.push_back(static_cast<std::uint32_t>(t));
    }
  }
  stream.lost = 999999 - arrived;
  return stream;
}

TEST(Link, FaultsComeAtTheirRates) {
  const Stream stream = SendMany({.word_error_rate = 1e-3, .flow_control_loss = 0.01}, 1);
  EXPECT_NEAR(stream.flipped, 1000, 5 * std::sqrt(1000));
  EXPECT_NEAR(stream.lost, 2 * 2500, 2 * 5 * std::sqrt(2500));
  EXPECT_EQ(stream.lost % 2, 0);  // whole packets
}

TEST(Link, FaultsDependOnSeedAndLaneOnly) {
  const LinkFaults faults{.word_error_rate = 1e-3, .flow_control_loss = 0.01};
  const Stream stream = SendMany(faults, 1);
  EXPECT_EQ(SendMany(faults, 1).data, stream.data);
  EXPECT_NE(SendMany(faults, 2).data, stream.data);
  EXPECT_NE(SendMany(faults, 1, 1).data, stream.data);
}

TEST(Link, NoFaultsByDefaultOrWhenTakenAway) {
  const Stream stream = SendMany({}, 1);
  EXPECT_EQ(stream.flipped + stream.lost, 0);
  const Stream all = SendMany({.word_error_rate = 1, .flow_control_loss = 1}, 1);
  EXPECT_EQ(all.lost, 500000);
  EXPECT_EQ(all.flipped, 499999);
}

TEST(Link, RefusesNegativeFlyTime) { EXPECT_THROW(Link(0, -1), std::invalid_argument); }

}  // namespace
}  // namespace lanecut
