// SPDX-License-Identifier: Apache-2.0
//
// Passes what end nodes report on to the ledger, to the counter and log of the run and, with
// checks, to the checker.
#pragma once

#include "models/hca/hca_observer.h"
#include "tb/run/change_log.h"
#include "tb/run/checker.h"
#include "tb/run/packet_ledger.h"
#include "tb/run/trace_counter.h"

namespace lanecut {

class HcaFanOut : public HcaObserver {
 public:
  // `checker` may be null; pointers are kept.
  HcaFanOut(PacketLedger* ledger, TraceCounter* trace, ChangeLog* changes, Checker* checker)
      : ledger_(ledger), trace_(trace), changes_(changes), checker_(checker) {}

  void OnGenerated(int hca, const HcaPacket& packet) override {
    ledger_->OnGenerated(hca, packet);
    if (checker_ != nullptr) checker_->OnGenerated(hca, packet);
  }
  void OnSourceDrop(int hca, const HcaPacket& packet, DropReason reason, Cycle t) override {
    ledger_->OnSourceDrop(hca, packet, reason, t);
    if (checker_ != nullptr) checker_->OnSourceDrop(hca, packet, reason, t);
  }
  void OnInjected(int hca, const HcaPacket& packet) override { ledger_->OnInjected(hca, packet); }
  void OnCutShort(int hca, const HcaPacket& packet, Cycle t) override {
    ledger_->OnCutShort(hca, packet, t);
    if (checker_ != nullptr) checker_->OnCutShort(hca, packet, t);
  }
  void OnDelivered(int hca, const HcaPacket& packet) override {
    ledger_->OnDelivered(hca, packet);
    if (checker_ != nullptr) checker_->OnDelivered(hca, packet);
  }
  void OnReceiveDrop(int hca, std::uint64_t id, DropReason reason, Cycle t) override {
    trace_->Count(reason);
    if (checker_ != nullptr) checker_->OnReceiveDrop(hca, id, reason, t);
  }
  void OnOrderError(int hca, const HcaPacket& packet) override {
    ledger_->OnOrderError(hca, packet);
  }
  void OnMessage(int hca, const HcaMessage& message, Cycle t) override {
    ledger_->OnMessage(hca, message, t);
  }
  void OnGeneralPacket(int hca, Cycle t) override {
    if (checker_ != nullptr) checker_->OnGeneralPacket(hca, t);
  }
  void OnReaddressed(int hca, std::uint64_t id, std::uint8_t sl) override {
    ledger_->OnReaddressed(hca, id, sl);
  }
  void OnPathChange(int hca, const PathTable::Change& change, Cycle t) override {
    changes_->OnPathChange(hca, change, t);
  }
  void OnTokenPassed(int hca, int vl, std::uint8_t number, Cycle t) override {
    changes_->OnTokenPassed(hca, vl, number, t);
  }
  void OnDrain(int hca, const HcaDrain& drain, Cycle t) override {
    changes_->OnDrain(hca, drain, t);
    if (checker_ != nullptr) checker_->OnDrain(hca, drain, t);
  }

 private:
  PacketLedger* ledger_;
  TraceCounter* trace_;
  ChangeLog* changes_;
  Checker* checker_;
};

}  // namespace lanecut
