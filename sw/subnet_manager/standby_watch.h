// SPDX-License-Identifier: Apache-2.0
//
// What a subnet manager does as a standby: it looks for the master, asks it for its SMInfo again
// and again, and says when there is none any more.
//
// It waits until a master has made its own port Active and then looks around, by directed routes
// and without changing anything: what is where, with which LID, and behind which port a manager is
// master. That one it asks every SmConfig::standby_poll cycles. A poll is missed if no answer comes
// within the time-out, if the answer is not a master's, or if ActCount stands still. After
// kMissedPolls in a row it looks around again. As directed routes find whatever some link leads to,
// a master that does not appear is gone or cut off; one that does is asked by its new route.
//
// A master whose own link is down gives up after SmConfig::timeout. That is less than a poll, so
// there are never two. Source: InfiniBand Architecture volume 1, 14.4 (subnet manager states).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sw/subnet_manager/discovery.h"
#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/sm_config.h"
#include "sw/subnet_manager/sm_observer.h"
#include "sw/subnet_manager/smp_batch.h"

namespace lanecut {

// A link, from the one end to the other.
using MapLink = std::pair<PortRef, PortRef>;

class StandbyWatch {
 public:
  static constexpr int kMissedPolls = 4;

  struct Events {
    std::function<void()> found;                   // the master, for the first time
    std::function<void(const std::string&)> lost;  // it does not answer; its name
    std::function<void()> alone;                   // no master can be reached; the watch is over
  };

  // References are kept; `now` is the owner's clock.
  StandbyWatch(const SmConfig& config, FabricMap& map, SmpEngine& engine, Discovery& discovery,
               const Cycle& now);

  void Start(Events events);
  void Abandon() {
    batch_.Abandon();
    state_ = State::kOff;
  }
  bool IsRunning() const { return state_ != State::kOff; }
  bool IsLooking() const { return state_ == State::kLooking; }
  void OnTimer();
  Cycle NextDeadline() const;

  // The master's own link when it was last seen.
  const std::optional<MapLink>& link_of_master() const { return link_of_master_; }

 private:
  enum class State { kOff, kWaiting, kLooking, kPolling };

  void AskOwnPort();
  void Look();
  void OnLooked(const StageResult& result);
  void Follow(int master);
  void Poll();
  void OnPolled(const SmpReply& reply);
  bool IsAlive(const SmpReply& reply);

  const SmConfig& config_;
  FabricMap& map_;
  Discovery& discovery_;
  const Cycle& now_;
  SmpBatch batch_;
  Events events_;
  State state_ = State::kOff;
  Cycle next_ = 0;
  bool was_found_ = false;
  std::optional<int> master_;  // node of the map
  std::optional<MapLink> link_of_master_;
  std::uint32_t act_count_ = 0;
  int missed_ = 0;
};

}  // namespace lanecut
