// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/path_record_dump.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

namespace lanecut {
namespace {

class PathRecordReader {
 public:
  PathRecordReader(const Topology& topology, const std::string& file, RoutingTables* tables)
      : topology_(topology),
        file_(file),
        tables_(tables),
        seen_(tables->lids.size(), std::vector<bool>(tables->lids.size(), false)) {
    for (std::size_t i = 0; i < tables->lids.size(); ++i) {
      if (tables->lids[i] != 0) node_of_lid_[tables->lids[i]] = static_cast<int>(i);
    }
  }

  void Read(std::istream& in) {
    std::string line;
    while (std::getline(in, line)) {
      ++number_;
      if (line.starts_with("PathRecord dump:")) {
        EndRecord();
        begun_ = number_;
      } else {
        ReadField(line, "dlid", &dlid_);
        ReadField(line, "slid", &slid_);
        ReadField(line, "sl", &sl_);
      }
    }
    EndRecord();
    CheckWhole();
  }

 private:
  using Field = std::optional<unsigned long>;

  [[noreturn]] void Fail(int line, const std::string& problem, const std::string& expected) const {
    throw RoutingError(fmt::format("{}:{}: {}; expected {}", file_, line, problem, expected));
  }

  // A name, dots, a value.
  static void ReadField(const std::string& line, std::string_view name, Field* field) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line.compare(begin, name.size(), name) != 0) return;
    const std::size_t dots = begin + name.size();
    const std::size_t value = line.find_first_not_of('.', dots);
    if (value == dots || value == std::string::npos) return;
    *field = std::strtoul(line.c_str() + value, nullptr, 0);
  }

  int NodeOf(unsigned long lid) const {
    const auto found = node_of_lid_.find(lid);
    if (found == node_of_lid_.end()) {
      Fail(begun_, fmt::format("no node has LID {}", lid), "LIDs of the forwarding tables");
    }
    return found->second;
  }

  void EndRecord() {
    if (begun_ == 0) return;
    if (!dlid_ || !slid_ || !sl_ || *sl_ >= kServiceLevels) {
      Fail(begun_, "bad record", "slid, dlid and an sl from 0 to 15");
    }
    const int source = NodeOf(*slid_);
    const int destination = NodeOf(*dlid_);
    tables_->sl[source][destination] = static_cast<std::uint8_t>(*sl_);
    seen_[source][destination] = true;
    dlid_ = slid_ = sl_ = std::nullopt;
  }

  void CheckWhole() const {
    for (const int source : topology_.hcas()) {
      for (const int destination : topology_.hcas()) {
        if (source == destination || seen_[source][destination]) continue;
        Fail(number_,
             fmt::format("no record from {} to {}", topology_.node(source).name,
                         topology_.node(destination).name),
             "\"PathRecord dump:\" of all pairs of end nodes");
      }
    }
  }

  const Topology& topology_;
  const std::string& file_;
  RoutingTables* tables_;
  std::map<unsigned long, int> node_of_lid_;
  std::vector<std::vector<bool>> seen_;  // by source, then destination
  int number_ = 0;
  int begun_ = 0;  // the line of the record's head
  Field dlid_;
  Field slid_;
  Field sl_;
};

}  // namespace

void WritePathRecord(Lid slid, Lid dlid, int sl, std::ostream& out) {
  out << fmt::format(
      "PathRecord dump:\n\t\tdlid....................{}\n\t\tslid....................{}\n"
      "\t\tsl......................{:#x}\n",
      dlid, slid, sl);
}

void WritePathRecordDump(const Topology& topology, const RoutingTables& tables, std::ostream& out) {
  for (const int source : topology.hcas()) {
    for (const int destination : topology.hcas()) {
      if (source == destination) continue;
      WritePathRecord(tables.lids[source], tables.lids[destination], tables.sl[source][destination],
                      out);
    }
  }
}

void ReadPathRecordDump(const Topology& topology, std::istream& in, const std::string& file,
                        RoutingTables* tables) {
  PathRecordReader(topology, file, tables).Read(in);
}

}  // namespace lanecut
