// SPDX-License-Identifier: Apache-2.0
//
// Replaces the tables of a running fabric switch by switch, without waiting for anything: packets
// that are in the way under the old tables are dropped by the switches if they would block for ever
// (ebr).
//
// Every switch gets its tables into the inactive bank, which then becomes active with the new
// number at one stroke. The switches nearest to the fault come first, or, if SmConfig::order says
// so, those farthest from the manager. Loads run ahead, as far as the window of outstanding SMPs
// goes, but no switch is told to commit before all whose turn is earlier.
// The end nodes of a switch inject with the new number once it has committed. With scheme ebrd only
// what differs from the contents of the inactive bank is sent; the commit goes to everybody, or the
// packets of a switch without changes would look old for ever.
//
// An abandoned change leaves switches with two functions. The next one has a number of its own and
// goes to all of them. Source: Montañana, PhD thesis, Universidad Politécnica de Valencia, 2008,
// chapter 6.
#pragma once

#include <functional>
#include <vector>

#include "sw/subnet_manager/numbered_reconfiguration.h"

namespace lanecut {

class EpochReconfiguration : public NumberedReconfiguration {
 public:
  using NumberedReconfiguration::NumberedReconfiguration;

  void Run(const RoutePlan& before, const RoutePlan& after, Report report, Done done) override;
  bool IsCommitted() const override { return IsRunning() && is_committed_; }

 protected:
  // A run in two parts: after Begin(), which may be long before the other.
  void ResetChange();
  void StartChange();
  void OnComputed() override;
  // All switches and end nodes have their tables. New end nodes are still held.
  virtual void BeforeRelease(const std::function<void()>& next) { next(); }

 private:
  enum class State { kLoading, kLoaded, kCommitting, kDone };
  struct Switch {
    int place = -1;
    int node = -1;
    int turn = 0;
    State state = State::kLoading;
  };

  void LoadAll();
  void UpdateAll(bool everything);
  void NoteCommit();
  bool CheckNumbers();
  void OnLoaded(std::size_t index, bool ok);
  void CommitWhatMay();
  void Commit(std::size_t index);
  void OnCommitted(std::size_t index, bool ok);
  void CompleteIfAllDone();
  void Finish(const StageResult& loaded);
  void StartEndNodes(int place);

  std::vector<Switch> switches_;  // by turns
  std::uint8_t next_ = 0;         // the number of the new function
  bool is_prepared_ = false;
  bool is_committed_ = false;
};

}  // namespace lanecut
