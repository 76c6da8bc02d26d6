// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lanecut {
namespace {

// What the file says, before any of it is checked against the rest.
struct NodeRecord {
  int line = 0;
  NodeKind kind = NodeKind::kSwitch;
  int num_ports = 0;
  std::string id;
  std::string comment_name;
  std::optional<std::uint64_t> guid;
};

struct PortRecord {
  int line = 0;
  int node = 0;  // index of the NodeRecord
  int port = 0;
  std::string peer_id;
  int peer_port = 0;
};

class Reader {
 public:
  Reader(std::istream& in, const std::string& file) : in_(in), file_(file) {}

  Topology Read() {
    std::string text;
    for (line_ = 1; std::getline(in_, text); ++line_) {
      rest_ = text;
      ReadLine();
    }
    if (nodes_.empty()) Fail(line_, "no node in the file", "a line such as Switch 8 \"S0\"");
    return Build();
  }

 private:
  [[noreturn]] void Fail(int line, const std::string& problem, const std::string& expected) const {
    throw NetlistError(file_, line, problem, expected);
  }

  // Scanning one line.
  void SkipSpaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) {
      rest_.remove_prefix(1);
    }
  }

  bool Take(std::string_view token) {
    SkipSpaces();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::optional<int> TakeNumber() {
    SkipSpaces();
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(end - rest_.data());
    return value;
  }

  std::optional<std::string> TakeQuoted() {
    if (!Take("\"")) return std::nullopt;
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) return std::nullopt;
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  void ReadLine() {
    SkipSpaces();
    if (rest_.empty() || rest_.front() == '#') return;
    if (Take("[")) return ReadPort();
    if (Take("{ ")) return ReadCable();
    if (Take("Switch ") || Take("Switch\t")) return ReadNode(NodeKind::kSwitch);
    for (std::string_view word : {"Ca ", "Ca\t", "Hca ", "Hca\t"}) {
      if (Take(word)) return ReadNode(NodeKind::kHca);
    }
    if (Take("switchguid=")) return ReadGuid(switch_guid_);
    for (std::string_view word : {"caguid=", "hcaguid=", "hcaguids="}) {
      if (Take(word)) return ReadGuid(hca_guid_);
    }
    const std::string_view first_word = rest_.substr(0, rest_.find_first_of(" \t"));
    if (first_word.find('=') != std::string_view::npos) return;
    Fail(line_, fmt::format("\"{}\" is not known", first_word),
         "Switch, Ca, Hca, [port], key=value or # comment");
  }

  void ReadGuid(std::optional<std::uint64_t>& guid) {
    if (!Take("0x")) Fail(line_, "bad GUID", "hexadecimal digits after 0x");
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, 16);
    if (error != std::errc()) Fail(line_, "bad GUID", "1 to 16 hexadecimal digits after 0x");
    guid = value;
  }

  void ReadNode(NodeKind kind) {
    NodeRecord node{line_, kind, 0, {}, {}, {}};
    const std::optional<int> ports = TakeNumber();
    if (!ports) Fail(line_, "the number of ports is missing", "such as Switch 8 \"S0\"");
    node.num_ports = *ports;
    const std::optional<std::string> id = TakeQuoted();
    if (!id || id->empty()) Fail(line_, "the node's id is missing", "such as Switch 8 \"S0\"");
    node.id = *id;
    if (Take("#")) node.comment_name = TakeQuoted().value_or("");
    std::swap(node.guid, kind == NodeKind::kSwitch ? switch_guid_ : hca_guid_);
    nodes_.push_back(std::move(node));
  }

  void ReadPort() {
    const char* form = "such as [1] \"S1\"[2]";
    if (nodes_.empty()) Fail(line_, "a port before any node", "Switch, Ca or Hca first");
    PortRecord record{line_, static_cast<int>(nodes_.size()) - 1, 0, {}, 0};
    const std::optional<int> port = TakeNumber();
    if (!port || !Take("]")) Fail(line_, "bad port number", form);
    record.port = *port;
    if (Take("(")) rest_.remove_prefix(std::min(rest_.size(), rest_.find(')') + 1));
    const std::optional<std::string> peer = TakeQuoted();
    if (!peer) Fail(line_, "the id of the node at the far end is missing", form);
    record.peer_id = *peer;
    const std::optional<int> peer_port = Take("[") ? TakeNumber() : std::nullopt;
    if (!peer_port || !Take("]")) Fail(line_, "bad port number at the far end", form);
    record.peer_port = *peer_port;
    ports_.push_back(std::move(record));
  }

  // A line of opensm-subnet.lst: one end of a cable, then the other one.
  void ReadCable() {
    const auto [here, port] = ReadEnd();
    if (!Take("{ ")) Fail(line_, "the far end is missing", kEndForm);
    const auto [there, peer_port] = ReadEnd();
    ports_.push_back({line_, here, port, nodes_[there].id, peer_port});
  }

  // The node, which may be new, and the port.
  std::pair<int, int> ReadEnd() {
    NodeRecord node{line_, NodeKind::kSwitch, 0, {}, {}, {}};
    if (Take("CA")) {
      node.kind = NodeKind::kHca;
    } else if (!Take("SW")) {
      Fail(line_, "neither SW nor CA", kEndForm);
    }
    Take("-SM");
    node.num_ports = static_cast<int>(TakeHex("Ports:"));
    TakeHex("SystemGUID:");
    node.guid = TakeHex("NodeGUID:");
    node.id = fmt::format("{}-{:016x}", node.kind == NodeKind::kHca ? 'H' : 'S', *node.guid);
    for (const char* key : {"PortGUID:", "VenID:", "DevID:", "Rev:"}) TakeHex(key);
    // A name may have braces of its own.
    const std::size_t end = Take("{") ? rest_.find("} LID:") : std::string_view::npos;
    if (end == std::string_view::npos) Fail(line_, "a node's name is missing", kEndForm);
    node.comment_name = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    TakeHex("LID:");
    const int port = static_cast<int>(TakeHex("PN:"));
    if (!Take("}")) Fail(line_, "a brace is missing", kEndForm);
    const auto [at, is_new] = listed_.try_emplace(node.id, static_cast<int>(nodes_.size()));
    if (is_new) nodes_.push_back(std::move(node));
    return {at->second, port};
  }

  std::uint64_t TakeHex(const char* key) {
    if (!Take(key)) Fail(line_, fmt::format("\"{}\" is missing", key), kEndForm);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, 16);
    if (error != std::errc()) Fail(line_, fmt::format("bad number after \"{}\"", key), kEndForm);
    rest_.remove_prefix(end - rest_.data());
    return value;
  }

  // Checking the file as a whole.
  Topology Build() {
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      const auto [other, is_new] = by_id_.try_emplace(nodes_[i].id, i);
      if (is_new) continue;
      Fail(nodes_[i].line,
           fmt::format("node \"{}\" stands on line {} already", nodes_[i].id,
                       nodes_[other->second].line),
           "every id once");
    }
    Topology topology;
    for (const NodeRecord& node : nodes_) AddNode(topology, node);
    for (const PortRecord& port : ports_) CheckPort(port);
    for (const PortRecord& port : ports_) AddCable(topology, port);
    topology.DeriveGrid();
    return topology;
  }

  std::string NameOf(const NodeRecord& node) const {
    for (const NodeRecord& other : nodes_) {
      if (&other == &node) continue;
      if (other.comment_name == node.comment_name || other.id == node.comment_name) return node.id;
    }
    return node.comment_name.empty() ? node.id : node.comment_name;
  }

  void AddNode(Topology& topology, const NodeRecord& node) const {
    const bool is_switch = node.kind == NodeKind::kSwitch;
    try {
      // Further ports of an end node are accepted as long as they have no cable (CheckPort).
      topology.AddNode(node.kind, NameOf(node),
                       is_switch ? node.num_ports : std::min(node.num_ports, 1), node.guid);
    } catch (const std::invalid_argument& error) {
      Fail(node.line, error.what(), "1 to 254 ports, and every GUID once");
    }
  }

  void CheckPort(const PortRecord& record) {
    const NodeRecord& node = nodes_[record.node];
    const auto peer_found = by_id_.find(record.peer_id);
    if (peer_found == by_id_.end()) {
      Fail(record.line, fmt::format("no node \"{}\" in the file", record.peer_id), "a node's id");
    }
    const NodeRecord& peer = nodes_[peer_found->second];
    CheckRange(record.line, node, record.port);
    CheckRange(record.line, peer, record.peer_port);
    if (&node == &peer) {
      Fail(record.line, fmt::format("\"{}\" is cabled to itself", node.id), "another node");
    }
    if (node.kind == NodeKind::kHca && peer.kind == NodeKind::kHca) {
      Fail(record.line,
           fmt::format("end nodes \"{}\" and \"{}\" are cabled to each other", node.id, peer.id),
           "end nodes cabled to switches");
    }
    const auto [first, is_new] = by_port_.try_emplace({record.node, record.port}, &record);
    if (!is_new) {
      Fail(record.line,
           fmt::format("port {} of \"{}\" stands on line {} already", record.port, node.id,
                       first->second->line),
           "one cable at a port");
    }
  }

  void CheckRange(int line, const NodeRecord& node, int port) const {
    const bool is_switch = node.kind == NodeKind::kSwitch;
    const int limit = is_switch ? node.num_ports : 1;
    if (port >= 1 && port <= limit) return;
    Fail(line, fmt::format("\"{}\" has no port {}", node.id, port),
         is_switch ? fmt::format("1 to {}", limit) : "1: end nodes are cabled at their first port");
  }

  // Both lines of a cable are checked; the first one adds it.
  void AddCable(Topology& topology, const PortRecord& here) const {
    const int peer = by_id_.at(here.peer_id);
    const auto there = by_port_.find({peer, here.peer_port});
    const std::string& id = nodes_[here.node].id;
    const std::string expected =
        fmt::format("[{}] \"{}\"[{}] at \"{}\"", here.peer_port, id, here.port, here.peer_id);
    if (there == by_port_.end()) {
      Fail(here.line,
           fmt::format("one-sided cable: port {} of \"{}\" has no line", here.peer_port,
                       here.peer_id),
           expected);
    }
    const PortRecord& back = *there->second;
    if (back.peer_id != id || back.peer_port != here.port) {
      Fail(here.line,
           fmt::format(
               "one-sided cable: line {} says that port {} of \"{}\" goes to port {} of \"{}\"",
               back.line, here.peer_port, here.peer_id, back.peer_port, back.peer_id),
           expected);
    }
    if (here.line < back.line) {
      topology.AddCable({here.node, here.port}, {peer, here.peer_port});
    }
  }

  static constexpr const char* kEndForm =
      "\"{ SW Ports:06 .. NodeGUID:.. .. {name} LID:.. PN:01 }\" for both ends";

  std::istream& in_;
  const std::string& file_;
  int line_ = 0;
  std::string_view rest_;  // what is left of the line
  std::optional<std::uint64_t> switch_guid_;
  std::optional<std::uint64_t> hca_guid_;
  std::map<std::string, int> listed_;  // by id: nodes of an opensm-subnet.lst
  std::vector<NodeRecord> nodes_;
  std::vector<PortRecord> ports_;
  std::map<std::string, int> by_id_;
  std::map<std::pair<int, int>, const PortRecord*> by_port_;  // by node and port
};

}  // namespace

