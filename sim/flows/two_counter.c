/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-counter flow control (Frazier 1995, 8.4.3): a queue has a counter beside its length, brought
 * up to date every so many cycles, and is closed while that counter is at its threshold or above.
 *
 * Nothing happens in the cycles of these updates. A queue's length in the coming cycles is settled
 * as packets come and begin to leave. So its counter is brought up to date when the counter is
 * asked for or the length is about to change, and a sender that finds a queue closed is woken in
 * the cycle in which the queue's counter will have fallen.
 */
#include "sim/frame/flow.h"
#include "sim/frame/net.h"

#include "base/context.h"
#include "base/names.h"

enum { MOST_SIGMA = 4096, MOST_COUNT = 65535, MOST_AHEAD = 1024 };

/* The counter of a queue of an input store. The update of a cycle sees the queue's length before
 * arbitration. */
struct swq_counter {
    uint32_t known; /* `count` contains all updates up to this cycle */
    uint32_t count;
};

/* ---- Table 8.2 ---- */

#define ROW(named, says, every, inc, dec, at, most)                                                \
    {                                                                                              \
        .name = (named), .summary = (says), .sigma = (every), .x_inc = (inc), .x_dec = (dec),      \
        .y = (at), .y_max = (most),                                                                \
    }

static const swq_two_counter rows[] = {
    ROW("H", "hysteresis, as Reiser and as Yum and Yen have it", 1, 8, 4, 1, 1),
    ROW("T", "infrequent sampling", 20, 6, 6, 1, 1),
    ROW("tH", "hysteresis with infrequent sampling", 20, 8, 4, 1, 1),
    ROW("A", "accumulator hysteresis", 20, 8, 8, 2, 4),
    ROW("aH", "hysteresis of lengths and of the accumulator combined", 20, 8, 4, 2, 4),
};

const swq_two_counter *const swq_two_counters[] = {&rows[0], &rows[1], &rows[2],
                                                   &rows[3], &rows[4], NULL};

swq_status swq_two_counter_find(swq_context *ctx, const char *name, swq_two_counter *counters)
{
    const swq_two_counter *row =
        swq_name_lookup(ctx, "two-counter", name, (const void *const *)swq_two_counters);
    if (!row)
        return SWQ_EINVAL;
    *counters = *row;
    return SWQ_OK;
}

/* ---- checks ---- */

static swq_status check_range(swq_context *ctx, const char *what, int value, int least, int most)
{
    if (value >= least && value <= most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "two-counter %s must be %d to %d, not %d", what, least, most,
                    value);
}

static swq_status check(swq_context *ctx, const swq_async *n, int queues)
{
    const swq_two_counter *c = &n->flow.counters;

    (void)queues;
    if (!n->architecture.row->async.input_buffers)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is for --architecture input-queued and cioq, not for %s",
                        n->flow.row->name, n->architecture.row->name);
    if (swq_async_managed(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is not for networks with a management (%s), whose queues have no "
                        "counters",
                        n->flow.row->name, n->management.row->name);
    swq_status status = check_range(ctx, "SIGMA", c->sigma, 1, MOST_SIGMA);
    if (!status)
        status = check_range(ctx, "XINC", c->x_inc, 0, SWQ_MAX_BUFFER_BLOCKS);
    if (!status && c->x_dec < 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "two-counter XDEC must be at least 1, not %d: no queue has fewer than 0 "
                          "blocks, so that none would ever open again",
                          c->x_dec);
    if (!status && c->x_dec > c->x_inc + 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "two-counter XDEC must be at most XINC + 1 = %d, not %d: a queue of %d "
                          "blocks would both raise and lower its counter",
                          c->x_inc + 1, c->x_dec, c->x_inc + 1);
    if (!status)
        status = check_range(ctx, "YMAX", c->y_max, 1, MOST_COUNT);
    if (!status && c->y > c->y_max)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "two-counter Y must be at most YMAX = %d, not %d: no counter would ever "
                          "reach it, and no queue ever be closed",
                          c->y_max, c->y);
    return status ? status : check_range(ctx, "Y", c->y, 1, c->y_max);
}

