/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic thresholds that are lifted for a queue which absorbs a burst. Each queue is in one of
 * three states: normal, with a dynamic threshold; absorbing, in which it may take its share of the
 * whole memory; evacuating, in which it may take at most what it would have of a divided memory.
 * Counters of packets take the place of timers, since a line is busy while its queue holds packets.
 * Sources: D. Shan, W. Jiang and F. Ren, "Absorbing micro-burst traffic by enhancing dynamic
 * threshold policy of data center switches" (INFOCOM 2015), which has no evacuation; S. Huang, M.
 * Wang and Y. Cui, "Traffic-aware buffer management in shared memory switches" (INFOCOM 2021). Both
 * rules, and all constants, are those of the second authors' simulation program, as
 * docs/admission.md says.
 */
#include "models/buffers/buffers.h"

/* What is kept for each queue. */
enum {
    LEAVING,  /* packets that left since one was taken */
    GROWTH,   /* packets taken less packets that left, at least 0, in the present window */
    WINDOW,   /* packets that left in the present window of a queue in the state NORMAL */
    ABSORBED, /* packets that left while the queue was ABSORBING */
    STATE,
    LOST, /* packets lost (only with evacuation) */
    WORDS
};
enum { NORMAL, ABSORBING, EVACUATING };
enum { EBB = 3 }; /* packets that leave in a row end a burst */

/* The value of a counter at which something happens. */
static int growth_limit(const swq_buffer *b, int queues)
{
    return b->capacity > queues ? b->capacity / queues : 1;
}
static int absorbed_limit(const swq_buffer *b)
{
    return 2 * b->capacity;
}
static int lost_limit(const swq_buffer *b)
{
    return b->capacity > 2 ? b->capacity / 2 : 1;
}

static uint16_t *word(uint16_t *kept, int queues, int which, int q)
{
    return &kept[which * queues + q];
}

static int free_slots(const swq_buffer *b, int queues, const uint16_t *length)
{
    int left = b->capacity;

    for (int q = 0; q < queues; q++)
        left -= length[q];
    return left;
}

/* May queue q, which is in a state, take a packet more if `left` slots are free? */
static bool below_threshold(const swq_buffer *b, int queues, const uint16_t *length, uint16_t *kept,
                            int q, int left)
{
    const int state = *word(kept, queues, STATE, q);
    int absorbing = 0;

    for (int k = 0; k < queues; k++)
        absorbing += *word(kept, queues, STATE, k) == ABSORBING;
    if (state == ABSORBING)
        return length[q] * absorbing < b->capacity;
    return length[q] < b->alpha * left && (state != EVACUATING || length[q] * queues < b->capacity);
}

/* A queue that absorbs a burst does not watch for another one. */
static void look_up(uint16_t *kept, int queues, int q)
{
    if (*word(kept, queues, STATE, q) != ABSORBING)
        return;
    *word(kept, queues, GROWTH, q) = 0;
    *word(kept, queues, WINDOW, q) = 0;
}

static void note_taken(const swq_buffer *b, int queues, uint16_t *kept, int q)
{
    *word(kept, queues, LEAVING, q) = 0;
    if (++*word(kept, queues, GROWTH, q) == growth_limit(b, queues))
        *word(kept, queues, STATE, q) = ABSORBING;
    look_up(kept, queues, q);
}

static void note_lost(const swq_buffer *b, int queues, uint16_t *kept, int q, bool full,
                      bool evacuates)
{
    if (full) {
        *word(kept, queues, STATE, q) = NORMAL;
        *word(kept, queues, ABSORBED, q) = 0;
    }
    *word(kept, queues, GROWTH, q) = 0;
    *word(kept, queues, LEAVING, q) = 0;
    if (evacuates && ++*word(kept, queues, LOST, q) == lost_limit(b)) {
        *word(kept, queues, LOST, q) = 0;
        *word(kept, queues, STATE, q) = EVACUATING;
    }
}

static void note_sent(const swq_buffer *b, int queues, uint16_t *kept, int q, bool evacuates)
{
    uint16_t *leaving = word(kept, queues, LEAVING, q), *growth = word(kept, queues, GROWTH, q);
    uint16_t *window = word(kept, queues, WINDOW, q), *state = word(kept, queues, STATE, q);
    uint16_t *absorbed = word(kept, queues, ABSORBED, q);

    if (++*leaving == EBB) {
        *leaving = *growth = *absorbed = 0;
        *state = NORMAL;
        if (evacuates)
            *word(kept, queues, LOST, q) = 0;
    }
    *growth = (uint16_t)(*growth - (*growth > 0));
    if (*state == NORMAL && ++*window == growth_limit(b, queues))
        *window = *growth = *leaving = 0;
    if (*state == ABSORBING && ++*absorbed == absorbed_limit(b)) {
        *absorbed = 0;
        *state = NORMAL;
    }
    look_up(kept, queues, q);
}

