"""Throughput under faults, and how fast they are got round (Montañana's thesis, 8.2 and 8.3), on the RTL fabric."""

import itertools
import json
import random
import shutil
import subprocess

from estimate import Estimate
from experiments import LANECUT, LEVELS, NODES_PER_SWITCH, OUT, TORUS, capacity, links
from report import Claim, plot, section, write_csv
from runs import Run

MOST = 6  # failed links
SETTLED = 80_000  # cycles from the faults on, before anything is measured ...
LATE, SETTLED_LATE = 5, 200_000  # ... and from so many failed links on: each end node is told of many paths
MEASURED = 20_000
LOADS = (0.5, 0.6, 1.0)  # of capacity; on 8x8, TFTR takes all at the first and less at the last

SCENARIO = """
name = "{name}"
[topology]
kind = "torus"
size = [{size}, {size}]
nodes_per_switch = {nodes}
[manager]
encoding = "{encoding}"
[routing]
{routing}
[reconfiguration]
scheme = "{scheme}"
[run]
warmup_cycles = {settled}
measure_cycles = {measured}
drain = false
checks = false
[results]
packets = false
"""
TFTR = ('engine = "tftr"\npaths = 4\nlmc = {lmc}', "apm", "ib")
SPFTR = ('engine = "spftr"\npaths = 4\nlmc = {lmc}', "apm", "ib")
RFTR = ('engine = "updown"\nlmc = 3', "rftr", "ib")
OSR = ('engine = "updown"', "osr-la", "compact")
LMC = {4: 4, 5: 5, 6: 5, 7: 5, 8: 5}


class NotTolerated(Exception):
    """Some pair has lost its last path."""


def most_accepted(method, size, failed):
    """Bytes per ns and switch that are delivered with these links down, at the best of LOADS: large tori carry less when far more is
    offered than goes."""
    routing, scheme, encoding = method
    name = folder_name(method, size)
    out = OUT / name / ("-".join(link.replace(":", ".") for link in failed) or "none")
    loads = [round(part * capacity(size), 4) for part in LOADS]
    if not out.exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        scenario = OUT / name / "scenario.toml"
        scenario.write_text(SCENARIO.format(name=name, size=size, nodes=NODES_PER_SWITCH, scheme=scheme, encoding=encoding,
                                            routing=routing.format(lmc=LMC[size]), settled=SETTLED_LATE if len(failed) >= LATE else SETTLED,
                                            measured=MEASURED))
        settings = [f"fault.{i}.{setting}" for i, link in enumerate(failed) for setting in ("kind=cut", f"link={link}", f"at_cycle={1 + i}")]
        command = [LANECUT, "sweep", scenario, "--out", out, "--jobs", "1", "--vary", "traffic.load=" + ",".join(map(str, loads))]
        subprocess.run([*command, *(word for setting in settings for word in ("--set", setting))], capture_output=True)
    return max(accepted(out / f"traffic.load={load}", failed) for load in loads)


def accepted(run, failed):
    summary = json.loads((run / "summary.json").read_text())
    if "do not lead from" in summary["message"]:
        raise NotTolerated
    if summary["outcome"] != "ok":
        raise RuntimeError(f"{run}: {summary['outcome']}: {summary['message']}")
    last = max((event["cycle"] for event in summary["timeline"] if event["kind"] in ("completed", "migrated")), default=None)
    if failed and (last is None or last > summary["measurement"]["begin"]):
        raise RuntimeError(f"{run}: the change was not over when it was measured, but at cycle {last}")
    return summary["throughput"]["accepted_bytes_per_ns_switch"]


def folder_name(method, size):
    routing, scheme, _ = method
    engine = routing.split('"')[1]
    return f"faults-{size}x{size}-{engine}-{scheme}"


def throughput(lab, method, size):
    """By number of failed links: values over seeds, each with links of its own, and how many draws were not tolerated."""
    if not lab.reuse:
        shutil.rmtree(OUT / folder_name(method, size), ignore_errors=True)
    rows = {}
    for count in range(MOST + 1):
        values, refused = [], 0
        for seed in itertools.count(1):
            failed = sorted(random.Random(f"{count} {seed}").sample(links(size), count))
            try:
                values.append(most_accepted(method, size, failed))
            except NotTolerated:
                refused += 1
            if len(values) == (lab.seeds if count > 0 else 1):
                break
        rows[count] = values, refused
    return rows


def table(name, results):
    """`results`: {(size, method name): rows}"""
    write_csv(name, ["size", "method", "failed_links", "bytes_per_ns_switch", "ci", "of_none_percent", "not_tolerated"],
              [[size, method, count, f"{Estimate(values).mean:.4f}", f"{Estimate(values).half_width:.4f}",
                f"{share(rows, count):.1f}", refused]
               for (size, method), rows in results.items() for count, (values, refused) in rows.items()])
    plot(name, """set xlabel "failed links"
set ylabel "throughput, % of that without faults"
set yrange [0:*]
set key bottom left
methods = system("awk -F, 'NR > 1 {print $1 \\".\\" $2}' ".file." | uniq")
plot for [m in methods] file skip 1 using 3:((strcol(1).".".strcol(2)) eq m ? $6 : 1/0) with linespoints title m
""")


