// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Counters of one port. Each wraps at 2^32 and counts one event per cycle, but the word counters, which count words.
 *
 * They can be read one by one, or as the words of PortCounters (InfiniBand Architecture volume 1, 16.1.3.5), where those
 * of errors stop at the largest value that their field holds.
 */
module port_counters #(
  /// The words of PortCounters and what only they show: octets, and clearing.
  parameter int unsigned EnPma = 1
) (
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
  /// A packet of any VL is accepted, or begins; a word of one, from LRH to ICRC, comes or goes.
  input  logic        rcv_packet_i,
  input  logic        xmit_packet_i,
  input  logic        rcv_octets_i,
  input  logic        xmit_octets_i,
  /// A counter is read: its index, in the order above, or, with bit 4 set, that of a word of PortCounters; and the value,
  /// combinational; zero if none is read.
  input  logic        read_i,
  input  logic [4:0]  index_i,
  output logic [31:0] value_o,
  /// Clear the counters that CounterSelect (16.1.3.5) selects.
  input  logic        clear_i,
  input  logic [15:0] mask_i
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
  logic [31:0] rcv_packet_q;
  logic [31:0] xmit_packet_q;
  logic [31:0] rcv_octets_q;
  logic [31:0] xmit_octets_q;

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
      rcv_packet_q   <= '0;
      xmit_packet_q  <= '0;
      rcv_octets_q   <= '0;
      xmit_octets_q  <= '0;
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
      if (rcv_packet_i)   rcv_packet_q   <= rcv_packet_q + 32'd1;
      if (xmit_packet_i)  xmit_packet_q  <= xmit_packet_q + 32'd1;
      if (EnPma != 0 && rcv_octets_i)  rcv_octets_q  <= rcv_octets_q + 32'd1;
      if (EnPma != 0 && xmit_octets_i) xmit_octets_q <= xmit_octets_q + 32'd1;
      if (EnPma != 0 && clear_i) begin
        if (mask_i[2])  link_downed_q  <= '0;
        if (mask_i[3])  rcv_error_q    <= '0;
        if (mask_i[5])  relay_error_q  <= '0;
        if (mask_i[6])  xmit_discard_q <= '0;
        if (mask_i[10]) overrun_q      <= '0;
        if (mask_i[11]) vl15_dropped_q <= '0;
        if (mask_i[12]) xmit_octets_q  <= '0;
        if (mask_i[13]) rcv_octets_q   <= '0;
        if (mask_i[14]) xmit_packet_q  <= '0;
        if (mask_i[15]) rcv_packet_q   <= '0;
      end
    end
  end

  // CounterSelect has bits for counters that there are not.
  logic unused_mask;
  assign unused_mask = ^{mask_i, clear_i, rcv_octets_i, xmit_octets_i};

  // No functions here, for their variables would keep simulation from sharing the code of all ports.
  always_comb begin
    value_o = '0;
    if (read_i && (EnPma != 0 || !index_i[4])) begin
      case (index_i)
        5'd0:    value_o = rcv_data_q;
        5'd1:    value_o = xmit_data_q;
        5'd2:    value_o = rcv_word_q;
        5'd3:    value_o = xmit_word_q;
        5'd4:    value_o = rcv_error_q;
        5'd5:    value_o = xmit_discard_q;
        5'd6:    value_o = vl15_dropped_q;
        5'd7:    value_o = link_downed_q;
        5'd8:    value_o = relay_error_q;
        5'd9:    value_o = overrun_q;
        5'd10:   value_o = rcv_packet_q;
        5'd11:   value_o = xmit_packet_q;
        // PortCounters.
        5'd17:   value_o = {24'd0, link_downed_q[7:0] | {8{link_downed_q[31:8] != '0}}};
        5'd18:   value_o = {rcv_error_q[15:0] | {16{rcv_error_q[31:16] != '0}}, 16'd0};
        5'd19:   value_o = {relay_error_q[15:0] | {16{relay_error_q[31:16] != '0}},
                            xmit_discard_q[15:0] | {16{xmit_discard_q[31:16] != '0}}};
        5'd20:   value_o = {28'd0, overrun_q[3:0] | {4{overrun_q[31:4] != '0}}};
        5'd21:   value_o = {16'd0, vl15_dropped_q[15:0] | {16{vl15_dropped_q[31:16] != '0}}};
        5'd22:   value_o = xmit_octets_q;
        5'd23:   value_o = rcv_octets_q;
        5'd24:   value_o = xmit_packet_q;
        5'd25:   value_o = rcv_packet_q;
        default: ;
      endcase
    end
  end

endmodule : port_counters
