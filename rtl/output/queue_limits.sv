// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * How long packets may stay in the output queues of one port: HOQLife limits how long one stands at the head,
 * LifeTimeValue how long it has been in the switch (InfiniBand Architecture volume 1, 18.2.5.4).
 *
 * The time of HOQLife counts from the cycle in which the head could have been started for the first time: the packet
 * before it has left. The unit of 4.096 us is 256 cycles at 1X SDR, 1,024 at 4X SDR. For time in the switch see
 * life_clock. A head that is overdue is read into nothing beside the link: it takes neither the link's time nor credits.
 *
 * Limits reach this module through registers of the port, or in simulation all that chooses what is sent would wait for
 * the switch. One may be noticed a cycle later for that.
 */
module queue_limits #(
  /// Data VLs; VL15 has no limits.
  parameter int unsigned NumVls = 2,
  localparam int unsigned StampBits = lanecut_life_pkg::StampBits
) (
  input  logic                        clk_i,
  input  logic                        rst_i,
  /// Strap: links run at 4X SDR (4 ns per word), else at 1X SDR (16 ns).
  input  logic                        four_lanes_i,
  /// HOQLife: the limit is 4.096 us x 2^hoq_life_i; without end from 20 on.
  input  logic [4:0]                  hoq_life_i,
  /// From life_clock: there is a limit, and the time.
  input  logic                        life_limited_i,
  input  logic [StampBits-1:0]        life_now_i,
  /// There is a limit, or was one, or a head is being discarded: else nothing here changes and no output is set. Nearly
  /// always it is so, and a simulation is spared the rest.
  output logic                        awake_o,

  /// Heads of the queues, when they came to the switch, and: the head does not leave, nor stand behind one that does.
  /// The inputs from here on are asked only when awake.
  input  logic [NumVls-1:0]           head_valid_i,
  input  logic [NumVls*StampBits-1:0] stamp_i,
  input  logic [NumVls-1:0]           waits_i,
  /// The port is Active: what it may not send is discarded by the link itself.
  input  logic                        send_data_i,
  /// The link reads a packet of this queue; the word that is read is an end.
  input  logic [NumVls-1:0]           sending_i,
  input  logic [NumVls-1:0]           end_i,

  /// The head is discarded (pulse), because of its age if old_o, and its words are read from the next cycle on.
  output logic [NumVls-1:0]           take_o,
  output logic [NumVls-1:0]           old_o,
  output logic [NumVls-1:0]           pop_o,
  /// The head is not for the link.
  output logic [NumVls-1:0]           block_o,
  /// Something here changes with this clock edge.
  output logic                        busy_o
);

  localparam int unsigned UnitBits = 8;  // at 1X; two more at 4X
  localparam int unsigned AgeBits = UnitBits + 2 + 20;

  logic                 four_lanes_q;
  logic [4:0]           hoq_life_q;
  logic                 life_limited_q;
  logic [StampBits-1:0] life_now_q;
  logic                 hoq_limited_q;

  always_ff @(posedge clk_i) begin
    four_lanes_q   <= four_lanes_i;
    hoq_life_q     <= hoq_life_i;
    hoq_limited_q  <= hoq_life_i <= lanecut_life_pkg::LastLife;
    life_limited_q <= life_limited_i;
    life_now_q     <= life_now_i;
  end

  assign busy_o = hoq_life_q != hoq_life_i || life_limited_q != life_limited_i || life_now_q != life_now_i ||
                  counted_q != hoq_limited_q;

  logic [NumVls*AgeBits-1:0] age_q;      // cycles that the heads have stood there, not counted on once they are too old
  logic                      counted_q;  // HOQLife was limited in the last cycle: else age_q means nothing
  logic [NumVls-1:0]         reading_q;
  logic [NumVls-1:0]         expired;
  logic [NumVls-1:0]         overdue;
  logic [NumVls-1:0]         free;

  assign awake_o = hoq_limited_q || life_limited_q || counted_q || reading_q != '0;

  always_comb begin
    expired = '0;
    overdue = '0;
    free    = '0;
    take_o  = '0;
    old_o   = '0;
    block_o = '0;
    if (awake_o) begin
      for (int unsigned v = 0; v < NumVls; v++) begin
        expired[v] = hoq_limited_q && counted_q && (age_q[v*AgeBits + UnitBits +: AgeBits - UnitBits] >>
                                                  ({1'b0, hoq_life_q} + (four_lanes_q ? 6'd2 : 6'd0))) != '0;
        old_o[v]   = life_limited_q && head_valid_i[v] &&
                     StampBits'(life_now_q - stamp_i[v*StampBits +: StampBits]) > lanecut_life_pkg::LifeSteps;
      end
      overdue = (expired | old_o) & head_valid_i & {NumVls{send_data_i}};
      free    = ~reading_q | end_i;
      block_o = overdue | ~free;
      take_o  = overdue & free & ~sending_i;
      old_o   = old_o & take_o;
    end
  end

  assign pop_o = reading_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      reading_q <= '0;
      counted_q <= 1'b0;
      age_q     <= '0;
    end else if (awake_o) begin
      reading_q <= (reading_q & ~free) | take_o;
      counted_q <= hoq_limited_q;
      for (int unsigned v = 0; v < NumVls; v++) begin
        if (!waits_i[v] || take_o[v] || reading_q[v] || !hoq_limited_q) begin
          age_q[v*AgeBits +: AgeBits] <= '0;
        end else if (!expired[v]) begin
          age_q[v*AgeBits +: AgeBits] <= (counted_q ? age_q[v*AgeBits +: AgeBits] : '0) + 1'b1;
        end
      end
    end
  end

endmodule : queue_limits
