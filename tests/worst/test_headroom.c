/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The least headroom that is enough: by hand; the worst packets against a table over all sums of
 * lengths; and both sides in a simulation of the two ends of a link, event by event, which shares
 * only the specification with the program.
 */
#include "switchq/headroom.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

TestSuite(headroom, .timeout = 240);

static swq_headroom_spec spectrum(void)
{
    return (swq_headroom_spec){.link = {.rate = 100000,
                                        .cable = 5000,
                                        .lossless_mtu = 1024,
                                        .port_mtu = 9100,
                                        .cell = 144,
                                        .mac_phy = 800,
                                        .quanta = 394},
                               .least_packet = 64};
}

static swq_headroom solve(const swq_headroom_spec *s)
{
    swq_context *ctx = swq_context_new();
    swq_headroom h;

    cr_assert_eq(swq_headroom_solve(ctx, s, &h), SWQ_OK, "%s", swq_context_message(ctx));
    swq_context_free(ctx);
    return h;
}

/* By hand: 9100 + 64 + 631.31 + 819.2 + 25,216 = 35,830.5 bytes pass, in which 560 packets of 64
 * bytes can begin, the last one after 35,776 bytes. It may have 1024 bytes, 8 cells; the others
 * have
 * 1. The packet that decides comes before them. */
Test(headroom, by_hand)
{
    swq_headroom_spec s = spectrum();
    swq_headroom h = solve(&s);

    cr_expect_eq(h.window / SWQ_HEADROOM_PARTS, 35830);
    cr_expect_eq(h.least, 144 * (8 + 559 + 8));
    cr_expect_eq(h.packets, 561);
    cr_expect_eq(h.runs, 3);
    cr_expect_eq(h.run[1].packets, 559);
    cr_expect_eq(h.run[1].bytes, 64);
    s.trigger_below = true;
    cr_expect_eq(solve(&s).least, 144 * (559 + 8));
    /* the first bit decides: the window begins with the packet itself, or it is 64 bytes shorter */
    s.at_first_bit = true;
    cr_expect_eq(solve(&s).least, 144 * (558 + 8));
    s.trigger_below = false;
    cr_expect_eq(solve(&s).least, 144 * (559 + 8));
    /* a gap of 20: 35,870.5 bytes pass, and 64 bytes are no longer worst, as 2 cells for 165 bytes
     * of time are more than 1 for 84: 217 packets of 145 bytes take 35,805 */
    s.at_first_bit = false;
    s.gap = 20;
    cr_expect_eq(solve(&s).least, 144 * (8 + 434 + 8));
    /* bytes, not cells: what passes, two longest packets, and the byte that has begun */
    s.gap = 0;
    s.link.cell = 1;
    cr_expect_eq(solve(&s).least, 35830 + 2 * 1024);
}

/* ---- the two ends of a link ---- */

/* Everything happens at a time in parts of a byte. The peer sends the packets of a list back to
 * back; the switch counts each of them, in cells, when its bit arrives; it decides with the packet
 * that is the first of the list; and the pause frame then goes its way. */
typedef struct {
    uint64_t lost, held; /* packets; most bytes */
    uint64_t first_lost; /* from 1; 0: none */
} replayed;

static replayed replay(const swq_headroom_spec *s, const uint32_t *packet, size_t packets,
                       uint64_t headroom)
{
    const swq_pfc_link *l = &s->link;
    const uint64_t byte = SWQ_HEADROOM_PARTS;
    const uint64_t way = (uint64_t)l->cable * l->rate + (uint64_t)l->gearbox * l->rate * 198;
    replayed o = {0, 0, 0};
    uint64_t line = 0, obeyed = UINT64_MAX, used = 0;

    for (size_t k = 0; k < packets; k++) {
        /* the peer: the line is free at `line`; it obeys a pause only between packets */
        if (line > obeyed)
            break;
        const uint64_t first_bit = line + s->gap * byte, last_bit = first_bit + packet[k] * byte;
        line = last_bit;
        /* the switch */
        const uint64_t arrives = (s->at_first_bit ? first_bit : last_bit) + way;
        if (k == 0) {
            const uint64_t sent = arrives + (l->port_mtu + s->gap) * byte + (64 + s->gap) * byte;
            obeyed = sent + way + l->mac_phy * (byte * 1024 / 1000) +
                     (uint64_t)l->quanta * 512 / 8 * byte;
            if (s->trigger_below)
                continue;
        }
        uint64_t cells = 0;
        for (uint64_t bytes = 0; bytes < packet[k]; bytes += l->cell)
            cells++;
        if (used + cells * l->cell > headroom) {
            o.lost++;
            o.first_lost = o.first_lost ? o.first_lost : k + 1;
            continue;
        }
        used += cells * l->cell;
    }
    o.held = used;
    return o;
}

