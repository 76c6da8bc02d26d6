// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The way of compact management packets, which carry their path in front.
 *
 * Sits beside the route unit and watches the words of the VL15 packet that is arriving (stage s, with the next one in
 * stage p). The hop pointer says which entry of the path is this switch's: an output port, or 0 for the switch itself.
 * It is known with the word of the path that holds it, so the descriptor is pushed 4 to 11 cycles later than that of a
 * data packet, and the packet cuts through. On the way into the queue the hop pointer is stepped, and a request gets
 * the port by which it came written in the place of the port by which it leaves: that is the way of the answer. None of
 * this is covered by the ICRC.
 *
 * A flooded packet has no path and ends at every switch. Format: sw/wire/compact.h.
 */
module compact_route #(
  parameter int unsigned NumPorts = 6
) (
  input  logic        clk_i,
  input  logic        rst_i,
  /// Number of this port, 1 to NumPorts.
  input  logic [3:0]  port_i,
  /// A packet on VL15 is being written (see link_rx), and: from its second word on, its DLID is the permissive one.
  input  logic        valid_i,
  input  logic        permissive_i,
  input  logic [3:0]  index_i,
  input  logic [31:0] data_i,
  input  logic        end_i,
  /// Its next word.
  input  logic [31:0] next_data_i,

  /// From word 2 on: the packet is compact.
  output logic        compact_o,
  /// Its way is known now: out of port_o, or to the agent (0), or nowhere.
  output logic        known_o,
  output logic [3:0]  port_o,
  output logic        nowhere_o,
  /// data_i with what is rewritten.
  output logic [31:0] data_o
);

  localparam logic [3:0] WordOpcode = 4'd2;
  localparam logic [3:0] WordHop    = 4'd3;
  localparam logic [3:0] WordPath   = 4'd5;

  logic       compact_q;
  logic       answer_q;
  logic       flood_q;
  logic [3:0] words_q;  // of the path
  logic [7:0] entry_q;  // of the path, that is this switch's
  logic [3:0] word;     // that holds it
  logic       is_outside;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      compact_q <= 1'b0;
    end else if (valid_i) begin
      if (index_i == WordOpcode - 4'd1) begin
        compact_q <= next_data_i[31:30] == 2'b11 && permissive_i && !end_i;
      end
      if (end_i) compact_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      if (index_i == WordOpcode - 4'd1) {answer_q, flood_q, words_q} <= next_data_i[29:24];
      if (index_i == WordHop - 4'd1) entry_q <= next_data_i[31:24] - {7'd0, answer_q};
    end
  end

  assign compact_o = compact_q;

  // All in one place: without a compact packet it costs a simulation next to nothing.
  always_comb begin
    is_outside = 1'b0;
    word       = '0;
    known_o    = 1'b0;
    port_o     = '0;
    nowhere_o  = 1'b0;
    data_o     = data_i;
    if (compact_q && valid_i) begin
      is_outside = {1'b0, entry_q[7:3]} >= {2'b0, words_q};
      word       = WordPath + ((is_outside || flood_q) ? 4'd0 : {1'b0, entry_q[5:3]});
      known_o    = index_i == word - 4'd1 && !end_i;
      if (!flood_q) begin
        if (known_o) begin
          port_o    = next_data_i[{~entry_q[2:0], 2'b00} +: 4];
          nowhere_o = is_outside || {28'b0, port_o} > NumPorts || (answer_q && port_o == 4'd0);
        end
        if (index_i == WordHop) data_o[31:24] = entry_q + {7'd0, !answer_q};
        if (index_i == word && !is_outside && !answer_q) data_o[{~entry_q[2:0], 2'b00} +: 4] = port_i;
      end
    end
  end

  // Of the path a compact packet has eight words at the most.
  logic unused_bits;
  assign unused_bits = ^{next_data_i, entry_q[7:6]};

endmodule : compact_route
