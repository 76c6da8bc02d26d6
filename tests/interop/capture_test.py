# SPDX-License-Identifier: Apache-2.0
"""Wireshark reads what crosses the links, and every checksum in it is right."""

import filecmp
import functools
import re
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from infiniband_crc import crc16, icrc, link_packet_errors, packet_errors
from served import PROGRAM, ROOT

PACKET, LINK_PACKET = 21, 25  # ERF record types
RX_ERROR = 0x10
TOKEN, TOKEN_ACK = 8, 9  # Ops of link packets

# A ring of four switches: a cut leaves a way round.
SCENARIO = """
[topology]
kind = "mesh"
size = [2, 2]
nodes_per_switch = 1
[reconfiguration]
scheme = "osr-pda"
[traffic]
load = 0.1
[run]
warmup_packets = 100
measure_cycles = 20_000
[[fault]]
kind = "cut"
link = "S0_0:{port}"
after_warmup = 2000
"""


class Record:
    def __init__(self, header, data):
        self.time, self.type, self.flags = header[:3]
        self.data = data
        self.interface = self.flags & 3
        self.is_bad = bool(self.flags & RX_ERROR)


def read_erf(path):
    """The records of a file, by the format's definition."""
    contents, records, at = path.read_bytes(), [], 0
    while at < len(contents):
        header = struct.unpack("<QBB", contents[at:at + 10]) + struct.unpack(">HHH", contents[at + 10:at + 16])
        records.append(Record(header, contents[at + 16:at + header[3]]))
        at += header[3]
    assert at == len(contents), path
    return records


@functools.cache
def errors_of(kind, data):
    return tuple((packet_errors if kind == PACKET else link_packet_errors)(data))


class CaptureTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="lanecut-capture-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.scenario = self.folder / "ring.toml"
        self.scenario.write_text(SCENARIO.format(port=1))

    def run_lanecut(self, out, *options, status=0):
        result = subprocess.run([PROGRAM, "run", self.scenario, "--out", self.folder / out, *options],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stderr

    def files(self, out):
        return sorted((self.folder / out).glob("*.erf"))

    def tshark(self, path, *fields):
        """A row of these fields for every frame."""
        script = f"lua_script:{ROOT / 'sw/capture/lanecut.lua'}"
        arguments = [argument for field in fields for argument in ("-e", field)]
        result = subprocess.run(["tshark", "-X", script, "-r", path, "-T", "fields", "-E", "separator=|", *arguments],
                                capture_output=True, text=True, check=True)
        return [line.split("|") for line in result.stdout.splitlines()]

    def check_file(self, path):
        """Every frame dissected, every checksum right. Returns records and the text of the frames."""
        records = read_erf(path)
        frames = self.tshark(path, "frame.protocols", "_ws.malformed", "frame.time_epoch", "_ws.col.Info")
        self.assertEqual(len(frames), len(records))
        self.assertEqual([r.time for r in records], sorted(r.time for r in records))
        for record, (protocols, malformed, *_) in zip(records, frames):
            if record.is_bad:
                continue
            self.assertEqual(errors_of(record.type, record.data), (), record.data.hex())
            self.assertIn("infiniband", protocols)
            self.assertEqual(malformed, "", record.data.hex())
        return records, [frame[-1] for frame in frames]

    def test_checksums_are_those_of_the_specification(self):
        """Its sample packet."""
        packet = bytes.fromhex("7012375c000e17d20a2024870087b1b3000dec2a01710a1c015d400238f27a05000000"
                               "0ebb884d85fd5cfba4728bc0690ed40000")
        self.assertEqual(icrc(packet).hex(), "9625b75a")
        self.assertEqual(crc16(packet + icrc(packet)).hex(), "45fa")
        self.assertEqual(packet_errors(packet + bytes.fromhex("9625b75a45fa")), [])
        self.assertEqual(packet_errors(packet + bytes.fromhex("9625b75b45fa")), ["VCRC", "ICRC"])

    def test_reconfiguration(self):
        """Management, data, flow control and tokens on every link; the results are those of a run without capture."""
        self.run_lanecut("plain")
        self.run_lanecut("captured", "--capture", "all")
        for name in ("results.sqlite", "summary.json"):
            self.assertTrue(filecmp.cmp(self.folder / "plain" / name, self.folder / "captured" / name, shallow=False),
                            name)
        self.assertEqual(self.files("plain"), [])
        self.assertEqual(len(self.files("captured")), 8)
        operations, texts, both_ways = set(), set(), 0
        for path in self.files("captured"):
            records, infos = self.check_file(path)
            both_ways += {record.interface for record in records} == {0, 1}
            operations |= {record.data[0] >> 4 for record in records if record.type == LINK_PACKET}
            texts |= set(re.findall(r"Subn\w+\(\w+\)|RC Send Only", " ".join(infos)))
        self.assertEqual(both_ways, 8)
        self.assertLessEqual({0, 1, TOKEN, TOKEN_ACK}, operations)
        self.assertLessEqual({"SubnGet(NodeInfo)", "SubnGetResp(NodeInfo)", "SubnSet(PortInfo)", "SubnTrap(Notice)",
                              "RC Send Only"}, texts)

    def test_fields_of_our_own(self):
        """Beside what Wireshark knows: numbers of routing functions, tokens, vendor attributes."""
        self.run_lanecut("run", "--capture", "S0_0:5")
        rows = self.tshark(self.files("run")[0], "lanecut.epoch", "lanecut.token", "lanecut.token.number",
                           "lanecut.attribute", "_ws.col.Info")
        self.assertEqual({row[0] for row in rows}, {"", "0", "1"})
        self.assertEqual({tuple(row[1:3]) for row in rows}, {("", ""), ("8", "1"), ("9", "1")})
        infos = {row[-1] for row in rows}
        self.assertIn("Token VL 0 function 1", infos)
        self.assertIn("Token acknowledgement VL 1 function 1", infos)
        self.assertIn("Flow control init VL 0 FCTBS 0 FCCL 16", infos)
        self.assertLessEqual({"0xff08", "0xff09"}, {row[3] for row in rows})
        self.assertTrue(any(info.endswith(" FeederRows") for info in infos))

    def test_window(self):
        """The records of the window are those of the whole, and only they, at the times of the cycles."""
        self.run_lanecut("whole", "--capture", "S0_0:3")
        self.run_lanecut("window", "--capture", "S0_0:3,S0_1:4", "--capture-window", "5000..9000")
        (whole,), (window,) = self.files("whole"), self.files("window")
        self.assertEqual(whole.name, window.name)
        times = [round(float(time) * 1e9) // 16 for (time,) in self.tshark(whole, "frame.time_epoch")]
        inside = [record.data for record, t in zip(read_erf(whole), times) if 5000 <= t < 9000]
        self.assertGreater(len(inside), 0)
        self.assertEqual([record.data for record in read_erf(window)], inside)

    def test_bad_packets_are_written_as_they_were(self):
        """Bit errors: what the checksums find is in the capture."""
        self.scenario.write_text(SCENARIO.format(port=1).replace('kind = "cut"', 'kind = "bit-errors"\nrate = 0.002'))
        self.run_lanecut("errors", "--capture", "S0_0:1")
        records = read_erf(self.files("errors")[0])
        self.assertGreater(sum(bool(errors_of(r.type, r.data)) for r in records), 0)
        self.assertEqual(len(self.tshark(self.files("errors")[0], "frame.number")), len(records))

    def test_unknown_links(self):
        """One line that says what there is, and nothing written."""
        for option, text in ((("--capture", "S0_0:9"), "S0_0:1"), (("--capture", "S9:1"), "S1_1:5"),
                             (("--capture", "S0_0"), "S0_0:1"), (("--capture-window", "1..2"), "without --capture"),
                             (("--capture", "all", "--capture-window", "7..7"), "7..7")):
            error = self.run_lanecut("none", *option, status=2)
            self.assertEqual(error.count("\n"), 1, error)
            self.assertIn(text, error)
        self.assertEqual(list(self.folder.glob("none*")), [])


if __name__ == "__main__":
    unittest.main()
