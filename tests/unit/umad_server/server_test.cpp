// SPDX-License-Identifier: Apache-2.0
//
// The server against clients that speak its protocol by hand, on sockets of the abstract name
// space, with a transport that only remembers.
#include "sw/umad_server/server.h"

#include <arpa/inet.h>
#include <endian.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "sw/mad/attributes.h"

namespace lanecut::umad {
namespace {

struct Sent {
  Mad mad;
  std::uint16_t dlid;
};

class Transport : public MadTransport {
 public:
  bool Send(const Mad& mad, std::uint16_t dlid) override {
    if (!has_room) return false;
    sent.push_back({mad, dlid});
    return true;
  }
  bool SendCompact(const CompactPacket&) override { return false; }

  std::vector<Sent> sent;
  bool has_room = true;
};

class TwoNodes : public EndNodes {
 public:
  std::optional<int> Find(std::string_view name) const override {
    if (name.empty() || name == "H0") return 0;
    if (name == "H1") return 1;
    return std::nullopt;
  }
  std::string Name(int end_node) const override { return "H" + std::to_string(end_node); }
  MadTransport& Transport(int end_node) override {
    return transports[static_cast<std::size_t>(end_node)];
  }
  Mad Ask(int end_node, ib::MadAttribute attribute) const override {
    Mad mad = ib::MakeSmp(ib::MadClass::kSubnLid, ib::MadMethod::kGet, attribute, 0);
    ib::NodeInfo info;
    info.node_guid = 0x100 + static_cast<std::uint64_t>(end_node);
    if (attribute == ib::MadAttribute::kNodeInfo) info.Encode(&mad);
    return mad;
  }
  void SetManager(int end_node, bool is_manager) override {
    managers[static_cast<std::size_t>(end_node)] = is_manager;
  }

  std::array<umad::Transport, 2> transports;
  std::array<bool, 2> managers{};
};

std::string ServerName() { return "umad-test-" + std::to_string(getpid()); }

class Client {
 public:
  explicit Client(int id) : id_(id), control_(Open("ctl")), data_(Open("in")) {
    Connect(control_, "ctl");
  }
  ~Client() {
    close(control_);
    close(data_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Send(const Control& control) { Write(control_, &control, sizeof control); }
  Control Answer() const {
    Control control;
    EXPECT_EQ(recv(control_, &control, sizeof control, MSG_DONTWAIT), 80);
    return control;
  }
  static Control AttachRequest(int id, const std::string& node, bool is_sm = false) {
    ClientInfo info;
    info.id = static_cast<std::uint32_t>(id);
    info.is_sm = is_sm ? 1 : 0;
    std::copy(node.begin(), node.end(), info.node.begin());
    Control control;
    control.type = static_cast<std::uint32_t>(ControlType::kConnect);
    std::memcpy(control.data.data(), &info, sizeof info);
    return control;
  }
  void Attached(const Control& answer) {
    ClientInfo info;
    std::memcpy(&info, answer.data.data(), sizeof info);
    number = static_cast<int>(info.id);
    Connect(data_, "out" + std::to_string(number));
  }
  void Send(const Packet& packet) { Write(data_, &packet, sizeof packet); }
  void SendBytes(std::size_t size) {
    const std::vector<char> bytes(size);
    Write(data_, bytes.data(), size);
  }
  std::optional<Packet> Got() const {
    Packet packet;
    if (recv(data_, &packet, sizeof packet, MSG_DONTWAIT) != sizeof packet) return std::nullopt;
    return packet;
  }

  int number = -1;

 private:
  static sockaddr_un Address(const std::string& role, socklen_t* size) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = ServerName() + ":" + role;
    std::copy(name.begin(), name.end(), address.sun_path + 1);
    *size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + 2);
    return address;
  }
  int Open(const std::string& role) const {
    socklen_t size = 0;
    const sockaddr_un address = Address(role + std::to_string(id_), &size);
    const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    EXPECT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&address), size), 0);
    return fd;
  }
  static void Connect(int fd, const std::string& role) {
    socklen_t size = 0;
    const sockaddr_un address = Address(role, &size);
    EXPECT_EQ(connect(fd, reinterpret_cast<const sockaddr*>(&address), size), 0);
  }
  static void Write(int fd, const void* bytes, std::size_t size) {
    EXPECT_EQ(send(fd, bytes, size, 0), static_cast<ssize_t>(size));
  }

  int id_;
  int control_;
  int data_;
};

Packet Request(std::uint64_t tid, std::uint16_t dlid = 0xFFFF) {
  Mad mad =
      ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet, ib::MadAttribute::kNodeInfo, 0);
  mad.set_transaction_id(tid);
  Packet packet;
  packet.dlid = htons(dlid);
  packet.mad = mad.bytes;
  return packet;
}

