/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adaptive routing, a part of the text of a kernel: the head of a queue may go by any of a set of
 * outputs, and its output is chosen when it is sent, among the outputs that are free and lead into
 * open stores. Included by turn.h; empty without SWQ_GENERAL.
 */

/* ---- the outputs that a head may take ---- */

/* The set of outputs of a packet at an input store of its switch. */
static inline port_set outputs_of(const swq_async_net *net, uint32_t port, const swq_parcel *p)
{
    const swq_fabric *f = net->fabric;

    if (p->packet_class >= f->escapes)
        return fabric_set(f, port, p->packet_class);
    return fabric_set(f, port, f->shape.kind->route(f, port, p->from, p->to));
}

/* Adds the escape queue behind an output to the head's choice, if the deterministic route leads
 * through this output. */
static inline void weigh_escape(const swq_async_net *net, uint32_t port, const swq_parcel *p,
                                swq_fork *w)
{
    const swq_fabric *f = net->fabric;
    const uint32_t place = behind(net, port) ? port - net->inputs : port;
    const uint32_t link = net->port[base_at(net, port) + (behind(net, port) ? 0 : w->first)].link;

    w->escape_output = SWQ_NO_OUTPUT;
    if (link & SWQ_TO_NODE || behind(net, link) ||
        (behind(net, port) && place % (uint32_t)net->ports != w->first))
        return;
    w->escape_output = behind(net, port) ? 0 : w->first;
    w->escape_class = (uint8_t)f->shape.kind->escape(f, link, p->from, p->to);
}

/* Finds where the head of a queue may go. */
static void weigh_fork(swq_async_net *net, uint32_t port, swq_queue *queue)
{
    const swq_fabric *f = net->fabric;
    const swq_parcel *p = &parcels_of(net, port)[queue->head];
    const uint32_t base = base_at(net, port);
    swq_fork *w = &net->fork[queue - net->queue];
    int n = 0;

    queue->ready = p->ready;
    const port_set outputs = behind(net, port) ? one_port(0) : outputs_of(net, port, p);
    *fork_outputs(net, queue) = outputs;
    for (port_set set = outputs; any_port(set) && n < SWQ_FORK_CLASSES; drop_first(&set), n++) {
        const uint32_t link = net->port[base + first_port(set)].link;
        /* up a tree all outputs have the same class */
        if (n > 0 && !f->shape.kind->escape)
            w->next_class[n] = w->next_class[0];
        else if (!(link & SWQ_TO_NODE))
            w->next_class[n] =
                behind(net, link) ? 0 : (uint8_t)f->shape.kind->route(f, link, p->from, p->to);
    }
    if (net->asks_first) {
        const uint32_t place = behind(net, port) ? port - net->inputs : port;
        w->first = (uint8_t)f->shape.kind->first(f, place, p->from, p->to);
    }
    if (net->escapes)
        weigh_escape(net, port, p, w);
}

/* The heads of an input have changed: updates the outputs that these heads may take. */
static inline void want_forks(swq_async_net *net, const swq_port *e, uint32_t port)
{
    const uint32_t base = base_at(net, port);
    const swq_queue *queues = queues_at(net, port);
    const port_set me = one_port(port - base);
    port_set wants = no_ports();

    for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w))
        wants = either(wants, *fork_outputs(net, &queues[walk_queue(w)]));
    for (port_set set = either_alone(wants, *wants_at(net, port)); any_port(set);
         drop_first(&set)) {
        port_set *wanted = wanted_at(net, base + first_port(set));
        *wanted = either_alone(*wanted, me);
    }
    *wants_at(net, port) = wants;
}

/* ---- choosing ---- */

/* Is an output free, and the store at the end of its link open to that class? */
static inline bool way_open(swq_async_net *net, const swq_port *out, int class)
{
    return out->out_free <= net->cycle &&
           (out->link & SWQ_TO_NODE || open_to(net, out->link, class));
}

/* Directs a head to the output `o`, and to a class behind it. */
static inline void direct(swq_queue *queue, const swq_port *out, uint32_t o, int class)
{
    queue->output = (uint8_t)o;
    queue->next_port = out->link & SWQ_TO_NODE ? SWQ_SINK : out->link;
    queue->next_class = (uint8_t) class;
}

static inline int class_behind(const swq_fork *w, port_set outputs, uint32_t o)
{
    const int n = count_below(outputs, o);
    return w->next_class[n < SWQ_FORK_CLASSES ? n : SWQ_FORK_CLASSES - 1];
}

/* Blocks taken in the store behind an output, or in its queue there, as the cycle began: no other
 * switch feeds the store, and packets that depart in this cycle still count. */