static swq_fate fate_of(const swq_buffer *b, int queues, const uint16_t *length, uint16_t *kept,
                        int join, bool evacuates)
{
    const int left = free_slots(b, queues, length);

    if (left > 0 && below_threshold(b, queues, length, kept, join, left)) {
        note_taken(b, queues, kept, join);
        return SWQ_TAKE;
    }
    note_lost(b, queues, kept, join, left == 0, evacuates);
    return SWQ_REFUSE;
}

static double values(const swq_buffer *b, int queues, bool evacuates)
{
    const double watching = (double)growth_limit(b, queues) * growth_limit(b, queues);
    const double absorbed = absorbed_limit(b);

    return EBB * (evacuates ? lost_limit(b) * (2 * watching + 1) * absorbed : watching + absorbed);
}

static void set_threshold(unsigned given, int queues, swq_buffer *b)
{
    (void)queues;
    if (!(given & SWQ_ADMISSION_ALPHA))
        b->alpha = 1;
}

/* ---- enhanced dynamic threshold ---- */

static swq_fate take_edt(const swq_buffer *b, int queues, const uint16_t *length, uint16_t *kept,
                         int join, swq_dice *dice)
{
    (void)dice;
    return fate_of(b, queues, length, kept, join, false);
}

static void end_edt(const swq_buffer *b, int queues, const uint16_t *length, const uint8_t *sent,
                    uint16_t *kept)
{
    (void)length;
    for (int q = 0; q < queues; q++) {
        if (sent[q])
            note_sent(b, queues, kept, q, false);
    }
}

static double values_edt(const swq_buffer *b, int queues)
{
    return values(b, queues, false);
}

const swq_admission_rule swq_admission_edt = {
    .name = "edt",
    .summary = "enhanced dynamic threshold: --alpha (default 1); a queue that has grown by its "
               "share of the memory may take all, or a share with others, for the time of a burst",
    .source = "Shan, Jiang and Ren (2015), by the program of Huang, Wang and Cui (2021)",
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) | SWQ_NEEDS(SWQ_NEED_KEPT_WORDS),
    .takes = SWQ_ADMISSION_ALPHA,
    .set = set_threshold,
    .fate = take_edt,
    .keeps = LOST,
    .kept_values = values_edt,
    .end_cycle = end_edt,
};

/* ---- traffic-aware dynamic threshold ---- */

static swq_fate take_tdt(const swq_buffer *b, int queues, const uint16_t *length, uint16_t *kept,
                         int join, swq_dice *dice)
{
    (void)dice;
    return fate_of(b, queues, length, kept, join, true);
}

static void end_tdt(const swq_buffer *b, int queues, const uint16_t *length, const uint8_t *sent,
                    uint16_t *kept)
{
    const int left = free_slots(b, queues, length);

    for (int q = 0; q < queues; q++) {
        if (sent[q])
            note_sent(b, queues, kept, q, true);
    }
    /* a queue that is short of half its threshold has been evacuated */
    for (int q = 0; q < queues; q++) {
        if (*word(kept, queues, STATE, q) == EVACUATING && 2 * length[q] < b->alpha * left &&
            2 * length[q] * queues < b->capacity)
            *word(kept, queues, STATE, q) = *word(kept, queues, LOST, q) = NORMAL;
    }
}

static double values_tdt(const swq_buffer *b, int queues)
{
    return values(b, queues, true);
}

const swq_admission_rule swq_admission_tdt = {
    .name = "tdt",
    .summary =
        "traffic-aware dynamic threshold: as edt, and a queue that has lost half a memory of "
        "packets is held below its share of the memory until it is short",
    .source = "Huang, Wang and Cui (2021), by the authors' program",
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) | SWQ_NEEDS(SWQ_NEED_KEPT_WORDS),
    .takes = SWQ_ADMISSION_ALPHA,
    .set = set_threshold,
    .fate = take_tdt,
    .keeps = WORDS,
    .kept_values = values_tdt,
    .end_cycle = end_tdt,
};
