# SPDX-License-Identifier: GPL-3.0-or-later
"""What docs/stability.md promises: keys of JSON (docs/schemas), columns of CSV, exit statuses, functions of the libraries, names
of the Python module. The lists beside this file say what there is. What is gone from them fails, and what is
new asks for a line.

    SWITCHQ=build/switchq SWITCHQ_BUILD=build python3 -m unittest discover -s tests/stable
    SWITCHQ=build/switchq SWITCHQ_BUILD=build python3 tests/stable/test_stable.py --write       # `make stable`
    SWITCHQ=build/switchq SWITCHQ_BUILD=build python3 tests/stable/test_stable.py --questions   # from answers of tests
"""
import ast
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
import unittest
from pathlib import Path

import jsonschema

import schemas

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAM = os.path.abspath(os.environ["SWITCHQ"])
SCHEMAS = ROOT / "docs/schemas"
SYMBOLS = ROOT / "debian/libswitchq0.symbols"
BUILD = Path(os.environ["SWITCHQ_BUILD"]).resolve()


def load(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ask, write_files = load("same-answers").ask, load("questions").write_files


def no_key_twice(pairs):
    """A JSON object whose keys are all different."""
    keys = [key for key, value in pairs]
    assert len(set(keys)) == len(keys), f"a key stands twice among {keys}"
    return dict(pairs)


def shown_by(line):
    """The list or schema that an answer belongs to, and its columns or the answer."""
    words = shlex.split(line.replace("BUILD/", f"{BUILD}/"))
    answer = ask(PROGRAM, words, write_files)
    assert answer and answer.output, f"switchq {line}: {answer and answer.errors}"
    if words[-1] == "--csv":
        return f"{words[0]}.csv", next(csv.reader(io.StringIO(answer.output)))
    tree = json.loads(answer.output, object_pairs_hook=no_key_twice)
    return tree["schema"], tree


def answers():
    """The columns of all questions, and their answers, by list and by schema."""
    lines = [line for line in (HERE / "questions.txt").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    columns, trees = collections.defaultdict(set), collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, shown in pool.map(shown_by, lines):
            if isinstance(shown, dict):
                trees[name].append(shown)
            else:
                columns[name].update(shown)
    return columns, trees


def schemas_of(trees):
    """The schemas of answers, by name."""
    rows = json.loads(ask(PROGRAM, ["list", "quantities", "--json"], write_files).output)["quantities"]
    return {name: schemas.schema_of(name, answers, rows) for name, answers in trees.items()}


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
    """All lists, as they are now, and the answers by schema."""
    columns, trees = answers()
    return {**columns, "libswitchq.functions": functions("libswitchq.so"),
            "libswitchq-ask.functions": functions("libswitchq-ask.so"), "python.names": python_names()}, trees


def symbols():
    """debian/libswitchq0.symbols: since which version each function is there; those that are new, since this one."""
    version = re.search(r'SWQ_VERSION "(.*)"', (ROOT / "include/switchq/version.h").read_text(encoding="utf-8")).group(1)
    since = dict(re.findall(r"(?m)^ (\S+)@Base (\S+)$", SYMBOLS.read_text(encoding="utf-8") if SYMBOLS.exists() else ""))
    lines = []
    for library in ("libswitchq", "libswitchq-ask"):
        lines += [f"{library}.so.0 libswitchq0 #MINVER#", "* Build-Depends-Package: libswitchq-dev"]
        lines += [f" {name}@Base {since.get(name, version)}" for name in sorted(functions(f"{library}.so"))]
    return "".join(f"{line}\n" for line in lines)


def schema_path(name):
    """switchq/sim/1 -> docs/schemas/sim-1.json"""
    return ROOT / "docs/schemas" / (name.replace("switchq/", "").replace("/", "-") + ".json")


def written_schemas():
    trees = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SCHEMAS.glob("*.json"))]
    return {tree["title"]: tree for tree in trees}


def path_of(name):
    return HERE / "lists" / f"{name}.txt"


def listed():
    return {path.name[:-len(".txt")]: set(path.read_text(encoding="utf-8").split("\n")) - {""}
            for path in (HERE / "lists").iterdir()}


