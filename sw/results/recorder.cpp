// SPDX-License-Identifier: Apache-2.0
#include "sw/results/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "sw/results/folder.h"
#include "sw/results/latency.h"
#include "sw/results/time_series.h"
#include "sw/results/writer.h"

namespace lanecut {
namespace {

std::string HostJson(const HostTimes& host, std::uint64_t ns_per_cycle) {
  const auto per_cpu_second = [&host](std::uint64_t count) {
    return host.cpu_seconds > 0 ? static_cast<double>(count) / host.cpu_seconds : 0.0;
  };
  nlohmann::ordered_json json;
  json["wall_seconds"] = host.wall_seconds;
  json["cpu_seconds"] = host.cpu_seconds;
  json["cycles"] = host.cycles;
  json["cycles_per_cpu_second"] = per_cpu_second(host.cycles);
  json["word_hops_per_cpu_second"] = per_cpu_second(host.word_hops);
  json["packet_hops_per_cpu_second"] = per_cpu_second(host.packet_hops);
  json["peak_memory_bytes"] = host.peak_memory_bytes;
  json["computations"] = nlohmann::ordered_json::array();
  for (const auto& [cycle, seconds] : host.computations) {
    json["computations"].push_back(
        {{"cycle", cycle},
         {"seconds", seconds},
         {"cycles", std::llround(seconds * 1e9 / static_cast<double>(ns_per_cycle))}});
  }
  return json.dump(2) + "\n";
}

}  // namespace

class Recorder::Impl {
 public:
  explicit Impl(RecorderOptions options)
      : options_(std::move(options)), series_(options_.interval_cycles) {
    if (!options_.folder.empty()) {
      folder_.emplace(options_.folder);
      writer_.emplace(folder_->partial() / "results.sqlite");
      WriteHead();
    }
  }

  void Generated(const PacketInfo& packet, Cycle cycle) {
    PacketRow row;
    row.info = packet;
    row.generated = cycle;
    if (!open_.try_emplace(packet.id, row).second) {
      ++accounting_.unexpected;
      return;
    }
    ++accounting_.generated;
    ++series_.At(cycle).generated;
    if (packet.kind == PacketKind::kData && Measuring(cycle)) offered_bytes_ += packet.bytes;
  }

  void Refused(std::uint64_t id, Cycle cycle, DropReason reason) {
    const auto packet = open_.find(id);
    if (packet == open_.end() || packet->second.injected) {
      ++accounting_.unexpected;
      return;
    }
    packet->second.dropped = cycle;
    packet->second.reason = reason;
    packet->second.where = options_.end_nodes.at(packet->second.info.source);
    ++accounting_.refused;
    ++accounting_.refused_by[std::string(DropReasonName(reason))];
    ++series_.At(cycle).refused;
    Close(packet);
  }

  void Readdressed(std::uint64_t id, std::uint8_t sl) {
    const auto packet = open_.find(id);
    if (packet != open_.end()) packet->second.info.sl = sl;
  }

  void Injected(std::uint64_t id, Cycle cycle) {
    const auto packet = open_.find(id);
    if (packet == open_.end() || packet->second.injected) {
      ++accounting_.unexpected;
      return;
    }
    packet->second.injected = cycle;
    ++accounting_.sent;
    ++series_.At(cycle).injected;
    CountCopy(packet->second.info.kind);
  }

  void Delivered(std::uint64_t id, Cycle cycle, bool discarded, Cycle token) {
    const auto packet = open_.find(id);
    if (packet == open_.end() || !packet->second.injected) {
      ++accounting_.unexpected;
      return;
    }
    packet->second.delivered = cycle;
    packet->second.discarded = discarded;
    packet->second.token = token;
    ++accounting_.delivered;
    if (discarded) {
      ++end_to_end_.discarded;
    } else if (packet->second.info.kind != PacketKind::kAck) {
      CountDelivery(packet->second, cycle);
    }
    Close(packet);
  }

  void InjectedOn(int vl, std::uint32_t bytes, Cycle cycle) {
    series_.OnVl(cycle, vl).injected += bytes;
  }
  void DeliveredOn(int vl, std::uint32_t bytes, Cycle cycle) {
    series_.OnVl(cycle, vl).delivered += bytes;
  }

  void MessageDelivered() { ++end_to_end_.delivered; }
  void Reordered() { ++accounting_.reordered; }

  void Dropped(std::uint64_t id, Cycle cycle, DropReason reason, std::string_view where) {
    const auto packet = open_.find(id);
    if (packet == open_.end() || !packet->second.injected) {
      ++accounting_.unexpected;
      return;
    }
    packet->second.dropped = cycle;
    packet->second.reason = reason;
    packet->second.where = where;
    ++accounting_.dropped;
    ++accounting_.dropped_by[std::string(DropReasonName(reason))];
    ++series_.At(cycle).dropped;
    Close(packet);
  }

