// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Invariant CRC of a packet with LRH and BTH, one word per cycle.
 *
 * CRC-32 of Ethernet over LRH..payload, where what a switch may change counts as constant: LRH.VL
 * and the reserved byte of the BTH as ones, the reserved bits beside PktLen (they carry the number
 * of the routing function) as zeros. Source: InfiniBand Architecture volume 1, 7.8.1.
 *
 * The 32 steps of a word are one matrix over GF(2), unrolled at elaboration: every bit of the next
 * CRC is the parity of a masked word.
 */
module icrc32 (
  /// Clock.
  input  logic        clk_i,
  /// Take a word.
  input  logic        en_i,
  /// Its index from the start of the LRH; 0 starts a new CRC.
  input  logic [6:0]  index_i,
  /// The word, and: it counts as ones (the path of a compact packet).
  input  logic [31:0] data_i,
  input  logic        ones_i,
  /// ICRC word as it is sent behind the words taken so far.
  output logic [31:0] icrc_o
);

  localparam logic [31:0] Polynomial = 32'hEDB88320;

  // Bits 32j+31:32j: which bits of (CRC xor word) make up bit j of the next CRC.
  function automatic logic [1023:0] make_rows();
    logic [31:0] column;
    make_rows = '0;
    for (int i = 0; i < 32; i++) begin
      column = 32'd1 << i;
      for (int k = 0; k < 32; k++) begin
        column = column[0] ? (column >> 1) ^ Polynomial : (column >> 1);
      end
      for (int j = 0; j < 32; j++) begin
        make_rows[32 * j + i] = column[j];
      end
    end
  endfunction

  localparam logic [1023:0] Rows = make_rows();

  function automatic logic [31:0] byte_swap(logic [31:0] word);
    byte_swap = {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

  function automatic logic [31:0] mask(logic [6:0] index, logic [31:0] word);
    case (index)
      7'd0:    mask = word | 32'hF000_0000;
      7'd1:    mask = word & 32'h07FF_FFFF;
      7'd3:    mask = word | 32'hFF00_0000;
      default: mask = word;
    endcase
  endfunction

  function automatic logic [31:0] step(logic [31:0] sum);
    for (int j = 0; j < 32; j++) begin
      step[j] = ^(sum & Rows[32 * j +: 32]);
    end
  endfunction

  logic [31:0] crc_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      crc_q <= step(((index_i == 7'd0) ? 32'hFFFF_FFFF : crc_q) ^ byte_swap(mask(index_i, data_i) | {32{ones_i}}));
    end
  end

  assign icrc_o = byte_swap(~crc_q);

endmodule : icrc32
