// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// What stands in the words of a link, for the modules that read and write them (see sw/wire).
package lanecut_link_pkg;

  // Op of the link packets that are not flow control.
  localparam logic [3:0] OpToken    = 4'h8;
  localparam logic [3:0] OpTokenAck = 4'h9;

  // A routing-function number stands in the upper bits of a data packet's word 1, lanecut_pkg::EpochBits of it count.
  localparam int unsigned NumberWidth = 5;

  // Numbers count modulo 8 = 2^EpochBits, so that half of them are ahead of any: b is newer than a if Newer[EpochBits'(b - a)].
  // A table, and not a function, because Verilator numbers the variables of an inlined function and would not see that all
  // ports are alike.
  localparam logic [7:0] Newer = 8'b0000_1110;

endpackage : lanecut_link_pkg
