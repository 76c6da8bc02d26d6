// SPDX-License-Identifier: Apache-2.0
#include "sw/umad_server/server.h"

#include <arpa/inet.h>
#include <endian.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "sw/mad/attributes.h"

namespace lanecut::umad {

using ib::MadAttribute;
using ib::MadMethod;

namespace {

template <typename T>
T FromBytes(std::span<const std::uint8_t> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <typename T>
std::span<const std::uint8_t> ToBytes(const T& value) {
  return {reinterpret_cast<const std::uint8_t*>(&value), sizeof value};
}

template <typename T>
void PutData(const T& value, Control* control) {
  static_assert(sizeof value <= kControlData);
  std::memcpy(control->data.data(), &value, sizeof value);
}

// The 64 bytes of an attribute.
void PutAttribute(const Mad& mad, Control* control) {
  std::copy_n(mad.bytes.begin() + ib::kSmpDataOffset, kControlData, control->data.begin());
}

// What gets an answer.
bool IsRequest(const Mad& mad) {
  return !mad.is_response() && mad.method() != MadMethod::kTrap &&
         mad.method() != MadMethod::kTrapRepress;
}

// ---- RMPP ----
//
// Answers of subnet administration with any number of records. A client says beside the MAD how
// long it is, and marks it as active only; on the wire the RMPP header says the rest, as the kernel
// would write it: one segment, which is all that a datagram holds.

constexpr std::size_t kRmppVersion = 24;
constexpr std::size_t kRmppType = 25;
constexpr std::size_t kRmppFlags = 26;
constexpr std::size_t kRmppSegment = 28;
constexpr std::size_t kRmppPayloadLength = 32;
constexpr std::size_t kRmppHeaderEnd = 36;  // the payload begins with SM_Key
constexpr std::uint8_t kRmppData = 1;
constexpr std::uint8_t kRmppActive = 1;
constexpr std::uint8_t kRmppFirst = 2;
constexpr std::uint8_t kRmppLast = 4;

bool IsRmppActive(const Mad& mad) {
  return mad.mad_class() == ib::MadClass::kSubnAdm && (mad.Get8(kRmppFlags) & kRmppActive) != 0;
}

void WriteRmppLength(std::uint64_t length, Mad* mad) {
  const std::uint64_t all = std::clamp<std::uint64_t>(length, kRmppHeaderEnd, ib::kMadBytes);
  mad->Set8(kRmppVersion, 1);
  mad->Set8(kRmppType, kRmppData);
  mad->Set8(kRmppFlags, mad->Get8(kRmppFlags) | kRmppFirst | kRmppLast);
  mad->Set32(kRmppSegment, 1);
  mad->Set32(kRmppPayloadLength, static_cast<std::uint32_t>(all - kRmppHeaderEnd));
}

std::uint64_t LengthOf(const Mad& mad) {
  if (!IsRmppActive(mad)) return ib::kMadBytes;
  return std::min<std::uint64_t>(kRmppHeaderEnd + mad.Get32(kRmppPayloadLength), ib::kMadBytes);
}

constexpr std::uint64_t WireId(int client, std::uint32_t number) {
  return static_cast<std::uint64_t>(client + 1) << 48 | number;
}

// LIDs and queue pairs as they stand in a datagram.
std::uint32_t LidField(std::uint16_t lid) { return htons(lid); }
std::uint16_t LidOf(std::uint32_t field) { return ntohs(static_cast<std::uint16_t>(field)); }
std::uint32_t QpOf(const Mad& mad) { return htonl(mad.is_smp() ? 0 : 1); }

constexpr std::uint32_t kTimedOut = 110;  // ETIMEDOUT where the clients come from

}  // namespace

Server::Server(const Config& config, EndNodes* end_nodes, Report report)
    : config_(config),
      end_nodes_(end_nodes),
      report_(std::move(report)),
      sockets_(config.sockets) {}

int Server::num_clients() const {
  return static_cast<int>(std::ranges::count_if(clients_, &Client::attached));
}

std::string Server::Describe(int client) const {
  const Client& c = clients_[static_cast<std::size_t>(client)];
  return fmt::format("client {} ({} {}) at {}", client, sockets_.is_local() ? "process" : "port",
                     c.id, end_nodes_->Name(c.end_node));
}

void Server::Serve(Cycle now) {
  while (const auto datagram = sockets_.Receive()) Take(*datagram);
  Expire(now);
  for (int client = 0; client < kMaxClients; ++client) {
    HandWaiting(client);
    SendWaiting(client, now);
  }
}

bool Server::Busy() const {
  return !requests_.empty() ||
         std::ranges::any_of(clients_, [](const Client& c) { return !c.to_send.empty(); });
}

bool Server::AwaitsManager() const {
  return std::ranges::any_of(clients_, [](const Client& c) { return c.to_answer > 0; });
}

void Server::DoNotAwaitManager() {
  for (Client& c : clients_) c.to_answer = 0;
}

Cycle Server::NextDeadline() const {
  Cycle next = kNever;
  for (const auto& [id, request] : requests_) next = std::min(next, request.deadline);
  return next;
}

// ---- Datagrams ----

void Server::Take(const Sockets::Datagram& datagram) {
  if (datagram.channel == Sockets::kControl) {
    TakeControl(datagram);
  } else {
    TakePacket(datagram.channel, datagram.bytes);
  }
}

void Server::TakeControl(const Sockets::Datagram& datagram) {
  if (datagram.bytes.size() != sizeof(Control)) {
    return report_(fmt::format("a control datagram of {} bytes; expected {}", datagram.bytes.size(),
                               sizeof(Control)));
  }
  auto control = FromBytes<Control>(datagram.bytes);
  if (control.magic != kMagic) {
    return report_(fmt::format("a control datagram that begins with 0x{:08x}; expected 0x{:08x}",
                               control.magic, kMagic));
  }
  const auto type = static_cast<ControlType>(control.type);
  bool accepted = false;
  if (type == ControlType::kConnect) {
    accepted = Attach(datagram, &control);
  } else if (control.client >= kMaxClients || !clients_[control.client].attached) {
    report_(fmt::format("a control datagram of type {} from client {}, which is not attached",
                        control.type, control.client));
  } else {
    accepted = Answer(static_cast<int>(control.client), &control);
    if (type == ControlType::kDisconnect) {
      Detach(static_cast<int>(control.client));
      accepted = true;
    } else if (type == ControlType::kSetIsSm) {
      accepted =
          SetIsSm(static_cast<int>(control.client), FromBytes<std::uint32_t>(control.data) != 0);
    } else if (!accepted) {
      report_(fmt::format("a control datagram of type {}, which does not exist, from {}",
                          control.type, Describe(static_cast<int>(control.client))));
    }
  }
  if (!accepted) control.type = static_cast<std::uint32_t>(ControlType::kError);
  if (!sockets_.Reply(datagram.from, ToBytes(control))) {
    report_("a client is gone before its control datagram has been answered");
  }
}

bool Server::Attach(const Sockets::Datagram& datagram, Control* control) {
  auto info = FromBytes<ClientInfo>(control->data);
  info.node.back() = '\0';
  const std::string_view name = info.node.data();
  const auto end_node = end_nodes_->Find(name);
  if (!end_node) {
    report_(fmt::format("process {} asks for the end node \"{}\", which does not exist", info.id,
                        name));
    return false;
  }
  DetachDead();
  const auto free = std::ranges::find(clients_, false, &Client::attached);
  if (free == clients_.end()) {
    report_(
        fmt::format("process {} cannot be attached: there are {} clients", info.id, kMaxClients));
    return false;
  }
  const int client = static_cast<int>(free - clients_.begin());
  if (!sockets_.Connect(client, datagram.from, info.id)) {
    report_(fmt::format("process {} has no data channel", info.id));
    return false;
  }
  *free =
      Client{.attached = true, .id = info.id, .end_node = *end_node, .to_send = {}, .to_hand = {}};
  if (info.is_sm != 0 && !SetIsSm(client, true)) {
    Detach(client);
    return false;
  }
  const std::string at = end_nodes_->Name(*end_node);
  info.id = static_cast<std::uint32_t>(client);
  info.node = {};
  std::copy_n(at.begin(), std::min(at.size(), info.node.size() - 1), info.node.begin());
  PutData(info, control);
  return true;
}

bool Server::HasOtherSm(int client) const {
  const int sm = SmAt(clients_[static_cast<std::size_t>(client)].end_node);
  return sm >= 0 && sm != client;
}

bool Server::SetIsSm(int client, bool is_sm) {
  Client& c = clients_[static_cast<std::size_t>(client)];
  if (is_sm && HasOtherSm(client)) DetachDead();
  if (is_sm && HasOtherSm(client)) {
    report_(fmt::format("{} cannot be a subnet manager: {} is one", Describe(client),
                        Describe(SmAt(c.end_node))));
    return false;
  }
  if (c.is_sm != is_sm) end_nodes_->SetManager(c.end_node, is_sm);
  c.is_sm = is_sm;
  return true;
}

// Answers what asks for data.
bool Server::Answer(int client, Control* control) const {
  const int end_node = clients_[static_cast<std::size_t>(client)].end_node;
  const auto port_info = [&] {
    return ib::PortInfo::Decode(end_nodes_->Ask(end_node, MadAttribute::kPortInfo));
  };
  const auto node_info = [&] {
    return ib::NodeInfo::Decode(end_nodes_->Ask(end_node, MadAttribute::kNodeInfo));
  };
  switch (static_cast<ControlType>(control->type)) {
    case ControlType::kGetPort: {
      const ib::PortInfo info = port_info();
      PutData(PortStatus{.lid = info.lid, .state = static_cast<std::uint8_t>(info.port_state)},
              control);
      return true;
    }
    case ControlType::kGetVendor: {
      const ib::NodeInfo info = node_info();
      PutData(Vendor{.vendor_id = info.vendor_id,
                     .part_id = info.device_id,
                     .hardware = info.revision,
                     .firmware = 1},
              control);
      return true;
    }
    case ControlType::kGetGid:
      PutData(std::array{htobe64(port_info().gid_prefix), htobe64(node_info().port_guid)}, control);
      return true;
    case ControlType::kGetGuid:
      PutData(htobe64(node_info().node_guid), control);
      return true;
    case ControlType::kGetNodeInfo:
      PutAttribute(end_nodes_->Ask(end_node, MadAttribute::kNodeInfo), control);
      return true;
    case ControlType::kGetPortInfo:
      PutAttribute(end_nodes_->Ask(end_node, MadAttribute::kPortInfo), control);
      return true;
    case ControlType::kGetPKeys:
      PutAttribute(end_nodes_->Ask(end_node, MadAttribute::kPKeyTable), control);
      return true;
    default:
      return false;
  }
}

void Server::Detach(int client) {
  Client& c = clients_[static_cast<std::size_t>(client)];
  if (c.is_sm) end_nodes_->SetManager(c.end_node, false);
  c = Client{};
  sockets_.Disconnect(client);
  std::erase_if(requests_, [client](const auto& entry) { return entry.second.client == client; });
}

// Clients that have ended without a word. By UDP nobody knows.
void Server::DetachDead() {
  if (!sockets_.is_local()) return;
  for (int client = 0; client < kMaxClients; ++client) {
    const Client& c = clients_[static_cast<std::size_t>(client)];
    if (!c.attached || kill(static_cast<pid_t>(c.id), 0) == 0 || errno != ESRCH) continue;
    report_(fmt::format("{} has ended without saying so", Describe(client)));
    Detach(client);
  }
}

int Server::SmAt(int end_node) const {
  const auto is_there = [end_node](const Client& c) { return c.is_sm && c.end_node == end_node; };
  const auto found = std::ranges::find_if(clients_, is_there);
  return found == clients_.end() ? -1 : static_cast<int>(found - clients_.begin());
}

void Server::TakePacket(int client, std::span<const std::uint8_t> bytes) {
  Client& c = clients_[static_cast<std::size_t>(client)];
  if (!c.attached) {
    return report_(fmt::format("a packet from client {}, which is not attached", client));
  }
  if (bytes.size() != sizeof(Packet)) {
    return report_(fmt::format("a packet of {} bytes from {}; expected {}", bytes.size(),
                               Describe(client), sizeof(Packet)));
  }
  c.to_send.push_back(FromBytes<Packet>(bytes));
}

// ---- To the fabric ----

void Server::SendWaiting(int client, Cycle now) {
  Client& c = clients_[static_cast<std::size_t>(client)];
  while (!c.to_send.empty()) {
    const bool is_request = IsRequest(Mad{c.to_send.front().mad});
    if (is_request && c.under_way >= config_.window) return;
    if (!SendOne(client, c.to_send.front(), now)) return;
    c.to_send.pop_front();
  }
}

// False if there is no room.
bool Server::SendOne(int client, const Packet& packet, Cycle now) {
  Client& c = clients_[static_cast<std::size_t>(client)];
  MadTransport& transport = end_nodes_->Transport(c.end_node);
  Mad mad{packet.mad};
  if (IsRmppActive(mad)) WriteRmppLength(be64toh(packet.length), &mad);
  if (!IsRequest(mad)) {
    // Nothing waits for an answer, so a port that is down is as good as a packet that is lost.
    if (!transport.Send(mad, LidOf(packet.dlid))) return false;
    if (mad.is_response()) c.to_answer = std::max(c.to_answer - 1, 0);
    ++sent_;
    return true;
  }
  const std::uint64_t id = WireId(client, next_request_);
  mad.set_transaction_id(id);
  // Entered before it is sent: the answer of the node's own agent may come at once.
  requests_[id] = {
      .client = client, .packet = packet, .tries = 1, .deadline = now + config_.timeout};
  if (!transport.Send(mad, LidOf(packet.dlid))) {
    requests_.erase(id);
    return false;
  }
  ++next_request_;
  ++c.under_way;
  ++sent_;
  return true;
}

void Server::Expire(Cycle now) {
  std::vector<std::pair<int, Packet>> failed;
  for (auto next = requests_.begin(); next != requests_.end();) {
    const auto entry = next++;
    Request& request = entry->second;
    if (request.deadline > now) continue;
    Client& c = clients_[static_cast<std::size_t>(request.client)];
    if (request.tries <= config_.retries) {
      Mad mad{request.packet.mad};
      mad.set_transaction_id(entry->first);
      ++request.tries;
      request.deadline = now + config_.timeout;
      if (end_nodes_->Transport(c.end_node).Send(mad, LidOf(request.packet.dlid))) ++sent_;
      continue;
    }
    failed.emplace_back(request.client, request.packet);
    failed.back().second.status = htonl(kTimedOut);
    ++unanswered_;
    --c.under_way;
    requests_.erase(entry);
  }
  for (const auto& [client, packet] : failed) Hand(client, packet);
}

// ---- From the fabric ----

void Server::OnMad(int end_node, const Mad& mad, std::uint16_t slid, Cycle) {
  Packet packet;
  packet.slid = LidField(slid);
  packet.sqp = QpOf(mad);
  packet.dqp = QpOf(mad);
  packet.length = htobe64(LengthOf(mad));
  packet.mad = mad.bytes;
  if (!mad.is_response()) {
    // Nobody is there to hear of it.
    const int sm = SmAt(end_node);
    if (sm < 0) return;
    if (IsRequest(mad)) ++clients_[static_cast<std::size_t>(sm)].to_answer;
    return Hand(sm, packet);
  }
  const auto found = requests_.find(mad.transaction_id());
  if (found == requests_.end()) return;  // the answer to one that has been answered, or given up
  const int client = found->second.client;
  if (clients_[static_cast<std::size_t>(client)].end_node != end_node) return;
  Mad answer = mad;
  answer.set_transaction_id(Mad{found->second.packet.mad}.transaction_id());
  packet.mad = answer.bytes;
  --clients_[static_cast<std::size_t>(client)].under_way;
  requests_.erase(found);
  Hand(client, packet);
}

void Server::Hand(int client, const Packet& packet) {
  if (!clients_[static_cast<std::size_t>(client)].attached) return;
  clients_[static_cast<std::size_t>(client)].to_hand.push_back(packet);
  HandWaiting(client);
}

void Server::HandWaiting(int client) {
  Client& c = clients_[static_cast<std::size_t>(client)];
  while (!c.to_hand.empty()) {
    const Sockets::Sent sent = sockets_.Send(client, ToBytes(c.to_hand.front()));
    if (sent == Sockets::Sent::kFull) return;
    if (sent == Sockets::Sent::kGone) {
      report_(fmt::format("{} is gone", Describe(client)));
      return Detach(client);
    }
    c.to_hand.pop_front();
  }
}

}  // namespace lanecut::umad
