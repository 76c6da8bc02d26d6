// SPDX-License-Identifier: Apache-2.0
//
// Captures links as their receivers see them: after bit errors, without what was lost.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "models/link/link.h"
#include "sw/capture/link_file.h"
#include "sw/cli/cli.h"
#include "sw/topology/topology.h"
#include "tb/fabric/fabric.h"

namespace lanecut {

// Of a cable, as a file name: link3.S0_0-1.S1_0-2.erf.
std::string CaptureFileName(const Topology& topology, int cable);

class Capture : public LinkObserver {
 public:
  // Watches the links in the place of `other` (may be null), which is told everything. Throws
  // ResultsError, here and while it is watching.
  Capture(const CaptureOptions& options, const std::filesystem::path& folder,
          std::uint64_t ns_per_cycle, Fabric* fabric, LinkObserver* other);
  // Nothing may move on the links after that.
  void Finish();

  void OnPut(const Lane& lane, Cycle t, Word word) override;
  void OnGet(const Lane& lane, Cycle t, Word word) override;
  void OnCut(const Lane& lane, Cycle t) override;
  void OnRestore(const Lane& lane, Cycle t) override;
  void OnLost(const Lane& lane, Cycle t, Word word) override;

 private:
  LinkFile& FileOf(const Lane& lane) { return files_.at(lane.id() / 2); }

  LinkObserver* other_;
  std::map<int, LinkFile> files_;  // by cable
};

}  // namespace lanecut
