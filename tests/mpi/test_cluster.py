#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""solve --mpi against solve: the same answers within what both have proven, on 1, 2 and 4 ranks; a
killed job goes on from its checkpoint on other ranks; what is not modelled is refused once, by name.
Run by make mpi-test, which names a program built by make PETSC=1 in SWITCHQ_PETSC."""

import json
import math
import os
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["SWITCHQ_PETSC"]
MPIRUN = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
# ranks that wait for one another share few cores here: let them yield
ENVIRONMENT = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMP_NUM_THREADS="1")

CHAINS = {
    "2x2 damq": "--buffer damq --slots 4 --load 0.9",
    "far tail": "--buffer damq --slots 10 --load 0.1",
    "4x4 damq": "--buffer damq --slots 3 --ports 4 --load 0.9 --arbiter maximum",
    "blocking, credit next": "--buffer fifo --slots 3 --ports 3 --load 0.7 --flow block --credit next",
    "loads of their own, hot spot": "--buffer safc --slots 4 --load 0.7,0.5 --traffic hotspot:0.2:1",
    "bursts": "--buffer damq --slots 3 --ports 3 --load 0.6 --burst 4",
    "without reduction": "--buffer samq --slots 4 --load 0.8 --reduce none --arbiter longest",
    "many permutations": "--buffer damq --slots 1 --ports 6 --load 0.9",
    "periodic at saturation": "--buffer samq --slots 2 --load 0.6 --flow block --credit next",
    "periodic, transient states": "--buffer samq --slots 2 --load 1 --flow block --credit next --arbiter fixed "
                                  "--reduce none",
    "transient states": "--buffer damq --slots 3 --load 1 --flow block",
}
# probabilities and means of the answer, all of them relatively exact
FIGURES = ("refusal_probability mean_packets mean_delay_cycles discard_by_input throughput_by_output "
           "waiting_by_output buffer_full occupancy_distribution").split()


def alone(line):
    return subprocess.run([PROGRAM, "solve"] + line.split(), capture_output=True, text=True,
                          env=ENVIRONMENT, timeout=300, check=False)


def ranks(count, line, folder=None):
    return subprocess.run(MPIRUN + ["-n", str(count), PROGRAM, "solve", "--mpi"] + line.split(),
                          capture_output=True, text=True, env=ENVIRONMENT, timeout=300, check=False,
                          cwd=folder)


def numbers(value):
    """All numbers of a tree of lists."""
    return [x for item in value for x in numbers(item)] if isinstance(value, list) else [value]


def said(run):
    """What the program says, without the launcher's own notes."""
    return [line for line in run.stderr.splitlines() if line.startswith("switchq: ")]


