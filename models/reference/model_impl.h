// SPDX-License-Identifier: Apache-2.0
//
// The reference model's inside: nodes, lanes with a sending and a receiving end, and what ties the
// parts together. put_side.cpp follows what nodes send, get_side.cpp what arrives,
// reconfiguration.cpp numbers and tokens, hold.cpp heads that wait for a function,
// double_scheme.cpp drained VLs, hoq_life.cpp
// and life_time.cpp discards by time, waiting.cpp finds out who waits for whom.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/reference/accounting.h"
#include "models/reference/compact_rules.h"
#include "models/reference/credit_check.h"
#include "models/reference/packet_pool.h"
#include "models/reference/reference_model.h"
#include "models/reference/smp_rules.h"
#include "models/reference/switch_tracker.h"
#include "models/reference/table_mirror.h"
#include "sw/wire/flood_filter.h"
#include "sw/wire/link_packet.h"

namespace lanecut {

class ReferenceModel::Impl {
 public:
  using PacketIndex = reference::PacketIndex;
  using HopPacket = reference::HopPacket;

  int AddSwitch(const std::string& name, const SwitchShape& shape);
  int AddEndNode(const std::string& name, const EndNodeShape& shape);
  int AddLane(int from_node, int from_port, int to_node, int to_port, Cycle fly);

  void OnPut(int lane, Cycle t, Word word);
  void OnGet(int lane, Cycle t, Word word);
  void OnCut(int lane, Cycle t);
  void OnRestore(int lane, Cycle t);
  void OnRxDrop(int node, int port, DropReason reason, Cycle t);
  void OnInputDrop(int node, int port, int lane, DropReason reason, Cycle t,
                   const std::optional<EpochNumbers>& numbers);
  void OnOutputDrop(int node, int port, int lane, DropReason reason, Cycle t);
  void OnSwitchState(int node, const SwitchState& state, Cycle t);
  void OnEndNodeState(int node, const EndNodeState& state, Cycle t);
  void OnGenerated(int node, std::uint64_t id);
  void OnSourceDrop(int node, std::uint64_t id, Cycle t);
  void OnCutShort(int node, std::uint64_t id);
  void OnDelivered(int node, std::uint64_t id, Cycle t);
  void OnGeneralPacket(int node, Cycle t);
  void OnSinkDrop(int node, DropReason reason, Cycle t);

  void SetDropHandler(DropHandler handler) { drop_handler_ = std::move(handler); }
  const Mismatch* mismatch() const { return failed_ ? &mismatch_ : nullptr; }
  Accounts accounts() const;
  void Finish(Cycle t, bool drained);
  std::vector<std::string> Leftovers(int limit) const;
  std::vector<WaitingChannel> Waiting() const;
  std::vector<std::string> WaitingCycle() const;

 private:
  // A set of drop reasons.
  using Reasons = std::uint32_t;
  static constexpr Reasons Bit(DropReason r) {
    return static_cast<Reasons>(1U << static_cast<unsigned>(r));
  }

  enum class State : std::uint8_t {
    kIdle,
    kData,
    kLink,  // first word of a link packet seen
    kSkip,  // what still comes of the packet means nothing
  };

  // A packet that the receiver must refuse with its header.
  struct Refusal {
    PacketIndex packet;
    Reasons reasons;
    Cycle t;
  };

  // OSR on one VL of a lane, or (`put` alone) Double Scheme. -1: not known, as the lane was under
  // no order yet.
  struct Numbers {
    int put = -1;                 // the newest that its sender has sent, in a packet or a token
    bool token_put = false;       // ... in a token
    int passed = -1;              // the newest that its receiver has got, whole and good
    std::uint8_t tokens_got = 0;  // a bit for each number
  };

  struct LaneState {
    LaneState(int vls, int buf_blocks) : credit(vls, buf_blocks) {}

    int index = -1;
    int from = -1, from_port = 0, to = -1, to_port = 0;
    Cycle fly = 0;
    int reverse = -1;
    bool cut = false;
    Cycle cut_at = 0;

    // Sending end.
    State put_state = State::kIdle;
    std::uint8_t put_lane = 0;
    std::uint16_t cut_lanes =
        0;  // lanes whose packet was cut while being sent; the switch has yet to say so
    std::uint32_t put_link_word = 0;
    EndNodeState put_state_of_sender;  // as its packet started
    PacketIndex put = reference::kNoPacket;
    PacketIndex source =
        reference::kNoPacket;  // the packet that is sent, as it arrived at the sender
    Cycle put_last = 0;
    // The words as they are sent: those in the packet's record may already have arrived, damaged.
    std::array<std::uint32_t, reference::kMaxWords> sent{};

    // Under way, oldest first.
    std::vector<PacketIndex> ring;
    std::uint32_t ring_head = 0, ring_tail = 0;

    // Receiving end.
    State got_state = State::kIdle;
    Reasons may_refuse = 0;
    bool disturbed =
        false;  // a header has arrived damaged: the sender's count of blocks may be wrong
    std::uint32_t got_link_word = 0;
    PacketIndex got = reference::kNoPacket;
    Cycle got_last = 0;
    std::deque<Refusal> refusals;
    std::vector<std::deque<Cycle>>
        silent_bad;  // by lane: bad packets that the agent may take in silence

