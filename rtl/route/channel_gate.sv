// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Seam "channel gate": may the head of this input queue cross to its output now, or must it be dropped?
 *
 * One instance per input queue, combinational. Here a packet that has no way out (the reason is in its descriptor) or
 * that was found bad while it waited is dropped. What may be plugged in: the epoch drop test of EBR, the token gate of
 * OSR, draining of a VL, lifetime limits. It sees one head and answers allow or drop; allow = 0 and drop = 0 means wait.
 */
module channel_gate (
  input  logic       head_valid_i,
  /// lanecut_pkg::drop_e of the descriptor: DropNone if it has a way out.
  input  logic [3:0] head_reason_i,
  input  logic       head_bad_i,
  output logic       allow_o,
  output logic       drop_o,
  output logic [3:0] reason_o
);

  assign reason_o = head_bad_i ? lanecut_pkg::DropBad : head_reason_i;
  assign drop_o   = head_valid_i && reason_o != lanecut_pkg::DropNone;
  assign allow_o  = head_valid_i && !drop_o;

endmodule : channel_gate
