# SPDX-License-Identifier: GPL-3.0-or-later
"""`make release` in a throw-away clone: what it writes, and when it refuses.

    python3 -m unittest discover -s tests/scripts
"""
import importlib.util
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ("Makefile", "scripts/release.py", "include/switchq/version.h", "CITATION.cff", "debian/changelog", "CHANGELOG.md")

spec = importlib.util.spec_from_file_location("release", ROOT / "scripts/release.py")
release = importlib.util.module_from_spec(spec)
spec.loader.exec_module(release)

AUTHOR = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
          for what, value in (("NAME", "A Tester"), ("EMAIL", "tester@switchq.example"))}
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "GIT_"))}


def entries(**texts):
    return {kind: texts.get(kind, []) for kind in release.KINDS}


class Texts(unittest.TestCase):
    def test_the_files_of_this_tree_agree_on_the_version(self):
        self.assertEqual(len(set(release.stated(ROOT).values())), 1, release.stated(ROOT))

    def test_this_tree_s_fragments_can_be_read(self):
        release.fragments(ROOT)

    def test_entries_go_behind_those_of_their_kind(self):
        old = "# Changes\n\n## 0.1.0, not released yet\n\nFirst.\n\n- a\n\nChanged, for users:\n\n- b\n\nFixed:\n\n- c\n"
        text, body = release.new_changelog(old, "0.2.0", "2026-12-01",
                                           entries(new=["- n"], changed=["- m\n  more"], fixed=["- f"]))
        self.assertEqual(text, "# Changes\n\n## 0.2.0, 2026-12-01\n\nFirst.\n\n- a\n- n\n\nChanged, for users:\n\n- b\n- m\n"
                               "  more\n\nFixed:\n\n- c\n- f\n")
        self.assertEqual(body, text.split("2026-12-01\n\n")[1].strip())

    def test_a_section_is_made_if_there_is_none(self):
        old = "# Changes\n\n## 0.2.0, 2026-12-01\n\n- a\n"
        text, _ = release.new_changelog(old, "0.2.1", "2026-12-02", entries(fixed=["- f"], new=["- n"]))
        self.assertEqual(text, "# Changes\n\n## 0.2.1, 2026-12-02\n\n- n\n\nFixed:\n\n- f\n\n## 0.2.0, 2026-12-01\n\n- a\n")

    def test_a_heading_is_made_before_later_kinds(self):
        old = "## 1.0.0, not released yet\n\n- a\n\nFixed:\n\n- c\n"
        text, _ = release.new_changelog(old, "1.0.0", "D", entries(changed=["- m"]))
        self.assertEqual(text, "## 1.0.0, D\n\n- a\n\nChanged:\n\n- m\n\nFixed:\n\n- c\n")

    def test_nothing_to_release_is_refused(self):
        with self.assertRaises(release.Refusal):
            release.new_changelog("# Changes\n\n## 0.2.0, 2026-12-01\n\n- a\n", "0.2.1", "D", entries())


@unittest.skipUnless((ROOT / ".git").exists() and shutil.which("git") and shutil.which("make"), "needs git and make")
class Clone(unittest.TestCase):
    """A clone with the files of the working tree, an old version and two fragments."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "clone"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-tags", ROOT, self.root], check=True)
        for name in FILES:
            shutil.copy(ROOT / name, self.root / name)
        (self.root / "changes/sim-jitter.new.md").write_text("`sim --jitter`: a new\nanswer.\n", encoding="utf-8")
        (self.root / "changes/crash.fixed.md").write_text("No more crash.\n", encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "Before")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, env={**ENVIRONMENT, **AUTHOR}, check=True,
                              stdout=subprocess.PIPE, text=True).stdout.strip()

    def make(self, *words, check="test -e Makefile"):
        return subprocess.run(["make", "--no-print-directory", "release", f"RELEASE_CHECK={check}", *words], cwd=self.root,
                              env={**ENVIRONMENT, **AUTHOR, "SOURCE_DATE_EPOCH": "1798761600"}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    def assert_untouched(self):
        self.assertEqual(self.git("log", "-1", "--format=%s"), "Before")
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("tag"), "")

    def assert_refused(self, done, words):
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stdout)
        self.assert_untouched()

    def test_a_release(self):
        done = self.make("VERSION=7.8.9")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(set(release.stated(self.root).values()), {"7.8.9"})
        self.assertEqual(self.git("log", "-1", "--format=%s"), "Release 7.8.9")
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("cat-file", "-t", "v7.8.9"), "tag", "annotated")
        changes = (self.root / "CHANGELOG.md").read_text(encoding="utf-8")
        self.assertIn("## 7.8.9, 2027-01-01\n", changes)
        self.assertIn("- `sim --jitter`: a new\n  answer.\n", changes)
        self.assertIn("- No more crash.", self.git("tag", "-l", "--format=%(contents)", "v7.8.9"))
        self.assertEqual(sorted(path.name for path in (self.root / "changes").iterdir()), ["README.md"])
        self.assertIn("date-released: 2027-01-01\n", (self.root / "CITATION.cff").read_text(encoding="utf-8"))
        debian = (self.root / "debian/changelog").read_text(encoding="utf-8")
        self.assertTrue(debian.startswith("switchq (7.8.9-1) unstable; urgency=medium\n"), debian)
        self.assertIn("  Fri, 01 Jan 2027 00:00:00 +0000\n", debian)
        again = self.make("VERSION=7.8.9")
        self.assertIn("the tag v7.8.9 exists", again.stdout)

    def test_a_dry_run_shows_all_and_changes_nothing(self):
        done = self.make("VERSION=7.8.9", "DRY=1", check="false")
        self.assertEqual(done.returncode, 0, done.stdout)
        for words in ('+#define SWQ_VERSION "7.8.9"', "+version: 7.8.9", "+- No more crash.", "removed: changes/crash.fixed.md"):
            self.assertIn(words, done.stdout)
        self.assert_untouched()

    def test_what_is_refused(self):
        self.assert_refused(self.make(), "VERSION=0.2.0, for example, says which")
        self.assert_refused(self.make("VERSION=7.8"), "three numbers")
        self.assert_refused(self.make("VERSION=0.0.1"), "must not be before")
        self.assert_refused(self.make("VERSION=7.8.9", check="false"), "'false' fails")

    def test_a_tree_that_is_not_clean_is_refused(self):
        (self.root / "extra").write_text("", encoding="utf-8")
        done = self.make("VERSION=7.8.9")
        self.assertIn("must be clean", done.stdout)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.git("tag"), "")

    def test_a_fragment_with_a_wrong_name_is_refused(self):
        self.git("mv", "changes/crash.fixed.md", "changes/crash.mended.md")
        self.git("commit", "--quiet", "-m", "Before")
        self.assert_refused(self.make("VERSION=7.8.9"), "changes/crash.mended.md: the name must be")


if __name__ == "__main__":
    unittest.main()
