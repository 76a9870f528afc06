#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same networks in switchq and in BookSim 2, side by side.

usage: tests/peers/against_booksim.py BOOKSIM [SWITCHQ] [--only PATTERN] [--cycles N]

BOOKSIM is the peer's program, which is not part of this project. For each case: the latency of a
packet at 2% load, the load at which it is three times that (by bisection, to 1%), and the latency at half
and at 80% of that load; the flits that each program moves from switch to switch in a second
of CPU, at 80%; and what nodes send at full load, in the mean and the least of them.
Prints a table as lines of CSV and a summary; exit status 1 if a point does not agree.

The criterion, stated before any run: latencies within 3%, and within 1 cycle at 2% load; loads
within 5%; at full load within 2%, or with a difference that four runs of each program, with different seeds,
do not show at a level of 1% (a t-test). What is taken out of the comparison beforehand, as the two count differently:
- BookSim's latency begins a cycle before the first flit can be sent: one cycle is added to ours;
- in all networks but flies its uniform traffic has packets from a node to itself, 1 in 64 (1 in 72 in a
  dragonfly), and its transpose 8 in 64, which take 3 cycles in one switch, 2 on links, and a cycle a flit, after a wait at their
  sender (that of a queue with geometric arrivals); they are taken out of its mean, of its load, and, with
  the 8 nodes that send nothing else, of what nodes send.