class Answers(unittest.TestCase):
    def expect_same(self, name, one, other):
        a, b = one["result"], other["result"]
        for key in ("discard", "throughput", "saturation"):
            value = key if key == "throughput" else key + ("_probability" if key == "discard" else "_throughput")
            if a.get(value) is None:
                self.assertIsNone(b.get(value), f"{name}: {value}")
                continue
            self.assertLessEqual(a[key + "_lower"], b[key + "_upper"], f"{name}: {value}")
            self.assertLessEqual(b[key + "_lower"], a[key + "_upper"], f"{name}: {value}")
            width = b[key + "_upper"] - b[key + "_lower"]
            self.assertLessEqual(width, 2e-10 * b[value], f"{name}: {value} is proven")
        error = one["solver"]["relative_error"] + other["solver"]["relative_error"]
        self.assertLess(error, 1e-8, name)
        for key in FIGURES:
            if key not in a:
                continue
            for x, y in zip(numbers(a[key]), numbers(b[key]), strict=True):
                if x is not None:
                    self.assertTrue(math.isclose(x, y, rel_tol=error, abs_tol=0), f"{name}: {key} {x} {y}")
        for key in ("states", "transient_states", "period"):
            self.assertEqual(one["chain"][key], other["chain"][key], f"{name}: {key}")

    def test_on_one_two_and_four_ranks(self):
        for name, line in CHAINS.items():
            with self.subTest(name):
                wanted = json.loads(alone(line + " --json").stdout)
                for count in (1, 2, 4):
                    run = ranks(count, line + " --json")
                    self.assertEqual(run.returncode, 0, f"{name}: {run.stderr}")
                    found = json.loads(run.stdout)
                    self.expect_same(f"{name}, {count} ranks", wanted, found)
                    self.assertEqual(found["cluster"]["ranks"], count)
                    # a bound is of all ranks together: it does not shrink with their number
                    error = found["solver"]["relative_error"]
                    one = error if count == 1 else one
                    self.assertTrue(one / 3 < error < 3 * one, f"{name}, {count} ranks: {error}, not {one}")

    def test_by_every_method(self):
        line = CHAINS["4x4 damq"]
        wanted = json.loads(alone(line + " --json").stdout)
        for method in ("aggregation", "anderson", "arnoldi", "power"):
            with self.subTest(method):
                run = ranks(2, f"{line} --solver {method} --json")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.expect_same(method, wanted, json.loads(run.stdout))

    def test_thousands_of_groups(self):
        """More groups than are eliminated at once: their chain has groups, too."""
        line = "--buffer damq --slots 5 --ports 4 --load 0.9 --arbiter maximum --json"
        wanted = json.loads(alone(line).stdout)
        run = ranks(2, line)
        self.assertEqual(run.returncode, 0, run.stderr)
        found = json.loads(run.stdout)
        self.expect_same("thousands of groups", wanted, found)
        self.assertLess(found["solver"]["iterations"], 2 * wanted["solver"]["iterations"])

    def test_neighbours_stay_together(self):
        """Ranks have equal shares, and few nodes of others: a hash would exchange 1.9 MB here."""
        line = CHAINS["4x4 damq"].replace("--slots 3", "--slots 4") + " --json"
        for count, most in ((3, 0.45e6), (4, 0.6e6)):
            with self.subTest(count):
                run = ranks(count, line)
                self.assertEqual(run.returncode, 0, run.stderr)
                found = json.loads(run.stdout)
                share = found["chain"]["factor_entries"] / count
                self.assertLess(found["cluster"]["rank_entries"], 1.02 * share)
                self.assertLess(found["cluster"]["exchanged_bytes"], most)

    def test_text_and_csv_are_said_once(self):
        run = ranks(3, CHAINS["2x2 damq"])
        self.assertEqual(run.stdout.count("discard probability"), 1)
        self.assertIn("3 ranks, at most", run.stdout)
        self.assertEqual(len(ranks(2, CHAINS["2x2 damq"] + " --csv").stdout.splitlines()), 2)

    def test_more_ranks_than_states(self):
        run = ranks(4, "--buffer damq --slots 1 --ports 1 --load 0.5 --json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["result"]["discard_probability"], 0)


class Refusals(unittest.TestCase):
    def refused(self, line, word, status=2):
        run = ranks(2, line)
        self.assertEqual(run.returncode, status, f"{line}: {run.stderr}")
        self.assertEqual(len(said(run)), 1, f"{line}: {run.stderr}")
        self.assertIn(word, said(run)[0])
        self.assertEqual(run.stdout, "")

    def test_what_is_not_modelled(self):
        damq = "--buffer damq --slots 2 --load 0.5 "
        for more, word in (("--exact", "--exact"), ("--variance", "--variance"), ("--slope", "--slope"),
                           ("--policy optimal", "--policy"), ("--target 0.1", "--target"),
                           ("--delay", "--delay"), ("--losses", "--losses"), ("--plot x.svg", "--plot"),
                           ("--threads 2", "--threads"), ("--topology omega", "--topology"),
                           ("--chain x.tra", "--chain"), ("--arbiter rotating", "pointers"),
                           ("--high 0.2", "--high"), ("--solver gth", "gth"), ("--load 0.3,x", "load"),
                           ("--no-such-option", "no-such-option")):
            with self.subTest(more):
                self.refused(damq + more, word)
        self.refused("--buffer cbda --slots 2 --load 0.5", "pool")
        self.refused("--architecture cioq --speedup 2 --output-slots 2 " + damq, "--speedup")
        self.refused("--architecture output-queued --output-slots 2 --load 0.5", "output")
        self.refused(damq.replace("0.5", "0.1:0.5:0.1"), "load")

    def test_memory(self):
        self.refused("--buffer damq --slots 6 --ports 4 --load 0.5 --mem 1M", "memory limit of a rank", 3)


class Checkpoints(unittest.TestCase):
    LINE = "--buffer damq --slots 4 --ports 4 --load 0.9 --arbiter maximum --json "

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, "iterate")

    def tearDown(self):
        self.folder.cleanup()

    def killed(self):
        """A job on two ranks that is killed once it has written its file."""
        line = self.LINE + f"--solver power --checkpoint {self.file} --checkpoint-every 0"
        job = subprocess.Popen(MPIRUN + ["-n", "2", PROGRAM, "solve", "--mpi"] + line.split(),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT,
                               start_new_session=True)
        for _ in range(1200):
            if os.path.exists(self.file) or job.poll() is not None:
                break
            time.sleep(0.05)
        self.assertIsNone(job.poll(), "it was done before it could be killed")
        os.killpg(job.pid, signal.SIGKILL)
        job.wait()

    def test_a_killed_job_goes_on_on_other_ranks(self):
        self.killed()
        wanted = json.loads(alone(self.LINE).stdout)
        for count in (2, 3):
            run = ranks(count, self.LINE + f"--checkpoint {self.file}")
            self.assertEqual(run.returncode, 0, run.stderr)
            found = json.loads(run.stdout)
            self.assertTrue(found["cluster"]["resumed"])
            Answers.expect_same(self, f"{count} ranks", wanted, found)
        self.assertFalse(os.path.exists(self.file + ".part"))

    def test_it_goes_on_where_it_was(self):
        first = json.loads(ranks(2, self.LINE + f"--checkpoint {self.file}").stdout)
        again = json.loads(ranks(4, self.LINE + f"--checkpoint {self.file}").stdout)
        self.assertFalse(first["cluster"]["resumed"])
        self.assertTrue(again["cluster"]["resumed"])
        spent = again["solver"]["iterations"] - first["solver"]["iterations"]
        self.assertLess(spent, first["solver"]["iterations"])

    def refused(self, line, word):
        run = ranks(2, line)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(len(said(run)), 1, run.stderr)
        self.assertIn(word, said(run)[0])

    def test_what_is_no_checkpoint_is_refused(self):
        small = "--buffer damq --slots 3 --load 0.9 "
        self.assertEqual(ranks(1, small + f"--checkpoint {self.file}").returncode, 0)
        self.refused(small.replace("0.9", "0.8") + f"--checkpoint {self.file}", "another chain")
        self.refused("--buffer damq --slots 4 --load 0.9 " + f"--checkpoint {self.file}", "another chain")
        with open(self.file, "rb") as written:
            whole = written.read()
        with open(self.file, "wb") as out:
            out.write(whole[:-9])
        self.refused(small + f"--checkpoint {self.file}", "cut short")
        with open(self.file, "wb") as out:
            out.write(b"something else altogether, and long enough to be read as a header " * 4)
        self.refused(small + f"--checkpoint {self.file}", "checkpoint of switchq")
        with open(self.file, "wb") as out:  # an entry that is no number of visits
            out.write(whole[:-8] + b"\xff" * 8)
        self.refused(small + f"--checkpoint {self.file}", "each state")

    def test_a_short_name_in_the_folder_it_runs_in(self):
        for resumed in (False, True):
            run = ranks(2, "--buffer damq --slots 2 --load 0.5 --checkpoint f --json", self.folder.name)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(json.loads(run.stdout)["cluster"]["resumed"], resumed)

    def test_a_folder_that_is_not_there(self):
        run = ranks(2, f"--buffer damq --slots 2 --load 0.5 --checkpoint {self.folder.name}/none/file")
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(len(said(run)), 1, run.stderr)
        self.assertIn("checkpoint", said(run)[0])


if __name__ == "__main__":
    unittest.main()
