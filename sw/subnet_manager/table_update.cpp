// SPDX-License-Identifier: Apache-2.0
//
// The table loader's part for compact packets.
#include <algorithm>
#include <utility>

#include "sw/subnet_manager/table_loader.h"

namespace lanecut {

using ib::MadAttribute;

void TableLoader::UpdateActive(const RoutePlan& plan, Done done) {
  UseOwnBatch(plan);
  const auto submit = [this] {
    ForEachNode(true, [this](int place, int node) {
      if (!HasRoom(node)) return;
      FindActiveBank(node);
      Await(node, [this, place](bool ok) {
        if (ok) SendUpdate({.place = place}, TableBank::kActive, [](bool) {});
      });
    });
  };
  own_batch_.Run(submit, [this, done = std::move(done)] { done(StageResult(own_result_)); });
}

void TableLoader::UpdateInactive(SmpBatch& batch, StageResult& result, const RoutePlan& plan,
                                 const Update& update, Step done) {
  if (batch_ != &batch || result_ != &result) UseBatch(batch, result);
  plan_ = &plan;
  const int node = plan.map_nodes[update.place];
  outstanding_[node] = {};
  FindActiveBank(node);
  const bool was_known = ImageOf(node).active_bank.has_value();
  Await(node, [this, node, update, was_known, done = std::move(done)](bool ok) {
    if (!ok || !HasRoom(node)) return done(false);
    const bool has_number = ImageOf(node).epoch == update.number;
    if (update.then == Then::kCommit && !was_known && has_number) return done(true);
    SendUpdate(update, TableBank::kInactive, done);
  });
}

// What the last packet commits must be complete: the other packets, and SLtoVL tables, go before.
void TableLoader::SendUpdate(const Update& update, TableBank bank, const Step& done) {
  const int node = plan_->map_nodes[update.place];
  std::vector<TableUpdate> pieces = PiecesFor(update, node, bank);
  const TableUpdate last = std::move(pieces.back());
  pieces.pop_back();
  for (const TableUpdate& each : pieces) SendPieces(update.place, bank, each);
  const bool has_wildcard = LoadWildcard(update.place, node, bank);
  if (!has_wildcard) LoadPairs(update.place, node, bank);
  Await(node, [this, update, bank, last, has_wildcard, node, done](bool ok) {
    if (!ok) return done(false);
    if (has_wildcard) LoadPairs(update.place, node, bank);
    Await(node, [this, update, bank, last, done](bool all) {
      all ? FinishUpdate(update, bank, last, done) : done(false);
    });
  });
}

void TableLoader::FinishUpdate(const Update& update, TableBank bank, const TableUpdate& pieces,
                               const Step& done) {
  const int node = plan_->map_nodes[update.place];
  const bool commits = update.then == Then::kCommit;
  std::uint32_t modifier = 0;
  if (update.then == Then::kReady) modifier = ib::kUpdateReady | update.number;
  if (commits) modifier = ib::kUpdateCommit | update.number;
  const int new_bank = 1 - ImageOf(node).active_bank.value_or(0);
  SmpRequest request = MakePieces(node, bank, pieces, modifier);
  request.wanted = update.state ? 1 : 0;
  SendPieces(update.place, bank, pieces, std::move(request),
             [this, node, update, commits, new_bank](const Mad& answer) {
               if (commits) NoteBank(node, new_bank == 1, update.number);
               if (update.state) update.state(ib::VendorVlDrain::Decode(answer));
             });
  if (commits) ImageOf(node).active_bank.reset();
  Await(node, done);
}

SmpRequest TableLoader::MakePieces(int node, TableBank bank, const TableUpdate& pieces,
                                   std::uint32_t modifier) const {
  SmpRequest request;
  request.target = {node};
  request.mad = ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kSet,
                            MadAttribute::kVendorTableUpdate,
                            bank == TableBank::kActive ? modifier | ib::kUpdateActive : modifier);
  request.contents = pieces.words;
  return request;
}

void TableLoader::SendPieces(int place, TableBank bank, const TableUpdate& pieces) {
  SendPieces(place, bank, pieces, MakePieces(plan_->map_nodes[place], bank, pieces, 0),
             [](const Mad&) {});
}

// They are for the same bank when the answer comes, whichever is active then.
void TableLoader::SendPieces(int place, TableBank bank, const TableUpdate& pieces,
                             SmpRequest request, std::function<void(const Mad&)> next) {
  const int node = plan_->map_nodes[place];
  const int active = ImageOf(node).active_bank.value_or(0);
  const int index = bank == TableBank::kActive ? active : 1 - active;
  std::vector<std::pair<int, std::uint8_t>> entries;
  for (const int lid : pieces.lids) entries.emplace_back(lid, WantedEntry(place, lid));
  for (const auto& [lid, port] : entries) Lft(node, bank).at(lid).reset();
  Send(node, std::move(request),
       [this, node, index, entries = std::move(entries),
        next = std::move(next)](const SmpReply& reply) {
         if (!Check(reply, MadAttribute::kVendorTableUpdate, node)) return false;
         for (const auto& [lid, port] : entries) ImageOf(node).banks[index].lft[lid] = port;
         next(reply.mad);
         return true;
       });
}

// The entries of end nodes are sent whole.
void TableLoader::ForgetEndNodes(int node) {
  LftImage& lft = Lft(node, TableBank::kInactive);
  const auto [first, last] = EndNodeLids();
  for (int lid = first; lid <= last; ++lid) lft[lid].reset();
}

// What differs, of all LIDs.
void TableLoader::LoadPieces(int place, int node, TableBank bank) {
  const LftImage& lft = Lft(node, bank);
  const auto differs = [&](int lid) { return lft[lid] != WantedEntry(place, lid); };
  for (const TableUpdate& pieces :
       MakeTableUpdates(plan_->tables.lft[place], 0, map_.TopLid(), differs)) {
    if (!pieces.lids.empty()) SendPieces(place, bank, pieces);
  }
}

std::vector<TableUpdate> TableLoader::PiecesFor(const Update& update, int node, TableBank bank) {
  const LftImage& lft = Lft(node, bank);
  const auto is_wanted = [&](int lid) {
    return update.everything || lft[lid] != WantedEntry(update.place, lid);
  };
  const auto [first, last] = EndNodeLids();
  return MakeTableUpdates(plan_->tables.lft[update.place], first, last, is_wanted);
}

std::pair<int, int> TableLoader::EndNodeLids() const {
  std::pair<int, int> range{map_.TopLid(), 0};
  for (const int node : plan_->map_nodes) {
    if (map_.node(node).IsSwitch()) continue;
    range.first = std::min<int>(range.first, map_.node(node).lid);
    range.second = std::max<int>(range.second, map_.node(node).lid + (1 << config_.lmc) - 1);
  }
  return range;
}

}  // namespace lanecut
