// SPDX-License-Identifier: Apache-2.0
#include "sw/results/writer.h"

namespace lanecut {
namespace {

constexpr const char* kTables = R"sql(
CREATE TABLE config (key TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE nodes (kind TEXT NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL);
CREATE TABLE packets (
  id INTEGER NOT NULL,
  source INTEGER NOT NULL,
  destination INTEGER NOT NULL,
  sl INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  words INTEGER NOT NULL,
  generated INTEGER NOT NULL,
  injected INTEGER,
  delivered INTEGER,
  dropped INTEGER,
  reason TEXT,
  place TEXT,
  token INTEGER NOT NULL
);
CREATE TABLE copies (id INTEGER NOT NULL, kind TEXT NOT NULL);
CREATE TABLE events (
  cycle INTEGER NOT NULL,
  ns INTEGER NOT NULL,
  kind TEXT NOT NULL,
  place TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE TABLE counters (
  node TEXT NOT NULL,
  port INTEGER,
  name TEXT NOT NULL,
  value INTEGER NOT NULL
);
CREATE TABLE series (
  cycle INTEGER NOT NULL,
  generated INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  injected INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  dropped INTEGER NOT NULL,
  delivered_words INTEGER NOT NULL,
  queue_latency INTEGER NOT NULL,
  network_latency INTEGER NOT NULL,
  token_latency INTEGER NOT NULL,
  born_delivered INTEGER NOT NULL,
  born_total_latency INTEGER NOT NULL
);
CREATE TABLE vl_series (
  cycle INTEGER NOT NULL,
  vl INTEGER NOT NULL,
  injected_bytes INTEGER NOT NULL,
  delivered_bytes INTEGER NOT NULL
);
CREATE VIEW latencies AS
  SELECT p.id, s.name AS source, d.name AS destination, p.generated, p.delivered,
         p.injected - p.generated AS queue,
         p.delivered - p.injected - p.token AS network,
         p.token,
         p.delivered - p.generated AS total
  FROM packets p
  JOIN nodes s ON s.kind = 'end node' AND s.id = p.source
  JOIN nodes d ON d.kind = 'end node' AND d.id = p.destination
  WHERE p.delivered IS NOT NULL
    AND p.id NOT IN (SELECT id FROM copies WHERE kind IN ('ack', 'discarded'));
)sql";

Database& WithTables(Database& database) {
  database.Execute(kTables);
  return database;
}

}  // namespace

ResultsWriter::Statements::Statements(Database& database)
    : config(database, "INSERT INTO config VALUES (?, ?)"),
      node(database, "INSERT INTO nodes VALUES (?, ?, ?)"),
      packet(database, "INSERT INTO packets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      copy(database, "INSERT INTO copies VALUES (?, ?)"),
      event(database, "INSERT INTO events VALUES (?, ?, ?, ?, ?)"),
      counter(database, "INSERT INTO counters VALUES (?, ?, ?, ?)"),
      series(database, "INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      vl_series(database, "INSERT INTO vl_series VALUES (?, ?, ?, ?)") {}

ResultsWriter::ResultsWriter(const std::filesystem::path& file)
    : database_(file), insert_(std::in_place, WithTables(database_)) {}

void ResultsWriter::Config(std::string_view key, std::string_view value) {
  insert_->config.Row(key, value);
}

void ResultsWriter::Node(std::size_t id, std::string_view kind, std::string_view name) {
  insert_->node.Row(kind, std::uint64_t{id}, name);
}

void ResultsWriter::Packet(const PacketRow& packet) {
  std::optional<std::string_view> reason;
  std::optional<std::string_view> where;
  if (packet.dropped) {
    reason = DropReasonName(packet.reason);
    where = packet.where;
  }
  insert_->packet.Row(packet.info.id, packet.info.source, packet.info.destination,
                      int{packet.info.sl}, packet.info.bytes, packet.info.words, packet.generated,
                      packet.injected, packet.delivered, packet.dropped, reason, where,
                      packet.token);
  const PacketKind kind = packet.info.kind;
  if (kind == PacketKind::kRetransmission) insert_->copy.Row(packet.info.id, "retransmission");
  if (kind == PacketKind::kAck) insert_->copy.Row(packet.info.id, "ack");
  if (packet.discarded) insert_->copy.Row(packet.info.id, "discarded");
}

void ResultsWriter::Event(Cycle cycle, Cycle ns, std::string_view kind, std::string_view where,
                          std::string_view detail) {
  insert_->event.Row(cycle, ns, kind, where, detail);
}

void ResultsWriter::Counter(std::string_view node, int port, std::string_view name,
                            std::uint64_t value) {
  const std::optional<std::uint64_t> external =
      port < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(port));
  insert_->counter.Row(node, external, name, value);
}

void ResultsWriter::Series(const TimeSeries& series) {
  Cycle cycle = 0;
  for (const Interval& i : series.intervals()) {
    insert_->series.Row(cycle, i.generated, i.refused, i.injected, i.delivered, i.dropped,
                        i.delivered_words, i.queue_latency, i.network_latency, i.token_latency,
                        i.born_delivered, i.born_total_latency);
    cycle += series.interval_cycles();
  }
  for (const auto& [key, bytes] : series.by_vl()) {
    insert_->vl_series.Row(key.first * series.interval_cycles(), key.second, bytes.injected,
                           bytes.delivered);
  }
}

void ResultsWriter::Commit() {
  insert_.reset();
  database_.Commit();
}

}  // namespace lanecut
