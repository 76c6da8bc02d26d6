// SPDX-License-Identifier: Apache-2.0
//
// Where a command's text goes. Private to sw/cli.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace lanecut {

// Writes `text` to the file, which appears when it is complete; to `out` if the name is empty.
// Throws UsageError.
void WriteOutput(const std::string& file, std::string_view text, std::ostream& out);

}  // namespace lanecut
