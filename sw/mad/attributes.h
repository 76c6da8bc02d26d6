// SPDX-License-Identifier: Apache-2.0
//
// The attributes of subnet management as plain structs, with their exact layout in the 64 data
// bytes of an SMP.
//
// Encode() writes the whole 64 bytes (reserved fields as zero), Decode() reads them. Values that do
// not fit their field are a programming error (assert). Fields keep the coded values of the
// standard (an MTU code, not bytes). Source: InfiniBand Architecture volume 1, 14.2.5.1
// to 14.2.5.13 and 13.4.8.2 (Notice).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sw/mad/mad.h"

namespace lanecut::ib {

enum class NodeType : std::uint8_t { kChannelAdapter = 1, kSwitch = 2, kRouter = 3 };

enum class PortState : std::uint8_t {
  kNoChange = 0,  // in a Set
  kDown = 1,
  kInitialize = 2,
  kArmed = 3,
  kActive = 4,
};

const char* PortStateName(PortState state);

enum class PortPhysState : std::uint8_t {
  kNoChange = 0,
  kSleep = 1,
  kPolling = 2,
  kDisabled = 3,
  kTraining = 4,
  kLinkUp = 5,
};

// MTU codes: 1 = 256 bytes, 2 = 512, ... 5 = 4096.
inline constexpr std::uint8_t kMtu256 = 1;

// VLCap and OperationalVLs codes: 1 = VL0, 2 = VL0..1, 3 = VL0..3, 4 = VL0..7, 5 = VL0..14.
std::uint8_t VlCode(int num_vls);  // smallest code that holds num_vls (1..15)
int VlsOfCode(std::uint8_t code);  // 0 for a code that means nothing

struct NodeInfo {
  std::uint8_t base_version = 1;
  std::uint8_t class_version = 1;
  NodeType node_type = NodeType::kChannelAdapter;
  std::uint8_t num_ports = 0;
  std::uint64_t system_image_guid = 0;
  std::uint64_t node_guid = 0;
  std::uint64_t port_guid = 0;
  std::uint16_t partition_cap = 0;
  std::uint16_t device_id = 0;
  std::uint32_t revision = 0;
  std::uint8_t local_port_num = 0;  // the port that the request came in by
  std::uint32_t vendor_id = 0;      // 24 bits

  static NodeInfo Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const NodeInfo&, const NodeInfo&) = default;
};

struct NodeDescription {
  std::string text;  // at most 64 bytes; NUL padded in the MAD

  static NodeDescription Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const NodeDescription&, const NodeDescription&) = default;
};

struct SwitchInfo {
  std::uint16_t linear_fdb_cap = 0;
  std::uint16_t random_fdb_cap = 0;
  std::uint16_t multicast_fdb_cap = 0;
  std::uint16_t linear_fdb_top = 0;
  std::uint8_t default_port = 0;
  std::uint8_t default_multicast_primary_port = 0;
  std::uint8_t default_multicast_not_primary_port = 0;
  std::uint8_t life_time_value = 0;     // 5 bits
  bool port_state_change = false;       // written as 1 to clear
  std::uint8_t optimized_sl_to_vl = 0;  // 2 bits; 1: SLtoVL Sets may address all ports at once
  std::uint16_t lids_per_port = 0;
  std::uint16_t partition_enforcement_cap = 0;
  bool inbound_enforcement = false;
  bool outbound_enforcement = false;
  bool filter_raw_inbound = false;
  bool filter_raw_outbound = false;
  bool enhanced_port0 = false;
  std::uint16_t multicast_fdb_top = 0;

  static SwitchInfo Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const SwitchInfo&, const SwitchInfo&) = default;
};

