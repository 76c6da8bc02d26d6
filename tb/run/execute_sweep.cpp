// SPDX-License-Identifier: Apache-2.0
#include "tb/run/execute_sweep.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

#include "sw/cli/network.h"
#include "sw/results/summary.h"
#include "tb/run/simulation.h"
#include "tb/run/wave_hint.h"

namespace lanecut {
namespace {

// Pieces of work in processes of their own, at most `limit` at a time.
class Processes {
 public:
  explicit Processes(std::size_t limit) : limit_(limit) {}

  // `work` returns an exit status; what it throws is printed and is kExitFailed.
  void Start(const std::function<int()>& work) {
    if (running_ == limit_) WaitForOne();
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t pid = fork();
    if (pid < 0) throw std::runtime_error("sweep: no further process can be started");
    if (pid == 0) _exit(Work(work));
    ++running_;
  }

  // kExitOk if all of them returned that.
  int Finish() {
    while (running_ > 0) WaitForOne();
    return failed_ ? kExitFailed : kExitOk;
  }

 private:
  static int Work(const std::function<int()>& work) {
    int status = kExitFailed;
    try {
      status = work();
    } catch (const std::exception& error) {
      std::cerr << fmt::format("lanecut: {}\n", error.what()) << std::flush;
    }
    std::cout.flush();
    return status;
  }

  void WaitForOne() {
    int status = 0;
    if (wait(&status) < 0) throw std::runtime_error("sweep: a process is lost");
    --running_;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != kExitOk) failed_ = true;
  }

  std::size_t limit_;
  std::size_t running_ = 0;
  bool failed_ = false;
};

// From the first detection of a change until its new function is in force, and traffic flows.
std::optional<Cycle> ChangeTime(const Summary& summary) {
  std::optional<Cycle> begin;
  std::optional<Cycle> end;
  for (const TimelineEntry& entry : summary.timeline) {
    if (entry.kind == "detected" && !begin) begin = entry.cycle;
    if (begin && (entry.kind == "in-force" || entry.kind == "resumed")) end = entry.cycle - *begin;
  }
  return end;
}

constexpr const char* kColumns = "{:{}}  {:>8}  {:>8}  {:>8}  {:>9}  {:>8}  {:>8}  {:>9}\n";

std::string Heading(std::size_t width) {
  return fmt::format(fmt::runtime(kColumns), "", width, "accepted", "mean", "p99", "max", "dropped",
                     "refused", "change");
}

std::string Line(const SweepRun& run, std::size_t width, const Summary& summary) {
  if (!summary.ok()) {
    return fmt::format("{:{}}  {}: {}\n", run.name, width, summary.outcome, summary.message);
  }
  const std::optional<Cycle> change = ChangeTime(summary);
  return fmt::format(fmt::runtime(kColumns), run.name, width,
                     fmt::format("{:.4f}", summary.accepted_load),
                     fmt::format("{:.1f}", summary.total.mean), summary.total.p99,
                     summary.total.max, summary.accounting.dropped, summary.accounting.refused,
                     change ? std::to_string(*change) : "-");
}

struct Place {
  std::filesystem::path out;
  std::size_t width = 0;  // of the column of names
};

int RunOne(Simulation* simulation, const SweepRun& run, const Place& place) {
  simulation->SetResultsFolder(place.out / run.name);
  const Summary summary = simulation->Run(run.scenario);
  std::cout << Line(run, place.width, summary)
            << WaveHint(simulation->failure(), place.out / run.name);
  return summary.ok() ? kExitOk : kExitFailed;
}

int RunGroup(const SweepGroup& group, const Place& place, std::size_t jobs) {
  const Scenario& fabric = group.front().scenario;
  Simulation simulation(fabric, BuildTopology(fabric), {});
  simulation.BringUp();
  if (simulation.failure()) {
    throw std::runtime_error(fmt::format("{} and its like: {}: {}", group.front().name,
                                         simulation.failure().outcome(),
                                         simulation.failure().message()));
  }
  Processes runs(jobs);
  for (const SweepRun& run : group) {
    runs.Start([&] { return RunOne(&simulation, run, place); });
  }
  return runs.Finish();
}

}  // namespace

int ExecuteSweep(const SweepOptions& options) {
  const std::size_t at_a_time = std::min<std::size_t>(options.jobs, options.groups.size());
  const std::size_t jobs = options.jobs / at_a_time;  // of each group
  std::filesystem::create_directories(options.out);
  Place place{.out = options.out};
  for (const SweepGroup& group : options.groups) {
    for (const SweepRun& run : group) place.width = std::max(place.width, run.name.size());
  }
  std::cout << Heading(place.width);
  Processes groups(at_a_time);
  for (const SweepGroup& group : options.groups) {
    groups.Start([&] { return RunGroup(group, place, jobs); });
  }
  return groups.Finish();
}

}  // namespace lanecut
