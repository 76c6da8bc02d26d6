// SPDX-License-Identifier: Apache-2.0
//
// An end node with one port: link layer, management agent, source queue, sink, and the port of a
// subnet manager.
//
// Timing. Step(t) is the clock edge at the end of cycle t: it reads the input pins of cycle t and
// decides the output pins of cycle t + 1. A packet offered before Step(t) can have its first word
// on the wire in cycle t + 1; a flow-control packet or an SMP whose last word was on the input pins
// in cycle t can take effect, or be answered, in t + 1. When Idle(), nothing arrives, the link did
// not change and t is not a multiple of kTickCycles, Step changes nothing and may be skipped
// (`NeedsStep`).
//
// Link layer (IBA 7): port states Down (no physical link), Initialize, Armed, Active; the last two
// by Set(PortInfo) only. Data are sent in Active and accepted in Armed and Active; management
// (VL15) from Initialize on. Order between packets: urgent flow control, tokens of OSR and their
// acknowledgements (routing_function.h; in Active only), VL15, data VLs, other flow control. Data
// VLs take turns by packet, or as the tables of VL arbitration say once the manager has written
// them (vl_arbiter.h); management and the end-to-end protocol go before them without counting. When
// the link goes down, the packet being sent is lost, queued management too; data in the source
// queue wait.
//
// Management. An SMP for this node is answered by its agent; the answer waits in the VL15 send
// queue and is dropped if that is full. What the M_Key denies (m_key.h) gets no answer, and trap
// 256 goes to the manager; trap 144 tells it that a manager has come or gone behind this port,
// which the capability mask says. Everything else (GetResp, Trap ..) goes to the manager's handler,
// if there is one. So it is with general management packets (of other classes): requests of
// performance management are answered, the rest is for the handler. They leave before other data,
// on the SL of the request that they answer, on PortInfo.MasterSMSL if they go to the master subnet
// manager, or else on SL 0; what comes while the port is not Active is dropped.
//
// End-to-end protocol, if config.reliable is on (reliable_sender.h, reliable_receiver.h). All nodes
// of a network must have it or none. Acknowledgements and retransmissions are data packets and obey
// the same rules; they do not pass through the source queue but go before it. The source queue
// holds what was never sent: the copies that are kept for retransmission do not count. A packet at
// its front whose flow has a full window holds up the others of its SL. Such a node is not Idle()
// while a timer runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/hca/flow_control.h"
#include "models/hca/hca_observer.h"
#include "models/hca/path_table.h"
#include "models/hca/pma.h"
#include "models/hca/reliable_receiver.h"
#include "models/hca/reliable_sender.h"
#include "models/hca/sma.h"
#include "models/hca/source_queue.h"
#include "models/hca/trap_sender.h"
#include "models/link/link.h"
#include "sw/mad/mad.h"
#include "sw/wire/compact.h"
#include "sw/wire/drop_reason.h"
#include "sw/wire/flood_filter.h"
#include "sw/wire/packet.h"
#include "sw/wire/word.h"

namespace lanecut {

// Period of the slow time base: flow-control refresh, as in the switch.
inline constexpr Cycle kTickCycles = 4096;

struct HcaConfig {
  int index = 0;  // 0..65535, unique in the fabric; part of the packet ids
  std::uint64_t node_guid = 0;
  std::string name = {};   // NodeDescription, at most 64 bytes
  int num_vls = 2;         // data VLs, 1..15
  int buffer_blocks = 16;  // per data VL
  int vl15_blocks = 32;
  bool four_lanes = false;  // reported link width 4X instead of 1X
  int source_queue = 64;    // packets
  int mad_queue = 16;       // SMPs waiting to be sent
  ReliableConfig reliable = {};
};

struct HcaCounters {
  std::uint64_t data_sent = 0;      // begun
  std::uint64_t data_received = 0;  // delivered
  std::uint64_t data_dropped = 0;   // at the source, cut short, or refused on arrival
  std::uint64_t source_drops = 0;   // of these, at the source
  std::uint64_t order_errors = 0;
  std::uint64_t framing_errors = 0;  // words outside a packet, truncated packets
  std::uint64_t bad_packets = 0;     // VCRC, ICRC, bad end, truncated
  std::uint64_t bad_link_packets = 0;
  std::uint64_t no_credit = 0;        // data packets that came without credit
  std::uint64_t retransmissions = 0;  // of data_sent
  std::uint64_t acks_sent = 0;        // of data_sent
  std::uint64_t stale = 0;            // of data_received: OSR was violated (OnStalePacket)
  std::uint64_t discarded = 0;        // of data_received: duplicates, or beyond the reorder buffer
  std::uint64_t mads_sent = 0;
  std::uint64_t mads_received = 0;
  std::uint64_t mads_dropped = 0;  // malformed, misdirected, or no room for the answer
};

class Hca {
 public:
  // `slid` is who sent it, the permissive LID on a directed route.
  using MadHandler = std::function<void(const MadBytes& mad, std::uint16_t slid, Cycle t)>;