struct PortInfo {
  std::uint64_t m_key = 0;
  std::uint64_t gid_prefix = 0;
  std::uint16_t lid = 0;
  std::uint16_t master_sm_lid = 0;
  std::uint32_t capability_mask = 0;
  std::uint16_t diag_code = 0;
  std::uint16_t m_key_lease_period = 0;
  std::uint8_t local_port_num = 0;
  std::uint8_t link_width_enabled = 0;
  std::uint8_t link_width_supported = 0;
  std::uint8_t link_width_active = 0;
  std::uint8_t link_speed_supported = 0;  // 4 bits
  PortState port_state = PortState::kNoChange;
  PortPhysState port_phys_state = PortPhysState::kNoChange;
  std::uint8_t link_down_default_state = 0;  // 4 bits
  std::uint8_t m_key_protect_bits = 0;       // 2 bits
  std::uint8_t lmc = 0;                      // 3 bits
  std::uint8_t link_speed_active = 0;        // 4 bits
  std::uint8_t link_speed_enabled = 0;       // 4 bits
  std::uint8_t neighbor_mtu = 0;             // 4 bits
  std::uint8_t master_sm_sl = 0;             // 4 bits
  std::uint8_t vl_cap = 0;                   // 4 bits
  std::uint8_t init_type = 0;                // 4 bits
  std::uint8_t vl_high_limit = 0;
  std::uint8_t vl_arbitration_high_cap = 0;
  std::uint8_t vl_arbitration_low_cap = 0;
  std::uint8_t init_type_reply = 0;  // 4 bits
  std::uint8_t mtu_cap = 0;          // 4 bits
  std::uint8_t vl_stall_count = 0;   // 3 bits
  std::uint8_t hoq_life = 0;         // 5 bits
  std::uint8_t operational_vls = 0;  // 4 bits
  bool inbound_enforcement = false;
  bool outbound_enforcement = false;
  bool filter_raw_inbound = false;
  bool filter_raw_outbound = false;
  std::uint16_t m_key_violations = 0;
  std::uint16_t p_key_violations = 0;
  std::uint16_t q_key_violations = 0;
  std::uint8_t guid_cap = 0;
  bool client_reregister = false;
  std::uint8_t multicast_pkey_trap_suppression = 0;  // 2 bits
  std::uint8_t subnet_timeout = 0;                   // 5 bits
  std::uint8_t resp_time_value = 0;                  // 5 bits
  std::uint8_t local_phy_errors = 0;                 // 4 bits
  std::uint8_t overrun_errors = 0;                   // 4 bits
  std::uint16_t max_credit_hint = 0;
  std::uint32_t link_round_trip_latency = 0;  // 24 bits
  std::uint16_t capability_mask2 = 0;
  std::uint8_t link_speed_ext_active = 0;     // 4 bits
  std::uint8_t link_speed_ext_supported = 0;  // 4 bits
  std::uint8_t link_speed_ext_enabled = 0;    // 5 bits

  static PortInfo Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const PortInfo&, const PortInfo&) = default;
};

// 64 entries; the modifier is the block number. Entry: output port, 255 = unreachable.
inline constexpr int kLftBlockEntries = 64;
inline constexpr std::uint8_t kLftUnreachable = 255;

struct LinearForwardingTableBlock {
  std::array<std::uint8_t, kLftBlockEntries> ports{};

  static LinearForwardingTableBlock Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const LinearForwardingTableBlock&,
                         const LinearForwardingTableBlock&) = default;
};

// One (input port, output port) pair of a switch, or the one table of a channel adapter (modifier
// 0). Entry: VL, 15 = drop.
struct SlToVlBlock {
  std::array<std::uint8_t, 16> vl_of_sl{};

  static SlToVlBlock Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const SlToVlBlock&, const SlToVlBlock&) = default;
};

// VLArbitrationTable: half a list of a port. An entry of weight 0 is skipped.
inline constexpr int kVlArbitrationBlockEntries = 32;

struct VlArbitrationEntry {
  std::uint8_t vl = 0;      // 4 bits
  std::uint8_t weight = 0;  // blocks of 64 bytes

  friend bool operator==(const VlArbitrationEntry&, const VlArbitrationEntry&) = default;
};

struct VlArbitrationBlock {
  std::array<VlArbitrationEntry, kVlArbitrationBlockEntries> entries{};

  static VlArbitrationBlock Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VlArbitrationBlock&, const VlArbitrationBlock&) = default;
};

