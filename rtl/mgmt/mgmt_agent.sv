// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The switch's port 0: subnet management agent in hardware.
 *
 * Management packets (SMPs on VL15) arrive from the crossbar, are checked (length, ICRC), and are
 * then relayed along their directed route, answered from the attributes of this switch, or
 * dropped. Two engines work side by side: engine 0 takes requests and everything that is not a
 * directed-route response and serves the attributes; engine 1 relays directed-route responses.
 * Each relays 73-word SMPs back to back. Compact packets come here to be served, and to be copied to the other ports if
 * they are flooded; on their way they do not pass the agent. Data packets that are routed to port 0 are consumed and
 * counted; general management packets among them, of the class for performance, are answered.
 *
 * Stream in: words LRH word 0 .. ICRC back to back, one per cycle with in_valid_i, then one end
 * word (in_end_i) which stands where the VCRC word was. Stream out: a first-word-fall-through head
 * that the crossbar pops without a gap from grant to the end word; link_tx fills in VL and VCRC.
 *
 * Source: InfiniBand Architecture volume 1, chapter 14 (directed route: 14.2.2; attributes:
 * 14.2.5).
 */
module mgmt_agent #(
  /// External ports, 1..14 (port numbers are 4 bits wide inside the switch).
  parameter int unsigned NumPorts   = 6,
  /// Data VLs per port: 1, 2, 4 or 8 (3 and 5..7 are reported as the next lower code).
  parameter int unsigned NumVls     = 2,
  /// Input buffer of a data VL in blocks of 64 bytes; bounds the MTU that is announced.
  parameter int unsigned BufBlocks  = 16,
  /// Input buffer of VL15 in blocks of 64 bytes, as reported by the Status attribute.
  parameter int unsigned Vl15Blocks = 32,
  /// Entries of the linear forwarding table: a power of two, 64 at least.
  parameter int unsigned LftDepth   = 256,
  /// Reconfiguration schemes the switch has.
  parameter int unsigned EnEbr      = 0,
  parameter int unsigned EnOsr      = 0,
  parameter int unsigned EnDouble   = 0,
  parameter int unsigned EnHold     = 0,
  /// Compact management packets.
  parameter int unsigned EnCompact  = 0,
  parameter int unsigned EnLifetime = 0,
  /// General packets of the class for performance are answered, else only consumed.
  parameter int unsigned EnPma      = 1,
  /// Packets are denied by the M_Key of port 0.
  parameter int unsigned EnMKey     = 1,
  /// Entries of each list of a VL arbitration table; 0: there are none.
  parameter int unsigned VlArbEntries = 0
) (
  /// Clock: one word per cycle.
  input  logic                  clk_i,
  /// Synchronous reset, active high.
  input  logic                  rst_i,
  /// Slow time base, one cycle every 4096: trap repetition.
  input  logic                  tick_i,

  /// NodeGUID, SystemImageGUID and port GUID (strap).
  input  logic [63:0]           guid_i,
  /// NodeDescription: 16 ASCII characters, first one in bits 127:120, NUL padded (strap).
  input  logic [127:0]          name_i,
  input  logic                  four_lanes_i,

  /// Bit e: the crossbar delivers a word to engine e.
  input  logic [1:0]            in_valid_i,
  /// Engine e's word in bits 32e+31:32e.
  input  logic [63:0]           in_data_i,
  /// The word is the end word (its data mean nothing).
  input  logic [1:0]            in_end_i,
  /// With in_end_i: the packet is bad or truncated.
  input  logic [1:0]            in_bad_i,
  /// External port on which the packet arrived, 1..NumPorts, stable during the packet.
  input  logic [7:0]            in_port_i,
  /// The packet came on VL15 (1) or on a data VL (0), stable during the packet.
  input  logic [1:0]            in_vl15_i,
  /// Room for one packet more than the one being received.
  output logic [1:0]            in_ready_o,

  /// Engine e offers a packet; the head word stands on out_data_o.
  output logic [1:0]            out_req_o,
  /// Egress port of the packet offered, 1..NumPorts.
  output logic [7:0]            out_port_o,
  /// ... and its VL: 15, or below NumVls.
  output logic [7:0]            out_vl_o,
  /// Length of the packet offered in wire words, with the VCRC word.
  output logic [15:0]           out_len_o,
  /// Head word.
  output logic [63:0]           out_data_o,
  /// The head is the end word (VCRC's place).
  output logic [1:0]            out_end_o,
  /// Take the head word.
  input  logic [1:0]            out_pop_i,

  /// Write an LFT word: 4 entries at LID = 4 * tbl_addr_o, lowest LID in bits 31:24.
  output logic                  tbl_lft_we_o,
  /// Write an SLtoVL word: tbl_addr_o = {in port, out port, upper half}, SL 0 (8) in bits 31:28.
  output logic                  tbl_sl_we_o,
  /// Write a word of a port's VL arbitration table: tbl_addr_o = {limit, port, high, word}, tbl_data_o two entries, or
  /// with limit the word of PortInfo that holds HighLimit (see vl_arbiter).
  output logic                  tbl_arb_we_o,
  /// Bank that is written.
  output logic                  tbl_bank_o,
  /// Word address, see the write enables.
  output logic [15:0]           tbl_addr_o,
  /// Word written.
  output logic [31:0]           tbl_data_o,
  /// Active bank.
  output logic                  bank_o,
  /// Routing-function number of the active bank.
  output logic [4:0]            epoch_o,
  /// Bit p-1: the manager says that an end node is attached to port p.
  output logic [NumPorts-1:0]   end_node_ports_o,
  /// Packets from other ports go before packets from these.
  output logic                  transit_first_o,
  /// PortInfo.HOQLife of the external ports, port p at bits 5(p-1); without EnLifetime without end.
  output logic [NumPorts*5-1:0] hoq_life_o,
  /// SwitchInfo.LifeTimeValue; without EnLifetime without end.
  output logic [4:0]            life_time_o,

  /// What numbers do (lanecut_pkg::scheme_e), and: the inactive bank holds the next function.
  output logic [1:0]            scheme_o,
  /// EBR: for how long heads wait, in cycles (see hold_window).
  output logic [lanecut_pkg::HoldBits-1:0] hold_cycles_o,
  output logic                  next_ready_o,
  /// OSR (see osr_control): start a change (pulse), one is under way, the banks change now.
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
  /// Feeder rows: 32 bits of row row_o of a bank.
  output logic                  row_we_o,
  output logic                  row_bank_o,
  output logic [6:0]            row_o,
  output logic [1:0]            row_word_o,
  output logic [31:0]           row_data_o,
  input  logic [31:0]           row_data_i,

  /// PortState of port p in bits 3p-1:3p-3 (lanecut_pkg::port_state_e).
  input  logic [NumPorts*3-1:0] port_state_i,
  /// One-cycle command to port p (bit p-1): go to port_set_state_o.
  output logic [NumPorts-1:0]   port_set_o,
  /// State commanded: 1 Down, 3 Armed, 4 Active.
  output logic [2:0]            port_set_state_o,
  /// Bit p-1: the physical layer of port p shall hold a link (else: PortPhysicalState Disabled).
  output logic [NumPorts-1:0]   phy_enable_o,

  /// Counters of a port, as in port_counters: which port, what to read, its value in the same cycle; clear those of a mask.
  output logic [3:0]            cnt_port_o,
  output logic [4:0]            cnt_index_o,
  input  logic [31:0]           cnt_data_i,
  output logic                  cnt_clear_o,
  output logic [15:0]           cnt_mask_o,
  /// Data packets received on external ports.
  input  logic [31:0]           data_rcvd_i,
  /// Data packets sent on external ports.
  input  logic [31:0]           data_sent_i,
  /// Data packets dropped.
  input  logic [31:0]           data_dropped_i,
  /// Some data VL queue holds a packet.
  input  logic                  data_busy_i,

  /// LID of this switch (0: not assigned).
  output logic [15:0]           lid_o,
  /// No packet and no work pending but what waits for tick_i.
  output logic                  idle_o,
  /// Something impossible happened (sticky until reset).
  output logic                  error_o
);

  if (NumPorts < 1 || NumPorts > 14) begin : gen_bad_ports
    $error("NumPorts must be 1..14");
  end
  if (LftDepth < 64 || LftDepth > 32768 || (LftDepth & (LftDepth - 1)) != 0) begin : gen_bad_lft
    $error("LftDepth must be a power of two from 64 to 32768");
  end

  localparam logic [lanecut_pkg::BlockWidth-1:0] SmpBlocks = 5;

  if (Vl15Blocks < 32'(SmpBlocks)) begin : gen_bad_vl15
    $error("the VL15 buffer must hold an SMP of 5 blocks");
  end

  localparam int unsigned DescWidth = lanecut_mgmt_pkg::DescWidth;

  // Bit p: port p exists and is not Down.
  logic [15:0] port_up;

  always_comb begin
    port_up = '0;
    for (int p = 1; p <= NumPorts; p++) begin
      port_up[p] = port_state_i[3*p-3 +: 3] != lanecut_pkg::PortDown;
    end
  end

  /////////////
  // Engines //
  /////////////

  logic                 ready;
  logic                 head_valid;
  logic [DescWidth-1:0] head;
  logic                 quiet;
  logic                 peek;
  logic [6:0]           peek_index;
  logic [31:0]          mem_data;
  logic                 drop;
  logic                 hold;
  logic                 go;
  logic                 trap;
  logic                 copy;
  logic                 done;
  logic [3:0]           egress;
  logic [15:0]          slid;
  logic [15:0]          dlid;
  logic [14:0]          status;
  logic [4:0]           words;
  logic [3:0]           vl;
  logic                 attr_fetch;
  logic [3:0]           attr_index;
  logic [31:0]          attr_data;
  logic [6:0]           trap_index;
  logic [31:0]          trap_word;
  logic [1:0]           data_done;
  logic [1:0]           engine_idle;
  logic [1:0]           engine_error;

  mgmt_engine #(
    .Serve     (1'b1),
    .NumPorts  (NumPorts),
    .EnCompact (EnCompact),
    .EnPma     (EnPma)
  ) u_requests (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .enable_i     (ready),
    .in_valid_i   (in_valid_i[0]),
    .in_data_i    (in_data_i[31:0]),
    .in_end_i     (in_end_i[0]),
    .in_bad_i     (in_bad_i[0]),
    .in_port_i    (in_port_i[3:0]),
    .in_vl15_i    (in_vl15_i[0]),
    .in_ready_o   (in_ready_o[0]),
    .out_req_o    (out_req_o[0]),
    .out_port_o   (out_port_o[3:0]),
    .out_vl_o     (out_vl_o[3:0]),
    .out_len_o    (out_len_o[7:0]),
    .out_data_o   (out_data_o[31:0]),
    .out_end_o    (out_end_o[0]),
    .out_pop_i    (out_pop_i[0]),
    .head_valid_o (head_valid),
    .head_o       (head),
    .quiet_o      (quiet),
    .peek_i       (peek),
    .peek_index_i (peek_index),
    .mem_data_o   (mem_data),
    .drop_i       (drop),
    .hold_i       (hold),
    .go_i         (go),
    .trap_i       (trap),
    .copy_i       (copy),
    .done_o       (done),
    .egress_i     (egress),
    .slid_i       (slid),
    .dlid_i       (dlid),
    .status_i     (status),
    .words_i      (words),
    .vl_i         (vl),
    .attr_fetch_o (attr_fetch),
    .attr_index_o (attr_index),
    .attr_data_i  (attr_data),
    .trap_index_o (trap_index),
    .trap_word_i  (trap_word),
    .data_done_o  (data_done[0]),
    .idle_o       (engine_idle[0]),
    .error_o      (engine_error[0])
  );

  // The second engine relays only.
  logic                 r_head_valid;
  logic [DescWidth-1:0] r_head;
  logic                 r_quiet;
  logic [31:0]          r_mem_data;
  logic                 r_done;
  logic                 r_attr_fetch;
  logic [3:0]           r_attr_index;
  logic [6:0]           r_trap_index;
  logic                 unused_server;

  assign unused_server = ^{r_head_valid, r_head, r_quiet, r_mem_data, r_done, r_attr_fetch,
                           r_attr_index, r_trap_index};

  mgmt_engine #(
    .Serve     (1'b0),
    .NumPorts  (NumPorts),
    .EnCompact (0),
    .EnPma     (0)
  ) u_responses (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .enable_i     (ready),
    .in_valid_i   (in_valid_i[1]),
    .in_data_i    (in_data_i[63:32]),
    .in_end_i     (in_end_i[1]),
    .in_bad_i     (in_bad_i[1]),
    .in_port_i    (in_port_i[7:4]),
    .in_vl15_i    (in_vl15_i[1]),
    .in_ready_o   (in_ready_o[1]),
    .out_req_o    (out_req_o[1]),
    .out_port_o   (out_port_o[7:4]),
    .out_vl_o     (out_vl_o[7:4]),
    .out_len_o    (out_len_o[15:8]),
    .out_data_o   (out_data_o[63:32]),
    .out_end_o    (out_end_o[1]),
    .out_pop_i    (out_pop_i[1]),
    .head_valid_o (r_head_valid),
    .head_o       (r_head),
    .quiet_o      (r_quiet),
    .peek_i       (1'b0),
    .peek_index_i (7'd0),
    .mem_data_o   (r_mem_data),
    .drop_i       (1'b0),
    .hold_i       (1'b0),
    .go_i         (1'b0),
    .trap_i       (1'b0),
    .copy_i       (1'b0),
    .done_o       (r_done),
    .egress_i     (4'd0),
    .slid_i       (16'd0),
    .dlid_i       (16'd0),
    .status_i     (15'd0),
    .words_i      (5'd0),
    .vl_i         (4'd15),
    .attr_fetch_o (r_attr_fetch),
    .attr_index_o (r_attr_index),
    .attr_data_i  (32'd0),
    .trap_index_o (r_trap_index),
    .trap_word_i  (32'd0),
    .data_done_o  (data_done[1]),
    .idle_o       (engine_idle[1]),
    .error_o      (engine_error[1])
  );

  logic [31:0] data_consumed_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) data_consumed_q <= '0;
    else if (data_done != 2'd0) begin
      data_consumed_q <= data_consumed_q + {31'd0, data_done[0]} + {31'd0, data_done[1]};
    end
  end

  ////////////////////////////
  // Server and its helpers //
  ////////////////////////////

  logic        attr_open;
  logic        attr_close;
  logic        general;
  logic        vl_lookup;
  logic [3:0]  vl_lookup_sl;
  logic [3:0]  vl_lookup_vl;
  logic [15:0] attribute;
  logic [31:0] modifier;
  logic [14:0] attr_status;
  logic        must_check;
  logic        refused;
  logic [14:0]          refusal_status;
  logic        spreading;
  logic        server_fetch;
  logic [3:0]  server_index;
  logic        check;
  logic        apply;
  logic        last;
  logic        lookup;
  logic [15:0] lookup_lid;
  logic [7:0]  lookup_port;
  logic        trap_request;
  logic        trap_sending;
  logic        trap_done;
  logic        trap_busy;
  logic        repress;
  logic [31:0] repress_tid;
  logic        key_set;
  logic        key_start;
  logic        key_upper;
  logic        key_lower;
  logic        key_changes;
  logic        key_judge;
  logic        key_denied;
  logic        server_idle;
  logic        attr_busy;
  logic        port_change;
  logic [15:0] lid;
  logic [15:0] master_lid;
  logic [3:0]  master_sl;

  lanecut_mgmt_pkg::desc_t request;
  logic                    unused_request;
  assign request        = head;
  assign unused_request = ^request;

  mgmt_server #(
    .EnCompact (EnCompact),
    .EnPma     (EnPma)
  ) u_server (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .tick_i         (tick_i),
    .port_up_i      (port_up),
    .head_valid_i   (head_valid),
    .head_i         (head),
    .quiet_i        (quiet),
    .peek_o         (peek),
    .peek_index_o   (peek_index),
    .mem_data_i     (mem_data),
    .drop_o         (drop),
    .hold_o         (hold),
    .go_o           (go),
    .trap_o         (trap),
    .copy_o         (copy),
    .done_i         (done),
    .egress_o       (egress),
    .slid_o         (slid),
    .dlid_o         (dlid),
    .status_o       (status),
    .words_o        (words),
    .vl_o           (vl),
    .open_o         (attr_open),
    .close_o        (attr_close),
    .general_o      (general),
    .attribute_o    (attribute),
    .modifier_o     (modifier),
    .attr_status_i  (attr_status),
    .must_check_i   (must_check),
    .refused_i      (refused),
    .refusal_status_i (refusal_status),
    .spreading_i    (spreading),
    .fetch_o        (server_fetch),
    .fetch_index_o  (server_index),
    .check_o        (check),
    .apply_o        (apply),
    .last_o         (last),
    .lookup_o       (lookup),
    .lookup_lid_o   (lookup_lid),
    .lookup_port_i  (lookup_port),
    .vl_lookup_o    (vl_lookup),
    .vl_lookup_sl_o (vl_lookup_sl),
    .vl_lookup_i    (vl_lookup_vl),
    .key_set_i      (key_set),
    .key_start_o    (key_start),
    .key_upper_o    (key_upper),
    .key_lower_o    (key_lower),
    .key_changes_o  (key_changes),
    .key_judge_o    (key_judge),
    .key_denied_i   (key_denied),
    .trap_request_i (trap_request),
    .master_lid_i   (master_lid),
    .trap_sending_o (trap_sending),
    .trap_done_o    (trap_done),
    .repress_o      (repress),
    .repress_tid_o  (repress_tid),
    .idle_o         (server_idle)
  );

  mgmt_attributes #(
    .NumPorts  (NumPorts),
    .NumVls    (NumVls),
    .BufBlocks (BufBlocks),
    .Vl15Blocks(Vl15Blocks),
    .LftDepth  (LftDepth),
    .EnEbr     (EnEbr),
    .EnOsr     (EnOsr),
    .EnDouble  (EnDouble),
    .EnHold    (EnHold),
    .EnCompact (EnCompact),
    .EnLifetime(EnLifetime),
    .EnPma     (EnPma),
    .EnMKey    (EnMKey),
    .VlArbEntries(VlArbEntries)
  ) u_attributes (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .ready_o          (ready),
    .busy_o           (attr_busy),
    .spreading_o      (spreading),
    .guid_i           (guid_i),
    .name_i           (name_i),
    .four_lanes_i     (four_lanes_i),
    .tick_i           (tick_i),
    .open_i           (attr_open),
    .close_i          (attr_close),
    .attribute_i      (attribute),
    .modifier_i       (modifier),
    .is_set_i         (request.is_set),
    .compact_i        (request.compact),
    .general_i        (general),
    .ingress_i        (request.ingress),
    .status_o         (attr_status),
    .must_check_o     (must_check),
    .refused_o        (refused),
    .refusal_status_o (refusal_status),
    .fetch_i          (server_fetch || attr_fetch),
    .index_i          (server_fetch ? server_index : attr_index),
    .rdata_o          (attr_data),
    .check_i          (check),
    .apply_i          (apply),
    .last_i           (last),
    .wdata_i          (mem_data),
    .lookup_i         (lookup),
    .lookup_lid_i     (lookup_lid),
    .lookup_port_o    (lookup_port),
    .vl_lookup_i      (vl_lookup),
    .vl_lookup_port_i (egress),
    .vl_lookup_sl_i   (vl_lookup_sl),
    .vl_lookup_o      (vl_lookup_vl),
    .tbl_lft_we_o     (tbl_lft_we_o),
    .tbl_sl_we_o      (tbl_sl_we_o),
    .tbl_arb_we_o     (tbl_arb_we_o),
    .tbl_bank_o       (tbl_bank_o),
    .tbl_addr_o       (tbl_addr_o),
    .tbl_data_o       (tbl_data_o),
    .bank_o           (bank_o),
    .epoch_o          (epoch_o),
    .end_node_ports_o (end_node_ports_o),
    .transit_first_o  (transit_first_o),
    .hoq_life_o       (hoq_life_o),
    .life_time_o      (life_time_o),
    .scheme_o         (scheme_o),
    .hold_cycles_o    (hold_cycles_o),
    .next_ready_o     (next_ready_o),
    .osr_start_o      (osr_start_o),
    .osr_change_i     (osr_change_i),
    .osr_flip_i       (osr_flip_i),
    .vl_drain_o       (vl_drain_o),
    .vl_switch_o      (vl_switch_o),
    .vl_clear_o       (vl_clear_o),
    .draining_i       (draining_i),
    .restricted_i     (restricted_i),
    .vl_idle_i        (vl_idle_i),
    .row_we_o         (row_we_o),
    .row_bank_o       (row_bank_o),
    .row_o            (row_o),
    .row_word_o       (row_word_o),
    .row_data_o       (row_data_o),
    .row_data_i       (row_data_i),
    .port_state_i     (port_state_i),
    .port_set_o       (port_set_o),
    .port_set_state_o (port_set_state_o),
    .phy_enable_o     (phy_enable_o),
    .port_change_o    (port_change),
    .cnt_port_o       (cnt_port_o),
    .cnt_index_o      (cnt_index_o),
    .cnt_data_i       (cnt_data_i),
    .cnt_clear_o      (cnt_clear_o),
    .cnt_mask_o       (cnt_mask_o),
    .data_rcvd_i      (data_rcvd_i),
    .data_sent_i      (data_sent_i),
    .data_dropped_i   (data_dropped_i),
    .data_busy_i      (data_busy_i),
    .data_consumed_i  (data_consumed_q),
    .key_set_o        (key_set),
    .key_start_i      (key_start),
    .key_upper_i      (key_upper),
    .key_lower_i      (key_lower),
    .key_changes_i    (key_changes),
    .key_judge_i      (key_judge),
    .key_denied_o     (key_denied),
    .lid_o            (lid),
    .master_lid_o     (master_lid),
    .master_sl_o      (master_sl)
  );

  mgmt_trap #(
    .EnMKey (EnMKey)
  ) u_trap (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .tick_i        (tick_i),
    .change_i      (port_change),
    .violation_i   (key_judge && key_denied),
    .start_i       (key_start),
    .upper_i       (key_upper),
    .lower_i       (key_lower),
    .word_i        (mem_data),
    .slid_i        (slid),
    .directed_i    (request.directed),
    .is_set_i      (request.is_set),
    .is_repress_i  (request.repress),
    .attribute_i   (attribute),
    .modifier_i    (modifier),
    .lid_i         (lid),
    .master_lid_i  (master_lid),
    .master_sl_i   (master_sl),
    .repress_i     (repress),
    .repress_tid_i (repress_tid),
    .request_o     (trap_request),
    .sending_i     (trap_sending),
    .done_i        (trap_done),
    .index_i       (trap_index),
    .word_o        (trap_word),
    .busy_o        (trap_busy)
  );

  assign lid_o = lid;

  ///////////////////
  // Idle and error //
  ///////////////////

  logic error_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) error_q <= 1'b0;
    else if (engine_error != 2'd0) error_q <= 1'b1;
  end

  assign idle_o  = ready && engine_idle == 2'b11 && server_idle && !attr_busy && !trap_busy;
  assign error_o = error_q;

endmodule : mgmt_agent
