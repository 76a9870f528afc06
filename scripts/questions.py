#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions for two builds of the program: a command line on each line, drawn from a seed.

scripts/same-answers.py asks them. The draws know what the program accepts, so that about one question in
ten is refused, most of these on purpose. Each question takes well below a second. Rows of tables are dealt
like cards: every row comes up as often as its neighbours. The tables are written down here and not read
from the program, so that a new row changes no question.

    scripts/questions.py [--seed S] [--questions N]   print the questions
    scripts/questions.py --rows PROGRAM               which rows of `PROGRAM list` do they ask too rarely?
    scripts/questions.py --files FOLDER               write the files that the questions name
"""
import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys

TABLES = {
    "buffers": "fifo samq safc damq dafc cbda",
    "input-buffers": "fifo samq safc damq dafc",
    "arbiters": "random random-outputs maximum longest maximum-longest max-weight fixed rotating "
                "advancing islip pim",
    "source-arbiters": "random random-outputs longest fixed maximum maximum-longest max-weight",
    "solvers": "auto gth sparse-gth lu umfpack aggregation gauss-seidel sor anderson arnoldi power",
    "policies": "optimal optimal-arbitration optimal-admission optimal-push-out push-out",
    "stages": "omega butterfly baseline flip cube",
    "patterns": "uniform hotspot:0.2 hotspot:0.3:1 bit-reversal bit-complement transpose shuffle tornado "
                "neighbour neighbor random-permutation",
    "async-traffic": "uniform hotspot:0.2 hotspot:0.3:1 bit-reversal bit-complement transpose shuffle "
                     "tornado neighbour neighbor random-permutation node:1 subset:1:1 "
                     "0.1*node:0@8+0.9*uniform 0.5*neighbour+0.5*uniform@16",
    "flows": "block maximum-usage credits stop-go two-counter destination destination+maximum-usage path "
             "path+maximum-usage virtual-clock",
    "formats": "prism drn mtx dot prism-source",
    "architectures": "input-queued output-queued crosspoint input-crosspoint cioq",
    "async-architectures": "output-queued crosspoint cioq hipiqs multi-buffer central prizma wormhole atlas",
    "managements": "none 1q 4q voqsw dbbm voqnet 4q-least lecn recn-iq recn recn-enhanced fbicm",
    "fabrics": "torus mesh hypercube tree fat-tree omega butterfly baseline flip cube switch",
    "routing": "deterministic adaptive unguarded valiant",
    "lane-outputs": "random room first turn",
    "benchmarks": "I II III IV V VI",
    "importances": "fill packets rivals chain drain",
    "methods": "links hot-tree classes exact-chains small-cycle yoon-lee-liu jenq kruskal-snir-weiss patel "
               "grid-waits shared-memory",
    "senders": "window:1 window:3 bucket:0.05,64 bucket:0.2,96 feedback:1,1,26 feedback:4,2,10 tokens:4,stay "
               "tokens:8,source tokens:6",
    "priorities": "none arbiter queue queues buffer",
    # those whose shortest runs take seconds are left out: 000.7 001.11 001.12 002.7 002.8
    "figures": "4.1 4.2 5.1 5.2 5.3 5.4 5.5 5.6 5.7 5.8 5.9 6.1 6.2 6.3 6.4 6.5 6.8 6.9 6.10 6.11 6.12 8.5 "
               "8.7 8.8 8.9 8.10 8.11 8.13 8.14 8.15 8.16 8.18 8.19 8.20 8.21 8.23 8.24 8.25 8.26 8.27 8.28 "
               "8.29 8.30 8.31 8.32 8.33 8.34 8.35 8.36 8.37 8.38 8.39 8.40 8.43 8.44 000.1 000.6 001.9 "
               "001.10 002.2 002.3 002.5 002.6 003.7 003.8 003.9 003.10 003.11 003.12",
    # likewise: benchmarks; and those that take seconds are asked seldom
    "tables": "4.1 4.4 5.1 8.2 8.4 small-packets",
    "slow-tables": "4.2 4.3",
    # those of validate that take less than a second
    "families": "factors-whole solver-solver fractions anchors known-values pool-oldest wirings sync-async "
                "shared-memory invariants-async stores",
}
TABLES = {name: rows.split() for name, rows in TABLES.items()}

# Parameters of each formula, and values of each: alternatives are separated by blanks.
LOADS = "0 0.1 0.35 0.5 0.62 0.9 0.99 1 0.2:0.6:0.2"
SHARED = {"load": "0.5 0.9 1.2 2", "service": "1 2 0.7", "slots": "4 12 32"}
FORMULAS = {
    "hol-saturation": {"ports": "1 2 3 4 8 16", "speedup": "1 2 3"},
    "window-saturation": {"window": "1 2 3 4", "ports": "2"},
    "window-saturation-many": {"window": "1 2 3 4 5", "ports": "2 8 64 1000"},
    "input-queue-fifo-heads": {"load": LOADS},
    "input-queue-random-heads": {"load": LOADS},
    "input-queue-hui-arthurs": {"load": LOADS},
    "output-queue": {"load": LOADS, "ports": "2 4 16 1000000"},
    "output-queue-finite": {"load": LOADS, "ports": "2 4 16 1024", "slots": "1 2 8 30"},
    "output-queue-slots": {"load": LOADS, "ports": "2 4 16", "target": "1e-2 1e-6 1e-12"},
    "input-smoothing": {"load": LOADS, "ports": "2 4 16", "frame": "1 8 40"},
    "input-smoothing-frame": {"load": LOADS, "ports": "2 4 16", "target": "1e-2 1e-3"},
    "pim-saturation": {"ports": "2 4 16", "iterations": "1 2 4"},
    "islip-saturation": {"ports": "2 4 16 1024"},
    "patel": {"ports": "2 4 8", "outputs": "0 2 4", "stages": "1 3 8", "load": LOADS},
    "kruskal-snir": {"ports": "2 4 8", "stages": "1 3 8 64", "load": LOADS},
    "kruskal-snir-weiss": {"ports": "2 4 8", "stages": "1 3 8", "load": LOADS, "length": "1 4"},
    "jenq": {"stages": "1 3 8 32", "load": LOADS},
    "yoon-lee-liu": {"ports": "2 4", "stages": "1 3 6", "slots": "1 2 4 8", "load": LOADS},
    "small-cycle": {"ports": "2 4", "stages": "1 3 6", "slots": "1 2 4 8", "load": LOADS},
    "hotspot-bound": {"nodes": "16 64 1000", "fraction": "0.01 0.1 1", "efficiency": "1 0.8"},
    "hotspot-groups": {"nodes": "64 256", "senders": "4 4,60", "fraction": "0.1 1,0.05", "load": "1 1,0.5"},
    "shared-output-independent": {"ports": "2 4 16", "load": "0.3 0.8", "slots": "4 20 60",
                                  "target": "1e-3 1e-6"},
    "shared-output-chain": {"ports": "2 3", "load": "0.3 0.8 1", "slots": "2 5 9"},
    "complete-partitioning": {**SHARED, "queues": "2 4"},
    "complete-sharing": {**SHARED, "queues": "2 4"},
    "sharing-maximum": {**SHARED, "queues": "2 4", "queue-max": "1 3 8"},
    "sharing-minimum": {**SHARED, "queues": "2 4", "queue-min": "0 1 2"},
    "sharing-minimum-maximum": {**SHARED, "queues": "2 4", "queue-min": "0 1", "queue-max": "2 5"},
    "square-root-rule": {"queues": "2 4 9", "slots": "6 20 60", "load": "0.5 1 2"},
    "dynamic-threshold": {"slots": "10 100.5", "alpha": "0.5 1 2", "overloaded": "0 1 4", "others": "0 7"},
    "dynamic-threshold-chain": {"queues": "2 3", "slots": "4 9", "alpha": "0.5 1 2", "load": "0.5 1.2",
                                "service": "1 2"},
    "recn-memory": {"ports": "2 8 64", "aside": "0 4 8", "detection": "1 5", "xoff": "1 3"},
    "credit-buffer": {"credit-delay": "0 4 100", "length": "8 32", "block": "4 8", "hop-delay": "1 5",
                      "link-rest": "0 2", "bytes": "64 128"},
    "flow-control-cost": {"ports": "2 4 16", "nodes": "64 256", "bytes": "96 128", "block": "8 16",
                          "path-hops": "1 3", "y-max": "1 7", "sigma": "1 8"},
    "crossbar-cost": {"ports": "2 4 16", "bits": "8 16", "modules": "16 32"},
    "pfc-headroom": {"rate": "10 100 400", "cable": "0 5 300", "lossless-mtu": "1024 9100", "cell": "96 144 208",
                     "small-share": "0 50 100", "mac-phy": "0 0.8", "pipeline": "18 20", "gearbox": "0 30",
                     "eight-lanes": "0 1"},
    "dctcp-mark": {"rate": "1 10", "rtt": "50 100", "length": "1500", "flows": "1 10", "mark": "0 65"},
    "dynamic-threshold-classes": {"slots": "10 2000", "alpha": "8,1 1,2", "overloaded": "1,7 2,0", "others": "0 7"},
    "dynamic-threshold-in-turn": {"slots": "10 100.5", "alpha": "0.5 1 8", "queues": "1 4"},
    "ecn-below-threshold": {"slots": "100 2000", "alpha": "0.5 1", "mark": "20 65", "overloaded": "1 8"},
    "m-d-1": {"load": "0 0.5 0.9"},
    "m-g-1": {"load": "0 0.5 0.9", "size": "64,1500", "share": "0.5,0.5 0.1,0.9"},
    "m-g-1-priority": {"load": "0.3,0.4 0.5,0.7", "size": "64,1500", "share": "0.5,0.5", "length": "0 1,2"},
    "erlang-b": {"servers": "0 1 10", "offered": "0.5 8"},
    "torus": {"extent": "2 5 11 4,3", "dims": "0 2", "self": "0 1", "one-way": "0 1"},
    "mesh": {"extent": "2 5 11 4,3", "dims": "0 2", "self": "0 1"},
    "zero-load": {"switches": "0 3 7.5", "hop-delay": "1 5", "length": "8 32", "bandwidth": "1 2.5"},
    "agarwal": {"extent": "4 11", "dims": "1 2 3", "load": "0.05 0.2 0.5", "length": "4 32", "one-way": "0 1"},
    "dally": {"extent": "2 4 11", "dims": "1 2 3", "load": "0 0.05 0.2", "length": "16 150", "width": "0 8"},
}
TABLES["formulas"] = list(FORMULAS)

FILES = {
    "matrix.txt": "0.9 0.1\n0.3 0.7\n",
    "matrix4.txt": "0.7 0.1 0.1 0.1\n0.1 0.7 0.1 0.1\n0.7 0.1 0.1 0.1\n0.4 0.4 0.1 0.1\n",
    "loads.txt": "0.9 0.1 0.5 0.5\n",
    "clockwise.txt": "".join(f"route s{k} {d} {2 if k else 1}/{int(d < k)}\n" for k in range(5) for d in range(5)
                             if d != k),
    "speeds.txt": "host 0 s speed=25\nhost 1 t speed=100\nlink s t speed=50\n",
    "ring.txt": "".join(f"host {k} s{k}\nlink s{k} s{(k + 1) % 5}\n" for k in range(5)),
    "chain.tra": "2 4\n0 0 0.5\n0 1 0.5\n1 0 0.2\n1 1 0.8\n",
    "chain3.tra": "3 6\n0 0 0.3\n0 1 0.7\n1 0 0.2\n1 2 0.8\n2 0 0.9\n2 2 0.1\n",
    "rewards.txt": "1\n3\n",
    "walk.tra": "4 6\n0 0 1\n1 0 0.5\n1 2 0.5\n2 1 0.5\n2 3 0.5\n3 3 1\n",
    "named.tra": "2 4\n0 0 0.5\n0 1 0.5\n1 0 0.2\n1 1 0.8\n",
    "named.sta": "(x)\n0:(0)\n1:(1)\n",
    "walk.txt": "0\n1\n1\n0\n",
    "arrivals.csv": "0,0,1,0,1500\n0,1,1,0,1500\n500,2,1,0,64\n",
    "flows.csv": "start_ps,source,destination,bytes\n0,0,1,30000\n1000,2,1,30000\n2000,0,2,9000\n",
    "rates.csv": "from,to,rate\n0,1,2\n1,0,3\n1,2,1\n2,1,4\n",
    "three.txt": "1\n2\n3\n",
    "two.drn": "@type: DTMC\n@value_type: double\n@parameters\n\n@reward_models\nwork\n@nr_states\n2\n@nr_choices\n2\n@model\n"
               "state 0 [0] init\n\taction 0 [0]\n\t\t0 : 0.5\n\t\t1 : 0.5\nstate 1 [2] busy\n\taction 0 [0]\n\t\t0 : 0.25\n\t\t1 : 0.75\n",
    "answers.txt": "0 0 3 8\n0 3 0 64  1 1\n",
    "circuits.txt": "# of node 1\n0 0 0.5\n0 1 0.01\n1 3 1e-3\n2 3 0.4\n",
    "terms.yaml": "cam-cells: 7\nlink-bits: 3\n",
    "trace.txt": "".join(f"{k // 2} {k * 7 % 4} {3 if k % 3 else k % 4} {int(k % 5 == 0)}\n"
                         for k in range(400)),
    "bytes.txt": "".join(f"{12 * k} {k * 7 % 4} {3 if k % 3 else k % 4} {8 + k * 5 % 50}\n"
                         for k in range(400)),
    "buffers.yaml": "command: solve\nset: {ports: 2, flow: discard, load: 0.7, slots: 2}\n"
                    "over: {buffer: [fifo, damq]}\n",
    "network.yaml": "command: sim\nset: {ports: 2, stages: 2, slots: 4, buffer: damq, cycles: 500, "
                    "warmup: 100}\nover: {load: [0.4, 0.9]}\n",
    "five.txt": "host h0 a\nhost h1 b\nhost h2 c\nhost h3 d\nhost h4 e\nlink a b speed=10 delay=1000\n"
                "link b c speed=10 delay=1000\nlink c d speed=10 delay=1000\nlink d e speed=10 delay=1000\n"
                "link e a speed=10 delay=1000\n",
    "round.csv": "start_ps,source,destination,bytes\n" + "".join(f"0,{k},{(k + 2) % 5},3000000\n" for k in range(5)),
    "memories.yaml": "set: {architecture: shared-memory, ports: 4, load: 1.2, duration: 100us, packet-bytes: 1500}\n"
                     "contestants: {dt: {admission: threshold}, lqd: {admission: lqd}}\n"
                     "scenarios: {small: {memory: 20K}, large: {memory: 30K}}\n"
                     "measure: discards\nequal: none\nrepeats: 2\nbeside: {worst: {queues: 2, slots: 6}, "
                     "solve: {buffer: cbda, ports: 2, slots: 3, load: 0.9}, cost: {cell: 100}}\n",
    "duel.yaml": "set: {ports: 2, stages: 2, slots: 4, sources: open, flow: block, cycles: 500, "
                 "warmup: 100}\ncontestants:\n  FIFO: {buffer: fifo}\n  DAMQ: {buffer: damq}\n"
                 "scenarios:\n  low: {load: 0.3}\nrepeats: 6\n",
}


class Draw:
    """Random draws of one seed, and a pack of cards for each table."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.packs = {}

    def row(self, table):
        """The next row of a table: all rows come, in random order, before any comes again."""
        pack = self.packs.setdefault(table, [])
        if not pack:
            pack.extend(TABLES[table])
            self.random.shuffle(pack)
        return pack.pop()

    def one(self, values):
        """One of the values, which may be a string of them with blanks between."""
        return self.random.choice(values.split() if isinstance(values, str) else values)

    def often(self, probability):
        return self.random.random() < probability

    def some(self, probability, **values):
        """For each name, with this probability: the option with one of the values; no value: a flag."""
        options = []
        for name, alternatives in values.items():
            if self.often(probability):
                value = self.one(alternatives) if alternatives else None
                options.append(option(name, value))
        return options


