// SPDX-License-Identifier: Apache-2.0
//
// One FST file: the raw signals of traced switches, and readable ones.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "sw/wire/word.h"
#include "tb/wave/readable.h"
#include "tb/wave/traced_switch.h"

namespace lanecut {

class WaveFile {
 public:
  // The file begins with the first Dump(). Pointers are kept. Throws ResultsError if the file
  // cannot be written.
  WaveFile(const std::filesystem::path& path, const std::vector<TracedSwitch*>& switches,
           std::vector<ReadableSignal> readable);
  ~WaveFile();
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;

  // Writes what has changed. Times grow.
  void Dump(std::uint64_t ns);
  // Completes the file.
  void Close();

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace lanecut
