// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/discovery.h"

#include <fmt/format.h>

namespace lanecut {

using ib::MadAttribute;

Discovery::Discovery(const SmConfig& config, FabricMap& map, SmpEngine& engine, const Cycle& now)
    : config_(config), map_(map), engine_(engine), now_(now), batch_(engine) {}

void Discovery::DiscoverAll(bool strict, Done done) {
  strict_ = strict;
  only_looks_ = false;
  ExploreAll(std::move(done));
}

void Discovery::Look(Done done) {
  strict_ = false;
  only_looks_ = true;
  ExploreAll(std::move(done));
}

void Discovery::ExploreAll(Done done) {
  result_ = {};
  full_ = true;
  map_.DisconnectAll();
  const auto submit = [this] {
    Ask(GetRequest({}, MadAttribute::kNodeInfo), [this](const SmpReply& reply) {
      if (!Answered(reply, MadAttribute::kNodeInfo, "the manager's own node")) return;
      const ib::NodeInfo info = ib::NodeInfo::Decode(reply.mad);
      if (map_.nodes().empty()) map_.AddNode(info);
      Explore(0);
    });
  };
  batch_.Run(submit, [this, done = std::move(done)] { Finish(done); });
}

void Discovery::Inspect(const std::set<int>& switches, Done done) {
  result_ = {};
  strict_ = false;
  only_looks_ = false;
  full_ = false;
  read_.clear();
  const auto submit = [this, &switches] {
    for (const int node : switches) {
      if (map_.node(node).IsReachable()) ClearChange(node);
    }
  };
  batch_.Run(submit, [this, done = std::move(done)] { Finish(done); });
}

void Discovery::Join(int node) {
  // If somebody does not answer, a full discovery follows. Traps that nobody can repress would put
  // it off with every repetition.
  if (result_.outcome != StageOutcome::kComplete) return;
  if (map_.node(node).IsReachable()) ClearChange(node);
}

void Discovery::Ask(SmpRequest request, SmpEngine::Completion completion) {
  request.urgent = !full_;
  batch_.Add(std::move(request), std::move(completion));
}

// A node that lost its route meanwhile is no problem: the map says so.
bool Discovery::Answered(const SmpReply& reply, MadAttribute attribute, const std::string& what) {
  if (reply.outcome == SmpOutcome::kNoRoute) return false;
  return CheckReply(reply, attribute, what, &result_);
}

void Discovery::Explore(int node) {
  MapNode& record = map_.node(node);
  if (record.is_explored) return;
  record.is_explored = true;
  ForgetReads(node);  // it may have been lost since
  ReadName(node);
  ReadStatus(node);
  if (record.IsSwitch()) {
    ReadSwitchInfo(node);
  } else {
    ReadPort({node, record.info.local_port_num});
  }
}

void Discovery::ReadName(int node) {
  Ask(GetRequest({node}, MadAttribute::kNodeDescription), [this, node](const SmpReply& reply) {
    MapNode& record = map_.node(node);
    if (!Answered(reply, MadAttribute::kNodeDescription, record.name)) return;
    const std::string text = ib::NodeDescription::Decode(reply.mad).text;
    if (!text.empty()) record.name = text;
  });
}

void Discovery::ReadStatus(int node) {
  SmpRequest request = GetRequest({node}, MadAttribute::kVendorStatus);
  request.standard = true;  // for its buffer sizes, too
  Ask(std::move(request), [this, node](const SmpReply& reply) {
    MapNode& record = map_.node(node);
    if (!Answered(reply, MadAttribute::kVendorStatus, record.name)) return;
    record.status = ib::VendorStatus::Decode(reply.mad, record.info.node_type);
  });
}

void Discovery::ReadSwitchInfo(int node) {
  Ask(GetRequest({node}, MadAttribute::kSwitchInfo), [this, node](const SmpReply& reply) {
    MapNode& record = map_.node(node);
    if (!Answered(reply, MadAttribute::kSwitchInfo, record.name)) return;
    record.switch_info = ib::SwitchInfo::Decode(reply.mad);
    if (only_looks_) ReadSwitchLid(node);
    record.switch_info.port_state_change && !only_looks_ ? ClearChange(node) : ReadPorts(node);
  });
}

void Discovery::ReadSwitchLid(int node) {
  Ask(GetRequest({node}, MadAttribute::kPortInfo, 0), [this, node](const SmpReply& reply) {
    if (!Answered(reply, MadAttribute::kPortInfo, map_.node(node).name)) return;
    map_.AdoptLid(node, ib::PortInfo::Decode(reply.mad).lid);
  });
}

void Discovery::ClearChange(int node) {
  MapNode& record = map_.node(node);
  record.switch_info.port_state_change = true;  // written as 1 to clear
  SmpRequest request = SetRequest({node}, MadAttribute::kSwitchInfo, 0, record.switch_info);
  record.switch_info.port_state_change = false;
  Ask(std::move(request), [this, node](const SmpReply& reply) {
    if (!Answered(reply, MadAttribute::kSwitchInfo, map_.node(node).name)) return;
    ForgetReads(node);
    ReadPorts(node);
  });
}

void Discovery::ForgetReads(int node) {
  read_.erase(read_.lower_bound({node, 0}), read_.lower_bound({node + 1, 0}));
}

void Discovery::ReadPorts(int node) {
  for (int port = 1; port <= map_.node(node).NumPorts(); ++port) ReadPort({node, port});
}

void Discovery::ReadPort(const PortRef& ref) {
  if (!full_ && !read_.emplace(ref.node, ref.port).second) return;
  const auto modifier = static_cast<std::uint32_t>(ref.port);
  Ask(GetRequest({ref.node}, MadAttribute::kPortInfo, modifier),
      [this, ref](const SmpReply& reply) {
        if (!Answered(reply, MadAttribute::kPortInfo, map_.Describe(ref))) return;
        map_.port(ref).info = ib::PortInfo::Decode(reply.mad);
        map_.port(ref).is_read = true;
        if (only_looks_ && !map_.node(ref.node).IsSwitch())
          map_.AdoptLid(ref.node, map_.port(ref).info.lid);
        OnPort(ref);
      });
}

void Discovery::OnPort(const PortRef& ref) {
  const MapPort& port = map_.port(ref);
  if (!port.IsUp() || map_.ServiceOf(ref) == PortService::kOut) {
    if (full_ || !port.peer) return;
    map_.Disconnect(ref);
    map_.UpdateRoutes();
    engine_.Reroute(now_);
    return;
  }
  const bool relays = map_.node(ref.node).IsSwitch() || ref.node == FabricMap::kOwnNode;
  if (!relays) {
    if ((port.info.capability_mask & ib::kCapabilityIsSm) != 0) ReadManager(ref.node);
    return;
  }
  if (!port.peer) {
    Probe(ref, false);
  } else if (!full_ && port.info.port_state != ib::PortState::kActive) {
    Probe(ref, true);  // it was down: the cable may lead elsewhere now
  }
}

void Discovery::ReadManager(int node) {
  map_.node(node).manager.reset();
  Ask(GetRequest({node}, MadAttribute::kSmInfo), [this, node](const SmpReply& reply) {
    if (!Answered(reply, MadAttribute::kSmInfo, map_.node(node).name)) return;
    map_.node(node).manager = ib::SmInfo::Decode(reply.mad);
  });
}

void Discovery::Probe(const PortRef& ref, bool even_if_connected) {
  SmpRequest request = GetRequest({ref.node, ref.port}, MadAttribute::kNodeInfo);
  request.still_needed = [this, ref, even_if_connected] {
    return even_if_connected || !map_.port(ref).peer;
  };
  Ask(std::move(request), [this, ref](const SmpReply& reply) {
    StageResult silent;
    if (CheckReply(reply, MadAttribute::kNodeInfo, "the neighbour of " + map_.Describe(ref),
                   strict_ ? &result_ : &silent)) {
      OnNeighbour(ref, ib::NodeInfo::Decode(reply.mad));
    }
  });
}

void Discovery::OnNeighbour(const PortRef& ref, const ib::NodeInfo& info) {
  if (info.local_port_num < 1 || info.local_port_num > info.num_ports) {
    result_.Note(StageOutcome::kRefused,
                 fmt::format("the neighbour of {} says it was reached by its port {} of {}",
                             map_.Describe(ref), info.local_port_num, info.num_ports));
    return;
  }
  const std::optional<int> known = map_.FindByGuid(info.node_guid);
  const int node = known ? *known : map_.AddNode(info);
  if (node == ref.node) {
    result_.Note(StageOutcome::kRefused,
                 fmt::format("{} is cabled to its own port {}, or two nodes have NodeGUID {:#x}",
                             map_.Describe(ref), info.local_port_num, info.node_guid));
    return;
  }
  const PortRef far{node, info.local_port_num};
  map_.Connect(ref, far);
  if (!map_.node(node).is_explored) {
    map_.node(node).info = info;
    Explore(node);
  } else if (!full_) {
    ReadPort(far);
  }
}

void Discovery::Finish(const Done& done) {
  DropOneSidedLinks();
  map_.UpdateRoutes();
  if (result_.outcome == StageOutcome::kComplete) Validate();
  const StageResult result = result_;
  done(result);
}

// A link of which only one end says that it is up went down, or came up, while it was looked at; a
// trap tells the rest.
void Discovery::DropOneSidedLinks() {
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    for (int number = 1; number <= map_.nodes()[i].NumPorts(); ++number) {
      const PortRef ref{static_cast<int>(i), number};
      if (map_.port(ref).peer && map_.port(ref).is_read && !map_.port(ref).IsUp()) {
        map_.Disconnect(ref);
      }
    }
  }
}

