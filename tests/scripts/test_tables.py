# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/rows.awk and validate/stated.awk make rows of C from tables that people write, and refuse what they cannot read.

    python3 -m unittest discover -s tests/scripts
"""
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def awk(script, text, *values):
    words = [word for value in values for word in ("-v", value)]
    done = subprocess.run(["awk", "-f", ROOT / "scripts/csv.awk", "-f", ROOT / script, *words], input=text, capture_output=True,
                          text=True)
    return done.returncode, done.stdout if done.returncode == 0 else done.stderr


def rows(text, *values):
    return awk("scripts/rows.awk", "key,unit,kind\n" + text, "columns=key,unit,kind:SOME", *values)


def stated(text):
    code, out = awk("validate/stated.awk", text, "name=some")
    return code, [line.strip() for line in out.splitlines() if line.startswith("    {") and "NULL" not in line] if code == 0 else out


ROW = """- name: {name}
  claim: two sides
  level: exact
  that: >-
    {{formula a : b}}
    = 1
"""


class Rows(unittest.TestCase):
    def test_fields_are_texts_missing_ones_and_words_of_an_enum(self):
        self.assertEqual(rows('a,,one-way\nb,"x, ""y""",two\n'),
                         (0, '{"a", NULL, SOME_ONE_WAY},\n{"b", "x, \\"y\\"", SOME_TWO},\n'))
        self.assertEqual(rows("a,,one\n", 'empty=""'), (0, '{"a", "", SOME_ONE},\n'))

    def test_other_columns_and_rows_out_of_order_are_refused(self):
        self.assertIn("not 3 fields", rows("a,b\n")[1])
        self.assertIn("a cannot come behind b", rows("b,,one\na,,one\n")[1])
        self.assertIn("a cannot come behind a", rows("a,,one\na,,two\n")[1])
        self.assertEqual(rows("a,,one\na,,two\n", "several=1")[0], 0)
        self.assertIn("columns are not key", awk("scripts/rows.awk", "key,kind\n", "columns=key,unit,kind")[1])


class Statements(unittest.TestCase):
    def test_a_row_for_each_word_of_which_some_are_in_the_full_run_alone(self):
        code, made = stated(ROW.format(name="x/n=$n,m=$m\n  for: n, m in 1, 2; 3, 4*"))
        self.assertEqual(code, 0)
        self.assertEqual([row.split('"')[1] for row in made], ["x/n=1,m=2", "x/n=3,m=4"])
        self.assertEqual([".full = true" in row for row in made], [False, True])
        self.assertIn('.that = "{formula a : b} = 1"', made[0])
        self.assertIn(".find = swq_stated_equation", made[0])

    def test_words_that_are_no_words_of_the_row_are_left_to_its_comparisons(self):
        text = ROW.format(name="x\n  for: n in 7").replace("formula a", "formula $n $k")
        self.assertIn("{formula 7 $k : b}", stated(text)[1][0])

    def test_rows_of_a_group_follow_one_another(self):
        rows_ = ROW.format(name="a$n").replace("\n", "\n    ") + ROW.format(name="b$n").replace("\n", "\n    ")
        code, made = stated("- for: n in 1; 2\n  rows:\n    " + rows_.rstrip() + "\n")
        self.assertEqual([row.split('"')[1] for row in made], ["a1", "b1", "a2", "b2"])

    def test_a_deviation_in_percent(self):
        text = ROW.format(name="x\n  for: p in 5").replace("level: exact", "level: approx\n  off: -$p - 0.5 to 2")
        self.assertIn(".least = (-5 - 0.5) / 100.0, .most = (2) / 100.0", stated(text)[1][0])

    def test_mistakes_are_refused(self):
        self.assertIn("unknown key: weigth", stated(ROW.format(name="x\n  weigth: 1"))[1])
        self.assertIn("not 2 words: 1", stated(ROW.format(name="x\n  for: n, m in 1"))[1])
        self.assertIn("no 'for: NAMES in WORDS'", stated(ROW.format(name="x\n  for: n"))[1])


if __name__ == "__main__":
    unittest.main()
