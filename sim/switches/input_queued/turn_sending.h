/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The turn of a switch whose arbiter is built in: a part of turn.h for the lean kernels. An input
 * is looked at when it has become free or has got a head. If the input sends then, it is looked at
 * again when it is free again. Else all its heads are blocked, and the input waits for their
 * outputs: it is looked at when one of these outputs has become free, or when the store behind such
 * an output has got room. An output that can send nothing before the cycle in which it is due is
 * shut, so that heads for this output are passed over.
 */

/* Can the head of a queue be sent? If nothing can be sent to its output before that is due, the
 * output is shut. */
static inline bool passes(swq_async_net *net, swq_unit *u, uint32_t base, const swq_queue *queue)
{
    if (net->port[base + queue->output].out_free > net->cycle) {
        shut_until_free(net, u, base, queue->output);
        return false;
    }
    if (queue->next_port == SWQ_SINK || open_to(net, queue->next_port, queue->next_class))
        return true;
    if (!admission_of(net, queue->next_port)->limited)
        u->shut |= UINT32_C(1) << queue->output;
    return false;
}

/* Has the head of a queue come, and can it be read, if its input can be? */
static inline bool has_come(swq_async_net *net, swq_port *e, uint32_t port, const swq_queue *queue,
                            int q)
{
    return queue->ready <= net->cycle &&
           (!reads_each_queue(net, port) || reader_of(net, e, port, q)->free <= net->cycle);
}

/* The longest of an input's queues whose head can be sent to one of `outputs`; among equally
 * long queues the one whose head came first, which favours no output (two heads never come in
 * the same cycle). -1: none. */
static inline int longest(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t port,
                          swq_queue *queues, uint32_t outputs)
{
    swq_port *e = &net->port[port];
    int best = -1;

    outputs &= ~u->shut;
    for (walk w = walk_for(net, e, port, outputs); walk_goes(w); w = walk_on(w)) {
        const int q = walk_queue(w);
        const swq_queue *queue = &queues[q];
        if (!(outputs >> queue->output & 1) || !has_come(net, e, port, queue, q) ||
            (best >= 0 && !precedes(net, e, queues, q, best)))
            continue;
        if (passes(net, u, base, queue))
            best = q;
        else
            outputs &= ~u->shut;
    }
    return best;
}

/* The outputs that an input waits for if none of its heads can be sent. Where queues are for one
 * output each, the outputs of heads that have yet to come are included, since it is quicker not to
 * look at the heads. */
static inline uint32_t blocked_at(swq_async_net *net, uint32_t port, const swq_queue *queues)
{
    swq_port *e = &net->port[port];
    uint32_t outputs = 0;

    if (!net->any_queue)
        return e->full;
    for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
        const swq_queue *queue = &queues[walk_queue(w)];
        outputs |= (uint32_t)has_come(net, e, port, queue, walk_queue(w)) << queue->output;
    }
    return outputs;
}

/* The turn of an input, which sends what it can to the outputs `outputs`. Returns whether the
 * input has sent something. */
static inline bool input_turn(swq_async_net *net, swq_unit *u, uint32_t base, uint32_t input,
                              uint32_t outputs)
{
    const uint32_t port = base + input;
    swq_queue *queues = queues_at(net, port);
    int q = longest(net, u, base, port, queues, outputs);
    const bool sends = q >= 0;

    if (sends)
        wait_no_more(net, u, base, input);
    while (q >= 0) {
        const uint32_t output = queues[q].output;
        start_from(net, u, base, (int)input, q, &queues[q]);
        take_output(net, u, base, output);
        if (!reads_each_queue(net, port))
            return true;
        q = longest(net, u, base, port, queues, outputs);
    }
    wait_for(net, u, base, input, blocked_at(net, port, queues));
    return sends;
}

/* Looks at all heads of the inputs that are due, and at the heads for the outputs that are due.
 * Returns the inputs that have sent something. */
static inline uint32_t send_in_turn(swq_async_net *net, const due_unit *unit, uint32_t first)
{
    const uint32_t base = base_of(net, unit->unit), inputs = unit->inputs, outputs = unit->outputs;
    const swq_port *ports = &net->port[base];
    swq_unit *u = &net->unit[unit->unit];
    uint32_t due = unit->looked_at, sent = 0;

    u->shut &= ~outputs;
    while (due) { /* from `first` on, then from 0 */
        const uint32_t ahead = due & UINT32_MAX << first;
        const uint32_t input = (uint32_t)__builtin_ctz(ahead ? ahead : due);
        const uint32_t all = -(inputs >> input & 1), to = (outputs | all) & ~u->shut;
        due &= ~(1u << input);
        if (!(to | all) || (!reads_each_queue(net, base) && ports[input].reader.free > net->cycle))
            continue;
        sent |= (uint32_t)input_turn(net, u, base, input, to) << input;
    }
    return sent;
}
