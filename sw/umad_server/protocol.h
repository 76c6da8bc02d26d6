// SPDX-License-Identifier: Apache-2.0
//
// The datagrams between libumad2sim, the preload library of ibsim-utils 0.10 that stands in for
// libibumad's kernel interface, and its server.
//
// Client and server run on one machine: integers are in its byte order, except where it says "big
// endian". A control datagram is answered by one of the same size, whose type is kError if the
// request is refused. A packet carries one MAD.
#pragma once

#include <array>
#include <cstdint>

#include "sw/mad/mad.h"

namespace lanecut::umad {

inline constexpr std::uint32_t kMagic = 0xDEADBEEF;
inline constexpr int kMaxClients = 10;  // data channels 0..9
inline constexpr std::size_t kControlData = 64;
inline constexpr std::size_t kNodeName = 32;
inline constexpr std::uint16_t kDefaultPort = 7070;  // of the control channel, by UDP
inline constexpr const char* kDefaultName = "sim";   // of the sockets, in the abstract name space

enum class ControlType : std::uint32_t {
  kError = 0,
  kConnect = 1,
  kDisconnect = 2,
  kGetPort = 3,
  kGetVendor = 4,
  kGetGid = 5,
  kGetGuid = 6,
  kGetNodeInfo = 7,
  kGetPortInfo = 8,
  kSetIsSm = 9,
  kGetPKeys = 10,
};

struct Control {
  std::uint32_t magic = kMagic;
  std::uint32_t client = 0;
  std::uint32_t type = 0;    // ControlType
  std::uint32_t length = 0;  // of the data that mean something
  std::array<std::uint8_t, kControlData> data{};
};
static_assert(sizeof(Control) == 80);

// Data of kConnect.
struct ClientInfo {
  std::uint32_t id = 0;  // request: process (UDP: port); answer: number of the client
  std::uint32_t qp = 0;
  std::uint32_t is_sm = 0;
  std::array<char, kNodeName> node{};  // where to attach, NUL terminated; empty: anywhere
};
static_assert(sizeof(ClientInfo) == 44);

// Data of the answer to kGetVendor.
struct Vendor {
  std::uint32_t vendor_id = 0;
  std::uint32_t part_id = 0;
  std::uint32_t hardware = 0;
  std::uint64_t firmware = 0;
};

// Data of the answer to kGetPort.
struct PortStatus {
  std::uint16_t lid = 0;
  std::uint8_t state = 0;
};

struct Packet {
  std::uint32_t dlid = 0;    // 16 bits, big endian, in the first two bytes; the other end's
  std::uint32_t slid = 0;    // ... of the sender; 0 from a client: its own
  std::uint32_t dqp = 0;     // big endian
  std::uint32_t sqp = 0;     // big endian
  std::uint32_t status = 0;  // big endian errno; to a client, with its request: there is no answer
  std::uint64_t length = 0;  // big endian, of the MAD
  std::array<std::uint8_t, ib::kMadBytes> mad{};
};
static_assert(sizeof(Packet) == 288);

}  // namespace lanecut::umad