def share(rows, count):
    return 100 * Estimate(rows[count][0]).mean / rows[0][0][0]


def losses(rows):
    return " / ".join(f"{100 - share(rows, count):.1f}" for count in rows) + " %"


def redrawn(rows):
    counts = {count: refused for count, (_, refused) in rows.items() if refused}
    return ", ".join(f"{refused} with {count} links" for count, refused in counts.items()) or "none"


TEXT = ("Uniform traffic, 2 end nodes per switch, {seeds} sets of links that fail for each number of them, under traffic; throughput is "
        f"measured {SETTLED:,} cycles later ({SETTLED_LATE:,} with {LATE} links or more), when all is got round, at that of three loads (half, "
        "six tenths and all of capacity) at which it is highest. ")
PATHS = ("Sets that leave some pair without a path are drawn again: ")


def fig_8_2(lab, name="tftr-fig8.2"):
    results = {(size, "tftr"): throughput(lab, TFTR, size) for size in lab.sizes}
    table(name, results)
    claims = []
    for (size, _), rows in results.items():
        claims += [Claim(f"{size}x{size}: throughput without faults, bytes/ns/switch", "in a figure", f"{rows[0][0][0]:.4f}", None),
                   Claim(f"{size}x{size}: what 6 failed links cost", {4: "up to 28 %", 8: "18 %"}.get(size, "in a figure"),
                         f"{100 - share(rows, 6):.1f} % on average, "
                         f"{100 * (1 - max(rows[6][0]) / rows[0][0][0]):.1f} to {100 * (1 - min(rows[6][0]) / rows[0][0][0]):.1f} %",
                         size not in (4, 8) or 100 - share(rows, 6) <= {4: 28, 8: 18}[size], "the sets of links differ by more than that"),
                   Claim(f"{size}x{size}: what 0 to 6 failed links cost", "in a figure", losses(rows), None)]
    section(name, "throughput of TFTR under faults", claims,
            TEXT.format(seeds=lab.seeds) + "End nodes take the next path that is whole (scheme `apm`). " + PATHS +
            "; ".join(f"{size}x{size}: {redrawn(rows)}" for (size, _), rows in results.items()) + ".")


def fig_8_7(lab, name="spftr-fig8.7"):
    sizes = [max(size, 5) for size in lab.sizes]
    results = {(size, "spftr"): throughput(lab, SPFTR, size) for size in sizes}
    table(name, results)
    claims = []
    for (size, _), rows in results.items():
        claims += [Claim(f"{size}x{size}: throughput without faults, bytes/ns/switch", "in a figure", f"{rows[0][0][0]:.4f}", None),
                   Claim(f"{size}x{size}: more failed links cost more", "in a figure", losses(rows),
                         all(share(rows, count) <= 100 for count in rows))]
    section(name, "throughput of SPFTR under faults", claims,
            TEXT.format(seeds=lab.seeds) + "End nodes take the next path that is whole (scheme `apm`); " + PATHS +
            "; ".join(f"{size}x{size}: {redrawn(rows)}" for (size, _), rows in results.items()) + ".")


def fig_8_13(lab, name="rftr-fig8.13"):
    results = {(size, method): throughput(lab, of, size) for size in lab.sizes for method, of in (("rftr", RFTR), ("osr", OSR))}
    table(name, results)
    claims = []
    for size in lab.sizes:
        rftr, osr = results[size, "rftr"], results[size, "osr"]
        ratios = [Estimate(rftr[count][0]).mean / Estimate(osr[count][0]).mean for count in rftr]
        claims += [Claim(f"{size}x{size}: RFTR's throughput under 0 to {MOST} faults is about that after OSR", "yes",
                         " / ".join(f"{100 * ratio:.0f}" for ratio in ratios) + " %", all(abs(ratio - 1) <= 0.1 for ratio in ratios),
                         "RFTR's is higher where many links are gone: its new paths may make turns that up\\*/down\\* forbids"),
                   Claim(f"{size}x{size}: what 0 to {MOST} failed links cost, RFTR", "in a figure", losses(rftr), None),
                   Claim(f"{size}x{size}: ... OSR", "in a figure", losses(osr), None)]
    section(name, "throughput after RFTR, and after OSR", claims,
            TEXT.format(seeds=lab.seeds) + "Both begin with up\\*/down\\*; OSR goes on with up\\*/down\\* of what is left, "
            "from the root that its rule chooses then (lowest mean distance).")


TIMES = TORUS + """
[results]
interval_cycles = 100
packets = false
[[fault]]
kind = "cut"
link = "S0_0:1"
after_warmup = 5000
"""


