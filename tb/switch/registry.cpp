// SPDX-License-Identifier: Apache-2.0
#include "tb/switch/registry.h"

#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lanecut {
namespace {

std::vector<SwitchEntry>& Entries() {
  static std::vector<SwitchEntry> entries = BuiltKinds();
  return entries;
}

}  // namespace

std::string DescribeSwitchKind(const SwitchKind& kind) {
  return fmt::format(
      "{} ports, {} data VLs, {} bytes of buffer per VL, {} LIDs, {} route cycles{}{}", kind.ports,
      kind.vls, 64 * kind.buf_blocks, kind.lids, kind.route_cycles,
      kind.schemes ? ", EBR, OSR and compact packets" : "",
      kind.lifetime ? ", HOQLife and LifeTimeValue" : "");
}

void AddSwitchKind(const SwitchKind& kind, SwitchMaker make) {
  Entries().insert(Entries().begin(), {kind, std::move(make)});
}

VerilatedContext* SwitchContext() {
  static VerilatedContext* context = [] {
    auto* made = new VerilatedContext;
    made->fatalOnError(
        false);  // a failed assertion ends the run in order, see SwitchAssertionFailed()
    return made;
  }();
  return context;
}

std::vector<SwitchKind> SwitchKinds() {
  std::vector<SwitchKind> kinds;
  for (const SwitchEntry& entry : Entries()) kinds.push_back(entry.kind);
  return kinds;
}

SwitchKind FindSwitchKind(const SwitchKind& wanted) {
  std::string known;
  for (const SwitchEntry& entry : Entries()) {
    SwitchKind fits = wanted;
    fits.ports = std::max(wanted.ports, entry.kind.ports);
    fits.lids = std::max(wanted.lids, entry.kind.lids);
    if (!wanted.lifetime) fits.lifetime = entry.kind.lifetime;
    fits.ebr_literal = entry.kind.ebr_literal;
    if (fits == entry.kind) return entry.kind;
    known += (known.empty() ? "" : "; ") + DescribeSwitchKind(entry.kind);
  }
  throw std::invalid_argument(fmt::format(
      "no switch with {} in this build (docs/scenario.md says how to add one); there is: {}",
      DescribeSwitchKind(wanted), known));
}

std::unique_ptr<SwitchModel> MakeSwitchModel(const SwitchKind& kind, const std::string& name) {
  for (const SwitchEntry& entry : Entries()) {
    if (entry.kind == kind) return entry.make(kind, name);
  }
  throw std::invalid_argument("MakeSwitchModel: not a kind of this build");
}

bool SwitchAssertionFailed() { return SwitchContext()->gotError(); }

}  // namespace lanecut
