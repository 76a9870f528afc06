/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which inputs have heads for which outputs, whether these can be sent or not: a part of turn.h for
 * the general kernel, where managements, adaptive routing and answers have too many reasons why a
 * head waits. The lean kernels have turn_waits.h.
 */

/* An input has a head for an output that its heads may not have wanted before. */
static inline void want(swq_async_net *net, uint32_t base, uint32_t port, int output)
{
    if (net->fork) {
        want_forks(net, &net->port[port], port);
        return;
    }
    put_port(wants_at(net, port), (uint32_t)output, true);
    put_port(wanted_at(net, base + (uint32_t)output), port - base, true);
}

/* The head that wanted an output has gone; the head of another queue may want it, too. */
static inline void want_no_more(swq_async_net *net, const swq_port *e, uint32_t base, uint32_t port,
                                int output)
{
    const swq_queue *queues = queues_at(net, port);

    if (net->fork) {
        want_forks(net, e, port);
        return;
    }
    for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
        if (queues[walk_queue(w)].output == output)
            return;
    }
    take_port(wants_at(net, port), (uint32_t)output);
    take_port(wanted_at(net, base + (uint32_t)output), port - base);
}

/* The head of a queue, which was for that output, has left its place to `next`. */
static inline void want_next(swq_async_net *net, uint32_t base, uint32_t port,
                             const swq_queue *queue, int output, uint16_t next)
{
    const swq_port *e = &net->port[port];

    if (next == SWQ_NO_SLOT) {
        want_no_more(net, e, base, port, output);
    } else if (queue->output != output || net->fork) {
        /* one queue for all outputs, or adaptive routing */
        want_no_more(net, e, base, port, output);
        want(net, base, port, queue->output);
    }
}