The adaptive cases are for a BookSim whose sets of outputs are corrected as docs/peers-differences.md says: as it
is, it has one output for each packet, and those cases do not agree. The dragonfly cases are for one in
which packets may take any lane of a node's link and UGAL draws groups and counts links as here, and dragonfly_near for one in
which, besides, all links take one cycle: the same page has the lines.
"""
import argparse
import csv
import fnmatch
import itertools
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile

STAGES = "routing_delay=0; vc_alloc_delay=1; sw_alloc_delay=1; st_prepare_delay=0; st_final_delay=1;"
PLAIN = """vc_allocator=islip; sw_allocator=islip; alloc_iters=1; credit_delay=1; input_speedup=1;
output_speedup=1; internal_speedup=1.0; injection_rate_uses_flits=1; wait_for_tail_credit=0;
use_noc_latency=0; latency_thres=5000.0; sim_count=1; warmup_periods=1; max_samples=2;
acc_stopping_thres=0.0; stopping_thres=0.0;"""

FLATFLY = "topology=flatfly; k=4; n=2; c=4; x=4; y=4; xr=2; yr=2; routing_function=%s;"
HYPERX = "--topology hyperx --dims 4x4 --hosts 4"
DRAGONFLY = "topology=dragonflynew; k=2; n=1; routing_function=%s;"
GROUPS = "--topology dragonfly --hosts 2"
BY_GROUPS, LONG = " --routing ugal --ugal-threshold 30", " --level-delay 10,100,1"
TOPOLOGIES = {
    "mesh": ("topology=mesh; k=8; n=2; routing_function=dim_order;",
             "--topology mesh --dims 8x8"),
    "torus": ("topology=torus; k=8; n=2; routing_function=dim_order;",
              "--topology torus --dims 8x8 --lane-choice crossing"),
    "fly": ("topology=fly; k=4; n=3; routing_function=dest_tag;",
            "--topology butterfly --ports 4 --stages 3"),
    "adaptive": ("topology=mesh; k=8; n=2; routing_function=min_adapt;",
                 "--topology mesh --dims 8x8 --routing adaptive --choice turn --escape-use alike "
                 "--escape-exit never --lane-reuse sent"),
    "tree": ("topology=fattree; k=4; n=3; routing_function=nca;",
             "--topology tree --arity 4,4,4 --routing adaptive --choice random"),
    # ran_min_flatfly goes in dimension order, in spite of its name
    "hyperx": (FLATFLY % "ran_min", HYPERX),
    "hyperx_valiant": (FLATFLY % "valiant", HYPERX + ",via=any --routing valiant"),
    "hyperx_ugal": (FLATFLY % "ugal", HYPERX + ",via=between --routing ugal --ugal-threshold 2"),
    "dragonfly": (DRAGONFLY % "min", GROUPS + LONG),
    "dragonfly_ugal": (DRAGONFLY % "ugal", GROUPS + BY_GROUPS + LONG),
    "dragonfly_near": (DRAGONFLY % "min", GROUPS),
    "dragonfly_near_ugal": (DRAGONFLY % "ugal", GROUPS + BY_GROUPS),
}
PATTERNS = {"uniform": "uniform", "tornado": "tornado", "complement": "bit-complement",
            "neighbour": "neighbour", "transpose": "transpose",
            "hotspot": "hotspot:0.1111111111:0"}
THEIR = {"uniform": "uniform", "tornado": "tornado", "complement": "bitcomp",
         "neighbour": "neighbor", "transpose": "transpose",
         # nine times as much to node 0 as to any other
         "hotspot": "hotspot({{%s},{9%s}})" % (",".join(map(str, range(64))), ",1" * 63)}
# seeds of the runs at full load, and the t-quantile of a difference of so many runs
SEEDS, QUANTILE = (1, 2, 3, 4), 3.707

CASES = [(t, v, f, p, "uniform") for t in ("mesh", "torus", "fly", "adaptive", "tree") for v in (2, 4)
         for f in (8,) for p in (1, 4, 20)]
CASES += [("mesh", 8, 4, 4, "uniform"), ("mesh", 2, 16, 4, "uniform"), ("torus", 8, 8, 4, "uniform"),
          ("fly", 1, 4, 1, "uniform"), ("mesh", 4, 8, 4, "complement"), ("torus", 4, 8, 4, "tornado"),
          ("mesh", 4, 8, 4, "neighbour"), ("mesh", 4, 8, 4, "transpose"), ("mesh", 4, 8, 1, "transpose"),
          ("mesh", 4, 8, 4, "tornado"), ("mesh", 4, 8, 20, "complement"), ("fly", 4, 8, 4, "hotspot"),
          ("fly", 4, 8, 4, "complement"), ("torus", 4, 8, 20, "tornado"), ("mesh", 4, 16, 20, "uniform"),
          ("mesh", 8, 16, 20, "uniform"), ("adaptive", 4, 8, 4, "transpose"),
          ("tree", 4, 8, 4, "transpose"), ("tree", 4, 8, 4, "complement")]
CASES += [(t, v, f, p, how) for t in ("hyperx", "hyperx_valiant", "hyperx_ugal")
          for v, f, p, how in ((4, 16, 1, "uniform"), (4, 8, 4, "uniform"),
                               (4, 16, 1, "complement"))]
CASES += [("dragonfly", 2, 255, 1, "uniform"), ("dragonfly_ugal", 3, 255, 1, "uniform"),
          ("dragonfly_near", 2, 8, 1, "uniform"), ("dragonfly_near", 2, 32, 1, "uniform"),
          ("dragonfly_near", 2, 32, 4, "uniform"), ("dragonfly_near_ugal", 3, 32, 1, "uniform")]


def cpu_of(argv, **more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(argv, capture_output=True, text=True, check=False, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return run, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Case:
    def __init__(self, options, case):
        self.options = options
        self.topology, self.lanes, self.flits, self.packet, self.pattern = case
        self.name = "%s-%dx%d-p%d-%s" % case
        self.nodes = 72 if self.topology.startswith("dragonfly") else 64
        to_itself = {"uniform": 1, "transpose": 8}.get(self.pattern, 0) if self.topology != "fly" else 0
        self.share = 1 - to_itself / self.nodes  # of packets that leave their node
        # uniform traffic loses it from every node's load, transpose that of 8 nodes alone
        self.more = 1 / self.share if self.pattern == "uniform" else 1

    def run_theirs(self, load, cycles, more=""):
        text = TOPOLOGIES[self.topology][0] + STAGES + PLAIN
        text += "num_vcs=%d; vc_buf_size=%d; packet_size=%d; traffic=%s; injection_rate=%.6f;" % (
            self.lanes, self.flits, self.packet, THEIR[self.pattern], load)
        text += "sample_period=%d;" % cycles + more
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as config:
            config.write(text.replace(";", ";\n"))
            config.flush()
            return cpu_of([self.options.booksim, config.name])

    def run_ours(self, load, cycles, more):
        line = "sim --engine async %s --architecture wormhole --lanes %d --lane-flits %d --credit-delay 2 " % (
            TOPOLOGIES[self.topology][1], self.lanes, self.flits)
        line += "--length %d --max-packet %d --traffic %s --load %.6f " % (
            self.packet, self.packet, PATTERNS[self.pattern], load)
        line += "--warmup %d --cycles %d --json %s" % (cycles, cycles, more)
        run, cpu = cpu_of([self.options.switchq] + line.split())
        if run.returncode and '"stopped_by":\t"deadlock"' not in run.stdout:
            sys.exit("switchq %s: %s" % (line, run.stderr))
        return json.loads(run.stdout), cpu

    def theirs(self, load, times=1):
        """Latency, and flits moved in a CPU second, at so much load from node to node."""
        run, cpu = self.run_theirs(load * self.more, times * self.options.cycles)
        found = re.findall(r"Packet latency average = ([0-9.]+)", run.stdout)
        hops = re.findall(r"Hops average = ([0-9.]+)", run.stdout)
        cycles = re.findall(r"Time taken is (\d+) cycles", run.stdout)
        if not found or not hops or "unstable" in run.stdout or "exceeded" in run.stdout:
            return float("inf"), 0
        rate = load * self.more
        waits = rate * (self.packet - 1) / 2 / (1 - rate) if rate < 1 else 0
        alone = 3 + 2 + 1 + self.packet - 1 + waits
        latency = (float(found[-1]) - (1 - self.share) * alone) / self.share
        moved = rate * self.nodes * float(hops[-1]) * int(cycles[-1])
        return latency, moved / cpu

    def ours(self, load, times=1):
        answer, cpu = self.run_ours(load, times * self.options.cycles, "--sources open")
        if answer["run"]["stopped_by"] == "deadlock":  # lanes that are given again when sent may
            return float("inf"), 0
        result = answer["result"]
        moved = answer["run"]["packet_hops"] * self.packet * 2  # the warm-up is not counted
        if result["delivered"] < 0.97 * result["created"] - self.nodes:  # more and more wait
            return float("inf"), 0
        return result["latency_tail_cycles"]["mean"] + 1, moved / cpu

    def sent(self, node_rates):
        """Mean and least of what the nodes send that send to others."""
        rates = list(node_rates)
        if self.topology != "fly" and self.pattern == "transpose":
            rates = [r for k, r in enumerate(rates) if k % 9]
        return statistics.mean(rates), min(rates)

    def sent_theirs(self, seed):
        load = min(1.1, self.packet)  # at 1 a queue of geometric arrivals would run dry at times
        run, _ = self.run_theirs(load, self.options.cycles,
                                 "sim_type=throughput; stats_out=-; seed=%d;" % seed)
        rates = re.findall(r"^sent_flits\(1,:\) = \[ (.*) \]", run.stdout, re.M)[-1].split()
        return self.sent(float(r) * (1 / self.more) for r in rates)

    def sent_ours(self, seed):
        answer, _ = self.run_ours(1.0, self.options.cycles,
                                  "--sources hold --per-node --seed %d" % seed)
        return self.sent(n["offered"]["mean"] for n in answer["result"]["nodes"])


def load_at(run, latency):
    """The load, to 1%, at which a program's latency is that."""
    low, high = 0.02, 1.0
    while high - low > 0.01 * low:
        middle = (low + high) / 2
        if run(middle)[0] < latency:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def points(case):
    """(what, theirs, ours, criterion, agrees) of a case; and flits a CPU second of both."""
    zero = case.theirs(0.02, 4)[0], case.ours(0.02, 4)[0]
    yield "latency at 2%", *zero, "3%, 1 cycle", abs(zero[1] - zero[0]) < min(1, 0.03 * zero[0])
    knee = load_at(case.theirs, 3 * zero[0]), load_at(case.ours, 3 * zero[0])
    yield "load at 3 x", *knee, "5%", abs(knee[1] - knee[0]) < 0.05 * knee[0]
    for part in (0.5, 0.8):
        theirs, ours = case.theirs(part * knee[0], 4), case.ours(part * knee[0], 4)
        yield ("latency at %d%%" % (100 * part), theirs[0], ours[0], "3%",
               abs(ours[0] - theirs[0]) < 0.03 * theirs[0])
        if part == 0.8:
            case.speed = theirs[1], ours[1]


