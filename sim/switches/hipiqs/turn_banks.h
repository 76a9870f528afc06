/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns at the banks of an input buffer, cycle by cycle: a part of turn.h. The f-th flit of a chunk
 * lies in bank f. An output that begins a chunk in a cycle reads one bank after another, so that
 * outputs which begin in different cycles never need the same bank; outputs compete for the first
 * bank only. Each bank has a port to write and a port to read. A flit takes these steps, a cycle
 * each (Fig. 5):
 *
 *     IR  R1  bank  R2  R3'  R4  OB        from the memory
 *     IR                R3'  R4  OB        past the memory, if no flit of the queue is in it
 *
 * The paper does not say when an output asks for a turn; here an output asks as soon as its FIFO
 * has room for a chunk. Outputs are served in turn, starting behind the output that was served
 * last. So an output of k, with two chunks of k flits at its crosspoint, has k + 2 flits left when
 * it asks (R4 and OB hold one each), waits for k - 1 others at most, and gets the next flit in
 * time.
 */
enum { PIPELINE = 2 }; /* flits in R4 and OB, before the FIFO of a queue */

static inline const swq_flit_queue *queue_of(const swq_async_net *net, uint32_t port, int k)
{
    return &swq_choosing_of(net)->queue[(size_t)port * (uint32_t)net->queues + (uint32_t)k];
}

static inline swq_bank_queue *banked(const swq_async_net *net, uint32_t port, int k)
{
    return &swq_choosing_of(net)->banked[(size_t)port * (uint32_t)net->queues + (uint32_t)k];
}

static inline bool before(uint32_t flit, uint32_t end)
{
    return (int32_t)(end - flit) > 0;
}

/* Has a flit reached its output? The way from a bank takes three cycles; for a flit that came past
 * the memory, the packet's own `ready` includes them. */
static inline bool at_output(const swq_bank_queue *b, uint32_t flit)
{
    return before(flit, b->fed[2]) || (!before(flit, b->read) && before(flit, b->fed[0]));
}

/* Is the first flit of queue k at its output? The input must have been advanced. */
static bool banks_ready(const swq_async_net *net, uint32_t port, int k)
{
    return at_output(banked(net, port, k), queue_of(net, port, k)->went);
}

/* Flits that the crosspoint has room for. */
static inline int32_t room(const swq_choosing *c, uint32_t fed, uint32_t out)
{
    return (int32_t)(c->fifo + PIPELINE) - (int32_t)(fed - out);
}

/* Counts a flit that leaves, or the gap before it. The engine's packets have no gaps; in the
 * switch of the paper, each gap delays the flits of the packet behind it by a cycle. */
static void leave(swq_choosing *c, const swq_flit_queue *q, swq_bank_queue *b, uint32_t out)
{
    if (out == q->went - q->going)
        b->behind = 0;
    c->left++;
    if (!at_output(b, out - b->behind)) {
        b->behind++;
        c->gaps++;
    }
}

/* A flit that has come goes past the memory if the queue has none there and its FIFO has room. */
static void arrive(const swq_choosing *c, swq_bank_queue *b, uint32_t came, uint32_t out,
                   uint32_t *fed)
{
    if (came == b->came[0] || *fed != came - 1)
        return;
    if (room(c, *fed, out) > 0)
        *fed = came;
    else
        b->first = *fed;
}

/* Reads the next flit of the chunk, if this flit is in its bank. A chunk of which all written flits
 * have been read is free, and the next flit begins another chunk. */
static void read_on(const swq_choosing *c, swq_bank_queue *b, uint32_t *fed)
{
    const bool written = before(*fed, b->came[2]);

    b->reading = written && (*fed - b->first) % c->chunk != 0;
    if (b->reading)
        b->read = ++*fed;
    else if (!written)
        b->first = *fed;
}

static void remember(swq_bank_queue *b, uint32_t came, uint32_t fed)
{
    b->came[2] = b->came[1];
    b->came[1] = b->came[0];
    b->came[0] = came;
    b->fed[2] = b->fed[1];
    b->fed[1] = b->fed[0];
    b->fed[0] = fed;
}

/* Runs one cycle of the banks of an input. */
static void pass(swq_async_net *net, uint32_t port, uint32_t now)
{
    swq_choosing *c = swq_choosing_of(net);
    uint32_t fed[MOST_QUEUES], came[MOST_QUEUES];
    const port_set held = *held_at(net, port);
    port_set asking = no_ports();

    for (port_set set = held; any_port(set); drop_first(&set)) {
        const int k = (int)first_port(set);
        const swq_flit_queue *q = queue_of(net, port, k);
        swq_bank_queue *b = banked(net, port, k);
        const uint32_t out = swq_flits_out(q, now);
        came[k] = swq_flits_in(q, now);
        fed[k] = before(b->fed[0], out) ? out : b->fed[0];
        if (swq_flits_out(q, now + 1) != out)
            leave(c, q, b, out);
        arrive(c, b, came[k], out, &fed[k]);
        if (b->reading)
            read_on(c, b, &fed[k]);
        if (!b->reading && before(fed[k], b->came[2]) && room(c, fed[k], out) >= (int32_t)c->chunk)
            put_port(&asking, (uint32_t)k, true);
    }
    if (any_port(asking)) {
        const int k = (int)next_port(asking, c->next_reader[port]);
        banked(net, port, k)->reading = true;
        banked(net, port, k)->read = ++fed[k];
        c->next_reader[port] = (uint8_t)(k + 1 < net->queues ? k + 1 : 0);
        c->turns++;
        c->waits += (uint64_t)count_ports(asking) - 1;
    }
    for (port_set set = held; any_port(set); drop_first(&set)) {
        const int k = (int)first_port(set);
        remember(banked(net, port, k), came[k], fed[k]);
    }
}

/* Brings an input up to the cycle before this one: to be called before a packet comes or leaves. */
static void banks_advance(swq_async_net *net, uint32_t port)
{
    swq_choosing *c = swq_choosing_of(net);

    if (!any_port(*held_at(net, port)))
        c->passed[port] = net->cycle;
    for (; c->passed[port] != net->cycle; c->passed[port]++)
        pass(net, port, c->passed[port]);
}
