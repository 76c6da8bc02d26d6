// SPDX-License-Identifier: Apache-2.0
//
// Sends requests as directed-route SMPs, or as compact packets, and sees each through to an end: an
// answer, or giving up.
//
// After UseCompact() everything that has a compact form is sent so, one packet behind the other
// without regard to the window. Commands may then be flooded, too, which nobody answers.
//
// Requests are sent in the order submitted, at most `window` outstanding; urgent ones go first and
// do not wait for the window, which may be full of requests that a broken link has swallowed. An
// attempt without an answer, or with the answer "busy", is repeated after `timeout` cycles, then
// after twice that, and so on (without `backoff`: after `timeout` cycles each time). The route is
// looked up at every attempt, so a request follows a change of paths. A retry keeps its transaction
// ID; a second answer to the same request is counted and ignored.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "sw/mad/mad.h"
#include "sw/subnet_manager/mad_transport.h"
#include "sw/subnet_manager/sm_config.h"
#include "sw/subnet_manager/sm_observer.h"
#include "sw/wire/word.h"

namespace lanecut {

// A node of the manager's map, or, with via_port, whatever is at the far end of that node's port.
struct SmpTarget {
  int node = -1;
  int via_port = 0;
};

// The out ports of a directed route, the manager's own first; empty for its own node.
using DirectedRoute = std::vector<std::uint8_t>;

enum class SmpOutcome {
  kAnswered,  // status 0
  kRefused,   // answered with an error status
  kTimedOut,  // no answer to any attempt
  kNoRoute,   // the map knows no way to the target (any more)
  kSkipped,   // not needed any more when its turn came
};

struct SmpReply {
  SmpOutcome outcome = SmpOutcome::kAnswered;
  Mad mad;                // kAnswered and kRefused: the response; kTimedOut: "busy", if ever
  bool repeated = false;  // more than one attempt was made
};

struct SmpRequest {
  SmpTarget target;
  Mad mad;  // MakeSmp() with attribute data; the engine adds route and transaction ID
  std::function<bool()> still_needed;   // asked before the first attempt; may be empty
  std::vector<std::uint32_t> contents;  // of a table update, instead of attribute data
  std::uint8_t wanted = 0;              // ... and words of data in its answer
  bool standard = false;                // never compact
  bool urgent = false;
  bool retry = true;    // false: one attempt, for requests that must not happen twice
  bool backoff = true;  // false: every attempt waits equally long
};

class SmpEngine {
 public:
  using Completion = std::function<void(const SmpReply&)>;
  using RouteLookup = std::function<std::optional<DirectedRoute>(const SmpTarget&)>;

  SmpEngine(const SmConfig& config, MadTransport& transport, RouteLookup route);

  // The completion is called exactly once, unless CancelAll() comes first; never from within
  // Submit().
  void Submit(SmpRequest request, Completion completion);
  // Forgets every request, without completions; late answers count as unmatched.
  void CancelAll();
  // Nothing queued and nothing outstanding.
  bool IsIdle() const {
    return floods_.empty() && urgent_.empty() && queue_.empty() && outstanding_.empty();
  }

  void UseCompact() { is_compact_ = true; }
  bool is_compact() const { return is_compact_; }
  // A Set for every node that has the attribute; only after UseCompact(). The manager's own node
  // gets it like any request. `lid` is the manager's.
  void Flood(const Mad& set, std::uint16_t lid, Cycle now);

  // Routes have changed: attempts on their way over a route that is no more are repeated at once.
  void Reroute(Cycle now);

  // Sends without waiting for an answer; false if the transport had no room.
  bool SendUnacknowledged(const Mad& mad, std::uint16_t dlid);

  void OnResponse(const Mad& mad);
  // Deals with time-outs that are due and sends what the window allows. To be called after every
  // event. The transport must not call back into the engine from Send().
  void Advance(Cycle now);
  Cycle NextDeadline() const;

  const SmpCounters& counters() const { return counters_; }
  SmpCounters& counters() { return counters_; }

 private:
  struct Entry {
    SmpRequest request;
    Completion completion;
    int attempts = 0;
    bool in_flight = false;   // the last attempt may still be answered in time
    bool in_window = false;   // it takes a place in the window
    std::optional<Mad> busy;  // the last answer that said "later"
    Cycle deadline = 0;
    DirectedRoute route;  // of the last attempt
  };
  using Outstanding = std::map<std::uint64_t, Entry>;  // by transaction ID

  bool SendFlood(Cycle now);
  bool ExpireOne(Cycle now);
  bool StartOne(Cycle now);
  std::deque<Entry>* Startable();
  bool Transmit(Outstanding::iterator it, Cycle now);
  bool Hand(const SmpRequest& request, const DirectedRoute& route, Cycle now);
  bool Give(const SmpRequest& request, const DirectedRoute& route);
  bool GoesCompact(const SmpRequest& request) const;
  bool WaitsForWindow(const Entry& entry) const;
  void NoteSent(ib::MadAttribute attribute);
  void Finish(Outstanding::iterator it, const SmpReply& reply);

  const SmConfig& config_;
  MadTransport& transport_;
  RouteLookup route_;
  std::deque<Entry> urgent_;
  std::deque<Entry> queue_;
  Outstanding outstanding_;
  std::deque<CompactPacket> floods_;
  std::size_t standard_ = 0;    // of the outstanding ones
  std::uint64_t next_tid_ = 1;  // 24 bits
  bool is_compact_ = false;
  std::uint32_t flood_number_ = 0;      // of the last one
  Cycle blocked_until_ = 0;             // the transport had no room
  std::optional<Cycle> blocked_since_;  // ... since it last took something
  SmpCounters counters_;
};

}  // namespace lanecut
