// SPDX-License-Identifier: Apache-2.0
//
// Writes forwarding and SLtoVL tables into nodes, and remembers what it wrote: only what differs is
// sent.
//
// What a table holds after reset is taken as unknown. So the first load of a bank writes every LFT
// block up to the top LID and every SLtoVL table that some path uses; tables that no path uses are
// never written. Where a switch offers optimized SLtoVL programming, the commonest of its tables
// goes to all port pairs with one Set, and the others follow. A Set whose answer has not come
// leaves its table unknown again, so a load can be abandoned at any time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sw/mad/attributes.h"
#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/route_plan.h"
#include "sw/subnet_manager/smp_batch.h"

namespace lanecut {

enum class TableBank { kActive, kInactive };

class TableLoader {
 public:
  using Done = std::function<void(const StageResult&)>;

  TableLoader(const SmConfig& config, const FabricMap& map, SmpEngine& engine);

  // Into one bank of all reachable switches; with kActive also into the end nodes. The plan must
  // live until `done`.
  void Load(const RoutePlan& plan, TableBank bank, Done done);
  // After a load into the inactive banks: makes them active where the active bank is not already
  // right, keeping the routing-function number, and loads the end nodes.
  void Commit(const RoutePlan& plan, Done done);
  void Abandon() { batch_.Abandon(); }

  // Nothing is known of this node's tables.
  void Forget(int node) { images_.erase(node); }

 private:
  using PortPair = std::pair<int, int>;
  struct BankImage {
    std::vector<std::optional<ib::LinearForwardingTableBlock>> lft;  // by block
    std::map<PortPair, ib::SlToVlBlock> sl_to_vl;                    // by (in port, out port)
  };
  struct NodeImage {
    std::optional<int> active_bank;  // none while a commit is under way
    std::uint8_t epoch = 0;
    std::array<BankImage, 2> banks;
  };

  void ForEachNode(bool switches, const std::function<void(int place, int node)>& visit);
  NodeImage& ImageOf(int node);
  BankImage& Image(int node, TableBank bank);
  bool IsUntouched(int place, int node, TableBank bank);

  void FindActiveBanks(std::function<void()> next);
  void LoadBlocksAndWildcards(TableBank bank, std::function<void()> next);
  void LoadSlToVl(TableBank bank, std::function<void()> next);
  void LoadEndNodes(std::function<void()> next);
  void CommitBanks(std::function<void()> next);

  void LoadBlocks(int place, int node, TableBank bank);
  void LoadBlock(int node, TableBank bank, int block, const ib::LinearForwardingTableBlock& wanted);
  void LoadWildcard(int place, int node, TableBank bank);
  void LoadPair(int node, TableBank bank, PortPair pair, const ib::SlToVlBlock& wanted);
  void CommitBank(int node, int attempts_left);
  void CheckCommit(int node, int new_bank, int attempts_left);

  ib::LinearForwardingTableBlock WantedBlock(int place, int block) const;
  ib::SlToVlBlock WantedPair(int place, PortPair pair) const;
  std::vector<PortPair> StalePairs(int place, int node, TableBank bank);
  int NumBlocks() const { return map_.TopLid() / ib::kLftBlockEntries + 1; }

  const SmConfig& config_;
  const FabricMap& map_;
  SmpBatch batch_;
  StageResult result_;
  const RoutePlan* plan_ = nullptr;
  std::map<int, NodeImage> images_;  // by node of the map
};

}  // namespace lanecut
