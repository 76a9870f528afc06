/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 4Q: four queues in every store. The paper does not say which queue a packet joins: here it joins
 * the queue whose number is the packet's destination modulo 4 (4q), or the queue that holds least
 * as the packet comes (4q-least).
 */
#include "sim/frame/net.h"

#include <limits.h>

enum { QUEUES = 4 };

static int queues(const swq_async *spec, const swq_fabric *fabric, bool output)
{
    (void)spec;
    (void)fabric;
    (void)output;
    return QUEUES;
}

static int joins(const swq_async_net *net, uint32_t store, int class, uint32_t from, uint32_t to)
{
    (void)net;
    (void)store;
    (void)class;
    (void)from;
    return (int)(to % QUEUES);
}

static const swq_management_hooks hooks = {.queues = queues, .joins = joins};

const swq_management swq_management_4q = {
    .name = "4q",
    .summary = "four queues in each buffer; a packet joins the queue of its destination modulo 4",
    .source = "Duato, Johnson, Flich, Naven, Garcia and Nachiondo (RECN, 2005), which leaves open "
              "who joins which",
    .hooks = &hooks,
};

/* The queue that holds least. A packet that is being read still counts, so that the result does not
 * depend on whether the store has been looked at in this cycle. */
static int least(const swq_async_net *net, uint32_t store, int class, uint32_t from, uint32_t to)
{
    const swq_queue *queues = swq_queues_of(net, store);
    const swq_reader *reader = &net->port[store].reader;
    int best = 0, best_blocks = INT_MAX;

    (void)class;
    (void)from;
    (void)to;
    for (int q = 0; q < QUEUES; q++) {
        const bool read = reader->queue == (uint32_t)q && reader->free > net->cycle;
        const int blocks = queues[q].blocks + (read ? reader->leaving.blocks : 0);
        if (blocks < best_blocks) {
            best = q;
            best_blocks = blocks;
        }
    }
    return best;
}

static const swq_management_hooks hooks_least = {.queues = queues, .joins = least};

const swq_management swq_management_4q_least = {
    .name = "4q-least",
    .summary =
        "four queues in each buffer; a packet joins the emptiest queue, and may be overtaken",
    .source = "the same, which leaves open who joins which",
    .to_shortest = true,
    .hooks = &hooks_least,
};
