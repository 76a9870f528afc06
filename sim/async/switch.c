/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A switch: who may send what, who does, and what follows from it.
 * Room: sim. Includes base and models.
 */
#include "base/statistics.h"
#include "sim/async/net.h"

#include <string.h>

/* ---- flow control: asking ---- */

/* Blocks that departing packets of a port still hold, and of one of its queues. */
static inline uint32_t left_in_port(const swq_async_net *net, const swq_entry *e, uint32_t port)
{
    if (!net->each_queue)
        return swq_left(&e->leaving, net->cycle, net->step);
    const swq_lane *lane = net->lane + (size_t)port * (uint32_t)net->queues;
    uint32_t left = 0;
    for (int q = 0; q < net->queues; q++)
        left += swq_left(&lane[q].leaving, net->cycle, net->step);
    return left;
}

static inline const swq_leaving *leaving_of(const swq_async_net *net, const swq_entry *e,
                                            const swq_lane *lane, int q)
{
    if (net->each_queue)
        return &lane->leaving;
    return e->leaving_lane == q ? &e->leaving : NULL;
}

/* The first cycle in which a departing packet holds at most `allowed` blocks. */
static inline uint32_t left_until(const swq_leaving *l, uint32_t allowed, uint32_t step)
{
    uint32_t steps = l->blocks > allowed ? l->blocks - allowed : 0;
    uint64_t gone = (uint64_t)steps * step;
    return l->cycle + (gone < l->held ? (uint32_t)gone : l->held);
}

/* A closed port: if a departing packet will open it, the feeder is to look again then. */
static void wake_when_open(swq_async_net *net, const swq_entry *e, uint32_t port, int q)
{
    const swq_lane *lane = net->lane + (size_t)port * (uint32_t)net->queues;
    uint32_t now = net->cycle, when = SWQ_NEVER;

    if (net->pooled && e->blocks <= net->room) {
        if (!net->each_queue) {
            when = left_until(&e->leaving, (uint32_t)net->room - e->blocks, net->step);
        } else {
            /* several depart at once: look again whenever one of them has freed a block */
            for (int k = 0; k < net->queues; k++) {
                const swq_leaving *l = &lane[k].leaving;
                uint32_t left = swq_left(l, now, net->step);
                uint32_t next = left ? left_until(l, left - 1, net->step) : SWQ_NEVER;
                when = next < when ? next : when;
            }
        }
        if (when != SWQ_NEVER && when > now)
            swq_wake_feeder(net, when, e->feeder);
    }
    const swq_leaving *l = net->limited ? leaving_of(net, e, &lane[q], q) : NULL;
    if (l && lane[q].blocks <= net->limit) {
        when = left_until(l, (uint32_t)(net->limit - lane[q].blocks), net->step);
        if (when > now)
            swq_wake_feeder(net, when, e->feeder);
    }
}

static inline bool open_to(swq_async_net *net, uint32_t port, int class)
{
    const swq_entry *e = &net->entry[port];
    int q = swq_lane_of(net, class);
    bool open = true;

    /* mostly a port is open whatever a departing packet still holds, which need not be computed */
    if (net->pooled && (net->each_queue || e->blocks + e->leaving.blocks > net->room))
        open = (int)(e->blocks + left_in_port(net, e, port)) <= net->room;
    if (open && net->limited) {
        const swq_lane *lane = &net->lane[(size_t)port * (uint32_t)net->queues + (uint32_t)q];
        const swq_leaving *l = leaving_of(net, e, lane, q);
        uint32_t left = l ? swq_left(l, net->cycle, net->step) : 0;
        open = (int)(lane->blocks + left) <= net->limit;
    }
    if (!open)
        wake_when_open(net, e, port, q);
    return open;
}

bool swq_port_open(swq_async_net *net, uint32_t port, int class)
{
    return open_to(net, port, class);
}

/* ---- moving packets ---- */

