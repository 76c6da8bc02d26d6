// SPDX-License-Identifier: Apache-2.0
//
// The program `lanecut_curve`: latency and accepted load against offered load, uniform traffic on a
// torus with 2 end nodes per switch. Brings one fabric up, forks for every load, prints CSV.
//
// Loads are fractions of capacity (see Capacity()). Latency counts from generation, the wait in the
// source queue (64 packets, overflow is lost) included; network latency from the first word on the
// wire. Both to the last word at the destination.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "sw/cli/network.h"
#include "tb/bench/measure.h"
#include "tb/run/child.h"

namespace lanecut {
namespace {

struct Options {
  TorusOptions torus;
  std::vector<double> loads;
  Window window{.warmup = 20'000, .cycles = 30'000};
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

void PrintRow(const Options& options, double load, const Measurement& m, double ns_per_cycle) {
  std::cout << fmt::format("{},{:.4f},{:.4f},{:.1f},{:.1f},{:.0f}\n", options.torus.engine, load,
                           m.accepted / Capacity(options.torus), m.latency, m.network_latency,
                           m.latency * ns_per_cycle)
            << std::flush;
}

void PrintCurve(const Options& options) {
  const Scenario scenario = MakeTorus(options.torus);
  Simulation simulation(scenario, BuildTopology(scenario), {});
  BringUp(&simulation);

  std::cout << "engine,offered,accepted,latency_cycles,network_latency_cycles,latency_ns\n";
  struct Running {
    double load;
    Child<Measurement> child;
  };
  std::deque<Running> running;
  const auto finish_oldest = [&] {
    const std::vector<Measurement> results = running.front().child.Join();
    PrintRow(options, running.front().load, results.at(0),
             static_cast<double>(NsPerCycle(scenario.link.rate)));
    running.pop_front();
  };
  for (const double load : options.loads) {
    if (running.size() == options.jobs) finish_oldest();
    running.push_back({load, Child<Measurement>([&] {
                         return std::vector{Measure(&simulation, scenario,
                                                    load * Capacity(options.torus),
                                                    options.window)};
                       })});
  }
  while (!running.empty()) finish_oldest();
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Prints a latency-load curve as CSV.", "lanecut_curve");
  app.footer("example: lanecut_curve --engine updown --loads 0.1,0.2,0.3");
  app.add_option("--size", options.torus.size, "Switches per dimension of the torus")
      ->delimiter('x')
      ->default_str("8x8");
  app.add_option("--engine", options.torus.engine, "Routing engine")->capture_default_str();
  app.add_option("--loads", options.loads, "Offered loads as fractions of capacity")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->required();
  app.add_option("--warmup", options.window.warmup, "Cycles before the measurement")
      ->capture_default_str();
  app.add_option("--cycles", options.window.cycles, "Cycles measured per load")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "Loads measured at a time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    PrintCurve(options);
  } catch (const std::exception& error) {
    std::cerr << "lanecut_curve: " << error.what() << '\n';
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace lanecut

int main(int argc, char** argv) { return lanecut::Main(argc, argv); }
