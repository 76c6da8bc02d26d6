// SPDX-License-Identifier: Apache-2.0
//
// Why a run failed: the first thing that went wrong counts.
#pragma once

#include <string>
#include <utility>

namespace lanecut {

class Failure {
 public:
  explicit operator bool() const { return !outcome_.empty(); }
  // Ignored if something has failed before. `waves`: see below.
  void Set(std::string outcome, std::string message, std::string waves = {}) {
    if (*this) return;
    outcome_ = std::move(outcome);
    message_ = std::move(message);
    waves_ = std::move(waves);
  }
  // One word: "stall", "mismatch", "accounting", "order", "timeout", "manager", "assertion",
  // "starvation".
  const std::string& outcome() const { return outcome_; }
  // One line.
  const std::string& message() const { return message_; }
  // With which options `lanecut wave` shows it; empty: that is not known.
  const std::string& waves() const { return waves_; }

 private:
  std::string outcome_;
  std::string message_;
  std::string waves_;
};

}  // namespace lanecut
