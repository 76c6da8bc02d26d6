// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/numbered_reconfiguration.h"

#include <utility>

#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

using ib::MadAttribute;

NumberedReconfiguration::NumberedReconfiguration(const ReconfigurationTools& tools)
    : ComputedReconfiguration(tools, SmPhase::kNumbering), numbering_(tools.numbering) {}

void NumberedReconfiguration::Abandon() {
  ComputedReconfiguration::Abandon();
  numbering_.Abandon();
}

void NumberedReconfiguration::Prepare(std::function<void()> next) {
  phase_ = SmPhase::kNumbering;
  numbering_.Run(true, [this, next = std::move(next)](const StageResult& result) {
    if (Continue(result)) ActivateLinks(next);
  });
}

void NumberedReconfiguration::ActivateLinks(std::function<void()> next) {
  activation_.Configure([this, next = std::move(next)](const StageResult& configured) {
    if (!Continue(configured)) return;
    activation_.Activate([this, next](const StageResult& result) {
      if (Continue(result)) next();
    });
  });
}

bool NumberedReconfiguration::IsMember(int node) const {
  return map_.node(node).IsReachable() && map_.node(node).is_numbered;
}

void NumberedReconfiguration::ReleaseEndNodes(std::function<void()> next) {
  const auto submit = [this] {
    for (const int node : numbering_.held()) {
      if (IsMember(node)) numbering_.Release(batch_, result_, node);
    }
  };
  batch_.Run(submit, std::move(next));
}

void NumberedReconfiguration::Send(SmpBatch& batch, int node, SmpRequest request,
                                   std::function<void(const Mad&)> next) {
  const MadAttribute attribute = request.mad.attribute();
  batch.Add(std::move(request),
            [this, node, attribute, next = std::move(next)](const SmpReply& reply) {
              if (reply.outcome == SmpOutcome::kNoRoute) return;
              if (CheckReply(reply, attribute, map_.node(node).name, &result_)) next(reply.mad);
            });
}

ib::VendorFunction NumberedReconfiguration::StartOf(std::uint8_t number) {
  ib::VendorFunction function;
  function.start = true;
  function.number = number;
  return function;
}

void NumberedReconfiguration::Flood(const SmpRequest& command) {
  engine_.Flood(command.mad, map_.node(FabricMap::kOwnNode).lid, now_);
}

void NumberedReconfiguration::SendStart(SmpBatch& batch, int node, std::uint8_t number,
                                        std::function<void()> next) {
  SmpRequest request = SetRequest({node}, MadAttribute::kVendorFunction, 0, StartOf(number));
  // Compact tables wait for nothing, so nothing goes before them either.
  request.urgent = config_.UsesEpochs() && !config_.IsCompact();
  Send(batch, node, std::move(request), [next = std::move(next)](const Mad&) { next(); });
}

}  // namespace lanecut
