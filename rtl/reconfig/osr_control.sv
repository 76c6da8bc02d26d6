// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * OSR (overlapping static reconfiguration): which channels of this switch have passed the token of the change under way.
 *
 * A channel is a (port, data VL) of one direction. Every channel carries old packets, one token, new packets, in that
 * order. An input channel has processed its token when a newer packet, or a token packet, is first in its queue and
 * nothing older is left; a channel whose port takes no data gets its token by itself. An output channel sends its token
 * when all input channels that could feed it under the old function (its feeder row) have processed theirs, at once if
 * there is none. When all have, and the inactive bank holds the new function, the switch flips: that bank becomes active
 * and the number counts on. A change begins with the manager's command or with the first sign of it on a channel.
 *
 * Feeder rows exist once per bank and are written by the manager; after reset they are empty.
 *
 * Source: O. Lysne et al., An Efficient and Deadlock-Free Network Reconfiguration Protocol, IEEE Transactions on
 * Computers 57(6), 2008; feeders are traced from sources to destinations, since the rule as printed ("all outputs in the
 * table") is cyclic for tables that are indexed by destination.
 */
module osr_control #(
  /// Channels of each direction: external ports times data VLs; channel (port - 1) * NumVls + vl.
  parameter int unsigned Channels = 12
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  /// The switch runs under OSR.
  input  logic                         enable_i,
  /// The manager's command to start the change to the next number (pulse).
  input  logic                         start_i,
  /// The inactive bank holds the next function.
  input  logic                         ready_i,
  input  logic                         bank_i,

  /// Input channels: a newer packet, complete and good, is first and nothing is being read; no packet is queued; a token
  /// that is newer than the switch's number has arrived; the port takes no data.
  input  logic [Channels-1:0]          head_new_i,
  input  logic [Channels-1:0]          drained_i,
  input  logic [Channels-1:0]          token_i,
  input  logic [Channels-1:0]          dead_i,

  /// Writes 32 bits of a row: those from 32 * row_word_i on.
  input  logic                         row_we_i,
  input  logic                         row_bank_i,
  input  logic [6:0]                   row_i,
  input  logic [1:0]                   row_word_i,
  input  logic [31:0]                  row_data_i,
  output logic [31:0]                  row_data_o,

  /// A change is under way.
  output logic                         change_o,
  /// Input channels that have processed their token, output channels that have sent theirs.
  output logic [Channels-1:0]          done_o,
  output logic [Channels-1:0]          sent_o,
  /// Rows of the active bank: bit o * Channels + c set if c could feed o.
  output logic [Channels*Channels-1:0] feeds_o,
  /// The switch changes to the other bank with this clock edge.
  output logic                         flip_o,
  /// Something here changes with this clock edge.
  output logic                         busy_o
);

  localparam int unsigned RowWords = (Channels + 31) / 32;

  localparam int unsigned BankBits = Channels * Channels;

  logic [2*BankBits-1:0]        rows_q;
  logic [BankBits-1:0]          row_bank;
  logic [Channels-1:0]          written;  // row that is written, as it is
  logic [RowWords*32-1:0]       merged;   // and with the new word
  logic [RowWords*32-1:0]       read;

  assign row_bank = row_bank_i ? rows_q[BankBits +: BankBits] : rows_q[0 +: BankBits];

  always_comb begin
    written = '0;
    for (int unsigned o = 0; o < Channels; o++) begin
      if (row_i == 7'(o)) written = row_bank[o*Channels +: Channels];
    end
    read   = (RowWords*32)'(written);
    merged = read;
    for (int unsigned w = 0; w < RowWords; w++) begin
      if (row_word_i == 2'(w)) merged[w*32 +: 32] = row_data_i;
    end
    row_data_o = '0;
    for (int unsigned w = 0; w < RowWords; w++) begin
      if (row_word_i == 2'(w)) row_data_o = read[w*32 +: 32];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || row_we_i) begin
      for (int unsigned b = 0; b < 2; b++) begin
        for (int unsigned o = 0; o < Channels; o++) begin
          if (rst_i) rows_q[b*BankBits + o*Channels +: Channels] <= '0;
          else if (row_bank_i == 1'(b) && row_i == 7'(o)) begin
            rows_q[b*BankBits + o*Channels +: Channels] <= merged[Channels-1:0];
          end
        end
      end
    end
  end

  // Bits of a row beyond its channels.
  logic unused_merged;
  assign unused_merged = ^merged;

  assign feeds_o = bank_i ? rows_q[BankBits +: BankBits] : rows_q[0 +: BankBits];

  logic                change_q;
  logic [Channels-1:0] done_q;
  logic [Channels-1:0] sent_q;
  logic [Channels-1:0] done_d;
  logic [Channels-1:0] sent_d;
  logic                sign;

  assign sign = enable_i && (start_i || (head_new_i | token_i) != '0);

  always_comb begin
    done_d = done_q;
    sent_d = sent_q;
    if (change_q) begin
      done_d = done_q | head_new_i | (drained_i & (token_i | dead_i));
      for (int unsigned o = 0; o < Channels; o++) begin
        if ((feeds_o[o*Channels +: Channels] & ~done_q) == '0) sent_d[o] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || flip_o || !enable_i) begin
      change_q <= 1'b0;
      done_q   <= '0;
      sent_q   <= '0;
    end else begin
      if (sign) change_q <= 1'b1;
      done_q <= done_d;
      sent_q <= sent_d;
    end
  end

  assign flip_o   = change_q && ready_i && done_q == '1 && sent_q == '1;
  assign busy_o   = flip_o || (sign && !change_q) || done_d != done_q || sent_d != sent_q;
  assign change_o = change_q;
  assign done_o   = done_q;
  assign sent_o   = sent_q;

`ifndef SYNTHESIS
  // Rule 1: an output channel that has sent its token has no feeder left that might send it an old packet.
  always_ff @(posedge clk_i) begin
    if (!rst_i && sent_q != '0) begin
      for (int unsigned o = 0; o < Channels; o++) begin
        assert (!sent_q[o] || (feeds_o[o*Channels +: Channels] & ~done_q) == '0);
      end
    end
  end
`endif

endmodule : osr_control