  // Whether a subnet manager runs behind the port, which PortInfo tells, and by which ways it
  // answers SMInfo requests: Get only, or Set, too. Those that it does not answer are refused.
  enum class Manager : std::uint8_t { kNone, kDirectedOnly, kFull };

  // `observer` may be null; it must outlive the node. std::invalid_argument for a configuration out
  // of range.
  explicit Hca(const HcaConfig& config, HcaObserver* observer = nullptr);

  // Once, before the first Step. The link must outlive the node.
  void Connect(Link* link, int end);

  void Step(Cycle t) {
    const Word word = in_->Get(t);
    if (word.ctrl == Ctrl::kIdle && idle_ && t % kTickCycles != 0 && link_->PhyUp() == phy_up_) {
      return;
    }
    StepActive(t, word);
  }

  bool Idle() const { return idle_; }
  bool NeedsStep(Cycle t) const {
    return !idle_ || !in_->Empty() || t % kTickCycles == 0 || link_->PhyUp() != phy_up_;
  }

  // A packet to send, generated in cycle t; `dlid` and `sl` are those of some path to its
  // destination, and hold unless others have been loaded. False if the source queue is full: the
  // packet is dropped; so it is without a path. `payload_bytes` as in BuildDataPacket; sl 0..15.
  bool Offer(Cycle t, std::uint16_t dlid, int payload_bytes, std::uint8_t sl);

  // A request or a flood of the subnet manager, by the wire. False as above.
  bool SendCompact(const CompactPacket& compact);

  // The subnet manager's port; what is no SMP goes as a general management packet. A directed route
  // starts with hop pointer 0 and D = 0; with hop count 0, or a `dlid` of this node, it is answered
  // without the wire. `dlid` does not matter for a directed route. False if there is no room, or
  // the link is down: nothing happened. An SMP whose path leads nowhere is dropped. The handler
  // runs inside Step, never inside SendMad.
  bool SendMad(const MadBytes& bytes, std::uint16_t dlid = kPermissiveLid);
  // The handler of what is not for the agent. A manager behind it gets SMInfo requests, too, and
  // answers them by SendMad.
  void SetMadHandler(MadHandler handler, Manager manager = Manager::kDirectedOnly) {
    mad_handler_ = std::move(handler);
    SetManager(mad_handler_ ? manager : Manager::kNone);
  }
  void SetManager(Manager manager);
  // The agent's answer to a Get from this node, which does not take the wire.
  ib::Mad Ask(ib::MadAttribute attribute) const;

  // Told when the physical link comes up or goes down, inside Step.
  using LinkHandler = std::function<void(bool is_up, Cycle t)>;
  void SetLinkHandler(LinkHandler handler) { link_handler_ = std::move(handler); }

  // The paths to the destination with this lowest LID, as subnet administration would know them, in
  // the order in which to use them. Packets to it take the first one, those that wait in the source
  // queue, too, until a Set of Paths or the end-to-end protocol says otherwise. The protocol
  // migrates to the next path when a packet has been sent twice and nothing of its flow has been
  // acknowledged since.
  void LoadPaths(std::uint16_t lid, std::vector<PathTable::Path> paths, Cycle t);

  // The SL to a LID, as subnet administration would know it: for acknowledgements and for packets
  // that are sent again. Without it they take that of the packet that they are about.
  using SlQuery = std::function<std::uint8_t(std::uint16_t dlid, std::uint8_t sl)>;
  void SetSlQuery(SlQuery query) { sl_query_ = std::move(query); }
  // Packets that wait in the source queue take the SLs that the query answers now.
  void FollowSls();

