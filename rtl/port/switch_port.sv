// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * One external port: link state, input unit, output unit and counters.
 */
module switch_port #(
  parameter int unsigned NumPorts = 6,
  parameter int unsigned NumVls = 2,
  parameter int unsigned BufBlocks = 16,
  parameter int unsigned Vl15Blocks = 32,
  parameter int unsigned LftDepth = 256,
  parameter int unsigned RouteCycles = 6,
  parameter int unsigned OutWidth = 5,
  parameter int unsigned EnEbr = 0,
  parameter int unsigned EnOsr = 0,
  parameter int unsigned EnDouble = 0,
  parameter int unsigned EnHold = 0,
  parameter int unsigned EnCompact = 0,
  parameter int unsigned EbrLiteral = 0,
  parameter int unsigned EnLifetime = 0,
  parameter int unsigned EnPma = 1,
  parameter int unsigned VlArbEntries = 0,
  localparam int unsigned Channels = NumPorts * NumVls,
  localparam int unsigned Lanes = NumVls + 1
) (
  input  logic                                     clk_i,
  input  logic                                     rst_i,
  input  logic                                     tick_i,
  /// Number of this port.
  input  logic [3:0]                               port_i,

  /// Pins.
  input  logic                                     phy_up_i,
  input  logic                                     phy_enable_i,
  input  logic [31:0]                              rx_data_i,
  input  logic [2:0]                               rx_ctrl_i,
  output logic [31:0]                              tx_data_o,
  output logic [2:0]                               tx_ctrl_o,

  /// Management.
  output logic [2:0]                               state_o,
  input  logic                                     set_i,
  input  logic [2:0]                               set_state_i,
  input  logic                                     cnt_read_i,
  input  logic [4:0]                               cnt_index_i,
  output logic [31:0]                              cnt_data_o,
  input  logic                                     cnt_clear_i,
  input  logic [15:0]                              cnt_mask_i,
  input  logic                                     bank_i,
  input  logic                                     tbl_lft_we_i,
  input  logic                                     tbl_sl_we_i,
  input  logic                                     tbl_arb_we_i,
  input  logic                                     tbl_bank_i,
  input  logic [15:0]                              tbl_addr_i,
  input  logic [31:0]                              tbl_data_i,

  /// HOQLife (see queue_limits), time in the switch (see life_clock).
  input  logic                                     four_lanes_i,
  input  logic [4:0]                               hoq_life_i,
  input  logic                                     life_limited_i,
  input  logic [lanecut_life_pkg::StampBits-1:0]        life_now_i,

  /// Reconfiguration (see input_unit, osr_control, ebr_watch, vl_drain).
  input  logic [1:0]                               scheme_i,
  input  logic [lanecut_pkg::EpochBits-1:0]        epoch_i,
  input  logic                                     next_ready_i,
  input  logic                                     end_node_i,
  output logic [NumVls-1:0]                        ask_o,
  input  logic [NumVls-1:0]                        stuck_i,
  output logic [NumVls-1:0]                        starved_o,
  input  logic [lanecut_pkg::HoldBits-1:0]         hold_cycles_i,
  output logic                                     lost_o,
  output logic                                     hold_o,
  input  logic [NumPorts-1:0]                      lost_i,
  input  logic [NumPorts-1:0]                      hold_i,
  input  logic                                     patient_i,
  input  logic                                     change_i,
  input  logic [NumVls-1:0]                        done_i,
  input  logic [Channels-1:0]                      sent_i,
  input  logic [NumVls-1:0]                        sent_here_i,
  input  logic [Channels*NumVls-1:0]               feeds_i,
  output logic [NumVls-1:0]                        head_new_o,
  output logic [NumVls-1:0]                        drained_o,
  output logic [NumVls-1:0]                        token_o,
  output logic                                     dead_o,
  input  logic                                     draining_i,
  input  logic                                     restricted_i,
  input  logic [NumPorts-1:0]                      open_i,
  output logic                                     in_current_o,
  output logic [NumVls-1:0]                        out_empty_o,

  /// Crossbar inputs of this port.
  output logic [Lanes-1:0]                         in_request_o,
  output logic [Lanes*8-1:0]                       in_out_o,
  output logic [Lanes*lanecut_pkg::BlockWidth-1:0] in_blocks_o,
  output logic [Lanes*16-1:0]                       in_stamp_o,
  input  logic [Lanes-1:0]                         in_grant_i,
  output logic [Lanes*32-1:0]                      in_data_o,
  output logic [Lanes-1:0]                         in_end_o,
  output logic [Lanes-1:0]                         in_bad_o,
  /// Crossbar outputs of this port.
  input  logic [Lanes-1:0]                         out_announce_i,
  input  logic [Lanes*lanecut_pkg::BlockWidth-1:0] out_announce_blocks_i,
  input  logic [Lanes*16-1:0]                       out_announce_stamp_i,
  input  logic [Lanes-1:0]                         out_valid_i,
  input  logic [Lanes-1:0]                         out_first_i,
  input  logic [Lanes*lanecut_pkg::BlockWidth-1:0] out_blocks_i,
  input  logic [Lanes*32-1:0]                      out_data_i,
  input  logic [Lanes-1:0]                         out_end_i,
  input  logic [Lanes-1:0]                         out_bad_i,
  output logic [Lanes*lanecut_pkg::BlockWidth-1:0] out_free_o,

  /// Trace port (see lanecut_switch).
  output logic                                     trace_rx_drop_o,
  output logic [3:0]                               trace_rx_reason_o,
  output logic [Lanes-1:0]                         trace_in_drop_o,
  output logic [Lanes*4-1:0]                       trace_in_reason_o,
  output logic [Lanes*4-1:0]                       trace_in_number_o,
  output logic [Lanes*4-1:0]                       trace_in_routed_o,
  output logic [NumVls-1:0]                        trace_in_take_o,
  output logic [NumVls-1:0]                        trace_in_held_o,
  output logic [Lanes-1:0]                         trace_out_drop_o,
  output logic [Lanes-1:0]                         trace_out_expired_o,
  output logic [Lanes-1:0]                         trace_out_old_o,

  /// Data packets accepted, started on the wire and dropped here in this cycle, and whether any is queued.
  output logic                                     data_rcvd_o,
  output logic                                     data_sent_o,
  output logic [4:0]                               data_drops_o,
  output logic                                     data_waiting_o,
  output logic                                     busy_o,
  /// Rules broken, by rule_e.
  output logic [lanecut_pkg::Rules-1:0]            broken_o
);

  logic                 up;
  logic                 accept_data;
  logic                 send_data;
  logic                 state_busy;
  logic                 fc_valid;
  logic [3:0]           fc_vl;
  logic [11:0]          fc_fccl;
  logic [NumVls*12-1:0] abr;
  logic [NumVls*12-1:0] input_free;
  logic                 rx_drop_vl15;
  logic                 rx_word;
  logic                 rx_octets;
  logic                 rx_packet;
  logic                 rx_bad;
  logic                 in_busy;
  logic [lanecut_pkg::Rules-1:0] in_broken;
  logic                 in_data_waiting;
  logic                 out_busy;
  logic [lanecut_pkg::Rules-1:0] out_broken;
  logic                 out_data_waiting;
  logic                 rx_token;
  logic                 rx_token_ack;

  logic [lanecut_pkg::EpochBits-1:0] rx_token_number;

  // A port that is disabled has no link, before its physical layer says so.
  logic phy_up;

  assign phy_up = phy_up_i && phy_enable_i;

  link_state u_state (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .phy_up_i      (phy_up),
    .set_i         (set_i),
    .set_state_i   (set_state_i),
    .state_o       (state_o),
    .up_o          (up),
    .accept_data_o (accept_data),
    .send_data_o   (send_data),
    .busy_o        (state_busy)
  );

  // From a register of the port, or all that chooses what is sent would wait for the switch in simulation.
  logic hurry;
  logic hurry_busy;

  if (EnDouble != 0) begin : gen_hurry
    logic hurry_q;

    always_ff @(posedge clk_i) hurry_q <= draining_i || restricted_i;

    assign hurry      = hurry_q;
    assign hurry_busy = hurry_q != (draining_i || restricted_i);
  end else begin : gen_no_hurry
    assign hurry      = 1'b0;
    assign hurry_busy = 1'b0;
  end

  // Heads wait for a port that has just left Active.
  logic hold_busy;

  if (EnHold != 0) begin : gen_hold
    logic was_active_q;
    logic window_busy;

    always_ff @(posedge clk_i) begin
      if (rst_i) was_active_q <= 1'b0;
      else was_active_q <= send_data;
    end

    hold_window u_window (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .limit_i (hold_cycles_i),
      .start_i (was_active_q && !send_data),
      .stop_i  (send_data),
      .open_o  (hold_o),
      .busy_o  (window_busy)
    );

    assign lost_o    = hold_cycles_i != '0 && !send_data;
    assign hold_busy = window_busy || was_active_q != send_data;
  end else begin : gen_no_hold
    assign lost_o    = 1'b0;
    assign hold_o    = 1'b0;
    assign hold_busy = 1'b0;

    logic unused_hold;
    assign unused_hold = ^hold_cycles_i;
  end

  input_unit #(
    .NumPorts    (NumPorts),
    .NumVls      (NumVls),
    .BufBlocks   (BufBlocks),
    .Vl15Blocks  (Vl15Blocks),
    .LftDepth    (LftDepth),
    .RouteCycles (RouteCycles),
    .OutWidth    (OutWidth),
    .EnEbr       (EnEbr),
    .EnOsr       (EnOsr),
    .EnDouble    (EnDouble),
    .EnHold      (EnHold),
    .EnCompact   (EnCompact),
    .EbrLiteral  (EbrLiteral),
    .EnLifetime  (EnLifetime)
  ) u_input (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .port_i           (port_i),
    .rx_data_i        (rx_data_i),
    .rx_ctrl_i        (rx_ctrl_i),
    .up_i             (up),
    .accept_data_i    (accept_data),
    .fc_valid_o       (fc_valid),
    .fc_vl_o          (fc_vl),
    .fc_fccl_o        (fc_fccl),
    .abr_o            (abr),
    .free_o           (input_free),
    .bank_i           (bank_i),
    .tbl_lft_we_i     (tbl_lft_we_i),
    .tbl_sl_we_i      (tbl_sl_we_i),
    .tbl_bank_i       (tbl_bank_i),
    .tbl_addr_i       (tbl_addr_i),
    .tbl_data_i       (tbl_data_i),
    .scheme_i         (scheme_i),
    .epoch_i          (epoch_i),
    .next_ready_i     (next_ready_i),
    .ask_o            (ask_o),
    .stuck_i          (stuck_i),
    .end_node_i       (end_node_i),
    .lost_i           (lost_i),
    .hold_i           (hold_i),
    .patient_i        (patient_i),
    .change_i         (change_i),
    .done_i           (done_i),
    .sent_i           (sent_i),
    .feeds_i          (feeds_i),
    .head_new_o       (head_new_o),
    .drained_o        (drained_o),
    .token_o          (rx_token),
    .token_ack_o      (rx_token_ack),
    .token_number_o   (rx_token_number),
    .draining_i       (draining_i),
    .restricted_i     (restricted_i),
    .open_i           (open_i),
    .current_o        (in_current_o),
    .life_now_i       (life_now_i),
    .request_o        (in_request_o),
    .out_o            (in_out_o),
    .blocks_o         (in_blocks_o),
    .stamp_o          (in_stamp_o),
    .grant_i          (in_grant_i),
    .data_o           (in_data_o),
    .end_o            (in_end_o),
    .bad_o            (in_bad_o),
    .rx_drop_o        (trace_rx_drop_o),
    .rx_reason_o      (trace_rx_reason_o),
    .rx_drop_vl15_o   (rx_drop_vl15),
    .in_drop_o        (trace_in_drop_o),
    .in_reason_o      (trace_in_reason_o),
    .in_number_o      (trace_in_number_o),
    .in_routed_o      (trace_in_routed_o),
    .in_take_o        (trace_in_take_o),
    .in_held_o        (trace_in_held_o),
    .rx_word_o        (rx_word),
    .rx_octets_o      (rx_octets),
    .rx_packet_o      (rx_packet),
    .rx_data_packet_o (data_rcvd_o),
    .rx_bad_o         (rx_bad),
    .data_waiting_o   (in_data_waiting),
    .busy_o           (in_busy),
    .broken_o         (in_broken)
  );

  output_unit #(
    .NumVls     (NumVls),
    .BufBlocks  (BufBlocks),
    .Vl15Blocks (Vl15Blocks),
    .EnEbr      (EnEbr),
    .EnOsr      (EnOsr),
    .EnDouble   (EnDouble),
    .EnLifetime (EnLifetime),
    .VlArbEntries (VlArbEntries)
  ) u_output (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .tick_i            (tick_i),
    .announce_i        (out_announce_i),
    .announce_blocks_i (out_announce_blocks_i),
    .announce_stamp_i  (out_announce_stamp_i),
    .valid_i           (out_valid_i),
    .first_i           (out_first_i),
    .blocks_i          (out_blocks_i),
    .data_i            (out_data_i),
    .end_i             (out_end_i),
    .bad_i             (out_bad_i),
    .free_o            (out_free_o),
    .up_i              (up),
    .send_data_i       (send_data),
    .init_i            (state_o == lanecut_pkg::PortInit),
    .fc_valid_i        (fc_valid),
    .fc_vl_i           (fc_vl),
    .fc_fccl_i         (fc_fccl),
    .abr_i             (abr),
    .input_free_i      (input_free),
    .tx_data_o         (tx_data_o),
    .tx_ctrl_o         (tx_ctrl_o),
    .four_lanes_i      (four_lanes_i),
    .hoq_life_i        (hoq_life_i),
    .life_limited_i    (life_limited_i),
    .life_now_i        (life_now_i),
    .arb_we_i          (tbl_arb_we_i),
    .arb_addr_i        ({tbl_addr_i[9], tbl_addr_i[4:0]}),
    .arb_data_i        (tbl_data_i),
    .starved_o         (starved_o),
    .epoch_i           (epoch_i),
    .sent_i            (sent_here_i),
    .rx_token_i        (rx_token),
    .rx_ack_i          (rx_token_ack),
    .rx_number_i       (rx_token_number),
    .token_o           (token_o),
    .hurry_i           (hurry),
    .empty_o           (out_empty_o),
    .out_drop_o        (trace_out_drop_o),
    .out_expired_o     (trace_out_expired_o),
    .out_old_o         (trace_out_old_o),
    .sent_data_o       (data_sent_o),
    .data_waiting_o    (out_data_waiting),
    .busy_o            (out_busy),
    .broken_o          (out_broken)
  );

  always_comb begin
    data_drops_o = {4'b0, trace_rx_drop_o && !rx_drop_vl15};
    if (trace_in_drop_o != '0 || trace_out_drop_o != '0) begin
      for (int unsigned v = 0; v < NumVls; v++) begin
        data_drops_o = data_drops_o + {4'b0, trace_in_drop_o[v]} + {4'b0, trace_out_drop_o[v]};
      end
    end
  end

  // Counters.
  logic relay_error;
  logic overrun;

  always_comb begin
    relay_error = 1'b0;
    if (trace_in_drop_o != '0) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (trace_in_drop_o[l] && trace_in_reason_o[l*4 +: 4] != lanecut_pkg::DropBad) relay_error = 1'b1;
      end
    end
  end

  assign overrun = trace_rx_drop_o && trace_rx_reason_o == lanecut_pkg::DropNoRoom && !rx_drop_vl15;

  port_counters #(
    .EnPma (EnPma)
  ) u_counters (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .rcv_data_i     (data_rcvd_o),
    .xmit_data_i    (data_sent_o),
    .rcv_word_i     (rx_word),
    .xmit_word_i    (tx_ctrl_o != lanecut_pkg::CtrlIdle),
    .rcv_error_i    (rx_bad || (trace_rx_drop_o && trace_rx_reason_o == lanecut_pkg::DropBad)),
    .xmit_discard_i (trace_out_drop_o != '0),
    .vl15_dropped_i (trace_rx_drop_o && trace_rx_reason_o == lanecut_pkg::DropNoRoom && rx_drop_vl15),
    .link_downed_i  (!phy_up && state_o != lanecut_pkg::PortDown),
    .relay_error_i  (relay_error),
    .overrun_i      (overrun),
    .rcv_packet_i   (rx_packet),
    .xmit_packet_i  (tx_ctrl_o == lanecut_pkg::CtrlStartData),
    .rcv_octets_i   (rx_octets),
    .xmit_octets_i  (tx_ctrl_o == lanecut_pkg::CtrlStartData || tx_ctrl_o == lanecut_pkg::CtrlBody),
    .read_i         (cnt_read_i),
    .index_i        (cnt_index_i),
    .value_o        (cnt_data_o),
    .clear_i        (cnt_clear_i),
    .mask_i         (cnt_mask_i)
  );

  assign dead_o         = !accept_data;
  assign data_waiting_o = in_data_waiting || out_data_waiting;
  assign busy_o         = data_waiting_o || state_busy || hurry_busy || hold_busy || in_busy || out_busy;
  assign broken_o       = in_broken | out_broken;

endmodule : switch_port
