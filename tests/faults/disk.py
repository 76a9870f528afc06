#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that fills up in the middle of a sweep, and a folder that cannot be written. A clear error
and an exit status other than 0; nothing that was recorded is lost; the resumed sweep ends equal to
an undisturbed one.

The full disk is a small tmpfs where root may mount one, and otherwise a limit on the size of files
(RLIMIT_FSIZE).   disk.py [seed=1] [repeats=30]"""

import csv
import io
import os
import resource
import shutil
import subprocess

from common import SWITCHQ, check, check_integrity, command, export, finished, main, run, write_study


def complain(done, words, what):
    """It must say why, and not succeed."""
    check(done.returncode not in (0, -25), "%s: exit status %d" % (what, done.returncode))
    check(done.returncode > 0, "%s: killed by signal %d" % (what, -done.returncode))
    lines = [line for line in done.stderr.splitlines() if line.startswith("switchq: ")]
    check(lines, "%s: no message: %s" % (what, done.stderr[-300:]))
    check(any(word in line for line in lines for word in words),
          "%s: the message does not say why: %s" % (what, lines[-1]))
    return lines[-1]


def in_small_disk(kilobytes, line):
    """A line of shell in a mount namespace of its own where ./small is that small."""
    script = "mount -t tmpfs -o size=%dk none small && %s" % (kilobytes, line)
    return subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True,
                          timeout=300)


def can_mount():
    if os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    return in_small_disk(64, "true").returncode == 0


def full_disk(study, kilobytes):
    """tmpfs: the database grows until the disk is full; what is there then is copied away."""
    program = "%s sweep %s --database small/it.db --threads 2" % (SWITCHQ, study)
    # what is left behind is what a person would find after making room
    return in_small_disk(kilobytes, "{ %s; s=$?; cp small/* kept/; exit $s; }" % program)


def small_files(study, kilobytes):
    """No file may grow beyond that."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes << 10, resource.RLIM_INFINITY))

    return subprocess.run(command(study, "--database", "kept/it.db", "--threads", 2),
                          capture_output=True, text=True, timeout=300, preexec_fn=limit)


def try_full(how, study, kilobytes):
    """Returns the message, None if there was room enough; and how many points were recorded."""
    shutil.rmtree("kept", ignore_errors=True)
    os.mkdir("kept")
    done = how(study, kilobytes)
    check_integrity("kept/it.db")
    if done.returncode == 0:
        return None, 0
    return complain(done, ["full", "No space", "too large", "limit on file sizes"],
                    how.__name__), finished("kept/it.db")


def until_full(how, study):
    """With so little room that it fills up in the middle: not before the first answers are
    recorded, and not after the last ones. Returns the message and the room."""
    kilobytes = 64
    while kilobytes < 1 << 16:
        said, recorded = try_full(how, study, kilobytes)
        check(said, "%s: never full" % how.__name__)
        if recorded > 0:
            break
        kilobytes += kilobytes // 4
    for more in (2, 1):
        said, recorded = try_full(how, study, more * kilobytes)
        if said and recorded > 0:
            return said, more * kilobytes
    check(False, "%s: nothing was recorded before it was full" % how.__name__)


def done_rows(text):
    """Points that are done; what a point does not have is left out, for columns may come anew."""
    return {tuple(sorted((key, value) for key, value in row.items() if value))
            for row in csv.DictReader(io.StringIO(text, newline="")) if row["state"] == "done"}


def resumed(study, calm, database):
    check_integrity(database)
    before = finished(database)
    check(0 < before < calm.count("\n") - 1, "%d points were recorded before it was full" % before)
    had = done_rows(export(study, database))
    run(study, "--database", database, "--threads", 2)
    check_integrity(database)
    now = export(study, database)
    check(had <= done_rows(now), "a recorded answer changed")
    check(now == calm, "the resumed study differs from the calm one")
    return before


def unwritable_folder(study):
    """As a user without rights: root writes everywhere."""
    os.mkdir("sealed")
    if os.geteuid() == 0:
        # read-only for everyone: a bind mount in a namespace of its own
        line = "mount --bind sealed sealed && mount -o remount,ro,bind sealed && exec %s" % " ".join(
            command(study, "--database", "sealed/it.db"))
        if not shutil.which("unshare") or subprocess.run(["unshare", "-m", "true"]).returncode != 0:
            return "read-only folder skipped: root, and no mount namespace"
        done = subprocess.run(["unshare", "-m", "sh", "-c", line], capture_output=True, text=True,
                              timeout=60)
    else:
        os.chmod("sealed", 0o555)
        done = run(study, "--database", "sealed/it.db", status=None)
    said = complain(done, ["Read-only", "ermission"], "read-only folder")
    check("sealed/it.db" in said, "the message does not name the database: " + said)
    check(os.listdir("sealed") == [], "something was left in the sealed folder")
    return "read-only folder: '%s'" % said


def test(seed, repeats):
    study = write_study(cycles=2000, repeats=repeats)
    os.mkdir("small")
    run(study, "--database", "calm.db", "--threads", 2)
    calm = export(study, "calm.db")
    told = []
    for how in ([full_disk] if can_mount() else []) + [small_files]:
        said, kilobytes = until_full(how, study)
        told.append("%s, %d KB: '%s' with %d of %d points, resumed" % (
            how.__name__, kilobytes, said, resumed(study, calm, "kept/it.db"),
            calm.count("\n") - 1))
    told.append(unwritable_folder(study))
    return "; ".join(told)


main(test, seed=1, repeats=30)
