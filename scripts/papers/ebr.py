"""Montañana's thesis, chapter 8.4: epoch-based reconfiguration, figures 8.17 to 8.24."""

import changed_entries
import osr
from estimate import Estimate, table
from experiments import EBR_SCHEMES, LEVELS
from report import Claim, bars, plot, section, write_csv

ROOTS = ("S0_0", "S0_1", "S1_1", "S2_2", "S3_3")  # after the fault; S0_0 before
SIZES = (6, 10, 14, 18)
CONGESTION = ("the drop test sees a head that cannot move and whose function is old, not whether it is in a cycle; near saturation heads wait "
              "for credits often, and a change lasts longer the larger the torus")


def _lost(run):
    return run.dropped_at_fault() + run.dropped_by("epoch")


def _by_level(lab, name, value, unit):
    results = table(lab.ebr(), value)
    write_csv(name, ["level", "scheme", unit, "ci"],
              [[level, scheme, f"{results[scheme, level].mean:.2f}", f"{results[scheme, level].half_width:.2f}"]
               for level in LEVELS for scheme in EBR_SCHEMES])
    return results


def fig8_17(lab):
    osr.curve(lab, "ebr-fig8.17", 6)


def fig8_18(lab, name="ebr-fig8.18"):
    times = _by_level(lab, name, lambda run: run.microseconds(), "us")
    bars(name, "reconfiguration time (µs)", 2)
    mean = {scheme: sum(times[scheme, level].mean for level in LEVELS) / len(LEVELS) for scheme in EBR_SCHEMES}
    spread = {scheme: max(times[scheme, level].mean for level in LEVELS) / min(times[scheme, level].mean for level in LEVELS)
              for scheme in EBR_SCHEMES}
    other = min(mean["double-scheme"], mean["osr-pda"])
    section(name, "reconfiguration time, 6x6 torus", [
        Claim("the time does not depend on the load", "roughly",
              ", ".join(f"{scheme} x{spread[scheme]:.2f}" for scheme in EBR_SCHEMES), max(spread.values()) < 1.3,
              "Double Scheme's VLs must run empty, while all traffic is on one VL, which saturates earlier"),
        Claim("EBR takes longer than Double Scheme and OSR-PDA", "yes",
              ", ".join(f"{scheme} {mean[scheme]:.1f} µs" for scheme in EBR_SCHEMES), mean["ebr"] > other,
              "OSR-PDA sends the same tables and then waits for the tokens, so here it cannot end first; in the thesis it does, "
              "which it puts down to the order of distribution. " + osr.DOUBLE[0].upper() + osr.DOUBLE[1:]),
        Claim("EBRD takes less than Double Scheme and OSR-PDA, by a factor of", "1.5", f"{other / mean['ebrd']:.2f}",
              other > 1.2 * mean["ebrd"]),
    ])


def fig8_19(lab, name="ebr-fig8.19"):
    orders = ("nearest-fault", "farthest-manager")
    results = {order: lab.ebr(levels=("HIGH",), schemes=("ebr", "ebrd"), settings=(f"reconfiguration.order={order}",))
               for order in orders}
    cases = [(scheme, order) for scheme in ("ebr", "ebrd") for order in orders]
    times, lost = ({(scheme, order): Estimate([value(run) for run in results[order][scheme, "HIGH"]])
                    for scheme, order in cases} for value in (lambda run: run.microseconds(), _lost))
    write_csv(name, ["order", "scheme", "us", "us_ci", "dropped", "dropped_ci"],
              [[order, scheme] + [f"{number:.2f}" for estimate in (times[scheme, order], lost[scheme, order])
                                  for number in (estimate.mean, estimate.half_width)] for scheme, order in cases])
    bars(name, "reconfiguration time (µs)", 2)
    section(name, "order in which tables are distributed, 6x6 torus, HIGH", [
        Claim(f"{scheme}: the order affects the time; farthest from the manager first is faster", "yes",
              f"{times[scheme, orders[1]]} µs; nearest to the fault first {times[scheme, orders[0]]} µs",
              times[scheme, orders[1]].mean < times[scheme, orders[0]].mean) for scheme in ("ebr", "ebrd")] + [
        Claim(f"{scheme}: what the faster order costs in dropped packets", "not said",
              f"{lost[scheme, orders[1]]}; nearest to the fault first {lost[scheme, orders[0]]}", None)
        for scheme in ("ebr", "ebrd")])


