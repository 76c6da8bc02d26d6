// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * When a trap is sent: at once (request_o) and every RepeatTicks ticks again, until a TrapRepress with its transaction ID
 * comes (InfiniBand Architecture volume 1, 13.4.9).
 *
 * A new event has a new ID, so a late TrapRepress cannot silence it; events while a trap is being sent share the next one.
 * Without LID or manager there is no trap.
 */
module mgmt_trap_timer #(
  /// Ticks between repetitions, a power of two.
  parameter int unsigned RepeatTicks = 16,
  /// Upper bit of the transaction IDs' low half, so that timers have IDs of their own.
  parameter logic        IdSpace     = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        tick_i,
  /// There is a LID and a manager.
  input  logic        enabled_i,
  input  logic        event_i,
  /// A TrapRepress arrived, with the low half of its transaction ID.
  input  logic        repress_i,
  input  logic [31:0] repress_tid_i,

  /// Send the trap.
  output logic        request_o,
  /// Being sent: its words must not change.
  input  logic        sending_i,
  /// The attempt is over (sent, or no way to the manager).
  input  logic        done_i,
  /// Low half of the transaction ID.
  output logic [31:0] tid_o,
  /// No TrapRepress has come.
  output logic        unanswered_o,
  /// A request, or an event that is waiting to be turned into one.
  output logic        busy_o
);

  localparam int unsigned TickBits = $clog2(RepeatTicks);

  logic                event_q;
  logic                request_q;
  logic                unanswered_q;
  logic [30:0]         count_q;
  logic [TickBits-1:0] ticks_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      event_q      <= 1'b0;
      request_q    <= 1'b0;
      unanswered_q <= 1'b0;
      count_q      <= '0;
      ticks_q      <= '0;
    end else if (event_i || event_q || request_q || unanswered_q) begin
      if (tick_i) ticks_q <= ticks_q + 1'b1;
      if (!enabled_i) begin
        event_q      <= 1'b0;
        request_q    <= 1'b0;
        unanswered_q <= 1'b0;
      end else if ((event_i || event_q) && !sending_i) begin
        event_q      <= 1'b0;
        request_q    <= 1'b1;
        unanswered_q <= 1'b1;
        count_q      <= count_q + 31'd1;
      end else begin
        if (event_i) event_q <= 1'b1;
        if (repress_i && repress_tid_i == tid_o) begin
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

  assign request_o    = request_q;
  assign tid_o        = {IdSpace, count_q};
  assign unanswered_o = unanswered_q;
  assign busy_o       = request_q || event_q;

endmodule : mgmt_trap_timer
