// SPDX-License-Identifier: Apache-2.0
//
// A routing function that somebody else has computed: forwarding tables from a file, as
// `lanecut route --dump` and OpenSM write them (lft_dump.h), in the place of an engine.
//
// The file's LIDs are its own: it is read as "this switch sends what is for that node by this
// port". Pairs are spread over the data VLs as the other engines do whose links alone have no
// cycle; a file says nothing of VLs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sw/routing/lft_dump.h"
#include "sw/routing/routing.h"

namespace lanecut {

class FileEngine : public RoutingEngine {
 public:
  // `name` is what it calls itself. Throws RoutingError "file:line: what is wrong; expected .." if
  // the file cannot be read, names what the topology does not have, or does not lead from every end
  // node to every other one.
  FileEngine(const Topology& topology, const std::filesystem::path& path, std::string name);

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return "tables from a file"; }
  // For any part of that topology: what the file sends over a link that is gone has no way.
  RoutingTables Compute(const RoutingRequest& request) const override;

 private:
  std::string name_;
  Topology topology_;
  RoutingTables tables_;
};

}  // namespace lanecut
