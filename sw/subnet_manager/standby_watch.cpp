// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/standby_watch.h"

#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

using ib::MadAttribute;

namespace {

// The manager's own node is no matter of the wire.
constexpr Cycle kOwnPortCycles = 1000;

}  // namespace

StandbyWatch::StandbyWatch(const SmConfig& config, FabricMap& map, SmpEngine& engine,
                           Discovery& discovery, const Cycle& now)
    : config_(config), map_(map), discovery_(discovery), now_(now), batch_(engine) {}

void StandbyWatch::Start(Events events) {
  events_ = std::move(events);
  state_ = State::kWaiting;
  next_ = now_;
}

void StandbyWatch::OnTimer() {
  if (state_ == State::kOff || now_ < next_ || batch_.IsRunning() || discovery_.IsRunning()) return;
  next_ = now_ + (state_ == State::kWaiting ? kOwnPortCycles : config_.standby_poll);
  switch (state_) {
    case State::kWaiting:
      return AskOwnPort();
    case State::kLooking:
      return Look();
    case State::kPolling:
      return Poll();
    case State::kOff:
      return;
  }
}

Cycle StandbyWatch::NextDeadline() const {
  const bool is_idle = state_ == State::kOff || batch_.IsRunning() || discovery_.IsRunning();
  return is_idle ? kNoDeadline : next_;
}

void StandbyWatch::AskOwnPort() {
  const auto submit = [this] {
    batch_.Add(GetRequest({}, MadAttribute::kPortInfo, 1), [this](const SmpReply& reply) {
      if (reply.outcome != SmpOutcome::kAnswered) return;
      const auto state = ib::PortInfo::Decode(reply.mad).port_state;
      if (state == ib::PortState::kActive) state_ = State::kLooking;
    });
  };
  batch_.Run(submit, [this] {
    if (state_ == State::kLooking) Look();
  });
}

void StandbyWatch::Look() {
  discovery_.Look([this](const StageResult& result) { OnLooked(result); });
}

// Whatever was incomplete will be looked at again.
void StandbyWatch::OnLooked(const StageResult& result) {
  if (result.outcome != StageOutcome::kComplete) return;
  master_.reset();
  for (std::size_t i = 1; i < map_.nodes().size(); ++i) {
    const MapNode& node = map_.nodes()[i];
    const bool is_master = node.manager && node.manager->state == ib::SmState::kMaster;
    if (is_master && node.IsReachable()) master_ = static_cast<int>(i);
  }
  if (master_) return Follow(*master_);
  const MapNode& own = map_.node(FabricMap::kOwnNode);
  if (!own.ports[own.info.local_port_num].peer) return;  // it is the standby that is cut off
  state_ = State::kOff;
  events_.alone();
}

void StandbyWatch::Follow(int master) {
  const MapNode& node = map_.node(master);
  const PortRef port{master, node.info.local_port_num};
  if (map_.port(port).peer) link_of_master_ = {port, *map_.port(port).peer};
  act_count_ = node.manager->act_count;
  state_ = State::kPolling;
  missed_ = 0;
  if (!std::exchange(was_found_, true)) events_.found();
}

void StandbyWatch::Poll() {
  const auto submit = [this] {
    SmpRequest request = GetRequest({*master_}, MadAttribute::kSmInfo);
    request.retry = false;
    request.urgent = true;
    batch_.Add(std::move(request), [this](const SmpReply& reply) { OnPolled(reply); });
  };
  batch_.Run(submit, [] {});
}

void StandbyWatch::OnPolled(const SmpReply& reply) {
  missed_ = IsAlive(reply) ? 0 : missed_ + 1;
  if (missed_ < kMissedPolls) return;
  events_.lost(map_.node(*master_).name);
  state_ = State::kLooking;
  next_ = now_;
}

bool StandbyWatch::IsAlive(const SmpReply& reply) {
  if (reply.outcome != SmpOutcome::kAnswered) return false;
  const auto info = ib::SmInfo::Decode(reply.mad);
  const bool has_worked = info.act_count != act_count_;
  act_count_ = info.act_count;
  return has_worked && info.state == ib::SmState::kMaster;
}

}  // namespace lanecut