def fig8_20(lab, name="ebr-fig8.20"):
    lost = _by_level(lab, name, _lost, "packets")
    bars(name, "packets dropped", 2)
    results = lab.ebr()
    discarded = sum(run.dropped_by("epoch") for scheme in ("ebr", "ebrd") for level in LEVELS
                    for run in results[scheme, level])
    medium = {scheme: lost[scheme, "MEDIUM"] for scheme in EBR_SCHEMES}
    others = min(medium["double-scheme"].mean, medium["osr-la"].mean)
    section(name, "dropped packets, 6x6 torus", [
        Claim("at MEDIUM EBRD drops fewer than Double Scheme and OSR-LA, by a factor of", "14",
              f"{others / medium['ebrd'].mean:.1f}" if medium["ebrd"].mean else f"{others:.1f} against 0",
              others > 3 * medium["ebrd"].mean),
        Claim("at MEDIUM EBRD <= OSR-PDA < EBR < OSR-LA, Double Scheme", "EBRD about as OSR-PDA",
              ", ".join(f"{scheme} {medium[scheme]}" for scheme in EBR_SCHEMES),
              max(medium["ebrd"].mean, medium["osr-pda"].mean) <= medium["ebr"].mean <= others,
              "nearest to the fault first, EBR stops the use of the link before the tokens do; few packets are involved"),
        Claim("deadlock recovery drops no packet below saturation", "0", str(discarded), discarded == 0),
    ])


def _patterns(lab):
    return {pattern: lab.ebr(10 if pattern in ("uniform", "hot-spot") else 8, pattern, ("HIGH",))
            for pattern in ("uniform", "hot-spot", "bit-reversal", "fft", "mp3d")}


def fig8_21(lab, name="ebr-fig8.21"):
    results = _patterns(lab)
    lost = {(scheme, pattern): Estimate([_lost(run) for run in results[pattern][scheme, "HIGH"]])
            for pattern in results for scheme in EBR_SCHEMES}
    write_csv(name, ["pattern", "scheme", "packets", "ci"],
              [[pattern, scheme, f"{lost[scheme, pattern].mean:.1f}", f"{lost[scheme, pattern].half_width:.1f}"]
               for pattern in results for scheme in EBR_SCHEMES])
    bars(name, "packets dropped", 2)

    def fewer(pattern):
        mean = {scheme: lost[scheme, pattern].mean for scheme in EBR_SCHEMES}
        if not any(mean.values()):
            return None
        return max(mean["ebrd"], mean["osr-pda"]) < min(mean["double-scheme"], mean["osr-la"])

    section(name, "dropped packets by traffic pattern, 10x10 torus, HIGH", [
        Claim(f"{pattern}: EBRD and OSR-PDA drop fewer than Double Scheme and OSR-LA", "yes",
              ", ".join(f"{scheme} {lost[scheme, pattern]}" for scheme in EBR_SCHEMES), fewer(pattern),
              "no packet of this pattern crosses the links that fail") for pattern in results
    ], "Bit reversal is not defined for the 200 end nodes of a 10x10 torus; it is run on 8x8, as are fft and "
       "mp3d: traces in three all-to-all stages and of irregular, neighbour-heavy traffic, made by the models in "
       "scripts/papers/traces.py, because the papers' SPLASH-2 traces are not to be had.")


def fig8_22(lab, name="ebr-fig8.22"):
    results = lab.ebr(10, levels=("HIGH",))
    osr.latency_picture(name, results, EBR_SCHEMES, ("HIGH",))
    worst = {scheme: osr.worst_latency(results, scheme, "HIGH") for scheme in EBR_SCHEMES}
    section(name, "latency by generation time, 10x10 torus, HIGH", [
        Claim("EBR, EBRD and OSR-LA disturb latency little, OSR-PDA much", "yes",
              ", ".join(f"{scheme} {worst[scheme]} µs" for scheme in EBR_SCHEMES),
              3 * max(worst["ebr"].mean, worst["ebrd"].mean, worst["osr-la"].mean) < worst["osr-pda"].mean),
    ], "Worst mean latency of a step of 250 cycles, of packets generated in the 20,000 cycles since the change began.")


