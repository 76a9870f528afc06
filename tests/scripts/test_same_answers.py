# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/same-answers.py notices a digit, and allows what its rules name; scripts/questions.py draws what the
program answers.

    SWITCHQ=build/switchq python3 -m unittest discover -s tests/scripts
"""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


same_answers, questions = load("same-answers"), load("questions")

ANSWER = {"schema": "switchq/sim/1", "model": {"ports": 2, "may_deadlock": False},
          "run": {"cpu_seconds": 0.25, "bytes": 1000, "cycles": 500},
          "result": {"throughput": {"mean": 0.6180339887498949}, "hops": 2, "discard_fraction": 0.01,
                     "stages": [{"sent": 0.5}, {"sent": 0.4}]},
          "asked": {"command": "switchq sim --json", "version": "0.1.0"}}
OLDER = {"result.hops", "*.hops", ".asked"}


def answer(change=None, status=0, errors=""):
    tree = json.loads(json.dumps(ANSWER))
    if change:
        change(tree)
    return same_answers.Answer(status, json.dumps(tree), errors, {})


def refusal(line):
    return same_answers.Answer(2, "", line, {})


def kind(old, new, keys=(), words=("sim", "--json")):
    return same_answers.judge(list(words), old, new, OLDER, set(keys)).kind


class Judgement(unittest.TestCase):
    def test_an_answer_is_itself(self):
        self.assertEqual(kind(answer(), answer()), "the same")
        self.assertEqual(kind(refusal("switchq: no\n"), refusal("switchq: no\n")), "refused alike")

    def test_time_memory_and_version_are_not_compared(self):
        def other_run(tree):
            tree["run"].update(cpu_seconds=9, bytes=2)
            tree["asked"]["version"] = "0.2.0"
        self.assertEqual(kind(answer(), answer(other_run)), "the same")

    def test_the_last_digit_counts(self):
        def digit(tree):
            tree["result"]["throughput"]["mean"] = 0.618033988749895
        def zero(tree):
            tree["result"]["stages"][1]["sent"] = 0.40000000000000002  # the same number, and the same digits
        self.assertEqual(kind(answer(), answer(digit)), "different")
        self.assertEqual(kind(answer(), answer(zero)), "the same")

    def test_keys_must_stay_and_none_may_come_unless_named(self):
        def less(tree):
            del tree["result"]["throughput"]
        def more(tree):
            tree["result"]["jitter"] = 1
        def shorter(tree):
            tree["result"]["stages"].pop()
        def turned(tree):
            tree["result"] = dict(reversed(tree["result"].items()))
        for change in (less, more, shorter, turned):
            self.assertEqual(kind(answer(), answer(change)), "different", change.__name__)
        self.assertEqual(kind(answer(), answer(more), keys=["jitter"]), "may be new")

    def test_older_names_may_go_and_the_schema_may_count(self):
        def gone(tree):
            del tree["result"]["hops"]
            tree["schema"] = "switchq/sim/2"
        def fraction(tree):
            del tree["result"]["discard_fraction"]
        def moved(tree):
            tree["result"]["hops"] = 3
        def elsewhere(tree):
            del tree["asked"]["command"]
        def whole(tree):
            del tree["asked"]
        self.assertEqual(kind(answer(), answer(gone)), "older names")
        self.assertEqual(kind(answer(), answer(fraction)), "different")
        self.assertEqual(kind(answer(), answer(moved)), "different")
        self.assertEqual(kind(answer(), answer(elsewhere)), "different")
        self.assertEqual(kind(answer(), answer(whole)), "older names")

    def test_whether_a_network_may_deadlock(self):
        def deadlock(tree):
            tree["model"]["may_deadlock"] = True
        self.assertEqual(kind(answer(), answer(deadlock)), "may_deadlock")

    def test_an_answer_may_become_a_refusal_of_one_line(self):
        self.assertEqual(kind(answer(), refusal("switchq: --x is not modelled\n")), "refused now")
        self.assertEqual(kind(answer(), refusal("switchq: one\nswitchq: two\n")), "different")
        self.assertEqual(kind(refusal("switchq: no\n"), answer()), "different")
        self.assertEqual(kind(refusal("switchq: no\n"), refusal("switchq: never\n")), "different")

    def test_columns_text_and_files(self):
        def table(text, files=None):
            return same_answers.Answer(0, text, "", files or {})
        words = ("sim", "--csv")
        self.assertEqual(kind(table("load,hops,x\n1,2,3\n"), table("load,x\n1,3\n"), words=words), "older names")
        self.assertEqual(kind(table("load,x\n1,3\n"), table("load,x\n1,4\n"), words=words), "different")
        self.assertEqual(kind(table("solved in 0.1 s\n"), table("solved in 0.2 s\n")), "the same")
        self.assertEqual(kind(table("2 slots\n"), table("3 slots\n")), "different")
        self.assertEqual(kind(table("", {"a.tra": "0 1 0.5"}), table("", {"a.tra": "0 1 0.25"})), "different")

    def test_a_question_that_takes_too_long_is_counted_apart(self):
        self.assertEqual(kind(None, answer()), "timed out")


class Run(unittest.TestCase):
    """The script as a whole, with programs that are scripts of the shell."""

    def run_on(self, new, *options):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in ("old", "new")]
            for path, text in zip(paths, ('echo "{\\"load\\": 0.5}"', new)):
                path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
                path.chmod(0o755)
            return subprocess.run([sys.executable, SCRIPTS / "same-answers.py", *paths, "--questions", "10", *options],
                                  stdout=subprocess.PIPE, text=True, check=False)

    def test_the_same_program(self):
        done = self.run_on('echo "{\\"load\\": 0.5}"')
        self.assertEqual((done.returncode, done.stdout), (0, "10 questions of seed 1: 10 the same\n"))

    def test_the_old_program_names_its_older_names(self):
        rows = json.dumps({"older-names": [{"name": "result.hops", "summary": "switch_hops"}, {"name": "refusal"},
                                          {"name": "discard_fraction"}],
                          "quantities": [{"name": "bytes", "summary": "older name: of a model buffer_bytes"},
                                         {"name": "load", "summary": "offered load"}]})
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "old"
            program.write_text(f"#!/bin/sh\necho '{rows}'\n", encoding="utf-8")
            program.chmod(0o755)
            self.assertEqual(same_answers.read_older_names(program), 
                             {"result.hops", "refusal", "bytes", "*.hops", "*.refusal", "*.bytes", "=switch_hops"})

    def test_an_altered_number_is_caught(self):
        done = self.run_on('case $1 in formula) echo "{\\"load\\": 0.51}" ;; *) echo "{\\"load\\": 0.5}" ;; esac',
                           "--questions", "60")
        self.assertEqual(done.returncode, 1)
        self.assertIn("output.load: '0.5', now '0.51'", done.stdout)
        self.assertIn("switchq formula ", done.stdout)


class Questions(unittest.TestCase):
    def test_a_seed_gives_the_same_questions_and_another_seed_others(self):
        one, again, other = (list(questions.questions(seed, 200)) for seed in (1, 1, 2))
        self.assertEqual(one, again)
        self.assertNotEqual(one, other)
        self.assertEqual(one, list(questions.questions(1, 3000))[:200], "the number asked for changes no question")

    def test_every_row_is_asked(self):
        asked = {part for words in questions.questions(1, 3000) for word in words for part in [word, *word.split("=")]}
        for table, rows in questions.TABLES.items():
            self.assertEqual([row for row in rows if row not in asked], [], table)

    @unittest.skipUnless("SWITCHQ" in os.environ, "needs the program")
    def test_the_program_answers_nine_in_ten(self):
        chosen = [words for words in questions.questions(1, 600) if words[0] not in ("table", "figure", "compare")]
        status = [same_answers.ask(os.path.abspath(os.environ["SWITCHQ"]), words, questions.write_files).status
                  for words in chosen[:300]]
        self.assertLess(abs(status.count(2) / len(status) - 0.1), 0.06)
        self.assertEqual(status.count(0) + status.count(1) + status.count(2) + status.count(3), len(status))


if __name__ == "__main__":
    unittest.main()
