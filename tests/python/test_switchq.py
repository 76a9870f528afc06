# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module, against closed forms, the program and itself:

    SWITCHQ=build/switchq SWITCHQ_LIBRARY=build/libswitchq-ask.so PYTHONPATH=python \
        python3 -m unittest discover -s tests/python
"""

import ctypes
import importlib.util
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest
from fractions import Fraction

import switchq


def memory():
    """Bytes that this process has written and that no file holds, counted page by page: the number of
    resident pages in statm also counts code, and is not exact."""
    with open("/proc/self/smaps_rollup", encoding="ascii") as file:
        kilobytes = next(line.split()[1] for line in file if line.startswith("Anonymous:"))
    return int(kilobytes) * 1024


class Plugins(unittest.TestCase):
    def test_a_plug_in_is_an_option_and_the_answer_names_it(self):
        folder = os.path.join(os.path.dirname(os.environ["SWITCHQ"]), "examples", "plugins")
        turns, shares = (os.path.join(folder, name) for name in ("turns.so", "shares.so"))
        switch = dict(buffer="damq", ports=2, slots=3, load=0.8)
        one = switchq.solve(plugin=turns, arbiter="turns", **switch)
        self.assertEqual([p["file"] for p in one["plugins"]], [turns])
        several = switchq.solve(plugin=[turns, shares], arbiter=["turns", "random"],
                                admission="one-for-each", **switch)
        self.assertEqual([p["file"] for p in several["plugins"]], [turns, shares])
        with self.assertRaisesRegex(switchq.Error, "arbiter 'turns' is unknown"):
            switchq.solve(arbiter="turns", **switch)
        self.assertNotIn("plugins", switchq.solve(**switch))


class Values(unittest.TestCase):
    def test_a_proven_value_lies_within_its_bounds_as_the_fraction_does(self):
        loss = switchq.solve(buffer="fifo", slots=1, load=0.5).discard_probability
        exact = switchq.solve(buffer="fifo", slots=1, load=Fraction(1, 2), exact=True)
        self.assertIsInstance(exact.discard_probability, Fraction)
        self.assertLessEqual(Fraction(loss.lower), exact.discard_probability)
        self.assertGreaterEqual(Fraction(loss.upper), exact.discard_probability)
        self.assertLess(loss.upper - loss.lower, 1e-12)
        self.assertIsNone(loss.half_width)

    def test_a_note_comes_with_a_good_answer(self):
        options = dict(topology="switch", buffer="damq", slots=4, flow="block", cycles=2000)
        self.assertTrue(switchq.sim(load=1, **options).saturated)
        words = ["sim"] + [f"--{k}={v}" for k, v in options.items()]
        reply = switchq._library.ask(words + ["--load=1"])
        self.assertEqual(reply["status"], 0)
        self.assertIn("past saturation", reply["message"])
        self.assertEqual(switchq._library.ask(words + ["--load=0.2"])["message"], "")

    def test_a_fraction_of_rare_events_has_a_bound(self):
        answer = switchq.sim(topology="switch", buffer="damq", slots=4, flow="block", load=0.2,
                             cycles=2000)
        self.assertEqual(answer.refusal_probability, 0)
        self.assertIsNone(answer.refusal_probability.half_width)
        self.assertEqual(answer.refusal_probability.lower, 0)
        self.assertEqual(answer.refusal_probability.upper, answer.refusal_probability_below)

    def test_81_of_382(self):
        answer = switchq.solve(buffer="damq", slots=1, load=Fraction(9, 10), exact=True)
        self.assertEqual(answer.discard_probability, Fraction(81, 382))

    def test_closed_forms(self):
        self.assertEqual(switchq.formula("hol-saturation", ports=2).throughput, 0.75)
        limit = switchq.formula("hol-saturation", ports=4).limit
        self.assertAlmostEqual(limit, 2 - math.sqrt(2), places=15)

    def test_a_simulated_mean_has_its_interval(self):
        answer = switchq.sim(topology="switch", buffer="damq", slots=4, load=0.9,
                             arbiter="random", cycles=20000, seed=3)
        chain = switchq.solve(buffer="damq", slots=4, load=0.9)
        mean = answer.throughput
        self.assertAlmostEqual(mean.upper - mean, mean.half_width)
        self.assertAlmostEqual(mean - mean.lower, mean.half_width)
        # three half-widths of a 95% interval: never, if both are right
        self.assertLess(abs(mean - chain.throughput), 3 * mean.half_width)
        self.assertIsInstance(answer.latency_cycles_p99, int)

    def test_approximation_beside_simulation(self):
        a = switchq.approx(buffer="damq", slots=4, load=0.3, flow="block")
        self.assertAlmostEqual(a.throughput, 0.3, places=3)

    def test_the_program_says_the_same(self):
        question = ["solve", "--buffer=samq", "--slots=4", "--load=0.7"]
        run = subprocess.run([os.environ["SWITCHQ"], *question, "--json"], capture_output=True,
                             check=True)
        program, module = json.loads(run.stdout), switchq.ask(*question)
        self.assertEqual(program["result"], module["result"])
        self.assertEqual(program["model"], module["model"])

    def test_a_number_is_a_float(self):
        loss = switchq.solve(buffer="fifo", slots=1, load=0.5).discard_probability
        self.assertEqual(loss + 0, float(loss))
        self.assertIn("[", repr(loss))
        again = pickle.loads(pickle.dumps(loss))
        self.assertEqual((again, again.lower, again.upper), (loss, loss.lower, loss.upper))


class Questions(unittest.TestCase):
    def test_lists_tables_and_flags(self):
        answer = switchq.solve(buffer="fifo", slots=4, load=[0.7, 0.5], traffic="hotspot:0.2",
                               by_output=True, queue_min=None, delay=False)
        self.assertEqual(answer["model"]["load"], [0.7, 0.5])
        self.assertEqual(answer.question, ("solve", "--buffer=fifo", "--slots=4",
                                           "--load=0.7,0.5", "--traffic=hotspot:0.2",
                                           "--by-output"))

    def test_an_option_that_needs_a_value_does_not_take_the_next_word(self):
        with self.assertRaisesRegex(switchq.Error, "slots: missing argument"):
            switchq.solve(buffer="damq", slots=True, load=0.9)

    def test_a_misspelt_option_is_corrected_with_its_value(self):
        with self.assertRaisesRegex(switchq.Error, "did you mean --buffer"):
            switchq.solve(bufer="damq", slots=4, load=0.9)

    def test_groups_are_dicts(self):
        answer = switchq.sim(engine="async", buffer="damq", cycles=2000, group=[
            {"mask": 0x3C, "value": 0x3C, "load": 0.1}, {"load": 0.2}])
        self.assertEqual([g["load"] for g in answer["model"]["groups"]], [0.1, 0.2])

    def test_floats_keep_all_digits(self):
        load = 0.1 + 0.2
        self.assertEqual(switchq.solve(buffer="fifo", slots=1, load=load)["model"]["load"], load)

    def test_ranges(self):
        answer = switchq.formula("output-queue", ports=4, load="0.2:0.8:0.2")
        self.assertEqual(len(answer.points), 4)
        self.assertEqual([p.load for p in answer.points], [0.2, 0.4, 0.6, 0.8])
        wait = answer.points[3].wait
        self.assertAlmostEqual(wait, 0.75 * 0.8 / (2 * 0.2))
        with self.assertRaises(AttributeError) as caught:
            answer.wait
        self.assertIn("points", str(caught.exception))

    def test_span_has_no_rounding(self):
        self.assertEqual(switchq.span(0.1, 0.5, 0.1), [0.1, 0.2, 0.3, 0.4, 0.5])
        self.assertEqual(switchq.span(1, 4, 2), [1, 3])
        self.assertEqual(switchq.span(1, 0, 1), [])
        with self.assertRaises(ValueError):
            switchq.span(0, 1, 0)

    def test_each_and_rows(self):
        answers = switchq.each(switchq.solve, over={"buffer": ["fifo", "damq"],
                                                    "load": [0.5, 0.9]}, slots=2)
        table = switchq.rows(answers)
        self.assertEqual([(r["buffer"], r["load"]) for r in table],
                         [("fifo", 0.5), ("fifo", 0.9), ("damq", 0.5), ("damq", 0.9)])
        for row in table:
            self.assertLessEqual(row["discard_probability_lower"], row["discard_probability"])
            self.assertIs(type(row["discard_probability"]), float)
        single = switchq.each(switchq.solve, over={"buffer": "fifo", "load": 0.5}, slots=2)
        self.assertEqual([a["result"] for a in single], [answers[0]["result"]])
        over = switchq.rows(switchq.approx(buffer="damq", slots=4, flow="block",
                                           load="0.1:0.3:0.1"))
        self.assertEqual(len(over), 3)
        self.assertEqual({r["buffer"] for r in over}, {"damq"})

    def test_answers_know_their_rows_and_show_themselves(self):
        loads = switchq.span(0.3, 0.9, 0.3)
        answers = switchq.each(switchq.solve, over={"buffer": ["fifo", "damq"], "load": loads},
                               slots=2)
        self.assertIsInstance(answers, switchq.Answers)
        self.assertEqual(answers.rows(), switchq.rows(answers))
        page = answers._repr_html_()
        self.assertEqual(page.count("<tr>"), 7)
        self.assertIn("<th>load</th>", page)
        self.assertNotIn("<th>slots</th>", page)  # the same throughout
        self.assertNotIn("_lower", page)
        one = answers[0]._repr_html_()
        self.assertIn(answers[0].discard_probability.between, one)
        self.assertEqual(answers[0].rows(), [answers.rows()[0]])
        points = switchq.approx(buffer="damq", slots=4, flow="block", load="0.1:0.3:0.1")
        self.assertEqual([row["load"] for row in points.rows()], [0.1, 0.2, 0.3])
        self.assertEqual({row["buffer"] for row in points.points.rows()}, {"damq"})
        self.assertEqual(points._repr_html_().count("<tr>"), 4)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "no pandas")
    def test_frames(self):
        answers = switchq.each(switchq.solve, over={"load": [0.3, 0.6]}, buffer="fifo", slots=2)
        frame = answers.frame()
        self.assertEqual(list(frame.load), [0.3, 0.6])
        self.assertTrue((frame.discard_probability_lower <= frame.discard_probability).all())

    @unittest.skipIf(importlib.util.find_spec("pandas"), "pandas is there")
    def test_without_pandas_it_is_said(self):
        with self.assertRaisesRegex(switchq.Error, "frame\\(\\) needs pandas"):
            switchq.solve(buffer="fifo", slots=2, load=0.5).frame()

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_plots(self):
        import matplotlib
        matplotlib.use("Agg")
        answers = switchq.each(switchq.solve, slots=2,
                               over={"buffer": ["fifo", "damq"], "load": [0.6, 0.3]})
        axes = answers.plot("discard_probability")
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["fifo", "damq"])
        self.assertEqual(list(axes.get_lines()[0].get_xdata()), [0.3, 0.6])
        self.assertEqual(len(axes.collections), 2)  # a band each
        self.assertEqual(len(answers.plot("throughput", x="buffer", by="load", ax=axes)
                             .get_lines()), 4)
        with self.assertRaisesRegex(switchq.Error, "no column 'nonsense'; there are buffer"):
            answers.plot("nonsense")

    def test_the_smallest_buffer(self):
        answer = switchq.solve(buffer="damq", load=0.5, target=1e-9)
        self.assertEqual(answer["model"]["slots"], 9)
        self.assertLessEqual(answer.discard_probability, 1e-9)
        less = switchq.solve(buffer="damq", load=0.5, slots=8)
        self.assertGreater(less.discard_probability, 1e-9)

    def test_numpy_arrays_if_there_is_numpy(self):
        class Array:  # what numpy's arrays and numbers have
            def tolist(self):
                return [0.7, 0.5]
        self.assertEqual(switchq.solve(buffer="fifo", slots=1, load=Array())["model"]["load"],
                         [0.7, 0.5])

    def test_lists_and_usage(self):
        self.assertIn("damq", [row["name"] for row in switchq.listing("buffers")])
        self.assertIn("arbiters", switchq.listing())
        self.assertIn("queue_min=N", switchq.usage("solve"))
        self.assertIn("head-of-line", switchq.usage("buffers"))
        self.assertIn("solve", switchq.usage())

    def test_attributes_are_listed(self):
        answer = switchq.solve(buffer="fifo", slots=1, load=0.5)
        self.assertIn("discard_probability", dir(answer))
        again = pickle.loads(pickle.dumps(answer))
        self.assertEqual(again.throughput, answer.throughput)


class Errors(unittest.TestCase):
    def fails(self, status, *parts, **options):
        with self.assertRaises(switchq.Error) as caught:
            switchq.solve(**options)
        self.assertEqual(caught.exception.status, status)
        for part in parts:
            self.assertIn(part, caught.exception.message)
        return caught.exception

    def test_bad_input_names_what_is_allowed(self):
        self.fails(2, "'dmaq'", "did you mean 'damq'", buffer="dmaq", slots=4, load=0.9)
        self.fails(2, "--load", "0 to 1", buffer="damq", slots=4, load=1.5)
        self.fails(2, "--slotz", "--slots", buffer="damq", slotz=4, load=0.5)
        self.fails(2, "--load is required", buffer="damq", slots=4)
        self.fails(2, "null", buffer="da\0mq", slots=4, load=0.5)

    def test_a_limit(self):
        self.fails(3, "memory", buffer="damq", ports=8, slots=8, load=0.9, mem="100M")

    def test_what_did_not_converge_comes_with_its_bounds(self):
        error = self.fails(1, buffer="damq", slots=4, load=0.9, solver="power", max_iterations=5)
        self.assertIsInstance(error.answer, switchq.Answer)
        self.assertFalse(error.answer["solver"]["converged"])

    def test_a_deadlock_is_told(self):
        with self.assertRaises(switchq.Error) as caught:
            switchq.sim(topology="torus", dims=4, one_way=True, buffer="fifo", bytes=64, load=1)
        self.assertEqual(caught.exception.status, 1)
        self.assertEqual(caught.exception.answer["run"]["stopped_by"], "deadlock")

    def test_names_that_are_no_utf_8(self):
        with self.assertRaises(switchq.Error) as raised:
            switchq.solve(buffer="damq", slots=2, load=0.5, traffic="file:a\udcff\udcc3b")
        self.assertIn("'a\ufffd\ufffdb'", str(raised.exception))

    def test_unknown_commands_and_help(self):
        for words in (["slove"], [], ["solve", "--help"], ["completion", "bash"], ["solve"] * 99):
            with self.assertRaises(switchq.Error) as caught:
                switchq.ask(*words)
            self.assertEqual(caught.exception.status, 2, words)

    def test_a_later_question_knows_nothing_of_an_earlier_one(self):
        switchq.solve(buffer="damq", slots=4, load=0.9, variance=True)
        self.fails(2, "--load is required", buffer="damq", slots=4)
        self.assertNotIn("variance", str(switchq.solve(buffer="damq", slots=4, load=0.9)))

    def test_a_number_that_is_not_there(self):
        with self.assertRaises(AttributeError) as caught:
            switchq.solve(buffer="fifo", slots=1, load=0.5).thruput
        self.assertIn("throughput", str(caught.exception))


class Process(unittest.TestCase):
    def test_threads_take_turns(self):
        losses = [None] * 8

        def work(k):
            losses[k] = switchq.solve(buffer="damq", slots=k + 1, load=0.9).discard_probability

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for k, loss in enumerate(losses):
            alone = switchq.solve(buffer="damq", slots=k + 1, load=0.9).discard_probability
            self.assertEqual(loss, alone)

    def test_other_threads_run_during_a_question(self):
        counted = []
        stop = threading.Event()

        def count():
            while not stop.wait(0.01):
                counted.append(1)

        thread = threading.Thread(target=count)
        thread.start()
        switchq.sim(buffer="damq", slots=4, load=0.5, flow="block", cycles=200000)
        stop.set()
        thread.join()
        self.assertGreater(len(counted), 3)

    def test_memory_is_given_back(self):
        def ask():
            switchq.solve(buffer="damq", slots=6, load=0.9)
            try:
                switchq.solve(buffer="damq", slots=6, load=2)
            except switchq.Error:
                pass
            switchq.listing()

        def least():
            """Of 40 looks, each after the C library has been told to give free pages back to the
            system, if it has a function for that: else it does so now and then."""
            trim = getattr(ctypes.CDLL(None), "malloc_trim", lambda _: 0)
            looks = []
            for _ in range(40):
                ask()
                trim(0)
                looks.append(memory())
            return min(looks)

        for _ in range(20):
            ask()
        # what is lost is lost in every window; what a library takes once, in one of them
        grown, before = [], least()
        for _ in range(2):
            for _ in range(360):
                ask()
            after = least()
            grown.append(after - before)
            before = after
        # answers of 3 KB, errors, lists of 30 KB; and a chain of 1 MB
        self.assertLess(min(grown), 1 << 20, grown)

    def test_ctrl_c_ends_a_question_and_the_next_is_answered(self):
        program = """
