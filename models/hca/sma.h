// SPDX-License-Identifier: Apache-2.0
//
// The subnet management agent of an end node: answers Get and Set, and owns what a subnet manager can read or set.
//
// Attributes: NodeDescription, NodeInfo, PortInfo, SLtoVLMappingTable (in port 0, out port 0), and the vendor's Status (0xFF00)
// and Injection (0xFF01). Layouts as in IBA 14.2.5. Errors: status 0x000C for an attribute, or attribute and method, that it
// does not have; 0x001C for a modifier or a field value that it refuses; a refused Set changes nothing.
// PortInfo.PortState can be set to Armed from Initialize and to Active from Armed (and to what it is, or 0 for no change);
// Down asks for a link initialization.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sw/wire/packet.h"

namespace lanecut {

enum class PortState : std::uint8_t { kDown = 1, kInit = 2, kArmed = 3, kActive = 4 };

// What Status reports beyond the agent's own state.
struct NodeStatus {
  bool busy = false;  // a packet is being sent, or waits and is not held back by a halt
  std::uint32_t received = 0;
  std::uint32_t sent = 0;
  std::uint32_t dropped = 0;
};

class Sma {
 public:
  struct Config {
    std::uint64_t node_guid = 0;
    std::string name;
    int num_vls = 2;
    int buffer_blocks = 16;
    int vl15_blocks = 32;
    bool four_lanes = false;  // 4X instead of 1X
  };

  explicit Sma(const Config& config);

  // The GetResp to a Get or Set; nothing if `request` is neither. Method and status are filled in, the direction bit and
  // the hop pointer are left alone. `reinitialize` is set if the link is to be initialized again.
  std::optional<MadBytes> Answer(const MadBytes& request, const NodeStatus& status,
                                 bool* reinitialize);

  PortState port_state() const { return state_; }
  // By the link: Down or Initialize.
  void SetLinkState(PortState state) { state_ = state; }

  std::uint16_t lid() const;
  bool OwnsLid(std::uint16_t lid) const;  // with LMC
  bool halted() const { return halted_; }
  int operational_vls() const { return operational_vls_; }
  int VlOfSl(int sl) const { return sl_to_vl_[sl]; }

 private:
  using Data = std::span<std::uint8_t>;
  using ConstData = std::span<const std::uint8_t>;

  std::uint16_t Get(std::uint16_t attribute, std::uint32_t modifier, const NodeStatus& status,
                    Data data) const;
  std::uint16_t Set(std::uint16_t attribute, std::uint32_t modifier, ConstData data,
                    bool* reinitialize);
  void GetNodeInfo(Data data) const;
  void GetPortInfo(Data data) const;
  void GetStatus(const NodeStatus& status, Data data) const;
  std::uint16_t SetPortInfo(ConstData data, bool* reinitialize);
  void SetSlToVl(ConstData data);

  Config config_;
  PortState state_ = PortState::kDown;
  bool halted_ = false;
  int operational_vls_;
  std::array<std::uint8_t, 16> sl_to_vl_{};
  std::array<std::uint8_t, 64> port_info_{};  // all but the states
};

}  // namespace lanecut
