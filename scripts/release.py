#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a release: the version everywhere, the section of CHANGELOG.md, a commit and an annotated tag.

    scripts/release.py VERSION [--dry-run] [--check COMMAND]

docs/releasing.md says what a release is. The tree must be clean and COMMAND (default: make check) must
succeed before anything is written. With --dry-run the changes are printed, and nothing is run or written.
"""
import argparse
import datetime
import difflib
import email.utils
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

KINDS = ("new", "changed", "fixed")
# What stands in a file for the version: the header is the source, from which Makefile, wheel and site read it.
HEADER, CITATION, DEBIAN, CHANGELOG = "include/switchq/version.h", "CITATION.cff", "debian/changelog", "CHANGELOG.md"
PLACES = {HEADER: r'SWQ_VERSION "(.*)"', CITATION: r"^version: (.*)$", DEBIAN: r"\Aswitchq \((.*)-1\) ",
          CHANGELOG: r"^## ([^,\n]*),"}
UNRELEASED = "not released yet"


class Refusal(Exception):
    """Why there is no release, in one line."""


def run(*command, root):
    return subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def read(root, name):
    return (root / name).read_text(encoding="utf-8")


# Versions

def number(version):
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Refusal(f"VERSION must be three numbers, such as 0.2.0, not '{version}'")
    return tuple(int(part) for part in version.split("."))


def stated(root):
    """The version that each file states."""
    return {name: re.search(pattern, read(root, name), re.MULTILINE).group(1) for name, pattern in PLACES.items()}


def check_version(root, version):
    current = stated(root)[HEADER]
    if number(version) < number(current):
        raise Refusal(f"VERSION must not be before the current {current}; {version} is")
    if run("git", "tag", "--list", f"v{version}", root=root):
        raise Refusal(f"the tag v{version} exists: this version has been released")


def check_tree(root):
    changed = run("git", "status", "--porcelain", root=root)
    if changed:
        raise Refusal(f"the tree must be clean; there is {changed.splitlines()[0].strip()}")


# The section of CHANGELOG.md

def fragments(root):
    """The texts of changes/, by kind, and their files."""
    texts, files = {kind: [] for kind in KINDS}, []
    for path in sorted((root / "changes").glob("*.md")):
        if path.name == "README.md":
            continue
        kind = path.name.split(".")[-2] if path.name.count(".") == 2 else None
        text = path.read_text(encoding="utf-8").strip()
        if kind not in KINDS:
            raise Refusal(f"changes/{path.name}: the name must be WORDS.KIND.md, and KIND new, changed or fixed")
        if not text or text.startswith(("-", "#")):
            raise Refusal(f"changes/{path.name}: the text must be one entry, without a dash or a heading in front")
        texts[kind].append("- " + textwrap.indent(text, "  ")[2:])
        files.append(f"changes/{path.name}")
    return texts, files


def is_heading(line, kinds=KINDS):
    """Does this line begin the entries of one of the kinds, such as "Fixed:"?"""
    return line.endswith(":") and re.split(r"\W", line.lower())[0] in kinds


def with_entries(section, kind, entries):
    """The lines of a section with entries behind those of the same kind. New ones need no heading of theirs."""
    if not entries:
        return section
    starts = [k for k, line in enumerate(section) if is_heading(line, (kind,))]
    later = [k for k, line in enumerate(section) if is_heading(line)]
    if starts:
        end = next((k for k in later if k > starts[0]), len(section))
    else:
        end = next((k for k in later if is_heading(section[k], KINDS[KINDS.index(kind):])), len(section))
    before, behind = section[:end], section[end:]
    while before and not before[-1]:
        before.pop()
    heading = [] if starts or kind == "new" else ["", f"{kind.capitalize()}:", ""]
    if kind == "new" and not (before and before[-1].startswith(("-", " "))):
        heading = [""]
    return before + heading + [line for entry in entries for line in entry.splitlines()] + ([""] + behind if behind else [])


def new_changelog(text, version, date, entries):
    """CHANGELOG.md with the section of this version: the unreleased one, if there is one, and the fragments.
    Second, this section alone."""
    sections = re.split(r"(?m)^(?=## )", text)
    if len(sections) > 1 and UNRELEASED in sections[1].split("\n", 1)[0]:
        section = sections.pop(1).splitlines()[1:]
    else:
        section = []
    for kind in KINDS:
        section = with_entries(section, kind, entries[kind])
    body = "\n".join(section).strip("\n")
    if not body:
        raise Refusal("there is no change to release: CHANGELOG.md has no unreleased section, and changes/ no file")
    sections.insert(1, f"## {version}, {date}\n\n{body}\n" + ("\n" if sections[1:] else ""))
    return "".join(sections), body


# The other files

def new_header(text, version, date):
    text = re.sub(r'SWQ_VERSION_DATE "[^"]*"', f'SWQ_VERSION_DATE "{date}"', text)
    return re.sub(PLACES[HEADER], f'SWQ_VERSION "{version}"', text)


def new_citation(text, version, date):
    text = re.sub(r"(?m)^date-released: .*\n", "", text)
    return re.sub(r"(?m)^version: .*$", f"version: {version}\ndate-released: {date}", text)


def new_debian(text, version, now):
    """debian/changelog with an entry for this version, in place of one that is unreleased."""
    entries = re.split(r"(?m)^(?=switchq \()", text)[1:]
    who = re.search(r"(?m)^ -- (.*>)  ", entries[0]).group(1)
    if "UNRELEASED" in entries[0].split("\n", 1)[0]:
        entries.pop(0)
    entries.insert(0, f"switchq ({version}-1) unstable; urgency=medium\n\n  * CHANGELOG.md says what is new.\n\n"
                      f" -- {who}  {email.utils.format_datetime(now)}\n" + ("\n" if entries else ""))
    return "".join(entries)


def plan(root, version, now):
    """The new texts of all files that change, the fragments that go, and the text of the tag."""
    date = now.strftime("%Y-%m-%d")
    entries, used = fragments(root)
    changelog, body = new_changelog(read(root, CHANGELOG), version, date, entries)
    texts = {HEADER: new_header(read(root, HEADER), version, date), CITATION: new_citation(read(root, CITATION), version, date),
             DEBIAN: new_debian(read(root, DEBIAN), version, now), CHANGELOG: changelog}
    return texts, used, f"switchq {version}\n\n{body}\n"


def show(root, texts, used, version, check):
    for name, text in texts.items():
        sys.stdout.writelines(difflib.unified_diff(read(root, name).splitlines(True), text.splitlines(True), name, name))
    for name in used:
        print(f"removed: {name}")
    print(f"dry run: nothing was written; a release would first run '{check}', and then commit and tag v{version}")


def write(root, texts, used, version, message):
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8")
    if used:
        run("git", "rm", "--quiet", *used, root=root)
    run("git", "add", *texts, root=root)
    run("git", "commit", "--quiet", "-m", f"Release {version}", root=root)
    subprocess.run(["git", "tag", "--annotate", "--cleanup=verbatim", "--file=-", f"v{version}"], cwd=root, input=message,
                   text=True, check=True)
    print(f"committed, and tagged v{version}; next: docs/releasing.md, 'After the tag'")


def run_check(root, command):
    # the version on make's command line is not for the make of the tests
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "VERSION"))}
    if subprocess.run(command, cwd=root, shell=True, env=environment, check=False).returncode:
        raise Refusal(f"'{command}' fails, so there is no release")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("version", metavar="VERSION")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--check", default="make check", metavar="COMMAND")
    asked = parser.parse_args()
    root = Path(__file__).resolve().parents[1]
    now = datetime.datetime.fromtimestamp(float(os.environ.get("SOURCE_DATE_EPOCH", 0)) or datetime.datetime.now().timestamp(),
                                          datetime.timezone.utc)
    try:
        check_version(root, asked.version)
        check_tree(root)
        texts, used, message = plan(root, asked.version, now)
        if asked.dry_run:
            show(root, texts, used, asked.version, asked.check)
            return 0
        run_check(root, asked.check)
        check_tree(root)
        write(root, texts, used, asked.version, message)
    except Refusal as refusal:
        print(f"release: {refusal}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
