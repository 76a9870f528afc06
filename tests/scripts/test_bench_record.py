# SPDX-License-Identifier: GPL-3.0-or-later
"""bench/record.py appends a row for each case, and draws ratios to the first record of the same machine.

    python3 -m unittest discover -s tests/scripts
"""
import csv
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "bench/record.py"
spec = importlib.util.spec_from_file_location("record", RECORD)
record = importlib.util.module_from_spec(spec)
spec.loader.exec_module(record)


def row(commit, case, count, machine="m"):
    return {"date": "2027-01-01", "commit": commit, "machine": machine, "case": case, "instructions": str(count)}


class History(unittest.TestCase):
    def test_ratios_are_to_the_first_record_of_the_same_machine(self):
        rows = [row("a", "x", 100), row("a", "y", 10), row("b", "x", 150), row("c", "x", 40, "other"), row("d", "x", 20, "other")]
        records, curves = record.ratios(rows)
        self.assertEqual([commit for _, commit, _ in records], ["a", "b", "c", "d"])
        self.assertEqual(curves["x"], [(0, 1.0), (1, 1.5), (2, 1.0), (3, 0.5)])
        self.assertEqual(curves["y"], [(0, 1.0)])

    def test_the_history_of_this_tree_can_be_read(self):
        rows = record.read(ROOT / "bench/history.csv")
        self.assertEqual(tuple(rows[0]), record.COLUMNS)
        self.assertTrue(all(int(one["instructions"]) > 0 for one in rows))

    @unittest.skipUnless((ROOT / ".git").exists(), "needs the history of git")
    def test_a_record_appends_a_row_for_each_case_and_says_what_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            fake, history = Path(folder) / "valgrind", Path(folder) / "history.csv"
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
            for count in (1000, 1100):
                fake.write_text(f"#!/bin/sh\necho '==1== Collected : {count}' >&2\n", encoding="utf-8")
                fake.chmod(0o755)
                printed = subprocess.run([sys.executable, RECORD, "switchq", "--history", history], env=environment, check=True,
                                         stdout=subprocess.PIPE, text=True).stdout
            self.assertIn("+10.00%", printed)
            with open(history, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([one["case"] for one in rows], 2 * list(record.CASES))
            self.assertEqual({one["instructions"] for one in rows}, {"1000", "1100"})

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_the_history_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "history.svg"
            record.plot([row("a", "x", 100), row("b", "x", 150)], picture)
            self.assertIn("</svg>", picture.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
