/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Batches of what each sender creates and sends.
 */
#include "sim/measure/senders.h"

#include "sim/measure/replication.h"

#include <string.h>

swq_by_sender swq_by_sender_of(const swq_system *system)
{
    return (swq_by_sender){.nodes = system->senders ? system->nodes : 0};
}

void swq_by_sender_list(swq_by_sender *s, swq_arrays *list)
{
    const double kept = s->nodes <= SWQ_MOST_SENDERS_IN_BATCHES ? SWQ_MOST_BATCHES : 0;

    SWQ_ARRAY(list, s->before, s->nodes);
    SWQ_ARRAY(list, s->now, s->nodes);
    SWQ_ARRAY(list, s->batch, kept * s->nodes);
    SWQ_ARRAY(list, s->waited, s->nodes);
}

void swq_by_sender_begin(swq_by_sender *s, const swq_system *system)
{
    if (s->nodes == 0)
        return;
    system->senders(system, s->before);
    memcpy(s->now, s->before, sizeof *s->now * s->nodes);
}

void swq_by_sender_end_batch(swq_by_sender *s, const swq_system *system, size_t batch)
{
    swq_sender_count *in = s->batch ? s->batch + batch * s->nodes : NULL;

    for (uint32_t i = 0; i < s->nodes && in; i++)
        in[i] = s->now[i];
    if (s->nodes > 0)
        system->senders(system, s->now);
    for (uint32_t i = 0; i < s->nodes && in; i++)
        in[i] = (swq_sender_count){s->now[i].created - in[i].created, s->now[i].sent - in[i].sent};
    for (uint32_t i = 0; i < s->nodes && batch == 0; i++)
        s->waited[i] = s->now[i].created > s->now[i].sent;
}

static void add(swq_sender_count *to, const swq_sender_count *from, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++) {
        to[i].created += from[i].created;
        to[i].sent += from[i].sent;
    }
}

void swq_by_sender_merge(swq_by_sender *s, size_t batches)
{
    const size_t row = s->nodes;

    if (!s->batch)
        return;
    for (size_t b = 0; b < batches / 2; b++) {
        memmove(s->batch + b * row, s->batch + 2 * b * row, sizeof *s->batch * row);
        add(s->batch + b * row, s->batch + (2 * b + 1) * row, s->nodes);
    }
    if (batches % 2) /* the odd one out joins the last pair */
        add(s->batch + (batches / 2 - 1) * row, s->batch + (batches - 1) * row, s->nodes);
}
