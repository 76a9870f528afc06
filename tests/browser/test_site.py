#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The site, opened from its files in a browser without a screen: links, width, menu and search.

usage: test_site.py SITE [SCREENSHOTS]

SITE is the folder that `make site` has written; screenshots are left in the folder SCREENSHOTS if
it is given. Needs chromium, chromium-driver and python3-selenium of Debian.
"""
import html.parser
import os
import sys
import time
import unittest
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

SITE = None
SHOTS = None


class Links(html.parser.HTMLParser):
    """What a page leads to, what it loads, and the anchors that it has."""

    def __init__(self, path):
        super().__init__()
        self.targets, self.loads, self.anchors = [], [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        for name in ("id", "name"):
            if attrs.get(name):
                self.anchors.add(attrs[name])
        if tag == "a" and attrs.get("href"):
            self.targets.append(attrs["href"])
        elif tag == "link" and attrs.get("rel") in ("stylesheet", "icon"):
            self.loads.append(attrs["href"])
        elif attrs.get("src"):
            self.loads.append(attrs["src"])


def pages():
    return sorted(os.path.relpath(os.path.join(folder, name), SITE)
                  for folder, _, names in os.walk(SITE) for name in names if name.endswith(".html"))


class Files(unittest.TestCase):
    def test_links_lead_somewhere_and_nothing_is_fetched_from_elsewhere(self):
        found = {page: Links(os.path.join(SITE, page)) for page in pages()}
        self.assertGreater(len(found), 80)
        wrong = []
        for page, links in found.items():
            for target in links.targets + links.loads:
                url = urllib.parse.urlsplit(target)
                if url.scheme == "data":
                    continue
                if url.scheme or url.netloc:
                    if target in links.loads:
                        wrong.append((page, target, "comes from a network"))
                    continue
                path = os.path.normpath(os.path.join(os.path.dirname(page), urllib.parse.unquote(url.path))) \
                    if url.path else page
                if not os.path.isfile(os.path.join(SITE, path)):
                    wrong.append((page, target, "no such file"))
                elif path.endswith(".html") and url.fragment and not path.startswith(("report/", "live/")) and \
                        urllib.parse.unquote(url.fragment) not in found[path].anchors:
                    wrong.append((page, target, "no such anchor"))
        self.assertEqual(wrong, [])


class Browser(unittest.TestCase):
    width, height = 1280, 900

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

    def tearDown(self):
        self.quiet("the last page")

    def quiet(self, page):
        worst = [line["message"] for line in self.driver.get_log("browser")
                 if line["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(worst, [], page)

    def open(self, page):
        self.driver.get("file://" + os.path.join(SITE, page))

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def shot(self, name):
        if SHOTS:
            self.driver.save_screenshot(os.path.join(SHOTS, "site-%s-%d.png" % (name, self.width)))

    def until(self, done, what):
        end = time.monotonic() + 20
        while not done():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def narrow(self, page):
        self.open(page)
        width = self.driver.execute_script("return document.documentElement.scrollWidth")
        self.assertLessEqual(width, self.width, page)
        self.quiet(page)

    def found(self):
        return [link.get_attribute("href") for link in self.all("#search-results li a")]

    def search(self, words):
        box = next(box for box in self.all("input[name=q]") if box.is_displayed())
        box.send_keys(words, Keys.ENTER)
        self.until(self.found, "something is found")
        self.until(lambda: "found" in self.driver.find_element(By.ID, "search-results").text.lower(),
                   "the search comes to its end")

    def test_search_finds_pages_without_a_server(self):
        self.open("index.html")
        self.menu()
        self.search("DAMQ")
        found = self.found()
        self.assertGreater(len(found), 5)
        self.assertTrue(any("1-damq-or-safc.html" in link for link in found))
        self.assertFalse(any("LICENSE" in link for link in found))
        self.shot("search")
        self.all("#search-results li a")[0].click()
        self.until(lambda: "search.html" not in self.driver.current_url, "a page found can be opened")
        self.assertIn("damq", self.driver.find_element(By.TAG_NAME, "article").text.lower())

    def test_search_finds_functions_of_c_and_options(self):
        self.open("index.html")
        self.menu()
        self.search("swq_chain_generate")
        self.assertTrue(any("reference/c/chain.html" in link for link in self.found()))

    def test_the_menu_leads_to_all_kinds_of_pages(self):
        self.open("docs/tutorial.html")
        self.menu()
        captions = [caption.text.lower() for caption in self.all(".sidebar-tree .caption")]
        self.assertEqual(captions, ["learn", "do", "look up", "understand", "more"])
        self.shot("menu")
        link = next(link for link in self.all(".sidebar-tree a") if link.text == "How to size a buffer")
        link.click()
        self.until(lambda: "size-a-buffer" in self.driver.current_url, "the menu's links lead on")


class Desk(Browser):
    def menu(self):
        pass

    def test_pages_of_each_kind_fit(self):
        for page in ("index.html", "docs/tutorial.html", "docs/howto/size-a-buffer.html", "docs/keys.html",
                     "docs/model.html", "reference/options/solve.html", "reference/c/sim.html",
                     "reference/python.html", "reference/help/buffers.html", "live.html"):
            self.narrow(page)
            self.shot(page.replace("/", "-")[:-5])

    def test_it_is_dark_where_the_system_is(self):
        def ground():
            return self.driver.execute_script("return getComputedStyle(document.body).backgroundColor")

        self.open("index.html")
        light = ground()
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.open("index.html")
        dark = ground()
        self.shot("dark")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.assertEqual((light, dark), ("rgb(255, 255, 255)", "rgb(19, 20, 22)"))

    def test_the_theme_can_be_chosen(self):
        self.open("index.html")
        button = next(button for button in self.all(".theme-toggle") if button.is_displayed())
        seen = set()
        for _ in range(3):
            button.click()
            seen.add(self.driver.execute_script("return document.body.dataset.theme"))
        self.assertEqual(seen, {"auto", "light", "dark"})


class Telephone(Browser):
    width, height = 390, 844

    def menu(self):
        self.driver.find_element(By.CSS_SELECTOR, "label.mobile-header-left, .nav-overlay-icon").click()
        self.until(lambda: any(box.is_displayed() for box in self.all("input[name=q]")), "the menu opens")
        time.sleep(0.4)  # until it has slid in

    def test_every_page_fits(self):
        for page in pages():
            if page.startswith(("report/", "live/")):  # have tests of their own
                continue
            with self.subTest(page=page):
                self.narrow(page)
                tallest = self.driver.execute_script(
                    "return Math.max(0, ...[...document.querySelectorAll('.content tr')].map(r => r.offsetHeight))")
                self.assertLess(tallest, self.height, "a row of a table is taller than the window")
        for page in ("index.html", "docs/peers.html", "reference/c/sim.html"):
            self.open(page)
            self.shot(page.replace("/", "-")[:-5])


def load_tests(loader, _tests, _pattern):
    """Browser has the tests that a desk and a telephone share, and is neither."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (Files, Desk, Telephone))


if __name__ == "__main__":
    SITE = os.path.abspath(sys.argv[1])
    SHOTS = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    if SHOTS:
        os.makedirs(SHOTS, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=2)
