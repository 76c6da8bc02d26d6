"""Lysne et al., Overlapping Static Reconfiguration: figures 5 and 7 to 13, tables 1 to 4."""

from estimate import Estimate, table
from experiments import LEVELS, OSR_SCHEMES, capacity
from report import Claim, bars, plot, section, write_csv

PAPER_TIMES = {  # table 3, microseconds
    "LOW": {"osr-pda": 48.36, "osr-la": 60.77, "double-scheme": 48.52, "static": 87.70},
    "MEDIUM": {"osr-pda": 48.68, "osr-la": 59.54, "double-scheme": 49.11, "static": 88.52},
    "HIGH": {"osr-pda": 47, "osr-la": 78, "double-scheme": 49, "static": 96},
}
PAPER_DROPS = {  # tables 2 and 4, at the failed link
    "uniform": {"LOW": (0, 13, 10, 0), "MEDIUM": (0, 23, 12, 5), "HIGH": (0, 25, 24, 7)},
    "hot-spot": {"LOW": (0, 9, 5, 0), "MEDIUM": (1, 15, 14, 1), "HIGH": (1, 29, 16, 6)},
}
PAPER_REFUSED = {"uniform": 231, "hot-spot": 25}  # static, HIGH
TABLE_TIME = 47.6  # microseconds: 64 tables of 58 + 128 bytes at 4 ns per byte
DOUBLE = ("our switches are told to switch over, by a flood, when the last of them has answered that it holds its table and is "
          "idle, while OSR's tokens run as the tables go out; near saturation one VL cannot carry all packets, and the other runs "
          "empty late")
QUEUE = ("where a head waits for tables or tokens its buffer fills, credits run out, and so it goes back to the sources; how "
         "the paper's sources avoid that is not known")
STATIC = ("our static is slower: its manager asks each switch twice, one after the other, whether the network is empty, sends "
          "the tables after that, and asks each end node whether it has heard the flood")
TOKENS = ("tokens stand behind the packets that wait for the hot spot, and at the last load before saturation these are many; "
          "OSR-LA waits for the answers of all switches besides")
WINDOW = 500  # cycles, 8 microseconds
STEP = 250  # cycles of a point in pictures over time


def _reduction(times, scheme, level):
    return 100 * (1 - times[scheme, level].mean / times["static", level].mean)


def _times(lab, name, pattern):
    times = table(lab.osr(pattern, halt="flood"), lambda run: run.microseconds())
    header = ["level"] + [column for scheme in OSR_SCHEMES for column in (f"{scheme}_us", f"{scheme}_ci_us")]
    write_csv(name, header, [
        [level] + [f"{number:.3f}" for scheme in OSR_SCHEMES
                   for number in (times[scheme, level].mean, times[scheme, level].half_width)]
        for level in LEVELS])
    columns = ", \\\n     ".join(
        f'{"file" if i == 0 else chr(34) * 2} skip 1 using {2 * i + 2}:{2 * i + 3}:xtic(1) title "{scheme}"'
        for i, scheme in enumerate(OSR_SCHEMES))
    plot(name, f"""set style data histogram
set style histogram errorbars gap 1 lw 1
set style fill solid 0.7
set yrange [0:*]
set ylabel "reconfiguration time (µs)"
set key top left
plot {columns}
""")
    return times


def _ours(times, scheme):
    return " / ".join(str(times[scheme, level]) for level in LEVELS)


def table1(lab, name="osr-table1"):
    times = _times(lab, name, "uniform")
    pda, la = ([_reduction(times, scheme, level) for level in LEVELS] for scheme in ("osr-pda", "osr-la"))
    same = [times["double-scheme", level].mean / times["osr-pda", level].mean for level in LEVELS]
    section(name, "reconfiguration time, uniform traffic", [
        Claim("OSR-PDA takes less than static, by", "47.5 % on average", f"{sum(pda) / 3:.1f} %", abs(sum(pda) / 3 - 47.5) < 12, STATIC),
        Claim("OSR-LA takes less than static, by", "33.5 % on average", f"{sum(la) / 3:.1f} %", abs(sum(la) / 3 - 33.5) < 12, STATIC),
        Claim("OSR-LA takes longer than OSR-PDA", "yes", f"{_ours(times, 'osr-la')} against {_ours(times, 'osr-pda')} µs",
              all(times["osr-la", level].mean > times["osr-pda", level].mean for level in LEVELS)),
        Claim("Double Scheme takes as long as OSR-PDA", "practically the same",
              " / ".join(f"{100 * ratio:.0f} %" for ratio in same), all(0.8 < ratio < 1.25 for ratio in same), DOUBLE),
    ], f"Microseconds at LOW / MEDIUM / HIGH: static {_ours(times, 'static')}. The 64 tables alone take {TABLE_TIME} µs "
       "on the manager's link.")


