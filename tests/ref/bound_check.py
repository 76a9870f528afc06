#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear programs of `switchq bound` once more, by scipy (HiGHS), over networks of its own.

    bound_check.py PROGRAM

Flows are aggregated by their sources here, and by their destinations in the program. Exit 0: all bounds agree to a
part in 10^6; 1: one does not; 77: there is no scipy.
"""
import json
import subprocess
import sys

try:
    import numpy
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix
except ImportError:
    sys.exit(77)


# ---- networks: links between switches, and the switch of each node ----

def grid(extent, rings):
    """The first dimension is the most significant digit of a switch's number."""
    count = 1
    for k in extent:
        count *= k
    links = []
    for at in range(count):
        unit = count
        for k in extent:
            unit //= k
            x = at // unit % k
            for step in (1, -1):
                if rings or 0 <= x + step < k:
                    links.append((at, at + ((x + step) % k - x) * unit))
    return links, list(range(count))


def dragonfly(p):
    a, h = 2 * p, p
    groups = a * h + 1
    links = []
    for g in range(groups):
        links += [(g * a + i, g * a + j) for i in range(a) for j in range(a) if i != j]
        links += [(g * a + (to - (to > g)) // h, to * a + (g - (g > to)) // h) for to in range(groups) if to != g]
    return links, [node // p for node in range(p * a * groups)]


def hyperx(s, t):
    links = [(a, b) for a in range(s * s) for b in range(s * s) if a != b and (a // s == b // s or a % s == b % s)]
    return links, [node // t for node in range(s * s * t)]


# ---- traffic: matrices over nodes ----

def uniform(nodes):
    return (numpy.ones((nodes, nodes)) - numpy.eye(nodes)) / (nodes - 1)


def tornado(extent):
    nodes = int(numpy.prod(extent))
    wanted = numpy.zeros((nodes, nodes))
    for at in range(nodes):
        to, unit = 0, nodes
        for k in extent:
            unit //= k
            to += (at // unit % k + (k - 1) // 2) % k * unit
        wanted[at, to] = at != to
    return wanted


def to_node_0(nodes):
    wanted = numpy.zeros((nodes, nodes))
    wanted[1:, 0] = 1
    return wanted


# ---- programs ----

def of_switches(home, wanted):
    count = max(home) + 1
    total = numpy.zeros((count, count))
    for i, row in enumerate(wanted):
        for j, amount in enumerate(row):
            total[home[i], home[j]] += amount
    numpy.fill_diagonal(total, 0)
    return total


def nodes_bound(wanted):
    return 1 / max(wanted.sum(0).max(), wanted.sum(1).max())


def any_ways(links, home, wanted):
    """Minimise z: flows of each source, no link above z."""
    total = of_switches(home, wanted)
    count, width = len(total), len(links)
    rows, columns, values, side = [], [], [], []
    for s in range(count):
        for w in range(count):
            side.append(total[s].sum() if w == s else -total[s, w])
        for k, (a, b) in enumerate(links):
            rows += [s * count + a, s * count + b]
            columns += [1 + s * width + k] * 2
            values += [1, -1]
    equal = coo_matrix((values, (rows, columns)), shape=(count * count, 1 + count * width))
    most_rows = [k for s in range(count) for k in range(width)] + list(range(width))
    most_columns = [1 + s * width + k for s in range(count) for k in range(width)] + [0] * width
    most = coo_matrix(([1.0] * (count * width) + [-1.0] * width, (most_rows, most_columns)),
                      shape=(width, 1 + count * width))
    cost = numpy.zeros(1 + count * width)
    cost[0] = 1
    found = linprog(cost, A_ub=most, b_ub=numpy.zeros(width), A_eq=equal, b_eq=side, method="highs")
    return min(1 / found.fun, nodes_bound(wanted))


def dragonfly_way(p, a, b):
    """The links, as pairs of switches, of the straight way between two switches."""
    size, h = 2 * p, p
    way = []
    if a // size != b // size:
        g, to = a // size, b // size
        out, back = g * size + (to - (to > g)) // h, to * size + (g - (g > to)) // h
        way = [(a, out)] * (a != out) + [(out, back)]
        a = back
    return way + [(a, b)] * (a != b)


def two_ways(p, wanted):
    """Minimise z: of each pair and third group a share goes by way of that group, into which the global link leads."""
    links, home = dragonfly(p)
    number = {link: k for k, link in enumerate(links)}
    size = 2 * p
    groups = size * p + 1
    straight = numpy.zeros(len(links))
    entries, count = [], 0
    for i, row in enumerate(wanted):
        for j in numpy.nonzero(row)[0]:
            a, b = home[i], home[j]
            direct = dragonfly_way(p, a, b)
            for link in direct:
                straight[number[link]] += row[j]
            others = [g for g in range(groups) if g not in (a // size, b // size)] if a // size != b // size else []
            for g in others:
                count += 1
                first = dragonfly_way(p, a, g * size + (a // size - (a // size > g)) // p)
                for link in first + dragonfly_way(p, first[-1][1], b):
                    entries.append((number[link], count, row[j] / len(others)))
                for link in direct:
                    entries.append((number[link], count, -row[j] / len(others)))
    entries += [(k, 0, -1) for k in range(len(links))]
    rows, columns, values = zip(*entries)
    most = coo_matrix((values, (rows, columns)), shape=(len(links), 1 + count))
    cost = numpy.zeros(1 + count)
    cost[0] = 1
    found = linprog(cost, A_ub=most, b_ub=-straight, bounds=[(0, None)] + [(0, 1)] * count, method="highs")
    return min(1 / found.fun, nodes_bound(wanted))


def cases():
    yield "--topology mesh --dims 4x3", any_ways(*grid((4, 3), False), uniform(12))
    yield "--topology mesh --dims 3x3 --traffic node:0", any_ways(*grid((3, 3), False), to_node_0(9))
    yield "--topology mesh --dims 4x4 --traffic tornado", any_ways(*grid((4, 4), False), tornado((4, 4)))
    yield "--topology torus --dims 5x4", any_ways(*grid((5, 4), True), uniform(20))
    yield "--topology torus --dims 5x4 --traffic tornado", any_ways(*grid((5, 4), True), tornado((5, 4)))
    yield "--topology dragonfly --hosts 1", any_ways(*dragonfly(1), uniform(6))
    yield "--topology dragonfly --hosts 2 --traffic tornado", any_ways(*dragonfly(2), tornado((9, 8)))
    yield "--topology hyperx --dims 3x3 --hosts 3 --traffic tornado", any_ways(*hyperx(3, 3), tornado((3, 3, 3)))
    ugal = " --routing ugal --paths minimal+valiant"
    yield "--topology dragonfly --hosts 2 --traffic tornado" + ugal, two_ways(2, tornado((9, 8)))
    yield "--topology dragonfly --hosts 2" + ugal, two_ways(2, uniform(72))


def main(program):
    wrong = 0
    for line, expected in cases():
        run = subprocess.run([program, "bound", *line.split(), "--json"], stdout=subprocess.PIPE, check=True)
        got = json.loads(run.stdout)["result"]["load_bound"]
        agrees = abs(got - expected) <= 1e-6 * expected
        wrong += not agrees
        print(f"{'agrees' if agrees else 'DIFFERS'}: {line}: {got:.9g}, here {expected:.9g}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
