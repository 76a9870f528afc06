#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a certificate of 'switchq worst' (docs/worst.md), without any code of the program: plays the worst
sequence, and compares the potential with every edge, all of which it generates from the rule anew. A queue is a
word with a letter for each packet, 1 or V, the first one first; all are 1 if packets have no values."""
import sys
from fractions import Fraction


# rules that are numbers of the memory
NUMBERS = "room sharing partitioning maximum minimum minimum-maximum square-root threshold".split()


def is_harmonic(held, slots):
    """Do the m longest queues hold no more than slots / H_N * (1 + 1/2 + ... + 1/m), for each m?"""
    harmonic = [sum(Fraction(1, j) for j in range(1, m + 1)) for m in range(len(held) + 1)]
    held = sorted(held, reverse=True)
    return all(sum(held[:m]) * harmonic[-1] <= slots * harmonic[m] for m in range(1, len(held) + 1))


def room(r, q, c):
    """Is there room for a packet in queue q, by the numbers of the memory?"""
    own, low = r[q], c["queue-min"]
    left = c["slots"] - len(r) * low - sum(max(0, x - low) for x in r)
    if own + 1 > c["queue-max"]:
        return False
    return own < low or left > 0 and (not c["alpha"] or max(0, own - low) < c["alpha"] * left)


def fates(held, q, c):
    """What the rule may do with a packet for queue q: 'take', 'refuse', or the queue that loses a packet."""
    r = list(map(len, held))
    counted = [x + (k == q) for k, x in enumerate(r)]  # the packet that comes counts
    if c["admission"] == "harmonic":
        return ["take" if sum(counted) <= c["slots"] and is_harmonic(counted, c["slots"]) else "refuse"]
    if room(r, q, c):
        return ["take"]
    if c["admission"] in NUMBERS or r[q] >= c["queue-max"]:
        return ["refuse"]
    if c["admission"] != "lqd":
        sys.exit(f"this checker does not know the rule {c['admission']}")
    longest = [k for k, x in enumerate(counted) if x == max(counted)]
    others = [k for k in longest if k != q]
    losers = {"own": [q] if q in longest else longest, "other": others or [q], "low": longest[:1],
              "high": longest[-1:], "adversary": longest}[c["ties"]]
    own = c["drop"] == "head" and r[q] > 0  # the packet may take the place of the first one of its queue
    return ["refuse" if k == q and not own or r[k] <= c["queue-min"] and k != q else k for k in losers]


def change(held, q, letter, fate, drop="tail"):
    """What the memory holds then."""
    after = list(held)
    if isinstance(fate, int):
        after[fate] = after[fate][1:] if drop == "head" else after[fate][:-1]
    if fate != "refuse":
        after[q] += letter
    return tuple(after)


def send(held, most, c):
    """What the memory holds then, and what the packets that are sent are worth, in units of 1 / the value's
    denominator."""
    sent = "".join(queue[:most] for queue in held)
    low, high = c["value"].denominator, c["value"].numerator
    return tuple(queue[most:] for queue in held), sent.count("1") * low + sent.count("V") * high


def gain_and_cost(rule, optimum, phases, c):
    """Of what both send in so many phases."""
    return (optimum - rule, phases * c["value"].denominator) if c["objective"] == "excess" else (optimum, rule)


def weight(rule, optimum, c):
    """Of a phase, for the ratio p/q: q times the gain less p times the cost."""
    gain, cost = gain_and_cost(rule, optimum, 1, c)
    return c["ratio"].denominator * gain - c["ratio"].numerator * cost


def read(path):
    words = [line.split() for line in open(path)]
    assert words[0] == ["switchq", "worst", "certificate", "1"], "no certificate"
    c, at = {"value": Fraction(1), "drop": "tail"}, 1
    while words[at][0] != "period":
        name, value = words[at]
        fraction = name in ("ratio", "alpha", "value") and value != "unbounded"
        c[name] = Fraction(value) if fraction else int(value) if value.isdigit() else value
        c["letters"] = "1V" if name == "value" else c.get("letters", "1")
        at += 1
    steps = c["lead"] + int(words[at][1])
    c["alpha"] = Fraction(float(c["alpha"]))
    return c, words[at + 1:at + 1 + steps], words[at + 1 + steps:]


def play(c, steps):
    """Plays the sequence: each step must be allowed, and the period must reach the ratio, and close."""
    rule = optimum = ("",) * c["queues"]
    sums, arrived = [0, 0, 0], 0
    for k, step in enumerate(steps + [None]):
        if k == c["lead"]:
            begin, sums = (rule, optimum, arrived), [0, 0, 0]
        if step is None:
            break
        if step[0] == "send":
            (rule, a), (optimum, b), arrived = send(rule, c["speedup"], c), send(optimum, 1, c), 0
            sums = [sums[0] + a, sums[1] + b, sums[2] + 1]
            continue
        letter = step.pop(2) if len(c["letters"]) > 1 else "1"
        q, fate, arrived = int(step[1]), int(step[3]) if step[2] == "push-out" else step[2], arrived + 1
        assert letter in c["letters"], f"step {k}: no packet is worth {letter}"
        assert fate in fates(rule, q, c), f"step {k}: the rule does not {step}"
        assert not c["arrivals-per-phase"] or arrived <= c["arrivals-per-phase"], f"step {k}: too many arrivals"
        rule, optimum = change(rule, q, letter, fate, c["drop"]), change(optimum, q, letter, step[-1])
        assert sum(map(len, optimum)) <= c["slots"], f"step {k}: the optimum has no room"
    assert begin[:2] == (rule, optimum) and (not c["arrivals-per-phase"] or begin[2] == arrived), "no period"
    gain, cost = gain_and_cost(*sums, c)
    if c["ratio"] == "unbounded":
        assert gain > 0 and cost == 0, "both send"
    else:
        assert not steps or cost and Fraction(gain, cost) == c["ratio"], f"the sequence has {gain}/{cost}"


def node(rule, optimum, arrived, c):
    pairs = list(zip(rule, optimum))
    return tuple(sorted(pairs, reverse=True) if c["renamed"] else pairs), arrived if c["arrivals-per-phase"] else 0


def check(c, lines):
    """The potential must not be exceeded along any edge, and no edge may lead out of the nodes listed."""
    n, most, edges = c["queues"], c["arrivals-per-phase"], 0
    assert lines[0] == ["nodes", str(len(lines) - 1)], "nodes are missing"
    value = {}
    for words in lines[1:]:
        held = [word.strip("-") if len(c["letters"]) > 1 else "1" * int(word) for word in words[:2 * n]]
        value[node(held[:n], held[n:], int(words[-2]) if most else 0, c)] = int(words[-1])
    assert node(("",) * n, ("",) * n, 0, c) in value, "empty memories are missing"
    for (pairs, arrived), potential in value.items():
        rule, optimum = zip(*pairs)
        (rule_after, a), (optimum_after, b) = send(rule, c["speedup"], c), send(optimum, 1, c)
        room = sum(map(len, optimum)) < c["slots"]
        to = [(node(rule_after, optimum_after, 0, c), weight(a, b, c))]
        for q in range(n if not most or arrived < most else 0):
            for fate in fates(rule, q, c):
                for letter in c["letters"]:
                    then = change(rule, q, letter, fate, c["drop"])
                    for answer in ("take", "refuse") if room else ("refuse",):
                        to.append((node(then, change(optimum, q, letter, answer), arrived + 1, c), 0))
        for behind, w in to:
            assert behind in value, f"{pairs} leads to {behind}, which is missing"
            assert w + value[behind] <= potential, f"{pairs} to {behind}: {w} + {value[behind]} > {potential}"
        edges += len(to)
    return len(value), edges


if __name__ == "__main__":
    question, sequence, potentials = read(sys.argv[1])
    try:
        play(question, sequence)
        nodes, edges = (0, 0) if question["ratio"] == "unbounded" else check(question, potentials)
        print(f"{sys.argv[1]}: {question['ratio']}, proven by {nodes} nodes and {edges} edges")
    except AssertionError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
