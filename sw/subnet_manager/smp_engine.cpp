// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/smp_engine.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sw/mad/compact_mad.h"
#include "sw/subnet_manager/subnet_manager.h"
#include "sw/wire/flood_filter.h"

namespace lanecut {

namespace {

// How long to wait when the transport has no room: about the time in which it sends one SMP.
constexpr Cycle kTransportBackoff = 73;

// Numbers of floods follow the clock, so that those of a manager that was started again are new.
constexpr int kFloodClockShift = 6;

void SetRoute(Mad* mad, const DirectedRoute& route) {
  mad->set_hop_pointer(0);
  mad->set_hop_count(static_cast<std::uint8_t>(route.size()));
  for (std::size_t hop = 0; hop < route.size(); ++hop) mad->set_initial_path(hop + 1, route[hop]);
}

}  // namespace

SmpEngine::SmpEngine(const SmConfig& config, MadTransport& transport, RouteLookup route)
    : config_(config), transport_(transport), route_(std::move(route)) {}

void SmpEngine::Submit(SmpRequest request, Completion completion) {
  Entry entry;
  entry.request = std::move(request);
  entry.completion = std::move(completion);
  (entry.request.urgent ? urgent_ : queue_).push_back(std::move(entry));
}

void SmpEngine::CancelAll() {
  urgent_.clear();
  queue_.clear();
  floods_.clear();
  outstanding_.clear();
  standard_ = 0;
}

bool SmpEngine::SendUnacknowledged(const Mad& mad, std::uint16_t dlid) {
  if (!transport_.Send(mad, dlid)) return false;
  NoteSent(mad.attribute());
  return true;
}

void SmpEngine::NoteSent(ib::MadAttribute attribute) {
  ++counters_.sent[attribute];
  ++counters_.total_sent;
}

void SmpEngine::Flood(const Mad& set, std::uint16_t lid, Cycle now) {
  const auto clock = static_cast<std::uint32_t>(now >> kFloodClockShift) & kCompactNumberMask;
  const std::uint32_t next = (flood_number_ + 1) & kCompactNumberMask;
  flood_number_ = IsFloodAhead(clock, next) ? clock : next;
  CompactPacket flood = ib::CompactRequest(set);
  flood.kind = CompactKind::kFlood;
  flood.slid = lid;
  flood.number = flood_number_;
  floods_.push_back(std::move(flood));
  SmpRequest own;
  own.target = {0};
  own.mad = set;
  own.urgent = true;
  Submit(std::move(own), {});
}

bool SmpEngine::SendFlood(Cycle now) {
  if (floods_.empty() || blocked_until_ > now) return false;
  if (!transport_.SendCompact(floods_.front())) {
    blocked_until_ = now + kTransportBackoff;
    return false;
  }
  NoteSent(static_cast<ib::MadAttribute>(floods_.front().attribute));
  floods_.pop_front();
  return true;
}

void SmpEngine::OnResponse(const Mad& mad) {
  const auto it = outstanding_.find(mad.transaction_id());
  if (it == outstanding_.end() || it->second.request.mad.attribute() != mad.attribute()) {
    ++counters_.unmatched;
    return;
  }
  if (mad.status() == static_cast<std::uint16_t>(ib::MadStatus::kBusy)) {
    it->second.busy = mad;  // ask again in time
    it->second.in_flight = false;
    return;
  }
  SmpReply reply{SmpOutcome::kAnswered, mad, it->second.attempts > 1};
  if (mad.status() != 0) {
    reply.outcome = SmpOutcome::kRefused;
    ++counters_.refused;
  }
  Finish(it, reply);
}

void SmpEngine::Advance(Cycle now) {
  while (SendFlood(now) || ExpireOne(now) || StartOne(now)) {
  }
}

bool SmpEngine::ExpireOne(Cycle now) {
  const auto due = std::find_if(outstanding_.begin(), outstanding_.end(),
                                [now](const auto& item) { return item.second.deadline <= now; });
  if (due == outstanding_.end() || blocked_until_ > now) return false;
  Entry& entry = due->second;
  if (entry.in_flight) ++counters_.timeouts;
  entry.in_flight = false;
  const int attempts = entry.request.retry ? config_.retries + 1 : 1;
  if (entry.attempts < attempts) return Transmit(due, now);
  ++counters_.abandoned;
  Finish(due, {SmpOutcome::kTimedOut, entry.busy.value_or(Mad{}), true});
  return true;
}

// The queue whose first request may be sent now, if there is one.
std::deque<SmpEngine::Entry>* SmpEngine::Startable() {
  if (!urgent_.empty()) return &urgent_;
  return queue_.empty() || WaitsForWindow(queue_.front()) ? nullptr : &queue_;
}

bool SmpEngine::GoesCompact(const SmpRequest& request) const {
  return is_compact_ && !request.standard && ib::HasCompactForm(request.mad);
}

bool SmpEngine::WaitsForWindow(const Entry& entry) const {
  return !GoesCompact(entry.request) && standard_ >= static_cast<std::size_t>(config_.window);
}

bool SmpEngine::StartOne(Cycle now) {
  std::deque<Entry>* queue = Startable();
  if (queue == nullptr || blocked_until_ > now) return false;
  const std::uint64_t tid = next_tid_;
  next_tid_ = next_tid_ % kCompactNumberMask + 1;
  const auto it = outstanding_.emplace(tid, std::move(queue->front())).first;
  queue->pop_front();
  it->second.in_window = !GoesCompact(it->second.request);
  if (it->second.in_window) ++standard_;
  SmpRequest& request = it->second.request;
  if (request.still_needed && !request.still_needed()) {
    Finish(it, {SmpOutcome::kSkipped, {}, false});
    return true;
  }
  request.mad.set_transaction_id(tid);
  return Transmit(it, now);
}

// Makes one attempt. False if the transport has no room: the entry stays due, and nothing can be
// sent for a while.
bool SmpEngine::Transmit(Outstanding::iterator it, Cycle now) {
  Entry& entry = it->second;
  const std::optional<DirectedRoute> route = route_(entry.request.target);
  if (!route) {
    Finish(it, {SmpOutcome::kNoRoute, {}, entry.attempts > 0});
    return true;
  }
  entry.route = *route;
  if (!Hand(entry.request, *route, now)) {
    entry.deadline = now;
    return false;
  }
  if (entry.attempts > 0) ++counters_.retries;
  entry.deadline = now + (config_.timeout << (entry.request.backoff ? entry.attempts : 0));
  entry.in_flight = true;
  ++entry.attempts;
  return true;
}

// Hands an SMP to the transport. A transport that takes nothing for as long as a time-out is as
// good as one that loses everything: the attempt counts, so that waiting for it has an end.
bool SmpEngine::Hand(const SmpRequest& request, const DirectedRoute& route, Cycle now) {
  if (Give(request, route)) {
    NoteSent(request.mad.attribute());
    blocked_since_.reset();
    return true;
  }
  if (!blocked_since_) blocked_since_ = now;
  if (now - *blocked_since_ >= config_.timeout) return true;
  blocked_until_ = now + kTransportBackoff;
  return false;
}

// The manager's own node is no matter of the wire.
bool SmpEngine::Give(const SmpRequest& request, const DirectedRoute& route) {
  if (!GoesCompact(request) || route.empty()) {
    Mad mad = request.mad;
    SetRoute(&mad, route);
    return transport_.Send(mad, ib::kPermissiveLid);
  }
  CompactPacket compact = ib::CompactRequest(request.mad);
  compact.path = CompactPath(std::span(route).subspan(1));
  compact.number = static_cast<std::uint32_t>(request.mad.transaction_id());
  if (!request.contents.empty()) {
    compact.data = request.contents;
    compact.wanted = request.wanted;
  }
  return transport_.SendCompact(compact);
}

void SmpEngine::Reroute(Cycle now) {
  for (auto& [tid, entry] : outstanding_) {
    if (entry.request.retry && entry.route != route_(entry.request.target)) entry.deadline = now;
  }
}

void SmpEngine::Finish(Outstanding::iterator it, const SmpReply& reply) {
  const Completion completion = std::move(it->second.completion);
  if (it->second.in_window) --standard_;
  outstanding_.erase(it);
  if (completion) completion(reply);
}

Cycle SmpEngine::NextDeadline() const {
  Cycle next = kNoDeadline;
  for (const auto& [tid, entry] : outstanding_) next = std::min(next, entry.deadline);
  const bool has_next = !queue_.empty() && !WaitsForWindow(queue_.front());
  if (!floods_.empty() || !urgent_.empty() || has_next) next = 0;
  return next == kNoDeadline ? next : std::max(next, blocked_until_);
}

}  // namespace lanecut
