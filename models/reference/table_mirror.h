// SPDX-License-Identifier: Apache-2.0
//
// The model's own copy of what one node has been told by management packets: forwarding table and
// SLtoVL table (two banks each), active bank and its number, what numbers do (scheme), the next
// function, feeder rows, port states, LID, M_Key. It is written by the Set requests that reach the
// node's agent and by nothing else, but that a switch under OSR changes banks by itself (Flip), and
// one under Double Scheme when it shows so (SwitchOver).
//
// When a write takes effect. The agent writes at an unknown moment between the last word of the Set
// on the input pins and the first word of its answer on the output pins. For a packet whose header
// arrives in that window (the tables are read in the cycle of the header's first word and the next)
// both the old and the new value are right; before it only the old one, after it only the new one.
// An answer with a status other than zero takes the write back. If the answer is never seen (it was
// dropped), the window closes with the next answer to a later request from the same port. A new
// bank is seen on the trace port (Committed), which closes its window too.
//
// Numbers. Without a scheme and under EBR a packet goes by the active bank; under EBR it leaves
// with that bank's number. Under OSR it goes by the bank that has its number: the active one, or,
// once it is announced as ready, the other one, which has the next number. Until then its
// prediction is pending; older numbers than the active one's are dropped as stale. Under Double
// Scheme the next number's packets go by its bank, all others by the active one; they leave with
// that function's number, and while a change is under way the VL is not the table's.
//
// With an M_Key (IBA 14.2.4) a Set that does not bring it means nothing and gets no answer.
//
// A table entry that was never written means unreachable (LFT) and VL discard (SLtoVL). An end node
// that has never got a Set(PortInfo) by its link may be in any state and have any LID: the subnet
// manager's own node is set from inside.
//
// Formats: IBA 14.2.5.6 (PortInfo), 14.2.5.8 (SLtoVLMappingTable), 14.2.5.10
// (LinearForwardingTable); vendor attributes 0xFF02 (bank commit), 0xFF03 and 0xFF04 (the tables of
// the inactive bank), 0xFF07 (scheme), 0xFF08 (function), 0xFF09 (feeder rows), 0xFF0A (table
// update), 0xFF0B (drain).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/reference/packet_pool.h"
#include "sw/wire/compact.h"

namespace lanecut::reference {

inline constexpr int kMadWords = 64;
inline constexpr std::size_t kSmpData = 16;  // first word of the attribute in the MAD
using MadSpan = std::span<const std::uint32_t, kMadWords>;
constexpr std::uint64_t MKeyOf(MadSpan mad) { return std::uint64_t{mad[6]} << 32 | mad[7]; }

inline constexpr Cycle kNever = ~Cycle{0};

// HOQLife and LifeTimeValue: those above are without end.
inline constexpr int kLastLife = 19;

enum PortState : std::uint8_t { kDown = 1, kInit = 2, kArmed = 3, kActive = 4 };

// What numbers of routing functions do at a switch.
enum class Scheme : std::uint8_t { kNone = 0, kEbr = 1, kOsr = 2, kDouble = 3 };

// A set of port states.
constexpr std::uint8_t StateBit(PortState s) { return static_cast<std::uint8_t>(1U << s); }
inline constexpr std::uint8_t kAnyState = 0x1E;
inline constexpr std::uint8_t kAcceptsData = StateBit(kArmed) | StateBit(kActive);

class TableMirror {
 public:
  // An end node has ports = 1, lft_depth = 0 and no tables that route.
  TableMirror(int ports, int vls, int lft_depth);

  // A Set that brings this M_Key, a compact one 0, gets no answer, whatever has taken effect by
  // now.
  bool MustDeny(std::uint64_t m_key, Cycle t);
  // A Set for this node has arrived whole on port `in_port`; `t` is the cycle of its last word.
  void Request(int in_port, MadSpan mad, Cycle t);
  // The same for a compact packet.
  void RequestCompact(int in_port, const CompactPacket& compact, Cycle t);
  // An answer (GetResp) leaves; `t` is the cycle of its first word. `status` as in the answer.
  void Answer(std::uint64_t tid, std::uint32_t status, Cycle t);

  void PhyDown(int port, Cycle t);
  void PhyUp(int port, Cycle t);

  // Where a packet with this number goes whose header's first word arrives on `in_port` in cycle
  // `t`. On VL15 only the LFT counts.
  Prediction Predict(int in_port, std::uint16_t dlid, int sl, std::uint8_t number, bool vl15,
                     Cycle t);

