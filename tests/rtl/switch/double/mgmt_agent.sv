// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Stands in for the management agent when the data path is tested alone: the test writes tables and port states
// directly, and reads what arrived for port 0.
module mgmt_agent #(
  parameter int unsigned NumPorts = 6,
  parameter int unsigned NumVls = 2,
  parameter int unsigned BufBlocks = 16,
  parameter int unsigned Vl15Blocks = 32,
  parameter int unsigned LftDepth = 256,
  parameter int unsigned EnEbr = 0,
  parameter int unsigned EnOsr = 0,
  parameter int unsigned EnDouble = 0,
  parameter int unsigned EnHold = 0,
  parameter int unsigned EnCompact = 0,
  parameter int unsigned EnLifetime = 0,
  parameter int unsigned EnPma = 1,
  parameter int unsigned EnMKey = 1,
  parameter int unsigned VlArbEntries = 0
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  tick_i,
  input  logic [63:0]           guid_i,
  input  logic [127:0]          name_i,
  input  logic                  four_lanes_i,
  input  logic [1:0]            in_valid_i,
  input  logic [63:0]           in_data_i,
  input  logic [1:0]            in_end_i,
  input  logic [1:0]            in_bad_i,
  input  logic [7:0]            in_port_i,
  input  logic [1:0]            in_vl15_i,
  output logic [1:0]            in_ready_o,
  output logic [1:0]            out_req_o,
  output logic [7:0]            out_port_o,
  output logic [7:0]            out_vl_o,
  output logic [15:0]           out_len_o,
  output logic [63:0]           out_data_o,
  output logic [1:0]            out_end_o,
  input  logic [1:0]            out_pop_i,
  output logic                  tbl_lft_we_o,
  output logic                  tbl_sl_we_o,
  output logic                  tbl_arb_we_o,
  output logic                  tbl_bank_o,
  output logic [15:0]           tbl_addr_o,
  output logic [31:0]           tbl_data_o,
  output logic                  bank_o,
  output logic [4:0]            epoch_o,
  output logic [NumPorts-1:0]   end_node_ports_o,
  output logic                  transit_first_o,
  output logic [NumPorts*5-1:0] hoq_life_o,
  output logic [4:0]            life_time_o,
  output logic [1:0]            scheme_o,
  output logic [lanecut_pkg::HoldBits-1:0] hold_cycles_o,
  output logic                  next_ready_o,
  output logic                  osr_start_o,
  input  logic                  osr_change_i,
  input  logic                  osr_flip_i,
  output logic                  vl_drain_o,
  output logic                  vl_switch_o,
  output logic                  vl_clear_o,
  input  logic                  draining_i,
  input  logic                  restricted_i,
  input  logic                  vl_idle_i,
  output logic                  row_we_o,
  output logic                  row_bank_o,
  output logic [6:0]            row_o,
  output logic [1:0]            row_word_o,
  output logic [31:0]           row_data_o,
  input  logic [31:0]           row_data_i,
  input  logic [NumPorts*3-1:0] port_state_i,
  output logic [NumPorts-1:0]   port_set_o,
  output logic [2:0]            port_set_state_o,
  output logic [NumPorts-1:0]   phy_enable_o,
  output logic [3:0]            cnt_port_o,
  output logic [4:0]            cnt_index_o,
  input  logic [31:0]           cnt_data_i,
  output logic                  cnt_clear_o,
  output logic [15:0]           cnt_mask_o,
  input  logic [31:0]           data_rcvd_i,
  input  logic [31:0]           data_sent_i,
  input  logic [31:0]           data_dropped_i,
  input  logic                  data_busy_i,
  output logic [15:0]           lid_o,
  output logic                  idle_o,
  output logic                  error_o
);

  // Written by the test.
  logic        dbl_lft_we /* verilator public_flat_rw */;
  logic        dbl_sl_we /* verilator public_flat_rw */;
  logic        dbl_arb_we /* verilator public_flat_rw */;
  logic        dbl_bank_write /* verilator public_flat_rw */;
  logic [15:0] dbl_addr /* verilator public_flat_rw */;
  logic [31:0] dbl_data /* verilator public_flat_rw */;
  logic        dbl_bank /* verilator public_flat_rw */;
  logic [31:0] dbl_port_set /* verilator public_flat_rw */;
  logic [2:0]  dbl_port_state /* verilator public_flat_rw */;
  logic [3:0]  dbl_cnt_port /* verilator public_flat_rw */;
  logic [3:0]  dbl_cnt_index /* verilator public_flat_rw */;
  logic [4:0]  dbl_epoch /* verilator public_flat_rw */;
  logic [1:0]  dbl_scheme /* verilator public_flat_rw */;
  logic [19:0] dbl_hold /* verilator public_flat_rw */;
  logic        dbl_next_ready /* verilator public_flat_rw */;
  logic        dbl_start /* verilator public_flat_rw */;
  logic        dbl_drain /* verilator public_flat_rw */;
  logic        dbl_switch /* verilator public_flat_rw */;
  logic        dbl_clear /* verilator public_flat_rw */;
  logic        dbl_row_we /* verilator public_flat_rw */;
  logic        dbl_row_bank /* verilator public_flat_rw */;
  logic [6:0]  dbl_row /* verilator public_flat_rw */;
  logic [31:0] dbl_row_data /* verilator public_flat_rw */;
  logic [31:0] dbl_end_node_ports /* verilator public_flat_rw */;
  logic [4:0]  dbl_hoq_short /* verilator public_flat_rw */;  // 31 - HOQLife of all ports
  logic [4:0]  dbl_life_short /* verilator public_flat_rw */;  // 31 - LifeTimeValue
  logic [1:0]  dbl_ready /* verilator public_flat_rw */;
  // Read by the test.
  logic [31:0] dbl_packets [2] /* verilator public_flat_rd */;
  logic [31:0] dbl_last_port /* verilator public_flat_rd */;
  logic [31:0] dbl_last_vl15 /* verilator public_flat_rd */;
  logic [31:0] dbl_states /* verilator public_flat_rd */;
  logic [31:0] dbl_cnt_value /* verilator public_flat_rd */;
  logic        dbl_busy /* verilator public_flat_rd */;

  always_ff @(posedge clk_i) begin
    for (int e = 0; e < 2; e++) begin
      if (rst_i) dbl_packets[e] <= '0;
      else if (in_valid_i[e] && in_end_i[e]) begin
        dbl_packets[e] <= dbl_packets[e] + 1;
        dbl_last_port  <= {28'b0, in_port_i[e*4 +: 4]};
        dbl_last_vl15  <= {31'b0, in_vl15_i[e]};
      end
    end
  end

  // As mgmt_reconfig does it.
  always_ff @(posedge clk_i) begin
    if (osr_flip_i || dbl_switch) begin
      dbl_bank       <= !dbl_bank;
      dbl_epoch      <= 5'(lanecut_pkg::EpochBits'(dbl_epoch + 5'd1));
      dbl_next_ready <= 1'b0;
    end
  end

  assign scheme_o         = dbl_scheme;
  assign hold_cycles_o    = dbl_hold;
  assign next_ready_o     = dbl_next_ready;
  assign osr_start_o      = dbl_start;
  assign vl_drain_o       = dbl_drain;
  assign vl_switch_o      = dbl_switch;
  assign vl_clear_o       = dbl_clear;
  assign row_we_o         = dbl_row_we;
  assign row_bank_o       = dbl_row_bank;
  assign row_o            = dbl_row;
  assign row_word_o       = 2'd0;
  assign row_data_o       = dbl_row_data;
  assign dbl_states       = 32'(port_state_i);
  assign dbl_cnt_value    = cnt_data_i;
  assign dbl_busy         = data_busy_i;
  assign in_ready_o       = dbl_ready;
  assign out_req_o        = '0;
  assign out_port_o       = {4'd1, 4'd1};
  assign out_vl_o         = 8'hFF;
  assign out_len_o        = '0;
  assign out_data_o       = '0;
  assign out_end_o        = '0;
  assign tbl_lft_we_o     = dbl_lft_we;
  assign tbl_sl_we_o      = dbl_sl_we;
  assign tbl_arb_we_o     = dbl_arb_we;
  assign tbl_bank_o       = dbl_bank_write;
  assign tbl_addr_o       = dbl_addr;
  assign tbl_data_o       = dbl_data;
  assign bank_o           = dbl_bank;
  assign epoch_o          = dbl_epoch;
  assign end_node_ports_o = dbl_end_node_ports[NumPorts:1];
  assign transit_first_o  = 1'b1;
  assign hoq_life_o       = {NumPorts{~dbl_hoq_short}};
  assign life_time_o      = ~dbl_life_short;
  assign port_set_o       = dbl_port_set[NumPorts-1:0];
  assign port_set_state_o = dbl_port_state;
  assign phy_enable_o     = '1;
  assign cnt_port_o       = dbl_cnt_port;
  assign cnt_index_o      = {1'b0, dbl_cnt_index};
  assign cnt_clear_o      = 1'b0;
  assign cnt_mask_o       = '0;
  assign lid_o            = '0;
  assign idle_o           = 1'b1;
  assign error_o          = 1'b0;

  logic unused_inputs;
  assign unused_inputs = ^{tick_i, guid_i, name_i, four_lanes_i, in_data_i, in_bad_i, out_pop_i, data_rcvd_i, data_sent_i,
                           data_dropped_i, dbl_port_set, dbl_end_node_ports, osr_change_i, row_data_i,
                           draining_i, restricted_i, vl_idle_i, EnEbr, EnOsr, EnDouble, EnHold, EnCompact, EnLifetime, EnPma, EnMKey, VlArbEntries, NumVls,
                           BufBlocks, Vl15Blocks, LftDepth};

endmodule : mgmt_agent
