// SPDX-License-Identifier: Apache-2.0
//
// Credits of one port, per data VL (IBA 7.9.4): what it may send, and what it must tell its
// neighbour.
//
// Sender: FCTBS counts blocks sent, the neighbour's FCCL is the limit; nothing may be sent before
// the first FCCL has come. Receiver: ABR counts blocks received and is set to FCTBS by every
// flow-control packet, which heals the loss of packets; FCCL = ABR + free blocks. The end node's
// buffers are always free between packets, so FCCL = ABR + buffer size. An update is urgent on a
// refresh tick, before the first one, and when FCCL moved by a quarter of the buffer.
#pragma once

#include <array>
#include <cstdint>

#include "sw/wire/link_packet.h"

namespace lanecut {

class FlowControl {
 public:
  static constexpr int kMaxVls = 15;

  FlowControl(int num_vls, int buffer_blocks);

  // Link initialization: forgets everything, first updates are due.
  void Reset();
  // Every update is due again.
  void Refresh() { urgent_ = all_; }

  // Of a VL below num_vls.
  bool MaySend(int vl, int blocks) const {
    const Vl& v = vls_[vl];
    return v.limit_known && HasCredit(v.limit, v.fctbs, blocks);
  }
  void Sent(int vl, int blocks);

  // A packet that came whole. False if the neighbour had no credit for it: it must be dropped.
  bool Received(int vl, int blocks);
  // A valid flow-control packet from the neighbour, for a VL below num_vls.
  void Update(const LinkPacket& packet);

  // All of the neighbour's buffer of this VL is free, and nothing is on the way there. It is as
  // large as that of this node.
  bool Unused(int vl) const {
    const Vl& v = vls_[vl];
    return v.limit_known && ((v.limit - v.fctbs) & kCreditMask) == buffer_blocks_;
  }

  bool Urgent() const { return urgent_ != 0; }
  bool Changed() const { return (urgent_ | changed_) != 0; }
  // The next update to send, urgent ones first and VLs in turn. Only if Changed().
  LinkPacket Next(std::uint8_t op);

  // For tests and diagnosis: blocks that may be sent now, 0 before the first update.
  int Credit(int vl) const;

 private:
  struct Vl {
    bool limit_known = false;
    bool advertised_known = false;
    std::uint16_t limit = 0;       // the neighbour's FCCL
    std::uint16_t fctbs = 0;       // blocks sent
    std::uint16_t abr = 0;         // blocks received
    std::uint16_t advertised = 0;  // the FCCL that the neighbour was told last
  };

  std::uint16_t Fccl(const Vl& vl) const {
    return static_cast<std::uint16_t>((vl.abr + buffer_blocks_) & kCreditMask);
  }
  void Mark(int vl);

  int buffer_blocks_;
  std::uint32_t all_;
  std::uint32_t urgent_ = 0;
  std::uint32_t changed_ = 0;
  int last_vl_ = 0;
  std::array<Vl, kMaxVls> vls_{};
};

}  // namespace lanecut
