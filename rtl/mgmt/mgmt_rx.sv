// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Receives packets for port 0, checks them and decides where their route goes on.
 *
 * The words go to the engine's memory as they come; on the way the fields that matter are
 * captured. At the end word an SMP (VL15, UD SEND Only, 72 words, good ICRC) is judged by the
 * rules of the directed route and, if its route is sound, committed with a descriptor. Everything
 * else vanishes; data packets (not VL15) are counted by their good end. One of them is served: the
 * general management packet of an SMP's size to queue pair 1, of the class for performance.
 *
 * A compact packet that comes here ends here: it is judged by its length, its ICRC and its method.
 *
 * Routes with a part by LID (DrSLID or DrDLID not permissive) are not carried: dropped.
 * Source: InfiniBand Architecture volume 1, 14.2.2 (C14-9 outbound, C14-13 returning).
 */
module mgmt_rx #(
  /// Packets whose route ends here are accepted (else dropped).
  parameter bit Serve = 1'b1,
  /// External ports: a route to another one is dropped.
  parameter int unsigned NumPorts = 6,
  /// Accept compact packets.
  parameter int unsigned EnCompact = 0,
  /// Accept general packets (needs Serve).
  parameter int unsigned EnPma = 0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        valid_i,
  input  logic [31:0] data_i,
  input  logic        end_i,
  input  logic        bad_i,
  input  logic [3:0]  port_i,
  input  logic        vl15_i,
  /// Between first word and end word.
  output logic        receiving_o,
  /// Write data_i to the slot at index_o.
  output logic        write_o,
  output logic [6:0]  index_o,
  /// The packet in the slot is complete and good.
  output logic        commit_o,
  output logic [lanecut_mgmt_pkg::DescWidth-1:0] desc_o,
  /// A good data packet was consumed.
  output logic        data_done_o
);

  // Longest packet stored: the size of a slot.
  localparam logic [6:0] SlotWords = 7'd80;

  logic [6:0]  index_q;
  logic        receiving_q;
  logic        header_ok_q;
  logic        icrc_ok_q;
  logic        permissive_q;  // the DrLID of the direction the packet travels in
  logic        bad_version_q;
  logic        compact_q;
  logic [4:0]  opcode_q;      // of a compact packet: flooded, words of the path
  logic [6:0]  length_q;      // PktLen
  logic        is_smp_q;      // PktLen is that of an SMP
  logic [6:0]  attr_word_q;   // where a compact packet has attribute and method
  logic [7:0]  class_q;
  logic [7:0]  method_q;
  logic        returning_q;
  logic [7:0]  hop_pointer_q;
  logic [7:0]  hop_count_q;
  logic [7:0]  next_port_q;   // the byte of the path that says where to go from here
  logic [31:0] icrc;
  logic        looked_at;     // what cannot be for this engine is not

  assign looked_at = valid_i && !end_i && (vl15_i || EnPma != 0);

  icrc32 u_icrc (
    .clk_i   (clk_i),
    .en_i    (looked_at),
    .index_i (index_q),
    .data_i  (data_i),
    .ones_i  (compact_q && index_q >= lanecut_mgmt_pkg::WordPath && index_q < attr_word_q),
    .icrc_o  (icrc)
  );

  // Which byte of the path names the next port: one on, or one back (+ 63 modulo 64).
  logic [5:0] path_index;
  logic [6:0] path_word;

  assign path_index = hop_pointer_q[5:0] + (returning_q ? 6'd63 : 6'd1);
  assign path_word  = (returning_q ? lanecut_mgmt_pkg::WordReturn : lanecut_mgmt_pkg::WordInitial) +
                      {3'd0, path_index[5:2]};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      index_q     <= '0;
      receiving_q <= 1'b0;
    end else if (valid_i) begin
      receiving_q <= !end_i;
      if (end_i) index_q <= '0;
      else if (index_q != SlotWords) index_q <= index_q + 7'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (looked_at) begin
      case (index_q)
        7'd0: header_ok_q <= data_i[17:16] == 2'd2;
        7'd1: begin
          length_q    <= data_i[22:16];
          is_smp_q    <= data_i[26:16] == lanecut_mgmt_pkg::SmpPktLen;
          header_ok_q <= header_ok_q && data_i[26:16] < 11'd80;  // a slot
        end
        7'd2: begin
          compact_q   <= EnCompact != 0 && vl15_i && data_i[31:30] == 2'b11;
          opcode_q    <= data_i[28:24];
          attr_word_q <= lanecut_mgmt_pkg::WordPath + {3'd0, data_i[27:24]};
          if (EnCompact == 0 || !vl15_i || data_i[31:30] != 2'b11) begin
            header_ok_q <= header_ok_q && is_smp_q && data_i[31:24] == lanecut_mgmt_pkg::OpcodeUd;
          end else begin
            // Attribute, modifier and ICRC at least; no answer ends at a switch.
            header_ok_q <= header_ok_q && !data_i[29] && data_i[27:24] <= 4'd8 &&
                           length_q >= 7'd8 + {3'd0, data_i[27:24]} && length_q <= lanecut_mgmt_pkg::MaxCompact;
          end
        end
        // Of a compact packet that is no queue pair, but zero all the same.
        7'd3: header_ok_q <= header_ok_q && data_i[23:0] == {23'd0, !vl15_i};
        lanecut_mgmt_pkg::WordMad0: begin
          bad_version_q <= data_i[31:24] != 8'd1 || data_i[15:8] != 8'd1;
          class_q       <= data_i[23:16];
          if (!compact_q) method_q <= data_i[7:0];
        end
        lanecut_mgmt_pkg::WordMad1: begin
          returning_q   <= data_i[31];
          hop_pointer_q <= data_i[15:8];
          hop_count_q   <= data_i[7:0];
        end
        lanecut_mgmt_pkg::WordDrLids: permissive_q <= data_i == 32'hFFFF_FFFF;
        lanecut_mgmt_pkg::WordIcrc: icrc_ok_q <= data_i == icrc;
        default: begin
          if (!compact_q && index_q == path_word) begin
            case (path_index[1:0])
              2'd0: next_port_q <= data_i[31:24];
              2'd1: next_port_q <= data_i[23:16];
              2'd2: next_port_q <= data_i[15:8];
              default: next_port_q <= data_i[7:0];
            endcase
          end
        end
      endcase
      if (compact_q && index_q >= lanecut_mgmt_pkg::WordPath) begin
        if (index_q == attr_word_q) method_q <= data_i[7:0];
        icrc_ok_q <= data_i == icrc;
      end
    end
  end

  // Judgement at the end word.
  logic                    intact;
  logic                    served;
  logic                    accept;
  lanecut_mgmt_pkg::desc_t desc;

  assign intact = !bad_i && (vl15_i || EnPma != 0) && index_q == (EnCompact != 0 ? length_q : lanecut_mgmt_pkg::WordEnd) &&
                  index_q >= lanecut_mgmt_pkg::WordMad1 && header_ok_q && icrc_ok_q;
  assign served = Serve && (method_q == lanecut_mgmt_pkg::MethodGet ||
                            method_q == lanecut_mgmt_pkg::MethodSet ||
                            method_q == lanecut_mgmt_pkg::MethodTrapRepress);

  always_comb begin
    accept            = 1'b0;
    desc              = '0;
    if (valid_i && end_i && intact) begin
      desc.is_set       = method_q == lanecut_mgmt_pkg::MethodSet;
      desc.repress      = method_q == lanecut_mgmt_pkg::MethodTrapRepress;
      desc.bad_version  = bad_version_q;
      desc.return_index = hop_pointer_q[5:0];
      desc.ingress      = port_i;
      desc.egress       = next_port_q[3:0];
      if (compact_q) begin
        desc.is_local    = 1'b1;
        desc.directed    = 1'b1;
        desc.repress     = 1'b0;
        desc.bad_version = 1'b0;
        desc.compact     = 1'b1;
        desc.flood       = opcode_q[4];
        desc.path_words  = opcode_q[3:0];
        desc.length      = length_q;
        desc.egress      = port_i;
        // A Set has a word of data at least.
        accept           = Serve && (desc.is_set ? length_q > attr_word_q + 7'd3 :
                                    method_q == lanecut_mgmt_pkg::MethodGet && !desc.flood);
      end else if (!vl15_i) begin
        desc.is_local = 1'b1;
        desc.general  = 1'b1;
        accept        = served && !desc.repress && class_q == lanecut_mgmt_pkg::ClassPerformance;
      end else if (class_q == lanecut_mgmt_pkg::ClassLid) begin
        desc.is_local = 1'b1;
        accept        = served;
      end else if (class_q == lanecut_mgmt_pkg::ClassDirected && hop_count_q < 8'd64 &&
                   permissive_q) begin
        desc.directed = 1'b1;
        if (!returning_q && hop_pointer_q == hop_count_q) begin
          // The end of the route. The response leaves with the hop pointer stepped forth and back.
          desc.is_local   = 1'b1;
          desc.put_return = hop_count_q != 8'd0;
          desc.hop        = hop_count_q[5:0];
          desc.egress     = port_i;
          accept          = served;
        end else if (!returning_q) begin
          desc.put_return = 1'b1;
          desc.hop        = hop_pointer_q[5:0] + 6'd1;
          accept          = hop_pointer_q != 8'd0 && hop_pointer_q < hop_count_q;
        end else begin
          desc.hop = hop_pointer_q[5:0] - 6'd1;
          accept   = hop_pointer_q >= 8'd2 && hop_pointer_q <= hop_count_q;
        end
        // A port that is Down is no reason: its output queue discards the packet where everybody sees it.
        if (!desc.is_local && (next_port_q == 8'd0 || next_port_q > 8'(NumPorts))) accept = 1'b0;
      end
    end
  end

  assign receiving_o = receiving_q;
  assign index_o     = index_q;
  assign write_o     = looked_at && index_q != SlotWords;
  assign commit_o    = accept;
  assign desc_o      = desc;
  assign data_done_o = valid_i && end_i && !bad_i && !vl15_i;

endmodule : mgmt_rx
