/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every state that a small chip can get into, whatever comes over the link and whichever outputs
 * are free: its lists are whole in each, nothing is late, and from each the chip can become empty.
 */
#include "base/context.h"
#include "chip/chip.h"
#include "tests/support/support.h"

#include <string.h>

TestSuite(chip_exhaustive, .timeout = 240);

enum { PACKET = 10, SHORT = 1, MOST_WAITING = 1 << 16, TABLE = 1 << 22 };

/* The chip, and the link before it: bytes still to come of the packet on it. */
typedef struct {
    swq_chip chip;
    int left, length;
    bool ready;
} chip_state;

/* States to be explored, in a ring; and digests of all states seen: for a million states, the
 * probability that two have the same digest is 1e-27. */
typedef struct {
    chip_state *waiting; /* [MOST_WAITING] */
    int64_t first, states;
    uint64_t (*seen)[2]; /* [TABLE] */
} chip_search;

static uint64_t digest(const chip_state *s, uint64_t basis)
{
    uint64_t word, h = basis;
    const unsigned char *byte = (const unsigned char *)s;

    for (size_t k = 0; k + sizeof word <= sizeof *s; k += sizeof word) {
        memcpy(&word, byte + k, sizeof word);
        h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return h;
}

/* Is a block being read, or about to be? */
static bool is_read(const swq_chip *c, int b)
{
    return c->fwd.busy && (c->fwd.block == b || c->fwd.next == b);
}

/* Clears what has no influence on the future. */
static void settle(chip_state *s)
{
    swq_chip *c = &s->chip;
    uint8_t b = c->list[c->lists].head;

    if (!c->sto.busy)
        c->sto.block = 0;
    if (!c->fwd.latched)
        c->fwd.byte = 0;
    if (!c->fwd.busy)
        c->fwd.at = 0;
    if (!c->fwd.appends)
        c->fwd.tmp = 0;
    if (c->tr.state != SWQ_TR_READY)
        c->tr.tmp = 0;
    if (!c->router.valid)
        c->router.queue = c->router.header = 0;
    if (!c->router.valid && !c->router.left)
        c->router.coming = c->router.coming_header = 0;
    if (!c->arbiter.valid)
        c->arbiter.queue = c->arbiter.coming = 0;
    for (int k = 0; k < c->free; b = c->pointer[b], k++) {
        if (is_read(c, b))
            continue;
        memset(c->memory[b], 0, sizeof c->memory[b]);
        c->header[b] = c->output[b] = 0;
    }
    for (b = 1; b <= c->spec.blocks; b++) /* counts of switches passed */
        c->header[b] &= 0x87;
}

/* If the state is new, schedules it for exploration. */
static void add(chip_search *all, const chip_state *s)
{
    const uint64_t one = digest(s, 1), other = digest(s, 2) | 1;
    size_t at = one % TABLE;

    for (; all->seen[at][1]; at = (at + 1) % TABLE) {
        if (all->seen[at][0] == one && all->seen[at][1] == other)
            return;
    }
    all->seen[at][0] = one;
    all->seen[at][1] = other;
    cr_assert(all->states - all->first < MOST_WAITING && all->states < TABLE / 2);
    all->waiting[all->states++ % MOST_WAITING] = *s;
}

/* The next byte on the link; choice 0: no packet begins. */
static swq_chip_in next_byte(chip_state *s, int choice)
{
    swq_chip_in in = {.valid = true};

    if (s->length) {
        in.byte = (uint8_t)s->length;
        s->left = s->length;
        s->length = 0;
    } else if (s->left > 0) {
        s->left--;
    } else if (choice == 0 || !s->ready) {
        in.valid = false;
    } else {
        const bool longest = choice > 2;
        in.byte = (uint8_t)((longest ? 0x80 : 0) | (choice & 1));
        s->left = longest ? PACKET : 0;
        s->length = longest ? 0 : SHORT;
    }
    return in;
}

/* With all outputs free and no more packets, everything leaves. */
static void check_drains(chip_state s)
{
    swq_chip_out out;
    int cycles = 0;

    do {
        swq_chip_in in = next_byte(&s, 0);
        in.grants = 0xff;
        swq_chip_clock(&s.chip, &in, &out);
        s.ready = false;
    } while (++cycles < 200 &&
             (s.left > 0 || s.length || s.chip.fwd.busy || s.chip.free < s.chip.spec.blocks - 1));
    cr_assert_lt(cycles, 200);
}

static void go_on(chip_search *all, const chip_state *from, int choice, uint8_t grants)
{
    chip_state s = *from;
    swq_chip_in in = next_byte(&s, choice);
    swq_chip_out out;

    in.grants = grants;
    swq_chip_clock(&s.chip, &in, &out);
    s.ready = out.ready;
    const char *broken = swq_chip_broken(&s.chip);
    cr_assert(!broken, "%s", broken);
    cr_assert_eq(swq_chip_late(&s.chip), 0);
    settle(&s);
    add(all, &s);
}

static void go_through(const swq_chip_spec *spec, int64_t least)
{
    swq_context *ctx = swq_context_new();
    chip_search all = {0};
    chip_state now;
    swq_chip *chip;

    all.waiting = swq_calloc(ctx, MOST_WAITING, sizeof *all.waiting);
    all.seen = swq_calloc(ctx, TABLE, sizeof *all.seen);
    cr_assert(all.waiting && all.seen);
    cr_assert_eq(swq_chip_new(ctx, spec, &chip), SWQ_OK);
    memset(&now, 0, sizeof now);
    memcpy(&now.chip, chip, sizeof now.chip);
    for (add(&all, &now); all.first < all.states; all.first++) {
        memcpy(&now, &all.waiting[all.first % MOST_WAITING], sizeof now);
        const bool begins = now.ready && now.left == 0 && !now.length;
        for (int choice = 0; choice < (begins ? 5 : 1); choice++) {
            for (unsigned grants = 0; grants < 1u << spec->queues; grants++)
                go_on(&all, &now, choice, (uint8_t)grants);
        }
        if (all.first % 64 == 0)
            check_drains(now);
    }
    cr_assert_gt(all.states, least);
    swq_free(ctx, all.waiting);
    swq_free(ctx, all.seen);
    swq_chip_free(ctx, chip);
    swq_context_free(ctx);
}

Test(chip_exhaustive, two_queues)
{
    const swq_chip_spec spec = {2, 3, 8, PACKET, 1, 1, false};

    go_through(&spec, 100000);
}

Test(chip_exhaustive, fifo_control)
{
    const swq_chip_spec spec = {2, 3, 8, PACKET, 1, 1, true};

    go_through(&spec, 10000);
}
