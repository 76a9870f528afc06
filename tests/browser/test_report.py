#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report's page in a browser without a screen: what moves, what is told, what fits.

usage: test_report.py SWITCHQ [SCREENSHOTS]

SWITCHQ is the program; screenshots are left in the folder SCREENSHOTS if it is given. Needs
chromium, chromium-driver and python3-selenium of Debian.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROGRAM = None
SHOTS = None
FOLDER = None
BLOCKS = "explorer,table-4.1,table-4.4,figure-4.1,figure-6.2,figure-6.10"

# What `switchq validate --json` prints, in small: the page must cope with every outcome.
CHECKS = {
    "schema": "switchq/validate/1",
    "effort": "quick",
    "families": [
        {
            "name": "chain-simulator", "title": "Chain against <simulator>", "legs": "chain; simulator",
            "criterion": "p-value",
            "checks": [
                {"name": "chain-simulator/buffer=damq", "claim": "they lose the same", "level": "STAT",
                 "outcome": "pass", "left": 0.1, "right": 0.11, "off": 1, "allowed": 3, "p": 0.4,
                 "text": "", "seconds": 1},
                {"name": "chain-simulator/buffer=fifo", "claim": "they lose the same", "level": "STAT",
                 "outcome": "fail", "left": 0.1, "right": 0.2, "off": 9, "allowed": 3, "p": 1e-9,
                 "text": "why & how", "seconds": 1},
            ],
        },
        {
            "name": "table", "title": "Tables", "legs": "chain; print", "criterion": "digits",
            "checks": [
                {"name": "table/cell=1", "claim": "cell 1 is the printed one", "level": "TABLE",
                 "outcome": "known", "left": 1, "right": 2, "off": None, "allowed": None, "p": None,
                 "text": "a misprint", "seconds": 0},
            ],
        },
    ],
    "summary": {},
}


def make_report():
    """A small report, with made-up checks put among its answers."""
    subprocess.run([PROGRAM, "report", "-o", FOLDER, "--only", BLOCKS], stdout=subprocess.DEVNULL,
                   check=True)
    answers = os.path.join(FOLDER, "answers")
    with open(os.path.join(answers, "table-4.1.json"), encoding="utf-8") as file:
        record = json.load(file)
    record.update(command="switchq validate --quick", status=1, answer=CHECKS)
    with open(os.path.join(answers, "checks.json"), "w", encoding="utf-8") as file:
        json.dump(record, file)
    subprocess.run([PROGRAM, "report", "-o", FOLDER, "--only", "explorer"],
                   stdout=subprocess.DEVNULL, check=True)


def browser(width, height, dark=False):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1,
                            "mobile": width < 600})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "prefers-reduced-motion", "value": "reduce"}]})
    driver.get("file://" + os.path.join(FOLDER, "index.html"))
    return driver


