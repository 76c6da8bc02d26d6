// SPDX-License-Identifier: Apache-2.0
//
// A cable between two ports: two lanes, one per direction, that deliver each word `fly` cycles
// after it was sent.
//
// Timing. Put(t, w) says that w is on the sender's output pins in cycle t; Get(t) returns what is
// on the receiver's input pins in cycle t, that is what was put for t - fly. Nodes are stepped at
// the end of a cycle t: they Get(t) and Put(t + 1). The order of nodes within a cycle does not
// matter, for any fly >= 0. A receiver must Get every cycle while words are under way (`Empty()` or
// the activity counter tells); a word that was missed is an error of the caller (std::logic_error),
// as is a lane that overflows because nobody reads it.
//
// Faults: the cable can be cut and restored; a lane can flip bits and lose flow-control packets.
// Cut(t) and Restore(t) are called before the nodes are stepped for cycle t.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/geometric.h"
#include "models/random.h"
#include "sw/wire/word.h"

namespace lanecut {

class Lane;

// Watches lanes: captures, checkers. Called for words that are not idle only. A word that was put
// is later got, lost, or under way at a cut.
class LinkObserver {
 public:
  virtual ~LinkObserver() = default;
  // `word` as sent, before any fault.
  virtual void OnPut(const Lane& lane, Cycle t, Word word) = 0;
  // `word` as received.
  virtual void OnGet(const Lane& lane, Cycle t, Word word) = 0;
  // Everything under way on this lane is lost.
  virtual void OnCut(const Lane& lane, Cycle t) = 0;
  virtual void OnRestore(const Lane& /*lane*/, Cycle /*t*/) {}
  // Directly after its OnPut: `word` will not arrive, because the cable is cut or a flow-control
  // packet is being lost.
  virtual void OnLost(const Lane& /*lane*/, Cycle /*t*/, Word /*word*/) {}
};

struct LinkFaults {
  double word_error_rate =
      0;  // probability that one of the 32 bits of a word (not idle) is flipped
  double flow_control_loss = 0;  // probability that a link packet vanishes, both words of it
};

class Lane {
 public:
  // `id` is 2 * cable index + direction.
  Lane(int id, int fly_cycles);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  int id() const { return id_; }
  int fly_cycles() const { return static_cast<int>(fly_); }

  // At most once per cycle, in order; idle words need not be put.
  void Put(Cycle t, Word word) {
    if (word.ctrl == Ctrl::kIdle) return;
    if (special_) {
      PutSpecial(t, word);
    } else {
      Push(t, word);
    }
  }

  // At most once per cycle, in order.
  Word Get(Cycle t) {
    if (head_ == tail_) return {};
    const Slot& slot = slots_[head_ & mask_];
    if (slot.arrival != t) return NotYet(slot, t);
    ++head_;
    --*activity_;
    if (observer_ != nullptr) observer_->OnGet(*this, t, slot.word);
    return slot.word;
  }

  // Nothing is under way.
  bool Empty() const { return head_ == tail_; }

  // `counter` is kept at the number of words under way on all lanes that share it: a node that asks
  // for one counter on all lanes towards it may sleep while the counter is zero. Set while the lane
  // is empty; must outlive the lane.
  void SetActivityCounter(int* counter) { activity_ = counter; }

 private:
  friend class Link;

  struct Slot {
    Cycle arrival;
    Word word;
  };

  void Push(Cycle t, Word word) {
    if (tail_ - head_ > mask_) Overflow(t);
    slots_[tail_++ & mask_] = {t + fly_, word};
    ++*activity_;
  }
  void PutSpecial(Cycle t, Word word);
  bool Loses(Word word);
  Word Corrupt(Word word);
  Word NotYet(const Slot& slot, Cycle t) const;
  [[noreturn]] void Overflow(Cycle t) const;

  void SetFaults(const LinkFaults& faults, std::uint64_t seed);
  void SetObserver(LinkObserver* observer);
  void Cut(Cycle t);
  void Restore(Cycle t);
  void UpdateSpecial() { special_ = cut_ || faulty_ || observer_ != nullptr; }

  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::size_t mask_;
  Cycle fly_;
  int* activity_;
  LinkObserver* observer_ = nullptr;
  bool special_ = false;  // any reason to leave the fast path of Put
  bool cut_ = false;
  bool faulty_ = false;
  bool losing_ = false;  // the first word of a link packet was lost, the second is to follow
  std::vector<Slot> slots_;

  int own_activity_ = 0;
  int id_;
  Random random_{0};
  GeometricGap error_gap_{0};
  GeometricGap loss_gap_{0};
  std::uint64_t words_to_error_ = GeometricGap::kNever;
  std::uint64_t packets_to_loss_ = GeometricGap::kNever;
};

// Ends are numbered 0 and 1.
class Link {
 public:
  // `index` is unique in the fabric. The cable starts connected.
  Link(int index, int fly_cycles);

  int index() const { return index_; }
  bool PhyUp() const { return up_; }

  // The lane that this end sends on, and the one it receives from.
  Lane& Out(int end) { return lanes_[end]; }
  Lane& In(int end) { return lanes_[1 - end]; }

  // Both directions lose what is under way and everything put until Restore. PhyUp() is false from
  // cycle t on. Cutting a cable that is cut, or restoring one that is not, does nothing.
  void Cut(Cycle t);
  void Restore(Cycle t);

  // Draws depend on (seed, index, direction) and on the words sent only. Replaces earlier faults.
  void SetFaults(const LinkFaults& faults, std::uint64_t seed);

  // On both lanes; null takes it away.
  void SetObserver(LinkObserver* observer);

 private:
  int index_;
  bool up_ = true;
  Lane lanes_[2];
};

}  // namespace lanecut
