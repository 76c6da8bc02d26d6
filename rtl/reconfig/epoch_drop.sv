// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Drop test of EBR (epoch-based reconfiguration): may a head that cannot move stay?
 *
 * A cycle of waiting packets must contain one that entered its channel, or wants to leave it, by an older routing
 * function; dropping it breaks the cycle. Dropped is what was sent here by an older function than the switch's, or was
 * routed here by an older one and not sent here by a newer. Numbers compare modulo 2^EpochBits. Combinational.
 *
 * Source: J. M. Montañana, PhD thesis, Universitat Politècnica de València 2008, table 6.2, all 27 rows; the formula in
 * the thesis's text misses row 20.
 */
module epoch_drop (
  /// Number in the packet: of the function that sent it here (E_PCK).
  input  logic [lanecut_pkg::EpochBits-1:0] packet_i,
  /// Number of the function that chose its output (E_RTD).
  input  logic [lanecut_pkg::EpochBits-1:0] routed_i,
  /// Number of the switch's function (E_SCHD).
  input  logic [lanecut_pkg::EpochBits-1:0] switch_i,
  output logic                              drop_o
);

  logic packet_older;
  logic packet_newer;
  logic routed_older;

  assign packet_older = lanecut_link_pkg::Newer[lanecut_pkg::EpochBits'(switch_i - packet_i)];
  assign packet_newer = lanecut_link_pkg::Newer[lanecut_pkg::EpochBits'(packet_i - switch_i)];
  assign routed_older = lanecut_link_pkg::Newer[lanecut_pkg::EpochBits'(switch_i - routed_i)];
  assign drop_o       = packet_older || (routed_older && !packet_newer);

endmodule : epoch_drop
