// SPDX-License-Identifier: Apache-2.0
//
// The program `lanecut_bench`: how fast a fabric is simulated. Brings up an 8x8 torus with 128 end
// nodes and dimension-order routing, finds its saturation, and measures at fractions of it, with
// the checks of the reference model and without. Prints JSON: one row per (checks, fraction).
//
// Hops are of data packets: one per link that a packet crosses; a word hop is one word of one. Host
// times are CPU seconds of the process; cycles_per_s and simulated_ns_per_s are by wall clock.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "models/traffic/uniform.h"
#include "sw/cli/network.h"
#include "sw/scenario/reader.h"
#include "tb/run/simulation.h"

namespace lanecut {
namespace {

struct Options {
  std::vector<int> size = {8, 8};
  std::vector<double> fractions = {0.1, 0.6, 0.95};
  Cycle cycles = 20'000;
  Cycle warmup = 5'000;
  double saturation = 0;  // 0: find it
};

struct Measurement {
  double accepted = 0;  // words per cycle and end node
  Cycle cycles = 0;
  std::uint64_t packet_hops = 0;
  std::uint64_t switch_evaluations = 0;
  double wall_seconds = 0;
  double cpu_seconds = 0;
};

Scenario MakeScenario(const Options& options, bool checks) {
  return ParseScenario(fmt::format("[topology]\nsize = [{}]\nnodes_per_switch = 2\n"
                                   "[routing]\nengine = \"dor\"\n[manager]\nsweep_cycles = 0\n"
                                   "[run]\nchecks = {}\n",
                                   fmt::join(options.size, ", "), checks),
                       "bench.toml");
}

class Bench {
 public:
  Bench(const Options& options, bool checks)
      : options_(options),
        scenario_(MakeScenario(options, checks)),
        simulation_(scenario_, BuildTopology(scenario_), {}) {
    simulation_.BringUp();
  }

  const Failure& failure() const { return simulation_.failure(); }

  Measurement Measure(double load) {
    UniformTrafficConfig config;
    for (int i = 0; i < simulation_.fabric().num_hcas(); ++i) config.sources.push_back(i);
    config.destinations = config.sources;
    config.load = load;
    config.start = simulation_.fabric().clock().now();
    simulation_.StartTraffic(std::make_unique<UniformTraffic>(config));
    Advance(options_.warmup);
    const FabricTraffic before = simulation_.fabric().traffic();
    const std::clock_t cpu = std::clock();
    const auto wall = std::chrono::steady_clock::now();
    Advance(options_.cycles);
    const FabricTraffic after = simulation_.fabric().traffic();
    Measurement result;
    result.cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    result.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    result.cycles = options_.cycles;
    result.packet_hops = after.data_packet_starts - before.data_packet_starts;
    result.switch_evaluations = after.switch_evaluations - before.switch_evaluations;
    result.accepted = static_cast<double>((after.delivered - before.delivered) * Words()) /
                      static_cast<double>(options_.cycles) / simulation_.fabric().num_hcas();
    return result;
  }

  std::uint64_t Words() const { return PacketWords(scenario_.traffic); }
  std::uint64_t NsPerCycle() const { return lanecut::NsPerCycle(scenario_.link.rate); }

 private:
  void Advance(Cycle cycles) { simulation_.Advance(simulation_.fabric().clock().now() + cycles); }

  Options options_;
  Scenario scenario_;
  Simulation simulation_;
};

std::string Row(const Bench& bench, bool checks, double fraction, double load,
                const Measurement& m) {
  const auto per = [](double count, double seconds) { return count / seconds; };
  const auto hops = static_cast<double>(m.packet_hops);
  const auto cycles = static_cast<double>(m.cycles);
  return fmt::format(
      R"({{"checks": {}, "fraction": {}, "load": {:.4f}, "accepted": {:.4f}, "cycles_per_s": {:.0f}, )"
      R"("packet_hops_per_cpu_s": {:.0f}, "word_hops_per_cpu_s": {:.0f}, "simulated_ns_per_s": {:.0f}, )"
      R"("switch_evaluations_per_cycle": {:.1f}}})",
      checks, fraction, load, m.accepted, per(cycles, m.wall_seconds), per(hops, m.cpu_seconds),
      per(hops * static_cast<double>(bench.Words()), m.cpu_seconds),
      per(cycles * static_cast<double>(bench.NsPerCycle()), m.wall_seconds),
      static_cast<double>(m.switch_evaluations) / cycles);
}

// In a process of its own: SystemC allows one fabric per process. Loads ascend, so that one leaves
// no backlog for the next.
int RunRows(const Options& options, bool checks, double saturation, const char* separator) {
  Bench bench(options, checks);
  const char* before = "";
  for (const double fraction : options.fractions) {
    const double load = fraction * saturation;
    const Measurement measurement = bench.Measure(load);
    if (bench.failure()) {
      std::cerr << "lanecut_bench: " << bench.failure().message() << '\n';
      return 1;
    }
    std::cout << before << "    " << Row(bench, checks, fraction, load, measurement);
    before = ",\n";
  }
  std::cout << separator << std::flush;
  return 0;
}

template <class Body>
bool InChild(Body body) {
  std::cout.flush();
  const pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = 0;
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The load that is accepted when twice the capacity is offered.
double FindSaturation(const Options& options) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  double saturation = 0;
  const bool found = InChild([&] {
    Bench bench(options, false);
    saturation = bench.Measure(1.0).accepted;
    return write(ends[1], &saturation, sizeof saturation) == sizeof saturation ? 0 : 1;
  });
  if (!found || read(ends[0], &saturation, sizeof saturation) != sizeof saturation) return 0;
  close(ends[0]);
  close(ends[1]);
  return saturation;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Measures the speed of simulation and prints it as JSON.", "lanecut_bench");
  app.add_option("--size", options.size, "Switches per dimension of the torus")->delimiter('x');
  app.add_option("--fractions", options.fractions, "Fractions of saturation, ascending")
      ->delimiter(',');
  app.add_option("--cycles", options.cycles, "Cycles measured per row");
  app.add_option("--saturation", options.saturation,
                 "Load per end node that counts as saturation; default: measured");
  CLI11_PARSE(app, argc, argv);
  if (options.saturation <= 0) options.saturation = FindSaturation(options);
  if (options.saturation <= 0) return 1;
  std::cout << fmt::format(
      "{{\n  \"topology\": \"torus {}, 2 end nodes per switch, dor\",\n"
      "  \"saturation\": {:.4f},\n  \"rows\": [\n",
      fmt::join(options.size, "x"), options.saturation);
  const bool done = InChild([&] { return RunRows(options, true, options.saturation, ",\n"); }) &&
                    InChild([&] { return RunRows(options, false, options.saturation, "\n"); });
  std::cout << "  ]\n}\n";
  return done ? 0 : 1;
}

}  // namespace
}  // namespace lanecut

int main(int argc, char** argv) { return lanecut::Main(argc, argv); }
