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
  parameter int unsigned EnEbr = 0,
  parameter int unsigned EnOsr = 0,
  parameter int unsigned EnDouble = 0,
  parameter int unsigned EnHold = 0,
  parameter int unsigned EnCompact = 0,
  parameter int unsigned EbrLiteral = 0,
  parameter int unsigned EnLifetime = 0,
  localparam int unsigned Channels = NumPorts * NumVls,
  localparam int unsigned Lanes = NumVls + 1
) (
  input  logic                                     clk_i,
  input  logic                                     rst_i,
  /// Number of this port.
  input  logic [3:0]                               port_i,

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

  /// Reconfiguration: what the switch runs under, the number of its function, and: the inactive bank holds the next one.
  input  logic [1:0]                               scheme_i,
  input  logic [lanecut_pkg::EpochBits-1:0]        epoch_i,
  input  logic                                     next_ready_i,
  /// EBR (see ebr_watch): heads of two functions ask; those that asked one cycle ago cannot move; packets from an end
  /// node are exempt.
  output logic [NumVls-1:0]                        ask_o,
  input  logic [NumVls-1:0]                        stuck_i,
  input  logic                                     end_node_i,
  /// EBR (see hold_window): these ports are not Active; heads wait for these of them; the switch got its function lately.
  input  logic [NumPorts-1:0]                      lost_i,
  input  logic [NumPorts-1:0]                      hold_i,
  input  logic                                     patient_i,
  /// OSR (see osr_control): of this port's channels, and of all output channels.
  input  logic                                     change_i,
  input  logic [NumVls-1:0]                        done_i,
  input  logic [Channels-1:0]                      sent_i,
  input  logic [Channels*NumVls-1:0]               feeds_i,
  output logic [NumVls-1:0]                        head_new_o,
  output logic [NumVls-1:0]                        drained_o,
  output logic                                     token_o,
  output logic                                     token_ack_o,
  output logic [lanecut_pkg::EpochBits-1:0]        token_number_o,
  /// Double Scheme (see vl_drain): which VLs heads may take; VL0's queue is empty or its head of the switch's function.
  input  logic                                     draining_i,
  input  logic                                     restricted_i,
  input  logic [NumPorts-1:0]                      open_i,
  output logic                                     current_o,

  /// Time in the switch (see life_clock).
  input  logic [lanecut_life_pkg::StampBits-1:0]        life_now_i,

  /// Crossbar, per lane.
  output logic [Lanes-1:0]                         request_o,
  output logic [Lanes*8-1:0]                       out_o,
  output logic [Lanes*lanecut_pkg::BlockWidth-1:0] blocks_o,
  output logic [Lanes*16-1:0]                      stamp_o,
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
  output logic [Lanes*4-1:0]                       in_number_o,
  output logic [Lanes*4-1:0]                       in_routed_o,
  output logic [NumVls-1:0]                        in_take_o,
  output logic [NumVls-1:0]                        in_held_o,
  output logic                                     rx_word_o,
  /// Of these, all but the end word; a packet is accepted.
  output logic                                     rx_octets_o,
  output logic                                     rx_packet_o,
  output logic                                     rx_data_packet_o,
  output logic                                     rx_bad_o,
  output logic                                     data_waiting_o,
  output logic                                     busy_o,
  /// Rules broken.
  output logic [lanecut_pkg::Rules-1:0]            broken_o
);

  localparam int unsigned LaneWidth = $clog2(Lanes);
  localparam int unsigned MaxBlocks = BufBlocks > Vl15Blocks ? BufBlocks : Vl15Blocks;
  localparam int unsigned FreeWidth = $clog2(MaxBlocks) + 1;
  localparam int unsigned EpochBits = lanecut_pkg::EpochBits;
  localparam int unsigned EnNumbers = EnEbr + EnOsr + EnDouble;
  localparam int unsigned EnLook = EnOsr + EnDouble + EnHold;  // heads may be looked up again
  // What a descriptor remembers of a packet besides its length; without numbers: reason and output. Before it, with
  // EnLifetime, when the descriptor was made.
  localparam int unsigned RouteWidth = OutWidth + 4 + (EnNumbers != 0 ? 2 * EpochBits + 1 : 0);
  localparam int unsigned InfoWidth = RouteWidth + (EnLifetime != 0 ? lanecut_life_pkg::StampBits : 0);

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
  logic                               rx_broken;

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
    .token_o       (token_o),
    .token_ack_o   (token_ack_o),
    .token_number_o(token_number_o),
    .abr_o         (abr_o),
    .drop_o        (rx_drop_o),
    .drop_reason_o (rx_reason_o),
    .drop_vl15_o   (rx_drop_vl15_o),
    .busy_o        (rx_busy),
    .broken_o      (rx_broken)
  );

  assign rx_word_o        = wr_valid;
  assign rx_octets_o      = wr_valid && !wr_end;
  assign rx_packet_o      = wr_start;
  assign rx_data_packet_o = wr_start && wr_lane != LaneWidth'(NumVls);
  assign rx_bad_o         = wr_valid && wr_end && wr_bad;

  logic                               push;
  logic [LaneWidth-1:0]               push_lane;
  logic [lanecut_pkg::BlockWidth-1:0] push_blocks;
  logic [OutWidth-1:0]                push_out;
  logic [3:0]                         push_reason;
  logic [EpochBits-1:0]               push_number;
  logic [EpochBits-1:0]               push_routed;
  logic                               push_wait;
  logic [EpochBits-1:0]               wr_routed;
  logic [31:0]                        wr_stepped;
  logic [2*EpochBits+OutWidth+4:0]    push_info;
  logic                               look;
  logic [31:0]                        look_data;
  logic [EpochBits-1:0]               look_number;
  logic                               look_taken;
  logic                               found;
  logic [OutWidth-1:0]                found_out;
  logic [EpochBits-1:0]               found_routed;
  logic [3:0]                         found_reason;
  logic                               route_busy;

  route_unit #(
    .NumPorts    (NumPorts),
    .NumVls      (NumVls),
    .LftDepth    (LftDepth),
    .RouteCycles (RouteCycles),
    .OutWidth    (OutWidth),
    .EnOsr       (EnOsr),
    .EnDouble    (EnDouble),
    .EnHold      (EnHold),
    .EnCompact   (EnCompact)
  ) u_route (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .port_i        (port_i),
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
    .epoch_i       (epoch_i),
    .next_ready_i  (next_ready_i),
    .osr_i         (is_osr),
    .double_i      (is_double),
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
    .push_number_o (push_number),
    .push_routed_o (push_routed),
    .push_wait_o   (push_wait),
    .routed_o      (wr_routed),
    .wr_data_o     (wr_stepped),
    .look_i        (look),
    .look_data_i   (look_data),
    .look_number_i (look_number),
    .look_o        (look_taken),
    .found_o       (found),
    .found_out_o   (found_out),
    .found_routed_o(found_routed),
    .found_reason_o(found_reason),
    .busy_o        (route_busy)
  );

  logic is_double;
  logic is_ebr;
  logic is_osr;

  assign is_osr    = EnOsr != 0 && scheme_i == lanecut_pkg::SchemeOsr;
  assign is_double = EnDouble != 0 && scheme_i == lanecut_pkg::SchemeDouble;
  assign is_ebr    = EnEbr != 0 && scheme_i == lanecut_pkg::SchemeEbr;

  assign push_info = {push_number, push_routed, push_wait, push_reason, push_out};

  logic [InfoWidth-1:0] push_all;

  if (EnLifetime != 0) begin : gen_stamp_life
    assign push_all = {life_now_i, push_info[RouteWidth-1:0]};
  end else begin : gen_no_stamp_life
    assign push_all = push_info[RouteWidth-1:0];

    logic unused_life;
    assign unused_life = ^life_now_i;
  end

  // Under EBR a packet carries the number of the function that sends it on: the one that chose its output, as far as
  // deadlocks go. EbrLiteral gives it that of the switch when it is sent on, which lets a deadlock through.
  logic [31:0] queue_data;

  if (EnEbr != 0) begin : gen_renumber
    always_comb begin
      queue_data = wr_stepped;
      if (is_ebr && wr_index == 4'd1 && wr_lane != LaneWidth'(NumVls)) begin
        queue_data[31 -: lanecut_link_pkg::NumberWidth] = lanecut_link_pkg::NumberWidth'(wr_routed);
      end
    end
  end else begin : gen_keep_number
    assign queue_data = wr_stepped;

    logic unused_routed;
    assign unused_routed = ^wr_routed;
  end

  // EBR: some port is lost, and heads wait for such ports.
  logic waits_for_ports;
  assign waits_for_ports = EnHold != 0 && is_ebr && lost_i != '0;

  // EBR: what heads asked one cycle ago.
  logic [NumVls-1:0] ebr_asked_q;

  if (EnEbr != 0) begin : gen_ask
    always_ff @(posedge clk_i) begin
      if (rst_i) ebr_asked_q <= '0;
      else ebr_asked_q <= ask_o;
    end
  end else begin : gen_no_ask
    assign ebr_asked_q = '0;
  end

  logic [Lanes-1:0]            lane_empty;
  logic [Lanes*lanecut_pkg::Rules-1:0] lane_broken;
  logic [NumVls-1:0]           wants_look;    // the head waits for a function that is there now
  logic [NumVls-1:0]           look_lane;     // one-hot: the head that asks
  logic [NumVls-1:0]           found_lane_q;  // the head that is answered
  logic [NumVls-1:0]           held_heads;    // EBR: the head waits for a port
  logic [NumVls-1:0]           answered_q;    // the head has been looked up again; what came of it
  logic [NumVls*OutWidth-1:0]  answer_out_q;
  logic [NumVls*4-1:0]         answer_reason_q;
  logic [NumVls*EpochBits-1:0] answer_routed_q;
  logic [NumVls*EpochBits-1:0] head_numbers;
  logic [NumVls-1:0]           takes;

  if (EnDouble == 0) begin : gen_no_current
    assign current_o = 1'b0;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned LaneBlocks = l == NumVls ? Vl15Blocks : BufBlocks;
    localparam int unsigned LaneFree = $clog2(LaneBlocks) + 1;

    logic                 head_valid;
    logic [InfoWidth-1:0] head_info;
    logic                 head_bad;
    logic                 head_ended;
    logic                 take;
    logic                 pop;
    logic [LaneFree-1:0]  lane_free;
    logic [LaneFree-1:0]  unused_count;
    logic                 allow;
    logic                 drop;
    logic                 hold;
    logic                 held;

    packet_queue #(
      .Blocks    (LaneBlocks),
      .InfoWidth (InfoWidth)
    ) u_queue (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .wr_valid_i    (wr_valid && wr_lane == LaneWidth'(l)),
      .wr_start_i    (wr_start),
      .wr_blocks_i   (wr_blocks),
      .wr_data_i     (queue_data),
      .wr_end_i      (wr_end),
      .wr_bad_i      (wr_bad),
      .push_i        (push && push_lane == LaneWidth'(l)),
      .push_blocks_i (push_blocks),
      .push_info_i   (push_all),
      .head_valid_o  (head_valid),
      .count_o       (unused_count),
      .head_blocks_o (blocks_o[l*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth]),
      .head_info_o   (head_info),
      .head_bad_o    (head_bad),
      .head_ended_o  (head_ended),
      .take_i        (take),
      .rd_data_o     (rd_data),
      .rd_end_o      (end_o[l]),
      .rd_bad_o      (bad_o[l]),
      .rd_pop_i      (pop),
      .free_o        (lane_free),
      .empty_o       (lane_empty[l]),
      .broken_o      (lane_broken[l*lanecut_pkg::Rules +: lanecut_pkg::Rules])
    );

    // What the channel gate wants to know; management packets and a switch without schemes have no numbers.
    logic [OutWidth-1:0]  table_out;    // as looked up
    logic [OutWidth-1:0]  head_out;
    logic [31:0]          rd_data;      // as queued
    logic [3:0]           head_reason;
    logic [EpochBits-1:0] number;
    logic [EpochBits-1:0] routed;
    logic                 is_waiting;
    logic                 is_held;
    logic                 is_stuck;
    logic                 is_done;
    logic                 out_sent;
    logic                 feeds;

    if (l < NumVls && EnNumbers != 0) begin : gen_schemes
      logic                 to_channel;  // the output is a data VL of a port, not port 0
      logic [EpochBits-1:0] first;       // number of the function that looked it up first
      logic [EpochBits-1:0] leaves;      // the number it leaves with, if not the one it was queued with

      // Bit OutWidth + 4, "waits", is for second lookups only.
      logic unused_wait;
      assign unused_wait = head_info[OutWidth+4];

      assign {number, first} = head_info[OutWidth+5 +: 2*EpochBits];
      assign to_channel      = table_out < OutWidth'(NumPorts * Lanes);

      // Where the head goes: as its descriptor says, or as the answer to a second lookup does, which is kept until it is gone.
      if (EnLook != 0) begin : gen_second
        // Bits of odd.
        localparam int unsigned Outdated = 0;  // Double Scheme: the switch has changed functions since the first lookup
        localparam int unsigned Waiting = 1;   // for an answer
        localparam int unsigned Held = 2;      // EBR: it waits for its port
        localparam int unsigned Outruns = 3;   // EBR: the switch's function is newer than the one that chose the output
        localparam int unsigned WantsLook = 4;

        logic [WantsLook:0] odd;

        // All that may keep a head from going where its descriptor says, in one place: it is rare, so simulation is spared it.
        always_comb begin
          odd         = '0;
          routed      = first;
          table_out   = head_info[OutWidth-1:0];
          head_reason = head_info[OutWidth +: 4];
          if (answered_q[l] || head_info[OutWidth+4] || is_double || waits_for_ports) begin
            odd[Outdated] = is_double && lanecut_link_pkg::Newer[EpochBits'(epoch_i - first)];
            odd[Waiting]  = (head_info[OutWidth+4] || odd[Outdated]) && !answered_q[l];
            if (odd[Outdated]) routed = epoch_i;
            if (answered_q[l]) begin
              table_out   = answer_out_q[l*OutWidth +: OutWidth];
              head_reason = answer_reason_q[l*4 +: 4];
              if (is_ebr) routed = answer_routed_q[l*EpochBits +: EpochBits];
            end
            if (odd[Waiting]) head_reason = lanecut_pkg::DropNone;
            // A head does not wait beyond the last function that can tell that it is old.
            if (waits_for_ports && head_reason == lanecut_pkg::DropNone && EpochBits'(epoch_i - number) != EpochBits'(3)) begin
              odd[Outruns] = lanecut_link_pkg::Newer[EpochBits'(epoch_i - routed)];
              for (int unsigned p = 0; p < NumPorts; p++) begin
                for (int unsigned v = 0; v < NumVls; v++) begin
                  if (table_out == OutWidth'(p * Lanes + v)) odd[Held] = lost_i[p] && (hold_i[p] || odd[Outruns]);
                end
              end
            end
            // If the function is there that it waits for, or, under EBR, a newer one than that which chose a lost port.
            odd[WantsLook] = head_valid && !pop && !found_lane_q[l] &&
                             ((odd[Held] && odd[Outruns]) ||
                              (odd[Waiting] &&
                               (odd[Outdated] || number == epoch_i || (number == epoch_i + 1'b1 && next_ready_i))));
          end
        end

        assign is_waiting    = odd[Waiting];
        assign is_held       = odd[Held];
        assign wants_look[l] = odd[WantsLook];
        assign held_heads[l] = odd[Held];
      end else begin : gen_first
        assign routed        = first;
        assign is_waiting    = 1'b0;
        assign is_held       = 1'b0;
        assign table_out     = head_info[OutWidth-1:0];
        assign head_reason   = head_info[OutWidth +: 4];
        assign wants_look[l] = 1'b0;
        assign held_heads[l] = 1'b0;
      end

      always_comb begin
        head_numbers[l*EpochBits +: EpochBits] = '0;
        if (wants_look[l]) head_numbers[l*EpochBits +: EpochBits] = number;
      end

      always_comb begin
        ask_o[l] = 1'b0;
        if (is_ebr) begin
          ask_o[l] = head_valid && to_channel && !end_node_i && !take && !is_held && (number != epoch_i || routed != epoch_i);
        end
      end

      // A packet leaves with the number of the function that chose its output.
      assign leaves = EbrLiteral != 0 ? epoch_i : routed;

      // Double Scheme: the VL that the table says may be closed.
      if (EnDouble != 0) begin : gen_double
        always_comb begin
          head_out = table_out;
          if (draining_i || restricted_i) begin
            for (int unsigned p = 0; p < NumPorts; p++) begin
              for (int unsigned v = 0; v < NumVls; v++) begin
                if (table_out == OutWidth'(p * Lanes + v)) begin
                  if (draining_i) head_out = OutWidth'(p * Lanes) + OutWidth'(routed != epoch_i);
                  else if (!open_i[p]) head_out = OutWidth'(p * Lanes + 1);
                end
              end
            end
          end
        end

        if (l == 0) begin : gen_current
          always_comb begin
            current_o = 1'b0;
            if (restricted_i) current_o = lane_empty[0] || (head_valid && number == epoch_i);
          end
        end
      end else begin : gen_no_double
        assign head_out = table_out;
      end

      if (EnDouble != 0 || EnHold != 0 || EbrLiteral != 0) begin : gen_stamp
        number_stamp u_stamp (
          .clk_i    (clk_i),
          .rst_i    (rst_i),
          .take_i   (take),
          .number_i (leaves),
          .enable_i (is_double || ((EnHold != 0 || EbrLiteral != 0) && is_ebr)),
          .data_i   (rd_data),
          .data_o   (data_o[l*32 +: 32])
        );
      end else begin : gen_no_stamp
        assign data_o[l*32 +: 32] = rd_data;

        logic unused_leaves;
        assign unused_leaves = ^leaves;
      end

      assign is_stuck = ebr_asked_q[l] && stuck_i[l];
      assign is_done  = done_i[l];

      always_comb begin
        out_sent = 1'b1;
        feeds    = 1'b1;
        if (change_i && to_channel) begin
          for (int unsigned p = 0; p < NumPorts; p++) begin
            for (int unsigned v = 0; v < NumVls; v++) begin
              if (head_out == OutWidth'(p * Lanes + v)) begin
                out_sent = sent_i[p*NumVls + v];
                feeds    = feeds_i[(p*NumVls + v)*NumVls + l];
              end
            end
          end
        end
      end

      always_comb begin
        head_new_o[l] = 1'b0;
        if (is_osr) begin
          head_new_o[l] = head_valid && head_ended && !head_bad && !(pop && !end_o[l]) &&
                          lanecut_link_pkg::Newer[EpochBits'(number - epoch_i)];
        end
      end
      assign drained_o[l]  = lane_empty[l];
    end else begin : gen_plain
      assign table_out   = head_info[OutWidth-1:0];
      assign head_out    = table_out;
      assign head_reason = head_info[OutWidth +: 4];
      assign number      = '0;
      assign routed      = '0;
      assign is_waiting  = 1'b0;
      assign is_held     = 1'b0;
      assign is_stuck    = 1'b0;
      assign is_done     = 1'b0;
      assign out_sent    = 1'b1;
      assign feeds       = 1'b1;

      assign data_o[l*32 +: 32] = rd_data;

      if (l < NumVls) begin : gen_no_numbers
        assign ask_o[l]                               = 1'b0;
        assign head_new_o[l]                          = 1'b0;
        assign drained_o[l]                           = 1'b0;
        assign wants_look[l]                          = 1'b0;
        assign held_heads[l]                          = 1'b0;
        assign head_numbers[l*EpochBits +: EpochBits] = '0;
      end

      logic unused_head;
      assign unused_head = ^{head_info, head_ended};
    end

    if (l < NumVls && EnLifetime != 0) begin : gen_stamp
      assign stamp_o[l*16 +: 16] = 16'(head_info[RouteWidth +: lanecut_life_pkg::StampBits]);
    end else begin : gen_no_stamp
      assign stamp_o[l*16 +: 16] = '0;

      logic unused_stamp;
      assign unused_stamp = ^head_info;
    end

    channel_gate #(
      .EnEbr    (l < NumVls ? EnEbr : 0),
      .EnOsr    (l < NumVls ? EnOsr : 0),
      .EnDouble (l < NumVls ? EnDouble : 0),
      .EnHold   (l < NumVls ? EnHold : 0)
    ) u_gate (
      .head_valid_i  (head_valid),
      .head_reason_i (head_reason),
      .head_bad_i    (head_bad),
      .head_number_i (number),
      .head_routed_i (routed),
      .head_wait_i   (is_waiting),
      .scheme_i      (scheme_i),
      .epoch_i       (epoch_i),
      .held_i        (is_held),
      .patient_i     (patient_i),
      .stuck_i       (is_stuck),
      .change_i      (change_i),
      .done_i        (is_done),
      .out_sent_i    (out_sent),
      .feeds_i       (feeds),
      .allow_o       (allow),
      .drop_o        (drop),
      .hold_o        (hold),
      .reason_o      (in_reason_o[l*4 +: 4])
    );

    input_head u_head (
      .clk_i     (clk_i),
      .rst_i     (rst_i),
      .allow_i   (allow),
      .drop_i    (drop),
      .hold_i    (hold),
      .request_o (request_o[l]),
      .grant_i   (grant_i[l]),
      .take_o    (take),
      .pop_o     (pop),
      .end_i     (end_o[l]),
      .dropped_o (in_drop_o[l]),
      .held_o    (held)
    );

    assign out_o[l*8 +: 8]       = 8'(head_out);
    assign in_number_o[l*4 +: 4] = 4'(number);
    assign in_routed_o[l*4 +: 4] = 4'(routed);
    assign free[l*FreeWidth +: FreeWidth] = FreeWidth'(lane_free);

    if (l < NumVls) begin : gen_free
      assign takes[l] = take;
      assign in_held_o[l] = held;
      assign free_o[l*12 +: 12] = 12'(lane_free);
    end else begin : gen_unseen
      logic unused_held;
      assign unused_held = held;
    end
  end

  // One head at a time is looked up again.
  assign look = wants_look != '0;

  always_comb begin
    look_lane   = '0;
    look_data   = '0;
    look_number = '0;
    if (look) begin
      look_lane = wants_look & (~wants_look + 1'b1);
      for (int unsigned v = 0; v < NumVls; v++) begin
        if (look_lane[v]) begin
          look_data   = data_o[v*32 +: 32];
          look_number = head_numbers[v*EpochBits +: EpochBits];
        end
      end
    end
  end

  // The answer to a second lookup, until its head is gone.
  if (EnLook != 0) begin : gen_look
    logic [NumVls-1:0] looking_q;  // whose lookup is in its first cycle
    logic [NumVls-1:0] answers;

    // Under EBR a head that need not wait any more goes where it was going.
    always_comb begin
      answers = '0;
      if (found) answers = is_ebr ? found_lane_q & held_heads : found_lane_q;
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        looking_q    <= '0;
        found_lane_q <= '0;
        answered_q   <= '0;
      end else if (look || (looking_q | found_lane_q | answered_q) != '0) begin
        looking_q    <= look_taken ? look_lane & ~takes : '0;
        found_lane_q <= looking_q & ~takes;
        answered_q   <= (answered_q | answers) & ~takes;
      end
    end

    always_ff @(posedge clk_i) begin
      if (found_lane_q != '0) begin
        for (int unsigned v = 0; v < NumVls; v++) begin
          if (answers[v]) begin
            answer_out_q[v*OutWidth +: OutWidth]      <= found_out;
            answer_reason_q[v*4 +: 4]                 <= found_reason;
            answer_routed_q[v*EpochBits +: EpochBits] <= found_routed;
          end
        end
      end
    end
  end else begin : gen_no_look
    assign found_lane_q    = '0;
    assign answered_q      = '0;
    assign answer_out_q    = '0;
    assign answer_reason_q = '0;
    assign answer_routed_q = '0;

    logic unused_look;
    assign unused_look = ^{look_taken, found, found_out, found_routed, found_reason, held_heads};
  end

  // What the schemes that are left out would need.
  logic unused_schemes;
  assign unused_schemes = ^{push_info, stuck_i, end_node_i, change_i, done_i, sent_i, feeds_i, found_lane_q, answered_q,
                            answer_out_q, answer_reason_q, answer_routed_q, takes, draining_i, restricted_i, open_i,
                            is_double, is_ebr, is_osr, lost_i, hold_i, patient_i, waits_for_ports, ebr_asked_q,
                            found_routed};

  assign in_take_o      = takes;
  assign data_waiting_o = lane_empty[NumVls-1:0] != '1;
  assign busy_o         = rx_busy || route_busy || lane_empty != '1;

  always_comb begin
    broken_o                            = '0;
    broken_o[lanecut_pkg::RuleOneHead] = rx_broken;
    for (int unsigned l = 0; l < Lanes; l++) begin
      broken_o = broken_o | lane_broken[l*lanecut_pkg::Rules +: lanecut_pkg::Rules];
    end
  end

endmodule : input_unit
