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
  parameter int unsigned BufBlocks = 16,
  localparam int unsigned CountWidth = $clog2(BufBlocks) + 1
) (
  input  logic                                     clk_i,
  input  logic                                     rst_i,
  input  logic                                     tick_i,
  /// The port is Active.
  input  logic                                     send_data_i,
  /// The switch's number.
  input  logic [lanecut_pkg::EpochBits-1:0]        epoch_i,

  /// Output channels: has sent its token to the next number; packets in its queue; one joins it; one leaves for the wire.
  input  logic [NumVls-1:0]                        sent_i,
  input  logic [NumVls*CountWidth-1:0]             queued_i,
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

  logic send_data_q;
  always_ff @(posedge clk_i) send_data_q <= send_data_i;

  // Sending.
  logic [NumVls-1:0]            sent_q;
  logic [NumVls-1:0]            due_q;
  logic [NumVls-1:0]            unacked_q;
  logic [NumVls*CountWidth-1:0] ahead_q;    // packets ahead of the token
  logic [NumVls*EpochBits-1:0]  number_q;
  // Receiving.
  logic [NumVls-1:0]            ack_due_q;
  logic [NumVls*EpochBits-1:0]  ack_number_q;
  logic [NumVls-1:0]            valid_q;    // the one that has arrived is newer than the switch's number
  logic [NumVls*EpochBits-1:0]  arrived_q;
  // Without a token about nothing here changes: nearly always, so simulation is spared the rest.
  logic                         awake;

  assign awake = rx_token_i || (sent_i | sent_q | due_q | unacked_q | ack_due_q | valid_q) != '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sent_q    <= '0;
      ahead_q   <= '0;
      number_q  <= '0;
      due_q     <= '0;
      unacked_q <= '0;
    end else if (awake) begin
      sent_q <= sent_i;
      for (int unsigned v = 0; v < NumVls; v++) begin
        if (sent_i[v] && !sent_q[v]) begin
          ahead_q[v*CountWidth +: CountWidth] <= queued_i[v*CountWidth +: CountWidth] +
                                                 {{(CountWidth - 1){1'b0}}, join_i[v]} -
                                                 {{(CountWidth - 1){1'b0}}, leave_i[v]};
          number_q[v*EpochBits +: EpochBits]  <= epoch_i + 1'b1;
          due_q[v]     <= 1'b1;
          unacked_q[v] <= 1'b1;
        end else begin
          if (leave_i[v] && ahead_q[v*CountWidth +: CountWidth] != '0) begin
            ahead_q[v*CountWidth +: CountWidth] <= ahead_q[v*CountWidth +: CountWidth] - 1'b1;
          end
          if (rx_ack_i && rx_vl_i == 4'(v) && rx_number_i == number_q[v*EpochBits +: EpochBits]) begin
            unacked_q[v] <= 1'b0;
            due_q[v]     <= 1'b0;
          end else if (tick_i || (send_data_i && !send_data_q)) begin  // what is not acknowledged goes again
            due_q[v] <= unacked_q[v];
          end else if (token_go_i[v]) begin
            due_q[v] <= 1'b0;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      ack_due_q    <= '0;
      ack_number_q <= '0;
      valid_q      <= '0;
      arrived_q    <= '0;
    end else if (awake) begin
      for (int unsigned v = 0; v < NumVls; v++) begin
        if (rx_token_i && rx_vl_i == 4'(v)) begin
          ack_due_q[v]                           <= 1'b1;
          ack_number_q[v*EpochBits +: EpochBits] <= rx_number_i;
        end else if (ack_go_i[v] || !send_data_i) begin
          ack_due_q[v] <= 1'b0;
        end
        if (rx_token_i && rx_vl_i == 4'(v) && lanecut_link_pkg::Newer[EpochBits'(rx_number_i -
            (valid_q[v] ? arrived_q[v*EpochBits +: EpochBits] : epoch_i))]) begin
          valid_q[v]                          <= 1'b1;
          arrived_q[v*EpochBits +: EpochBits] <= rx_number_i;
        end else if (!token_o[v]) begin
          valid_q[v] <= 1'b0;
        end
      end
    end
  end

  // What leads to link_tx comes from registers of the port alone.
  always_comb begin
    token_want_o = '0;
    if (send_data_i && due_q != '0) begin
      for (int unsigned v = 0; v < NumVls; v++) begin
        token_want_o[v] = due_q[v] && ahead_q[v*CountWidth +: CountWidth] == '0;
      end
    end
  end

  always_comb begin
    token_o = '0;
    if (valid_q != '0) begin
      for (int unsigned v = 0; v < NumVls; v++) begin
        token_o[v] = valid_q[v] && lanecut_link_pkg::Newer[EpochBits'(arrived_q[v*EpochBits +: EpochBits] - epoch_i)];
      end
    end
  end

  assign token_number_o = number_q;
  assign ack_want_o     = send_data_i ? ack_due_q : '0;
  assign ack_number_o   = ack_number_q;

  assign busy_o = token_want_o != '0 || ack_want_o != '0 || send_data_i != send_data_q ||
                  sent_i != sent_q || valid_q != token_o;

endmodule : token_link
