// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/capture_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>

#include "sw/cli/commands.h"

namespace lanecut {
namespace {

constexpr std::size_t kMostNamed = 12;

template <typename T>
std::optional<T> Number(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Those of a node, or all of them.
std::string Links(const Topology& topology, std::optional<int> node) {
  std::vector<std::string> names;
  for (const Cable& cable : topology.cables()) {
    if (node && cable.a.node != *node && cable.b.node != *node) continue;
    const PortRef& port = node && cable.b.node == *node ? cable.b : cable.a;
    names.push_back(fmt::format("{}:{}", topology.node(port.node).name, port.port));
  }
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more == 0 ? "" : fmt::format(" and {} more (lanecut topo)", more));
}

int CableAt(const std::string& link, const Topology& topology) {
  const std::size_t colon = link.rfind(':');
  const auto node = topology.FindNode(link.substr(0, colon));
  const auto port = colon == std::string::npos ? std::nullopt : Number<int>(link.substr(colon + 1));
  const auto peer = node && port ? topology.PeerOf(*node, *port) : std::nullopt;
  if (!peer) {
    throw UsageError(fmt::format("run: --capture {}: no such link; expected all, or one of {}",
                                 link, Links(topology, node)));
  }
  return peer->cable;
}

CaptureWindow ParseWindow(const std::string& text) {
  CaptureWindow window;
  const std::size_t dots = text.find("..");
  bool good = dots != std::string::npos;
  if (good && dots > 0) {
    const auto begin = Number<Cycle>(std::string_view(text).substr(0, dots));
    good = begin.has_value();
    window.begin = begin.value_or(0);
  }
  if (good && dots + 2 < text.size()) {
    const auto end = Number<Cycle>(std::string_view(text).substr(dots + 2));
    good = end.has_value();
    window.end = end.value_or(0);
  }
  if (!good || window.begin >= window.end) {
    throw UsageError(fmt::format(
        "run: --capture-window {}: expected two cycles, the first below the second, like "
        "250000..260000",
        text));
  }
  return window;
}

}  // namespace

std::optional<CaptureOptions> ParseCapture(const std::vector<std::string>& links,
                                           const std::string& window, const Topology& topology) {
  if (links.empty()) {
    if (!window.empty()) throw UsageError("run: --capture-window without --capture");
    return std::nullopt;
  }
  CaptureOptions options;
  if (!window.empty()) options.window = ParseWindow(window);
  if (std::ranges::find(links, "all") != links.end()) {
    options.cables.resize(topology.cables().size());
    std::iota(options.cables.begin(), options.cables.end(), 0);
    return options;
  }
  for (const std::string& link : links) {
    const int cable = CableAt(link, topology);
    if (std::ranges::find(options.cables, cable) == options.cables.end()) {
      options.cables.push_back(cable);
    }
  }
  return options;
}

}  // namespace lanecut
