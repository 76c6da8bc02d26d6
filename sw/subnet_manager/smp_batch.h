// SPDX-License-Identifier: Apache-2.0
//
// A stage of work: a set of requests, which may add more while they complete, and what to do when
// none is left.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "sw/subnet_manager/smp_engine.h"

namespace lanecut {

class SmpBatch {
 public:
  explicit SmpBatch(SmpEngine& engine) : engine_(engine) {}

  // Calls `submit`, which adds the first requests, and `done` when all requests have completed; at
  // once if there are none.
  void Run(const std::function<void()>& submit, std::function<void()> done) {
    ++run_;
    pending_ = 1;
    done_ = std::move(done);
    submit();
    Release();
  }

  void Add(SmpRequest request, SmpEngine::Completion completion) {
    ++pending_;
    engine_.Submit(std::move(request),
                   [this, run = run_, completion = std::move(completion)](const SmpReply& reply) {
                     if (run != run_) return;  // of a batch that was abandoned
                     if (completion) completion(reply);
                     if (run == run_) Release();
                   });
  }

  // `done` will not be called, nor the completions of what is still outstanding.
  void Abandon() {
    ++run_;
    pending_ = 0;
  }
  bool IsRunning() const { return pending_ > 0; }

 private:
  void Release() {
    if (--pending_ > 0) return;
    const std::function<void()> done = std::move(done_);
    done();
  }

  SmpEngine& engine_;
  std::function<void()> done_;
  std::uint64_t run_ = 0;
  int pending_ = 0;
};

// Requests.
inline SmpRequest GetRequest(SmpTarget target, ib::MadAttribute attribute,
                             std::uint32_t modifier = 0) {
  SmpRequest request;
  request.target = target;
  request.mad = ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet, attribute, modifier);
  return request;
}

template <typename Attribute>
SmpRequest SetRequest(SmpTarget target, ib::MadAttribute attribute, std::uint32_t modifier,
                      const Attribute& value) {
  SmpRequest request;
  request.target = target;
  request.mad = ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kSet, attribute, modifier);
  value.Encode(&request.mad);
  return request;
}

// How a stage ended.
enum class StageOutcome {
  kComplete,
  kIncomplete,  // some node did not answer: the fabric is not what the map says
  kRefused,     // the fabric cannot be run as configured
};

struct StageResult {
  StageOutcome outcome = StageOutcome::kComplete;
  std::string reason;  // unless complete; the first one found

  void Note(StageOutcome worse, std::string why) {
    if (outcome >= worse) return;
    outcome = worse;
    reason = std::move(why);
  }
};

// Notes what is wrong with a reply, if anything; true if it holds the answer. `what` names node and
// port.
bool CheckReply(const SmpReply& reply, ib::MadAttribute attribute, const std::string& what,
                StageResult* result);

}  // namespace lanecut
