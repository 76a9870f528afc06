/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic thresholds that are lifted for a queue which absorbs a burst, in cells: edt and tdt. The
 * rules in slots, their sources and constants are in models/buffers/absorption.c; here packets have
 * any size, so that counters count cells, and pass their limits instead of meeting them.
 */
#include "sim/datacentre/net.h"

enum { NORMAL, ABSORBING, EVACUATING };
enum { EBB = 3 }; /* packets that are sent in a row end a burst */

struct dc_absorber {
    uint64_t growth;   /* cells taken less cells sent, at least 0, in the present window */
    uint64_t window;   /* cells sent in the present window of a queue that is NORMAL */
    uint64_t absorbed; /* cells sent while the queue was ABSORBING */
    uint64_t lost;     /* cells lost */
    uint8_t leaving;   /* packets sent since one was taken */
    uint8_t state;
};

swq_status dc_absorbers_make(swq_context *ctx, dc_net *net)
{
    net->absorber = swq_calloc(ctx, net->queues, sizeof *net->absorber);
    return net->absorber ? SWQ_OK : swq_memory_status(ctx);
}

static uint64_t cells_of(const dc_net *net, uint64_t bytes)
{
    return bytes / net->spec->memory.cell;
}

static uint64_t at_least_1(uint64_t number)
{
    return number > 0 ? number : 1;
}

/* Cells by which a queue must grow to absorb: its share of the memory. */
static uint64_t growth_limit(const dc_net *net, const dc_memory *m)
{
    return at_least_1(cells_of(net, m->capacity) / m->queues);
}

/* A queue that absorbs a burst does not watch for another one. */
static void look_up(dc_absorber *a)
{
    if (a->state == ABSORBING)
        a->growth = a->window = 0;
}

static bool below_threshold(const dc_net *net, const dc_memory *m, uint32_t join,
                            const dc_packet *p)
{
    const dc_absorber *all = &net->absorber[m->first_queue];
    const uint64_t held = net->queue[m->first_queue + join].held;
    uint64_t absorbing = 0;

    for (uint32_t k = 0; k < m->queues; k++)
        absorbing += all[k].state == ABSORBING;
    if (all[join].state == ABSORBING)
        return held * absorbing < m->capacity;
    return (double)held < net->spec->memory.alpha[p->class] * (double)m->free &&
           (all[join].state != EVACUATING || held * m->queues < m->capacity);
}

static void note_taken(const dc_net *net, const dc_memory *m, dc_absorber *a, uint64_t cells)
{
    a->leaving = 0;
    a->growth += cells;
    if (a->growth >= growth_limit(net, m))
        a->state = ABSORBING;
    look_up(a);
}

static void note_lost(const dc_net *net, const dc_memory *m, dc_absorber *a, uint64_t cells,
                      bool full, bool evacuates)
{
    if (full) {
        a->state = NORMAL;
        a->absorbed = 0;
    }
    a->growth = 0;
    a->leaving = 0;
    if (!evacuates)
        return;
    a->lost += cells;
    if (a->lost >= at_least_1(cells_of(net, m->capacity) / 2)) {
        a->lost = 0;
        a->state = EVACUATING;
    }
}

static swq_fate fate_of(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p,
                        bool evacuates)
{
    const dc_memory *m = &net->memory[memory];
    dc_absorber *a = &net->absorber[m->first_queue + join];
    const uint64_t cells = cells_of(net, p->size);
    const bool full = p->size > m->free;

    if (!full && below_threshold(net, m, join, p)) {
        note_taken(net, m, a, cells);
        return SWQ_TAKE;
    }
    note_lost(net, m, a, cells, full, evacuates);
    return SWQ_REFUSE;
}

static void note_sent(const dc_net *net, const dc_memory *m, dc_absorber *a, uint64_t cells)
{
    const uint64_t capacity = cells_of(net, m->capacity);

    if (++a->leaving == EBB) {
        a->leaving = 0;
        a->growth = a->absorbed = a->lost = 0;
        a->state = NORMAL;
    }
    a->growth -= a->growth < cells ? a->growth : cells;
    if (a->state == NORMAL && (a->window += cells) >= growth_limit(net, m)) {
        a->window = a->growth = 0;
        a->leaving = 0;
    }
    if (a->state == ABSORBING && (a->absorbed += cells) >= 2 * capacity) {
        a->absorbed = 0;
        a->state = NORMAL;
    }
    look_up(a);
}

/* ---- enhanced dynamic threshold ---- */

swq_fate dc_edt_fate(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    return fate_of(net, memory, join, p, false);
}

void dc_edt_sent(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *p)
{
    note_sent(net, &net->memory[memory], &net->absorber[queue], cells_of(net, p->size));
}

/* ---- traffic-aware dynamic threshold ---- */

swq_fate dc_tdt_fate(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    return fate_of(net, memory, join, p, true);
}

/* A queue that is short of half its thresholds has been evacuated. */
void dc_tdt_sent(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *p)
{
    const dc_memory *m = &net->memory[memory];

    dc_edt_sent(net, memory, queue, p);
    for (uint32_t k = m->first_queue; k < m->first_queue + m->queues; k++) {
        dc_absorber *a = &net->absorber[k];
        const uint64_t twice = 2 * net->queue[k].held;
        const double alpha = net->spec->memory.alpha[k % (uint32_t)net->classes];
        if (a->state == EVACUATING && (double)twice < alpha * (double)m->free &&
            twice * m->queues < m->capacity) {
            a->state = NORMAL;
            a->lost = 0;
        }
    }
}
