// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Logical state of one port (InfiniBand vol. 1, 7.2): Down, Initialize, Armed, Active.
 *
 * Down while the physical layer has no link, Initialize when it gets one; Armed and Active by command of the subnet
 * manager. A command that is not a legal transition is ignored (the agent answers it with a status).
 */
module link_state (
  input  logic       clk_i,
  input  logic       rst_i,
  /// The physical layer reports LinkUp.
  input  logic       phy_up_i,
  /// Pulse: go to set_state_i.
  input  logic       set_i,
  input  logic [2:0] set_state_i,
  /// lanecut_pkg::port_state_e.
  output logic [2:0] state_o,
  /// Not Down, one cycle after the physical layer: VL15 may be sent and received.
  output logic       up_o,
  /// Data may be accepted (Armed or Active).
  output logic       accept_data_o,
  /// Data may be sent (Active).
  output logic       send_data_o,
  /// The state will change although nothing is commanded and phy_up_i stays.
  output logic       busy_o
);

  logic [2:0] state_q;
  logic       phy_up_q;

  always_ff @(posedge clk_i) begin
    phy_up_q <= phy_up_i;
    if (rst_i || !phy_up_i) begin
      state_q <= lanecut_pkg::PortDown;
    end else if (state_q == lanecut_pkg::PortDown) begin
      state_q <= lanecut_pkg::PortInit;
    end else if (set_i) begin
      if (set_state_i == lanecut_pkg::PortDown) state_q <= lanecut_pkg::PortDown;
      if (set_state_i == lanecut_pkg::PortArmed && state_q == lanecut_pkg::PortInit) begin
        state_q <= lanecut_pkg::PortArmed;
      end
      if (set_state_i == lanecut_pkg::PortActive && state_q == lanecut_pkg::PortArmed) begin
        state_q <= lanecut_pkg::PortActive;
      end
    end
  end

  assign state_o       = state_q;
  assign up_o          = state_q != lanecut_pkg::PortDown;
  assign accept_data_o = state_q == lanecut_pkg::PortArmed || state_q == lanecut_pkg::PortActive;
  assign send_data_o   = state_q == lanecut_pkg::PortActive;
  assign busy_o        = state_q == lanecut_pkg::PortDown && phy_up_q;

endmodule : link_state
