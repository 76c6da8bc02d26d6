// SPDX-License-Identifier: Apache-2.0
//
// The sockets of the server: one for control datagrams, and one for the packets of each client that
// can be attached at a time.
//
// In the abstract name space: NAME:ctl and NAME:out0 .. NAME:out9, to which a client speaks from
// NAME:ctl<pid> and NAME:in<pid>. By UDP, on the loopback interface only: port P, and P + 1 ..
// P + 10.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "sw/umad_server/protocol.h"

namespace lanecut::umad {

class SocketError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

class Sockets {
 public:
  // Without a port in the abstract name space.
  struct Options {
    std::string name = kDefaultName;
    std::optional<std::uint16_t> udp_port;
  };
  // As the environment of the clients says: IBSIM_SOCKNAME, or IBSIM_SERVER_NAME (not empty: UDP)
  // and IBSIM_SERVER_PORT. Throws SocketError for a port that is none.
  static Options FromEnvironment();

  // Throws SocketError, for example where another server has the names.
  explicit Sockets(const Options& options);
  ~Sockets();
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  // "sim:ctl" or "127.0.0.1:7070".
  std::string Name() const;
  bool is_local() const { return !options_.udp_port.has_value(); }

  static constexpr int kControl = -1;
  struct Datagram {
    int channel = kControl;               // or the client whose data channel it is
    std::span<const std::uint8_t> bytes;  // until the next Receive(); cut off behind kLongest
    Address from;
  };
  static constexpr std::size_t kLongest = 512;

  // The next one that waits, if there is one.
  std::optional<Datagram> Receive();
  // Until one waits; false if the time is over or a signal came. Negative: for ever.
  bool Wait(int milliseconds);

  // Answers a control datagram. False if nobody is there any more.
  bool Reply(const Address& to, std::span<const std::uint8_t> bytes);
  // Lets the data channel of `client` lead to the process `id` that sent a control datagram from
  // `control` (UDP: to that port).
  bool Connect(int client, const Address& control, std::uint32_t id);
  void Disconnect(int client);
  // kFull: it may be tried again when the client has read.
  enum class Sent { kYes, kFull, kGone };
  Sent Send(int client, std::span<const std::uint8_t> bytes);

 private:
  struct Socket {
    int fd = -1;
    int channel = kControl;
  };

  Address LocalAddress(const std::string& role) const;
  static Address LoopbackAddress(std::uint16_t port);
  void Open(std::size_t index, const std::string& role, int offset);
  void CloseAll();

  Options options_;
  int epoll_ = -1;
  std::array<Socket, kMaxClients + 1> sockets_;  // the last one is for control
  std::array<std::uint8_t, kLongest> buffer_{};
};

}  // namespace lanecut::umad
