// SPDX-License-Identifier: Apache-2.0
//
// Writes forwarding and SLtoVL tables and feeder rows into nodes, and remembers what it wrote: only
// what differs is sent.
//
// What a table holds after reset is taken as unknown. So the first load of a bank writes every LFT
// block up to the top LID and every SLtoVL table that some path uses; tables that no path uses are
// never written. Where a switch offers optimized SLtoVL programming, the commonest of its tables
// goes to all port pairs with one Set, and the others follow. A Set whose answer has not come
// leaves its table unknown again, so a load can be abandoned at any time.
//
// With compact packets there are table updates besides. They hold the entries of all end nodes, in
// one packet if there is room, and say what comes after it. The LIDs of switches, by which nothing
// but management travels, follow with the next Load() into the active banks, and so do feeder rows,
// which are not needed before the next change.
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
#include "sw/subnet_manager/table_pieces.h"

namespace lanecut {

enum class TableBank { kActive, kInactive };

class TableLoader {
 public:
  using Done = std::function<void(const StageResult&)>;
  // `ok`: as wanted. If not, the stage result says why, unless the node has been cut off.
  using Step = std::function<void(bool ok)>;

  TableLoader(const SmConfig& config, const FabricMap& map, SmpEngine& engine);

  // ---- The fabric as a whole ----

  // Into one bank of all switches of the plan that can be reached; with kActive also into the end
  // nodes. The plan must live until `done`.
  void Load(const RoutePlan& plan, TableBank bank, Done done);
  // What differs, into the active banks of all switches and the end nodes, all at once: for entries
  // that no packet needs yet.
  void Add(const RoutePlan& plan, Done done);
  // After a load into the inactive banks: makes them active where the active bank is not already
  // right, keeping the routing-function number, and loads the end nodes.
  void Commit(const RoutePlan& plan, Done done);
  void LoadEndNodes(const RoutePlan& plan, Done done);
  // Compact: a whole update for the active banks of all switches.
  void UpdateActive(const RoutePlan& plan, Done done);
  // The inactive banks of all switches, whatever the active ones hold.
  void LoadAllInactive(const RoutePlan& plan, Done done);
  void Abandon() { own_batch_.Abandon(); }

  // ---- Switch by switch, as part of a batch of the caller's that is running ----
  //
  // A node that has been cut off is no failure of the batch. All of this must be abandoned together
  // with that batch.

  // The inactive bank of one switch, given as a node of the plan's topology, whatever the active
  // one holds. With `everything` also what is known to be there.
  void LoadInactive(SmpBatch& batch, StageResult& result, const RoutePlan& plan, int place,
                    bool everything, Step done);
  // Compact: an update of the inactive bank of one switch, and then `then` for function `number`.
  // Without `everything` only what differs from what is known to be there.
  enum class Then { kNothing, kReady, kCommit };
  struct Update {
    int place = -1;
    Then then = Then::kNothing;
    std::uint8_t number = 0;
    bool everything = true;
    // Where the switch stands in a change under Double Scheme, with the answer; empty: not asked.
    std::function<void(const ib::VendorVlDrain&)> state = {};
  };
  void UpdateInactive(SmpBatch& batch, StageResult& result, const RoutePlan& plan,
                      const Update& update, Step done);
  // Makes the inactive bank of this node of the map active as function `number`, before anything
  // that still waits to be sent. A switch of which an earlier attempt is not known to have failed
  // is asked first.
  void CommitInactive(SmpBatch& batch, StageResult& result, int node, std::uint8_t number,
                      Step done);

  // The number of the active bank, as far as it is known; while a commit is under way, the one
  // before.
  std::uint8_t NumberOf(int node) { return ImageOf(node).epoch; }
  // The node has changed its bank by itself.
  void NoteBank(int node, bool active_bank, std::uint8_t number);
  // ... to function `number`, now or before.
  void NoteFunction(int node, std::uint8_t number);
  // Nothing is known of this node's tables.
  void Forget(int node) { images_.erase(node); }

