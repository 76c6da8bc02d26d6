// SPDX-License-Identifier: Apache-2.0
//
// A routing function that somebody else has computed: forwarding tables from a file, as
// `lanecut route --dump` and OpenSM write them (lft_dump.h), in the place of an engine.
//
// The file's LIDs are its own: it is read as "this switch sends what is for that node by this
// port". Without SLtoVL tables, pairs are spread over the data VLs as the other engines do whose
// links alone have no cycle; with them, SLs and VLs are those of the files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/routing/table_dumps.h"

namespace lanecut {

class FileEngine : public RoutingEngine {
 public:
  // `name` is what it calls itself. Throws RoutingError "file:line: what is wrong; expected .." if
  // a file cannot be read, names what the topology does not have, or the tables do not lead from
  // every end node to every other one.
  FileEngine(const Topology& topology, const TableDumps& dumps, std::string name);

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return "tables from a file"; }
  // For any part of that topology: what the file sends over a link that is gone has no way.
  RoutingTables Compute(const RoutingRequest& request) const override;

 private:
  // `known`: nodes of the files' topology, by node of the request's.
  void CopyVls(const std::vector<std::optional<int>>& known, RoutingTables* to) const;

  std::string name_;
  Topology topology_;
  bool has_vls_;
  RoutingTables tables_;
};

}  // namespace lanecut