/* Note where the head of a queue goes. */
static inline void weigh_head(swq_async_net *net, uint32_t port, swq_lane *lane)
{
    const swq_fabric *f = net->fabric;
    const swq_parcel *p = &net->parcel[(size_t)port * (uint32_t)net->slots + lane->head];
    uint32_t sw = net->entry[port].sw;
    uint32_t out = f->output[(size_t)port * (uint32_t)f->classes + p->class];
    uint32_t link = f->link[sw * (uint32_t)net->ports + out];

    lane->ready = p->ready;
    lane->output = (uint8_t)out;
    if (link & SWQ_TO_NODE) {
        lane->next_port = SWQ_SINK;
        return;
    }
    lane->next_port = link;
    lane->next_class = (uint8_t)f->shape.kind->route(f, link, p->from, p->to);
}

void swq_port_enter(swq_async_net *net, uint32_t port, const swq_parcel *parcel)
{
    swq_entry *e = &net->entry[port];
    int q = swq_lane_of(net, parcel->class);
    swq_lane *lane = &net->lane[(size_t)port * (uint32_t)net->queues + (uint32_t)q];
    swq_parcel *store = net->parcel + (size_t)port * (uint32_t)net->slots;
    uint16_t slot = e->free_slot;

    e->free_slot = store[slot].next;
    store[slot] = *parcel;
    store[slot].next = SWQ_NO_SLOT;
    e->blocks = (uint16_t)(e->blocks + parcel->blocks);
    lane->blocks = (uint16_t)(lane->blocks + parcel->blocks);
    net->inside[e->level]++;
    net->system.hops++;
    if (e->full & 1u << q) {
        store[lane->tail].next = slot;
        lane->tail = slot;
        return;
    }
    e->full |= 1u << q;
    lane->head = lane->tail = slot;
    weigh_head(net, port, lane);
    net->wants[port] |= 1u << lane->output;
    uint32_t free = net->each_queue ? lane->read_free : e->read_free;
    swq_wake_input(net, lane->ready > free ? lane->ready : free, port);
}

static void deliver(swq_async_net *net, const swq_parcel *p)
{
    swq_system *s = &net->system;
    uint32_t latency = net->cycle - p->birth;
    int cell = s->group ? s->group[p->from] : 0;
    uint64_t *count = s->tally + swq_tally_cell(s->levels, cell);

    count[SWQ_CELL_DELIVERED]++;
    count[SWQ_CELL_LATENCY] += latency;
    count[SWQ_CELL_BYTES] += p->bytes;
    count[SWQ_CELL_HOPS] += p->entered;
    s->histogram[(size_t)cell * SWQ_HISTOGRAM_BINS + swq_histogram_bin(latency)]++;
    if (s->node_count)
        s->node_count[(size_t)p->to * SWQ_NODE_BINS +
                      (latency < SWQ_NODE_BINS ? latency : SWQ_NODE_BINS - 1)]++;
    s->delivered++;
    s->sojourn += latency;
    net->bytes_delivered += p->bytes;
}

static void show_start(const swq_async_net *net, uint32_t sw, int input, int output,
                       const swq_parcel *p)
{
    const swq_start start = {.cycle = net->cycle,
                             .from = p->from,
                             .to = p->to,
                             .birth = p->birth,
                             .bytes = p->bytes,
                             .switch_ = sw,
                             .input = (uint32_t)input,
                             .output = (uint32_t)output,
                             .class = p->class};
    net->watch->started(net->watch->arg, &start);
}

/* Which outputs the heads of an input are for. */
static inline void note_wants(swq_async_net *net, uint32_t port)
{
    const swq_lane *lanes = net->lane + (size_t)port * (uint32_t)net->queues;
    uint32_t wants = 0;

    for (uint32_t set = net->entry[port].full; set; set &= set - 1)
        wants |= 1u << lanes[__builtin_ctz(set)].output;
    net->wants[port] = wants;
}

