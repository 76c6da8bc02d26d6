// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Packet buffer of one lane, used at inputs and outputs: a ring of 64-byte blocks with one writer and one reader.
 *
 * A packet takes whole blocks, reserved with its first word and freed with its end word, so that free_o is exactly what
 * the credits of the link layer promise. The end word stands in the place of the VCRC and carries good or bad. Writer and
 * reader each move one word per cycle without a gap, so a reader that starts after the writer never overtakes it: that
 * is what makes cut-through safe. A truncated packet still occupies the blocks of the length in its header.
 *
 * Timing: a word written in cycle t can be read (rd_data_o) in t+1; a descriptor pushed in t is at the head in t+1.
 */
module packet_queue #(
  /// Size in blocks of 16 words, a power of two.
  parameter int unsigned Blocks = 16,
  /// Bits of what the owner wants to remember of a packet.
  parameter int unsigned InfoWidth = 10,
  localparam int unsigned FreeWidth = $clog2(Blocks) + 1
) (
  input  logic                               clk_i,
  input  logic                               rst_i,

  /// Writer: words of a packet in consecutive cycles.
  input  logic                               wr_valid_i,
  input  logic                               wr_start_i,
  /// Blocks to reserve, valid with wr_start_i; not more than free_o.
  input  logic [lanecut_pkg::BlockWidth-1:0] wr_blocks_i,
  input  logic [31:0]                        wr_data_i,
  input  logic                               wr_end_i,
  /// With wr_end_i: the packet is bad.
  input  logic                               wr_bad_i,

  /// Descriptor of a packet whose first word has been written or is written in the next cycle; in the order of the packets.
  input  logic                               push_i,
  input  logic [lanecut_pkg::BlockWidth-1:0] push_blocks_i,
  input  logic [InfoWidth-1:0]               push_info_i,

  /// Oldest packet whose reading has not started.
  output logic                               head_valid_o,
  /// It and those behind it.
  output logic [FreeWidth-1:0]               count_o,
  output logic [lanecut_pkg::BlockWidth-1:0] head_blocks_o,
  output logic [InfoWidth-1:0]               head_info_o,
  /// The head has already been found bad: its end has arrived.
  output logic                               head_bad_o,
  /// The end of the head has arrived.
  output logic                               head_ended_o,
  /// Starts reading the head: its words are popped from the next cycle on.
  input  logic                               take_i,

  /// Reader.
  output logic [31:0]                        rd_data_o,
  output logic                               rd_end_o,
  output logic                               rd_bad_o,
  input  logic                               rd_pop_i,

  /// Blocks not reserved.
  output logic [FreeWidth-1:0]               free_o,
  output logic                               empty_o,
  /// Rules broken, those of the descriptors included. Sticky.
  output logic [lanecut_pkg::Rules-1:0]      broken_o
);

  localparam int unsigned BlkPtr = $clog2(Blocks);
  localparam int unsigned AddrWidth = BlkPtr + 4;

  // Writer.
  logic [BlkPtr-1:0]    wblk_q;   // first block of the next packet
  logic [AddrWidth-1:0] wptr_q;   // next word of the open packet
  logic [AddrWidth-1:0] waddr;

  assign waddr = wr_start_i ? {wblk_q, 4'b0} : wptr_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wblk_q <= '0;
      wptr_q <= '0;
    end else if (wr_valid_i) begin
      wptr_q <= waddr + 1'b1;
      if (wr_start_i) wblk_q <= wblk_q + wr_blocks_i[BlkPtr-1:0];
    end
  end

  // Reader.
  logic [AddrWidth-1:0] rptr_q;
  logic [AddrWidth-1:0] raddr;
  logic [BlkPtr-1:0]    rblk_q;         // first block of the packet after the one being read
  logic [FreeWidth-1:0] read_blocks_q;  // blocks of the packet being read
  logic                 free_now;

  assign free_now = rd_pop_i && rd_end_o;
  assign raddr    = !rd_pop_i ? rptr_q : rd_end_o ? {rblk_q, 4'b0} : rptr_q + 1'b1;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      rptr_q        <= '0;
      rblk_q        <= '0;
      read_blocks_q <= '0;
    end else begin
      if (rd_pop_i) rptr_q <= raddr;
      if (take_i) begin
        rblk_q        <= rblk_q + head_blocks[BlkPtr-1:0];
        read_blocks_q <= head_blocks;
      end
    end
  end

  logic [33:0] rd_word;

  ram_1w1r #(
    .Width(34),
    .Depth(Blocks * 16)
  ) u_words (
    .clk_i   (clk_i),
    .we_i    (wr_valid_i),
    .waddr_i (waddr),
    .wdata_i ({wr_bad_i, wr_end_i, wr_data_i}),
    .re_i    (rd_pop_i || (wr_valid_i && waddr == rptr_q)),
    .raddr_i (raddr),
    .rdata_o (rd_word)
  );

  assign rd_data_o = rd_word[31:0];
  assign rd_end_o  = rd_word[32];
  assign rd_bad_o  = rd_word[33];

  // Descriptors, and one bit per packet for an end that turned out bad before the packet was taken.
  logic [lanecut_pkg::Rules-1:0] fifo_broken;
  logic [BlkPtr:0]    wslot_q;  // one bit more than a slot: a queue may be full of packets that have ended
  logic [BlkPtr:0]    rslot_q;
  logic [Blocks-1:0]  bad_q;

  // No packet has more blocks than the queue.
  logic [FreeWidth-1:0] head_blocks;
  logic                 unused_blocks;

  assign unused_blocks = ^push_blocks_i;

  assign head_blocks_o = lanecut_pkg::BlockWidth'(head_blocks);

  desc_fifo #(
    .Width(FreeWidth + InfoWidth),
    .Depth(Blocks)
  ) u_descs (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .push_i  (push_i),
    .data_i  ({push_blocks_i[FreeWidth-1:0], push_info_i}),
    .valid_o (head_valid_o),
    .data_o  ({head_blocks, head_info_o}),
    .count_o (count_o),
    .pop_i   (take_i),
    .broken_o(fifo_broken)
  );

  assign head_ended_o = wslot_q != rslot_q;

  always_comb begin
    head_bad_o = 1'b0;
    if (head_valid_o) head_bad_o = bad_q[rslot_q[BlkPtr-1:0]];
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wslot_q <= '0;
      rslot_q <= '0;
      bad_q   <= '0;
    end else begin
      if (wr_valid_i && (wr_start_i || wr_end_i)) bad_q[wslot_q[BlkPtr-1:0]] <= wr_bad_i && wr_end_i;
      if (wr_valid_i && wr_end_i) wslot_q <= wslot_q + 1'b1;
      if (take_i) rslot_q <= rslot_q + 1'b1;
    end
  end

  // Space.
  logic [FreeWidth-1:0] free_q;
  logic [FreeWidth-1:0] free_d;
  logic                 empty_q;
  logic                 reserve;
  logic [lanecut_pkg::Rules-1:0] broken;

  assign reserve = wr_valid_i && wr_start_i;

  always_comb begin
    free_d  = free_q;
    broken  = fifo_broken;
    if (reserve) begin
      free_d  = free_d - wr_blocks_i[FreeWidth-1:0];
      broken[lanecut_pkg::RuleReserve] = wr_blocks_i > {{(lanecut_pkg::BlockWidth - FreeWidth){1'b0}}, free_q};
    end
    if (free_now) begin
      free_d = free_d + read_blocks_q;
      broken[lanecut_pkg::RuleRelease] = free_d > FreeWidth'(Blocks);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      free_q  <= FreeWidth'(Blocks);
      empty_q <= 1'b1;
    end else if (reserve || free_now) begin
      free_q  <= free_d;
      empty_q <= free_d == FreeWidth'(Blocks);
    end
  end

  assign free_o  = free_q;
  assign empty_o = empty_q;

  logic [lanecut_pkg::Rules-1:0] broken_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) broken_q <= '0;
    else if (broken != '0) broken_q <= broken_q | broken;
  end

  assign broken_o = broken_q;

endmodule : packet_queue