/* The most cycles ahead for which a waiting sender is scheduled: until the counter has fallen from
 * its highest value, but at most MOST_AHEAD. A sender that must wait longer looks again then. */
static uint32_t ahead(const swq_async *n)
{
    const swq_two_counter *c = &n->flow.counters;
    const int64_t falls = ((int64_t)c->y_max - c->y + 1) * c->sigma;

    return (uint32_t)(falls < MOST_AHEAD ? falls : MOST_AHEAD);
}

/* ---- lengths ---- */

/* The contents of a queue while nothing comes and nothing begins to leave: the waiting packets, and
 * the shrinking rest of the packet that is leaving. */
typedef struct {
    uint32_t waits;
    swq_leaving leaving;
    uint64_t step;
} content;

static content content_of(const swq_async_net *net, uint32_t port, int q)
{
    const swq_reader *r = net->each_queue
                              ? &net->reader[(size_t)port * (uint32_t)net->queues + (uint32_t)q]
                              : &net->port[port].reader;
    content c = {.waits = swq_queues_of(net, port)[q].blocks, .step = net->step[0]};

    if (r->queue == (uint32_t)q)
        c.leaving = r->leaving;
    return c;
}

/* A queue's blocks before arbitration in a cycle. */
static uint32_t blocks_at(const content *c, uint64_t cycle)
{
    const swq_leaving *l = &c->leaving;

    if (cycle < l->cycle)
        return c->waits + l->blocks;
    const uint64_t gone = cycle - l->cycle;
    return c->waits + (gone >= l->held ? 0 : l->blocks - (uint32_t)(gone / c->step));
}

/* The first cycle after `cycle` in which the queue may hold less; UINT64_MAX: none. */
static uint64_t next_less(const content *c, uint64_t cycle)
{
    const swq_leaving *l = &c->leaving;
    const uint64_t end = (uint64_t)l->cycle + l->held;
    const uint64_t steps = cycle < l->cycle ? 1 : (cycle - l->cycle) / c->step + 1;
    const uint64_t next = l->cycle + steps * c->step;

    if (cycle >= end)
        return UINT64_MAX;
    return next < end ? next : end;
}

/* ---- counters ---- */

static swq_counter *counter_of(const swq_async_net *net, uint32_t port, int q)
{
    return &net->counter[(size_t)port * (uint32_t)net->queues + (uint32_t)q];
}

/* The counter after `updates` updates, during which the queue has the same number of blocks. */
static uint32_t after(const swq_two_counter *p, uint32_t count, uint32_t blocks, uint64_t updates)
{
    if (blocks > (uint32_t)p->x_inc) {
        const uint64_t up = count + updates;
        return up < (uint64_t)p->y_max ? (uint32_t)up : (uint32_t)p->y_max;
    }
    if (blocks < (uint32_t)p->x_dec)
        return updates < count ? count - (uint32_t)updates : 0;
    return count;
}

static void settle(swq_async_net *net, uint32_t port, int q)
{
    const swq_two_counter *p = &net->spec->flow.counters;
    const uint64_t sigma = (uint64_t)p->sigma, now = net->cycle;
    swq_counter *c = counter_of(net, port, q);
    const content held = content_of(net, port, q);

    for (uint64_t known = c->known, last; known < now; known = last) {
        const uint64_t less = next_less(&held, known + 1);
        last = less <= now ? less - 1 : now;
        c->count = after(p, c->count, blocks_at(&held, last), last / sigma - known / sigma);
    }
    c->known = net->cycle;
}

/* Settles also the queue of the packet that was last read by the same read port, since that
 * packet's state is about to be overwritten. */
static void settle_both(swq_async_net *net, uint32_t port, int q)
{
    settle(net, port, q);
    if (!net->each_queue)
        settle(net, port, (int)net->port[port].reader.queue);
}

