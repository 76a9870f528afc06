#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of figure sharing in docs/optimal.md, from docs/sharing.csv.

    switchq figure sharing --no-plot --csv > docs/sharing.csv      (minutes of CPU)
    scripts/sharing-tables.py                                      writes the tables into docs/optimal.md
    scripts/sharing-tables.py --check                              exit status 1 if they are not what the file says
"""
import csv
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE, DATA = os.path.join(ROOT, "docs/optimal.md"), os.path.join(ROOT, "docs/sharing.csv")
BEGIN, END = "<!-- scripts/sharing-tables.py: begin -->", "<!-- scripts/sharing-tables.py: end -->"
WORDS = {2: "Two", 4: "Four", 8: "Eight"}
NAMES = {"load": "load {}", "slots": "{} slots", "burst": "bursts of {}", "worst case": "worst, {}"}


def option(question, name):
    found = re.search(rf"--{name} (\S+)", question)
    return found.group(1) if found else None


def read():
    """By number of queues: {(kind of column, x): {rule: text}}, and the rules in their order."""
    columns, rules = {}, {}
    with open(DATA, newline="") as file:
        for row in csv.DictReader(file):
            worst = row["quantity"] == "worst case"
            queues = int(option(row["question"], "queues" if worst else "ports"))
            kind = "worst case" if worst else row["x_quantity"]
            column = columns.setdefault(queues, {}).setdefault((kind, float(row["x"])), {})
            column[row["curve"]] = row["exactly"] if worst else f"{float(row['y']):.4g}"
            rules.setdefault(queues, {})[row["curve"]] = None
    return columns, rules


def table(queues, columns, rules):
    order = list(NAMES)
    keys = sorted(columns, key=lambda key: (order.index(key[0]), key[1]))
    titles = [NAMES[kind].format(f"{x:g}") for kind, x in keys]
    lines = [f"{WORDS[queues]} queues:", "", "| rule | " + " | ".join(titles) + " |", "|---" * (len(keys) + 1) + "|"]
    for rule in rules:
        cells = [columns[key].get(rule, "") for key in keys]
        lines.append(f"| {rule} | " + " | ".join(cells) + " |")
    return lines + [""]


def main():
    columns, rules = read()
    made = [BEGIN, ""]
    for queues in sorted(columns):
        made += table(queues, columns[queues], rules[queues])
    made.append(END)
    with open(PAGE) as file:
        page = file.read()
    begin, end = page.index(BEGIN), page.index(END) + len(END)
    new = page[:begin] + "\n".join(made) + page[end:]
    if "--check" in sys.argv[1:]:
        if new != page:
            sys.exit("docs/optimal.md: the tables are not those of docs/sharing.csv; run scripts/sharing-tables.py")
        return
    with open(PAGE, "w") as file:
        file.write(new)


if __name__ == "__main__":
    main()