  void BeginMeasurement(Cycle cycle) { measure_begin_ = cycle; }
  void EndMeasurement(Cycle cycle) { measure_end_ = cycle; }

  void Event(Cycle cycle, std::string_view kind, std::string_view where, std::string_view detail) {
    if (writer_) writer_->Event(cycle, cycle * options_.ns_per_cycle, kind, where, detail);
  }

  void Milestone(Cycle cycle, std::string_view kind, std::string_view where,
                 std::string_view detail) {
    Event(cycle, kind, where, detail);
    timeline_.push_back({cycle, std::string(kind), std::string(where), std::string(detail)});
  }

  void Counter(std::string_view node, int port, std::string_view name, std::uint64_t value) {
    if (writer_) writer_->Counter(node, port, name, value);
  }

  std::filesystem::path PartialFolder() const {
    return folder_ ? folder_->partial() : std::filesystem::path();
  }

  void Attach(std::string_view file_name, std::string_view contents) {
    if (folder_) folder_->WriteFile(file_name, contents);
  }

  std::uint64_t OpenPackets() const { return open_.size(); }

  Summary Finish(Cycle cycle, std::string_view outcome, std::string_view message,
                 const HostTimes& host) {
    CountOpen();
    Summary summary = Summarize(cycle);
    summary.outcome = outcome;
    summary.message = message;
    if (summary.ok() && !accounting_.Balanced()) {
      summary.outcome = "accounting";
      summary.message = "packets generated, sent, delivered and dropped do not add up";
    }
    if (writer_) Write(summary, host);
    return summary;
  }

 private:
  using OpenMap = std::unordered_map<std::uint64_t, PacketRow>;

  bool Measuring(Cycle cycle) const {
    return measure_begin_ && cycle >= *measure_begin_ && (!measure_end_ || cycle < *measure_end_);
  }

  void Close(OpenMap::iterator packet) {
    if (writer_ && options_.packets) writer_->Packet(packet->second);
    open_.erase(packet);
  }

  void CountCopy(PacketKind kind) {
    switch (kind) {
      case PacketKind::kData:
        ++end_to_end_.messages;
        break;
      case PacketKind::kRetransmission:
        ++end_to_end_.retransmissions;
        break;
      case PacketKind::kAck:
        ++end_to_end_.acks;
        break;
    }
  }

  void CountDelivery(const PacketRow& packet, Cycle cycle) {
    const Cycle queue = *packet.injected - packet.generated;
    const Cycle network = cycle - *packet.injected - packet.token;
    const Cycle total = queue + network + packet.token;
    Interval& interval = series_.At(cycle);
    ++interval.delivered;
    interval.delivered_words += packet.info.words;
    interval.queue_latency += queue;
    interval.network_latency += network;
    interval.token_latency += packet.token;
    Interval& birth = series_.At(packet.generated);
    ++birth.born_delivered;
    birth.born_total_latency += total;
    if (Measuring(cycle)) {
      accepted_bytes_ += packet.info.bytes;
      accepted_words_ += packet.info.words;
    }
    if (Measuring(packet.generated)) {
      queue_.Add(queue);
      network_.Add(network);
      token_.Add(packet.token);
      total_.Add(total);
    }
  }

  void WriteHead() {
    for (const auto& [key, value] : options_.config) writer_->Config(key, value);
    for (std::size_t i = 0; i < options_.switches.size(); ++i) {
      writer_->Node(i, "switch", options_.switches[i]);
    }
    for (std::size_t i = 0; i < options_.end_nodes.size(); ++i) {
      writer_->Node(i, "end node", options_.end_nodes[i]);
    }
  }

  // Packets that are still on their way, in the order of their IDs: that of the hash table is not
  // ours to know.
  void CountOpen() {
    std::vector<PacketRow> rows;
    for (const auto& [id, row] : open_) rows.push_back(row);
    std::ranges::sort(rows, {}, [](const PacketRow& row) { return row.info.id; });
    for (const PacketRow& row : rows) {
      ++(row.injected ? accounting_.in_flight : accounting_.waiting);
      if (writer_ && options_.packets) writer_->Packet(row);
    }
  }

  Summary Summarize(Cycle cycle) const {
    Summary summary;
    summary.name = options_.name;
    summary.seed = options_.seed;
    summary.ns_per_cycle = options_.ns_per_cycle;
    summary.switches = options_.switches.size();
    summary.end_nodes = options_.end_nodes.size();
    summary.links = options_.links;
    summary.cycles = cycle;
    summary.measure_begin = measure_begin_.value_or(cycle);
    summary.measure_end = measure_begin_ ? measure_end_.value_or(cycle) : cycle;
    SummarizeThroughput(summary);
    summary.queue = queue_.Statistics();
    summary.network = network_.Statistics();
    summary.token = token_.Statistics();
    summary.total = total_.Statistics();
    summary.accounting = accounting_;
    if (options_.end_to_end) summary.end_to_end = end_to_end_;
    summary.timeline = timeline_;
    return summary;
  }

