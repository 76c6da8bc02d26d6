// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * A time in which EBR waits where it would lose packets: from an event on, for a number of cycles.
 *
 * One per port: opened when the port leaves Active, so that heads wait for the next function instead of crossing to a
 * port that discards them. One per switch: opened when the switch gets a function, so that what has piled up meanwhile
 * may flow off before blocked heads are dropped for a deadlock. Both waits end by themselves.
 */
module hold_window (
  input  logic                             clk_i,
  input  logic                             rst_i,
  /// Length in cycles, the one of start_i included; 0: never open.
  input  logic [lanecut_pkg::HoldBits-1:0] limit_i,
  /// Opens it, from this cycle on and anew if it is open; closes it (goes before).
  input  logic                             start_i,
  input  logic                             stop_i,
  /// Combinational.
  output logic                             open_o,
  /// Something here changes with this clock edge.
  output logic                             busy_o
);

  logic [lanecut_pkg::HoldBits-1:0] left_q;  // cycles from this one on
  logic [lanecut_pkg::HoldBits-1:0] left;    // and if it is opened now

  always_comb begin
    left = '0;
    if (limit_i != '0 && !stop_i) left = start_i ? limit_i : left_q;
  end

  assign open_o = left != '0;
  assign busy_o = open_o || left_q != '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) left_q <= '0;
    else if (busy_o) left_q <= open_o ? left - 1'b1 : '0;
  end

endmodule : hold_window