/* The list of a sequence's packets; the caller frees it. */
static uint32_t *listed(const swq_headroom *h)
{
    uint32_t *packet = malloc(h->packets * sizeof *packet);
    size_t at = 0;

    cr_assert_not_null(packet);
    for (int k = 0; k < h->runs; k++)
        for (uint64_t n = 0; n < h->run[k].packets; n++)
            packet[at++] = h->run[k].bytes;
    cr_assert_eq(at, h->packets);
    return packet;
}

/* The worst packets fill the least headroom, and the last of them is lost with a byte less. */
static void try_both_sides(const swq_headroom_spec *s, const swq_headroom *h)
{
    uint32_t *packet = listed(h);
    replayed enough = replay(s, packet, h->packets, h->least);
    replayed less = replay(s, packet, h->packets, h->least - 1);

    cr_assert_eq(enough.lost, 0);
    cr_assert_eq(enough.held, h->least, "%zu, not %zu", (size_t)enough.held, (size_t)h->least);
    cr_assert_eq(less.lost, 1);
    cr_assert_eq(less.first_lost, h->packets);
    cr_assert_eq(swq_headroom_first_lost(s, h, h->least), 0);
    cr_assert_eq(swq_headroom_first_lost(s, h, h->least - 1), h->packets);
    for (uint64_t part = 1; part < 8; part++)
        cr_assert_eq(swq_headroom_first_lost(s, h, h->least * part / 8),
                     replay(s, packet, h->packets, h->least * part / 8).first_lost);
    free(packet);
}

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)*state * below) >> 32);
}

/* A small link of any kind, so that all sums of lengths fit into a table. */
static swq_headroom_spec drawn(uint32_t *state)
{
    swq_headroom_spec s = {.link = {.rate = 1000 * (1 + draw(state, 20)),
                                    .cable = draw(state, 20000),
                                    .port_mtu = 64 + draw(state, 1000),
                                    .cell = 1 + draw(state, draw(state, 2) ? 300 : 90),
                                    .mac_phy = draw(state, 3) ? draw(state, 300) : 0,
                                    .quanta = draw(state, 30),
                                    .gearbox = draw(state, 3) ? 0 : draw(state, 40)},
                           .gap = draw(state, 2) ? 0 : draw(state, 60),
                           .at_first_bit = draw(state, 2),
                           .trigger_below = draw(state, 2)};

    s.link.cable = draw(state, 3) ? s.link.cable : 0;
    s.link.lossless_mtu = 64 + draw(state, s.link.port_mtu - 63);
    s.least_packet = draw(state, 2) ? 64 : 64 + draw(state, s.link.lossless_mtu - 63);
    return s;
}

/* The least headroom by a table: most[t] is the most cells of packets that take exactly t bytes of
 * time, and all lengths are tried. Slots of `gap` and a packet begin at times t; the window is
 * counted from the end of the packet that decides, or from its first bit. */
