#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the method shared-memory of `switchq approx` against exact chains and rare simulations.

    measure-shared-memory.py again PROGRAM FILE        # what the method gives now, for all lines
    measure-shared-memory.py exact PROGRAM PORTS LOAD SLOTS      # a line, by `switchq solve`
    measure-shared-memory.py simulated PROGRAM PORTS LOAD SLOTS  # a line, by `switchq sim --rare`
    measure-shared-memory.py table FILE                # the table of docs/approximation.md

SLOTS is the whole memory, a multiple of PORTS. FILE is approx/memory/errors.csv.
"""
import csv
import json
import subprocess
import sys

FIELDS = ["ports", "load", "slots", "loss", "half_width", "approximated"]


def ask(program, command, ports, load, slots):
    line = [program, *command, "--buffer", "cbda", "--ports", str(ports), "--load", str(load),
            "--slots", str(int(slots) // int(ports)), "--json"]
    return json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)["result"]


def approximated(program, ports, load, slots):
    answer = ask(program, ["approx", "--topology", "switch", "--method", "shared-memory"], ports, load, slots)
    return answer["discard_probability"]


def exact(program, ports, load, slots):
    return ask(program, ["solve"], ports, load, slots)["discard_probability"], 0


def simulated(program, ports, load, slots):
    loss = ask(program, ["sim", "--rare", "--topology", "switch"], ports, load, slots)["discard_probability"]
    return loss["mean"], loss["half_width"] / loss["mean"]


def line(program, ports, load, slots, loss, half_width):
    return [ports, load, slots, f"{float(loss):.5g}", f"{float(half_width):.2g}",
            f"{approximated(program, ports, load, slots):.4g}"]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(FIELDS)
        out.writerows(rows)


def band(loss):
    for least in (1e-3, 1e-6, 1e-9):
        if loss >= least:
            return least
    return 0


def table(rows):
    print("| ports | 1e-3 and more | 1e-6 to 1e-3 | 1e-9 to 1e-6 | rarer |")
    print("|---|---|---|---|---|")
    for ports in sorted({int(r["ports"]) for r in rows}):
        cells = []
        for least in (1e-3, 1e-6, 1e-9, 0):
            ratios = [float(r["approximated"]) / float(r["loss"]) for r in rows
                      if int(r["ports"]) == ports and band(float(r["loss"])) == least]
            cells.append(f"{min(ratios):.2f} to {max(ratios):.2f} ({len(ratios)})" if ratios else "")
        print("|", ports, "|", " | ".join(cells), "|")


def main(words):
    what = words[0] if words else ""
    if what == "again" and len(words) == 3:
        rows = read(words[2])
        write(words[2], [line(words[1], *(r[k] for k in FIELDS[:5])) for r in rows])
    elif what in ("exact", "simulated") and len(words) == 5:
        loss, half_width = (exact if what == "exact" else simulated)(*words[1:])
        print(",".join(map(str, line(words[1], *words[2:], loss, half_width))))
    elif what == "table" and len(words) == 2:
        table(read(words[1]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
