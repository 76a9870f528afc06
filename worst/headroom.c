/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The most that can arrive at an input after its pause is decided. Between the decision and the
 * moment from which the peer begins no packet any more, a known time passes; the packets that it
 * begins meanwhile are chosen by an adversary, who wants them to take as many cells as possible.
 * That is a knapsack of packets, which a packet of k cells enters with the fewest bytes that take k
 * cells; it is solved exactly in a loop over the number of shortest packets. docs/headroom.md has
 * the proof.
 */
#include "switchq/headroom.h"
#include "base/context.h"

#include <string.h>

enum { QUANTUM = 64 /* bytes */, PARTS = SWQ_HEADROOM_PARTS };

static swq_status check(swq_context *ctx, const swq_headroom_spec *s)
{
    swq_status status = swq_pfc_check(ctx, &s->link);

    if (!status &&
        (s->least_packet < SWQ_PFC_LEAST_FRAME || s->least_packet > s->link.lossless_mtu))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "least-packet, in bytes, must be from %d to lossless-mtu, %u, not %u",
                          SWQ_PFC_LEAST_FRAME, s->link.lossless_mtu, s->least_packet);
    if (!status && s->gap > SWQ_HEADROOM_GAP)
        status = swq_fail(ctx, SWQ_EINVAL, "gap, in bytes, must be from 0 to %d, not %u",
                          SWQ_HEADROOM_GAP, s->gap);
    return status;
}

/* The delays, in parts of a byte. A metre is 1/198,000,000 s, so that a mm of cable holds rate /
 * 1,584,000 bytes with the rate in Mb/s; a ns of gearbox holds rate / 8000; a thousandth of a KiB
 * is 128/125 bytes. */
static void delays(const swq_headroom_spec *s, swq_headroom *h)
{
    const swq_pfc_link *l = &s->link;
    const uint64_t way =
        (uint64_t)l->cable * l->rate + PARTS / 8000 * (uint64_t)l->gearbox * l->rate;

    h->busy = (uint64_t)PARTS * (l->port_mtu + s->gap);
    h->pause = (uint64_t)PARTS * (SWQ_PFC_LEAST_FRAME + s->gap);
    h->cable_there = h->cable_back = way;
    h->layers = (uint64_t)PARTS / 125 * 128 * l->mac_phy;
    h->response = (uint64_t)PARTS * QUANTUM * l->quanta;
    h->window = h->busy + h->pause + 2 * way + h->layers + h->response;
}

/* ---- the packets that take most cells ---- */

/* Packets that begin, back to back, within `room` bytes of time: `small` of the shortest packets,
 * and `others` that share `cells` cells. */
typedef struct {
    uint64_t small, others, cells, total;
} filling;

/* Numbers of cells that packets take. A packet of k cells, k >= least, is cheapest with (k - 1)
 * cell
 * + 1 bytes; the shortest packet has more bytes than the cheapest one of its number of cells if
 * `apart`, and least is then one more than that number. */
typedef struct {
    uint64_t cell, gap, shortest, shortest_cells, least, most;
    bool apart;
} cells_of;

static cells_of cells_by(const swq_headroom_spec *s)
{
    cells_of c = {.cell = s->link.cell, .gap = s->gap, .shortest = s->least_packet};

    c.shortest_cells = (c.shortest + c.cell - 1) / c.cell;
    c.apart = (c.shortest_cells - 1) * c.cell + 1 < c.shortest;
    c.least = c.shortest_cells + c.apart;
    c.most = (s->link.lossless_mtu + c.cell - 1) / c.cell;
    return c;
}

/* The most cells of exactly `others` cheapest packets in `room`; 0: they do not fit. Their cost is
 * cell * cells + others * (gap + 1 - cell). */
static uint64_t most_cells(const cells_of *c, uint64_t room, uint64_t others)
{
    const uint64_t left = room + others * c->cell;
    const uint64_t fixed = others * (c->gap + 1);

    if (others == 0 || left < fixed || (left - fixed) / c->cell < others * c->least)
        return 0;
    const uint64_t cells = (left - fixed) / c->cell;
    return cells < others * c->most ? cells : others * c->most;
}

