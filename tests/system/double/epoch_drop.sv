// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Takes the place of the drop test of EBR and never drops: tables are swapped under traffic with no protection at all.
 */
module epoch_drop (
  input  logic [lanecut_pkg::EpochBits-1:0] packet_i,
  input  logic [lanecut_pkg::EpochBits-1:0] routed_i,
  input  logic [lanecut_pkg::EpochBits-1:0] switch_i,
  output logic                              drop_o
);

  logic unused_inputs;
  assign unused_inputs = ^{packet_i, routed_i, switch_i};

  assign drop_o = 1'b0;

endmodule : epoch_drop
