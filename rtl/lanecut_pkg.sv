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
    DropVlDiscard    = 4'd7,
    DropEpoch        = 4'd12,
    DropStale        = 4'd13,
    DropNoFeeder     = 4'd14
  } drop_e;

  // What routing-function numbers do (see sw/mad/attributes.h, VendorScheme).
  typedef enum logic [1:0] {
    SchemeNone   = 2'd0,
    SchemeEbr    = 2'd1,
    SchemeOsr    = 2'd2,
    SchemeDouble = 2'd3
  } scheme_e;

  // Rules of a port's modules that a correct switch never breaks. Each module raises the bits of its own rules, beside
  // the logic that they guard; lanecut_switch asserts them, port by port. (An assertion inside these modules would name its
  // instance, and a simulation could no longer run one code for all ports.)
  typedef enum logic [2:0] {
    RuleFifoPop  = 3'd0,  // desc_fifo: a pop takes a descriptor
    RuleFifoPush = 3'd1,  // desc_fifo: a push finds a free entry
    RuleReserve  = 3'd2,  // packet_queue: no block is promised twice
    RuleRelease  = 3'd3,  // packet_queue: no more blocks are freed than there are
    RuleOneHead  = 3'd4,  // link_rx: a packet begins after the last one has ended
    RuleOneLane  = 3'd5,  // link_tx: a packet starts from exactly one lane, and this one is ready
    Rules        = 3'd6   // their number
  } rule_e;

  // Bits of a routing-function number that count.
  localparam int unsigned EpochBits = 3;

  // Width of the time for which EBR lets a head wait, in cycles.
  localparam int unsigned HoldBits = 20;

  // PortInfo.PortState.
  typedef enum logic [2:0] {
    PortDown   = 3'd1,
    PortInit   = 3'd2,
    PortArmed  = 3'd3,
    PortActive = 3'd4
  } port_state_e;

  // Width of a block count. PktLen has 11 bits, so no packet has more than 129 blocks of 16 words.
  localparam int unsigned BlockWidth = 8;

endpackage : lanecut_pkg
