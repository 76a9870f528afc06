#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""kill -9 at random moments of a sweep, resumed after each: of the whole process group, of the
parent alone, of one worker alone, of the keeper that forks the workers, in turn. Nothing that was
recorded may be lost or change, the database stays sound, no process outlives its parent, and the
end equals an undisturbed run's. (A point whose worker is killed has failed, since it may be what
kills it; so every resume is with --retry.)

kill.py [kills=50] [seed=1] [repeats=30] [cycles=20000] [longest=0.6]"""

import os
import random
import signal
import time

from common import (check, check_integrity, children, export, finished, kill_group, main,
                    run, start, wait_gone, workers_of, write_study)


KINDS = ["group", "parent", "worker", "keeper"]


def kill_one(kind, process):
    """Returns whether something was killed while the sweep ran."""
    if process.poll() is not None:
        return False
    keepers, workers = children(process.pid), workers_of(process.pid)
    if kind == "group":
        kill_group(process)
    elif kind == "parent":
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        left = wait_gone(keepers + workers)
        check(not left, "processes %s outlived their parent" % left)
        process.stderr.close()
    else:
        victims = workers if kind == "worker" else keepers
        if not victims:
            kill_group(process)
            return False
        victim = random.choice(victims)
        os.kill(victim, signal.SIGKILL)
        wait_gone([victim])
        time.sleep(0.1)
        if kind == "worker":
            check(process.poll() in (None, 0, 1), "it ended with %s after a worker was killed" %
                  process.returncode)
        kill_group(process)
    check(not wait_gone(keepers + workers), "processes outlived the group")
    return True


def test(kills, seed, repeats, longest, cycles):
    study = write_study(cycles=cycles, repeats=repeats)
    run(study, "--database", "calm.db", "--threads", 2)
    calm = export(study, "calm.db")
    done, rounds, runs, counts = 0, 0, 0, dict.fromkeys(KINDS, 0)
    while sum(counts.values()) < kills:
        runs += 1
        check(runs < 20 * kills, "only %d of %d runs could be killed" % (sum(counts.values()), runs))
        process = start(study, "--database", "torn.db", "--threads", 2, "--retry")
        time.sleep(random.uniform(0, longest))
        kind = KINDS[sum(counts.values()) % len(KINDS)]
        counts[kind] += kill_one(kind, process)
        check_integrity("torn.db")
        now = finished("torn.db")
        check(now >= done, "%d points were recorded, now %d" % (done, now))
        done = now
        if done == calm.count("\n") - 1:  # all done before enough kills: once more from nothing
            check(export(study, "torn.db") == calm, "a torn study differs from the calm one")
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists("torn.db" + suffix):
                    os.remove("torn.db" + suffix)
            done, rounds = 0, rounds + 1
    run(study, "--database", "torn.db", "--threads", 2, "--retry")
    check_integrity("torn.db")
    check(export(study, "torn.db") == calm, "a torn study differs from the calm one")
    return "%d kills (%s), %d times to the end: %d points equal those of a calm run" % (
        kills, ", ".join("%d of a %s" % (n, k) for k, n in counts.items()), rounds + 1,
        calm.count("\n") - 1)


main(test, kills=50, seed=1, repeats=30, longest=0.6, cycles=20000)
