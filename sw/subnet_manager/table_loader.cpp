// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/table_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanecut {

using ib::LinearForwardingTableBlock;
using ib::MadAttribute;
using ib::SlToVlBlock;

TableLoader::TableLoader(const SmConfig& config, const FabricMap& map, SmpEngine& engine)
    : config_(config),
      map_(map),
      engine_(engine),
      own_batch_(engine),
      batch_(&own_batch_),
      result_(&own_result_) {}

// ---- The fabric as a whole ----

void TableLoader::Load(const RoutePlan& plan, TableBank bank, Done done) {
  UseOwnBatch(plan);
  const auto finish = [this, done = std::move(done)] { done(StageResult(own_result_)); };
  FindActiveBanks([this, bank, finish] {
    LoadBlocksAndWildcards(bank, [this, bank, finish] {
      LoadSlToVl(bank, [this, bank, finish] {
        bank == TableBank::kActive ? LoadAllEndNodes(finish) : finish();
      });
    });
  });
}

void TableLoader::Add(const RoutePlan& plan, Done done) {
  UseOwnBatch(plan);
  const auto finish = [this, done = std::move(done)] { done(StageResult(own_result_)); };
  FindActiveBanks([this, finish] {
    const auto submit = [this] {
      ForEachNode(true, [this](int place, int node) {
        if (!HasRoom(node)) return;
        LoadBlocks(place, node, TableBank::kActive);
        LoadPairs(place, node, TableBank::kActive);
      });
      ForEachNode(false,
                  [this](int place, int node) { LoadPairs(place, node, TableBank::kActive); });
    };
    batch_->Run(submit, finish);
  });
}

void TableLoader::Commit(const RoutePlan& plan, Done done) {
  UseOwnBatch(plan);
  const auto finish = [this, done = std::move(done)] { done(StageResult(own_result_)); };
  CommitBanks([this, finish] { LoadAllEndNodes(finish); });
}

void TableLoader::LoadEndNodes(const RoutePlan& plan, Done done) {
  UseOwnBatch(plan);
  LoadAllEndNodes([this, done = std::move(done)] { done(StageResult(own_result_)); });
}

void TableLoader::LoadAllInactive(const RoutePlan& plan, Done done) {
  UseOwnBatch(plan);
  const auto submit = [this, &plan] {
    ForEachNode(true, [this, &plan](int place, int) {
      LoadInactive(own_batch_, own_result_, plan, place, false, [](bool) {});
    });
  };
  own_batch_.Run(submit, [this, done = std::move(done)] { done(StageResult(own_result_)); });
}

void TableLoader::UseOwnBatch(const RoutePlan& plan) {
  own_result_ = {};
  UseBatch(own_batch_, own_result_);
  plan_ = &plan;
}

void TableLoader::UseBatch(SmpBatch& batch, StageResult& result) {
  batch_ = &batch;
  result_ = &result;
  outstanding_.clear();
}

void TableLoader::ForEachNode(bool switches, const std::function<void(int, int)>& visit) {
  for (std::size_t place = 0; place < plan_->map_nodes.size(); ++place) {
    const int node = plan_->map_nodes[place];
    if (map_.node(node).is_planned_for && map_.node(node).IsSwitch() == switches) {
      visit(static_cast<int>(place), node);
    }
  }
}

// Discovery has read the active bank of a node that is new here.
TableLoader::NodeImage& TableLoader::ImageOf(int node) {
  const auto [it, is_new] = images_.try_emplace(node);
  if (is_new) {
    it->second.active_bank = map_.node(node).status.active_bank ? 1 : 0;
    it->second.epoch = map_.node(node).status.epoch;
  }
  return it->second;
}

TableLoader::BankImage& TableLoader::Image(int node, TableBank bank) {
  NodeImage& image = ImageOf(node);
  const int active = image.active_bank.value_or(0);
  return image.banks[bank == TableBank::kActive ? active : 1 - active];
}

// The active bank is right already, so the inactive one is left alone.
bool TableLoader::IsUntouched(int place, int node, TableBank bank) {
  if (bank == TableBank::kActive) return false;
  for (int block = 0; block < NumBlocks(); ++block) {
    if (!IsRight(place, node, TableBank::kActive, block)) return false;
  }
  return StalePairs(place, node, TableBank::kActive).empty();
}

// Which bank is active is known, unless a commit was abandoned.
void TableLoader::FindActiveBanks(std::function<void()> next) {
  const auto submit = [this] {
    ForEachNode(true, [this](int, int node) { FindActiveBank(node); });
  };
  batch_->Run(submit, std::move(next));
}

