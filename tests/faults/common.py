# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fault tests share: a study that takes a while, running it, and comparing databases.

Black box: the program, its exit status and messages, `sweep --export` and the database file are all
that is looked at. Python 3 and its standard library alone."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SWITCHQ = os.path.abspath(os.environ.get("SWITCHQ", "build/switchq"))

# Simulated points, so that seeds matter too; each takes some hundredths of a second.
STUDY = """\
command: sim
set: {slots: 4, flow: block, cycles: %d}
over:
  buffer: [fifo, damq]
  load: [0.1, 0.2, 0.3, 0.4, 0.45]
repeats: %d
"""


class Failure(Exception):
    pass


def check(true, what):
    if not true:
        raise Failure(what)


def write_study(path="study.yaml", cycles=20000, repeats=20):
    with open(path, "w") as file:
        file.write(STUDY % (cycles, repeats))
    return path


def command(*words):
    return [SWITCHQ, "sweep", *map(str, words)]


def run(*words, status=0, timeout=300, **how):
    """Run to the end; returns what it printed. status: expected, or None for any."""
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=timeout, **how)
    if status is not None:
        check(done.returncode == status,
              "'%s' ended with %d, not %d: %s" % (" ".join(map(str, words)), done.returncode,
                                                  status, done.stderr[-600:]))
    return done


def export(study, database):
    """All points with their answers but no times: equal for equal databases."""
    return run(study, "--database", database, "--export", "csv", "-o", "-").stdout


def finished(database):
    """How many points have an answer; 0 without a database."""
    if not os.path.exists(database):
        return 0
    try:
        with sqlite3.connect("file:%s?mode=ro" % database, uri=True, timeout=20) as there:
            return there.execute("SELECT count(*) FROM points WHERE state = 'done'").fetchone()[0]
    except sqlite3.OperationalError as error:
        if "no such table" in str(error) or "unable to open" in str(error):
            return 0  # killed before it was made
        raise


def check_integrity(database):
    if not os.path.exists(database):
        return
    there = sqlite3.connect(database, timeout=20)
    answer = there.execute("PRAGMA integrity_check").fetchone()[0]
    there.close()
    check(answer == "ok", "integrity_check: " + answer)


def children(pid):
    """Live processes whose parent is `pid` (Linux)."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name) as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(name))
    return found


def workers_of(pid):
    """The processes that answer points: forked by a keeper, which the parent forked."""
    return [worker for keeper in children(pid) for worker in children(keeper)]


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_gone(pids, seconds=20):
    """Wait until none of them lives; returns those that still do."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pids = [pid for pid in pids if alive(pid)]
        if not pids:
            return []
        time.sleep(0.02)
    return pids


def start(*words, **how):
    """Start in a process group of its own."""
    return subprocess.Popen(command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            text=True, start_new_session=True, **how)


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    process.stderr.close()


def main(test, **defaults):
    """Run a test in an empty folder; says what it did in one line, and exits 1 if it failed."""
    options = dict(defaults)
    for word in sys.argv[1:]:
        key, _, value = word.partition("=")
        if key not in options or not value:
            sys.exit("%s: options are %s" % (sys.argv[0], " ".join("%s=%s" % o for o in
                                                                  defaults.items())))
        options[key] = type(defaults[key])(value)
    name = os.path.basename(sys.argv[0])
    folder = tempfile.mkdtemp(prefix="switchq-faults-")
    os.chdir(folder)
    random.seed(options.get("seed", 1))
    try:
        print("%s: %s" % (name, test(**options)), flush=True)
    except Failure as failure:
        print("%s: FAILED: %s (in %s)" % (name, failure, folder), flush=True)
        sys.exit(1)
    os.chdir("/")
    shutil.rmtree(folder)
