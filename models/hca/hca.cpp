// SPDX-License-Identifier: Apache-2.0
#include "models/hca/hca.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "sw/mad/compact_mad.h"
#include "sw/mad/directed_route.h"
#include "sw/wire/link_packet.h"

namespace lanecut {

using ib::Mad;
using ib::MadClass;
using ib::MadMethod;
using ib::PortState;
using ib::RouteStep;

namespace {

constexpr std::uint8_t kOwnPort = 1;
// LRH, BTH, ICRC and the VCRC word.
constexpr std::size_t kMinWireWords = kLrhWords + kBthWords + 2;
constexpr std::size_t kWordsWithId = 7;

void Require(bool ok, const HcaConfig& config, const char* what) {
  if (!ok) throw std::invalid_argument("end node '" + config.name + "': expected " + what);
}

HcaConfig Checked(const HcaConfig& config) {
  Require(config.index >= 0 && config.index <= 0xFFFF, config, "an index in 0..65535");
  Require(config.name.size() <= ib::kSmpDataBytes, config, "a name of at most 64 bytes");
  Require(config.num_vls >= 1 && config.num_vls <= FlowControl::kMaxVls, config, "1..15 data VLs");
  Require(config.buffer_blocks >= 1 && config.buffer_blocks <= 2048, config,
          "a buffer of 1..2048 blocks");
  Require(config.vl15_blocks >= BlocksOfWords(kSmpPacketWords + 1) && config.vl15_blocks <= 2048,
          config, "a VL15 buffer of 5..2048 blocks");
  const ReliableConfig& reliable = config.reliable;
  constexpr int kMostPackets = 1 << 22;  // far below half of the PSNs
  Require(reliable.window >= 1 && reliable.window <= kMostPackets, config,
          "a window of 1..2^22 packets");
  Require(reliable.reorder >= 0 && reliable.reorder <= kMostPackets, config,
          "a reorder buffer of 0..2^22 packets");
  Require(config.source_queue >= 1 && config.mad_queue >= 1, config, "queues of at least 1");
  return config;
}

bool IsRequest(const Mad& mad) {
  return mad.method() == MadMethod::kGet || mad.method() == MadMethod::kSet;
}

}  // namespace

Hca::Hca(const HcaConfig& config, HcaObserver* observer)
    : flow_control_(Checked(config).num_vls, config.buffer_blocks),
      queue_(config.source_queue),
      sma_({.node_guid = config.node_guid,
            .name = config.name,
            .num_vls = config.num_vls,
            .buffer_blocks = config.buffer_blocks,
            .vl15_blocks = config.vl15_blocks,
            .four_lanes = config.four_lanes}),
      config_(config),
      observer_(observer) {
  const int blocks = std::max(config.buffer_blocks, config.vl15_blocks);
  rx_words_.resize(static_cast<std::size_t>(blocks) * kWordsPerBlock);
  reliable_ = config.reliable.on;
  if (reliable_) {
    sender_.emplace(config.reliable);
    receiver_.emplace(config.reliable);
  }
}

void Hca::Connect(Link* link, int end) {
  link_ = link;
  in_ = &link->In(end);
  out_ = &link->Out(end);
}

void Hca::StepActive(Cycle t, Word word) {
  if (link_->PhyUp() != phy_up_) FollowLink(t);
  if (t % kTickCycles == 0) {
    flow_control_.Refresh();
    sma_.function().Repeat();
    traps_.Tick();
  }
  Receive(t, word);
  if (!local_mads_.empty()) HandleLocalMads(t);
  SendTraps(t);
  if (reliable_) FollowTimers(t + 1);
  FollowDrain(t + 1);
  Transmit(t + 1);
  idle_ = !open_ && local_mads_.empty() && !CanTransmit();
  if (reliable_ && (sender_->Waiting() || receiver_->Owes())) idle_ = false;
}

bool Hca::CanTransmit() const {
  if (sending_ != Sending::kNothing) return true;
  if (port_state() == PortState::kDown) return false;
  return flow_control_.Changed() || CanStartToken() || !mad_queue_.empty() || CanStartData();
}

bool Hca::CanStartData() const {
  return DataWaits() && !data_stuck_ && port_state() == PortState::kActive && !halted();
}

bool Hca::CanStartToken() const {
  return sma_.function().Due() && port_state() == PortState::kActive;
}

void Hca::FollowLink(Cycle t) {
  if (phy_up_ && !link_->PhyUp()) pma_.OnLinkDowned();
  phy_up_ = link_->PhyUp();
  if (open_) Truncate(DropReason::kLinkCut, t);
  InitializeLink(phy_up_ ? PortState::kInitialize : PortState::kDown, t);
  if (link_handler_) link_handler_(phy_up_, t);
}

void Hca::InitializeLink(PortState state, Cycle t) {
  sma_.SetLinkState(state);
  flow_control_.Reset();
  sma_.function().ForgetAcks();
  data_stuck_ = false;
  counters_.mads_dropped += mad_queue_.size();
  mad_queue_.clear();
  counters_.mads_dropped += general_queue_.size();
  general_queue_.clear();
  if (sending_ == Sending::kData) {
    ++counters_.data_dropped;
    // A general management packet has no id, and nobody follows it.
    if (observer_ != nullptr && current_.id != 0) observer_->OnCutShort(config_.index, current_, t);
  } else if (sending_ == Sending::kManagement) {
    ++counters_.mads_dropped;
  }
  sending_ = Sending::kNothing;
}

const SourceQueue::Entry* Hca::Waiting(int sl) const {
  return (queue_.waiting_sls() >> sl & 1) != 0 ? &queue_.Front(sl) : nullptr;
}

bool Hca::Offer(Cycle t, std::uint16_t asked_dlid, int payload_bytes, std::uint8_t asked_sl) {
  CheckPayloadSize(payload_bytes);
  if (asked_sl >= SourceQueue::kSls) throw std::invalid_argument("SL: expected 0..15");
  const std::optional<PathTable::Path> path = PathFor(asked_dlid, asked_sl);
  const auto [dlid, sl] = path.value_or(PathTable::Path{asked_dlid, asked_sl});
  const HcaPacket packet{
      .id = MakePacketId(static_cast<std::uint16_t>(config_.index), next_sequence_++),
      .generated = t,
      .wire_bytes = static_cast<std::uint32_t>(DataWireBytes(payload_bytes)),
      .dlid = dlid,
      .sl = sl};
  if (observer_ != nullptr) observer_->OnGenerated(config_.index, packet);
  const SourceQueue::Entry entry{packet.id, t, payload_bytes, dlid, sl};
  const bool has_path = path && (!path_query_ || path_query_(dlid));
  if (!has_path || queue_.full()) {
    DropAtSource(entry, has_path ? DropReason::kSourceQueue : DropReason::kNoPath, t);
    return false;
  }
  queue_.Push(entry);
  data_stuck_ = false;
  idle_ = false;
  return true;
}

// ---- Receiving ----

void Hca::Receive(Cycle t, Word word) {
  switch (word.ctrl) {
    case Ctrl::kIdle:
      if (open_) Truncate(DropReason::kBad, t);
      return;
    case Ctrl::kStartData:
    case Ctrl::kStartLink:
      if (open_) Truncate(DropReason::kBad, t);
      Open(t, word);
      return;
    case Ctrl::kBody:
      Append(word);
      return;
    case Ctrl::kGoodEnd:
    case Ctrl::kBadEnd:
      Append(word);
      if (open_) Close(t, word.ctrl == Ctrl::kGoodEnd);
      return;
  }
}

void Hca::Open(Cycle t, Word word) {
  open_ = true;
  open_link_ = word.ctrl == Ctrl::kStartLink;
  too_long_ = false;
  head_cycle_ = t;
  rx_words_[0] = word.data;
  received_words_ = 1;
}

void Hca::Append(Word word) {
  if (!open_) {
    ++counters_.framing_errors;
  } else if (received_words_ == rx_words_.size()) {
    too_long_ = true;
  } else {
    rx_words_[received_words_++] = word.data;
  }
}

void Hca::Close(Cycle t, bool good_end) {
  open_ = false;
  if (open_link_) {
    CloseLinkPacket(t, good_end);
    return;
  }
  const std::span<const std::uint32_t> words(rx_words_.data(), received_words_);
  DropReason reason = DropReason::kBad;
  if (too_long_) {
    reason = DropReason::kLength;
  } else if (good_end) {
    reason = ReceivePacket(words, t);
  }
  if (reason != DropReason::kNone) Refuse(reason, t);
}

void Hca::CloseLinkPacket(Cycle t, bool good_end) {
  std::optional<LinkPacket> packet;
  if (good_end && received_words_ == kLinkPacketWords) {
    packet = DecodeLinkPacket(rx_words_[0], rx_words_[1]);
  }
  if (!packet) {
    ++counters_.bad_link_packets;
    return;
  }
  if (packet->op == kOpToken || packet->op == kOpTokenAck) FollowToken(*packet, t);
  // Other Ops are for other receivers; a VL that is not operational has no credits.
  if (packet->op > kOpFlowControlInit || packet->vl >= sma_.operational_vls()) return;
  flow_control_.Update(*packet);
  data_stuck_ = false;
}

// A channel of the switch has its token, whether the VL is operational or not.
void Hca::FollowToken(const LinkPacket& packet, Cycle t) {
  if (packet.op == kOpTokenAck) {
    sma_.function().AckArrives(packet);
  } else if (sma_.function().TokenArrives(packet) && observer_ != nullptr) {
    observer_->OnTokenPassed(config_.index, packet.vl, packet.number(), t);
  }
}

void Hca::FollowNumber(const HcaPacket& packet) {
  const bool stale = sma_.function().IsStale(packet.vl, packet.number);
  const bool passed = sma_.function().PacketArrives(packet.vl, packet.number);
  if (stale) ++counters_.stale;
  if (observer_ == nullptr) return;
  if (stale) {
    observer_->OnStalePacket(config_.index, packet, sma_.function().passed(packet.vl));
  }
  if (passed) {
    observer_->OnTokenPassed(config_.index, packet.vl, packet.number, packet.tail);
  }
}

void Hca::Truncate(DropReason reason, Cycle t) {
  open_ = false;
  ++counters_.framing_errors;
  if (open_link_) {
    ++counters_.bad_link_packets;
  } else {
    Refuse(reason, t);
  }
}

DropReason Hca::ReceivePacket(std::span<const std::uint32_t> words, Cycle t) {
  if (words.size() < kMinWireWords) return DropReason::kLength;
  if (!VcrcOk(words)) return DropReason::kBad;
  const Lrh lrh = Lrh::Decode(words[0], words[1]);
  if (lrh.pkt_len + std::size_t{1} != words.size()) return DropReason::kLength;
  pma_.OnReceived(words.size());
  const auto lrh_to_icrc = words.first(words.size() - 1);
  return lrh.vl == kVl15 ? ReceiveSmp(lrh, lrh_to_icrc, t) : ReceiveData(lrh, lrh_to_icrc, t);
}

DropReason Hca::ReceiveData(const Lrh& lrh, std::span<const std::uint32_t> lrh_to_icrc, Cycle t) {
  if (lrh.vl >= sma_.operational_vls()) return DropReason::kBadVl;
  const int blocks = BlocksOfWords(static_cast<int>(lrh_to_icrc.size()) + 1);
  if (blocks > config_.buffer_blocks) return DropReason::kLength;
  if (!flow_control_.Received(lrh.vl, blocks)) {
    ++counters_.no_credit;
    return DropReason::kNoRoom;
  }
  if (port_state() != PortState::kArmed && port_state() != PortState::kActive) {
    return DropReason::kPortInactive;
  }
  if (!IcrcOk(lrh_to_icrc)) return DropReason::kBad;
  if (!sma_.OwnsLid(lrh.dlid)) return DropReason::kMisdelivered;
  if (const auto data = ParseDataPacket(lrh_to_icrc)) {
    Deliver(*data, t);
    return DropReason::kNone;
  }
  if (const auto ack = ParseAckPacket(lrh_to_icrc); ack && reliable_) {
    DeliverAck(*ack, t);
    return DropReason::kNone;
  }
  if (const auto gmp = ParseGmpPacket(lrh_to_icrc)) {
    ReceiveGeneral(*gmp, t);
    return DropReason::kNone;
  }
  return DropReason::kManagement;
}

void Hca::ReceiveGeneral(const GmpPacket& gmp, Cycle t) {
  ++counters_.data_received;
  ++counters_.mads_received;
  FollowNumber({.head = head_cycle_,
                .tail = t,
                .slid = gmp.slid,
                .dlid = gmp.dlid,
                .sl = gmp.sl,
                .vl = gmp.vl,
                .number = FunctionNumber(gmp.epoch)});
  if (observer_ != nullptr) observer_->OnGeneralPacket(config_.index, t);
  Mad mad{gmp.mad};
  if (IsForAgent(mad)) {
    Answer(&mad, gmp.slid, gmp.sl, t);
  } else {
    if (!mad.is_response()) requester_sl_[gmp.slid] = gmp.sl;
    HandToManager(mad, gmp.slid, t);
  }
}

// Requests of subnet and performance management that no manager answers.
bool Hca::IsForAgent(const Mad& mad) const {
  if (!IsRequest(mad)) return false;
  return mad.is_smp() ? !AsksManager(mad) : mad.mad_class() == MadClass::kPerformance;
}

void Hca::Deliver(const DataPacket& data, Cycle t) {
  HcaPacket packet{.id = data.id,
                   .generated = data.generated,
                   .injected = data.generated + data.queue_cycles,
                   .head = head_cycle_,
                   .tail = t,
                   .wire_bytes = static_cast<std::uint32_t>(DataWireBytes(data.payload_bytes)),
                   .slid = data.slid,
                   .dlid = data.dlid,
                   .sl = data.sl,
                   .vl = data.vl,
                   .number = FunctionNumber(data.epoch)};
  ++counters_.data_received;
  FollowNumber(packet);
  if (reliable_) {
    packet.discarded = !TakeOnce(data, t);
    if (packet.discarded) ++counters_.discarded;
  } else if (!InOrder(packet)) {
    ++counters_.order_errors;
    if (observer_ != nullptr) observer_->OnOrderError(config_.index, packet);
  }
  if (observer_ == nullptr) return;
  observer_->OnDelivered(config_.index, packet);
  for (const auto& [number, generated] : messages_) {
    observer_->OnMessage(
        config_.index,
        {.source = PacketSource(data.id), .dlid = lid(), .number = number, .generated = generated},
        t);
  }
}

// False if it is discarded. Leaves the messages that are in order now in messages_.
bool Hca::TakeOnce(const DataPacket& data, Cycle t) {
  messages_.clear();
  return data.ack_request && receiver_->Receive({.source = PacketSource(data.id),
                                                 .slid = data.slid,
                                                 .dlid = lid(),  // by whichever it came
                                                 .sl = data.sl,
                                                 .psn = data.psn,
                                                 .generated = data.generated},
                                                t, &messages_);
}

void Hca::DeliverAck(const AckPacket& ack, Cycle t) {
  ++counters_.data_received;
  if (sender_->Acknowledge(ack.slid, ack.psn)) data_stuck_ = false;  // its window has moved
  const HcaPacket packet{.id = ack.id(),
                         .head = head_cycle_,
                         .tail = t,
                         .wire_bytes = kAckWireBytes,
                         .slid = ack.slid,
                         .dlid = ack.dlid,
                         .sl = ack.sl,
                         .vl = ack.vl,
                         .number = FunctionNumber(ack.epoch),
                         .kind = PacketKind::kAck};
  FollowNumber(packet);
  if (observer_ != nullptr) observer_->OnDelivered(config_.index, packet);
}

bool Hca::InOrder(const HcaPacket& packet) {
  const std::uint64_t flow =
      std::uint64_t{PacketSource(packet.id)} << 32 | std::uint64_t{packet.dlid} << 8 | packet.sl;
  const auto [last, first_of_flow] = last_of_flow_.try_emplace(flow, packet.id);
  if (first_of_flow) return true;
  if (packet.id <= last->second) return false;
  last->second = packet.id;
  return true;
}

void Hca::Refuse(DropReason reason, Cycle t) {
  if (reason == DropReason::kBad || reason == DropReason::kLinkCut) {
    ++counters_.bad_packets;
    pma_.OnReceiveError();
  }
  if (rx_words_[0] >> 28 == kVl15) {
    ++counters_.mads_dropped;
    return;
  }
  ++counters_.data_dropped;
  if (observer_ == nullptr) return;
  const std::uint64_t id = received_words_ >= kWordsWithId ? PacketIdOf(rx_words_) : 0;
  observer_->OnReceiveDrop(config_.index, id, reason, t);
}

// ---- Management ----

DropReason Hca::ReceiveSmp(const Lrh& lrh, std::span<const std::uint32_t> lrh_to_icrc, Cycle t) {
  if (!IcrcOk(lrh_to_icrc)) return DropReason::kBad;
  if (IsCompact(lrh_to_icrc)) return ReceiveCompact(lrh_to_icrc, t);
  const std::optional<SmpPacket> smp = ParseSmpPacket(lrh_to_icrc);
  if (!smp) return DropReason::kManagement;
  Mad mad{smp->mad};
  bool for_manager = !IsRequest(mad);
  if (mad.mad_class() == MadClass::kSubnDirected) {
    if (lrh.dlid != kPermissiveLid) return DropReason::kManagement;
    const RouteStep step = ib::ReceiveDirectedRoute(&mad, kOwnPort, /*can_relay=*/false).step;
    if (step != RouteStep::kProcess && step != RouteStep::kToManager) {
      return DropReason::kManagement;
    }
    for_manager = for_manager || step == RouteStep::kToManager;
  } else if (mad.mad_class() != MadClass::kSubnLid) {
    return DropReason::kManagement;
  } else if (!sma_.OwnsLid(lrh.dlid)) {
    return DropReason::kMisdelivered;
  }
  ++counters_.mads_received;
  if (TakeRepress(mad, lrh.slid, t)) return DropReason::kNone;
  if (for_manager || AsksManager(mad)) {
    HandToManager(mad, lrh.slid, t);
  } else {
    Answer(&mad, lrh.slid, lrh.sl, t);
  }
  return DropReason::kNone;
}

DropReason Hca::ReceiveCompact(std::span<const std::uint32_t> lrh_to_icrc, Cycle t) {
  const std::optional<CompactPacket> compact = ParseCompactPacket(lrh_to_icrc);
  if (!compact) return DropReason::kManagement;
  Mad mad = ib::MadOf(*compact);
  const bool is_answer = compact->kind == CompactKind::kAnswer;
  if (is_answer ? compact->hop_pointer != 0 : !EndsHere(*compact, mad)) {
    return DropReason::kManagement;
  }
  ++counters_.mads_received;
  if (is_answer) {
    HandToManager(mad, kPermissiveLid, t);
  } else if (!Admit(mad, kPermissiveLid, t)) {
    return DropReason::kNone;
  } else if (compact->kind == CompactKind::kFlood) {
    if (floods_.Take(compact->number, t)) Serve(&mad, t);
  } else {
    Serve(&mad, t);
    AnswerCompact(*compact, mad);
  }
  return DropReason::kNone;
}

// A request whose path has come to its end, or a flooded Set.
bool Hca::EndsHere(const CompactPacket& compact, const Mad& mad) {
  const bool is_set = mad.method() == MadMethod::kSet;
  if (is_set && compact.data.empty()) return false;
  if (compact.kind == CompactKind::kFlood) return is_set;
  return IsRequest(mad) && compact.hop_pointer < compact.path.size() &&
         compact.path[compact.hop_pointer] == 0;
}

void Hca::AnswerCompact(const CompactPacket& request, const Mad& answer) {
  if (!SendCompact(ib::CompactAnswer(request, answer))) ++counters_.mads_dropped;
}

bool Hca::AsksManager(const Mad& mad) const {
  if (mad.attribute() != ib::MadAttribute::kSmInfo) return false;
  if (manager_ == Manager::kFull) return IsRequest(mad);
  return manager_ == Manager::kDirectedOnly && mad.is_directed() && mad.method() == MadMethod::kGet;
}

void Hca::HandToManager(const Mad& mad, std::uint16_t slid, Cycle t) {
  if (mad_handler_) {
    mad_handler_(mad.bytes, slid, t);
  } else {
    ++counters_.mads_dropped;
  }
}

Mad Hca::Ask(ib::MadAttribute attribute) const {
  Mad mad = ib::MakeSmp(MadClass::kSubnLid, MadMethod::kGet, attribute, 0);
  sma_.AnswerGet(&mad, Status());
  return mad;
}

void Hca::SetManager(Manager manager) {
  manager_ = manager;
  const std::uint32_t before = sma_.capability_mask();
  sma_.SetIsManager(manager != Manager::kNone);
  if (sma_.capability_mask() == before || !KnowsManager()) return;
  RaiseTrap(ib::kNoticeUrgent, ib::kTrapPortChange,
            ib::PortChangeDetails{.lid = lid(), .capability_mask = sma_.capability_mask()});
  idle_ = false;
}

// Whether the M_Key lets an SMP through to the agent.
bool Hca::Admit(const Mad& mad, std::uint16_t requester, Cycle t) {
  if (sma_.Admits(mad, t)) return true;
  ++counters_.mads_dropped;
  if (KnowsManager() && !traps_.IsOpen(ib::kTrapBadMKey)) {
    RaiseTrap(ib::kNoticeSecurity, ib::kTrapBadMKey,
              ib::BadMKeyDetails{.lid = requester,
                                 .is_directed = mad.is_directed(),
                                 .method = mad.method(),
                                 .attribute = mad.attribute(),
                                 .modifier = mad.modifier(),
                                 .m_key = mad.m_key()});
  }
  return false;
}

// A TrapRepress of a trap of this node.
bool Hca::TakeRepress(const Mad& mad, std::uint16_t requester, Cycle t) {
  if (!mad.is_smp() || mad.method() != MadMethod::kTrapRepress) return false;
  return Admit(mad, requester, t) ? traps_.Repress(mad.transaction_id()) : true;
}

template <typename Details>
void Hca::RaiseTrap(std::uint8_t type, std::uint16_t number, const Details& details) {
  Mad trap = ib::MakeSmp(MadClass::kSubnLid, MadMethod::kTrap, ib::MadAttribute::kNotice, 0);
  ib::Notice{.type = type,
             .producer_type = static_cast<std::uint32_t>(ib::NodeType::kChannelAdapter),
             .trap_number = number,
             .issuer_lid = lid()}
      .Encode(&trap);
  details.AddTo(&trap);
  traps_.Raise(trap);
}

// What finds no room waits for its next turn.
void Hca::SendTraps(Cycle t) {
  if (!KnowsManager()) return traps_.Clear();
  while (const std::optional<Mad> trap = traps_.Next()) {
    if (sma_.OwnsLid(sma_.master_lid())) {
      HandToManager(*trap, lid(), t);
    } else if (HasRoom(*trap) && port_state() != PortState::kDown) {
      Queue(*trap, sma_.master_lid(), 0);
    } else {
      ++counters_.mads_dropped;
    }
  }
}

// Makes its answer of a request.
void Hca::Serve(Mad* mad, Cycle t) {
  if (!mad->is_smp()) return pma_.Answer(mad);
  const PortState before = port_state();
  if (sma_.Answer(mad, Status())) InitializeLink(PortState::kInitialize, t);
  if (port_state() == PortState::kActive && before != PortState::kActive) sma_.function().Repeat();
  FollowPaths(t);
  data_stuck_ = false;  // whatever held data back may have been changed
}

void Hca::Answer(Mad* mad, std::uint16_t requester, std::uint8_t sl, Cycle t) {
  if (mad->is_smp() && !Admit(*mad, requester, t)) return;
  Serve(mad, t);
  switch (Route(mad, requester)) {
    case Way::kHere:
      HandToManager(*mad, requester, t);
      return;
    case Way::kWire:
      if (HasRoom(*mad)) return Queue(*mad, requester, sl);
      break;
    case Way::kNowhere:
      break;
  }
  ++counters_.mads_dropped;
}

Hca::Way Hca::Route(Mad* mad, std::uint16_t dlid) const {
  if (!mad->is_directed()) return sma_.OwnsLid(dlid) ? Way::kHere : Way::kWire;
  const ib::DirectedRouteResult result = ib::OriginateDirectedRoute(mad);
  if (result.step == RouteStep::kForward) {
    return result.port == kOwnPort ? Way::kWire : Way::kNowhere;
  }
  return result.step == RouteStep::kDiscard ? Way::kNowhere : Way::kHere;
}

bool Hca::HasRoom(const Mad& mad) const {
  const std::size_t queued = mad.is_smp() ? mad_queue_.size() : general_queue_.size();
  return queued < static_cast<std::size_t>(config_.mad_queue);
}

void Hca::Queue(const Mad& mad, std::uint16_t dlid, std::uint8_t sl) {
  if (!mad.is_smp()) return QueueGeneral(mad, dlid, sl);
  const bool directed = mad.is_directed();
  Packet packet;
  BuildSmpPacket({.slid = directed ? kPermissiveLid : lid(),
                  .dlid = directed ? kPermissiveLid : dlid,
                  .mad = mad.bytes},
                 &packet);
  mad_queue_.push_back(std::move(packet));
}

void Hca::QueueGeneral(const Mad& mad, std::uint16_t dlid, std::uint8_t sl) {
  general_queue_.push_back(
      {.dlid = dlid, .sl = sl, .psn = general_psn_++ & kPsnMask, .mad = mad.bytes});
  data_stuck_ = false;
}

bool Hca::SendCompact(const CompactPacket& compact) {
  const auto room = static_cast<std::size_t>(config_.mad_queue);
  if (mad_queue_.size() >= room || port_state() == PortState::kDown) return false;
  Packet packet;
  BuildCompactPacket(compact, &packet);
  mad_queue_.push_back(std::move(packet));
  idle_ = false;
  return true;
}

bool Hca::SendMad(const MadBytes& bytes, std::uint16_t dlid) {
  const auto room = static_cast<std::size_t>(config_.mad_queue);
  Mad mad{bytes};
  switch (Route(&mad, dlid)) {
    case Way::kHere:
      if (local_mads_.size() >= room) return false;
      local_mads_.push_back(mad);
      break;
    case Way::kWire:
      if (!mad.is_smp() && port_state() != PortState::kActive) {
        ++counters_.mads_dropped;
        break;
      }
      if (!HasRoom(mad) || port_state() == PortState::kDown) return false;
      Queue(mad, dlid, GeneralSl(mad, dlid));
      break;
    case Way::kNowhere:
      ++counters_.mads_dropped;
      break;
  }
  idle_ = false;
  return true;
}

// Of what is handed to SendMad.
std::uint8_t Hca::GeneralSl(const Mad& mad, std::uint16_t dlid) const {
  const auto asked = requester_sl_.find(dlid);
  const bool answers = mad.is_response() && asked != requester_sl_.end();
  return answers ? asked->second : sma_.SlTo(dlid);
}

// A handler may send more: those wait for the next cycle.
void Hca::HandleLocalMads(Cycle t) {
  std::deque<Mad> mads;
  mads.swap(local_mads_);
  for (Mad& mad : mads) {
    const std::uint16_t from = mad.is_directed() ? kPermissiveLid : lid();
    if (TakeRepress(mad, from, t)) continue;
    if (IsForAgent(mad)) {
      Answer(&mad, from, 0, t);
    } else {
      HandToManager(mad, from, t);
    }
  }
}

ib::VendorStatus Hca::Status() const {
  ib::VendorStatus status;
  status.busy = SendingData() || (DataWaits() && !halted());
  status.data_received = static_cast<std::uint32_t>(counters_.data_received);
  status.data_sent = static_cast<std::uint32_t>(counters_.data_sent);
  // Of the network only: a full source queue must not look like traffic to a manager that waits for
  // quiet.
  status.data_dropped = static_cast<std::uint32_t>(counters_.data_dropped - counters_.source_drops);
  return status;
}

// ---- Sending ----

void Hca::Transmit(Cycle t) {
  if (sending_ == Sending::kNothing && !Start(t)) return;
  out_->Put(t, tx_words_[sent_words_++]);
  if (sent_words_ == tx_words_.size()) sending_ = Sending::kNothing;
}

bool Hca::Start(Cycle t) {
  if (port_state() == PortState::kDown) return false;
  sent_words_ = 0;
  // In a change the neighbour waits for the credits of a VL that nobody uses any more.
  if (flow_control_.Urgent() || (sma_.vl_drain().is_active() && flow_control_.Changed())) {
    StartLinkPacket();
  } else if (CanStartToken()) {
    StartToken(t);
  } else if (!mad_queue_.empty()) {
    StartSmp();
  } else if (CanStartData() && StartData(t)) {
    return true;
  } else if (flow_control_.Changed()) {
    StartLinkPacket();
  } else {
    return false;
  }
  return true;
}

void Hca::StartLinkPacket() {
  const bool initializing = port_state() == PortState::kInitialize;
  BeginLinkPacket(flow_control_.Next(initializing ? kOpFlowControlInit : kOpFlowControl));
}

void Hca::StartToken(Cycle t) {
  bool first = false;
  const LinkPacket packet = sma_.function().Next(&first);
  BeginLinkPacket(packet);
  if (first && observer_ != nullptr) {
    observer_->OnTokenSent(config_.index, packet.vl, packet.number(), t);
  }
}

void Hca::BeginLinkPacket(const LinkPacket& packet) {
  const auto words = EncodeLinkPacket(packet);
  tx_words_.assign(words.begin(), words.end());
  sending_ = Sending::kLinkPacket;
}

void Hca::StartSmp() {
  BuildWire(mad_queue_.front(), &tx_words_);
  pma_.OnSent(tx_words_.size());
  mad_queue_.pop_front();
  sending_ = Sending::kManagement;
  ++counters_.mads_sent;
}

bool Hca::StartData(Cycle t) {
  DropUnroutable(t);
  if (StartGeneral()) return true;
  if (protocol_due_ && (StartAck(t) || StartRetransmission(t))) return true;
  const int sl = ChooseSl();
  if (sl < 0) {
    data_stuck_ = true;
    return false;
  }
  const SourceQueue::Entry entry = queue_.Front(sl);
  queue_.Pop(sl);
  DataPacket data{.id = entry.id,
                  .generated = entry.generated,
                  .dlid = entry.dlid,
                  .sl = entry.sl,
                  .vl = static_cast<std::uint8_t>(sma_.VlOfSl(sl)),
                  .payload_bytes = entry.payload_bytes};
  if (reliable_) {
    data.psn = sender_->Send({.dlid = sma_.paths().DestinationOf(entry.dlid),
                              .sl = entry.sl,
                              .payload_bytes = entry.payload_bytes,
                              .generated = entry.generated},
                             t);
  }
  BeginData(data, PacketKind::kData, t);
  return true;
}

// The first one holds up those behind it only.
bool Hca::StartGeneral() {
  if (general_queue_.empty()) return false;
  GmpPacket& gmp = general_queue_.front();
  const int vl = VlWithCredit(gmp.sl, BlocksOfWords(kSmpPacketWords + 1));
  if (vl < 0) return false;
  gmp.slid = lid();
  gmp.vl = static_cast<std::uint8_t>(vl);
  gmp.epoch = sma_.function().number();
  BuildGmpPacket(gmp, &packet_);
  general_queue_.pop_front();
  ++counters_.mads_sent;
  BeginOnDataVl(vl);
  return true;
}

bool Hca::StartAck(Cycle t) {
  for (std::size_t i = 0; i < receiver_->due(); ++i) {
    const ReliableReceiver::Ack owed = receiver_->Due(i);
    const std::optional<PathTable::Path> path = ProtocolPath(owed.dlid, owed.sl);
    if (!path) continue;
    const auto [dlid, sl] = *path;
    const int vl = VlWithCredit(sl, BlocksOfWords(kAckWireWords));
    if (vl < 0) continue;
    receiver_->Acknowledged(i);
    const AckPacket ack{.slid = owed.slid,
                        .dlid = dlid,
                        .sl = sl,
                        .vl = static_cast<std::uint8_t>(vl),
                        .epoch = sma_.function().number(),
                        .source = static_cast<std::uint16_t>(config_.index),
                        .number = next_ack_,
                        .psn = owed.psn};
    next_ack_ = (next_ack_ + 1) & kPsnMask;
    BuildAckPacket(ack, &packet_);
    ++counters_.acks_sent;
    Begin({.id = ack.id(),
           .generated = t,
           .injected = t,
           .wire_bytes = kAckWireBytes,
           .slid = ack.slid,
           .dlid = ack.dlid,
           .sl = ack.sl,
           .vl = ack.vl,
           .number = ack.epoch,
           .kind = PacketKind::kAck});
    return true;
  }
  return false;
}

bool Hca::StartRetransmission(Cycle t) {
  for (std::size_t i = 0; i < sender_->due(); ++i) {
    const ReliableSender::Copy copy = sender_->Due(i);
    const std::optional<PathTable::Path> path = ProtocolPath(copy.dlid, copy.sl);
    if (!path) continue;
    const auto [dlid, sl] = *path;
    const int vl = VlWithCredit(sl, BlocksOfWords(DataWireWords(copy.payload_bytes)));
    if (vl < 0) continue;
    sender_->Resend(i, t);
    ++counters_.retransmissions;
    BeginData({.id = MakePacketId(static_cast<std::uint16_t>(config_.index), next_sequence_++),
               .generated = copy.generated,
               .dlid = dlid,
               .sl = sl,
               .vl = static_cast<std::uint8_t>(vl),
               .payload_bytes = copy.payload_bytes,
               .psn = copy.psn},
              PacketKind::kRetransmission, t);
    return true;
  }
  return false;
}

// What is left to say of a packet is where and when.
void Hca::BeginData(const DataPacket& sent, PacketKind kind, Cycle t) {
  DataPacket data = sent;
  data.queue_cycles = static_cast<std::uint32_t>(t - data.generated);
  data.slid = lid();
  data.epoch = sma_.function().number();
  data.ack_request = reliable_;
  BuildDataPacket(data, &packet_);
  Begin({.id = data.id,
         .generated = data.generated,
         .injected = t,
         .wire_bytes = static_cast<std::uint32_t>(DataWireBytes(data.payload_bytes)),
         .slid = data.slid,
         .dlid = data.dlid,
         .sl = data.sl,
         .vl = data.vl,
         .number = data.epoch,
         .kind = kind});
}

// packet_ is built.
void Hca::BeginOnDataVl(int vl) {
  BuildWire(packet_, &tx_words_);
  pma_.OnSent(tx_words_.size());
  flow_control_.Sent(vl, BlocksOfWords(packet_.WireWords()));
  last_vl_ = vl;
  sending_ = Sending::kData;
  ++counters_.data_sent;
  current_ = {};
}

void Hca::Begin(const HcaPacket& packet) {
  BeginOnDataVl(packet.vl);
  current_ = packet;
  if (observer_ == nullptr) return;
  if (packet.kind != PacketKind::kData) observer_->OnGenerated(config_.index, current_);
  observer_->OnInjected(config_.index, current_);
}

// `t` is the cycle of the pins.
void Hca::FollowTimers(Cycle t) {
  const bool expired = sender_->Expire(t);
  const bool matured = receiver_->Mature(t);
  if (expired || matured) data_stuck_ = false;
  for (const std::uint16_t dlid : sender_->TakeSilent()) sma_.paths().Migrate(dlid);
  FollowPaths(t);
  protocol_due_ = sender_->due() != 0 || receiver_->due() != 0;
}

// `t` is the first cycle of the pins for which it holds.
void Hca::FollowDrain(Cycle t) {
  if (sma_.function().scheme() != ib::FunctionScheme::kDouble) return;
  VlDrain& drain = sma_.vl_drain();
  if (drain.is_active()) {
    const bool dead = port_state() != PortState::kActive;
    bool others_free = true;
    for (int vl = 1; vl < sma_.operational_vls() && !dead; ++vl) {
      others_free = others_free && flow_control_.Unused(vl);
    }
    drain.Follow(dead || flow_control_.Unused(0), others_free);
    data_stuck_ = data_stuck_ && drain.is_active();
  }
  const HcaDrain now{.number = sma_.function().number(),
                     .draining = drain.draining(),
                     .idle = drain.idle(),
                     .restricted = drain.restricted()};
  if (now == drain_) return;
  drain_ = now;
  if (observer_ != nullptr) observer_->OnDrain(config_.index, drain_, t);
}

bool Hca::MaySend(int vl, int blocks) const {
  return !sma_.vl_drain().closed() && flow_control_.MaySend(vl, blocks);
}

// The VL of an SL if a packet may go there now, or -1.
int Hca::VlWithCredit(int sl, int blocks) const {
  const int vl = sma_.VlOfSl(sl);
  return vl < sma_.operational_vls() && MaySend(vl, blocks) ? vl : -1;
}

std::optional<PathTable::Path> Hca::ProtocolPath(std::uint16_t dlid, std::uint8_t sl) const {
  return PathFor(dlid, sl_query_ ? sl_query_(dlid, sl) : sl);
}

// The SL whose packet goes next, or -1: of the SLs of one VL that have room in their window, the
// one whose packet waited longest.
int Hca::ChooseSl() {
  std::array<int, FlowControl::kMaxVls> oldest;
  oldest.fill(-1);
  for (std::uint32_t sls = queue_.waiting_sls(); sls != 0; sls &= sls - 1) {
    const int sl = std::countr_zero(sls);
    if (reliable_ && !sender_->MaySend(sma_.paths().DestinationOf(queue_.Front(sl).dlid))) continue;
    int& best = oldest[static_cast<std::size_t>(sma_.VlOfSl(sl))];
    if (best < 0 || queue_.Front(sl).id < queue_.Front(best).id) best = sl;
  }
  std::array<int, FlowControl::kMaxVls> blocks{};  // 0 without a packet that may go
  for (int vl = 0; vl < config_.num_vls; ++vl) {
    const int sl = oldest[static_cast<std::size_t>(vl)];
    if (sl < 0) continue;
    const int length = BlocksOfWords(DataWireWords(queue_.Front(sl).payload_bytes));
    if (MaySend(vl, length)) blocks[static_cast<std::size_t>(vl)] = length;
  }
  const int vl = ChooseVl(std::span(blocks).first(static_cast<std::size_t>(config_.num_vls)));
  return vl < 0 ? -1 : oldest[static_cast<std::size_t>(vl)];
}

// The VL that sends now, or -1, by the lengths of their packets.
int Hca::ChooseVl(std::span<const int> blocks) {
  if (sma_.vl_arbiter().is_written()) return sma_.vl_arbiter().Next(blocks);
  const int vls = config_.num_vls;
  for (int i = 1; i <= vls; ++i) {
    const int vl = (last_vl_ + i) % vls;
    if (blocks[static_cast<std::size_t>(vl)] != 0) return vl;
  }
  return -1;
}

// Packets whose SL has no VL here.
void Hca::DropUnroutable(Cycle t) {
  for (std::uint32_t sls = queue_.waiting_sls(); sls != 0; sls &= sls - 1) {
    const int sl = std::countr_zero(sls);
    const int vl = sma_.VlOfSl(sl);
    if (vl < sma_.operational_vls()) continue;
    const DropReason reason = vl == kVl15 ? DropReason::kVlDiscard : DropReason::kBadVl;
    while (const SourceQueue::Entry* waiting = Waiting(sl)) {
      const SourceQueue::Entry entry = *waiting;
      queue_.Pop(sl);
      DropAtSource(entry, reason, t);
    }
  }
}

void Hca::LoadPaths(std::uint16_t lid, std::vector<PathTable::Path> paths, Cycle t) {
  sma_.paths().Load(lid, std::move(paths));
  FollowPaths(t);
}

void Hca::FollowPaths(Cycle t) {
  const std::vector<PathTable::Change> changes = sma_.paths().TakeChanges();
  if (changes.empty()) return;
  const auto goes_elsewhere = [this](const SourceQueue::Entry& entry) {
    return PathFor(entry.dlid, entry.sl) != PathTable::Path{entry.dlid, entry.sl};
  };
  for (const SourceQueue::Entry& entry : queue_.Extract(goes_elsewhere)) {
    const std::optional<PathTable::Path> path = PathFor(entry.dlid, entry.sl);
    if (!path) {
      DropAtSource(entry, DropReason::kNoPath, t);
      continue;
    }
    Readdress(entry, *path);
  }
  data_stuck_ = false;
  if (observer_ == nullptr) return;
  for (const PathTable::Change& change : changes) observer_->OnPathChange(config_.index, change, t);
}

void Hca::FollowSls() {
  if (!sl_query_) return;
  const auto has_another = [this](const SourceQueue::Entry& entry) {
    return sl_query_(entry.dlid, entry.sl) != entry.sl;
  };
  for (const SourceQueue::Entry& entry : queue_.Extract(has_another))
    Readdress(entry, {entry.dlid, sl_query_(entry.dlid, entry.sl)});
  data_stuck_ = false;
}

void Hca::Readdress(SourceQueue::Entry entry, const PathTable::Path& path) {
  entry.dlid = path.dlid;
  entry.sl = path.sl;
  queue_.Push(entry);
  if (observer_ != nullptr) observer_->OnReaddressed(config_.index, entry.id, entry.sl);
}

void Hca::DropWithoutPath(Cycle t) {
  const auto has_no_path = [this](const SourceQueue::Entry& entry) {
    return path_query_ && !path_query_(entry.dlid);
  };
  for (const SourceQueue::Entry& entry : queue_.Extract(has_no_path)) {
    DropAtSource(entry, DropReason::kNoPath, t);
  }
}

void Hca::DropAtSource(const SourceQueue::Entry& entry, DropReason reason, Cycle t) {
  ++counters_.data_dropped;
  ++counters_.source_drops;
  if (observer_ == nullptr) return;
  observer_->OnSourceDrop(
      config_.index,
      {.id = entry.id,
       .generated = entry.generated,
       .wire_bytes = static_cast<std::uint32_t>(DataWireBytes(entry.payload_bytes)),
       .dlid = entry.dlid,
       .sl = entry.sl},
      reason, t);
}

}  // namespace lanecut
