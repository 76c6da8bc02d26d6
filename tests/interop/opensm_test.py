# SPDX-License-Identifier: Apache-2.0
"""OpenSM brings verilated fabrics up, with each of its engines, and gives what it would give ibsim."""

import re
import signal
import socket
import subprocess
import unittest

from served import PROGRAM, TORUS, WITHOUT_FAULTS, ServedTest, wait_for

ROOT_SWITCH = "0x4c43000000010000\n"  # S0_0
# Size, and the links that say which way is which: from S0_0 to S1_0, S3_0, S0_1 and S0_3.
TORUS_2QOS = """torus 4 4 1
xp_link 0x4c43000000010000 0x4c43000000010001
xm_link 0x4c43000000010000 0x4c43000000010003
yp_link 0x4c43000000010000 0x4c43000000010004
ym_link 0x4c43000000010000 0x4c4300000001000c
x_dateline 0
y_dateline 0
"""


class OpenSm(ServedTest):
    def bring_up(self, engine, *options, scenario=TORUS, host="H0_0_0"):
        self.serve(scenario, *WITHOUT_FAULTS)
        (self.folder / "root").write_text(ROOT_SWITCH)
        return self.manage(engine, *options, host=host)

    def manage(self, engine, *options, host="H0_0_0"):
        manager = self.open_sm("-R", engine, *options, host=host)
        self.subnet_up(manager)
        self.assertIn(f"{engine} tables configured on all switches", manager.log())
        self.healthy(manager)
        return manager

    def with_and_without_qos(self, engine, *options, scenario=TORUS, host="H0_0_0"):
        """One after the other, on the same fabric: with QoS, SLtoVL and VL arbitration tables are written, too."""
        manager = self.bring_up(engine, *options, scenario=scenario, host=host)
        # In order: the manager first.
        manager.signal(signal.SIGTERM)
        self.assertEqual(manager.wait(), 0)
        self.manage(engine, *options, "-Q", host=host)
        self.end_server()
        self.assertEqual(self.server.err(), "")

    def test_minhop(self):
        self.with_and_without_qos("minhop")

    def test_updn(self):
        self.with_and_without_qos("updn", "-a", "root")

    def test_dnup(self):
        self.with_and_without_qos("dnup", "-a", "root")

    def test_dor(self):
        self.with_and_without_qos("dor")

    def test_lash(self):
        self.with_and_without_qos("lash")

    def test_nue(self):
        self.with_and_without_qos("nue")

    def test_sssp(self):
        self.with_and_without_qos("sssp")

    def on_a_tree(self, engine):
        scenario = self.folder / "tree.toml"
        scenario.write_text('[topology]\nkind = "kary-ntree"\nsize = [2, 3]\n')
        self.with_and_without_qos(engine, scenario=scenario, host="")

    def test_ftree(self):
        self.on_a_tree("ftree")

    def test_dfsssp(self):
        """Where the VLs suffice for its layers: a torus has one too few."""
        self.on_a_tree("dfsssp")

    def test_torus_2qos_and_its_tables(self):
        """With QoS: SLtoVL tables of every pair of ports are set. The switches have no multicast, and OpenSM says so."""
        (self.folder / "torus").write_text(TORUS_2QOS)
        self.serve(TORUS, *WITHOUT_FAULTS)
        manager = self.open_sm("-R", "torus-2QoS", "--torus_config", "torus", "-Q")
        self.subnet_up(manager)
        self.assertIn("torus-2QoS tables configured on all switches", manager.log())
        lid = re.search(r'"S0_0" base port 0 lid (\d+)', self.run_tool("ibnetdiscover")).group(1)
        table = self.run_tool("smpquery", "SL2VLTable", lid, "1")
        vls = re.findall(r"\| *(\d+)", "".join(re.findall(r"^ports: .*$", table, re.M)))
        self.assertEqual(set(vls) - {"15"}, {"0", "1"})
        self.end_server()

    def test_by_udp(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.environment.update(IBSIM_SERVER_NAME="localhost", IBSIM_SERVER_PORT=str(min(port, 60_000)))
        self.bring_up("minhop")
        self.assertEqual(self.run_tool("ibhosts").count("Ca\t:"), 32)
        self.end_server()

    def test_tables_are_those_that_ibsim_gets(self):
        """The same netlist, the same manager: the same forwarding tables, entry by entry."""
        self.bring_up("updn", "-a", "root", "-D", "0x43")
        ours = self.tables()
        self.end_server()
        for name in ("opensm-lfts.dump", "opensm1.log"):
            (self.folder / name).unlink()
        net = self.folder / "torus.net"
        subprocess.run([PROGRAM, "topo", "torus:4x4:2", "--netlist", "--out", str(net)], check=True)
        self.environment["IBSIM_SOCKNAME"] += "-ibsim"
        self.server = self.start("ibsim", ["sh", "-c", f"tail -f /dev/null | ibsim -s {net}"])
        wait_for(lambda: "sim>" in self.server.out(), "ibsim", self.server)
        manager = self.open_sm("-R", "updn", "-a", "root", "-D", "0x43")
        self.subnet_up(manager)
        self.assertEqual(self.tables(), ours)

    def tables(self):
        path = self.folder / "opensm-lfts.dump"
        wait_for(path.exists, "the dump of the tables")
        return path.read_text()


if __name__ == "__main__":
    unittest.main()
