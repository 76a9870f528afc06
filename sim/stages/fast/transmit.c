/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The turn of a stage in the fast engine, with the arbiter and the mover that were chosen for the
 * network.
 */
#include "sim/stages/counts.h"
#include "sim/stages/fast/fast.h"
#include "sim/stages/spans.h"

/* The line by which a packet leaves its stage. */
static uint32_t left_by(const swq_net *net, swq_leaving l)
{
    const int bits = swq_output_bits(net->ports);
    const uint32_t buffer = l >> bits;

    return buffer - buffer % (uint32_t)net->ports + (l & ((1u << bits) - 1));
}

/* Counts the packets of a list by the outputs by which they leave, for the details of links. */
static void note_links(swq_net *net, int stage, const swq_leaving *list, int n)
{
    for (int k = 0; k < n; k++)
        swq_note_sent(net, stage, left_by(net, list[k]));
}

/* Delivers packets to the sinks, counting each in the cell of its group. */
static void deliver_by_group(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list,
                             int n)
{
    swq_packet taken[SWQ_BLOCK_SWITCHES * SWQ_FAST_PORTS];

    net->mover->take(net, at, list, n, taken);
    for (int k = 0; k < n; k++)
        swq_deliver(net, taken[k], (swq_trail){0}, at->wire[left_by(net, list[k])]);
}

/* Moves the packets of a block; returns how many are lost. */
static int move_all(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list, int n)
{
    if (at->stage < net->system.levels - 1) {
        if (!net->blocks)
            return net->mover->offer(net, at, list, n);
        net->mover->move(net, at, list, n);
    } else if (net->system.cells > 1) {
        deliver_by_group(net, at, list, n);
    } else {
        net->mover->deliver(net, at, list, n);
    }
    return 0;
}

/* Sets the fields that are the same in all calls of the arbiter's row, if the arbiter is called
 * through its row. */
static void introduce(swq_net *net)
{
    const swq_switch *sw = &net->spec->sw;
    swq_requests *r = &net->requests[0];

    r->ports = net->ports;
    r->read_each_queue = sw->buffer.read == SWQ_READ_EACH_QUEUE;
    r->iterations = sw->iterations > 0 ? sw->iterations : 1;
}

void swq_transmit_fast(swq_net *net, int stage)
{
    const swq_stage_wiring *at = &net->wiring[stage + 1];
    swq_leaving list[SWQ_BLOCK_SWITCHES * SWQ_FAST_PORTS + SWQ_SLACK];
    swq_input_count inputs = {0};
    swq_span span = {0, 0};
    uint64_t sent = 0, lost = 0;

    introduce(net);
    while (swq_next_span(net, stage, net->switches, SWQ_BLOCK_SWITCHES, &span)) {
        const int n = net->arbitrate(net, at, span.first, span.end, &inputs, list);
        sent += (uint64_t)n;
        if (net->system.link_tally)
            note_links(net, stage, list, n);
        lost += (uint64_t)move_all(net, at, list, n);
    }
    swq_probe_stage(&net->system, stage,
                    &(swq_stage_counts){inputs.busy, inputs.sending, sent, lost});
}