static uint32_t taken_behind(swq_async_net *net, const swq_port *out, int class)
{
    const uint32_t next = out->link;
    swq_port *e = &net->port[next];

    if (net->choice->by_room)
        return e->blocks + left_in_port(net, e, next);
    const int q = queue_number(net, next, class);
    const swq_reader *r = reader_of(net, e, next, q);
    return queues_at(net, next)[q].blocks +
           (r->queue == (uint32_t)q ? left_of(net, next, q, &r->leaving) : 0);
}

/* Picks one of several outputs that are free and open, by the row of choices. */
static uint32_t pick(swq_async_net *net, const swq_port *outs, const swq_fork *w, port_set outputs,
                     port_set open, uint32_t who, int q)
{
    if (net->choice->by_first) { /* the first open output in a circle that begins with the
                                    deterministic output */
        return next_port(open, w->first);
    }
    if (net->choice->by_room || net->choice->by_queue) {
        uint32_t least = UINT32_MAX;
        port_set alike = no_ports();
        for (port_set set = open; any_port(set); drop_first(&set)) {
            const uint32_t o = first_port(set);
            const uint32_t taken = taken_behind(net, &outs[o], class_behind(w, outputs, o));
            if (taken < least)
                least = taken, alike = no_ports();
            if (taken == least)
                put_port(&alike, o, true);
        }
        open = alike;
    }
    uint32_t left = count_ports(open);
    if (left > 1) {
        const uint64_t place = (uint64_t)net->cycle << (SWQ_WIDE ? 8 : 5) | (uint32_t)q;
        const swq_words drawn = swq_stream_words(&net->streams, SWQ_STREAM_CHOICE, who, place);
        for (left = swq_word_below(drawn.v[0], left); left > 0; left--)
            drop_first(&open);
    }
    return first_port(open);
}

/* Can the head of queue q of a store be sent? If so, chooses its output, an escape queue only if
 * nothing else is open. All closed stores are asked, so that each wakes this unit when it opens. */
static bool choose(swq_async_net *net, uint32_t port, swq_queue *queue, int q)
{
    const swq_port *outs = &net->port[base_at(net, port)];
    const swq_fork *w = &net->fork[queue - net->queue];
    const port_set outputs = *fork_outputs(net, queue);
    port_set open = no_ports();
    uint32_t o;
    int n = 0;

    for (port_set set = outputs; any_port(set); drop_first(&set), n++) {
        o = first_port(set);
        if (way_open(net, &outs[o], w->next_class[n < SWQ_FORK_CLASSES ? n : SWQ_FORK_CLASSES - 1]))
            put_port(&open, o, true);
    }
    if (any_port(open)) {
        port_set others = open;
        o = first_port(open);
        drop_first(&others);
        if (any_port(others))
            o = pick(net, outs, w, outputs, open, port, q);
        direct(queue, &outs[o], o, class_behind(w, outputs, o));
        return true;
    }
    o = w->escape_output;
    if (!net->escapes || o == SWQ_NO_OUTPUT || !way_open(net, &outs[o], w->escape_class))
        return false;
    direct(queue, &outs[o], o, w->escape_class);
    return true;
}

/* ---- arbiters that match queues to outputs themselves ---- */

/* The class in which the head of a queue can be sent by output o; -1: it cannot. */
static int class_open(swq_async_net *net, uint32_t port, const swq_queue *queue, uint32_t o)
{
    const swq_port *out = &net->port[base_at(net, port) + o];
    const swq_fork *w = &net->fork[queue - net->queue];
    const int class = class_behind(w, *fork_outputs(net, queue), o);

    if (way_open(net, out, class))
        return class;
    if (net->escapes && o == w->escape_output && way_open(net, out, w->escape_class))
        return w->escape_class;
    return -1;
}

/* Offers queue q of input i to the outputs that it could be sent to, unless a longer queue of the
 * input has been offered to the same output already. */
static bool gather_forks(swq_async_net *net, uint32_t port, int q, int blocks, int *length,
                         int *chosen)
{
    const swq_queue *queue = &queues_at(net, port)[q];
    bool any = false;

    for (port_set set = *fork_outputs(net, queue); any_port(set); drop_first(&set)) {
        const uint32_t o = first_port(set);
        if (blocks <= length[o] || class_open(net, port, queue, o) < 0)
            continue;
        length[o] = blocks;
        chosen[o] = q;
        any = true;
    }
    return any;
}

/* Directs queue q of an input to output o, unless it has been given another output before: then
 * returns false. */
static bool direct_to(swq_async_net *net, uint32_t sw, int input, int q, uint32_t o)
{
    const uint32_t port = base_of(net, sw) + (uint32_t)input;

    if (!net->fork)
        return true;
    swq_queue *queue = &queues_at(net, port)[q];
    const int class = reader_of(net, &net->port[port], port, q)->free > net->cycle
                          ? -1
                          : class_open(net, port, queue, o);

    if (class < 0)
        return false;
    direct(queue, &net->port[base_at(net, port) + o], o, class);
    return true;
}