def table3(lab, name="osr-table3"):
    times = _times(lab, name, "hot-spot")
    claims = [Claim(f"{scheme}: time at LOW / MEDIUM / HIGH",
                    " / ".join(f"{PAPER_TIMES[level][scheme]:g} µs" for level in LEVELS), f"{_ours(times, scheme)} µs",
                    all(abs(times[scheme, level].mean / PAPER_TIMES[level][scheme] - 1) < 0.2 for level in LEVELS),
                    {"double-scheme": DOUBLE, "static": STATIC}.get(scheme, TOKENS))
              for scheme in OSR_SCHEMES]
    for other in ("osr-la", "static"):
        paper = [PAPER_TIMES[level][other] - PAPER_TIMES[level]["osr-pda"] for level in LEVELS]
        ours = [times[other, level].mean - times["osr-pda", level].mean for level in LEVELS]
        claims.append(Claim(f"{other} less OSR-PDA, which the time of the tables does not enter",
                            " / ".join(f"{us:.1f} µs" for us in paper), " / ".join(f"{us:.1f} µs" for us in ours),
                            all(us > 0 for us in ours)))
    section(name, "reconfiguration time, hot-spot traffic", claims)


def _drops(lab, name, pattern):
    results = lab.osr(pattern)
    link = table(results, lambda run: run.dropped_at_fault())
    source = table(results, lambda run: run.refused())
    write_csv(name, ["level", "scheme", "at_link", "at_link_ci", "at_sources", "at_sources_ci"], [
        [level, scheme] + [f"{number:.1f}" for estimate in (link[scheme, level], source[scheme, level])
                           for number in (estimate.mean, estimate.half_width)]
        for level in LEVELS for scheme in OSR_SCHEMES])
    claims = [Claim(f"{level}: dropped at the failed link, fewest under OSR-PDA: OSR-PDA / OSR-LA / Double Scheme / static",
                    " / ".join(map(str, PAPER_DROPS[pattern][level])),
                    " / ".join(str(link[scheme, level]) for scheme in OSR_SCHEMES),
                    link["osr-pda", level].mean <= min(link[scheme, level].mean for scheme in OSR_SCHEMES))
              for level in LEVELS]
    claims.append(Claim("only static drops at source queues, and only at HIGH", f"static, HIGH: {PAPER_REFUSED[pattern]}",
                        "; ".join(f"{scheme} {' / '.join(str(source[scheme, level]) for level in LEVELS)}"
                                  for scheme in OSR_SCHEMES),
                        all((source[key].mean > 0) == (key == ("static", "HIGH")) for key in source),
                        "at the last load before saturation a blocked link that many paths share fills queues of 64, too"))
    section(name, f"dropped packets, {pattern} traffic", claims)


def table2(lab):
    _drops(lab, "osr-table2", "uniform")


def table4(lab):
    _drops(lab, "osr-table4", "hot-spot")


def fig5(lab, name="osr-fig5"):
    run = lab.changes(8, "uniform", "S3_3", ("static",), ("HIGH",), 15, ("run.warmup_packets=20000",))["static", "HIGH"][0]
    start = run.query("SELECT min(generated) FROM packets")[0][0]
    cycles = [row[0] for row in run.query("SELECT delivered FROM packets WHERE delivered < ? ORDER BY 1", run.fault)]
    words = run.query("SELECT max(words) FROM packets")[0][0]
    nodes = run.summary["network"]["end_nodes"]
    # Throughput of all packets received so far, in words per cycle and end node.
    rows = [(n, n * words / (cycles[n - 1] - start) / nodes) for n in range(250, len(cycles), 250)]
    write_csv(name, ["delivered", "throughput"], [(n, f"{rate:.5f}") for n, rate in rows])
    plot(name, """set xlabel "packets delivered"
set ylabel "throughput so far (words per cycle and end node)"
set yrange [0:*]
plot file skip 1 using 1:2 with lines lw 2 lc rgb "#0072b2" notitle
""")
    final = rows[-1][1]
    stable = next(n for i, (n, _) in enumerate(rows) if all(abs(rate / final - 1) < 0.01 for _, rate in rows[i:]))
    section(name, "stabilization", [
        Claim("throughput is stable, within 1 %, after", "fewer than 10,000 packets", f"{stable} packets", stable < 10_000,
              "of 10,000 packets at random times the count alone varies by 1 %")
    ])


