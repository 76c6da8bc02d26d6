// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Non-multiplexed crossbar: every lane of every input port can reach every lane of every output port in any cycle.
 *
 * Inputs present a request with the index of the wanted output; every output has an allocator of its own. From the
 * cycle after a grant the input's words pass, one per cycle, until its end word. Indices are a byte each at the ports,
 * as block counts are: fields that straddle no byte cost a simulation less.
 */
module crossbar #(
  parameter int unsigned NumIn = 20,
  parameter int unsigned NumOut = 20,
  /// Blocks of an output queue for data.
  parameter int unsigned OutBlocks = 16,
  parameter int unsigned EnLifetime = 0
) (
  input  logic                                      clk_i,
  input  logic                                      rst_i,

  /// Inputs.
  input  logic [NumIn-1:0]                          request_i,
  input  logic [NumIn*8-1:0]                        out_i,
  input  logic [NumIn*lanecut_pkg::BlockWidth-1:0]  blocks_i,
  /// When the head came to the switch (see life_clock); only with EnLifetime.
  input  logic [NumIn*16-1:0]                       stamp_i,
  /// Which inputs come from end nodes and give way; none if all are alike.
  input  logic [NumIn-1:0]                          inject_i,
  output logic [NumIn-1:0]                          grant_o,
  input  logic [NumIn*32-1:0]                       data_i,
  input  logic [NumIn-1:0]                          end_i,
  input  logic [NumIn-1:0]                          bad_i,

  /// Outputs. A packet is announced in the cycle of its grant, one cycle before its first word.
  input  logic [NumOut*lanecut_pkg::BlockWidth-1:0] free_i,
  output logic [NumOut-1:0]                         announce_o,
  output logic [NumOut*lanecut_pkg::BlockWidth-1:0] announce_blocks_o,
  output logic [NumOut*16-1:0]                      announce_stamp_o,
  output logic [NumOut-1:0]                         valid_o,
  output logic [NumOut-1:0]                         first_o,
  output logic [NumOut*lanecut_pkg::BlockWidth-1:0] blocks_o,
  output logic [NumOut*32-1:0]                      data_o,
  output logic [NumOut-1:0]                         end_o,
  output logic [NumOut-1:0]                         bad_o,
  /// Which input feeds the output, valid with valid_o.
  output logic [NumOut*8-1:0]                       source_o
);

  localparam int unsigned OutWidth = $clog2(NumOut);
  localparam int unsigned SelWidth = $clog2(NumIn);

  logic [NumOut-1:0] wanted;             // by any input
  logic [NumIn-1:0]  requests [NumOut];  // by which

  always_comb begin
    wanted = '0;
    for (int unsigned o = 0; o < NumOut; o++) requests[o] = '0;
    if (request_i != '0) begin
      for (int unsigned i = 0; i < NumIn; i++) begin
        if (request_i[i]) begin
          wanted[out_i[i*8 +: OutWidth]]      = 1'b1;
          requests[out_i[i*8 +: OutWidth]][i] = 1'b1;
        end
      end
    end
  end

  for (genvar o = 0; o < NumOut; o++) begin : gen_out
    logic [SelWidth-1:0] sel;
    logic [NumIn-1:0]    request;
    logic [NumIn-1:0]    grant;
    logic [NumIn-1:0]    grants;  // of this output and those before it

    always_comb begin
      request = '0;
      if (wanted[o]) request = requests[o];
    end

    packet_allocator #(
      .NumIn     (NumIn),
      .OutBlocks (OutBlocks)
    ) u_allocator (
      .clk_i             (clk_i),
      .rst_i             (rst_i),
      .wanted_i          (wanted[o]),
      .request_i         (request),
      .inject_i          (inject_i),
      .blocks_i          (blocks_i),
      .free_i            (free_i[o*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth]),
      .end_i             (end_o[o]),
      .grant_o           (grant),
      .announce_o        (announce_o[o]),
      .announce_blocks_o (announce_blocks_o[o*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth]),
      .active_o          (valid_o[o]),
      .first_o           (first_o[o]),
      .sel_o             (sel),
      .blocks_o          (blocks_o[o*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth])
    );

    if (o == 0) begin : gen_first
      assign grants = grant;
    end else begin : gen_next
      assign grants = gen_out[o-1].grants | grant;
    end

    always_comb begin
      data_o[o*32 +: 32] = '0;
      end_o[o]           = 1'b0;
      bad_o[o]           = 1'b0;
      if (valid_o[o]) begin
        data_o[o*32 +: 32] = data_i[sel*32 +: 32];
        end_o[o]           = end_i[sel];
        bad_o[o]           = bad_i[sel];
      end
    end

    assign source_o[o*8 +: 8] = 8'(sel);

    if (EnLifetime != 0) begin : gen_stamp
      always_comb begin
        announce_stamp_o[o*16 +: 16] = '0;
        if (announce_o[o]) begin
          for (int unsigned i = 0; i < NumIn; i++) begin
            if (grant[i]) announce_stamp_o[o*16 +: 16] = announce_stamp_o[o*16 +: 16] | stamp_i[i*16 +: 16];
          end
        end
      end
    end else begin : gen_no_stamp
      assign announce_stamp_o[o*16 +: 16] = '0;
    end
  end

  assign grant_o = gen_out[NumOut-1].grants;

  // The upper bits of the bytes that hold an index.
  logic unused_out;
  assign unused_out = ^{out_i, stamp_i};

endmodule : crossbar
