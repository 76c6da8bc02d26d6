// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * PortInfo of port 0 and of the external ports (InfiniBand Architecture volume 1, 14.2.5.6).
 *
 * What a manager writes is kept in a memory of 16 words per port, initialized after reset; the
 * rest is put in when a word is read. A Set first presents its words with check_i (invalid_o tells
 * whether one is refused), then with apply_i; for both, the stored word must have been fetched in
 * the cycle before. Zero means "no change" where the architecture says so.
 *
 * The values of port 0 that the hardware itself needs (LID, manager's LID and SL) are also
 * registers; those about its M_Key are in mgmt_m_key alone.
 */
module mgmt_port_info #(
  /// External ports.
  parameter int unsigned NumPorts  = 6,
  /// Data VLs per port.
  parameter int unsigned NumVls    = 2,
  /// Input buffer of a data VL in blocks of 64 bytes.
  parameter int unsigned BufBlocks = 16,
  /// HOQLife has an effect. Without, it reads as without end, whatever is written.
  parameter int unsigned EnLifetime = 0,
  /// Without it M_Key, its protection bits and its lease period read as zero, whatever is written.
  parameter int unsigned EnMKey = 1,
  /// VLArbitrationHighCap and VLArbitrationLowCap of external ports.
  parameter int unsigned VlArbEntries = 0
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  /// Initialized.
  output logic                  ready_o,

  /// PortState per external port.
  input  logic [NumPorts*3-1:0] port_state_i,

  /// The request in hand is for PortInfo; which port, and where it arrived.
  input  logic                  active_i,
  input  logic [3:0]            port_i,
  input  logic [3:0]            ingress_i,
  /// Strap: all links are 4X, else 1X.
  input  logic                  four_lanes_i,
  input  logic                  tick_i,
  /// Fetch a word: rdata_o holds it from the next cycle on.
  input  logic                  fetch_i,
  input  logic [3:0]            index_i,
  output logic [31:0]           rdata_o,
  /// Check or apply a new value for the word fetched last.
  input  logic                  check_i,
  input  logic                  apply_i,
  input  logic [31:0]           wdata_i,
  /// With check_i: the value is refused.
  output logic                  invalid_o,

  /// Command to an external port, as in mgmt_agent.
  output logic [NumPorts-1:0]   port_set_o,
  output logic [2:0]            port_set_state_o,
  output logic [NumPorts-1:0]   phy_enable_o,
  /// HOQLife of the external ports, port p at bits 5(p-1).
  output logic [NumPorts*5-1:0] hoq_life_o,

  /// M_Key of port 0, as in mgmt_m_key.
  output logic                  key_set_o,
  input  logic                  key_start_i,
  input  logic                  key_upper_i,
  input  logic                  key_lower_i,
  input  logic [31:0]           key_word_i,
  input  logic                  key_changes_i,
  input  logic                  key_judge_i,
  output logic                  key_denied_o,

  /// Port 0.
  output logic [15:0]           lid_o,
  output logic [15:0]           master_lid_o,
  output logic [3:0]            master_sl_o
);

  localparam int unsigned PortBits = $clog2(NumPorts + 1);

  // Codes of VLs and of the largest MTU whose packet, with 64 bytes of headers, fits the buffer.
  localparam logic [3:0] MtuCap = (BufBlocks * 64 >= 1024 + 64) ? 4'd3 :
                                  (BufBlocks * 64 >= 512 + 64) ? 4'd2 : 4'd1;
  localparam logic [3:0] VlCap  = (NumVls >= 8) ? 4'd4 : (NumVls >= 4) ? 4'd3 :
                                  (NumVls >= 2) ? 4'd2 : 4'd1;

  // CapabilityMask: traps, SLtoVL mapping, SystemImageGUID.
  localparam logic [31:0] Capabilities = 32'h0000_0848;

  localparam logic [4:0] NoLimit = 5'd31;

  localparam logic [3:0] PhysPolling  = 4'd2;
  localparam logic [3:0] PhysDisabled = 4'd3;
  localparam logic [3:0] PhysLinkUp   = 4'd5;

  // Bits a Set stores.
  function automatic logic [31:0] writable(logic [3:0] index, logic port0);
    case (index)
      4'd2, 4'd3: writable = port0 ? 32'hFFFF_FFFF : 32'd0;             // GidPrefix
      4'd4:       writable = port0 ? 32'hFFFF_FFFF : 32'd0;             // LID, MasterSMLID
      4'd7:       writable = 32'h00FF_0000;                             // LinkWidthEnabled
      4'd8:       writable = 32'h000F_000F;             // LinkDownDefaultState, LinkSpeedEnabled
      4'd9:       writable = port0 ? 32'hFF00_FF00 : 32'hF000_FF00;  // NeighborMTU, SMSL, HighLimit
      // InitTypeReply, stall count and head-of-queue life, VLs, enforcement
      4'd10:      writable = port0 ? 32'h00F0_FFFF : 32'h0000_FFFF;
      4'd12:      writable = port0 ? 32'h0000_001F : 32'd0;             // SubnetTimeOut
      4'd13:      writable = 32'h00FF_0000;                             // error thresholds
      default:    writable = 32'd0;
    endcase
  endfunction

  // Values after reset: the width there is, SDR, polling when down, 256-byte MTU, all VLs, no head-of-queue limit.
  function automatic logic [31:0] initial_value(logic [3:0] index, logic port0, logic [7:0] width);
    case (index)
      4'd2:    initial_value = port0 ? 32'hFE80_0000 : 32'd0;
      4'd7:    initial_value = {8'd0, width, 16'd0};
      4'd8:    initial_value = 32'h0002_0001;
      4'd9:    initial_value = {port0 ? MtuCap : 4'd1, 28'd0};
      4'd10:   initial_value = {16'd0, 3'd7, NoLimit, VlCap, 4'd0};
      4'd12:   initial_value = port0 ? 32'd18 : 32'd0;
      4'd13:   initial_value = 32'h0088_0000;
      default: initial_value = 32'd0;
    endcase
  endfunction

  //////////////////
  // Stored words //
  //////////////////

  logic                check;
  logic                apply;
  logic                init_q;
  logic [PortBits+3:0] init_addr_q;
  logic [3:0]          index_q;
  logic [31:0]         stored;
  logic [31:0]         merged;
  logic                port0;
  logic [7:0]          width;  // LinkWidth of all ports: 1X or 4X

  assign check   = active_i && check_i;
  assign apply   = active_i && apply_i;
  assign port0   = port_i == 4'd0;
  assign width   = four_lanes_i ? 8'd2 : 8'd1;
  assign ready_o = !init_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      init_q      <= 1'b1;
      init_addr_q <= '0;
    end else if (init_q) begin
      init_q      <= init_addr_q != '1;
      init_addr_q <= init_addr_q + 1'b1;
    end
    if (active_i && fetch_i) index_q <= index_i;
  end

  ram_1w1r #(
    .Width(32),
    .Depth(16 * 2 ** PortBits)
  ) u_ram (
    .clk_i   (clk_i),
    .we_i    (init_q || apply),
    .waddr_i (init_q ? init_addr_q : {port_i[PortBits-1:0], index_q}),
    .wdata_i (init_q ? initial_value(init_addr_q[3:0], init_addr_q[PortBits+3:4] == '0, width) : merged),
    .re_i    (active_i && fetch_i),
    .raddr_i ({port_i[PortBits-1:0], index_i}),
    .rdata_o (stored)
  );

  // "No change" and "all that is supported" resolved field by field.
  always_comb begin
    merged = '0;
    if (apply) begin
      merged = wdata_i & writable(index_q, port0);
      case (index_q)
        4'd7: begin
          if (wdata_i[23:16] == 8'd0) merged[23:16] = stored[23:16];
          if (wdata_i[23:16] == 8'hFF) merged[23:16] = width;
        end
        4'd8: begin
          if (wdata_i[19:16] == 4'd0) merged[19:16] = stored[19:16];
          if (wdata_i[3:0] == 4'd0) merged[3:0] = stored[3:0];
          if (wdata_i[3:0] == 4'd15) merged[3:0] = 4'd1;
        end
        4'd9: if (wdata_i[31:28] == 4'd0) merged[31:28] = stored[31:28];
        4'd10: begin
          if (wdata_i[7:4] == 4'd0) merged[7:4] = stored[7:4];
          if (EnLifetime == 0) merged[12:8] = NoLimit;
        end
        default: ;
      endcase
    end
  end

  ///////////
  // State //
  ///////////

  logic [2:0]          state;
  logic [3:0]          phys_state;
  logic                disabled;
  logic [NumPorts-1:0] disabled_q;

  always_comb begin
    state    = lanecut_pkg::PortActive;
    disabled = 1'b0;
    if (active_i) begin
      for (int p = 1; p <= NumPorts; p++) begin
        if (port_i == 4'(p)) begin
          state    = port_state_i[3*p-3 +: 3];
          disabled = disabled_q[p-1];
        end
      end
    end
  end

  assign phys_state = disabled ? PhysDisabled : (state == lanecut_pkg::PortDown) ? PhysPolling : PhysLinkUp;

  //////////
  // Read //
  //////////

  logic [63:0] key;
  logic [15:0] lease_period;
  logic [1:0]  protect;
  logic [15:0] key_violations;

  always_comb begin
    rdata_o = '0;
    if (active_i) begin
      rdata_o = stored;
      case (index_q)
        4'd0:    rdata_o = port0 ? key[63:32] : '0;
        4'd1:    rdata_o = port0 ? key[31:0] : '0;
        4'd6:    rdata_o = port0 ? {16'd0, lease_period} : '0;
        4'd11:   rdata_o = port0 ? {key_violations, 16'd0} : '0;
        4'd5:    rdata_o = port0 ? Capabilities : '0;
        4'd7:    rdata_o = {4'd0, ingress_i, stored[23:16], width, width};
        4'd8:    rdata_o = {4'd1, 1'b0, state, phys_state, stored[19:16],
                           port0 ? protect : 2'd0, 6'd0, 4'd1, stored[3:0]};
        4'd9:    rdata_o = {stored[31:24], VlCap, 4'd0, stored[15:8], port0 ? 8'd0 : 8'(VlArbEntries)};
        4'd10:   rdata_o = {port0 ? 8'd0 : 8'(VlArbEntries), stored[23:20], MtuCap, stored[15:0]};
        4'd12:   rdata_o = {stored[31:16], 7'd0, port0, stored[7:0]};
        4'd13:   rdata_o = {8'd8, stored[23:0]};
        default: ;
      endcase
    end
  end

  /////////
  // Set //
  /////////

  function automatic logic command_ok(logic [3:0] to, logic [2:0] from);
    case (to)
      4'd0, 4'd1: command_ok = 1'b1;
      4'd3:       command_ok = from == lanecut_pkg::PortInit || from == lanecut_pkg::PortArmed;
      4'd4:       command_ok = from == lanecut_pkg::PortArmed || from == lanecut_pkg::PortActive;
      default:    command_ok = 1'b0;
    endcase
  endfunction

  logic [3:0] command;
  logic [3:0] phys_command;
  logic       phys_command_ok;
  assign command         = wdata_i[27:24];
  assign phys_command    = wdata_i[23:20];
  // Port 0 has no physical layer.
  assign phys_command_ok = phys_command == 4'd0 || phys_command == phys_state ||
                           (!port0 && (phys_command == PhysPolling || phys_command == PhysDisabled));

  always_comb begin
    invalid_o = 1'b0;
    if (check) begin
      case (index_q)
        // Unicast LIDs end at 0xBFFF.
        4'd4: invalid_o = port0 && (wdata_i[31:30] == 2'b11 || wdata_i[15:14] == 2'b11);
        // There is one width only.
        4'd7: invalid_o = wdata_i[23:16] != 8'd0 && wdata_i[23:16] != width && wdata_i[23:16] != 8'hFF;
        // A state not to be entered from here; Polling and Disabled are the physical states to command; SDR only.
        4'd8: invalid_o = (!port0 && !command_ok(command, state)) || !phys_command_ok ||
                          (wdata_i[3:1] != 3'd0 && wdata_i[3:0] != 4'd15);
        4'd9: invalid_o = wdata_i[31:28] > MtuCap;
        4'd10: invalid_o = wdata_i[7:4] > VlCap;
        default: ;
      endcase
    end
  end

  always_comb begin
    port_set_o = '0;
    if (apply && index_q == 4'd8 && command != 4'd0) begin
      for (int p = 1; p <= NumPorts; p++) begin
        port_set_o[p-1] = port_i == 4'(p);
      end
    end
  end

  assign port_set_state_o = command[2:0];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      disabled_q <= '0;
    end else if (apply && index_q == 4'd8 && phys_command != 4'd0) begin
      for (int p = 1; p <= NumPorts; p++) begin
        if (port_i == 4'(p)) disabled_q[p-1] <= phys_command == PhysDisabled;
      end
    end
  end

  assign phy_enable_o = ~disabled_q;

  if (EnLifetime != 0) begin : gen_hoq
    logic [NumPorts*5-1:0] hoq_life_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        hoq_life_q <= {NumPorts{NoLimit}};
      end else if (apply && index_q == 4'd10) begin
        for (int p = 1; p <= NumPorts; p++) begin
          if (port_i == 4'(p)) hoq_life_q[5*p-5 +: 5] <= merged[12:8];
        end
      end
    end

    assign hoq_life_o = hoq_life_q;
  end else begin : gen_no_hoq
    assign hoq_life_o = {NumPorts{NoLimit}};
  end

  if (EnMKey != 0) begin : gen_m_key
    mgmt_m_key u_m_key (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .tick_i         (tick_i),
      .four_lanes_i   (four_lanes_i),
      .apply_i        (apply && port0),
      .index_i        (index_q),
      .wdata_i        (wdata_i),
      .key_o          (key),
      .lease_period_o (lease_period),
      .protect_o      (protect),
      .violations_o   (key_violations),
      .is_set_o       (key_set_o),
      .start_i        (key_start_i),
      .upper_i        (key_upper_i),
      .lower_i        (key_lower_i),
      .word_i         (key_word_i),
      .changes_i      (key_changes_i),
      .judge_i        (key_judge_i),
      .denied_o       (key_denied_o)
    );
  end else begin : gen_no_m_key
    assign key            = '0;
    assign lease_period   = '0;
    assign protect        = '0;
    assign key_violations = '0;
    assign key_set_o      = 1'b0;
    assign key_denied_o   = 1'b0;

    logic unused_key;
    assign unused_key = ^{tick_i, four_lanes_i, key_start_i, key_upper_i, key_lower_i, key_word_i, key_changes_i, key_judge_i};
  end

  logic [15:0] lid_q;
  logic [15:0] master_lid_q;
  logic [3:0]  master_sl_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      lid_q        <= '0;
      master_lid_q <= '0;
      master_sl_q  <= '0;
    end else if (apply && port0) begin
      if (index_q == 4'd4) {lid_q, master_lid_q} <= wdata_i;
      if (index_q == 4'd9) master_sl_q <= wdata_i[27:24];
    end
  end

  assign lid_o        = lid_q;
  assign master_lid_o = master_lid_q;
  assign master_sl_o  = master_sl_q;

endmodule : mgmt_port_info
