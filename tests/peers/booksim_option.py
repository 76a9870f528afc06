#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small configurations in BookSim 2 and in `switchq sim --booksim`, side by side.

usage: tests/peers/booksim_option.py BOOKSIM [SWITCHQ] [--only PATTERN]

The criterion, stated before any run: the mean latency of packets between different nodes, at the light load of
each configuration, within 3%. Packets from a node to itself, which take LATENCY cycles in one switch, are taken out of BookSim's
mean, and a cycle is added to ours (docs/peers.md). Exit status 1 if a configuration does not agree.
"""
import argparse
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

RUN = ("sample_period=3000; latency_thres=5000.0; stopping_thres=0.0; acc_stopping_thres=0.0; warmup_periods=1; "
       "max_samples=11;")
MESH = "topology=mesh; k=4; n=2; routing_function=dim_order; num_vcs=4; injection_rate=0.1;"
TORUS = "topology=torus; k=4; n=2; routing_function=dim_order; num_vcs=4; injection_rate=0.1;"
FLY = "topology=fly; k=2; n=4; routing_function=dest_tag; num_vcs=4; injection_rate=0.1;"
TREE = "topology=fattree; k=4; n=3; routing_function=nca; num_vcs=4; injection_rate=0.3;"
FLAT = ("topology=flatfly; k=4; n=2; c=4; x=4; y=4; xr=2; yr=2; use_noc_latency=0; routing_function=ran_min; num_vcs=4; "
        "injection_rate=0.2;")
GRAPH = "topology=anynet; routing_function=min; num_vcs=4; injection_rate=0.2; network_file=%s;"
FILES = {
    "row.txt": "router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3 router 2\n"
               "router 2 node 4 node 5 router 3\nrouter 3 node 6 node 7\n",
    "long.txt": "router 0 node 0 node 1 router 1 3\nrouter 1 node 2 node 3 router 2 3 router 0 3\n"
                "router 2 node 4 node 5 router 3 3 router 1 3\nrouter 3 node 6 node 7 router 2 3\n",
}
# name, configuration, share of packets that leave their node, LATENCY
CASES = [
    ("mesh-uniform", MESH, 15 / 16, 7),
    ("mesh-transpose", MESH + "traffic=transpose;", 12 / 16, 7),
    ("mesh-bitrev", MESH + "traffic=bitrev;", 12 / 16, 7),
    ("mesh-shuffle", MESH + "traffic=shuffle;", 14 / 16, 7),
    ("mesh-tornado", MESH + "traffic=tornado;", 1, 7),
    ("mesh-neighbor", MESH + "traffic=neighbor;", 1, 7),
    ("mesh-bitcomp", MESH + "traffic=bitcomp;", 1, 7),
    ("mesh-hotspot", MESH + "traffic=hotspot(5); injection_rate=0.02;", 15 / 16, 7),
    ("mesh-flits", MESH + "packet_size=4; injection_rate_uses_flits=1; injection_rate=0.2;", 15 / 16, 10),
    ("mesh-tail-credit", MESH + "packet_size=4; injection_rate=0.05; wait_for_tail_credit=1;", 15 / 16, 10),
    ("mesh-1d-tornado", MESH + "n=1; k=8; injection_rate=0.05; traffic=tornado;", 1, 7),
    ("mesh-1d-transpose", MESH + "n=1; k=16; injection_rate=0.02; traffic=transpose;", 12 / 16, 7),
    ("mesh-4d-transpose", MESH + "n=4; k=2; traffic=transpose;", 12 / 16, 7),
    ("mesh-3d-tornado", MESH + "n=3; traffic=tornado;", 1, 7),
    ("torus-uniform", TORUS + "k=8; num_vcs=2; injection_rate=0.15;", 63 / 64, 7),
    ("torus-transpose", TORUS + "traffic=transpose;", 12 / 16, 7),
    ("torus-3d", TORUS + "n=3;", 63 / 64, 7),
    ("torus-1d", TORUS + "n=1; k=8;", 7 / 8, 7),
    ("torus-tornado", TORUS + "traffic=tornado; k=8;", 1, 7),
    ("fly-uniform", FLY + "k=4; n=3; injection_rate=0.3;", 1, 7),
    ("fly-transpose", FLY + "k=4; n=2; traffic=transpose;", 1, 7),
    ("fly-bitrev", FLY + "traffic=bitrev;", 1, 7),
    ("fly-shuffle", FLY + "traffic=shuffle;", 1, 7),
    ("fly-one-stage", FLY + "k=8; n=1; injection_rate=0.3; traffic=tornado;", 1, 7),
    ("tree-uniform", TREE, 63 / 64, 7),
    ("tree-shuffle", TREE + "n=2; injection_rate=0.2; traffic=shuffle;", 14 / 16, 7),
    ("flatfly-uniform", FLAT, 63 / 64, 7),
    ("flatfly-valiant", FLAT + "routing_function=valiant;", 63 / 64, 7),
    ("flatfly-ugal", FLAT + "routing_function=ugal;", 63 / 64, 7),
    ("flatfly-ugal-bitcomp", FLAT + "routing_function=ugal; traffic=bitcomp;", 1, 7),
    ("flatfly-bitcomp", FLAT + "traffic=bitcomp;", 1, 7),
    ("anynet-uniform", GRAPH % "row.txt", 7 / 8, 7),
    ("anynet-delays", GRAPH % "long.txt", 7 / 8, 7),
    ("anynet-bitcomp", GRAPH % "row.txt" + "traffic=bitcomp;", 1, 7),
]


def ask(program, *words):
    run = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if run.returncode and not run.stdout:
        sys.exit("%s %s: %s" % (program, " ".join(words), run.stderr))
    return run.stdout


def main():
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("booksim")
    parse.add_argument("switchq", nargs="?", default="build/switchq")
    parse.add_argument("--only", default="*", help="configurations by name, such as 'mesh-*'")
    options = parse.parse_args()
    booksim, switchq = (os.path.abspath(p) for p in (options.booksim, options.switchq))
    agree = total = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in FILES.items():
            with open(name, "w", encoding="ascii") as file:
                file.write(text)
        print("configuration,booksim,switchq,difference,agrees")
        for name, text, share, alone in CASES:
            if not fnmatch.fnmatch(name, options.only):
                continue
            with open("net.cfg", "w", encoding="ascii") as file:
                file.write((text + RUN).replace(";", ";\n"))
            found = re.findall(r"Packet latency average = ([0-9.]+)", ask(booksim, "net.cfg"))
            theirs = (float(found[-1]) - (1 - share) * alone) / share
            answer = json.loads(ask(switchq, "sim", "--booksim", "net.cfg", "--json"))
            ours = answer["result"]["latency_tail_cycles"]["mean"] + 1
            fine = abs(ours / theirs - 1) < 0.03
            print("%s,%.4g,%.4g,%+.2f%%,%s" % (name, theirs, ours, 100 * (ours / theirs - 1), "yes" if fine else "NO"),
                  flush=True)
            agree, total = agree + fine, total + 1
    print("%d of %d configurations agree" % (agree, total), file=sys.stderr)
    return 0 if agree == total else 1


if __name__ == "__main__":
    sys.exit(main())
