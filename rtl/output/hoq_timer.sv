// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * HOQLife of one output queue (InfiniBand Architecture volume 1, 18.2.5.4): has its head stood there too long?
 *
 * The time counts from the cycle in which the head could have been started for the first time: the packet before it has
 * left. The unit of 4.096 us is 256 cycles, as long as it is at 1X SDR.
 */
module hoq_timer (
  input  logic       clk_i,
  input  logic       rst_i,
  /// The limit is 256 x 2^life_i cycles; without end from 20 on.
  input  logic [4:0] life_i,
  /// There is a head and it does not leave in this cycle.
  input  logic       waits_i,
  /// The head has stood there for the limit: it is to be discarded. Combinational; low while life_i is without end.
  output logic       expired_o
);

  localparam int unsigned UnitBits = 8;
  localparam logic [4:0]  LastLife = 5'd19;
  localparam int unsigned AgeBits = UnitBits + 20;

  logic [AgeBits-1:0] age_q;  // cycles that the head has stood there; not counted on once it is too old

  assign expired_o = life_i <= LastLife && (age_q[AgeBits-1:UnitBits] >> life_i) != '0;

  always_ff @(posedge clk_i) begin
    if (rst_i || !waits_i) age_q <= '0;
    else if (life_i <= LastLife && !expired_o) age_q <= age_q + 1'b1;
  end

endmodule : hoq_timer
