// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The clock by which packets grow old in a switch (SwitchInfo.LifeTimeValue; InfiniBand Architecture volume 1,
 * 18.2.5.4).
 *
 * It counts quarters of the limit, modulo 1,024. A descriptor is stamped with the time when it is made, and takes its
 * stamp along to the output queue. At the head there a packet is discarded when more than LifeSteps have passed since then:
 * after more than the limit, and after at most 5/4 of it. Output queues whose heads do not wait for longer empty
 * themselves about once in a limit, so packets before them do not wait for anything like the 256 limits after which a
 * stamp would look young again. (One that did would be sent late; none is ever discarded early.)
 *
 * When the limit changes, packets that are in the switch keep the steps that they have, so one may be discarded after
 * the least limit of its stay. Without end the clock stands still, and the time does not count.
 */
module life_clock (
  input  logic                              clk_i,
  input  logic                              rst_i,
  /// Strap: links run at 4X SDR (4 ns per word), else at 1X SDR (16 ns).
  input  logic                              four_lanes_i,
  /// The limit is 4.096 us x 2^life_i, 256 x 2^life_i cycles at 1X; without end from 20 on.
  input  logic [4:0]                        life_i,
  /// Some data packet is in the switch: without one the clock may stand still, and so may the switch.
  input  logic                              run_i,
  output logic [lanecut_life_pkg::StampBits-1:0] now_o,
  /// There is a limit.
  output logic                              limited_o
);

  localparam int unsigned CountBits = 27;  // a quarter of the greatest limit at 4X

  logic [CountBits-1:0]              count_q;
  logic [CountBits-1:0]              step;  // in cycles, less one
  logic [lanecut_life_pkg::StampBits-1:0] now_q;

  assign now_o     = now_q;
  assign limited_o = life_i <= lanecut_life_pkg::LastLife;
  assign step      = (four_lanes_i ? CountBits'(255) : CountBits'(63)) << life_i |
                     ((CountBits'(1) << life_i) - 1'b1);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= '0;
      now_q   <= '0;
    end else if (run_i && limited_o) begin
      count_q <= count_q + 1'b1;
      if ((count_q | ~step) == '1) now_q <= now_q + 1'b1;
    end
  end

endmodule : life_clock
