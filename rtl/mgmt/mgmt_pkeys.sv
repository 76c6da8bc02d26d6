// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The partition table of port 0: 32 P_Keys, two to a word (InfiniBand Architecture volume 1, 14.2.5.7).
 *
 * The switch does not enforce partitions: the table is the manager's, to write and to read. After reset it holds the
 * default P_Key alone.
 */
module mgmt_pkeys (
  input  logic        clk_i,
  input  logic        rst_i,
  /// Initialized.
  output logic        ready_o,
  input  logic        we_i,
  input  logic [3:0]  waddr_i,
  input  logic [31:0] wdata_i,
  /// Read a word; data in the next cycle.
  input  logic        re_i,
  input  logic [3:0]  raddr_i,
  output logic [31:0] rdata_o
);

  localparam logic [31:0] DefaultKey = 32'hFFFF_0000;

  logic       init_q;
  logic [3:0] init_addr_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      init_q      <= 1'b1;
      init_addr_q <= '0;
    end else if (init_q) begin
      init_q      <= init_addr_q != '1;
      init_addr_q <= init_addr_q + 4'd1;
    end
  end

  ram_1w1r #(
    .Width(32),
    .Depth(16)
  ) u_ram (
    .clk_i   (clk_i),
    .we_i    (init_q || we_i),
    .waddr_i (init_q ? init_addr_q : waddr_i),
    .wdata_i (init_q ? (init_addr_q == '0 ? DefaultKey : '0) : wdata_i),
    .re_i    (re_i),
    .raddr_i (raddr_i),
    .rdata_o (rdata_o)
  );

  assign ready_o = !init_q;

endmodule : mgmt_pkeys
