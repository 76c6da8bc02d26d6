// SPDX-License-Identifier: Apache-2.0
//
// Fabric descriptions in the netlist format of ibsim, which ibnetdiscover also prints:
//
//   # comment
//   switchguid=0x4c43000000010000
//   Switch 8 "S0"          # "name" anything
//   [1] "S1"[2]            # anything
//   [2] "H0"[1]
//
//   Ca 1 "H0"
//   [1](4c43000000020001) "S0"[2]
//
// A node's name is its quoted id, or the quoted text in its trailing comment where that is unique
// in the file. Other `key=value` lines, port GUIDs in parentheses and link attributes are read
// over. Every cable stands in the file twice, once for each end; anything else is an error.
// OpenSM's opensm-subnet.lst (listing.h), which has both ends of a cable on a line, is read as
// well.
#pragma once

#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>

#include "sw/topology/topology.h"

namespace lanecut {

// what() reads "file:line: what is wrong; expected what would be right".
class NetlistError : public std::runtime_error {
 public:
  NetlistError(const std::string& file, int line, const std::string& problem,
               const std::string& expected);
  int line() const { return line_; }

 private:
  int line_;
};

// `file` is the name for messages. Grid places are recognized from names (Topology::DeriveGrid).
Topology ReadNetlist(std::istream& in, const std::string& file);
Topology ReadNetlistFile(const std::string& path);

// What ReadNetlist and ibsim read back as the same topology.
void WriteNetlist(const Topology& topology, std::ostream& out);

}  // namespace lanecut
