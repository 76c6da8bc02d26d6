# SPDX-License-Identifier: Apache-2.0
"""Links that fail, or are disabled, while OpenSM is master: it hears of it, routes anew, and back."""

import re
import unittest

from served import TORUS, WITHOUT_FAULTS, ServedTest, wait_for


class Faults(ServedTest):
    def states(self, switch):
        """Logical and physical state by port, from iblinkinfo."""
        text = self.run_tool("iblinkinfo")
        block = text[text.index(f" {switch}:"):]
        return re.findall(r"\n +\d+ +(\d+)\[ *\] ==\(.*?(\w+)/ *(\w+)\)", block)[:6]

    def scenario(self, *faults):
        path = self.folder / "faults.toml"
        path.write_text('[topology]\nkind = "torus"\nsize = [4, 4]\nnodes_per_switch = 2\n' +
                        "".join(f"[[fault]]\n{fault}\n" for fault in faults))
        return path

    def test_cut_by_the_scenario(self):
        """A trap, a sweep, tables without the link; every node is still reached."""
        self.serve(self.scenario('kind = "cut"\nlink = "S1_1:1"\nafter_warmup = 10_000'))
        manager = self.open_sm("-R", "minhop")
        self.subnet_up(manager, times=2)
        self.assertIn("num:128 (Link state change)", manager.log())
        wait_for(lambda: self.states("S1_1")[0][1:] == ("Down", "Polling"), "the port to be Down")
        self.assertEqual(self.run_tool("ibhosts").count("Ca\t:"), 32)
        self.end_server()

    def test_cut_and_restored_by_the_scenario(self):
        """Whether OpenSM sees both or one: in the end the link is in use again."""
        self.serve(self.scenario('kind = "flap"\nlink = "S1_1:1"\nafter_warmup = 10_000\nduration_cycles = 2_000_000'))
        manager = self.open_sm("-R", "minhop")
        self.subnet_up(manager, times=2)
        self.assertIn("num:128 (Link state change)", manager.log())
        wait_for(lambda: [state for _, state, _ in self.states("S1_1")] == ["Active"] * 6, "all ports to be Active")
        self.end_server()

    def test_disabled_and_enabled_by_ibportstate(self):
        self.serve(TORUS, *WITHOUT_FAULTS)
        manager = self.open_sm("-R", "minhop")
        self.subnet_up(manager)
        lid = re.search(r'"S1_1" base port 0 lid (\d+)', self.run_tool("ibnetdiscover")).group(1)
        before = self.run_tool("ibroute", lid)

        def set_port(state):
            ups = manager.log().count("SUBNET UP")
            self.run_tool("ibportstate", lid, "1", state)
            self.subnet_up(manager, ups + 1)

        set_port("disable")
        self.assertEqual(self.states("S1_1")[0][1:], ("Down", "Disabled"))
        self.assertEqual(self.states("S2_1")[1][1:], ("Down", "Polling"))
        wait_for(lambda: not re.search(r"^0x\w+ 001 :", self.run_tool("ibroute", lid), re.M),
                 "tables that avoid the port")
        self.assertEqual(self.run_tool("ibhosts").count("Ca\t:"), 32)
        set_port("enable")
        wait_for(lambda: self.states("S1_1")[0][1:] == ("Active", "LinkUp"), "the port to be Active")
        wait_for(lambda: len(re.findall(r"^0x\w+ 001 :", self.run_tool("ibroute", lid), re.M)) ==
                 len(re.findall(r"^0x\w+ 001 :", before, re.M)), "tables that use the port again")
        self.end_server()

    def test_traffic_flows_meanwhile(self):
        """The scenario's traffic, its cut included; every packet has a fate."""
        self.serve(TORUS, "--traffic", "--out", str(self.folder / "results"),
                   "--set", "run.warmup_packets=200", "--set", "run.measure_cycles=20000")
        manager = self.open_sm("-R", "updn", "-a", "root")
        self.subnet_up(manager, times=2)
        wait_for(lambda: self.run_tool("sminfo") != "", "the manager")
        self.end_server()
        self.assertRegex(self.server.out(), r"\n +fault .*cut")
        self.assertTrue((self.folder / "results" / "summary.json").exists())

    def setUp(self):
        super().setUp()
        (self.folder / "root").write_text("0x4c43000000010000\n")


if __name__ == "__main__":
    unittest.main()