/* The first cycle in which a settled counter that is not below Y will be, if nothing comes and
 * nothing else begins to leave; UINT64_MAX: none. */
static uint64_t falls_in(const swq_async_net *net, uint32_t port, int q)
{
    const swq_two_counter *p = &net->spec->flow.counters;
    const uint64_t sigma = (uint64_t)p->sigma;
    const content held = content_of(net, port, q);
    uint64_t known = net->cycle;
    uint32_t count = counter_of(net, port, q)->count;

    for (;;) {
        const uint64_t less = next_less(&held, known + 1);
        const uint32_t blocks = blocks_at(&held, known + 1);
        const uint64_t due = (known / sigma + (count - (uint32_t)p->y + 1)) * sigma;
        if (blocks < (uint32_t)p->x_dec && due < less)
            return due;
        if (less == UINT64_MAX)
            return UINT64_MAX;
        count = after(p, count, blocks, (less - 1) / sigma - known / sigma);
        known = less - 1;
    }
}

/* Wakes the sender when the counter has fallen, or as late as the wheels allow. */
static void wake(swq_async_net *net, uint32_t port, int q)
{
    const uint64_t when = falls_in(net, port, q);
    const uint32_t feeder = net->port[port].feeder;
    const uint32_t slots = feeder & SWQ_TO_NODE ? net->senders.slots : net->wheel.slots;
    const uint64_t most = (uint64_t)net->cycle + slots - 1;

    if (when != UINT64_MAX)
        swq_wake_feeder(net, (uint32_t)(when < most ? when : most), feeder);
}

/* Is the queue open, by its counter? */
static bool counter_open(swq_async_net *net, uint32_t port, int q)
{
    settle(net, port, q);
    if (counter_of(net, port, q)->count < (uint32_t)net->spec->flow.counters.y)
        return true;
    wake(net, port, q);
    return false;
}

static void leave(swq_async_net *net, uint32_t port, int q, const swq_leaving *leaving)
{
    (void)leaving;
    if (counter_of(net, port, q)->count >= (uint32_t)net->spec->flow.counters.y)
        wake(net, port, q);
}

static swq_closure stuck(swq_async_net *net, uint32_t port, int q)
{
    const swq_two_counter *p = &net->spec->flow.counters;

    settle(net, port, q);
    return counter_of(net, port, q)->count >= (uint32_t)p->y &&
                   swq_queues_of(net, port)[q].blocks >= p->x_dec
               ? SWQ_QUEUE_STUCK
               : SWQ_CLOSED_BY_ROOM;
}

/* ---- the row ---- */

static double bytes(const swq_async_net *net)
{
    return (double)net->inputs * net->queues * sizeof(swq_counter);
}

static swq_status make(swq_context *ctx, swq_async_net *net)
{
    net->counter =
        swq_calloc(ctx, (size_t)net->inputs * (uint32_t)net->queues, sizeof *net->counter);
    return net->counter ? SWQ_OK : swq_memory_status(ctx);
}

static void release(swq_context *ctx, swq_async_net *net)
{
    swq_free(ctx, net->counter);
    net->counter = NULL;
}

static void keep(swq_async_net *net, swq_state *state)
{
    swq_state_add(state, net->counter,
                  (size_t)net->inputs * (uint32_t)net->queues * sizeof *net->counter);
}

static const swq_flow_hooks hooks = {
    .check = check,
    .ahead = ahead,
    .bytes = bytes,
    .make = make,
    .free = release,
    .keep = keep,
    .open = counter_open,
    .settle = settle_both,
    .leave = leave,
    .stuck = stuck,
};

const swq_hop_flow swq_flow_two_counter = {
    .name = "two-counter",
    .summary = "each queue has a second counter, which rises while the queue is long and falls "
               "while it is short, and closes it when high",
    .source = "Frazier (1995), 8.4.3 and Tables 8.1 and 8.2; hysteresis: Reiser (1983), Yum and "
              "Yen (1983)",
    .counters = true,
    .engines = SWQ_ENGINE_ASYNC,
    .hooks = &hooks,
};
