/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in with an arbiter: in each cycle one input comes first, the next one in the cycle after
 * it, and so on; an input sends from the first of its queues whose output is free. The memory is
 * one word, the input that comes first.
 */
#include <switchq/plugin.h>

static int memory(int ports)
{
    (void)ports;
    return 1;
}

static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant)
{
    (void)dice; /* nothing is left to chance */
    for (int j = 0; j < r->ports; j++)
        grant[j] = SWQ_NO_INPUT;
    for (int k = 0; k < r->ports; k++) {
        const int i = (r->memory[0] + k) % r->ports;
        bool sends = false;
        for (int j = 0; j < r->ports; j++) {
            if (!r->length[i][j] || grant[j] != SWQ_NO_INPUT || (sends && !r->read_each_queue))
                continue;
            grant[j] = i;
            sends = true;
        }
    }
}

/* After the cycle's last grant, the turn goes to the next input. */
static void settle(const swq_requests *r, const int *grant)
{
    (void)grant;
    r->memory[0] = (uint16_t)((r->memory[0] + 1) % r->ports);
}

static const swq_arbiter turns = {
    .name = "turns",
    .summary = "inputs come first in turns, and send from the first queue that they can",
    .source = "examples/plugins/turns.c",
    .arbitrate = arbitrate,
    .alike = SWQ_ALIKE_NONE,       /* queues with low numbers are served first */
    .compares = SWQ_COMPARES_NONE, /* it looks only at which queues hold packets */
    .memory = memory,
    .settle = settle,
};

static const swq_arbiter *const arbiters[] = {&turns, NULL};

SWQ_PLUGIN(.arbiters = arbiters)
