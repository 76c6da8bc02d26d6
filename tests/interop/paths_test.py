# SPDX-License-Identifier: Apache-2.0
"""End nodes ask OpenSM for their paths and send by them: what its layers are for."""

import re
import sqlite3
import struct
import subprocess
import unittest

from client_test import Client
from served import PROGRAM, ServedTest, wait_for

PACKET = struct.Struct("=HxxHxxIIIxxxxQ256s")  # DLID and SLID big endian; queue pairs, status, length, MAD
PATH_RECORD = 0x0035
BY_LIDS = 1 << 4 | 1 << 5 | 1 << 12  # ComponentMask: DLID, SLID, NumbPath

# A ring deadlocks at this load if all its packets are on one VL.
SCENARIO = """
[topology]
kind = "torus"
size = [4, 4]
nodes_per_switch = 2
[switch]
transit_first = false
[traffic]
load = 1.0
packet_bytes = 282
[run]
warmup_cycles = 2_000
measure_cycles = 50_000
"""


class PathQuery:
    """SubnAdmGet(PathRecord) by LIDs, made and read here."""

    def __init__(self, client, manager_lid):
        self.client, self.manager_lid, self.number = client, manager_lid, 0
        client.data.settimeout(60)

    def ask(self, source, destination):
        """SL and MTU code."""
        self.number += 1
        mad = bytearray(256)
        struct.pack_into(">BBBBHHQH", mad, 0, 1, 3, 2, 1, 0, 0, self.number, PATH_RECORD)
        struct.pack_into(">Q", mad, 48, BY_LIDS)
        struct.pack_into(">HH", mad, 56 + 40, destination, source)
        mad[56 + 49] = 1
        swap = lambda lid: struct.unpack("=H", struct.pack(">H", lid))[0]
        self.client.data.send(PACKET.pack(swap(self.manager_lid), 0, 0, 0, 0, 256, bytes(mad)))
        answer = PACKET.unpack(self.client.data.recv(1024))[-1]
        status, identity = struct.unpack_from(">HxxQ", answer, 4)
        assert (status, identity & 0xFFFFFFFF) == (0, self.number), answer.hex()
        assert struct.unpack_from(">HH", answer, 56 + 40) == (destination, source), answer.hex()
        return answer[56 + 53] & 15, answer[56 + 54] & 63


class Paths(ServedTest):
    def setUp(self):
        super().setUp()
        self.scenario = self.folder / "saturated.toml"
        self.scenario.write_text(SCENARIO)

    def serve_traffic(self, engine, *options):
        self.serve(self.scenario, "--traffic", "--out", str(self.folder / "results"))
        manager = self.open_sm("-R", engine, "-Q", "-D", "0x43", *options)
        self.subnet_up(manager)
        self.assertIn(f"{engine} tables configured on all switches", manager.log())
        return manager

    def measured(self):
        wait_for(lambda: "the traffic has been measured" in self.server.out(), "the end of the traffic", self.server)

    def asked_for(self, lids):
        """SL by pair of names, for all of them."""
        client = Client(self.environment["IBSIM_SOCKNAME"])
        self.addCleanup(client.close)
        client.attach(b"H3_3_1")
        query = PathQuery(client, lids["H0_0_0"])
        answers = {(source, destination): query.ask(lids[source], lids[destination])
                   for source in lids for destination in lids if source != destination}
        self.assertEqual({mtu for _, mtu in answers.values()}, {2})  # 512 bytes
        return {pair: sl for pair, (sl, _) in answers.items()}

    def sent(self):
        """Set of (source, destination, SL) of all packets in the results."""
        with sqlite3.connect(self.folder / "results/results.sqlite") as database:
            names = dict(database.execute("SELECT id, name FROM nodes WHERE kind = 'end node'"))
            return {(names[source], names[destination], sl) for source, destination, sl in
                    database.execute("SELECT DISTINCT source, destination, sl FROM packets")}

    def test_lash_carries_saturating_traffic(self):
        """Each packet has the SL that subnet administration tells, and nothing stalls."""
        manager = self.serve_traffic("lash")
        self.measured()
        lids = self.end_node_lids()
        sls = self.asked_for(lids)
        self.assertEqual(set(sls.values()), {0, 1})
        for pair in (("H0_0_1", "H2_2_0"), ("H3_1_0", "H1_3_1"), ("H2_0_0", "H0_0_0")):
            told = self.run_tool("saquery", "-p", "--src-to-dst", f"{lids[pair[0]]}:{lids[pair[1]]}")
            self.assertRegex(told, rf"\tsl\.+0x{sls[pair]:X}\n")
        self.healthy(manager)
        self.end_server()
        sent = self.sent()
        self.assertEqual({(source, destination) for source, destination, _ in sent}, set(sls))
        self.assertEqual([each for each in sent if sls[each[:2]] != each[2]], [])
        self.check_tables_of_lash()

    def check_tables_of_lash(self):
        """With its SLs the tables have no cycle, all on SL 0 they have."""
        files = ["opensm-subnet.lst", "--tables", "opensm.fdbs", "--sl2vl", "opensm-sl2vl.dump"]
        def route(*options):
            return subprocess.run([PROGRAM, "route", *files, *options], cwd=self.folder, capture_output=True,
                                  text=True, check=False)
        without = route()
        self.assertEqual(without.returncode, 1, without.stderr)
        self.assertIn("CYCLIC", without.stdout)
        result = route("--path-records", "results/path-records.txt")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("no cycle", result.stdout)
        # A run takes the files as they are, under the same load.
        (self.folder / "dumped.toml").write_text(SCENARIO.replace(
            'kind = "torus"\nsize = [4, 4]\nnodes_per_switch = 2', 'kind = "netlist"\nfile = "opensm-subnet.lst"') + """
[routing]
engine = "file"
file = "opensm.fdbs"
sl2vl_file = "opensm-sl2vl.dump"
path_records_file = "results/path-records.txt"
""")
        run = subprocess.run([PROGRAM, "run", "dumped.toml", "--out", "run"], cwd=self.folder, capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_minhop_deadlocks_on_the_same_fabric(self):
        """All its packets are on SL 0."""
        self.serve_traffic("minhop")
        self.assertEqual(self.server.wait(), 1)
        self.assertIn("stall: cycle", self.server.err())
        self.assertIn("a cycle of ", self.server.err())
        self.assertEqual({sl for *_, sl in self.sent()}, {0})


if __name__ == "__main__":
    unittest.main()
