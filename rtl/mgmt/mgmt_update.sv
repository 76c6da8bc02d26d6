// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The contents of a table update (attribute 0xFF0A): pieces of the forwarding table.
 *
 * A piece is a word {first LID, number of LIDs}, both multiples of 4, and then a byte for each LID, four to a word. Words
 * are presented one after the other; the last one must end a piece. Then the next pass begins.
 */
module mgmt_update #(
  /// Forwarding entries, a power of two.
  parameter int unsigned LftDepth = 256
) (
  input  logic        clk_i,
  input  logic        rst_i,
  /// Take a word, and: it is the last one.
  input  logic        step_i,
  input  logic        last_i,
  input  logic [31:0] wdata_i,
  /// The word holds entries, to be written here (word address of the forwarding table).
  output logic        entries_o,
  output logic [13:0] addr_o,
  /// The word cannot be right.
  output logic        invalid_o
);

  logic [13:0] addr_q;
  logic [13:0] left_q;  // words of the piece
  logic [16:0] top;

  assign entries_o = left_q != 14'd0;
  assign addr_o    = addr_q;
  assign top       = {1'b0, wdata_i[31:16]} + {1'b0, wdata_i[15:0]};

  always_comb begin
    invalid_o = 1'b0;
    if (step_i) begin
      if (!entries_o) invalid_o = {wdata_i[17:16], wdata_i[1:0]} != 4'd0 || {15'd0, top} > LftDepth;
      if (last_i && (entries_o ? left_q != 14'd1 : wdata_i[15:2] != 14'd0)) invalid_o = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q <= '0;
      addr_q <= '0;
    end else if (step_i) begin
      left_q <= last_i ? '0 : entries_o ? left_q - 14'd1 : wdata_i[15:2];
      addr_q <= entries_o ? addr_q + 14'd1 : wdata_i[31:18];
    end
  end

endmodule : mgmt_update
