// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * First-word-fall-through FIFO of packet descriptors.
 *
 * A descriptor pushed into an empty FIFO is at the head in the next cycle. It never overflows when it has as many
 * entries as its packet queue has blocks, for no packet is smaller than a block.
 */
module desc_fifo #(
  /// Bits of a descriptor.
  parameter int unsigned Width = 18,
  /// Number of entries, a power of two.
  parameter int unsigned Depth = 16
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  output logic [$clog2(Depth):0] count_o,
  /// Removes the head; only while valid_o.
  input  logic             pop_i,
  /// Rules broken: RuleFifoPop, RuleFifoPush. Combinational.
  output logic [lanecut_pkg::Rules-1:0] broken_o
);

  localparam int unsigned PtrWidth = $clog2(Depth);

  logic [PtrWidth:0] wptr_q;
  logic [PtrWidth:0] rptr_q;
  logic [PtrWidth:0] rptr_d;
  logic              write_to_head;

  assign valid_o       = wptr_q != rptr_q;
  assign count_o       = wptr_q - rptr_q;
  assign rptr_d        = rptr_q + {{PtrWidth{1'b0}}, pop_i};
  assign write_to_head = push_i && wptr_q == rptr_d;

  always_comb begin
    broken_o = '0;
    if (pop_i) broken_o[lanecut_pkg::RuleFifoPop] = !valid_o;
    if (push_i) begin
      broken_o[lanecut_pkg::RuleFifoPush] = wptr_q == {~rptr_q[PtrWidth], rptr_q[PtrWidth-1:0]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wptr_q <= '0;
      rptr_q <= '0;
    end else begin
      if (push_i) wptr_q <= wptr_q + 1'b1;
      if (pop_i) rptr_q <= rptr_d;
    end
  end

  ram_1w1r #(
    .Width(Width),
    .Depth(Depth)
  ) u_ram (
    .clk_i   (clk_i),
    .we_i    (push_i),
    .waddr_i (wptr_q[PtrWidth-1:0]),
    .wdata_i (data_i),
    .re_i    (pop_i || write_to_head),
    .raddr_i (rptr_d[PtrWidth-1:0]),
    .rdata_o (data_o)
  );

endmodule : desc_fifo