  // --- Routing functions, of a switch.
  bool MayBeUnder(Scheme scheme, Cycle t);
  bool IsUnder(Scheme scheme, Cycle t);      // and nothing else
  Scheme scheme() const { return scheme_; }  // the newest
  // The newest number of the active bank, and: the other one holds the next function; the change to
  // it has been commanded.
  std::uint8_t epoch() const { return epoch_; }
  bool ready() const { return ready_; }
  bool started() const { return started_; }
  // Calls f(number) for each number that the active bank may have.
  template <class F>
  void ForEpochs(Cycle t, F f) {
    DropOld(t);
    f(epoch_);
    for (const Window& w : windows_) {
      if (w.kind == Kind::kBank) f(w.old_epoch);
    }
  }
  // The switch shows another number from cycle `t` on. False: no Set has asked for it.
  bool Committed(std::uint8_t epoch, Cycle t);
  // The switch has changed to the next function by itself.
  void Flip();
  // May, or must, input channel `in` feed output channel `out` under the active bank's function?
  // Channel: (port - 1) * VLs + VL.
  bool MayFeed(int in, int out, Cycle t) { return Feeds(bank_, in, out, true, t); }
  bool MustFeed(int in, int out, Cycle t) { return Feeds(bank_, in, out, false, t); }
  // Of the function before the last Flip.
  bool MustHaveFed(int in, int out, Cycle t) { return Feeds(bank_ ^ 1, in, out, false, t); }

  // --- Double Scheme. Has the switch been told to drain, to switch over; has it been told to
  // forget that, since the last command?
  bool told_drain() const { return told_drain_; }
  bool told_switch() const { return told_switch_; }
  bool told_clear() const { return told_clear_; }
  // Which VLs it says that packets may take from now on.
  using Ports = std::bitset<256>;  // bit port - 1
  void FollowVls(bool draining, bool restricted, const Ports& open);
  // The next function is in force.
  void SwitchOver();

  // The states that the port may have in cycle `t`, as a set of StateBit.
  std::uint8_t PortStates(int port, Cycle t);
  // The least and the greatest HOQLife that the port may have, and since when it has been so.
  struct HoqLives {
    int least;
    int most;
    Cycle since;
  };
  HoqLives HoqLife(int port, Cycle t);
  // LifeTimeValue: the greatest that the switch may have, and since when it has been so.
  struct LifeTimes {
    int most;
    Cycle since;
  };
  LifeTimes LifeTime(Cycle t);
  // Who has come by then may be discarded in cycle `t`, as it has been there for longer than some
  // limit that it has met; `unit` is the limit of value 0, in cycles. Nothing: nobody may.
  std::optional<Cycle> TooOld(Cycle t, Cycle unit) const;
  // EBR: for how long heads wait, and when the port left Active for the last time: values that the
  // switch may have.
  struct Hold {
    Cycle least;
    Cycle most;
  };
  Hold HoldCycles(Cycle t);
  struct Left {
    Cycle first = kNever;  // kNever: it never was Active
    Cycle last = kNever;
  };
  Left LeftActive(int port) const { return port_[static_cast<std::size_t>(port)].left; }
  bool MayBeInitialize(int port, Cycle t) { return (PortStates(port, t) & StateBit(kInit)) != 0; }
  // May this be a LID of the node, those that LMC adds included? 0: none assigned.
  bool MayHaveLid(std::uint16_t lid, Cycle t);

  // The newest value of an LFT entry of the active bank.
  std::uint8_t LftEntry(std::uint16_t lid) const;

 private:
  enum class Kind : std::uint8_t {
    kLft,
    kSlToVl,
    kBank,
    kPort,
    kLid,
    kScheme,
    kFunction,
    kRows,
    kDrain,
    kHoqLife,
    kLifeTime,
    kMKey
  };

  // A write that may not have taken effect yet, with what it overwrote.
  struct Window {
    Kind kind;
    std::uint8_t bank = 0;
    std::uint8_t in_port = 0;  // of the request
    std::uint32_t base = 0;    // first LID, first SLtoVL index, port, or block of rows
    std::uint64_t tid = 0;
    Cycle open = 0;
    Cycle close = kNever;
    std::array<std::uint8_t, 64> old{};  // old values
    std::uint16_t old_lid = 0;
    std::uint64_t old_m_key = 0;
    std::uint8_t old_lmc = 0;
    std::uint8_t old_epoch = 0;
    std::uint8_t new_epoch = 0;
    bool old_ready = false;
    bool old_started = false;
    bool old_drain = false;
    bool old_switch = false;
    Scheme old_scheme = Scheme::kNone;
    std::uint32_t old_hold = 0;
  };

