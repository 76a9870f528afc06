#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI: two ranks with a worker each write the database that one process with two threads writes;
a rank that is killed leaves what was recorded, and the study is resumed. Skipped, with the reason,
without mpirun or in a build without MPI.

ranks.py [seed=1] [repeats=10] [cycles=20000]"""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time

from common import (SWITCHQ, check, check_integrity, children, command, export, finished, kill_group,
                    main, run, write_study)

MPIRUN = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
# times, and who did it
INCIDENTAL = {"owner", "cpu_seconds", "wall_seconds", "host", "finished", "answer"}


def content(database):
    """All columns of all points but those; answers are compared by the export, which leaves out
    the seconds in them."""
    there = sqlite3.connect(database)
    columns = [row[1] for row in there.execute("PRAGMA table_info(points)")]
    kept = [name for name in columns if name not in INCIDENTAL]
    rows = there.execute("SELECT %s FROM points ORDER BY id" % ", ".join(kept)).fetchall()
    there.close()
    return kept, rows


def grandchildren(pid):
    found = children(pid)
    return found + [g for c in found for g in grandchildren(c)]


def ranks_of(mpirun):
    """Processes that are ranks: switchq whose parent is mpirun."""
    return [pid for pid in children(mpirun) if b"switchq" in open("/proc/%d/cmdline" % pid, "rb").read()]


def test(seed, repeats, cycles):
    if not shutil.which("mpirun"):
        return "skipped: no mpirun"
    study = write_study(cycles=cycles, repeats=repeats)
    run(study, "--database", "calm.db", "--threads", 2)
    calm = export(study, "calm.db")
    both = subprocess.run(MPIRUN + ["-n", "2"] + command(study, "--database", "ranks.db",
                                                         "--threads", 1),
                          capture_output=True, text=True, timeout=300)
    if "without MPI" in both.stderr:
        check(both.returncode == 0, "without MPI: exit status %d" % both.returncode)
        check(export(study, "ranks.db") == calm, "processes under mpirun, without MPI, differ")
        return "a build without MPI: said so, and the ranks shared the database; the rest skipped"
    check(both.returncode == 0, "mpirun: %d: %s" % (both.returncode, both.stderr[-600:]))
    check_integrity("ranks.db")
    check(content("ranks.db") == content("calm.db"), "two ranks wrote other columns than two threads")
    check(export(study, "ranks.db") == calm, "two ranks have other answers than two threads")
    for victim in (0, 1):
        database = "lost%d.db" % victim
        job = subprocess.Popen(MPIRUN + ["-n", "2"] + command(study, "--database", database,
                                                              "--threads", 1),
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
        end = time.monotonic() + 60
        while finished(database) < 5 and job.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        ranks = sorted(ranks_of(job.pid))
        check(len(ranks) == 2 and job.poll() is None, "no two ranks to kill one of: %s" % ranks)
        os.kill(ranks[victim], signal.SIGKILL)
        job.wait(timeout=60)
        job.stderr.close()
        check(job.returncode != 0, "a job that lost a rank succeeded")
        check_integrity(database)
        check(finished(database) >= 5, "recorded points were lost")
        run(study, "--database", database, "--threads", 2)
        check(export(study, database) == calm, "resumed after a lost rank, it differs")
    return "2 ranks equal 2 threads in all columns but %s; each rank killed once, resumed" % (
        ", ".join(sorted(INCIDENTAL - {"answer"})))


main(test, seed=1, repeats=10, cycles=20000)
