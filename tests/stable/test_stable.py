# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/stability.md promises: keys of JSON, columns of CSV, exit statuses, functions of the libraries, names
of the Python module. The lists beside this file say what there is. What is gone from them fails, and what is
new asks for a line.

    SWITCHQ=build/switchq SWITCHQ_BUILD=build python3 -m unittest discover -s tests/stable
    SWITCHQ=build/switchq SWITCHQ_BUILD=build python3 tests/stable/test_stable.py --write   # `make stable`
"""
import ast
import collections
import concurrent.futures
import csv
import importlib.util
import io
import json
import os
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = os.path.abspath(os.environ["SWITCHQ"])
BUILD = Path(os.environ["SWITCHQ_BUILD"]).resolve()


def load(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ask, write_files = load("same-answers").ask, load("questions").write_files


def keys_of(tree, path=""):
    """The paths of all keys, such as result.stages[].sent."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            below = f"{path}.{key}" if path else key
            yield below
            yield from keys_of(value, below)
    elif isinstance(tree, list):
        for value in tree:
            yield from keys_of(value, path + "[]")


def shown_by(line):
    """The list that an answer belongs to, and its keys or columns."""
    words = shlex.split(line)
    answer = ask(PROGRAM, words, write_files)
    assert answer and answer.output, f"switchq {line}: {answer and answer.errors}"
    if words[-1] == "--csv":
        return f"{words[0]}.csv", next(csv.reader(io.StringIO(answer.output)))
    tree = json.loads(answer.output)
    return tree["schema"].replace("switchq/", "").replace("/", "-") + ".json", keys_of(tree)


def answers():
    """The keys and columns of all questions, by list."""
    lines = [line for line in (HERE / "questions.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    found = collections.defaultdict(set)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, keys in pool.map(shown_by, lines):
            found[name].update(keys)
    return found


def functions(library):
    """What a shared library shows."""
    lines = subprocess.run(["nm", "-D", "--defined-only", BUILD / library], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def python_names():
    tree = ast.parse((ROOT / "python/switchq/__init__.py").read_text(encoding="utf-8"))
    return next(set(ast.literal_eval(node.value)) for node in tree.body
                if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")


def everything():
    """All lists, as they are now."""
    return {**answers(), "libswitchq.functions": functions("libswitchq.so"),
            "libswitchq-ask.functions": functions("libswitchq-ask.so"), "python.names": python_names()}


def path_of(name):
    return HERE / "lists" / f"{name}.txt"


def listed():
    return {path.name[:-len(".txt")]: set(path.read_text(encoding="utf-8").split("\n")) - {""}
            for path in (HERE / "lists").iterdir()}


class Lists(unittest.TestCase):
    def test_what_was_promised_is_there_and_all_is_listed(self):
        now, promised = everything(), listed()
        self.assertEqual(sorted(set(promised) - set(now)), [], "no answer belongs to these lists")
        for name, names in sorted(now.items()):
            with self.subTest(list=name):
                self.assertEqual(sorted(promised.get(name, set()) - names), [],
                                 "gone: docs/stability.md says when something may go")
                self.assertEqual(sorted(names - promised.get(name, set())), [], "new: 'make stable' adds the lines")


class ExitStatuses(unittest.TestCase):
    def expect(self, status, line):
        answer = ask(PROGRAM, shlex.split(line), write_files)
        self.assertEqual(answer.status, status, f"switchq {line}: {answer.errors}")
        return answer

    def test_done(self):
        self.assertEqual(self.expect(0, "solve --buffer damq --slots 2 --load 0.5").errors, "")

    def test_a_check_failed(self):
        self.assertTrue(self.expect(1, "solve --buffer damq --slots 8 --load 0.9 --solver power --max-iterations 3").output)

    def test_bad_input(self):
        answer = self.expect(2, "solve --buffer damq --slots 2 --load 1.5")
        self.assertEqual(answer.output, "")
        self.assertEqual(answer.errors.count("\n"), 1)
        self.assertIn("--load", answer.errors)

    def test_too_large(self):
        self.assertEqual(self.expect(3, "solve --buffer damq --ports 8 --slots 8 --load 0.9").output, "")


def write():
    (HERE / "lists").mkdir(exist_ok=True)
    now = everything()
    for name in set(listed()) - set(now):
        path_of(name).unlink()
    for name, names in now.items():
        path_of(name).write_text("".join(f"{line}\n" for line in sorted(names)), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main()