def fig8_23(lab, name="ebr-fig8.23"):
    results = lab.ebr(10, levels=("HIGH",))
    osr.traffic_picture(name, results, EBR_SCHEMES, "HIGH", "delivered")
    flow = {scheme: Estimate([100 * osr.least_flow(run, "delivered") for run in results[scheme, "HIGH"]]) for scheme in EBR_SCHEMES}
    section(name, "delivered traffic, 10x10 torus, HIGH", [
        Claim("delivery goes on under EBR, EBRD and OSR-LA, and falls to about zero under OSR-PDA: the least in any 8 µs", "yes",
              ", ".join(f"{scheme} {flow[scheme]} %" for scheme in EBR_SCHEMES),
              flow["osr-pda"].mean < 20 < min(flow["ebr"].mean, flow["ebrd"].mean, flow["osr-la"].mean)),
    ])


def fig8_24(lab, name="ebr-fig8.24"):
    results = {size: lab.ebr(size, levels=("HIGH",)) for size in SIZES}
    times, lost = ({(size, scheme): Estimate([value(run) for run in results[size][scheme, "HIGH"]])
                    for size in SIZES for scheme in EBR_SCHEMES}
                   for value in (lambda run: run.microseconds(), _lost))
    write_csv(name, ["size", "scheme", "us", "us_ci", "dropped", "dropped_ci"],
              [[size, scheme] + [f"{number:.2f}" for estimate in (times[size, scheme], lost[size, scheme])
                                 for number in (estimate.mean, estimate.half_width)]
               for size in SIZES for scheme in EBR_SCHEMES])
    script = 'set multiplot layout 1,2\nset xlabel "switches per dimension"\nset key top left\n'
    for column, label in ((3, "reconfiguration time (µs)"), (5, "packets dropped")):
        script += (("set logscale y\n" if column == 3 else "unset logscale y\n") + f'set ylabel "{label}"\nplot ' + ", ".join(
            f'{"file" if i == 0 else chr(34) * 2} skip 1 using (stringcolumn(2) eq "{scheme}" ? $1 : NaN):{column} '
            f'with linespoints lw 2 title "{scheme}"' for i, scheme in enumerate(EBR_SCHEMES)) + "\n")
    plot(name, script + "unset multiplot\n", "1200,480")
    largest = {scheme: times[SIZES[-1], scheme].mean for scheme in EBR_SCHEMES}
    next_best = min(value for scheme, value in largest.items() if scheme != "ebrd")
    by_link = ", ".join(f"{100 * run.changed_entries():.1f} %: {next_best / run.microseconds():.1f}"
                        for run in results[SIZES[-1]]["ebrd", "HIGH"])
    epochs = {(size, scheme): Estimate([run.dropped_by("epoch") for run in results[size][scheme, "HIGH"]])
              for size in SIZES for scheme in ("ebr", "ebrd")}
    medium = lab.changes(14, "uniform", ROOTS[0], ("ebr", "ebrd"), ("MEDIUM",), 20)
    section(name, "sizes from 6x6 to 18x18, HIGH", [
        Claim("at 18x18 EBRD takes less than all others, by a factor of", "10",
              f"{next_best / largest['ebrd']:.1f}", next_best >= 10 * largest["ebrd"],
              f"it goes by how many entries the failed link changes: {by_link}"),
        Claim("EBRD drops about as few as OSR-PDA at every size", "yes",
              ", ".join(f"{size}: {lost[size, 'ebrd']} and {lost[size, 'osr-pda']}" for size in SIZES), None),
        Claim("deadlock recovery drops no packet below saturation: HIGH, by size", "0",
              ", ".join(f"{size}: {scheme} {epochs[size, scheme]}" for size in SIZES for scheme in ("ebr", "ebrd")),
              all(epoch.mean == 0 for epoch in epochs.values()), CONGESTION),
        Claim("deadlock recovery drops no packet below saturation: MEDIUM, 14x14", "0",
              ", ".join(f"{scheme} {Estimate([run.dropped_by('epoch') for run in runs])}" for (scheme, _), runs in medium.items()),
              all(run.dropped_by("epoch") == 0 for runs in medium.values() for run in runs),
              CONGESTION + "; in the one run that has any here they are at four switches in a row before the root: a queue, not a cycle"),
    ])


