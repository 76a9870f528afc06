# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of the commands have the options of the program, with types, defaults and units."""

import importlib.util
import inspect
import os
import subprocess
import sys
import tempfile
import typing
import unittest

import switchq

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
COMMANDS = ["solve", "sim", "approx", "formula", "table", "figure", "chip", "cost", "bound", "worst", "headroom", "compare", "validate",
            "report"]


def parameters(name):
    return inspect.signature(getattr(switchq, name)).parameters


class Signatures(unittest.TestCase):
    def test_every_option_is_a_keyword_with_its_text(self):
        for name in COMMANDS:
            with self.subTest(name):
                known, text = parameters(name), getattr(switchq, name).__doc__
                rows = switchq.ask("help", name)["options"]
                for row in rows:
                    if row["name"] in ("help", "help-all", "json", "csv"):
                        continue
                    keyword = row["name"].replace("-", "_")
                    self.assertIn(keyword, known)
                    unit = f" [{row['unit']}]" if "unit" in row else ""
                    self.assertIn(f"\n        {keyword}{unit}: ", text)

    def test_what_is_written_is_what_the_program_has(self):
        """python/switchq/_commands.py is what `make pages` writes."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "_commands.py")
            subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "make-python.py"), os.environ["SWITCHQ"],
                            path], check=True)
            with open(path, encoding="utf-8") as new, open(switchq._commands.__file__, encoding="utf-8") as old:
                self.assertEqual(new.read(), old.read(), "'make pages' writes it anew")

    def test_defaults_are_those_of_the_program_and_are_not_sent(self):
        solve, sim = parameters("solve"), parameters("sim")
        self.assertEqual(repr(solve["arbiter"].default), "'random'")
        self.assertEqual(repr(sim["arbiter"].default), "'rotating'")
        self.assertEqual(repr(solve["ports"].default), "2")
        self.assertIsNone(solve["slots"].default)
        self.assertIs(solve["exact"].default, False)
        self.assertIn("ports=4", str(inspect.signature(switchq.sim)).replace(" ", "").replace("'", "")
                      .replace("Optional[Integers]", "").replace("ports:", "ports"))
        answer = switchq.solve(buffer="fifo", slots=1, load=0.5)
        self.assertEqual(answer.question, ("solve", "--buffer=fifo", "--slots=1", "--load=0.5"))
        # a default that is written out is a question of its own: here, another switch
        self.assertEqual(switchq.sim(topology="switch", buffer="fifo", slots=1, load=0.5,
                                     cycles=500)["model"]["ports"], 2)

    def test_types(self):
        for name in COMMANDS:
            hints = typing.get_type_hints(getattr(switchq, name))
            self.assertIs(hints["return"], switchq.Answer)
        solve = typing.get_type_hints(switchq.solve)
        self.assertIs(solve["exact"], bool)
        flow = typing.get_args(solve["flow"])
        self.assertIn(("discard", "block"), [typing.get_args(part) for part in flow])
        ports = typing.get_type_hints(switchq.sim)["ports"]
        self.assertIn(int, typing.get_args(ports))
        self.assertNotIn(float, typing.get_args(ports))
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(switchq.__file__), "py.typed")))

    def test_a_word_after_the_command(self):
        self.assertEqual(list(parameters("formula"))[0], "name")
        self.assertEqual(switchq.formula("hol-saturation", ports=2).throughput, 0.75)
        self.assertEqual(switchq.formula(name="hol-saturation", ports=2).throughput, 0.75)
        with self.assertRaises(TypeError):
            switchq.formula(ports=2)

    def test_an_unknown_keyword_is_refused_by_the_program(self):
        with self.assertRaisesRegex(switchq.Error, "did you mean --slots"):
            switchq.solve(buffer="damq", slotz=4, load=0.5)

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "no mypy")
    def test_a_type_checker_reads_it(self):
        program = ("import switchq\nloss: float = switchq.solve(buffer='damq', slots=4, load=0.9).discard_probability\n"
                   "switchq.solve(slots=1.5)\n")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "question.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            run = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", folder, path], capture_output=True,
                                 text=True, cwd=os.path.join(ROOT, "python"))
        self.assertIn("question.py:3: error", run.stdout)
        self.assertIn("Found 1 error in 1 file", run.stdout)


if __name__ == "__main__":
    unittest.main()
