// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The switch's port 0: subnet management agent in hardware.
//
// Management packets (SMPs on VL15) arrive from the crossbar, are checked (length, ICRC), and are
// then relayed along their directed route, answered from the attributes of this switch, or dropped.
// Two engines work side by side: engine 0 takes requests and everything that is not a directed-route
// response and serves the attributes; engine 1 relays directed-route responses. Each relays 73-word
// SMPs back to back. Data packets that are routed to port 0 are consumed and counted.
//
// Stream in: words LRH word 0 .. ICRC back to back, one per cycle with in_valid_i, then one end word
// (in_end_i) which stands where the VCRC word was. Stream out: a first-word-fall-through head that
// the crossbar pops without a gap from grant to the end word; link_tx fills in VL and VCRC.
//
// Source: InfiniBand Architecture volume 1, chapter 14 (directed route: 14.2.2; attributes: 14.2.5).
module mgmt_agent #(
  /// External ports, 1..14 (port numbers are 4 bits wide inside the switch).
  parameter int unsigned NumPorts   = 6,
  /// Data VLs per port: 1, 2, 4 or 8 (3 and 5..7 are reported as the next lower code).
  parameter int unsigned NumVls     = 2,
  /// Input buffer of a data VL in blocks of 64 bytes; bounds the MTU that is announced.
  parameter int unsigned BufBlocks  = 16,
  /// Input buffer of VL15 in blocks of 64 bytes, as reported by the Status attribute.
  parameter int unsigned Vl15Blocks = 32,
  /// Entries of the linear forwarding table: a power of two, 64 at least.
  parameter int unsigned LftDepth   = 256
) (
  /// Clock: one word per cycle.
  input  logic                  clk_i,
  /// Synchronous reset, active high.
  input  logic                  rst_i,
  /// Slow time base, one cycle every 4096: trap repetition.
  input  logic                  tick_i,

  /// NodeGUID, SystemImageGUID and port GUID (strap).
  input  logic [63:0]           guid_i,
  /// NodeDescription: 16 ASCII characters, first one in bits 127:120, NUL padded (strap).
  input  logic [127:0]          name_i,

  /// Bit e: the crossbar delivers a word to engine e.
  input  logic [1:0]            in_valid_i,
  /// Engine e's word in bits 32e+31:32e.
  input  logic [63:0]           in_data_i,
  /// The word is the end word (its data mean nothing).
  input  logic [1:0]            in_end_i,
  /// With in_end_i: the packet is bad or truncated.
  input  logic [1:0]            in_bad_i,
  /// External port on which the packet arrived, 1..NumPorts, stable during the packet.
  input  logic [7:0]            in_port_i,
  /// The packet came on VL15 (1) or on a data VL (0), stable during the packet.
  input  logic [1:0]            in_vl15_i,
  /// Room for one packet more than the one being received.
  output logic [1:0]            in_ready_o,

  /// Engine e offers a packet; the head word stands on out_data_o.
  output logic [1:0]            out_req_o,
  /// Egress port of the packet offered, 1..NumPorts.
  output logic [7:0]            out_port_o,
  /// Length of the packet offered in wire words, with the VCRC word.
  output logic [15:0]           out_len_o,
  /// Head word.
  output logic [63:0]           out_data_o,
  /// The head is the end word (VCRC's place).
  output logic [1:0]            out_end_o,
  /// Take the head word.
  input  logic [1:0]            out_pop_i,

  /// Write an LFT word: 4 entries at LID = 4 * tbl_addr_o, lowest LID in bits 31:24.
  output logic                  tbl_lft_we_o,
  /// Write an SLtoVL word: tbl_addr_o = {in port, out port, upper half}, SL 0 (8) in bits 31:28.
  output logic                  tbl_sl_we_o,
  /// Bank that is written.
  output logic                  tbl_bank_o,
  /// Word address, see the write enables.
  output logic [15:0]           tbl_addr_o,
  /// Word written.
  output logic [31:0]           tbl_data_o,
  /// Active bank.
  output logic                  bank_o,
  /// Routing-function number of the active bank.
  output logic [4:0]            epoch_o,

  /// PortState of port p in bits 3p-1:3p-3 (lanecut_pkg::port_state_e).
  input  logic [NumPorts*3-1:0] port_state_i,
  /// One-cycle command to port p (bit p-1): go to port_set_state_o.
  output logic [NumPorts-1:0]   port_set_o,
  /// State commanded: 1 Down, 3 Armed, 4 Active.
  output logic [2:0]            port_set_state_o,

  /// Counter to read: port.
  output logic [3:0]            cnt_port_o,
  /// Counter to read: word of attribute 0xFF05.
  output logic [3:0]            cnt_index_o,
  /// Its value, in the same cycle.
  input  logic [31:0]           cnt_data_i,
  /// Data packets received on external ports.
  input  logic [31:0]           data_rcvd_i,
  /// Data packets sent on external ports.
  input  logic [31:0]           data_sent_i,
  /// Data packets dropped.
  input  logic [31:0]           data_dropped_i,
  /// Some data VL queue holds a packet.
  input  logic                  data_busy_i,

  /// LID of this switch (0: not assigned).
  output logic [15:0]           lid_o,
  /// No packet and no work pending but what waits for tick_i.
  output logic                  idle_o,
  /// Something impossible happened (sticky until reset).
  output logic                  error_o
);

  // Placeholder: ready for everything, answers nothing.
  logic unused_inputs;
  assign unused_inputs = ^{clk_i, rst_i, tick_i, guid_i, name_i, in_valid_i, in_data_i, in_end_i,
                           in_bad_i, in_port_i, in_vl15_i, out_pop_i, port_state_i, cnt_data_i,
                           data_rcvd_i, data_sent_i, data_dropped_i, data_busy_i,
                           NumVls, BufBlocks, Vl15Blocks, LftDepth};
  assign in_ready_o       = 2'b11;
  assign out_req_o        = 2'b00;
  assign out_port_o       = 8'd0;
  assign out_len_o        = 16'd0;
  assign out_data_o       = 64'd0;
  assign out_end_o        = 2'b00;
  assign tbl_lft_we_o     = 1'b0;
  assign tbl_sl_we_o      = 1'b0;
  assign tbl_bank_o       = 1'b0;
  assign tbl_addr_o       = 16'd0;
  assign tbl_data_o       = 32'd0;
  assign bank_o           = 1'b0;
  assign epoch_o          = 5'd0;
  assign port_set_o       = '0;
  assign port_set_state_o = 3'd0;
  assign cnt_port_o       = 4'd0;
  assign cnt_index_o      = 4'd0;
  assign lid_o            = 16'd0;
  assign idle_o           = 1'b1;
  assign error_o          = 1'b0;

endmodule : mgmt_agent
