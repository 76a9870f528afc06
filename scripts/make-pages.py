#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tables of docs/defaults.md and docs/keys.md from the program.

    scripts/make-pages.py PROGRAM

Defaults are those of 'switchq help defaults', keys those of 'switchq list quantities'. What stands above a table
stays. The commands of a key stay too; those of a new key are the commands that have an option of that name, or else
sim, and the tests say if an answer of another command has the key.
"""
import json
import re
import subprocess
import sys

COMMANDS = ["solve", "sim", "approx", "export", "cost", "bound", "worst", "headroom"]


def ask(program, *words):
    run = subprocess.run([program, *words, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def replace_table(path, heading, rows):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    begin = next(k for k, line in enumerate(lines) if line.startswith(heading)) + 2
    end = begin
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines[:begin] + rows + lines[end:]))


def defaults(text):
    """Rows of the page: command lines, option, value, reason."""
    heading, row, rows = "", None, []
    for line in text.split("\n"):
        found = re.match(r"  --(\S+) +(\([^)]*\)|\S+) *(.*)", line)
        if found:
            row = [heading, *found.groups()]
            rows.append(row)
        elif row and line.startswith(" ") and line.strip():
            row[3] += " " + line.strip()
        else:
            row = None
            if re.match(r"[a-z].*:$", line):
                heading = line[:-1]
    return rows


def write_defaults(program):
    rows = []
    for lines, option, value, why in defaults(ask(program, "help", "defaults")["text"]):
        command = ", ".join(f"`{line}`" for line in lines.split(", "))
        rows.append(f"| {command} | `--{option}` | `{value}` | {why} |")
    replace_table("docs/defaults.md", "| command |", rows)


def commands_of_keys():
    with open("docs/keys.md", encoding="utf-8") as file:
        rows = re.findall(r"^\| `([\w-]+)` \|.*\| ([^|]*) \|$", file.read(), re.M)
    return dict(rows)


def write_keys(program):
    known = commands_of_keys()
    options = {command: {row["name"] for row in ask(program, "help", command)["options"]} for command in COMMANDS}
    rows = []
    for row in ask(program, "list", "quantities")["quantities"]:
        key = row["name"]
        have = [command for command in COMMANDS if key.replace("_", "-") in options[command]]
        commands = known.get(key) or ", ".join(have) or "sim"
        rows.append(f"| `{key}` | {row.get('more') or ''} | {row['summary']} | {commands} |")
    replace_table("docs/keys.md", "| key |", rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write_defaults(sys.argv[1])
    write_keys(sys.argv[1])
