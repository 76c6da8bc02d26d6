# SPDX-License-Identifier: Apache-2.0
"""GTKWave's tools read what lanecut wave writes, and it shows what the results of the run say."""

import json
import os
import re
import shlex
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

from served import PROGRAM

FAILING = os.environ.get("LANECUT_FAILING", "")  # the program with a switch whose assertion fails
NS = 16  # per cycle
MARGIN = 300  # cycles before and after an event
DROP_EPOCH = "DropEpoch"

# A ring of four switches: a cut leaves a way round.
MESH = """
[topology]
kind = "mesh"
size = [2, 2]
nodes_per_switch = 1
[reconfiguration]
scheme = "osr-pda"
[traffic]
load = 0.3
[run]
warmup_packets = 100
measure_cycles = 20_000
[[fault]]
kind = "cut"
link = "S0_0:1"
after_warmup = 2000
"""

# Packets of two routing functions get in each other's way.
TORUS = """
[topology]
kind = "torus"
size = [4, 4]
nodes_per_switch = 2
[reconfiguration]
scheme = "ebr"
[traffic]
load = 0.3
[run]
warmup_packets = 500
measure_cycles = 20_000
[[fault]]
kind = "cut"
link = "random"
after_warmup = 5000
"""

# Minimal routing closes the ring into a cycle of channels.
RING = """
[topology]
kind = "torus"
size = [5]
nodes_per_switch = 4
[routing]
engine = "minhop"
allow_cyclic = true
[switch]
transit_first = false
[traffic]
load = 1.0
[run]
measure_cycles = 60_000
stall_cycles = 3000
"""


def unescape(text):
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), text)


