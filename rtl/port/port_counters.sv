// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Counters of one port. Each wraps at 2^32 and counts one event per cycle, but the word counters, which count words.
 */
module port_counters (
  input  logic        clk_i,
  input  logic        rst_i,
  /// Events of this cycle.
  input  logic        rcv_data_i,
  input  logic        xmit_data_i,
  input  logic        rcv_word_i,
  input  logic        xmit_word_i,
  input  logic        rcv_error_i,
  input  logic        xmit_discard_i,
  input  logic        vl15_dropped_i,
  input  logic        link_downed_i,
  input  logic        relay_error_i,
  input  logic        overrun_i,
  /// Index of the counter to read, in the order above; combinational.
  input  logic [3:0]  index_i,
  output logic [31:0] value_o
);

  localparam int unsigned Counters = 10;

  logic [Counters-1:0]    event_bits;
  logic [Counters*32-1:0] count_q;

  assign event_bits = {overrun_i, relay_error_i, link_downed_i, vl15_dropped_i, xmit_discard_i, rcv_error_i,
                       xmit_word_i, rcv_word_i, xmit_data_i, rcv_data_i};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= '0;
    end else if (event_bits != '0) begin
      for (int unsigned c = 0; c < Counters; c++) begin
        if (event_bits[c]) count_q[c*32 +: 32] <= count_q[c*32 +: 32] + 32'd1;
      end
    end
  end

  always_comb begin
    value_o = '0;
    for (int unsigned c = 0; c < Counters; c++) begin
      if (index_i == 4'(c)) value_o = count_q[c*32 +: 32];
    end
  end

endmodule : port_counters