def time_of(lab, size, scheme, last, load, seed):
    """Microseconds: from the fault to its detection, to the end of the computation, and from there to the end."""
    name = f"times-{size}x{size}-{scheme}"
    out = OUT / name / f"{load}-{seed}"
    if not (lab.reuse and out.exists()):
        shutil.rmtree(out, ignore_errors=True)
        OUT.joinpath(name).mkdir(parents=True, exist_ok=True)
        scenario = OUT / name / "scenario.toml"
        text = TIMES.format(name=name, size=size, nodes=NODES_PER_SWITCH, cable_m=20, new_root="S0_0", warmup=5000, measure=20_000)
        if scheme == "rftr":
            text = text.replace('after_fault_root = "S0_0"', "lmc = 2")
        scenario.write_text(text)
        subprocess.run([LANECUT, "run", scenario, "--out", out, "--seed", str(seed), "--set", f"traffic.load={load}",
                        "--set", f"reconfiguration.scheme={scheme}"], check=True, capture_output=True)
    run = Run(out, scheme, last)
    return [run.ns(cycles) / 1000 for cycles in (run.milestone("detected") - run.fault, run.begin - run.fault, run.end - run.begin)]


ENDS = {"rftr": "migrated", "osr-la": "in-force", "osr-pda": "in-force"}  # the last milestone of a scheme
OSR_SCHEMES = ("osr-pda", "osr-la")
SMALL = ("a link of the root is in paths of every end node, and each is told by a packet of its own, behind 27 packets of tables on "
         "4x4; OSR sends 16 tables there, and floods the start")


def times(lab, size):
    """{(level, scheme): [Estimate of each part]}"""
    saturation = lab.saturation(size, "uniform")
    return {(level, scheme): [Estimate(values) for values in
                              zip(*(time_of(lab, size, scheme, last, round(part * saturation, 5), seed)
                                    for seed in range(1, lab.seeds + 1)))]
            for level, part in LEVELS.items() for scheme, last in ENDS.items()}


def fig_8_14(lab, name="rftr-fig8.14"):
    rows, claims = [], []
    for size in lab.sizes:
        of = times(lab, size)
        rows += [[size, level, scheme, *(f"{part.mean:.2f}" for part in parts)] for (level, scheme), parts in of.items()]
        high = {scheme: of["HIGH", scheme] for scheme in ENDS}
        claims += [Claim(f"{size}x{size}, HIGH: from the fault to its detection", "18.25 µs", f"{high['rftr'][0]} µs",
                         high["rftr"][0].mean <= 18.25),
                   Claim(f"{size}x{size}, HIGH: from the end of the computation until all nodes have what is new, RFTR", "14.60 µs",
                         f"{high['rftr'][2]} µs", high["rftr"][2].mean <= 14.60,
                         "after the last switch has answered, each end node is told by a packet of its own, and answers"),
                   Claim(f"{size}x{size}, HIGH: ... OSR-PDA, OSR-LA", "66.46 µs",
                         ", ".join(f"{high[scheme][2]}" for scheme in OSR_SCHEMES) + " µs", None)]
        for level in LEVELS:
            ratios = [of[level, scheme][2].mean / of[level, "rftr"][2].mean for scheme in OSR_SCHEMES]
            claims.append(Claim(f"{size}x{size}, {level}: RFTR is faster than OSR-PDA, OSR-LA", "by 4.6 times",
                                ", ".join(f"{ratio:.1f}" for ratio in ratios) + " times", min(ratios) > 1, SMALL))
    write_csv(name, ["size", "level", "scheme", "fault_to_detection_us", "fault_to_computation_us", "computation_to_end_us"], rows)
    plot(name, """set ylabel "us from the fault"
set style data histograms
set style histogram rowstacked
set style fill solid 0.7
set boxwidth 0.7
set xtics rotate by -40
set key outside bottom horizontal
plot file skip 1 using 5:xtic(stringcolumn(1)."x".stringcolumn(1)." ".stringcolumn(3)." ".stringcolumn(2)) title "until it is known what to do", '' skip 1 using 6 title "until all have it"
""")
    section(name, "how fast a fault is got round", claims,
            "Which fabric the thesis has is not known. The first link of the root fails; compact packets, 20 m cables. Detection is the manager's "
            "first trap; from there it asks the switches what has changed, and computing takes no time. RFTR ends when the last end node "
            "has acknowledged its new paths, OSR when the last one has its tokens.")


IDS = {"tftr-fig8.2": (fig_8_2, "throughput of TFTR under faults"),
       "spftr-fig8.7": (fig_8_7, "throughput of SPFTR under faults"),
       "rftr-fig8.13": (fig_8_13, "throughput after RFTR, and after OSR"),
       "rftr-fig8.14": (fig_8_14, "how fast a fault is got round")}