def curve(lab, name="osr-fig7", size=8):
    rows = lab.curve(size)
    write_csv(name, list(rows[0]), [[f"{value:g}" for value in row.values()] for row in rows])
    saturation = lab.saturation(size)
    plot(name, f"""set xlabel "offered load (words per cycle and end node)"
set ylabel "latency (ns)"
set logscale y
set key bottom right
""" + "".join(f'set arrow from {level * saturation:.5f}, graph 0 rto 0, graph 1 nohead dt 2\n'
              f'set label "{label}" at {level * saturation:.5f}, graph 0.97 right\n'
              for label, level in LEVELS.items()) +
         'plot file skip 1 using 1:3 with linespoints pt 7 lw 2 lc rgb "#0072b2" title "mean", '
         '"" skip 1 using 1:4 with linespoints pt 6 lc rgb "#d55e00" title "99th percentile"\n')
    base = rows[0]["latency_ns"] / 1000
    section(name, f"latency and load of up\\*/down\\*, {size}x{size} torus", [
        Claim("base latency", "about 1.5 µs", f"{base:.2f} µs", 1.0 < base < 2.0) if size == 8 else
        Claim("latency grows with load up to saturation", "in a figure",
              f"{base:.2f} µs at the lowest load", None),
        Claim("saturation", "in a figure",
              f"{saturation:.4f} words per cycle and end node, {saturation / capacity(size):.2f} of capacity", None),
    ])


def _latency_rows(results, schemes, levels):
    for scheme in schemes:
        for level in levels:
            run = results[scheme, level][0]
            for row in run.latency_by_generation(run.begin - 2000, run.begin + 20_000, STEP):
                cycle, packets, queue, network = row
                yield [scheme, level, f"{run.ns(cycle - run.begin) / 1000:.1f}", packets,
                       f"{run.ns(queue) / 1000:.3f}", f"{run.ns(network) / 1000:.3f}"]


def latency_picture(name, results, schemes, levels):
    """Latency by generation time, in queue and network parts, of the first seed's run; the change begins at 0."""
    rows = list(_latency_rows(results, schemes, levels))
    write_csv(name, ["scheme", "level", "generated_us", "packets", "queue_us", "network_us"], rows)
    script = f"set multiplot layout {len(levels)},{len(schemes)}\nset logscale y\nset yrange [0.3:5000]\nset xtics 100\n"
    for level in levels:
        for scheme in schemes:
            run = results[scheme, level][0]
            pick = f'(stringcolumn(1) eq "{scheme}" && stringcolumn(2) eq "{level}")'
            script += (f'set title "{scheme}, {level}"\nset xlabel "generated (µs)"\nset ylabel "latency (µs)"\n'
                       f'set arrow 1 from {run.microseconds():.1f}, graph 0 rto 0, graph 1 nohead dt 2\n'
                       'set arrow 2 from 0, graph 0 rto 0, graph 1 nohead dt 2\n'
                       f'plot file skip 1 using ({pick} ? $3 : NaN):($5 + $6) with lines lw 2 lc rgb "#d55e00" '
                       f'title "queue + network", "" skip 1 using ({pick} ? $3 : NaN):6 with lines lw 2 '
                       'lc rgb "#0072b2" title "network"\n')
    plot(name, script + "unset multiplot\n", f"{380 * len(schemes)},{300 * len(levels)}")


def worst_latency(results, scheme, level):
    """Highest mean of a step, during the change and 20,000 cycles on, in microseconds."""
    worst = []
    for run in results[scheme, level]:
        rows = run.latency_by_generation(run.begin, run.begin + 20_000, STEP)
        worst.append(run.ns(max(queue + network for _, _, queue, network in rows)) / 1000)
    return Estimate(worst)


