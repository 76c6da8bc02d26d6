// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Double Scheme: which data VLs this switch lets packets enter while one routing function gives way to the next.
 *
 * Draining: what is routed by the old function goes to VL0 and nothing enters the other VLs, so that they run empty;
 * idle_o says that they are. Restricted, from the switch-over on: the switch routes by the new function, old packets that
 * still come on VL0 included, and uses VL1 only. An output's VL0 opens again when no old packet is left on it: its queue
 * is empty and the neighbour's credits show its whole buffer free. When all are open, and no input of VL0 has an old
 * packet first, the switch uses all VLs as its tables say.
 *
 * So each VL of a link carries old packets, then nothing, then new ones, and no packet behind an old one ever waits for a
 * channel that depends on new ones: channels of old packets depend on each other by the old function on VL0 alone, and on
 * channels of new ones; these on each other by the new function. Neither closes a cycle if its links have none whatever
 * the VLs, which is for the manager to see to.
 *
 * Source: T. M. Pinkston, R. Pang, J. Duato, Deadlock-Free Dynamic Reconfiguration Schemes for Increased Network
 * Dependability, IEEE Transactions on Parallel and Distributed Systems 14(8), 2003; how VL0 opens again, and numbers, are
 * this switch's.
 */
module vl_drain #(
  /// External ports.
  parameter int unsigned NumPorts = 6,
  /// Data VLs, at least 2.
  parameter int unsigned NumVls = 2,
  /// Channels of each direction: channel (port - 1) * NumVls + vl.
  localparam int unsigned Channels = NumPorts * NumVls
) (
  input  logic                clk_i,
  input  logic                rst_i,
  /// The switch runs under Double Scheme; forget the change under way.
  input  logic                enable_i,
  input  logic                clear_i,
  /// The manager's commands (pulses): drain; switch over, from this clock edge on.
  input  logic                drain_i,
  input  logic                switch_i,

  /// Input channels: no packet is queued. VL0 of the ports, when restricted: none, or the first one is of the switch's
  /// function.
  input  logic [Channels-1:0] in_empty_i,
  input  logic [NumPorts-1:0] in_current_i,
  /// Output channels, when settled: no packet is queued, and none is on the link or in the neighbour's buffer.
  input  logic [Channels-1:0] out_empty_i,

  output logic                draining_o,
  output logic                restricted_o,
  /// Draining, and only VL0 has packets.
  output logic                idle_o,
  /// Restricted: VL0 of this port is open.
  output logic [NumPorts-1:0] open_o,
  /// Something here changes with this clock edge.
  output logic                busy_o
);

  // A head that was granted as a command came has reached its output queue by then.
  localparam logic [2:0] Settled = 3'd7;

  logic                draining_q;
  logic                restricted_q;
  logic [2:0]          settle_q;
  logic                idle_q;
  logic                idle_d;
  logic [NumPorts-1:0] open_q;
  logic [NumPorts-1:0] open_d;
  logic [NumPorts-1:0] current_q;  // no old packet is left in the input queue of VL0
  logic [NumPorts-1:0] current_d;
  logic                settled;
  logic                done;

  assign settled = settle_q == Settled;

  always_comb begin
    idle_d    = 1'b0;
    open_d    = '0;
    current_d = '0;
    if (draining_q && settled) begin
      idle_d = 1'b1;
      for (int unsigned c = 0; c < Channels; c++) begin
        if (c % NumVls != 0 && !(in_empty_i[c] && out_empty_i[c])) idle_d = 1'b0;
      end
    end
    if (restricted_q) begin
      open_d    = open_q;
      current_d = current_q;
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (settled && out_empty_i[p*NumVls]) open_d[p] = 1'b1;
        if (settled && in_current_i[p]) current_d[p] = 1'b1;
      end
    end
  end

  assign done = restricted_q && open_q == '1 && current_q == '1;

  always_ff @(posedge clk_i) begin
    if (rst_i || !enable_i || clear_i) begin
      draining_q   <= 1'b0;
      restricted_q <= 1'b0;
      settle_q     <= '0;
      idle_q       <= 1'b0;
      open_q       <= '0;
      current_q    <= '0;
    end else if (switch_i) begin
      draining_q   <= 1'b0;
      restricted_q <= 1'b1;
      settle_q     <= '0;
      idle_q       <= 1'b0;
    end else if (drain_i && !draining_q) begin
      draining_q <= 1'b1;
      settle_q   <= '0;
    end else begin
      if ((draining_q || restricted_q) && !settled) settle_q <= settle_q + 1'b1;
      idle_q <= idle_d;
      if (done) begin
        restricted_q <= 1'b0;
        open_q       <= '0;
        current_q    <= '0;
      end else begin
        open_q    <= open_d;
        current_q <= current_d;
      end
    end
  end

  assign draining_o   = draining_q;
  assign restricted_o = restricted_q;
  assign idle_o       = idle_q;
  assign open_o       = open_q;
  assign busy_o       = done || ((draining_q || restricted_q) && !settled) || idle_d != idle_q || open_d != open_q ||
                        current_d != current_q;

`ifndef SYNTHESIS
  // Rule 1: the switch drains before it switches over, and never does both at a time.
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(draining_q && restricted_q));
      assert (!(switch_i && enable_i && !draining_q));
    end
  end
`endif

endmodule : vl_drain
