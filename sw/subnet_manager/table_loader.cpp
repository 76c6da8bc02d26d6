// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/table_loader.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanecut {

using ib::LinearForwardingTableBlock;
using ib::MadAttribute;
using ib::SlToVlBlock;

TableLoader::TableLoader(const SmConfig& config, const FabricMap& map, SmpEngine& engine)
    : config_(config), map_(map), batch_(engine) {}

void TableLoader::Load(const RoutePlan& plan, TableBank bank, Done done) {
  result_ = {};
  plan_ = &plan;
  const auto finish = [this, done = std::move(done)] { done(StageResult(result_)); };
  FindActiveBanks([this, bank, finish] {
    LoadBlocksAndWildcards(bank, [this, bank, finish] {
      LoadSlToVl(bank, [this, bank, finish] {
        bank == TableBank::kActive ? LoadEndNodes(finish) : finish();
      });
    });
  });
}

void TableLoader::Commit(const RoutePlan& plan, Done done) {
  result_ = {};
  plan_ = &plan;
  const auto finish = [this, done = std::move(done)] { done(StageResult(result_)); };
  CommitBanks([this, finish] { LoadEndNodes(finish); });
}

void TableLoader::ForEachNode(bool switches, const std::function<void(int, int)>& visit) {
  for (std::size_t place = 0; place < plan_->map_nodes.size(); ++place) {
    const int node = plan_->map_nodes[place];
    if (map_.node(node).IsReachable() && map_.node(node).IsSwitch() == switches) {
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
  BankImage& image = Image(node, TableBank::kActive);
  image.lft.resize(std::max<std::size_t>(image.lft.size(), NumBlocks()));
  for (int block = 0; block < NumBlocks(); ++block) {
    if (image.lft[block] != WantedBlock(place, block)) return false;
  }
  return StalePairs(place, node, TableBank::kActive).empty();
}

// Which bank is active is known, unless a commit was abandoned.
void TableLoader::FindActiveBanks(std::function<void()> next) {
  const auto submit = [this] {
    ForEachNode(true, [this](int, int node) {
      if (ImageOf(node).active_bank) return;
      batch_.Add(
          GetRequest({node}, MadAttribute::kVendorBank), [this, node](const SmpReply& reply) {
            if (!CheckReply(reply, MadAttribute::kVendorBank, map_.node(node).name, &result_))
              return;
            const ib::VendorBank bank = ib::VendorBank::Decode(reply.mad);
            images_[node].active_bank = bank.active_bank ? 1 : 0;
            images_[node].epoch = bank.epoch;
          });
    });
  };
  batch_.Run(submit, std::move(next));
}

void TableLoader::LoadBlocksAndWildcards(TableBank bank, std::function<void()> next) {
  if (result_.outcome != StageOutcome::kComplete) return next();
  const auto submit = [this, bank] {
    ForEachNode(true, [this, bank](int place, int node) {
      if (IsUntouched(place, node, bank)) return;
      if (map_.TopLid() >= map_.node(node).switch_info.linear_fdb_cap) {
        result_.Note(
            StageOutcome::kRefused,
            fmt::format("{} has a forwarding table of {} LIDs, {} are needed", map_.node(node).name,
                        map_.node(node).switch_info.linear_fdb_cap, map_.TopLid() + 1));
        return;
      }
      LoadBlocks(place, node, bank);
      LoadWildcard(place, node, bank);
    });
  };
  batch_.Run(submit, std::move(next));
}

void TableLoader::LoadBlocks(int place, int node, TableBank bank) {
  BankImage& image = Image(node, bank);
  image.lft.resize(std::max<std::size_t>(image.lft.size(), NumBlocks()));
  for (int block = 0; block < NumBlocks(); ++block) {
    const LinearForwardingTableBlock wanted = WantedBlock(place, block);
    if (image.lft[block] != wanted) LoadBlock(node, bank, block, wanted);
  }
}

void TableLoader::LoadBlock(int node, TableBank bank, int block,
                            const LinearForwardingTableBlock& wanted) {
  Image(node, bank).lft[block].reset();
  const MadAttribute attribute = bank == TableBank::kActive
                                     ? MadAttribute::kLinearForwardingTable
                                     : MadAttribute::kVendorInactiveForwardingTable;
  batch_.Add(SetRequest({node}, attribute, static_cast<std::uint32_t>(block), wanted),
             [this, node, bank, block, wanted, attribute](const SmpReply& reply) {
               if (!CheckReply(reply, attribute, map_.node(node).name, &result_)) return;
               Image(node, bank).lft[block] = wanted;
             });
}

namespace {

MadAttribute SlToVlAttribute(TableBank bank) {
  return bank == TableBank::kActive ? MadAttribute::kSlToVlMappingTable
                                    : MadAttribute::kVendorInactiveSlToVl;
}

}  // namespace

void TableLoader::LoadWildcard(int place, int node, TableBank bank) {
  if (map_.node(node).switch_info.optimized_sl_to_vl != 1) return;
  const std::vector<PortPair> stale = StalePairs(place, node, bank);
  std::map<std::array<std::uint8_t, 16>, int> count;
  for (const PortPair& pair : stale) ++count[WantedPair(place, pair).vl_of_sl];
  const auto commonest = std::max_element(
      count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  // It overwrites what is right already, so it pays only for a bank of which nothing is known.
  if (commonest == count.end() || commonest->second < 2 || !Image(node, bank).sl_to_vl.empty())
    return;
  const SlToVlBlock wanted{commonest->first};
  const MadAttribute attribute = SlToVlAttribute(bank);
  batch_.Add(SetRequest({node}, attribute, ib::kSlToVlAllInputs | ib::kSlToVlAllOutputs, wanted),
             [this, node, bank, wanted, attribute, stale](const SmpReply& reply) {
               if (!CheckReply(reply, attribute, map_.node(node).name, &result_)) return;
               for (const PortPair& pair : stale) Image(node, bank).sl_to_vl[pair] = wanted;
             });
}

void TableLoader::LoadSlToVl(TableBank bank, std::function<void()> next) {
  if (result_.outcome != StageOutcome::kComplete) return next();
  const auto submit = [this, bank] {
    ForEachNode(true, [this, bank](int place, int node) {
      if (IsUntouched(place, node, bank)) return;
      for (const PortPair& pair : StalePairs(place, node, bank)) {
        LoadPair(node, bank, pair, WantedPair(place, pair));
      }
    });
  };
  batch_.Run(submit, std::move(next));
}

void TableLoader::LoadEndNodes(std::function<void()> next) {
  if (result_.outcome != StageOutcome::kComplete) return next();
  const auto submit = [this] {
    ForEachNode(false, [this](int place, int node) {
      for (const PortPair& pair : StalePairs(place, node, TableBank::kActive)) {
        LoadPair(node, TableBank::kActive, pair, WantedPair(place, pair));
      }
    });
  };
  batch_.Run(submit, std::move(next));
}

void TableLoader::LoadPair(int node, TableBank bank, PortPair pair, const SlToVlBlock& wanted) {
  Image(node, bank).sl_to_vl.erase(pair);
  const MadAttribute attribute = SlToVlAttribute(bank);
  const std::uint32_t modifier = map_.node(node).IsSwitch()
                                     ? ib::SlToVlModifier(static_cast<std::uint8_t>(pair.first),
                                                          static_cast<std::uint8_t>(pair.second))
                                     : 0;
  batch_.Add(SetRequest({node}, attribute, modifier, wanted),
             [this, node, bank, pair, wanted, attribute](const SmpReply& reply) {
               if (!CheckReply(reply, attribute, map_.node(node).name, &result_)) return;
               Image(node, bank).sl_to_vl[pair] = wanted;
             });
}

void TableLoader::CommitBanks(std::function<void()> next) {
  const auto submit = [this] {
    ForEachNode(true, [this](int place, int node) {
      if (IsUntouched(place, node, TableBank::kInactive)) return;
      CommitBank(node, config_.retries);
    });
  };
  batch_.Run(submit, std::move(next));
}

// A second commit would undo the first, so it is not simply repeated: without an answer the node is
// asked what it did.
void TableLoader::CommitBank(int node, int attempts_left) {
  NodeImage& image = ImageOf(node);
  const int new_bank = 1 - image.active_bank.value_or(0);
  image.active_bank.reset();
  ib::VendorBank commit;
  commit.commit = true;
  commit.epoch = image.epoch;
  SmpRequest request = SetRequest({node}, MadAttribute::kVendorBank, 0, commit);
  request.retry = false;
  batch_.Add(std::move(request), [this, node, new_bank, attempts_left](const SmpReply& reply) {
    if (reply.outcome == SmpOutcome::kTimedOut && attempts_left > 0) {
      CheckCommit(node, new_bank, attempts_left - 1);
      return;
    }
    if (!CheckReply(reply, MadAttribute::kVendorBank, map_.node(node).name, &result_)) return;
    images_[node].active_bank = new_bank;
  });
}

void TableLoader::CheckCommit(int node, int new_bank, int attempts_left) {
  batch_.Add(GetRequest({node}, MadAttribute::kVendorBank),
             [this, node, new_bank, attempts_left](const SmpReply& reply) {
               if (!CheckReply(reply, MadAttribute::kVendorBank, map_.node(node).name, &result_))
                 return;
               const int active = ib::VendorBank::Decode(reply.mad).active_bank ? 1 : 0;
               images_[node].active_bank = active;
               if (active != new_bank) CommitBank(node, attempts_left);
             });
}

LinearForwardingTableBlock TableLoader::WantedBlock(int place, int block) const {
  LinearForwardingTableBlock wanted;
  wanted.ports.fill(ib::kLftUnreachable);
  const std::vector<std::uint8_t>& lft = plan_->tables.lft[place];
  for (int i = 0; i < ib::kLftBlockEntries; ++i) {
    const std::size_t lid = static_cast<std::size_t>(block) * ib::kLftBlockEntries + i;
    if (lid != 0 && lid < lft.size()) wanted.ports[i] = lft[lid];
  }
  return wanted;
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