class ServerTest : public testing::Test {
 protected:
  ServerTest()
      : server({.sockets = {.name = ServerName(), .udp_port = {}},
                .window = 2,
                .timeout = 100,
                .retries = 2},
               &nodes, [this](const std::string& line) { lines.push_back(line); }) {}

  Control Attach(Client* client, const std::string& node, bool is_sm = false) {
    client->Send(Client::AttachRequest(getpid(), node, is_sm));
    server.Serve(0);
    const Control answer = client->Answer();
    if (answer.type != 0) client->Attached(answer);
    return answer;
  }
  std::vector<Sent>& sent(int node) {
    return nodes.transports[static_cast<std::size_t>(node)].sent;
  }
  Mad AnswerTo(const Mad& request) {
    Mad answer = request;
    ib::MakeResponse(&answer, ib::MadStatus::kOk);
    return answer;
  }

  TwoNodes nodes;
  std::vector<std::string> lines;
  Server server;
};

TEST_F(ServerTest, AnswersGoBackWithTheClientsOwnTransactionIds) {
  Client a(getpid());
  Attach(&a, "H1");
  a.Send(Request(0x500000001));
  server.Serve(0);
  ASSERT_EQ(sent(1).size(), 1U);
  EXPECT_EQ(sent(1)[0].dlid, 0xFFFF);
  EXPECT_NE(sent(1)[0].mad.transaction_id(), 0x500000001U);
  EXPECT_TRUE(server.Busy());
  server.OnMad(1, AnswerTo(sent(1)[0].mad), 0xFFFF, 10);
  const auto got = a.Got();
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(Mad{got->mad}.transaction_id(), 0x500000001U);
  EXPECT_EQ(got->status, 0U);
  EXPECT_EQ(be64toh(got->length), 256U);
  EXPECT_EQ(ntohs(static_cast<std::uint16_t>(got->slid)), 0xFFFF);
  EXPECT_FALSE(server.Busy());
  // The same answer once more is for nobody.
  server.OnMad(1, AnswerTo(sent(1)[0].mad), 0xFFFF, 11);
  EXPECT_FALSE(a.Got().has_value());
  EXPECT_TRUE(lines.empty());
}

TEST_F(ServerTest, EqualTransactionIdsOfOneNodesClientsAreToldApart) {
  Client a(getpid());
  Attach(&a, "H0");
  Client b(getpid() + 1'000'000);  // only the sockets' names know
  b.Send(Client::AttachRequest(getpid() + 1'000'000, "H0"));
  server.Serve(0);
  b.Attached(b.Answer());
  a.Send(Request(7));
  b.Send(Request(7));
  server.Serve(0);
  ASSERT_EQ(sent(0).size(), 2U);
  server.OnMad(0, AnswerTo(sent(0)[1].mad), 0xFFFF, 1);
  EXPECT_FALSE(a.Got().has_value());
  EXPECT_TRUE(b.Got().has_value());
}

TEST_F(ServerTest, RequestWithoutAnswerIsRepeatedThenReturned) {
  Client a(getpid());
  Attach(&a, "");
  a.Send(Request(9));
  server.Serve(0);
  EXPECT_EQ(server.NextDeadline(), 100U);
  for (const Cycle now : {99U, 100U, 200U}) server.Serve(now);
  EXPECT_EQ(sent(0).size(), 3U);
  EXPECT_EQ(sent(0)[0].mad, sent(0)[2].mad);
  EXPECT_FALSE(a.Got().has_value());
  server.Serve(300);
  const auto got = a.Got();
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(ntohl(got->status), 110U);
  EXPECT_EQ(Mad{got->mad}.transaction_id(), 9U);
  EXPECT_EQ(server.unanswered(), 1U);
  EXPECT_FALSE(server.Busy());
}

TEST_F(ServerTest, WindowAndFullQueuesHoldRequestsBack) {
  Client a(getpid());
  Attach(&a, "");
  for (std::uint64_t tid = 1; tid <= 4; ++tid) a.Send(Request(tid));
  server.Serve(0);
  EXPECT_EQ(sent(0).size(), 2U) << "the window";
  nodes.transports[0].has_room = false;
  server.OnMad(0, AnswerTo(sent(0)[0].mad), 0xFFFF, 1);
  server.Serve(1);
  EXPECT_EQ(sent(0).size(), 2U);
  nodes.transports[0].has_room = true;
  server.Serve(2);
  EXPECT_EQ(sent(0).size(), 3U);
}

