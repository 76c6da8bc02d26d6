// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * The link CRC (VCRC and LPCRC; CRC-16, x^16+x^12+x^3+x+1, InfiniBand vol. 1, 7.8.2), one word per cycle, combinational.
 *
 * Reflected form: bit 0 of the register is the highest power. The polynomial is sparse, so a multiplication by x^16
 * modulo it takes four folds of four terms; a word takes two. A module, and not a function of the package, because
 * Verilator numbers the variables of an inlined function and would not see that all ports are alike.
 */
module crc16 (
  /// Without it next_o is zero.
  input  logic        en_i,
  /// Register after the words so far; all ones at the start.
  input  logic [15:0] crc_i,
  /// The word, its first byte in bits 31:24.
  input  logic [31:0] word_i,
  /// Register after this word.
  output logic [15:0] next_o
);

  logic [15:0] sum;
  logic [31:0] fold;

  always_comb begin
    sum  = '0;
    fold = '0;
    if (en_i) begin
      for (int unsigned half = 0; half < 2; half++) begin
        fold = {16'b0, (half == 0) ? crc_i ^ {word_i[23:16], word_i[31:24]} : sum ^ {word_i[7:0], word_i[15:8]}};
        sum  = '0;
        for (int unsigned k = 0; k < 4; k++) begin
          fold = {fold[15:0], 16'b0};
          fold = fold ^ (fold >> 1) ^ (fold >> 3) ^ (fold >> 12);
          sum  = sum ^ fold[31:16];
        end
      end
    end
  end

  assign next_o = sum;

endmodule : crc16
