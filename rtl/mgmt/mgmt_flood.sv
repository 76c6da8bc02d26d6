// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Which flooded commands are new, and to which ports their copies still have to go.
 *
 * The number of the newest command is remembered; one that is not ahead of it, in the half of the numbers that are, has
 * been here. After ForgetTicks ticks without a new one any number is new, so that a manager may begin anywhere after it
 * has been started again.
 */
module mgmt_flood #(
  /// Ticks, a power of two.
  parameter int unsigned ForgetTicks = 16
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        tick_i,
  /// The command in hand: its number, and: it is new.
  input  logic [23:0] number_i,
  output logic        is_new_o,
  /// It is taken; bit p: a copy has to go to port p.
  input  logic        take_i,
  input  logic [15:0] ports_i,
  /// A copy is due, and where to; the copy has been made.
  output logic        due_o,
  output logic [3:0]  port_o,
  input  logic        done_i
);

  localparam int unsigned TickBits = $clog2(ForgetTicks);

  logic                known_q;
  logic [TickBits-1:0] ticks_q;
  logic [23:0]         number_q;
  logic [15:0]         ports_q;
  logic [23:0]         ahead;

  assign ahead    = number_i - number_q;
  assign is_new_o = !known_q || (ahead != 24'd0 && !ahead[23]);
  assign due_o    = ports_q != 16'd0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      known_q <= 1'b0;
      ticks_q <= '0;
    end else if (take_i) begin
      known_q <= 1'b1;
      ticks_q <= '0;
    end else if (tick_i && known_q) begin
      ticks_q <= ticks_q + 1'b1;
      if (ticks_q == '1) known_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) ports_q <= '0;
    else if (take_i) ports_q <= ports_i;
    else if (done_i) ports_q <= ports_q & (ports_q - 1'b1);
  end

  always_ff @(posedge clk_i) if (take_i) number_q <= number_i;

  always_comb begin
    port_o = '0;
    if (due_o) begin
      for (int p = 15; p >= 0; p--) begin
        if (ports_q[p]) port_o = 4'(p);
      end
    end
  end

endmodule : mgmt_flood
