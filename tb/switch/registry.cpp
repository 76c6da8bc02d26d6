// SPDX-License-Identifier: Apache-2.0
#include "tb/switch/registry.h"

#include <Vlanecut_p6v2.h>
#include <Vlanecut_p6v2_schemes.h>
#include <Vlanecut_p8v2.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "tb/switch/verilated_switch.h"

namespace lanecut {
namespace {

using Maker = std::function<std::unique_ptr<SwitchModel>(const SwitchKind&, const std::string&)>;

struct Entry {
  SwitchKind kind;
  Maker make;
};

// One context for the process: instances share its time and its error state.
VerilatedContext& Context() {
  static VerilatedContext* context = [] {
    auto* made = new VerilatedContext;
    made->fatalOnError(
        false);  // a failed assertion ends the run in order, see SwitchAssertionFailed()
    return made;
  }();
  return *context;
}

template <class V>
Entry MakeEntry(const SwitchKind& made) {
  return {made, [](const SwitchKind& kind, const std::string& name) {
            return std::make_unique<VerilatedSwitch<V>>(kind, &Context(), name);
          }};
}

const std::vector<Entry>& Entries() {
  static const std::vector<Entry> entries = {MakeEntry<Vlanecut_p6v2>({6, 2, 16, 6}),
                                             MakeEntry<Vlanecut_p6v2_schemes>({6, 2, 16, 6, true}),
                                             MakeEntry<Vlanecut_p8v2>({8, 2, 16, 6})};
  return entries;
}

std::string Describe(const SwitchKind& kind) {
  return fmt::format("{} ports, {} data VLs, {} bytes of buffer per VL, {} route cycles{}",
                     kind.ports, kind.vls, 64 * kind.buf_blocks, kind.route_cycles,
                     kind.schemes ? ", EBR, OSR and compact packets" : "");
}

}  // namespace

std::vector<SwitchKind> SwitchKinds() {
  std::vector<SwitchKind> kinds;
  for (const Entry& entry : Entries()) kinds.push_back(entry.kind);
  return kinds;
}

SwitchKind FindSwitchKind(const SwitchKind& wanted) {
  std::string known;
  for (const Entry& entry : Entries()) {
    SwitchKind fits = wanted;
    fits.ports = std::max(wanted.ports, entry.kind.ports);
    if (fits == entry.kind) return entry.kind;
    known += (known.empty() ? "" : "; ") + Describe(entry.kind);
  }
  throw std::invalid_argument(
      fmt::format("no switch with {} in this build; there is: {}", Describe(wanted), known));
}

std::unique_ptr<SwitchModel> MakeSwitchModel(const SwitchKind& kind, const std::string& name) {
  for (const Entry& entry : Entries()) {
    if (entry.kind == kind) return entry.make(kind, name);
  }
  throw std::invalid_argument("MakeSwitchModel: not a kind of this build");
}

bool SwitchAssertionFailed() { return Context().gotError(); }

}  // namespace lanecut
