#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every page that the program writes, in a browser without a screen, from a telephone's width to a
wide desk's: nothing is cut, nothing is tiny, and the width is used.

usage: test_sizes.py SWITCHQ [SCREENSHOTS [SITE]]

Pages: compare --page, sim --watch (one run, two runs, a deadlock), report with its explorer, and, if its
folder is given, the site.
"""
import os
import subprocess
import sys
import tempfile
import unittest

import test_report
from test_report import Page

WIDTHS = (390, 768, 1280, 1920)
RUNS = {
    "watch-omega": "sim --buffer damq --slots 4 --flow block --load 0.5 --traffic hotspot:0.1 --warmup 0 --cycles 400 --watch {}",
    "watch-pair": "sim --buffer fifo,damq --slots 4 --flow block --load 0.4 --warmup 0 --cycles 400 --watch {}",
    "watch-mesh": "sim --topology mesh --dims 4x4 --buffer damq --load 0.3 --cycles 3000 --watch {}",
    "watch-deadlock": "sim --topology torus --dims 8x8 --one-way --buffer fifo --bytes 32 --load 1 --cycles 20000 --watch {}",
}
STUDY = """set: {ports: 4, stages: 3, slots: 4, sources: open, flow: block, cycles: 400, warmup: 100}
contestants:
  FIFO: {buffer: fifo}
  SAMQ: {buffer: samq}
  DAMQ: {buffer: damq}
  DAMQ-with-a-longer-name: {buffer: damq, arbiter: longest}
scenarios:
  uniform 0.2: {load: 0.2}
  uniform 0.35: {load: 0.35}
  uniform 0.4: {load: 0.4}
  hot spot: {load: 0.2, traffic: "hotspot:0.03"}
  bursts: {load: 0.3, burst: 4}
