// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Seam "channel gate": may the head of this input queue cross to its output now, or must it be dropped?
 *
 * One instance per input queue, combinational. Dropped is what has no way out (the reason is in its descriptor) or was
 * found bad while it waited. Under EBR a head that cannot move is put to the drop test, and one that wants a port that
 * has just gone down waits for the next function. Under OSR a channel that has not passed its token forwards old packets
 * only, one that has forwards new packets only, and these only to outputs that have sent their tokens. Under Double Scheme a head waits only to be looked up again; which VL it takes is said before
 * (input_unit). What may be plugged in besides: lifetime limits. It sees one head and answers allow or drop; allow = 0
 * and drop = 0 means wait.
 */
module channel_gate #(
  parameter int unsigned EnEbr = 0,
  parameter int unsigned EnOsr = 0,
  parameter int unsigned EnDouble = 0,
  parameter int unsigned EnHold = 0
) (
  input  logic                              head_valid_i,
  /// lanecut_pkg::drop_e of the descriptor: DropNone if it has a way out.
  input  logic [3:0]                        head_reason_i,
  input  logic                              head_bad_i,
  /// Its number, the number of the function that chose its output, and: none has yet that may.
  input  logic [lanecut_pkg::EpochBits-1:0] head_number_i,
  input  logic [lanecut_pkg::EpochBits-1:0] head_routed_i,
  input  logic                              head_wait_i,

  /// What the switch runs under (lanecut_pkg::scheme_e) and the number of its function.
  input  logic [1:0]                        scheme_i,
  input  logic [lanecut_pkg::EpochBits-1:0] epoch_i,
  /// EBR: the head waits for its port; the switch got its function lately (see hold_window).
  input  logic                              held_i,
  input  logic                              patient_i,
  /// EBR: the output has no room, its own head lacks credits, and neither side is an end node.
  input  logic                              stuck_i,
  /// OSR: a change is under way; this channel has passed its token; its output has sent its own; under the old function
  /// this channel could feed it.
  input  logic                              change_i,
  input  logic                              done_i,
  input  logic                              out_sent_i,
  input  logic                              feeds_i,

  output logic                              allow_o,
  output logic                              drop_o,
  /// It waits here, and for nothing else on this side of the crossbar.
  output logic                              hold_o,
  output logic [3:0]                        reason_o
);

  logic [3:0] refusal;  // of EBR or OSR
  logic       hold;     // wait for a token, or for a function

  if (EnEbr != 0 || EnOsr != 0 || EnDouble != 0) begin : gen_schemes
    logic epoch_says_drop;
    logic spared;  // from the drop test, as what stands here may flow off yet

    if (EnEbr != 0) begin : gen_ebr
      epoch_drop u_test (
        .packet_i (head_number_i),
        .routed_i (head_routed_i),
        .switch_i (epoch_i),
        .drop_o   (epoch_says_drop)
      );

      // Numbers tell three functions apart: who is two behind is not spared, or it might look new in the end.
      assign spared = EnHold != 0 && patient_i &&
                      !lanecut_link_pkg::Newer[lanecut_pkg::EpochBits'(epoch_i - 1'b1 - head_number_i)] &&
                      !lanecut_link_pkg::Newer[lanecut_pkg::EpochBits'(epoch_i - 1'b1 - head_routed_i)];
    end else begin : gen_no_ebr
      assign epoch_says_drop = 1'b0;
      assign spared          = 1'b0;

      logic unused_routed;
      assign unused_routed = ^{head_routed_i, stuck_i, held_i, patient_i};
    end

    always_comb begin
      refusal = lanecut_pkg::DropNone;
      hold    = 1'b0;
      if (head_valid_i) begin
        if (EnEbr != 0 && scheme_i == lanecut_pkg::SchemeEbr) begin
          hold = EnHold != 0 && held_i;
          if (stuck_i && epoch_says_drop && !hold && !spared) refusal = lanecut_pkg::DropEpoch;
        end else if (EnOsr != 0 && scheme_i == lanecut_pkg::SchemeOsr) begin
          if (head_number_i == epoch_i) begin
            if (change_i && done_i) refusal = lanecut_pkg::DropStale;
            else if (change_i && !feeds_i) refusal = lanecut_pkg::DropNoFeeder;
          end else if (lanecut_link_pkg::Newer[lanecut_pkg::EpochBits'(epoch_i - head_number_i)]) begin
            refusal = lanecut_pkg::DropStale;
          end else begin
            hold = head_wait_i || !change_i || !done_i || !out_sent_i || head_number_i != epoch_i + 1'b1;
          end
          if (head_wait_i) hold = 1'b1;
        end else if (EnDouble != 0 && scheme_i == lanecut_pkg::SchemeDouble) begin
          hold = head_wait_i;
        end
      end
    end
  end else begin : gen_none
    assign refusal = lanecut_pkg::DropNone;
    assign hold    = 1'b0;

    logic unused_inputs;
    assign unused_inputs = ^{head_number_i, head_routed_i, head_wait_i, scheme_i, epoch_i, held_i, patient_i, stuck_i,
                             change_i, done_i, out_sent_i, feeds_i};
  end

  always_comb begin
    reason_o = lanecut_pkg::DropNone;
    allow_o  = 1'b0;
    drop_o   = 1'b0;
    hold_o   = 1'b0;
    if (head_valid_i) begin
      reason_o = head_bad_i ? lanecut_pkg::DropBad :
                 head_reason_i != lanecut_pkg::DropNone ? head_reason_i : refusal;
      drop_o   = reason_o != lanecut_pkg::DropNone;
      allow_o  = !drop_o && !hold;
      hold_o   = !drop_o && hold;
    end
  end

endmodule : channel_gate
