// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Types and positions shared by the modules of the management agent.
 *
 * Word indices count from the start of the LRH; MAD word k is packet word 7 + k.
 * Source: InfiniBand Architecture volume 1, 13.4 (MAD), 14.2.1 (SMP formats).
 */
package lanecut_mgmt_pkg;

  // Words of an SMP: LRH 0..1, BTH 2..4, DETH 5..6, MAD 7..70, ICRC 71, then the end word.
  localparam logic [6:0] WordMad0     = 7'd7;   // versions, class, method
  localparam logic [6:0] WordMad1     = 7'd8;   // status, hop pointer, hop count
  localparam logic [6:0] WordTidLow   = 7'd10;
  localparam logic [6:0] WordAttr     = 7'd11;
  localparam logic [6:0] WordModifier = 7'd12;
  localparam logic [6:0] WordKey      = 7'd13;  // M_Key, 2 words
  localparam logic [6:0] WordDrLids   = 7'd15;
  localparam logic [6:0] WordData     = 7'd23;  // 16 words of attribute data
  localparam logic [6:0] WordInitial  = 7'd39;  // 16 words, one byte per hop
  localparam logic [6:0] WordReturn   = 7'd55;  // 16 words, one byte per hop
  localparam logic [6:0] WordIcrc     = 7'd71;
  localparam logic [6:0] WordEnd      = 7'd72;

  // Words of a compact packet (sw/wire/compact.h): LRH 0..1, BTH 2..4, path 5.., then {attribute, length, method} or, in
  // an answer, {attribute, status}; in a request the modifier; data; ICRC, then the end word.
  localparam logic [6:0] WordOpcode   = 7'd2;
  localparam logic [6:0] WordHop      = 7'd3;
  localparam logic [6:0] WordNumber   = 7'd4;
  localparam logic [6:0] WordPath     = 7'd5;
  localparam logic [6:0] MaxCompact   = 7'd75;  // PktLen: 59 words of data behind the longest path
  localparam logic [7:0] OpcodeAnswer = 8'h20;  // bit of the opcode

  localparam logic [10:0] SmpPktLen   = 11'd72;
  localparam logic [7:0]  SmpWireLen  = 8'd73;
  localparam logic [7:0]  OpcodeUd    = 8'h64;

  localparam logic [7:0] ClassLid         = 8'h01;
  localparam logic [7:0] ClassDirected    = 8'h81;
  localparam logic [7:0] ClassPerformance = 8'h04;  // the one general service: queue pair 1, on data VLs

  localparam logic [7:0] MethodGet          = 8'h01;
  localparam logic [7:0] MethodSet          = 8'h02;
  localparam logic [7:0] MethodTrap         = 8'h05;
  localparam logic [7:0] MethodTrapRepress  = 8'h07;
  localparam logic [7:0] MethodGetResp      = 8'h81;

  localparam logic [15:0] AttrNotice       = 16'h0002;
  localparam logic [15:0] AttrNodeDesc     = 16'h0010;
  localparam logic [15:0] AttrNodeInfo     = 16'h0011;
  localparam logic [15:0] AttrSwitchInfo   = 16'h0012;
  localparam logic [15:0] AttrGuidInfo     = 16'h0014;
  localparam logic [15:0] AttrPortInfo     = 16'h0015;
  localparam logic [15:0] AttrPKeys        = 16'h0016;
  localparam logic [15:0] AttrSlToVl       = 16'h0017;
  localparam logic [15:0] AttrVlArb        = 16'h0018;
  localparam logic [15:0] AttrLft          = 16'h0019;
  localparam logic [15:0] AttrMulticast    = 16'h001B;
  localparam logic [15:0] AttrStatus       = 16'hFF00;
  localparam logic [15:0] AttrBank         = 16'hFF02;
  localparam logic [15:0] AttrLftOther     = 16'hFF03;
  localparam logic [15:0] AttrSlToVlOther  = 16'hFF04;
  localparam logic [15:0] AttrPortCounters = 16'hFF05;
  localparam logic [15:0] AttrEndNodePorts = 16'hFF06;
  localparam logic [15:0] AttrScheme       = 16'hFF07;
  localparam logic [15:0] AttrFunction     = 16'hFF08;
  localparam logic [15:0] AttrFeederRows   = 16'hFF09;
  localparam logic [15:0] AttrVlDrain      = 16'hFF0B;
  localparam logic [15:0] AttrUpdate       = 16'hFF0A;

  // Attributes of performance management (16.1.3).
  localparam logic [15:0] AttrClassInfo    = 16'h0001;
  localparam logic [15:0] AttrPmaCounters  = 16'h0012;
  localparam logic [15:0] AttrPmaExtended  = 16'h001D;

  // MAD status; the 16th bit is the direction of a directed route.
  localparam logic [14:0] StatusOk           = 15'h0000;
  localparam logic [14:0] StatusBusy         = 15'h0001;
  localparam logic [14:0] StatusBadVersion   = 15'h0004;
  localparam logic [14:0] StatusUnsupported  = 15'h000C;
  localparam logic [14:0] StatusInvalidField = 15'h001C;

  localparam logic [7:0] Unreachable = 8'hFF;

  /// Attributes as the agent tells them apart.
  typedef enum logic [4:0] {
    KindNone,
    KindNodeDesc,
    KindNodeInfo,
    KindSwitchInfo,
    KindPortInfo,
    KindSlToVl,
    KindLft,
    KindStatus,
    KindBank,
    KindEndNodePorts,
    KindScheme,
    KindFunction,
    KindFeederRows,
    KindVlDrain,
    KindUpdate,
    KindCounters,
    KindGuidInfo,
    KindPKeys,
    KindMulticast,
    KindVlArb,
    KindClassInfo,
    KindPmaCounters,
    KindPmaExtended
  } kind_e;

  /// What the receiver found out about a packet it accepted.
  typedef struct packed {
    /// A compact packet, one that was flooded, words of its path, and its PktLen.
    logic       compact;
    logic       flood;
    logic [3:0] path_words;
    logic [6:0] length;
    /// A general management packet, that came on a data VL.
    logic       general;
    /// The route ends here: serve it (else: relay to port egress).
    logic       is_local;
    /// Directed route (else routed by LID; the response swaps the LIDs).
    logic       directed;
    /// Method Set.
    logic       is_set;
    /// Method TrapRepress.
    logic       repress;
    /// Base or class version is not 1.
    logic       bad_version;
    /// Write the arrival port into the return path at the index hop.
    logic       put_return;
    logic [5:0] return_index;
    /// Hop pointer of what is sent.
    logic [5:0] hop;
    /// Arrival port.
    logic [3:0] ingress;
    /// Port to send to; for a directed-route response that is the arrival port.
    logic [3:0] egress;
  } desc_t;

  localparam int unsigned DescWidth = 40;
  localparam int unsigned PlainDescWidth = 27;  // without the first four

endpackage : lanecut_mgmt_pkg