void TableLoader::FindActiveBank(int node) {
  if (ImageOf(node).active_bank) return;
  Send(node, GetRequest({node}, MadAttribute::kVendorBank), [this, node](const SmpReply& reply) {
    if (!Check(reply, MadAttribute::kVendorBank, node)) return false;
    const ib::VendorBank bank = ib::VendorBank::Decode(reply.mad);
    NoteBank(node, bank.active_bank, bank.epoch);
    return true;
  });
}

void TableLoader::NoteBank(int node, bool active_bank, std::uint8_t number) {
  NodeImage& image = ImageOf(node);
  image.active_bank = active_bank ? 1 : 0;
  image.epoch = number;
}

void TableLoader::NoteFunction(int node, std::uint8_t number) {
  NodeImage& image = ImageOf(node);
  if (image.epoch == number) return;
  if (image.active_bank) image.active_bank = 1 - *image.active_bank;
  image.epoch = number;
}

void TableLoader::LoadBlocksAndWildcards(TableBank bank, std::function<void()> next) {
  if (result_->outcome != StageOutcome::kComplete) return next();
  const auto submit = [this, bank] {
    ForEachNode(true, [this, bank](int place, int node) {
      if (IsUntouched(place, node, bank)) return;
      if (!HasRoom(node)) return;
      LoadBlocks(place, node, bank);
      LoadRows(place, node, bank);
      LoadWildcard(place, node, bank);
    });
  };
  batch_->Run(submit, std::move(next));
}

bool TableLoader::HasRoom(int node) {
  const int room = map_.node(node).switch_info.linear_fdb_cap;
  if (map_.TopLid() < room) return true;
  result_->Note(StageOutcome::kRefused,
                fmt::format("{} has a forwarding table of {} LIDs, {} are needed",
                            map_.node(node).name, room, map_.TopLid() + 1));
  return false;
}

TableLoader::LftImage& TableLoader::Lft(int node, TableBank bank) {
  LftImage& lft = Image(node, bank).lft;
  lft.resize(std::max(lft.size(), static_cast<std::size_t>(NumBlocks()) * ib::kLftBlockEntries));
  return lft;
}

bool TableLoader::IsRight(int place, int node, TableBank bank, int block) {
  const LftImage& lft = Lft(node, bank);
  for (int i = 0; i < ib::kLftBlockEntries; ++i) {
    const int lid = block * ib::kLftBlockEntries + i;
    if (lft[lid] != WantedEntry(place, lid)) return false;
  }
  return true;
}

void TableLoader::LoadBlocks(int place, int node, TableBank bank) {
  if (engine_.is_compact()) return LoadPieces(place, node, bank);
  for (int block = 0; block < NumBlocks(); ++block) {
    if (!IsRight(place, node, bank, block)) {
      LoadBlock(node, bank, block, WantedBlock(place, block));
    }
  }
}

void TableLoader::LoadBlock(int node, TableBank bank, int block,
                            const LinearForwardingTableBlock& wanted) {
  const std::ptrdiff_t first = std::ptrdiff_t{block} * ib::kLftBlockEntries;
  std::fill_n(Lft(node, bank).begin() + first, ib::kLftBlockEntries, std::nullopt);
  const MadAttribute attribute = bank == TableBank::kActive
                                     ? MadAttribute::kLinearForwardingTable
                                     : MadAttribute::kVendorInactiveForwardingTable;
  Send(node, SetRequest({node}, attribute, static_cast<std::uint32_t>(block), wanted),
       [this, node, bank, first, wanted, attribute](const SmpReply& reply) {
         if (!Check(reply, attribute, node)) return false;
         std::copy(wanted.ports.begin(), wanted.ports.end(), Lft(node, bank).begin() + first);
         return true;
       });
}

void TableLoader::LoadRows(int place, int node, TableBank bank) {
  if (plan_->feeders.empty()) return;
  const FeederRows& feeders = plan_->feeders[place];
  Image(node, bank).rows.resize(feeders.NumBlocks());
  for (int block = 0; block < feeders.NumBlocks(); ++block) {
    const FeederRows::Block wanted = feeders.BlockAt(block);
    if (Image(node, bank).rows[block] != wanted) LoadRow(node, bank, block, wanted);
  }
}

void TableLoader::LoadRow(int node, TableBank bank, int block, const FeederRows::Block& wanted) {
  Image(node, bank).rows[block].reset();
  const std::uint32_t modifier = static_cast<std::uint32_t>(block) |
                                 (bank == TableBank::kInactive ? ib::kFeederRowsInactive : 0);
  Send(node,
       SetRequest({node}, MadAttribute::kVendorFeederRows, modifier, ib::VendorFeederRows{wanted}),
       [this, node, bank, block, wanted](const SmpReply& reply) {
         if (!Check(reply, MadAttribute::kVendorFeederRows, node)) return false;
         Image(node, bank).rows[block] = wanted;
         return true;
       });
}

