// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * HOQLife of one output queue (InfiniBand Architecture volume 1, 18.2.5.4): has its head stood there too long?
 *
 * The time counts from the cycle in which the head could have been started for the first time: the packet before it has
 * left. The unit of 4.096 us is 256 cycles at 1X SDR, 1,024 at 4X SDR.
 */
module hoq_timer (
  input  logic       clk_i,
  input  logic       rst_i,
  /// Strap: links run at 4X SDR (4 ns per word), else at 1X SDR (16 ns).
  input  logic       four_lanes_i,
  /// The limit is 4.096 us x 2^life_i; without end from 20 on.
  input  logic [4:0] life_i,
  /// There is a head and it does not leave in this cycle.
  input  logic       waits_i,
  /// The head has stood there for the limit: it is to be discarded. Combinational; low while life_i is without end.
  output logic       expired_o
);

  localparam int unsigned UnitBits = 8;  // at 1X; two more at 4X
  localparam int unsigned AgeBits = UnitBits + 2 + 20;

  logic [AgeBits-1:0] age_q;  // cycles that the head has stood there; not counted on once it is too old

  logic [AgeBits-UnitBits-1:0] units;  // cycles by 256, by 1,024 at 4X
  logic                        is_limited;

  assign is_limited = life_i <= lanecut_life_pkg::LastLife;

  always_comb begin
    units     = '0;
    expired_o = 1'b0;
    if (is_limited) begin
      units     = four_lanes_i ? {2'b0, age_q[AgeBits-1:UnitBits+2]} : age_q[AgeBits-1:UnitBits];
      expired_o = (units >> life_i) != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || (age_q != '0 && !(waits_i && is_limited))) age_q <= '0;
    else if (is_limited && waits_i && !expired_o) age_q <= age_q + 1'b1;
  end

endmodule : hoq_timer
