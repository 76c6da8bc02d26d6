// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Streams packets from an engine's memory to the crossbar, rewriting words and the ICRC on the
 * way.
 *
 * Three stages, each advancing when the next one is empty or moves: fetch (addresses memory and
 * attributes), read (memory data; words are substituted here) and head (what the crossbar sees). A
 * packet once started is never short of words, and the next one follows without a gap.
 *
 * Three kinds of packets: relayed (hop pointer and return path rewritten), responses (header,
 * method, status and attribute data rewritten; started by go_i) and traps (every word from
 * trap_word_i). A response to a compact packet has a length of its own: path, status and as many
 * words of data as were asked for. A flooded packet leaves as it came, once for each port (copy_i).
 */
module mgmt_tx #(
  /// Answer and copy compact packets.
  parameter int unsigned EnCompact = 0,
  /// Answer general packets.
  parameter int unsigned EnPma = 0
) (
  input  logic        clk_i,
  input  logic        rst_i,

  /// Oldest packet in the memory.
  input  logic        head_valid_i,
  input  logic [lanecut_mgmt_pkg::DescWidth-1:0] head_i,
  /// Start no relayed packet.
  input  logic        hold_i,
  /// Level: send the response to the head.
  input  logic        go_i,
  /// Level: send a trap.
  input  logic        trap_i,
  /// Level: send the head as it is, to egress_i.
  input  logic        copy_i,
  /// The last word of a packet has been fetched: go_i, trap_i or copy_i is served, a slot becomes free (not with the latter two).
  output logic        done_o,
  /// Between packets, and the memory's output is not needed any more.
  output logic        quiet_o,
  /// Nothing on the way out.
  output logic        empty_o,

  /// Response and trap: egress; response: LIDs of the request, status.
  input  logic [3:0]  egress_i,
  input  logic [15:0] slid_i,
  input  logic [15:0] dlid_i,
  input  logic [14:0] status_i,
  /// Compact response: words of data.
  input  logic [4:0]  words_i,
  /// Response to a general request: data VL.
  input  logic [3:0]  vl_i,

  /// Memory read: word index in the head's slot, data one cycle later.
  output logic        fetch_o,
  output logic [6:0]  fetch_index_o,
  input  logic [31:0] mem_data_i,
  /// Attribute read: index of the data word, the word one cycle later.
  output logic        attr_fetch_o,
  output logic [3:0]  attr_index_o,
  input  logic [31:0] attr_data_i,
  /// Index and word of the trap, in the same cycle.
  output logic [6:0]  trap_index_o,
  input  logic [31:0] trap_word_i,

  output logic        req_o,
  output logic [3:0]  port_o,
  /// VL: 15, or that of a general response.
  output logic [3:0]  vl_o,
  /// Wire words, with the end word.
  output logic [7:0]  len_o,
  output logic [31:0] data_o,
  output logic        end_o,
  input  logic        pop_i
);

  lanecut_mgmt_pkg::desc_t head;
  logic                    unused_head;

  assign head        = head_i;
  assign unused_head = ^head;

  function automatic logic in_data(logic [6:0] index);
    in_data = index >= lanecut_mgmt_pkg::WordData && index < lanecut_mgmt_pkg::WordInitial;
  endfunction

  // Where things are in the packet that is sent: attribute and status (compact), and the end.
  logic       compact;
  logic       attr_data;  // the word being fetched is one of an attribute
  logic [6:0] attr_word;
  logic [6:0] last;

  assign compact   = EnCompact != 0 && head.compact && go_i;
  assign attr_word = lanecut_mgmt_pkg::WordPath + {3'd0, head.path_words};
  assign last      = compact ? attr_word + 7'd2 + {2'd0, words_i} :
                     (EnCompact != 0 && copy_i) ? head.length : lanecut_mgmt_pkg::WordEnd;

  ////////////
  // Stages //
  ////////////

  logic [6:0]  fetch_index_q;
  logic        read_valid_q;
  logic [6:0]  read_index_q;
  logic        read_attr_q;  // it is a word of the attribute, the ICRC, the end word
  logic        read_icrc_q;
  logic        read_end_q;
  logic        head_valid_q;
  logic        end_q;
  logic [3:0]  port_q;
  logic [3:0]  vl_q;
  logic [7:0]  len_q;
  logic [31:0] data_q;

  logic running;
  logic head_free;
  logic fetch;
  logic load;

  assign running   = fetch_index_q != 7'd0 || trap_i || go_i || copy_i ||
                     (head_valid_i && !head.is_local && !hold_i);
  assign head_free = !head_valid_q || pop_i;
  assign fetch     = running && (!read_valid_q || head_free);
  assign load      = read_valid_q && head_free;

  assign done_o        = fetch && fetch_index_q == last;
  assign quiet_o       = fetch_index_q == 7'd0 && !read_valid_q;
  assign empty_o       = quiet_o && !head_valid_q;
  assign fetch_o       = fetch;
  assign fetch_index_o = fetch_index_q;
  assign attr_data     = go_i && (compact ? fetch_index_q > attr_word && fetch_index_q < last - 7'd1 :
                                            in_data(fetch_index_q));
  assign attr_fetch_o  = fetch && attr_data;
  assign attr_index_o  = 4'(fetch_index_q - (compact ? attr_word + 7'd1 : lanecut_mgmt_pkg::WordData));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      fetch_index_q <= '0;
      read_valid_q  <= 1'b0;
      head_valid_q  <= 1'b0;
    end else begin
      if (fetch) begin
        fetch_index_q <= (fetch_index_q == last) ? 7'd0 : fetch_index_q + 7'd1;
      end
      if (fetch || load) read_valid_q <= fetch;
      if (load || pop_i) head_valid_q <= load;
    end
  end

  //////////////////
  // Substitution //
  //////////////////

  // The descriptor is that of the packet in the read stage up to the ICRC, for it is dropped with
  // the fetch of the end word.
  logic [31:0] icrc;
  logic [31:0] word;

  assign trap_index_o = read_index_q;

  always_comb begin
    word = mem_data_i;
    if (read_valid_q) begin
      if (trap_i) begin
        word = trap_word_i;
      end else if (compact) begin
        case (read_index_q)
          7'd1:                           word[26:16] = {4'd0, last};
          lanecut_mgmt_pkg::WordOpcode:   word[31:24] = mem_data_i[31:24] | lanecut_mgmt_pkg::OpcodeAnswer;
          // The way back begins with the entry of this switch.
          lanecut_mgmt_pkg::WordHop:      word[31:24] = mem_data_i[31:24] - 8'd1;
          default: ;
        endcase
        if (read_index_q == attr_word) word[15:0] = {1'b0, status_i};
        if (read_attr_q) word = attr_data_i;
      end else if (!copy_i) begin
        if (go_i) begin
          if (!head.directed && read_index_q == 7'd0) word[15:0] = slid_i;
          if (!head.directed && read_index_q == 7'd1) word[15:0] = dlid_i;
          if (read_index_q == lanecut_mgmt_pkg::WordMad0) begin
            word[7:0] = lanecut_mgmt_pkg::MethodGetResp;
          end
          if (read_index_q == lanecut_mgmt_pkg::WordMad1) begin
            word[31:16] = {head.directed, status_i};
          end
          if (read_attr_q && status_i == lanecut_mgmt_pkg::StatusOk) begin
            word = attr_data_i;
          end
        end
        if (head.directed && read_index_q == lanecut_mgmt_pkg::WordMad1) begin
          word[15:8] = {2'd0, head.hop};
        end
        if (head.put_return &&
            read_index_q == lanecut_mgmt_pkg::WordReturn + {3'd0, head.return_index[5:2]}) begin
          case (head.return_index[1:0])
            2'd0: word[31:24] = {4'd0, head.ingress};
            2'd1: word[23:16] = {4'd0, head.ingress};
            2'd2: word[15:8]  = {4'd0, head.ingress};
            default: word[7:0] = {4'd0, head.ingress};
          endcase
        end
      end
    end
  end

  icrc32 u_icrc (
    .clk_i   (clk_i),
    .en_i    (load && !read_icrc_q && !read_end_q),
    .index_i (read_index_q),
    .data_i  (word),
    .ones_i  (compact && read_index_q >= lanecut_mgmt_pkg::WordPath && read_index_q < attr_word),
    .icrc_o  (icrc)
  );

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      read_index_q <= fetch_index_q;
      read_attr_q  <= attr_data;
      read_icrc_q  <= fetch_index_q == last - 7'd1;
      read_end_q   <= fetch_index_q == last;
    end
    if (load) begin
      data_q <= read_icrc_q ? icrc : word;
      end_q  <= read_end_q;
      if (read_index_q == 7'd0) begin
        port_q <= (go_i || trap_i || copy_i) ? egress_i : head.egress;
        vl_q   <= (EnPma != 0 && go_i && head.general) ? vl_i : 4'd15;
        len_q  <= {1'b0, last} + 8'd1;
      end
    end
  end

  assign req_o  = head_valid_q;
  assign port_o = port_q;
  assign vl_o   = vl_q;
  assign len_o  = EnCompact != 0 ? len_q : lanecut_mgmt_pkg::SmpWireLen;
  assign data_o = data_q;
  assign end_o  = end_q;

`ifndef SYNTHESIS
  logic popping_q;  // in the middle of a packet: words are owed without a gap
  always_ff @(posedge clk_i) begin
    if (rst_i) popping_q <= 1'b0;
    else if (pop_i) popping_q <= !end_q;
  end
  // Rule 1: only what is there is taken.
  always_ff @(posedge clk_i) if (!rst_i && pop_i) assert (head_valid_q);
  // Rule 2: a packet that has started is never short of words.
  always_ff @(posedge clk_i) if (!rst_i && popping_q) assert (head_valid_q);
  // Rule 3: response and trap exclude each other.
  always_ff @(posedge clk_i) if (!rst_i && trap_i) assert (!go_i && !copy_i);
`endif

endmodule : mgmt_tx
