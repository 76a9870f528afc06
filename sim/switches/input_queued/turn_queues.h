/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The queues of a store, as a turn sees them: a part of turn.h. In the lean kernels the set of
 * queues that hold packets is a word. In the general kernel a management, or a switch of more than
 * 32 ports, may have so many queues that the set takes several words, and the management's hooks
 * are called here.
 */

/* ---- sets of queues ---- */

#if SWQ_GENERAL
typedef swq_walk walk;
#else
typedef uint32_t walk; /* the queues to come */
#endif

static inline walk walk_begin(const swq_async_net *net, const swq_port *e, uint32_t port)
{
#if SWQ_GENERAL
    (void)e;
    return swq_walk_begin(net, port);
#else
    (void)net;
    (void)port;
    return e->full;
#endif
}

/* A walk over the queues that may have heads for some outputs, as far as that is known. */
static inline walk walk_for(const swq_async_net *net, const swq_port *e, uint32_t port,
                            port_set outputs)
{
#if SWQ_GENERAL
    (void)outputs;
    return walk_begin(net, e, port);
#else
    const uint32_t any = behind(net, port) ? UINT32_MAX : net->any_queue;
    return walk_begin(net, e, port) & (outputs | any);
#endif
}

static inline bool walk_goes(walk w)
{
#if SWQ_GENERAL
    return w.now != 0;
#else
    return w != 0;
#endif
}

static inline int walk_queue(walk w)
{
#if SWQ_GENERAL
    return swq_walk_queue(&w);
#else
    return __builtin_ctz(w);
#endif
}

static inline walk walk_on(walk w)
{
#if SWQ_GENERAL
    swq_walk_on(&w);
    return w;
#else
    return w & (w - 1);
#endif
}

/* Does a queue hold packets? */
static inline bool holds_packets(const swq_async_net *net, const swq_port *e, uint32_t port, int q)
{
    if (SWQ_GENERAL && net->managed.words)
        return swq_in_set(&net->managed, net->managed.full, port, q);
    return e->full & 1u << q;
}

/* Marks a queue as holding packets. */
static inline void fill(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    if (SWQ_GENERAL && net->managed.words) {
        swq_put_in_set(&net->managed, net->managed.full, port, q);
        q /= 64;
    }
    e->full |= 1u << q;
}

/* Marks a queue as empty. */
static inline void drain(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    if (SWQ_GENERAL && net->managed.words) {
        const swq_managed *m = &net->managed;
        swq_take_from_set(m, m->full, port, q);
        q /= 64;
        if (m->full[(size_t)port * m->words + (uint32_t)q])
            return;
    }
    e->full &= ~(1u << q);
}

/* ---- calls of a management's hooks ---- */

/* The queue that packet `p` joins in the store `port`. */
static inline int joined(const swq_async_net *net, uint32_t port, const swq_parcel *p, int class)
{
    if (SWQ_GENERAL && net->managed.hooks)
        return net->managed.hooks->joins(net, port, class, p->from, p->to);
    return queue_number(net, port, class);
}

/* The class or the queue that the head joins in the next store. */
static inline int next_queue_of(const swq_async_net *net, const swq_queue *queue)
{
    if (SWQ_GENERAL && net->managed.hooks)
        return net->managed.next_queue[queue - net->queue];
    return queue->next_class;
}

/* The queue that the last packet joined. */
static inline int last_entered(const swq_async_net *net, const swq_port *e)
{
    if (SWQ_GENERAL && net->managed.hooks)
        return net->managed.entered[e - net->port];
    return e->entered_queue;
}

static inline bool managed_stops(const swq_async_net *net, uint32_t port, int q)
{
    const swq_managed *m = &net->managed;
    return m->stopped && swq_in_set(m, m->stopped, port, q);
}

static inline bool managed_holds(const swq_async_net *net, uint32_t port, int q)
{
    const swq_managed *m = &net->managed;
    return m->held && swq_in_set(m, m->held, port, q);
}

/* A queue has become longer or shorter, which is handled at the end of the cycle. */
static inline void note_change(swq_async_net *net, uint32_t port, int q)
{
    swq_managed *m = &net->managed;

    if (swq_in_set(m, m->marked, port, q))
        return;
    swq_put_in_set(m, m->marked, port, q);
    m->changed[2 * m->changes] = port;
    m->changed[2 * m->changes + 1] = (uint32_t)q;
    m->changes++;
}

static inline void managed_entered(swq_async_net *net, uint32_t port, int q)
{
    if (!net->managed.hooks)
        return;
    net->managed.entered[port] = (uint16_t)q;
    note_change(net, port, q);
}

static inline void managed_passed(swq_async_net *net, uint32_t port, int q, const swq_parcel *p)
{
    const swq_management_hooks *hooks = net->managed.hooks;

    if (!hooks)
        return;
    note_change(net, port, q);
    if (hooks->passed)
        hooks->passed(net, port, q, p);
}

/* A packet has become the head of a queue, and its route has been found; this adds the queue that
 * the head joins in the next store, which a management needs. */
static inline void managed_head(swq_async_net *net, uint32_t port, const swq_queue *queue,
                                const swq_parcel *p)
{
    const swq_management_hooks *hooks = net->managed.hooks;

    if (!hooks)
        return;
    if (queue->next_port != SWQ_SINK)
        net->managed.next_queue[queue - net->queue] =
            (uint16_t)hooks->joins(net, queue->next_port, queue->next_class, p->from, p->to);
    if (hooks->head)
        hooks->head(net, port, (int)(queue - swq_queues_of(net, port)));
}
