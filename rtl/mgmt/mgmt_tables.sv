// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The agent's copy of the forwarding and SLtoVL tables, both banks, and the write bus to the
 * others, which tables of VL arbitration share.
 *
 * After reset every word is written once, here and on the bus: forwarding entries unreachable
 * (0xFF), all SLs on VL 0. Until then ready_o is low. Afterwards one word per cycle can be written
 * and read. One SLtoVL table can also be spread over all input ports, all output ports or both, two
 * words per port pair, while spreading_o.
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
  /// Write a word to the bus alone.
  input  logic        arb_we_i,
  input  logic [15:0] arb_addr_i,
  /// With sl_we_i: the word is meant for all input (output) ports; the second half starts the spreading.
  input  logic        sl_all_in_i,
  input  logic        sl_all_out_i,
  output logic        spreading_o,
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
  output logic        tbl_arb_we_o,
  output logic        tbl_bank_o,
  output logic [15:0] tbl_addr_o,
  output logic [31:0] tbl_data_o
);

  localparam int unsigned LftAddr  = $clog2(LftDepth / 4);
  localparam int unsigned PortBits = $clog2(NumPorts + 1);
  localparam int unsigned SlAddr   = 2 * PortBits + 2;

  ///////////////////////////////////
  // Initialization and spreading  //
  ///////////////////////////////////

  // A walk over addresses: after reset both banks of the forwarding table, then of the SLtoVL table; for a Set that is
  // spread, one bank of the SLtoVL table.
  logic        init_lft_q;
  logic        init_sl_q;
  logic        spread_q;
  logic        walk_bank_q;
  logic [15:0] walk_addr_q;
  logic        walk_last;
  logic        start_spread;
  logic [31:0] spread_low_q;   // SL 0 to 7
  logic [31:0] spread_high_q;
  logic        all_in_q;
  logic        all_out_q;
  logic [7:0]  spread_pair_q;  // {in port, out port} where not all
  logic        spread_hit;

  assign walk_last    = walk_addr_q == (init_lft_q ? 16'(LftDepth / 4 - 1) :
                                                     {7'd0, 4'(NumPorts), 4'(NumPorts), 1'b1});
  assign start_spread = sl_we_i && (sl_all_in_i || sl_all_out_i) && waddr_i[0];
  assign spread_hit   = spread_q && (all_in_q || walk_addr_q[8:5] == spread_pair_q[7:4]) &&
                        (all_out_q || walk_addr_q[4:1] == spread_pair_q[3:0]);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      init_lft_q  <= 1'b1;
      init_sl_q   <= 1'b0;
      spread_q    <= 1'b0;
      walk_bank_q <= 1'b0;
      walk_addr_q <= '0;
    end else if (init_lft_q || init_sl_q || spread_q) begin
      if (walk_last) begin
        walk_addr_q <= '0;
        walk_bank_q <= !walk_bank_q;
        spread_q    <= 1'b0;
        if (walk_bank_q) begin
          init_lft_q <= 1'b0;
          init_sl_q  <= init_lft_q;
        end
      end else if (!init_lft_q && walk_addr_q[4:0] == {4'(NumPorts), 1'b1}) begin
        walk_addr_q <= {walk_addr_q[15:5] + 11'd1, 5'd0};
      end else begin
        walk_addr_q <= walk_addr_q + 16'd1;
      end
    end else if (start_spread) begin
      spread_q    <= 1'b1;
      walk_bank_q <= bank_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (sl_we_i) begin
      if (waddr_i[0]) spread_high_q <= wdata_i;
      else spread_low_q <= wdata_i;
      all_in_q      <= sl_all_in_i;
      all_out_q     <= sl_all_out_i;
      spread_pair_q <= waddr_i[8:1];
    end
  end

  assign ready_o     = !init_lft_q && !init_sl_q;
  assign spreading_o = spread_q;

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
  assign sl_we  = (sl_we_i && !sl_all_in_i && !sl_all_out_i) || init_sl_q || spread_hit;
  assign bank   = (ready_o && !spread_q) ? bank_i : walk_bank_q;
  assign waddr  = (ready_o && !spread_q) ? waddr_i : walk_addr_q;
  assign wdata  = spread_q ? (walk_addr_q[0] ? spread_high_q : spread_low_q) :
                  ready_o  ? wdata_i : {32{init_lft_q}};

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
  logic        tbl_arb_we_q;
  logic        tbl_bank_q;
  logic [15:0] tbl_addr_q;
  logic [31:0] tbl_data_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      tbl_lft_we_q <= 1'b0;
      tbl_sl_we_q  <= 1'b0;
      tbl_arb_we_q <= 1'b0;
    end else begin
      tbl_lft_we_q <= lft_we;
      tbl_sl_we_q  <= sl_we;
      tbl_arb_we_q <= arb_we_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (lft_we || sl_we || arb_we_i) begin
      tbl_bank_q <= bank;
      tbl_addr_q <= arb_we_i ? arb_addr_i : waddr;
      tbl_data_q <= wdata;
    end
  end

  assign busy_o       = tbl_lft_we_q || tbl_sl_we_q || tbl_arb_we_q || spread_q;
  assign tbl_lft_we_o = tbl_lft_we_q;
  assign tbl_sl_we_o  = tbl_sl_we_q;
  assign tbl_arb_we_o = tbl_arb_we_q;
  assign tbl_bank_o   = tbl_bank_q;
  assign tbl_addr_o   = tbl_addr_q;
  assign tbl_data_o   = tbl_data_q;

endmodule : mgmt_tables