// Attribute modifiers: the first half of a list of a port, 0 at an end node; the second half is one
// block on.
inline constexpr std::uint32_t kVlArbitrationLow = 1;
inline constexpr std::uint32_t kVlArbitrationHigh = 3;
constexpr std::uint32_t VlArbitrationModifier(std::uint32_t block, std::uint8_t port) {
  return block << 16 | port;
}
// PortInfo.VLHighLimit: how much may be sent of the high-priority list while the other one waits.
inline constexpr std::uint8_t kVlHighLimitNone = 255;
inline constexpr int kVlHighLimitUnit = 64;  // blocks of 64 bytes; 0 stands for a packet

// P_KeyTable, one block: entry 0 is the default P_Key at first.
inline constexpr int kPKeyBlockEntries = 32;

struct PKeyBlock {
  std::array<std::uint16_t, kPKeyBlockEntries> keys{0xFFFF};

  static PKeyBlock Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const PKeyBlock&, const PKeyBlock&) = default;
};

// GUIDInfo, one block.
struct GuidBlock {
  std::array<std::uint64_t, 8> guids{};

  static GuidBlock Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const GuidBlock&, const GuidBlock&) = default;
};

// Attribute modifiers of SLtoVLMappingTable on a switch. The two wildcards are for Sets on a switch
// whose SwitchInfo.OptimizedSLtoVLMappingProgramming is set.
inline constexpr std::uint32_t kSlToVlAllInputs = 0x20000;
inline constexpr std::uint32_t kSlToVlAllOutputs = 0x10000;
constexpr std::uint32_t SlToVlModifier(std::uint8_t in_port, std::uint8_t out_port) {
  return static_cast<std::uint32_t>(in_port) << 8 | out_port;
}

// PortInfo.CapabilityMask: a subnet manager runs behind this port (IsSM).
inline constexpr std::uint32_t kCapabilityIsSm = 0x00000002;

enum class SmState : std::uint8_t { kNotActive = 0, kDiscovering = 1, kStandby = 2, kMaster = 3 };

// SMInfo (Get): the subnet manager of a port (IBA 14.2.5.13). Only a manager answers it.
struct SmInfo {
  std::uint64_t guid = 0;  // of the port
  std::uint64_t sm_key = 0;
  std::uint32_t act_count = 0;          // counts up while the manager works
  std::uint8_t priority = 0;            // 4 bits, 15 = highest
  SmState state = SmState::kNotActive;  // 4 bits

  static SmInfo Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const SmInfo&, const SmInfo&) = default;
};

inline constexpr std::uint16_t kTrapLinkStateChange = 128;
inline constexpr std::uint16_t kTrapPortChange = 144;  // capability mask, or another change
inline constexpr std::uint16_t kTrapBadMKey = 256;
inline constexpr std::uint8_t kNoticeUrgent = 1;
inline constexpr std::uint8_t kNoticeSecurity = 2;

// A generic notice; `data_lid` is the first field of trap 128's details: the switch whose link
// changed.
struct Notice {
  bool is_generic = true;
  std::uint8_t type = 1;            // 7 bits; 1 = urgent
  std::uint32_t producer_type = 2;  // 24 bits; 2 = switch
  std::uint16_t trap_number = kTrapLinkStateChange;
  std::uint16_t issuer_lid = 0;
  bool toggle = false;
  std::uint16_t count = 0;  // 15 bits
  std::uint16_t data_lid = 0;

  static Notice Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const Notice&, const Notice&) = default;
};

// The details of trap 144, to be added to its notice.
struct PortChangeDetails {
  std::uint16_t lid = 0;
  std::uint32_t capability_mask = 0;

  void AddTo(Mad* notice) const;
};

// ... and of trap 256: the packet that was denied. The return path of one that came by a directed
// route is left out, which the notice says.
struct BadMKeyDetails {
  std::uint16_t lid = 0;  // of its sender; permissive on a directed route
  bool is_directed = false;
  MadMethod method = MadMethod::kGet;
  MadAttribute attribute = MadAttribute::kNotice;
  std::uint32_t modifier = 0;
  std::uint64_t m_key = 0;

