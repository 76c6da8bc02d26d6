// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/event_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "models/reference/waiting_cycle.h"
#include "sw/wire/packet.h"
#include "tb/switch/registry.h"
#include "tb/wave/shadow.h"

namespace lanecut {
namespace {

void Add(const WavePlace& place, std::vector<WavePlace>* places) {
  if (std::ranges::find(*places, place) == places->end()) places->push_back(place);
}

// What is common: the simulation ends when the event has been seen.
class Search : public EventSearch, public EdgeObserver {
 public:
  Search(Simulation* simulation, const std::vector<int>& nodes)
      : simulation_(simulation), nodes_(nodes) {}

  // Calls OnEdge for these switches.
  void Attach() {
    for (const int node : nodes_) simulation_->fabric().SetEdgeObserver(node, this);
  }

  std::optional<FoundEvent> Found() override { return found_; }

 protected:
  void Find(FoundEvent event) {
    if (found_) return;
    found_ = std::move(event);
    End();
  }
  void End() { simulation_->End("wave", "the event has been seen"); }

  Simulation& simulation() { return *simulation_; }
  const std::vector<int>& nodes() const { return nodes_; }
  const std::string& Name(int node) const {
    return simulation_->fabric().topology().node(node).name;
  }
  // By index, with so many lanes for each port: all of them, or only those with data.
  WavePlace QueueAt(int node, int index, int lanes) const {
    const int lane = index % lanes;
    const int vl = lane == simulation_->fabric().switch_kind().vls ? kVl15 : lane;
    return {node, index / lanes + 1, vl};
  }
  // "S0_1 input 2 VL 0".
  std::string Queue(const char* side, const WavePlace& queue) const {
    return fmt::format("{} {} {} VL {}", Name(queue.node), side, queue.port, queue.vl);
  }

 private:
  Simulation* simulation_;
  std::vector<int> nodes_;
  std::optional<FoundEvent> found_;
};

class EpochDropSearch : public Search {
 public:
  using Search::Search;

  void OnEdge(int node, const SwitchModel& model, Cycle t) override {
    for (std::uint64_t left = model.pins.in_drop; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (static_cast<DropReason>(model.InDropReason(i)) != DropReason::kEpoch) continue;
      const WavePlace queue = QueueAt(node, i, model.kind().vls + 1);
      Find({t, t, {queue}, fmt::format("EBR has dropped the head of {}", Queue("input", queue))});
    }
  }
};

class TokenSearch : public Search {
 public:
  using Search::Search;

  void OnEdge(int node, const SwitchModel& model, Cycle t) override {
    if (!model.pins.moved) return;
    const SwitchState state = model.State();
    if (!state.change || (state.sent.none() && state.done.none())) return;
    const bool is_sent = state.sent.any();
    const auto& channels = is_sent ? state.sent : state.done;
    int channel = 0;
    while (!channels[static_cast<std::size_t>(channel)]) ++channel;
    const WavePlace queue = QueueAt(node, channel, model.kind().vls);
    Find({t,
          t,
          {queue},
          fmt::format("the token of {} has been {}", Queue(is_sent ? "output" : "input", queue),
                      is_sent ? "sent" : "processed")});
  }
};

// An assertion stops nothing by itself: whoever had the clock edge before it was noticed has
// failed.
class AssertionSearch : public Search {
 public:
  using Search::Search;

  void OnEdge(int node, const SwitchModel& model, Cycle t) override {
    if (SwitchAssertionFailed()) FindLast();
    if (model.pins.error) {
      Find({t, t, {WavePlace{node}}, fmt::format("{} has raised error_o", Name(node))});
    }
    node_ = node;
    cycle_ = t;
  }

  std::optional<FoundEvent> Found() override {
    if (SwitchAssertionFailed()) FindLast();
    return Search::Found();
  }

 private:
  void FindLast() {
    Find({cycle_,
          cycle_,
          {WavePlace{node_}},
          fmt::format("an assertion of {} has failed", Name(node_))});
  }

  int node_ = -1;
  Cycle cycle_ = 0;
};

class StallSearch : public Search {
 public:
  using Search::Search;

  void OnEdge(int, const SwitchModel& model, Cycle t) override {
    for (std::uint64_t left = model.pins.tx_ctrl; left != 0; left >>= 3) {
      if (static_cast<Ctrl>(left & 7) == Ctrl::kStartData) last_start_ = t;
    }
  }

  std::optional<FoundEvent> Found() override {
    if (simulation().failure().outcome() != "stall") return std::nullopt;
    return FoundEvent{last_start_, last_start_, WhoWaits(),
                      "no switch has begun a packet after that"};
  }

 private:
  // The switches of the cycle of waiting channels, or else all that have one.
  std::vector<WavePlace> WhoWaits() {
    const std::vector<WaitingChannel> channels = simulation().reference()->Waiting();
    std::vector<int> waits_for;
    waits_for.reserve(channels.size());
    for (const WaitingChannel& channel : channels) waits_for.push_back(channel.waits_for);
    std::vector<int> members = reference::FindWaitingCycle(waits_for);
    if (members.empty()) {
      for (int i = 0; i < static_cast<int>(channels.size()); ++i) members.push_back(i);
    }
    std::vector<WavePlace> places;
    for (const int i : members) {
      const WaitingChannel& channel = channels[static_cast<std::size_t>(i)];
      if (channel.kind == WaitingChannel::Kind::kSource) continue;
      Add({channel.node, channel.port, channel.vl}, &places);
    }
    return places;
  }

