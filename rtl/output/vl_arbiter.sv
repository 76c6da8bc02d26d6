// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Seam "arbiter" of the output: which lane sends the next packet.
 *
 * What may be plugged in here sees the lanes that are ready (packet at the head, credit for all of it) and answers one of
 * them in the same cycle, or none: deadlines would belong here, nothing else does.
 *
 * VL15 goes first. Data VLs take turns by packet until the manager writes a table of VL arbitration (InfiniBand
 * Architecture volume 1, 7.6.9); then packets come from its two lists (vl_list). A packet of the high-priority list goes
 * before one of the low-priority list, but after HighLimit x 4 KiB of high-priority packets it is the turn of a low-priority
 * one. The count starts anew when a low-priority packet goes, and when its turn has come and none is ready. HighLimit 0
 * stands for a single packet, 255 for no limit. Lengths count in blocks of 64 bytes, as credits do. A VL that stands in no
 * list with a weight does not send.
 *
 * A port that may not send discards its packets in turn, whatever the table says.
 */
module vl_arbiter #(
  parameter int unsigned NumVls = 2,
  /// Bits of a length in blocks of 64 bytes.
  parameter int unsigned BlockWidth = 8,
  /// Entries of each list: 4, 8, 16 or 32; 0: there are no tables.
  parameter int unsigned VlArbEntries = 0,
  localparam int unsigned Lanes = NumVls + 1
) (
  input  logic                                      clk_i,
  input  logic                                      rst_i,
  /// The sender chooses in this cycle: only then an answer is asked for.
  input  logic                                      choose_i,
  /// The port may send data.
  input  logic                                      send_data_i,
  input  logic [Lanes-1:0]                          ready_i,
  input  logic [NumVls*BlockWidth-1:0] blocks_i,
  /// One-hot, zero if none is ready.
  output logic [Lanes-1:0]                          chosen_o,
  /// The chosen lane starts in this cycle.
  input  logic                                      start_i,

  /// Write a word of a table: waddr_i is {HighLimit, high-priority list, word of the list}; HighLimit as it stands in PortInfo.
  input  logic                                      we_i,
  input  logic [5:0]                                waddr_i,
  input  logic [31:0]                               wdata_i
);

  logic [NumVls-1:0] after_q;  // data VLs behind the one served last
  logic [NumVls-1:0] data;
  logic [NumVls-1:0] pool;
  logic [NumVls-1:0] in_turn;
  logic              weighted;
  logic [NumVls-1:0] by_weight;
  logic              start_data;

  assign data       = ready_i[NumVls-1:0];
  assign pool       = |(data & after_q) ? data & after_q : data;
  assign in_turn    = pool & (~pool + 1'b1);
  assign start_data = start_i && !chosen_o[NumVls];

  assign chosen_o[NumVls]     = ready_i[NumVls];
  assign chosen_o[NumVls-1:0] = ready_i[NumVls] ? '0 : weighted ? by_weight : in_turn;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      after_q <= '0;
    end else if (start_data) begin
      after_q <= ~(chosen_o[NumVls-1:0] | (chosen_o[NumVls-1:0] - 1'b1));
    end
  end

  if (VlArbEntries != 0) begin : gen_lists
    localparam int unsigned CountBits = 15;  // of 254 x 64 blocks and a packet more

    logic                  written_q;  // there is a table
    logic [7:0]            high_limit_q;
    logic [CountBits-1:0]  count_q;    // blocks sent from the high-priority list, up to the limit
    logic                  ask;
    logic                  due;        // the low-priority list's turn has come
    logic                  from_high;
    logic [NumVls-1:0]     high;
    logic [NumVls-1:0]     low;
    logic [BlockWidth-1:0] high_blocks;
    logic [BlockWidth-1:0] unused_low_blocks;

    assign weighted = written_q && send_data_i;
    assign ask      = weighted && choose_i && data != '0;

    vl_list #(
      .NumVls     (NumVls),
      .BlockWidth (BlockWidth),
      .Entries    (VlArbEntries),
      .Filled     (0)
    ) u_high (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .ask_i         (ask),
      .ready_i       (data),
      .blocks_i      (blocks_i),
      .pick_o        (high),
      .pick_blocks_o (high_blocks),
      .take_i        (weighted && start_data && from_high),
      .we_i          (we_i && waddr_i[5:4] == 2'b01),
      .waddr_i       (waddr_i[3:0]),
      .wdata_i       (wdata_i)
    );

    vl_list #(
      .NumVls     (NumVls),
      .BlockWidth (BlockWidth),
      .Entries    (VlArbEntries),
      .Filled     (1)
    ) u_low (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .ask_i         (ask),
      .ready_i       (data),
      .blocks_i      (blocks_i),
      .pick_o        (low),
      .pick_blocks_o (unused_low_blocks),
      .take_i        (weighted && start_data && !from_high),
      .we_i          (we_i && waddr_i[5:4] == 2'b00),
      .waddr_i       (waddr_i[3:0]),
      .wdata_i       (wdata_i)
    );

    always_comb begin
      due       = 1'b0;
      from_high = 1'b0;
      by_weight = '0;
      if (ask) begin
        due       = high_limit_q != 8'd255 && count_q != '0 && count_q >= {1'b0, high_limit_q, 6'd0};
        from_high = high != '0 && !(due && low != '0);
        by_weight = from_high ? high : low;
      end
    end

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        written_q    <= 1'b0;
        high_limit_q <= '0;
        count_q      <= '0;
      end else begin
        if (we_i && waddr_i[5]) high_limit_q <= wdata_i[15:8];
        if (we_i && !waddr_i[5]) written_q <= 1'b1;
        if (weighted && start_data) begin
          if (!from_high || high_limit_q == 8'd255) count_q <= '0;
          else count_q <= (due ? '0 : count_q) + CountBits'(high_blocks);
        end
      end
    end
  end else begin : gen_no_lists
    assign weighted  = 1'b0;
    assign by_weight = '0;

    logic unused_tables;
    assign unused_tables = ^{choose_i, send_data_i, blocks_i, we_i, waddr_i, wdata_i};
  end

endmodule : vl_arbiter
