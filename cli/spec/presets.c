/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings of published studies, with the file of their public code in which each was read: ABM and
 * Credence (examples/ABM, examples/Credence) and Reverie (examples/Reverie) in
 * github.com/inet-tub/ns3-datacenter at 6ddb4a4, Occamy (ns-3/examples/Occamy) in
 * github.com/ants-xjtu/Occamy-Simulation at a591832 ("net device":
 * shared-memory-point-to-point-net-device.cc). Scripts that multiply KB by
 * 1024 are followed. Studies whose senders or memories are not here are one switch, to which
 * packets come from outside.
 */
#include "cli/spec/presets.h"

#include <stddef.h>

/* Goes if there is another topology, or if packets come from outside; if they come from outside, or
 * the flows of a file are sent; if another rule admits. */
#define LEAVES  "topology arrivals"
#define HOSTS   "arrivals"
#define FLOWS   "arrivals flow-list"
#define OF_RULE "admission"

static const cli_preset_setting abm[] = {
    {"architecture", "shared-memory", "a switch with one memory", NULL, NULL},
    {"topology", "leaf-spine", "run-main.sh", HOSTS, NULL},
    {"leaves", "2", "run-main.sh: LEAVES", LEAVES, NULL},
    {"spines", "2", "run-main.sh: SPINES", LEAVES, NULL},
    {"hosts", "32", "run-main.sh: SERVERS", LEAVES, NULL},
    {"spine-links", "4", "run-main.sh: LINKS", LEAVES, NULL},
    {"ports", "40", "a leaf: 32 hosts, 2 spines with 4 links each", NULL, LEAVES},
    {"rate", "10G", "run-main.sh: SERVER_LEAF_CAP, LEAF_SPINE_CAP", NULL, NULL},
    {"delay", "10us", "run-main.sh: LATENCY", HOSTS, NULL},
    {"memory", "3840KiB", "run-main.sh: 9.6 x 1024 x 40 ports x 10 Gb/s, Trident II; spines alike",
     NULL, NULL},
    {"classes", "2", "run-main.sh: N_PRIO", NULL, NULL},
    {"schedule", "round-robin", "abm-evaluation.cc: sched", NULL, NULL},
    {"admission", "abm", "run-main.sh: ABM", NULL, NULL},
    {"class-alpha", "0.5,1", "alphas: 0.5 for data, 1 for acknowledgements",
     "alpha admission classes", NULL},
    {"test", "after", "gen-queue-disc.cc: the queue with the packet", OF_RULE, NULL},
    {"congested", "28000", "gen-queue-disc.cc: 20 packets of 1400 bytes", OF_RULE, NULL},
    {"drain-interval", "80us", "abm-evaluation.cc: 8 link latencies of 10 us", OF_RULE, NULL},
    {"ecn", "step:91000", "run-main.sh: RED_MIN = RED_MAX = 65 packets of 1400 bytes", NULL, NULL},
    {"packet-bytes", "1452", "abm-evaluation.cc: 1400 and headers", HOSTS, NULL},
    {"header", "52", "memory: IP, and TCP with timestamps", HOSTS, NULL},
    {"sender", "dctcp", "run-main.sh: one of TCP_ALGS", HOSTS, NULL},
    {"window", "55", "abm-evaluation.cc: InitialCwnd", HOSTS, NULL},
    {"least-timeout", "10ms", "abm-evaluation.cc: MinRto", HOSTS, NULL},
    {"sizes", "websearch", "run-main.sh: CDFFILE", FLOWS, NULL},
    {"load", "0.1", "run-main.sh: 0.4 of the links to spines, a quarter of the hosts'", FLOWS,
     NULL},
    {"incast", "2,32,30%", "run-main.sh: BURST_FREQ, SERVERS, BURST_SIZES", FLOWS, NULL},
    {NULL, "answers to queries begin with a window of all their bytes", "abm-evaluation.cc", NULL,
     NULL},
    {NULL, "acknowledgements have the other class to themselves", "abm-evaluation.cc", NULL, NULL},
    {0},
};

