# SPDX-License-Identifier: Apache-2.0
"""The same questions, tool by tool, on a served fabric and on ibsim with the same netlist: the same answers.

LIDs differ, as OpenSM gives the first one to the node that it runs at, which ibsim lets be a switch; so
names stand for them. What the hardware is differs, too (widths, MTU, vendor): that is left out.
"""

import re
import subprocess
import unittest

from served import PROGRAM, TORUS, WITHOUT_FAULTS, ServedTest, wait_for


def plain_lines(text):
    return sorted(line for line in text.splitlines() if not line.startswith("#"))


class Fabric:
    """What tools say, with names for LIDs."""

    def __init__(self, test):
        self.test = test
        listing = self.run("iblinkinfo", "-l")
        self.lid = {name: int(lid) for name, lid in re.findall(r'^0x\w+ +" *(\S+)" +(\d+) ', listing, re.M)}
        self.name = {lid: name for name, lid in self.lid.items()}

    def run(self, *arguments):
        return self.test.run_tool(*arguments)

    def of(self, *names):
        return [str(self.lid[name]) for name in names]


class Compare(ServedTest):
    def answers(self):
        """By question; sets and lists that do not depend on LIDs."""
        fabric = Fabric(self)
        name, run = fabric.name, fabric.run
        self.assertEqual(len(name), 48)
        found = {
            "ibnetdiscover": plain_lines(re.sub(r"(vendid|devid)=.*|(lid|lmc) \d+|\d+x[SDQ]DR", "", run("ibnetdiscover"))),
            "ibnetdiscover -p": sorted(re.findall(r"^(SW|CA) +\d+ +(\d+) (0x\w+).* - (?:SW|CA) +\d+ +(\d+) (0x\w+)",
                                                  run("ibnetdiscover", "-p"), re.M)),
            "ibhosts": plain_lines(run("ibhosts")),
            "ibswitches": plain_lines(re.sub(r"lid \d+", "", run("ibswitches"))),
            "iblinkinfo": sorted(re.findall(r'^0x\w+ +" *(\S+)" +\d+ +(\d+).*==\(.*?(\w+/ *\w+)\)==> +0x\w+ +\d+ +(\d+)\[ *\] "(\S+)"',
                                            run("iblinkinfo", "-l"), re.M)),
            "ibqueryerrors": [line for line in run("ibqueryerrors").splitlines() if "##" in line],
        }
        for switch in ("S0_0", "S2_1"):
            table = re.findall(r"^(0x\w+) (\d+) : .*'(\S+)'", run("ibroute", *fabric.of(switch)), re.M)
            self.assertEqual({name[int(lid, 16)]: node for lid, _, node in table}, {node: node for node in name.values()})
            found["ibroute " + switch] = {node: int(port) for _, port, node in table}
            found["NodeDesc " + switch] = run("smpquery", "nodedesc", *fabric.of(switch))
            found["NodeInfo " + switch] = re.findall(r"^((?:Base|Class|Node|Num|Guid|Port)\w*):\.*(\S+)",
                                                     run("smpquery", "nodeinfo", *fabric.of(switch)), re.M)[:7]
            found["LinearFdbTop " + switch] = re.search(r"LinearFdbTop:\.+(\d+)",
                                                        run("smpquery", "switchinfo", *fabric.of(switch))).group(1)
        for source, destination in (("H0_0_1", "H2_2_0"), ("H3_1_0", "H1_3_1")):
            way = run("ibtracert", *fabric.of(source, destination))
            found[f"ibtracert {source} {destination}"] = re.findall(r"^\[(\d+)\] -> .*\[(\d+)\] lid .*\"(\S+)\"", way, re.M)
            path = run("saquery", "-p", "--src-to-dst", ":".join(fabric.of(source, destination)))
            found[f"saquery -p {source} {destination}"] = re.findall(r"(PathRecord|[ds]gid|pkey|\tsl)(?:\.+| dump)(\S*)", path)
            link = run("saquery", "LR", fabric.of(source)[0] + "/1")
            found["saquery LR " + source] = [(name[int(start)], port, far, name[int(end)]) for start, port, far, end in
                                             re.findall(r"FromLID\.+(\d+)\n.*FromPort\.+(\d+)\n.*ToPort\.+(\d+)\n.*ToLID\.+(\d+)",
                                                        link)]
            node = run("saquery", "NR", *fabric.of(source))
            found["saquery NR " + source] = re.findall(r"(node_type|num_ports|\w+_guid|NodeDescription)\.+(.*)", node)
        found["smpquery -D"] = run("smpquery", "-D", "nodedesc", "0,1,1")
        found["saquery -g"] = re.findall(r"(MGID|Mlid|pkey|SL)\.+(\S+)", run("saquery", "-g"))
        found["sminfo"] = re.findall(r"priority \d+ state \d+ \w+", run("sminfo"))
        found["dump_lfts"] = sorted(self.by_name(run("dump_lfts"), name))
        return found

    @staticmethod
    def by_name(text, name):
        switch = None
        for line in text.splitlines():
            if head := re.match(r"Unicast lids .* of switch .* \((\S+)\)", line):
                switch = head[1]
            elif entry := re.match(r"(0x\w+) (\d+) :", line):
                yield switch, name[int(entry[1], 16)], int(entry[2])

    def test_same_answers(self):
        self.serve(TORUS, *WITHOUT_FAULTS)
        (self.folder / "root").write_text("0x4c43000000010000\n")
        manager = self.open_sm("-R", "updn", "-a", "root")
        self.subnet_up(manager)
        ours = self.answers()
        self.end_server()
        manager.kill()

        net = self.folder / "torus.net"
        subprocess.run([PROGRAM, "topo", "torus:4x4:2", "--netlist", "--out", str(net)], check=True)
        self.environment["IBSIM_SOCKNAME"] += "-ibsim"
        self.server = self.start("ibsim", ["sh", "-c", f"tail -f /dev/null | ibsim -s {net}"])
        wait_for(lambda: "sim>" in self.server.out(), "ibsim", self.server)
        self.subnet_up(self.open_sm("-R", "updn", "-a", "root"))
        theirs = self.answers()
        self.assertEqual(ours.keys(), theirs.keys())
        for question, answer in theirs.items():
            with self.subTest(question):
                self.assertEqual(ours[question], answer)
                self.assertTrue(answer)


if __name__ == "__main__":
    unittest.main()
