// SPDX-License-Identifier: Apache-2.0
//
// The program `lanecut`.
#include "sw/cli/cli.h"
#include "tb/run/execute_run.h"
#include "tb/run/execute_sweep.h"
#include "tb/serve/execute_serve.h"
#include "tb/wave/execute_wave.h"

int main(int argc, char** argv) {
  return lanecut::RunCli(
      argc, argv,
      {lanecut::ExecuteRun, lanecut::ExecuteSweep, lanecut::ExecuteServe, lanecut::ExecuteWave});
}