repeats: 6
seed: 1
measure: latency
"""
SITE_PAGES = ("index.html", "docs/compare.html", "docs/keys.html", "docs/defaults.html", "docs/simulation.html")

# Boxes that are cut: they reach beyond the window or beyond a box that hides what overflows, and none
# of the boxes around them can be scrolled.
CUT = """
const width = document.documentElement.clientWidth, cut = [];
const scrolls = node => { for (let n = node; n && n !== document.body; n = n.parentElement) {
  const style = getComputedStyle(n);
  if (['auto', 'scroll'].includes(style.overflowX) && n.scrollWidth > n.clientWidth) return true;
  if (style.position === 'absolute' && parseFloat(style.left) < -100) return true; /* for screen readers */
} return false; };
if (document.documentElement.scrollWidth > width) cut.push('the page is ' + document.documentElement.scrollWidth);
for (const node of document.querySelectorAll('main *, .content *')) {
  const box = node.getBoundingClientRect();
  if (!box.width || !box.height || getComputedStyle(node).visibility === 'hidden') continue;
  if (node.closest('defs, clipPath, .tip, .skip, .sidebar-drawer, .toc-drawer, [clip-path]')) continue;
  if ((box.right > width + 1 || box.left < -1) && !scrolls(node))
    cut.push(`${node.tagName}.${node.getAttribute('class')} ${Math.round(box.left)}..${Math.round(box.right)} ${node.textContent.slice(0, 30)}`);
  const style = getComputedStyle(node);
  if (style.overflowX === 'hidden' && node.scrollWidth > node.clientWidth + 1 && style.textOverflow !== 'ellipsis' && node.textContent.trim()
      && !node.matches('.band, caption, code *'))
    cut.push(`hidden: ${node.tagName}.${node.getAttribute('class')} ${node.textContent.slice(0, 30)}`);
}
return [...new Set(cut)].slice(0, 8);
"""
# Text smaller than 8 pixels, and pictures that are a small part of the room that they have.
TINY = """
const tiny = [], column = (document.querySelector('main') || document.querySelector('.content')).clientWidth;
for (const text of document.querySelectorAll('main text, main td, main p, main li, main th, .content td, .content p, .content li')) {
  const box = text.getBoundingClientRect();
  if (!box.width || !text.textContent.trim() || text.closest('.tip, .skip, caption, sup')) continue;
  let size = parseFloat(getComputedStyle(text).fontSize);
  const svg = text.closest('svg');
  if (svg && svg.viewBox.baseVal.width) size *= svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  if (size < 8) tiny.push(`text of ${size.toFixed(1)}: ${text.textContent.slice(0, 30)}`);
}
for (const svg of document.querySelectorAll('main figure svg, main .network svg, main figure img')) {
  const box = svg.getBoundingClientRect();
  if (!box.width || svg.closest('.keys, button')) continue;
  const least = svg.closest('.networks') ? 130 : Math.min(280, column - 60);
  if (box.width < least) tiny.push(`picture of ${Math.round(box.width)} of ${column}`);
}
return [...new Set(tiny)].slice(0, 8);
"""


class Sizes(Page):
    """Each page at each width."""

    def setUp(self):
        self.folder = "file://" + test_report.FOLDER

    def open(self, page, width):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.get(page if "://" in page else f"{self.folder}/{page}")
        self.driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")

    def look(self, name, page):
        for width in WIDTHS:
            with self.subTest(page=name, width=width):
                self.open(page, width)
                self.shot(f"{name}-{width}")
                self.assertEqual(self.driver.execute_script(CUT), [], "cut")
                self.assertEqual(self.driver.execute_script(TINY), [], "tiny")

    def test_comparison(self):
        self.look("compare", "compare.html")
        for width in WIDTHS:
            self.open("compare.html", width)
            plot, room = self.driver.execute_script("const s = document.querySelector('figure svg').getBoundingClientRect();"
                                 "return [s.width, document.querySelector('main').clientWidth]")
            self.assertGreater(plot, 0.7 * min(room, 900), width)

    def test_films(self):
        for name in RUNS:
            self.look(name, name + ".html")

    def test_a_film_fills_its_page(self):
        for name in RUNS:
            for width in (1280, 1920):
                self.open(name + ".html", width)
                used, room = self.driver.execute_script(
                    "const all = [...document.querySelectorAll('.network svg, .histories svg')].map("
                    "s => s.getBoundingClientRect()).filter(b => b.top < innerHeight);"
                    "return [Math.max(...all.map(b => b.right)) - Math.min(...all.map(b => b.left)),"
                    "document.querySelector('.explorer').clientWidth]")
                self.assertGreater(used, 0.9 * room, f"{name} at {width}")

    def test_a_film_begins_at_its_beginning(self):
        for name in RUNS:
            self.open(name + ".html", 1280)
            self.assertEqual(self.js("document.querySelector('.track input').value"), "0", name)

    def test_a_deadlock_is_called_one(self):
        self.open("watch-deadlock.html", 1280)
        self.assertIn("deadlock", self.one("main").text.lower())
        self.driver.execute_script("const s = document.querySelector('.track input'); s.value = s.max; s.dispatchEvent(new Event('input'))")
        self.assertIn("deadlock", self.one(".time").text)

    def test_report(self):
        self.look("report", "report/index.html")

    def test_site(self):
        if not SITE:
            self.skipTest("no site given")
        for page in SITE_PAGES:
            self.look("site-" + page.replace("/", "-")[:-5], f"file://{SITE}/{page}")


if __name__ == "__main__":
    PROGRAM = test_report.PROGRAM = os.path.abspath(sys.argv[1])
    test_report.SHOTS = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] else None
    SITE = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
    if test_report.SHOTS:
        os.makedirs(test_report.SHOTS, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        test_report.FOLDER = folder

        def ask(words, status):
            done = subprocess.run([PROGRAM, *words.split()], cwd=folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, check=False)
            if done.returncode not in status:
                sys.exit(f"{words}: {done.stderr.decode()}")

        for name, words in RUNS.items():
            ask(words.format(name + ".html"), (0, 1))
        with open(os.path.join(folder, "study.yaml"), "w", encoding="utf-8") as file:
            file.write(STUDY)
        ask("compare study.yaml --threads 2 --page compare.html", (0, 1))
        ask("report --quick --no-validate --only explorer,table-4.1,figure-4.1 -o report", (0, 1))
        with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
            file.write("<!DOCTYPE html><title>none</title><link rel=icon href='data:,'>")
        unittest.main(argv=sys.argv[:1], verbosity=2)
