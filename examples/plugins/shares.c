/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in with a rule of admission: a queue may take all slots but one for each other queue that
 * is empty, so that an output with few packets always finds room for its first one.
 */
#include <switchq/plugin.h>

#include <stddef.h>

static swq_fate fate(const swq_buffer *b, int queues, const uint16_t *length, uint16_t *words,
                     int join, swq_dice *dice)
{
    int held = 0, kept = 0; /* slots in use; slots kept free for other queues that are empty */

    (void)words, (void)dice;
    for (int q = 0; q < queues; q++) {
        held += length[q];
        kept += q != join && length[q] == 0;
    }
    if (length[join] == 0)
        kept = 0; /* the packet takes the slot that was kept for its queue */
    return held + kept < b->capacity && length[join] < b->queue_max ? SWQ_TAKE : SWQ_REFUSE;
}

static const swq_admission_rule shares = {
    .name = "one-for-each",
    .summary = "a queue leaves a free slot for each other queue that is empty",
    .source = "examples/plugins/shares.c",
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS),
    .takes = SWQ_ADMISSION_QUEUE_MAX,
    .fate = fate,
};

static const swq_admission_rule *const rules[] = {&shares, NULL};

SWQ_PLUGIN(.admission_rules = rules)