def _latency(lab, name, pattern, levels):
    results = lab.osr(pattern)
    latency_picture(name, results, OSR_SCHEMES, levels)
    claims = []
    for level in levels:
        worst = {scheme: worst_latency(results, scheme, level) for scheme in OSR_SCHEMES}
        claims.append(Claim(f"{level}: worst mean latency during the change: OSR-LA < OSR-PDA < static",
                            "static about two orders of magnitude above OSR-LA",
                            ", ".join(f"{scheme} {worst[scheme]} µs" for scheme in OSR_SCHEMES),
                            worst["osr-la"].mean < worst["osr-pda"].mean < worst["static"].mean))
    for level in levels:
        queue = {scheme: Estimate([run.ns(run.max_queue_latency()) / 1000 for run in results[scheme, level]])
                 for scheme in OSR_SCHEMES}
        claims.append(Claim(f"{level}: longest wait in a source queue during the change, the manager's own node left out: none under OSR",
                            "0 under OSR, up to 70 µs under static",
                            ", ".join(f"{scheme} {queue[scheme]} µs" for scheme in OSR_SCHEMES),
                            max(queue["osr-pda"].mean, queue["osr-la"].mean) < 5 < queue["static"].mean, QUEUE))
    order = {scheme: sum(run.reordered() for run in results[scheme, levels[-1]]) for scheme in OSR_SCHEMES}
    claims.append(Claim("packets out of order: none under OSR and static", "none; Double Scheme does not keep order",
                        ", ".join(f"{scheme} {count}" for scheme, count in order.items()),
                        order["osr-pda"] == order["osr-la"] == order["static"] == 0))
    section(name, f"latency by generation time, {pattern} traffic", claims)


def fig8(lab):
    _latency(lab, "osr-fig8", "uniform", tuple(LEVELS))


def fig11(lab):
    _latency(lab, "osr-fig11", "hot-spot", ("HIGH",))


def _recovery(lab, name, level):
    results = lab.osr()
    latency_picture(name, results, OSR_SCHEMES, (level,))
    after = {scheme: Estimate([_relaxation(run) for run in results[scheme, level]]) for scheme in OSR_SCHEMES}
    section(name, f"recovery after the change, {level}", [
        Claim("OSR-PDA and static need a long relaxation, Double Scheme and OSR-LA little", "yes",
              ", ".join(f"{scheme} {after[scheme]} µs" for scheme in OSR_SCHEMES),
              max(after["osr-la"].mean, after["double-scheme"].mean) < min(after["osr-pda"].mean, after["static"].mean),
              "the last load before saturation: what waits drains slowly under every scheme; why slower under OSR-LA than under "
              "Double Scheme is not known")
    ], "Time from the end of the change until the mean latency of a step is within 20 % of that before the fault.")


def _relaxation(run):
    """Microseconds from the end of the change until packets are as fast as before the fault."""
    before = run.mean_latency(run.fault - 4000, run.fault)
    last = run.end
    for cycle, _, queue, network in run.latency_by_generation(run.begin, run.begin + 30_000, STEP):
        if queue + network > 1.2 * before:
            last = max(last, cycle + STEP)
    return run.ns(last - run.end) / 1000


def fig12(lab):
    _recovery(lab, "osr-fig12", "MEDIUM")


def fig13(lab):
    _recovery(lab, "osr-fig13", "HIGH")


def traffic_picture(name, results, schemes, level, column):
    """Bytes injected or delivered per interval and VL, over time."""
    rows = []
    for scheme in schemes:
        run = results[scheme, level][0]
        by_cycle = {}
        for cycle, vl, count in run.bytes_by_vl(column, run.begin - 2000, run.begin + 18_000):
            by_cycle.setdefault(cycle, {})[vl] = count
        rows += [[scheme, f"{run.ns(cycle - run.begin) / 1000:.1f}", by_vl.get(0, 0), by_vl.get(1, 0)]
                 for cycle, by_vl in by_cycle.items()]
    write_csv(name, ["scheme", "us", "vl0_bytes", "vl1_bytes"], rows)
    script = f"set multiplot layout 1,{len(schemes)}\nset yrange [0:*]\nset xtics 100\n"
    for scheme in schemes:
        run = results[scheme, level][0]
        script += (f'set title "{scheme}"\nset xlabel "µs since the manager knew"\nset ylabel "bytes per interval"\n'
                   f'set arrow 1 from {run.microseconds():.1f}, graph 0 rto 0, graph 1 nohead dt 2\n' "plot " +
                   ", ".join(f'{"file" if i == 0 else chr(34) * 2} skip 1 using (stringcolumn(1) eq "{scheme}" ? '
                             f'$2 : NaN):{3 + vl} with lines lw 2 title "VL{vl}"'
                             for i, vl in enumerate((0, 1))) + "\n")
    plot(name, script + "unset multiplot\n", f"{380 * len(schemes)},350")
    return results


def _share(run, column):
    """Of the bytes in the middle of the change, the part on VL1."""
    quarter = (run.end - run.begin) // 4
    total = [0, 0]
    for _, vl, count in run.bytes_by_vl(column, run.begin + quarter, run.end - quarter):
        total[vl] += count
    return total[1] / max(sum(total), 1)