 private:
  using PortPair = std::pair<int, int>;
  using LftImage = std::vector<std::optional<std::uint8_t>>;
  struct BankImage {
    LftImage lft;                                        // by LID
    std::map<PortPair, ib::SlToVlBlock> sl_to_vl;        // by (in port, out port)
    std::vector<std::optional<FeederRows::Block>> rows;  // by block
  };
  struct NodeImage {
    std::optional<int> active_bank;  // none while a commit is under way
    std::uint8_t epoch = 0;
    std::array<BankImage, 2> banks;
  };
  // Requests to one switch, and what comes after them.
  struct Outstanding {
    int requests = 0;
    bool failed = false;
    Step next;
  };

  // Sends to a node as part of the batch in use; `completion` says whether it went well.
  void Send(int node, SmpRequest request, std::function<bool(const SmpReply&)> completion);
  // Calls `next` when the requests to this node have completed.
  void Await(int node, Step next);
  bool Check(const SmpReply& reply, ib::MadAttribute attribute, int node);
  void UseOwnBatch(const RoutePlan& plan);
  void UseBatch(SmpBatch& batch, StageResult& result);

  void ForEachNode(bool switches, const std::function<void(int place, int node)>& visit);
  NodeImage& ImageOf(int node);
  BankImage& Image(int node, TableBank bank);
  bool IsUntouched(int place, int node, TableBank bank);

  void FindActiveBanks(std::function<void()> next);
  void FindActiveBank(int node);
  void LoadBlocksAndWildcards(TableBank bank, std::function<void()> next);
  void LoadSlToVl(TableBank bank, std::function<void()> next);
  void LoadAllEndNodes(std::function<void()> next);
  void CommitBanks(std::function<void()> next);

  bool HasRoom(int node);
  LftImage& Lft(int node, TableBank bank);  // as long as there are LIDs
  bool IsRight(int place, int node, TableBank bank, int block);
  void LoadBlocks(int place, int node, TableBank bank);
  void ForgetEndNodes(int node);
  void LoadPieces(int place, int node, TableBank bank);
  void SendUpdate(const Update& update, TableBank bank, const Step& done);
  SmpRequest MakePieces(int node, TableBank bank, const TableUpdate& pieces,
                        std::uint32_t modifier) const;
  void SendPieces(int place, TableBank bank, const TableUpdate& pieces);
  void SendPieces(int place, TableBank bank, const TableUpdate& pieces, SmpRequest request,
                  std::function<void(const Mad&)> next);
  void FinishUpdate(const Update& update, TableBank bank, const TableUpdate& pieces,
                    const Step& done);
  void LoadBlock(int node, TableBank bank, int block, const ib::LinearForwardingTableBlock& wanted);
  void LoadRows(int place, int node, TableBank bank);
  void LoadRow(int node, TableBank bank, int block, const FeederRows::Block& wanted);
  bool LoadWildcard(int place, int node, TableBank bank);
  void LoadPairs(int place, int node, TableBank bank);
  void LoadPair(int node, TableBank bank, PortPair pair, const ib::SlToVlBlock& wanted);
  void LoadBank(int place, int node, const Step& done);
  void CommitBank(int node, std::uint8_t number, int attempts_left);
  void CheckCommit(int node, std::uint8_t number, int new_bank, int attempts_left);

  ib::LinearForwardingTableBlock WantedBlock(int place, int block) const;
  ib::SlToVlBlock WantedPair(int place, PortPair pair) const;
  std::vector<PortPair> StalePairs(int place, int node, TableBank bank);
  std::uint8_t WantedEntry(int place, int lid) const;
  std::vector<TableUpdate> PiecesFor(const Update& update, int node, TableBank bank);
  std::pair<int, int> EndNodeLids() const;
  int NumBlocks() const { return map_.TopLid() / ib::kLftBlockEntries + 1; }

  const SmConfig& config_;
  const FabricMap& map_;
  const SmpEngine& engine_;
  SmpBatch own_batch_;
  StageResult own_result_;
  SmpBatch* batch_;      // in use
  StageResult* result_;  // of what is under way
  const RoutePlan* plan_ = nullptr;
  std::map<int, Outstanding> outstanding_;  // by node of the map
  std::map<int, NodeImage> images_;         // by node of the map
};

}  // namespace lanecut
