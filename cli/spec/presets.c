/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings of published studies, with the file of their public code in which each was read: ABM and
 * Credence (examples/ABM, examples/Credence) and Reverie (examples/Reverie) in
 * github.com/inet-tub/ns3-datacenter at 6ddb4a4, Occamy (ns-3/examples/Occamy) in
 * github.com/ants-xjtu/Occamy-Simulation at a591832 ("net device":
 * shared-memory-point-to-point-net-device.cc). They describe one switch, a leaf. Scripts that
 * multiply KB by 1024 are followed.
 */
#include "cli/spec/presets.h"

#include <stddef.h>

static const cli_preset_setting abm[] = {
    {"architecture", "shared-memory", "one leaf", NULL},
    {"ports", "40", "run-main.sh: 32 hosts, 2 spines with 4 links each", NULL},
    {"rate", "10G", "run-main.sh: SERVER_LEAF_CAP, LEAF_SPINE_CAP", NULL},
    {"memory", "9.6KiB/port/Gbps", "run-main.sh: 9.6 x 1024, Trident II", NULL},
    {"classes", "2", "run-main.sh: N_PRIO", NULL},
    {"schedule", "round-robin", "abm-evaluation.cc: sched", NULL},
    {"admission", "abm", "run-main.sh: ABM", NULL},
    {"class-alpha", "1,0.5", "alphas: the first two lines", "alpha admission classes"},
    {"test", "after", "gen-queue-disc.cc: the queue with the packet", "admission"},
    {"congested", "28000", "gen-queue-disc.cc: 20 packets of 1400 bytes", "admission"},
    {"drain-interval", "80us", "abm-evaluation.cc: 8 link latencies of 10 us", "admission"},
    {"ecn", "step:91000", "run-main.sh: RED_MIN = RED_MAX = 65 packets of 1400 bytes", NULL},
    {"packet-bytes", "1400", "abm-evaluation.cc: PACKET_SIZE, without headers", "arrivals"},
    {NULL, "two leaves of 32 hosts; links of 10 us", "run-main.sh", NULL},
    {NULL, "flows of websearch at loads of 0.2 to 0.8", "run-main.sh", NULL},
    {NULL, "queries, 2 a second of each host, of 30% of the memory", "run-main.sh", NULL},
    {NULL, "DCTCP and others; first window 55 packets, timeout at least 10 ms", "abm-evaluation.cc",
     NULL},
    {NULL, "alpha 1024 for packets of a flow's first round trip", "gen-queue-disc.cc", NULL},
    {0},
};

static const cli_preset_setting credence[] = {
    {"architecture", "shared-memory", "one leaf", NULL},
    {"ports", "20", "run-main.sh: 16 hosts, 4 spines", NULL},
    {"rate", "10G", "run-main.sh: SERVER_LEAF_CAP, LEAF_SPINE_CAP", NULL},
    {"memory", "5.14KiB/port/Gbps", "run-main.sh: 5.14 x 1024, Tomahawk", NULL},
    {"classes", "2", "run-main.sh: N_PRIO", NULL},
    {"schedule", "round-robin", "credence-evaluation.cc: sched", NULL},
    {"admission", "followlqd", "Credence without its oracle", NULL},
    {"ecn", "step:14000", "credence-evaluation.cc: at least 10 packets of 1400 bytes", NULL},
    {"packet-bytes", "1400", "credence-evaluation.cc: PACKET_SIZE, without headers", "arrivals"},
    {NULL, "Credence's oracle, a random forest, and its safeguard", "run-main.sh", NULL},
    {NULL, "16 leaves of 16 hosts; links of 3 us", "run-main.sh", NULL},
    {NULL, "alpha 64 and 0.5 for the rules that have it", "alphas", NULL},
    {NULL, "flows of websearch at loads of 0.2 to 0.8", "run-main.sh", NULL},
    {NULL, "queries, 2 a second of each host, of 12.5 to 100% of the memory", "run-main.sh", NULL},
    {NULL, "DCTCP and others; first window 22 packets, timeout at least 10 ms",
     "credence-evaluation.cc", NULL},
    {0},
};

