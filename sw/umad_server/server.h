// SPDX-License-Identifier: Apache-2.0
//
// Serves programs that reach their InfiniBand port through libumad2sim: OpenSM, infiniband-diags.
//
// A client is attached to one end node and sends and gets MADs there. To it the server is what the
// kernel is to a program: requests get transaction IDs of the server's own, so that clients cannot
// be mistaken for each other; the answer comes back with the client's. A request without an answer
// is sent again and in the end comes back to the client with an error. What arrives unasked (traps,
// requests to the manager) is for the client at that end node that has said that it is a subnet
// manager; there is one such client at most at an end node.
//
// What a client does wrong is told in one line each, and has no other effect than that the datagram
// is refused or ignored.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sw/mad/mad.h"
#include "sw/subnet_manager/mad_transport.h"
#include "sw/umad_server/protocol.h"
#include "sw/umad_server/sockets.h"
#include "sw/wire/word.h"

namespace lanecut::umad {

// The end nodes that clients can attach to, numbered from 0.
class EndNodes {
 public:
  virtual ~EndNodes() = default;

  // By its name; the first one if there is no name. Nothing if there is none of that name.
  virtual std::optional<int> Find(std::string_view name) const = 0;
  virtual std::string Name(int end_node) const = 0;
  // Sends from there, with the queue pair of the MAD's class.
  virtual MadTransport& Transport(int end_node) = 0;
  // What its agent would answer to a Get.
  virtual Mad Ask(int end_node, ib::MadAttribute attribute) const = 0;
  // A subnet manager runs there now, or does no longer.
  virtual void SetManager(int end_node, bool is_manager) = 0;
};

class Server {
 public:
  struct Config {
    Sockets::Options sockets;
    int window = 16;         // requests of one client that are under way at a time
    Cycle timeout = 20'000;  // cycles until one is sent again
    int retries = 5;         // ... so many times
  };
  using Report = std::function<void(const std::string& line)>;

  // Throws SocketError. `end_nodes` is kept.
  Server(const Config& config, EndNodes* end_nodes, Report report);

  std::string Name() const { return sockets_.Name(); }
  int num_clients() const;

  // Takes what the clients have sent, and sends on what waits, in cycle `now`.
  void Serve(Cycle now);
  // Until a client has sent something; false if a signal came, or the time is over.
  bool Wait(int milliseconds) { return sockets_.Wait(milliseconds); }
  // A MAD that is not for the agent has arrived at an end node; `slid` is the permissive LID on a
  // directed route.
  void OnMad(int end_node, const Mad& mad, std::uint16_t slid, Cycle now);

  // Something waits for the fabric: an answer, or room to send.
  bool Busy() const;
  // A manager has been handed a request of somebody else's and has not answered it yet. It will, by
  // the host's clock, unless it ignores it: then it is not to be waited for.
  bool AwaitsManager() const;
  void DoNotAwaitManager();
  // When a request is due to be sent again; kNever if none is under way.
  static constexpr Cycle kNever = ~Cycle{0};
  Cycle NextDeadline() const;

  // MADs of clients that have been sent, again or not, and those that came back without answer.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t unanswered() const { return unanswered_; }

 private:
  struct Client {
    bool attached = false;
    std::uint32_t id = 0;  // process or port
    int end_node = 0;
    bool is_sm = false;
    int under_way = 0;           // of its requests
    int to_answer = 0;           // requests that it has been handed
    std::deque<Packet> to_send;  // to the fabric, in order
    std::deque<Packet> to_hand;  // to the client, in order: it does not read as fast
  };
  struct Request {
    int client = 0;
    Packet packet;  // as the client sent it
    int tries = 0;
    Cycle deadline = 0;
  };

  void Take(const Sockets::Datagram& datagram);
  void TakeControl(const Sockets::Datagram& datagram);
  void TakePacket(int client, std::span<const std::uint8_t> bytes);
  bool Attach(const Sockets::Datagram& datagram, Control* control);
  bool SetIsSm(int client, bool is_sm);
  bool Answer(int client, Control* control) const;
  void Detach(int client);
  void DetachDead();
  bool HasOtherSm(int client) const;
  int SmAt(int end_node) const;
  std::string Describe(int client) const;

  void SendWaiting(int client, Cycle now);
  bool SendOne(int client, const Packet& packet, Cycle now);
  void Expire(Cycle now);
  void Hand(int client, const Packet& packet);
  void HandWaiting(int client);

  Config config_;
  EndNodes* end_nodes_;
  Report report_;
  Sockets sockets_;
  std::array<Client, kMaxClients> clients_;
  std::map<std::uint64_t, Request> requests_;  // under way, by transaction ID on the wire
  std::uint32_t next_request_ = 1;
  std::uint64_t sent_ = 0;
  std::uint64_t unanswered_ = 0;
};

}  // namespace lanecut::umad
