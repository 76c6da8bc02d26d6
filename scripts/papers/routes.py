"""Routing that survives faults (Montañana's thesis, chapters 4, 5 and 8): what the tables of host software are worth.

Nothing is simulated here: `lanecut route` makes tables and checks them, `lanecut faults` counts combinations of faults.
"""

import json
import math
import re
import resource
import subprocess

from experiments import LANECUT, OUT
from report import Claim, plot, section, write_csv

TFTR = ("--engine", "tftr", "--paths", "4")
SPFTR = ("--engine", "spftr", "--vls", "2", "--sls", "4", "--paths", "4")
SPFTR_3D = ("--engine", "spftr", "--vls", "2", "--sls", "4", "--paths", "6")
A_SPFTR = ("--engine", "a-spftr", "--vls", "2", "--sls", "3", "--paths", "4")
# Paths without a change of VL break no rule of up*/down* on the depth-first tree that TFTR has underneath.
UPDOWN = ("--engine", "tftr", "--vls", "1", "--paths", "4", "--fewer")
SAMPLES = 100_000  # as many as the thesis takes


def lanecut(lab, *arguments):
    """What the program prints, and its CPU time in seconds; from out/papers if an earlier call has left it there."""
    left = OUT / "routes" / (" ".join(map(str, arguments)).replace("/", "_") + ".json")
    if lab.reuse and left.exists():
        return json.loads(left.read_text())
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = subprocess.run([LANECUT, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    result = text, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text(json.dumps(result))
    return result


def torus(size, dimensions=2):
    return "torus:" + "x".join([str(size)] * dimensions)


def size_name(size, dimensions=2):
    return torus(size, dimensions).removeprefix("torus:")


class Count:
    """Combinations, or samples, of one number of faults."""

    def __init__(self, line, sampled):
        _, total, tolerated, _, vls, sls = line.split()
        self.total, self.tolerated, self.vls, self.sls = int(total), int(tolerated), int(vls), int(sls)
        self.sampled = sampled

    def percent(self):
        return 100 * (self.total - self.tolerated) / self.total

    def interval(self):
        """95 %, after Wilson."""
        if not self.sampled:
            return self.percent(), self.percent()
        z, n, p = 1.96, self.total, self.percent() / 100
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return 100 * max(0, centre - half), 100 * (centre + half)

    def __str__(self):
        if not self.sampled:
            return f"{self.total - self.tolerated:,} of all {self.total:,}, {self.percent():.2f} %"
        low, high = self.interval()
        return f"{self.percent():.2f} % ({low:.2f} to {high:.2f}) of {self.total:,} samples"


def count(lab, topology, most, *options, samples=0):
    sampled = ("--samples", samples) if samples else ()
    text, _ = lanecut(lab, "faults", topology, "--most", most, *sampled, *options)
    return [Count(line, samples > 0) for line in text.splitlines()[1:]]


def count_both(lab, topology, exhaustive, most, *options):
    """All combinations as far as `exhaustive`, then samples."""
    whole = count(lab, topology, exhaustive, *options)
    return whole + (count(lab, topology, most, *options, samples=SAMPLES)[exhaustive:] if most > exhaustive else [])


def tolerance_csv(name_, rows):
    write_csv(name_, ["topology", "scheme", "faults", "cases", "exhaustive", "not_tolerated_percent", "low", "high", "vls", "sls"],
              [[topology, scheme, faults, c.total, "no" if c.sampled else "yes",
                *(f"{x:.4f}" for x in (c.percent(), *c.interval())), c.vls, c.sls]
               for topology, scheme, counts in rows for faults, c in enumerate(counts, 1)])


# Table 8.9: SLs and VLs of RFTR; percentages of TFTR.
RFTR_4X4 = [(2, 3), (2, 5), (2, 6), (2, 6), (3, 7), (3, 7), (3, 8), (3, 8)]
RFTR_3X3X3 = [(2, 3), (2, 3), (2, 3), (2, 5), (2, 5), (2, 5), (2, 5), (2, 5)]
TFTR_4X4 = [0, 0, 0, 27.01, 58.92, 83.76, 94.72, 99.87]
TFTR_3X3X3 = [0, 0, 0, 0, 0, 0.27, 1.63, 5.34]


def table_8_9(lab, name="rftr-table8.9"):
    of_4x4 = ("--vls", 2, "--spare-vls", 1, "--sls", 8)
    two_vls = count(lab, torus(4), 8, "--vls", 2, "--sls", 8)
    rftr4 = count(lab, torus(4), 8, *of_4x4)
    _, seconds = lanecut(lab, "faults", torus(4), "--most", 8, *of_4x4)
    rate = sum(c.total for c in rftr4) / seconds * 60
    rftr3 = count_both(lab, torus(3, 3), 4, 8, "--vls", 2, "--sls", 5)
    tftr4 = count(lab, torus(4), 8, *TFTR, "--vls", 2, "--recovery", "paths")
    tftr3 = count_both(lab, torus(3, 3), 3, 8, "--engine", "tftr", "--paths", 6, "--vls", 2, "--recovery", "paths")
    tolerance_csv(name, [("4x4", "rftr", rftr4), ("4x4", "rftr, 2 VLs", two_vls), ("4x4", "tftr", tftr4), ("3x3x3", "rftr", rftr3), ("3x3x3", "tftr", tftr3)])
    claims = []
    for torus_name, counts, thesis in (("4x4", rftr4, RFTR_4X4), ("3x3x3", rftr3, RFTR_3X3X3)):
        claims += [Claim(f"{torus_name}, {faults} faults: RFTR leaves not tolerated; VLs, SLs", f"0 %; {vls}, {sls}",
                         f"{c}; {c.vls}, {c.sls}", c.tolerated == c.total and c.vls <= vls and c.sls <= sls)
                   for faults, (c, (vls, sls)) in enumerate(zip(counts, thesis), 1)]
    claims.append(Claim("4x4, 8 faults, 2 VLs: RFTR leaves not tolerated", "not given", str(two_vls[7]), None))
    for torus_name, counts, thesis in (("4x4", tftr4, TFTR_4X4), ("3x3x3", tftr3, TFTR_3X3X3)):
        claims += [Claim(f"{torus_name}, {faults} faults: TFTR leaves not tolerated", f"{p} %", str(c), c.percent() <= p + 0.005,
                         "ours rises faster; see above")
                   for faults, (c, p) in enumerate(zip(counts, thesis), 1)]
    claims.append(Claim("combinations that RFTR's checker takes in a minute on one core, 4x4", "the goal: 1,000,000",
                        f"{rate:,.0f}", rate >= 1e6))
    section(name, "combinations of failed links that RFTR and TFTR tolerate", claims,
            "A combination is tolerated if all pairs that cables still join have a path. The thesis has combinations of 54 links for "
            "4x4, which is what a 3x3x3 mesh has; a 4x4 torus has 32. Links of a combination fail in the order of their numbers, one "
            "after the other. RFTR begins with up\\*/down\\* on 2 VLs. SPFTR's patterns begin at 5x5 and are in `spftr-fig8.4`. "
            "In brackets: 95 % confidence interval of samples.\n\n"
            "What TFTR tolerates depends on which disjoint paths are taken. Ours use the same cables in both directions of a pair where they can; "
            "with paths of its own for each direction 29.4, 74.4 and 95.6 % of four, five and six faults on 4x4 were not tolerated. "
            "Pairs whose switches are cut off count as tolerated here. "
            "How the thesis counts, and whether its combinations are those of 54 links, is not known.")


MEMORY = {(7, 2): 38_000, (8, 2): 75_000, (10, 2): 232_000, (12, 2): 584_000, (3, 3): 6350, (4, 3): 50_000,
          (6, 3): 890_000, (7, 3): 2_661_000}


def table_8_10(lab, name="rftr-table8.10"):
    rows, claims = [], []
    for (size, dimensions), paper in MEMORY.items():
        text = lanecut(lab, "route", torus(size, dimensions), "--vls", 2, "--spare-vls", 1, "--report", "--faults",
                       "S" + "_".join(str(size - 1) for _ in range(dimensions)) + ":1")[0]
        direct, indirect, size_bytes = map(int, re.search(r"DRT (\d+) rows, IRT (\d+) rows, (\d+) bytes", text).groups())
        switches = size**dimensions
        hops = float(re.search(r"hops +([\d.]+)", text)[1])
        thesis_rows = 2 * switches * (switches - 1) * hops
        rows.append([size, dimensions, paper, direct, indirect, size_bytes, f"{thesis_rows:.0f}"])
        claims += [
            Claim(f"{size_name(size, dimensions)}: bytes of both tables", f"{paper:,}", f"{size_bytes:,}", size_bytes <= paper,
                  "our rows have the links for finding them, 20 bytes in all, and each pair of switches 8 bytes; the six fields that the thesis lists do not fit into 2"),
            Claim(f"{size_name(size, dimensions)}: rows", f"{paper / 2:,.0f}, by the bytes",
                  f"{direct + indirect:,}; with one for each switch on each path {thesis_rows:,.0f}", direct + indirect <= paper / 2)]
    write_csv(name, ["size", "dimensions", "thesis_bytes", "drt_rows", "irt_rows", "bytes", "rows_of_thesis"], rows)
    section(name, "memory of the reachability tables", claims,
            "The thesis gives bytes, which are those of two tables with 2 bytes for each switch on each path (10x10: exactly). Here equal rows "
            "are one.")


def fig_8_11(lab, name="rftr-fig8.11"):
    subprocess.run(["cmake", "--build", "build", "--target", "fault_bench"], check=True, capture_output=True)
    text = subprocess.run(["build/tests/bench/fault_bench", "--benchmark_format=json", "--benchmark_filter=Rftr", "--benchmark_repetitions=7"],
                          check=True, capture_output=True, text=True).stdout
    rows = []
    for run in json.loads(text)["benchmarks"]:
        if run.get("aggregate_name") != "median":
            continue
        size, dimensions, fault = (int(run["name"].split(f"{key}:")[1].split("/")[0]) for key in ("size", "dimensions", "fault"))
        rows.append([size, dimensions, fault, f"{run['paths']:.1f}", f"{run['cpu_time']:.1f}"])
    write_csv(name, ["size", "dimensions", "fault", "paths", "us"], rows)
    claims = [Claim(f"{size_name(size, dimensions)}, fault {fault}: a fault takes, with {paths} paths to replace",
                    "below 1 s; the goal: below 1 ms", f"{us} µs", float(us) < 1000,
                    "so many paths take that long, more than 1 µs each, for the search and for the rows that go and come") for size, dimensions, fault, paths, us in rows]
    section(name, "computation after a fault", claims,
            "Mean CPU time of 200 random faults, the median of 7 such means, on one core of an AMD EPYC, a virtual machine on which "
            "that median differs by up to a fifth from hour to hour; the thesis: an Opteron of 1.4 GHz. Tables and messages are not in it.")


def fig_8_15(lab, name="rftr-fig8.15"):
    rows = []
    for x in range(7):
        for y in range(7):
            for port in (1, 3):
                text = lanecut(lab, "route", torus(7), "--vls", 2, "--faults", f"S{x}_{y}:{port}")[0]
                pairs, lft, percent, sl2vl = re.search(
                    r": (\d+) of .* (\d+) LFT entries \(([\d.]+) %\), (\d+) SLtoVL", text).groups()
                rows.append([f"S{x}_{y}:{port}", int(pairs), int(lft), float(percent), int(sl2vl)])
    write_csv(name, ["link", "pairs", "lft_entries", "percent", "sl2vl_entries"], rows)
    shares = [row[3] for row in rows]
    mean = sum(shares) / len(shares)
    section(name, "how much of the forwarding tables a fault changes, 7x7", [
        Claim("LFT entries sent after the worst fault", "19.83 % of the tables", f"{max(shares):.2f} %", max(shares) <= 19.83),
        Claim("after any one, on average", "not given", f"{mean:.2f} %", None)],
        "Of tables with one LID for every end node and switch; one end node at each switch. Every one of the 98 links fails in a run of its own.")


def fig_8_1(lab, name="tftr-fig8.1"):
    rows = []
    for size, exhaustive in ((4, 6), (5, 4), (6, 4), (7, 3)):
        rows.append((size_name(size), "tftr", count_both(lab, torus(size), exhaustive, 6, *TFTR, "--vls", 2, "--recovery", "paths")))
        rows.append((size_name(size), "updown", count_both(lab, torus(size), min(exhaustive, 3), 6, *UPDOWN, "--recovery", "paths")))
    tolerance_csv(name, rows)
    plot(name, """set xlabel "failed links"
set ylabel "combinations not tolerated, %"
set key outside
plot for [t in "4x4 5x5 6x6 7x7"] for [s in "tftr updown"] file skip 1 using 3:((stringcolumn(1) eq t && stringcolumn(2) eq s) ? $6 : 1/0) with linespoints title t." ".s
""")
    tolerance = {(size, scheme): counts for size, scheme, counts in rows}
    claims = [Claim(f"{size}: TFTR tolerates any three faults, but not every four", "yes",
                    "; ".join(f"{faults}: {c}" for faults, c in enumerate(counts[2:4], 3)),
                    counts[2].percent() == 0 < counts[3].percent()) for (size, scheme), counts in tolerance.items() if scheme == "tftr"]
    claims += [Claim(f"{size}: up\\*/down\\* does not tolerate any single fault", "yes", str(counts[0]), counts[0].percent() > 0)
               for (size, scheme), counts in tolerance.items() if scheme == "updown"]
    four = tolerance["4x4", "tftr"][3].percent()
    claims.append(Claim("4x4, four faults: TFTR leaves not tolerated", "up to 30 %", f"{four:.2f} %", four <= 30))
    section(name, "combinations of failed links that disjoint paths survive", claims,
            "up\\*/down\\* is on a depth-first tree, with as many disjoint paths as its rules have.")


def fig_8_4(lab, name="spftr-fig8.4"):
    sizes = (5, 6, 7, 8)
    rows = [(size_name(size), scheme, count_both(lab, torus(size), 4 if size < 8 else 3, 6, *options, "--recovery", "paths"))
            for scheme, options in (("spftr", SPFTR), ("a-spftr", A_SPFTR)) for size in sizes]
    solid = [(size_name(size, 3), "spftr", count_both(lab, torus(size, 3), 3 if size < 5 else 2, 8, *SPFTR_3D, "--recovery", "paths"))
             for size in (4, 5, 6)]
    tolerance_csv(name, rows + solid)
    plot(name, """set xlabel "failed links"
set ylabel "combinations not tolerated, %"
set key outside
plot for [t in "5x5 6x6 7x7 8x8 4x4x4 5x5x5 6x6x6"] for [s in strstrt(t[4:], "x") ? "spftr" : "spftr a-spftr"] file skip 1 using 3:((stringcolumn(1) eq t && stringcolumn(2) eq s) ? $6 : 1/0) with linespoints title t." ".s
""")
    fours = {scheme: [counts[3].percent() for _, each, counts in rows if each == scheme] for scheme in ("spftr", "a-spftr")}
    claims = [Claim(f"{size}: any three failed links are tolerated by {scheme.upper()}", "yes", str(counts[2]), counts[2].percent() == 0)
              for size, scheme, counts in rows]
    claims += [Claim("four failed links: not tolerated, the worst being 5x5 and larger tori better", "30 %",
                     " / ".join(f"{p:.2f} %" for p in fours["spftr"]),
                     fours["spftr"] == sorted(fours["spftr"], reverse=True) and abs(fours["spftr"][0] - 30) < 3),
               Claim("the same of A-SPFTR", "similar", " / ".join(f"{p:.2f} %" for p in fours["a-spftr"]), None)]
    claims += [Claim(f"{size}: any five failed links are tolerated by SPFTR", "yes", str(counts[4]), counts[4].percent() == 0)
               for size, _, counts in solid]
    claims += [Claim(f"{size}: six, seven and eight failed links: not tolerated", "in a figure",
                     "; ".join(str(count) for count in counts[5:]), None) for size, _, counts in solid]
    section(name, "failed links that SPFTR and A-SPFTR survive", claims,
            "The thesis does not print its patterns for three dimensions; those here are derived.")


def fig_8_5(lab, name="spftr-fig8.5"):
    rows = [(size_name(size), "spftr", count_both(lab, torus(size), 4 if size < 7 else 3, 6, *SPFTR, "--recovery", "paths", "--switches")) for size in (5, 6, 7, 8)]
    tolerance_csv(name, rows)
    links = {size: counts[3].percent() for size, _, counts in
             [(size_name(size), "", count_both(lab, torus(size), 3, 4, *SPFTR, "--recovery", "paths")) for size in (5, 6, 7, 8)]}
    claims = [Claim(f"{size}: any three failed switches are tolerated", "yes", str(counts[2]), counts[2].percent() == 0)
              for size, _, counts in rows]
    claims.append(Claim("four failed switches: more are not tolerated than of four failed links", "yes",
                        " / ".join(f"{counts[3].percent():.1f} % against {links[size]:.1f} %" for size, _, counts in rows),
                        all(counts[3].percent() > links[size] for size, _, counts in rows)))
    section(name, "failed switches that SPFTR survives", claims)


class Paths:
    """The report of `lanecut route --report`."""

    def __init__(self, lab, size, *options, dimensions=2):
        text, _ = lanecut(lab, "route", torus(size, dimensions), *options, "--report")
        self.disjoint = self._shares(text, "disjoint paths of a pair: (.*)")
        self.mean, self.shortest = map(float, re.search(r"hops +([\d.]+) on average, ([\d.]+)", text).groups())
        self.transitions = self._shares(text, "of VL on the way: (.*)")
        self.sls = int(re.search(r"(\d+) SLs", text)[1])
        self.by_sl = self._shares(text, r"SLs \(([^)]*)\)")

    @staticmethod
    def _shares(text, pattern):
        parts = re.findall(r"(\d+): ([\d.]+) %", re.search(pattern, text)[1])
        return {int(key): float(value) for key, value in parts}


def ring_distance(size):
    """Mean over all pairs of switches of a row, a switch and itself included."""
    return sum(min(hops, size - hops) for hops in range(size)) / size


def fig_8_6(lab, name="spftr-fig8.6"):
    sizes = (5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20)
    rows = []
    for size in sizes:
        switches = size * size
        distance = 2 * ring_distance(size) * switches / (switches - 1)
        rows.append([size, *(Paths(lab, size, *options).shortest for options in (SPFTR, A_SPFTR, ("--engine", "updown"))), f"{distance:.4f}"])
    write_csv(name, ["size", "spftr", "a-spftr", "updown", "distance"], rows)
    plot(name, """set xlabel "switches in a row"
set ylabel "mean hops of the shortest path of a pair"
set key top left
plot for [c=2:5] file using 1:c with linespoints title columnheader(c)
""")
    claims = []
    for column, scheme in ((1, "SPFTR"), (2, "A-SPFTR")):
        claims += [Claim(f"{row[0]}x{row[0]}: {scheme}'s are shorter than those of up\\*/down\\*", "yes", f"{row[column]} against {row[3]}",
                         row[column] < row[3]) for row in rows]
        beyond = [row[column] - float(row[4]) for row in rows]
        claims.append(Claim(f"{scheme}: hops beyond the distance, as tori grow from {sizes[0]}x{sizes[0]} to {sizes[-1]}x{sizes[-1]}", "slightly more",
                            " / ".join(f"{hops:.3f}" for hops in beyond), beyond == sorted(beyond),
                            "it rises but from 5x5 to 6x6, where even sides give more pairs two shortest ways"))
    section(name, "mean length of the shortest paths of SPFTR and A-SPFTR", claims,
            "Of tori of two dimensions; the thesis shows curves only. up\\*/down\\* is on a breadth-first tree, as `lanecut route` has it without "
            "options. The thesis does not print A-SPFTR's patterns, so ours are found (`sw/routing/a_spftr.cpp`). SPFTR's patterns for three "
            "dimensions (part b of the figure) are not printed either.")


# Table 8.2: size, dimensions: SLs of TFTR. Rows of up*/down*: % of the pairs with 1 to 4 disjoint paths.
SLS = {(4, 2): 3, (5, 2): 3, (6, 2): 4, (7, 2): 4, (8, 2): 5, (9, 2): 6, (10, 2): 7, (4, 3): 3}
DEGREES = {4: (19.17, 30.00, 33.33, 17.50), 5: (22.00, 38.00, 30.00, 10.00), 6: (25.87, 42.54, 25.08, 6.51),
           7: (26.53, 47.11, 21.77, 4.59), 8: (28.13, 49.80, 18.65, 3.42), 9: (28.09, 52.78, 16.48, 2.65),
           10: (28.83, 54.55, 14.51, 2.12)}


def _tftr(lab, size, dimensions):
    return Paths(lab, size, "--engine", "tftr", "--vls", 2, "--paths", 2 * dimensions, dimensions=dimensions)


def _degrees(shares):
    return " / ".join(f"{shares.get(n, 0):.2f}" for n in range(1, 5))


def table_8_2(lab, name="tftr-table8.2"):
    claims, rows = [], []
    for (size, dimensions), sls in SLS.items():
        paths = _tftr(lab, size, dimensions)
        full = paths.disjoint.get(2 * dimensions, 0)
        rows.append([size, dimensions, "tftr", paths.sls, *(paths.disjoint.get(n, 0) for n in range(1, 7))])
        claims.append(Claim(f"{size_name(size, dimensions)}: TFTR, pairs with {2 * dimensions} disjoint paths on 2 VLs; SLs", f"100 %; {sls}",
                            f"{full:g} %; {paths.sls}", full == 100 and paths.sls <= sls))
    for size, thesis in DEGREES.items():
        paths = Paths(lab, size, *UPDOWN)
        rows.append([size, 2, "updown", paths.sls, *(paths.disjoint.get(n, 0) for n in range(1, 7))])
        claims.append(Claim(f"{size}x{size}: up\\*/down\\*, % of the pairs with 1 / 2 / 3 / 4 disjoint paths", _degrees(dict(enumerate(thesis, 1))),
                            _degrees(paths.disjoint), None))
    write_csv(name, ["size", "dimensions", "scheme", "sls", *(f"with_{n}" for n in range(1, 7))], rows)
    section(name, "disjoint paths of TFTR and up\\*/down\\*", claims,
            "The thesis does not say on which tree its up\\*/down\\* is, and neither a breadth-first nor a depth-first one gives its numbers; ours "
            "is depth-first, the neighbour with the most links into the tree next.")


# Table 8.3: size, SLs: % of the pairs with 1 to 4 paths. The thesis prints 20.87 for 7x7, 3 SLs, where 10.99 is left.
BOUNDED = {(4, 2): (0, 0.83, 4.58, 94.58), (5, 2): (0, 1.17, 15.17, 83.67), (6, 2): (0, 1.75, 23.02, 75.24),
           (6, 3): (0, 0.08, 4.52, 95.40), (7, 2): (0, 2.93, 29.97, 67.09), (7, 3): (0, 0.40, 10.99, 88.61),
           (8, 2): (0, 4.32, 30.53, 65.13), (8, 3): (0, 0.77, 14.26, 84.97), (8, 4): (0, 0, 5.03, 94.97)}


def _bounded(lab, size, sls):
    return Paths(lab, size, *TFTR, "--vls", 2, "--sls", sls, "--fewer")


def table_8_3(lab, name="tftr-table8.3"):
    ours = {key: _bounded(lab, *key) for key in BOUNDED}
    write_csv(name, ["size", "sls", *(f"with_{n}" for n in range(1, 5))],
              [[*key, *(paths.disjoint.get(n, 0) for n in range(1, 5))] for key, paths in ours.items()])
    section(name, "disjoint paths of TFTR on a given number of SLs", [
        Claim(f"{size}x{size}, {sls} SLs: % of the pairs with 1 / 2 / 3 / 4 disjoint paths", _degrees(dict(enumerate(BOUNDED[size, sls], 1))),
              _degrees(paths.disjoint), paths.disjoint.get(4, 0) >= BOUNDED[size, sls][3]) for (size, sls), paths in ours.items()],
        "Holds if no fewer pairs have four.")


USE = {(4, 2): (58.10, 41.90), (5, 2): (55.21, 44.79), (6, 2): (53.55, 46.45), (6, 3): (49.81, 43.40, 6.79), (7, 2): (52.45, 47.55),
       (7, 3): (48.29, 44.60, 7.12), (8, 2): (51.74, 48.26), (8, 3): (47.83, 45.37, 6.80), (8, 4): (45.82, 43.75, 6.79, 3.6)}


def table_8_4(lab, name="tftr-table8.4"):
    ours = {key: _bounded(lab, *key) for key in USE}
    write_csv(name, ["size", "sls", *(f"sl{n}" for n in range(4))],
              [[*key, *(paths.by_sl.get(n, 0) for n in range(4))] for key, paths in ours.items()])
    section(name, "TFTR's paths by SL", [
        Claim(f"{size}x{size}, {sls} SLs: % of the paths on each, falling", " / ".join(f"{p:.2f}" for p in USE[size, sls]),
              " / ".join(f"{p:.2f}" for p in paths.by_sl.values()), list(paths.by_sl.values()) == sorted(paths.by_sl.values(), reverse=True))
        for (size, sls), paths in ours.items()], "Holds if a lower SL has more paths than the next one. Ours fills the first one further.")


# Tables 8.5, 8.6: paths without a forbidden turn in %, mean length of all paths and of the shortest of a pair.
LENGTHS = {(4, 2): (56.77, 3.2145, 2.1333), (5, 2): (51.92, 3.9666, 2.5067), (6, 2): (49.03, 4.6885, 3.0873), (7, 2): (46.25, 5.3958, 3.5230),
           (8, 2): (45.03, 6.0781, 4.0804), (9, 2): (41.54, 6.8347, 4.5930), (10, 2): (40.77, 7.5212, 5.1493), (4, 3): (46.28, 4.5627, 3.0480)}
FOUR_VLS = {4: (5, 3.0917, 2.1333), 5: (8, 3.7363, 2.5033), 6: (12, 4.4698, 3.0889), 7: (14, 5.0112, 3.5000)}


def table_8_5(lab, name="tftr-table8.5"):
    rows, claims = [], []
    for (size, dimensions), (_, mean, shortest) in LENGTHS.items():
        paths = _tftr(lab, size, dimensions)
        torus_name = size_name(size, dimensions)
        rows.append([size, dimensions, paths.mean, paths.shortest])
        claims += [Claim(f"{torus_name}: mean hops of all disjoint paths", mean, paths.mean, paths.mean <= mean),
                   Claim(f"{torus_name}: of the shortest path of a pair", shortest, paths.shortest, paths.shortest <= shortest + 0.005)]
    write_csv(name, ["size", "dimensions", "mean", "shortest"], rows)
    section(name, "lengths of TFTR's paths", claims, "Holds if ours are no longer (shortest paths: by more than 0.005).")


def table_8_6(lab, name="tftr-table8.6"):
    rows, claims = [], []
    for size, (sls, mean, shortest) in FOUR_VLS.items():
        paths = Paths(lab, size, *TFTR, "--vls", 4)
        rows.append([size, paths.sls, paths.mean, paths.shortest])
        why = "ours takes as few SLs as it can, and the thesis the shortest paths"
        claims += [Claim(f"{size}x{size}: SLs", sls, paths.sls, paths.sls <= sls),
                   Claim(f"{size}x{size}: mean hops of all disjoint paths", mean, paths.mean, paths.mean <= mean, why),
                   Claim(f"{size}x{size}: of the shortest path of a pair", shortest, paths.shortest, paths.shortest <= shortest + 0.005, why)]
    write_csv(name, ["size", "sls", "mean", "shortest"], rows)
    section(name, "lengths of TFTR's paths on 4 VLs", claims)


IDS = {"tftr-table8.2": (table_8_2, "disjoint paths of TFTR and up*/down*"),
       "tftr-table8.3": (table_8_3, "disjoint paths of TFTR on a given number of SLs"),
       "tftr-table8.4": (table_8_4, "TFTR's paths by SL"),
       "tftr-table8.5": (table_8_5, "lengths of TFTR's paths"),
       "tftr-table8.6": (table_8_6, "lengths of TFTR's paths on 4 VLs"),
       "tftr-fig8.1": (fig_8_1, "combinations of failed links that disjoint paths survive"),
       "spftr-fig8.4": (fig_8_4, "failed links that SPFTR and A-SPFTR survive"),
       "spftr-fig8.5": (fig_8_5, "failed switches that SPFTR survives"),
       "spftr-fig8.6": (fig_8_6, "mean length of the shortest paths of SPFTR and A-SPFTR"),
       "rftr-table8.9": (table_8_9, "combinations of failed links that RFTR and TFTR tolerate"),
       "rftr-table8.10": (table_8_10, "memory of RFTR's reachability tables"),
       "rftr-fig8.11": (fig_8_11, "computation after a fault"),
       "rftr-fig8.15": (fig_8_15, "how much of the forwarding tables a fault changes")}
