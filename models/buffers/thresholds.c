/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules made of dynamic thresholds, in a switch with one class of packets whose queues have a line
 * each: active buffer management, and Occamy. Sources: V. Addanki, M. Apostolaki, M. Ghobadi, S.
 * Schmid and L. Vanbever, "ABM: active buffer management in datacenters" (SIGCOMM 2022), with the
 * count of congested queues of the authors' program; D. Shan et al., "Occamy: a preemptive buffer
 * management for on-chip shared-memory switches" (EuroSys 2025).
 */
#include "models/buffers/buffers.h"

static int free_slots(const swq_buffer *b, int queues, const uint16_t *length)
{
    int left = b->capacity;

    for (int q = 0; q < queues; q++)
        left -= length[q];
    return left;
}

/* ---- active buffer management ---- */

/* A queue of its own line drains at the line's rate, so that the threshold is alpha times the free
 * slots, divided by the number of congested queues. */
static swq_fate take_abm(const swq_buffer *b, int queues, const uint16_t *length, uint16_t *kept,
                         int join, swq_dice *dice)
{
    const int left = free_slots(b, queues, length);
    int congested = 0; /* in shares of 1 / b->congested of a queue */

    (void)kept, (void)dice;
    for (int q = 0; q < queues; q++)
        congested += length[q] < b->congested ? length[q] : b->congested;
    congested = congested > b->congested ? congested : b->congested;
    return left > 0 && length[join] * (double)congested < b->alpha * left * b->congested
               ? SWQ_TAKE
               : SWQ_REFUSE;
}

static void set_abm(unsigned given, int queues, swq_buffer *b)
{
    (void)queues;
    if (!(given & SWQ_ADMISSION_ALPHA))
        b->alpha = 0.5;
    if (!(given & SWQ_ADMISSION_CONGESTED))
        b->congested = 1;
}

const swq_admission_rule swq_admission_abm = {
    .name = "abm",
    .summary = "active buffer management: a dynamic threshold, --alpha (default 0.5), divided by "
               "the number of congested queues (--congested)",
    .source = "Addanki et al. (2022), for one class of packets and a line for each queue",
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS),
    .takes = SWQ_ADMISSION_ALPHA | SWQ_ADMISSION_CONGESTED,
    .set = set_abm,
    .fate = take_abm,
};

/* ---- Occamy ---- */

static swq_fate take_below_threshold(const swq_buffer *b, int queues, const uint16_t *length,
                                     uint16_t *kept, int join, swq_dice *dice)
{
    const int left = free_slots(b, queues, length);

    (void)kept, (void)dice;
    return left > 0 && length[join] < b->alpha * left ? SWQ_TAKE : SWQ_REFUSE;
}

/* One of the queues above their threshold, all equally likely, loses its first packet. */
static swq_fate expel_above_threshold(const swq_buffer *b, int queues, const uint16_t *length,
                                      int turn, swq_dice *dice)
{
    const double limit = b->alpha * free_slots(b, queues, length), left = b->expel - turn;
    int above = 0;

    for (int q = 0; q < queues; q++)
        above += length[q] > limit;
    if (above == 0 || left <= 0)
        return SWQ_REFUSE;
    if (left < 1 && !swq_dice_loaded(dice, b->expel_chance, 2))
        return SWQ_REFUSE;
    for (int which = above > 1 ? swq_dice_fair(dice, above) : 0, q = 0;; q++) {
        if (length[q] > limit && which-- == 0)
            return q;
    }
}

static void set_occamy(unsigned given, int queues, swq_buffer *b)
{
    (void)queues;
    if (!(given & SWQ_ADMISSION_ALPHA))
        b->alpha = 8;
    if (!(given & SWQ_ADMISSION_EXPEL))
        b->expel = 1;
    b->expel_chance[1] = b->expel - floor(b->expel);
    b->expel_chance[0] = 1 - b->expel_chance[1];
    b->drop_head = true;
}

const swq_admission_rule swq_admission_occamy = {
    .name = "occamy",
    .summary = "a dynamic threshold, --alpha (default 8), and up to --expel packets a cycle "
               "(default 1) expelled from queues above it",
    .source = "Shan et al. (2025); the queue that loses a packet is drawn, not found in turns",
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) | SWQ_NEEDS(SWQ_NEED_EXPULSION),
    .takes = SWQ_ADMISSION_ALPHA | SWQ_ADMISSION_EXPEL,
    .set = set_occamy,
    .fate = take_below_threshold,
    .expel = expel_above_threshold,
};
