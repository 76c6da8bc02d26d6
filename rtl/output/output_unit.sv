// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Output unit of one port: per lane a packet queue fed by its crossbar output, the VL arbiter, and the sender.
 */
module output_unit #(
  parameter int unsigned NumVls = 2,
  parameter int unsigned BufBlocks = 16,
  parameter int unsigned Vl15Blocks = 32,
  parameter int unsigned EnEbr = 0,
  parameter int unsigned EnOsr = 0,
  parameter int unsigned EnDouble = 0,
  parameter int unsigned EnLifetime = 0,
  parameter int unsigned VlArbEntries = 0,
  localparam int unsigned Lanes = NumVls + 1
) (
  input  logic                                     clk_i,
  input  logic                                     rst_i,
  input  logic                                     tick_i,

  /// Crossbar, per lane: the announcement, then from the next cycle on words in consecutive cycles, first_i to end_i.
  /// The sender may choose an announced packet at once, so it loses no cycle to the crossing.
  input  logic [Lanes-1:0]                         announce_i,
  input  logic [Lanes*lanecut_pkg::BlockWidth-1:0] announce_blocks_i,
  input  logic [Lanes*16-1:0]                      announce_stamp_i,
  input  logic [Lanes-1:0]                         valid_i,
  input  logic [Lanes-1:0]                         first_i,
  input  logic [Lanes*lanecut_pkg::BlockWidth-1:0] blocks_i,
  input  logic [Lanes*32-1:0]                      data_i,
  input  logic [Lanes-1:0]                         end_i,
  input  logic [Lanes-1:0]                         bad_i,
  output logic [Lanes*lanecut_pkg::BlockWidth-1:0] free_o,

  /// Link.
  input  logic                                     up_i,
  input  logic                                     send_data_i,
  input  logic                                     init_i,
  input  logic                                     fc_valid_i,
  input  logic [3:0]                               fc_vl_i,
  input  logic [11:0]                              fc_fccl_i,
  input  logic [NumVls*12-1:0]                     abr_i,
  input  logic [NumVls*12-1:0]                     input_free_i,
  output logic [31:0]                              tx_data_o,
  output logic [2:0]                               tx_ctrl_o,

  /// HOQLife (see queue_limits) and time in the switch (see life_clock).
  input  logic                                     four_lanes_i,
  input  logic [4:0]                               hoq_life_i,
  input  logic                                     life_limited_i,
  input  logic [lanecut_life_pkg::StampBits-1:0]        life_now_i,

  /// Table of VL arbitration (see vl_arbiter).
  input  logic                                     arb_we_i,
  input  logic [5:0]                               arb_addr_i,
  input  logic [31:0]                              arb_data_i,

  /// EBR, one cycle late: the heads that lack credits.
  output logic [NumVls-1:0]                        starved_o,
  /// OSR: see token_link.
  input  logic [lanecut_pkg::EpochBits-1:0]        epoch_i,
  input  logic [NumVls-1:0]                        sent_i,
  input  logic                                     rx_token_i,
  input  logic                                     rx_ack_i,
  input  logic [lanecut_pkg::EpochBits-1:0]        rx_number_i,
  output logic [NumVls-1:0]                        token_o,

  /// Double Scheme: one is under way; no packet is left of those that went to a VL (see vl_drain).
  input  logic                                     hurry_i,
  output logic [NumVls-1:0]                        empty_o,

  /// Trace and counters.
  output logic [Lanes-1:0]                         out_drop_o,
  output logic [Lanes-1:0]                         out_expired_o,
  output logic [Lanes-1:0]                         out_old_o,
  output logic                                     sent_data_o,
  output logic                                     data_waiting_o,
  output logic                                     busy_o,
  /// Rules broken.
  output logic [lanecut_pkg::Rules-1:0]            broken_o
);

  localparam int unsigned CountWidth = $clog2(BufBlocks) + 1;
  // What a descriptor remembers of a packet besides its length: when it came to the switch.
  localparam int unsigned StampBits = lanecut_life_pkg::StampBits;
  localparam int unsigned InfoWidth = EnLifetime != 0 ? lanecut_life_pkg::StampBits : 1;

  logic [Lanes-1:0]                         head_valid;
  logic [Lanes*lanecut_pkg::BlockWidth-1:0] head_blocks;
  logic [Lanes-1:0]                         take;
  logic [Lanes*32-1:0]                      rd_data;
  logic [Lanes-1:0]                         rd_end;
  logic [Lanes-1:0]                         rd_bad;
  logic [Lanes-1:0]                         rd_pop;
  logic [Lanes-1:0]                         link_take;
  logic [Lanes-1:0]                         link_pop;
  logic [Lanes-1:0]                         link_drop;
  logic [NumVls-1:0]                        discard;       // the head has been here too long
  logic [NumVls-1:0]                        discard_old;   // ... or in the switch
  logic [NumVls-1:0]                        discard_pop;
  logic [NumVls-1:0]                        not_sent;      // the head is not for the link
  logic                                     limits_awake;
  logic                                     limits_busy;
  logic [NumVls*StampBits-1:0]              stamps;
  logic [NumVls-1:0]                        ends;
  logic [NumVls-1:0]                        waits;
  logic [Lanes-1:0]                         lane_empty;
  logic [Lanes*lanecut_pkg::Rules-1:0]      lane_broken;
  logic [NumVls*CountWidth-1:0]             queued;  // packets in the queues of data VLs, when tokens are about

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned LaneBlocks = l == NumVls ? Vl15Blocks : BufBlocks;
    localparam int unsigned LaneFree = $clog2(LaneBlocks) + 1;

    logic [LaneFree-1:0]  lane_free;
    logic [LaneFree-1:0]  lane_count;
    logic [InfoWidth-1:0] stamp;
    logic                 unused_bad;
    logic                 unused_ended;

    packet_queue #(
      .Blocks    (LaneBlocks),
      .InfoWidth (InfoWidth)
    ) u_queue (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .wr_valid_i    (valid_i[l]),
      .wr_start_i    (first_i[l]),
      .wr_blocks_i   (blocks_i[l*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth]),
      .wr_data_i     (data_i[l*32 +: 32]),
      .wr_end_i      (end_i[l]),
      .wr_bad_i      (bad_i[l]),
      .push_i        (announce_i[l]),
      .push_blocks_i (announce_blocks_i[l*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth]),
      .push_info_i   (announce_stamp_i[l*16 +: InfoWidth]),
      .head_valid_o  (head_valid[l]),
      .count_o       (lane_count),
      .head_blocks_o (head_blocks[l*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth]),
      .head_info_o   (stamp),
      .head_bad_o    (unused_bad),
      .head_ended_o  (unused_ended),
      .take_i        (take[l]),
      .rd_data_o     (rd_data[l*32 +: 32]),
      .rd_end_o      (rd_end[l]),
      .rd_bad_o      (rd_bad[l]),
      .rd_pop_i      (rd_pop[l]),
      .free_o        (lane_free),
      .empty_o       (lane_empty[l]),
      .broken_o      (lane_broken[l*lanecut_pkg::Rules +: lanecut_pkg::Rules])
    );

    assign free_o[l*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth] = lanecut_pkg::BlockWidth'(lane_free);

    if (l < NumVls) begin : gen_count
      always_comb begin
        queued[l*CountWidth +: CountWidth] = '0;
        if (sent_i[l]) queued[l*CountWidth +: CountWidth] = lane_count;
      end
    end else begin : gen_no_count
      logic unused_count;
      assign unused_count = ^lane_count;
    end

    // Gathered for queue_limits, and only when that is awake.
    if (l < NumVls) begin : gen_limited
      always_comb begin
        stamps[l*StampBits +: StampBits] = '0;
        ends[l]                          = 1'b0;
        waits[l]                         = 1'b0;
        if (limits_awake) begin
          stamps[l*StampBits +: StampBits] = StampBits'(stamp);
          ends[l]                          = rd_end[l];
          waits[l]                         = head_valid[l] && !link_take[l] && !link_pop[l];
        end
      end
    end else begin : gen_unlimited
      logic unused_stamp;
      assign unused_stamp = ^stamp;
    end
  end

  always_comb begin
    take          = link_take;
    rd_pop        = link_pop;
    out_drop_o    = link_drop;
    out_expired_o = '0;
    out_old_o     = '0;
    if (limits_awake) begin
      take          = link_take | {1'b0, discard};
      rd_pop        = link_pop | {1'b0, discard_pop};
      out_drop_o    = link_drop | {1'b0, discard};
      out_expired_o = {1'b0, discard & ~discard_old};
      out_old_o     = {1'b0, discard_old};
    end
  end

  logic [Lanes-1:0] ready;
  logic             choose;
  logic [Lanes-1:0] chosen;
  logic             start;
  logic             tx_busy;
  logic             token_busy;

  logic [NumVls-1:0]                        token_want;
  logic [NumVls-1:0]                        ack_want;
  logic [NumVls*lanecut_pkg::EpochBits-1:0] token_number;
  logic [NumVls*lanecut_pkg::EpochBits-1:0] ack_number;
  logic [NumVls-1:0]                        token_go;
  logic [NumVls-1:0]                        ack_go;
  logic [NumVls-1:0]                        unused;
  logic             tx_broken;

  vl_arbiter #(
    .NumVls       (NumVls),
    .BlockWidth   (lanecut_pkg::BlockWidth),
    .VlArbEntries (VlArbEntries)
  ) u_arbiter (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .choose_i    (choose),
    .send_data_i (send_data_i),
    .ready_i     (ready),
    .blocks_i    (head_blocks[NumVls*lanecut_pkg::BlockWidth-1:0]),
    .chosen_o    (chosen),
    .start_i     (start),
    .we_i        (arb_we_i),
    .waddr_i     (arb_addr_i),
    .wdata_i     (arb_data_i)
  );

  link_tx #(
    .NumVls    (NumVls),
    .BufBlocks (BufBlocks)
  ) u_tx (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .tick_i        (tick_i),
    .up_i          (up_i),
    .send_data_i   (send_data_i),
    .init_i        (init_i),
    .head_valid_i  (head_valid & ~{1'b0, not_sent}),
    .head_blocks_i (head_blocks),
    .take_o        (link_take),
    .rd_data_i     (rd_data),
    .rd_end_i      (rd_end),
    .rd_bad_i      (rd_bad),
    .rd_pop_o      (link_pop),
    .ready_o       (ready),
    .choose_o      (choose),
    .chosen_i      (chosen),
    .start_o       (start),
    .fc_valid_i    (fc_valid_i),
    .fc_vl_i       (fc_vl_i),
    .fc_fccl_i     (fc_fccl_i),
    .abr_i         (abr_i),
    .input_free_i  (input_free_i),
    .hurry_i       (hurry_i),
    .token_want_i  (token_want),
    .ack_want_i    (ack_want),
    .token_number_i(token_number),
    .ack_number_i  (ack_number),
    .token_go_o    (token_go),
    .ack_go_o      (ack_go),
    .unused_o      (unused),
    .tx_data_o     (tx_data_o),
    .tx_ctrl_o     (tx_ctrl_o),
    .drop_o        (link_drop),
    .sent_data_o   (sent_data_o),
    .busy_o        (tx_busy),
    .broken_o      (tx_broken)
  );

  if (EnLifetime != 0) begin : gen_limits
    queue_limits #(
      .NumVls(NumVls)
    ) u_limits (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .four_lanes_i   (four_lanes_i),
      .hoq_life_i     (hoq_life_i),
      .life_limited_i (life_limited_i),
      .life_now_i     (life_now_i),
      .awake_o        (limits_awake),
      .head_valid_i   (head_valid[NumVls-1:0]),
      .stamp_i        (stamps),
      .waits_i        (waits),
      .send_data_i    (send_data_i),
      .sending_i      (link_pop[NumVls-1:0]),
      .end_i          (ends),
      .take_o         (discard),
      .old_o          (discard_old),
      .pop_o          (discard_pop),
      .block_o        (not_sent),
      .busy_o         (limits_busy)
    );
  end else begin : gen_no_limits
    assign discard      = '0;
    assign discard_old  = '0;
    assign discard_pop  = '0;
    assign not_sent     = '0;
    assign limits_awake = 1'b0;
    assign limits_busy  = 1'b0;

    logic unused_limits;
    assign unused_limits = ^{four_lanes_i, hoq_life_i, life_limited_i, life_now_i, stamps, ends, waits};
  end

  // The upper bits of the fields that hold a stamp.
  logic unused_stamps;
  assign unused_stamps = ^announce_stamp_i;

  if (EnOsr != 0) begin : gen_tokens
    token_link #(
      .NumVls    (NumVls),
      .BufBlocks (BufBlocks)
    ) u_tokens (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .tick_i         (tick_i),
      .send_data_i    (send_data_i),
      .epoch_i        (epoch_i),
      .sent_i         (sent_i),
      .queued_i       (queued),
      .join_i         (announce_i[NumVls-1:0]),
      .leave_i        (take[NumVls-1:0]),
      .token_want_o   (token_want),
      .ack_want_o     (ack_want),
      .token_number_o (token_number),
      .ack_number_o   (ack_number),
      .token_go_i     (token_go),
      .ack_go_i       (ack_go),
      .rx_token_i     (rx_token_i),
      .rx_ack_i       (rx_ack_i),
      .rx_vl_i        (fc_vl_i),
      .rx_number_i    (rx_number_i),
      .token_o        (token_o),
      .busy_o         (token_busy)
    );
  end else begin : gen_no_tokens
    assign token_want   = '0;
    assign ack_want     = '0;
    assign token_number = '0;
    assign ack_number   = '0;
    assign token_o      = '0;
    assign token_busy   = 1'b0;

    logic unused_tokens;
    assign unused_tokens = ^{token_go, ack_go, epoch_i, sent_i, queued, rx_token_i, rx_ack_i, rx_number_i};
  end

  if (EnEbr != 0) begin : gen_starved
    logic [NumVls-1:0] starved_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) starved_q <= '0;
      else starved_q <= head_valid[NumVls-1:0] & ~not_sent & ~ready[NumVls-1:0];
    end

    assign starved_o = starved_q;
  end else begin : gen_no_starved
    assign starved_o = '0;
  end

  if (EnDouble != 0) begin : gen_empty
    assign empty_o = lane_empty[NumVls-1:0] & unused;
  end else begin : gen_no_empty
    assign empty_o = '0;

    logic unused_double;
    assign unused_double = ^unused;
  end

  assign data_waiting_o = lane_empty[NumVls-1:0] != '1;
  assign busy_o         = tx_busy || token_busy || limits_busy || lane_empty != '1;

  always_comb begin
    broken_o                           = '0;
    broken_o[lanecut_pkg::RuleOneLane] = tx_broken;
    for (int unsigned l = 0; l < Lanes; l++) begin
      broken_o = broken_o | lane_broken[l*lanecut_pkg::Rules +: lanecut_pkg::Rules];
    end
  end

endmodule : output_unit