class Lists(unittest.TestCase):
    def test_what_was_promised_is_there_and_all_is_listed(self):
        (now, trees), promised = everything(), listed()
        self.assertEqual(sorted(set(promised) - set(now)), [], "no answer belongs to these lists")
        for name, names in sorted(now.items()):
            with self.subTest(list=name):
                self.assertEqual(sorted(promised.get(name, set()) - names), [],
                                 "gone: docs/stability.md says when something may go")
                self.assertEqual(sorted(names - promised.get(name, set())), [], "new: 'make stable' adds the lines")
        self.assertEqual(symbols(), SYMBOLS.read_text(encoding="utf-8"), "'make stable' writes the list for Debian")
        schemas_now, written = schemas_of(trees), written_schemas()
        for name in sorted(set(schemas_now) | set(written)):
            with self.subTest(schema=name):
                now, promised = (set(schemas.paths(found.get(name, {}))) for found in (schemas_now, written))
                self.assertEqual(sorted(promised - now), [], "gone: docs/stability.md says when something may go")
                self.assertEqual(sorted(now - promised), [], "new: 'make stable' adds the keys")
                self.assertEqual(schemas.text_of(written[name]), schemas.text_of(schemas_now[name]),
                                 "types or meanings changed: 'make stable' writes them")


def answers_of_tests():
    for path in sorted((BUILD / "answers").glob("*")):
        try:
            yield json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=no_key_twice)
        except ValueError:
            pass  # a test that was stopped while it wrote


class Answers(unittest.TestCase):
    maxDiff = None

    """Every answer that a test asked for, if the tests left them in build/answers, fits its schema, which has all keys."""

    def test_answers_of_tests_fit_their_schemas(self):
        """If not, `test_stable.py --questions` adds questions that show what is missing."""
        validators = {name: jsonschema.Draft202012Validator(schemas.closed(tree)) for name, tree in written_schemas().items()}
        wrong = collections.Counter()
        for answer in answers_of_tests():
            if answer["schema"] == "switchq/sweep-status/1":
                continue  # a question brings no database to tell the status of
            if answer["schema"] not in validators:
                wrong[f"{answer['schema']}: there is no schema"] += 1
                continue
            for fault in schemas.faults(validators[answer["schema"]], answer):
                wrong[f"{answer['schema']}: {re.sub('[0-9]+', 'N', fault)}"] += 1
        self.assertEqual(dict(wrong), {})

    def test_schemas_refuse_what_does_not_fit(self):
        tree = written_schemas()["switchq/solve/1"]
        open_ones, all_keys = jsonschema.Draft202012Validator(tree), jsonschema.Draft202012Validator(schemas.closed(tree))
        answer = json.loads(ask(PROGRAM, shlex.split("solve --buffer damq --slots 2 --load 0.5 --json"), write_files).output)
        self.assertEqual(schemas.faults(all_keys, answer), [])
        self.assertEqual(schemas.faults(open_ones, {**answer, "new": 1}), [])
        self.assertNotEqual(schemas.faults(all_keys, {**answer, "new": 1}), [])
        self.assertNotEqual(schemas.faults(open_ones, {**answer, "schema": "switchq/solve/2"}), [])
        self.assertNotEqual(schemas.faults(open_ones, {**answer, "model": {**answer["model"], "ports": "two"}}), [])


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
    now, trees = everything()
    for name in set(listed()) - set(now):
        path_of(name).unlink()
    for name, names in now.items():
        path_of(name).write_text("".join(f"{line}\n" for line in sorted(names)), encoding="utf-8")
    SYMBOLS.write_text(symbols(), encoding="utf-8")
    SCHEMAS.mkdir(exist_ok=True)
    written = schemas_of(trees)
    for name in set(written_schemas()) - set(written):
        schema_path(name).unlink()
    for name, tree in written.items():
        schema_path(name).write_text(schemas.text_of(tree), encoding="utf-8")


def add_questions():
    """Adds to questions.txt what tests asked and what shows places or types that no schema has."""
    known = {name: set(schemas.known(tree)) for name, tree in written_schemas().items()}
    lines = set((HERE / "questions.txt").read_text(encoding="utf-8").splitlines())
    asked = {}
    for answer in answers_of_tests():
        command = answer.get("asked", {}).get("command", "")
        if command.startswith("switchq ") and set(schemas.shown(answer)) - known.get(answer["schema"], set()):
            words = [word for word in shlex.split(command)[1:] if not word.startswith("--json")]
            asked[shlex.join([*words, "--json"])] = None
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda line: (line, ask(PROGRAM, shlex.split(line), write_files)), asked)
        trees = {line.replace(f"{BUILD}/", "BUILD/"): json.loads(answer.output) for line, answer in found if answer and answer.status == 0 and answer.output}
    while trees:
        def gain(line):
            return len(set(schemas.shown(trees[line])) - known.get(trees[line]["schema"], set()))
        best = max(sorted(trees), key=gain)
        if not gain(best):
            break
        known.setdefault(trees[best]["schema"], set()).update(schemas.shown(trees[best]))
        lines.add(best)
    (HERE / "questions.txt").write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    elif sys.argv[1:] == ["--questions"]:
        add_questions()
    else:
        unittest.main()
