#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The live network, opened from its file in a browser without a screen.

usage: test_live.py BUILD/web [SCREENSHOTS]

Needs chromium, chromium-driver and python3-selenium of Debian.
"""
import os
import sys
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

WEB = None
SHOTS = None


class Page(unittest.TestCase):
    width, height = 1280, 1000

    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        cls.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": cls.width, "height": cls.height, "deviceScaleFactor": 1, "mobile": cls.width < 600})

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()

    def setUp(self):
        self.driver.get("file://" + os.path.join(WEB, "index.html"))
        self.until(lambda: self.all(".network"), "the engine is there")

    def tearDown(self):
        worst = [line["message"] for line in self.driver.get_log("browser")
                 if line["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(worst, [], "the console is quiet")

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, done, what):
        end = time.monotonic() + 30
        while not done():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def drag(self, name, value):
        """Go to a value with the arrow keys, as a person without a mouse does."""
        slider = self.all("input[name=%s]" % name)[0]
        for _ in range(120):
            now = float(slider.get_attribute("value"))
            if abs(now - value) < 0.005:
                return
            slider.send_keys(Keys.ARROW_RIGHT if now < value else Keys.ARROW_LEFT)
        self.fail("%s does not reach %g" % (name, value))

    def click(self, selector):
        """In the middle of the window, where nothing that stays at its border covers it."""
        button = self.all(selector)[0]
        self.js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
        time.sleep(0.1)
        button.click()

    def go_on(self, cycles):
        self.js("page.live.advance(arguments[0])", cycles)

    def told(self, network):
        return float(self.all(".network .now b")[3 * network].text)

    def occupied(self, network):
        return int(self.all(".network .now b")[3 * network + 2].text.rstrip("%"))

    def full(self, stage, network):
        """Buffers of a stage that are drawn as full."""
        return self.js("return [...document.querySelectorAll('.network')[arguments[1]].querySelectorAll('.cell')]"
                       ".slice(64 * arguments[0], 64 * arguments[0] + 64).filter(c => c.style.fill === 'var(--f4)').length",
                       stage, network)

    def cycle(self):
        return int(self.js("return document.querySelector('.time b').textContent").split()[1])

    def shot(self, name):
        if SHOTS:
            self.driver.save_screenshot(os.path.join(SHOTS, "live-%s-%d.png" % (name, self.width)))


class Desk(Page):
    def test_it_fits_and_fetches_nothing(self):
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), self.width)
        loaded = self.js("return performance.getEntriesByType('resource').map(e => e.name)")
        self.assertEqual([name for name in loaded if not name.startswith(("file:", "data:"))], [])

    def test_throughput_follows_the_load(self):
        self.drag("load", 0.3)
        self.go_on(600)
        self.assertAlmostEqual(self.told(0), 0.3, delta=0.06)
        self.assertAlmostEqual(self.told(1), 0.3, delta=0.06)
        self.drag("load", 0.9)
        self.go_on(600)
        fifo, damq = self.told(0), self.told(1)
        self.assertLess(fifo, 0.65, "FIFO is saturated by head-of-line blocking")
        self.assertGreater(fifo, 0.35)
        self.assertGreater(damq, fifo)
        self.assertGreater(self.occupied(0), 40, "its buffers are")
        self.assertEqual(self.js("return page.live.runs[0].past.throughput.length"), 60)
        self.shot("saturated")

    def test_a_tree_saturates_and_decays(self):
        self.drag("load", 0.35)
        self.go_on(400)
        before = [self.full(stage, 1) for stage in range(3)]
        self.drag("hot", 0.1)
        self.assertIn("no more than", self.all(".offered")[0].text)
        self.go_on(600)
        after = [self.full(stage, 1) for stage in range(3)]
        self.assertGreater(after[0], before[0] + 20, "the tree has reached the sources")
        self.assertGreater(len(self.all(".network .link.busy")), 20)
        self.assertLess(self.told(1), 0.22, "what node 0 holds up, others wait for")
        self.shot("tree")
        self.drag("hot", 0)
        self.go_on(2000)
        self.assertLess(self.full(0, 1), 10, "the tree is gone")
        self.assertAlmostEqual(self.told(1), 0.35, delta=0.07)

    def test_the_switch_is_solved_as_one_drags(self):
        def loss():
            return [row.text.split()[1] for row in self.all(".exact tbody tr")]
        self.js("const flow = document.querySelector('select[name=flow]'); flow.value = 'discard';"
                "flow.dispatchEvent(new Event('input', {bubbles: true}))")
        self.drag("load", 0.9)
        self.assertEqual(loss(), ["16.78%", "3.364%"])  # switchq solve --slots 4 --load 0.9
        at_nine = loss()
        self.drag("load", 0.85)
        self.assertNotEqual(loss(), at_nine)

    def test_it_plays_pauses_steps_and_empties(self):
        self.click(".play")
        self.until(lambda: self.cycle() > 5, "time goes on")
        self.click(".play")
        stopped = self.cycle()
        time.sleep(0.3)
        self.assertEqual(self.cycle(), stopped)
        self.click(".step")
        self.assertEqual(self.cycle(), stopped + 1)
        self.click(".empty")
        self.assertEqual(self.cycle(), 0)
        self.assertEqual(sum(self.full(stage, 0) for stage in range(3)), 0)

    def test_all_buffers_side_by_side(self):
        for box in self.all(".buffers input"):
            if not box.is_selected():
                box.click()
        self.assertEqual(len(self.all(".network")), 6)
        self.drag("hot", 0.05)
        self.go_on(400)
        self.assertEqual([len(network.find_elements(By.CSS_SELECTOR, ".cell")) for network in self.all(".network")],
                         [192, 192, 192, 192, 192, 48])
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), self.width)
        self.shot("all")

    def test_measured(self):
        self.click(".go")
        rows = [row.text for row in self.all(".measure tbody tr")]
        self.assertEqual(len(rows), 2)
        self.assertRegex(rows[0], r"^FIFO 0\.\d+ ± \d\S* \d+\.\d+ ± \S+ – switchq sim --buffer fifo")


class Telephone(Page):
    width, height = 390, 844

    def test_it_fits(self):
        self.go_on(200)
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), self.width)
        self.shot("telephone")
        self.click(".go")
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), self.width)


def load_tests(loader, _tests, _pattern):
    """Page has what a desk and a telephone share, and is neither."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (Desk, Telephone))


if __name__ == "__main__":
    WEB = os.path.abspath(sys.argv[1])
    SHOTS = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    if SHOTS:
        os.makedirs(SHOTS, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=2)
