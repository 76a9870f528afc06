#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A history of how many instructions typical runs take: rows for bench/history.csv, and its plot.

    bench/record.py PROGRAM [--commit C] [--history FILE] [--plot FILE.svg]
    bench/record.py --plot FILE.svg

Instructions are counted by callgrind. They do not depend on how busy the machine is, but they do depend on the
processor's instructions, the compiler and its flags, so that only rows with the same machine compare. Each
case takes a few seconds under callgrind. `make bench` times longer runs by the clock.
"""
import argparse
import collections
import csv
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS = ("date", "commit", "machine", "case", "instructions")

SIM = "sim --json --buffer damq --slots 4 --flow block --warmup 100 "
ASYNC = "sim --json --engine async --warmup 500 "
CASES = {
    "start": "--version",
    "solve-gth": "solve --json --buffer damq --slots 8 --load 0.9 --threads 1",
    "solve-aggregation": "solve --json --buffer damq --ports 3 --slots 3 --load 0.9 --threads 1",
    "solve-exact": "solve --json --exact --buffer damq --slots 3 --load 0.9",
    "sim-64": SIM + "--load 0.4 --cycles 10000",
    "sim-64-saturated": SIM + "--load 1 --cycles 10000",
    "sim-64-longest": SIM + "--load 1 --cycles 2000 --arbiter longest",
    "sim-rare": "sim --json --rare --topology switch --buffer damq --slots 4 --load 0.6 --cycles 20000 --replications 2 "
                "--importance fill --levels 2:3 --warmup 100",
    "async-omega": ASYNC + "--buffer damq --stages 3 --load 0.4 --cycles 20000",
    "async-torus": ASYNC + "--buffer damq --topology torus --dims 8x8 --bytes 256 --threshold 26 --load 0.4 --cycles 20000",
    "async-wormhole": ASYNC + "--architecture wormhole --topology mesh --dims 8x8 --lanes 4 --load 0.2 --cycles 4000",
    "async-hipiqs": ASYNC + "--architecture hipiqs --bytes 256 --stages 2 --ports 4 --load 0.6 --cycles 20000",
    "async-recn": ASYNC + "--management recn --saqs 2 --bytes 256 --output-bytes 256 --detect 2 --xoff 2 --xon 1 --stages 2 "
                          "--ports 4 --load 0.6 --cycles 20000",
    "approx-links": "approx --json --buffer damq --slots 8 --flow block --load 0.9",
    "table-4.1": "table 4.1 --json",
    "figure-6.12": "figure 6.12 --no-plot --cycles 200 --json --threads 1",
}


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def instructions(program, arguments):
    """Instructions of one run of the program, as callgrind counts them."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *shlex.split(arguments)],
                          cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode not in (0, 1) or not counted:
        raise SystemExit(f"record: 'switchq {arguments}' fails under callgrind:\n{done.stderr[-500:]}")
    return int(counted.group(1))


def machine():
    """The processor and the compiler, in words."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = re.search(r"model name\s*: (.*)", file.read())
    compiler = run(*shlex.split(os.environ.get("CC", "cc")), "--version").splitlines()[0]
    return f"{processor.group(1) if processor else os.uname().machine}; {compiler}"


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def record(program, commit, path):
    """Appends a row for each case, and says how it compares with the last row of the same machine."""
    date, commit = run("git", "show", "-s", "--format=%cs %h", commit).split()
    words, last = machine(), {}
    for row in read(path):
        if row["machine"] == words:
            last[row["case"]] = int(row["instructions"])
    new = not os.path.exists(path)
    with open(path, "a", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        if new:
            rows.writerow(COLUMNS)
        for case, arguments in CASES.items():
            count = instructions(program, arguments)
            rows.writerow((date, commit, words, case, count))
            print(f"{case:20} {count:14,}" + (f"  {count / last[case] - 1:+.2%}" if case in last else ""), flush=True)


def ratios(rows):
    """For each case, its instructions over those of its first record on the same machine, by record."""
    records = list(dict.fromkeys((row["date"], row["commit"], row["machine"]) for row in rows))
    first, curves = {}, collections.defaultdict(list)
    for row in rows:
        at = records.index((row["date"], row["commit"], row["machine"]))
        count = int(row["instructions"])
        curves[row["case"]].append((at, count / first.setdefault((row["machine"], row["case"]), count)))
    return records, curves


def styles():
    """gnuplot's words for the places of base/palette.c: colours, dashes and marks."""
    with open(os.path.join(ROOT, "base/palette.c"), encoding="utf-8") as file:
        source = file.read()
    colours = re.findall(r'{"(#[0-9a-f]{6})", "#', source)
    dashes = re.findall(r'"([0-9 ]*)"', re.search(r"swq_palette_dashes\[\] = {(.*?)}", source).group(1))
    marks = (7, 5, 9, 13, 11, 15)
    for place in range(len(colours) * len(dashes)):
        dash = ",".join(str(2 * int(length)) for length in dashes[(place + 1) % len(dashes)].split())
        yield (f"lw 1.8 ps 0.6 lc rgb '{colours[place % len(colours)]}' pt {marks[place % len(marks)]} "
               f"dt {f'({dash})' if dash else 'solid'}")


def plot(rows, path):
    """Draws the ratios with gnuplot."""
    records, curves = ratios(rows)
    with tempfile.TemporaryDirectory() as folder:
        for case, points in curves.items():
            with open(os.path.join(folder, case), "w", encoding="utf-8") as file:
                file.writelines(f"{at} {ratio}\n" for at, ratio in points)
        ticks = ", ".join(f'"{commit[:8]}\\n{date}" {at}' for at, (date, commit, _) in enumerate(records))
        lines = ", ".join(f"'{folder}/{case}' using 1:2 with linespoints {style} title '{case}'"
                          for case, style in zip(curves, styles()))
        script = (f"set terminal svg size 900,480 font 'sans,12' background 'white'\nset output '{path}'\nset grid\nset bmargin 4\n"
                  f"set key outside right noenhanced\nset xtics ({ticks})\nset xrange [-0.5:{len(records) - 0.5}]\n"
                  "set yrange [*<0.95:1.05<*]\nset ylabel 'instructions, over those of the first record'\n"
                  f"plot {lines}\n")
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", metavar="PROGRAM", nargs="?", type=os.path.abspath)
    parser.add_argument("--commit", default="HEAD", help="of which the program was built")
    parser.add_argument("--history", default=os.path.join(ROOT, "bench/history.csv"), metavar="FILE")
    parser.add_argument("--plot", metavar="FILE.svg")
    asked = parser.parse_args()
    if asked.program:
        record(asked.program, asked.commit, asked.history)
    if asked.plot:
        plot(read(asked.history), asked.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
