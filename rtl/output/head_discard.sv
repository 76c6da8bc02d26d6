// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Reads the head of one output queue into nothing when it is overdue, beside the link: it takes neither the link's time
 * nor credits.
 */
module head_discard (
  input  logic clk_i,
  input  logic rst_i,
  /// There is a head, and it is to be discarded.
  input  logic overdue_i,
  /// The link reads a packet of this queue; the word that is read is an end.
  input  logic sending_i,
  input  logic end_i,
  /// The head is discarded (pulse), and its words are read from the next cycle on.
  output logic take_o,
  output logic pop_o,
  /// The head is not for the link.
  output logic block_o
);

  logic reading_q;
  logic free;

  assign free    = !reading_q || end_i;
  assign take_o  = overdue_i && free && !sending_i;
  assign pop_o   = reading_q;
  assign block_o = overdue_i || !free;

  always_ff @(posedge clk_i) begin
    if (rst_i) reading_q <= 1'b0;
    else if (free) reading_q <= take_o;
  end

endmodule : head_discard
