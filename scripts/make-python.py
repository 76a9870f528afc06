#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes python/switchq/_commands.py from the program: a function for each command, with the names, types, defaults
and units of its options.

    scripts/make-python.py PROGRAM [PATH]
"""
import json
import keyword
import re
import subprocess
import sys
import textwrap

PATH = "python/switchq/_commands.py"
# commands whose answers are JSON, and the name of the word that follows the command
COMMANDS = {"solve": None, "sim": None, "approx": None, "formula": "name", "table": "name", "figure": "name",
            "chip": None, "cost": None, "bound": None, "worst": None, "headroom": None, "compare": "study", "validate": None, "report": None}
# options about the form of an answer, which in Python is always an Answer
FORM = {"help", "help-all", "json", "csv"}
WIDTH = 100

HEAD = '''# SPDX-License-Identifier: GPL-3.0-or-later
# Written by scripts/make-python.py from the options of the program ("make pages"): do not edit.
"""The commands: a function for each, whose keywords are the command's options.

An option that is not given has the default that the signature shows. Where a default depends on
other options, the signature shows None and the docstring says what it is. Every function returns an
Answer and raises Error; `more` takes no option, the program refuses an unknown name and says which
one it is close to.
"""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any, Dict, List, Literal, Optional, Sequence, Union

from ._answers import Answer
from ._questions import command, default

Integers = Union[int, str, Sequence[int]]
Numbers = Union[float, Fraction, str, Sequence[float]]
Words = Union[str, Sequence[str]]
Value = Union[float, Fraction, str, Sequence[Any], Dict[str, Any]]
Path = Union[str, "os.PathLike[str]"]
'''

# what several calls of one kind look like, and which numbers their answers have
EXAMPLES = {
    "solve": '''solve(buffer="damq", slots=4, load=0.9).discard_probability
solve(buffer="fifo,damq", slots=4, load="0.1:0.9:0.1").frame()
solve(buffer="damq", slots=4, load=[0.9, 0.5])                    # a load for each input
solve(buffer="damq", load=0.5, target=1e-9)["model"]["slots"]
solve(buffer="fifo", slots=1, load=Fraction(9, 10), exact=True).discard_probability''',
    "sim": '''sim(buffer="damq", slots=4, load=0.5, flow="block", precision=0.01).latency_cycles
sim(topology="torus", dims="8x8", buffer="damq", bytes=256, threshold=24, load=0.3)
sim(buffer="fifo,damq", slots=4, load="0.1:0.9:0.1").plot("latency_cycles", x="throughput")''',
    "approx": '''approx(buffer="damq", slots=4, load="0.1:0.9:0.1", flow="block").frame()''',
    "formula": '''formula("hol-saturation", ports=4).throughput
formula("output-queue", ports=4, load="0.1:0.9:0.1").frame()''',
    "table": '''table("4.1", quick=True)''',
    "figure": '''figure("4.1", quick=True, output="figures")''',
    "chip": '''chip(packets="1:1:32,30:2:9", cycles=120)''',
    "cost": '''cost(buffer="damq", slots=4).memory_bits''',
    "bound": '''bound(topology="dragonfly", hosts=1, traffic="tornado").load_bound''',
    "worst": '''worst(admission="lqd", queues=2, slots=4).competitive_ratio''',
    "headroom": '''headroom(rate=100, cable=40).least_headroom_bytes''',
    "compare": '''compare("duel.yaml", quick=True)''',
    "validate": '''validate(quick=True)''',
    "report": '''report(output="report", quick=True)''',
}


def ask(program, command):
    run = subprocess.run([program, "help", command, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def name_of(option):
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def words_of(row):
    """The words of a closed choice; None: other values are taken too."""
    words = row.get("words", [])
    closed = row["value"]["kind"] == "words" and not re.search("[A-Z]", row.get("argument", "A"))
    return words if closed and words else None


def type_of(row):
    if row.get("flag"):
        return "bool"
    if row.get("repeats"):
        return "Union[Dict[str, Any], List[Dict[str, Any]], str]"
    kind, several, words = row["value"]["kind"], row.get("axis"), words_of(row)
    if words:
        literal = "Literal[" + ", ".join(json.dumps(word) for word in words) + "]"
        return f"Union[{literal}, Words]" if several else literal
    if row.get("type"):
        one, many = {"integer": ("int", "Integers"), "number": ("float", "Numbers")}[row["type"]]
        return many if several else one
    return {"files": "Path", "folders": "Path", "list": "Words"}.get(kind, "Value")


def default_of(row, command):
    """The default of a plain command line; None: there is none, or it depends on other options."""
    for preset in row.get("defaults", []):
        if command in preset["lines"].split(", ") and not preset["value"].startswith("("):
            return preset["value"]
    return None


def literal(value, kind):
    """A default as Python has it."""
    if re.fullmatch(r"-?\d+", value) and kind != "Words":
        return value
    if re.fullmatch(r"-?\d*\.\d+([eE]-?\d+)?|-?\d+[eE]-?\d+", value) and kind != "Words":
        return repr(float(value))
    return json.dumps(value)


def parameter(row, command):
    name, kind = name_of(row["name"]), type_of(row)
    if row.get("flag"):
        return f"{name}: bool = False"
    value = default_of(row, command)
    shown = "None" if value is None else f"default({literal(value, kind)})"
    return f"{name}: Optional[{kind}] = {shown}"


def described(row, names):
    """What the docstring says of an option."""
    text = re.sub(r"--([a-z][a-z-]*[a-z])", lambda m: name_of(m[1]) if m[1] in names else m[0], row["text"])
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    unit = f" [{row['unit']}]" if row.get("unit") else ""
    if row.get("formulas"):
        text += f" (of {', '.join(row['formulas'])})"
    return textwrap.fill(f"{name_of(row['name'])}{unit}: {text}", WIDTH - 4, initial_indent=" " * 4,
                         subsequent_indent=" " * 8, break_on_hyphens=False, break_long_words=False)


def function(page, argument):
    command = page["command"]
    options = [row for row in page["options"] if row["name"] not in FORM]
    names = {row["name"] for row in options}
    lines = ["@command", f"def {command}("]
    if argument:
        lines.append(f"    {argument}: {'Path' if argument == 'study' else 'str'},")
    lines += ["    *,", *(f"    {parameter(row, command)}," for row in options), "    **more: Any,", ") -> Answer:"]
    summary = page["summary"][0].upper() + page["summary"][1:]
    lines += [f'    """{summary}.', "", *(f"    {line}" for line in EXAMPLES[command].split("\n"))]
    section = None
    for row in options:
        if row.get("section", "Other options:") != section:
            section = row.get("section", "Other options:")
            lines += ["", f"    {section}"]
        lines += [re.sub("^", "    ", described(row, names), flags=re.M)]
    lines += ['    """']
    lines += ["    raise NotImplementedError"]
    return "\n".join(lines)


def module(program):
    parts = [HEAD.strip()]
    for command, argument in COMMANDS.items():
        parts.append(function(ask(program, command), argument))
    return "\n\n\n".join(parts) + "\n"


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[2] if len(sys.argv) == 3 else PATH, "w", encoding="utf-8") as file:
        file.write(module(sys.argv[1]))