class Waves:
    """A file as fst2vcd has it: signals by full name, their changes by time, names of values."""

    def __init__(self, path):
        text = subprocess.run(["fst2vcd", "-e", "-f", path], capture_output=True, text=True, check=True).stdout
        head, _, body = text.partition("$enddefinitions")
        self.codes, self.names, tables, scopes, table = {}, {}, {}, [], None
        for words in (line.split() for line in head.splitlines()):
            if words[:1] == ["$scope"]:
                scopes.append(words[2])
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif words[:3] == ["$attrbegin", "misc", "07"]:
                if words[3] != '""':
                    count = int(words[4])
                    values = dict(zip(words[5 + count:5 + 2 * count], map(unescape, words[5:5 + count])))
                    tables[words[-2]] = {int(value, 2): name for value, name in values.items()}
                table = words[-2]
            elif words[:1] == ["$var"]:
                name = ".".join(scopes + words[4:-1]).replace(".[", "[")
                self.codes[name], table, number = words[3], None, table
                self.names[name] = tables.get(number, {})
        self.changes, self.times, now = {}, [], None
        for line in body.splitlines():
            if line.startswith("#"):
                now = int(line[1:])
                self.times.append(now)
            elif line.startswith("b"):
                value, code = line[1:].split()
                self.changes.setdefault(code, []).append((now, int(value, 2)))
            elif line[:1] in "01" and now is not None:
                self.changes.setdefault(line[1:], []).append((now, int(line[0])))

    def signals(self, pattern):
        return [name for name in self.codes if re.fullmatch(pattern, name)]

    def values(self, name):
        """(cycle, value or its name) for every change."""
        names = self.names[name]
        return [(time // NS, names.get(value, value)) for time, value in self.changes[self.codes[name]]]

    def at(self, name, cycle):
        return [value for at, value in self.values(name) if at <= cycle][-1]


class WaveTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="lanecut-wave-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def scenario(self, text):
        path = self.folder / "s.toml"
        path.write_text(text)
        return path

    def lanecut(self, *arguments, status=0, program=PROGRAM):
        result = subprocess.run([program, *arguments], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def wave(self, scenario, *options, program=PROGRAM, end=None):
        """The file, and what was printed of the event: cycles and text. `end`: the run's last cycle, if that comes sooner."""
        output = self.lanecut("wave", scenario, "--out", self.folder / "w", *options, program=program).stdout
        event = re.search(r": cycle (\d+)(?: to (\d+))?: (.*)", output)
        waves = Waves(self.folder / "w.fst")
        if not event:
            return waves, output
        first, last = int(event[1]), int(event[2] or event[1])
        self.check_window(waves, first - MARGIN, end or last + MARGIN)
        self.check_save_file(waves)
        return waves, first, last, event[3]

    def check_window(self, waves, first, last):
        """These cycles, each of them, and nothing else."""
        self.assertEqual((waves.times[0], waves.times[-1]), (first * NS, last * NS + NS // 2))
        self.assertEqual(waves.values("run.cycle[63:0]"), [(cycle, cycle) for cycle in range(first, last + 1)])
        self.assertEqual(len(waves.values("run.clk")), 2 * (last + 1 - first))

    def check_save_file(self, waves):
        """Every signal in it is in the file; names of values are shown for those that have them."""
        lines = (self.folder / "w.gtkw").read_text().splitlines()
        self.assertEqual(lines[0], f'[dumpfile] "{self.folder / "w.fst"}"')
        flags, shown = None, 0
        for line in lines:
            if line.startswith("@"):
                flags = int(line[1:], 16)
            elif line.startswith("+{"):
                name = line.split("} ")[1]
                self.assertTrue(name in waves.codes, name)
                self.assertEqual(bool(flags >> 32), bool(waves.names[name]), name)
                shown += 1
        self.assertGreater(shown, 60)

    def run_results(self, scenario, status=0):
        result = self.lanecut("run", scenario, "--out", "run", status=status)
        database = sqlite3.connect(self.folder / "run" / "results.sqlite")
        self.addCleanup(database.close)
        return database, result.stderr

    def test_window(self):
        """Its cycles exactly, far into a run, in two switches; the file is small."""
        waves, _ = self.wave(self.scenario(MESH), "--switch", "S0_0,S1_1", "--from", "30000", "--to", "30900")
        self.check_window(waves, 30000, 30900)
        self.check_save_file(waves)
        self.assertEqual({name.split(".")[0] for name in waves.codes}, {"run", "S0_0", "S1_1"})
        self.assertLess((self.folder / "w.fst").stat().st_size, 3_000_000)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["s.toml", "w.fst", "w.gtkw"])

    def test_the_run_ends_in_the_window(self):
        scenario = self.scenario(MESH)
        self.run_results(scenario)
        end = json.loads((self.folder / "run/summary.json").read_text())["cycles"]
        waves, output = self.wave(scenario, "--switch", "S0_0", "--from", str(end - 100), "--to", "99999999")
        self.check_window(waves, end - 100, end - 1)
        self.assertIn(f"to {end - 1} (", output)

    def test_packet(self):
        """Its way, queue by queue, is the one that the results have; ends and next switches by their names."""
        scenario = self.scenario(MESH)
        database, _ = self.run_results(scenario)
        packet, source, destination, injected, delivered = database.execute(
            "SELECT p.id, s.name, d.name, injected, delivered FROM packets p"
            " JOIN nodes s ON s.kind = 'end node' AND s.id = source"
            " JOIN nodes d ON d.kind = 'end node' AND d.id = destination"
            " WHERE s.name = 'H0_0_0' AND d.name = 'H1_1_0' AND delivered > 20000 LIMIT 1").fetchone()
        waves, first, last, text = self.wave(scenario, "--around", f"packet:{packet}")
        self.assertEqual(text, f"packet {packet:#x} of {source}")
        self.assertTrue(injected < first < last <= delivered, (injected, first, last, delivered))
        way = {}
        for name in waves.signals(r"S\w+\.port\d\.(in|out)_vl\d\.packet\[63:0\]"):
            for cycle, value in waves.values(name):
                if value == packet:
                    way[cycle, name[:-len(".packet[63:0]")]] = None
        queues = [queue for _, queue in sorted(way)]
        self.assertEqual([queue.split(".")[2].split("_")[0] for queue in queues], ["in", "out"] * 3)
        self.assertEqual(queues[0].split(".")[0], "S0_0")
        self.assertEqual(queues[-1].split(".")[0], "S1_1")
        for (cycle, queue) in way:
            self.assertEqual(waves.at(queue + ".source[15:0]", cycle), source)
            self.assertEqual(waves.at(queue + ".destination[15:0]", cycle), destination)
        for inside, outside in zip(queues[::2], queues[1::2]):
            switch, port, lane = outside.split(".")
            wanted = f"{port[4:]}.VL{lane[-1]} to "
            names = [value for _, value in waves.values(inside + ".wants[7:0]")]
            self.assertTrue(any(str(name).startswith(wanted) for name in names), (wanted, names))
            _, port, lane = inside.split(".")
            holder = f"{port[4:]}.VL{lane[-1]} from "
            names = [value for _, value in waves.values(outside + ".holder[7:0]")]
            self.assertTrue(any(str(name).startswith(holder) for name in names), (holder, names))

    def test_token(self):
        scenario = self.scenario(MESH.replace("load = 0.3", "load = 1.0"))
        database, _ = self.run_results(scenario)
        expected = database.execute("SELECT min(cycle) FROM events WHERE kind IN ('token-sent', 'token-passed')"
                                    " AND place LIKE 'S%'").fetchone()[0]
        waves, first, _, text = self.wave(scenario, "--around", "token")
        self.assertEqual(first, expected)
        switch = text.split()[3]
        channels = [waves.values(f"{switch}.lanecut_switch.trace_{what}_o[11:0]") for what in ("sent", "done")]
        self.assertEqual(min(cycle for changes in channels for cycle, value in changes if value), first)
        self.assertEqual(waves.at(f"{switch}.lanecut_switch.u_wave.scheme_name[1:0]", first), "SchemeOsr")

    def test_wait_for_tokens(self):
        """The packet that was held for longest: the cycles in which its queues say so are those of the results."""
        scenario = self.scenario(MESH)
        database, _ = self.run_results(scenario)
        packet, held = database.execute("SELECT id, token FROM packets ORDER BY token DESC, id LIMIT 1").fetchone()
        self.assertGreater(held, 20)
        waves, *_ = self.wave(scenario, "--around", f"packet:{packet}")
        shown, queues = 0, 0
        for name in waves.signals(r"S\w+\.port\d\.in_vl\d\.packet\[63:0\]"):
            states = dict(waves.values(name.replace("packet[63:0]", "state[3:0]")))
            there = dict(waves.values(name))
            queues += packet in there.values()
            state = value = None
            unknown = 0  # cycles in which the word with the id had not come yet
            for cycle in range(waves.times[0] // NS, waves.times[-1] // NS):
                state, value = states.get(cycle, state), there.get(cycle, value)
                is_held = state in ("token", "next function")
                if value == packet:
                    shown += is_held + unknown
                unknown = unknown + is_held if value == 0 else 0
        # The last word of the packet before may leave in the first cycle of a wait.
        self.assertTrue(held - queues <= shown <= held, (shown, held, queues))

    def test_epoch_drop(self):
        scenario = self.scenario(TORUS)
        database, _ = self.run_results(scenario)
        cycle, place = database.execute(
            "SELECT cycle, place FROM events WHERE kind = 'epoch-drop' ORDER BY cycle LIMIT 1").fetchone()
        waves, first, _, text = self.wave(scenario, "--around", "epoch-drop")
        switch, port, lane = re.fullmatch(r"(\w+):(\d) VL (\d)", place).groups()
        self.assertEqual((first, text), (cycle, f"EBR has dropped the head of {switch} input {port} VL {lane}"))
        reasons = waves.values(f"{switch}.lanecut_switch.u_wave.gen_port[{int(port) - 1}].gen_lane[{lane}].in_reason[3:0]")
        self.assertIn((cycle - 1, DROP_EPOCH), reasons)  # the results say when the trace port told it
        self.assertEqual(waves.at(f"{switch}.port{port}.in_vl{lane}.state[3:0]", cycle - 1), "dropped")
        self.assertEqual(waves.at(f"{switch}.port{port}.in_vl{lane}.state[3:0]", cycle - 2), "no credits")

    def test_credit_stall(self):
        """No credits in any cycle of it, nor before; the credits that are there say so, too."""
        waves, first, last, text = self.wave(self.scenario(MESH), "--set", "traffic.load=1.0", "--around",
                                             "credit-stall:20")
        self.assertEqual(last - first, 20)
        switch, port, lane = re.fullmatch(r"the head of (\w+) output (\d) VL (\d) has no credits", text).groups()
        queue = f"{switch}.port{port}.out_vl{lane}"
        states = waves.values(f"{queue}.state[3:0]")
        self.assertIn((first, "no credits"), states)
        self.assertNotIn(True, [first < cycle <= last for cycle, _ in states])
        self.assertEqual(waves.at(f"{queue}.credits[11:0]", first), 0)
        self.assertGreater(waves.at(f"{queue}.packets[7:0]", first), 0)
        error = self.lanecut("wave", self.folder / "s.toml", "--around", "credit-stall:100000", status=1).stderr
        self.assertRegex(error, r"^lanecut: wave: there is no credit-stall:100000 in this run; the run ended in cycle \d+: ok\n$")

    def printed_command(self, error):
        self.assertEqual(error.count("\n"), 2, error)
        command = shlex.split(re.search(r"\nlanecut: to see it in waves: (.*)\n$", error)[1])
        self.assertEqual(command[1], "wave")
        return command

    def test_stall(self):
        """The command that the failed run prints shows the cycle of waiting channels."""
        _, error = self.run_results(self.scenario(RING), status=1)
        program, *command = self.printed_command(error)
        self.assertEqual(program, PROGRAM)
        detected, waited = map(int, re.search(r"cycle (\d+): nothing has moved for (\d+) cycles", error).groups())
        waves, first, _, _ = self.wave(command[1], *command[2:])
        self.assertLessEqual(first, detected - waited)
        cycle = re.findall(r"(in|out)put queue of (S\d) port (\d) VL (\d): (\d+) packets, head (\w+)", error)
        self.assertEqual(len(cycle), 10)
        for side, switch, port, lane, packets, head in cycle:
            queue = f"{switch}.port{port}.{side}_vl{lane}"
            self.assertEqual(waves.at(f"{queue}.state[3:0]", first + MARGIN), "no credits")
            self.assertEqual(waves.at(f"{queue}.packets[7:0]", first + MARGIN), int(packets))
            if side == "in":  # the message knows of an output queue which packets are in it, not their order
                self.assertEqual(waves.at(f"{queue}.packet[63:0]", first + MARGIN), int(head, 16))
        starts = [cycle for name in waves.signals(r"S\d\.lanecut_switch\.u_wave\.gen_port\[\d\]\.tx\[2:0\]")
                  for cycle, value in waves.values(name) if value == "CtrlStartData"]
        self.assertEqual(max(starts), first)

    def test_assertion(self):
        """The same for an assertion, in the switch where it fails."""
        scenario = self.scenario(MESH)
        result = self.lanecut("run", scenario, "--out", "run", status=1, program=FAILING)
        lines = result.stderr.splitlines(keepends=True)
        program, *command = self.printed_command("".join(lines[-2:]))
        self.assertEqual((program, command[2:]), (FAILING, ["--around", "assertion"]))
        seen = int(re.search(r"lanecut: assertion: cycle (\d+) or up to 512 before", result.stderr)[1])
        planted = int(re.search(r"planted in S1_0, clock edge (\d+)", result.stderr)[1])
        waves, first, _, text = self.wave(command[1], *command[2:], program=FAILING, end=seen)
        self.assertEqual(text, "an assertion of S1_0 has failed")
        self.assertTrue(planted <= first and seen - 512 <= first <= seen, (planted, first, seen))
        self.assertEqual({name.split(".")[0] for name in waves.codes}, {"run", "S1_0"})

    def test_what_makes_no_sense(self):
        """One line that says what is wrong, and nothing written."""
        scenario = self.scenario(MESH)
        window = ("--from", "10", "--to", "20")
        for options, text in (
                ((), "expected --around EVENT, or --switch, --from and --to"),
                (window, "expected --around EVENT, or --switch, --from and --to"),
                (("--switch", "S9", *window), "--switch S9: no such switch; expected one of S0_0, "),
                (("--switch", "H0_0_0", *window), "--switch H0_0_0: no such switch"),
                (("--switch", "S0_0", "--from", "20", "--to", "10"), "--from 20 --to 10"),
                (("--around", "stall", *window), "one or the other"),
                (("--around", "sunset"), "--around sunset: no such event; expected epoch-drop, token"),
                (("--around", "packet:x"), "--around packet:x"),
                (("--around", "stall:5"), "--around stall:5")):
            error = self.lanecut("wave", scenario, *options, status=2).stderr
            self.assertEqual(error.count("\n"), 1, error)
            self.assertIn(text, error)
        for options, text in ((("--around", "stall"), "there is no stall in this run"),
                              (("--around", "packet:0xffff000000000001"), "there is no packet:0xffff000000000001 in this run"),
                              (("--switch", "S0_0", "--from", "99999999", "--to", "99999999"),
                               "before cycle 99999999")):
            error = self.lanecut("wave", scenario, *options, status=1).stderr
            self.assertEqual(error.count("\n"), 1, error)
            self.assertIn(text, error)
        self.assertEqual([path for path in self.folder.rglob("*") if path.is_file()], [scenario])


if __name__ == "__main__":
    unittest.main()
