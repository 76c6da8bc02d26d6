// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Which heads cannot move, for the drop test of EBR: the output queue has no room for the packet, and its own head lacks
 * credits. A queue that moves is no deadlock.
 *
 * Only heads that ask are looked at; the answer comes one cycle later and is for the same head as long as that stands.
 * Outputs towards end nodes never count as stuck: an end node always takes what comes.
 */
module ebr_watch #(
  parameter int unsigned NumPorts = 6,
  parameter int unsigned NumVls = 2,
  /// Channels of each direction (port, data VL).
  localparam int unsigned Channels = NumPorts * NumVls
) (
  input  logic                                        clk_i,
  input  logic                                        rst_i,
  /// Heads that ask, the crossbar output each wants, and its blocks.
  input  logic [Channels-1:0]                         ask_i,
  input  logic [Channels*8-1:0]                       out_i,
  input  logic [Channels*lanecut_pkg::BlockWidth-1:0] blocks_i,
  /// Output channels: free blocks, head lacks credits; ports that lead to an end node.
  input  logic [Channels*lanecut_pkg::BlockWidth-1:0] free_i,
  input  logic [Channels-1:0]                         starved_i,
  input  logic [NumPorts-1:0]                         end_node_i,
  /// The head that asked one cycle ago cannot move.
  output logic [Channels-1:0]                         stuck_o
);

  logic [Channels-1:0] stuck_d;
  logic [Channels-1:0] stuck_q;

  always_comb begin
    stuck_d = '0;
    if (ask_i != '0) begin
      for (int unsigned c = 0; c < Channels; c++) begin
        for (int unsigned o = 0; o < Channels; o++) begin
          // A port has one crossbar output more than channels: VL15's.
          if (ask_i[c] && out_i[c*8 +: 8] == 8'(o + o / NumVls)) begin
            stuck_d[c] = starved_i[o] && !end_node_i[o / NumVls] &&
                         free_i[o*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth] <
                         blocks_i[c*lanecut_pkg::BlockWidth +: lanecut_pkg::BlockWidth];
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) stuck_q <= '0;
    else stuck_q <= stuck_d;
  end

  assign stuck_o = stuck_q;

endmodule : ebr_watch
