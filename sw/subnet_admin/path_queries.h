// SPDX-License-Identifier: Apache-2.0
//
// End nodes ask subnet administration for the paths to each other, as programs do before they send.
//
// Each end node has one query under way at a time: SubnAdmGet(PathRecord) to the LID of its master
// subnet manager, from its own GID to that of the next destination. Without an answer, or if the
// answer is "busy", it is sent again.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sw/mad/path_record.h"
#include "sw/subnet_manager/mad_transport.h"
#include "sw/wire/word.h"

namespace lanecut {

class PathQueries {
 public:
  struct Config {
    Cycle timeout = 20'000;  // cycles until a query is sent again
    int retries = 5;         // ... so many times
  };
  struct EndNode {
    MadTransport* transport;    // kept
    ib::Gid gid;                // of its port
    std::uint16_t manager_lid;  // PortInfo.MasterSMLID
  };

  PathQueries(const Config& config, std::vector<EndNode> end_nodes);

  // Sends what is due in cycle `now`.
  void Step(Cycle now);
  // A MAD that has arrived at an end node; true if it is an answer to a query of this one.
  bool OnMad(int end_node, const Mad& mad);
  // Everybody has asked for everybody.
  bool Done() const;

  // Nothing if there is none, or the answer has not come.
  const std::optional<ib::PathRecord>& Find(int source, int destination) const {
    return records_[static_cast<std::size_t>(source) * end_nodes_.size() +
                    static_cast<std::size_t>(destination)];
  }
  // Pairs that have been answered by an error, and those that were not answered at all.
  const std::vector<std::pair<int, int>>& refused() const { return refused_; }
  const std::vector<std::pair<int, int>>& unanswered() const { return unanswered_; }

 private:
  struct Asking {
    std::size_t asked = 0;  // destinations that are done with, counted from the next end node on
    int tries = 0;          // of the query under way; 0: none is
    Cycle deadline = 0;
    std::uint64_t id = 0;
  };

  int DestinationOf(std::size_t source) const;
  void EndQuery(std::size_t source);

  Config config_;
  std::vector<EndNode> end_nodes_;
  std::vector<Asking> asking_;
  std::vector<std::optional<ib::PathRecord>> records_;  // by source, then destination
  std::vector<std::pair<int, int>> refused_;
  std::vector<std::pair<int, int>> unanswered_;
  std::uint64_t next_id_;
};

}  // namespace lanecut
