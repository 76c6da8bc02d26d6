// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Memory with one write and one synchronous read port, written so that synthesis infers block RAM.
 *
 * A read of the address that is written in the same cycle returns the new word, so a queue built on it may show its
 * first word one cycle after the write.
 */
module ram_1w1r #(
  /// Bits of a word.
  parameter int unsigned Width = 32,
  /// Number of words, a power of two.
  parameter int unsigned Depth = 256,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic                 clk_i,
  input  logic                 we_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     wdata_i,
  /// Without it rdata_o holds.
  input  logic                 re_i,
  input  logic [AddrWidth-1:0] raddr_i,
  /// The word at raddr_i, in the cycle after re_i.
  output logic [Width-1:0]     rdata_o
);

  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= (we_i && waddr_i == raddr_i) ? wdata_i : mem[raddr_i];
  end

endmodule : ram_1w1r
