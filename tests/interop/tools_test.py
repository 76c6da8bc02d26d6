# SPDX-License-Identifier: Apache-2.0
"""infiniband-diags against a fabric that OpenSM manages."""

import re
import sqlite3
import unittest

from served import TORUS, WITHOUT_FAULTS, ServedTest, wait_for

# LRH to ICRC, in words: what a port counts of a management packet, and of a data packet of the scenario.
MAD_WORDS = 72
DATA_WORDS = 14


class Tools(ServedTest):
    def setUp(self):
        super().setUp()
        self.serve(TORUS, *WITHOUT_FAULTS)
        self.manager = self.open_sm("-R", "minhop")
        self.subnet_up(self.manager)
        listing = self.run_tool("ibnetdiscover")
        self.lid = {name: int(lid) for name, lid in re.findall(r'# "(S\d_\d)" base port 0 lid (\d+)', listing)}
        self.lid.update(self.end_node_lids())
        self.listing = listing

    def test_discovery(self):
        self.assertEqual(len(re.findall(r"^Switch\t", self.listing, re.M)), 16)
        self.assertEqual(len(re.findall(r"^Ca\t", self.listing, re.M)), 32)
        self.assertEqual(len(self.lid), 48)
        links = self.run_tool("iblinkinfo")
        self.assertEqual(links.count("Active/  LinkUp"), 16 * 6 + 32)
        self.assertNotIn("Down", links)
        self.assertEqual(self.run_tool("ibswitches").count("Switch\t:"), 16)
        self.assertEqual(self.run_tool("ibhosts").count("Ca\t:"), 32)
        self.assertRegex(self.run_tool("sminfo"), rf"sm lid {self.lid['H0_0_0']} .* SMINFO_MASTER")

    def test_routes(self):
        """Tables and paths agree with each other: the first hop of a path is in the switch's table."""
        table = self.run_tool("ibroute", str(self.lid["S0_0"]))
        ports = {int(lid, 16): int(port) for lid, port in re.findall(r"^(0x[0-9a-f]+) (\d+) :", table, re.M)}
        self.assertEqual(sorted(ports), sorted(self.lid.values()))
        path = self.run_tool("ibtracert", str(self.lid["H0_0_1"]), str(self.lid["H2_2_0"]))
        hops = re.findall(r"^\[(\d+)\] -> .* port .*lid (\d+)-", path, re.M)
        self.assertEqual(int(hops[0][1]), self.lid["S0_0"])
        self.assertEqual(int(hops[1][0]), ports[self.lid["H2_2_0"]])
        self.assertEqual(int(hops[-1][1]), self.lid["H2_2_0"])

    def test_attributes(self):
        """Each attribute that smpquery knows, of a switch and of an end node."""
        switch, end_node = str(self.lid["S0_0"]), str(self.lid["H1_1_0"])
        self.assertIn("S0_0", self.run_tool("smpquery", "NodeDesc", switch))
        self.assertIn("Switch", self.run_tool("smpquery", "NodeInfo", switch))
        self.assertIn("Channel Adapter", self.run_tool("smpquery", "NodeInfo", end_node))
        self.assertRegex(self.run_tool("smpquery", "SwitchInfo", switch), r"LinearFdbTop:\.+48\n")
        self.assertRegex(self.run_tool("smpquery", "PortInfo", switch, "0"), rf"\nLid:\.+{switch}\n")
        for node, port in ((switch, "1"), (end_node, "1")):
            self.assertIn("Active", self.run_tool("smpquery", "PortInfo", node, port))
        self.assertIn("0xffff", self.run_tool("smpquery", "PKeyTable", switch, "0"))
        self.assertIn("0xffff", self.run_tool("smpquery", "PKeyTable", end_node))
        self.assertIn("0x4c43000000010000", self.run_tool("smpquery", "GUIDInfo", switch))
        self.assertEqual(self.run_tool("smpquery", "SL2VLTable", switch, "1").count("ports: in"), 7)
        self.run_tool("smpquery", "SL2VLTable", end_node)
        self.run_tool("smpquery", "VLArbitration", switch, "1")

    def test_counters(self):
        """Both ends of a link have counted the same, by PortCounters and by PortCountersExtended."""
        # S1_1's end node H1_1_0 is at its port 5, and the queries themselves go elsewhere.
        at_node = self.counters("-x", str(self.lid["H1_1_0"]), "1")
        at_switch = self.counters(str(self.lid["S1_1"]), "5")
        # Its own answer is what the end node had not counted.
        self.assertEqual(at_switch["PortRcvPkts"], at_node["PortXmitPkts"] + 1)
        self.assertEqual(at_switch["PortXmitPkts"], at_node["PortRcvPkts"])
        self.assertEqual(at_node["PortRcvData"], 72 * at_node["PortRcvPkts"])
        for name in ("SymbolErrorCounter", "LinkDownedCounter", "PortRcvErrors", "PortXmitDiscards", "VL15Dropped"):
            self.assertEqual(at_switch[name], 0)
        # Cleared, the counters begin anew.
        self.run_tool("perfquery", "-R", str(self.lid["S1_1"]), "5")
        after = self.counters(str(self.lid["S1_1"]), "5")
        self.assertEqual((after["PortXmitPkts"], after["PortRcvPkts"]), (0, 0))

    def tearDown(self):
        self.healthy(self.manager)
        self.end_server()
        self.assertEqual(self.server.err(), "")
        super().tearDown()


class CountsOfTraffic(ServedTest):
    def test_counts_of_the_run(self):
        """perfquery's counters are the packets that the run's results have, at every end node.

        Data and management packets are told apart by their lengths.
        """
        results = self.folder / "results"
        self.serve(TORUS, *WITHOUT_FAULTS, "--traffic", "--out", str(results), "--set", "run.measure_cycles=10000")
        self.subnet_up(self.open_sm("-R", "minhop"))
        wait_for(lambda: "the traffic has been measured" in self.server.out(), "the end of the traffic", self.server)
        counted = {name: self.data_packets(lid) for name, lid in self.end_node_lids().items()}
        self.end_server()
        with sqlite3.connect(results / "results.sqlite") as database:
            def packets(end, time):
                return dict(database.execute(f"SELECT name, count({time}) FROM nodes JOIN packets ON nodes.id = {end} "
                                             "WHERE kind = 'end node' GROUP BY name"))
            self.assertEqual({name: sent for name, (sent, _) in counted.items()}, packets("source", "injected"))
            self.assertEqual({name: received for name, (_, received) in counted.items()},
                             packets("destination", "delivered"))
        self.assertGreater(min(min(packets) for packets in counted.values()), 0)

    def data_packets(self, lid):
        """(sent, received)"""
        counters = self.counters("-x", str(lid), "1")
        counts = []
        for way in "Xmit", "Rcv":
            packets, words = counters[f"Port{way}Pkts"], counters[f"Port{way}Data"]
            data, rest = divmod(MAD_WORDS * packets - words, MAD_WORDS - DATA_WORDS)
            self.assertEqual(rest, 0)
            counts.append(data)
        return tuple(counts)


if __name__ == "__main__":
    unittest.main()
