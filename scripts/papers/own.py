"""Schemes of our own, against the papers'."""

from estimate import Estimate
from experiments import LEVELS
from report import Claim, bars, section, write_csv

HOLDS = {6: (5000, 10_000), 8: (10_000,)}  # cycles, by switches per dimension
WINDOW = 10_000  # cycles since the fault in which packets are generated whose latency counts
SHORT = ("run.warmup_packets=5000", "run.measure_cycles=20000")
REASONS = ("port_inactive", "link_cut", "bad", "epoch")
WAITING = ("what would be lost waits at the dead port from the fault on, until the manager has heard of it and computed, and what "
           "stands behind it waits, too")
TOKENS = "the tokens come behind the tables"
FORWARD = "old packets go on to the dead link until tokens have come; EBRD turns them as soon as their switch has its tables"
COLUMNS = ("dropped", *REASONS, "us", "mean_us", "p99_us")


def _measures(run):
    begin, end = run.fault, run.fault + WINDOW
    latencies = (run.mean_latency(begin, end), run.latency_quantile(begin, end, 0.99))
    return [run.dropped(), *map(run.dropped_by, REASONS), run.microseconds(),
            *(run.ns(latency) / 1000 for latency in latencies)]


def _held(cycles):
    return f"ebrd-hold-{cycles}"


def _rows(lab, size):
    """{(level, case): {column: Estimate}}"""
    runs = dict(lab.ebr(size, schemes=("osr-pda", "ebrd"), settings=SHORT))
    for cycles in HOLDS[size]:
        held = lab.ebr(size, schemes=("ebrd",), settings=(*SHORT, f"reconfiguration.hold_cycles={cycles}"))
        runs |= {(_held(cycles), level): of for (_, level), of in held.items()}
    return {(level, case): dict(zip(COLUMNS, map(Estimate, zip(*map(_measures, of)))))
            for (case, level), of in runs.items()}


def hold(lab, name="own-hold"):
    cases = {size: ["osr-pda", "ebrd", *map(_held, holds)] for size, holds in HOLDS.items()}
    rows = {size: _rows(lab, size) for size in HOLDS}
    write_csv(name, ["size", "level", "scheme", *(column for c in COLUMNS for column in (c, f"{c}_ci"))],
              [[size, level, case, *(f"{number:.2f}" for c in COLUMNS for number in
                                     (rows[size][level, case][c].mean, rows[size][level, case][c].half_width))]
               for size in HOLDS for level in LEVELS for case in cases[size]])
    bars(name, "packets lost", 3, "1200,520")

    def of(size, case, column):
        return " / ".join(str(rows[size][level, case][column]) for level in LEVELS)

    def claim(size, text, column, than, factor=1.0, why=""):
        held = cases[size][-1]
        holds = all(rows[size][level, held][column].mean <= factor * rows[size][level, than][column].mean for level in LEVELS)
        return Claim(f"{size}x{size}, {held}: {text}", "the goal",
                     f"{of(size, held, column)}; {than} {of(size, than, column)}", holds, why)
    claims = []
    for size in HOLDS:
        claims += [
            claim(size, "no more packets are lost than under OSR-PDA", "dropped", "osr-pda"),
            claim(size, "of these dropped as if in a deadlock", "epoch", "ebrd"),
            claim(size, "a change takes no longer than under EBRD (µs)", "us", "ebrd", 1.05),
            claim(size, "mean latency is no more than under OSR-PDA (µs)", "mean_us", "osr-pda", why=WAITING),
            claim(size, "so is its 99th percentile (µs)", "p99_us", "osr-pda", why=WAITING),
        ]
    section(name, "packets that wait at a dead port for new tables, EBRD", claims,
            "`ebrd-hold-5000` is EBRD with `reconfiguration.hold_cycles = 5000`, which is not from a paper. All numbers are for LOW / "
            "MEDIUM / HIGH; root (0,0) before and after, uniform traffic, warm-up of 5,000 packets. Lost are all packets that "
            "entered the network and did not arrive, from the fault on, not only from its detection on; latency is that of the "
            f"packets generated in the {WINDOW:,} cycles after the fault.")


DIFFERENCES = "reconfiguration.differences=true"
OSR = ("osr-la", "osr-pda")
LEVEL = "MEDIUM"
TOLD = {"S0_0": "same root", "S3_3": "root moved to (3,3)"}
PARTS = ("us", "dropped", "token_us", "mean_us", "p99_us")


def _parts(run):
    begin, end = run.fault, run.fault + WINDOW
    latencies = (run.mean_token_latency(begin, end), run.mean_latency(begin, end), run.latency_quantile(begin, end, 0.99))
    return [run.microseconds(), run.dropped(), *(run.ns(latency) / 1000 for latency in latencies)]


def differences(lab, name="own-differences"):
    rows = {}
    for root in TOLD:
        runs = dict(lab.changes(8, "uniform", root, (*OSR, "ebrd"), (LEVEL,), 20, SHORT))
        told = lab.changes(8, "uniform", root, OSR, (LEVEL,), 20, (*SHORT, DIFFERENCES))
        runs |= {(f"{scheme}-differences", level): of for (scheme, level), of in told.items()}
        rows |= {(root, case): dict(zip(PARTS, map(Estimate, zip(*map(_parts, of))))) for (case, _), of in runs.items()}
    write_csv(name, ["root", "scheme", *(column for p in PARTS for column in (p, f"{p}_ci"))],
              [[root, case, *(f"{number:.2f}" for p in PARTS for number in (row[p].mean, row[p].half_width))]
               for (root, case), row in rows.items()])
    bars(name, "reconfiguration time in us", 2)

    def claim(root, case, than, text, part, factor=1.0, why=""):
        ours, other = rows[root, case][part], rows[root, than][part]
        return Claim(f"{TOLD[root]}, {case}: {text}", "the goal", f"{ours}; {than} {other}", ours.mean <= factor * other.mean, why)

    claims = []
    for root in TOLD:
        for scheme in OSR:
            case = f"{scheme}-differences"
            claims += [
                claim(root, case, scheme, "a change takes less time than with whole tables (µs)", "us"),
                claim(root, case, "ebrd", "and no longer than under EBRD", "us", 1.05, TOKENS),
                claim(root, case, scheme, "no more packets are lost", "dropped"),
                claim(root, case, "ebrd", "nor more than under EBRD", "dropped", why=FORWARD),
                claim(root, case, scheme, "mean token latency is no higher (µs)", "token_us", 1.05),
                claim(root, case, scheme, "nor is the 99th percentile of latency (µs)", "p99_us", 1.05),
            ]
    section(name, "OSR whose switches are told what differs", claims,
            "8x8 torus, `reconfiguration.differences = true`, which is not from a paper. Load MEDIUM, warm-up of "
            "5,000 packets, root (0,0) before the fault. Order, freedom from deadlock and tokens are those of OSR; only what is sent differs. "
            "Lost are all packets that entered the network and did not arrive, from the fault on; token and total latency are those of the "
            f"packets generated in the {WINDOW:,} cycles after the fault.")


IDS = {"own-hold": (hold, "EBRD with packets that wait at a dead port, against EBRD and OSR-PDA"),
       "own-differences": (differences, "OSR whose switches are told what differs, against OSR and EBRD")}
