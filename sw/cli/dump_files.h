// SPDX-License-Identifier: Apache-2.0
//
// Tables and fabric as the files that OpenSM and ibnetdiscover leave. Private to sw/cli.
#pragma once

#include <string>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

// Writes opensm-lfts.dump, opensm.fdbs, opensm-sl2vl.dump, path-records.txt, opensm-subnet.lst and
// ibnetdiscover.net into the folder, which is made if there is none. The first end node counts as
// the manager's, and links are 1X. Throws UsageError.
void WriteDumpFiles(const Topology& topology, const RoutingTables& tables,
                    const std::string& folder);

}  // namespace lanecut
