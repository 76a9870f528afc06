# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks run from top to bottom, and have outputs, which `make notebooks` writes. Cells with a tag
are left out where the library of that name is not installed; `make notebook-test` runs them all in a
kernel of Jupyter's, and compares what they show."""

import glob
import importlib.util
import json
import os
import unittest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
EXAMPLES, SCRIPTS = os.path.join(ROOT, "python", "examples"), os.path.join(ROOT, "scripts")


def shown(cell):
    """What a cell shows, without the pixels of a picture, which depend on matplotlib's version."""
    return [{kind: text for kind, text in out.get("data", {}).items() if kind != "image/png"}
            for out in cell.get("outputs", []) if out["output_type"] != "display_data" or "image/png" in out["data"]]


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
                if cell["cell_type"] == "code" and all(map(there, cell["metadata"].get("tags", []))):
                    exec(compile("".join(cell["source"]), name, "exec"), space)
                    ran += 1
            self.assertGreaterEqual(ran, 5)
            kinds = {kind for cell in cells for out in cell.get("outputs", []) for kind in out.get("data", {})}
            self.assertEqual(kinds, {"text/plain", "text/html", "image/png"}, f"outputs of {name}")

    @unittest.skipUnless(os.environ.get("SWITCHQ_JUPYTER"), "make notebook-test runs it in Jupyter's kernel")
    def test_in_a_kernel_of_jupyter(self):
        import nbformat
        spec = importlib.util.spec_from_file_location("run_notebooks", os.path.join(SCRIPTS, "run-notebooks.py"))
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        for name in glob.glob(os.path.join(EXAMPLES, "*.ipynb")):
            kept = nbformat.read(name, 4)
            for old, new in zip(kept.cells, script.run(nbformat.read(name, 4)).cells):
                self.assertEqual(shown(old), shown(new), f"{name}: 'make notebooks' writes it anew")


if __name__ == "__main__":
    unittest.main()