  Cycle last_start_ = 0;
};

// The ids of data packets from the words that pass a place.
class IdTap {
 public:
  // The packet whose seventh word that is.
  std::optional<std::uint64_t> OnWord(Word word) {
    if (word.ctrl == Ctrl::kStartData) count_ = 0;
    if (word.ctrl == Ctrl::kStartLink) count_ = words_.size();
    if (count_ == words_.size()) return std::nullopt;
    words_[count_++] = word.data;
    if (count_ < words_.size() || words_[0] >> 28 == kVl15 || IsGmp(words_)) return std::nullopt;
    return PacketIdOf(words_);
  }
  // Of that packet.
  Lrh lrh() const { return Lrh::Decode(words_[0], words_[1]); }
  static constexpr int kIdWords = 7;

 private:
  std::array<std::uint32_t, kIdWords> words_{};
  std::size_t count_ = kIdWords;
};

class PacketSearch : public Search {
 public:
  PacketSearch(Simulation* simulation, const std::vector<int>& nodes, std::uint64_t id)
      : Search(simulation, nodes), id_(id) {
    simulation->ledger().SetDeliveryHook([this](int, const HcaPacket& packet) {
      if (packet.id == id_) End();
    });
  }

  void OnEdge(int node, const SwitchModel& model, Cycle t) override {
    auto& taps = taps_[node];
    const SwitchPins& pins = model.pins;
    taps.resize(static_cast<std::size_t>(model.kind().ports));
    for (std::size_t p = 0; p < taps.size(); ++p) {
      const int port = static_cast<int>(p) + 1;
      See(&taps[p].in, {pins.rx_data[p], CtrlOf(pins.rx_ctrl, p)}, {node, port}, t);
      See(&taps[p].out, {pins.tx_data[p], CtrlOf(pins.tx_ctrl, p)}, {node, port}, t);
    }
  }

  std::optional<FoundEvent> Found() override {
    if (places_.empty()) return std::nullopt;
    return FoundEvent{first_, last_, places_, simulation().ledger().Describe(id_)};
  }

 private:
  struct Port {
    IdTap in;
    IdTap out;
  };

  static Ctrl CtrlOf(std::uint64_t ctrl, std::size_t port) {
    return static_cast<Ctrl>(ctrl >> 3 * port & 7);
  }

  void See(IdTap* tap, Word word, const PortRef& at, Cycle t) {
    if (word.ctrl == Ctrl::kIdle || tap->OnWord(word) != id_) return;
    const Cycle start = t + 1 - IdTap::kIdWords;
    if (places_.empty()) first_ = start;
    last_ = start + static_cast<Cycle>(tap->lrh().pkt_len);
    Add({at.node, at.port, tap->lrh().vl}, &places_);
  }

  std::uint64_t id_;
  std::map<int, std::vector<Port>> taps_;
  std::vector<WavePlace> places_;  // in the order in which it has met them
  Cycle first_ = 0;
  Cycle last_ = 0;
};

class CreditStallSearch : public Search {
 public:
  CreditStallSearch(const Scenario& scenario, Simulation* simulation, const std::vector<int>& nodes,
                    Cycle limit)
      : Search(simulation, nodes), limit_(limit), shadows_(scenario, &simulation->fabric(), nodes) {
    shadows_.SetWatch([this](int node, const SwitchView& view, Cycle t) { Look(node, view, t); });
  }

  void OnEdge(int, const SwitchModel&, Cycle) override {}

 private:
  void Look(int node, const SwitchView& view, Cycle t) {
    const int lanes = simulation().fabric().switch_kind().vls + 1;
    auto& since = since_[node];
    since.resize(view.outputs().size(), t + 1);
    for (std::size_t q = 0; q < since.size(); ++q) {
      if (view.outputs()[q].state != OutputState::kNoCredits) since[q] = t + 1;
      if (t + 1 - std::min(t + 1, since[q]) <= limit_) continue;
      const WavePlace queue = QueueAt(node, static_cast<int>(q), lanes);
      Find({since[q],
            t,
            {queue},
            fmt::format("the head of {} has no credits", Queue("output", queue))});
    }
  }

  Cycle limit_;
  Shadows shadows_;
  std::map<int, std::vector<Cycle>> since_;  // by queue: the first cycle without credits
};

}  // namespace

std::unique_ptr<EventSearch> EventSearch::Make(const WaveEvent& event, const Scenario& scenario,
                                               Simulation* simulation,
                                               const std::vector<int>& nodes) {
  using Kind = WaveEvent::Kind;
  if (event.kind == Kind::kCreditStall) {
    return std::make_unique<CreditStallSearch>(scenario, simulation, nodes, event.value);
  }
  std::unique_ptr<Search> search;
  switch (event.kind) {
    case Kind::kEpochDrop:
      search = std::make_unique<EpochDropSearch>(simulation, nodes);
      break;
    case Kind::kToken:
      search = std::make_unique<TokenSearch>(simulation, nodes);
      break;
    case Kind::kPacket:
      search = std::make_unique<PacketSearch>(simulation, nodes, event.value);
      break;
    case Kind::kAssertion:
      search = std::make_unique<AssertionSearch>(simulation, nodes);
      break;
    default:
      search = std::make_unique<StallSearch>(simulation, nodes);
      break;
  }
  search->Attach();
  return search;
}

}  // namespace lanecut