  // Whether packets may be sent to a LID, as subnet administration would know it; without it to
  // all. Packets that may not are dropped at the source when they are offered, and those that wait
  // in the source queue when the answers have changed, in cycle t.
  using PathQuery = std::function<bool(std::uint16_t dlid)>;
  void SetPathQuery(PathQuery query) { path_query_ = std::move(query); }
  void DropWithoutPath(Cycle t);

  const HcaConfig& config() const { return config_; }
  const HcaCounters& counters() const { return counters_; }
  ib::PortState port_state() const { return sma_.port_state(); }
  std::uint16_t lid() const { return sma_.lid(); }
  bool halted() const { return sma_.halted(); }
  int QueuedPackets() const { return queue_.size(); }
  // Packets in the source queue, or an acknowledgement or a retransmission that is due.
  // Or a general management packet.
  bool DataWaits() const { return queue_.size() != 0 || protocol_due_ || !general_queue_.empty(); }
  // Messages that were sent and are not acknowledged.
  std::size_t Unacknowledged() const { return sender_ ? sender_->unacknowledged() : 0; }
  // A data packet is on its way out; nothing of it is lost unless the link is.
  bool SendingData() const { return sending_ == Sending::kData; }
  // The packet of this SL that would go next, or null. For diagnosis.
  const SourceQueue::Entry* Waiting(int sl) const;
  const FlowControl& flow_control() const { return flow_control_; }
  const RoutingFunction& function() const { return sma_.function(); }

 private:
  enum class Sending : std::uint8_t { kNothing, kLinkPacket, kManagement, kData };

  // Where an SMP of this node goes.
  enum class Way : std::uint8_t { kHere, kWire, kNowhere };

  void StepActive(Cycle t, Word word);
  void FollowLink(Cycle t);
  void InitializeLink(ib::PortState state, Cycle t);
  bool CanTransmit() const;
  bool CanStartData() const;
  bool CanStartToken() const;

  // Receiving.
  void Receive(Cycle t, Word word);
  void Open(Cycle t, Word word);
  void Append(Word word);
  void Close(Cycle t, bool good_end);
  void CloseLinkPacket(Cycle t, bool good_end);
  void Truncate(DropReason reason, Cycle t);
  DropReason ReceivePacket(std::span<const std::uint32_t> words, Cycle t);
  DropReason ReceiveData(const Lrh& lrh, std::span<const std::uint32_t> lrh_to_icrc, Cycle t);
  DropReason ReceiveSmp(const Lrh& lrh, std::span<const std::uint32_t> lrh_to_icrc, Cycle t);
  void Deliver(const DataPacket& data, Cycle t);
  bool TakeOnce(const DataPacket& data, Cycle t);
  void DeliverAck(const AckPacket& ack, Cycle t);
  bool InOrder(const HcaPacket& packet);
  void FollowToken(const LinkPacket& packet, Cycle t);
  void FollowNumber(const HcaPacket& packet);
  void Refuse(DropReason reason, Cycle t);

  // Management.
  Way Route(ib::Mad* mad, std::uint16_t dlid) const;
  void Queue(const ib::Mad& mad, std::uint16_t dlid, std::uint8_t sl);
  void QueueGeneral(const ib::Mad& mad, std::uint16_t dlid, std::uint8_t sl);
  std::uint8_t GeneralSl(const ib::Mad& mad, std::uint16_t dlid) const;
  bool HasRoom(const ib::Mad& mad) const;
  void ReceiveGeneral(const GmpPacket& gmp, Cycle t);
  bool IsForAgent(const ib::Mad& mad) const;
  DropReason ReceiveCompact(std::span<const std::uint32_t> lrh_to_icrc, Cycle t);
  static bool EndsHere(const CompactPacket& compact, const ib::Mad& mad);
  void AnswerCompact(const CompactPacket& request, const ib::Mad& answer);
  bool Admit(const ib::Mad& mad, std::uint16_t requester, Cycle t);
  bool TakeRepress(const ib::Mad& mad, std::uint16_t requester, Cycle t);
  bool KnowsManager() const { return lid() != 0 && sma_.master_lid() != 0; }
  template <typename Details>
  void RaiseTrap(std::uint8_t type, std::uint16_t number, const Details& details);
  void SendTraps(Cycle t);
  void Serve(ib::Mad* mad, Cycle t);
  void Answer(ib::Mad* mad, std::uint16_t requester, std::uint8_t sl, Cycle t);
  void HandToManager(const ib::Mad& mad, std::uint16_t slid, Cycle t);
  bool AsksManager(const ib::Mad& mad) const;
  void HandleLocalMads(Cycle t);
  ib::VendorStatus Status() const;

