// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Seam "route unit": which output port and which VL a packet takes.
 *
 * One per input port. Reads the forwarding table with the header's first word straight from the pins, the SLtoVL table
 * while that word is in stage p of link_rx, and pushes the descriptor while it is in stage s, two cycles after the pins:
 * so it is at the head of an empty queue after three cycles, and allocation, crossbar and output take the other three.
 * Both tables are read from the bank that is active when the header arrives; under OSR from the bank that holds the
 * function whose number is in the packet. If no bank does yet, the packet is looked up again when it is at the head of
 * its queue and one does. Under Double Scheme the next function's packets go by the inactive bank, all others by the
 * active one, and a head is looked up again if the switch has changed functions since. So it is under EBR if it waits for
 * a port that is down. What may be plugged in here sees header fields and answers output and VL: adaptive choice, virtual
 * circuits, more banks.
 *
 * VL15 packets for port 0 are sorted for the two relay engines of the management agent (directed-route responses apart
 * from the rest), which is known with word 7; so all VL15 packets wait for that word, but compact ones, which bring
 * their way with them (see compact_route).
 */
module route_unit #(
  parameter int unsigned NumPorts = 6,
  parameter int unsigned NumVls = 2,
  /// Entries of the linear forwarding table, a power of two.
  parameter int unsigned LftDepth = 256,
  /// Header latency of the switch in cycles, at least 6.
  parameter int unsigned RouteCycles = 6,
  /// Bits of a crossbar output's index.
  parameter int unsigned OutWidth = 5,
  /// Look up by the packet's number under SchemeOsr and SchemeDouble.
  parameter int unsigned EnOsr = 0,
  parameter int unsigned EnDouble = 0,
  /// EBR looks heads up again.
  parameter int unsigned EnHold = 0,
  /// Relay compact management packets.
  parameter int unsigned EnCompact = 0,
  localparam int unsigned Lanes = NumVls + 1,
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input  logic                               clk_i,
  input  logic                               rst_i,
  /// Number of this port.
  input  logic [3:0]                         port_i,

  /// Word on the pins.
  input  logic [31:0]                        pin_data_i,
  input  logic [2:0]                         pin_ctrl_i,
  /// Word in stage p of link_rx.
  input  logic [31:0]                        p_data_i,
  input  logic                               p_is_head_i,
  /// Words of the accepted packet, from link_rx.
  input  logic                               wr_valid_i,
  input  logic [LaneWidth-1:0]               wr_lane_i,
  input  logic                               wr_start_i,
  input  logic [lanecut_pkg::BlockWidth-1:0] wr_blocks_i,
  input  logic [31:0]                        wr_data_i,
  input  logic                               wr_end_i,
  input  logic [3:0]                         wr_index_i,

  /// Table writes, broadcast by the management agent (see mgmt_agent).
  input  logic                               bank_i,
  /// Number of the active bank's function; the inactive bank holds the next one.
  input  logic [lanecut_pkg::EpochBits-1:0]  epoch_i,
  input  logic                               next_ready_i,
  /// The switch runs under OSR, or under Double Scheme.
  input  logic                               osr_i,
  input  logic                               double_i,
  input  logic                               tbl_lft_we_i,
  input  logic                               tbl_sl_we_i,
  input  logic                               tbl_bank_i,
  input  logic [15:0]                        tbl_addr_i,
  input  logic [31:0]                        tbl_data_i,

  /// Descriptor for the queue of lane push_lane_o.
  output logic                               push_o,
  output logic [LaneWidth-1:0]               push_lane_o,
  output logic [lanecut_pkg::BlockWidth-1:0] push_blocks_o,
  /// Crossbar output (port - 1) * Lanes + lane; behind them the agent's two engines.
  output logic [OutWidth-1:0]                push_out_o,
  /// lanecut_pkg::drop_e: DropNone if the packet has a way out.
  output logic [3:0]                         push_reason_o,
  /// The packet's number, the number of the function that chose its output, and: no bank holds its function yet.
  output logic [lanecut_pkg::EpochBits-1:0]  push_number_o,
  output logic [lanecut_pkg::EpochBits-1:0]  push_routed_o,
  output logic                               push_wait_o,
  /// Number of the function that chose the output of the packet being written, from its first word on.
  output logic [lanecut_pkg::EpochBits-1:0]  routed_o,
  /// wr_data_i as it goes into the queue.
  output logic [31:0]                        wr_data_o,

  /// Second lookup of a head: its first word and number; answered two cycles after look_o.
  input  logic                               look_i,
  input  logic [31:0]                        look_data_i,
  input  logic [lanecut_pkg::EpochBits-1:0]  look_number_i,
  output logic                               look_o,
  output logic                               found_o,
  output logic [OutWidth-1:0]                found_out_o,
  output logic [lanecut_pkg::EpochBits-1:0]  found_routed_o,
  output logic [3:0]                         found_reason_o,
  output logic                               busy_o
);

  localparam int unsigned EpochBits = lanecut_pkg::EpochBits;
  localparam int unsigned NumberPad = lanecut_link_pkg::NumberWidth - EpochBits;
  localparam int unsigned LftAddr = $clog2(LftDepth) - 2;
  localparam int unsigned Engine0 = NumPorts * Lanes;
  localparam logic [15:0] PermissiveLid = 16'hFFFF;
  localparam int unsigned ExtraCycles = RouteCycles - 6;

  // Cycle 0: the header's first word is on the pins, or a head asks; read the forwarding table.
  logic                 pin_is_head;
  logic                 look;
  logic                 bank_q;
  logic [EpochBits-1:0] epoch_q;

  assign pin_is_head = pin_ctrl_i == lanecut_pkg::CtrlStartData;

  always_ff @(posedge clk_i) begin
    if (pin_is_head || look) begin
      bank_q  <= bank_i;
      epoch_q <= epoch_i;
    end
  end

  // Cycle 1: it is in stage p, its number on the pins. The bank is chosen, so the output port is known; read
  // SLtoVL[this port][output port].
  typedef struct packed {
    logic                 by_number;  // under OSR and Double Scheme, but for packets on VL15, which have none
    logic                 is_next;    // the inactive bank's
    logic [EpochBits-1:0] number;
    logic [EpochBits-1:0] routed;
    logic                 waits;
    logic                 stale;
    logic                 known;      // the table has a port for it
    logic                 bank;       // the rest is the address in SLtoVL
    logic [3:0]           port;
    logic                 sl_high;
  } lookup_t;

  logic                 look_q;
  logic                 is_head;
  logic [31:0]          head;
  logic [EpochBits-1:0] number;
  logic [7:0]           lft_port;
  lookup_t              lookup;
  logic [31:0]          sl_word;

  assign is_head = p_is_head_i || look_q;

  if (EnOsr != 0 || EnDouble != 0 || EnHold != 0) begin : gen_by_number
    logic [31:0]          look_data_q;
    logic [EpochBits-1:0] look_number_q;
    logic [63:0]          lft_words;  // of both banks
    logic                 may_look;

    // A second lookup must not meet a header that is in between its own two reads, nor one on VL15 that waits for word 7.
    assign may_look = look_i && !is_head && !vl15_open_q && !start_vl15;
    assign look     = may_look && !pin_is_head;

    ram_pair #(
      .Width(32),
      .Depth(LftDepth / 4)
    ) u_lft (
      .clk_i   (clk_i),
      .we_i    (tbl_lft_we_i),
      .wbank_i (tbl_bank_i),
      .waddr_i (tbl_addr_i[LftAddr-1:0]),
      .wdata_i (tbl_data_i),
      .re_i    (pin_is_head || may_look),
      .raddr_i (pin_is_head ? pin_data_i[LftAddr+1:2] : look_data_i[LftAddr+1:2]),
      .rdata_o (lft_words)
    );

    always_ff @(posedge clk_i) begin
      look_q <= look && !rst_i;
      if (look) begin
        look_data_q   <= look_data_i;
        look_number_q <= look_number_i;
      end
    end

    assign head   = look_q ? look_data_q : p_data_i;

    always_comb begin
      lookup   = '0;
      lft_port = '0;
      if (is_head) begin
        lookup.by_number = (osr_i || double_i) && head[31:28] != 4'd15;
        lookup.number    = look_q ? look_number_q : pin_data_i[31-NumberPad -: EpochBits];
        lookup.is_next   = lookup.by_number && lookup.number == epoch_i + 1'b1;
        lookup.bank      = lookup.by_number ? bank_i ^ lookup.is_next : bank_q;
        lft_port         = lft_words[{lookup.bank, ~head[1:0], 3'b0} +: 8];
        lookup.known     = {16'b0, head[15:0]} < LftDepth && {24'b0, lft_port} <= NumPorts;
        lookup.port      = lft_port[3:0];
        lookup.sl_high   = head[23];
        lookup.routed    = epoch_q;
        if (lookup.by_number) begin
          lookup.routed = double_i && !lookup.is_next ? epoch_i : lookup.number;
          lookup.waits  = lookup.is_next ? !next_ready_i :
                                           osr_i && lanecut_link_pkg::Newer[EpochBits'(lookup.number - epoch_i)];
          lookup.stale  = osr_i && lanecut_link_pkg::Newer[EpochBits'(epoch_i - lookup.number)];
        end
      end
    end

    assign number = lookup.number;
  end else begin : gen_by_bank
    logic [31:0] lft_word;

    ram_1w1r #(
      .Width(32),
      .Depth(2 * LftDepth / 4)
    ) u_lft (
      .clk_i   (clk_i),
      .we_i    (tbl_lft_we_i),
      .waddr_i ({tbl_bank_i, tbl_addr_i[LftAddr-1:0]}),
      .wdata_i (tbl_data_i),
      .re_i    (pin_is_head),
      .raddr_i ({bank_i, pin_data_i[LftAddr+1:2]}),
      .rdata_o (lft_word)
    );

    assign look_q = 1'b0;
    assign look   = 1'b0;

    assign head   = p_data_i;
    assign number = pin_data_i[31-NumberPad -: EpochBits];

    always_comb begin
      lookup   = '0;
      lft_port = '0;
      if (is_head) begin
        lft_port       = lft_word[{~head[1:0], 3'b0} +: 8];
        lookup.known   = {16'b0, head[15:0]} < LftDepth && {24'b0, lft_port} <= NumPorts;
        lookup.port    = lft_port[3:0];
        lookup.sl_high = head[23];
        lookup.bank    = bank_q;
        lookup.routed  = epoch_q;
      end
    end

    logic unused_look;
    assign unused_look = ^{look_i, look_number_i, osr_i, double_i, next_ready_i, lookup.by_number, lookup.is_next,
                           lookup.number};
  end

  ram_1w1r #(
    .Width(32),
    .Depth(64)
  ) u_sl_to_vl (
    .clk_i   (clk_i),
    .we_i    (tbl_sl_we_i),
    .waddr_i ({tbl_bank_i, tbl_addr_i[4:0]}),
    .wdata_i (tbl_data_i),
    .re_i    (is_head),
    .raddr_i (lookup[5:0]),
    .rdata_o (sl_word)
  );

  logic                 known_q;
  logic                 permissive_q;
  logic [3:0]           port_q;
  logic [2:0]           sl_q;
  logic [EpochBits-1:0] number_q;
  logic [EpochBits-1:0] routed_q;
  logic                 waits_q;
  logic                 stale_q;

  always_ff @(posedge clk_i) begin
    if (is_head) begin
      known_q      <= lookup.known;
      permissive_q <= head[15:0] == PermissiveLid;
      port_q       <= lookup.port;
      sl_q         <= head[22:20];
      number_q     <= number;
      routed_q     <= lookup.routed;
      waits_q      <= lookup.waits;
      stale_q      <= lookup.stale;
    end
  end

  // Cycle 2: it is in stage s and the packet is accepted. Data packets are pushed now, those on VL15 with word 7.
  logic                               vl15_open_q;
  logic [lanecut_pkg::BlockWidth-1:0] vl15_blocks_q;
  logic                               start_vl15;
  logic                               push_vl15;
  logic                               push;
  logic                               found_q;  // the answer to a second lookup is there
  logic [LaneWidth-1:0]               lane;
  logic [lanecut_pkg::BlockWidth-1:0] blocks;

  assign start_vl15 = wr_start_i && wr_lane_i == LaneWidth'(NumVls);
  assign push_vl15  = vl15_open_q && (is_compact ? way_known || wr_end_i : wr_index_i == 4'd7 || wr_end_i);
  assign push       = (wr_start_i && !start_vl15) || push_vl15;
  assign lane       = wr_lane_i;
  assign blocks     = push_vl15 ? vl15_blocks_q : wr_blocks_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      vl15_open_q   <= 1'b0;
      vl15_blocks_q <= '0;
    end else if (start_vl15) begin
      vl15_open_q   <= 1'b1;
      vl15_blocks_q <= wr_blocks_i;
    end else if (push_vl15) begin
      vl15_open_q <= 1'b0;
    end
  end

  // Compact packets: their way is in them.
  logic       is_compact;
  logic       way_known;
  logic [3:0] way;
  logic       is_nowhere;

  if (EnCompact != 0) begin : gen_compact
    compact_route #(
      .NumPorts(NumPorts)
    ) u_compact (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .port_i       (port_i),
      .valid_i      (wr_valid_i && wr_lane_i == LaneWidth'(NumVls)),
      .permissive_i (permissive_q),
      .index_i      (wr_index_i),
      .data_i       (wr_data_i),
      .end_i        (wr_end_i),
      .next_data_i  (p_data_i),
      .compact_o    (is_compact),
      .known_o      (way_known),
      .port_o       (way),
      .nowhere_o    (is_nowhere),
      .data_o       (wr_data_o)
    );
  end else begin : gen_no_compact
    assign is_compact = 1'b0;
    assign way_known  = 1'b0;
    assign way        = '0;
    assign is_nowhere = 1'b0;
    assign wr_data_o  = wr_data_i;

    logic unused_compact;
    assign unused_compact = ^{port_i, wr_valid_i};
  end

  logic [3:0]          vl;
  logic [OutWidth-1:0] port_base;
  logic                to_engine1;
  logic [OutWidth-1:0] out;
  logic [3:0]          reason;

  always_comb begin
    vl         = '0;
    port_base  = '0;
    to_engine1 = 1'b0;
    reason     = lanecut_pkg::DropNone;
    out        = '0;
    if (push || found_q) begin
      vl        = sl_word[(3'd7 - sl_q)*4 +: 4];
      port_base = OutWidth'(({28'b0, port_q} - 1) * Lanes);
      // Word 7 of an SMP: {BaseVersion, MgmtClass, ClassVersion, Method}.
      to_engine1 = push_vl15 && !is_compact && wr_data_i[23:16] == 8'h81 && wr_data_i[7] && wr_index_i == 4'd7;
      out        = port_base + OutWidth'(vl);
      if (stale_q) begin
        reason = lanecut_pkg::DropStale;
      end else if (way_known && (is_nowhere || way != 4'd0)) begin
        out    = OutWidth'(({28'b0, way} - 1) * Lanes + NumVls);
        reason = is_nowhere ? lanecut_pkg::DropUnreachable : lanecut_pkg::DropNone;
      end else if ((known_q && port_q == 4'd0) || (push_vl15 && permissive_q)) begin
        out = OutWidth'(Engine0) + {{(OutWidth - 1){1'b0}}, to_engine1};
      end else if (!known_q) begin
        reason = lanecut_pkg::DropUnreachable;
      end else if (push_vl15) begin
        out = port_base + OutWidth'(NumVls);
      end else if (vl == 4'd15) begin
        reason = lanecut_pkg::DropVlDiscard;
      end else if ({28'b0, vl} >= NumVls) begin
        reason = lanecut_pkg::DropBadVl;
      end
    end
  end

  always_ff @(posedge clk_i) found_q <= look_q && !rst_i;

  assign routed_o       = routed_q;
  assign look_o         = look;
  assign found_o        = found_q;
  assign found_out_o    = out;
  assign found_routed_o = routed_q;
  assign found_reason_o = reason;

  // Header latency beyond the pipeline's own minimum.
  localparam int unsigned DescWidth = LaneWidth + lanecut_pkg::BlockWidth + OutWidth + 4 + 2 * EpochBits + 1;

  logic [DescWidth-1:0] desc;
  logic [DescWidth-1:0] pushed;

  // An answer without a function behind it is none: the head asks again.
  assign desc = {lane, blocks, out, waits_q ? lanecut_pkg::DropNone : reason, number_q, routed_q, waits_q};
  assign {push_lane_o, push_blocks_o, push_out_o, push_reason_o, push_number_o, push_routed_o, push_wait_o} = pushed;

  if (ExtraCycles == 0) begin : gen_no_delay
    assign push_o = push;
    assign pushed = desc;
    assign busy_o = vl15_open_q || look_q || found_q;
  end else begin : gen_delay
    logic [ExtraCycles-1:0]           valid_q;
    logic [ExtraCycles*DescWidth-1:0] desc_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        valid_q <= '0;
        desc_q  <= '0;
      end else if (push || |valid_q) begin
        valid_q <= ExtraCycles'({valid_q, push});
        desc_q  <= (ExtraCycles*DescWidth)'({desc_q, desc});
      end
    end

    assign push_o = valid_q[ExtraCycles-1];
    assign pushed = desc_q[(ExtraCycles-1)*DescWidth +: DescWidth];
    assign busy_o = vl15_open_q || look_q || found_q || |valid_q;
  end

  // Not all of a word and of a table address is needed.
  logic unused_bits;
  assign unused_bits = ^{wr_data_i[31:24], wr_data_i[15:8], wr_data_i[6:0], pin_data_i, look_data_i, head, tbl_addr_i[15:5]};

endmodule : route_unit