  void AddTo(Mad* notice) const;
};

// ---- Lanecut's own attributes ----

// Status (Get). Counts are modulo 2^32. A switch fills active_bank, an end node halted.
struct VendorStatus {
  bool busy = false;         // a data packet waits, or is being sent
  bool active_bank = false;  // switch, bit 1
  bool halted = false;       // end node, bit 1
  std::uint8_t epoch = 0;    // 5 bits; switch: of the active bank, end node: of what it injects
  bool changing = false;     // switch: a change of function is under way; end node: one by VlDrain,
                             // or a token of the number it injects has not arrived on every VL
  std::uint32_t data_received = 0;
  std::uint32_t data_sent = 0;
  std::uint32_t data_dropped = 0;
  std::uint16_t vl15_blocks = 0;  // input buffer of VL15 in blocks of 64 bytes
  std::uint16_t data_blocks = 0;  // input buffer of each data VL

  static VendorStatus Decode(const Mad& mad, NodeType type);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorStatus&, const VendorStatus&) = default;
};

// Injection (Get, Set), end node only: while halted nothing new starts on the wire.
struct VendorInjection {
  bool halted = false;

  static VendorInjection Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorInjection&, const VendorInjection&) = default;
};

// Bank, switch only. Set with commit: the inactive bank becomes active and `epoch` the
// routing-function number.
struct VendorBank {
  bool commit = false;       // Set only
  bool active_bank = false;  // Get only
  std::uint8_t epoch = 0;    // 5 bits

  static VendorBank Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorBank&, const VendorBank&) = default;
};

// EndNodePorts (Get, Set), switch only: to which of its ports end nodes are attached, and whether
// packets from elsewhere go before packets from there.
struct VendorEndNodePorts {
  std::uint16_t ports = 0;  // bit p: port p, 1..14
  bool transit_first = false;

  static VendorEndNodePorts Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorEndNodePorts&, const VendorEndNodePorts&) = default;
};

// Scheme (Get, Set): what the numbers of routing functions in packets mean to a node.
enum class FunctionScheme : std::uint8_t {
  kNone = 0,    // nothing
  kEpochs = 1,  // packets look tables up in the active bank; old ones may be dropped at input heads
  kTokens = 2,  // packets look tables up in the bank of their number, which follows a token
  kDouble = 3,  // ... of the next number in its bank, all others in the active bank; VlDrain
};

struct VendorScheme {
  FunctionScheme scheme = FunctionScheme::kNone;  // 2 bits
  // 20 bits, switch only: kEpochs: for how many cycles heads wait for a port that has gone down,
  // and blocked heads are not dropped after a commit; 0: neither.
  std::uint32_t hold_cycles = 0;

  static VendorScheme Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorScheme&, const VendorScheme&) = default;
};

// Function (Get, Set): the change from one routing function to the next. A Set names the function
// by its number, which must be the next one or, for a command that has been carried out already,
// the present one.
struct VendorFunction {
  bool ready = false;       // switch: the inactive bank holds function `number` completely
  bool start = false;       // Set: start the change. Get: a change is under way
  std::uint8_t epoch = 0;   // 5 bits, Get only: present number
  std::uint8_t number = 0;  // 5 bits; Get: the number of the inactive bank, 0 if not ready

  static VendorFunction Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorFunction&, const VendorFunction&) = default;
};

// FeederRows (Get, Set), switch only; the modifier says which bank and block. As many rows as fit,
// one after the other, one for each output channel, each with a bit for every input channel: the
// bit says that packets may pass from there to here. A channel is (port - 1) * VLs + VL.
inline constexpr std::uint32_t kFeederRowsInactive = 1u << 31;

struct VendorFeederRows {
  std::array<std::uint32_t, kSmpDataBytes / 4> words{};

  static VendorFeederRows Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorFeederRows&, const VendorFeederRows&) = default;
};