def least_flow(run, column):
    """Bytes per cycle in the emptiest WINDOW of the change, relative to before the fault."""
    def rate(begin, end):
        return sum(count for _, _, count in run.bytes_by_vl(column, begin, end)) / (end - begin)
    lowest = min(rate(cycle, cycle + WINDOW) for cycle in range(run.begin, max(run.end - WINDOW, run.begin + 1), 100))
    return lowest / rate(run.fault - 4000, run.fault)


def _lanes(lab, name, column):
    results = lab.osr()
    traffic_picture(name, results, OSR_SCHEMES, "HIGH", column)
    flow = {scheme: Estimate([100 * least_flow(run, column) for run in results[scheme, "HIGH"]]) for scheme in OSR_SCHEMES}
    share = Estimate([100 * _share(run, column) for run in results["double-scheme", "HIGH"]])
    claims = [Claim("Double Scheme moves all traffic to one VL", "VL1 unused", f"{share} % on VL1", share.mean < 5)]
    ours = ", ".join(f"{scheme} {flow[scheme]} %" for scheme in OSR_SCHEMES)
    if column == "injected":
        claims.append(Claim("static halts injection, OSR does not: the least in any 8 µs, of what it was before the fault", "yes", ours,
                            flow["static"].mean < 10 < min(flow["osr-pda"].mean, flow["osr-la"].mean)))
    else:
        claims.append(Claim("delivery falls to about zero under OSR-PDA and static, and goes on under OSR-LA: the least in any 8 µs", "yes", ours,
                            max(flow["osr-pda"].mean, flow["static"].mean) < 20 < flow["osr-la"].mean))
    section(name, f"{column} traffic by VL, HIGH", claims)


def fig9(lab):
    _lanes(lab, "osr-fig9", "injected")


def fig10(lab):
    _lanes(lab, "osr-fig10", "delivered")


def buffers(lab, name="osr-buffers"):
    values = {"time": (lambda run: run.microseconds(), "µs"),
              "latency": (lambda run: run.mean_latency(run.begin, run.end), "cycles")}
    sizes = {1024: lab.osr(), 512: lab.osr(settings=("switch.buffer_bytes=512", "node.buffer_bytes=512"))}
    tables = {(size, what): table(results, value) for size, results in sizes.items() for what, (value, _) in values.items()}
    write_csv(name, ["buffer_bytes", "level", "scheme", "us", "us_ci", "latency_cycles", "latency_ci"],
              [[size, level, scheme] + [f"{number:.2f}" for what in values
                                        for number in (tables[size, what][scheme, level].mean,
                                                       tables[size, what][scheme, level].half_width)]
               for size in sizes for level in LEVELS for scheme in OSR_SCHEMES])
    bars(name, "reconfiguration time (µs)", 3, "1200,560")

    def change(what, scheme, level):
        """By how much of it the smaller buffers move it, of the same fault; in percent."""
        value, _ = values[what]
        return Estimate([100 * value(small) / value(large) - 100
                         for small, large in zip(sizes[512][scheme, level], sizes[1024][scheme, level])])

    section(name, "512-byte buffers instead of 1 KiB, uniform traffic", [
        Claim(f"{scheme}: {what} during the change at {level} with 512 bytes (with 1 KiB)", "negligible difference",
              f"{tables[512, what][scheme, level]} ({tables[1024, what][scheme, level]}) {unit}: {change(what, scheme, level)} %",
              abs(change(what, scheme, level).mean) < 10,
              "with half the buffer, the last load before saturation is one beyond it" if level == "HIGH" else
              "a change that depends on when its one VL runs empty" if scheme == "double-scheme" else "")
        for what, (_, unit) in values.items() for level in LEVELS for scheme in OSR_SCHEMES
    ], "The loads are those of the switch with 1 KiB; the percentages are those of the same fault.")


IDS = {
    "osr-buffers": (buffers, "512-byte buffers instead of 1 KiB"),
    "osr-fig5": (fig5, "stabilization of throughput"),
    "osr-fig7": (curve, "latency and throughput of up*/down*, 8x8"),
    "osr-fig8": (fig8, "latency by generation time, uniform"),
    "osr-fig9": (fig9, "injected traffic by VL"),
    "osr-fig10": (fig10, "delivered traffic by VL"),
    "osr-fig11": (fig11, "latency by generation time, hot spot"),
    "osr-fig12": (fig12, "recovery at MEDIUM"),
    "osr-fig13": (fig13, "recovery at HIGH"),
    "osr-table1": (table1, "reconfiguration times, uniform"),
    "osr-table2": (table2, "dropped packets, uniform"),
    "osr-table3": (table3, "reconfiguration times, hot spot"),
    "osr-table4": (table4, "dropped packets, hot spot"),
}
