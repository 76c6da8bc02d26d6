"""How much of the forwarding tables of up*/down* on a torus changes with one failed link, or with another root.

By two rules: that of our engine, whose switches take ports that are equally near in turn, and one that always takes the
first of them. Only the second makes each entry independent of all others.
"""

import re
import subprocess
from collections import deque

from experiments import LANECUT, links


def numbers(name):
    """Of a switch, or of a switch and a port."""
    return tuple(map(int, re.findall(r"\d+", name)))


def neighbours(size, x, y):
    """By port, from 1 on."""
    return [((x + 1) % size, y), ((x - 1) % size, y), (x, (y + 1) % size), (x, (y - 1) % size)]


def of_engine(size, root, cut=None):
    """{(switch, LID): port}"""
    options = ["--cut", cut] if cut else []
    text = subprocess.run([LANECUT, "route", f"torus:{size}x{size}:2", "--root", root, "--dump", *options],
                          check=True, capture_output=True, text=True).stdout
    entries, switch = {}, None
    for line in text.splitlines():
        if line.startswith("Unicast"):
            switch = re.search(r"'(.*)'", line)[1]
        elif line.startswith("0x"):
            lid, port = line.split()[:2]
            entries[switch, lid] = port
    return entries


def _distances(start, successors):
    hops, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in successors(here):
            if there not in hops:
                hops[there] = hops[here] + 1
                queue.append(there)
    return hops


def by_first_port(size, root, cut=None):
    """{(switch, destination switch): port}; down as soon as there is a way down, as every rule that goes by tables alone must."""
    gone = set()
    if cut:
        x, y, port = numbers(cut)
        gone.add(((x, y), neighbours(size, x, y)[port - 1]))

    def ways(here):
        return {port: there for port, there in enumerate(neighbours(size, *here), 1)
                if (here, there) not in gone and (there, here) not in gone}
    level = _distances(numbers(root), lambda here: ways(here).values())

    def goes_up(here, there):
        return (level[there], there[::-1]) < (level[here], here[::-1])
    upward = sorted(level, key=lambda switch: (level[switch], switch[::-1]))
    entries = {}
    for destination in level:
        down = _distances(destination, lambda here: [there for there in ways(here).values() if not goes_up(there, here)])
        hops = dict(down)
        for here in upward:
            if here not in down:
                hops[here] = 1 + min(hops[there] for there in ways(here).values() if goes_up(here, there))
        for here in level.keys() - {destination}:
            entries[here, destination] = min(
                port for port, there in ways(here).items()
                if goes_up(here, there) != (here in down) and there in (down if here in down else hops) and hops[there] + 1 == hops[here])
    return entries


def share(before, after):
    return sum(after[key] != port for key, port in before.items()) / len(before)


def shares(tables, size, root):
    """With each link failed alone, in ascending order."""
    before = tables(size, root)
    return sorted(share(before, tables(size, root, link)) for link in links(size))


def moved(tables, size, root, new_root):
    return share(tables(size, root), tables(size, new_root))
