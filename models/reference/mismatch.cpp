// SPDX-License-Identifier: Apache-2.0
#include "models/reference/mismatch.h"

#include <fmt/format.h>

namespace lanecut {

const char* CheckName(Check check) {
  switch (check) {
    case Check::kFraming:
      return "framing";
    case Check::kCrc:
      return "crc";
    case Check::kRoute:
      return "route";
    case Check::kOrder:
      return "order";
    case Check::kContent:
      return "content";
    case Check::kUnknown:
      return "unknown packet";
    case Check::kEarly:
      return "too early";
    case Check::kCredit:
      return "credit";
    case Check::kDrop:
      return "drop";
    case Check::kNumber:
      return "function number";
    case Check::kToken:
      return "token";
    case Check::kDrain:
      return "drain";
    case Check::kPortState:
      return "port state";
    case Check::kManagement:
      return "management";
    case Check::kLost:
      return "lost";
    case Check::kAccounting:
      return "accounting";
  }
  return "?";
}

std::string Mismatch::Text() const {
  std::string text = fmt::format("{}: cycle {}", CheckName(check), cycle);
  if (!node.empty()) text += ", " + node;
  if (port >= 0) text += fmt::format(", port {}", port);
  if (vl >= 0) text += fmt::format(", VL {}", vl);
  if (!packet.empty()) text += ", packet " + packet;
  return text + ": expected " + expected + ", seen " + seen;
}

}  // namespace lanecut