/* Begin to send the head of queue q of an input. */
static void start(swq_async_net *net, uint32_t sw, int input, int q)
{
    const uint32_t now = net->cycle, port = sw * (uint32_t)net->ports + (uint32_t)input;
    swq_entry *e = &net->entry[port];
    swq_lane *lane = &net->lane[(size_t)port * (uint32_t)net->queues + (uint32_t)q];
    swq_parcel *p = &net->parcel[(size_t)port * (uint32_t)net->slots + lane->head];
    const uint32_t out = sw * (uint32_t)net->ports + lane->output, next_port = lane->next_port;
    const uint8_t next_class = lane->next_class, level = net->fabric->out_level[out];
    const swq_leaving leaving = {now, net->spec->release == SWQ_RELEASE_START ? 1 : p->bytes,
                                 p->blocks};
    const uint32_t read_free = now + p->bytes, out_free = read_free + net->link_rest;
    uint16_t slot = lane->head;

    if (net->watch && net->watch->started)
        show_start(net, sw, input, lane->output, p);
    /* told: was it closed, and when will it open? Not before its link has rested, when the feeder
     * looks anyway. */
    bool tight =
        (net->pooled && e->blocks > net->room) || (net->limited && lane->blocks > net->limit);
    e->blocks = (uint16_t)(e->blocks - p->blocks);
    lane->blocks = (uint16_t)(lane->blocks - p->blocks);
    if (net->each_queue) {
        lane->leaving = leaving;
        lane->read_free = read_free;
    } else {
        e->leaving = leaving;
        e->leaving_lane = (uint16_t)q;
        e->read_free = read_free;
    }
    if (tight && e->link_free < read_free)
        wake_when_open(net, e, port, q);
    net->out_free[out] = out_free;
    swq_wake_output(net, out_free, out);

    /* the packet moves on */
    net->inside[e->level]--;
    net->system.tally[swq_tally_stage(level) + SWQ_STAGE_SENT] += p->bytes;
    if (next_port == SWQ_SINK) {
        deliver(net, p);
    } else {
        swq_parcel moved = *p;
        moved.ready = now + net->hop_delay;
        moved.class = next_class;
        moved.entered = (uint8_t)(p->entered + (p->entered < UINT8_MAX));
        net->entry[next_port].link_free = out_free;
        swq_port_enter(net, next_port, &moved);
    }

    /* and leaves its place to the one behind it */
    uint16_t behind = p->next;
    p->next = e->free_slot;
    e->free_slot = slot;
    if (behind == SWQ_NO_SLOT) {
        e->full &= ~(1u << q);
    } else {
        lane->head = behind;
        weigh_head(net, port, lane);
        if (lane->ready > read_free) /* short packets behind one another */
            swq_wake_input(net, lane->ready, port);
    }
    note_wants(net, port);
    if (net->each_queue ? behind != SWQ_NO_SLOT : e->full != 0)
        swq_wake_input(net, read_free, port);
}

/* ---- arbitration ---- */

/* Has this queue of an input a head that is ready and can be read? */
static inline bool readable(const swq_async_net *net, const swq_entry *e, const swq_lane *lane)
{
    uint32_t free = net->each_queue ? lane->read_free : e->read_free;
    return lane->ready <= net->cycle && free <= net->cycle;
}

/* ... and sent? */
static inline bool sendable(swq_async_net *net, uint32_t sw, const swq_lane *lane)
{
    return net->out_free[sw * (uint32_t)net->ports + lane->output] <= net->cycle &&
           (lane->next_port == SWQ_SINK || open_to(net, lane->next_port, lane->next_class));
}

/* The longest queue of an input that can be sent from to one of `outputs`; of equally long ones the
 * one whose output comes first, counting from `first`; -1: none. */
static inline int longest(swq_async_net *net, uint32_t sw, uint32_t port, int first,
                          uint32_t outputs)
{
    const swq_entry *e = &net->entry[port];
    const swq_lane *lanes = net->lane + (size_t)port * (uint32_t)net->queues;
    int best = -1, best_blocks = 0, best_place = 0;

    for (uint32_t set = e->full; set; set &= set - 1) {
        int q = __builtin_ctz(set);
        const swq_lane *lane = &lanes[q];
        if (!(outputs >> lane->output & 1) || !readable(net, e, lane))
            continue;
        int place = lane->output - first;
        place += place < 0 ? net->ports : 0;
        if (lane->blocks < best_blocks || (lane->blocks == best_blocks && place >= best_place) ||
            !sendable(net, sw, lane))
            continue;
        best = q;
        best_blocks = lane->blocks;
        best_place = place;
    }
    return best;
}

