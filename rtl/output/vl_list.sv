// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * One list of a VL arbitration table: weighted round robin (InfiniBand Architecture volume 1, 7.6.9.2).
 *
 * An entry is a VL and a weight in blocks of 64 bytes. Its VL sends packets for as long as some of the weight is left and a
 * packet is ready; the last one may be longer than what is left. Then it is the turn of the next entry whose VL has a
 * packet ready, with its whole weight. Entries of weight 0 are skipped, and so are VLs that the port does not have. A VL may
 * stand in several entries, or in none.
 */
module vl_list #(
  parameter int unsigned NumVls = 2,
  /// Bits of a length in blocks of 64 bytes.
  parameter int unsigned BlockWidth = 8,
  /// Entries, even.
  parameter int unsigned Entries = 8,
  /// After reset entry i is VL i with weight 1, so that all VLs take turns by packet; else the list is empty.
  parameter int unsigned Filled = 0
) (
  input  logic                                      clk_i,
  input  logic                                      rst_i,
  /// The answer matters in this cycle; else it is zero, and a simulation is spared the search.
  input  logic                                      ask_i,
  /// VLs that may send, and the length of the packet that each would send.
  input  logic [NumVls-1:0]                         ready_i,
  input  logic [NumVls*BlockWidth-1:0] blocks_i,
  /// The VL whose turn it is, one-hot, and the length of its packet; zero if none is ready.
  output logic [NumVls-1:0]                         pick_o,
  output logic [BlockWidth-1:0]        pick_blocks_o,
  /// It sends.
  input  logic                                      take_i,

  /// Write entries 2 waddr_i (upper half of the word) and the next one: {4 bits 0, VL, weight}. The turn ends.
  input  logic                                      we_i,
  input  logic [3:0]                                waddr_i,
  input  logic [31:0]                               wdata_i
);

  logic [Entries*4-1:0] vls_q;
  logic [Entries*8-1:0] weights_q;
  logic [Entries-1:0]   turn_q;       // entry that sent last, one-hot; after reset none
  logic [7:0]           left_q;       // of its weight
  logic [Entries-1:0]   candidates;
  logic [Entries-1:0]   pool;
  logic [Entries-1:0]   turn;
  logic                 stays;
  logic [7:0]           weight;
  logic [15:0]          ready;        // of any VL that an entry may name

  assign ready = 16'(ready_i);

  always_comb begin
    candidates    = '0;
    pool          = '0;
    turn          = '0;
    stays         = 1'b0;
    weight        = '0;
    pick_o        = '0;
    pick_blocks_o = '0;
    if (ask_i) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        candidates[e] = weights_q[e*8 +: 8] != 8'd0 && ready[vls_q[e*4 +: 4]];
      end
      // Entries behind the one that sent last, else from the first on: so that one is the last choice.
      pool  = candidates & ~(turn_q | (turn_q - 1'b1));
      pool  = pool != '0 ? pool : candidates;
      stays = left_q != 8'd0 && (candidates & turn_q) != '0;
      turn  = stays ? turn_q : pool & (~pool + 1'b1);
      weight = left_q;
      for (int unsigned e = 0; e < Entries; e++) begin
        if (turn[e]) begin
          if (!stays) weight = weights_q[e*8 +: 8];
          for (int unsigned v = 0; v < NumVls; v++) begin
            if (vls_q[e*4 +: 4] == 4'(v)) pick_o[v] = 1'b1;
          end
        end
      end
      for (int unsigned v = 0; v < NumVls; v++) begin
        if (pick_o[v]) pick_blocks_o = blocks_i[v*BlockWidth +: BlockWidth];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      turn_q <= '0;
      left_q <= '0;
    end else if (we_i) begin
      left_q <= '0;
    end else if (take_i) begin
      turn_q <= turn;
      left_q <= weight > pick_blocks_o ? weight - pick_blocks_o : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        vls_q[e*4 +: 4]     <= 4'(e);
        weights_q[e*8 +: 8] <= Filled != 0 && e < NumVls ? 8'd1 : 8'd0;
      end
    end else if (we_i) begin
      for (int unsigned w = 0; w < Entries / 2; w++) begin
        if (waddr_i == 4'(w)) begin
          vls_q[w*8 +: 8]      <= {wdata_i[11:8], wdata_i[27:24]};
          weights_q[w*16 +: 16] <= {wdata_i[7:0], wdata_i[23:16]};
        end
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{wdata_i[31:28], wdata_i[15:12]};

endmodule : vl_list