static const cli_preset_setting credence[] = {
    {"architecture", "shared-memory", "a switch with one memory", NULL, NULL},
    {"topology", "leaf-spine", "run-main.sh", HOSTS, NULL},
    {"leaves", "16", "run-main.sh: LEAVES", LEAVES, NULL},
    {"spines", "4", "run-main.sh: SPINES", LEAVES, NULL},
    {"hosts", "16", "run-main.sh: SERVERS", LEAVES, NULL},
    {"ports", "20", "a leaf: 16 hosts, 4 spines", NULL, LEAVES},
    {"rate", "10G", "run-main.sh: SERVER_LEAF_CAP, LEAF_SPINE_CAP", NULL, NULL},
    {"delay", "3us", "run-main.sh: LATENCY", HOSTS, NULL},
    {"memory", "1028KiB", "run-main.sh: 5.14 x 1024 x 20 ports x 10 Gb/s, Tomahawk; spines alike",
     NULL, NULL},
    {"classes", "2", "run-main.sh: N_PRIO", NULL, NULL},
    {"schedule", "round-robin", "credence-evaluation.cc: sched", NULL, NULL},
    {"admission", "followlqd", "Credence without its oracle", NULL, NULL},
    {"ecn", "step:14000", "credence-evaluation.cc: at least 10 packets of 1400 bytes", NULL, NULL},
    {"packet-bytes", "1452", "credence-evaluation.cc: 1400 and headers", HOSTS, NULL},
    {"header", "52", "memory: IP, and TCP with timestamps", HOSTS, NULL},
    {"sender", "dctcp", "run-main.sh: one of TCP_ALGS", HOSTS, NULL},
    {"window", "22", "credence-evaluation.cc: InitialCwnd", HOSTS, NULL},
    {"least-timeout", "10ms", "credence-evaluation.cc: MinRto", HOSTS, NULL},
    {"sizes", "websearch", "run-main.sh: CDFFILE", FLOWS, NULL},
    {"load", "0.1", "run-main.sh: 0.4 of the links to spines, a quarter of the hosts'", FLOWS,
     NULL},
    {"incast", "2,16,50%", "run-main.sh: BURST_FREQ, SERVERS, BURST_SIZES", FLOWS, NULL},
    {NULL, "flows and answers go to the next leaf there, here to any other leaf",
     "credence-evaluation.cc", NULL, NULL},
    {NULL, "Credence's oracle, a random forest, and its safeguard", "run-main.sh", NULL, NULL},
    {NULL, "answers to queries begin with a window of all their bytes", "credence-evaluation.cc",
     NULL, NULL},
    {NULL, "alpha 64 and 0.5 for the rules that have it", "alphas", NULL, NULL},
    {0},
};

static const cli_preset_setting reverie[] = {
    {"architecture", "shared-memory", "one leaf", NULL, NULL},
    {"ports", "20", "leaf-spine.txt: 16 hosts, 4 spines", NULL, NULL},
    {"rate", "25G", "leaf-spine.txt", NULL, NULL},
    {"memory", "5.12KB/port/Gbps", "run-rdma-loads.sh: 5.12 x 1000", NULL, NULL},
    {"admission", "reverie", "run-rdma-loads.sh", NULL, NULL},
    {"alpha", "1", "alphas", "class-alpha admission", NULL},
    {"gamma", "0.999", "run-rdma-loads.sh", OF_RULE, NULL},
    {"congested", "20KiB", "switch-mmu.cc: congestionIndicator", OF_RULE, NULL},
    {"first-alpha", "1024", "reverie-evaluation-sigcomm2023.cc", OF_RULE, NULL},
    {"test", "after", "switch-mmu.cc: the queue with the packet", OF_RULE, NULL},
    {"ecn", "red:100KB,400KB,0.2", "config-workload.txt: KMIN, KMAX, PMAX of 25G", NULL, NULL},
    {"packet-bytes", "1000", "config-workload.txt: PACKET_PAYLOAD_SIZE", HOSTS, NULL},
    {NULL, "lossless traffic with pauses; of DT, lossy traffic in 0.8 of the memory",
     "run-rdma-loads.sh", NULL, NULL},
    {NULL, "16 leaves of 16 hosts; links of 2 us", "leaf-spine.txt", NULL, NULL},
    {NULL, "DCQCN and TCP at loads of 0 to 0.8; bursts of up to 2.5 MB, 2 a second",
     "run-rdma-loads.sh", NULL, NULL},
    {0},
};

