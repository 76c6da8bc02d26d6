// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Attributes of the routing function in force: Bank, Scheme, Function, FeederRows and VlDrain.
 *
 * Bank (commit) makes the inactive bank active under a new number. Scheme says what numbers do and, under EBR, for how long
 * heads wait (bits 27:8, in cycles). Function announces the next function (the inactive bank holds it) and starts the
 * change to it under OSR; a number that is neither the active one nor the next is refused as busy. FeederRows addresses
 * rows of the active or, with modifier bit 31, the inactive bank; a row is 32-bit words, and as many whole rows as fit are
 * in one MAD. VlDrain commands the change to the next function under Double Scheme: drain; the inactive bank is ready;
 * switch over, which makes it active. It is refused as busy where it comes out of turn, and means nothing for a change
 * that has been made. A Set of Scheme or a commit ends what is under way.
 *
 * A table update may say in its modifier what comes after its last word: a commit (bit 31) or the announcement of the next
 * function (bit 30), with the number in bits 4:0. One for a function that is in force, or is announced and on its way, has
 * been carried out already, so that it can be repeated safely. Its answer may have one word: that of VlDrain.
 *
 * Works as mgmt_attributes says: words are fetched, and presented with check_i or apply_i one cycle later.
 */
module mgmt_reconfig #(
  /// Channels of each direction: external ports times data VLs.
  parameter int unsigned Channels = 12,
  parameter int unsigned EnEbr = 0,
  parameter int unsigned EnOsr = 0,
  parameter int unsigned EnDouble = 0,
  parameter int unsigned EnHold = 0
) (
  input  logic                    clk_i,
  input  logic                    rst_i,

  /// The request in hand (KindNone if it is another's), its modifier, and the words.
  input  lanecut_mgmt_pkg::kind_e kind_i,
  input  logic [31:0]             modifier_i,
  input  logic [3:0]              index_i,
  input  logic                    apply_i,
  /// A table update has been written: do what its modifier says. And what to think of that modifier.
  input  logic                    update_i,
  output logic                    update_busy_o,
  output logic                    update_done_o,
  input  logic [31:0]             wdata_i,
  output logic [31:0]             rdata_o,
  /// The word would be refused.
  output logic                    invalid_o,

  /// Active bank and its number; the inactive bank holds the next function.
  output logic                    bank_o,
  output logic [4:0]              epoch_o,
  output logic [1:0]              scheme_o,
  output logic [lanecut_pkg::HoldBits-1:0] hold_cycles_o,
  output logic                    next_ready_o,

  /// OSR: start the change; a change is under way; the switch changes banks with this clock edge.
  output logic                    osr_start_o,
  input  logic                    osr_change_i,
  input  logic                    osr_flip_i,

  /// Double Scheme, to and from vl_drain.
  output logic                    vl_drain_o,
  output logic                    vl_switch_o,
  output logic                    vl_clear_o,
  input  logic                    draining_i,
  input  logic                    restricted_i,
  input  logic                    vl_idle_i,

  /// Feeder rows, to osr_control.
  output logic                    row_we_o,
  output logic                    row_bank_o,
  output logic [6:0]              row_o,
  output logic [1:0]              row_word_o,
  output logic [31:0]             row_data_o,
  input  logic [31:0]             row_data_i
);

  localparam int unsigned EpochBits = lanecut_pkg::EpochBits;
  localparam int unsigned RowWords = (Channels + 31) / 32;
  localparam int unsigned RowsPerMad = 16 / RowWords;

  logic                 bank_q;
  logic [4:0]           epoch_q;
  logic [1:0]           scheme_q;
  logic [lanecut_pkg::HoldBits-1:0] hold_q;
  logic                 next_ready_q;
  logic [EpochBits-1:0] active;
  logic [EpochBits-1:0] next;
  logic [EpochBits-1:0] named;    // by a Set of Function
  logic                 commit;
  logic                 is_first;
  logic                 set_function;
  logic                 set_scheme;
  logic                 set_drain;

  assign active       = epoch_q[EpochBits-1:0];
  assign next         = active + 1'b1;
  assign named        = wdata_i[EpochBits-1:0];
  assign is_first     = index_i == 4'd0;
  assign commit       = (apply_i && kind_i == lanecut_mgmt_pkg::KindBank && is_first && wdata_i[31]) ||
                        (update_i && modifier_i[31]);
  assign set_function = apply_i && kind_i == lanecut_mgmt_pkg::KindFunction && is_first && named == next;
  assign set_scheme   = apply_i && kind_i == lanecut_mgmt_pkg::KindScheme && is_first;
  assign set_drain    = apply_i && kind_i == lanecut_mgmt_pkg::KindVlDrain && is_first && named == next;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      bank_q       <= 1'b0;
      epoch_q      <= '0;
      scheme_q     <= lanecut_pkg::SchemeNone;
      next_ready_q <= 1'b0;
    end else begin
      if (set_scheme) scheme_q <= wdata_i[1:0];
      if (commit) begin
        bank_q       <= !bank_q;
        epoch_q      <= update_i ? modifier_i[4:0] : wdata_i[4:0];
        next_ready_q <= 1'b0;
      end else if (osr_flip_i || vl_switch_o) begin
        bank_q       <= !bank_q;
        epoch_q      <= 5'(next);
        next_ready_q <= 1'b0;
      end else if ((set_function && wdata_i[31]) || (set_drain && wdata_i[29]) || (update_i && modifier_i[30])) begin
        next_ready_q <= 1'b1;
      end else if (set_scheme && wdata_i[1:0] == lanecut_pkg::SchemeDouble) begin
        next_ready_q <= 1'b0;
      end
    end
  end

  assign bank_o       = bank_q;
  assign epoch_o      = epoch_q;
  assign scheme_o     = scheme_q;

  if (EnHold != 0) begin : gen_hold
    always_ff @(posedge clk_i) begin
      if (rst_i) hold_q <= '0;
      else if (set_scheme) hold_q <= wdata_i[8 +: lanecut_pkg::HoldBits];
    end
  end else begin : gen_no_hold
    assign hold_q = '0;
  end

  assign hold_cycles_o = hold_q;
  assign next_ready_o = next_ready_q;
  assign osr_start_o  = set_function && wdata_i[30] && !osr_flip_i;

  assign vl_drain_o   = set_drain && wdata_i[31];
  assign vl_switch_o  = set_drain && wdata_i[30];
  assign vl_clear_o   = set_scheme || commit;

  always_comb begin
    invalid_o = 1'b0;
    if (is_first) begin
      // To the next function: under this scheme, not before VL0 is open again, and step by step.
      if (EnDouble != 0 && kind_i == lanecut_mgmt_pkg::KindVlDrain && named != active) begin
        invalid_o = named != next || scheme_q != lanecut_pkg::SchemeDouble || restricted_i ||
                    (wdata_i[30] && !(draining_i && next_ready_q));
      end
      if (kind_i == lanecut_mgmt_pkg::KindFunction) invalid_o = named != active && named != next;
      if (kind_i == lanecut_mgmt_pkg::KindScheme) begin
        case (wdata_i[1:0])
          lanecut_pkg::SchemeNone: ;
          lanecut_pkg::SchemeEbr:  invalid_o = EnEbr == 0;
          lanecut_pkg::SchemeOsr:  invalid_o = EnOsr == 0;
          default:                 invalid_o = EnDouble == 0;
        endcase
        if (wdata_i[8 +: lanecut_pkg::HoldBits] != '0 && (EnHold == 0 || wdata_i[1:0] != lanecut_pkg::SchemeEbr)) begin
          invalid_o = 1'b1;
        end
      end
    end
  end

  logic                 update_is_active;
  logic [EpochBits-1:0] update_number;

  assign update_number    = modifier_i[EpochBits-1:0];
  assign update_is_active = update_number == active;
  assign update_done_o    = (|modifier_i[31:30] && update_is_active) || (modifier_i[30] && next_ready_q && osr_change_i);
  assign update_busy_o    = modifier_i[30] && !update_is_active && (update_number != next || restricted_i);

  // Rows.
  logic [15:0] row;
  logic        row_exists;

  assign row        = modifier_i[11:0] * 16'(RowsPerMad) + 16'({28'b0, index_i} / RowWords);
  assign row_exists = {28'b0, index_i} < RowsPerMad * RowWords && {16'b0, row} < Channels;
  assign row_o      = row[6:0];
  assign row_word_o = 2'({28'b0, index_i} % RowWords);
  assign row_bank_o = bank_q ^ modifier_i[31];
  assign row_we_o   = apply_i && kind_i == lanecut_mgmt_pkg::KindFeederRows && row_exists;
  assign row_data_o = wdata_i;

  always_comb begin
    rdata_o = '0;
    case (kind_i)
      lanecut_mgmt_pkg::KindBank:     if (is_first) rdata_o = {23'd0, bank_q, 3'd0, epoch_q};
      lanecut_mgmt_pkg::KindScheme:   if (is_first) rdata_o = {4'd0, hold_q, 6'd0, scheme_q};
      lanecut_mgmt_pkg::KindFunction: begin
        if (is_first) begin
          rdata_o = {next_ready_q, osr_change_i, 9'd0, epoch_q, 11'd0, next_ready_q ? 5'(next) : 5'd0};
        end
      end
      lanecut_mgmt_pkg::KindVlDrain, lanecut_mgmt_pkg::KindUpdate: begin
        if (is_first && EnDouble != 0) begin
          rdata_o = {draining_i, restricted_i, next_ready_q, vl_idle_i, 7'd0, epoch_q, 11'd0,
                     next_ready_q ? 5'(next) : 5'd0};
        end
      end
      lanecut_mgmt_pkg::KindFeederRows: if (row_exists) rdata_o = row_data_i;
      default: ;
    endcase
  end

  logic unused_modifier;
  assign unused_modifier = ^modifier_i[29:12];

endmodule : mgmt_reconfig
