/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each flow has sent to a switch since its last pause: the table of fab. A flow that is silent
 * for longer than a pause is as if it had never been seen, so that its entry is dropped when the
 * table is full.
 */
#include "sim/datacentre/net.h"

typedef struct {
    uint64_t flow, last, bytes; /* last: ps, of its last packet; bytes 0: no entry */
    uint32_t memory;
} flow_entry;

struct dc_new_flows {
    flow_entry *entry;
    uint64_t room, used; /* a power of 2 */
};

swq_status dc_new_flows_make(swq_context *ctx, dc_net *net)
{
    net->new_flows = swq_calloc(ctx, 1, sizeof *net->new_flows);
    return net->new_flows ? SWQ_OK : swq_memory_status(ctx);
}

void dc_new_flows_free(swq_context *ctx, dc_net *net)
{
    if (net->new_flows)
        swq_free(ctx, net->new_flows->entry);
    swq_free(ctx, net->new_flows);
}

/* Flows of hosts have numbers; those of a trace are an input, an output and a class. */
static uint64_t flow_of(const dc_net *net, uint32_t port, const dc_packet *p)
{
    if (net->hosts > 0)
        return ((uint64_t)p->generation << 32 | p->flow) * 2 + p->ack;
    return ((uint64_t)p->came * net->ports + port) * SWQ_DC_CLASSES + p->class;
}

static flow_entry *find(const dc_new_flows *t, uint32_t memory, uint64_t flow)
{
    uint64_t hash = (flow + memory) * UINT64_C(0x9e3779b97f4a7c15);

    for (hash ^= hash >> 32;; hash++) {
        flow_entry *e = &t->entry[hash & (t->room - 1)];
        if (e->bytes == 0 || (e->flow == flow && e->memory == memory))
            return e;
    }
}

/* Makes room for one more: entries of flows that have paused are left behind. */
static bool make_room(dc_net *net, dc_new_flows *t)
{
    const dc_new_flows old = *t;
    uint64_t kept = 0;

    for (uint64_t k = 0; k < old.room; k++)
        kept +=
            old.entry[k].bytes > 0 && net->now - old.entry[k].last <= net->spec->memory.flow_pause;
    *t = (dc_new_flows){.room = 64};
    while (t->room < 4 * kept)
        t->room *= 2;
    t->entry = swq_calloc(net->ctx, t->room, sizeof *t->entry);
    if (!t->entry) {
        *t = old;
        return false;
    }
    for (uint64_t k = 0; k < old.room; k++) {
        const flow_entry *e = &old.entry[k];
        if (e->bytes > 0 && net->now - e->last <= net->spec->memory.flow_pause) {
            *find(t, e->memory, e->flow) = *e;
            t->used++;
        }
    }
    swq_free(net->ctx, old.entry);
    return true;
}

void dc_note_flow(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    dc_new_flows *t = net->new_flows;
    const uint64_t flow = flow_of(net, join / (uint32_t)net->classes, p);

    if (2 * t->used >= t->room && !make_room(net, t)) {
        net->events->failed = swq_memory_status(net->ctx);
        return;
    }
    flow_entry *e = find(t, memory, flow);
    t->used += e->bytes == 0;
    if (e->bytes == 0 || net->now - e->last > net->spec->memory.flow_pause)
        *e = (flow_entry){.flow = flow, .memory = memory};
    e->bytes += p->bytes;
    e->last = net->now;
}

bool dc_flow_is_new(const dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const flow_entry *e =
        find(net->new_flows, memory, flow_of(net, join / (uint32_t)net->classes, p));

    return e->bytes < net->spec->memory.new_flow;
}
