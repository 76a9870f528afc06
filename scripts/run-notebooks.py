#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the notebooks of python/examples and keeps what they show, so that they can be read without being run.

    scripts/run-notebooks.py [NOTEBOOK...]

Needs nbclient, ipykernel, pandas and matplotlib. Of what a cell shows in several forms, the picture or the table is
kept: the text beside it has the seconds that this run took.
"""
import glob
import sys

import nbclient
import nbformat


def run(book):
    """The notebook with the outputs of a run from top to bottom, without what differs from run to run."""
    done = nbclient.NotebookClient(book, timeout=300).execute()
    for cell in done.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if set(output.get("data", {})) & {"text/html", "image/png"}:
                output["data"].pop("text/plain", None)
    done.metadata["language_info"] = {"name": "python"}
    return done


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(glob.glob("python/examples/*.ipynb")):
        nbformat.write(run(nbformat.read(name, 4)), name)
