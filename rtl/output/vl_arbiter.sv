// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Seam "arbiter" of the output: which lane sends the next packet.
 *
 * VL15 goes first, then the data VLs round robin by packet. What may be plugged in here sees the lanes that are ready
 * (packet at the head, credit for all of it) and answers one of them in the same cycle: weighted VL arbitration tables
 * and deadlines belong here, nothing else does.
 */
module vl_arbiter #(
  parameter int unsigned NumVls = 2,
  localparam int unsigned Lanes = NumVls + 1
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [Lanes-1:0] ready_i,
  /// One-hot, zero if none is ready.
  output logic [Lanes-1:0] chosen_o,
  /// The chosen lane starts in this cycle.
  input  logic             start_i
);

  logic [NumVls-1:0] after_q;  // data VLs behind the one served last
  logic [NumVls-1:0] data;
  logic [NumVls-1:0] pool;

  assign data = ready_i[NumVls-1:0];
  assign pool = |(data & after_q) ? data & after_q : data;

  assign chosen_o[NumVls]     = ready_i[NumVls];
  assign chosen_o[NumVls-1:0] = ready_i[NumVls] ? '0 : pool & (~pool + 1'b1);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      after_q <= '0;
    end else if (start_i && !chosen_o[NumVls]) begin
      after_q <= ~(chosen_o[NumVls-1:0] | (chosen_o[NumVls-1:0] - 1'b1));
    end
  end

endmodule : vl_arbiter
