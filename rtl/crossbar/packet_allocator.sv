// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Allocator of one crossbar output (one lane of one port): which input sends it the next packet.
 *
 * Round robin by packet. A head that was chosen keeps its turn until its packet fits or is gone, or long packets would
 * never find room behind short ones. A packet crosses only if the whole of it fits (virtual cut-through). The choice is
 * made while the end word of the packet before passes, so no cycle is lost.
 *
 * Packets that are already in the network go before those that end nodes inject, and an injected packet leaves a
 * quarter of the output queue free or finds it empty: or a network that is offered more than it can carry carries less
 * and less, because injected packets take the room that would let the others out. Injection is served after at most
 * MaxTransitRun packets that went before it.
 */
module packet_allocator #(
  /// Crossbar inputs.
  parameter int unsigned NumIn = 20,
  /// Blocks of an output queue for data.
  parameter int unsigned OutBlocks = 16,
  /// Packets that may pass one that waits to be injected, 1 to 255.
  parameter int unsigned MaxTransitRun = 32,
  localparam int unsigned SelWidth = $clog2(NumIn)
) (
  input  logic                                     clk_i,
  input  logic                                     rst_i,
  /// Some head wants this output, and which ones do.
  input  logic                                     wanted_i,
  input  logic [NumIn-1:0]                         request_i,
  /// Which inputs come from end nodes; changes rarely.
  input  logic [NumIn-1:0]                         inject_i,
  /// Length in blocks of every input's head.
  input  logic [NumIn*lanecut_pkg::BlockWidth-1:0] blocks_i,
  /// Free blocks of the output queue.
  input  logic [lanecut_pkg::BlockWidth-1:0]       free_i,
  /// The end word of the packet that is crossing passes.
  input  logic                                     end_i,
  /// One-hot: this input's packet crosses from the next cycle on.
  output logic [NumIn-1:0]                         grant_o,
  /// A packet was granted in this cycle: its first word crosses in the next one; its length in blocks.
  output logic                                     announce_o,
  output logic [lanecut_pkg::BlockWidth-1:0]       announce_blocks_o,
  /// A packet is crossing, and from where.
  output logic                                     active_o,
  output logic                                     first_o,
  output logic [SelWidth-1:0]                      sel_o,
  /// Its length in blocks, valid with first_o.
  output logic [lanecut_pkg::BlockWidth-1:0]       blocks_o
);

  logic                               active_q;
  logic                               first_q;
  logic [SelWidth-1:0]                sel_q;
  logic [lanecut_pkg::BlockWidth-1:0] blocks_q;
  logic                               held_q;      // held_sel_q was chosen and waits for room
  logic [SelWidth-1:0]                held_sel_q;
  logic [NumIn-1:0]                   after_q;     // inputs behind the one of their class that was served last
  logic [7:0]                         run_q;       // packets that have passed the injection that waits

  logic                               choosing;
  logic                               inject_turn;
  logic [NumIn-1:0]                   first;       // requests of the class whose turn it is
  logic [NumIn-1:0]                   pool;
  logic [SelWidth-1:0]                pick;
  logic [lanecut_pkg::BlockWidth-1:0] pick_blocks;
  logic [lanecut_pkg::BlockWidth-1:0] need;        // free blocks that it takes
  logic                               fits;

  localparam logic [lanecut_pkg::BlockWidth-1:0] Empty = lanecut_pkg::BlockWidth'(OutBlocks);
  localparam logic [lanecut_pkg::BlockWidth-1:0] Reserve = lanecut_pkg::BlockWidth'(OutBlocks / 4);

  assign choosing    = wanted_i && (!active_q || end_i);
  assign inject_turn = run_q == 8'(MaxTransitRun);

  always_comb begin
    first       = '0;
    pool        = '0;
    pick        = '0;
    pick_blocks = '0;
    need        = '0;
    fits        = 1'b0;
    if (choosing) begin
      first = request_i & ~inject_i;
      if (first == '0 || inject_turn) first = request_i & inject_i;
      if (first == '0) first = request_i;
      pool = (first & after_q) != '0 ? first & after_q : first;
      if (held_q && first[held_sel_q]) begin
        pick = held_sel_q;
      end else begin
        for (int unsigned i = NumIn; i > 0; i--) begin
          if (pool[i-1]) pick = SelWidth'(i - 1);
        end
      end
      pick_blocks = blocks_i[pick*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth];
      need        = pick_blocks;
      if (inject_i[pick] && !inject_turn && free_i != Empty) need = need + Reserve;
      fits        = need <= free_i;
    end
  end

  logic             injects;  // what is granted
  logic [NumIn-1:0] same;     // inputs of its class

  always_comb begin
    grant_o = '0;
    injects = 1'b0;
    same    = '0;
    if (fits) begin
      grant_o[pick] = 1'b1;
      injects       = inject_i[pick];
      same          = injects ? inject_i : ~inject_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      active_q   <= 1'b0;
      first_q    <= 1'b0;
      sel_q      <= '0;
      blocks_q   <= '0;
      held_q     <= 1'b0;
      held_sel_q <= '0;
      after_q    <= '0;
      run_q      <= '0;
    end else if (wanted_i || active_q || held_q) begin
      first_q <= fits;
      if (fits) begin
        active_q <= 1'b1;
        sel_q    <= pick;
        blocks_q <= pick_blocks;
        held_q   <= 1'b0;
        after_q  <= (after_q & ~same) | (~(grant_o | (grant_o - 1'b1)) & same);
        if (injects) run_q <= '0;
        else if ((request_i & inject_i) != '0 && !inject_turn) run_q <= run_q + 8'd1;
      end else begin
        if (end_i) active_q <= 1'b0;
        if (choosing) begin
          held_q     <= 1'b1;
          held_sel_q <= pick;
        end else if (!active_q || end_i) begin
          held_q <= 1'b0;
        end
      end
    end
  end

  assign announce_o        = fits;
  assign announce_blocks_o = pick_blocks;
  assign active_o          = active_q;
  assign first_o           = first_q;
  assign sel_o             = sel_q;
  assign blocks_o          = blocks_q;

`ifndef SYNTHESIS
  // Rule 1: at most one input is granted, and only one that asked.
  always_ff @(posedge clk_i) begin
    if (!rst_i && fits) begin
      assert ((grant_o & (grant_o - 1'b1)) == '0);
      assert ((grant_o & ~request_i) == '0);
    end
  end
`endif

endmodule : packet_allocator