class Page(unittest.TestCase):
    width, height, dark = 1440, 1000, False

    @classmethod
    def setUpClass(cls):
        cls.driver = browser(cls.width, cls.height, cls.dark)

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()

    def setUp(self):
        self.js("localStorage.clear()")
        self.driver.get(self.driver.current_url.split("#")[0])

    def tearDown(self):
        worst = [line for line in self.driver.get_log("browser")
                 if line["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(worst, [], "the console is quiet")

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def js(self, script, *arguments):
        return self.driver.execute_script("return " + script, *arguments)

    def go_to(self, selector):
        self.driver.execute_script("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})",
                                   selector)
        time.sleep(0.2)

    def fills(self, network=0):
        return self.js("[...document.querySelectorAll('.network')[arguments[0]]"
                       ".querySelectorAll('.cell')].map(c => getComputedStyle(c).fill)", network)

    def tip(self):
        box = self.one(".tip")
        return box.text if box.is_displayed() else ""

    def clock(self):
        return self.js("document.querySelector('.time b').textContent")

    def shot(self, name):
        if SHOTS:
            self.driver.save_screenshot(os.path.join(SHOTS, name + ".png"))


class Desk(Page):
    def test_nothing_is_fetched_and_nothing_is_wide(self):
        self.assertEqual(self.js("performance.getEntriesByType('resource').filter("
                                 "e => !e.name.startsWith('data:')).length"), 0)
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), self.width)
        self.shot("desk")

    def test_what_is_linked_to_is_there_once(self):
        names = self.js("[...document.querySelectorAll('[id]')].map(e => e.id)")
        self.assertEqual(sorted(names), sorted(set(names)))
        for link in self.js("[...document.querySelectorAll('a[href^=\"#\"]')].map(e => e.hash.slice(1))"):
            self.assertIn(link, names)

    def test_the_slider_moves_time_and_colours(self):
        self.go_to(".controls")
        slider = self.one(".track input")
        self.assertEqual(len(self.all(".network")), 5)
        self.assertEqual(len(self.fills(0)), 192)
        self.assertEqual(len(self.fills(4)), 48)
        before, fills = self.clock(), self.fills()
        slider.send_keys(Keys.HOME)
        self.assertNotEqual(self.clock(), before)
        self.assertIn("uniform traffic", self.one(".time").text)
        self.assertNotEqual(self.fills(), fills)
        first = self.clock()
        slider.send_keys(Keys.ARROW_RIGHT)
        self.assertNotEqual(self.clock(), first)
        ActionChains(self.driver).click(slider).perform()
        self.assertIn(slider.get_attribute("aria-valuetext").split(",")[0], self.one(".time").text)
        self.go_to(".networks")
        self.shot("explorer")

    def test_it_plays_and_pauses(self):
        self.go_to(".controls")
        play = self.one(".play")
        before = self.clock()
        play.click()
        time.sleep(0.6)
        play.click()
        stopped = self.clock()
        self.assertNotEqual(stopped, before)
        time.sleep(0.3)
        self.assertEqual(self.clock(), stopped)

    def test_colours_can_be_of_the_hot_packets_alone(self):
        fills = self.fills(3)
        self.driver.execute_script("document.querySelectorAll('.choice input')[1].click()")
        self.assertNotEqual(self.fills(3), fills)

    def test_a_buffer_tells_what_it_holds(self):
        self.go_to(".networks")
        cell = self.all(".network")[3].find_elements(By.CSS_SELECTOR, ".cell")[64]
        ActionChains(self.driver).move_to_element(cell).perform()
        self.assertIn("DAMQ, stage 2, switch 0, port 0", self.tip())
        self.assertRegex(self.tip(), r"\d of 4 slots hold packets")
        self.js("document.querySelectorAll('.network svg')[0].focus()")
        self.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        self.assertIn("FIFO, stage 1, switch 0, port 0", self.tip())

    def test_the_plots_over_time_follow(self):
        self.go_to(".histories")
        plot = self.one(".histories .plot")
        ActionChains(self.driver).move_to_element(plot).perform()
        self.assertIn("DAMQ", self.tip())
        before = self.clock()
        ActionChains(self.driver).move_to_element_with_offset(plot, 100, 0).click().perform()
        self.assertNotEqual(self.clock(), before)

    def test_a_plot_tells_values(self):
        self.go_to("#figure-4\\.1 .plot")
        plot = self.one("#figure-4\\.1 .plot")
        at = self.one("#figure-4\\.1 .mark").rect
        ActionChains(self.driver).move_to_element_with_offset(
            plot, at["x"] - plot.rect["x"] - plot.rect["width"] / 2,
            at["y"] - plot.rect["y"] - plot.rect["height"] / 2).perform()
        self.assertRegex(self.tip(), r"mean latency \(cycles\): 3\.\d+")
        self.assertIn("throughput: 0.1", self.tip())
        self.shot("figure")
        self.js("document.querySelector('#figure-4\\\\.1 .plot').focus()")
        told = [self.tip()]
        for key in (Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN):
            self.driver.switch_to.active_element.send_keys(key)
            told.append(self.tip())
        self.assertEqual(len(set(told)), len(told), told)

    def test_a_curve_can_be_left_out(self):
        curves = len(self.all("#figure-4\\.1 .series"))
        self.go_to("#figure-4\\.1 .keys")
        self.one("#figure-4\\.1 .keys button").click()
        self.assertEqual(len(self.all("#figure-4\\.1 .series")), curves - 1)

    def test_a_cell_of_a_table_tells_more(self):
        self.go_to("#table-4\\.1 td b")
        ActionChains(self.driver).move_to_element(self.one("#table-4\\.1 td b")).perform()
        self.assertIn("1.724137931% exactly", self.tip())
        self.shot("table")

    def test_the_theme_can_be_chosen(self):
        def ground():
            return self.js("getComputedStyle(document.body).backgroundColor")
        light = ground()
        button = self.one(".theme")
        self.assertEqual(button.text, "Theme: auto")
        button.click()
        self.assertEqual((button.text, ground()), ("Theme: light", light))
        button.click()
        self.assertEqual(button.text, "Theme: dark")
        dark = ground()
        self.assertNotEqual(dark, light)
        self.driver.refresh()
        self.assertEqual(ground(), dark, "it is remembered")
        self.one(".theme").click()
        self.assertEqual(ground(), light)

    def test_checks_can_be_filtered(self):
        def shown():
            return sum(row.is_displayed() for row in self.all(".checks tbody tr"))
        self.go_to(".filters")
        self.assertIn("3 checks", self.one(".filters output").text)
        self.one(".filters input").send_keys("fifo")
        self.assertEqual(shown(), 1)
        self.assertIn("why & how", self.one("#checks").text)
        self.one(".filters input").clear()
        self.one(".filters select[name=outcome]").send_keys("known")
        self.assertEqual(shown(), 1)
        self.assertIn("1 of 3", self.one(".filters output").text)
        self.one(".filters select[name=level]").send_keys("STAT")
        self.assertEqual(shown(), 0)
        self.shot("checks")

    def test_a_command_can_be_copied(self):
        self.go_to("#table-4\\.1 .copy")
        self.one("#table-4\\.1 .copy").click()
        time.sleep(0.2)
        self.assertEqual(self.one("#table-4\\.1 .copy").text, "Copied")
        self.assertEqual(self.one("#table-4\\.1 .command").text, "switchq table 4.1")

    def test_it_prints(self):
        pdf = base64.b64decode(self.driver.execute_cdp_cmd(
            "Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})["data"])
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreater(len(pdf), 50000)
        if SHOTS:
            with open(os.path.join(SHOTS, "page.pdf"), "wb") as file:
                file.write(pdf)

    def test_everything_can_be_read_without_scripts(self):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.driver.refresh()
        text = self.one("#table-4\\.1").text
        self.assertIn("24.624", text)
        self.assertIn("24.6", text)
        self.assertIn("Data of the plot", self.one("#figure-4\\.1").text)
        self.assertFalse(self.one(".filters").is_displayed())
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


class Dark(Page):
    dark = True

    def test_it_is_dark_where_the_system_is(self):
        self.assertEqual(self.js("getComputedStyle(document.body).backgroundColor"),
                         "rgb(18, 20, 23)")
        self.go_to(".networks")
        self.shot("dark")


class Telephone(Page):
    width, height = 320, 640

    def test_it_fits(self):
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 320)
        table = self.one("#table-4\\.1 .scroll")
        self.assertGreater(self.js("arguments[0].scrollWidth", table),
                           self.js("arguments[0].clientWidth", table))
        self.go_to(".networks")
        self.shot("telephone")

    def test_a_tap_tells_values(self):
        self.go_to("#figure-4\\.1 .plot")
        at = self.one("#figure-4\\.1 .plot").rect
        top = self.js("window.scrollY")
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": "touchStart",
            "touchPoints": [{"x": at["x"] + 150, "y": at["y"] - top + 150}]})
        self.assertIn("mean latency", self.tip())
        self.assertLessEqual(self.js("document.documentElement.scrollWidth"), 320)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    SHOTS = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    if SHOTS:
        os.makedirs(SHOTS, exist_ok=True)
    with tempfile.TemporaryDirectory() as FOLDER:
        make_report()
        unittest.main(argv=sys.argv[:1], verbosity=2)