import switchq, time
begun = time.monotonic()
try:
    print("asking", flush=True)
    switchq.sim(buffer="damq", slots=4, load=0.5, flow="block", cycles=2000000000)
except KeyboardInterrupt:
    print("interrupted")
print(switchq.formula("hol-saturation", ports=2).throughput)
"""
        # a shell gives its background jobs SIGINT to be ignored, and Python then leaves it so
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
                              ) as run:
            try:
                self.assertEqual(run.stdout.readline(), "asking\n")
                time.sleep(0.3)
                run.send_signal(signal.SIGINT)
                out, err = run.communicate(timeout=30)
            finally:
                run.kill()  # it would go on for days if it did not mind the signal
        self.assertEqual((out, err), ("interrupted\n0.75\n", ""))

    def test_nothing_is_printed(self):
        program = "import switchq; switchq.solve(buffer='damq', slots=4, load=0.9)"
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        self.assertEqual((run.stdout, run.stderr), (b"", b""))

    def test_a_report_asks_questions_of_its_own(self):
        program = """
import switchq, tempfile
with tempfile.TemporaryDirectory() as folder:
    answer = switchq.ask("report", output=folder, only="table-4.1")
    assert answer["blocks"], answer
    assert switchq.formula("hol-saturation", ports=2).throughput == 0.75
"""
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_without_the_library_it_says_what_to_do(self):
        run = subprocess.run([sys.executable, "-c", "import switchq"], capture_output=True,
                             text=True, env={**os.environ, "SWITCHQ_LIBRARY": "/nowhere.so"})
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("SWITCHQ_LIBRARY", run.stderr)

    def test_a_source_tree_finds_what_was_built_in_it(self):
        tree = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
        if not os.path.exists(os.path.join(tree, "build", "libswitchq-ask.so.0")):
            self.skipTest("built elsewhere")
        env = {k: v for k, v in os.environ.items() if k not in ("SWITCHQ_LIBRARY", "PYTHONPATH")}
        run = subprocess.run([sys.executable, "-B", "-c", "import switchq; print(switchq.version())"],
                             capture_output=True, text=True, env=env,
                             cwd=os.path.join(tree, "python"))
        self.assertEqual(run.stdout.strip(), switchq.__version__, run.stderr)

    def test_the_version_is_the_program_s(self):
        run = subprocess.run([os.environ["SWITCHQ"], "--version"], capture_output=True, text=True,
                             check=True)
        self.assertEqual(run.stdout.split()[1], switchq.__version__)


if __name__ == "__main__":
    unittest.main()
