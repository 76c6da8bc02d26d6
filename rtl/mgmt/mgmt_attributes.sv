// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The attributes of the switch: what they are, how they read, what a Set of them does.
 *
 * A request is opened with open_i (its attribute, modifier and method held until close_i):
 * status_o then says whether it can be served. Data words are fetched one per cycle, in any order,
 * and come one cycle later. A Set presents words with check_i or apply_i, each in the cycle after
 * its fetch; refused_o remembers a refused value. A new attribute takes a kind, its status, its
 * words and its writes here.
 *
 * Source: InfiniBand Architecture volume 1, 14.2.5; attributes from 0xFF00 up are this switch's
 * own. Those of performance management (general_i): 16.1.3.
 */
module mgmt_attributes #(
  /// External ports.
  parameter int unsigned NumPorts   = 6,
  /// Data VLs per port.
  parameter int unsigned NumVls     = 2,
  /// Input buffer of a data VL in blocks of 64 bytes.
  parameter int unsigned BufBlocks  = 16,
  /// Input buffer of VL15 in blocks of 64 bytes.
  parameter int unsigned Vl15Blocks = 32,
  /// Forwarding entries, a power of two.
  parameter int unsigned LftDepth   = 256,
  parameter int unsigned EnEbr      = 0,
  parameter int unsigned EnOsr      = 0,
  parameter int unsigned EnDouble   = 0,
  parameter int unsigned EnHold     = 0,
  parameter int unsigned EnCompact  = 0,
  parameter int unsigned EnLifetime = 0,
  /// Performance management, by general requests.
  parameter int unsigned EnPma      = 1,
  parameter int unsigned EnMKey     = 1,
  parameter int unsigned VlArbEntries = 0,
  localparam int unsigned Channels  = NumPorts * NumVls
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  /// Tables and PortInfo initialized.
  output logic                  ready_o,
  /// A table write is on its way, or a change of a port's state has not been noticed yet.
  output logic                  busy_o,
  /// A Set is still being written to the tables.
  output logic                  spreading_o,
  input  logic [63:0]           guid_i,
  input  logic [127:0]          name_i,
  input  logic                  four_lanes_i,
  input  logic                  tick_i,

  /// The request in hand.
  input  logic                  open_i,
  input  logic                  close_i,
  input  logic [15:0]           attribute_i,
  input  logic [31:0]           modifier_i,
  input  logic                  is_set_i,
  input  logic                  compact_i,
  /// It is a general one; its modifier is {0, PortSelect, CounterSelect}.
  input  logic                  general_i,
  input  logic [3:0]            ingress_i,
  /// From the cycle after open_i on: MAD status, and whether values are checked before applied.
  output logic [14:0]           status_o,
  output logic                  must_check_o,
  /// A word presented with check_i was refused.
  output logic                  refused_o,
  output logic [14:0]           refusal_status_o,

  /// Data words.
  input  logic                  fetch_i,
  input  logic [3:0]            index_i,
  output logic [31:0]           rdata_o,
  input  logic                  check_i,
  input  logic                  apply_i,
  input  logic                  last_i,
  input  logic [31:0]           wdata_i,

  /// Look up a LID in the active bank: port in the next cycle.
  input  logic                  lookup_i,
  input  logic [15:0]           lookup_lid_i,
  output logic [7:0]            lookup_port_o,
  /// The VL of an SL from port 0 to another one, by the active bank: in the next cycle; 15: none.
  input  logic                  vl_lookup_i,
  input  logic [3:0]            vl_lookup_port_i,
  input  logic [3:0]            vl_lookup_sl_i,
  output logic [3:0]            vl_lookup_o,

  /// Table bus, active bank and its number, as in mgmt_agent.
  output logic                  tbl_lft_we_o,
  output logic                  tbl_sl_we_o,
  output logic                  tbl_arb_we_o,
  output logic                  tbl_bank_o,
  output logic [15:0]           tbl_addr_o,
  output logic [31:0]           tbl_data_o,
  output logic                  bank_o,
  output logic [4:0]            epoch_o,
  output logic [NumPorts-1:0]   end_node_ports_o,
  output logic                  transit_first_o,
  /// PortInfo.HOQLife of the external ports, port p at bits 5(p-1); without EnLifetime without end.
  output logic [NumPorts*5-1:0] hoq_life_o,
  /// SwitchInfo.LifeTimeValue; without EnLifetime without end.
  output logic [4:0]            life_time_o,

  /// Reconfiguration, as in mgmt_reconfig.
  output logic [1:0]            scheme_o,
  output logic [lanecut_pkg::HoldBits-1:0] hold_cycles_o,
  output logic                  next_ready_o,
  output logic                  osr_start_o,
  input  logic                  osr_change_i,
  input  logic                  osr_flip_i,
  /// Double Scheme (see vl_drain): drain, switch over, forget the change (pulses); where the switch stands.
  output logic                  vl_drain_o,
  output logic                  vl_switch_o,
  output logic                  vl_clear_o,
  input  logic                  draining_i,
  input  logic                  restricted_i,
  input  logic                  vl_idle_i,
  output logic                  row_we_o,
  output logic                  row_bank_o,
  output logic [6:0]            row_o,
  output logic [1:0]            row_word_o,
  output logic [31:0]           row_data_o,
  input  logic [31:0]           row_data_i,

  /// Ports.
  input  logic [NumPorts*3-1:0] port_state_i,
  output logic [NumPorts-1:0]   port_set_o,
  output logic [2:0]            port_set_state_o,
  output logic [NumPorts-1:0]   phy_enable_o,
  /// The state of some port has changed.
  output logic                  port_change_o,

  /// Counters and status, as in mgmt_agent.
  output logic [3:0]            cnt_port_o,
  output logic [4:0]            cnt_index_o,
  input  logic [31:0]           cnt_data_i,
  output logic                  cnt_clear_o,
  output logic [15:0]           cnt_mask_o,
  input  logic [31:0]           data_rcvd_i,
  input  logic [31:0]           data_sent_i,
  input  logic [31:0]           data_dropped_i,
  input  logic                  data_busy_i,
  /// Data packets that ended at port 0.
  input  logic [31:0]           data_consumed_i,

  /// M_Key of port 0, as in mgmt_m_key; the words are those of wdata_i.
  output logic                  key_set_o,
  input  logic                  key_start_i,
  input  logic                  key_upper_i,
  input  logic                  key_lower_i,
  input  logic                  key_changes_i,
  input  logic                  key_judge_i,
  output logic                  key_denied_o,

  /// Port 0.
  output logic [15:0]           lid_o,
  output logic [15:0]           master_lid_o,
  output logic [3:0]            master_sl_o
);

  localparam logic [7:0]  NodeTypeSwitch = 8'd2;
  localparam logic [15:0] DeviceId       = 16'h4C43;
  localparam logic [31:0] Revision       = 32'd1;
  localparam logic [23:0] VendorId       = 24'h004C43;
  localparam logic [4:0]  NoLimit        = 5'd31;  // LifeTimeValue: without end
  localparam logic [31:0] LftBlocks      = LftDepth / 64;
  localparam logic [15:0] LftTopMax      = 16'(LftDepth - 1);
  localparam logic [15:0] PartitionCap   = 16'd32;
  // ClassPortInfo of performance management: versions 1; extended counters, of unicast and multicast apart; a response
  // within 2^8 * 4.096 us.
  localparam logic [31:0] PmaVersions    = {8'd1, 8'd1, 16'h0200};
  localparam logic [31:0] PmaResponse    = 32'd8;
  // FeederRows of a bank, in MADs (see mgmt_reconfig).
  localparam int unsigned RowsPerMad     = 16 / ((Channels + 31) / 32);
  localparam int unsigned RowBlocks      = (Channels + RowsPerMad - 1) / RowsPerMad;

  /////////////
  // Request //
  /////////////

  lanecut_mgmt_pkg::kind_e kind;
  lanecut_mgmt_pkg::kind_e kind_q;
  logic                    settable;
  logic                    modifier_ok;
  logic                    other_bank;
  logic                    other_bank_q;
  logic                    update_busy;   // a table update names a function that cannot be the next one
  logic                    update_done;   // ... or one that is in force or announced
  logic                    update_done_q;
  logic [14:0]             status;
  logic [14:0]             status_q;
  logic                    refused_q;

  always_comb begin
    kind        = lanecut_mgmt_pkg::KindNone;
    settable    = 1'b0;
    modifier_ok = 1'b1;
    other_bank  = 1'b0;
    status      = lanecut_mgmt_pkg::StatusOk;
    if (EnPma != 0 && open_i && general_i) begin
      case (attribute_i)
        lanecut_mgmt_pkg::AttrClassInfo: kind = lanecut_mgmt_pkg::KindClassInfo;
        lanecut_mgmt_pkg::AttrPmaCounters, lanecut_mgmt_pkg::AttrPmaExtended: begin
          kind        = attribute_i == lanecut_mgmt_pkg::AttrPmaCounters ? lanecut_mgmt_pkg::KindPmaCounters :
                                                                           lanecut_mgmt_pkg::KindPmaExtended;
          settable    = 1'b1;
          modifier_ok = modifier_i[23:16] <= 8'(NumPorts);
        end
        default: ;
      endcase
    end else if (open_i) begin
      case (attribute_i)
        lanecut_mgmt_pkg::AttrNodeDesc: kind = lanecut_mgmt_pkg::KindNodeDesc;
        lanecut_mgmt_pkg::AttrNodeInfo: kind = lanecut_mgmt_pkg::KindNodeInfo;
        lanecut_mgmt_pkg::AttrSwitchInfo: begin
          kind     = lanecut_mgmt_pkg::KindSwitchInfo;
          settable = 1'b1;
        end
        // One GUID, which cannot be changed: a Set is answered with it.
        lanecut_mgmt_pkg::AttrGuidInfo: begin
          kind        = lanecut_mgmt_pkg::KindGuidInfo;
          settable    = 1'b1;
          modifier_ok = modifier_i == 32'd0;
        end
        // Of port 0.
        lanecut_mgmt_pkg::AttrPKeys: begin
          kind        = lanecut_mgmt_pkg::KindPKeys;
          settable    = 1'b1;
          modifier_ok = modifier_i == 32'd0;
        end
        // There is none: SwitchInfo says so, and it reads as empty.
        lanecut_mgmt_pkg::AttrMulticast: kind = lanecut_mgmt_pkg::KindMulticast;
        lanecut_mgmt_pkg::AttrPortInfo: begin
          kind        = lanecut_mgmt_pkg::KindPortInfo;
          settable    = 1'b1;
          modifier_ok = modifier_i <= NumPorts;
        end
        lanecut_mgmt_pkg::AttrSlToVl, lanecut_mgmt_pkg::AttrSlToVlOther: begin
          kind        = lanecut_mgmt_pkg::KindSlToVl;
          settable    = 1'b1;
          // Optimized programming: a Set may address all input (bit 17) and all output ports (bit 16).
          modifier_ok = modifier_i[31:18] == 14'd0 && (is_set_i || modifier_i[17:16] == 2'd0) &&
                        modifier_i[15:8] <= 8'(NumPorts) && modifier_i[7:0] <= 8'(NumPorts);
          other_bank  = attribute_i == lanecut_mgmt_pkg::AttrSlToVlOther;
        end
        // Blocks 1 to 4: low-priority list, its second half, high-priority list, its second half.
        lanecut_mgmt_pkg::AttrVlArb: begin
          if (VlArbEntries != 0) kind = lanecut_mgmt_pkg::KindVlArb;
          settable    = 1'b1;
          modifier_ok = modifier_i[31:16] >= 16'd1 && modifier_i[31:16] <= 16'd4 &&
                        modifier_i[15:0] >= 16'd1 && modifier_i[15:0] <= 16'(NumPorts);
        end
        lanecut_mgmt_pkg::AttrLft, lanecut_mgmt_pkg::AttrLftOther: begin
          kind        = lanecut_mgmt_pkg::KindLft;
          settable    = 1'b1;
          modifier_ok = modifier_i < LftBlocks;
          other_bank  = attribute_i == lanecut_mgmt_pkg::AttrLftOther;
        end
        lanecut_mgmt_pkg::AttrStatus: kind = lanecut_mgmt_pkg::KindStatus;
        lanecut_mgmt_pkg::AttrBank: begin
          kind     = lanecut_mgmt_pkg::KindBank;
          settable = 1'b1;
        end
        lanecut_mgmt_pkg::AttrEndNodePorts: begin
          kind     = lanecut_mgmt_pkg::KindEndNodePorts;
          settable = 1'b1;
        end
        lanecut_mgmt_pkg::AttrScheme: begin
          if (EnEbr != 0 || EnOsr != 0 || EnDouble != 0) kind = lanecut_mgmt_pkg::KindScheme;
          settable = 1'b1;
        end
        lanecut_mgmt_pkg::AttrFunction: begin
          if (EnOsr != 0) kind = lanecut_mgmt_pkg::KindFunction;
          settable = 1'b1;
        end
        lanecut_mgmt_pkg::AttrFeederRows: begin
          if (EnOsr != 0) kind = lanecut_mgmt_pkg::KindFeederRows;
          settable    = 1'b1;
          modifier_ok = modifier_i[30:0] < 31'(RowBlocks);
        end
        lanecut_mgmt_pkg::AttrVlDrain: begin
          if (EnDouble != 0) kind = lanecut_mgmt_pkg::KindVlDrain;
          settable = 1'b1;
        end
        lanecut_mgmt_pkg::AttrUpdate: begin
          if (EnCompact != 0 && compact_i && is_set_i) kind = lanecut_mgmt_pkg::KindUpdate;
          settable    = 1'b1;
          modifier_ok = modifier_i[28:5] == 24'd0 && modifier_i[31:30] != 2'b11 &&
                        (modifier_i[31:30] == 2'b00 || !modifier_i[29]) &&
                        (EnOsr != 0 || EnDouble != 0 || !modifier_i[30]);
          other_bank  = !modifier_i[29];
        end
        lanecut_mgmt_pkg::AttrPortCounters: begin
          kind        = lanecut_mgmt_pkg::KindCounters;
          modifier_ok = modifier_i <= NumPorts;
        end
        default: ;
      endcase
    end
    if (open_i) begin
      if (kind == lanecut_mgmt_pkg::KindNone || (is_set_i && !settable)) begin
        status = lanecut_mgmt_pkg::StatusUnsupported;
      end else if (!modifier_ok) begin
        status = lanecut_mgmt_pkg::StatusInvalidField;
      end else if (kind == lanecut_mgmt_pkg::KindUpdate && update_busy) begin
        status = lanecut_mgmt_pkg::StatusBusy;
      end
    end
  end

  logic port_info_invalid;
  logic top_invalid;
  logic reconfig_invalid;
  logic update_invalid;

  always_ff @(posedge clk_i) begin
    if (rst_i || close_i) begin
      kind_q <= lanecut_mgmt_pkg::KindNone;
    end else if (open_i) begin
      kind_q       <= kind;
      other_bank_q <= other_bank;
      update_done_q <= update_done;
      status_q     <= status;
      refused_q    <= 1'b0;
    end else if (check_i && (port_info_invalid || top_invalid || reconfig_invalid || update_invalid)) begin
      refused_q <= 1'b1;
    end
  end

  assign status_o     = status_q;
  assign refused_o    = refused_q;
  assign must_check_o = kind_q == lanecut_mgmt_pkg::KindPortInfo ||
                        kind_q == lanecut_mgmt_pkg::KindSwitchInfo ||
                        kind_q == lanecut_mgmt_pkg::KindScheme ||
                        kind_q == lanecut_mgmt_pkg::KindFunction ||
                        kind_q == lanecut_mgmt_pkg::KindVlDrain ||
                        kind_q == lanecut_mgmt_pkg::KindUpdate;

  // A function out of turn may be tried again later; other values never.
  assign refusal_status_o =
      kind_q == lanecut_mgmt_pkg::KindFunction || kind_q == lanecut_mgmt_pkg::KindVlDrain ?
      lanecut_mgmt_pkg::StatusBusy : lanecut_mgmt_pkg::StatusInvalidField;

  logic [3:0] index_q;
  always_ff @(posedge clk_i) if (fetch_i) index_q <= index_i;

  ///////////////////////////
  // Tables, banks, number //
  ///////////////////////////

  logic        bank;
  logic [4:0]  epoch;
  logic        table_bank;
  logic        tables_ready;
  logic        tables_busy;
  logic [31:0] lft_data;
  logic [31:0] sl_data;
  logic [7:0]  lookup_entry;
  logic [1:0]  lookup_byte_q;
  logic        lookup_known_q;
  logic        is_lft;
  logic        is_sl;
  logic        is_port_info;

  assign is_lft     = kind_q == lanecut_mgmt_pkg::KindLft;
  assign is_sl      = kind_q == lanecut_mgmt_pkg::KindSlToVl;
  assign is_port_info = kind_q == lanecut_mgmt_pkg::KindPortInfo;
  assign table_bank = bank ^ (other_bank_q && !lookup_i && !vl_lookup_i);

  logic        is_update;
  logic        update_entries;
  logic [13:0] update_addr;

  if (EnCompact != 0) begin : gen_update
    assign is_update = kind_q == lanecut_mgmt_pkg::KindUpdate;

    mgmt_update #(
      .LftDepth(LftDepth)
    ) u_update (
      .clk_i     (clk_i),
      .rst_i     (rst_i),
      .step_i    (is_update && (check_i || apply_i)),
      .last_i    (last_i),
      .wdata_i   (wdata_i),
      .entries_o (update_entries),
      .addr_o    (update_addr),
      .invalid_o (update_invalid)
    );
  end else begin : gen_no_update
    assign is_update      = 1'b0;
    assign update_entries = 1'b0;
    assign update_addr    = '0;
    assign update_invalid = 1'b0;

    logic unused_update;
    assign unused_update = ^{last_i, compact_i, update_busy, update_done_q};
  end

  mgmt_tables #(
    .NumPorts(NumPorts),
    .LftDepth(LftDepth)
  ) u_tables (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .ready_o      (tables_ready),
    .busy_o       (tables_busy),
    .lft_we_i     (apply_i && (is_lft || (is_update && update_entries && !update_done_q))),
    .sl_we_i      (apply_i && is_sl && index_q[3:1] == 3'd0),
    .sl_all_in_i  (modifier_i[17]),
    .sl_all_out_i (modifier_i[16]),
    .spreading_o  (spreading_o),
    .arb_we_i     (arb_we),
    .arb_addr_i   (arb_addr),
    .lft_re_i     (lookup_i || (fetch_i && is_lft)),
    .sl_re_i      (vl_lookup_i || (fetch_i && is_sl && index_i[3:1] == 3'd0)),
    .bank_i       (table_bank),
    .waddr_i      (is_update ? {2'd0, update_addr} : is_lft ? {modifier_i[11:0], index_q} :
                              {7'd0, modifier_i[11:8], modifier_i[3:0], index_q[0]}),
    .wdata_i      (wdata_i),
    .raddr_i      (lookup_i ? {2'd0, lookup_lid_i[15:2]} :
                   vl_lookup_i ? {7'd0, 4'd0, vl_lookup_port_i, vl_lookup_sl_i[3]} :
                   is_lft ? {modifier_i[11:0], index_i} :
                            {7'd0, modifier_i[11:8], modifier_i[3:0], index_i[0]}),
    .lft_data_o   (lft_data),
    .sl_data_o    (sl_data),
    .tbl_lft_we_o (tbl_lft_we_o),
    .tbl_sl_we_o  (tbl_sl_we_o),
    .tbl_arb_we_o (tbl_arb_we_o),
    .tbl_bank_o   (tbl_bank_o),
    .tbl_addr_o   (tbl_addr_o),
    .tbl_data_o   (tbl_data_o)
  );

  always_ff @(posedge clk_i) begin
    if (lookup_i) begin
      lookup_byte_q  <= lookup_lid_i[1:0];
      lookup_known_q <= lookup_lid_i <= LftTopMax;
    end
  end

  always_comb begin
    case (lookup_byte_q)
      2'd0:    lookup_entry = lft_data[31:24];
      2'd1:    lookup_entry = lft_data[23:16];
      2'd2:    lookup_entry = lft_data[15:8];
      default: lookup_entry = lft_data[7:0];
    endcase
  end

  assign lookup_port_o = lookup_known_q ? lookup_entry : lanecut_mgmt_pkg::Unreachable;

  // SL 0 (8) in bits 31:28.
  logic [2:0] vl_place_q;
  logic [3:0] vl_entry;

  always_ff @(posedge clk_i) if (vl_lookup_i) vl_place_q <= ~vl_lookup_sl_i[2:0];

  assign vl_entry    = sl_data[{vl_place_q, 2'b00} +: 4];
  assign vl_lookup_o = {28'd0, vl_entry} < NumVls ? vl_entry : 4'd15;

  logic        arb_we;
  logic [15:0] arb_addr;
  logic        vl_arb_ready;
  logic [31:0] vl_arb_data;

  if (VlArbEntries != 0) begin : gen_vl_arb
    logic is_vl_arb;
    logic vl_arb_we;
    logic sets_limit;

    assign is_vl_arb  = kind_q == lanecut_mgmt_pkg::KindVlArb;
    assign vl_arb_we  = apply_i && is_vl_arb && modifier_i[16] && {1'b0, index_q} < 5'(VlArbEntries / 2);
    assign sets_limit = apply_i && is_port_info && index_q == 4'd9 && modifier_i[3:0] != 4'd0;
    assign arb_we     = vl_arb_we || sets_limit;
    assign arb_addr   = is_port_info ? {6'd0, 1'b1, modifier_i[3:0], 5'd0} :
                                       {6'd0, 1'b0, modifier_i[3:0], modifier_i[17], index_q};

    mgmt_vl_arb #(
      .NumPorts (NumPorts),
      .NumVls   (NumVls),
      .Entries  (VlArbEntries)
    ) u_vl_arb (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .ready_o (vl_arb_ready),
      .port_i  (modifier_i[3:0]),
      .block_i (modifier_i[18:16]),
      .we_i    (vl_arb_we),
      .waddr_i (index_q),
      .wdata_i (wdata_i),
      .re_i    (fetch_i && is_vl_arb),
      .raddr_i (index_i),
      .rdata_o (vl_arb_data)
    );
  end else begin : gen_no_vl_arb
    assign arb_we       = 1'b0;
    assign arb_addr     = '0;
    assign vl_arb_ready = 1'b1;
    assign vl_arb_data  = '0;
  end

  logic        pkeys_ready;
  logic [31:0] pkeys_data;
  logic        is_pkeys;

  assign is_pkeys = kind_q == lanecut_mgmt_pkg::KindPKeys;

  mgmt_pkeys u_pkeys (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .ready_o (pkeys_ready),
    .we_i    (apply_i && is_pkeys),
    .waddr_i (index_q),
    .wdata_i (wdata_i),
    .re_i    (fetch_i && is_pkeys),
    .raddr_i (index_i),
    .rdata_o (pkeys_data)
  );

  logic        is_reconfig;
  logic [31:0] reconfig_data;

  assign is_reconfig = kind_q == lanecut_mgmt_pkg::KindBank || kind_q == lanecut_mgmt_pkg::KindScheme ||
                       kind_q == lanecut_mgmt_pkg::KindFunction || kind_q == lanecut_mgmt_pkg::KindFeederRows ||
                       kind_q == lanecut_mgmt_pkg::KindVlDrain || kind_q == lanecut_mgmt_pkg::KindUpdate;

  mgmt_reconfig #(
    .Channels(Channels),
    .EnEbr   (EnEbr),
    .EnOsr   (EnOsr),
    .EnDouble(EnDouble),
    .EnHold  (EnHold)
  ) u_reconfig (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .kind_i       (kind_q),
    .modifier_i   (modifier_i),
    .index_i      (index_q),
    .apply_i      (apply_i),
    .update_i     (apply_i && is_update && last_i && !update_done_q),
    .update_busy_o(update_busy),
    .update_done_o(update_done),
    .wdata_i      (wdata_i),
    .rdata_o      (reconfig_data),
    .invalid_o    (reconfig_invalid),
    .bank_o       (bank),
    .epoch_o      (epoch),
    .scheme_o     (scheme_o),
    .hold_cycles_o(hold_cycles_o),
    .next_ready_o (next_ready_o),
    .osr_start_o  (osr_start_o),
    .osr_change_i (osr_change_i),
    .osr_flip_i   (osr_flip_i),
    .vl_drain_o   (vl_drain_o),
    .vl_switch_o  (vl_switch_o),
    .vl_clear_o   (vl_clear_o),
    .draining_i   (draining_i),
    .restricted_i (restricted_i),
    .vl_idle_i    (vl_idle_i),
    .row_we_o     (row_we_o),
    .row_bank_o   (row_bank_o),
    .row_o        (row_o),
    .row_word_o   (row_word_o),
    .row_data_o   (row_data_o),
    .row_data_i   (row_data_i)
  );

  logic [NumPorts-1:0] end_node_ports_q;
  logic                transit_first_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      end_node_ports_q <= '0;
      transit_first_q  <= 1'b0;
    end else if (apply_i && kind_q == lanecut_mgmt_pkg::KindEndNodePorts && index_q == 4'd0) begin
      end_node_ports_q <= wdata_i[NumPorts:1];
      transit_first_q  <= wdata_i[31];
    end
  end

  assign end_node_ports_o = end_node_ports_q;
  assign transit_first_o  = transit_first_q;

  assign bank_o  = bank;
  assign epoch_o = epoch;

  //////////////
  // PortInfo //
  //////////////

  logic        port_info_ready;
  logic [31:0] port_info_data;

  mgmt_port_info #(
    .NumPorts  (NumPorts),
    .NumVls    (NumVls),
    .BufBlocks (BufBlocks),
    .EnLifetime(EnLifetime),
    .EnMKey    (EnMKey),
    .VlArbEntries(VlArbEntries)
  ) u_port_info (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .ready_o          (port_info_ready),
    .port_state_i     (port_state_i),
    .active_i         (is_port_info),
    .port_i           (modifier_i[3:0]),
    .ingress_i        (ingress_i),
    .four_lanes_i     (four_lanes_i),
    .tick_i           (tick_i),
    .fetch_i          (fetch_i),
    .index_i          (index_i),
    .rdata_o          (port_info_data),
    .check_i          (check_i),
    .apply_i          (apply_i),
    .wdata_i          (wdata_i),
    .invalid_o        (port_info_invalid),
    .port_set_o       (port_set_o),
    .port_set_state_o (port_set_state_o),
    .phy_enable_o     (phy_enable_o),
    .hoq_life_o       (hoq_life_o),
    .key_set_o        (key_set_o),
    .key_start_i      (key_start_i),
    .key_upper_i      (key_upper_i),
    .key_lower_i      (key_lower_i),
    .key_word_i       (wdata_i),
    .key_changes_i    (key_changes_i),
    .key_judge_i      (key_judge_i),
    .key_denied_o     (key_denied_o),
    .lid_o            (lid_o),
    .master_lid_o     (master_lid_o),
    .master_sl_o      (master_sl_o)
  );

  ////////////////
  // SwitchInfo //
  ////////////////

  logic [NumPorts*3-1:0] port_state_q;
  logic                  port_moves;
  logic                  port_change;
  logic                  state_change_q;
  logic [15:0]           lft_top_q;
  logic                  set_switch_info;

  assign port_moves      = port_state_i != port_state_q;
  assign port_change_o   = port_change;
  assign top_invalid     = kind_q == lanecut_mgmt_pkg::KindSwitchInfo && index_q == 4'd1 &&
                           wdata_i[15:0] > LftTopMax;
  assign set_switch_info = apply_i && kind_q == lanecut_mgmt_pkg::KindSwitchInfo;

  // Armed and Active are the manager's own doing and no news to it.
  always_comb begin
    port_change = 1'b0;
    if (port_moves) begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (port_state_i[p*3 +: 3] != port_state_q[p*3 +: 3] &&
            (port_state_i[p*3 +: 3] == lanecut_pkg::PortDown || port_state_i[p*3 +: 3] == lanecut_pkg::PortInit)) begin
          port_change = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      port_state_q   <= {NumPorts{lanecut_pkg::PortDown}};
      state_change_q <= 1'b0;
      lft_top_q      <= '0;
    end else begin
      if (set_switch_info && index_q == 4'd1) lft_top_q <= wdata_i[15:0];
      if (port_moves) port_state_q <= port_state_i;
      if (port_change) begin
        state_change_q <= 1'b1;
      end else if (set_switch_info && index_q == 4'd2 && wdata_i[2]) begin
        state_change_q <= 1'b0;
      end
    end
  end

  if (EnLifetime != 0) begin : gen_life
    logic [4:0] life_time_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) life_time_q <= NoLimit;
      else if (set_switch_info && index_q == 4'd2) life_time_q <= wdata_i[7:3];
    end

    assign life_time_o = life_time_q;
  end else begin : gen_no_life
    assign life_time_o = NoLimit;
  end

  assign ready_o = tables_ready && port_info_ready && pkeys_ready && vl_arb_ready;
  assign busy_o  = tables_busy || port_moves;

  ////////////////
  // Data words //
  ////////////////

  // Everything hangs below the kind: an agent without a request costs the simulation little.
  always_comb begin
    rdata_o = '0;
    case (kind_q)
      lanecut_mgmt_pkg::KindNodeDesc: begin
        case (index_q)
          4'd0:    rdata_o = name_i[127:96];
          4'd1:    rdata_o = name_i[95:64];
          4'd2:    rdata_o = name_i[63:32];
          4'd3:    rdata_o = name_i[31:0];
          default: rdata_o = '0;
        endcase
      end
      lanecut_mgmt_pkg::KindNodeInfo: begin
        case (index_q)
          4'd0:             rdata_o = {8'd1, 8'd1, NodeTypeSwitch, 8'(NumPorts)};
          4'd1, 4'd3, 4'd5: rdata_o = guid_i[63:32];
          4'd2, 4'd4, 4'd6: rdata_o = guid_i[31:0];
          4'd7:             rdata_o = {PartitionCap, DeviceId};
          4'd8:             rdata_o = Revision;
          4'd9:             rdata_o = {4'd0, ingress_i, VendorId};
          default:          rdata_o = '0;
        endcase
      end
      lanecut_mgmt_pkg::KindSwitchInfo: begin
        case (index_q)
          4'd0:    rdata_o = {16'(LftDepth), 16'd0};
          4'd1:    rdata_o = {16'd0, lft_top_q};
          4'd2:    rdata_o = {24'd0, life_time_o, state_change_q, 2'd1};
          default: rdata_o = '0;
        endcase
      end
      lanecut_mgmt_pkg::KindGuidInfo: begin
        case (index_q)
          4'd0:    rdata_o = guid_i[63:32];
          4'd1:    rdata_o = guid_i[31:0];
          default: rdata_o = '0;
        endcase
      end
      lanecut_mgmt_pkg::KindPKeys:    rdata_o = pkeys_data;
      lanecut_mgmt_pkg::KindPortInfo: rdata_o = port_info_data;
      lanecut_mgmt_pkg::KindSlToVl:   rdata_o = (index_q[3:1] == 3'd0) ? sl_data : '0;
      lanecut_mgmt_pkg::KindVlArb:    rdata_o = vl_arb_data;
      lanecut_mgmt_pkg::KindLft:      rdata_o = lft_data;
      lanecut_mgmt_pkg::KindStatus: begin
        case (index_q)
          4'd0:    rdata_o = {18'd0, osr_change_i || draining_i || restricted_i, epoch, 6'd0, bank, data_busy_i};
          4'd1:    rdata_o = data_rcvd_i;
          4'd2:    rdata_o = data_sent_i;
          4'd3:    rdata_o = data_dropped_i;
          4'd4:    rdata_o = {16'(Vl15Blocks), 16'(BufBlocks)};
          default: rdata_o = '0;
        endcase
      end
      lanecut_mgmt_pkg::KindEndNodePorts: begin
        if (index_q == 4'd0) rdata_o = {transit_first_q, {(30 - NumPorts){1'b0}}, end_node_ports_q, 1'b0};
      end
      lanecut_mgmt_pkg::KindCounters: begin
        // Port 0 has one counter: data packets received.
        if (modifier_i[3:0] == 4'd0) rdata_o = (index_q == 4'd0) ? data_consumed_i : '0;
        else if (index_q < 4'd12) rdata_o = cnt_data_i;
      end
      lanecut_mgmt_pkg::KindClassInfo: if (EnPma != 0) begin
        case (index_q)
          4'd0:    rdata_o = PmaVersions;
          4'd1:    rdata_o = PmaResponse;
          default: rdata_o = '0;
        endcase
      end
      lanecut_mgmt_pkg::KindPmaCounters, lanecut_mgmt_pkg::KindPmaExtended: if (EnPma != 0) begin
        rdata_o = index_q == 4'd0 ? modifier_i : cnt_data_i;
      end
      default: if (is_reconfig) rdata_o = reconfig_data;
    endcase
  end

  // Counters, as attribute 0xFF05 or as those of performance management.
  logic       is_pma;
  logic       is_extended;
  logic [3:0] pma_word;

  assign is_extended = EnPma != 0 && kind_q == lanecut_mgmt_pkg::KindPmaExtended;
  assign is_pma      = (EnPma != 0 && kind_q == lanecut_mgmt_pkg::KindPmaCounters) || is_extended;

  // PortCountersExtended has the low halves of octets and packets at odd words, and there is no multicast.
  always_comb begin
    pma_word = index_q;
    if (is_extended) begin
      case (index_q)
        4'd3:        pma_word = 4'd6;
        4'd5:        pma_word = 4'd7;
        4'd7, 4'd11: pma_word = 4'd8;
        4'd9, 4'd13: pma_word = 4'd9;
        default:     pma_word = 4'd0;
      endcase
    end
  end

  always_comb begin
    cnt_port_o  = 4'd0;
    cnt_index_o = 5'd0;
    if (is_pma) begin
      cnt_port_o  = modifier_i[19:16];
      cnt_index_o = {1'b1, pma_word};
    end else if (kind_q == lanecut_mgmt_pkg::KindCounters) begin
      cnt_port_o  = modifier_i[3:0];
      cnt_index_o = {1'b0, index_q};
    end
  end

  // A Set clears what it selects; the first four of PortCountersExtended are the last four of PortCounters.
  assign cnt_clear_o = apply_i && is_pma && index_q == 4'd0;
  assign cnt_mask_o  = is_extended ? {modifier_i[3:0], 12'd0} : modifier_i[15:0];

endmodule : mgmt_attributes
