// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * For waves only: looks into a switch from outside (see bind below) and gathers what stands in its queues, for
 * tb/wave/traced_switch.h; drives nothing. Only in the kinds of switch that are verilated for waves.
 *
 * A bit, or a byte, per queue: (port - 1) * Lanes + lane. All values are those of the cycle, before its closing clock edge.
 */
module wave_view #(
  parameter int unsigned NumPorts = 6,
  parameter int unsigned NumVls = 2,
  localparam int unsigned Lanes = NumVls + 1,
  localparam int unsigned Queues = NumPorts * Lanes
) (
  input logic clk_i
);

  // Input queues. A word is written: whether it is the first, and the word itself, by port.
  logic [Queues-1:0]      in_write   /*verilator public_flat_rd*/;
  logic [Queues-1:0]      in_start   /*verilator public_flat_rd*/;
  logic [NumPorts*32-1:0] in_word    /*verilator public_flat_rd*/;
  // There is a head; it begins to leave; one is leaving, and this is its last word.
  logic [Queues-1:0]      in_head    /*verilator public_flat_rd*/;
  logic [Queues-1:0]      in_take    /*verilator public_flat_rd*/;
  logic [Queues-1:0]      in_pop     /*verilator public_flat_rd*/;
  logic [Queues-1:0]      in_end     /*verilator public_flat_rd*/;
  // The head asks for crossbar output in_out, is held by the channel gate, is dropped.
  logic [Queues-1:0]      in_request /*verilator public_flat_rd*/;
  logic [Queues-1:0]      in_hold    /*verilator public_flat_rd*/;
  logic [Queues-1:0]      in_drop    /*verilator public_flat_rd*/;
  logic [Queues*8-1:0]    in_out     /*verilator public_flat_rd*/;
  // If held: to be looked up again; EBR: for its port.
  logic [Queues-1:0]      in_lookup  /*verilator public_flat_rd*/;
  logic [Queues-1:0]      in_lost    /*verilator public_flat_rd*/;

  // Output queues, as above.
  logic [Queues-1:0]      out_write  /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_start  /*verilator public_flat_rd*/;
  logic [Queues*32-1:0]   out_word   /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_head   /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_take   /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_pop    /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_end    /*verilator public_flat_rd*/;
  // The head has credits; it is discarded; blocks that are free.
  logic [Queues-1:0]      out_ready  /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_drop   /*verilator public_flat_rd*/;
  logic [Queues*8-1:0]    out_free   /*verilator public_flat_rd*/;
  // Credits in blocks; VL15 has none.
  logic [Queues*16-1:0]   out_credit /*verilator public_flat_rd*/;
  // The crossbar brings it a packet from input out_from, which may be its last word; one of input out_next waits for room;
  // one is granted.
  logic [Queues-1:0]      out_busy   /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_last   /*verilator public_flat_rd*/;
  logic [Queues*8-1:0]    out_from   /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_chosen /*verilator public_flat_rd*/;
  logic [Queues*8-1:0]    out_next   /*verilator public_flat_rd*/;
  logic [Queues-1:0]      out_grant  /*verilator public_flat_rd*/;

  // The switch, and its ports, one bit each.
  logic [1:0]             scheme     /*verilator public_flat_rd*/;
  logic [NumPorts-1:0]    may_send   /*verilator public_flat_rd*/;

  lanecut_pkg::scheme_e scheme_name;

  assign scheme      = lanecut_switch.scheme;
  assign scheme_name = lanecut_pkg::scheme_e'(lanecut_switch.scheme);

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    // What is on the pins, and the state of the link, as names.
    lanecut_pkg::ctrl_e       rx;
    lanecut_pkg::ctrl_e       tx;
    lanecut_pkg::port_state_e link;
    lanecut_pkg::drop_e       rx_drop;

    assign rx      = lanecut_pkg::ctrl_e'(lanecut_switch.gen_port[p].u_port.rx_ctrl_i);
    assign tx      = lanecut_pkg::ctrl_e'(lanecut_switch.gen_port[p].u_port.tx_ctrl_o);
    assign link    = lanecut_pkg::port_state_e'(lanecut_switch.gen_port[p].u_port.state_o);
    assign rx_drop = lanecut_switch.gen_port[p].u_port.trace_rx_drop_o ?
                     lanecut_pkg::drop_e'(lanecut_switch.gen_port[p].u_port.trace_rx_reason_o) : lanecut_pkg::DropNone;

    assign may_send[p]          = lanecut_switch.gen_port[p].u_port.send_data;
    assign in_word[p*32 +: 32] = lanecut_switch.gen_port[p].u_port.u_input.queue_data;

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      localparam int unsigned Queue = p * Lanes + l;

      lanecut_pkg::drop_e in_reason;  // why the head is dropped

      assign in_reason = in_drop[Queue] ?
                         lanecut_pkg::drop_e'(lanecut_switch.gen_port[p].u_port.u_input.in_reason_o[l*4 +: 4]) :
                         lanecut_pkg::DropNone;

      assign in_write[Queue]        = lanecut_switch.gen_port[p].u_port.u_input.wr_valid &&
                                      32'(lanecut_switch.gen_port[p].u_port.u_input.wr_lane) == l;
      assign in_start[Queue]        = in_write[Queue] && lanecut_switch.gen_port[p].u_port.u_input.wr_start;
      assign in_head[Queue]         = lanecut_switch.gen_port[p].u_port.u_input.gen_lane[l].head_valid;
      assign in_take[Queue]         = lanecut_switch.gen_port[p].u_port.u_input.gen_lane[l].take;
      assign in_pop[Queue]          = lanecut_switch.gen_port[p].u_port.u_input.gen_lane[l].pop;
      assign in_end[Queue]          = lanecut_switch.gen_port[p].u_port.u_input.end_o[l];
      assign in_request[Queue]      = lanecut_switch.gen_port[p].u_port.u_input.request_o[l];
      assign in_hold[Queue]         = lanecut_switch.gen_port[p].u_port.u_input.gen_lane[l].held;
      assign in_drop[Queue]         = lanecut_switch.gen_port[p].u_port.u_input.in_drop_o[l];
      assign in_out[Queue*8 +: 8]   = lanecut_switch.gen_port[p].u_port.u_input.out_o[l*8 +: 8];
      assign in_lookup[Queue]       = lanecut_switch.gen_port[p].u_port.u_input.gen_lane[l].is_waiting;
      assign in_lost[Queue]         = lanecut_switch.gen_port[p].u_port.u_input.gen_lane[l].is_held;

      assign out_write[Queue]       = lanecut_switch.gen_port[p].u_port.u_output.valid_i[l];
      assign out_start[Queue]       = lanecut_switch.gen_port[p].u_port.u_output.first_i[l];
      assign out_word[Queue*32 +: 32] = lanecut_switch.gen_port[p].u_port.u_output.data_i[l*32 +: 32];
      assign out_head[Queue]        = lanecut_switch.gen_port[p].u_port.u_output.head_valid[l];
      assign out_take[Queue]        = lanecut_switch.gen_port[p].u_port.u_output.take[l];
      assign out_pop[Queue]         = lanecut_switch.gen_port[p].u_port.u_output.rd_pop[l];
      assign out_end[Queue]         = lanecut_switch.gen_port[p].u_port.u_output.rd_end[l];
      assign out_ready[Queue]       = lanecut_switch.gen_port[p].u_port.u_output.ready[l];
      assign out_drop[Queue]        = lanecut_switch.gen_port[p].u_port.u_output.out_drop_o[l];
      assign out_free[Queue*8 +: 8] =
          lanecut_switch.gen_port[p].u_port.u_output.free_o[l*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth];

      if (l < NumVls) begin : gen_credit
        assign out_credit[Queue*16 +: 16] =
            {4'b0, 12'(lanecut_switch.gen_port[p].u_port.u_output.u_tx.gen_credit[l].fccl_q -
                       lanecut_switch.gen_port[p].u_port.u_output.u_tx.gen_credit[l].fctbs_q)};
      end else begin : gen_no_credit
        assign out_credit[Queue*16 +: 16] = '0;
      end

      assign out_busy[Queue]        = lanecut_switch.u_crossbar.gen_out[Queue].u_allocator.active_q;
      assign out_last[Queue]        = lanecut_switch.u_crossbar.gen_out[Queue].u_allocator.end_i;
      assign out_from[Queue*8 +: 8] = 8'(lanecut_switch.u_crossbar.gen_out[Queue].u_allocator.sel_q);
      assign out_chosen[Queue]      = lanecut_switch.u_crossbar.gen_out[Queue].u_allocator.held_q;
      assign out_next[Queue*8 +: 8] = 8'(lanecut_switch.u_crossbar.gen_out[Queue].u_allocator.held_sel_q);
      assign out_grant[Queue]       = lanecut_switch.u_crossbar.gen_out[Queue].u_allocator.announce_o;

      logic unused_lane;
      assign unused_lane = ^in_reason;
    end

    logic unused_port;
    assign unused_port = ^{rx, tx, link, rx_drop};
  end

  logic unused_names;
  assign unused_names = ^{scheme_name, clk_i};

endmodule : wave_view

bind lanecut_switch wave_view #(
  .NumPorts (NumPorts),
  .NumVls   (NumVls)
) u_wave (
  .clk_i (clk_i)
);
