// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "sw/cli/commands.h"

namespace lanecut {

void WriteOutput(const std::string& file, std::string_view text, std::ostream& out) {
  if (file.empty()) {
    out << text;
    return;
  }
  const std::string partial = fmt::format("{}.partial-{}", file, getpid());
  std::ofstream stream(partial, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream) std::filesystem::rename(partial, file, error);
  if (!stream || error) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw UsageError(
        fmt::format("{}: cannot be written; expected a file in a folder that can", file));
  }
}

}  // namespace lanecut
