# SPDX-License-Identifier: Apache-2.0
"""OpenSM's dump files: read, written as OpenSM writes them, read by it, and run on the RTL."""

import filecmp
import re
import signal
import subprocess
import unittest
from itertools import pairwise

from served import PROGRAM, TORUS, WITHOUT_FAULTS, ServedTest, wait_for

DUMPS = ("opensm-lfts.dump", "opensm.fdbs", "opensm-sl2vl.dump", "opensm-subnet.lst")


def next_ports(lfts):
    """By switch, then end node: the port towards it."""
    ports, switch = {}, None
    for line in lfts.splitlines():
        if head := re.match(r"Unicast lids .* \('(\S+)'\)", line):
            switch = ports.setdefault(head[1], {})
        elif entry := re.match(r"0x\w+ (\d+) # Channel Adapter .*: '(\S+)'", line):
            switch[entry[2]] = int(entry[1])
    return ports


def cables(subnet_list):
    """By node and port: the node at the far end."""
    ends = re.compile(r"\{ \S+ .*?\{(\S+?)\} LID:\w+ PN:(\w+) \} \{ .*?\{(\S+?)\} LID:")
    return {(here, int(port, 16)): there for here, port, there in ends.findall(subnet_list)}


def dependencies(lfts, subnet_list):
    """Pairs of channels (switch, port) of which the first, held by a packet, makes it want the second."""
    ports, far_end, found = next_ports(lfts), cables(subnet_list), set()
    end_nodes = [node for node, _ in far_end if node not in ports]
    for source in end_nodes:
        for destination in end_nodes:
            at, way = far_end[source, 1], []
            while source != destination and at in ports:
                way.append((at, ports[at][destination]))
                at = far_end[way[-1]]
            found.update(pairwise(way))
    return found


class Dumps(ServedTest):
    def dumps_of(self, engine, *options):
        """OpenSM's files and the output of ibnetdiscover, of a served 4x4 torus."""
        self.serve(TORUS, *WITHOUT_FAULTS)
        manager = self.open_sm("-R", engine, "-D", "0x43", *options)
        self.subnet_up(manager)
        listing = self.run_tool("ibnetdiscover")
        manager.signal(signal.SIGTERM)
        self.assertEqual(manager.wait(), 0)
        self.end_server()
        return listing

    def lanecut(self, *arguments, status=0):
        result = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def check_written(self, listing, status):
        """From OpenSM's list of the fabric and its tables: the same files again, byte by byte."""
        for tables in ("opensm-lfts.dump", "opensm.fdbs"):
            self.lanecut("route", "opensm-subnet.lst", "--tables", tables, "--sl2vl", "opensm-sl2vl.dump",
                         "--dumps", "again", status=status)
            for name in DUMPS:
                self.assertTrue(filecmp.cmp(self.folder / name, self.folder / "again" / name, shallow=False), name)
        def lines(text):
            return sorted(line for line in text.splitlines() if not line.startswith("#"))
        self.assertEqual(lines(self.read("again/ibnetdiscover.net")), lines(listing))
        # What ibnetdiscover prints is the same fabric.
        (self.folder / "listing.net").write_text(listing)
        self.lanecut("route", "listing.net", "--tables", "opensm.fdbs", "--dumps", "third", status=status)
        self.assertTrue(filecmp.cmp(self.folder / "opensm-lfts.dump", self.folder / "third/opensm-lfts.dump",
                                    shallow=False))

    def test_files_of_minhop(self):
        self.check_written(self.dumps_of("minhop", "-Q"), status=1)  # they can deadlock

    def test_files_of_lash(self):
        self.check_written(self.dumps_of("lash", "-Q"), status=1)  # on SL 0 alone

    def test_files_are_read_by_opensm_and_ibsim(self):
        """What is written: the fabric by ibsim, as its netlist; the tables by OpenSM, which then has the same."""
        self.lanecut("route", "torus:4x4:2", "--engine", "updown", "--dumps", "ours")
        self.server = self.start("ibsim", ["sh", "-c", "tail -f /dev/null | ibsim -s ours/ibnetdiscover.net"])
        wait_for(lambda: "sim>" in self.server.out(), "ibsim", self.server)
        manager = self.open_sm("-R", "file", "-U", "ours/opensm-lfts.dump", "-D", "0x43", host="H-4c43000000020000")
        self.subnet_up(manager)
        self.assertIn("file tables configured on all switches", manager.log())
        self.healthy(manager)
        manager.signal(signal.SIGTERM)
        self.assertEqual(manager.wait(), 0)
        ours = next_ports(self.read("ours/opensm-lfts.dump"))
        self.assertEqual(len(ours), 16)
        self.assertEqual(next_ports(self.read("opensm-lfts.dump")), ours)

    def run_dumped(self, *settings, status):
        """All end nodes send as fast as they can."""
        (self.folder / "dumped.toml").write_text("""
[topology]
kind = "netlist"
file = "opensm-subnet.lst"
[routing]
engine = "file"
file = "opensm-lfts.dump"
sl2vl_file = "opensm-sl2vl.dump"
[switch]
transit_first = false
[traffic]
load = 1.0
packet_bytes = 282
[run]
measure_cycles = 50_000
""")
        overrides = [argument for setting in settings for argument in ("--set", setting)]
        return self.lanecut("run", "dumped.toml", "--out", "out", *overrides, status=status)

    def test_deadlock_of_opensms_tables(self):
        """Its minhop on a torus: refused with the cycle of channels; run all the same, that is what it comes to."""
        self.dumps_of("minhop", "-Q")
        allowed = dependencies(self.read("opensm-lfts.dump"), self.read("opensm-subnet.lst"))
        refused = self.run_dumped(status=1)
        self.assertIn("the tables of file can deadlock", refused)
        cycle = re.findall(r"(S\d_\d) port (\d) VL0", refused.splitlines()[-1])
        self.assertGreater(len(cycle), 2)
        self.assertEqual(cycle[0], cycle[-1])
        self.assertLessEqual(set(pairwise((switch, int(port)) for switch, port in cycle)), allowed)

        said = self.run_dumped("routing.allow_cyclic=true", status=1)
        stalled = next(line for line in said.splitlines() if line.startswith("lanecut: stall: "))
        self.assertRegex(stalled, r"lanecut: stall: cycle \d+: nothing has moved for \d+ cycles while packets wait: "
                                  r"a cycle of \d+ channels: ")
        # Each output queue waits for the input queue at its far end, and that one's head for the next output queue.
        waiting = re.findall(r"(input|output) queue of (S\d_\d) port (\d) VL 0: \d+ packets, head", stalled)
        far_end = cables(self.read("opensm-subnet.lst"))
        outputs = [(switch, int(port)) for kind, switch, port in waiting if kind == "output"]
        inputs = [switch for kind, switch, _ in waiting if kind == "input"]
        self.assertGreater(len(outputs), 2)
        self.assertEqual([far_end[channel] for channel in outputs], inputs if waiting[0][0] == "output" else
                         inputs[1:] + inputs[:1])
        self.assertLessEqual(set(pairwise(outputs + outputs[:1])), allowed)


if __name__ == "__main__":
    unittest.main()
