#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Break one rule of the program at a time and see whether 'switchq validate --quick' notices, or
tests that the list names.

usage: tests/mutants/run.py BUILD [PATTERN...]

Works on a copy of the tracked files below BUILD; a mutant costs a compilation of what it touches and
runs of parts of validate, seconds to a minute. PATTERNs choose mutants by name (shell patterns). Prints a
line a mutant; exit status 1 if a mutant is not seen that should be, or is seen though the list says
that it cannot be, 2 if the list does not fit the sources.
"""
import fnmatch
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time


class Mutant:
    def __init__(self, block):
        self.name, self.file = block[0], block[1]
        take = lambda mark: "\n".join(line[2:] for line in block[2:] if line.startswith(mark))
        self.old, self.new = take("-"), take("+")
        self.tests = next((line[7:].split() for line in block[2:] if line.startswith("tests: ")), [])
        self.unseen = next((line[8:] for line in block[2:] if line.startswith("unseen: ")), None)


def read_list(path):
    blocks, block = [], []
    for line in path.read_text().splitlines() + [""]:
        if line.startswith("#"):
            continue
        if line.strip():
            block.append(line)
        elif block:
            blocks.append(Mutant(block))
            block = []
    return blocks


def files_of(source):
    """The files under version control; of an unpacked archive, all but what was built."""
    if (source / ".git").exists():
        names = subprocess.run(["git", "ls-files", "-z"], cwd=source, check=True, capture_output=True)
        return filter(None, names.stdout.decode().split("\0"))
    names = (path.relative_to(source) for path in source.rglob("*") if path.is_file())
    return [str(name) for name in names if name.parts[0] != "build" and "__pycache__" not in name.parts]


def copy_tree(source, to):
    for name in files_of(source):
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        new = (source / name).read_bytes()
        if not target.exists() or target.read_bytes() != new:
            shutil.copy2(source / name, target)
            os.utime(target)


def build(tree, objects, what="switchq"):
    return subprocess.run(["make", "-s", f"-j{os.cpu_count()}", f"BUILD={objects}", f"{objects}/{what}"],
                          cwd=tree, capture_output=True, text=True)


def run_tests(tree, objects, globs):
    """What of those suites and tests fails, as validate() tells it."""
    made = build(tree, objects, "run-tests")
    if made.returncode:
        return 2, ["the tests do not compile: " + made.stderr.strip()[:100]]
    for glob in globs:
        environment = dict(os.environ, SWITCHQ=f"{objects}/switchq", SWITCHQ_SOURCE=str(tree))
        try:
            run = subprocess.run([objects / "run-tests", "--filter", glob], env=environment,
                                 timeout=LONGEST, capture_output=True, text=True)
        except subprocess.TimeoutExpired:
            return 1, [f"no end of {glob} in {LONGEST} s"]
        if run.returncode:
            lines = (run.stdout + run.stderr).splitlines()
            return 1, [line.split()[1] for line in lines if line.startswith(("[FAIL]", "[CRASH"))]
    return 0, []


# a mutant is noticed or not by the whole; the quick and likely families are asked first
STAGES = ["anchors/", "known-values/", "factors-whole/", "stores/", "chain-simulator/", None]


# a broken rule may have no end, or endless states: that is noticed, too
LONGEST = 900


def confine():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def validate(program, stages):
    """What fails: (exit status, names of failed checks), of the first stage in which any does."""
    for stage in stages:
        only = ["--only", stage] if stage else []
        try:
            run = subprocess.run([program, "validate", "--quick", "--json"] + only, timeout=LONGEST,
                                 capture_output=True, text=True, preexec_fn=confine)
        except subprocess.TimeoutExpired:
            return 1, [f"no answer in {LONGEST} s"]
        try:
            families = json.loads(run.stdout)["families"]
        except (ValueError, KeyError):
            return run.returncode or 1, ["no answer: " + run.stderr.strip()[:100]]
        if run.returncode:
            return run.returncode, [c["name"] for f in families for c in f["checks"]
                                    if c["outcome"] == "fail"]
    return 0, []


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    source = pathlib.Path(__file__).resolve().parents[2]
    work = pathlib.Path(sys.argv[1]).resolve() / "mutants"
    tree, objects = work / "tree", work / "build"
    mutants = read_list(source / "tests/mutants/mutants.txt")
    if len(sys.argv) > 2:
        mutants = [m for m in mutants if any(fnmatch.fnmatch(m.name, p) for p in sys.argv[2:])]
    copy_tree(source, tree)
    for m in mutants:
        if (tree / m.file).read_text().count(m.old + "\n") != 1:
            print(f"{m.name}: these lines do not stand once in {m.file}:\n{m.old}")
            return 2
    made = build(tree, objects)
    if made.returncode:
        print(made.stderr)
        return 2
    status, failed = 0, []
    if not all(m.tests for m in mutants):
        status, failed = validate(objects / "switchq", [None])
    globs = sorted({glob for m in mutants for glob in m.tests})
    if not status and globs:
        status, failed = run_tests(tree, objects, globs)
    if status:
        print(f"the program as it is does not pass: {failed[:5]}")
        return 2
    wrong = seen = 0
    for m in mutants:
        began = time.monotonic()
        path = tree / m.file
        sane = path.read_text()
        try:
            path.write_text(sane.replace(m.old + "\n", m.new + "\n"))
            made = build(tree, objects)
            if made.returncode:
                status, failed = 1, ["does not compile"]
            elif m.tests:
                status, failed = run_tests(tree, objects, m.tests)
            else:
                status, failed = validate(objects / "switchq", STAGES)
        finally:
            path.write_text(sane)
        noticed = status != 0 and made.returncode == 0
        seen += noticed
        as_said = noticed != bool(m.unseen) and made.returncode == 0
        wrong += not as_said
        verdict = "seen" if noticed else "does not compile" if made.returncode else "not seen"
        what = f"{len(failed)} failed, {failed[0]}" if noticed and failed else m.unseen or ""
        print(f"{'' if as_said else 'WRONG '}{m.name}: {verdict} ({what}) {time.monotonic() - began:.0f} s",
              flush=True)
    print(f"{seen} of {len(mutants)} seen, {wrong} not as the list says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
