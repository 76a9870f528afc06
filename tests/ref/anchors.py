#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make validate/checks/anchors/table.inc: long-run numbers of small switches, by rules written once more.

usage: tests/ref/anchors.py > validate/checks/anchors/table.inc

Chains and simulators of switchq run the same buffers and arbiters, so that a wrong rule would agree
with itself. Here the rules of docs/model.md (rotating: Frazier 1995, 4.3; islip: McKeown 1999; pim:
Anderson et al. 1993) are written down a third time, packet by packet, with nothing reduced or
deferred, and the chain is solved by Gauss-Seidel in double precision. Takes some minutes.
"""
import itertools
import sys
from collections import defaultdict

BUFFERS = {  # queue per output, read each queue, slots split among queues, pool
    "fifo": (False, False, False, False), "samq": (True, False, True, False),
    "safc": (True, True, True, False), "damq": (True, False, False, False),
    "dafc": (True, True, False, False), "cbda": (True, True, False, True),
}
ARBITERS = ["random", "random-outputs", "maximum", "longest", "maximum-longest", "max-weight", "fixed",
            "rotating", "islip", "pim"]
MODES = ["discard-same", "discard-next", "block-same", "block-next"]


class Case:
    def __init__(self, buffer, slots, ports, load, arbiter, mode, iterations=1, least=0, most=0, alpha=0.0,
                 rule="room"):
        self.buffer, self.slots, self.ports, self.load = buffer, slots, ports, load
        self.arbiter, self.mode, self.iterations = arbiter, mode, iterations
        self.multi, self.each, split, self.pool = BUFFERS[buffer]
        self.capacity = ports * slots if self.pool else slots
        share = slots // ports if split else 0
        self.given = (least, most)
        self.least = share or least
        self.most = share or most or self.capacity
        self.alpha, self.rule = alpha, rule
        self.block, self.next = mode.startswith("block"), mode.endswith("next")
        self.loads = [load * (1 - i / 4) for i in range(ports)]
        self.dest = [(0.8 / ports + (0.2 if j == 1 else 0)) for j in range(ports)]
        self.buffers = 1 if self.pool else ports
        self.queues = ports if self.multi else 1


# ---- state: (packets of each buffer, slots freed by queue, held destinations, pointers) ----
# A FIFO's packets are destinations in order; with queues they are sorted, which is the same there.

def lengths(c, packets):
    return [len(packets)] if not c.multi else [packets.count(j) for j in range(c.ports)]


def admits(c, packets, freed, d):
    taken = [l + f for l, f in zip(lengths(c, packets), freed)]
    mine = taken[d if c.multi else 0]
    shared = c.capacity - c.queues * c.least
    used = sum(max(t - c.least, 0) for t in taken)
    if mine >= c.most:
        return False
    if mine < c.least:
        return True
    return used < shared and (c.alpha == 0 or mine - c.least < c.alpha * (shared - used))


def put(c, packets, d):
    return tuple(sorted(packets + (d,))) if c.multi else packets + (d,)


def orders(c, free):
    """Who is heard, in which order: (chance, inputs in order, open inputs)."""
    n = c.ports
    if not c.pool:
        yield 1.0, tuple(range(n)), set(range(n))
        return
    rooms = [set(o) for o in itertools.combinations(range(n), free)] if c.rule == "ports" and free < n \
        else [set(range(n))]
    perms = list(itertools.permutations(range(n)))
    for o in rooms:
        for p in perms:
            yield 1.0 / len(rooms) / len(perms), p, o


def receive(c, state):
    """[(chance, packets, held, offers by input, refusals by input)]"""
    packets, freed, held, _ = state
    result = []
    options = []
    for i in range(c.ports):
        if held[i] is not None:
            options.append([(1.0, held[i])])
        else:
            options.append([(1 - c.loads[i], None)] + [(c.loads[i] * p, j) for j, p in enumerate(c.dest)])
    free = c.capacity - len(packets[0]) - sum(freed[0]) if c.pool else 0
    for offers in itertools.product(*options):
        chance = 1.0
        for p, _ in offers:
            chance *= p
        if chance == 0:
            continue
        merged = defaultdict(float)
        for q, order, opened in orders(c, free):
            now, keep, refused = list(packets), [None] * c.ports, [0] * c.ports
            for i in order:
                d, b = offers[i][1], 0 if c.pool else i
                if d is None:
                    continue
                if i in opened and admits(c, now[b], freed[b], d):
                    now[b] = put(c, now[b], d)
                else:
                    refused[i] = 1
                    keep[i] = d if c.block else None
            merged[tuple(now), tuple(keep), tuple(refused)] += q
        offered = [o[1] is not None for o in offers]
        for (now, keep, refused), q in merged.items():
            result.append((chance * q, now, keep, offered, refused))
    return result


# ---- arbiters: weights[i][j] -> {(input of each output, pointers): chance} ----

def prefer(candidates, weight, how):
    if how == "longest":
        best = max(weight(x) for x in candidates)
        return [x for x in candidates if weight(x) == best]
    return candidates[:1] if how == "first" else candidates


def fill(c, w, grant, j, how, chance, out):
    """Outputs from j on that are still free take from any input, if inputs send more than one."""
    if j == c.ports or not c.each:
        out[grant] += chance
        return
    asking = [i for i in range(c.ports) if w[i][j]] if grant[j] is None else []
    if not asking:
        fill(c, w, grant, j + 1, how, chance, out)
        return
    chosen = prefer(asking, lambda i: w[i][j], how)
    for i in chosen:
        fill(c, w, grant[:j] + (i,) + grant[j + 1:], j + 1, how, chance / len(chosen), out)


def inputs_first(c, w, how, in_order):
    out = defaultdict(float)

    def visit(left, grant, chance):
        if not left:
            fill(c, w, grant, 0, how, chance, out)
            return
        turns = left[:1] if in_order else left
        for i in turns:
            rest = tuple(x for x in left if x != i)
            free = [j for j in range(c.ports) if grant[j] is None and w[i][j]]
            if not free:
                visit(rest, grant, chance / len(turns))
                continue
            chosen = prefer(free, lambda j: w[i][j], how)
            for j in chosen:
                visit(rest, grant[:j] + (i,) + grant[j + 1:], chance / len(turns) / len(chosen))

    visit(tuple(range(c.ports)), (None,) * c.ports, 1.0)
    return out


def outputs_first(c, w):
    out = defaultdict(float)

    def visit(left, grant, chance):
        if not left:
            fill(c, w, grant, 0, "any", chance, out)
            return
        for j in left:
            rest = tuple(x for x in left if x != j)
            free = [i for i in range(c.ports) if w[i][j] and i not in grant]
            if not free:
                visit(rest, grant, chance / len(left))
            for i in free:
                visit(rest, grant[:j] + (i,) + grant[j + 1:], chance / len(left) / len(free))

    visit(tuple(range(c.ports)), (None,) * c.ports, 1.0)
    return out


def best_sets(c, w, value):
    best, sets = None, []
    for grant in itertools.product([None] + list(range(c.ports)), repeat=c.ports):
        used = [i for i in grant if i is not None]
        if any(i is not None and not w[i][j] for j, i in enumerate(grant)):
            continue
        if not c.each and len(set(used)) < len(used):
            continue
        v = value(len(used), sum(w[i][j] for j, i in enumerate(grant) if i is not None))
        if best is None or v > best:
            best, sets = v, []
        if v == best:
            sets.append(grant)
    return {g: 1.0 / len(sets) for g in sets}


def rotating(c, w, first, waiting):  # waiting: None for the arbiter that passes whoever came first
    n = c.ports
    grant = [None] * n
    for i in [(first + k) % n for k in range(n)]:
        free = [j for j in [(first + k) % n for k in range(n)] if grant[j] is None and w[i][j]]
        if c.each:
            for j in free:
                grant[j] = i
        elif free:
            grant[max(free, key=lambda j: w[i][j])] = i  # max takes the first of equals
    moves = any(i is not None for i in grant) if waiting is None else first in grant or not waiting[first]
    return {(tuple(grant), ((first + 1) % n if moves else first,)): 1.0}


def islip(c, w, pointers):
    n = c.ports
    give, take = list(pointers[:n]), list(pointers[n:])
    grant = [None] * n
    for turn in range(c.iterations):
        offers = defaultdict(list)
        for j in range(n):
            if grant[j] is not None:
                continue
            for i in [(give[j] + k) % n for k in range(n)]:
                if w[i][j] and (c.each or i not in grant):
                    offers[i].append(j)
                    break
        for i, outputs in offers.items():
            outputs.sort(key=lambda j: (j - take[i]) % n)
            for j in outputs if c.each else outputs[:1]:
                grant[j] = i
                if turn == 0:
                    give[j] = (i + 1) % n
                    last = (j + 1) % n
            if turn == 0:
                take[i] = last
    return {(tuple(grant), tuple(give + take)): 1.0}


def pim(c, w):
    n = c.ports
    now = {(None,) * n: 1.0}
    for _ in range(c.iterations):
        after = defaultdict(float)
        for grant, chance in now.items():
            asks = []
            for j in range(n):
                free = [i for i in range(n) if w[i][j] and (c.each or i not in grant)]
                asks.append(free if grant[j] is None and free else [None])
            ways = 1
            for a in asks:
                ways *= len(a)
            for offers in itertools.product(*asks):
                if c.each:
                    after[tuple(g if o is None else o for g, o in zip(grant, offers))] += chance / ways
                    continue
                accept = [[j for j in range(n) if offers[j] == i] or [None] for i in range(n)]
                picks = 1
                for a in accept:
                    picks *= len(a)
                for pick in itertools.product(*accept):
                    g = list(grant)
                    for i, j in enumerate(pick):
                        if j is not None:
                            g[j] = i
                    after[tuple(g)] += chance / ways / picks
        now = after
    return now


def arbitrate(c, packets, pointers):
    n = c.ports
    if c.pool:
        return {(tuple(0 if j in packets[0] else None for j in range(n)), pointers): 1.0}
    w = [[0] * n for _ in range(n)]
    for i, p in enumerate(packets):
        if c.multi:
            w[i] = lengths(c, p)
        elif p:
            w[i][p[0]] = len(p)
    if c.arbiter == "rotating":
        return rotating(c, w, pointers[0], [len(p) for p in packets])
    if c.arbiter == "advancing":
        return rotating(c, w, pointers[0], None)
    if c.arbiter == "islip":
        return islip(c, w, pointers)
    grants = {
        "random": lambda: inputs_first(c, w, "any", False),
        "longest": lambda: inputs_first(c, w, "longest", False),
        "fixed": lambda: inputs_first(c, w, "first", True),
        "random-outputs": lambda: outputs_first(c, w),
        "maximum": lambda: best_sets(c, w, lambda size, weight: size),
        "maximum-longest": lambda: best_sets(c, w, lambda size, weight: (size, weight)),
        "max-weight": lambda: best_sets(c, w, lambda size, weight: weight),
        "pim": lambda: pim(c, w),
    }[c.arbiter]()
    return {(g, pointers): chance for g, chance in grants.items()}


def send(c, packets, grant):
    now = [list(p) for p in packets]
    freed = [[0] * c.queues for _ in range(c.buffers)]
    for j, i in enumerate(grant):
        if i is None:
            continue
        now[i].remove(j) if c.multi else now[i].pop(0)
        if c.next:
            freed[i][j if c.multi else 0] += 1
    return tuple(tuple(p) for p in now), tuple(tuple(f) for f in freed)


# ---- the chain ----

def solve(c):
    pointers = {"rotating": (0,), "advancing": (0,), "islip": (0,) * (2 * c.ports)}.get(c.arbiter, ()) if not c.pool else ()
    start = (((),) * c.buffers, ((0,) * c.queues,) * c.buffers, (None,) * c.ports, pointers)
    number, states, rows, rewards, known = {start: 0}, [start], [], [], {}
    while len(rows) < len(states):
        state = states[len(rows)]
        row = defaultdict(float)
        offered, refused, sent = [0.0] * c.ports, [0.0] * c.ports, [0.0] * c.ports
        for chance, packets, held, offers, refusals in receive(c, state):
            for i in range(c.ports):
                offered[i] += chance * offers[i]
                refused[i] += chance * refusals[i]
            key = packets, state[3]
            if key not in known:
                known[key] = [(q, send(c, packets, grant), after, grant)
                              for (grant, after), q in arbitrate(c, packets, state[3]).items()]
            for q, (left, freed), after, grant in known[key]:
                target = (left, freed, held, after)
                if target not in number:
                    number[target] = len(states)
                    states.append(target)
                row[number[target]] += chance * q
                for j, i in enumerate(grant):
                    if i is not None:
                        sent[j] += chance * q
        rows.append(row)
        rewards.append((offered, refused, sent, sum(len(p) for p in state[0])))
    pi = stationary(rows)
    total = lambda f: sum(p * f(r) for p, r in zip(pi, rewards))
    last = c.ports - 1
    return (total(lambda r: r[1][0]) / total(lambda r: r[0][0]),
            total(lambda r: r[1][last]) / total(lambda r: r[0][last]),
            total(lambda r: r[2][1]), total(lambda r: r[3])), len(states)


def stationary(rows):
    """Gauss-Seidel on pi = pi P; transient states fade."""
    n = len(rows)
    into = [[] for _ in range(n)]
    stay = [0.0] * n
    for s, row in enumerate(rows):
        for t, p in row.items():
            if s == t:
                stay[s] = 1 - sum(q for u, q in row.items() if u != s)
            else:
                into[t].append((s, p))
    pi = [1.0 / n] * n
    least, since = 1.0, 0  # once it is down to rounding, the change falls no more
    while since < 30:
        change = 0.0
        for t in range(n):
            new = sum(pi[s] * p for s, p in into[t]) / (1 - stay[t])
            change = max(change, abs(new - pi[t]))
            pi[t] = new
        total = sum(pi)
        pi = [x / total for x in pi]
        least, since = (change, 0) if change < least else (least, since + 1)
    return pi


# ---- which ----

def cases():
    slots = {"fifo": 3, "samq": 4, "safc": 4, "damq": 3, "dafc": 3}
    turn = 0
    for b in slots:
        for a in ARBITERS:
            yield Case(b, slots[b], 2, 0.9, a, MODES[turn % 4])
            turn += 3
    for b in slots:
        for mode in MODES:
            yield Case(b, 2, 2, 0.8, "random", mode)
    for b in slots:
        for a in ("islip", "pim"):
            yield Case(b, 2, 2, 0.95, a, "discard-same", iterations=2)
    for b, s in {"fifo": 2, "samq": 3, "safc": 3, "damq": 2, "dafc": 2}.items():
        for a in ARBITERS:
            if a != "islip":
                yield Case(b, s, 3, 0.9, a, "discard-same")
    for b in ("damq", "samq"):
        yield Case(b, 3 if b == "samq" else 2, 3, 0.9, "pim", "discard-same", iterations=2)
    for rule in ("room", "ports"):
        for mode in MODES:
            yield Case("cbda", 2, 2, 0.9, "random", mode, rule=rule)
        yield Case("cbda", 1, 3, 0.9, "random", "discard-same", rule=rule)
        yield Case("cbda", 1, 3, 0.8, "random", "discard-next", rule=rule)
        yield Case("cbda", 3, 2, 0.9, "random", "discard-same", least=1, most=4, alpha=0.75, rule=rule)
    for b in ("damq", "dafc"):
        for mode in ("discard-same", "block-next"):
            yield Case(b, 4, 2, 0.9, "random", mode, most=3)
            yield Case(b, 4, 2, 0.9, "random", mode, least=1, most=3)
            yield Case(b, 4, 2, 0.9, "longest", mode, alpha=1.0)
            yield Case(b, 4, 2, 0.9, "longest", mode, least=1, alpha=1.5)
    for b, mode in zip(slots, MODES[::-1] + MODES):
        yield Case(b, slots[b], 2, 0.9, "advancing", mode)


def main():
    print("/* Made by tests/ref/anchors.py: refusal probability of the first and the last input, throughput of\n"
          " * output 1, packets in the state. */")
    for c in cases():
        values, states = solve(c)
        mode = {"discard-same": "SWQ_DISCARD_SAME", "discard-next": "SWQ_DISCARD_NEXT",
                "block-same": "SWQ_BLOCK_SAME", "block-next": "SWQ_BLOCK_NEXT"}[c.mode]
        rule = "SWQ_POOL_PORTS" if c.rule == "ports" else "SWQ_POOL_ROOM"
        print(f'{{{{"{c.buffer}", "{c.arbiter}", {c.ports}, {c.slots}, {c.load}, {mode}, SWQ_CASE_LOPSIDED, '
              f'{c.iterations}, {c.given[0]}, {c.given[1]}, {c.alpha}, {rule}, NULL, 0, 0, false}},\n'
              f' {{{", ".join("%.15g" % v for v in values)}}}}},', flush=True)
        print(c.buffer, c.arbiter, c.ports, c.slots, c.mode, states, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
