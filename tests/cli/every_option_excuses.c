/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rightly changes no answer, and what changes the form of an answer alone.
 */
#include "tests/cli/every_option.h"

/* The rows of the table. */
const every_excuse every_excuses[] = {
    {"*", "*", "threads", "*", true, "threads share out the work alone"},
    {"solve", "everywhere", "mpi", "*", false,
     "a build without PETSc refuses it; make mpi-test asks one that has it"},
    {"solve", "everywhere", "checkpoint", "*", false, "likewise"},
    {"solve", "everywhere", "checkpoint-every", "*", false, "likewise"},
    {"sim", "*", "engine", "sync plain", true,
     "the plain engine is there to check the other by it"},
    {"*", "*", "mem", "*", false, "a limit that is not met changes nothing"},
    {"solve", "*", "scratch", "*", false, "the same factors, elsewhere"},
    {"sim", "*", "time", "*", false, "a limit that is not met changes nothing"},
    {"solve", "*", "reduce", "*", true, "the same numbers of fewer states"},
    {"export", "prism", "reduce", "*", false, "no two ports are alike"},
    {"table", "4.1", "reduce", "*", true, "the same numbers of fewer states"},
    {"*", "*", "solver", "*", true, "ways to one answer"},
    {"solve", "network*", "topology", "*", false, "the base has it"},
    {"solve", "everywhere", "topology", "*", false, "the lines of networks have it"},
    {"*", "*", "max-iterations", "*", false, "a limit that elimination never meets"},
    {"sim", "*", "precision", "*", false, "--cycles ends these runs before it is reached"},
    {"sim", "*", "confidence", "*", false, "most of these runs are too short for intervals"},

    /* equal by the rules, on these command lines */
    {"sim", "*", "topology", "omega butterfly baseline flip cube", false,
     "uniform traffic: these wirings differ by names of nodes"},
    {"approx", "*", "topology", "omega butterfly baseline flip cube", false,
     "uniform traffic does not see the wiring"},
    {"sim", "*", "sources", "*", false, "nothing waits at a source where refused packets are lost"},
    {"sim", "priority pool", "priority", "queue queues", false,
     "a pool has a queue for each output anyway"},
    {"sim", "*trace", "priority", "queue queues", false, "few packets wait"},
    {"sim", "*trace", "seed", "*", false, "nothing is drawn"},
    {"approx", "mesh", "threshold", "0 1", false, "each queue of safc has a limit of its own"},
    {"table", "4.1 other ports", "tol", "*", false,
     "the values, not their bounds, are held against the simulation"},
    {"approx", "everywhere", "admission", "*", false, "no method has another rule than room"},
    {"approx", "cbda", "pool-rule", "room oldest", false,
     "taken for one another (docs/approximation.md)"},

    {"solve", "network [be]*", "buffer", "fifo damq dafc", false, "one slot"},
    {"solve", "network pool", "buffer", "fifo damq dafc", false, "one slot"},
    {"solve", "network [be]*", "alpha", "0.3 2", false, "one slot"},
    {"solve", "network [be]*", "queues", "one output", false, "one slot"},

    {"solve", "network discard", "flow", "*", false, "blocking takes 20 s"},
    {"solve", "network exact", "arbiter", "fixed advancing islip", false, "too many states"},

    /* arbiters that make the same decisions */
    {"solve", "network discard", "arbiter", "maximum maximum-longest max-weight", false,
     "queues of one slot"},
    {"solve", "network [be]*", "arbiter",
     "random random-outputs maximum longest maximum-longest max-weight pim", false, "one slot"},
    {"*", "*", "arbiter", "maximum-longest max-weight", false,
     "2 x 2: most packets are the longest queues"},
    {"*", "*fifo*", "arbiter", "random random-outputs maximum longest pim", false,
     "one queue a buffer: an output draws among inputs"},
    {"solve", "*", "arbiter", "random random-outputs", false, "2 x 2"},
    {"solve", "*", "arbiter", "rotating advancing", false,
     "one switch under even traffic: they differ when it is empty, and then its ports are alike"},
    {"export", "*", "arbiter", "random random-outputs", false, "2 x 2"},
    {"*", "*[sd]afc*", "arbiter", "random random-outputs maximum pim", false,
     "queues that read alone: an output draws among inputs"},
    {"sim", "async torus", "arbiter", "random random-outputs maximum longest pim", false,
     "likewise: its buffer is safc"},
    {"solve", "*", "arbiter", "random random-outputs longest", false, "no more than 2 slots"},
    {"sim", "*", "arbiter", "random longest", false, "no more than 2 slots"},
    {"sim", "async interval", "arbiter", "random maximum longest pim", false, "few conflicts"},
    {"approx", "torus compared", "arbiter", "random maximum longest pim", false, "few conflicts"},
    {"approx", "classes", "arbiter", "random random-outputs", false, "2 x 2"},
    {"approx", "exact-chains", "arbiter", "random random-outputs", false, "2 x 2"},
    {"sim", "async trace", "arbiter", "random maximum", false, "few conflicts"},
    {"sim", "async fat tree", "arbiter", "maximum pim", false, "few conflicts"},
    {"approx", "fifo", "arbiter", "random random-outputs maximum longest rotating islip pim", false,
     "taken for one another (docs/approximation.md)"},
    {"approx", "*", "arbiter", "longest rotating advancing", false,
     "taken for one another (docs/approximation.md)"},

    {"sim", "async virtual-clock", "arbiter", "rotating advancing", false,
     "stamps are seldom equal"},
    {"sim", "async credits", "credit-unit", "channel pool", false, "nothing is reserved"},
    {"sim", "async destination*", "release", "start hop", false, "not before the answer"},
    {"sim", "async path", "release", "start hop", false, "not before the answer"},

    {"solve", "cioq", "buffer", "damq dafc", false,
     "2 x 2 with a speedup of 2: in two phases all that can move has moved"},
    {"solve", "cioq", "buffer", "samq safc", false, "likewise"},
    {"solve", "cioq", "read", "*", false, "likewise"},

    /* without effect on all lines here */
    {"solve", "everywhere", "architecture", "*", false,
     "each has sizes of its own, which the others refuse"},
    {"approx", "everywhere", "output-slots crosspoint-slots departures", "*", false,
     "approximations are of input-queued switches"},
    {"export", "everywhere", "architecture speedup output-slots crosspoint-slots departures", "*",
     false, "no line here has sizes of other architectures"},
    {"approx", "everywhere",
     "arity radix shape up-ports routing choice levels speedup output-bytes crossbar-delay "
     "cut-through "
     "architecture credit-unit credit-delay stop go two-counter circuits clock-ahead sender "
     "path-hops "
     "destination-stages "
     "no-abort no-restrict no-requeue no-preroute "
     "management xoff xon saqs detect turnpool-bits interface-packets interface-cold "
     "inspection-cycles refused "
     "benchmark piece last-bytes "
     "flit chunk equal crosspoint crosspoint-chunks banks fifos fifo-bytes module "
     "lanes node-lanes lane-flits lane-pool lane-reserve lane-reserve-for lane-choice lane-reuse "
     "escape-use "
     "escape-exit "
     "router-delay "
     "link-delay "
     "pool-cells lane-cells node-cells group-credit multicast-queue "
     "burst chained find-saturation group high interval interval-from "
     "iterations methods priority "
     "priority-queues priority-slots queue-limit resend stale table",
     "*", false, "no approximation has it, or all lines that take it have it"},
    {"approx", "table", "table", "4.4", false, "it is that table; others take seconds"},
    {"cost", "*",
     "arbiter topology stages dims levels up-ports shape arity alpha max-packet threshold buffer "
     "xoff "
     "xon "
     "piece lane-choice lane-reuse high credit queue-min queue-max pool-rule sender detect refused "
     "group-credit multicast-queue "
     "interface-cold inspection-cycles "
     "read "
     "priority destination-stages departures cut-through clock-ahead circuits iterations "
     "no-abort no-requeue no-preroute engine",
     "*", false, "rules, thresholds and wirings: what a switch is built of is the same"},
    {"cost", "everywhere", "last-bytes", "*", false,
     "refused: a switch of that stage is asked with --bytes"},
    {"cost", "*", "stale", "*", false, "its counters are named as not counted"},
    {"cost", "everywhere",
     "chained node-lanes lane-reserve lane-reserve-for escape-use escape-exit stop go choice", "*",
     false, "which lane, which thresholds, which way: no part is counted for it"},
    {"sim", "everywhere", "turnpool-bits", "*", false, "a network whose ways fit is the same"},
    {"sim", "everywhere", "find-saturation", "*", false, "all lines that take it have it"},
    {"table", "everywhere", "quick", "*", false, "another number of --cycles"},
    {"figure", "everywhere", "quick no-plot", "*", false,
     "--quick is another number of --cycles; pictures are files"},
    {NULL, NULL, NULL, NULL, false, NULL},
};