TEST_F(ServerTest, WhatComesUnaskedIsForTheManager) {
  Client a(getpid());
  Attach(&a, "H0", /*is_sm=*/true);
  EXPECT_TRUE(nodes.managers[0]);
  Mad trap =
      ib::MakeSmp(ib::MadClass::kSubnLid, ib::MadMethod::kTrap, ib::MadAttribute::kNotice, 0);
  trap.set_transaction_id(3);
  server.OnMad(1, trap, 5, 0);  // nobody is there
  EXPECT_FALSE(a.Got().has_value());
  server.OnMad(0, trap, 5, 0);
  const auto got = a.Got();
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(ntohs(static_cast<std::uint16_t>(got->slid)), 5);
  EXPECT_EQ(Mad{got->mad}.transaction_id(), 3U);
}

TEST_F(ServerTest, AManagerThatOwesAnAnswerIsAwaited) {
  Client a(getpid());
  Attach(&a, "H0", /*is_sm=*/true);
  EXPECT_FALSE(server.AwaitsManager());
  Mad query =
      ib::MakeSmp(ib::MadClass::kSubnAdm, ib::MadMethod::kGet, ib::MadAttribute::kPathRecord, 0);
  server.OnMad(0, query, 5, 0);
  server.OnMad(0, query, 6, 0);
  EXPECT_TRUE(server.AwaitsManager());
  Packet answer;
  answer.dlid = htons(5);
  answer.mad = AnswerTo(query).bytes;
  a.Send(answer);
  server.Serve(1);
  EXPECT_TRUE(server.AwaitsManager());
  a.Send(Request(1));  // no answer
  a.Send(answer);
  server.Serve(2);
  EXPECT_FALSE(server.AwaitsManager());
  server.OnMad(0, query, 5, 3);
  server.DoNotAwaitManager();
  EXPECT_FALSE(server.AwaitsManager());
}

// A client tells the length beside the MAD, the wire in the RMPP header.
TEST_F(ServerTest, LengthsOfListsSurviveTheWire) {
  Client a(getpid());
  Attach(&a, "H0");
  Mad list = ib::MakeSmp(ib::MadClass::kSubnAdm, ib::MadMethod::kGetResp,
                         ib::MadAttribute::kPathRecord, 0);
  list.Set8(26, 1);  // RMPP is active
  Packet answer;
  answer.length = htobe64(56 + 64);
  answer.mad = list.bytes;
  a.Send(answer);
  server.Serve(0);
  ASSERT_EQ(sent(0).size(), 1U);
  EXPECT_EQ(sent(0)[0].mad.Get32(24), 0x01010700U);  // version, DATA, first, last and active
  EXPECT_EQ(sent(0)[0].mad.Get32(28), 1U);
  EXPECT_EQ(sent(0)[0].mad.Get32(32), 20U + 64U);  // from SM_Key on

  a.Send(Request(1));
  server.Serve(1);
  Mad arrived = sent(0)[0].mad;
  arrived.set_transaction_id(sent(0)[1].mad.transaction_id());
  server.OnMad(0, arrived, 5, 2);
  const auto got = a.Got();
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(be64toh(got->length), 56U + 64U);
}

TEST_F(ServerTest, ControlAnswersComeFromTheNodesAgent) {
  Client a(getpid());
  Attach(&a, "H1");
  Control control;
  control.type = static_cast<std::uint32_t>(ControlType::kGetGuid);
  control.client = static_cast<std::uint32_t>(a.number);
  a.Send(control);
  server.Serve(0);
  std::uint64_t guid = 0;
  std::memcpy(&guid, a.Answer().data.data(), sizeof guid);
  EXPECT_EQ(be64toh(guid), 0x101U);
}

TEST_F(ServerTest, ClientThatIsGoneIsForgotten) {
  {
    Client a(getpid());
    Attach(&a, "H0", /*is_sm=*/true);
    a.Send(Request(1));
    server.Serve(0);
  }
  server.OnMad(0, AnswerTo(sent(0)[0].mad), 0xFFFF, 1);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("is gone"), std::string::npos);
  EXPECT_EQ(server.num_clients(), 0);
  EXPECT_FALSE(nodes.managers[0]);
  EXPECT_FALSE(server.Busy());
}

TEST_F(ServerTest, WrongPacketsAreToldAndIgnored) {
  Client a(getpid());
  Attach(&a, "H0");
  a.SendBytes(287);
  a.SendBytes(0);
  a.SendBytes(4000);
  server.Serve(0);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_NE(lines[0].find("a packet of 287 bytes from client 0"), std::string::npos);
  EXPECT_TRUE(sent(0).empty());
  EXPECT_THROW(Server({.sockets = {.name = ServerName(), .udp_port = {}}}, &nodes, nullptr),
               SocketError);
}

}  // namespace
}  // namespace lanecut::umad