  void SummarizeThroughput(Summary& summary) const {
    const auto cycles = static_cast<double>(summary.measure_end - summary.measure_begin);
    if (cycles == 0) return;
    const double switch_ns = cycles * static_cast<double>(options_.ns_per_cycle) *
                             static_cast<double>(options_.switches.size());
    const double node_cycles = cycles * static_cast<double>(options_.end_nodes.size());
    if (switch_ns > 0) {
      summary.offered_bytes_per_ns_switch = static_cast<double>(offered_bytes_) / switch_ns;
      summary.accepted_bytes_per_ns_switch = static_cast<double>(accepted_bytes_) / switch_ns;
    }
    if (node_cycles > 0) summary.accepted_load = static_cast<double>(accepted_words_) / node_cycles;
  }

  void Write(const Summary& summary, const HostTimes& host) {
    writer_->Series(series_);
    writer_->Commit();
    folder_->WriteFile("summary.json", SummaryJson(summary));
    folder_->WriteFile("host.json", HostJson(host, options_.ns_per_cycle));
    folder_->Publish();
  }

  RecorderOptions options_;
  std::optional<ResultsFolder> folder_;
  std::optional<ResultsWriter> writer_;
  OpenMap open_;
  Accounting accounting_;
  EndToEnd end_to_end_;
  TimeSeries series_;
  std::vector<TimelineEntry> timeline_;
  std::optional<Cycle> measure_begin_;
  std::optional<Cycle> measure_end_;
  LatencyHistogram queue_;
  LatencyHistogram network_;
  LatencyHistogram token_;
  LatencyHistogram total_;
  std::uint64_t offered_bytes_ = 0;
  std::uint64_t accepted_bytes_ = 0;
  std::uint64_t accepted_words_ = 0;
};

Recorder::Recorder(RecorderOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Recorder::~Recorder() = default;

void Recorder::Generated(const PacketInfo& packet, Cycle cycle) { impl_->Generated(packet, cycle); }
void Recorder::Refused(std::uint64_t id, Cycle cycle, DropReason reason) {
  impl_->Refused(id, cycle, reason);
}
void Recorder::Readdressed(std::uint64_t id, std::uint8_t sl) { impl_->Readdressed(id, sl); }
void Recorder::Injected(std::uint64_t id, Cycle cycle) { impl_->Injected(id, cycle); }
void Recorder::Delivered(std::uint64_t id, Cycle cycle, bool discarded, Cycle token) {
  impl_->Delivered(id, cycle, discarded, token);
}
void Recorder::InjectedOn(int vl, std::uint32_t bytes, Cycle cycle) {
  impl_->InjectedOn(vl, bytes, cycle);
}
void Recorder::DeliveredOn(int vl, std::uint32_t bytes, Cycle cycle) {
  impl_->DeliveredOn(vl, bytes, cycle);
}
void Recorder::MessageDelivered() { impl_->MessageDelivered(); }
void Recorder::Reordered() { impl_->Reordered(); }
void Recorder::Dropped(std::uint64_t id, Cycle cycle, DropReason reason, std::string_view where) {
  impl_->Dropped(id, cycle, reason, where);
}
void Recorder::BeginMeasurement(Cycle cycle) { impl_->BeginMeasurement(cycle); }
void Recorder::EndMeasurement(Cycle cycle) { impl_->EndMeasurement(cycle); }
void Recorder::Event(Cycle cycle, std::string_view kind, std::string_view where,
                     std::string_view detail) {
  impl_->Event(cycle, kind, where, detail);
}
void Recorder::Milestone(Cycle cycle, std::string_view kind, std::string_view where,
                         std::string_view detail) {
  impl_->Milestone(cycle, kind, where, detail);
}
void Recorder::Counter(std::string_view node, int port, std::string_view name,
                       std::uint64_t value) {
  impl_->Counter(node, port, name, value);
}
std::filesystem::path Recorder::PartialFolder() const { return impl_->PartialFolder(); }
void Recorder::Attach(std::string_view file_name, std::string_view contents) {
  impl_->Attach(file_name, contents);
}
std::uint64_t Recorder::OpenPackets() const { return impl_->OpenPackets(); }
Summary Recorder::Finish(Cycle cycle, std::string_view outcome, std::string_view message,
                         const HostTimes& host) {
  return impl_->Finish(cycle, outcome, message, host);
}

}  // namespace lanecut