def option(name, value=None):
    name = "--" + name.replace("_", "-")
    return name if value is None else f"{name}={value}"


def options(**values):
    return [option(name, value) for name, value in values.items()]


def form(draw):
    """How the answer is printed: mostly as JSON, which has all digits."""
    return draw.one([["--json"]] * 7 + [["--csv"]] * 2 + [[]])


# solve, export and the synchronous simulator

def sharing(draw, buffer, slots):
    """Limits of the queues of a buffer, or none."""
    if buffer not in ("damq", "dafc", "cbda") or not draw.often(0.25):
        return []
    return draw.one([options(queue_min=1), options(queue_max=max(1, slots - 1)), options(alpha="0.5"),
                     options(alpha="2")])


def switch(draw, slots="1 2 3 4", arbiter="arbiters"):
    """Options of one 2 x 2 switch with a buffer at each input, small enough for its chain."""
    buffer = draw.row("buffers")
    slots = int(draw.one(slots))
    slots = {"samq": max(2, slots // 2 * 2), "safc": max(2, slots // 2 * 2), "cbda": min(2, slots)}.get(buffer, slots)
    words = options(buffer=buffer, slots=slots)
    if buffer != "cbda":
        words += arbitration(draw, draw.row(arbiter))
    return words + sharing(draw, buffer, slots)


def arbitration(draw, rule):
    return options(arbiter=rule) + (draw.some(0.5, iterations="1 2") if rule in ("islip", "pim") else [])


def flow(draw):
    return draw.one([[], options(flow="discard"), options(flow="block"), options(flow="block"),
                     options(flow="block", credit="same"), options(flow="discard", credit="next")])


def plain_flow(draw):
    """For architectures that take no credits of the next cycle."""
    return draw.one([[], options(flow="discard"), options(flow="block")])


def inputs(draw):
    return draw.one([options(load=draw.one("0.2 0.5 0.75 0.9 1")), options(load="0.9,0.6"),
                     options(load="0.3:0.9:0.3")])


def destinations(draw):
    return draw.one([[], [], options(traffic="hotspot:0.2"), options(traffic="hotspot:0.3:1"),
                     options(traffic="matrix:0.8,0.2/0.3,0.7"), options(traffic="file:matrix.txt")])


def solve_switch(draw):
    extra = draw.one([[], [], [], ["--variance"], ["--slope"], ["--by-output"], ["--delay"], ["--losses"],
                      options(reduce="none"), options(burst="2"), options(tol="1e-6")])
    load = options(load=draw.one("0.2 0.5 0.75 0.9 1 0.9,0.6")) if extra else inputs(draw)
    rule = [] if extra == ["--losses"] else flow(draw)
    return ["solve"] + switch(draw) + rule + load + destinations(draw) + extra + form(draw)


def solve_three_ports(draw):
    return ["solve"] + options(ports=3, buffer=draw.one("fifo damq dafc"), slots=1, load=draw.one("0.4 0.9"),
                               arbiter=draw.row("arbiters")) + flow(draw) + form(draw)


def solve_method(draw):
    return ["solve"] + options(solver=draw.row("solvers"), buffer=draw.one("fifo damq samq"), slots=draw.one("2 4"),
                               load=draw.one("0.5 0.9")) + flow(draw) + form(draw)


def memory(draw, architecture, slots="2 3"):
    """Options of an architecture of the synchronous engine."""
    words = options(architecture=architecture)
    if architecture in ("input-queued", "input-crosspoint", "cioq"):
        words += options(buffer=draw.row("buffers") if architecture == "input-queued" else draw.one("fifo damq"),
                         slots=2)
    if architecture in ("output-queued", "cioq"):
        words += options(output_slots=draw.one(slots))
    if architecture in ("crosspoint", "input-crosspoint"):
        words += options(crosspoint_slots=draw.one("1 2"))
    if architecture == "cioq":
        words += options(speedup=draw.one("1 2"))
    if architecture in ("cioq", "input-crosspoint"):
        words += draw.some(0.4, departures="first last")
    return words


def solve_architecture(draw):
    return (["solve"] + memory(draw, draw.row("architectures")) + plain_flow(draw)
            + options(load=draw.one("0.3 0.8 0.9,0.6")) + destinations(draw)
            + draw.one([[], [], ["--by-output"], ["--delay"], ["--variance"]]) + form(draw))


def solve_priority(draw):
    priority = draw.row("priorities")
    return (["solve"] + options(buffer=draw.one("fifo damq" if priority == "buffer" else "fifo damq cbda"),
                                slots=draw.one("1 2"), load=draw.one("0.5 0.9"), high=draw.one("0.1 0.4"),
                                priority=priority)
            + (draw.some(0.4, priority_slots="1 2", priority_queues="one output") if priority == "buffer" else [])
            + flow(draw) + form(draw))


def solve_network(draw):
    return (["solve"] + options(topology=draw.row("stages"), stages=2, ports=2, slots=1,
                                buffer=draw.one("fifo damq dafc"), load=draw.one("0.4 0.9"),
                                arbiter=draw.one("random longest maximum"))
            + draw.one([options(flow="discard"), options(flow="discard"), options(flow="discard", credit="next")])
            + draw.some(0.3, traffic="hotspot:0.4") + form(draw))


def solve_policy(draw):
    policy = draw.row("policies")
    return ["solve"] + options(policy=policy, buffer=draw.one(
        "damq dafc" if "push-out" in policy or "arbitration" in policy else "damq cbda fifo dafc"),
                               slots=draw.one("1 2"), load=draw.one("0.5 0.9 0.9,0.6")) + form(draw)


def solve_exact(draw):
    return (["solve", "--exact"] + switch(draw, "1 2") + options(load=draw.one("9/10 0.5 1/3")) + flow(draw)
            + form(draw))


def solve_target(draw):
    which = draw.one([options(slots=draw.one("2 4")), options(load=draw.one("0.3 0.5"))])
    return (["solve"] + options(buffer=draw.one("fifo damq samq"), target=draw.one("0.1 0.01 1e-3")) + which
            + form(draw))


def solve_chain(draw):
    name = draw.one("chain.tra chain3.tra")
    return (["solve"] + options(chain=name) + draw.some(0.5, states="")
            + (draw.some(0.5, rewards="rewards.txt") if name == "chain.tra" else []) + form(draw))


def export(draw):
    name = draw.row("formats")
    rules = name == "prism-source"
    return (["export"] + options(format=name) + ["-o", "chain"]
            + switch(draw, "1 2", "source-arbiters" if rules else "arbiters") + flow(draw)
            + options(load=draw.one("0.5 0.9 0.9,0.6"))
            + draw.some(0.0 if rules else 0.3, reduce="auto none"))


def network(draw):
    """Options of a network of the synchronous engine, with a short run."""
    buffer = draw.row("buffers")
    ports, slots = draw.one([(2, "2"), (2, "4"), (2, "6"), (4, "4"), (4, "8")])
    words = options(topology=draw.row("stages"), stages=draw.one("2 2 3"), ports=ports, buffer=buffer, slots=slots,
                    warmup=draw.one("100 500 auto"), cycles=draw.one("1000 3000 6000"))
    if buffer != "cbda":
        words += arbitration(draw, draw.row("arbiters"))
    return words + sharing(draw, buffer, int(slots)) + draw.some(0.3, seed="2 3 77")


def pattern(draw):
    """Traffic of a synchronous network: mostly patterns that need a power of two."""
    return [] if draw.often(0.3) else options(traffic=draw.row("patterns"))


def sim_network(draw):
    extra = draw.one([[], [], [], options(sources="open"), options(sources="open", queue_limit=3), options(burst="3"),
                      options(high="0.3", priority=draw.row("priorities")), options(series="100"),
                      options(hot_spots="0.3:2,0.2:3"), options(replications=2), options(engine="plain"),
                      ["--resend"], options(percentiles="20,50,95"), options(groups="0-1"), ["--per-node"],
                      options(confidence="0.8")])
    rule = ["--flow=discard"] if extra == ["--resend"] else flow(draw)
    return (["sim"] + network(draw) + rule + options(load=draw.one("0.2 0.5 0.75 0.9 1")) + pattern(draw) + extra
            + form(draw))


def sim_stale(draw):
    """Ages before lengths, and the slots of packets of high priority."""
    return (["sim"] + options(topology=draw.row("stages"), stages=2, ports=2, warmup=100, cycles=4000,
                              load=draw.one("0.5 0.9"))
            + draw.one([options(buffer=draw.one("damq dafc"), slots=4, stale=draw.one("1 4"),
                                arbiter="longest"),
                        options(buffer=draw.one("samq safc"), slots=5, high="0.2", priority="queue", priority_slots=1),
                        options(buffer=draw.one("fifo damq"), slots=4, high="0.2", priority="buffer",
                                priority_slots=draw.one("1 3"), priority_queues=draw.one("one output"))])
            + flow(draw) + form(draw))


def sim_switch(draw):
    return (["sim", "--topology=switch"] + memory(draw, draw.row("architectures")) + plain_flow(draw)
            + options(load=draw.one("0.4 0.8 1"), cycles=draw.one("3000 20000"), warmup=200)
            + draw.some(0.3, traffic="hotspot:0.2 file:matrix.txt uniform", seed="2 9", ports="2")
            + draw.some(0.1, high="0.2", sources="open hold", burst="2") + form(draw))


def sim_trace(draw):
    return (["sim"] + options(ports=2, stages=2, slots=4, buffer=draw.row("buffers"), traffic="trace:trace.txt",
                              cycles=400) + draw.some(0.3, priority="arbiter queue queues") + form(draw))


def sim_pool_rule(draw):
    return (["sim"] + options(ports=2, stages=2, slots=draw.one("1 2 4"), buffer="cbda", warmup=100, cycles=4000,
                              pool_rule=draw.one("room ports oldest"), load=draw.one("0.5 0.9"))
            + flow(draw) + form(draw))


def sim_saturation(draw):
    engine = draw.one([options(slots=4, buffer=draw.row("buffers"), flow="block", cycles=400),
                       options(engine="async", length="6-32", buffer=draw.row("input-buffers"), cycles=2000)])
    return (["sim", "--find-saturation"] + engine + options(ports=2, stages=2, warmup=100, resolution="0.2")
            + form(draw))


def sim_rare(draw):
    importance = draw.row("importances")
    buffer = {"drain": "cbda", "chain": "damq", "rivals": "damq fifo dafc"}.get(importance, "damq fifo dafc")
    return (["sim", "--rare"]
            + options(topology="switch", buffer=draw.one(buffer), slots=2, load=draw.one("0.4 0.6"), cycles=20000,
                      warmup=100, replications=3, importance=importance)
            + draw.one([options(pilot_steps=1000), options(levels="2:3"), options(levels="none")])
            + draw.some(0.3, seed="2 5", traffic="hotspot:0.2") + form(draw))


# the asynchronous simulator

def messages(draw):
    """Lengths, times and the run of an asynchronous network."""
    return (options(length=draw.one("8 32 6-32 6-32 geometric:20 pareto:20:1.5 48"), warmup=100,
                    cycles=draw.one("3000 8000 20000"))
            + draw.some(0.12, seed="2 3 77", hop_delay="3 8", link_rest="0 4", sources="open", burst="3",
                        max_packet="16 32", percentiles="20,50,95", per_node="", series="500"))


def blocks(draw):
    """How the memory of a buffer is counted and freed."""
    return draw.some(0.12, block="4 16", release="start hop end 10")


def load(draw):
    return draw.one([options(load=draw.one("0.2 0.5 0.7 0.9"))] * 6
                    + [options(interval=draw.one("40 10-80 geometric:60"), interval_from=draw.one("start rest"))])


def where(draw):
    return [] if draw.often(0.5) else options(traffic=draw.row("async-traffic"))


def grid(draw, name):
    """A fabric with its size."""
    if name in ("torus", "mesh"):
        return options(topology=name, dims=draw.one("4x4 3x3 4x2 3x3x2 6")) + (
            draw.some(0.1, one_way="") if name == "torus" else [])
    if name == "hypercube":
        return options(topology=name, dims=draw.one("2 3 4"))
    if name == "tree":
        return options(topology=name, arity=draw.one("2 3 2,3"), levels=2) + draw.some(0.2, up_ports="1 2")
    if name == "fat-tree":
        return options(topology=name, radix="4", levels=draw.one("2 3")) + draw.some(0.2, up_ports="1 2")
    if name == "switch":
        return options(topology=name, ports=draw.one("2 4"))
    return options(topology=name, stages=2, ports=draw.one("2 4"))


def sim_fabric(draw):
    """Every fabric with every buffer."""
    fabric = draw.row("fabrics")
    buffer = draw.row("input-buffers")
    large = buffer in ("samq", "safc") or fabric in ("torus", "mesh", "hypercube", "tree", "fat-tree")
    return (["sim", "--engine=async"] + grid(draw, fabric)
            + options(buffer=buffer, bytes=draw.one("256 384" if large else "64 96 128")) + load(draw)
            + messages(draw) + blocks(draw) + where(draw) + draw.some(0.2, arbiter=TABLES["arbiters"]) + form(draw))


def sim_flow(draw):
    """Every flow control, with its parameters."""
    name = draw.row("flows")
    extra = {"credits": dict(credit_delay="0 4", credit_unit="channel queue pool"),
             "stop-go": dict(stop="10 75%", go="20%", credit_delay="0 4"),
             "two-counter": dict(two_counter="H T tH A aH 3,5,2,1,2"),
             "virtual-clock": dict(circuits="circuits.txt", clock_ahead="0 200 none"),
             "block": dict(threshold="none")}.get(name, {})
    if name.startswith(("destination", "path")):
        extra = dict(no_abort="", no_restrict="", no_preroute="", destination_stages="1 2")
    if name.startswith("path"):
        extra["path_hops"] = "1 2"
    return (["sim", "--engine=async"]
            + options(stages=2, ports=draw.one("2 4"), flow=name, buffer=draw.one("fifo damq samq safc dafc damq"),
                      bytes=draw.one("256 320"))
            + (options(threshold=draw.one("9 12")) if "maximum-usage" in name else [])
            + draw.some(0.35, **extra) + load(draw) + messages(draw) + where(draw)
            + draw.some(0.0 if name == "virtual-clock" else 0.2, arbiter=TABLES["arbiters"]) + form(draw))


def sim_architecture(draw):
    name = draw.row("async-architectures")
    words = options(architecture=name)
    if name == "cioq":
        words += options(buffer=draw.one("fifo damq"), bytes=draw.one("64 128")) + draw.some(
            0.3, speedup="1 1.5 2", output_bytes="64 128", crossbar_delay="2 4", cut_through="on off")
    elif name == "output-queued":
        words += draw.some(0.3, output_bytes="128 200")
    elif name == "crosspoint":
        words += options(bytes=draw.one("192 256"))
    elif name == "hipiqs":
        words += options(bytes=draw.one("96 256")) + draw.some(
            0.2, crosspoint="registers ram", equal="paper all", crosspoint_chunks="2 3", chunk="4 8")
    elif name == "multi-buffer":
        words += options(bytes="192") + draw.some(0.3, fifos="2 3")
    elif name in ("central", "prizma"):
        words += options(bytes=draw.one("64 96 128")) + draw.some(0.3, fifo_bytes="32")
    elif name == "wormhole":
        return sim_wormhole(draw)
    elif name == "atlas":
        return (["sim", "--engine=async"] + options(architecture=name, stages=2, ports=draw.one("2 4"), warmup=100,
                cycles=8000, max_packet="4", length=draw.one("4 12"), load=draw.one("0.4 0.9"))
                + draw.some(0.3, lanes="2 9", pool_cells="3 8", lane_cells="1 2", node_cells="0 9",
                            group_credit="queue departure", credit_delay="1 5")
                + form(draw))
    return (["sim", "--engine=async", "--stages=2"] + options(ports=4) + words + load(draw) + messages(draw)
            + where(draw) + form(draw))


def sim_wormhole(draw):
    """Wormhole networks: lanes, their pools and their choices."""
    fabric = draw.one("torus torus torus mesh hypercube omega")
    lanes = draw.one("2 4")
    words = (["sim", "--engine=async"] + grid(draw, fabric) + options(architecture="wormhole", lanes=lanes)
             + draw.one([options(lane_flits=draw.one("2 4 8"))] * 3 + [options(lane_pool=draw.one("12 16"))]))
    if fabric == "torus":
        words += draw.some(0.8, lane_choice="dateline crossing")
    else:
        words += draw.some(0.8, lane_choice="any destination")
    return (words + options(load=draw.one("0.2 0.5 0.7"), length=draw.one("8 6-32"), warmup=100, cycles=8000,
                            max_packet=draw.one("16 32"))
            + draw.some(0.15, node_lanes="2", router_delay="1,1,1,1 0,2,1,0", link_delay="2 3", seed="2 5",
                        lane_reuse="sent empty", credit_delay="0 3", sources="open")
            + draw.some(0.3, traffic="uniform hotspot:0.2 tornado neighbour node:1") + form(draw))


def sim_routing(draw):
    """Routing, and the choice among several outputs."""
    name = draw.row("routing")
    worm = name == "valiant" or draw.often(0.8)
    fabric = "torus mesh" if name in ("unguarded", "valiant") or worm else "torus mesh tree fat-tree"
    words = ["sim", "--engine=async"] + grid(draw, draw.one(fabric)) + options(routing=name)
    words += (options(architecture="wormhole", lanes=draw.one("4 6"), lane_flits=4) if worm
              else options(buffer=draw.one("fifo damq"), bytes=draw.one("200 264")))
    if name in ("adaptive", "unguarded"):
        words += options(choice=draw.row("lane-outputs") if worm else draw.one("random room queue first"))
        if worm and name == "adaptive":
            words += draw.some(0.3, escape_use="last alike", escape_exit="free never")
    return words + options(load=draw.one("0.2 0.5"), length=draw.one("8 6-32"), warmup=100, cycles=8000) + form(draw)


def sim_management(draw):
    name = draw.row("managements")
    aside = name.startswith("recn") or name == "fbicm"
    words = options(management=name, stages=2, ports=draw.one("2 3 4"))
    if name == "none":
        words += options(buffer="damq", bytes=128)
    elif name == "recn-iq":
        words += options(saqs=draw.one("0 2"), bytes=640, detect=2, xoff=3, xon=2)
    elif aside:
        words += (options(saqs=draw.one("0 2 4"), bytes=draw.one("192 256"), output_bytes=256, detect=2, xoff=2, xon=1)
                  + draw.some(0.3, speedup="1 1.5 2")
                  + (draw.some(0.3, refused="fill hold repeat") if name == "recn" else []))
    elif name == "lecn":
        words += options(architecture="cioq", bytes=100, output_bytes=160) + draw.some(0.5, detect="2 3", xon="1 2")
    else:
        words += (options(bytes=draw.one("512 640")) + (draw.some(0.4, xoff="2 3") if name != "4q-least" else [])
                  + (draw.some(0.5, queues="2 3") if name == "dbbm" else []))
    if aside:
        words += draw.some(0.3, interface_packets="3 unbounded")
    if aside or name == "lecn":
        words += draw.some(0.4, sources="open")
    return (["sim", "--engine=async"] + words
            + options(load=draw.one("0.5 0.9"), length=draw.one("32 6-32"), warmup=100, cycles=draw.one("5000 15000"))
            + draw.some(0.3, traffic="hotspot:0.3:1 node:1 uniform", seed="2 3")
            + form(draw))


def sim_sender(draw):
    return (["sim", "--engine=async"] + options(stages=2, ports=draw.one("2 4"), buffer=draw.one("fifo damq"),
            bytes=160, sender=draw.row("senders")) + load(draw) + messages(draw) + where(draw) + form(draw))


def sim_groups(draw):
    first = draw.one("mask=1,value=0 mask=1,value=0,load=0.9 mask=3,value=2,traffic=node:0 mask=1,value=1,length=8")
    second = draw.one("load=0.2 traffic=hotspot:0.3 burst=3 sources=open from=500,until=1500")
    return (["sim", "--engine=async"] + options(stages=2, ports=2, buffer=draw.row("input-buffers"), bytes=160)
            + [option("group", first), option("group", second)] + options(load="0.5", warmup=100, cycles=8000)
            + form(draw))


def sim_benchmark(draw):
    return (["sim"] + options(benchmark=draw.row("benchmarks"), ports=draw.one("2 4"),
                              buffer=draw.one("fifo damq samq"), load=draw.one("0.3 0.9"), warmup=100, cycles=8000)
            + draw.some(0.3, flow="stop-go credits two-counter", seed="2 3") + form(draw))


def sim_asynchronous_trace(draw):
    return (["sim", "--engine=async"] + options(ports=2, stages=2, buffer=draw.row("input-buffers"), bytes=160,
            traffic="trace:bytes.txt", cycles=3000) + form(draw))


def sim_pieces(draw):
    return (["sim", "--engine=async"] + options(stages=2, ports=draw.one("2 4"), buffer=draw.one("damq fifo"), bytes=40,
            piece=draw.one("8 16"), hop_delay=10, length="6-32", load=draw.one("0.4 0.9"), warmup=100, cycles=8000)
            + form(draw))


# what is computed without chains and simulations

def approx(draw):
    """Each method on networks that it takes."""
    name = draw.row("methods")
    shape = options(ports=2 if name == "jenq" else draw.one("2 4"), stages=draw.one("2 3"))
    some_load = options(load=draw.one("0.3 0.5 0.7 0.9"))
    block = dict(flow="block")
    words = {
        "links": lambda: options(buffer=draw.row("buffers"), slots=4) + plain_flow(draw),
        "hot-tree": lambda: options(buffer=draw.one("fifo damq samq"), slots=4,
                                    traffic=draw.one("hotspot:0.05 hotspot:0.2"), **block),
        "classes": lambda: options(buffer=draw.one("fifo damq"), slots=4, high=draw.one("0.1 0.3"),
                                   priority=draw.one("arbiter queue buffer"), **block),
        "exact-chains": lambda: options(buffer=draw.one("fifo damq samq"), slots=2, flow="discard",
                                        arbiter=draw.one("random longest rotating fixed"), method=name),
        "small-cycle": lambda: options(buffer="fifo", slots=draw.one("2 4"), credit="next", **block),
        "yoon-lee-liu": lambda: options(buffer="fifo", slots=draw.one("1 2 4"), credit="same", method=name, **block),
        "jenq": lambda: options(buffer="fifo", slots=1, credit="same", method=name, **block),
        "kruskal-snir-weiss": lambda: options(buffer=draw.one("safc dafc cbda"), slots=4, method=name),
        "patel": lambda: options(buffer="fifo", slots=1, flow="discard"),
        "grid-waits": lambda: options(buffer=draw.one("damq fifo safc"), bytes=300),
        "shared-memory": lambda: options(buffer="cbda", slots=4, topology="switch", method=name),
    }[name]()
    if name == "grid-waits":
        shape = grid(draw, draw.one("torus mesh hypercube"))
        some_load = options(load=draw.one("0.1 0.2 0.3"))
    elif name == "exact-chains":
        shape = options(ports=2, stages=2)
    elif name == "shared-memory":
        shape = options(ports=draw.one("8 16 32"))
        some_load = options(load=draw.one("0.6 0.7 0.8"))
    elif draw.often(0.1):
        some_load = ["--find-saturation"]
    elif draw.often(0.1):
        some_load = options(load="0.4:0.6:0.2")
    elif draw.often(0.1):
        some_load += ["--compare", "--cycles=2000"]
    return ["approx"] + shape + words + some_load + (
        [] if option("method", name) in words else draw.some(0.8, method=name)) + form(draw)


def formula(draw):
    name = draw.row("formulas")
    return ["formula", name] + [option(key, draw.one(values)) for key, values in FORMULAS[name].items()] + form(draw)


def cost(draw):
    if draw.often(0.4):
        words = (["--topology=switch"] + memory(draw, draw.row("architectures")) + draw.some(0.5, ports="2 4 8"))
    elif draw.often(0.5):
        words = (["--engine=async"] + options(ports=draw.one("2 4 8"), buffer=draw.row("input-buffers"), bytes=512,
                                              flow=draw.one("block credits stop-go two-counter destination path "
                                                            "virtual-clock")))
    else:
        words = ["--engine=async", "--ports=4"] + draw.one([
            options(architecture="hipiqs", bytes=256), options(architecture="multi-buffer", bytes=192),
            options(architecture="central", bytes=256), options(architecture="prizma", bytes=256),
            options(architecture="wormhole", lanes=2, lane_flits=4), options(architecture="atlas", max_packet=4),
            options(management="recn-iq", stages=2, bytes=640, detect=2, xoff=3, xon=2),
            options(management="dbbm", bytes=200, xoff=3), options(sender="window:3", buffer="damq", bytes=128)])
    return ["cost"] + words + draw.some(0.2, cost_file="terms.yaml") + form(draw)


def table(draw):
    name = draw.row("tables")
    if name == "4.1":
        return ["table", name] + draw.one([[], options(arbiter=draw.one("longest fixed")),
                options(ports=3, slots=2, loads="0.5,0.9", cycles=1000)]) + form(draw)
    if name[0] == "8":
        return ["table", name] + form(draw)
    cycles = {"benchmarks": 1000, "small-packets": 1000}.get(name, 100)
    return ["table", name] + options(cycles=cycles, seed=draw.one("1 2 3")) + form(draw)


def slow_table(draw):
    return ["table", draw.row("slow-tables")] + options(cycles=100, seed=draw.one("1 2 3")) + form(draw)


def figure(draw):
    return ["figure", draw.row("figures"), "--no-plot", "--cycles=20"] + draw.some(0.7, seed="2 3 4") + form(draw)


def chip(draw):
    return (["chip"] + draw.one([options(packets="1:1:32,30:2:9"), options(begin="0.9", grant="0.4"),
                                 options(begin="0.4")])
            + options(cycles=draw.one("120 400")) + draw.some(0.2, control="fifo damq", blocks="8 30", queues="3 4",
            router_cycles="2", arbiter_cycles="2", phases="20", seed="2 3") + form(draw))


def study(draw):
    return draw.one([["sweep", "buffers.yaml", "--json"], ["sweep", "buffers.yaml", "--list"],
                     ["sweep", "network.yaml", "--json"], ["sweep", "network.yaml", "--dry-run"],
                     ["compare", "duel.yaml", "--json"], ["compare", "duel.yaml", "--csv"], ["compare", "duel.yaml"],
                     ["compare", "duel.yaml", f"--seed={draw.one('2 3 4')}", "--json"]])


def checks(draw):
    return ["validate", "--quick"] + options(only=draw.row("families"), seed=draw.one("1 2")) + form(draw)


# what is refused

JUNK = {"load": "1.5 -0.1 x 0.5, nan", "slots": "0 -1 x 99999999", "ports": "0 1000000 two", "buffer": "demq x",
        "arbiter": "islipp none", "flow": "pause x", "traffic": "hotspot hotspot:2 hotspot:0.2:99999 file:none.txt",
        "topology": "ring2 x", "cycles": "0 -5 many", "dims": "1x 4xx4 0", "architecture": "crossbar x",
        "management": "recnn x", "sender": "window: bucket:1 tokens:0 sleep", "routing": "minimal x",
        "solver": "cg x", "policy": "worst", "format": "xml", "method": "guess", "length": "0 geometric: 5-1 x",
        "bytes": "0 1 -8 x", "stages": "0 99 x", "seed": "-1 x", "priority": "high", "high": "2 -0.1",
        "benchmark": "VII 0", "importance": "luck", "lanes": "0 x", "interval": "0 x"}


def spoil(draw, words):
    """The same question with one thing wrong: a value, an unknown option, or an option that is missing or
    does not belong."""
    words = list(words)
    given = [k for k, word in enumerate(words) if word.startswith("--") and word[2:].split("=")[0] in JUNK]
    kind = draw.one("value value value unknown missing strange repeated")
    if kind == "value" and given:
        at = draw.random.choice(given)
        name = words[at][2:].split("=")[0]
        words[at] = option(name, draw.one(JUNK[name]))
    elif kind == "missing" and given and words[0] not in ("table", "figure"):
        del words[draw.random.choice(given)]
    elif kind == "strange":
        words.append(draw.one("--piece=7 --saqs=3 --resend --exact --policy=optimal --lanes=3 --rare --slots=3 "
                              "--stop=5 --pool-rule=oldest --speedup=3 --queue-limit=2 --priority=buffer"))
    elif kind == "repeated" and given:
        words.append(words[draw.random.choice(given)])
    else:
        words.insert(draw.random.randrange(1, len(words) + 1), draw.one("--bufer=damq --loud=1 extra --x --jsonn"))
    return words


# How many of 3,000 questions come from each function, before some are spoilt.
SHARES = [
    (solve_switch, 237), (solve_three_ports, 35), (solve_method, 128), (solve_architecture, 80), (solve_priority, 50),
    (solve_network, 50), (solve_policy, 58), (solve_exact, 45), (solve_target, 15), (solve_chain, 10), (export, 55),
    (sim_network, 224), (sim_switch, 75), (sim_stale, 20), (sim_trace, 10), (sim_pool_rule, 15), (sim_saturation, 10),
    (sim_rare, 60), (sim_fabric, 140), (sim_flow, 120), (sim_architecture, 110), (sim_wormhole, 70),
    (sim_routing, 110), (sim_management, 130), (sim_sender, 90), (sim_groups, 15), (sim_benchmark, 78),
    (sim_asynchronous_trace, 8), (sim_pieces, 8), (approx, 148), (formula, 470), (cost, 52), (table, 64),
    (slow_table, 4), (figure, 171), (chip, 12), (study, 11), (checks, 12),
]
REFUSED = 0.11


def questions(seed, count):
    """Lists of words, one for each question."""
    draw = Draw(seed)
    pack = []
    for _ in range(count):
        if not pack:
            pack = [ask for ask, share in SHARES for _ in range(share)]
            draw.random.shuffle(pack)
        words = pack.pop()(draw)
        yield spoil(draw, words) if draw.often(REFUSED) else words


def write_files(folder):
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def rare_rows(program, lines, least=10):
    """Lines of text: rows of the program's tables that fewer questions than `least` name."""
    asked = {}
    for words in lines:
        for word in {part for word in words for part in [word, *re.split(r"[=:,+*@]", word)]}:
            asked[word] = asked.get(word, 0) + 1
    for table_name in ("buffers arbiters solvers policies topologies formats tables figures formulas approximations "
                       "importances architectures managements routing choices lane-choices benchmarks").split():
        answer = json.loads(subprocess.run([program, "list", table_name, "--json"], stdout=subprocess.PIPE,
                                           check=True).stdout)
        for row in next(rows for key, rows in answer.items() if isinstance(rows, list)):
            if asked.get(row["name"], 0) < least:
                yield f"{table_name} {row['name']}: {asked.get(row['name'], 0)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--questions", type=int, default=3000, metavar="N")
    parser.add_argument("--rows", metavar="PROGRAM")
    parser.add_argument("--files", metavar="FOLDER")
    asked = parser.parse_args()
    if asked.files:
        write_files(asked.files)
    elif asked.rows:
        print("\n".join(rare_rows(asked.rows, questions(asked.seed, asked.questions))) or "every row is asked often")
    else:
        for words in questions(asked.seed, asked.questions):
            print(shlex.join(words))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(1)
