// SPDX-License-Identifier: Apache-2.0
#include "sw/umad_server/sockets.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace lanecut::umad {

namespace {

std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

const sockaddr* Generic(const Address& address) {
  return reinterpret_cast<const sockaddr*>(&address.storage);
}

}  // namespace

Sockets::Options Sockets::FromEnvironment() {
  Options options;
  if (const auto name = Environment("IBSIM_SOCKNAME"); !name.empty()) options.name = name;
  if (Environment("IBSIM_SERVER_NAME").empty()) return options;
  options.udp_port = kDefaultPort;
  const auto text = Environment("IBSIM_SERVER_PORT");
  if (text.empty()) return options;
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0 ||
      port > 0xFFFF - kMaxClients) {
    throw SocketError("IBSIM_SERVER_PORT is \"" + std::string(text) +
                      "\"; expected a port from 1 to 65525");
  }
  options.udp_port = port;
  return options;
}

// Clients end the name with a NUL that counts.
Address Sockets::LocalAddress(const std::string& role) const {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string text = options_.name + ":" + role;
  if (text.size() + 2 > sizeof name.sun_path) {
    throw SocketError("the socket name \"" + options_.name + "\" is too long");
  }
  std::ranges::copy(text, name.sun_path + 1);
  Address address;
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size() + 2);
  std::memcpy(&address.storage, &name, address.size);
  return address;
}

Address Sockets::LoopbackAddress(std::uint16_t port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  name.sin_port = htons(port);
  Address address;
  address.size = sizeof name;
  std::memcpy(&address.storage, &name, sizeof name);
  return address;
}

Sockets::Sockets(const Options& options) : options_(options) {
  try {
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    if (epoll_ < 0) throw SocketError(std::string("epoll: ") + std::strerror(errno));
    Open(kMaxClients, "ctl", 0);
    for (int client = 0; client < kMaxClients; ++client) {
      Open(static_cast<std::size_t>(client), "out" + std::to_string(client), client + 1);
      sockets_[static_cast<std::size_t>(client)].channel = client;
    }
  } catch (const SocketError&) {
    CloseAll();
    throw;
  }
}

Sockets::~Sockets() { CloseAll(); }

void Sockets::CloseAll() {
  for (const Socket& socket : sockets_) {
    if (socket.fd >= 0) close(socket.fd);
  }
  if (epoll_ >= 0) close(epoll_);
}

void Sockets::Open(std::size_t index, const std::string& role, int offset) {
  const Address address =
      is_local() ? LocalAddress(role)
                 : LoopbackAddress(static_cast<std::uint16_t>(*options_.udp_port + offset));
  int& fd = sockets_[index].fd;
  fd = socket(address.storage.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0 || bind(fd, Generic(address), address.size) != 0) {
    const std::string what = is_local() ? options_.name + ":" + role
                                        : "port " + std::to_string(*options_.udp_port + offset);
    throw SocketError("cannot listen at " + what + ": " + std::strerror(errno));
  }
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = static_cast<std::uint32_t>(index);
  epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
}

std::string Sockets::Name() const {
  return is_local() ? options_.name + ":ctl" : "127.0.0.1:" + std::to_string(*options_.udp_port);
}

bool Sockets::Wait(int milliseconds) {
  epoll_event event{};
  return epoll_wait(epoll_, &event, 1, milliseconds) > 0;
}

std::optional<Sockets::Datagram> Sockets::Receive() {
  epoll_event event{};
  while (epoll_wait(epoll_, &event, 1, 0) > 0) {
    const Socket& socket = sockets_[event.data.u32];
    Datagram datagram;
    datagram.channel = socket.channel;
    datagram.from.size = sizeof datagram.from.storage;
    const ssize_t size =
        recvfrom(socket.fd, buffer_.data(), buffer_.size(), 0,
                 reinterpret_cast<sockaddr*>(&datagram.from.storage), &datagram.from.size);
    // An error is what became of something that was sent: the next sending meets it, too.
    if (size < 0) continue;
    datagram.bytes = std::span(buffer_).first(static_cast<std::size_t>(size));
    return datagram;
  }
  return std::nullopt;
}

bool Sockets::Reply(const Address& to, std::span<const std::uint8_t> bytes) {
  return sendto(sockets_.back().fd, bytes.data(), bytes.size(), MSG_NOSIGNAL, Generic(to),
                to.size) == static_cast<ssize_t>(bytes.size());
}

bool Sockets::Connect(int client, const Address& control, std::uint32_t id) {
  Address peer;
  if (is_local()) {
    peer = LocalAddress("in" + std::to_string(id));
  } else {
    peer = control;
    reinterpret_cast<sockaddr_in*>(&peer.storage)->sin_port = htons(static_cast<std::uint16_t>(id));
  }
  return connect(sockets_[static_cast<std::size_t>(client)].fd, Generic(peer), peer.size) == 0;
}

void Sockets::Disconnect(int client) {
  Address nobody;
  nobody.storage.ss_family = AF_UNSPEC;
  static_cast<void>(
      connect(sockets_[static_cast<std::size_t>(client)].fd, Generic(nobody), sizeof(sockaddr)));
}

Sockets::Sent Sockets::Send(int client, std::span<const std::uint8_t> bytes) {
  const int fd = sockets_[static_cast<std::size_t>(client)].fd;
  if (send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) >= 0) return Sent::kYes;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ? Sent::kFull : Sent::kGone;
}

}  // namespace lanecut::umad
