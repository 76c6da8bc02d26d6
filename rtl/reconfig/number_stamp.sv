// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Writes the number of a routing function into packets on their way out of an input queue.
 *
 * The number stands in the LRH's second word (see lanecut_link_pkg). It is taken with the packet: the words follow from
 * the next cycle on, one per cycle.
 */
module number_stamp (
  input  logic                              clk_i,
  input  logic                              rst_i,
  /// A packet is taken from the queue, and the number that it shall leave with.
  input  logic                              take_i,
  input  logic [lanecut_pkg::EpochBits-1:0] number_i,
  /// It gets that number.
  input  logic                              enable_i,
  input  logic [31:0]                       data_i,
  output logic [31:0]                       data_o
);

  logic [lanecut_pkg::EpochBits-1:0] number_q;
  logic [1:0]                        word_q;    // the first, the second word is read

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      word_q <= '0;
    end else if (enable_i || word_q != '0) begin
      word_q <= {word_q[0], take_i && enable_i};
      if (take_i) number_q <= number_i;
    end
  end

  always_comb begin
    data_o = data_i;
    if (word_q[1]) data_o[31 -: lanecut_link_pkg::NumberWidth] = lanecut_link_pkg::NumberWidth'(number_q);
  end

endmodule : number_stamp
