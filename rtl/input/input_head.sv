// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Head of one input queue: asks the crossbar for an output, then streams the packet, or discards it.
 *
 * The next head asks already while the end word of the packet before it passes, so a queue loses no cycle between
 * packets. Once granted, the words follow from the next cycle on, one per cycle, and nothing stops them.
 */
module input_head (
  input  logic       clk_i,
  input  logic       rst_i,
  /// From the channel gate.
  input  logic       allow_i,
  input  logic       drop_i,
  input  logic       hold_i,
  /// To and from the allocator of the wanted output.
  output logic       request_o,
  input  logic       grant_i,
  /// To and from the queue.
  output logic       take_o,
  output logic       pop_o,
  input  logic       end_i,
  /// The head is being dropped (pulse).
  output logic       dropped_o,
  /// It could ask for its output, but for the channel gate.
  output logic       held_o
);

  logic reading_q;
  logic free;

  assign free      = !reading_q || end_i;
  assign request_o = free && allow_i;
  assign dropped_o = free && drop_i;
  assign held_o    = free && hold_i;
  assign take_o    = grant_i || dropped_o;
  assign pop_o     = reading_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) reading_q <= 1'b0;
    else if (free) reading_q <= take_o;
  end

endmodule : input_head
