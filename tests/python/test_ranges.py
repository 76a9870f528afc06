# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranges in Python: every command that takes several values gives a frame with the numbers of the
program's CSV, and points that are the answers of single questions."""

import csv
import functools
import importlib.util
import io
import os
import subprocess
import unittest

import switchq
from switchq import _library

NETWORK = dict(ports=2, stages=2, cycles=2000, warmup=100)
# a function, what all points share, the options that vary (slowest first) and their values
RANGES = {
    "one switch": ("solve", dict(buffer="fifo,damq", slots=2, delay=True),
                   {"load": "0.3:0.9:0.3"}, {"buffer": ["fifo", "damq"], "load": [0.3, 0.6, 0.9]}),
    "sizes": ("solve", dict(buffer="damq", load=0.9, flow="block"), {"slots": "1,2,4"}, {"slots": [1, 2, 4]}),
    "a small network": ("solve", dict(topology="omega", ports=2, stages=2, buffer="fifo", slots=1, flow="block"),
                        {"load": "0.5:1:0.5"}, {"load": [0.5, 1.0]}),
    "the best policy": ("solve", dict(buffer="damq", slots=2, policy="optimal"),
                        {"load": "0.5:0.9:0.4"}, {"load": [0.5, 0.9]}),
    "a simulation": ("sim", dict(buffer="damq", slots=4, **NETWORK),
                     {"flow": "discard,block", "load": "0.2:0.4:0.1"},
                     {"flow": ["discard", "block"], "load": [0.2, 0.3, 0.4]}),
    "byte by byte": ("sim", dict(engine="async", buffer="damq", **NETWORK),
                     {"bytes": "64,128"}, {"buffer_bytes": [64, 128]}),
    "virtual channels": ("sim", dict(engine="async", architecture="wormhole", load=0.2, **NETWORK),
                         {"lanes": "1,2"}, {"lanes": [1, 2]}),
    "an approximation": ("approx", dict(buffer="damq", slots=4), {"load": "0.1:0.3:0.1"}, {"load": [0.1, 0.2, 0.3]}),
    "a formula of two ranges": ("formula", dict(formula="patel", stages=3),
                                {"ports": "2:4:2", "load": "0.2:0.6:0.2"},
                                {"ports": [2, 4], "load": [0.2, 0.4, 0.6]}),
    "worst cases": ("worst", dict(admission="sharing,threshold", queues=2), {"slots": "2,3"},
                    {"admission": ["sharing", "threshold"], "memory_slots": [2, 3]}),
}
SHARED = {"byte by byte": dict(load=0.2)}
# columns of CSV that are not numbers of a result, or that have another name in Python
OTHER = {"discard_lower": "discard_probability_lower", "discard_upper": "discard_probability_upper",
         "saturation_lower": "saturation_throughput_lower", "saturation_upper": "saturation_throughput_upper",
         "mean_delay_cycles_lower": "delay_mean_delay_cycles_lower",
         "mean_delay_cycles_upper": "delay_mean_delay_cycles_upper",
         "variance_lower": "delay_variance_lower", "variance_upper": "delay_variance_upper"}


@functools.lru_cache(maxsize=None)
def ask(name):
    """The answer of a range, its question, and the values that were asked for."""
    command, fixed, ranges, values = RANGES[name]
    options = {**fixed, **SHARED.get(name, {}), **ranges}
    words = [options.pop("formula")] if "formula" in options else []
    return switchq.ask(command, *words, **options), (command, words, options), values


def in_csv(command, words, options):
    """The rows of whole answers, not of parts such as a stage, as dicts of text."""
    question = [command, *words, *switchq._questions._words(options), "--csv"]
    run = subprocess.run([os.environ["SWITCHQ"], *question], capture_output=True, text=True, check=True)
    return [row for row in csv.DictReader(io.StringIO(run.stdout)) if row["part"] == "all"]


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


