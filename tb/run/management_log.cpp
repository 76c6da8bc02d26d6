// SPDX-License-Identifier: Apache-2.0
#include "tb/run/management_log.h"

#include <fmt/format.h>

#include <optional>

#include "sw/mad/compact_mad.h"
#include "sw/mad/mad.h"
#include "sw/wire/compact.h"
#include "sw/wire/packet.h"
#include "tb/run/table_log.h"

namespace lanecut {
namespace {

using Words = std::span<const std::uint32_t>;

// The request, if it has come to the end of its path.
std::optional<Mad> ArrivedSmp(Words words) {
  const std::optional<SmpPacket> smp = ParseSmpPacket(words);
  if (!smp) return std::nullopt;
  const Mad mad{smp->mad};
  if (!mad.is_directed() || mad.hop_pointer() != mad.hop_count()) return std::nullopt;
  return mad;
}

std::optional<Mad> ArrivedCompact(Words words) {
  const std::optional<CompactPacket> compact = ParseCompactPacket(words);
  if (!compact || compact->kind != CompactKind::kRequest) return std::nullopt;
  if (compact->hop_pointer >= compact->path.size() || compact->path[compact->hop_pointer] != 0)
    return std::nullopt;
  return ib::MadOf(*compact);
}

}  // namespace

void ManagementLog::OnIn(int node, Words words, Cycle t) {
  const Words contents = words.first(words.size() - 1);
  if (recorder_ == nullptr || contents.size() < kLrhWords + kBthWords) return;
  const std::optional<Mad> mad =
      IsCompact(contents) ? ArrivedCompact(contents) : ArrivedSmp(contents);
  if (!mad || mad->method() != ib::MadMethod::kSet || !ChangesTables(*mad) || !VcrcOk(words))
    return;
  recorder_->Event(t, "table-arrived", topology_->node(node).name, DescribeTablePacket(*mad));
}

// The first one to send a packet from that LID is where it comes from.
void ManagementLog::OnOut(int node, Words words, Cycle t) {
  const Words contents = words.first(words.size() - 1);
  if (contents.size() != kSmpPacketWords) return;
  const std::optional<SmpPacket> smp = ParseSmpPacket(contents);
  if (!smp) return;
  const Mad mad{smp->mad};
  if (mad.method() != ib::MadMethod::kTrap || mad.attribute() != ib::MadAttribute::kNotice) return;
  const int issuer = issuers_.try_emplace(smp->slid, node).first->second;
  if (issuer != node || recorder_ == nullptr) return;
  recorder_->Event(t, "trap-sent", topology_->node(node).name,
                   fmt::format("tid {:#x}", mad.transaction_id()));
}

}  // namespace lanecut
