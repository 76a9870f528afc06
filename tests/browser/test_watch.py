#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of sim --watch in a browser without a screen: what moves, what is told, what fits.

usage: test_watch.py SWITCHQ [SCREENSHOTS]
"""
import os
import subprocess
import sys
import tempfile
import time
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import test_report
from test_report import Page

RUNS = {
    "omega": "--buffer damq --slots 4 --flow block --load 0.5 --traffic hotspot:0.1 --warmup 0 --cycles 400",
    "mesh": "--topology mesh --dims 4x4 --buffer damq --load 0.3 --cycles 3000",
    "tree": "--topology fat-tree --radix 4 --levels 2 --buffer damq --load 0.3 --cycles 500",
    "pair": "--topology tree --arity 4,4 --management recn,recn-enhanced --cycles 8000 "
            "--group mask=3,value=0,from=2000,traffic=node:5,load=1 --group mask=0,load=0.2",
}


class Film(Page):
    name = "omega"

    def setUp(self):
        folder = os.path.dirname(self.driver.current_url)
        self.driver.get(f"{folder}/{self.name}.html")
        self.js("localStorage.clear()")

    def show(self, name):
        self.driver.get(f"{os.path.dirname(self.driver.current_url)}/{name}.html")

    def to_end(self):
        self.one(".track input").send_keys(Keys.END)


class Desk(Film):
    def test_nothing_is_fetched_and_nothing_is_wide(self):
        for name in RUNS:
            self.show(name)
            self.assertEqual(self.js("performance.getEntriesByType('resource').filter("
                                     "e => !e.name.startsWith('data:')).length"), 0)
            self.assertLessEqual(self.js("document.documentElement.scrollWidth"), self.width)
            self.shot("watch-" + name)

    def test_the_slider_moves_time_and_colours(self):
        slider = self.one(".track input")
        self.assertEqual(len(self.fills()), 192)
        self.assertEqual(self.clock(), "cycle 1")
        first = self.fills()
        slider.send_keys(Keys.END)
        self.assertEqual(self.clock(), "cycle 400")
        self.assertNotEqual(self.fills(), first)
        slider.send_keys(Keys.HOME)
        self.assertEqual(self.clock(), "cycle 1")
        slider.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.clock(), "cycle 2")

    def test_it_plays_from_the_beginning_and_pauses(self):
        play = self.one(".play")
        play.click()
        time.sleep(0.5)
        play.click()
        stopped = self.clock()
        self.assertNotIn(stopped, ("cycle 400", "cycle 1"))
        time.sleep(0.3)
        self.assertEqual(self.clock(), stopped)

    def test_packets_to_the_hot_spot_can_be_shown_alone(self):
        self.to_end()
        fills = self.fills()
        self.driver.execute_script("document.querySelectorAll('.choice input')[1].click()")
        self.assertNotEqual(self.fills(), fills)
        self.assertGreater(self.js("document.querySelectorAll('.link.busy').length"), 5)

    def test_a_buffer_tells_what_it_holds(self):
        cell = self.all(".cell")[64]
        ActionChains(self.driver).move_to_element(cell).perform()
        self.assertIn("DAMQ, stage 2, switch 0, port 0", self.tip())
        self.assertRegex(self.tip(), r"\d of 4 slots hold packets")
        self.assertRegex(self.tip(), r"\d of them to node 0")

    def test_runs_are_side_by_side_with_their_set_aside_queues(self):
        self.show("pair")
        self.to_end()
        self.assertEqual([h.text for h in self.all(".network h4")], ["RECN", "RECN-ENHANCED"])
        self.assertGreater(self.js("document.querySelectorAll('.cell.aside').length"), 4)
        self.one(".track input").send_keys(Keys.HOME)
        self.assertEqual(self.js("document.querySelectorAll('.cell.aside').length"), 0)

    def test_the_keyboard_goes_from_buffer_to_buffer(self):
        self.show("mesh")
        self.js("document.querySelector('.network svg').focus()")
        told = []
        for key in (Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP):
            self.driver.switch_to.active_element.send_keys(key)
            told.append(self.tip())
        self.assertRegex(told[0], r"DAMQ, \(0,0\).*\n\d+ of 16 blocks are taken")
        self.assertEqual(len(set(told)), 4, told)


class Telephone(Film):
    width, height = 320, 640

    def test_it_fits_and_a_tap_tells_values(self):
        for name in RUNS:
            self.show(name)
            self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 320)
            self.go_to(".cell")
            at = self.js("(r => [r.x + r.width / 2, r.y + r.height / 2])"
                         "(document.querySelector('.cell').getBoundingClientRect())")
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": "touchStart", "touchPoints": [{"x": at[0] + 1, "y": at[1] + 1}]})
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": "touchEnd", "touchPoints": []})
            self.assertIn("RECN, " if name == "pair" else "DAMQ, ", self.tip(), name)
            self.shot("watch-telephone-" + name)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    test_report.SHOTS = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as folder:
        test_report.FOLDER = folder
        for name, words in RUNS.items():
            subprocess.run([PROGRAM, "sim", *words.split(), "--watch",
                            os.path.join(folder, name + ".html")], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
            file.write("<!DOCTYPE html><title>none</title><link rel=icon href='data:,'>")
        unittest.main(argv=sys.argv[:1], verbosity=2)