/* Could this input have sent something, by what it holds? */
static bool could_send(const swq_async_net *net, uint32_t port)
{
    const swq_entry *e = &net->entry[port];
    const swq_lane *lanes = net->lane + (size_t)port * (uint32_t)net->queues;

    for (uint32_t set = e->full; set; set &= set - 1) {
        if (readable(net, e, &lanes[__builtin_ctz(set)]))
            return true;
    }
    return false;
}

/* What could be sent before this cycle has been, or its input or output became busy. So only what
 * has changed matters: all heads of the inputs, and the heads for the outputs. */
static void rotating_turn(swq_async_net *net, uint32_t sw, uint32_t inputs, uint32_t outputs)
{
    const uint32_t base = sw * (uint32_t)net->ports;
    const int first = net->memory[sw];
    bool sent = false, first_sent = false;

    for (int k = 0; k < net->ports; k++) {
        int input = first + k < net->ports ? first + k : first + k - net->ports, q;
        uint32_t port = base + (uint32_t)input;
        uint32_t to = inputs >> input & 1 ? net->wants[port] : net->wants[port] & outputs;
        if (!to || (!net->each_queue && net->entry[port].read_free > net->cycle))
            continue;
        while ((q = longest(net, sw, port, first, to)) >= 0) {
            start(net, sw, input, q);
            sent = true;
            first_sent = first_sent || k == 0;
            if (!net->each_queue)
                break;
        }
    }
    if (sent && (first_sent || !could_send(net, base + (uint32_t)first)))
        net->memory[sw] = (uint16_t)(first + 1 < net->ports ? first + 1 : 0);
}

/* What an arbiter of the table sees: of an input and an output the longest queue that can be sent.
 */
static bool gather(swq_async_net *net, uint32_t sw, int queue[SWQ_MAX_PORTS][SWQ_MAX_PORTS])
{
    swq_requests *r = &net->requests;
    bool any = false;

    for (int i = 0; i < net->ports; i++) {
        const uint32_t port = sw * (uint32_t)net->ports + (uint32_t)i;
        const swq_entry *e = &net->entry[port];
        const swq_lane *lanes = net->lane + (size_t)port * (uint32_t)net->queues;
        memset(r->length[i], 0, sizeof *r->length[i] * (size_t)net->ports);
        r->waiting[i] = 0;
        for (uint32_t set = e->full; set; set &= set - 1) {
            int q = __builtin_ctz(set);
            const swq_lane *lane = &lanes[q];
            if (!readable(net, e, lane))
                continue;
            r->waiting[i] += lane->blocks;
            if (lane->blocks <= r->length[i][lane->output] || !sendable(net, sw, lane))
                continue;
            r->length[i][lane->output] = lane->blocks;
            queue[i][lane->output] = q;
            any = true;
        }
    }
    return any;
}

static void table_turn(swq_async_net *net, uint32_t sw)
{
    const swq_arbiter *arbiter = net->spec->arbiter;
    swq_requests *r = &net->requests;
    int queue[SWQ_MAX_PORTS][SWQ_MAX_PORTS], grant[SWQ_MAX_PORTS];

    if (!gather(net, sw, queue))
        return;
    if (net->memory_words)
        r->memory = net->memory + (size_t)sw * (size_t)net->memory_words;
    swq_switch_stream_begin(&net->switch_stream, sw, net->cycle);
    arbiter->arbitrate(r, &net->dice, grant);
    if (arbiter->settle)
        arbiter->settle(r, grant);
    for (int j = 0; j < net->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT)
            start(net, sw, grant[j], queue[grant[j]][j]);
    }
    /* one that stops short of a maximal set goes on in the next cycle */
    if (gather(net, sw, queue))
        swq_wake_input(net, net->cycle + 1, sw * (uint32_t)net->ports);
}

void swq_switch_turn(swq_async_net *net, uint32_t sw, uint32_t inputs, uint32_t outputs)
{
    if (net->rotating)
        rotating_turn(net, sw, inputs, outputs);
    else
        table_turn(net, sw);
}
