// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * One relay engine of the management agent: receiver, memory of three packets, sender.
 *
 * One packet may arrive while one leaves and one waits, so relayed packets pass back to back even
 * when the crossbar takes a little time to grant. Packets leave in the order of their arrival; one
 * that ends here (served outside) holds up those behind it.
 */
module mgmt_engine #(
  /// Packets whose route ends here are kept for the server (else dropped).
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
  /// Accept packets (low until the tables are initialized).
  input  logic        enable_i,

  /// From the crossbar, as in mgmt_agent.
  input  logic        in_valid_i,
  input  logic [31:0] in_data_i,
  input  logic        in_end_i,
  input  logic        in_bad_i,
  input  logic [3:0]  in_port_i,
  input  logic        in_vl15_i,
  output logic        in_ready_o,

  /// To the crossbar, as in mgmt_agent.
  output logic        out_req_o,
  output logic [3:0]  out_port_o,
  output logic [3:0]  out_vl_o,
  output logic [7:0]  out_len_o,
  output logic [31:0] out_data_o,
  output logic        out_end_o,
  input  logic        out_pop_i,

  /// Server: oldest packet.
  output logic        head_valid_o,
  output logic [lanecut_mgmt_pkg::DescWidth-1:0] head_o,
  /// Server: the memory's read port is free, nothing is being sent but for the word at the head.
  output logic        quiet_o,
  /// Server: read a word of the head, only while quiet_o and hold_i; data in the next cycle.
  input  logic        peek_i,
  input  logic [6:0]  peek_index_i,
  output logic [31:0] mem_data_o,
  /// Server: drop the head.
  input  logic        drop_i,
  /// Server: see mgmt_tx.
  input  logic        hold_i,
  input  logic        go_i,
  input  logic        trap_i,
  input  logic        copy_i,
  output logic        done_o,
  input  logic [3:0]  egress_i,
  input  logic [15:0] slid_i,
  input  logic [15:0] dlid_i,
  input  logic [14:0] status_i,
  input  logic [4:0]  words_i,
  input  logic [3:0]  vl_i,
  output logic        attr_fetch_o,
  output logic [3:0]  attr_index_o,
  input  logic [31:0] attr_data_i,
  output logic [6:0]  trap_index_o,
  input  logic [31:0] trap_word_i,

  /// A good data packet was consumed.
  output logic        data_done_o,
  /// Nothing received, kept or sent.
  output logic        idle_o,
  /// The crossbar sent a packet without room or took a word that was not there.
  output logic        error_o
);

  localparam int unsigned DescWidth = lanecut_mgmt_pkg::DescWidth;
  // What is kept of a descriptor; only compact packets need all of it, and none passes the second engine.
  localparam int unsigned SlotWidth = Serve && EnCompact != 0 ? DescWidth : lanecut_mgmt_pkg::PlainDescWidth;

  // Slot s holds its packet at word 80 s.
  function automatic logic [7:0] base_of(logic [1:0] slot);
    case (slot)
      2'd0:    base_of = 8'd0;
      2'd1:    base_of = 8'd80;
      default: base_of = 8'd160;
    endcase
  endfunction

  function automatic logic [1:0] next_slot(logic [1:0] slot);
    next_slot = (slot == 2'd2) ? 2'd0 : slot + 2'd1;
  endfunction

  logic                 receiving;
  logic                 write;
  logic [6:0]           write_index;
  logic                 commit;
  logic [DescWidth-1:0] desc;

  mgmt_rx #(
    .Serve     (Serve),
    .NumPorts  (NumPorts),
    .EnCompact (EnCompact),
    .EnPma     (EnPma)
  ) u_rx (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .valid_i     (in_valid_i),
    .data_i      (in_data_i),
    .end_i       (in_end_i),
    .bad_i       (in_bad_i),
    .port_i      (in_port_i),
    .vl15_i      (in_vl15_i),
    .receiving_o (receiving),
    .write_o     (write),
    .index_o     (write_index),
    .commit_o    (commit),
    .desc_o      (desc),
    .data_done_o (data_done_o)
  );

  ///////////
  // Slots //
  ///////////

  logic [1:0]             write_slot_q;
  logic [1:0]             read_slot_q;
  logic [1:0]             count_q;
  logic [3*SlotWidth-1:0] descs_q;
  logic [SlotWidth-1:0]   slot_desc;
  logic                   release_head;
  logic                   done;

  assign release_head = drop_i || (done && !trap_i && !copy_i);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_slot_q <= '0;
      read_slot_q  <= '0;
      count_q      <= '0;
    end else if (commit || release_head) begin
      if (commit) write_slot_q <= next_slot(write_slot_q);
      if (release_head) read_slot_q <= next_slot(read_slot_q);
      count_q <= count_q + {1'b0, commit} - {1'b0, release_head};
    end
  end

  for (genvar s = 0; s < 3; s++) begin : gen_desc
    always_ff @(posedge clk_i) begin
      if (commit && write_slot_q == s) descs_q[s * SlotWidth +: SlotWidth] <= desc[SlotWidth-1:0];
    end
  end

  assign head_valid_o = count_q != 2'd0;
  assign head_o       = DescWidth'(slot_desc);

  always_comb begin
    case (read_slot_q)
      2'd0:    slot_desc = descs_q[0 +: SlotWidth];
      2'd1:    slot_desc = descs_q[SlotWidth +: SlotWidth];
      default: slot_desc = descs_q[2*SlotWidth +: SlotWidth];
    endcase
  end

  logic unused_desc;
  assign unused_desc = ^desc;

  // A packet that is being received will take a slot, unless it is dropped.
  assign in_ready_o = enable_i && (count_q + {1'b0, receiving} < 2'd3) && !(count_q == 2'd3);

  ////////////
  // Memory //
  ////////////

  logic       fetch;
  logic [6:0] fetch_index;

  ram_1w1r #(
    .Width(32),
    .Depth(256)
  ) u_ram (
    .clk_i   (clk_i),
    .we_i    (write),
    .waddr_i (base_of(write_slot_q) + {1'b0, write_index}),
    .wdata_i (in_data_i),
    .re_i    (fetch || peek_i),
    .raddr_i (base_of(read_slot_q) + {1'b0, peek_i ? peek_index_i : fetch_index}),
    .rdata_o (mem_data_o)
  );

  logic tx_empty;

  mgmt_tx #(
    .EnCompact (EnCompact),
    .EnPma     (EnPma)
  ) u_tx (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .head_valid_i  (head_valid_o),
    .head_i        (head_o),
    .hold_i        (hold_i),
    .go_i          (go_i),
    .trap_i        (trap_i),
    .copy_i        (copy_i),
    .done_o        (done),
    .quiet_o       (quiet_o),
    .empty_o       (tx_empty),
    .egress_i      (egress_i),
    .slid_i        (slid_i),
    .dlid_i        (dlid_i),
    .status_i      (status_i),
    .words_i       (words_i),
    .vl_i          (vl_i),
    .fetch_o       (fetch),
    .fetch_index_o (fetch_index),
    .mem_data_i    (mem_data_o),
    .attr_fetch_o  (attr_fetch_o),
    .attr_index_o  (attr_index_o),
    .attr_data_i   (attr_data_i),
    .trap_index_o  (trap_index_o),
    .trap_word_i   (trap_word_i),
    .req_o         (out_req_o),
    .port_o        (out_port_o),
    .vl_o          (out_vl_o),
    .len_o         (out_len_o),
    .data_o        (out_data_o),
    .end_o         (out_end_o),
    .pop_i         (out_pop_i)
  );

  assign done_o  = done;
  assign idle_o  = !in_valid_i && !receiving && count_q == 2'd0 && tx_empty;
  assign error_o = (in_valid_i && in_vl15_i && count_q == 2'd3) || (out_pop_i && !out_req_o);

`ifndef SYNTHESIS
  // Rule 1: a slot is filled only while it is free, and freed only while it is filled.
  always_ff @(posedge clk_i) begin
    if (!rst_i && (commit || release_head)) begin
      assert (!(commit && count_q == 2'd3) && !(release_head && count_q == 2'd0));
    end
  end
`endif

endmodule : mgmt_engine
