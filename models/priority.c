/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dividing buffers among classes, and arbitration in two passes.
 */
#include "models/priority.h"

#include "base/context.h"

void swq_class_queues_init(const swq_buffer *b, int ports, const swq_priority *priority,
                           swq_class_queues *q)
{
    const swq_support support = priority->support;
    const int normal = swq_buffer_queues(b, ports);
    const bool fans = b->queues == SWQ_QUEUE_PER_OUTPUT;
    /* queues of a partitioned buffer cannot borrow slots, so the high queue has its own */
    const bool partitioned = swq_buffer_partitioned(b);

    *q = (swq_class_queues){.parts = 1, .fans = {fans, fans}};
    q->part[0] = (swq_buffer_part){.rule = *b, .queues = normal};
    switch (support) {
    case SWQ_SUPPORT_NONE:
    case SWQ_SUPPORT_ARBITER:
        break;
    case SWQ_SUPPORT_QUEUE:
    case SWQ_SUPPORT_QUEUES:
        q->base[1] = normal;
        /* a pool has a queue for each class and output */
        q->fans[1] = support == SWQ_SUPPORT_QUEUES || b->scope == SWQ_POOL;
        q->parts = partitioned ? 2 : 1;
        if (!partitioned)
            q->part[0].queues += q->fans[1] ? ports : 1;
        break;
    case SWQ_SUPPORT_BUFFER:
        q->base[1] = normal;
        q->fans[1] = priority->queues == SWQ_QUEUE_PER_OUTPUT;
        q->parts = 2;
        break;
    }
    if (q->parts == 2) {
        const int queues = q->fans[1] ? ports : 1;
        const bool split = partitioned && support != SWQ_SUPPORT_BUFFER;
        q->part[1] = (swq_buffer_part){
            .rule = {.scope = b->scope,
                     .queues = q->fans[1] ? SWQ_QUEUE_PER_OUTPUT : SWQ_ONE_QUEUE,
                     .read = b->read,
                     .capacity = priority->slots,
                     .queue_max = split ? priority->slots / queues : priority->slots},
            .first_queue = normal,
            .queues = queues,
            .first_slot = b->capacity,
        };
    }
    for (int p = 0; p < q->parts; p++) {
        q->queues += q->part[p].queues;
        q->slots += q->part[p].rule.capacity;
    }
}

bool swq_class_room_for_all(const swq_class_queues *c, const uint16_t *length, int packets)
{
    for (int p = 0; p < c->parts; p++) {
        const swq_buffer_part *part = &c->part[p];
        const swq_admission_rule *rule = swq_buffer_admission(&part->rule);
        int left = part->rule.capacity - part->queues * part->rule.queue_min;
        for (int q = part->first_queue; q < part->first_queue + part->queues; q++) {
            left -= length[q] > part->rule.queue_min ? length[q] - part->rule.queue_min : 0;
            if (length[q] + packets > part->rule.queue_max)
                return false;
        }
        if (part->rule.alpha != 0 || left < packets || (rule->fate && !rule->takes_while_room))
            return false;
    }
    return true;
}

swq_status swq_priority_check(swq_context *ctx, const swq_buffer *b, int ports,
                              const swq_priority *p)
{
    const int least = p->support == SWQ_SUPPORT_QUEUES ? ports : 1;

    if (!(p->fraction >= 0 && p->fraction <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "the fraction of high priority must be 0 to 1, not %g",
                        p->fraction);
    if (p->support < SWQ_SUPPORT_NONE || p->support > SWQ_SUPPORT_BUFFER)
        return swq_fail(ctx, SWQ_EINVAL, "priority must be a value of its enumeration");
    if (p->support < SWQ_SUPPORT_QUEUE)
        return SWQ_OK;
    if (p->support == SWQ_SUPPORT_BUFFER && b->scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "priority buffer needs a buffer at each input, not a pool");
    if (p->support != SWQ_SUPPORT_BUFFER && !swq_buffer_partitioned(b)) {
        int queues = swq_buffer_queues(b, ports) +
                     (p->support == SWQ_SUPPORT_QUEUE && b->scope == SWQ_PER_INPUT ? 1 : ports);
        if (queues * b->queue_min > b->capacity)
            return swq_fail(ctx, SWQ_EINVAL,
                            "queue-min must be 0 to %d (%d slots for %d queues, those for high "
                            "priority included), not %d",
                            b->capacity / queues, b->capacity, queues, b->queue_min);
        return SWQ_OK;
    }
    if (p->support == SWQ_SUPPORT_BUFFER && p->queues != SWQ_ONE_QUEUE &&
        p->queues != SWQ_QUEUE_PER_OUTPUT)
        return swq_fail(ctx, SWQ_EINVAL, "priority-queues must be a value of its enumeration");
    if (p->slots < least || p->slots > SWQ_MAX_SLOTS ||
        (p->support == SWQ_SUPPORT_QUEUES && p->slots % least != 0))
        return swq_fail(ctx, SWQ_EINVAL,
                        "priority-slots must be %d to %d slots, a multiple of %d, not %d", least,
                        SWQ_MAX_SLOTS, least, p->slots);
    return SWQ_OK;
}

swq_status swq_priority_refuse(swq_context *ctx, const swq_priority *p, const char *what)
{
    static const char *const name[] = {"none", "arbiter", "queue", "queues", "buffer"};

    if (p->support == SWQ_SUPPORT_NONE)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "%s does not know packets of high priority: priority must be none, not %s",
                    what, name[p->support]);
}

void swq_requests_left(const int *granted, swq_requests *low)
{
    for (int j = 0; j < low->ports; j++) {
        if (granted[j] == SWQ_NO_INPUT)
            continue;
        for (int k = 0; k < low->ports; k++) {
            low->length[k][j] = 0;
            if (!low->read_each_queue)
                low->length[granted[j]][k] = 0;
        }
    }
}

void swq_grant_classes(const swq_arbiter *arbiter, swq_requests *low, const swq_requests *high,
                       swq_dice *dice, int *grant, int *class)
{
    int first[SWQ_MAX_PORTS];

    arbiter->arbitrate(high, dice, first);
    swq_requests_left(first, low);
    arbiter->arbitrate(low, dice, grant);
    for (int j = 0; j < low->ports; j++) {
        class[j] = first[j] != SWQ_NO_INPUT;
        grant[j] = class[j] ? first[j] : grant[j];
    }
    if (arbiter->settle)
        arbiter->settle(low, grant);
}
