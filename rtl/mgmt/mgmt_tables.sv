// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The agent's copy of the forwarding and SLtoVL tables, both banks, and the write bus to the
 * others.
 *
 * After reset every word is written once, here and on the bus: forwarding entries unreachable
 * (0xFF), all SLs on VL 0. Until then ready_o is low. Afterwards one word per cycle can be written
 * and read.
 */
module mgmt_tables #(
  /// External ports.
  parameter int unsigned NumPorts = 6,
  /// Forwarding entries, a power of two.
  parameter int unsigned LftDepth = 256
) (
  input  logic        clk_i,
  input  logic        rst_i,
  /// Initialized.
  output logic        ready_o,
  /// A write is on its way to the bus.
  output logic        busy_o,

  /// Write a word (addresses as on the bus).
  input  logic        lft_we_i,
  input  logic        sl_we_i,
  /// Read a forwarding word, or an SLtoVL word; data in the next cycle, then held.
  input  logic        lft_re_i,
  input  logic        sl_re_i,
  /// Bank for both reads and writes.
  input  logic        bank_i,
  input  logic [15:0] waddr_i,
  input  logic [31:0] wdata_i,
  input  logic [15:0] raddr_i,
  output logic [31:0] lft_data_o,
  output logic [31:0] sl_data_o,

  /// The bus, as in mgmt_agent.
  output logic        tbl_lft_we_o,
  output logic        tbl_sl_we_o,
  output logic        tbl_bank_o,
  output logic [15:0] tbl_addr_o,
  output logic [31:0] tbl_data_o
);

  localparam int unsigned LftAddr  = $clog2(LftDepth / 4);
  localparam int unsigned PortBits = $clog2(NumPorts + 1);
  localparam int unsigned SlAddr   = 2 * PortBits + 2;

  ////////////////////
  // Initialization //
  ////////////////////

  // One count per bank and address: first the forwarding table, then the SLtoVL table.
  logic        init_lft_q;
  logic        init_sl_q;
  logic        init_bank_q;
  logic [15:0] init_addr_q;
  logic        init_last;

  assign init_last = init_addr_q == (init_lft_q ? 16'(LftDepth / 4 - 1) :
                                                  {7'd0, 4'(NumPorts), 4'(NumPorts), 1'b1});

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      init_lft_q  <= 1'b1;
      init_sl_q   <= 1'b0;
      init_bank_q <= 1'b0;
      init_addr_q <= '0;
    end else if (init_lft_q || init_sl_q) begin
      if (init_last) begin
        init_addr_q <= '0;
        init_bank_q <= !init_bank_q;
        if (init_bank_q) begin
          init_lft_q <= 1'b0;
          init_sl_q  <= init_lft_q;
        end
      end else if (init_sl_q && init_addr_q[4:0] == {4'(NumPorts), 1'b1}) begin
        init_addr_q <= {init_addr_q[15:5] + 11'd1, 5'd0};
      end else begin
        init_addr_q <= init_addr_q + 16'd1;
      end
    end
  end

  assign ready_o = !init_lft_q && !init_sl_q;

  ////////////
  // Memory //
  ////////////

  logic        lft_we;
  logic        sl_we;
  logic        bank;
  logic [15:0] waddr;
  logic [31:0] wdata;

  // Address bits beyond the tables' sizes.
  logic unused_address;
  assign unused_address = ^{waddr, raddr_i};

  assign lft_we = lft_we_i || init_lft_q;
  assign sl_we  = sl_we_i || init_sl_q;
  assign bank   = ready_o ? bank_i : init_bank_q;
  assign waddr  = ready_o ? waddr_i : init_addr_q;
  assign wdata  = ready_o ? wdata_i : {32{init_lft_q}};

  ram_1w1r #(
    .Width(32),
    .Depth(LftDepth / 2)
  ) u_lft (
    .clk_i   (clk_i),
    .we_i    (lft_we),
    .waddr_i ({bank, waddr[LftAddr-1:0]}),
    .wdata_i (wdata),
    .re_i    (lft_re_i),
    .raddr_i ({bank_i, raddr_i[LftAddr-1:0]}),
    .rdata_o (lft_data_o)
  );

  ram_1w1r #(
    .Width(32),
    .Depth(2 ** SlAddr)
  ) u_sl (
    .clk_i   (clk_i),
    .we_i    (sl_we),
    .waddr_i ({bank, waddr[5 +: PortBits], waddr[1 +: PortBits], waddr[0]}),
    .wdata_i (wdata),
    .re_i    (sl_re_i),
    .raddr_i ({bank_i, raddr_i[5 +: PortBits], raddr_i[1 +: PortBits], raddr_i[0]}),
    .rdata_o (sl_data_o)
  );

  /////////
  // Bus //
  /////////

  logic        tbl_lft_we_q;
  logic        tbl_sl_we_q;
  logic        tbl_bank_q;
  logic [15:0] tbl_addr_q;
  logic [31:0] tbl_data_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      tbl_lft_we_q <= 1'b0;
      tbl_sl_we_q  <= 1'b0;
    end else begin
      tbl_lft_we_q <= lft_we;
      tbl_sl_we_q  <= sl_we;
    end
  end

  always_ff @(posedge clk_i) begin
    if (lft_we || sl_we) begin
      tbl_bank_q <= bank;
      tbl_addr_q <= waddr;
      tbl_data_q <= wdata;
    end
  end

  assign busy_o       = tbl_lft_we_q || tbl_sl_we_q;
  assign tbl_lft_we_o = tbl_lft_we_q;
  assign tbl_sl_we_o  = tbl_sl_we_q;
  assign tbl_bank_o   = tbl_bank_q;
  assign tbl_addr_o   = tbl_addr_q;
  assign tbl_data_o   = tbl_data_q;

endmodule : mgmt_tables
