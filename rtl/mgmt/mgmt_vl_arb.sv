// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The agent's copy of the VL arbitration tables, for a manager to read (InfiniBand Architecture volume 1, 14.2.5.9).
 *
 * A word holds two entries, {4 bits 0, VL, weight} each. The lists are shorter than a block of 32 entries, or as long:
 * what lies beyond reads as zero. After reset the tables are those of vl_list.
 */
module mgmt_vl_arb #(
  /// External ports.
  parameter int unsigned NumPorts = 6,
  /// Data VLs per port.
  parameter int unsigned NumVls   = 2,
  /// Entries of a list: 4, 8, 16 or 32.
  parameter int unsigned Entries  = 8
) (
  input  logic        clk_i,
  input  logic        rst_i,
  /// Initialized.
  output logic        ready_o,
  /// Port and block of the request in hand: 1 is the low-priority list, 3 the high-priority one.
  input  logic [3:0]  port_i,
  input  logic [2:0]  block_i,
  /// Write a word of the list, below Entries / 2.
  input  logic        we_i,
  input  logic [3:0]  waddr_i,
  input  logic [31:0] wdata_i,
  /// Read a word; data in the next cycle.
  input  logic        re_i,
  input  logic [3:0]  raddr_i,
  output logic [31:0] rdata_o
);

  localparam int unsigned PortBits = $clog2(NumPorts + 1);
  localparam int unsigned WordBits = $clog2(Entries / 2);
  localparam int unsigned AddrBits = PortBits + 1 + WordBits;

  logic                init_q;
  logic [AddrBits-1:0] init_addr_q;
  logic [AddrBits-1:0] list;   // word 0 of the one in hand
  logic                beyond_q;
  logic [3:0]          init_vl;
  logic [23:0]         init_word;
  logic [23:0]         word;

  assign list = {port_i[PortBits-1:0], block_i[1], {WordBits{1'b0}}};

  // Low-priority lists: VL i with weight 1.
  assign init_vl = 4'({init_addr_q[WordBits-1:0], 1'b0});

  always_comb begin
    init_word = {init_vl, 8'd0, init_vl | 4'd1, 8'd0};
    if (!init_addr_q[WordBits]) begin
      init_word[12] = 32'(init_addr_q[WordBits-1:0]) * 2 < NumVls;
      init_word[0]  = 32'(init_addr_q[WordBits-1:0]) * 2 + 1 < NumVls;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      init_q      <= 1'b1;
      init_addr_q <= '0;
    end else if (init_q) begin
      init_q      <= init_addr_q != '1;
      init_addr_q <= init_addr_q + 1'b1;
    end
    if (re_i) beyond_q <= !block_i[0] || 32'(raddr_i) >= Entries / 2;
  end

  ram_1w1r #(
    .Width(24),
    .Depth(2 ** AddrBits)
  ) u_ram (
    .clk_i   (clk_i),
    .we_i    (init_q || we_i),
    .waddr_i (init_q ? init_addr_q : list | AddrBits'(waddr_i)),
    .wdata_i (init_q ? init_word : {wdata_i[27:16], wdata_i[11:0]}),
    .re_i    (re_i),
    .raddr_i (list | AddrBits'(raddr_i[WordBits-1:0])),
    .rdata_o (word)
  );

  assign rdata_o = beyond_q ? '0 : {4'd0, word[23:12], 4'd0, word[11:0]};
  assign ready_o = !init_q;

  // Bits that are zero, or do not matter here.
  logic unused_bits;
  assign unused_bits = ^{port_i, block_i, wdata_i[31:28], wdata_i[15:12]};

endmodule : mgmt_vl_arb
