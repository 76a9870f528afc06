#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do two builds of the program give the same answers, to the last digit?

    scripts/same-answers.py OLD NEW [--seed S] [--questions N] [--jobs J] [--may-be-new KEY,...]

Both builds are asked the questions of scripts/questions.py. Exit status, output, the files that a question
writes and the line of a refusal must be the same; time, memory and the version are not compared. The rules
below are the differences that are allowed. Exit status 1 if an answer differs in any other way.
"""
import argparse
import collections
import concurrent.futures
import csv
import importlib.util
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

TIMEOUT = 20  # seconds for a question
SHOWN = 20    # differences that are printed

Answer = collections.namedtuple("Answer", "status output errors files")
# Where two answers differ: the keys that lead there, the key itself, and both values (None: not there).
Difference = collections.namedtuple("Difference", "path place key old new")


# Asking

def load_questions():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "questions.py")
    spec = importlib.util.spec_from_file_location("questions", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask(program, words, write_files):
    """The answer to one question, in a folder of its own; None if it takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        before = set(os.listdir(folder))
        try:
            run = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return None
        files = {}
        for name in sorted(set(os.listdir(folder)) - before):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not name.endswith((".db", ".db-wal", ".db-shm")):
                with open(path, encoding="utf-8", errors="replace") as file:
                    files[name] = file.read()
        return Answer(run.returncode, run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace"), files)


# Reading answers: JSON as dicts whose numbers are strings, the rows of CSV as dicts, too, text as lines

def read_json(text):
    return json.loads(text, parse_float=str, parse_int=str)


def read_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def read_text(text):
    """Lines without versions, times and memory."""
    text = re.sub(r"switchq \d+\.\d+\.\d+", "switchq VERSION", text)
    text = re.sub(r"\b[\d.e+-]+ (s|ms|seconds|minutes|(million )?a second|[kMG]?i?B|bytes of memory)\b", "TIME", text)
    return text.splitlines()


def read(text, is_csv=False):
    try:
        if text.startswith("{"):
            return read_json(text)
        if is_csv and text:
            return {"columns": read_csv(text)}
    except (ValueError, IndexError):
        pass
    return read_text(text)


def is_csv(name):
    return name.endswith(".csv")


def parts(words, answer):
    """All that is compared of an answer."""
    return {"exit status": str(answer.status), "output": read(answer.output, "--csv" in words),
            "errors": read_text(answer.errors) if answer.status else [],
            "files": {name: read(text, is_csv(name)) for name, text in answer.files.items()}}


def of_the_run(place, key):
    """Is this the time or the memory of a run, or the version?"""
    return (key.endswith("seconds") or key in ("version", "memory_bytes", "peak_bytes", "seconds_left")
            or (place, key) in (("run", "bytes"), ("solver", "bytes"), ("solution", "bytes")))


def differences(old, new, path="", place="", key=""):
    """All differences of two answers. `place`: the key of the group or list that contains a value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in list(old) + [name for name in new if name not in old]:
            if not of_the_run(key, name):
                yield from differences(old.get(name), new.get(name), f"{path}.{name}" if path else name, key, name)
        common = [[name for name in one if name in old and name in new] for one in (old, new)]
        if common[0] != common[1]:
            yield Difference(path + ": order of keys", place, key, common[0], common[1])
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (one, other) in enumerate(zip(old, new)):
            yield from differences(one, other, f"{path}[{k}]", place, key)
    elif old != new or type(old) is not type(new):
        yield Difference(path, place, key, old, new)


# The differences that are allowed, each a rule

def refused_now(old, new):
    """The old program answered, and the new one refuses with one line."""
    return old.status != 2 and new.status == 2 and not new.output and new.errors.count("\n") == 1


def older_name(difference, names):
    """A key that is listed as an older name, without its place or with it, is there no more; its schema has
    the next number. In CSV, where a column of that name may be of something else too, its cell is empty now, and the
    column of the common name has a value."""
    place = "" if difference.place == "output" or "." in difference.place else difference.place
    base = re.sub(r"_(half_width|below|lower|upper|error|variance|p\d+|max)$", "", difference.key)
    if difference.key == "schema":
        return isinstance(difference.old, str) and isinstance(difference.new, str) and (
            difference.old.rsplit("/", 1)[0] == difference.new.rsplit("/", 1)[0])
    if place == "columns":
        gone = difference.new in (None, "") and any(base == name[2:] or base.endswith("_" + name[2:])
                                                    for name in names if name.startswith("*."))
        moved = difference.old in (None, "") and f"={base}" in names
        return gone or moved
    return difference.new is None and any(name in names for name in (base, difference.key, f"{place}.{difference.key}",
                                                                     f"{place}.{base}"))


def may_deadlock(difference):
    """Whether a network may deadlock, which the new program reads off its graph."""
    return difference.key == "may_deadlock"


def counts_of_figures(difference, words):
    """In figures that are data now: runs that are made, cycles of all replications, and the bytes of a link's buffer, where
    the old program counted runs that it did not make, cycles of one replication, and cells."""
    return (words[0] == "figure" and words[1] in ("000.6", "001.9", "001.10")
            and difference.key in ("runs", "cycles", "buffer_bytes"))


def may_be_new(difference, keys):
    """A key that this run's command line names, which the old program does not have."""
    return difference.old is None and difference.key in keys


def rows_of(program, topic):
    """The rows of `list TOPIC`; none if the program has no such list."""
    run = subprocess.run([program, "list", topic, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         check=False)
    return json.loads(run.stdout).get(topic, []) if run.returncode == 0 and run.stdout else []


def read_older_names(program):
    """The older names of a program, from their list and from quantities that say so; "*.NAME" for columns of CSV, which
    have no place, and "=NAME" for the common names. `discard_fraction` stays."""
    listed = {row["name"]: row.get("summary", "") for row in rows_of(program, "older-names")}
    listed.update((row["name"], "") for row in rows_of(program, "quantities")
                  if row.get("summary", "").startswith("older name"))
    listed.pop("discard_fraction", None)
    return set(listed) | {"*." + name.split(".")[-1] for name in listed} | {"=" + common for common in listed.values() if common}


Verdict = collections.namedtuple("Verdict", "kind words difference")


def judge(words, old, new, names, keys):
    """The same, allowed by which rules, or different."""
    if old is None or new is None:
        return Verdict("timed out", words, f"{'old' if old is None else 'new'} program")
    found = list(differences(parts(words, old), parts(words, new)))
    if not found:
        return Verdict("refused alike" if old.status == 2 else "the same", words, None)
    if refused_now(old, new):
        return Verdict("refused now", words, new.errors.strip())
    rules = set()
    for one in found:
        rule = ("older names" if older_name(one, names) else "may_deadlock" if may_deadlock(one)
                else "may be new" if may_be_new(one, keys)
                else "counts of figures" if counts_of_figures(one, words) else None)
        if rule is None:
            return Verdict("different", words, one)
        rules.add(rule)
    return Verdict(" and ".join(sorted(rules)), words, None)


def show(verdict):
    one = verdict.difference
    print(f"  switchq {shlex.join(verdict.words)}")
    if isinstance(one, Difference):
        print(f"    {one.path}: {str(one.old)[:200]!r}, now {str(one.new)[:200]!r}")
    elif one:
        print(f"    {one}")


def report(verdicts, seed):
    """Prints how many answers are of each kind; the number of those that differ."""
    kinds = collections.Counter(verdict.kind for verdict in verdicts)
    print(f"{len(verdicts)} questions of seed {seed}: " + ", ".join(f"{n} {kind}" for kind, n in kinds.most_common()))
    where = collections.Counter(re.sub(r"\[\d+\]", "", verdict.difference.path)
                                for verdict in verdicts if verdict.kind == "different")
    if where:
        print("the first difference is in " + ", ".join(f"{path} ({n})" for path, n in where.most_common(10)))
    for kind in ("different", "timed out", "refused now"):
        chosen = [verdict for verdict in verdicts if verdict.kind == kind]
        if chosen:
            print(f"{kind}:" if len(chosen) <= SHOWN else f"{kind}, the first {SHOWN} of {len(chosen)}:")
        for verdict in chosen[:SHOWN]:
            show(verdict)
    return kinds["different"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("old", metavar="OLD", type=os.path.abspath)
    parser.add_argument("new", metavar="NEW", type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--questions", type=int, default=3000, metavar="N")
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="questions at a time")
    parser.add_argument("--may-be-new", default="", metavar="KEY,...", help="keys that only NEW has")
    asked = parser.parse_args()
    for program in (asked.old, asked.new):
        if not os.access(program, os.X_OK):
            parser.error(f"{program} is no program")
    questions = load_questions()
    names = read_older_names(asked.old)

    def both(words):
        answers = [ask(program, words, questions.write_files) for program in (asked.old, asked.new)]
        return judge(words, *answers, names, set(asked.may_be_new.split(",")))

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        verdicts = list(pool.map(both, questions.questions(asked.seed, asked.questions)))
    return 1 if report(verdicts, asked.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
