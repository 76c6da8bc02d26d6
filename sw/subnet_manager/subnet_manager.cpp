// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/subnet_manager.h"

#include "sw/subnet_manager/manager_core.h"

namespace lanecut {

SubnetManager::SubnetManager(SmConfig config, MadTransport& transport, SmObserver& observer)
    : impl_(std::make_unique<Impl>(std::move(config), transport, observer)) {}
SubnetManager::~SubnetManager() = default;

void SubnetManager::Start(Cycle now) { impl_->Start(now); }
void SubnetManager::OnMad(const Mad& mad, Cycle now) { impl_->OnMad(mad, now); }
void SubnetManager::OnLink(bool is_up, Cycle now) { impl_->OnLink(is_up, now); }
void SubnetManager::OnTimer(Cycle now) { impl_->OnTimer(now); }
Cycle SubnetManager::NextDeadline() const { return impl_->NextDeadline(); }
void SubnetManager::Change(PlannedChange change, Cycle now) {
  impl_->Change(std::move(change), now);
}
bool SubnetManager::IsServed(std::uint64_t end_node_guid) const {
  return impl_->IsServed(end_node_guid);
}
void SubnetManager::ReadCounters(Cycle now,
                                 std::function<void(const std::vector<PortReading>&)> done) {
  impl_->ReadCounters(now, std::move(done));
}
void SubnetManager::StopReadingCounters() { impl_->StopReadingCounters(); }
SmPhase SubnetManager::phase() const { return impl_->phase(); }
bool SubnetManager::IsUp() const { return impl_->IsUp(); }
bool SubnetManager::IsSettled() const { return impl_->IsSettled(); }
const Topology& SubnetManager::topology() const { return impl_->topology(); }
const RoutingTables& SubnetManager::tables() const { return impl_->tables(); }
const SmpCounters& SubnetManager::counters() const { return impl_->counters(); }
const std::vector<TableComputation>& SubnetManager::computations() const {
  return impl_->computations();
}

}  // namespace lanecut
