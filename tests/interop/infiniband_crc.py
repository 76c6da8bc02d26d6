# SPDX-License-Identifier: Apache-2.0
"""InfiniBand's checksums, bit by bit as the specification states them; nothing here is shared with the simulator.

ICRC (volume 1, 7.8.1): CRC-32 of LRH to payload, with LRH.VL and BTH.Resv8a as ones. The five reserved bits beside
LRH.PktLen, in which the simulator carries the number of the routing function, count as zeros; the path in front of a
compact management packet (BTH opcodes from 0xC0; the low four bits are its words) counts as ones.
VCRC (7.8.2), LPCRC (7.9.5): CRC-16 of LRH to ICRC, and of the first four bytes of a link packet.
"""

LRH_BYTES, BTH_BYTES, ICRC_BYTES, VCRC_BYTES = 8, 12, 4, 2
OPCODE_COMPACT = 0xC0
LINK_PACKET_BYTES = 6


def checksum(data, width, polynomial):
    """The register starts with ones, takes each byte lowest bit first, and is sent complemented in the same order."""
    ones = (1 << width) - 1
    register = ones
    for byte in data:
        for i in range(8):
            feedback = register >> (width - 1) ^ byte >> i & 1
            register = register << 1 & ones ^ (polynomial if feedback else 0)
    register ^= ones
    sent = [register >> (width - 1 - i) & 1 for i in range(width)]
    return bytes(sum(bit << i for i, bit in enumerate(sent[k:k + 8])) for k in range(0, width, 8))


def icrc(packet):
    """Of LRH to payload."""
    covered = bytearray(packet)
    covered[0] |= 0xF0
    covered[4] &= 0x07
    covered[LRH_BYTES + 4] = 0xFF
    opcode = covered[LRH_BYTES]
    if opcode >= OPCODE_COMPACT:
        path, length = LRH_BYTES + BTH_BYTES, 4 * (opcode & 0xF)
        covered[path:path + length] = b"\xff" * length
    return checksum(covered, 32, 0x04C11DB7)


def crc16(data):
    return checksum(data, 16, 0x100B)


def packet_errors(packet):
    """What is wrong with a data or management packet, LRH to VCRC."""
    length = (int.from_bytes(packet[4:6], "big") & 0x7FF) * 4 + VCRC_BYTES
    if length != len(packet):
        return [f"PktLen says {length} bytes, there are {len(packet)}"]
    errors = []
    if crc16(packet[:-VCRC_BYTES]) != packet[-VCRC_BYTES:]:
        errors.append("VCRC")
    end = len(packet) - VCRC_BYTES
    if icrc(packet[:end - ICRC_BYTES]) != packet[end - ICRC_BYTES:end]:
        errors.append("ICRC")
    return errors


def link_packet_errors(packet):
    """What is wrong with a link packet, padding included."""
    if crc16(packet[:4]) != packet[4:LINK_PACKET_BYTES]:
        return ["LPCRC"]
    return [] if not any(packet[LINK_PACKET_BYTES:]) else ["padding"]
