// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// How long packets may stay, for the modules that count it.
package lanecut_life_pkg;

  // HOQLife and LifeTimeValue: the greatest value that is a limit, 4.096 us x 2^value.
  localparam logic [4:0] LastLife = 5'd19;

  // Time in a switch: width of a stamp, and the steps that make up the limit (see life_clock).
  localparam int unsigned          StampBits = 10;
  localparam logic [StampBits-1:0] LifeSteps = 10'd4;

endpackage : lanecut_life_pkg
