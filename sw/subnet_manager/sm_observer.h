// SPDX-License-Identifier: Apache-2.0
//
// What a subnet manager reports: the events of its timeline, and counts of what it sent.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sw/mad/attributes.h"
#include "sw/mad/mad.h"
#include "sw/wire/word.h"

namespace lanecut {

enum class SmPhase {
  kIdle,           // Start() has not been called
  kDiscovery,      // finding nodes, links and ports
  kRouting,        // computing and checking tables
  kLidAssignment,  // LIDs, and ports to Armed
  kTableLoad,      // LFT and SLtoVL
  kActivation,     // ports to Active
  kUp,             // sweeping, waiting for traps
  kHalt,           // static reconfiguration: stopping injection
  kDrain,          // ... waiting until the network is empty
  kReload,         // ... loading what changed, bringing up new links
  kResume,         // ... starting injection again
  kNumbering,      // scheme and number of new nodes, new links to Active
  kBankLoad,       // tables into the inactive banks
  kStart,          // telling everybody to use them
  kTokens,         // waiting until the tokens have arrived everywhere
  kCommit,         // switch by switch: tables, and their use
  kVlDrain,        // tables into the inactive banks, while VL0 alone is used
  kSwitchOver,     // telling everybody to use them, on VL1
  kReopen,         // waiting until no old packet is left on VL0
  kPaths,          // telling end nodes of new paths
  kStandby,        // watching the master
  kTakeover,       // reading what the lost master has left behind
  kFailed,         // stopped; nothing is sent any more
};
std::string_view SmPhaseName(SmPhase phase);

enum class SmEventKind {
  kDiscoveryDone,  // detail: what was found
  kTablesComputed,
  kLidsAssigned,     // end nodes have theirs, and all ports of links are Armed
  kTablesLoaded,     // every switch has the new tables
  kSubnetUp,         // all ports Active, all tables loaded
  kTrapReceived,     // detail: the switch
  kSweepChange,      // a sweep found a change, or a node that does not answer; detail: where
  kTopologyChanged,  // detail: links and nodes lost and found
  kReconfigurationStarted,
  kHalted,  // no end node injects any more
  kDrained,
  kResumed,          // every end node may inject: the reconfiguration is complete
  kChangeStarted,    // packets with the number of the new tables may be about
  kChangeCompleted,  // ... and no others: the reconfiguration is complete
  kAlternatesTaken,  // end nodes whose path has failed send by another one that they had; detail:
                     // how many pairs
  kRecoveryChosen,   // detail: what is done about a fault, and why
  kPathsChanged,   // every end node has been told of its new paths: the reconfiguration is complete
  kChangePlanned,  // a planned change begins: no packet may be sent any more to an end node that
                   // is not IsServed(); detail: what was asked
  kChangeRefused,  // it cannot be; nothing has changed; detail: what was asked, and why not
  kOutOfService,   // ... and the links that were to be taken out are disabled
  kLinksRestored,  // links that bounced are Active again; tables did not change
  kCutOff,         // the manager's own link is down, and it has given up; detail: in which phase
  kGaveWay,        // another master has been met that goes first; stopped; detail: its node
  kManagerLost,    // standby: the master does not answer; detail: its name
  kTookOver,       // standby: it is the master now; detail: its name, and what it has found
  kRestarted,      // a bring-up or reconfiguration begins anew; detail: why
  kFailed,         // detail: "phase: reason"
};
std::string_view SmEventName(SmEventKind kind);  // "subnet-up", ...
// What a timeline calls the stage that the event ends: "up", ...; empty if it ends none.
std::string_view SmStageName(SmEventKind kind);

struct SmEvent {
  Cycle cycle = 0;
  SmEventKind kind = SmEventKind::kFailed;
  SmPhase phase = SmPhase::kIdle;  // while which it happened
  std::string detail;
  bool new_tables = false;  // SubnetManager::tables() are in force from here
};

struct SmpCounters {
  std::map<ib::MadAttribute, std::uint64_t> sent;  // packets by attribute, retries included
  std::uint64_t total_sent = 0;
  std::uint64_t retries = 0;
  std::uint64_t timeouts = 0;   // attempts without an answer in time
  std::uint64_t abandoned = 0;  // requests given up after the last attempt
  std::uint64_t refused = 0;    // answers with an error status
  std::uint64_t unmatched = 0;  // responses nobody waits for: duplicates and late ones
  std::uint64_t traps = 0;
  std::uint64_t traps_repressed = 0;
};

// Tables that were computed, and how long it took the machine that simulates: this differs from
// run to run, and nothing follows from it.
struct TableComputation {
  Cycle cycle = 0;
  double host_seconds = 0;
};

// The counters of one port of a switch.
struct PortReading {
  std::string node;  // NodeDescription
  int port = 0;
  ib::VendorPortCounters counters;
};

class SmObserver {
 public:
  virtual ~SmObserver() = default;
  virtual void OnEvent(const SmEvent& event) = 0;
};

}  // namespace lanecut
