/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets of high priority in one switch: its chain against the simulator, class by class. Chain
 * and simulator share the code that divides buffers and calls arbiters twice; each has its own code
 * for packets, for their places in queues, and for counting them by class.
 */
#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUICK_STRIDE = 9, CYCLES = 200000, BATCHES = 32, QUANTITIES = 3, FINDINGS = 2 * QUANTITIES };

/* A buffer, its support for high priority, and the slots for that. */
static const struct {
    const char *buffer;
    int slots;
    swq_support support;
    int high_slots;
    bool fans;
} rows[] = {
    {"fifo", 3, SWQ_SUPPORT_ARBITER, 0, false}, {"samq", 4, SWQ_SUPPORT_ARBITER, 0, false},
    {"safc", 4, SWQ_SUPPORT_ARBITER, 0, false}, {"damq", 3, SWQ_SUPPORT_ARBITER, 0, false},
    {"dafc", 3, SWQ_SUPPORT_ARBITER, 0, false}, {"cbda", 2, SWQ_SUPPORT_ARBITER, 0, false},
    {"samq", 4, SWQ_SUPPORT_QUEUE, 1, false},   {"safc", 4, SWQ_SUPPORT_QUEUE, 2, false},
    {"damq", 3, SWQ_SUPPORT_QUEUE, 0, false},   {"dafc", 3, SWQ_SUPPORT_QUEUE, 0, false},
    {"cbda", 2, SWQ_SUPPORT_QUEUE, 0, false},   {"samq", 2, SWQ_SUPPORT_QUEUES, 2, false},
    {"damq", 3, SWQ_SUPPORT_QUEUES, 0, false},  {"dafc", 3, SWQ_SUPPORT_QUEUES, 0, false},
    {"fifo", 2, SWQ_SUPPORT_BUFFER, 2, false},  {"fifo", 2, SWQ_SUPPORT_BUFFER, 1, true},
    {"damq", 3, SWQ_SUPPORT_BUFFER, 2, false},  {"damq", 2, SWQ_SUPPORT_BUFFER, 2, true},
    {"fifo", 3, SWQ_SUPPORT_QUEUE, 0, false},   {"fifo", 3, SWQ_SUPPORT_QUEUES, 0, false},
};
static const char *const support_names[] = {"none", "arbiter", "queue", "queues", "buffer"};
static const char *const arbiters[] = {"random", "longest", "maximum"};
static const char *const quantities[] = {"throughput", "latency", "refusals"};

enum { ROWS = sizeof rows / sizeof *rows, MODES = 4, CASES = ROWS * MODES };

static int stride(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 1 : QUICK_STRIDE;
}

static int count(swq_effort effort)
{
    return FINDINGS * ((CASES + stride(effort) - 1) / stride(effort));
}

typedef struct {
    swq_case normal;
    swq_priority priority;
} class_case;

static void case_of(swq_effort effort, int k, class_case *c)
{
    const int number = k / FINDINGS * stride(effort), row = number % ROWS, mode = number / ROWS;

    c->normal = (swq_case){.buffer = rows[row].buffer,
                           .arbiter = arbiters[number % 3],
                           .ports = number % 7 == 5 && rows[row].slots < 4 ? 3 : 2,
                           .slots = rows[row].slots,
                           .load = number % 2 ? 0.9 : 0.6,
                           .mode = (swq_case_mode)(1 << mode),
                           .iterations = 1};
    if (strcmp(rows[row].buffer, "samq") == 0 || strcmp(rows[row].buffer, "safc") == 0)
        c->normal.slots = rows[row].slots / 2 * c->normal.ports; /* half of them in each queue */
    c->priority = (swq_priority){.fraction = number % 5 < 2 ? 0.1 : 0.4,
                                 .support = rows[row].support,
                                 .slots = rows[row].high_slots,
                                 .queues = rows[row].fans ? SWQ_QUEUE_PER_OUTPUT : SWQ_ONE_QUEUE};
    if (c->priority.support == SWQ_SUPPORT_QUEUES && c->priority.slots > 0)
        c->priority.slots = c->normal.ports;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    class_case c;
    char text[128];
    const char *quantity = quantities[k % QUANTITIES];
    const char *class = k / QUANTITIES % 2 ? "high" : "normal";

    case_of(effort, k, &c);
    snprintf(check->name, sizeof check->name, "classes/%s-%s,%s,high=%g,priority=%s", class,
             quantity, swq_case_name(&c.normal, text, sizeof text), c.priority.fraction,
             support_names[c.priority.support]);
    snprintf(check->claim, sizeof check->claim,
             "%s, %g of high priority, support %s: the simulator's %s of %s packets is the chain's",
             swq_case_words(&c.normal, text, sizeof text), c.priority.fraction,
             support_names[c.priority.support], quantity, class);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.3;
}

/* Judges by the scatter of batches; if nothing was seen there is none, and nothing to judge by. */
static void judge(swq_finding *f, double exact, const swq_estimate *measured)
{
    f->left = exact;
    f->right = measured->mean;
    if (!(measured->half_width > 0) || !isfinite(measured->half_width)) {
        f->off = 0;
        f->p = 1;
        return;
    }
    const double quantile = gsl_cdf_tdist_Pinv(0.975, BATCHES - 1);
    f->off = fabs(measured->mean - exact) / measured->half_width * quantile;
    f->p = 2 * gsl_cdf_tdist_Q(f->off, BATCHES - 1);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    swq_exact_options how = swq_exact_options_defaults();
    double node_load[SWQ_CHAIN_PORTS];
    swq_network network;
    swq_answers a = {0};
    swq_sim_result r;
    swq_switch sw;
    class_case c;

    case_of(effort, k, &c);
    swq_status status = swq_case_switch(ctx, &c.normal, &sw);
    if (!status)
        status = swq_case_network(ctx, &c.normal, &sw, node_load, &network);
    if (status)
        return status;
    network.sw.priority = sw.priority = c.priority;
    status = swq_exact_solve(ctx, &sw, &how, &a);
    if (!status)
        status = swq_score_simulate(ctx, &network, CYCLES, swq_check_seed(seed, "classes", k), &r);
    for (int h = 0; h < SWQ_CLASSES && !status; h++) {
        const swq_class_answers *of = &a.by_class[h];
        const swq_flow_result *seen = &r.by_class[h];
        judge(&f[h * QUANTITIES], of->throughput, &seen->throughput);
        judge(&f[h * QUANTITIES + 1],
              of->mean_delay + (sw.flow == SWQ_BLOCK ? of->mean_source_wait : 0), &seen->latency);
        judge(&f[h * QUANTITIES + 2], of->discard, &seen->discard_fraction);
    }
    swq_answers_clear(ctx, &a);
    return status;
}

const swq_family swq_family_classes = {
    .name = "classes",
    .title = "Packets of high priority, chain against simulator, one switch",
    .legs = "exact chain with classes; synchronous simulator",
    .criterion = "throughput, latency and losses of each class: t from the scatter of the "
                 "batches, taken to be 32, of 200,000 cycles after 1,000 that are not measured; "
                 "two-sided p-values are judged with all others",
    .count = count,
    .describe = describe,
    .parts = FINDINGS,
    .run = run,
};
