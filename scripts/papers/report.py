"""What an ID leaves behind: a CSV, a picture, and verdicts in docs/papers.md."""

import csv
import math
import pathlib
import re
import subprocess

FOLDER = pathlib.Path("docs/papers")
PAGE = pathlib.Path("docs/papers.md")
HEAD = """# The papers' results on the RTL

Written by `scripts/paper`. Each section runs a published table or figure again; every claim has the paper's value, ours,
and whether it holds. Where it does not, the reason is given as far as it is known. ± is half of the 95 % confidence
interval over seeds, each with a random failed link of its own.

What the papers show in figures alone is compared by its shape, and so are the loads, which only figures give: LOW, MEDIUM
and HIGH are a third, two thirds and all of the load before our own saturation, that is the highest of a series of offered
loads whose mean latency, waiting at the source included, is below three times that of the lowest. A reconfiguration begins when the manager knows
the new topology (the papers' detection; computing takes no time) and ends when all end nodes may send (static), when all
switches and end nodes have the new function (OSR, Double Scheme), or when the last switch has its tables (EBR, EBRD).
Runs warm up for 10,000 packets (the papers: 80,000), lose a link 5,000 cycles later, and use compact packets. The last
sections, `own-...`, are of this project's own schemes, with their goals in the papers' place. The sections `tftr-...`,
`spftr-...` and `rftr-...` are of routing tables alone, which host software makes and checks; nothing is simulated for them, but
for those of throughput and of times.
"""


class Claim:
    """`holds`: True, False, or None for what cannot be judged. `why`: what is known if it does not."""

    def __init__(self, text, paper, ours, holds, why=""):
        self.text, self.paper, self.ours, self.holds, self.why = text, paper, ours, holds, why

    def verdict(self):
        return {True: "holds", False: "differs", None: "not comparable"}[self.holds]


def write_csv(name, header, rows):
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / f"{name}.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def plot(name, script, size="900,500"):
    """Draws a gnuplot script, which finds its data in `file`, as SVG and PNG."""
    for suffix, terminal in (("svg", f'svg noenhanced size {size} font "sans-serif,13" background "white"'),
                             ("png", f'pngcairo noenhanced size {size} font "sans,12"')):
        head = (f'set terminal {terminal}\nset output "{FOLDER / name}.{suffix}"\nset datafile separator ","\n'
                f'file = "{FOLDER / name}.csv"\nset grid lt 1 lw 0.5 lc rgb "#cccccc"\nset tics out nomirror\n')
        subprocess.run(["gnuplot"], input=head + script, text=True, check=True)


def bars(name, ylabel, labels, size="1000,520"):
    """Bars with error bars: the first columns are labels, the next two value and half width of the interval."""
    title = '." ".'.join(f"stringcolumn({column})" for column in range(labels, 0, -1))
    plot(name, f"""set ylabel "{ylabel}"
set yrange [0:*]
set xtics rotate by -40
set rmargin 10
set style fill solid 0.7
set boxwidth 0.7
set offsets 0.6, 0.6, 0, 0
plot file skip 1 using 0:{labels + 1}:{labels + 2}:xtic({title}) with boxerrorbars lc rgb "#0072b2" notitle
""", size)


def section(name, title, claims, text=""):
    """Prints the verdicts and puts the section in its place on the page, which is sorted by name."""
    lines = [f"## {name}: {title}", ""]
    if text:
        lines += [text, ""]
    if (FOLDER / f"{name}.png").exists():
        lines += [f"![{title}](papers/{name}.png)", ""]
    lines += [f"Data: [{name}.csv](papers/{name}.csv)", "", "| claim | paper | ours | verdict |", "|---|---|---|---|"]
    for claim in claims:
        verdict = claim.verdict() + (f": {claim.why}" if claim.why and not claim.holds else "")
        lines.append(f"| {claim.text} | {claim.paper} | {claim.ours} | {verdict} |")
        print(f"{name}: {claim.verdict()}: {claim.text} (paper {claim.paper}; ours {claim.ours})")
    sections = {}
    if PAGE.exists():
        parts = re.split(r"^(?=## )", PAGE.read_text(), flags=re.MULTILINE)[1:]
        sections = {part[3:].split(":")[0]: part.rstrip() for part in parts}
    sections[name] = "\n".join(lines)
    PAGE.write_text(HEAD + "".join(f"\n{sections[key]}\n" for key in sorted(sections, key=_order)))


def _order(name):
    """The papers before our own, tables and figures by number."""
    kind, rest = name.split("-", 1)
    numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", rest)]
    return (("osr", "ebr", "tftr", "spftr", "rftr", "own").index(kind), numbers or [math.inf], rest)
