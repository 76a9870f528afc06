#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two and three processes at once on one database, one of them killed in the middle: the others
take over what it had claimed, no point is answered twice, and the end equals a calm run.

several.py [seed=1] [repeats=20] [cycles=20000]"""

import os
import random
import sqlite3
import time

from common import (check, check_integrity, export, kill_group, main, run, start, wait_gone,
                    write_study)


def test(seed, repeats, cycles):
    study = write_study(cycles=cycles, repeats=repeats)
    run(study, "--database", "calm.db", "--threads", 2)
    calm = export(study, "calm.db")
    told = []
    for count in (2, 3):
        database = "shared%d.db" % count
        processes = [start(study, "--database", database, "--threads", 1) for _ in range(count)]
        time.sleep(random.uniform(0.2, 0.6))
        early = processes[0].poll() is not None
        kill_group(processes[0])
        for process in processes[1:]:
            process.wait(timeout=300)
            said = process.stderr.read()
            process.stderr.close()
            check(process.returncode == 0, "a survivor ended with %d: %s" % (process.returncode,
                                                                             said[-300:]))
        check_integrity(database)
        # the survivors end only when all is done: there is nothing to resume
        check(export(study, database) == calm, "%d processes differ from the calm run" % count)
        told.append("%d at once, one %s" % (count, "was done before it was killed" if early
                                            else "killed"))
    return "; ".join(told) + ": equal to a calm run"


main(test, seed=1, repeats=20, cycles=20000)
