// SPDX-License-Identifier: Apache-2.0
#include "sw/patterns/pair_instance.h"

#include <algorithm>
#include <cstdlib>

namespace lanecut {
namespace {

std::vector<AxisPair> AxisPairsOf(int axis_class, int least, int most) {
  std::vector<AxisPair> pairs;
  for (int size = least; size <= most; ++size) {
    for (int from = 0; from < size; ++from) {
      for (int to = 0; to < size; ++to) {
        const AxisPair pair{size, from, to};
        if (AxisClassOf(pair) == axis_class) pairs.push_back(pair);
      }
    }
  }
  return pairs;
}

}  // namespace

PairInstance::PairInstance(std::span<const AxisPair> axes) : axes_(axes.begin(), axes.end()) {
  int switches = 1;
  Place destination = {};
  for (int k = 0; k < this->axes(); ++k) {
    switches *= axes_[k].size;
    destination[k] = axes_[k].to;
  }
  is_near_.assign(switches, 0);
  source_ = NumberOf(SourcePlace());
  destination_ = NumberOf(destination);
  MarkNeighbours(SourcePlace(), 1);
  MarkNeighbours(destination, 2);
}

PairInstance::Place PairInstance::SourcePlace() const {
  Place place = {};
  for (int k = 0; k < axes(); ++k) place[k] = axes_[k].from;
  return place;
}

int PairInstance::NumberOf(const Place& place) const {
  int number = 0;
  for (int k = axes() - 1; k >= 0; --k) number = number * axes_[k].size + place[k];
  return number;
}

void PairInstance::Step(Place& place, int direction) const {
  int& at = place[AxisOf(direction)];
  const int size = axes_[AxisOf(direction)].size;
  if (IsFalling(direction)) {
    at = at == 0 ? size - 1 : at - 1;
  } else {
    at = at == size - 1 ? 0 : at + 1;
  }
}

unsigned PairInstance::LastBits(const Place& place) const {
  unsigned last = 0;
  for (int k = 0; k < axes(); ++k) last |= (place[k] == axes_[k].size - 1 ? 1U : 0U) << k;
  return last;
}

int PairInstance::Distance(const Place& place) const {
  int hops = 0;
  for (int k = 0; k < axes(); ++k) {
    const int apart = std::abs(place[k] - axes_[k].to);
    hops += std::min(apart, axes_[k].size - apart);
  }
  return hops;
}

void PairInstance::MarkNeighbours(const Place& place, std::uint8_t mark) {
  for (int direction = 0; direction < 2 * axes(); ++direction) {
    Place next = place;
    Step(next, direction);
    is_near_[NumberOf(next)] |= mark;
  }
}

std::vector<PairInstance> InstancesOf(int pair_class, int axes, int least, int most, Sides sides) {
  std::vector<std::vector<AxisPair>> products = {{}};
  for (const int axis_class : AxisClassesOf(pair_class, axes)) {
    std::vector<std::vector<AxisPair>> longer;
    for (const auto& product : products) {
      for (const AxisPair& pair : AxisPairsOf(axis_class, least, most)) {
        if (sides == Sides::kEqual && !product.empty() && product[0].size != pair.size) continue;
        longer.push_back(product);
        longer.back().push_back(pair);
      }
    }
    products = std::move(longer);
  }
  std::vector<PairInstance> instances;
  for (const auto& product : products) {
    PairInstance instance(product);
    if (instance.source() != instance.destination()) instances.push_back(std::move(instance));
  }
  return instances;
}

}  // namespace lanecut
