// SPDX-License-Identifier: Apache-2.0
//
// The program `lanecut-host`: topologies and routing, without the simulator and so without SystemC
// and Verilator.
#include <iostream>

#include "sw/cli/cli.h"

namespace {

int Refuse() {
  std::cerr
      << "lanecut-host has no simulator; expected topo, route or faults, or the program lanecut\n";
  return lanecut::kExitBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  return lanecut::RunCli(argc, argv,
                         {[](const lanecut::RunOptions&) { return Refuse(); },
                          [](const lanecut::SweepOptions&) { return Refuse(); },
                          [](const lanecut::ServeOptions&) { return Refuse(); },
                          [](const lanecut::WaveOptions&) { return Refuse(); }});
}
