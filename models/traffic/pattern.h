// SPDX-License-Identifier: Apache-2.0
//
// Where the packets of a source go. A pattern has no state of its own: what is random is drawn from
// the source's stream, so that leaving a source out does not change the others.
#pragma once

#include "models/random.h"

namespace lanecut {

class Pattern {
 public:
  virtual ~Pattern() = default;
  // False if the pattern gives this source no destination but itself: it sends nothing at all.
  virtual bool Sends(int source) const = 0;
  // The destination of the next packet of a source that sends; never itself.
  virtual int Draw(int source, Random* random) const = 0;
};

}  // namespace lanecut
