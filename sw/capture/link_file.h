// SPDX-License-Identifier: Apache-2.0
//
// The capture of one link: its words, both directions, become an .erf file.
//
// ERF interface 0 or 1 is the direction. A record's time is the cycle of the packet's first word,
// and records are in the order of time. Whatever ends a packet early (idle, another start, a cut)
// leaves a record with the bytes that came, marked as a receive error, as does a bad end.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>

#include "sw/capture/erf.h"
#include "sw/wire/word.h"

namespace lanecut {

// Packets whose first word comes in a cycle of begin..end - 1.
struct CaptureWindow {
  Cycle begin = 0;
  Cycle end = ~Cycle{0};
};

class LinkFile {
 public:
  // Makes the file. Throws ResultsError if it cannot be written, as do the others.
  LinkFile(std::filesystem::path file, std::uint64_t ns_per_cycle, CaptureWindow window);

  // At most one word per cycle and direction, in order; not those that are idle.
  void OnWord(int direction, Cycle t, Word word);
  void OnCut(int direction);
  // Ends what is open, and writes everything.
  void Finish();

 private:
  struct Entry {
    ErfRecord record;
    bool open = true;
  };
  struct Direction {
    Entry* entry = nullptr;  // of the packet that is open; null without
    Cycle next = 0;          // when its next word is due
  };

  void Start(int direction, Cycle t, Ctrl ctrl);
  void Add(Direction* direction, Word word);
  void End(Direction* direction, bool good);
  void Write();

  std::filesystem::path file_;
  std::uint64_t ns_per_cycle_;
  CaptureWindow window_;
  std::array<Direction, 2> directions_;
  std::deque<Entry> entries_;  // from the oldest packet that is open on
  std::string encoded_;        // to be written
};

}  // namespace lanecut