#define SWITCH "--buffer=damq --slots=2 --load=0.5"
#define SIM    SWITCH " --ports=2 --stages=2 --cycles=200 --warmup=50"

const every_print every_prints[] = {
    {"solve", "help", SWITCH, NULL},
    {"sim", "help", SIM, NULL},
    {"approx", "help", SWITCH, NULL},
    {"table", "help", "4.1", NULL},
    {"figure", "help", "6.12 --cycles=10 --no-plot", NULL},
    {"export", "help", "--format=mtx " SWITCH, NULL},
    {"worst", "help", "--slots=4", NULL},
    {"worst", "help-all", "--slots=4", NULL},
    {"worst", "json", "--slots=4", NULL},
    {"worst", "csv", "--slots=4", NULL},
    {"worst", "plot=a.svg", "--slots=2:4:2", "a.svg"},
    {"worst", "certificate=proof.txt", "--slots=4", "proof.txt"},
    {"cost", "help", "--buffer=damq --slots=2", NULL},
    {"cost", "help-all", "--buffer=damq --slots=2", NULL},
    {"cost", "json", "--buffer=damq --slots=2", NULL},
    {"cost", "csv", "--buffer=damq --slots=2", NULL},
    {"chip", "help", "", NULL},
    {"chip", "help-all", "", NULL},
    {"chip", "json", "", NULL},
    {"chip", "csv", "", NULL},
    {"chip", "waves=w.vcd", "", "w.vcd"},
    {"solve", "help-all", SWITCH, NULL},
    {"sim", "help-all", SIM, NULL},
    {"approx", "help-all", SWITCH, NULL},
    {"table", "help-all", "4.1", NULL},
    {"figure", "help-all", "6.12 --cycles=10 --no-plot", NULL},
    {"export", "help-all", "--format=mtx " SWITCH, NULL},
    {"solve", "json", SWITCH, NULL},
    {"sim", "json", SIM, NULL},
    {"approx", "json", SWITCH, NULL},
    {"table", "json", "4.1", NULL},
    {"figure", "json", "6.12 --cycles=10 --no-plot", NULL},
    {"solve", "csv", SWITCH, NULL},
    {"sim", "csv", SIM, NULL},
    {"approx", "csv", SWITCH, NULL},
    {"table", "csv", "4.1", NULL},
    {"figure", "csv", "6.12 --cycles=10 --no-plot", NULL},
    {"solve", "by-output", SWITCH, NULL},
    {"solve", "plot=a.svg", "--buffer=damq --slots=2 --load=0.1:0.5:0.2", "a.svg"},
    {"sim", "plot=a.svg", "--buffer=damq --slots=2 --cycles=200 --load=0.1:0.5:0.2", "a.svg"},
    {"sim", "plot=a.svg", SIM " --series=50", "a.svg"},
    {"approx", "plot=a.svg", "--buffer=damq --slots=2 --load=0.1:0.5:0.2", "a.svg"},
    {"table", "plot=t.svg", "4.1", "t.svg"},
    {"figure", "output=.", "6.12 --cycles=10 --no-plot", "figure-6.12.csv"},
    {"sim", "starts=s.csv", "--engine=async --buffer=damq --load=0.5 --cycles=1000", "s.csv"},
    {"sim", "starts=s.csv", SIM, "s.csv"},
    {"sim", "saq-log=q.csv",
     "--engine=async --stages=2 --ports=3 --management=recn-iq --load=0.95 --sources=open "
     "--cycles=1000",
     "q.csv"},
    {"sim", "watch=f.html", SIM, "f.html"},
    {"sim", "watch=f.html", "--engine=async --buffer=damq --load=0.5 --cycles=1000", "f.html"},
    {"export", "output=o", "--format=mtx " SWITCH, "o.mtx"},
    {"export", "map=m", "--format=mtx --reduce=auto " SWITCH, "m"},
    {NULL, NULL, NULL, NULL},
};
