// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/wave_recorder.h"

#include <utility>

#include "sw/wire/packet.h"

namespace lanecut {

WaveRecorder::WaveRecorder(const Scenario& scenario, Simulation* simulation,
                           const std::vector<int>& nodes, const WaveWindow& window,
                           const std::filesystem::path& file, std::function<void()> done)
    : simulation_(simulation),
      window_(window),
      path_(file),
      done_(std::move(done)),
      ns_per_cycle_(NsPerCycle(scenario.link.rate)),
      shadows_(scenario, &simulation->fabric(), nodes),
      nodes_(nodes) {
  for (const int node : nodes_) {
    readable_.push_back(std::make_unique<ReadableSwitch>(simulation->fabric().topology(), node,
                                                         simulation->fabric().switch_kind().vls,
                                                         &shadows_.at(node).view(), &lids_));
  }
  Agenda& agenda = simulation->fabric().clock().agenda();
  task_ = agenda.Add([this](Cycle now) { OnCycle(now); });
  agenda.Arm(task_, window_.first + 1);
}

// At the beginning of a cycle all switches stand in the one before it.
void WaveRecorder::OnCycle(Cycle now) {
  Write(now - 1);
  if (last_ < window_.last) {
    simulation_->fabric().clock().agenda().Arm(task_, now + 1);
  } else {
    Close();
    done_();
  }
}

void WaveRecorder::Write(Cycle t) {
  last_ = t;
  for (const int node : nodes_) shadows_.at(node).FollowIdle(t);
  if (!file_) Open();
  clock_ = true;
  file_->Dump(t * ns_per_cycle_);
  clock_ = false;
  file_->Dump(t * ns_per_cycle_ + ns_per_cycle_ / 2);
}

void WaveRecorder::Close() {
  file_->Close();
  closed_ = true;
}

void WaveRecorder::Open() {
  NameLids();
  std::vector<TracedSwitch*> switches;
  std::vector<ReadableSignal> signals = {
      {{"run"}, "clk", 1, nullptr, [this] { return std::uint64_t{clock_}; }},
      {{"run"}, "cycle", 64, nullptr, [this] { return last_; }}};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    switches.push_back(&shadows_.at(nodes_[i]).model());
    for (ReadableSignal& signal : readable_[i]->Signals()) signals.push_back(std::move(signal));
  }
  file_ = std::make_unique<WaveFile>(path_, switches, std::move(signals));
}

void WaveRecorder::NameLids() {
  const Topology& topology = simulation_->fabric().topology();
  const int hcas = simulation_->fabric().num_hcas();
  for (int to = 0; to < hcas; ++to) {
    const Lid lid = simulation_->paths().Find(to == 0 ? hcas - 1 : 0, to).dlid;
    if (lid != 0) lids_[lid] = topology.node(topology.hcas()[static_cast<std::size_t>(to)]).name;
  }
  lids_[0] = "-";
  lids_[kPermissiveLid] = "permissive";
}

bool WaveRecorder::Finish() {
  if (closed_) return true;
  const Cycle end = simulation_->fabric().clock().now();
  if (end <= window_.first) return false;
  Write(end - 1);
  Close();
  return true;
}

}  // namespace lanecut
