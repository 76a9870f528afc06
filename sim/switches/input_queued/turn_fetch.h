/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units that are due in the same cycle take their turns in batches. In a network that does not fit
 * the near caches, a turn would wait for about ten lines of memory, one after another, as each line
 * says where the next line is. So the lines are fetched for a whole batch before its first turn, in
 * as many steps as lines depend on one another: the wait for a line is shared by all units of the
 * batch. In smaller networks only the first input of each unit is fetched, as it joins the batch.
 * What is fetched is only a guess at what the turns will need; it changes no number. A part of
 * turn.h.
 */

/* A unit at which something is due, and where: sets of inputs and outputs. */
typedef struct due_unit {
    uint32_t unit;
    port_set inputs, outputs;
    port_set looked_at; /* the inputs at which something is due, and the inputs that wait for the
                           due outputs */
} due_unit;

enum {
    BATCH = 32,        /* units whose lines fit the nearest cache together */
    WORTH_FETCHING = 4 /* number of units from which fetching is worth while */
};

typedef struct batch {
    int units;
    due_unit due[BATCH];
    /* stores that packets may go on to, and their queues or classes there */
    int stores;
    struct {
        uint32_t port;
        int class;
    } store[2 * BATCH];
} batch;

#if !SWQ_GENERAL
/* Fetches a store, and its queues. */
static inline void fetch_store(const swq_async_net *net, uint32_t port)
{
    const swq_queue *queues = queues_at(net, port);

    swq_fetch(&net->port[port]);
    swq_fetch(queues);
    if (!behind(net, port))
        swq_fetch(queues + net->queues - 1);
}

/* In any network: the first of the inputs that a turn will look at, or another if it looks at none,
 * so that no branch is needed. */
static inline void fetch_first(const swq_async_net *net, uint32_t base, uint32_t inputs)
{
    const uint32_t last = UINT32_C(1) << (net->ports - 1);
    const uint32_t port = base + (uint32_t)__builtin_ctz(inputs | last);

    swq_fetch(&net->port[port]);
    swq_fetch(queues_at(net, port));
}

/* Step 1: the inputs that are looked at, and the outputs that are due. */
static inline void fetch_due(const swq_async_net *net, const due_unit *due)
{
    const uint32_t base = base_of(net, due->unit);

    for (uint32_t set = due->looked_at; set; set &= set - 1)
        fetch_store(net, base + (uint32_t)__builtin_ctz(set));
    for (uint32_t set = due->outputs; set; set &= set - 1)
        swq_fetch(&net->port[base + (uint32_t)__builtin_ctz(set)]);
}

/* Fetches the data on which the fabric's route from a store depends. */
static inline void fetch_route(const swq_async_net *net, uint32_t port)
{
    const swq_fabric *f = net->fabric;

    if (behind(net, port))
        return;
    swq_fetch(&f->output[port * (size_t)f->classes]);
    swq_fetch(&f->in_level[port]);
    if (f->position)
        swq_fetch(&f->position[port]);
}

/* Step 2: the packets at the heads of the due inputs, and the stores to which these packets go
 * next. */
static inline void fetch_heads(const swq_async_net *net, const due_unit *due, batch *b)
{
    const uint32_t base = base_of(net, due->unit);

    for (uint32_t set = due->looked_at; set; set &= set - 1) {
        const uint32_t input = (uint32_t)__builtin_ctz(set), port = base + input;
        const uint32_t outputs = due->inputs >> input & 1 ? UINT32_MAX : due->outputs;
        const swq_queue *queues = queues_at(net, port);
        for (uint32_t full = net->port[port].full; full; full &= full - 1) {
            const swq_queue *queue = &queues[__builtin_ctz(full)];
            const uint32_t next = queue->next_port;
            if (queue->ready > net->cycle || !(outputs >> queue->output & 1))
                continue;
            swq_fetch(&parcels_of(net, port)[queue->head]);
            swq_fetch(&net->port[base + queue->output]);
            if (next == SWQ_SINK || abroad(net, next) || b->stores == 2 * BATCH)
                continue;
            fetch_store(net, next);
            fetch_route(net, next);
            b->store[b->stores].port = next;
            b->store[b->stores++].class = queue->next_class;
        }
    }
}

/* Step 3: in the next store, the slot that a packet will take, the output that it is for, and
 * the wheel's word for the cycle in which it will be due. */
static inline void fetch_places(const swq_async_net *net, uint32_t port, int class)
{
    const swq_fabric *f = net->fabric;

    const swq_port *e = &net->port[port];

    swq_fetch(&parcels_of(net, port)[e->free_slot]);
    swq_fetch(swq_wheel_word(&net->wheel, net->cycle + net->hop_delay, e->due));
    if (!behind(net, port))
        swq_fetch(&net->port[base_at(net, port) + f->output[port * (size_t)f->classes + class]]);
}

static __attribute__((noinline)) void fetch_batch(const swq_async_net *net, batch *b)
{
    for (int k = 0; k < b->units; k++)
        fetch_due(net, &b->due[k]);
    b->stores = 0;
    for (int k = 0; k < b->units; k++)
        fetch_heads(net, &b->due[k], b);
    for (int k = 0; k < b->stores; k++)
        fetch_places(net, b->store[k].port, b->store[k].class);
}
#endif
