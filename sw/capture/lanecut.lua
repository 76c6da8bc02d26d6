-- SPDX-License-Identifier: Apache-2.0
--
-- What Wireshark does not know of Lanecut's captures: the number of the routing function in a packet's LRH, tokens and
-- their acknowledgements, and the names of vendor-specific attributes. Info says what is in a link packet.
-- For tshark and Wireshark: -X lua_script:FILE.

local OPERATIONS = { [8] = "Token", [9] = "Token acknowledgement" }
local ATTRIBUTES = {
  [0xFF00] = "Status", [0xFF01] = "Injection", [0xFF02] = "Bank", [0xFF03] = "InactiveForwardingTable",
  [0xFF04] = "InactiveSLtoVL", [0xFF05] = "PortCounters", [0xFF06] = "EndNodePorts", [0xFF07] = "Scheme",
  [0xFF08] = "Function", [0xFF09] = "FeederRows", [0xFF0A] = "TableUpdate", [0xFF0B] = "VlDrain",
  [0xFF0C] = "Paths",
}

local lanecut = Proto("lanecut", "Lanecut")
local epoch = ProtoField.uint8("lanecut.epoch", "Routing function of the packet")
local token = ProtoField.uint8("lanecut.token", "Link packet", base.DEC, OPERATIONS)
local token_vl = ProtoField.uint8("lanecut.token.vl", "Virtual lane")
local token_number = ProtoField.uint16("lanecut.token.number", "Routing function")
local attribute = ProtoField.uint16("lanecut.attribute", "Vendor attribute", base.HEX, ATTRIBUTES)
lanecut.fields = { epoch, token, token_vl, token_number, attribute }

local link_op = Field.new("infiniband_link.op")
local pkt_len = Field.new("infiniband.lrh.pktlen")
local link_vl = Field.new("infiniband_link.vl")
local fctbs = Field.new("infiniband_link.fctbs")
local fccl = Field.new("infiniband_link.fccl")
local attribute_id = Field.new("infiniband.mad.attributeid")

-- {Op 4, number 12, VL 4, 0 12, LPCRC 16}
local function add_token(tvb, pinfo, tree)
  local op, number, vl = tvb(0, 1):bitfield(0, 4), tvb(0, 2):bitfield(4, 12), tvb(2, 1):bitfield(0, 4)
  tree:add(token, tvb(0, 1), op)
  tree:add(token_number, tvb(0, 2), number)
  tree:add(token_vl, tvb(2, 1), vl)
  pinfo.cols.info = string.format("%s VL %d function %d", OPERATIONS[op], vl, number)
end

function lanecut.dissector(tvb, pinfo, root)
  local op, vendor = link_op(), attribute_id()
  if op and OPERATIONS[op.value] then
    add_token(tvb, pinfo, root:add(lanecut, tvb(0, 6)))
  elseif fccl() then
    pinfo.cols.info = string.format("Flow control%s VL %d FCTBS %d FCCL %d", op.value == 1 and " init" or "",
                                    link_vl().value, fctbs().value, fccl().value)
  elseif pkt_len() then
    local tree = root:add(lanecut, tvb(0, 8))
    tree:add(epoch, tvb(4, 1), tvb(4, 1):bitfield(0, 5))
    if vendor and ATTRIBUTES[vendor.value] then
      tree:add(attribute, vendor.range, vendor.value)
      pinfo.cols.info:append(" " .. ATTRIBUTES[vendor.value])
    end
  end
end

register_postdissector(lanecut)
