#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the live network takes from a report: where its parts are drawn, as the report's explorer has
the same network, with buffers at the ports and as pools; and the colours of kinds.

usage: layouts.py REPORT DIR    writes DIR/layouts.js and DIR/palette.css
"""
import json
import os
import re
import sys

report, folder = sys.argv[1:]
with open(os.path.join(report, "answers", "explorer.json"), encoding="utf-8") as file:
    runs = {run["buffer"]: run["layout"] for run in json.load(file)["answer"]["runs"]}
with open(os.path.join(report, "index.html"), encoding="utf-8") as file:
    page = file.read()
style = re.search(r'<style id="palette">\n(.*?)</style>', page, re.S)
palette = re.search(r"^const palette = .*?^\]};$", page, re.S | re.M)
licence = "/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
with open(os.path.join(folder, "palette.css"), "w", encoding="utf-8") as file:
    file.write(licence + style[1])
with open(os.path.join(folder, "layouts.js"), "w", encoding="utf-8") as file:
    file.write(licence + palette[0] + "\n")
    file.write("const layouts = %s;\n" % json.dumps({"ports": runs["fifo"], "pools": runs["cbda"]}))
