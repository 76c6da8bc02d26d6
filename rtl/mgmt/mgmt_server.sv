// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/**
 * Serves the requests that end at this switch, and gets traps on their way.
 *
 * One thing at a time: gather the request's fields from the engine's memory, look at the
 * attribute, apply a Set (after a checking pass where values can be refused), find the port to
 * answer to, and let the engine stream the response. The tables have changed before the response
 * starts. A response or trap without a way out is dropped.
 *
 * With an M_Key set, what a packet brings of it is gathered, too, and a packet that is denied is dropped (mgmt_m_key).
 *
 * A general request comes on a data VL, and its answer leaves on the one that the table of port 0 gives for its SL; its
 * attributes are others, and its modifier is the first word of its data, which says the port and the counters.
 *
 * A compact request has its fields elsewhere and as many data words as it is long. A flooded command that is new (see
 * mgmt_flood) is first copied to the other ports, then served like a Set, and not answered.
 */
module mgmt_server #(
  /// Serve compact requests.
  parameter int unsigned EnCompact = 0,
  /// Serve general requests.
  parameter int unsigned EnPma = 0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        tick_i,
  /// Bit p: external port p exists and is not Down.
  input  logic [15:0] port_up_i,

  /// Engine (see mgmt_engine).
  input  logic        head_valid_i,
  input  logic [lanecut_mgmt_pkg::DescWidth-1:0] head_i,
  input  logic        quiet_i,
  output logic        peek_o,
  output logic [6:0]  peek_index_o,
  input  logic [31:0] mem_data_i,
  output logic        drop_o,
  output logic        hold_o,
  output logic        go_o,
  output logic        trap_o,
  output logic        copy_o,
  input  logic        done_i,
  output logic [3:0]  egress_o,
  output logic [15:0] slid_o,
  output logic [15:0] dlid_o,
  output logic [14:0] status_o,
  output logic [4:0]  words_o,
  output logic [3:0]  vl_o,

  /// Attributes (see mgmt_attributes).
  output logic        open_o,
  output logic        close_o,
  output logic        general_o,
  output logic [15:0] attribute_o,
  output logic [31:0] modifier_o,
  input  logic [14:0] attr_status_i,
  input  logic        must_check_i,
  input  logic        refused_i,
  input  logic [14:0] refusal_status_i,
  /// The tables are still being written.
  input  logic        spreading_i,
  output logic        fetch_o,
  output logic [3:0]  fetch_index_o,
  output logic        check_o,
  output logic        apply_o,
  /// It is the last word of the request.
  output logic        last_o,
  output logic        lookup_o,
  output logic [15:0] lookup_lid_o,
  input  logic [7:0]  lookup_port_i,
  /// VL of an SL from port 0 to egress_o, in the next cycle; 15: none.
  output logic        vl_lookup_o,
  output logic [3:0]  vl_lookup_sl_o,
  input  logic [3:0]  vl_lookup_i,

  /// M_Key (see mgmt_m_key): a request begins, the word in mem_data_i is half of what it brings; it is judged.
  input  logic        key_set_i,
  output logic        key_start_o,
  output logic        key_upper_o,
  output logic        key_lower_o,
  output logic        key_changes_o,
  output logic        key_judge_o,
  input  logic        key_denied_i,

  /// Trap (see mgmt_trap).
  input  logic        trap_request_i,
  input  logic [15:0] master_lid_i,
  output logic        trap_sending_o,
  output logic        trap_done_o,
  output logic        repress_o,
  output logic [31:0] repress_tid_o,

  output logic        idle_o
);

  typedef enum logic [3:0] {
    StIdle,
    StGather,   // fields of the request
    StFlood,    // is it new, and where does the next copy go
    StCopy,
    StOpen,     // hand them to the attributes
    StDecide,   // what the attributes say to it
    StCheck,    // present the data words, changing nothing
    StVerdict,
    StApply,    // present the data words again, for good
    StLookup,   // the way back
    StRoute,
    StLane,     // the VL of a general response
    StVl,
    StSend
  } state_e;

  state_e                  state_q;
  lanecut_mgmt_pkg::desc_t head;
  logic                    is_trap_q;
  logic [6:0]              count_q;   // words asked for so far in StGather, StCheck and StApply
  logic [15:0]             slid_q;    // of the request
  logic [15:0]             dlid_q;
  logic [3:0]              sl_q;
  logic [3:0]              vl_q;
  logic [31:0]             tid_low_q;
  logic [15:0]             attribute_q;
  logic [31:0]             modifier_q;
  logic [14:0]             status_q;
  logic [3:0]              egress_q;
  logic [7:0]              wanted_q;       // words of data in the answer
  logic                    flood_taken_q;
  logic                    presented_q;    // StApply: all words

  logic                    unused_head;

  assign head        = head_i;
  assign unused_head = ^head;

  localparam logic [6:0] GatherWords = 7'd5;  // and two more for an M_Key
  localparam logic [6:0] DataWords   = 7'd16;

  logic       compact;
  logic       flood;
  logic       general;
  logic [6:0] attr_word;   // of a compact request
  logic [6:0] data_word;   // the first one
  logic [6:0] data_words;

  assign compact   = EnCompact != 0 && head.compact;
  assign flood     = EnCompact != 0 && head.flood;
  assign general   = EnPma != 0 && head.general;
  assign attr_word = lanecut_mgmt_pkg::WordPath + {3'd0, head.path_words};
  assign data_word = compact ? attr_word + 7'd2 : lanecut_mgmt_pkg::WordData;

  // The ICRC, the last word of a compact request, is none of them. Only table updates are longer than a MAD's data.
  always_comb begin
    data_words = DataWords;
    if (compact) begin
      data_words = head.length - 7'd1 - data_word;
      if (data_words > DataWords && attribute_q != lanecut_mgmt_pkg::AttrUpdate) data_words = DataWords;
    end
  end

  logic [6:0] gather_index;
  logic [6:0] gather_words;
  logic       denied;

  assign gather_words = key_set_i && !compact && !head.general ? GatherWords + 7'd2 : GatherWords;
  assign denied       = key_denied_i && !head.general;

  always_comb begin
    case (count_q)
      7'd0:    gather_index = 7'd0;
      7'd1:    gather_index = 7'd1;
      7'd2:    gather_index = compact ? lanecut_mgmt_pkg::WordNumber : lanecut_mgmt_pkg::WordTidLow;
      7'd3:    gather_index = compact ? attr_word : lanecut_mgmt_pkg::WordAttr;
      7'd5:    gather_index = lanecut_mgmt_pkg::WordKey;
      7'd6:    gather_index = lanecut_mgmt_pkg::WordKey + 7'd1;
      default: gather_index = compact ? attr_word + 7'd1 :
                              general ? lanecut_mgmt_pkg::WordData : lanecut_mgmt_pkg::WordModifier;
    endcase
  end

  logic       flood_new;
  logic       flood_take;
  logic       flood_due;
  logic [3:0] flood_port;

  if (EnCompact != 0) begin : gen_flood
    mgmt_flood u_flood (
      .clk_i    (clk_i),
      .rst_i    (rst_i),
      .tick_i   (tick_i),
      .number_i (tid_low_q[23:0]),
      .is_new_o (flood_new),
      .take_i   (flood_take),
      .ports_i  (port_up_i & ~(16'd1 << head.ingress)),
      .due_o    (flood_due),
      .port_o   (flood_port),
      .done_i   (copy_o && done_i)
    );
  end else begin : gen_no_flood
    assign flood_new  = 1'b0;
    assign flood_due  = 1'b0;
    assign flood_port = '0;

    logic unused_flood;
    assign unused_flood = ^{tick_i, flood_take};
  end

  assign flood_take = state_q == StFlood && !flood_taken_q && flood_new;

  logic       walking;
  logic [7:0] route_port;
  logic       route_ok;

  assign walking    = state_q == StCheck || state_q == StApply;
  assign route_port = (head.directed && !is_trap_q) ? {4'd0, head.egress} : lookup_port_i;
  assign route_ok   = route_port[7:4] == 4'd0 && port_up_i[route_port[3:0]];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q   <= StIdle;
      is_trap_q     <= 1'b0;
      count_q       <= '0;
      flood_taken_q <= 1'b0;
      presented_q   <= 1'b0;
    end else begin
      flood_taken_q <= flood_take || (flood_taken_q && state_q != StIdle);
      presented_q   <= state_q == StApply && count_q == data_words;
      case (state_q)
        StIdle: begin
          is_trap_q <= trap_request_i;
          count_q   <= '0;
          if (quiet_i && trap_request_i) state_q <= StLookup;
          else if (quiet_i && head_valid_i && head.is_local) state_q <= StGather;
        end
        StGather: begin
          count_q <= count_q + 7'd1;
          case (count_q)
            7'd1: begin
              dlid_q <= mem_data_i[15:0];
              sl_q   <= mem_data_i[23:20];
            end
            7'd2:    slid_q      <= mem_data_i[15:0];
            7'd3:    tid_low_q   <= mem_data_i;
            7'd4: begin
              attribute_q <= mem_data_i[31:16];
              wanted_q    <= mem_data_i[15:8];
            end
            7'd5: modifier_q <= mem_data_i;
            default: ;
          endcase
          if (count_q == gather_words) state_q <= flood && !denied ? StFlood : StOpen;
        end
        StFlood: begin
          egress_q <= flood_port;
          if (!flood_taken_q) state_q <= flood_new ? StFlood : StIdle;
          else state_q <= flood_due ? StCopy : StOpen;
        end
        StCopy: if (done_i) state_q <= StFlood;
        StOpen: state_q <= head.repress || denied ? StIdle : StDecide;
        StDecide: begin
          count_q  <= '0;
          status_q <= head.bad_version ? lanecut_mgmt_pkg::StatusBadVersion : attr_status_i;
          if (!head.is_set || head.bad_version ||
              attr_status_i != lanecut_mgmt_pkg::StatusOk) begin
            state_q <= StLookup;
          end else begin
            state_q <= must_check_i ? StCheck : StApply;
          end
        end
        StCheck: begin
          count_q <= count_q + 7'd1;
          if (count_q == data_words) state_q <= StVerdict;
        end
        StVerdict: begin
          count_q <= '0;
          if (refused_i) status_q <= refusal_status_i;
          state_q <= refused_i ? StLookup : StApply;
        end
        StApply: begin
          if (count_q != data_words) count_q <= count_q + 7'd1;
          else if (presented_q && !spreading_i) state_q <= StLookup;
        end
        StLookup: state_q <= (flood && !is_trap_q) ? StIdle : StRoute;
        StRoute: begin
          egress_q <= route_port[3:0];
          state_q  <= !route_ok ? StIdle : (general && !is_trap_q) ? StLane : StSend;
        end
        StLane: state_q <= StVl;
        StVl: begin
          vl_q    <= vl_lookup_i;
          state_q <= vl_lookup_i == 4'd15 ? StIdle : StSend;
        end
        StSend:  if (done_i) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end

  // Engine.
  assign peek_o       = (state_q == StGather && count_q < gather_words) ||
                        (walking && count_q < data_words);
  assign peek_index_o = walking ? data_word + count_q : gather_index;
  assign hold_o       = state_q != StIdle || trap_request_i;
  assign go_o         = state_q == StSend && !is_trap_q;
  assign trap_o       = state_q == StSend && is_trap_q;
  assign copy_o       = EnCompact != 0 && state_q == StCopy;
  assign drop_o       = (state_q == StOpen && (head.repress || denied)) ||
                        (state_q == StFlood && !flood_taken_q && !flood_new) ||
                        (state_q == StLookup && flood && !is_trap_q) ||
                        (state_q == StRoute && !route_ok && !is_trap_q) ||
                        (state_q == StVl && vl_lookup_i == 4'd15);
  assign egress_o     = egress_q;
  assign slid_o       = slid_q;
  assign dlid_o       = dlid_q;
  assign status_o     = status_q;
  assign vl_o         = vl_q;

  // Compact: what was asked for, of what went well.
  always_comb begin
    words_o = '0;
    if (compact && status_q == lanecut_mgmt_pkg::StatusOk) begin
      words_o = wanted_q > 8'd16 ? 5'd16 : wanted_q[4:0];
    end
  end

  // Attributes.
  assign open_o        = state_q == StOpen && !head.repress && !denied;
  assign close_o       = state_q == StIdle;
  assign general_o     = general;
  assign attribute_o   = attribute_q;
  assign modifier_o    = modifier_q;
  assign fetch_o       = walking && count_q < data_words;
  assign fetch_index_o = count_q[3:0];
  assign check_o       = state_q == StCheck && count_q != 7'd0;
  assign apply_o       = state_q == StApply && count_q != 7'd0 && !presented_q;
  assign last_o        = count_q == data_words;
  assign lookup_o      = state_q == StLookup;
  assign lookup_lid_o  = is_trap_q ? master_lid_i : slid_q;
  assign vl_lookup_o    = state_q == StLane;
  assign vl_lookup_sl_o = sl_q;

  // M_Key.
  assign key_start_o   = state_q == StIdle;
  assign key_upper_o   = state_q == StGather && count_q == GatherWords + 7'd1;
  assign key_lower_o   = state_q == StGather && count_q == GatherWords + 7'd2;
  assign key_changes_o = head.is_set || head.repress;
  assign key_judge_o   = state_q == StOpen && !head.general;

  // Trap.
  assign trap_sending_o = is_trap_q && state_q != StIdle;
  assign trap_done_o    = is_trap_q && ((state_q == StRoute && !route_ok) ||
                                        (state_q == StSend && done_i));
  assign repress_o      = state_q == StOpen && head.repress && !denied &&
                          attribute_q == lanecut_mgmt_pkg::AttrNotice;
  assign repress_tid_o  = tid_low_q;

  assign idle_o = state_q == StIdle && !trap_request_i;

endmodule : mgmt_server