  // Sending; `t` is the cycle of the pins.
  void Transmit(Cycle t);
  bool Start(Cycle t);
  void StartLinkPacket();
  void StartToken(Cycle t);
  void BeginLinkPacket(const LinkPacket& packet);
  void StartSmp();
  bool StartData(Cycle t);
  bool StartGeneral();
  bool StartAck(Cycle t);
  bool StartRetransmission(Cycle t);
  void BeginData(const DataPacket& data, PacketKind kind, Cycle t);
  void Begin(const HcaPacket& packet);
  void BeginOnDataVl(int vl);
  void FollowTimers(Cycle t);
  void FollowDrain(Cycle t);
  bool MaySend(int vl, int blocks) const;
  int VlWithCredit(int sl, int blocks) const;
  int ChooseSl();
  int ChooseVl(std::span<const int> blocks);
  void DropUnroutable(Cycle t);
  void DropAtSource(const SourceQueue::Entry& entry, DropReason reason, Cycle t);
  // Tells of paths that have changed, and sends the packets that wait by them.
  void FollowPaths(Cycle t);
  void Readdress(SourceQueue::Entry entry, const PathTable::Path& path);
  std::optional<PathTable::Path> PathFor(std::uint16_t dlid, std::uint8_t sl) const {
    return sma_.paths().PathFor({dlid, sl});
  }
  // Of a packet of the end-to-end protocol.
  std::optional<PathTable::Path> ProtocolPath(std::uint16_t dlid, std::uint8_t sl) const;

  // Touched in every cycle.
  Lane* in_ = nullptr;
  Lane* out_ = nullptr;
  const Link* link_ = nullptr;
  bool idle_ = false;
  bool phy_up_ = false;
  bool open_ = false;       // a packet is arriving
  bool open_link_ = false;  // it is a link packet
  bool too_long_ = false;
  bool reliable_ = false;
  bool protocol_due_ = false;
  bool data_stuck_ = false;  // no waiting data packet may start until something changes
  Sending sending_ = Sending::kNothing;
  std::size_t received_words_ = 0;
  std::size_t sent_words_ = 0;
  std::vector<std::uint32_t> rx_words_;
  std::vector<Word> tx_words_;

  Cycle head_cycle_ = 0;  // of the packet that is arriving
  HcaPacket current_;     // the data packet that is being sent
  Packet packet_;         // the packet that is being built
  FlowControl flow_control_;
  SourceQueue queue_;
  Sma sma_;
  Pma pma_;
  TrapSender traps_;
  int last_vl_ = 0;
  std::uint64_t next_sequence_ = 1;  // id 0 stands for a packet that nobody could read
  HcaConfig config_;
  HcaObserver* observer_;
  HcaCounters counters_;
  MadHandler mad_handler_;
  Manager manager_ = Manager::kNone;
  LinkHandler link_handler_;
  std::deque<Packet> mad_queue_;
  std::deque<GmpPacket> general_queue_;
  std::uint32_t general_psn_ = 0;
  // By LID: the SL of the last general request that the handler has got from there.
  std::unordered_map<std::uint16_t, std::uint8_t> requester_sl_;
  FloodFilter floods_;
  std::deque<ib::Mad> local_mads_;  // of the manager to its own node, handled in the next Step
  std::unordered_map<std::uint64_t, std::uint64_t> last_of_flow_;
  std::optional<ReliableSender> sender_;
  std::optional<ReliableReceiver> receiver_;
  std::vector<ReliableReceiver::Message> messages_;  // in order now
  std::uint32_t next_ack_ = 0;
  HcaDrain drain_;  // as last reported
  SlQuery sl_query_;
  PathQuery path_query_;
};

}  // namespace lanecut
