// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The M_Key of port 0: which subnet management packets are answered (InfiniBand Architecture volume 1, 14.2.4).
 *
 * With an M_Key other than zero, a Set or a TrapRepress must bring it, and with protection bits 2 or 3 a Get, too; else the
 * packet is denied: dropped without an answer and counted. With protection bits 1 a Get without it reads the M_Key as
 * zero. Compact packets bring none.
 *
 * The first packet that is denied starts the lease, if there is a lease period; any that brings the M_Key stops it. When
 * it ends the protection bits become zero, so that a new manager can read the M_Key.
 */
module mgmt_m_key (
  input  logic        clk_i,
  input  logic        rst_i,
  /// Time base of the lease: a cycle every 4096.
  input  logic        tick_i,
  /// Strap: links run at 4X SDR (4 ns per cycle), else at 1X SDR (16 ns).
  input  logic        four_lanes_i,

  /// A Set of PortInfo of port 0 applies a word.
  input  logic        apply_i,
  input  logic [3:0]  index_i,
  input  logic [31:0] wdata_i,
  /// PortInfo: M_Key (zero where it must not be read; the answer to a Set has what it set), M_KeyLeasePeriod in seconds, M_KeyProtectBits, M_KeyViolations.
  output logic [63:0] key_o,
  output logic [15:0] lease_period_o,
  output logic [1:0]  protect_o,
  output logic [15:0] violations_o,

  /// There is one: the server must fetch what a packet brings, upper half first.
  output logic        is_set_o,
  input  logic        start_i,
  input  logic        upper_i,
  input  logic        lower_i,
  input  logic [31:0] word_i,
  /// The packet is a Set or a TrapRepress; it is judged now (pulse).
  input  logic        changes_i,
  input  logic        judge_i,
  output logic        denied_o
);

  // Ticks of 4096 cycles in a second.
  localparam logic [15:0] Second1x = 16'd15259;
  localparam logic [15:0] Second4x = 16'd61035;

  logic [63:0] key_q;
  logic [15:0] lease_period_q;
  logic [1:0]  protect_q;
  logic [15:0] violations_q;
  logic        is_set;
  logic        match_q;
  logic        running_q;   // the lease
  logic [15:0] seconds_q;   // of it, left
  logic [15:0] ticks_q;     // of a second, left
  logic        expires;

  assign is_set         = key_q != '0;
  assign is_set_o       = is_set;
  assign key_o          = is_set && protect_q == 2'd1 && !match_q && !changes_i ? '0 : key_q;
  assign lease_period_o = lease_period_q;
  assign protect_o      = protect_q;
  assign violations_o   = violations_q;
  assign denied_o       = is_set && !match_q && (changes_i || protect_q[1]);
  assign expires        = running_q && tick_i && ticks_q == '0 && seconds_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) match_q <= 1'b0;
    else if (start_i) match_q <= 1'b0;
    else if (upper_i) match_q <= word_i == key_q[63:32];
    else if (lower_i) match_q <= match_q && word_i == key_q[31:0];
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      key_q          <= '0;
      lease_period_q <= '0;
      protect_q      <= '0;
      violations_q   <= '0;
    end else begin
      if (apply_i) begin
        case (index_i)
          4'd0:  key_q[63:32]   <= wdata_i;
          4'd1:  key_q[31:0]    <= wdata_i;
          4'd6:  lease_period_q <= wdata_i[15:0];
          4'd8:  protect_q      <= wdata_i[15:14];
          4'd11: violations_q   <= wdata_i[31:16];
          default: ;
        endcase
      end else if (expires) begin
        protect_q <= '0;
      end
      if (judge_i && denied_o && violations_q != '1) violations_q <= violations_q + 16'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      running_q <= 1'b0;
    end else if (judge_i && denied_o && !running_q) begin
      running_q <= lease_period_q != '0;
      seconds_q <= lease_period_q - 16'd1;
      ticks_q   <= four_lanes_i ? Second4x - 16'd1 : Second1x - 16'd1;
    end else if (expires || (judge_i && match_q)) begin
      running_q <= 1'b0;
    end else if (running_q && tick_i) begin
      ticks_q <= ticks_q - 16'd1;
      if (ticks_q == '0) begin
        ticks_q   <= four_lanes_i ? Second4x - 16'd1 : Second1x - 16'd1;
        seconds_q <= seconds_q - 16'd1;
      end
    end
  end

endmodule : mgmt_m_key