    std::vector<Numbers> numbers;  // by VL

    // The packet that left the sender last, or is leaving.
    std::uint8_t leaving_lane = 0;
    std::uint16_t leaving_blocks = 0;
    Cycle leaving_until = 0;
    std::vector<Cycle> queue_left;  // by lane: when the last packet of that output queue had left

    reference::CreditCheck credit;  // of data on this lane
  };

  // A data packet that has arrived at an end node, which has yet to say what it did with it.
  struct SinkArrival {
    PacketIndex packet;
    bool may_deliver;
    Reasons may_drop;
    Cycle t;
  };

  struct Node {
    // Requests and floods that have come and are looked for in what goes.
    static constexpr std::size_t kRemembered = 64;

    Node(std::string n, int p, int v, int depth)
        : name(std::move(n)), ports(p), vls(v), tables(p, v, depth) {}

    std::string name;
    int ports;
    int vls;
    int buf_blocks = 0;
    SwitchShape shape;                                  // of a switch
    std::unique_ptr<reference::SwitchTracker> tracker;  // null at an end node
    reference::TableMirror tables;
    std::vector<int> in_lane, out_lane;  // by port; -1: none
    std::vector<reference::PendingRequest> requests;
    std::vector<reference::CompactRequest> compact_requests;
    std::vector<reference::CompactFlood> floods;
    std::deque<std::vector<std::uint32_t>> general_requests;  // that the agent has not answered
    FloodFilter flood_filter;
    std::deque<SinkArrival> arrivals;
    SwitchState levels;
    EndNodeState end_node;            // of an end node that reports
    Cycle vls_changed = 0;            // the last command of Double Scheme took effect
    std::vector<int> crossed_before;  // by channel: blocks that left by it although it was closed
    bool reports = false;             // OnSwitchState has been called
    Cycle change_ended = 0;           // the last one
    Cycle committed = 0;              // the number changed for the last time, as far as reported

    bool is_switch() const { return tracker != nullptr; }
  };

  int AddNode(std::unique_ptr<Node> node);

  // Sending end.
  void PutStart(LaneState& lane, Cycle t, std::uint32_t word);
  void PutWord(LaneState& lane, Cycle t, Word word);
  void PutHeader(LaneState& lane, HopPacket& p, Cycle t);
  void Charge(LaneState& lane, const HopPacket& p, int blocks, Cycle t);
  void PutIdentity(LaneState& lane, HopPacket& p, Cycle t);
  void PutEnd(LaneState& lane, HopPacket& p, Cycle t, bool bad_end);
  void PutLinkPacket(LaneState& lane, Cycle t, Word word);
  bool MayBeDown(const LaneState& lane, Cycle t);
  void FollowRestart(LaneState& lane, const LinkPacket& packet, Cycle t);
  void CheckWord(LaneState& lane, const HopPacket& p, int index, std::uint32_t word, Cycle t);
  void CheckEnd(LaneState& lane, const HopPacket& p, Cycle t, bool bad_end);
  void CheckInjection(LaneState& lane, HopPacket& p, Cycle t);
  bool Match(LaneState& lane, HopPacket& p, Cycle t, int count, bool ended);
  void GeneralAtAgent(Node& node, const HopPacket& p);
  bool MatchGeneral(LaneState& lane, HopPacket& p, Cycle t);
  bool DropGeneral(Node& node, DropReason reason);
  void MatchManagement(LaneState& lane, HopPacket& p, Cycle t);
  void MatchCompact(LaneState& lane, HopPacket& p, Cycle t);
  bool MatchFlood(const LaneState& lane, int words);
  void MatchCut(LaneState& lane, HopPacket& p, Cycle t);
  bool MayLeaveWith(const LaneState& lane, const HopPacket& s, std::uint8_t number, Cycle t);
  void HoqDrop(LaneState& lane, int vl, Cycle t);
  void CheckHoqLife(const LaneState& lane, const HopPacket& p, const HopPacket& s);
  void LifeDrop(LaneState& lane, int vl, Cycle t);
  void CheckLifeTime(const LaneState& lane, const HopPacket& p, const HopPacket& s);
  void Adopt(LaneState& lane, HopPacket& p, PacketIndex source, Cycle t);
  void BornHere(HopPacket& p);
  void DiagnoseData(const LaneState& lane, const HopPacket& p, Cycle t, int count);
  void DiagnoseManagement(const LaneState& lane, const HopPacket& p, Cycle t);
  void FinishPut(LaneState& lane, HopPacket& p);

