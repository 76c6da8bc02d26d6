// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The traps of the switch: what they say to the subnet manager, and which one goes first (for when see mgmt_trap_timer).
 *
 * 128: the state of some port of this switch has changed. 256: a packet was denied for its M_Key. Of packets denied while a
 * trap 256 is unanswered only the counter tells. The return path of one that came by a directed route is left out, which the
 * notice says.
 *
 * Source: InfiniBand Architecture volume 1, 13.4.8 (Notice), 14.2.5.1 (traps 128 and 256).
 */
module mgmt_trap #(
  /// There is an M_Key, and trap 256.
  parameter int unsigned EnMKey = 1
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        tick_i,
  /// The state of some port has changed.
  input  logic        change_i,
  /// A packet is denied: what it is. Its M_Key came before, as in mgmt_m_key.
  input  logic        violation_i,
  input  logic        start_i,
  input  logic        upper_i,
  input  logic        lower_i,
  input  logic [31:0] word_i,
  input  logic [15:0] slid_i,
  input  logic        directed_i,
  input  logic        is_set_i,
  input  logic        is_repress_i,
  input  logic [15:0] attribute_i,
  input  logic [31:0] modifier_i,
  /// Own LID; manager's LID and SL.
  input  logic [15:0] lid_i,
  input  logic [15:0] master_lid_i,
  input  logic [3:0]  master_sl_i,
  /// A TrapRepress arrived, with the low half of its transaction ID.
  input  logic        repress_i,
  input  logic [31:0] repress_tid_i,

  /// Send a trap.
  output logic        request_o,
  /// Being sent: the words must not change.
  input  logic        sending_i,
  /// The attempt is over (sent, or no way to the manager).
  input  logic        done_i,
  /// Word of the trap packet, without ICRC.
  input  logic [6:0]  index_i,
  output logic [31:0] word_o,

  /// A request, or a change that is waiting to be turned into one.
  output logic        busy_o
);

  logic        enabled;
  logic        denied_q;         // trap 256 is the one being sent, or the next
  logic        change_request;
  logic        denied_request;
  logic        denied_open;      // trap 256 is unanswered: what it says must not change
  logic        change_busy;
  logic        denied_busy;
  logic        unused_change_open;
  logic [31:0] change_tid;
  logic [31:0] denied_tid;

  assign enabled = lid_i != 16'd0 && master_lid_i != 16'd0;

  mgmt_trap_timer #(
    .IdSpace(1'b0)
  ) u_change (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .tick_i        (tick_i),
    .enabled_i     (enabled),
    .event_i       (change_i),
    .repress_i     (repress_i),
    .repress_tid_i (repress_tid_i),
    .request_o     (change_request),
    .sending_i     (sending_i && !denied_q),
    .done_i        (done_i && !denied_q),
    .tid_o         (change_tid),
    .unanswered_o  (unused_change_open),
    .busy_o        (change_busy)
  );

  // The last packet that was denied.
  logic [63:0] key_q;
  logic [15:0] slid_q;
  logic        directed_q;
  logic [7:0]  method_q;
  logic [15:0] attribute_q;
  logic [31:0] modifier_q;

  if (EnMKey != 0) begin : gen_denied
    mgmt_trap_timer #(
      .IdSpace(1'b1)
    ) u_denied (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .tick_i        (tick_i),
      .enabled_i     (enabled),
      .event_i       (violation_i && !denied_open),
      .repress_i     (repress_i),
      .repress_tid_i (repress_tid_i),
      .request_o     (denied_request),
      .sending_i     (sending_i && denied_q),
      .done_i        (done_i && denied_q),
      .tid_o         (denied_tid),
      .unanswered_o  (denied_open),
      .busy_o        (denied_busy)
    );

    always_ff @(posedge clk_i) begin
      if (rst_i) denied_q <= 1'b0;
      else if (!sending_i) denied_q <= denied_request && !change_request;
    end

    always_ff @(posedge clk_i) begin
      if (!denied_open) begin
        if (start_i) key_q <= '0;
        if (upper_i) key_q[63:32] <= word_i;
        if (lower_i) key_q[31:0] <= word_i;
        if (violation_i) begin
          slid_q      <= slid_i;
          directed_q  <= directed_i;
          method_q    <= is_repress_i ? lanecut_mgmt_pkg::MethodTrapRepress :
                         is_set_i     ? lanecut_mgmt_pkg::MethodSet : lanecut_mgmt_pkg::MethodGet;
          attribute_q <= attribute_i;
          modifier_q  <= modifier_i;
        end
      end
    end
  end else begin : gen_never_denied
    assign denied_q       = 1'b0;
    assign denied_request = 1'b0;
    assign denied_busy    = 1'b0;
    assign denied_open    = 1'b0;
    assign denied_tid     = '0;
    assign key_q          = '0;
    assign slid_q         = '0;
    assign directed_q     = 1'b0;
    assign method_q       = '0;
    assign attribute_q    = '0;
    assign modifier_q     = '0;

    logic unused_denied;
    assign unused_denied = ^{violation_i, start_i, upper_i, lower_i, word_i, slid_i, directed_i, is_set_i, is_repress_i,
                             attribute_i, modifier_i, denied_open};
  end

  assign request_o = change_request || denied_request;
  assign busy_o    = change_busy || denied_busy;

  localparam logic [7:0]  Urgent         = 8'h81;  // generic, urgent
  localparam logic [7:0]  Security       = 8'h82;
  localparam logic [23:0] ProducerSwitch = 24'd2;
  localparam logic [15:0] TrapLinkState  = 16'd128;
  localparam logic [15:0] TrapBadKey     = 16'd256;
  localparam logic [15:0] PathLeftOut    = 16'h00C0;  // directed route, truncated, no hop

  always_comb begin
    case (index_i)
      7'd0:    word_o = {4'hF, 4'd0, master_sl_i, 4'h2, master_lid_i};
      7'd1:    word_o = {5'd0, lanecut_mgmt_pkg::SmpPktLen, lid_i};
      7'd2:    word_o = {lanecut_mgmt_pkg::OpcodeUd, 8'd0, 16'hFFFF};
      lanecut_mgmt_pkg::WordMad0:
               word_o = {8'd1, lanecut_mgmt_pkg::ClassLid, 8'd1, lanecut_mgmt_pkg::MethodTrap};
      lanecut_mgmt_pkg::WordTidLow: word_o = denied_q ? denied_tid : change_tid;
      lanecut_mgmt_pkg::WordAttr:   word_o = {lanecut_mgmt_pkg::AttrNotice, 16'd0};
      lanecut_mgmt_pkg::WordData:        word_o = {denied_q ? Security : Urgent, ProducerSwitch};
      lanecut_mgmt_pkg::WordData + 7'd1: word_o = {denied_q ? TrapBadKey : TrapLinkState, lid_i};
      lanecut_mgmt_pkg::WordData + 7'd2: word_o = {16'd0, denied_q ? 16'd0 : lid_i};
      default: begin
        word_o = '0;
        if (denied_q) begin
          case (index_i)
            lanecut_mgmt_pkg::WordData + 7'd3: word_o = {slid_q, {16{directed_q}}};
            lanecut_mgmt_pkg::WordData + 7'd4: word_o = {method_q, 8'd0, attribute_q};
            lanecut_mgmt_pkg::WordData + 7'd5: word_o = modifier_q;
            lanecut_mgmt_pkg::WordData + 7'd6: word_o = key_q[63:32];
            lanecut_mgmt_pkg::WordData + 7'd7: word_o = key_q[31:0];
            lanecut_mgmt_pkg::WordData + 7'd8: word_o = {directed_q ? PathLeftOut : 16'd0, 16'd0};
            default: ;
          endcase
        end
      end
    endcase
  end

endmodule : mgmt_trap
