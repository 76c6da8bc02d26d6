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
#include <stdexcept>

#include "sw/cli/network.h"
#include "sw/results/summary.h"
#include "tb/run/simulation.h"

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

std::string Line(const SweepRun& run, const Summary& summary) {
  if (!summary.ok()) return fmt::format("{}: {}: {}\n", run.name, summary.outcome, summary.message);
  return fmt::format(
      "{}: ok, accepted {:.4f}, latency {:.1f} cycles, {} sent, {} dropped, {} refused, {} cycles "
      "in all\n",
      run.name, summary.accepted_load, summary.total.mean, summary.accounting.sent,
      summary.accounting.dropped, summary.accounting.refused, summary.cycles);
}

int RunOne(Simulation* simulation, const SweepRun& run, const std::filesystem::path& out) {
  simulation->SetResultsFolder(out / run.name);
  const Summary summary = simulation->Run(run.scenario);
  std::cout << Line(run, summary);
  return summary.ok() ? kExitOk : kExitFailed;
}

int RunGroup(const SweepGroup& group, const std::filesystem::path& out, std::size_t jobs) {
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
    runs.Start([&] { return RunOne(&simulation, run, out); });
  }
  return runs.Finish();
}

}  // namespace

int ExecuteSweep(const SweepOptions& options) {
  const std::size_t at_a_time = std::min<std::size_t>(options.jobs, options.groups.size());
  const std::size_t jobs = options.jobs / at_a_time;  // of each group
  std::filesystem::create_directories(options.out);
  Processes groups(at_a_time);
  for (const SweepGroup& group : options.groups) {
    groups.Start([&] { return RunGroup(group, options.out, jobs); });
  }
  return groups.Finish();
}

}  // namespace lanecut
