// SPDX-License-Identifier: Apache-2.0
//
// Compact packets as directed-route MADs and back: the same attributes, methods and statuses.
#pragma once

#include <cstdint>

#include "sw/mad/mad.h"
#include "sw/wire/compact.h"

namespace lanecut::ib {

// Words that a Set of this attribute needs, and that a Get of it is worth: those in front that are
// not always 0. (The answer to a Set is its status, but of VlDrain, which is polled by Sets.)
int AttributeWords(MadAttribute attribute);

// May a manager send it compact? What a fabric is discovered and brought up with is standard.
bool HasCompactForm(const Mad& request);

// A request without path and number: 0 and empty.
CompactPacket CompactRequest(const Mad& request);

// Attribute, modifier, method, status and the first 16 words of data; the transaction ID is the
// number. No path.
Mad MadOf(const CompactPacket& compact);

// `answer` to what has arrived as `request`, on its way back from there.
CompactPacket CompactAnswer(const CompactPacket& request, const Mad& answer);

}  // namespace lanecut::ib
