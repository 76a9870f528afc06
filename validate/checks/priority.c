/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets of high priority with a buffer of their own behave as in a switch of their own, whatever
 * the other packets do: they are served first and fill no slots but their own. So as many of them
 * are lost as in the chain of that switch.
 */
#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"

#include <math.h>
#include <stdio.h>

enum { BUFFERS = 5, ARBITERS = 6, QUEUES = 2, HIGH_SLOTS = 2, CYCLES = 100000 };
enum { ALL = BUFFERS * ARBITERS * QUEUES * HIGH_SLOTS, QUICK_STRIDE = 7 };

static const char *const buffers[BUFFERS] = {"fifo", "damq", "samq", "safc", "dafc"};
static const char *const arbiters[ARBITERS] = {"random",     "longest", "maximum",
                                               "max-weight", "pim",     "random-outputs"};
static const double load = 0.9, high = 0.5;

static int stride(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 1 : QUICK_STRIDE;
}

static int count(swq_effort effort)
{
    return (ALL + stride(effort) - 1) / stride(effort);
}

typedef struct {
    swq_case normal; /* the switch with its normal buffers */
    bool fans;       /* high priority has a queue for each output */
    int slots;       /* their slots */
} priority_case;

static void case_of(swq_effort effort, int k, priority_case *c)
{
    k *= stride(effort);
    c->slots = 1 + k % HIGH_SLOTS;
    k /= HIGH_SLOTS;
    c->fans = k % QUEUES;
    k /= QUEUES;
    c->normal = (swq_case){.buffer = buffers[k / ARBITERS],
                           .arbiter = arbiters[k % ARBITERS],
                           .ports = 2,
                           .slots = 2,
                           .load = load,
                           .mode = k % 2 ? SWQ_DISCARD_NEXT : SWQ_DISCARD_SAME,
                           .iterations = 1};
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    priority_case c;
    char text[128];

    case_of(effort, k, &c);
    snprintf(check->name, sizeof check->name, "priority/%s,high=%s-%d",
             swq_case_name(&c.normal, text, sizeof text), c.fans ? "damq" : "fifo", c.slots);
    snprintf(check->claim, sizeof check->claim,
             "half of %s: high priority loses as much in %s-%d as alone",
             swq_case_words(&c.normal, text, sizeof text), c.fans ? "damq" : "fifo", c.slots);
    check->level = SWQ_LEVEL_STAT;
    check->weight = 0.08;
}

/* The switch for high priority alone, with the read ports of the normal buffers. */
static swq_status own_switch(swq_context *ctx, const priority_case *c, const swq_switch *normal,
                             swq_switch *own)
{
    swq_case alone = c->normal;

    alone.buffer = c->fans ? "damq" : "fifo";
    alone.slots = c->slots;
    alone.load = load * high;
    swq_status status = swq_case_switch(ctx, &alone, own);
    own->buffer.read = normal->buffer.read;
    return status;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    double node_load[SWQ_CHAIN_PORTS];
    swq_switch normal, own;
    swq_network network;
    swq_expected e;
    swq_sim_result r;
    priority_case c;

    case_of(effort, k, &c);
    swq_status status = swq_case_switch(ctx, &c.normal, &normal);
    if (!status)
        status = own_switch(ctx, &c, &normal, &own);
    if (!status)
        status = swq_expect(ctx, &own, &e);
    if (!status)
        status = swq_case_network(ctx, &c.normal, &normal, node_load, &network);
    network.sw.priority.support = SWQ_SUPPORT_BUFFER;
    network.sw.priority.slots = c.slots;
    network.sw.priority.queues = c.fans ? SWQ_QUEUE_PER_OUTPUT : SWQ_ONE_QUEUE;
    network.sw.priority.fraction = high;
    if (!status)
        status = swq_score_simulate(ctx, &network, CYCLES, swq_check_seed(seed, "priority", k), &r);
    if (!status)
        swq_score_losses(f, &e, r.by_class[1].discarded, r.cycles);
    return status;
}

const swq_family swq_family_priority = {
    .name = "priority",
    .title = "High priority with its own buffer against a switch of its own",
    .legs = "exact chain of high priority without low; simulator with both priorities",
    .criterion = "losses per cycle: z with the chain's own variance, 100,000 cycles; p-values are "
                 "judged with all others",
    .count = count,
    .describe = describe,
    .run = run,
};
