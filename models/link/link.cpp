// SPDX-License-Identifier: Apache-2.0
#include "models/link/link.h"

#include <stdexcept>
#include <string>

namespace lanecut {

Lane::Lane(int id, int fly_cycles)
    : fly_(static_cast<Cycle>(fly_cycles)), activity_(&own_activity_), id_(id) {
  if (fly_cycles < 0) {
    throw std::invalid_argument("fly time of " + std::to_string(fly_cycles) +
                                " cycles: expected 0 or more");
  }
  // Between Put(t + 1) and Get(t) the words of fly + 2 cycles are under way.
  slots_.resize(std::bit_ceil(static_cast<std::size_t>(fly_cycles) + 2));
  mask_ = slots_.size() - 1;
}

void Lane::PutSpecial(Cycle t, Word word) {
  if (observer_ != nullptr) observer_->OnPut(*this, t, word);
  if (cut_ || Loses(word)) {
    if (observer_ != nullptr) observer_->OnLost(*this, t, word);
    return;
  }
  Push(t, faulty_ ? Corrupt(word) : word);
}

bool Lane::Loses(Word word) {
  if (losing_) {
    losing_ = false;
    return true;
  }
  if (word.ctrl != Ctrl::kStartLink || packets_to_loss_ == GeometricGap::kNever ||
      --packets_to_loss_ != 0) {
    return false;
  }
  packets_to_loss_ = loss_gap_.Draw(&random_);
  losing_ = true;
  return true;
}

Word Lane::Corrupt(Word word) {
  if (words_to_error_ == GeometricGap::kNever || --words_to_error_ != 0) return word;
  words_to_error_ = error_gap_.Draw(&random_);
  word.data ^= std::uint32_t{1} << random_.Below(32);
  return word;
}

Word Lane::NotYet(const Slot& slot, Cycle t) const {
  if (slot.arrival < t) {
    throw std::logic_error("lane " + std::to_string(id_) + ": the word of cycle " +
                           std::to_string(slot.arrival) + " was not read, now is cycle " +
                           std::to_string(t));
  }
  return {};
}

void Lane::Overflow(Cycle t) const {
  throw std::logic_error("lane " + std::to_string(id_) + ": not read, full in cycle " +
                         std::to_string(t));
}

void Lane::SetFaults(const LinkFaults& faults, std::uint64_t seed) {
  random_ = Random(seed, static_cast<std::uint64_t>(id_));
  error_gap_ = GeometricGap(faults.word_error_rate);
  loss_gap_ = GeometricGap(faults.flow_control_loss);
  words_to_error_ = error_gap_.Draw(&random_);
  packets_to_loss_ = loss_gap_.Draw(&random_);
  faulty_ = faults.word_error_rate > 0 || faults.flow_control_loss > 0;
  UpdateSpecial();
}

void Lane::SetObserver(LinkObserver* observer) {
  observer_ = observer;
  UpdateSpecial();
}

void Lane::Cut(Cycle t) {
  *activity_ -= static_cast<int>(tail_ - head_);
  head_ = tail_;
  cut_ = true;
  losing_ = false;
  UpdateSpecial();
  if (observer_ != nullptr) observer_->OnCut(*this, t);
}

void Lane::Restore(Cycle t) {
  cut_ = false;
  UpdateSpecial();
  if (observer_ != nullptr) observer_->OnRestore(*this, t);
}

Link::Link(int index, int fly_cycles)
    : index_(index), lanes_{{2 * index, fly_cycles}, {2 * index + 1, fly_cycles}} {}

void Link::Cut(Cycle t) {
  if (!up_) return;
  up_ = false;
  for (Lane& lane : lanes_) lane.Cut(t);
}

void Link::Restore(Cycle t) {
  if (up_) return;
  up_ = true;
  for (Lane& lane : lanes_) lane.Restore(t);
}

void Link::SetFaults(const LinkFaults& faults, std::uint64_t seed) {
  for (Lane& lane : lanes_) lane.SetFaults(faults, seed);
}

void Link::SetObserver(LinkObserver* observer) {
  for (Lane& lane : lanes_) lane.SetObserver(observer);
}

}  // namespace lanecut
