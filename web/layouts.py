#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the parts of the live network are drawn, as JavaScript: the report's explorer has the same
network, with buffers at the ports and as pools.

usage: layouts.py DIR/answers/explorer.json > layouts.js
"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    runs = {run["buffer"]: run["layout"] for run in json.load(file)["answer"]["runs"]}
print("/* SPDX-License-Identifier: GPL-3.0-or-later */")
print("const layouts = %s;" % json.dumps({"ports": runs["fifo"], "pools": runs["cbda"]}))
