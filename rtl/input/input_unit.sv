// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Input unit of one port: receiver, route unit, and per lane a packet queue, its channel gate and its head.
 *
 * Each lane has a crossbar input of its own (the crossbar is not multiplexed).
 */
module input_unit #(
  parameter int unsigned NumPorts = 6,
  parameter int unsigned NumVls = 2,
  parameter int unsigned BufBlocks = 16,
  parameter int unsigned Vl15Blocks = 32,
  parameter int unsigned LftDepth = 256,
  parameter int unsigned RouteCycles = 6,
  parameter int unsigned OutWidth = 5,
  localparam int unsigned Lanes = NumVls + 1
) (
  input  logic                                     clk_i,
  input  logic                                     rst_i,

  /// Link.
  input  logic [31:0]                              rx_data_i,
  input  logic [2:0]                               rx_ctrl_i,
  input  logic                                     up_i,
  input  logic                                     accept_data_i,
  output logic                                     fc_valid_o,
  output logic [3:0]                               fc_vl_o,
  output logic [11:0]                              fc_fccl_o,
  output logic [NumVls*12-1:0]                     abr_o,
  output logic [NumVls*12-1:0]                     free_o,

  /// Tables.
  input  logic                                     bank_i,
  input  logic                                     tbl_lft_we_i,
  input  logic                                     tbl_sl_we_i,
  input  logic                                     tbl_bank_i,
  input  logic [15:0]                              tbl_addr_i,
  input  logic [31:0]                              tbl_data_i,

  /// Crossbar, per lane.
  output logic [Lanes-1:0]                         request_o,
  output logic [Lanes*8-1:0]                       out_o,
  output logic [Lanes*lanecut_pkg::BlockWidth-1:0] blocks_o,
  input  logic [Lanes-1:0]                         grant_i,
  output logic [Lanes*32-1:0]                      data_o,
  output logic [Lanes-1:0]                         end_o,
  output logic [Lanes-1:0]                         bad_o,

  /// Trace and counters.
  output logic                                     rx_drop_o,
  output logic [3:0]                               rx_reason_o,
  output logic                                     rx_drop_vl15_o,
  output logic [Lanes-1:0]                         in_drop_o,
  output logic [Lanes*4-1:0]                       in_reason_o,
  output logic                                     rx_word_o,
  output logic                                     rx_data_packet_o,
  output logic                                     rx_bad_o,
  output logic                                     data_waiting_o,
  output logic                                     busy_o,
  output logic                                     error_o
);

  localparam int unsigned LaneWidth = $clog2(Lanes);
  localparam int unsigned MaxBlocks = BufBlocks > Vl15Blocks ? BufBlocks : Vl15Blocks;
  localparam int unsigned FreeWidth = $clog2(MaxBlocks) + 1;
  localparam int unsigned InfoWidth = OutWidth + 4;

  logic [31:0]                        p_data;
  logic                               p_is_head;
  logic                               wr_valid;
  logic [LaneWidth-1:0]               wr_lane;
  logic                               wr_start;
  logic [lanecut_pkg::BlockWidth-1:0] wr_blocks;
  logic [31:0]                        wr_data;
  logic                               wr_end;
  logic                               wr_bad;
  logic [3:0]                         wr_index;
  logic [Lanes*FreeWidth-1:0]         free;
  logic                               rx_busy;
  logic                               rx_error;

  link_rx #(
    .NumVls     (NumVls),
    .BufBlocks  (BufBlocks),
    .Vl15Blocks (Vl15Blocks),
    .FreeWidth  (FreeWidth)
  ) u_rx (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .rx_data_i     (rx_data_i),
    .rx_ctrl_i     (rx_ctrl_i),
    .up_i          (up_i),
    .accept_data_i (accept_data_i),
    .free_i        (free),
    .p_data_o      (p_data),
    .p_is_head_o   (p_is_head),
    .wr_valid_o    (wr_valid),
    .wr_lane_o     (wr_lane),
    .wr_start_o    (wr_start),
    .wr_blocks_o   (wr_blocks),
    .wr_data_o     (wr_data),
    .wr_end_o      (wr_end),
    .wr_bad_o      (wr_bad),
    .wr_index_o    (wr_index),
    .fc_valid_o    (fc_valid_o),
    .fc_vl_o       (fc_vl_o),
    .fc_fccl_o     (fc_fccl_o),
    .abr_o         (abr_o),
    .drop_o        (rx_drop_o),
    .drop_reason_o (rx_reason_o),
    .drop_vl15_o   (rx_drop_vl15_o),
    .busy_o        (rx_busy),
    .error_o       (rx_error)
  );

  assign rx_word_o        = wr_valid;
  assign rx_data_packet_o = wr_start && wr_lane != LaneWidth'(NumVls);
  assign rx_bad_o         = wr_valid && wr_end && wr_bad;

  logic                               push;
  logic [LaneWidth-1:0]               push_lane;
  logic [lanecut_pkg::BlockWidth-1:0] push_blocks;
  logic [OutWidth-1:0]                push_out;
  logic [3:0]                         push_reason;
  logic                               route_busy;

  route_unit #(
    .NumPorts    (NumPorts),
    .NumVls      (NumVls),
    .LftDepth    (LftDepth),
    .RouteCycles (RouteCycles),
    .OutWidth    (OutWidth)
  ) u_route (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .pin_data_i    (rx_data_i),
    .pin_ctrl_i    (rx_ctrl_i),
    .p_data_i      (p_data),
    .p_is_head_i   (p_is_head),
    .wr_valid_i    (wr_valid),
    .wr_lane_i     (wr_lane),
    .wr_start_i    (wr_start),
    .wr_blocks_i   (wr_blocks),
    .wr_data_i     (wr_data),
    .wr_end_i      (wr_end),
    .wr_index_i    (wr_index),
    .bank_i        (bank_i),
    .tbl_lft_we_i  (tbl_lft_we_i),
    .tbl_sl_we_i   (tbl_sl_we_i),
    .tbl_bank_i    (tbl_bank_i),
    .tbl_addr_i    (tbl_addr_i),
    .tbl_data_i    (tbl_data_i),
    .push_o        (push),
    .push_lane_o   (push_lane),
    .push_blocks_o (push_blocks),
    .push_out_o    (push_out),
    .push_reason_o (push_reason),
    .busy_o        (route_busy)
  );

  logic [Lanes-1:0] lane_empty;
  logic [Lanes-1:0] lane_error;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned LaneBlocks = l == NumVls ? Vl15Blocks : BufBlocks;
    localparam int unsigned LaneFree = $clog2(LaneBlocks) + 1;

    logic                head_valid;
    logic [InfoWidth-1:0] head_info;
    logic                head_bad;
    logic                take;
    logic                pop;
    logic [LaneFree-1:0] lane_free;
    logic                allow;
    logic                drop;

    packet_queue #(
      .Blocks    (LaneBlocks),
      .InfoWidth (InfoWidth)
    ) u_queue (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .wr_valid_i    (wr_valid && wr_lane == LaneWidth'(l)),
      .wr_start_i    (wr_start),
      .wr_blocks_i   (wr_blocks),
      .wr_data_i     (wr_data),
      .wr_end_i      (wr_end),
      .wr_bad_i      (wr_bad),
      .push_i        (push && push_lane == LaneWidth'(l)),
      .push_blocks_i (push_blocks),
      .push_info_i   ({push_reason, push_out}),
      .head_valid_o  (head_valid),
      .head_blocks_o (blocks_o[l*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth]),
      .head_info_o   (head_info),
      .head_bad_o    (head_bad),
      .take_i        (take),
      .rd_data_o     (data_o[l*32 +: 32]),
      .rd_end_o      (end_o[l]),
      .rd_bad_o      (bad_o[l]),
      .rd_pop_i      (pop),
      .free_o        (lane_free),
      .empty_o       (lane_empty[l]),
      .error_o       (lane_error[l])
    );

    channel_gate u_gate (
      .head_valid_i  (head_valid),
      .head_reason_i (head_info[OutWidth +: 4]),
      .head_bad_i    (head_bad),
      .allow_o       (allow),
      .drop_o        (drop),
      .reason_o      (in_reason_o[l*4 +: 4])
    );

    input_head u_head (
      .clk_i     (clk_i),
      .rst_i     (rst_i),
      .allow_i   (allow),
      .drop_i    (drop),
      .request_o (request_o[l]),
      .grant_i   (grant_i[l]),
      .take_o    (take),
      .pop_o     (pop),
      .end_i     (end_o[l]),
      .dropped_o (in_drop_o[l])
    );

    assign out_o[l*8 +: 8] = 8'(head_info[OutWidth-1:0]);
    assign free[l*FreeWidth +: FreeWidth] = FreeWidth'(lane_free);

    if (l < NumVls) begin : gen_free
      assign free_o[l*12 +: 12] = 12'(lane_free);
    end
  end

  assign data_waiting_o = lane_empty[NumVls-1:0] != '1;
  assign busy_o         = rx_busy || route_busy || lane_empty != '1;
  assign error_o        = rx_error || |lane_error;

endmodule : input_unit
