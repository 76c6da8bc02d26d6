// SPDX-License-Identifier: Apache-2.0
#include "sw/mad/compact_mad.h"

#include <algorithm>
#include <cstddef>

namespace lanecut::ib {

namespace {

constexpr int kDataWords = kSmpDataBytes / 4;
constexpr std::size_t kFirstDataWord = kSmpDataOffset / 4;

}  // namespace

int AttributeWords(MadAttribute attribute) {
  switch (attribute) {
    case MadAttribute::kVendorInjection:
    case MadAttribute::kVendorBank:
    case MadAttribute::kVendorEndNodePorts:
    case MadAttribute::kVendorScheme:
    case MadAttribute::kVendorFunction:
    case MadAttribute::kVendorVlDrain:
      return 1;
    case MadAttribute::kSlToVlMappingTable:
    case MadAttribute::kVendorInactiveSlToVl:
      return 2;
    case MadAttribute::kVendorStatus:
      return 4;
    default:
      return kDataWords;
  }
}

bool HasCompactForm(const Mad& request) {
  switch (request.attribute()) {
    case MadAttribute::kSlToVlMappingTable:
    case MadAttribute::kLinearForwardingTable:
    case MadAttribute::kVendorStatus:
    case MadAttribute::kVendorInjection:
    case MadAttribute::kVendorBank:
    case MadAttribute::kVendorInactiveForwardingTable:
    case MadAttribute::kVendorInactiveSlToVl:
    case MadAttribute::kVendorEndNodePorts:
    case MadAttribute::kVendorScheme:
    case MadAttribute::kVendorFunction:
    case MadAttribute::kVendorFeederRows:
    case MadAttribute::kVendorTableUpdate:
    case MadAttribute::kVendorVlDrain:
    case MadAttribute::kVendorPaths:
      return true;
    default:
      return false;
  }
}

CompactPacket CompactRequest(const Mad& request) {
  CompactPacket compact;
  compact.attribute = static_cast<std::uint16_t>(request.attribute());
  compact.method = static_cast<std::uint8_t>(request.method());
  compact.modifier = request.modifier();
  const int words = AttributeWords(request.attribute());
  const bool is_get = request.method() == MadMethod::kGet;
  if (is_get || request.attribute() == MadAttribute::kVendorVlDrain) {
    compact.wanted = static_cast<std::uint8_t>(words);
  }
  if (is_get) return compact;
  for (int i = 0; i < words; ++i) {
    compact.data.push_back(request.Word(kFirstDataWord + static_cast<std::size_t>(i)));
  }
  if (request.attribute() == MadAttribute::kVendorPaths) {  // entries that are none
    while (compact.data.size() > 1 && compact.data.back() == 0) compact.data.pop_back();
  }
  return compact;
}

Mad MadOf(const CompactPacket& compact) {
  const bool is_answer = compact.kind == CompactKind::kAnswer;
  Mad mad = MakeSmp(MadClass::kSubnDirected,
                    is_answer ? MadMethod::kGetResp : static_cast<MadMethod>(compact.method),
                    static_cast<MadAttribute>(compact.attribute), compact.modifier);
  mad.set_direction(is_answer);
  if (is_answer) mad.set_status(static_cast<MadStatus>(compact.status));
  mad.set_transaction_id(compact.number);
  const std::size_t words = std::min<std::size_t>(compact.data.size(), kDataWords);
  for (std::size_t i = 0; i < words; ++i) mad.SetWord(kFirstDataWord + i, compact.data[i]);
  return mad;
}

CompactPacket CompactAnswer(const CompactPacket& request, const Mad& answer) {
  CompactPacket compact = request;
  compact.kind = CompactKind::kAnswer;
  compact.status = answer.status();
  compact.method = compact.wanted = 0;
  compact.modifier = 0;
  compact.data.clear();
  const int words = answer.status() == 0 ? std::min<int>(request.wanted, kDataWords) : 0;
  for (int i = 0; i < words; ++i) {
    compact.data.push_back(answer.Word(kFirstDataWord + static_cast<std::size_t>(i)));
  }
  return compact;
}

}  // namespace lanecut::ib
