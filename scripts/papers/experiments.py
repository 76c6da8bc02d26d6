"""The experiments behind tables and figures: what is simulated, and where its results are.

Each is run once per call of the script, by `lanecut sweep`, into out/papers/NAME.
"""

import functools
import itertools
import json
import pathlib
import shutil
import subprocess

import traces
from runs import Run

OUT = pathlib.Path("out/papers")
LANECUT = "build/tb/lanecut"
LEVELS = {"LOW": 1 / 3, "MEDIUM": 2 / 3, "HIGH": 1.0}  # of saturation; the papers give them in figures only
OSR_SCHEMES = ("osr-pda", "osr-la", "double-scheme", "static")
EBR_SCHEMES = ("osr-pda", "osr-la", "double-scheme", "ebr", "ebrd")
# Of capacity, 8 / k words per cycle and switch on a torus of k switches per dimension. Fine steps where tori saturate.
# Larger ones saturate earlier under up*/down*, and their bring-up alone takes half a million cycles.
CURVE_LOADS = [0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.32, 0.36, 0.4, 0.5]
LARGE, CURVE_LOADS_OF_LARGE = 12, [0.02, 0.04, 0.06, 0.08, 0.1, 0.12]
SATURATED = 3  # times the latency at the lowest load
NODES_PER_SWITCH = 2

TORUS = """
name = "{name}"
[topology]
kind = "torus"
size = [{size}, {size}]
nodes_per_switch = {nodes}
[link]
cable_m = {cable_m}
[routing]
engine = "updown"
root = "S0_0"
after_fault_root = "{new_root}"
[manager]
node = "H0_0_0"
encoding = "compact"
sweep_cycles = 0
[run]
warmup_packets = {warmup}
measure_cycles = {measure}
"""
CHANGE = """
[results]
interval_cycles = 100
[[fault]]
kind = "cut"
link = "random"
after_warmup = 5000
"""


def links(size):
    """Each cable between switches of a torus, by name."""
    return [f"S{x}_{y}:{port}" for x in range(size) for y in range(size) for port in (1, 3)]


def capacity(size):
    """Words per cycle and end node."""
    return 8 / size / NODES_PER_SWITCH


def sweep(name, text, variations, settings, reuse):
    """Runs all combinations of {key: values}; returns (values of a run in order of the keys) -> its folder.

    With `reuse` nothing is run if an earlier call has left all of them.
    """
    out = OUT / name

    def folder(*values):
        return out / "runs" / ",".join(f"{key}={value}" for key, value in zip(variations, values))

    if reuse and all((folder(*values) / "summary.json").exists() for values in itertools.product(*variations.values())):
        return folder
    shutil.rmtree(out / "runs", ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    scenario = out / "scenario.toml"
    scenario.write_text(text)
    command = [LANECUT, "sweep", scenario, "--out", out / "runs"]
    for key, values in variations.items():
        command += ["--vary", f"{key}=" + ",".join(map(str, values))]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True)
    return folder


class Lab:
    """Runs simulations, `seeds` per point, or takes what an earlier call has left if `reuse` is true.

    `sizes`: of the tori under several faults.
    """

    def __init__(self, seeds, reuse, sizes):
        self.sizes = sizes
        self.seeds = seeds
        self.reuse = reuse

    @functools.cache
    def curve(self, size, pattern="uniform"):
        """Rows without faults at CURVE_LOADS; loads in words per cycle and end node, latencies in ns."""
        of_capacity = CURVE_LOADS_OF_LARGE if size >= LARGE else CURVE_LOADS
        loads = [round(load * capacity(size), 5) for load in of_capacity]
        name = f"curve-{size}x{size}-{pattern}"
        text = TORUS.format(name=name, size=size, nodes=NODES_PER_SWITCH, cable_m=15, new_root="S0_0", warmup=5000,
                            measure=15_000)
        folder = sweep(name, text, {"traffic.load": loads},
                       (f"traffic.pattern={pattern}", "results.packets=false", "run.checks=false"),
                       self.reuse)
        rows = []
        for load in loads:
            summary = json.loads((folder(load) / "summary.json").read_text())
            total = summary["latency_cycles"]["total"]
            rows.append({"offered": load, "accepted": summary["throughput"]["accepted_load"],
                         "latency_ns": total["mean"] * summary["network"]["ns_per_cycle"],
                         "p99_ns": total["p99"] * summary["network"]["ns_per_cycle"]})
        return rows

    def saturation(self, size, pattern="uniform"):
        """The last load before saturation, in words per cycle and end node."""
        rows = self.curve(size, pattern)
        return [row["offered"] for row in rows if row["latency_ns"] < SATURATED * rows[0]["latency_ns"]][-1]

    @functools.cache
    def changes(self, size, pattern, new_root, schemes, levels, cable_m, settings=()):
        """{(scheme, level): [Run of each seed]} of a random link failure on a torus."""
        name = f"{size}x{size}-{pattern}-{new_root}-" + "-".join((*levels, *settings, str(len(schemes)))).replace("=", "-")
        # The tables of larger fabrics are larger, too: time grows with the square of the number of switches.
        text = TORUS.format(name=name, size=size, nodes=NODES_PER_SWITCH, cable_m=cable_m, new_root=new_root,
                                       warmup=10_000, measure=30_000 + size**4) + CHANGE
        is_trace = pattern in traces.TRACES
        loads = {level: round(LEVELS[level] * self.saturation(size, "uniform" if is_trace else pattern), 5)
                 for level in levels}
        seeds = range(1, self.seeds + 1)
        folder = sweep(name, text,
                       {"reconfiguration.scheme": schemes, "traffic.load": list(loads.values()), "seed": list(seeds)},
                       (*self._pattern(name, size, pattern, loads), *settings), self.reuse)
        return {(scheme, level): [Run(folder(scheme, load, seed), scheme) for seed in seeds]
                for scheme in schemes for level, load in loads.items()}

    def _pattern(self, name, size, pattern, loads):
        """Settings of a traffic pattern. A trace is as fast as the one load that is asked for."""
        if pattern not in traces.TRACES:
            return (f"traffic.pattern={pattern}",)
        (load,) = loads.values()
        (OUT / name).mkdir(parents=True, exist_ok=True)
        trace = OUT / name / "trace.txt"
        traces.write(trace, pattern, size * size * NODES_PER_SWITCH, load, 120_000)
        return ("traffic.pattern=trace", f"traffic.file={trace}")

    def osr(self, pattern="uniform", halt="serial", settings=()):
        """The 8x8 torus of the OSR paper: root (0,0), after the fault (3,3).

        The paper says both that static halts end nodes by a broadcast and that it does so one by one.
        """
        results = dict(self.changes(8, pattern, "S3_3", OSR_SCHEMES, tuple(LEVELS), 15, settings))
        if halt == "flood":
            results |= self.changes(8, pattern, "S3_3", ("static",), tuple(LEVELS), 15,
                                    (*settings, "reconfiguration.halt=flood"))
        return results

    def ebr(self, size=6, pattern="uniform", levels=tuple(LEVELS), schemes=EBR_SCHEMES, settings=()):
        """Tori of the thesis: root (0,0) before and after; 20 m cables."""
        return self.changes(size, pattern, "S0_0", schemes, levels, 20, settings)
