/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a network that is stepped, as bytes: a head that says of which network it is, the
 * pieces of the network and of its counters, and the ends that have not been read.
 */
#include "sim/live/live.h"

#include "base/context.h"
#include "switchq/version.h"

#include <string.h>

#define MAGIC UINT64_C(0x6576696c71777331) /* in the byte order of the machine */

typedef struct {
    uint64_t magic, identity, bytes, ends;
} state_head;

/* ---- which network it is ---- */

/* Adds bytes to a hash (Fowler, Noll and Vo: FNV-1a). */
static void mix(uint64_t *hash, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;

    for (size_t k = 0; k < count; k++)
        *hash = (*hash ^ b[k]) * UINT64_C(0x100000001b3);
}

static void mix_text(uint64_t *hash, const char *text)
{
    mix(hash, text, strlen(text) + 1);
}

static void mix_number(uint64_t *hash, double number)
{
    mix(hash, &number, sizeof number);
}

static void mix_buffer(uint64_t *hash, const swq_buffer *b)
{
    const double number[] = {
        b->scope,           b->queues,          b->read,      b->capacity,   b->queue_min,
        b->queue_max,       b->alpha,           b->ties,      b->drop_head,  b->expel,
        b->expel_chance[0], b->expel_chance[1], b->congested, b->oracle.flip};

    mix(hash, number, sizeof number);
    mix_text(hash, swq_buffer_pool_rule(b)->name);
    mix_text(hash, swq_buffer_admission(b)->name);
    if (b->oracle.answer)
        mix(hash, b->oracle.answer, b->oracle.answers);
}

static void mix_switch(uint64_t *hash, const swq_switch *sw)
{
    const double number[] = {sw->ports,      sw->speedup,          sw->output_slots,
                             sw->iterations, sw->crosspoint_slots, sw->flow,
                             sw->credit,     sw->departures_first};

    mix(hash, number, sizeof number);
    mix_buffer(hash, &sw->buffer);
    mix_number(hash, sw->priority.fraction);
    mix_number(hash, sw->priority.support);
    mix_number(hash, sw->priority.slots);
    mix_number(hash, sw->priority.queues);
    mix_text(hash, swq_switch_architecture(sw)->name);
    if (sw->arbiter)
        mix_text(hash, sw->arbiter->name);
}

/* The load is part of the state. */
static void mix_traffic(uint64_t *hash, const swq_traffic *t, uint32_t nodes)
{
    mix_text(hash, t->pattern->name);
    mix_number(hash, t->kind);
    mix_number(hash, t->burst);
    mix_number(hash, t->queue_limit);
    for (int k = 0; k < t->hot_spots; k++) {
        mix_number(hash, t->hot[k].node);
        mix_number(hash, t->hot[k].fraction);
    }
    if (t->pattern->matrix)
        mix(hash, t->matrix, (size_t)nodes * nodes * sizeof *t->matrix);
    if (t->node_load)
        mix(hash, t->node_load, nodes * sizeof *t->node_load);
    for (uint64_t k = 0; t->kind == SWQ_SOURCE_TRACE && k < t->trace_packets; k++) {
        const swq_trace_packet *p = &t->trace[k];
        const uint64_t line[] = {p->cycle, p->source, p->destination, p->high};
        mix(hash, line, sizeof line);
    }
}

static uint64_t identity_of(const swq_live *live)
{
    const swq_network *n = &live->network;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    mix_text(&hash, SWQ_VERSION);
    mix_text(&hash, n->shape.wiring->name);
    mix_number(&hash, n->shape.stages);
    mix_number(&hash, n->resend);
    mix_number(&hash, n->stale);
    mix_number(&hash, live->options.follow);
    mix_number(&hash, live->options.plain);
    mix_switch(&hash, &n->sw);
    mix_traffic(&hash, &n->traffic, live->net->system.nodes);
    for (int k = 0; k < live->state.pieces; k++)
        mix_number(&hash, (double)live->state.piece[k].bytes);
    return hash;
}

/* ---- the pieces ---- */

static void add_counters(swq_net_state *state, swq_system *s)
{
    uint64_t *const count[] = {&s->created, &s->delivered, &s->discarded,
                               &s->hops,    &s->sojourn,   &s->area};

    for (size_t k = 0; k < sizeof count / sizeof *count; k++)
        swq_net_state_add(state, count[k], sizeof *count[k]);
    swq_net_state_add(state, &s->overflow, sizeof s->overflow);
    swq_net_state_add(state, &s->drained, sizeof s->drained);
    swq_net_state_add(state, s->tally, swq_system_counters(s) * sizeof *s->tally);
}

void swq_live_lay_out_state(swq_live *live)
{
    swq_traffic *t = &live->network.traffic;
    swq_arrays list;

    swq_net_state_of(live->net, &live->state);
    add_counters(&live->state, &live->net->system);
    swq_net_state_add(&live->state, &t->load, sizeof t->load);
    swq_net_state_add(&live->state, &live->offered, sizeof live->offered);
    swq_live_list(live, &list);
    for (int k = 0; k < list.count; k++) {
        void *block = swq_arrays_block(&list, k);
        if (block)
            swq_net_state_add(&live->state, block,
                              (size_t)list.array[k].elements * list.array[k].size);
    }
    live->identity = identity_of(live);
}

/* ---- saving and restoring ---- */

static size_t bytes_of(const swq_live *live, uint64_t ends)
{
    return sizeof(state_head) + live->state.bytes + ends * sizeof *live->end;
}

size_t swq_live_state_bytes(const swq_live *live)
{
    return bytes_of(live, live->ends);
}

void swq_live_save(const swq_live *live, void *state)
{
    const state_head head = {MAGIC, live->identity, live->state.bytes, live->ends};
    unsigned char *to = state;

    memcpy(to, &head, sizeof head);
    to += sizeof head;
    swq_net_save(&live->state, to);
    if (live->ends > 0)
        memcpy(to + live->state.bytes, live->end + live->end_first, live->ends * sizeof *live->end);
}

static swq_status check_head(const swq_live *live, const state_head *head, size_t bytes)
{
    if (head->magic != MAGIC)
        return swq_fail(live->ctx, SWQ_EINVAL, "these bytes are no state of a network");
    if (head->identity != live->identity)
        return swq_fail(live->ctx, SWQ_EINVAL,
                        "the state is that of another network, or of another version (this is "
                        "%s)",
                        SWQ_VERSION);
    if (head->bytes != live->state.bytes || head->ends > bytes ||
        bytes != bytes_of(live, head->ends))
        return swq_fail(live->ctx, SWQ_EINVAL, "the state is incomplete: it has %zu bytes", bytes);
    return SWQ_OK;
}

swq_status swq_live_restore(swq_live *live, const void *state, size_t bytes)
{
    const unsigned char *from = state;
    state_head head = {0};

    if (bytes >= sizeof head)
        memcpy(&head, state, sizeof head);
    swq_status status = check_head(live, &head, bytes);
    if (!status && head.ends > live->ends)
        status = swq_live_reserve(live, head.ends - live->ends);
    if (status)
        return status;
    from += sizeof head;
    swq_net_restore(&live->state, from);
    live->end_first = 0;
    live->ends = head.ends;
    if (head.ends > 0)
        memcpy(live->end, from + live->state.bytes, head.ends * sizeof *live->end);
    if (live->network.traffic.kind != SWQ_SOURCE_TRACE)
        swq_sources_set_load(live->net);
    return SWQ_OK;
}
