// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Sending half of a link: one packet at a time from the output queues, flow-control packets between them, the VCRC
 * recomputed because the VL changes at every hop, and the sender's half of flow control.
 *
 * Order between packets: flow control that is urgent, tokens and their acknowledgements, then what the VL arbiter chose,
 * then flow control that can wait.
 * The choice is made while the end word of the packet before passes, so no cycle is lost. A data packet starts only if
 * (FCCL - (FCTBS + blocks)) mod 4096 <= 2048 (InfiniBand vol. 1, 7.9.4.4) and a flow-control packet has come since the
 * link came up. A port that may not send drains its queues into nothing; a packet that is cut is drained the same way
 * and never resumed.
 */
module link_tx #(
  parameter int unsigned NumVls = 2,
  parameter int unsigned BufBlocks = 16,
  localparam int unsigned Lanes = NumVls + 1
) (
  input  logic                                     clk_i,
  input  logic                                     rst_i,
  input  logic                                     tick_i,
  /// From link_state.
  input  logic                                     up_i,
  input  logic                                     send_data_i,
  /// Port state Initialize: flow-control packets carry Op 1.
  input  logic                                     init_i,

  /// Heads of the output queues.
  input  logic [Lanes-1:0]                         head_valid_i,
  input  logic [Lanes*lanecut_pkg::BlockWidth-1:0] head_blocks_i,
  output logic [Lanes-1:0]                         take_o,
  /// The packet being sent: words of each queue, and the pop of the one that is read.
  input  logic [Lanes*32-1:0]                      rd_data_i,
  input  logic [Lanes-1:0]                         rd_end_i,
  input  logic [Lanes-1:0]                         rd_bad_i,
  output logic [Lanes-1:0]                         rd_pop_o,

  /// To and from the VL arbiter: lanes that may start now, the answer matters in this cycle, and the lane to start.
  output logic [Lanes-1:0]                         ready_o,
  output logic                                     choose_o,
  input  logic [Lanes-1:0]                         chosen_i,
  /// The chosen lane starts in this cycle.
  output logic                                     start_o,

  /// From link_rx.
  input  logic                                     fc_valid_i,
  input  logic [3:0]                               fc_vl_i,
  input  logic [11:0]                              fc_fccl_i,
  input  logic [NumVls*12-1:0]                     abr_i,
  /// Free blocks of the input queues behind this port's receiver.
  input  logic [NumVls*12-1:0]                     input_free_i,

  /// Double Scheme is under way: a buffer that has become free as a whole is told before packets, and unused_o is asked.
  input  logic                                     hurry_i,
  /// Tokens and acknowledgements that want to go, their numbers, and those that go now (see token_link).
  input  logic [NumVls-1:0]                        token_want_i,
  input  logic [NumVls-1:0]                        ack_want_i,
  input  logic [NumVls*lanecut_pkg::EpochBits-1:0] token_number_i,
  input  logic [NumVls*lanecut_pkg::EpochBits-1:0] ack_number_i,
  output logic [NumVls-1:0]                        token_go_o,
  output logic [NumVls-1:0]                        ack_go_o,

  output logic [31:0]                              tx_data_o,
  output logic [2:0]                               tx_ctrl_o,

  /// With hurry_i: all of the neighbour's buffer for a data VL is free and nothing is on the way there; or the port may
  /// not send.
  output logic [NumVls-1:0]                        unused_o,
  /// A packet of that lane is discarded here, or was cut.
  output logic [Lanes-1:0]                         drop_o,
  /// A data packet starts on the wire.
  output logic                                     sent_data_o,
  output logic                                     busy_o,
  /// Rule RuleOneLane is broken.
  output logic                                     broken_o
);

  localparam logic [11:0] UrgentBlocks = 12'(BufBlocks / 4);
  localparam logic [11:0] AllBlocks = 12'(BufBlocks);

  // What goes to the pins in the next cycle.
  typedef enum logic [1:0] {
    StIdle   = 2'd0,
    StPacket = 2'd1,  // words of lane_q
    StLink0  = 2'd2,  // link packet: flow control of fc_vl_q (FCTBS and FCCL), or token_q
    StLink1  = 2'd3   // its LPCRC
  } state_e;

  logic [1:0]        state_q;
  logic [Lanes-1:0]  lane_q;   // one-hot; none but in StPacket
  logic [NumVls-1:0] fc_vl_q;  // one-hot
  logic              first_q;  // the word to send is word 0
  logic              mute_q;   // the packet goes nowhere
  logic              may_choose;
  logic              cut;      // the open packet will not go on; none starts now, or two drops would look like one

  // The word of the open packet.
  logic [31:0] word;
  logic        word_end;
  logic        word_bad;

  always_comb begin
    word     = '0;
    word_end = 1'b0;
    word_bad = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (lane_q[l]) begin
        word     = rd_data_i[l*32 +: 32];
        word_end = rd_end_i[l];
        word_bad = rd_bad_i[l];
      end
    end
  end

  assign may_choose = state_q == StPacket ? word_end : state_q != StLink0;
  assign choose_o   = may_choose;

  // Flow control: what we have told the other side, and what we owe it.
  logic [NumVls-1:0]    fc_want;
  logic [NumVls-1:0]    fc_urgent;
  logic [NumVls-1:0]    fc_send;  // one-hot: this VL's flow-control packet goes to the pins
  logic [NumVls*12-1:0] fccl_now;
  logic [NumVls*12-1:0] fctbs;
  logic                 start_packet;
  logic                 start_link;

  for (genvar v = 0; v < NumVls; v++) begin : gen_credit
    logic [11:0] told_q;       // FCCL last sent
    logic        due_q;        // must be sent even if unchanged
    logic [11:0] fctbs_q;      // blocks sent
    logic [11:0] fccl_q;       // limit received
    logic        fccl_seen_q;
    logic [11:0] blocks;
    logic [11:0] room;

    assign blocks = {{(12 - lanecut_pkg::BlockWidth){1'b0}},
                     head_blocks_i[v*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth]};
    assign room   = fccl_q - fctbs_q - blocks;

    assign fccl_now[v*12 +: 12] = abr_i[v*12 +: 12] + input_free_i[v*12 +: 12];
    assign fctbs[v*12 +: 12]    = fctbs_q;
    assign fc_want[v]           = up_i && (due_q || fccl_now[v*12 +: 12] != told_q);
    assign fc_urgent[v]         = up_i && (due_q || 12'(fccl_now[v*12 +: 12] - told_q) >= UrgentBlocks ||
                                           (hurry_i && fc_want[v] && input_free_i[v*12 +: 12] == AllBlocks));
    assign ready_o[v]           = head_valid_i[v] &&
                                  (!send_data_i || (fccl_seen_q && room <= 12'd2048));

    always_comb begin
      unused_o[v] = 1'b0;
      if (hurry_i) unused_o[v] = !send_data_i || (fccl_seen_q && fccl_q - fctbs_q == AllBlocks);
    end

    always_ff @(posedge clk_i) begin
      if (rst_i || !up_i) begin
        told_q      <= '0;
        due_q       <= 1'b1;
        fctbs_q     <= '0;
        fccl_q      <= '0;
        fccl_seen_q <= 1'b0;
      end else begin
        if (fc_send[v]) told_q <= fccl_now[v*12 +: 12];
        if (tick_i) due_q <= 1'b1;
        else if (fc_send[v]) due_q <= 1'b0;
        if (start_packet && chosen_i[v] && send_data_i) fctbs_q <= fctbs_q + blocks;
        if (fc_valid_i && fc_vl_i == 4'(v)) begin
          fccl_q      <= fc_fccl_i;
          fccl_seen_q <= 1'b1;
        end
      end
    end
  end

  assign ready_o[NumVls] = head_valid_i[NumVls];

  // VL15 has no credits, so nobody asks for the length of its packets.
  logic unused_blocks;
  assign unused_blocks = ^head_blocks_i[NumVls*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth];

  // Choice.
  logic [NumVls-1:0] fc_pool;
  logic [NumVls-1:0] ack_pick;    // one-hot
  logic [NumVls-1:0] token_pick;
  logic              start_fc;
  logic              start_token;
  logic [31:0]       token_word;  // of what starts
  logic [31:0]       token_q;     // the link packet's first word if it is no flow control

  always_comb begin
    ack_pick    = '0;
    token_pick  = '0;
    start_token = 1'b0;
    token_word  = '0;
    if ((ack_want_i | token_want_i) != '0) begin
      ack_pick    = ack_want_i & (~ack_want_i + 1'b1);
      token_pick  = |ack_want_i ? '0 : token_want_i & (~token_want_i + 1'b1);
      start_token = may_choose && fc_urgent == '0;
      for (int unsigned v = 0; v < NumVls; v++) begin
        if (ack_pick[v]) begin
          token_word = {lanecut_link_pkg::OpTokenAck, 12'(ack_number_i[v*lanecut_pkg::EpochBits +: lanecut_pkg::EpochBits]),
                        4'(v), 12'd0};
        end
        if (token_pick[v]) begin
          token_word = {lanecut_link_pkg::OpToken, 12'(token_number_i[v*lanecut_pkg::EpochBits +: lanecut_pkg::EpochBits]),
                        4'(v), 12'd0};
        end
      end
    end
  end

  assign ack_go_o   = start_token ? ack_pick : '0;
  assign token_go_o = start_token ? token_pick : '0;

  always_ff @(posedge clk_i) if (start_token) token_q <= token_word;

  assign fc_pool      = |fc_urgent ? fc_urgent : fc_want;
  assign start_fc     = may_choose && !start_token && (|fc_urgent || (|fc_want && chosen_i == '0));
  assign start_link   = start_fc || start_token;
  assign fc_send      = state_q == StLink0 ? fc_vl_q : '0;
  assign start_packet = may_choose && !start_link && chosen_i != '0 && !cut;
  assign start_o      = start_packet;
  assign take_o       = start_packet ? chosen_i : '0;
  assign rd_pop_o     = lane_q;

  // May the packet of these lanes really go out?
  logic chosen_muted;
  logic open_muted;

  assign chosen_muted = !up_i || (!chosen_i[NumVls] && !send_data_i);
  assign open_muted   = mute_q || !up_i || (!lane_q[NumVls] && !send_data_i);
  assign cut          = state_q == StPacket && open_muted && !mute_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= StIdle;
      lane_q  <= '0;
      fc_vl_q <= '0;
      first_q <= 1'b0;
      mute_q  <= 1'b0;
    end else if (may_choose) begin
      state_q <= start_packet ? StPacket : start_link ? StLink0 : StIdle;
      lane_q  <= take_o;
      fc_vl_q <= start_fc ? fc_pool & (~fc_pool + 1'b1) : '0;
      first_q <= 1'b1;
      mute_q  <= chosen_muted;
    end else begin
      state_q <= state_q == StLink0 ? StLink1 : state_q;
      first_q <= 1'b0;
      mute_q  <= open_muted;
    end
  end

  always_comb begin
    drop_o = '0;
    if (start_packet && chosen_muted) drop_o = chosen_i;
    if (cut) drop_o = lane_q;
  end

  assign sent_data_o = start_packet && !chosen_muted && !chosen_i[NumVls];

  // The word that goes to the pins.
  logic [3:0]  lane_vl;
  logic [31:0] fc_word;
  logic [31:0] out_data;
  logic [2:0]  out_ctrl;
  logic [15:0] crc_q;
  logic [15:0] crc_next;
  logic [15:0] crc_wire;

  always_comb begin
    lane_vl = 4'd15;
    fc_word = token_q;
    for (int unsigned v = 0; v < NumVls; v++) begin
      if (lane_q[v]) lane_vl = 4'(v);
      if (fc_vl_q[v]) fc_word = {3'b0, init_i, fctbs[v*12 +: 12], 4'(v), fccl_now[v*12 +: 12]};
    end
  end

  assign crc_wire = ~{crc_q[7:0], crc_q[15:8]};

  always_comb begin
    out_data = '0;
    out_ctrl = lanecut_pkg::CtrlIdle;
    if (up_i) begin
      case (state_q)
        StPacket: begin
          if (!open_muted) begin
            out_data = first_q ? {lane_vl, word[27:0]} : word;
            out_ctrl = first_q ? lanecut_pkg::CtrlStartData : lanecut_pkg::CtrlBody;
            if (word_end) begin
              // A bad packet leaves with a CRC that is wrong, whatever its end code meets on the way.
              out_data = {word_bad ? ~crc_wire : crc_wire, 16'b0};
              out_ctrl = word_bad ? lanecut_pkg::CtrlBadEnd : lanecut_pkg::CtrlGoodEnd;
            end
          end
        end
        StLink0: begin
          out_data = fc_word;
          out_ctrl = lanecut_pkg::CtrlStartLink;
        end
        StLink1: begin
          out_data = {crc_wire, 16'b0};
          out_ctrl = lanecut_pkg::CtrlGoodEnd;
        end
        default: ;
      endcase
    end
  end

  logic [2:0]  tx_ctrl_q;
  logic [31:0] tx_data_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      tx_ctrl_q <= lanecut_pkg::CtrlIdle;
      tx_data_q <= '0;
    end else begin
      tx_ctrl_q <= out_ctrl;
      tx_data_q <= out_data;
    end
  end

  crc16 u_crc (
    .en_i   (state_q != StIdle),
    .crc_i  ((first_q || state_q == StLink0) ? 16'hFFFF : crc_q),
    .word_i (out_data),
    .next_o (crc_next)
  );

  always_ff @(posedge clk_i) if (state_q != StIdle) crc_q <= crc_next;

  assign tx_ctrl_o = tx_ctrl_q;
  assign tx_data_o = tx_data_q;
  assign busy_o    = state_q != StIdle || tx_ctrl_q != lanecut_pkg::CtrlIdle || |fc_want;
  assign broken_o  = start_packet && ((chosen_i & ready_o) == '0 || (chosen_i & (chosen_i - 1'b1)) != '0);

endmodule : link_tx
