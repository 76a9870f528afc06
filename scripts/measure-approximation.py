#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far off the method `links` of `switchq approx` is, network by network.

Approximates and simulates networks of switches of 2, 4 and 8 ports, of each kind of buffer, with
few and more slots, blocking and discarding, and writes a line for each network: the least and the
greatest error. `approx` states these errors with its answers (approx/links/off.c).

    scripts/measure-approximation.py measure build/switchq approx/links/errors.csv
    scripts/measure-approximation.py tables approx/links/errors.csv

Networks that the file already has are not measured again, so an interrupted run goes on; to measure
all of them anew, remove the file. That takes half an hour on a core. The second command prints the
tables of docs/approximation.md, which describes the columns of the file.
"""
import concurrent.futures
import csv
import os
import subprocess
import sys

STAGES = {2: (1, 2, 3, 4, 6, 8, 10), 4: (1, 2, 3, 4, 5), 8: (1, 2, 3)}
SLOTS = {2: (1, 2, 4, 8), 4: (1, 2, 4, 8, 12), 8: (1, 2, 4, 8)}
NODE_CYCLES = 1000000  # a simulation's cycles times its nodes, and
LEAST_CYCLES = 1000
SEED = 1
# Discards rarer than this, or known to less than a tenth of themselves, are not judged.
LEAST_LOSS = 1e-3
MOST_INTERVAL = 10  # percent

FIELDS = ("buffer", "ports", "stages", "slots", "flow", "throughput_least", "throughput_most",
          "latency_least", "latency_most", "discards_least", "discards_most", "half_width")


def slots_of(buffer, ports):
    """Slots of an input port: SAMQ and SAFC divide them among as many queues as there are ports."""
    if buffer not in ("samq", "safc"):
        return SLOTS[ports]
    return [slots for slots in (2, 4, 8, 16) if slots % ports == 0 and slots // ports <= 4]


def networks():
    for ports, stages in STAGES.items():
        for s in stages:
            for buffer in ("fifo", "damq", "dafc", "samq", "safc", "cbda"):
                for slots in slots_of(buffer, ports):
                    for flow in ("block", "discard"):
                        yield buffer, ports, s, slots, flow


def approximated(switchq, network, *more):
    """The rows of the points, as dictionaries."""
    buffer, ports, stages, slots, flow = network
    nodes = ports ** stages
    cycles = max(LEAST_CYCLES, NODE_CYCLES // nodes)
    done = subprocess.run(
        [switchq, "approx", "--buffer", buffer, "--ports", str(ports), "--stages", str(stages),
         "--slots", str(slots), "--flow", flow, "--compare", "--cycles", str(cycles), "--seed",
         str(SEED), "--threads", "1", "--csv", *more],
        capture_output=True, text=True, check=True)
    return [row for row in csv.DictReader(done.stdout.splitlines()) if row["part"] == "all"]


def off(row, what):
    """The error of a quantity in percent of the simulated value, and that value's interval."""
    simulated = float(row["simulated_" + what])
    half = row["simulated_" + what + "_half_width"]
    return (100 * (float(row[what]) / simulated - 1),
            100 * float(half) / simulated if half else float("nan"))


def measure(switchq, network):
    """Blocking: throughput at full load, and latency at 40 and 80% of the approximated saturation.
    Discarding: throughput, latency and discards at half, three quarters of and at full load."""
    if network[4] == "block":
        full = approximated(switchq, network, "--find-saturation")
        most = 0.8 * float(full[0]["throughput"])
        light = approximated(switchq, network, "--load", f"{most / 2:.6f}:{most:.6f}:{most / 2:.6f}")
        light = light[:2]
        losses = []
    else:
        full = light = approximated(switchq, network, "--load", "0.5:1:0.25")
        losses = [off(row, "discard_fraction") for row in full
                  if float(row["simulated_discard_fraction"]) >= LEAST_LOSS]
        losses = [(error, half) for error, half in losses if half <= MOST_INTERVAL]
    throughput = [off(row, "throughput") for row in full]
    latency = [off(row, "latency_cycles") for row in light]

    def ends(values):  # without a sign at zero
        return [f"{round(f(v for v, _ in values), 1) + 0.0:.1f}" if values else ""
                for f in (min, max)]

    widest = max(half for _, half in throughput + latency)
    return [*network, *ends(throughput), *ends(latency), *ends(losses), f"{widest:.1f}"]


BUFFERS = ("fifo", "samq", "safc", "damq", "dafc", "cbda")
TABLES = (("block", "throughput", "throughput at full load, blocking"),
          ("block", "latency", "latency at 40 and 80% of the approximated saturation, blocking"),
          ("discard", "throughput", "throughput, discarding"),
          ("discard", "latency", "latency, discarding"),
          ("discard", "discards", "discards of 1e-3 and more"))


def print_table(rows, flow, what, title):
    """Errors over all numbers of slots: a line for each shape, a column for each buffer."""
    print(f"| {title} | " + " | ".join(b.upper() for b in BUFFERS) + " |")
    print("|" + "---|" * (len(BUFFERS) + 1))
    for ports, stages in STAGES.items():
        for s in stages:
            cells = []
            for buffer in BUFFERS:
                of = [row for row in rows if row["flow"] == flow and row["buffer"] == buffer
                      and row["ports"] == str(ports) and row["stages"] == str(s)
                      and row[what + "_least"]]
                least = min((float(row[what + "_least"]) for row in of), default=None)
                most = max((float(row[what + "_most"]) for row in of), default=None)
                cells.append(f"{least:+.1f} to {most:+.1f}" if of else "-")
            print(f"| {ports} x {ports}, {s} stage{'s' if s > 1 else ''} | " + " | ".join(cells)
                  + " |")
    print()


def measure_all(switchq, path):
    known = set()
    if os.path.exists(path):
        with open(path, encoding="ascii") as file:
            known = {tuple(line.split(",")[:5]) for line in file}
    left = [n for n in networks() if tuple(map(str, n)) not in known]
    with open(path, "a", encoding="ascii") as file:
        if not known:
            print(",".join(FIELDS), file=file)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for line in pool.map(lambda n: measure(switchq, n), left):
                print(",".join(map(str, line)), file=file, flush=True)


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "measure":
        measure_all(*sys.argv[2:])
    elif len(sys.argv) == 3 and sys.argv[1] == "tables":
        with open(sys.argv[2], encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        for table in TABLES:
            print_table(rows, *table)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