  struct Port {
    PortState state = kDown;
    Cycle changed = 0;  // by the physical layer
    std::uint8_t hoq_life = kHoqNever;
    Cycle hoq_since = 0;
    Left left;
  };

  std::size_t SlIndex(int bank, int in, int out, int sl) const {
    return static_cast<std::size_t>(((bank * (ports_ + 1) + in) * (ports_ + 1) + out) * 16 + sl);
  }
  std::size_t LftIndex(int bank, int lid) const {
    return static_cast<std::size_t>(bank * lft_depth_ + lid);
  }
  void WriteLft(Window window, MadSpan mad);
  void WriteUpdate(const Window& window, const CompactPacket& compact);
  void WritePiece(Window window, int first, std::span<const std::uint32_t> entries);
  bool IsUpdateDone(std::uint32_t modifier) const;
  bool IsUpdateValid(const CompactPacket& compact) const;
  Window NewWindow(int in_port, std::uint64_t tid, Cycle t);
  void WriteSlToVl(Window window, MadSpan mad);
  void WritePair(Window window, int in, int out, MadSpan mad);
  void WritePortInfo(Window window, MadSpan mad);
  void WriteMKey(Window window, MadSpan mad);
  void WriteSwitchInfo(Window window, MadSpan mad);
  void WriteBank(Window window, MadSpan mad);
  void WriteFunction(Window window, MadSpan mad);
  void WriteRows(Window window, MadSpan mad);
  void WriteScheme(Window window, MadSpan mad);
  void WriteDrain(Window window, MadSpan mad);
  void Revert(const Window& window);
  void DropOld(Cycle t);
  // Calls f(value) for each value that LFT[bank][lid] may have, newest first.
  template <class F>
  void ForLft(int bank, int lid, F f) const;
  template <class F>
  void ForSlToVl(int bank, int in, int out, int sl, F f) const;
  // What a lookup needs to know of a packet, and the number with which it leaves.
  struct Lookup {
    int in_port;
    int lid;
    int sl;
    std::uint8_t number;
    bool vl15;
  };
  void AddRoutes(int bank, const Lookup& packet, Prediction* prediction) const;
  void AddByNumber(int bank, std::uint8_t epoch, const Lookup& packet,
                   Prediction* prediction) const;
  void AddByDrain(int bank, std::uint8_t epoch, const Lookup& packet, Prediction* prediction) const;
  int VlFor(const Route& route, bool is_next) const;
  bool Feeds(int bank, int in, int out, bool any, Cycle t);
  std::size_t RowIndex(int bank, int block) const {
    return static_cast<std::size_t>((bank * row_blocks_ + block) * kRowWords);
  }

  static constexpr std::uint8_t kHoqNever = 31;
  static constexpr int kRowWords = 16;  // of feeder rows in a MAD

  int ports_;
  int vls_;
  int lft_depth_;
  int channels_;
  int row_words_;     // of one row
  int rows_per_mad_;  // whole rows
  int row_blocks_;    // MADs for all rows of a bank
  int bank_ = 0;
  std::uint8_t epoch_ = 0;
  bool ready_ = false;
  bool started_ = false;
  bool told_drain_ = false;
  bool told_switch_ = false;
  bool told_clear_ = false;
  bool draining_ = false;
  bool restricted_ = false;
  Ports open_;
  Scheme scheme_ = Scheme::kNone;
  std::uint32_t hold_ = 0;
  bool told_ = false;  // a Set(PortInfo) has arrived
  std::uint16_t lid_ = 0;
  std::uint64_t m_key_ = 0;
  std::uint8_t lmc_ = 0;
  // LifeTimeValue: now, since when, and what else it may have been until when.
  std::uint8_t life_time_ = kHoqNever;
  Cycle life_since_ = 0;
  struct OldLife {
    std::uint8_t value;
    Cycle until;
  };
  std::vector<OldLife> old_lives_;
  std::vector<std::uint8_t> lft_;       // [bank][lid]
  std::vector<std::uint8_t> sl_to_vl_;  // [bank][in][out][sl]
  std::vector<std::uint32_t> rows_;     // [bank][block][word]
  std::vector<Port> port_;              // by port number
  std::vector<Window> windows_;         // oldest first
};

}  // namespace lanecut::reference
