# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks run from top to bottom. Cells with a tag are left out where the library of that name
is not installed; `make notebook-test` has them all, in a kernel of Jupyter's."""

import glob
import importlib.util
import json
import os
import unittest

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "python", "examples")


def there(name):
    return importlib.util.find_spec(name) is not None


class Notebooks(unittest.TestCase):
    def setUp(self):
        if there("matplotlib"):
            import matplotlib
            matplotlib.use("Agg")

    def test_they_run(self):
        names = glob.glob(os.path.join(EXAMPLES, "*.ipynb"))
        self.assertTrue(names)
        for name in names:
            with open(name, encoding="utf-8") as file:
                cells = json.load(file)["cells"]
            space, ran = {}, 0
            for cell in cells:
                self.assertEqual(cell.get("outputs", []), [], f"{name} is kept without outputs")
                if cell["cell_type"] == "code" and all(map(there, cell["metadata"].get("tags", []))):
                    exec(compile("".join(cell["source"]), name, "exec"), space)
                    ran += 1
            self.assertGreaterEqual(ran, 5)

    @unittest.skipUnless(os.environ.get("SWITCHQ_JUPYTER"), "make notebook-test runs it in Jupyter's kernel")
    def test_in_a_kernel_of_jupyter(self):
        import nbclient
        import nbformat
        for name in glob.glob(os.path.join(EXAMPLES, "*.ipynb")):
            book = nbclient.NotebookClient(nbformat.read(name, 4), timeout=300).execute()
            shown = [data for cell in book.cells for out in cell.get("outputs", [])
                     for data in out.get("data", {})]
            self.assertIn("text/html", shown)
            self.assertIn("image/png", shown)


if __name__ == "__main__":
    unittest.main()
