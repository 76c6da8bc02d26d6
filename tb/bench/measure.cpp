// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <stdexcept>

#include "models/traffic/uniform.h"
#include "sw/scenario/reader.h"

namespace lanecut {
namespace {

constexpr int kNodesPerSwitch = 2;

void ThrowIfFailed(const Simulation& simulation) {
  if (simulation.failure()) throw std::runtime_error(simulation.failure().message());
}

void Advance(Simulation* simulation, Cycle cycles) {
  simulation->Advance(simulation->fabric().clock().now() + cycles);
  ThrowIfFailed(*simulation);
}

void StartUniform(Simulation* simulation, double load) {
  UniformTrafficConfig config;
  for (int i = 0; i < simulation->fabric().num_hcas(); ++i) config.sources.push_back(i);
  config.destinations = config.sources;
  config.load = load;
  config.start = simulation->fabric().clock().now();
  simulation->StartTraffic(std::make_unique<UniformTraffic>(config));
}

}  // namespace

Scenario MakeTorus(const TorusOptions& options) {
  // With compact packets, a run takes the kind of switch that has all schemes.
  return ParseScenario(
      fmt::format("[topology]\nkind = \"torus\"\nsize = [{}]\nnodes_per_switch = {}\n"
                  "[routing]\nengine = \"{}\"\n[manager]\nsweep_cycles = 0\nencoding = \"{}\"\n"
                  "[run]\nchecks = {}\nskip_idle = {}\n",
                  fmt::join(options.size, ", "), kNodesPerSwitch, options.engine,
                  options.schemes ? "compact" : "ib", options.checks, options.skip_idle),
      "torus.toml");
}

void BringUp(Simulation* simulation) {
  simulation->BringUp();
  ThrowIfFailed(*simulation);
}

double Capacity(const TorusOptions& options) {
  return 8.0 / *std::max_element(options.size.begin(), options.size.end()) / kNodesPerSwitch;
}

Measurement Measure(Simulation* simulation, const Scenario& scenario, double load,
                    const Window& window) {
  StartUniform(simulation, load);
  Advance(simulation, window.warmup);

  Cycle latency = 0;
  Cycle network_latency = 0;
  simulation->ledger().SetDeliveryHook([&](int, const HcaPacket& packet) {
    latency += packet.tail + 1 - packet.generated;
    network_latency += packet.tail + 1 - packet.injected;
  });
  const FabricTraffic before = simulation->fabric().traffic();
  const std::clock_t cpu = std::clock();
  const auto wall = std::chrono::steady_clock::now();
  Advance(simulation, window.cycles);
  Measurement result;
  result.cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  result.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
  simulation->ledger().SetDeliveryHook(nullptr);

  const FabricTraffic after = simulation->fabric().traffic();
  result.cycles = window.cycles;
  result.delivered = after.delivered - before.delivered;
  result.packet_hops = after.data_packet_starts - before.data_packet_starts;
  result.switch_evaluations = after.switch_evaluations - before.switch_evaluations;
  result.accepted = static_cast<double>(result.delivered * PacketWords(scenario.traffic)) /
                    static_cast<double>(window.cycles) / simulation->fabric().num_hcas();
  const double packets = static_cast<double>(std::max<std::uint64_t>(result.delivered, 1));
  result.latency = static_cast<double>(latency) / packets;
  result.network_latency = static_cast<double>(network_latency) / packets;
  return result;
}

}  // namespace lanecut