def full_load(case):
    """(what, theirs, ours, criterion, agrees) at full load."""
    theirs, ours = ([run(seed) for seed in SEEDS] for run in (case.sent_theirs, case.sent_ours))
    for k, what in enumerate(("sent at full load", "by the least node")):
        a, b = [r[k] for r in theirs], [r[k] for r in ours]
        mean, difference = statistics.mean(a), statistics.mean(b) - statistics.mean(a)
        error = ((statistics.variance(a) + statistics.variance(b)) / len(SEEDS)) ** 0.5
        yield (what, mean, mean + difference, "2%, t-test",
               abs(difference) < max(0.02 * mean, QUANTILE * error))


def main():
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("booksim")
    parse.add_argument("switchq", nargs="?", default="build/switchq")
    parse.add_argument("--only", default="*", help="cases by name, such as 'mesh-*'")
    parse.add_argument("--cycles", type=int, default=20000,
                       help="measured for a load of the bisection, after as many more; a latency "
                       "has four times as many (default %(default)s)")
    options = parse.parse_args()
    out = csv.writer(sys.stdout)
    out.writerow("case quantity booksim switchq difference criterion agrees".split())
    agree = total = 0
    for case in [Case(options, c) for c in CASES]:
        if not fnmatch.fnmatch(case.name, options.only):
            continue
        for what, theirs, ours, criterion, agrees in itertools.chain(points(case), full_load(case)):
            out.writerow([case.name, what, "%.4g" % theirs, "%.4g" % ours,
                          "%+.2f%%" % (100 * (ours / theirs - 1)), criterion,
                          "yes" if agrees else "NO"])
            agree, total = agree + agrees, total + 1
        out.writerow([case.name, "flit-hops a CPU second", "%.3g" % case.speed[0],
                      "%.3g" % case.speed[1], "x%.1f" % (case.speed[1] / case.speed[0]), "", ""])
        sys.stdout.flush()
    print("%d of %d points agree" % (agree, total), file=sys.stderr)
    return 0 if agree == total else 1


if __name__ == "__main__":
    sys.exit(main())
