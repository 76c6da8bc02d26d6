// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * InfiniBand-style switch: virtual cut-through, non-multiplexed crossbar, credit flow control per VL.
 *
 * A packet's way: link_rx and route_unit (in input_unit) -> packet_queue -> channel_gate and input_head -> crossbar ->
 * packet_queue -> vl_arbiter and link_tx (in output_unit). A header on the input pins in cycle t is on the output pins
 * in cycle t + RouteCycles if nothing is in its way. Port 0 is the management agent: it owns every table, and packets on
 * VL15 are the only way to write one.
 */
module lanecut_switch #(
  /// External ports, numbered from 1; at most 14.
  parameter int unsigned NumPorts = 6,
  /// Data VLs, 1 to 8; VL15 comes on top.
  parameter int unsigned NumVls = 2,
  /// Blocks of 64 bytes in the input and in the output queue of a data VL, a power of two.
  parameter int unsigned BufBlocks = 16,
  /// The same for VL15; an SMP takes 5.
  parameter int unsigned Vl15Blocks = 32,
  /// Entries of the linear forwarding table, a power of two of at least 64. One copy per port.
  parameter int unsigned LftDepth = 256,
  /// Header latency in cycles, 6 (the pipeline) to 64.
  parameter int unsigned RouteCycles = 6,
  /// Reconfiguration under traffic: EBR (epoch drop), OSR (tokens), Double Scheme (drained VLs; at least 2 of them).
  parameter int unsigned EnEbr = 0,
  parameter int unsigned EnOsr = 0,
  parameter int unsigned EnDouble = 0,
  /// EBR waits for the next function where a port has gone down (needs EnEbr).
  parameter int unsigned EnHold = 0,
  /// Compact management packets: source routed with cut-through, tables in one packet, flooded commands.
  parameter int unsigned EnCompact = 0,
  /// HOQLife and LifeTimeValue: packets are discarded that have stood too long at the head of an output queue, or have been
  /// too long in the switch.
  parameter int unsigned EnLifetime = 0,
  /// Performance management: counters read and cleared by general packets to port 0. Without it they are consumed, and
  /// the counters are there by SMP alone.
  parameter int unsigned EnPma = 1,
  /// M_Key: management packets without it are denied. Without this parameter it is zero, and all are served.
  parameter int unsigned EnMKey = 1,
  /// Entries of each list of the ports' VL arbitration tables: 4, 8, 16 or 32; 0: no tables, VLs take turns by packet.
  /// With 8 entries and 2 data VLs an arbiter takes 714 LUTs and 249 flip-flops of an iCE40 instead of 4 and 1.
  parameter int unsigned VlArbEntries = 0,
  /// EBR as its author's text has it: a packet leaves with the switch's number, whatever function chose its output. For
  /// tests only: it can deadlock.
  parameter int unsigned EbrLiteral = 0,
  localparam int unsigned Channels = NumPorts * NumVls,
  localparam int unsigned Lanes = NumVls + 1
) (
  input  logic                        clk_i,
  input  logic                        rst_i,
  /// One cycle every 4096: flow-control refresh, trap repetition.
  input  logic                        tick_i,
  /// Straps: NodeGUID, and NodeDescription as 16 characters.
  input  logic [63:0]                 guid_i,
  input  logic [127:0]                name_i,
  /// Strap: all links are 4X SDR, 4 ns per word and cycle; else 1X SDR, 16 ns.
  input  logic                        four_lanes_i,

  /// Pins; port p at index p - 1.
  input  logic [NumPorts-1:0]         phy_up_i,
  /// The physical layer shall hold a link; low while the manager has disabled the port.
  output logic [NumPorts-1:0]         phy_enable_o,
  input  logic [NumPorts*32-1:0]      rx_data_i,
  input  logic [NumPorts*3-1:0]       rx_ctrl_i,
  output logic [NumPorts*32-1:0]      tx_data_o,
  output logic [NumPorts*3-1:0]       tx_ctrl_o,

  /// Nothing is queued, arriving or due: with idle pins, no tick and the same phy_up_i, clock edges change nothing.
  output logic                        idle_o,
  /// Something that should be impossible has happened; sticky.
  output logic                        error_o,

  /// Trace port for checkers; leave open in synthesis. Each bit lasts one cycle, the one after the event.
  /// link_rx refused the packet that is arriving, and why (lanecut_pkg::drop_e).
  output logic [NumPorts-1:0]         trace_rx_drop_o,
  output logic [NumPorts*4-1:0]       trace_rx_reason_o,
  /// The head of input queue (port, lane) is dropped: bit (port - 1) * Lanes + lane.
  output logic [NumPorts*Lanes-1:0]   trace_in_drop_o,
  output logic [NumPorts*Lanes*4-1:0] trace_in_reason_o,
  /// ... and, with EnEbr, the number that it came with, that of the function that routed it, and that of the switch.
  output logic [NumPorts*Lanes*4-1:0] trace_in_number_o,
  output logic [NumPorts*Lanes*4-1:0] trace_in_routed_o,
  output logic [4:0]                  trace_in_epoch_o,
  /// The head of output queue (port, lane) is discarded because the port may not send, or is cut while being sent.
  output logic [NumPorts*Lanes-1:0]   trace_out_drop_o,
  /// ... or, with EnLifetime, because it has stood there longer than HOQLife.
  output logic [NumPorts*Lanes-1:0]   trace_out_expired_o,
  /// ... or because it has been in the switch longer than LifeTimeValue.
  output logic [NumPorts*Lanes-1:0]   trace_out_old_o,
  /// Levels, for the timeline: number of the active function; OSR: a change is under way, input channels that have
  /// processed their token, output channels that have sent theirs: bit (port - 1) * NumVls + vl.
  output logic [4:0]                  trace_epoch_o,
  output logic                        trace_change_o,
  output logic [Channels-1:0]         trace_done_o,
  output logic [Channels-1:0]         trace_sent_o,
  /// Double Scheme: draining, and only VL0 has packets; restricted to VL1, but for the ports whose VL0 is open.
  output logic                        trace_draining_o,
  output logic                        trace_vl_idle_o,
  output logic                        trace_restricted_o,
  output logic [NumPorts-1:0]         trace_open_o,
  /// With EnOsr: the port has accepted the data packet whose header stood on its pins three cycles ago; the head of an
  /// input channel's queue has left it; it could ask for its output, but the channel gate holds it (under OSR for a token,
  /// or for a function that is not there yet).
  output logic [NumPorts-1:0]         trace_accept_o,
  output logic [Channels-1:0]         trace_take_o,
  output logic [Channels-1:0]         trace_held_o
);

  localparam int unsigned Engines = 2;
  localparam int unsigned NumIn = NumPorts * Lanes + Engines;
  localparam int unsigned NumOut = NumIn;
  localparam int unsigned Engine0 = NumPorts * Lanes;
  localparam int unsigned OutWidth = $clog2(NumOut);
  localparam int unsigned BlockWidth = lanecut_pkg::BlockWidth;

  if (NumPorts < 1 || NumPorts > 14) begin : gen_check_ports
    $error("lanecut_switch: NumPorts must be 1 to 14");
  end
  if (NumVls < 1 || NumVls > 8) begin : gen_check_vls
    $error("lanecut_switch: NumVls must be 1 to 8");
  end
  if (BufBlocks < 8 || BufBlocks > 128 || (BufBlocks & (BufBlocks - 1)) != 0) begin : gen_check_buf
    $error("lanecut_switch: BufBlocks must be a power of two from 8 to 128");
  end
  if (Vl15Blocks < 8 || Vl15Blocks > 128 || (Vl15Blocks & (Vl15Blocks - 1)) != 0) begin : gen_check_vl15
    $error("lanecut_switch: Vl15Blocks must be a power of two from 8 to 128");
  end
  if (LftDepth < 64 || LftDepth > 32768 || (LftDepth & (LftDepth - 1)) != 0) begin : gen_check_lft
    $error("lanecut_switch: LftDepth must be a power of two from 64 to 32768");
  end
  if (EnDouble != 0 && NumVls < 2) begin : gen_check_double
    $error("lanecut_switch: EnDouble needs NumVls of at least 2");
  end
  if (EbrLiteral != 0 && EnEbr == 0) begin : gen_check_literal
    $error("lanecut_switch: EbrLiteral needs EnEbr");
  end
  if (EnHold != 0 && EnEbr == 0) begin : gen_check_hold
    $error("lanecut_switch: EnHold needs EnEbr");
  end
  if (VlArbEntries != 0 && VlArbEntries != 4 && VlArbEntries != 8 && VlArbEntries != 16 && VlArbEntries != 32) begin : gen_check_arb
    $error("lanecut_switch: VlArbEntries must be 0, 4, 8, 16 or 32");
  end
  if (RouteCycles < 6 || RouteCycles > 64) begin : gen_check_route
    $error("lanecut_switch: RouteCycles must be 6 (the pipeline's own) to 64");
  end

  // Crossbar.
  logic [NumIn-1:0]             in_request;
  logic [NumIn*8-1:0]           in_out;
  logic [NumIn*BlockWidth-1:0]  in_blocks;
  logic [NumIn*16-1:0]          in_stamp;
  logic [NumIn-1:0]             in_inject;
  logic [NumIn-1:0]             in_grant;
  logic [NumIn*32-1:0]          in_data;
  logic [NumIn-1:0]             in_end;
  logic [NumIn-1:0]             in_bad;
  logic [NumOut*BlockWidth-1:0] out_free;
  logic [NumOut-1:0]            out_announce;
  logic [NumOut*BlockWidth-1:0] out_announce_blocks;
  logic [NumOut*16-1:0]         out_announce_stamp;
  logic [NumOut-1:0]            out_valid;
  logic [NumOut-1:0]            out_first;
  logic [NumOut*BlockWidth-1:0] out_blocks;
  logic [NumOut*32-1:0]         out_data;
  logic [NumOut-1:0]            out_end;
  logic [NumOut-1:0]            out_bad;
  logic [NumOut*8-1:0]          out_source;

  crossbar #(
    .NumIn      (NumIn),
    .NumOut     (NumOut),
    .OutBlocks  (BufBlocks),
    .EnLifetime (EnLifetime)
  ) u_crossbar (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .request_i         (in_request),
    .out_i             (in_out),
    .blocks_i          (in_blocks),
    .stamp_i           (in_stamp),
    .inject_i          (in_inject),
    .grant_o           (in_grant),
    .data_i            (in_data),
    .end_i             (in_end),
    .bad_i             (in_bad),
    .free_i            (out_free),
    .announce_o        (out_announce),
    .announce_blocks_o (out_announce_blocks),
    .announce_stamp_o  (out_announce_stamp),
    .valid_o           (out_valid),
    .first_o           (out_first),
    .blocks_o          (out_blocks),
    .data_o            (out_data),
    .end_o             (out_end),
    .bad_o             (out_bad),
    .source_o          (out_source)
  );

  // External ports.
  logic [NumPorts*3-1:0]        port_state;
  logic [NumPorts-1:0]          port_set;
  logic [2:0]                   port_set_state;
  logic [3:0]                   cnt_port;
  logic [4:0]                   cnt_index;
  logic                         cnt_clear;
  logic [15:0]                  cnt_mask;
  logic [NumPorts*32-1:0]       cnt_values;
  logic [NumPorts-1:0]          rx_drop;
  logic [NumPorts*4-1:0]        rx_reason;
  logic [NumPorts*Lanes-1:0]    in_drop;
  logic [NumPorts*Lanes*4-1:0]  in_reason;
  logic [NumPorts*Lanes*4-1:0]  in_number;
  logic [NumPorts*Lanes*4-1:0]  in_routed;
  logic [Channels-1:0]          in_take;
  logic [Channels-1:0]          in_held;
  logic [NumPorts*Lanes-1:0]    out_drop;
  logic [NumPorts*Lanes-1:0]    out_expired;
  logic [NumPorts*Lanes-1:0]    out_old;
  logic [NumPorts*5-1:0]        hoq_life;
  logic [4:0]                   life_time;
  logic                         life_limited;
  logic [lanecut_life_pkg::StampBits-1:0] life_now;
  logic                         bank;
  logic                         tbl_lft_we;
  logic                         tbl_sl_we;
  logic                         tbl_arb_we;
  logic                         tbl_bank;
  logic [15:0]                  tbl_addr;
  logic [31:0]                  tbl_data;
  logic [NumPorts-1:0]          end_node_ports;
  logic                         transit_first;
  logic [NumPorts-1:0]          data_rcvd;
  logic [NumPorts-1:0]          data_sent;
  logic [NumPorts*5-1:0]        data_drops;
  logic [NumPorts-1:0]          data_waiting;
  logic [NumPorts-1:0]          port_busy;
  logic [NumPorts-1:0]          port_broken;

  // Reconfiguration.
  logic [1:0]                        scheme;
  logic [4:0]                        epoch;
  logic [lanecut_pkg::EpochBits-1:0] number;
  logic                              next_ready;
  logic                              osr_start;
  logic                              osr_change;
  logic                              osr_flip;
  logic                              osr_busy;
  logic [Channels-1:0]               osr_done;
  logic [Channels-1:0]               osr_sent;
  logic [Channels*Channels-1:0]      osr_feeds;
  logic [Channels-1:0]               head_new;
  logic [Channels-1:0]               drained;
  logic [Channels-1:0]               token;
  logic [NumPorts-1:0]               port_dead;
  logic                              row_we;
  logic                              row_bank;
  logic [6:0]                        row_index;
  logic [1:0]                        row_word;
  logic [31:0]                       row_wdata;
  logic [31:0]                       row_rdata;
  logic [Channels-1:0]               ebr_ask;
  logic [Channels-1:0]               ebr_stuck;
  logic [Channels-1:0]               starved;
  logic [lanecut_pkg::HoldBits-1:0]  hold_cycles;
  logic [NumPorts-1:0]               lost;
  logic [NumPorts-1:0]               hold;
  logic                              patient;
  logic                              patient_busy;

  logic                              vl_drain;
  logic                              vl_switch;
  logic                              vl_clear;
  logic                              draining;
  logic                              restricted;
  logic                              vl_idle;
  logic                              vl_busy;
  logic [NumPorts-1:0]               vl_open;
  logic [NumPorts-1:0]               in_current;
  logic [Channels-1:0]               out_empty;

  assign number = epoch[lanecut_pkg::EpochBits-1:0];

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [Channels*NumVls-1:0]    feeds;  // of this port's input channels: bit o * NumVls + v
    logic [lanecut_pkg::Rules-1:0] broken;

    // Only asked for during a change.
    always_comb begin
      feeds = '0;
      if (osr_change) begin
        for (int unsigned o = 0; o < Channels; o++) begin
          feeds[o*NumVls +: NumVls] = osr_feeds[o*Channels + p*NumVls +: NumVls];
        end
      end
    end

    switch_port #(
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
      .EnLifetime  (EnLifetime),
      .EnPma       (EnPma),
      .VlArbEntries (VlArbEntries)
    ) u_port (
      .clk_i                 (clk_i),
      .rst_i                 (rst_i),
      .tick_i                (tick_i),
      .port_i                (4'(p + 1)),
      .phy_up_i              (phy_up_i[p]),
      .phy_enable_i          (phy_enable_o[p]),
      .rx_data_i             (rx_data_i[p*32 +: 32]),
      .rx_ctrl_i             (rx_ctrl_i[p*3 +: 3]),
      .tx_data_o             (tx_data_o[p*32 +: 32]),
      .tx_ctrl_o             (tx_ctrl_o[p*3 +: 3]),
      .state_o               (port_state[p*3 +: 3]),
      .set_i                 (port_set[p]),
      .set_state_i           (port_set_state),
      .cnt_read_i            (cnt_port == 4'(p + 1)),
      .cnt_index_i           (cnt_index),
      .cnt_data_o            (cnt_values[p*32 +: 32]),
      .cnt_clear_i           (cnt_clear && cnt_port == 4'(p + 1)),
      .cnt_mask_i            (cnt_mask),
      .bank_i                (bank),
      .tbl_lft_we_i          (tbl_lft_we),
      .tbl_sl_we_i           (tbl_sl_we && tbl_addr[8:5] == 4'(p + 1)),
      .tbl_arb_we_i          (tbl_arb_we && tbl_addr[8:5] == 4'(p + 1)),
      .tbl_bank_i            (tbl_bank),
      .tbl_addr_i            (tbl_addr),
      .tbl_data_i            (tbl_data),
      .four_lanes_i          (four_lanes_i),
      .hoq_life_i            (hoq_life[p*5 +: 5]),
      .life_limited_i        (life_limited),
      .life_now_i            (life_now),
      .scheme_i              (scheme),
      .epoch_i               (number),
      .next_ready_i          (next_ready),
      .end_node_i            (end_node_ports[p]),
      .ask_o                 (ebr_ask[p*NumVls +: NumVls]),
      .stuck_i               (ebr_stuck[p*NumVls +: NumVls]),
      .starved_o             (starved[p*NumVls +: NumVls]),
      .hold_cycles_i         (hold_cycles),
      .lost_o                (lost[p]),
      .hold_o                (hold[p]),
      .lost_i                (lost),
      .hold_i                (hold),
      .patient_i             (patient),
      .change_i              (osr_change),
      .done_i                (osr_done[p*NumVls +: NumVls]),
      .sent_i                (osr_sent),
      .sent_here_i           (osr_sent[p*NumVls +: NumVls]),
      .feeds_i               (feeds),
      .head_new_o            (head_new[p*NumVls +: NumVls]),
      .drained_o             (drained[p*NumVls +: NumVls]),
      .token_o               (token[p*NumVls +: NumVls]),
      .dead_o                (port_dead[p]),
      .draining_i            (draining),
      .restricted_i          (restricted),
      .open_i                (vl_open),
      .in_current_o          (in_current[p]),
      .out_empty_o           (out_empty[p*NumVls +: NumVls]),
      .in_request_o          (in_request[p*Lanes +: Lanes]),
      .in_out_o              (in_out[p*Lanes*8 +: Lanes*8]),
      .in_blocks_o           (in_blocks[p*Lanes*BlockWidth +: Lanes*BlockWidth]),
      .in_stamp_o            (in_stamp[p*Lanes*16 +: Lanes*16]),
      .in_grant_i            (in_grant[p*Lanes +: Lanes]),
      .in_data_o             (in_data[p*Lanes*32 +: Lanes*32]),
      .in_end_o              (in_end[p*Lanes +: Lanes]),
      .in_bad_o              (in_bad[p*Lanes +: Lanes]),
      .out_announce_i        (out_announce[p*Lanes +: Lanes]),
      .out_announce_blocks_i (out_announce_blocks[p*Lanes*BlockWidth +: Lanes*BlockWidth]),
      .out_announce_stamp_i  (out_announce_stamp[p*Lanes*16 +: Lanes*16]),
      .out_valid_i           (out_valid[p*Lanes +: Lanes]),
      .out_first_i           (out_first[p*Lanes +: Lanes]),
      .out_blocks_i          (out_blocks[p*Lanes*BlockWidth +: Lanes*BlockWidth]),
      .out_data_i            (out_data[p*Lanes*32 +: Lanes*32]),
      .out_end_i             (out_end[p*Lanes +: Lanes]),
      .out_bad_i             (out_bad[p*Lanes +: Lanes]),
      .out_free_o            (out_free[p*Lanes*BlockWidth +: Lanes*BlockWidth]),
      .trace_rx_drop_o       (rx_drop[p]),
      .trace_rx_reason_o     (rx_reason[p*4 +: 4]),
      .trace_in_drop_o       (in_drop[p*Lanes +: Lanes]),
      .trace_in_reason_o     (in_reason[p*Lanes*4 +: Lanes*4]),
      .trace_in_number_o     (in_number[p*Lanes*4 +: Lanes*4]),
      .trace_in_routed_o     (in_routed[p*Lanes*4 +: Lanes*4]),
      .trace_in_take_o       (in_take[p*NumVls +: NumVls]),
      .trace_in_held_o       (in_held[p*NumVls +: NumVls]),
      .trace_out_drop_o      (out_drop[p*Lanes +: Lanes]),
      .trace_out_expired_o   (out_expired[p*Lanes +: Lanes]),
      .trace_out_old_o       (out_old[p*Lanes +: Lanes]),
      .data_rcvd_o           (data_rcvd[p]),
      .data_sent_o           (data_sent[p]),
      .data_drops_o          (data_drops[p*5 +: 5]),
      .data_waiting_o        (data_waiting[p]),
      .busy_o                (port_busy[p]),
      .broken_o              (broken)
    );

    assign port_broken[p]              = broken != '0;
    assign in_inject[p*Lanes +: Lanes] = {1'b0, {NumVls{transit_first && end_node_ports[p]}}};

`ifndef SYNTHESIS
    // The rules of a port's modules (see rule_e, and there why they are asserted here).
    always_ff @(posedge clk_i) begin
      if (!rst_i && broken != '0) begin
        assert (!broken[lanecut_pkg::RuleFifoPop]) else $error("port %0d: a descriptor taken from an empty queue", p + 1);
        assert (!broken[lanecut_pkg::RuleFifoPush]) else $error("port %0d: a descriptor put into a full queue", p + 1);
        assert (!broken[lanecut_pkg::RuleReserve]) else $error("port %0d: a packet without room in its queue", p + 1);
        assert (!broken[lanecut_pkg::RuleRelease]) else $error("port %0d: more blocks freed than there are", p + 1);
        assert (!broken[lanecut_pkg::RuleOneHead]) else $error("port %0d: a packet begins in an open packet", p + 1);
        assert (!broken[lanecut_pkg::RuleOneLane]) else $error("port %0d: the arbiter chose no ready lane", p + 1);
      end
    end
`endif
  end

  if (EnOsr != 0) begin : gen_osr
    logic [Channels-1:0] dead;

    for (genvar c = 0; c < Channels; c++) begin : gen_dead
      assign dead[c] = port_dead[c / NumVls];
    end

    osr_control #(
      .Channels(Channels)
    ) u_control (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .enable_i   (scheme == lanecut_pkg::SchemeOsr),
      .start_i    (osr_start),
      .ready_i    (next_ready),
      .bank_i     (bank),
      .head_new_i (head_new),
      .drained_i  (drained),
      .token_i    (token),
      .dead_i     (dead),
      .row_we_i   (row_we),
      .row_bank_i (row_bank),
      .row_i      (row_index),
      .row_word_i (row_word),
      .row_data_i (row_wdata),
      .row_data_o (row_rdata),
      .change_o   (osr_change),
      .done_o     (osr_done),
      .sent_o     (osr_sent),
      .feeds_o    (osr_feeds),
      .flip_o     (osr_flip),
      .busy_o     (osr_busy)
    );
  end else begin : gen_no_osr
    assign osr_change = 1'b0;
    assign osr_done   = '0;
    assign osr_sent   = '0;
    for (genvar o = 0; o < Channels; o++) begin : gen_no_feeds
      assign osr_feeds[o*Channels +: Channels] = '0;
    end

    assign osr_flip   = 1'b0;
    assign osr_busy   = 1'b0;
    assign row_rdata  = '0;

    logic unused_osr;
    assign unused_osr = ^{osr_start, head_new, token, port_dead, row_we, row_bank, row_index, row_word, row_wdata};
  end

  if (EnDouble != 0) begin : gen_double
    vl_drain #(
      .NumPorts(NumPorts),
      .NumVls  (NumVls)
    ) u_drain (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .enable_i     (scheme == lanecut_pkg::SchemeDouble),
      .clear_i      (vl_clear),
      .drain_i      (vl_drain),
      .switch_i     (vl_switch),
      .in_empty_i   (drained),
      .in_current_i (in_current),
      .out_empty_i  (out_empty),
      .draining_o   (draining),
      .restricted_o (restricted),
      .idle_o       (vl_idle),
      .open_o       (vl_open),
      .busy_o       (vl_busy)
    );
  end else begin : gen_no_double
    assign draining   = 1'b0;
    assign restricted = 1'b0;
    assign vl_idle    = 1'b0;
    assign vl_open    = '0;
    assign vl_busy    = 1'b0;

    logic unused_double;
    assign unused_double = ^{vl_drain, vl_switch, vl_clear, in_current, out_empty};
  end

  // Only OSR and Double Scheme ask for it.
  logic unused_drained;
  assign unused_drained = ^drained;

  if (EnEbr != 0) begin : gen_ebr
    logic [Channels*8-1:0]          out;
    logic [Channels*BlockWidth-1:0] blocks;
    logic [Channels*BlockWidth-1:0] free;

    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      localparam int unsigned Lane = (c / NumVls) * Lanes + c % NumVls;

      assign out[c*8 +: 8]                      = in_out[Lane*8 +: 8];
      assign blocks[c*BlockWidth +: BlockWidth] = in_blocks[Lane*BlockWidth +: BlockWidth];
      assign free[c*BlockWidth +: BlockWidth]   = out_free[Lane*BlockWidth +: BlockWidth];
    end

    ebr_watch #(
      .NumPorts(NumPorts),
      .NumVls  (NumVls)
    ) u_watch (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .ask_i      (ebr_ask),
      .out_i      (out),
      .blocks_i   (blocks),
      .free_i     (free),
      .starved_i  (starved),
      .end_node_i (end_node_ports),
      .stuck_o    (ebr_stuck)
    );
  end else begin : gen_no_ebr
    assign ebr_stuck = '0;

    logic unused_ebr;
    assign unused_ebr = ^{ebr_ask, starved};
  end

  if (EnHold != 0) begin : gen_hold
    logic [4:0] epoch_q;
    logic       window_busy;

    always_ff @(posedge clk_i) begin
      if (rst_i) epoch_q <= '0;
      else epoch_q <= epoch;
    end

    hold_window u_patience (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .limit_i (hold_cycles),
      .start_i (epoch_q != epoch),
      .stop_i  (1'b0),
      .open_o  (patient),
      .busy_o  (window_busy)
    );

    assign patient_busy = window_busy || epoch_q != epoch;
  end else begin : gen_no_hold
    assign patient      = 1'b0;
    assign patient_busy = 1'b0;

    logic unused_hold;
    assign unused_hold = ^hold_cycles;
  end

  if (EnLifetime != 0) begin : gen_life
    life_clock u_life (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .four_lanes_i (four_lanes_i),
      .life_i       (life_time),
      .run_i        (data_waiting != '0),
      .now_o        (life_now),
      .limited_o    (life_limited)
    );
  end else begin : gen_no_life
    assign life_limited = 1'b0;
    assign life_now     = '0;

    logic unused_life;
    assign unused_life = ^life_time;
  end

  assign trace_epoch_o  = epoch;
  assign trace_change_o = osr_change;
  assign trace_done_o   = osr_done;
  assign trace_sent_o   = osr_sent;

  assign trace_draining_o   = draining;
  assign trace_vl_idle_o    = vl_idle;
  assign trace_restricted_o = restricted;
  assign trace_open_o       = vl_open;

  // Port 0: the agent's two engines are crossbar inputs and outputs like any other.
  logic [Engines-1:0]    agent_ready;
  logic [Engines*4-1:0]  agent_in_port;
  logic [Engines-1:0]    agent_in_vl15;
  logic [Engines-1:0]    agent_req;
  logic [Engines*4-1:0]  agent_out_port;
  logic [Engines*4-1:0]  agent_out_vl;
  logic [Engines*8-1:0]  agent_out_len;
  logic [Engines-1:0]    agent_end;
  logic [Engines-1:0]    agent_pop;
  logic                  agent_idle;
  logic                  agent_error;
  logic [15:0]           unused_lid;

  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    logic       sending_q;
    logic       discarding;
    logic       is_data;
    logic [3:0] from_port;
    logic       from_vl15;
    logic [3:0] to_lane;

    assign is_data = agent_out_vl[e*4 +: 4] != 4'd15;
    assign to_lane = is_data ? agent_out_vl[e*4 +: 4] : 4'(NumVls);
    assign in_request[Engine0 + e] = agent_req[e] && !sending_q && !discarding;
    assign in_out[(Engine0 + e)*8 +: 8] =
        8'(({28'b0, agent_out_port[e*4 +: 4]} - 1) * Lanes + {28'b0, to_lane});
    assign in_blocks[(Engine0 + e)*BlockWidth +: BlockWidth] =
        BlockWidth'(({1'b0, agent_out_len[e*8 +: 8]} + 9'd15) >> 4);
    assign in_end[Engine0 + e] = agent_end[e];
    assign in_bad[Engine0 + e] = 1'b0;
    assign in_inject[Engine0 + e] = 1'b0;
    assign in_stamp[(Engine0 + e)*16 +: 16] = 16'(life_now);
    assign agent_pop[e]        = sending_q || discarding;

    // What goes by a data VL must not hold up management for longer than two ticks: it is discarded then.
    if (e == 0) begin : gen_patience
      logic waiting;
      logic waited_q;
      logic discarding_q;

      assign waiting    = in_request[Engine0] && is_data && !in_grant[Engine0];
      assign discarding = discarding_q;

      always_ff @(posedge clk_i) begin
        if (rst_i) begin
          waited_q     <= 1'b0;
          discarding_q <= 1'b0;
        end else begin
          waited_q     <= waiting && (waited_q || tick_i);
          discarding_q <= discarding_q ? !agent_end[0] : waiting && waited_q && tick_i;
        end
      end
    end else begin : gen_no_patience
      assign discarding = 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) sending_q <= 1'b0;
      else if (!sending_q || agent_end[e]) sending_q <= in_grant[Engine0 + e];
    end

    always_comb begin
      from_port = 4'd0;
      from_vl15 = 1'b0;
      if (out_valid[Engine0 + e]) begin
        for (int unsigned i = 0; i < NumPorts * Lanes; i++) begin
          if (out_source[(Engine0 + e)*8 +: 8] == 8'(i)) begin
            from_port = 4'(i / Lanes + 1);
            from_vl15 = i % Lanes == NumVls;
          end
        end
      end
    end

    assign agent_in_port[e*4 +: 4] = from_port;
    assign agent_in_vl15[e]        = from_vl15;
    assign out_free[(Engine0 + e)*BlockWidth +: BlockWidth] = {BlockWidth{agent_ready[e]}};
  end

  logic [31:0] data_rcvd_q;
  logic [31:0] data_sent_q;
  logic [31:0] data_dropped_q;

  mgmt_agent #(
    .NumPorts   (NumPorts),
    .NumVls     (NumVls),
    .BufBlocks  (BufBlocks),
    .Vl15Blocks (Vl15Blocks),
    .LftDepth   (LftDepth),
    .EnEbr      (EnEbr),
    .EnOsr      (EnOsr),
    .EnDouble   (EnDouble),
    .EnHold     (EnHold),
    .EnCompact  (EnCompact),
    .EnLifetime (EnLifetime),
    .EnPma      (EnPma),
    .EnMKey     (EnMKey),
    .VlArbEntries (VlArbEntries)
  ) u_agent (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .tick_i           (tick_i),
    .guid_i           (guid_i),
    .name_i           (name_i),
    .four_lanes_i     (four_lanes_i),
    .in_valid_i       (out_valid[Engine0 +: Engines]),
    .in_data_i        (out_data[Engine0*32 +: Engines*32]),
    .in_end_i         (out_end[Engine0 +: Engines]),
    .in_bad_i         (out_bad[Engine0 +: Engines]),
    .in_port_i        (agent_in_port),
    .in_vl15_i        (agent_in_vl15),
    .in_ready_o       (agent_ready),
    .out_req_o        (agent_req),
    .out_port_o       (agent_out_port),
    .out_vl_o         (agent_out_vl),
    .out_len_o        (agent_out_len),
    .out_data_o       (in_data[Engine0*32 +: Engines*32]),
    .out_end_o        (agent_end),
    .out_pop_i        (agent_pop),
    .tbl_lft_we_o     (tbl_lft_we),
    .tbl_sl_we_o      (tbl_sl_we),
    .tbl_arb_we_o     (tbl_arb_we),
    .tbl_bank_o       (tbl_bank),
    .tbl_addr_o       (tbl_addr),
    .tbl_data_o       (tbl_data),
    .bank_o           (bank),
    .epoch_o          (epoch),
    .scheme_o         (scheme),
    .hold_cycles_o    (hold_cycles),
    .next_ready_o     (next_ready),
    .osr_start_o      (osr_start),
    .osr_change_i     (osr_change),
    .osr_flip_i       (osr_flip),
    .vl_drain_o       (vl_drain),
    .vl_switch_o      (vl_switch),
    .vl_clear_o       (vl_clear),
    .draining_i       (draining),
    .restricted_i     (restricted),
    .vl_idle_i        (vl_idle),
    .row_we_o         (row_we),
    .row_bank_o       (row_bank),
    .row_o            (row_index),
    .row_word_o       (row_word),
    .row_data_o       (row_wdata),
    .row_data_i       (row_rdata),
    .end_node_ports_o (end_node_ports),
    .transit_first_o  (transit_first),
    .hoq_life_o       (hoq_life),
    .life_time_o      (life_time),
    .port_state_i     (port_state),
    .port_set_o       (port_set),
    .port_set_state_o (port_set_state),
    .phy_enable_o     (phy_enable_o),
    .cnt_port_o       (cnt_port),
    .cnt_index_o      (cnt_index),
    .cnt_data_i       (cnt_value),
    .cnt_clear_o      (cnt_clear),
    .cnt_mask_o       (cnt_mask),
    .data_rcvd_i      (data_rcvd_q),
    .data_sent_i      (data_sent_q),
    .data_dropped_i   (data_dropped_q),
    .data_busy_i      (data_waiting != '0),
    .lid_o            (unused_lid),
    .idle_o           (agent_idle),
    .error_o          (agent_error)
  );

  logic [31:0] cnt_value;

  always_comb begin
    cnt_value = '0;
    for (int unsigned p = 0; p < NumPorts; p++) begin
      if (cnt_port == 4'(p + 1)) cnt_value = cnt_values[p*32 +: 32];
    end
  end

  // Packet counters of the whole switch, and what the agent's Status attribute reports.
  logic [7:0] dropped_now;
  logic [7:0] rcvd_now;
  logic [7:0] sent_now;

  always_comb begin
    dropped_now = '0;
    rcvd_now    = '0;
    sent_now    = '0;
    if (data_rcvd != '0 || data_sent != '0 || data_drops != '0) begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        rcvd_now    = rcvd_now + {7'b0, data_rcvd[p]};
        sent_now    = sent_now + {7'b0, data_sent[p]};
        dropped_now = dropped_now + {3'b0, data_drops[p*5 +: 5]};
      end
    end
  end

  // Added in the cycle after: what decides whether a packet leaves or is dropped is the end of a long path.
  logic       counting_q;
  logic [7:0] dropped_then_q;
  logic [7:0] rcvd_then_q;
  logic [7:0] sent_then_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      counting_q     <= 1'b0;
      data_rcvd_q    <= '0;
      data_sent_q    <= '0;
      data_dropped_q <= '0;
    end else begin
      counting_q <= data_rcvd != '0 || data_sent != '0 || data_drops != '0;
      if (counting_q) begin
        data_rcvd_q    <= data_rcvd_q + {24'b0, rcvd_then_q};
        data_sent_q    <= data_sent_q + {24'b0, sent_then_q};
        data_dropped_q <= data_dropped_q + {24'b0, dropped_then_q};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    rcvd_then_q    <= rcvd_now;
    sent_then_q    <= sent_now;
    dropped_then_q <= dropped_now;
  end

  // Trace port, one cycle after the event.
  logic tracing_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      tracing_q        <= 1'b0;
      trace_rx_drop_o  <= '0;
      trace_in_drop_o  <= '0;
      trace_out_drop_o <= '0;
    end else begin
      tracing_q        <= rx_drop != '0 || in_drop != '0 || out_drop != '0;
      trace_rx_drop_o  <= rx_drop;
      trace_in_drop_o  <= in_drop;
      trace_out_drop_o <= out_drop;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rx_drop != '0 || in_drop != '0) begin
      trace_rx_reason_o <= rx_reason;
      trace_in_reason_o <= in_reason;
    end
  end

  if (EnEbr != 0) begin : gen_trace_numbers
    always_ff @(posedge clk_i) begin
      if (in_drop != '0) begin
        trace_in_number_o <= in_number;
        trace_in_routed_o <= in_routed;
        trace_in_epoch_o  <= epoch;
      end
    end
  end else begin : gen_no_trace_numbers
    assign trace_in_number_o = '0;
    assign trace_in_routed_o = '0;
    assign trace_in_epoch_o  = '0;

    logic unused_numbers;
    assign unused_numbers = ^{in_number, in_routed};
  end

  if (EnOsr != 0) begin : gen_trace_waits
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        trace_accept_o <= '0;
        trace_take_o   <= '0;
        trace_held_o   <= '0;
      end else begin
        trace_accept_o <= data_rcvd;
        trace_take_o   <= in_take;
        trace_held_o   <= in_held;
      end
    end
  end else begin : gen_no_trace_waits
    assign trace_accept_o = '0;
    assign trace_take_o   = '0;
    assign trace_held_o   = '0;

    logic unused_waits;
    assign unused_waits = ^{in_take, in_held};
  end

  if (EnLifetime != 0) begin : gen_trace_expired
    always_ff @(posedge clk_i) begin
      if (out_drop != '0) begin
        trace_out_expired_o <= out_expired;
        trace_out_old_o     <= out_old;
      end
    end
  end else begin : gen_no_trace_expired
    assign trace_out_expired_o = '0;
    assign trace_out_old_o     = '0;

    logic unused_expired;
    assign unused_expired = ^{out_expired, out_old};
  end

  logic error_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) error_q <= 1'b0;
    else if (port_broken != '0 || agent_error) error_q <= 1'b1;
  end

  // The agent keeps no queue of credits and no source beyond its own two streams.
  logic unused_crossbar;
  assign unused_crossbar = ^{out_first[Engine0 +: Engines], out_blocks[Engine0*BlockWidth +: Engines*BlockWidth],
                             out_announce[Engine0 +: Engines],
                             out_announce_blocks[Engine0*BlockWidth +: Engines*BlockWidth],
                             out_announce_stamp[Engine0*16 +: Engines*16],
                             out_source[Engine0*8-1:0]};

  assign error_o = error_q;

  // In two steps, so that simulation takes the second one only where nothing waits.
  always_comb begin
    idle_o = data_waiting == '0;
    if (idle_o) begin
      idle_o = port_busy == '0 && agent_idle && !counting_q && !tracing_q && !osr_busy && !vl_busy && !patient_busy;
    end
  end

endmodule : lanecut_switch