static uint64_t by_table(const swq_headroom_spec *s)
{
    const swq_pfc_link *l = &s->link;
    const double bytes = l->port_mtu + 64 + 2.0 * s->gap + l->mac_phy * 1.024 + 64.0 * l->quanta +
                         2 * (l->cable / 1000.0 / 198e6 + l->gearbox * 1e-9) * l->rate * 1e6 / 8;
    const size_t window = (size_t)(bytes + 1e-6);
    int64_t *most = malloc((window + s->gap + 1) * sizeof *most);
    int64_t best = 0, longest = (l->lossless_mtu + l->cell - 1) / l->cell;
    size_t from = 0, to = window;

    cr_assert_not_null(most);
    if (s->at_first_bit && s->trigger_below)
        to -= s->least_packet;
    else if (s->at_first_bit)
        to += s->gap;
    for (size_t t = from; t <= to; t++) {
        most[t] = t == 0 ? 0 : INT64_MIN / 2;
        for (uint32_t length = s->least_packet; length <= l->lossless_mtu; length++)
            if (length + s->gap <= t) {
                int64_t cells = most[t - length - s->gap] + (length + l->cell - 1) / l->cell;
                most[t] = cells > most[t] ? cells : most[t];
            }
        best = most[t] > best ? most[t] : best;
    }
    free(most);
    best += longest + (s->at_first_bit || s->trigger_below ? 0 : longest);
    return (uint64_t)best * l->cell;
}

Test(headroom, by_table_and_replayed)
{
    uint32_t state = 11, ties = 0, apart = 0;

    for (int k = 0; k < 250; k++) {
        const swq_headroom_spec s = drawn(&state);
        const swq_headroom h = solve(&s);
        cr_assert_eq(h.least, by_table(&s), "%d: %zu, not %zu", k, (size_t)h.least,
                     (size_t)by_table(&s));
        try_both_sides(&s, &h);
        ties += h.tie;
        apart += h.runs > 3;
    }
    cr_expect(ties > 0 && apart > 5, "%u ties, %u sequences of several runs", ties, apart);
}

/* Random packets never need more. */
Test(headroom, is_an_upper_bound)
{
    uint32_t state = 5;

    for (int k = 0; k < 200; k++) {
        const swq_headroom_spec s = drawn(&state);
        const swq_headroom h = solve(&s);
        uint32_t packet[400];
        for (int n = 0; n < 50; n++) {
            const uint32_t span = s.link.lossless_mtu - s.least_packet + 1;
            const uint32_t few = draw(&state, 2) ? span : span / 8 + 1;
            for (size_t p = 0; p < 400; p++)
                packet[p] = s.least_packet + draw(&state, few);
            const replayed o = replay(&s, packet, 400, UINT64_MAX);
            cr_assert(o.held <= h.least, "%zu > %zu", (size_t)o.held, (size_t)h.least);
        }
    }
}

/* Links of real sizes, replayed. */
Test(headroom, real_links)
{
    static const uint32_t rates[] = {10000, 25000, 100000, 400000, 800000},
                          cells[] = {1, 96, 144, 208, 256};

    for (size_t r = 0; r < 5; r++)
        for (size_t c = 0; c < 5; c++)
            for (uint32_t cable = 0; cable < 700000; cable += 230000) {
                swq_headroom_spec s = spectrum();
                s.link.rate = rates[r];
                s.link.cell = cells[c];
                s.link.cable = cable;
                s.link.quanta = swq_pfc_quanta(rates[r]);
                s.gap = c % 2 ? 20 : 0;
                const swq_headroom h = solve(&s);
                try_both_sides(&s, &h);
            }
}

static void refused(swq_headroom_spec s, const char *words)
{
    swq_context *ctx = swq_context_new();
    swq_headroom h;

    cr_expect_eq(swq_headroom_solve(ctx, &s, &h), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), words), "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}

Test(headroom, refused)
{
    swq_headroom_spec s = spectrum();

    s.least_packet = 63;
    refused(s, "least-packet, in bytes, must be from 64 to lossless-mtu, 1024, not 63");
    s = spectrum();
    s.gap = 1001;
    refused(s, "gap, in bytes, must be from 0 to 1000, not 1001");
    s = spectrum();
    s.link.port_mtu = 1000;
    refused(s, "lossless-mtu must be at most port-mtu");
}