namespace {

MadAttribute SlToVlAttribute(TableBank bank) {
  return bank == TableBank::kActive ? MadAttribute::kSlToVlMappingTable
                                    : MadAttribute::kVendorInactiveSlToVl;
}

}  // namespace

bool TableLoader::LoadWildcard(int place, int node, TableBank bank) {
  if (map_.node(node).switch_info.optimized_sl_to_vl != 1) return false;
  const std::vector<PortPair> stale = StalePairs(place, node, bank);
  std::map<std::array<std::uint8_t, 16>, int> count;
  for (const PortPair& pair : stale) ++count[WantedPair(place, pair).vl_of_sl];
  const auto commonest = std::max_element(
      count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  // It overwrites what is right already, so it pays only for a bank of which nothing is known.
  if (commonest == count.end() || commonest->second < 2 || !Image(node, bank).sl_to_vl.empty())
    return false;
  const SlToVlBlock wanted{commonest->first};
  const MadAttribute attribute = SlToVlAttribute(bank);
  Send(node, SetRequest({node}, attribute, ib::kSlToVlAllInputs | ib::kSlToVlAllOutputs, wanted),
       [this, node, bank, wanted, attribute](const SmpReply& reply) {
         if (!Check(reply, attribute, node)) return false;
         const int ports = map_.node(node).NumPorts();
         for (int in = 0; in <= ports; ++in) {
           for (int out = 0; out <= ports; ++out) Image(node, bank).sl_to_vl[{in, out}] = wanted;
         }
         return true;
       });
  return true;
}

void TableLoader::LoadSlToVl(TableBank bank, std::function<void()> next) {
  if (result_->outcome != StageOutcome::kComplete) return next();
  const auto submit = [this, bank] {
    ForEachNode(true, [this, bank](int place, int node) {
      if (!IsUntouched(place, node, bank)) LoadPairs(place, node, bank);
    });
  };
  batch_->Run(submit, std::move(next));
}

void TableLoader::LoadAllEndNodes(std::function<void()> next) {
  if (result_->outcome != StageOutcome::kComplete) return next();
  const auto submit = [this] {
    ForEachNode(false, [this](int place, int node) { LoadPairs(place, node, TableBank::kActive); });
  };
  batch_->Run(submit, std::move(next));
}

void TableLoader::LoadPairs(int place, int node, TableBank bank) {
  for (const PortPair& pair : StalePairs(place, node, bank)) {
    LoadPair(node, bank, pair, WantedPair(place, pair));
  }
}

void TableLoader::LoadPair(int node, TableBank bank, PortPair pair, const SlToVlBlock& wanted) {
  Image(node, bank).sl_to_vl.erase(pair);
  const MadAttribute attribute = SlToVlAttribute(bank);
  const std::uint32_t modifier = map_.node(node).IsSwitch()
                                     ? ib::SlToVlModifier(static_cast<std::uint8_t>(pair.first),
                                                          static_cast<std::uint8_t>(pair.second))
                                     : 0;
  Send(node, SetRequest({node}, attribute, modifier, wanted),
       [this, node, bank, pair, wanted, attribute](const SmpReply& reply) {
         if (!Check(reply, attribute, node)) return false;
         Image(node, bank).sl_to_vl[pair] = wanted;
         return true;
       });
}

void TableLoader::CommitBanks(std::function<void()> next) {
  const auto submit = [this] {
    ForEachNode(true, [this](int place, int node) {
      if (IsUntouched(place, node, TableBank::kInactive)) return;
      CommitBank(node, ImageOf(node).epoch, config_.retries);
    });
  };
  batch_->Run(submit, std::move(next));
}

// A second commit would undo the first, so it is not simply repeated: without an answer the node is
// asked what it did.
void TableLoader::CommitBank(int node, std::uint8_t number, int attempts_left) {
  NodeImage& image = ImageOf(node);
  const int new_bank = 1 - image.active_bank.value_or(0);
  image.active_bank.reset();
  ib::VendorBank commit;
  commit.commit = true;
  commit.epoch = number;
  SmpRequest request = SetRequest({node}, MadAttribute::kVendorBank, 0, commit);
  request.retry = false;
  request.urgent = batch_ != &own_batch_;
  Send(node, std::move(request),
       [this, node, number, new_bank, attempts_left](const SmpReply& reply) {
         if (reply.outcome == SmpOutcome::kTimedOut && attempts_left > 0) {
           CheckCommit(node, number, new_bank, attempts_left - 1);
           return true;
         }
         if (!Check(reply, MadAttribute::kVendorBank, node)) return false;
         NoteBank(node, new_bank == 1, number);
         return true;
       });
}

void TableLoader::CheckCommit(int node, std::uint8_t number, int new_bank, int attempts_left) {
  Send(node, GetRequest({node}, MadAttribute::kVendorBank),
       [this, node, number, new_bank, attempts_left](const SmpReply& reply) {
         if (!Check(reply, MadAttribute::kVendorBank, node)) return false;
         const ib::VendorBank bank = ib::VendorBank::Decode(reply.mad);
         NoteBank(node, bank.active_bank, bank.epoch);
         if (bank.active_bank != (new_bank == 1)) CommitBank(node, number, attempts_left);
         return true;
       });
}

// ---- Switch by switch ----

void TableLoader::LoadInactive(SmpBatch& batch, StageResult& result, const RoutePlan& plan,
                               int place, bool everything, Step done) {
  if (batch_ != &batch || result_ != &result) UseBatch(batch, result);
  plan_ = &plan;
  const int node = plan.map_nodes[place];
  outstanding_[node] = {};
  FindActiveBank(node);
  Await(node, [this, place, node, everything, done = std::move(done)](bool ok) {
    if (!ok || !HasRoom(node)) return done(false);
    if (everything) Image(node, TableBank::kInactive) = {};
    if (engine_.is_compact()) ForgetEndNodes(node);
    LoadBank(place, node, done);
  });
}

// Where all SLtoVL tables are written at once, the exceptions must come afterwards.
void TableLoader::LoadBank(int place, int node, const Step& done) {
  LoadBlocks(place, node, TableBank::kInactive);
  if (!config_.IsCompact()) LoadRows(place, node, TableBank::kInactive);
  if (!LoadWildcard(place, node, TableBank::kInactive)) {
    LoadPairs(place, node, TableBank::kInactive);
    return Await(node, done);
  }
  Await(node, [this, place, node, done](bool ok) {
    if (!ok) return done(false);
    LoadPairs(place, node, TableBank::kInactive);
    Await(node, done);
  });
}

void TableLoader::CommitInactive(SmpBatch& batch, StageResult& result, int node,
                                 std::uint8_t number, Step done) {
  if (batch_ != &batch || result_ != &result) UseBatch(batch, result);
  outstanding_[node] = {};
  FindActiveBank(node);
  const bool was_known = ImageOf(node).active_bank.has_value();
  Await(node, [this, node, number, was_known, done = std::move(done)](bool ok) {
    if (!ok) return done(false);
    if (!was_known && ImageOf(node).epoch == number) return done(true);
    CommitBank(node, number, config_.retries);
    Await(node, done);
  });
}

void TableLoader::Send(int node, SmpRequest request,
                       std::function<bool(const SmpReply&)> completion) {
  ++outstanding_[node].requests;
  batch_->Add(std::move(request),
              [this, node, completion = std::move(completion)](const SmpReply& reply) {
                const bool ok = completion(reply);
                Outstanding& outstanding = outstanding_[node];
                if (!ok) outstanding.failed = true;
                if (--outstanding.requests > 0 || !outstanding.next) return;
                const Step next = std::exchange(outstanding.next, nullptr);
                next(!outstanding.failed);
              });
}

void TableLoader::Await(int node, Step next) {
  Outstanding& outstanding = outstanding_[node];
  if (outstanding.requests > 0) {
    outstanding.next = std::move(next);
  } else {
    next(!outstanding.failed);
  }
}

// In a batch of the caller's, nodes may get lost.
bool TableLoader::Check(const SmpReply& reply, MadAttribute attribute, int node) {
  if (batch_ != &own_batch_ && reply.outcome == SmpOutcome::kNoRoute) return false;
  return CheckReply(reply, attribute, map_.node(node).name, result_);
}

LinearForwardingTableBlock TableLoader::WantedBlock(int place, int block) const {
  LinearForwardingTableBlock wanted;
  for (int i = 0; i < ib::kLftBlockEntries; ++i) {
    wanted.ports[i] = WantedEntry(place, block * ib::kLftBlockEntries + i);
  }
  return wanted;
}

std::uint8_t TableLoader::WantedEntry(int place, int lid) const {
  const std::vector<std::uint8_t>& lft = plan_->tables.lft[place];
  return lid == 0 || lid >= static_cast<int>(lft.size()) ? ib::kLftUnreachable : lft[lid];
}

SlToVlBlock TableLoader::WantedPair(int place, PortPair pair) const {
  SlToVlBlock wanted;
  for (int sl = 0; sl < kServiceLevels; ++sl) {
    wanted.vl_of_sl[sl] = plan_->tables.sl2vl[place].At(pair.first, pair.second, sl);
  }
  return wanted;
}

std::vector<TableLoader::PortPair> TableLoader::StalePairs(int place, int node, TableBank bank) {
  const BankImage& image = Image(node, bank);
  std::vector<PortPair> stale;
  for (const PortPair& pair : plan_->used[place]) {
    const auto it = image.sl_to_vl.find(pair);
    if (it == image.sl_to_vl.end() || it->second != WantedPair(place, pair)) stale.push_back(pair);
  }
  return stale;
}

}  // namespace lanecut
