# SPDX-License-Identifier: GPL-3.0-or-later
"""The public headers: each compiles alone, as C and as C++, and what they declare is what the shared
libraries show, no more and no less.

    SWITCHQ_BUILD=build python3 -m unittest discover -s tests/headers
"""

import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["SWITCHQ_BUILD"]).resolve()
HEADERS = sorted((ROOT / "include/switchq").glob("*.h"))
CC = shlex.split(os.environ.get("CC", "cc"))
CXX = shlex.split(os.environ.get("CXX", "c++"))
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{ROOT / 'include'}"]


def statements(text):
    """What stands between semicolons outside of all braces but those of extern "C"."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^#ifdef __cplusplus$.*?^#endif$", "", text, flags=re.S | re.M)
    text = re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)
    before = None
    while before != text:
        # a function's body ends its statement, a type's does not
        before, text = text, re.sub(r"(\))?(\s*)\{[^{}]*\}", lambda m: ");" if m[1] else " ", text)
    return [" ".join(s.split()) for s in text.split(";")]


def declared(header):
    """Names of the functions and the data that a header declares."""
    names = set()
    for statement in statements(header.read_text(encoding="utf-8")):
        function = re.match(r"[\w\s*]*?(\w+)\s*\(", statement)
        if re.match(r"(typedef|static)\b", statement):
            continue
        if statement.startswith("extern "):
            names.update(re.findall(r"(\w+)(?:\[\w*\])?(?:,|$)", statement))
        elif function:
            names.add(function[1])
    return names


def shown(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", BUILD / library], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


class Headers(unittest.TestCase):
    def test_there_are_headers_and_the_parser_reads_them(self):
        self.assertGreater(len(HEADERS), 25)
        names = declared(ROOT / "include/switchq/async.h")
        self.assertLess({"swq_async_defaults", "swq_hop_flows", "swq_flow_maximum_usage"}, names)
        self.assertNotIn("started", names)
        self.assertNotIn("swq_csr_nnz", declared(ROOT / "include/switchq/csr.h"))

    def test_each_compiles_alone(self):
        for header in HEADERS:
            for compiler, language, standard in ((CC, "c", "c11"), (CXX, "c++", "c++17")):
                with self.subTest(header=header.name, language=language):
                    done = subprocess.run(
                        [*compiler, *STRICT, f"-std={standard}", "-fsyntax-only", "-x", language, "-"],
                        input=f'#include "switchq/{header.name}"\nint more(void);\n', text=True, stderr=subprocess.PIPE)
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_cpp_program_runs_on_the_shared_library(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "discard"
            subprocess.run([*CXX, *STRICT, "-std=c++17", Path(__file__).with_name("discard.cpp"),
                            f"-L{BUILD}", f"-Wl,-rpath,{BUILD}", "-lswitchq", "-o", program], check=True)
            printed = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
            self.assertEqual(printed, f"{81 / 382:.12f}\n")


class Libraries(unittest.TestCase):
    """ask.h is the header of a library of its own."""

    def test_the_library_shows_what_the_headers_declare(self):
        public = set().union(*(declared(h) for h in HEADERS if h.name != "ask.h"))
        self.assertEqual(public - shown("libswitchq.so"), set(), "declared, but not shown")
        self.assertEqual(shown("libswitchq.so") - public, set(), "shown, but not declared")

    def test_the_command_line_for_other_languages(self):
        live = {name for name in declared(ROOT / "include/switchq/live.h") if name.startswith("swq_live_")}
        self.assertEqual(shown("libswitchq-ask.so"), declared(ROOT / "include/switchq/ask.h") | live)


if __name__ == "__main__":
    unittest.main()
