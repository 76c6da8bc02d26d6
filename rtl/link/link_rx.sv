// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Receiving half of a link: framing, packet check, and the receiver's half of flow control.
 *
 * Words pass two registers (stages p and s) so that a decision about word n, in s, sees word n + 1, in p, and nothing
 * but registers hangs on the pins. A packet is accepted or refused with its second word, which holds its length; from
 * then on its words go to the packet queue of its lane, one per cycle. No packet stays open: idle, a new start or the loss of the link turns its last word into a
 * bad end, and so does a length that disagrees with the header.
 *
 * Flow control (InfiniBand vol. 1, 7.9): ABR counts the blocks received per VL and is set to FCTBS by every valid
 * flow-control packet, so a packet lost on the wire heals by itself.
 */
module link_rx #(
  /// Data VLs; lane NumVls is VL15.
  parameter int unsigned NumVls = 2,
  parameter int unsigned BufBlocks = 16,
  parameter int unsigned Vl15Blocks = 32,
  /// Bits of each lane's free count in free_i.
  parameter int unsigned FreeWidth = 6,
  localparam int unsigned Lanes = NumVls + 1,
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input  logic                               clk_i,
  input  logic                               rst_i,
  input  logic [31:0]                        rx_data_i,
  input  logic [2:0]                         rx_ctrl_i,
  /// From link_state.
  input  logic                               up_i,
  input  logic                               accept_data_i,
  /// Free blocks of each lane's queue.
  input  logic [Lanes*FreeWidth-1:0]         free_i,

  /// Stage p, for the route unit.
  output logic [31:0]                        p_data_o,
  output logic                               p_is_head_o,
  /// Words of an accepted packet (see packet_queue), in the second cycle after they stood on the pins.
  output logic                               wr_valid_o,
  output logic [LaneWidth-1:0]               wr_lane_o,
  output logic                               wr_start_o,
  output logic [lanecut_pkg::BlockWidth-1:0] wr_blocks_o,
  output logic [31:0]                        wr_data_o,
  output logic                               wr_end_o,
  output logic                               wr_bad_o,
  /// Index of the word that is written, saturating at 15.
  output logic [3:0]                         wr_index_o,

  /// Flow-control packet received.
  output logic                               fc_valid_o,
  output logic [3:0]                         fc_vl_o,
  output logic [11:0]                        fc_fccl_o,
  /// Token or acknowledgement of one received (see token_link); VL as fc_vl_o.
  output logic                               token_o,
  output logic                               token_ack_o,
  output logic [lanecut_pkg::EpochBits-1:0]  token_number_o,
  /// Adjusted blocks received, per data VL.
  output logic [NumVls*12-1:0]               abr_o,

  /// The packet that is arriving was refused, and why.
  output logic                               drop_o,
  output logic [3:0]                         drop_reason_o,
  /// It came on VL15.
  output logic                               drop_vl15_o,
  output logic                               busy_o,
  /// Rule RuleOneHead is broken: an open packet meets a new head in stage s, and was not closed one word earlier.
  output logic                               broken_o
);

  localparam logic [3:0] Vl15 = 4'd15;
  localparam logic [2:0] MinLen = 3'd6;  // LRH, BTH and ICRC, in words

  logic [2:0]  p_ctrl_q;
  logic [31:0] p_data_q;
  logic [2:0]  s_ctrl_q;
  logic [31:0] s_data_q;
  logic        p_goes_on;
  logic        p_starts;
  logic [15:0] crc_q;  // of the words before the one in stage p
  logic [15:0] crc_next;
  logic        p_crc_ok;
  logic        s_crc_ok_q;

  assign p_starts  = p_ctrl_q == lanecut_pkg::CtrlStartData || p_ctrl_q == lanecut_pkg::CtrlStartLink;
  assign p_goes_on = p_ctrl_q == lanecut_pkg::CtrlBody || p_ctrl_q == lanecut_pkg::CtrlGoodEnd ||
                     p_ctrl_q == lanecut_pkg::CtrlBadEnd;
  assign p_crc_ok  = p_data_q[31:16] == ~{crc_q[7:0], crc_q[15:8]};

  crc16 u_crc (
    .en_i   (p_ctrl_q != lanecut_pkg::CtrlIdle),
    .crc_i  (p_starts ? 16'hFFFF : crc_q),
    .word_i (p_data_q),
    .next_o (crc_next)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i || !up_i) begin
      p_ctrl_q <= lanecut_pkg::CtrlIdle;
      s_ctrl_q <= lanecut_pkg::CtrlIdle;
    end else begin
      p_ctrl_q <= rx_ctrl_i;
      s_ctrl_q <= p_ctrl_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rx_ctrl_i != lanecut_pkg::CtrlIdle) p_data_q <= rx_data_i;
    if (p_ctrl_q != lanecut_pkg::CtrlIdle) begin
      s_data_q   <= p_data_q;
      s_crc_ok_q <= p_crc_ok;
      crc_q      <= crc_next;
    end
  end

  assign p_data_o    = p_data_q;
  assign p_is_head_o = p_ctrl_q == lanecut_pkg::CtrlStartData;

  // Acceptance, in the cycle that has word 0 in stage s and word 1 in stage p.
  logic                               s_is_head;
  logic [3:0]                         s_vl;
  logic                               s_is_vl15;
  logic                               s_vl_ok;
  logic [LaneWidth-1:0]               s_lane;
  logic [10:0]                        p_len;
  logic [11:0]                        p_blocks;
  logic [FreeWidth-1:0]               lane_free;
  logic                               fits_ever;
  logic                               fits_now;
  logic [3:0]                         refusal;
  logic                               accept;

  assign s_is_head  = s_ctrl_q == lanecut_pkg::CtrlStartData;
  assign s_vl       = s_data_q[31:28];
  assign s_is_vl15  = s_vl == Vl15;
  assign s_vl_ok    = s_is_vl15 || {28'b0, s_vl} < NumVls;
  assign s_lane     = s_is_vl15 ? LaneWidth'(NumVls) : s_vl[LaneWidth-1:0];
  assign p_len      = p_data_q[26:16];
  assign p_blocks   = ({1'b0, p_len} + 12'd16) >> 4;  // PktLen + 1 words on the wire
  assign lane_free  = free_i[s_lane*FreeWidth +: FreeWidth];
  assign fits_ever  = p_blocks <= (s_is_vl15 ? 12'(Vl15Blocks) : 12'(BufBlocks));
  assign fits_now   = p_blocks <= {{(12 - FreeWidth){1'b0}}, lane_free};

  always_comb begin
    refusal = lanecut_pkg::DropNone;
    if (!s_is_head) refusal = lanecut_pkg::DropNone;
    else if (p_ctrl_q != lanecut_pkg::CtrlBody) refusal = lanecut_pkg::DropBad;
    else if (!s_vl_ok) refusal = lanecut_pkg::DropBadVl;
    else if (s_data_q[27:24] != 4'd0) refusal = lanecut_pkg::DropBad;
    else if (!s_is_vl15 && !accept_data_i) refusal = lanecut_pkg::DropPortInactive;
    else if (p_len < {8'b0, MinLen} || !fits_ever) refusal = lanecut_pkg::DropLength;
    else if (!fits_now) refusal = lanecut_pkg::DropNoRoom;
  end

  assign accept = s_is_head && refusal == lanecut_pkg::DropNone;

  // The open packet.
  logic                 open_q;
  logic [LaneWidth-1:0] lane_q;
  logic [10:0]          index_q;  // index of the word in stage s
  logic [10:0]          len_q;    // index of the end word
  logic                 s_is_end;
  logic                 at_end;
  logic                 cut;

  assign s_is_end = s_ctrl_q == lanecut_pkg::CtrlGoodEnd || s_ctrl_q == lanecut_pkg::CtrlBadEnd;
  assign at_end   = index_q == len_q;
  assign cut      = !s_is_end && !p_goes_on;  // nothing more of this packet comes

  assign wr_valid_o  = accept || open_q;
  assign wr_lane_o   = s_is_head ? s_lane : lane_q;
  assign wr_start_o  = accept;
  assign wr_blocks_o = p_blocks[lanecut_pkg::BlockWidth-1:0];
  assign wr_data_o   = s_data_q;
  assign wr_end_o    = open_q && (s_is_end || at_end || cut);
  assign wr_bad_o    = !(s_ctrl_q == lanecut_pkg::CtrlGoodEnd && at_end && s_crc_ok_q);
  assign wr_index_o  = s_is_head ? 4'd0 : |index_q[10:4] ? 4'd15 : index_q[3:0];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      open_q <= 1'b0;
    end else if (accept) begin
      open_q <= 1'b1;
    end else if (wr_end_o) begin
      open_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      lane_q  <= s_lane;
      len_q   <= p_len;
      index_q <= 11'd1;
    end else if (open_q) begin
      index_q <= index_q + 11'd1;
    end
  end

  assign drop_o        = s_is_head && !accept;
  assign drop_reason_o = refusal;
  assign drop_vl15_o   = s_is_vl15;

  // Link packets: word 0 in stage s, the LPCRC in stage p.
  logic link_ok;

  assign link_ok        = s_ctrl_q == lanecut_pkg::CtrlStartLink && p_ctrl_q == lanecut_pkg::CtrlGoodEnd &&
                          p_crc_ok && {28'b0, fc_vl_o} < NumVls;
  assign fc_valid_o     = link_ok && s_data_q[31:29] == 3'd0;
  assign fc_vl_o        = s_data_q[15:12];
  assign fc_fccl_o      = s_data_q[11:0];
  assign token_o        = link_ok && s_data_q[31:28] == lanecut_link_pkg::OpToken;
  assign token_ack_o    = link_ok && s_data_q[31:28] == lanecut_link_pkg::OpTokenAck;
  assign token_number_o = s_data_q[16 +: lanecut_pkg::EpochBits];

  // Blocks received. A refused packet that was sent on credit counts too.
  logic counts;
  assign counts = s_is_head && p_ctrl_q == lanecut_pkg::CtrlBody && s_vl_ok && !s_is_vl15;

  for (genvar v = 0; v < NumVls; v++) begin : gen_abr
    logic [11:0] abr_q;
    always_ff @(posedge clk_i) begin
      if (rst_i || !up_i) begin
        abr_q <= '0;
      end else if (fc_valid_o && fc_vl_o == 4'(v)) begin
        abr_q <= s_data_q[27:16];
      end else if (counts && s_vl == 4'(v)) begin
        abr_q <= abr_q + p_blocks;
      end
    end
    assign abr_o[v*12 +: 12] = abr_q;
  end

  assign busy_o   = p_ctrl_q != lanecut_pkg::CtrlIdle || s_ctrl_q != lanecut_pkg::CtrlIdle || open_q;
  assign broken_o = s_is_head && open_q;

endmodule : link_rx
