// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/execute_wave.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "sw/cli/network.h"
#include "sw/results/recorder.h"
#include "tb/run/child.h"
#include "tb/run/simulation.h"
#include "tb/wave/event_search.h"
#include "tb/wave/save_file.h"
#include "tb/wave/traced_kinds.h"
#include "tb/wave/wave_recorder.h"

namespace lanecut {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSwitches = 8;  // of an event, if none are named
constexpr std::size_t kMostPlaces = 32;

// What is to be written.
struct Plan {
  std::vector<int> switches;
  WaveWindow window;
  Cycle marked = 0;               // the cycle to look at
  std::vector<WavePlace> places;  // ... and where; none: everywhere
};

// What a process says of the event: trivial to copy.
struct Answer {
  bool found = false;
  Cycle first = 0;
  Cycle last = 0;
  std::size_t num_places = 0;
  std::array<WavePlace, kMostPlaces> places{};
  std::array<char, 400> text{};
};

Answer Pack(const std::optional<FoundEvent>& event, std::string text) {
  Answer answer;
  if (event) {
    answer.found = true;
    answer.first = event->first;
    answer.last = event->last;
    answer.num_places = std::min(event->places.size(), kMostPlaces);
    std::copy_n(event->places.begin(), answer.num_places, answer.places.begin());
    text = event->text;
  }
  std::copy_n(text.begin(), std::min(text.size(), answer.text.size() - 1), answer.text.begin());
  return answer;
}

void RunThrough(Simulation* simulation, const Scenario& scenario) {
  simulation->OpenResults(scenario);
  simulation->BringUp();
  simulation->Run(scenario);
}

Answer SearchRun(const WaveOptions& options, const Topology& topology) {
  Scenario scenario = options.scenario;
  scenario.run.checks = true;  // they know who waits for whom, and change nothing
  Simulation simulation(scenario, topology, {{}, options.progress});
  const bool everywhere = options.switches.empty() ||
                          options.around->kind == WaveEvent::Kind::kAssertion ||
                          options.around->kind == WaveEvent::Kind::kStall;
  const auto search = EventSearch::Make(*options.around, scenario, &simulation,
                                        everywhere ? topology.switches() : options.switches);
  RunThrough(&simulation, scenario);
  const Failure& failure = simulation.failure();
  return Pack(search->Found(),
              fmt::format("the run ended in cycle {}: {}", simulation.fabric().clock().now(),
                          failure ? failure.outcome() + ": " + failure.message() : "ok"));
}

std::vector<int> SwitchesOf(const std::vector<WavePlace>& places) {
  std::vector<int> switches;
  for (const WavePlace& place : places) {
    if (switches.size() == kMostSwitches) break;
    if (std::ranges::find(switches, place.node) == switches.end()) switches.push_back(place.node);
  }
  return switches;
}

// Nothing if the event is not in the run, which is said then.
std::optional<Plan> FindEvent(const WaveOptions& options, const Topology& topology) {
  Child<Answer> child([&] { return std::vector<Answer>{SearchRun(options, topology)}; });
  const Answer answer = child.Join().at(0);
  const std::string_view text = answer.text.data();
  if (!answer.found) {
    std::cerr << fmt::format("lanecut: wave: there is no {} in this run{}; {}\n",
                             options.around->text,
                             options.switches.empty() ? "" : " at these switches", text);
    return std::nullopt;
  }
  std::cout << fmt::format("{}: cycle {}{}: {}\n", options.around->text, answer.first,
                           answer.first == answer.last ? "" : fmt::format(" to {}", answer.last),
                           text)
            << std::flush;
  Plan plan{
      .switches = options.switches,
      .window = {answer.first - std::min(answer.first, kWaveMargin), answer.last + kWaveMargin},
      .marked = answer.first,
      .places = {answer.places.begin(),
                 answer.places.begin() + static_cast<std::ptrdiff_t>(answer.num_places)}};
  if (plan.switches.empty()) plan.switches = SwitchesOf(plan.places);
  return plan;
}

fs::path WithExtension(fs::path path, std::string_view extension) {
  path += extension;
  return path;
}

void WriteSaveFile(const fs::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw ResultsError(fmt::format("{}: cannot be written", path.string()));
}

// Its files have their names only when they are complete.
class Files {
 public:
  explicit Files(const fs::path& out)
      : waves_(WithExtension(out, ".fst")), save_(WithExtension(out, ".gtkw")) {
    std::error_code ignored;
    if (out.has_parent_path()) fs::create_directories(out.parent_path(), ignored);
  }
  ~Files() {
    std::error_code ignored;
    fs::remove(Partial(waves_), ignored);
    fs::remove(Partial(save_), ignored);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  const fs::path& waves() const { return waves_; }
  const fs::path& save() const { return save_; }
  static fs::path Partial(const fs::path& path) {
    return WithExtension(path, fmt::format(".partial-{}", getpid()));
  }
  void Publish() {
    fs::rename(Partial(waves_), waves_);
    fs::rename(Partial(save_), save_);
  }

 private:
  fs::path waves_;
  fs::path save_;
};

int WriteWaves(const WaveOptions& options, const Topology& topology, const Plan& plan) {
  const Scenario& scenario = options.scenario;
  Files files(options.out);
  Simulation simulation(scenario, topology, {{}, options.progress});
  WaveRecorder recorder(scenario, &simulation, plan.switches, plan.window,
                        Files::Partial(files.waves()),
                        [&] { simulation.End("wave", "the window is over"); });
  RunThrough(&simulation, scenario);
  if (!recorder.Finish()) {
    std::cerr << fmt::format("lanecut: wave: the run ended in cycle {}, before cycle {}\n",
                             simulation.fabric().clock().now(), plan.window.first);
    return kExitFailed;
  }
  const std::uint64_t ns = NsPerCycle(scenario.link.rate);
  WriteSaveFile(Files::Partial(files.save()),
                SaveFile(topology, {.waves = fs::absolute(files.waves()).lexically_normal(),
                                    .switches = plan.switches,
                                    .vls = simulation.fabric().switch_kind().vls,
                                    .ns_per_cycle = ns,
                                    .first = plan.window.first,
                                    .marked = plan.marked,
                                    .places = plan.places}));
  files.Publish();
  std::vector<std::string> names;
  for (const int node : plan.switches) names.push_back(topology.node(node).name);
  std::cout << fmt::format(
      "{}: {}, cycles {} to {} ({} to {} ns)\n{}: how to show it: gtkwave {}\n",
      files.waves().string(), fmt::join(names, ", "), plan.window.first, recorder.last(),
      plan.window.first * ns, recorder.last() * ns, files.save().string(), files.save().string());
  return kExitOk;
}

}  // namespace

int ExecuteWave(const WaveOptions& options) {
  const Topology topology = BuildTopology(options.scenario);
  try {
    CheckTraceable(Fabric::KindFor(options.scenario, topology));
  } catch (const std::invalid_argument& error) {
    throw ResultsError(fmt::format("lanecut: wave: {}", error.what()));
  }
  if (!options.around) {
    return WriteWaves(options, topology,
                      {options.switches, {options.first, options.last}, options.first, {}});
  }
  const std::optional<Plan> plan = FindEvent(options, topology);
  return plan ? WriteWaves(options, topology, *plan) : kExitFailed;
}

}  // namespace lanecut