// VlDrain (Get, Set): the change to the next function under scheme kDouble. A Set names the
// function by its number and commands any of: drain (old packets go to VL0, nothing enters the
// other VLs); ready; switch over (the function is in force, on VL1 only until no old packet is left
// on VL0). A switch switches over once it drains and is ready; an end node at any time, but sends
// nothing until its VL1 has run empty. Busy if it comes out of turn. For a function that is in
// force it means nothing.
struct VendorVlDrain {
  bool drain = false;        // Set: drain. Get: it drains
  bool switch_over = false;  // Set: switch over. Get: it has, and VL0 is not open everywhere
  bool ready = false;        // switch: the inactive bank holds function `number`
  bool idle = false;         // Get: it drains, and no packet is left on another VL than 0
  std::uint8_t epoch = 0;    // 5 bits, Get only: present number
  std::uint8_t number = 0;   // 5 bits; Get: the number of the inactive bank, 0 if not ready

  // The node has made the change to this function, and may use all VLs.
  bool IsOver(std::uint8_t function) const { return epoch == function && !drain && !switch_over; }

  static VendorVlDrain Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorVlDrain&, const VendorVlDrain&) = default;
};

// Paths (Set), end node only: from now on it sends to these destinations by these paths. A
// destination is named by its lowest LID, and the path by how far its LID is above that.
struct VendorPaths {
  static constexpr std::size_t kEntries = kSmpDataBytes / 4;
  struct Entry {
    std::uint16_t lid = 0;    // of the destination; 0: no entry
    bool exists = false;      // else no path leads there
    std::uint8_t offset = 0;  // 7 bits
    std::uint8_t sl = 0;      // 4 bits
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::array<Entry, kEntries> entries{};

  static VendorPaths Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorPaths&, const VendorPaths&) = default;
};

// TableUpdate (Set), switch, compact packets only: pieces of the forwarding table, as words {first
// LID, number of LIDs}, both multiples of 4, each with the entries behind it, four to a word. The
// modifier says which bank, and what comes after the last word: the bank becomes active as function
// `number`, or is announced as the next one. A switch where that function is in force, or announced
// and on its way, does nothing, so that the command can be repeated. The answer has the word of
// VlDrain if one is wanted.
inline constexpr std::uint32_t kUpdateCommit = 1u << 31;
inline constexpr std::uint32_t kUpdateReady = 1u << 30;
inline constexpr std::uint32_t kUpdateActive = 1u << 29;  // else the inactive bank
inline constexpr int kUpdateAlign = 4;

// PortCounters (Get), switch; the modifier is the port.
struct VendorPortCounters {
  std::uint32_t data_received = 0;  // data packets
  std::uint32_t data_sent = 0;
  std::uint32_t words_received = 0;
  std::uint32_t words_sent = 0;
  std::uint32_t receive_errors = 0;
  std::uint32_t transmit_discards = 0;
  std::uint32_t vl15_dropped = 0;
  std::uint32_t link_downed = 0;
  std::uint32_t relay_errors = 0;
  std::uint32_t overruns = 0;          // data packets that came without credit
  std::uint32_t packets_received = 0;  // of all VLs
  std::uint32_t packets_sent = 0;

  static VendorPortCounters Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const VendorPortCounters&, const VendorPortCounters&) = default;
};

// The counters in the order of their words, with their names in results.
struct PortCounter {
  std::string_view name;
  std::uint32_t VendorPortCounters::*value;
};
inline constexpr std::array<PortCounter, 12> kPortCounters = {{
    {"data_received", &VendorPortCounters::data_received},
    {"data_sent", &VendorPortCounters::data_sent},
    {"words_received", &VendorPortCounters::words_received},
    {"words_sent", &VendorPortCounters::words_sent},
    {"receive_errors", &VendorPortCounters::receive_errors},
    {"transmit_discards", &VendorPortCounters::transmit_discards},
    {"vl15_dropped", &VendorPortCounters::vl15_dropped},
    {"link_downed", &VendorPortCounters::link_downed},
    {"relay_errors", &VendorPortCounters::relay_errors},
    {"overruns", &VendorPortCounters::overruns},
    {"packets_received", &VendorPortCounters::packets_received},
    {"packets_sent", &VendorPortCounters::packets_sent},
}};

}  // namespace lanecut::ib
