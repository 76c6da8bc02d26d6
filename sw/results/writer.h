// SPDX-License-Identifier: Apache-2.0
//
// The tables of results.sqlite. docs/results.md describes them to users. Private to sw/results.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sw/results/database.h"
#include "sw/results/recorder.h"
#include "sw/results/time_series.h"

namespace lanecut {

// A packet as far as its life has come.
struct PacketRow {
  PacketInfo info;
  Cycle generated = 0;
  std::optional<Cycle> injected;
  std::optional<Cycle> delivered;
  std::optional<Cycle> dropped;  // or refused
  bool discarded = false;
  Cycle token = 0;  // held by channel gates
  DropReason reason = DropReason::kNone;
  std::string_view where;
};

class ResultsWriter {
 public:
  explicit ResultsWriter(const std::filesystem::path& file);

  void Config(std::string_view key, std::string_view value);
  void Node(std::size_t id, std::string_view kind, std::string_view name);
  void Packet(const PacketRow& packet);
  void Event(Cycle cycle, Cycle ns, std::string_view kind, std::string_view where,
             std::string_view detail);
  void Counter(std::string_view node, int port, std::string_view name, std::uint64_t value);
  void Series(const TimeSeries& series);
  void Commit();

 private:
  // The statements in use while the transaction is open; they must go before it can be committed.
  struct Statements {
    explicit Statements(Database& database);
    Insert config;
    Insert node;
    Insert packet;
    Insert copy;
    Insert event;
    Insert counter;
    Insert series;
    Insert vl_series;
  };

  Database database_;
  std::optional<Statements> insert_;
};

}  // namespace lanecut