def _changed_entries():
    """By tables alone, 8x8."""
    rules = (("our engine", changed_entries.of_engine), ("a rule that takes the first of equally near ports", changed_entries.by_first_port))
    same = {rule: changed_entries.shares(tables, 8, ROOTS[0]) for rule, tables in rules}
    moved = {rule: changed_entries.moved(tables, 8, ROOTS[0], ROOTS[-1]) for rule, tables in rules}
    in_turn = "our switches take equally near ports in turn, so that an entry that changes moves others"
    return [*(Claim(f"entries that change with the same root, mean of all {len(shares)} links: {rule}", "about 1.8 %",
                    f"{100 * sum(shares) / len(shares):.1f} % ({100 * shares[0]:.1f} to {100 * shares[-1]:.1f})",
                    abs(sum(shares) / len(shares) - 0.018) < 0.005, in_turn) for rule, shares in same.items()),
            *(Claim(f"entries that change with the root moved from (0,0) to (3,3): {rule}", "about 54 %", f"{100 * share:.1f} %",
                    abs(share - 0.54) < 0.1, in_turn) for rule, share in moved.items())]


def fraction(lab, name="ebr-fraction"):
    runs = []
    for root in ROOTS:
        for of_scheme in lab.changes(8, "uniform", root, ("ebr", "ebrd"), ("HIGH",), 15).values():
            runs += [(root, run) for run in of_scheme]
    rows = [(run.scheme, root, run.changed_entries(), run.microseconds(), _lost(run), run.dropped_by("epoch"))
            for root, run in runs]
    write_csv(name, ["scheme", "root", "changed", "us", "dropped", "dropped_by_epoch"],
              [[scheme, root, f"{changed:.4f}", f"{us:.2f}", lost, epoch]
               for scheme, root, changed, us, lost, epoch in rows])
    script = 'set multiplot layout 1,2\nset xlabel "changed table entries (%)"\nset key bottom right\nset yrange [0:*]\n'
    for column, label in ((4, "reconfiguration time (µs)"), (5, "packets dropped")):
        script += f'set ylabel "{label}"\nplot ' + ", ".join(
            f'{"file" if i == 0 else chr(34) * 2} skip 1 using (stringcolumn(1) eq "{scheme}" ? 100 * $3 : NaN):{column} '
            f'with points pt {7 - i} title "{scheme}"' for i, scheme in enumerate(("ebr", "ebrd"))) + "\n"
    plot(name, script + "unset multiplot\n", "1100,420")

    def of(root, column, scheme="ebrd"):
        return Estimate([row[column] for row in rows if row[0] == scheme and row[1] == root])

    def percent(root):
        return f"{100 * of(root, 2).mean:.1f} %"
    same, moved = ROOTS[0], ROOTS[-1]
    of_links = [f"{100 * row[2]:.1f}" for row in rows if row[0] == "ebrd" and row[1] == same]
    section(name, "what EBRD gains depends on how much of the tables changes, 8x8 torus, HIGH", [
        *_changed_entries(),
        Claim("entries that change with the same root: the links that fail in these runs", "not said", f"{', '.join(of_links)} %", None),
        Claim("EBRD's time grows with the changed part, up to about that of EBR", "the gain vanishes at 54 %",
              ", ".join(f"{percent(root)}: {of(root, 3)} µs" for root in ROOTS) + f"; EBR {of(moved, 3, 'ebr')} µs",
              of(same, 3).mean < of(moved, 3).mean),
        Claim("dropped packets", "not said",
              ", ".join(f"{percent(root)}: {of(root, 4)}" for root in ROOTS) + f"; EBR {of(moved, 4, 'ebr')}", None),
    ])


IDS = {
    "ebr-fig8.17": (fig8_17, "latency and throughput of up*/down*, 6x6"),
    "ebr-fig8.18": (fig8_18, "reconfiguration times, 6x6"),
    "ebr-fig8.19": (fig8_19, "order of distribution, 6x6"),
    "ebr-fig8.20": (fig8_20, "dropped packets, 6x6"),
    "ebr-fig8.21": (fig8_21, "dropped packets by traffic pattern"),
    "ebr-fig8.22": (fig8_22, "latency by generation time, 10x10"),
    "ebr-fig8.23": (fig8_23, "delivered traffic, 10x10"),
    "ebr-fig8.24": (fig8_24, "sizes from 6x6 to 18x18"),
    "ebr-fraction": (fraction, "time and drops of EBRD against the part of the tables that changes"),
}