static const cli_preset_setting occamy[] = {
    {"architecture", "shared-memory", "one group of 8 ports, which has a memory of its own", NULL,
     NULL},
    {"ports", "8", "run-100g_benchmark.sh", NULL, NULL},
    {"rate", "100G", "run-100g_benchmark.sh: SERVER_LEAF_CAP, LEAF_SPINE_CAP", NULL, NULL},
    {"memory", "5.12KiB/port/Gbps", "run-100g_benchmark.sh: 5.12 x 1024 x 8 ports", NULL, NULL},
    {"classes", "2", "run-100g_benchmark.sh: nPrior", NULL, NULL},
    {"schedule", "drr", "occamy_100g_utilization.cc: DequeueType", NULL, NULL},
    {"admission", "occamy", "run-100g_benchmark.sh: pBuffer", NULL, NULL},
    {"alpha", "8", "run-100g_benchmark.sh", "class-alpha admission", NULL},
    {"test", "after", "net device: the queue with the packet", OF_RULE, NULL},
    {"cell", "200", "net device: cells that expulsion counts; there the memory counts bytes", NULL,
     NULL},
    {"expel-every", "1875ps", "net device: 8 cells in an 8th of the time of 1500 bytes", OF_RULE,
     NULL},
    {"ecn", "step:720KiB", "occamy_100g_utilization.cc: ecn_threshold with DCTCP", NULL, NULL},
    {"packet-bytes", "1500", "occamy_100g_utilization.cc: 1448 and headers", HOSTS, NULL},
    {NULL, "8 leaves of 16 hosts, 8 spines; links of 2 us to spines, 18 us to hosts",
     "occamy_100g_utilization.cc", NULL, NULL},
    {NULL, "flows of websearch at a load of 0.9", "run-100g_benchmark.sh", NULL, NULL},
    {NULL, "queries, 200 a second, of 10 to 100% of the memory", "run-100g_benchmark.sh", NULL,
     NULL},
    {NULL, "DCTCP; timeout at least 5 ms", "occamy_100g_utilization.cc", NULL, NULL},
    {0},
};

static const cli_preset_setting dctcp[] = {
    {"architecture", "shared-memory", "memory: section 4, the switch Scorpion", NULL, NULL},
    {"ports", "24", "memory: Scorpion", NULL, NULL},
    {"rate", "10G", "memory: Scorpion", NULL, NULL},
    {"delay", "25us", "memory: a round trip of 100 us without queues", HOSTS, NULL},
    {"memory", "4MB", "memory: Scorpion", NULL, NULL},
    {"admission", "threshold", "memory: allocated dynamically, of which no alpha is given", NULL,
     NULL},
    {"ecn", "step:97500", "memory: K = 65 packets at 10 Gb/s, here of 1500 bytes", NULL, NULL},
    {"packet-bytes", "1500", "memory", HOSTS, NULL},
    {"sender", "dctcp", "the paper", HOSTS, NULL},
    {"least-timeout", "10ms", "memory", HOSTS, NULL},
    {"sizes", "websearch", "the paper's background traffic, as the file of ABM has it", FLOWS,
     NULL},
    {NULL, "a load, and the times between flows and queries of the paper's benchmark", "memory",
     NULL, NULL},
    {0},
};

static const cli_preset rows[] = {
    {"abm", "ABM's simulations: 2 leaves of 32 hosts at 10G, Trident II's memory",
     "Addanki, Apostolaki, Ghobadi, Schmid and Vanbever (2022)", abm},
    {"credence", "Credence's simulations: 16 leaves of 16 hosts at 10G, Tomahawk's memory",
     "Addanki, Pacut and Schmid (2024)", credence},
    {"reverie", "a leaf of Reverie's simulations: 20 ports of 25G, 2.56 MB",
     "Addanki, Bai, Schmid and Apostolaki (2024)", reverie},
    {"occamy", "8 ports of 100G of Occamy's simulations: 4 MiB in cells of 200 bytes",
     "Shan et al. (2025)", occamy},
    {"dctcp", "a switch of DCTCP's testbed: 24 ports of 10G, 4 MB, marks above 65 packets",
     "Alizadeh et al. (2010)", dctcp},
};

const cli_preset *const cli_presets[] = {&rows[0], &rows[1], &rows[2], &rows[3], &rows[4], NULL};
