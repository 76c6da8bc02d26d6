// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Types shared by all modules. Field orders and codes equal those of the C++ side (sw/wire).
package lanecut_pkg;

  // Control code beside each 32-bit word of a link (see sw/wire/word.h).
  typedef enum logic [2:0] {
    CtrlIdle      = 3'd0,
    CtrlStartData = 3'd1,
    CtrlStartLink = 3'd2,
    CtrlBody      = 3'd3,
    CtrlGoodEnd   = 3'd4,
    CtrlBadEnd    = 3'd5
  } ctrl_e;

  // Why a packet was dropped (see sw/wire/drop_reason.h).
  typedef enum logic [3:0] {
    DropNone         = 4'd0,
    DropPortInactive = 4'd1,
    DropBad          = 4'd2,
    DropNoRoom       = 4'd3,
    DropLength       = 4'd4,
    DropBadVl        = 4'd5,
    DropUnreachable  = 4'd6,
    DropVlDiscard    = 4'd7
  } drop_e;

  // PortInfo.PortState.
  typedef enum logic [2:0] {
    PortDown   = 3'd1,
    PortInit   = 3'd2,
    PortArmed  = 3'd3,
    PortActive = 3'd4
  } port_state_e;

  // Width of a block count. PktLen has 11 bits, so no packet has more than 129 blocks of 16 words.
  localparam int unsigned BlockWidth = 8;

  // One step of the link CRC (VCRC and LPCRC; CRC-16, x^16+x^12+x^3+x+1, InfiniBand vol. 1, 7.8.2) in the reflected form:
  // bit 0 of z is the highest power. Returns z * x^16 mod P. The polynomial is sparse, so four folds of four terms do it.
  function automatic logic [15:0] crc16_fold(input logic [15:0] z);
    logic [31:0] t0;
    logic [31:0] t1;
    logic [31:0] t2;
    logic [31:0] t3;
    t0 = {z, 16'b0};
    t0 = t0 ^ (t0 >> 1) ^ (t0 >> 3) ^ (t0 >> 12);
    t1 = {t0[15:0], 16'b0};
    t1 = t1 ^ (t1 >> 1) ^ (t1 >> 3) ^ (t1 >> 12);
    t2 = {t1[15:0], 16'b0};
    t2 = t2 ^ (t2 >> 1) ^ (t2 >> 3) ^ (t2 >> 12);
    t3 = {t2[15:0], 16'b0};
    t3 = t3 ^ (t3 >> 1) ^ (t3 >> 3) ^ (t3 >> 12);
    crc16_fold = t0[31:16] ^ t1[31:16] ^ t2[31:16] ^ t3[31:16];
  endfunction

  // The CRC register after one more word; the word's first byte is in bits 31:24. Start with all ones.
  function automatic logic [15:0] crc16_word(input logic [15:0] crc, input logic [31:0] word);
    logic [15:0] first;
    first = crc16_fold(crc ^ {word[23:16], word[31:24]});
    crc16_word = crc16_fold(first ^ {word[7:0], word[15:8]});
  endfunction

  // The two CRC bytes as they stand on the wire, from the CRC register.
  function automatic logic [15:0] crc16_wire(input logic [15:0] crc);
    crc16_wire = ~{crc[7:0], crc[15:8]};
  endfunction

endpackage : lanecut_pkg
