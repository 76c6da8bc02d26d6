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
  /// A counter is read: its index, in the order above, and its value, combinational; zero if none is read.
  input  logic        read_i,
  input  logic [3:0]  index_i,
  output logic [31:0] value_o
);

  // A register each, not one vector: most events are rare.
  logic [31:0] rcv_data_q;
  logic [31:0] xmit_data_q;
  logic [31:0] rcv_word_q;
  logic [31:0] xmit_word_q;
  logic [31:0] rcv_error_q;
  logic [31:0] xmit_discard_q;
  logic [31:0] vl15_dropped_q;
  logic [31:0] link_downed_q;
  logic [31:0] relay_error_q;
  logic [31:0] overrun_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      rcv_data_q     <= '0;
      xmit_data_q    <= '0;
      rcv_word_q     <= '0;
      xmit_word_q    <= '0;
      rcv_error_q    <= '0;
      xmit_discard_q <= '0;
      vl15_dropped_q <= '0;
      link_downed_q  <= '0;
      relay_error_q  <= '0;
      overrun_q      <= '0;
    end else begin
      if (rcv_data_i)     rcv_data_q     <= rcv_data_q + 32'd1;
      if (xmit_data_i)    xmit_data_q    <= xmit_data_q + 32'd1;
      if (rcv_word_i)     rcv_word_q     <= rcv_word_q + 32'd1;
      if (xmit_word_i)    xmit_word_q    <= xmit_word_q + 32'd1;
      if (rcv_error_i)    rcv_error_q    <= rcv_error_q + 32'd1;
      if (xmit_discard_i) xmit_discard_q <= xmit_discard_q + 32'd1;
      if (vl15_dropped_i) vl15_dropped_q <= vl15_dropped_q + 32'd1;
      if (link_downed_i)  link_downed_q  <= link_downed_q + 32'd1;
      if (relay_error_i)  relay_error_q  <= relay_error_q + 32'd1;
      if (overrun_i)      overrun_q      <= overrun_q + 32'd1;
    end
  end

  always_comb begin
    value_o = '0;
    if (read_i) begin
      case (index_i)
        4'd0:    value_o = rcv_data_q;
        4'd1:    value_o = xmit_data_q;
        4'd2:    value_o = rcv_word_q;
        4'd3:    value_o = xmit_word_q;
        4'd4:    value_o = rcv_error_q;
        4'd5:    value_o = xmit_discard_q;
        4'd6:    value_o = vl15_dropped_q;
        4'd7:    value_o = link_downed_q;
        4'd8:    value_o = relay_error_q;
        4'd9:    value_o = overrun_q;
        default: ;
      endcase
    end
  end

endmodule : port_counters
