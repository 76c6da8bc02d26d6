// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Two RAMs that are read at the same address and written one at a time: the banks of a table (see ram_1w1r).
 */
module ram_pair #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 64,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input  logic                 clk_i,
  input  logic                 we_i,
  input  logic                 wbank_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     wdata_i,
  /// Without it rdata_o holds.
  input  logic                 re_i,
  input  logic [AddrWidth-1:0] raddr_i,
  /// The words at raddr_i of bank 1 and bank 0, in the cycle after re_i.
  output logic [2*Width-1:0]   rdata_o
);

  logic [Width-1:0] mem0 [Depth];
  logic [Width-1:0] mem1 [Depth];

  always_ff @(posedge clk_i) begin
    if (we_i && !wbank_i) mem0[waddr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (we_i && wbank_i) mem1[waddr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (re_i) begin
      rdata_o[0 +: Width]     <= we_i && !wbank_i && waddr_i == raddr_i ? wdata_i : mem0[raddr_i];
      rdata_o[Width +: Width] <= we_i && wbank_i && waddr_i == raddr_i ? wdata_i : mem1[raddr_i];
    end
  end

endmodule : ram_pair
