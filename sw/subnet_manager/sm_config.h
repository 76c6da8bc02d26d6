// SPDX-License-Identifier: Apache-2.0
//
// What a subnet manager is told. All times are in cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/mad/attributes.h"
#include "sw/routing/routing.h"
#include "sw/subnet_manager/planned_change.h"
#include "sw/wire/word.h"

namespace lanecut {

// How new tables replace old ones.
enum class ReconfigurationScheme {
  kStatic,      // while no packet is in the network
  kOsrPda,      // behind tokens, which start before the tables are there
  kOsrLa,       // behind tokens, which start when the tables are there
  kEbr,         // at any moment, switch by switch; whole tables
  kEbrd,        // ... only what differs
  kDouble,      // while the old packets are on VL0 and the new ones on VL1
  kApm,         // not at all: end nodes take another one of the paths that they have
  kRftr,        // at any moment, what RFTR adds; then end nodes take the new paths
  kApmRftrEbr,  // the quickest of these three that gets all pairs along (recovery.h)
};
inline constexpr std::array<std::string_view, 9> kSchemeNames{
    "static", "osr-pda", "osr-la", "ebr", "ebrd", "double-scheme", "apm", "rftr", "apm-rftr-ebr"};

constexpr std::string_view SchemeName(ReconfigurationScheme scheme) {
  return kSchemeNames[static_cast<std::size_t>(scheme)];
}
constexpr std::optional<ReconfigurationScheme> FindScheme(std::string_view name) {
  for (std::size_t i = 0; i < kSchemeNames.size(); ++i) {
    if (kSchemeNames[i] == name) return static_cast<ReconfigurationScheme>(i);
  }
  return std::nullopt;
}

constexpr bool UsesTokens(ReconfigurationScheme scheme) {
  return scheme == ReconfigurationScheme::kOsrPda || scheme == ReconfigurationScheme::kOsrLa;
}
constexpr bool UsesEpochs(ReconfigurationScheme scheme) {
  return scheme == ReconfigurationScheme::kEbr || scheme == ReconfigurationScheme::kEbrd ||
         scheme == ReconfigurationScheme::kApmRftrEbr;
}
constexpr bool DrainsVls(ReconfigurationScheme scheme) {
  return scheme == ReconfigurationScheme::kDouble;
}
// Packets carry the number of their routing function.
constexpr bool UsesNumbers(ReconfigurationScheme scheme) {
  return UsesTokens(scheme) || UsesEpochs(scheme) || DrainsVls(scheme);
}
// The tables of the bring-up are kept, as long as they can be; what fails is got round by paths.
constexpr bool ChangesPaths(ReconfigurationScheme scheme) {
  return scheme == ReconfigurationScheme::kApm || scheme == ReconfigurationScheme::kRftr ||
         scheme == ReconfigurationScheme::kApmRftrEbr;
}
// ... and if they cannot, others take their place: packets carry numbers besides.
constexpr bool ReplacesKeptTables(ReconfigurationScheme scheme) {
  return ChangesPaths(scheme) && UsesEpochs(scheme);
}
// The packets of a flow arrive in order during a change, too.
constexpr bool KeepsOrder(ReconfigurationScheme scheme) {
  return !UsesEpochs(scheme) && !DrainsVls(scheme);
}

// When a static reconfiguration writes the new tables.
enum class StaticLoad {
  // After the network has drained, into the active bank: only what differs from the tables in use.
  // The fewest packets; the
  // manager's own link is the bottleneck, so this is usually the quickest.
  kActiveBankAfterDrain,
  // While the network drains, into the inactive bank, which is committed once it has drained. The
  // inactive bank's contents
  // are not known the first time, so all of it is written.
  kInactiveBankDuringDrain,
};

// How commands, tables and polls of a fabric that is up are encoded.
enum class ManagementEncoding {
  kIb,       // standard SMPs
  kCompact,  // compact packets (sw/wire/compact.h); tables whole, in as few packets as hold them
};

// Which switches get their tables first under ebr and ebrd.
enum class DistributionOrder {
  kNearestFault,     // thesis 6.5: old packets stop early where they would run into the fault
  kFarthestManager,  // thesis 8.4.1: the packets that travel longest leave first, so all are there
                     // sooner
};

// Tables of VL arbitration and PortInfo.VLHighLimit (IBA 7.6.9), for all ports.
struct VlArbitration {
  std::vector<ib::VlArbitrationEntry> high;  // at most ib::kVlArbitrationBlockEntries
  std::vector<ib::VlArbitrationEntry> low;
  std::uint8_t high_limit = 0;
};

struct SmConfig {
  ManagementEncoding encoding = ManagementEncoding::kIb;
  bool flood_halt = false;      // compact, static: halt and resume are flooded
  int window = 16;              // standard SMPs outstanding at a time
  Cycle timeout = 8192;         // until the first retry; doubles at every further one
  int retries = 5;              // after the first attempt
  Cycle sweep_period = 312500;  // light sweep; 0 = none (5 ms at 1X SDR)
  bool is_standby = false;      // waits until there is no master any more (StandbyWatch)
  Cycle standby_poll = 20'000;  // from one poll of the master to the next; at least `timeout`
  // The engine of a name; throws RoutingError if there is none.
  std::function<const RoutingEngine&(std::string_view)> find_engine = FindRoutingEngine;
  std::string routing_engine = "updown";
  std::string root;  // NodeDescription of the root switch; empty = the engine's choice
  RootChoice root_choice = RootChoice::kLowestMeanDistance;  // ... which this says
  SpanningTree tree = SpanningTree::kBreadthFirst;
  bool balance = false;            // loads; see RoutingRequest
  int paths = 1;                   // wanted for each pair; those that cannot have them get fewer
  int lmc = 0;                     // of every end node
  std::string after_fault_engine;  // of every table computed after the bring-up; empty = the same
  std::string after_fault_root;    // ... and its root
  bool allow_cyclic = false;       // load tables whose channel dependency graph has a cycle
  int data_vls = 2;                // data VLs that every port must have; a switch has no more
  ReconfigurationScheme scheme = ReconfigurationScheme::kStatic;
  DistributionOrder order = DistributionOrder::kNearestFault;
  // ebr, ebrd: for how long switches let heads wait (20 bits), see ib::VendorScheme.
  std::uint32_t hold_cycles = 0;
  // osr-la, osr-pda: switches are told what differs from the tables that their inactive bank holds.
  bool differences = false;
  std::optional<std::uint8_t> hoq_life;  // HOQLife of the switches' ports; without: as it is
  // Of all ports, of end nodes, too; without: as it is. What goes beyond a port's caps is refused.
  std::optional<VlArbitration> vl_arbitration;
  std::optional<std::uint8_t> life_time;  // LifeTimeValue of the switches; without: as it is
  bool transit_first = true;  // switches let packets in the network go before injected ones
  StaticLoad static_load = StaticLoad::kActiveBankAfterDrain;
  std::vector<PortKey> out_of_service;  // from the beginning; both ends of every link
  // Modelled time of a table computation during reconfiguration: a constant, and what every
  // switch and every path (an ordered pair of end nodes that can reach each other) adds.
  Cycle compute_time = 0;
  double compute_time_per_switch = 0;
  double compute_time_per_path = 0;
  Cycle drain_timeout = 10'000'000;  // a network that has not drained by then has failed, and so
                                     // has one whose tokens have not arrived, or whose VLs have not
                                     // run empty
  int max_restarts = 3;              // of a bring-up or reconfiguration, before it counts as failed

  bool IsCompact() const { return encoding == ManagementEncoding::kCompact; }
  bool UsesTokens() const { return lanecut::UsesTokens(scheme); }
  bool UsesEpochs() const { return lanecut::UsesEpochs(scheme); }
  bool DrainsVls() const { return lanecut::DrainsVls(scheme); }
  bool UsesNumbers() const { return lanecut::UsesNumbers(scheme); }
  bool ChangesPaths() const { return lanecut::ChangesPaths(scheme); }
  bool ReplacesKeptTables() const { return lanecut::ReplacesKeptTables(scheme); }
};

}  // namespace lanecut