  // Receiving end.
  void GotStart(LaneState& lane, Cycle t, std::uint32_t word);
  void GotWord(LaneState& lane, Cycle t, Word word);
  void GotHeader(LaneState& lane, HopPacket& p, Cycle t);
  void GotLinkPacket(LaneState& lane, Cycle t, Word word);
  void EndArrival(LaneState& lane, HopPacket& p, Cycle t, bool bad);
  void EndAtSwitch(LaneState& lane, HopPacket& p, Cycle t);
  void EndAtEndNode(LaneState& lane, HopPacket& p, Cycle t);
  void EndAtAgent(LaneState& lane, HopPacket& p, Cycle t);
  void EndCompact(LaneState& lane, HopPacket& p, Cycle t);
  void FollowPath(LaneState& lane, HopPacket& p, int index);
  void StepWords(HopPacket& p, int in_port);
  void CloseArrival(LaneState& lane, Cycle t);
  void CloseIfOver(LaneState& lane, Cycle t);
  void Refuse(LaneState& lane, Reasons reasons, Cycle t);
  void CheckMissingDrop(int node, Cycle t);
  void CheckRefusals(LaneState& lane, Cycle t);
  Reasons MustRefuse(const Node& node, const HopPacket& p, std::uint8_t states) const;
  bool GoodEnd(const HopPacket& p, Word word) const;

  // Reconfiguration.
  static std::size_t Channel(const Node& node, int port, int vl) {
    return static_cast<std::size_t>((port - 1) * node.vls + vl);
  }
  static bool IsGateDrop(DropReason reason);
  bool MayOvertake(Cycle t);
  bool Ordered(const LaneState& lane, Cycle t);
  void PutNumber(LaneState& lane, const HopPacket& p, int blocks, Cycle t);
  void PutToken(LaneState& lane, const LinkPacket& packet, Cycle t);
  void GotToken(LaneState& lane, const LinkPacket& packet, Cycle t);
  void Passed(LaneState& lane, int vl, std::uint8_t number, Cycle t);
  bool HasSent(const Node& node, int port, int vl, std::uint8_t number) const;
  bool IsStale(LaneState& lane, int vl, std::uint8_t number, Cycle t);
  void FollowTables(int node, Cycle t);
  void PlacePending(Node& node, Cycle t);
  // A drop by the channel gate, and what it has seen, if that is known.
  struct Gate {
    DropReason reason;
    std::optional<EpochNumbers> numbers;
  };
  void GateDrop(int node, int port, int vl, const Gate& gate, Cycle t);
  std::string WhyNoDrop(int node, PacketIndex i, const Gate& gate, Cycle t);
  std::string WhyNoEpochDrop(Node* node, PacketIndex i, const Gate& gate, Cycle t);
  std::string WhyNoFeederDrop(Node* node, const HopPacket& p, Cycle t);
  void Leaves(LaneState& lane, const HopPacket& p);
  void HasLeft(LaneState& lane, Cycle t);
  void CheckFlip(int node, const SwitchState& now, Cycle t);
  void CheckChannels(int node, const SwitchState& now, Cycle t);
  bool MayChange(const Node& node, Cycle t) const;
  void CheckDone(int node, int port, int vl, Cycle t);
  void CheckSent(int node, int port, int vl, const SwitchState& now, Cycle t);

  // From the event to its pulse on the trace port, with a margin.
  static constexpr Cycle kTraceLatest = 2;

  // EBR that waits.
  void FollowHold(Node& node, Cycle t);
  Cycle DiscardCameBy(Node& node, int port, Cycle t);
  bool IsSpared(Node& node, const EpochNumbers& seen, Cycle t);

  // Double Scheme.
  void PutFunction(LaneState& lane, const HopPacket& p, int blocks, Cycle t);
  void CheckInjectedVl(const LaneState& lane, const HopPacket& p, std::uint8_t number, Cycle t);
  void CountClosed(const LaneState& lane, const HopPacket& arrived, std::uint8_t number, Cycle t);
  void CheckSwitchOver(int node, const SwitchState& now, Cycle t);
  void CheckVls(int node, const SwitchState& now, Cycle t);
  void FollowVls(int node, const SwitchState& now, Cycle t);
  std::string WhyNotEmpty(Node& node, int port, int vl, Cycle t);
  void ForgetFunctions(const Node& node);
  static void ForgetFunctions(LaneState& lane);

  void FinishLane(LaneState& lane, Cycle t);
  void Settle(HopPacket& p, DropReason fate);
  void Account(const HopPacket& p);                          // settled and known
  int LaneOfVl(const Node& node, std::uint32_t word) const;  // -1: no such VL
  std::string Where(const HopPacket& p) const;

  void Fail(Check check, Cycle t, int node, int port, int lane, const HopPacket* p,
            std::string expected, std::string seen);

  // Waiting.
  struct Channels;
  std::optional<EpochNumbers> NumbersOf(int node, const HopPacket& p) const;
  std::string WaitsForFunction(int node, const HopPacket& p) const;
  void AddSwitchChannels(int node, Channels* channels) const;
  void AddSourceChannel(int node, Channels* channels) const;

  reference::PacketPool pool_;
  reference::Accounting accounting_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<LaneState>> lanes_;
  bool failed_ = false;
  DropHandler drop_handler_;
  Mismatch mismatch_;
};

}  // namespace lanecut
