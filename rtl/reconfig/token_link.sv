// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Tokens of OSR on one link: sends those of the port's output channels, keeps those that have arrived for its input
 * channels.
 *
 * A token's place is behind the packets that stood in the output queue when its channel sent it; newer packets may
 * overtake it, because they imply it. It is repeated with every tick and when the port becomes Active, until it is
 * acknowledged, so one that is lost arrives later. Every token that arrives is acknowledged; one that is not newer than
 * the switch's number means nothing any more.
 *
 * Source: Lysne et al. 2008 (see osr_control); numbers, repetition and acknowledgement are this switch's.
 */
module token_link #(
  parameter int unsigned NumVls = 2,
  /// Blocks of an output queue: at most so many packets stand in it.
  parameter int unsigned BufBlocks = 16
) (
  input  logic                                     clk_i,
  input  logic                                     rst_i,
  input  logic                                     tick_i,
  /// The port is Active.
  input  logic                                     send_data_i,
  /// The switch's number.
  input  logic [lanecut_pkg::EpochBits-1:0]        epoch_i,

  /// Output channels: has sent its token to the next number; a packet joins its queue; one leaves for the wire.
  input  logic [NumVls-1:0]                        sent_i,
  input  logic [NumVls-1:0]                        join_i,
  input  logic [NumVls-1:0]                        leave_i,
  /// To link_tx: tokens and acknowledgements that want to go, and those that go now.
  output logic [NumVls-1:0]                        token_want_o,
  output logic [NumVls-1:0]                        ack_want_o,
  output logic [NumVls*lanecut_pkg::EpochBits-1:0] token_number_o,
  output logic [NumVls*lanecut_pkg::EpochBits-1:0] ack_number_o,
  input  logic [NumVls-1:0]                        token_go_i,
  input  logic [NumVls-1:0]                        ack_go_i,

  /// From link_rx.
  input  logic                                     rx_token_i,
  input  logic                                     rx_ack_i,
  input  logic [3:0]                               rx_vl_i,
  input  logic [lanecut_pkg::EpochBits-1:0]        rx_number_i,

  /// Input channels: a token newer than the switch's number has arrived.
  output logic [NumVls-1:0]                        token_o,
  output logic                                     busy_o
);

  localparam int unsigned EpochBits = lanecut_pkg::EpochBits;
  localparam int unsigned CountWidth = $clog2(BufBlocks) + 1;

  logic send_data_q;
  logic repeats;  // what is not acknowledged goes again

  logic [NumVls-1:0] settles;  // a register here follows with the next clock edge

  always_ff @(posedge clk_i) send_data_q <= send_data_i;

  assign repeats = tick_i || (send_data_i && !send_data_q);

  for (genvar v = 0; v < NumVls; v++) begin : gen_vl
    // Sending.
    logic [CountWidth-1:0] queued_q;   // packets in the output queue
    logic [CountWidth-1:0] queued_d;
    logic [CountWidth-1:0] ahead_q;    // of these, those ahead of the token
    logic                  sent_q;
    logic                  sends;
    logic                  due_q;
    logic                  unacked_q;
    logic [EpochBits-1:0]  number_q;
    logic                  acked;

    assign queued_d = queued_q + {{(CountWidth - 1){1'b0}}, join_i[v]} - {{(CountWidth - 1){1'b0}}, leave_i[v]};
    assign sends    = sent_i[v] && !sent_q;
    assign acked    = rx_ack_i && rx_vl_i == 4'(v) && rx_number_i == number_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        queued_q  <= '0;
        ahead_q   <= '0;
        sent_q    <= 1'b0;
        due_q     <= 1'b0;
        unacked_q <= 1'b0;
        number_q  <= '0;
      end else begin
        sent_q   <= sent_i[v];
        queued_q <= queued_d;
        if (sends) begin
          ahead_q   <= queued_d;
          number_q  <= epoch_i + 1'b1;
          due_q     <= 1'b1;
          unacked_q <= 1'b1;
        end else begin
          if (leave_i[v] && ahead_q != '0) ahead_q <= ahead_q - 1'b1;
          if (acked) begin
            unacked_q <= 1'b0;
            due_q     <= 1'b0;
          end else if (repeats) begin
            due_q <= unacked_q;
          end else if (token_go_i[v]) begin
            due_q <= 1'b0;
          end
        end
      end
    end

    assign token_want_o[v]                           = due_q && send_data_i && ahead_q == '0;
    assign token_number_o[v*EpochBits +: EpochBits] = number_q;

    // Receiving.
    logic                 arrives;
    logic                 ack_due_q;
    logic [EpochBits-1:0] ack_number_q;
    logic                 valid_q;   // arrived_q is newer than the switch's number
    logic [EpochBits-1:0] arrived_q;
    logic                 is_newest;

    assign arrives   = rx_token_i && rx_vl_i == 4'(v);
    assign is_newest = lanecut_link_pkg::Newer[EpochBits'(rx_number_i - (valid_q ? arrived_q : epoch_i))];

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        ack_due_q    <= 1'b0;
        ack_number_q <= '0;
        valid_q      <= 1'b0;
        arrived_q    <= '0;
      end else begin
        if (arrives) begin
          ack_due_q    <= 1'b1;
          ack_number_q <= rx_number_i;
        end else if (ack_go_i[v] || !send_data_i) begin
          ack_due_q <= 1'b0;
        end
        if (arrives && is_newest) begin
          valid_q   <= 1'b1;
          arrived_q <= rx_number_i;
        end else if (valid_q && !lanecut_link_pkg::Newer[EpochBits'(arrived_q - epoch_i)]) begin
          valid_q <= 1'b0;
        end
      end
    end

    assign ack_want_o[v]                          = ack_due_q && send_data_i;
    assign ack_number_o[v*EpochBits +: EpochBits] = ack_number_q;
    assign token_o[v]                             = valid_q && lanecut_link_pkg::Newer[EpochBits'(arrived_q - epoch_i)];
    assign settles[v]                             = sent_i[v] != sent_q || valid_q != token_o[v];
  end

  assign busy_o = token_want_o != '0 || ack_want_o != '0 || send_data_i != send_data_q || settles != '0;

endmodule : token_link