NetlistError::NetlistError(const std::string& file, int line, const std::string& problem,
                           const std::string& expected)
    : std::runtime_error(fmt::format("{}:{}: {}; expected {}", file, line, problem, expected)),
      line_(line) {}

Topology ReadNetlist(std::istream& in, const std::string& file) { return Reader(in, file).Read(); }

Topology ReadNetlistFile(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw NetlistError(path, 0, "cannot be read", "a netlist file");
  return ReadNetlist(in, path);
}

void WriteNetlist(const Topology& topology, std::ostream& out) {
  for (int i = 0; i < static_cast<int>(topology.nodes().size()); ++i) {
    const Node& node = topology.node(i);
    const bool is_switch = node.kind == NodeKind::kSwitch;
    out << fmt::format("{}{}guid={:#x}\n{}\t{} \"{}\"\n", i ? "\n" : "",
                       is_switch ? "switch" : "ca", node.guid, is_switch ? "Switch" : "Ca",
                       node.num_ports, node.name);
    for (int port = 1; port <= node.num_ports; ++port) {
      const auto peer = topology.PeerOf(i, port);
      if (!peer) continue;
      out << fmt::format("[{}]\t\"{}\"[{}]\n", port, topology.node(peer->node).name, peer->port);
    }
  }
}

}  // namespace lanecut