class Ranges(unittest.TestCase):
    def for_each_range(self, check):
        for name in RANGES:
            with self.subTest(name):
                check(*ask(name))

    def test_rows_have_every_number_of_the_result_in_csv(self):
        def check(answer, question, _values):
            lines, rows = in_csv(*question), answer.rows()
            self.assertEqual(len(rows), len(lines))
            names = list(lines[0])
            for line, row in zip(lines, rows):
                compared = 0
                for name in names[names.index("part") + 1:]:  # the result's
                    if number(line[name]) is not None:
                        value = row[OTHER.get(name, name)]
                        self.assertEqual(float(value), number(line[name]), name)
                        compared += 1
                self.assertGreaterEqual(compared, 3)
        self.for_each_range(check)

    def test_rows_have_the_values_that_were_asked_for(self):
        def check(answer, _question, values):
            rows = answer.rows()
            kinds = [[row[name] for name in values] for row in rows]
            wanted = [[]]
            for several in values.values():
                wanted = [[*before, value] for before in wanted for value in several]
            self.assertEqual(kinds, wanted)
        self.for_each_range(check)

    def test_every_point_is_the_answer_of_a_single_question(self):
        def check(answer, question, values):
            command, words, options = question
            if command == "formula":
                return  # one answer with several points
            point = answer.points[-1]
            single = {"buffer_bytes": "bytes", "memory_slots": "slots"}
            last = {single.get(name, name): several[-1] for name, several in values.items()}
            alone = switchq.ask(command, *words, **{**options, **last})
            self.assertEqual(point["model"], alone["model"])
            self.assertEqual(point["result"], alone["result"])
            timed = ("seconds", "peak_bytes")
            self.assertEqual({k: v for k, v in point.numbers.items() if not k.endswith(timed)},
                             {k: v for k, v in alone.numbers.items() if not k.endswith(timed)})
        self.for_each_range(check)

    def test_simulations_and_approximations_have_the_same_layout(self):
        def layout(tree, path=""):
            """Where the numbers, the words and the means with their intervals are."""
            if isinstance(tree, dict):
                yield path, "mean" if "mean" in tree else "group"
                for key, value in tree.items():
                    yield from layout(value, f"{path}.{key}")
            elif isinstance(tree, list):
                for item in tree:
                    yield from layout(item, f"{path}[]")
            else:
                yield path, "single"
        for options in (dict(buffer="damq", slots=4, load="0.1:0.3:0.1"),
                        dict(buffer="damq", slots=4, load=0.3, flow="block", high=0.1, priority="buffer", stages=2),
                        dict(topology="torus", dims="8x8", buffer="damq", load="0.2:0.4:0.2")):
            quick, slow = switchq.approx(**options), switchq.sim(**options, cycles=2000)
            one, other = dict(layout(quick)), dict(layout(slow))
            shared = [path for path in one if path in other]
            self.assertEqual({path: one[path] for path in shared}, {path: other[path] for path in shared})
            self.assertIn("mean", one.values())
            for point, same in zip(quick.points, slow.points):
                self.assertLess(abs(point["result"]["throughput"]["mean"] / same["result"]["throughput"]["mean"] - 1),
                                0.2)
                self.assertIsNone(point["result"]["throughput"]["half_width"])
                self.assertEqual(point.throughput, point["result"]["throughput"]["mean"])

    def test_a_range_has_no_number_of_its_own_and_says_where_they_are(self):
        answer = switchq.solve(buffer="damq", slots=2, load="0.3:0.9:0.3")
        self.assertEqual(answer.numbers, {})
        with self.assertRaisesRegex(AttributeError, "points"):
            answer.throughput
        self.assertAlmostEqual(answer.points[0].throughput, 0.2998462, places=6)
        self.assertLess(answer.points[0].throughput.lower, answer.points[0].throughput)

    def test_options_that_no_model_has_are_columns(self):
        seeds = switchq.each(switchq.sim, over={"seed": [1, 2]}, buffer="damq", slots=4, load=0.3, **NETWORK)
        self.assertEqual([row["seed"] for row in seeds.rows()], [1, 2])
        lengths = switchq.each(switchq.sim, over={"length": [16, 32]}, engine="async", buffer="damq", load=0.1,
                               **NETWORK)
        self.assertEqual([row["length"] for row in lengths.rows()], [16, 32])

    def test_a_note_on_the_points_is_no_print(self):
        words = ["sim", "--buffer=damq", "--slots=4", "--flow=discard,block", "--load=0.2", "--cycles=500"]
        self.assertIn("--credit same or next", switchq._library.ask(words)["message"])

    def test_half_widths_are_columns(self):
        answer = switchq.sim(buffer="damq", slots=4, load="0.2:0.3:0.1", **NETWORK)
        for point, row in zip(answer.points, answer.rows()):
            self.assertEqual(row["throughput_half_width"], point["result"]["throughput"]["half_width"])

    def test_a_page_shows_what_varies(self):
        page = switchq.solve(buffer="fifo,damq", slots=2, load="0.3:0.6:0.3")._repr_html_()
        self.assertEqual(page.count("<tr>"), 5)
        self.assertIn("<th>buffer</th><th>load</th>", page)
        self.assertNotIn("<th>slots</th>", page)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "no pandas")
    def test_frames(self):
        def check(answer, question, values):
            frame, rows = answer.frame(), answer.rows()
            self.assertEqual(len(frame), len(rows))
            self.assertEqual(list(frame.columns), switchq._show.names_of(rows))
            for name, several in values.items():
                self.assertEqual(list(dict.fromkeys(frame[name])), several)
        self.for_each_range(check)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_plots_of_ranges_have_a_line_for_each_kind(self):
        import matplotlib
        matplotlib.use("Agg")
        answer = switchq.sim(buffer="fifo,damq", slots=4, load="0.2:0.8:0.2", **NETWORK)
        axes = answer.plot("latency_cycles")
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["fifo", "damq"])
        self.assertEqual(list(axes.get_lines()[0].get_xdata()), [0.2, 0.4, 0.6, 0.8])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_plots_have_the_styles_of_the_program_and_hollow_points_past_saturation(self):
        import matplotlib
        matplotlib.use("Agg")
        answers = switchq.sim(buffer="fifo,damq", slots=4, load="0.3:0.9:0.3", flow="block", **NETWORK | {"ports": 4})
        axes = answers.plot("latency_cycles")
        fifo, damq = axes.get_lines()
        self.assertEqual((fifo.get_color(), fifo.get_marker()), ("#d55e00", "o"))
        self.assertEqual((damq.get_color(), damq.get_marker(), damq.get_linestyle()), ("#0072b2", "D", "-"))
        past = [row["throughput"] for row in answers.rows() if row["saturated"] and row["buffer"] == "fifo"]
        self.assertTrue(past)
        over = answers.plot("latency_cycles", x="throughput")
        hollow = over.collections[0]
        self.assertEqual([x for x, _ in hollow.get_offsets()], past)
        self.assertEqual(hollow.get_facecolor().tolist(), [[1, 1, 1, 1]])
        again = switchq.sim(buffer="damq", slots=2, load="0.2:0.4:0.2", **NETWORK).plot("latency_cycles", ax=axes)
        self.assertNotEqual(again.get_lines()[-1].get_marker(), "D", "another line of the same kind")

    def test_styles_are_those_of_kinds(self):
        damq, other, none = _library.styles(["damq, slots 4", "wide", ""])
        self.assertEqual(damq, {"dash": [], "colour": "#0072b2", "mark": "diamond", "kind": True})
        self.assertEqual([other["kind"], none["kind"]], [False, False])
        self.assertNotEqual(other["colour"], none["colour"])
        self.assertEqual(_library.styles([]), [])

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_latency_over_throughput_is_a_line_for_each_kind_in_the_order_of_the_load(self):
        import matplotlib
        matplotlib.use("Agg")
        answers = switchq.each(switchq.sim, over={"buffer": ["fifo", "damq"], "load": [0.9, 0.3, 0.6]}, slots=4,
                               flow="block", **NETWORK)
        axes = answers.plot("latency_cycles", x="throughput")
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["fifo", "damq"])
        for line, buffer in zip(axes.get_lines(), ["fifo", "damq"]):
            rows = sorted((row for row in answers.rows() if row["buffer"] == buffer), key=lambda row: row["load"])
            self.assertEqual(list(line.get_xdata()), [row["throughput"] for row in rows])
            self.assertEqual(list(line.get_ydata()), [row["latency_cycles"] for row in rows])
        sizes = switchq.each(switchq.solve, over={"buffer": ["fifo", "damq"], "slots": [1, 2, 3]}, load=0.9)
        axes = sizes.plot("discard_probability", x="mean_delay_cycles")
        self.assertEqual([len(line.get_xdata()) for line in axes.get_lines()], [3, 3])


if __name__ == "__main__":
    unittest.main()
