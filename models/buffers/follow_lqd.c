/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FollowLQD: a packet is taken if its queue is shorter than the queue that longest-queue drop would
 * have, and a slot is free. The rule keeps the lengths of these queues: a packet that comes is
 * counted, and one of the longest is dropped if there are more than slots; at the end of a cycle
 * each queue sends a packet. Credence adds a prediction of whether longest-queue drop would lose
 * the packet. Source: V. Addanki, M. Pacut and S. Schmid, "Credence: augmenting datacenter switch
 * buffer sharing with ML predictions" (NSDI 2024), and the authors' program for Credence.
 */
#include "models/buffers/longest.h"

/* Counts a packet for queue `join` in what longest-queue drop would hold. */
static void count_virtual(const swq_buffer *b, int queues, uint16_t *kept, int join, swq_dice *dice)
{
    int virtual = 0;

    for (int q = 0; q < queues; q++)
        virtual += kept[q];
    if (virtual == b->capacity)
        kept[swq_longest(queues, kept, join, b->ties, dice)]--; /* wraps to -1 and back, if it is
                                                                   the packet's own empty queue */
    kept[join]++;
}

static swq_fate follow(const swq_buffer *b, int queues, const uint16_t *length, uint16_t *kept,
                       int join, swq_dice *dice)
{
    int real = 0;

    for (int q = 0; q < queues; q++)
        real += length[q];
    count_virtual(b, queues, kept, join, dice);
    return real < b->capacity && length[join] < kept[join] ? SWQ_TAKE : SWQ_REFUSE;
}

/* As long as no queue is longer than its share of the memory, all packets are taken. */
static swq_fate follow_and_ask(const swq_buffer *b, int queues, const uint16_t *length,
                               uint16_t *kept, int join, swq_dice *dice)
{
    int real = 0, most = 0;

    for (int q = 0; q < queues; q++) {
        real += length[q];
        most = length[q] > most ? length[q] : most;
    }
    count_virtual(b, queues, kept, join, dice);
    if (real == b->capacity)
        return SWQ_REFUSE;
    if (most * queues <= b->capacity)
        return SWQ_TAKE;
    return length[join] < kept[join] ? SWQ_ASK : SWQ_REFUSE;
}

static void send_one_each(const swq_buffer *b, int queues, const uint16_t *length,
                          const uint8_t *sent, uint16_t *kept)
{
    (void)b, (void)length, (void)sent;
    for (int q = 0; q < queues; q++)
        kept[q] = (uint16_t)(kept[q] - (kept[q] > 0));
}

const swq_admission_rule swq_admission_follow_lqd = {
    .name = "followlqd",
    .summary = "a packet is taken if a slot is free and its queue is shorter than that which "
               "longest-queue drop would have (--ties)",
    .source = "Addanki, Pacut and Schmid (2024)",
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) | SWQ_NEEDS(SWQ_NEED_KEPT_WORDS),
    .takes = SWQ_ADMISSION_TIES,
    .fate = follow,
    .keeps = 1,
    .end_cycle = send_one_each,
};

const swq_admission_rule swq_admission_credence = {
    .name = "credence",
    .summary = "as followlqd, and an oracle must say that longest-queue drop will not lose the "
               "packet (--oracle); if no queue is longer than its share, packets are taken",
    .source = "Addanki, Pacut and Schmid (2024), by the authors' program",
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) | SWQ_NEEDS(SWQ_NEED_KEPT_WORDS) |
             SWQ_NEEDS(SWQ_NEED_FUTURE),
    .takes = SWQ_ADMISSION_TIES | SWQ_ADMISSION_ORACLE,
    .fate = follow_and_ask,
    .keeps = 1,
    .end_cycle = send_one_each,
};
