// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Trap 128: tells the subnet manager that the state of some port of this switch has changed.
 *
 * A change asks for a trap at once (request_o) and every RepeatTicks ticks again, until a
 * TrapRepress with its transaction ID comes. A new change has a new ID, so a late TrapRepress
 * cannot silence it; changes while a trap is being sent share the next one. Without LID or manager
 * there is no trap.
 *
 * Source: InfiniBand Architecture volume 1, 13.4.8 (Notice), 13.4.9 (traps), 14.2.5.1 (trap 128).
 */
module mgmt_trap #(
  /// Ticks between repetitions, a power of two.
  parameter int unsigned RepeatTicks = 16
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        tick_i,
  /// The state of some port has changed.
  input  logic        change_i,
  /// Own LID; manager's LID and SL.
  input  logic [15:0] lid_i,
  input  logic [15:0] master_lid_i,
  input  logic [3:0]  master_sl_i,
  /// A TrapRepress arrived, with the low half of its transaction ID.
  input  logic        repress_i,
  input  logic [31:0] repress_tid_i,

  /// Send a trap.
  output logic        request_o,
  /// Being sent: the words must not change.
  input  logic        sending_i,
  /// The attempt is over (sent, or no way to the manager).
  input  logic        done_i,
  /// Word of the trap packet, without ICRC.
  input  logic [6:0]  index_i,
  output logic [31:0] word_o,

  /// A change is waiting to be turned into a request.
  output logic        busy_o
);

  localparam int unsigned TickBits = $clog2(RepeatTicks);

  logic                enabled;
  logic                change_q;
  logic                request_q;
  logic                unanswered_q;
  logic [31:0]         tid_q;
  logic [TickBits-1:0] ticks_q;

  assign enabled = lid_i != 16'd0 && master_lid_i != 16'd0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      change_q     <= 1'b0;
      request_q    <= 1'b0;
      unanswered_q <= 1'b0;
      tid_q        <= '0;
      ticks_q      <= '0;
    end else if (change_i || change_q || request_q || unanswered_q) begin
      if (tick_i) ticks_q <= ticks_q + 1'b1;
      if (!enabled) begin
        change_q     <= 1'b0;
        request_q    <= 1'b0;
        unanswered_q <= 1'b0;
      end else if ((change_i || change_q) && !sending_i) begin
        change_q     <= 1'b0;
        request_q    <= 1'b1;
        unanswered_q <= 1'b1;
        tid_q        <= tid_q + 32'd1;
      end else begin
        if (change_i) change_q <= 1'b1;
        if (repress_i && repress_tid_i == tid_q) begin
          request_q    <= 1'b0;
          unanswered_q <= 1'b0;
        end else if (done_i) begin
          request_q <= 1'b0;
          ticks_q   <= '0;
        end else if (unanswered_q && tick_i && ticks_q == '1) begin
          request_q <= 1'b1;
        end
      end
    end
  end

  assign request_o = request_q;
  assign busy_o    = request_q || change_q;

  localparam logic [7:0]  Urgent         = 8'h81;  // generic, urgent
  localparam logic [23:0] ProducerSwitch = 24'd2;
  localparam logic [15:0] TrapLinkState  = 16'd128;

  always_comb begin
    case (index_i)
      7'd0:    word_o = {4'hF, 4'd0, master_sl_i, 4'h2, master_lid_i};
      7'd1:    word_o = {5'd0, lanecut_mgmt_pkg::SmpPktLen, lid_i};
      7'd2:    word_o = {lanecut_mgmt_pkg::OpcodeUd, 8'd0, 16'hFFFF};
      lanecut_mgmt_pkg::WordMad0:
               word_o = {8'd1, lanecut_mgmt_pkg::ClassLid, 8'd1, lanecut_mgmt_pkg::MethodTrap};
      lanecut_mgmt_pkg::WordTidLow: word_o = tid_q;
      lanecut_mgmt_pkg::WordAttr:   word_o = {lanecut_mgmt_pkg::AttrNotice, 16'd0};
      lanecut_mgmt_pkg::WordData:        word_o = {Urgent, ProducerSwitch};
      lanecut_mgmt_pkg::WordData + 7'd1: word_o = {TrapLinkState, lid_i};
      lanecut_mgmt_pkg::WordData + 7'd2: word_o = {16'd0, lid_i};
      default: word_o = '0;
    endcase
  end

endmodule : mgmt_trap
