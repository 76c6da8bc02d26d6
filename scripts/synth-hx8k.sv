// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * A small switch on the pins of an iCE40 HX8K, for scripts/synth --pnr: one link or few, and the switch's own port 0 with
 * its management agent. Straps are constants, the trace is open, and the tick comes from a counter.
 */
module synth_hx8k #(
  parameter int unsigned NumPorts = 1
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [NumPorts-1:0]    phy_up_i,
  input  logic [NumPorts*32-1:0] rx_data_i,
  input  logic [NumPorts*3-1:0]  rx_ctrl_i,
  output logic [NumPorts*32-1:0] tx_data_o,
  output logic [NumPorts*3-1:0]  tx_ctrl_o,
  output logic                   error_o
);

  logic [11:0] tick_q;

  always_ff @(posedge clk_i) tick_q <= rst_i ? '0 : tick_q + 1'b1;

  lanecut_switch #(
    .NumPorts  (NumPorts),
    .NumVls    (1),
    .BufBlocks (8),
    .Vl15Blocks(8),
    .LftDepth  (64),
    .EnPma     (0),
    .EnMKey    (0)
  ) u_switch (
    .clk_i              (clk_i),
    .rst_i              (rst_i),
    .tick_i             (tick_q == '1),
    .guid_i             (64'h4c43000000010000),
    .name_i             ("Lanecut HX8K    "),
    .phy_up_i           (phy_up_i),
    .rx_data_i          (rx_data_i),
    .rx_ctrl_i          (rx_ctrl_i),
    .tx_data_o          (tx_data_o),
    .tx_ctrl_o          (tx_ctrl_o),
    .error_o            (error_o),
    .idle_o             (),
    .trace_rx_drop_o    (),
    .trace_rx_reason_o  (),
    .trace_in_drop_o    (),
    .trace_in_reason_o  (),
    .trace_in_number_o  (),
    .trace_in_routed_o  (),
    .trace_in_epoch_o   (),
    .trace_out_drop_o   (),
    .trace_out_expired_o(),
    .trace_epoch_o      (),
    .trace_change_o     (),
    .trace_done_o       (),
    .trace_sent_o       (),
    .trace_draining_o   (),
    .trace_vl_idle_o    (),
    .trace_restricted_o (),
    .trace_open_o       (),
    .trace_accept_o     (),
    .trace_take_o       (),
    .trace_held_o       ()
  );

endmodule : synth_hx8k