/* The best number of cheapest packets: as many as fit if another one costs no more than a cell does
 * anyway; else as few as can take all cells that `room` pays for, or one more. */
static void fill(const cells_of *c, uint64_t room, uint64_t small, filling *best)
{
    const uint64_t thin = (c->least - 1) * c->cell + 1 + c->gap;
    const uint64_t thick = (c->most - 1) * c->cell + 1 + c->gap;
    const uint64_t from = c->cell >= c->gap + 1 ? room / thin : room / thick;

    for (uint64_t others = from; others <= from + 1; others++) {
        const uint64_t cells = c->least <= c->most ? most_cells(c, room, others) : 0;
        const uint64_t total = small * c->shortest_cells + cells;
        if (total > best->total)
            *best = (filling){small, cells ? others : 0, cells, total};
    }
}

static filling fullest(const cells_of *c, uint64_t room)
{
    const uint64_t cost = c->shortest + c->gap;
    filling best = {0, 0, 0, 0};

    for (uint64_t small = c->apart ? room / cost : 0;; small--) {
        fill(c, room - small * cost, small, &best);
        if (small == 0)
            return best;
    }
}

/* ---- the sequence ---- */

static void add_run(swq_headroom *h, uint64_t packets, uint64_t bytes)
{
    if (packets == 0)
        return;
    h->packets += packets;
    if (h->runs > 0 && h->run[h->runs - 1].bytes == bytes)
        h->run[h->runs - 1].packets += packets;
    else
        h->run[h->runs++] = (swq_headroom_run){packets, (uint32_t)bytes};
}

/* The packets of a filling, and a longest one that begins when they have ended. */
static void add_filling(const cells_of *c, const filling *f, uint32_t longest, swq_headroom *h)
{
    add_run(h, f->small, c->shortest);
    if (f->others > 0) {
        const uint64_t each = f->cells / f->others, more = f->cells % f->others;
        add_run(h, f->others - more, (each - 1) * c->cell + 1);
        add_run(h, more, each * c->cell + 1);
    }
    add_run(h, 1, longest);
}

swq_status swq_headroom_solve(swq_context *ctx, const swq_headroom_spec *s, swq_headroom *headroom)
{
    swq_headroom h;
    swq_status status = check(ctx, s);

    if (status)
        return status;
    memset(&h, 0, sizeof h);
    delays(s, &h);
    const cells_of c = cells_by(s);
    const uint32_t longest = s->link.lossless_mtu;
    /* The packet that decides has ended when the window begins; or, where its first bit decides,
     * its first bit has been sent then. */
    const uint32_t decides = s->trigger_below ? s->least_packet : s->at_first_bit ? 0 : longest;
    uint64_t room = h.window / PARTS;
    if (s->at_first_bit)
        room = decides ? room - decides : room + s->gap;
    filling f = fullest(&c, room);
    if (h.window % PARTS == 0) { /* does it need all of the window? */
        const filling shorter = fullest(&c, room - 1);
        h.tie = shorter.total < f.total;
        f = h.tie ? f : shorter;
    }
    const uint64_t first = decides && !s->trigger_below ? c.most : 0;

    add_run(&h, decides > 0, decides);
    add_filling(&c, &f, longest, &h);
    h.least = c.cell * (first + f.total + c.most);
    *headroom = h;
    return SWQ_OK;
}

uint64_t swq_headroom_first_lost(const swq_headroom_spec *s, const swq_headroom *h, uint64_t bytes)
{
    const uint64_t cell = s->link.cell;
    uint64_t room = bytes, seen = 0;

    for (int k = 0; k < h->runs; k++) {
        const uint64_t each = (h->run[k].bytes + cell - 1) / cell * cell;
        uint64_t below = k == 0 && s->trigger_below ? 1 : 0; /* not in the headroom */
        const uint64_t packets = h->run[k].packets - below;
        if (packets > room / each)
            return seen + below + room / each + 1;
        room -= packets * each;
        seen += h->run[k].packets;
    }
    return 0;
}
