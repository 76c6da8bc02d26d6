// SPDX-License-Identifier: Apache-2.0
#include "sw/results/summary.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace lanecut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 2;

Json LatencyJson(const LatencyStatistics& latency) {
  return {{"mean", latency.mean}, {"p50", latency.p50}, {"p99", latency.p99}, {"max", latency.max}};
}

Json AccountingJson(const Accounting& a) {
  Json json = {
      {"generated", a.generated}, {"refused", a.refused},       {"waiting", a.waiting},
      {"sent", a.sent},           {"delivered", a.delivered},   {"dropped", a.dropped},
      {"in_flight", a.in_flight}, {"unexpected", a.unexpected}, {"reordered", a.reordered}};
  json["refused_by"] = Json(a.refused_by);
  json["dropped_by"] = Json(a.dropped_by);
  return json;
}

Json EndToEndJson(const EndToEnd& e) {
  return {{"messages", e.messages},
          {"delivered", e.delivered},
          {"retransmissions", e.retransmissions},
          {"acks", e.acks},
          {"discarded", e.discarded}};
}

Json TimelineJson(const Summary& summary) {
  Json json = Json::array();
  for (const TimelineEntry& entry : summary.timeline) {
    json.push_back({{"cycle", entry.cycle},
                    {"ns", entry.cycle * summary.ns_per_cycle},
                    {"kind", entry.kind},
                    {"where", entry.where},
                    {"detail", entry.detail}});
  }
  return json;
}

void HeadText(const Summary& s, std::back_insert_iterator<std::string> out) {
  fmt::format_to(out, "{}, seed {}: {}\n", s.name, s.seed, s.ok() ? "ok" : "FAILED, " + s.outcome);
  if (!s.message.empty()) fmt::format_to(out, "  {}\n", s.message);
  fmt::format_to(out, "  {} switches, {} end nodes, {} links, {} ns per cycle, {} cycles\n",
                 s.switches, s.end_nodes, s.links, s.ns_per_cycle, s.cycles);
  fmt::format_to(out, "  measured from cycle {} to {}\n\n", s.measure_begin, s.measure_end);
}

void ThroughputText(const Summary& s, std::back_insert_iterator<std::string> out) {
  fmt::format_to(out, "throughput  offered {:.4f}, accepted {:.4f} bytes/ns/switch\n",
                 s.offered_bytes_per_ns_switch, s.accepted_bytes_per_ns_switch);
  fmt::format_to(out, "            accepted {:.2f} % of the link rate at each end node\n\n",
                 100 * s.accepted_load);
}

void LatencyText(const Summary& s, std::back_insert_iterator<std::string> out) {
  const auto row = [out](std::string_view name, const LatencyStatistics& l, std::uint64_t scale) {
    fmt::format_to(out, "{:<12}{:>12.1f}{:>10}{:>10}{:>10}\n", name,
                   l.mean * static_cast<double>(scale), l.p50 * scale, l.p99 * scale,
                   l.max * scale);
  };
  fmt::format_to(out, "{:<12}{:>12}{:>10}{:>10}{:>10}   {} packets\n", "latency", "mean", "p50",
                 "p99", "max", s.total.packets);
  row("  queue", s.queue, 1);
  row("  network", s.network, 1);
  if (s.token.max > 0) row("  token", s.token, 1);
  row("  total", s.total, 1);
  row("  total, ns", s.total, s.ns_per_cycle);
  *out = '\n';
}

void AccountingText(const Accounting& a, std::back_insert_iterator<std::string> out) {
  fmt::format_to(out,
                 "packets     {} generated = {} sent + {} refused at their source + {} waiting\n",
                 a.generated, a.sent, a.refused, a.waiting);
  for (const auto& [reason, count] : a.refused_by) {
    fmt::format_to(out, "            {} refused: {}\n", count, reason);
  }
  fmt::format_to(out, "            {} sent = {} delivered + {} dropped + {} in flight\n", a.sent,
                 a.delivered, a.dropped, a.in_flight);
  for (const auto& [reason, count] : a.dropped_by) {
    fmt::format_to(out, "            {} dropped: {}\n", count, reason);
  }
  if (a.reordered > 0) {
    fmt::format_to(out, "            {} delivered after a younger one of the same flow\n",
                   a.reordered);
  }
  if (a.unexpected > 0) {
    fmt::format_to(out, "            {} reports of packets that were not there\n", a.unexpected);
  }
}

void EndToEndText(const EndToEnd& e, std::back_insert_iterator<std::string> out) {
  fmt::format_to(out, "messages    {} sent = {} delivered + {} open\n", e.messages, e.delivered,
                 e.messages - e.delivered);
  fmt::format_to(out, "            {} retransmissions, {} acknowledgements, {} copies discarded\n",
                 e.retransmissions, e.acks, e.discarded);
}

void TimelineText(const Summary& s, std::back_insert_iterator<std::string> out) {
  if (s.timeline.empty()) return;
  fmt::format_to(out, "\n{:<16}{:>12}{:>15}\n", "timeline", "cycle", "ns");
  for (const TimelineEntry& entry : s.timeline) {
    fmt::format_to(out, "  {:<14}{:>12}{:>15}", entry.kind, entry.cycle,
                   entry.cycle * s.ns_per_cycle);
    if (!entry.where.empty()) fmt::format_to(out, "  {}", entry.where);
    if (!entry.detail.empty()) fmt::format_to(out, "  {}", entry.detail);
    *out = '\n';
  }
}

}  // namespace

std::string SummaryJson(const Summary& summary) {
  Json json;
  json["format"] = kFormat;
  json["name"] = summary.name;
  json["seed"] = summary.seed;
  json["outcome"] = summary.outcome;
  json["message"] = summary.message;
  json["network"] = {{"switches", summary.switches},
                     {"end_nodes", summary.end_nodes},
                     {"links", summary.links},
                     {"ns_per_cycle", summary.ns_per_cycle}};
  json["cycles"] = summary.cycles;
  json["measurement"] = {{"begin", summary.measure_begin}, {"end", summary.measure_end}};
  json["throughput"] = {{"offered_bytes_per_ns_switch", summary.offered_bytes_per_ns_switch},
                        {"accepted_bytes_per_ns_switch", summary.accepted_bytes_per_ns_switch},
                        {"accepted_load", summary.accepted_load}};
  json["latency_cycles"] = {{"packets", summary.total.packets},
                            {"queue", LatencyJson(summary.queue)},
                            {"network", LatencyJson(summary.network)},
                            {"token", LatencyJson(summary.token)},
                            {"total", LatencyJson(summary.total)}};
  json["packets"] = AccountingJson(summary.accounting);
  if (summary.end_to_end) json["end_to_end"] = EndToEndJson(*summary.end_to_end);
  json["timeline"] = TimelineJson(summary);
  return json.dump(2) + "\n";
}

std::string SummaryText(const Summary& summary) {
  std::string text;
  const auto out = std::back_inserter(text);
  HeadText(summary, out);
  ThroughputText(summary, out);
  LatencyText(summary, out);
  AccountingText(summary.accounting, out);
  if (summary.end_to_end) EndToEndText(*summary.end_to_end, out);
  TimelineText(summary, out);
  return text;
}

}  // namespace lanecut