static const cli_preset_setting reverie[] = {
    {"architecture", "shared-memory", "one leaf", NULL},
    {"ports", "20", "leaf-spine.txt: 16 hosts, 4 spines", NULL},
    {"rate", "25G", "leaf-spine.txt", NULL},
    {"memory", "5.12KB/port/Gbps", "run-rdma-loads.sh: 5.12 x 1000", NULL},
    {"admission", "threshold", "run-rdma-loads.sh: DT, which Reverie is compared with", NULL},
    {"alpha", "1", "alphas", "class-alpha admission"},
    {"test", "after", "switch-mmu.cc: the queue with the packet", "admission"},
    {"ecn", "red:100KB,400KB,0.2", "config-workload.txt: KMIN, KMAX, PMAX of 25G", NULL},
    {"packet-bytes", "1000", "config-workload.txt: PACKET_PAYLOAD_SIZE", "arrivals"},
    {NULL, "Reverie's rule: thresholds of averages, gamma 0.999", "run-rdma-loads.sh", NULL},
    {NULL, "lossless traffic with pauses; lossy traffic in 0.8 of the memory", "run-rdma-loads.sh",
     NULL},
    {NULL, "16 leaves of 16 hosts; links of 2 us", "leaf-spine.txt", NULL},
    {NULL, "DCQCN and TCP at loads of 0 to 0.8; bursts of up to 2.5 MB, 2 a second",
     "run-rdma-loads.sh", NULL},
    {0},
};

static const cli_preset_setting occamy[] = {
    {"architecture", "shared-memory", "one group of 8 ports, which has a memory of its own", NULL},
    {"ports", "8", "run-100g_benchmark.sh", NULL},
    {"rate", "100G", "run-100g_benchmark.sh: SERVER_LEAF_CAP, LEAF_SPINE_CAP", NULL},
    {"memory", "5.12KiB/port/Gbps", "run-100g_benchmark.sh: 5.12 x 1024 x 8 ports", NULL},
    {"classes", "2", "run-100g_benchmark.sh: nPrior", NULL},
    {"schedule", "drr", "occamy_100g_utilization.cc: DequeueType", NULL},
    {"admission", "occamy", "run-100g_benchmark.sh: pBuffer", NULL},
    {"alpha", "8", "run-100g_benchmark.sh", "class-alpha admission"},
    {"test", "after", "net device: the queue with the packet", "admission"},
    {"cell", "200", "net device: cells that expulsion counts; there the memory counts bytes", NULL},
    {"expel-every", "1875ps", "net device: 8 cells in an 8th of the time of 1500 bytes",
     "admission"},
    {"ecn", "step:720KiB", "occamy_100g_utilization.cc: ecn_threshold with DCTCP", NULL},
    {"packet-bytes", "1500", "occamy_100g_utilization.cc: 1448 and headers", "arrivals"},
    {NULL, "8 leaves of 16 hosts, 8 spines; links of 2 us to spines, 18 us to hosts",
     "occamy_100g_utilization.cc", NULL},
    {NULL, "flows of websearch at a load of 0.9", "run-100g_benchmark.sh", NULL},
    {NULL, "queries, 200 a second, of 10 to 100% of the memory", "run-100g_benchmark.sh", NULL},
    {NULL, "DCTCP; timeout at least 5 ms", "occamy_100g_utilization.cc", NULL},
    {0},
};

static const cli_preset_setting dctcp[] = {
    {"architecture", "shared-memory", "memory: section 4, the Scorpion switch", NULL},
    {"ports", "24", "memory: Scorpion", NULL},
    {"rate", "10G", "memory: Scorpion", NULL},
    {"memory", "4MB", "memory: Scorpion", NULL},
    {"admission", "threshold", "memory: dynamic allocation, of which no alpha is given", NULL},
    {"ecn", "step:97500", "memory: K = 65 packets at 10 Gb/s, here of 1500 bytes", NULL},
    {"packet-bytes", "1500", "memory", "arrivals"},
    {NULL, "DCTCP with g = 1/16; timeout at least 10 ms", "memory", NULL},
    {0},
};

static const cli_preset rows[] = {
    {"abm", "a leaf of ABM's simulations: 40 ports of 10G, Trident II's memory",
     "Addanki, Apostolaki, Ghobadi, Schmid and Vanbever (2022)", abm},
    {"credence", "a leaf of Credence's simulations: 20 ports of 10G, Tomahawk's memory",
     "Addanki, Pacut and Schmid (2024)", credence},
    {"reverie", "a leaf of Reverie's simulations: 20 ports of 25G, 2.56 MB",
     "Addanki, Bai, Schmid and Apostolaki (2024)", reverie},
    {"occamy", "8 ports of 100G of Occamy's simulations: 4 MiB in cells of 200 bytes",
     "Shan et al. (2025)", occamy},
    {"dctcp", "a switch of DCTCP's testbed: 24 ports of 10G, 4 MB, marks above 65 packets",
     "Alizadeh et al. (2010)", dctcp},
};

const cli_preset *const cli_presets[] = {&rows[0], &rows[1], &rows[2], &rows[3], &rows[4], NULL};
