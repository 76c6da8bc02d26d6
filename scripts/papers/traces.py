"""Traces in place of those of SPLASH-2 programs, which are not to be had: from stated models, the same every time.

Both are a list of (cycle, source, destination) of packets of 32 bytes; end nodes are numbered from 0. A packet leaves
each end node every `gap` cycles on average while the program communicates.
"""

import random

PAYLOAD = 32
PAUSE = 2000  # cycles of computing between two phases of communication


def fft(nodes, gap, cycles):
    """All-to-all in stages, as a six-step FFT transposes its matrix three times, and again for the next FFT.

    In step s of a stage node i sends to node (i + s) mod nodes; nodes are up to a gap apart.
    """
    offsets = random.Random(1)
    begin = 0
    while begin < cycles:
        for step in range(1, nodes):
            for node in range(nodes):
                yield begin + (step - 1) * gap + offsets.randrange(gap), node, (node + step) % nodes
        begin += (nodes - 1) * gap + PAUSE


def mp3d(nodes, gap, cycles):
    """Particles that move between cells: time steps of 64 packets per node on average, then a pause.

    Of the packets 75 % go to one of four neighbours in a grid 16 nodes wide, 20 % anywhere (collisions and cells that have moved away), 5 % to node 0, which keeps the global counters.
    """
    draw = random.Random(2)
    width = 16
    begin = 0
    while begin < cycles:
        for node in range(nodes):
            for _ in range(draw.randrange(32, 97)):
                other = _neighbour(draw, node, nodes, width)
                if other != node:
                    yield begin + draw.randrange(64 * gap), node, other
        begin += 64 * gap + PAUSE


def _neighbour(draw, node, nodes, width):
    kind = draw.random()
    if kind < 0.75:
        return (node + draw.choice((1, -1, width, -width))) % nodes
    return draw.randrange(nodes) if kind < 0.95 else 0


TRACES = {"fft": fft, "mp3d": mp3d}


def write(path, name, nodes, load, cycles):
    """`load` in words per cycle and end node while it communicates; a packet has 15 words."""
    packets = sorted(TRACES[name](nodes, round(15 / load), cycles))
    with open(path, "w") as file:
        file.write("# cycle source destination bytes\n")
        file.writelines(f"{cycle} {source} {destination} {PAYLOAD}\n" for cycle, source, destination in packets)
