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
  // Ignored if something has failed before.
  void Set(std::string outcome, std::string message) {
    if (*this) return;
    outcome_ = std::move(outcome);
    message_ = std::move(message);
  }
  // One word: "stall", "mismatch", "accounting", "order", "timeout", "manager", "assertion",
  // "starvation".
  const std::string& outcome() const { return outcome_; }
  // One line.
  const std::string& message() const { return message_; }

 private:
  std::string outcome_;
  std::string message_;
};

}  // namespace lanecut