void Discovery::Validate() {
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    const MapNode& record = map_.nodes()[i];
    if (!record.IsReachable()) continue;
    if (!record.IsSwitch() && record.NumPorts() != 1) {
      result_.Note(StageOutcome::kRefused, fmt::format("end node {} has {} ports, expected 1",
                                                       record.name, record.NumPorts()));
    }
    for (int number = 1; number <= record.NumPorts(); ++number) {
      if (record.ports[number].peer) ValidateLink({static_cast<int>(i), number});
    }
  }
}

void Discovery::ValidateLink(const PortRef& ref) {
  const MapPort& port = map_.port(ref);
  const int vls = ib::VlsOfCode(port.info.vl_cap);
  if (port.is_read && vls < config_.data_vls) {
    result_.Note(StageOutcome::kRefused, fmt::format("{} has {} data VLs, expected {}",
                                                     map_.Describe(ref), vls, config_.data_vls));
  }
  const int here = map_.node(ref.node).status.data_blocks;
  const int there = map_.node(port.peer->node).status.data_blocks;
  if (here != there) {
    result_.Note(
        StageOutcome::kRefused,
        fmt::format("the ends of a link disagree on input buffers: {} has {} blocks per data "
                    "VL, {} has {}",
                    map_.Describe(ref), here, map_.Describe(*port.peer), there));
  }
}

}  // namespace lanecut
