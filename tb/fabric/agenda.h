// SPDX-License-Identifier: Apache-2.0
//
// What is to be done at certain cycles beside clocking the nodes: faults, timers of the subnet
// manager, phases of a run.
//
// A task is added once and armed for one cycle at a time; it may arm itself and others again. Tasks
// that are due in the same cycle run in the order in which they were added. A task armed for a
// cycle that has passed runs in the next one.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut {

class Agenda {
 public:
  static constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
  using Task = std::function<void(Cycle now)>;

  int Add(Task task) {
    entries_.push_back({kNever, std::move(task)});
    return static_cast<int>(entries_.size()) - 1;
  }

  // Replaces what the task was armed for; `kNever` disarms it.
  void Arm(int task, Cycle due) {
    entries_[task].due = due;
    Update();
  }

  Cycle next() const { return next_; }

  void RunDue(Cycle now) {
    if (next_ > now) return;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].due > now) continue;
      entries_[i].due = kNever;
      const Task task = entries_[i].task;  // a copy: the task may add others
      task(now);
    }
    Update();
  }

 private:
  struct Entry {
    Cycle due;
    Task task;
  };

  void Update() {
    next_ = kNever;
    for (const Entry& entry : entries_) next_ = std::min(next_, entry.due);
  }

  std::vector<Entry> entries_;
  Cycle next_ = kNever;
};

}  // namespace lanecut
