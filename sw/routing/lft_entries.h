// SPDX-License-Identifier: Apache-2.0
//
// What the readers of forwarding tables have in common: LIDs that belong to nodes, and entries of
// switches, each with its line in the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sw/routing/lft_dump.h"

namespace lanecut {

class LftEntries {
 public:
  struct Entry {
    int node = -1;  // the switch
    Lid lid = 0;
    std::uint8_t port = 0;
    int line = 0;
  };

  // Both are kept.
  LftEntries(const Topology& topology, const std::string& file);

  // Throws RoutingError "file:line: problem; expected ..".
  [[noreturn]] void Fail(int line, const std::string& problem, const std::string& expected) const;
  // What follows is of this switch.
  void StartSwitch(int node, int line);
  // Fails if no switch was started, or LID or port are out of range.
  void Add(unsigned lid, unsigned port, int line);
  // Fails if the node has another LID, or the LID another node.
  void SetLid(int node, std::uint64_t lid, int line);

  const std::vector<Entry>& entries() const { return entries_; }
  // Fails if no switch was started; `end` is the file's last line.
  LftDump Finish(int end) const;

 private:
  const Topology& topology_;
  const std::string& file_;
  int node_ = -1;
  std::vector<int> headers_;
  std::vector<Lid> lids_;
  std::map<std::uint64_t, int> owners_;
  std::vector<Entry> entries_;
};

}  // namespace lanecut
