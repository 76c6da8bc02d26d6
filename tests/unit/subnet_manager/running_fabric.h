// SPDX-License-Identifier: Apache-2.0
//
// A fabric that is up, for tests of what happens to it next.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "tests/unit/subnet_manager/fabric_double.h"
#include "tests/unit/subnet_manager/test_fabrics.h"

namespace lanecut {

inline constexpr Cycle kLimit = 50'000'000;

// A 4x4 torus with one end node per switch that is up.
class RunningFabric : public testing::Test {
 protected:
  void BringUp(SmConfig config = {}, DoubleOptions options = {}) {
    BringUp(Torus({4, 4}, 1), std::move(config), options);
  }
  void BringUp(Topology topology, SmConfig config, DoubleOptions options) {
    fabric_.emplace(std::move(topology), options);
    fabric_->StartManager(std::move(config));
    ASSERT_TRUE(Settle());
    ASSERT_TRUE(manager().IsUp());
    up_ = fabric_->now();
  }
  // Until the manager is settled, or has failed.
  bool Settle() {
    return fabric_->RunUntil([this] { return IsUpOrFailed(*fabric_); }, kLimit);
  }
  // Until it has noticed something and has dealt with it.
  bool Respond(SmEventKind notice = SmEventKind::kTrapReceived) {
    const int before = fabric_->Count(notice);
    return fabric_->RunUntil([&] { return fabric_->Count(notice) > before; }, kLimit) && Settle();
  }
  // Until a reconfiguration is complete, and nothing is left to do.
  bool Reconfigure() {
    const int before = Completed();
    return fabric_->RunUntil(
        [&] {
          return (Completed() > before && manager().IsSettled()) ||
                 manager().phase() == SmPhase::kFailed;
        },
        kLimit);
  }
  // Until nothing is left to do about a fabric with so many cables in use, or the manager has
  // failed.
  bool SettleWith(std::size_t cables) {
    return fabric_->RunUntil(
        [&] {
          return manager().phase() == SmPhase::kFailed ||
                 (manager().IsSettled() && manager().topology().cables().size() == cables);
        },
        kLimit);
  }
  void Cut(const std::string& a, const std::string& b) {
    fabric_->Cut(CableBetween(fabric_->topology(), a, b));
  }
  void Restore(const std::string& a, const std::string& b) {
    fabric_->Restore(CableBetween(fabric_->topology(), a, b));
  }
  int Completed() {
    return fabric_->Count(SmEventKind::kResumed) + fabric_->Count(SmEventKind::kChangeCompleted) +
           fabric_->Count(SmEventKind::kPathsChanged);
  }
  SubnetManager& manager() { return fabric_->manager(); }
  Cycle When(SmEventKind kind) {
    const auto event = fabric_->Find(kind, up_);
    return event ? event->cycle : kNoDeadline;
  }

  std::optional<FabricDouble> fabric_;
  Cycle up_ = 0;
};

}  // namespace lanecut
