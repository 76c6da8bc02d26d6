# SPDX-License-Identifier: Apache-2.0
"""VL arbitration tables that OpenSM writes, and an M_Key that it sets."""

import re
import unittest

from served import TORUS, WITHOUT_FAULTS, ServedTest

QOS = """qos TRUE
qos_max_vls 2
qos_high_limit 3
qos_vlarb_high 1:7
qos_vlarb_low 0:16,1:48
qos_sl2vl 0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1
"""
M_KEY = "0x1234567890abcdef"


class Arbitration(ServedTest):
    def bring_up(self, settings, *options):
        self.serve(TORUS, *WITHOUT_FAULTS)
        self.settings = settings
        manager = self.open_sm("-R", "minhop", *options)
        self.subnet_up(manager)
        self.healthy(manager)
        return manager

    def ports(self):
        """(LID, port) of a switch's first port, which leads to another one, and of an end node."""
        listing = self.run_tool("ibnetdiscover")
        switch = re.search(r'"S0_0" base port 0 lid (\d+)', listing).group(1)
        end_node = re.search(r'^Ca\t.*# "H1_1_0"\n.*# lid (\d+) ', listing, re.M).group(1)
        return ((switch, "1"), (end_node, "1"))

    def test_tables(self):
        self.bring_up(QOS, "-Q")
        for lid, port in self.ports():
            table = self.run_tool("smpquery", "VLArbitration", lid, port)
            rows = [[int(number, 16) for number in re.findall(r"0x(\w+)", row)]
                    for row in re.findall(r"^(?:VL|WEIGHT) *: *(\|.*)$", table, re.M)]
            low_vls, low_weights, high_vls, high_weights = rows
            low = [pair for pair in zip(low_vls, low_weights) if pair[1]]
            high = [pair for pair in zip(high_vls, high_weights) if pair[1]]
            self.assertEqual((low, high), ([(0, 16), (1, 48)], [(1, 7)]), table)
            info = self.run_tool("smpquery", "PortInfo", lid, port)
            self.assertRegex(info, r"\nVLHighLimit:\.+3\n")
            self.assertRegex(info, r"\nVLArbHighCap:\.+8\n")
        self.end_server()

    def m_key(self, level):
        return f"m_key {M_KEY}\nm_key_protection_level {level}\n"

    def test_m_key_guards_sets(self):
        manager = self.bring_up(self.m_key(1))
        (switch, _), end_node = self.ports()
        for lid, port in ((switch, "0"), end_node):
            without = self.run_tool("smpquery", "-K", "PortInfo", lid, port)
            self.assertRegex(without, r"\nMkey:\.+0x0+\n")
            self.assertRegex(without, r"\nProtectBits:\.+1\n")
            self.assertRegex(self.run_tool("smpquery", "-K", "-y", M_KEY, "PortInfo", lid, port), rf"\nMkey:\.+{M_KEY}\n")
        self.healthy(manager)
        self.end_server()

    def test_m_key_guards_gets(self):
        manager = self.bring_up(self.m_key(2))
        # The tools need it to find their way.
        tool = self.client("smpquery", ["smpquery", "-D", "NodeDesc", "0,1"], "H3_3_1")
        self.assertNotEqual(tool.wait(), 0)
        self.assertIn("S3_3", self.run_tool("smpquery", "-K", "-y", M_KEY, "-D", "NodeDesc", "0,1"))
        info = self.run_tool("smpquery", "-K", "-y", M_KEY, "-D", "PortInfo", "0,1", "0")
        self.assertGreater(int(re.search(r"MkeyViolations:\.+(\d+)", info).group(1)), 0)
        # The switch has told the manager, which has heard it.
        self.assertIn("num:256", manager.log())
        self.end_server()


if __name__ == "__main__":
    unittest.main()
