# SPDX-License-Identifier: Apache-2.0
"""What the interop tests share: a served fabric, OpenSM, and tools run against it.

Every test program has socket names and a folder of its own, so that several run side by side. No
verdict hangs on the clock: HANG is how long something may take before it counts as hung. Programs
that a test has started are gone when it ends, whatever became of it.
"""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("LANECUT_PROGRAM", str(ROOT / "build/tb/lanecut"))
HANG = 240  # seconds


class Process:
    """A program in a session of its own; its output goes to files."""

    def __init__(self, name, arguments, folder, environment):
        self.name = name
        self.out_path = folder / (name + ".out")
        self.err_path = folder / (name + ".err")
        with self.out_path.open("w") as out, self.err_path.open("w") as err:
            self.process = subprocess.Popen(arguments, cwd=folder, env=environment, stdout=out, stderr=err,
                                            stdin=subprocess.DEVNULL, start_new_session=True)

    def out(self):
        return self.out_path.read_text(errors="replace")

    def err(self):
        return self.err_path.read_text(errors="replace")

    def wait(self, seconds=HANG):
        return self.process.wait(timeout=seconds)

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def wait_for(condition, what, *watched):
    """Until condition() holds; fails at once when a watched process has ended."""
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        if condition():
            return
        for process in watched:
            if process.process.poll() is not None and not condition():
                raise AssertionError(f"{process.name} has ended, waiting for {what}:\n{process.out()}{process.err()}")
        time.sleep(0.05)
    raise AssertionError(f"hung, waiting for {what}")


class ServedTest(unittest.TestCase):
    """A folder, names, and no process left behind."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="lanecut-interop-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.environment = dict(os.environ, IBSIM_SOCKNAME=f"{self.id().rsplit('.', 1)[-1]}-{os.getpid()}",
                                OSM_TMP_DIR=str(self.folder), OSM_CACHE_DIR=str(self.folder))
        for name in ("IBSIM_SERVER_NAME", "IBSIM_SERVER_PORT", "SIM_HOST", "SIM_SET_ISSM"):
            self.environment.pop(name, None)
        self.server = None
        self.managers = 0
        self.settings = ""  # of OpenSM, lines of its configuration

    def start(self, name, arguments, environment=None):
        process = Process(name, arguments, self.folder, environment or self.environment)
        self.addCleanup(process.kill)
        return process

    def serve(self, scenario, *options):
        self.server = self.start("serve", [PROGRAM, "serve", str(scenario), *options])
        wait_for(lambda: " at " in self.server.out(), "the server", self.server)
        return self.server

    def client(self, name, arguments, host):
        return self.start(name, ["ibsim-run", *arguments], dict(self.environment, SIM_HOST=host) if host else self.environment)

    def open_sm(self, *options, host="H0_0_0"):
        """Starts OpenSM, whose log is read by `log()`."""
        self.managers += 1
        name = f"opensm{self.managers}"
        # A log that can be read while it grows, and in whose way nothing of the machine stands.
        (self.folder / f"{name}.conf").write_text("force_log_flush TRUE\n" + self.settings)
        manager = self.client(name, ["opensm", "-F", f"{name}.conf", "-f", f"{name}.log", "-D", "0x03", *options],
                              host)
        manager.log = lambda: self.read(f"{name}.log")
        return manager

    def read(self, name):
        path = self.folder / name
        return path.read_text(errors="replace") if path.exists() else ""

    def subnet_up(self, manager, times=1):
        wait_for(lambda: manager.log().count("SUBNET UP") >= times, f"subnet up, {times} times", manager, self.server)

    def run_tool(self, *arguments, host="H3_3_1", status=0):
        """The output of a tool that must succeed in silence."""
        tool = self.client(f"tool-{arguments[0]}", arguments, host)
        self.assertEqual(tool.wait(), status, f"{arguments}: {tool.out()}{tool.err()}")
        if status == 0:
            self.assertEqual(tool.err(), "", arguments)
        return tool.out()

    def end_node_lids(self):
        """{name: LID} of all end nodes of a torus."""
        return {name: int(lid) for name, lid in
                re.findall(r'^Ca\t.*# "(H\d_\d_\d)"\n.*# lid (\d+) ', self.run_tool("ibnetdiscover"), re.M)}

    def counters(self, *arguments):
        """{name: count}, as perfquery prints them."""
        return {name: int(value) for name, value in
                re.findall(r"^(\w+):\.*(\d+)$", self.run_tool("perfquery", *arguments), re.M)}

    def end_server(self):
        """The server ends in order, and the reference model has found nothing."""
        self.server.signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0, self.server.err())

    def healthy(self, manager):
        """Nothing in the log that a fabric without faults does not give.

        Trap 144 it does give: the end node tells that a manager now sits there, if an earlier one has left its port Active.
        """
        bad = [line for line in manager.log().splitlines()
               if re.search(r"ERR|\] 0x01 ->", line) and "Notice type:1 num:144 " not in line]
        self.assertEqual(bad, [])


TORUS = ROOT / "scenarios/torus4x4-static.toml"
WITHOUT_FAULTS = ("--set", "fault=[]")
