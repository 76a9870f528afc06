/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trying a rule of admission on small buffers: a packet that is taken must have a slot, a packet is
 * pushed out or expelled only of a queue that holds one, and the row must declare what it does.
 * Rules without words are tried with all contents of a buffer and all falls of the dice; rules that
 * keep words are followed through drawn cycles, from the empty buffer on.
 */
#include "base/context.h"
#include "models/buffers/buffers.h"
#include "plugins/inside.h"

#include <gsl/gsl_rng.h>
#include <math.h>

enum {
    MOST_QUEUES = 3,
    MOST_CAPACITY = 4,
    MOST_KEPT = 16,       /* words for each queue */
    MOST_PASSES = 100000, /* falls of the dice in one case */
    CYCLES = 300          /* of a walk */
};

typedef struct admission_trial {
    swq_context *ctx;
    const swq_admission_rule *rule;
    swq_buffer buffer;
    int queues;
    uint16_t length[MOST_QUEUES], kept[MOST_QUEUES * MOST_KEPT];
    swq_dice dice;
} admission_trial;

static swq_status wrong(admission_trial *t, int join, const char *what)
{
    char text[100];
    size_t used = 0;

    for (int q = 0; q < t->queues && used < sizeof text; q++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%d", q ? " " : "", t->length[q]);
    return swq_fail(t->ctx, SWQ_EINVAL,
                    "%s (a packet for queue %d of %d, which hold %s, in a buffer of %d slots, at "
                    "most %d for a queue)",
                    what, join, t->queues, text, t->buffer.capacity, t->buffer.queue_max);
}

static int held(const admission_trial *t)
{
    int sum = 0;

    for (int q = 0; q < t->queues; q++)
        sum += t->length[q];
    return sum;
}

static bool has_queue(const admission_trial *t, swq_fate queue)
{
    return queue >= 0 && queue < t->queues && t->length[queue] > 0;
}

/* Is there a slot for a packet for queue `join`, by the size of the buffer and the largest queue?
 */
static bool has_slot(const admission_trial *t, int join)
{
    return held(t) < t->buffer.capacity && t->length[join] < t->buffer.queue_max;
}

static swq_status check_fate(admission_trial *t, int join, swq_fate fate)
{
    if (fate == SWQ_ASK && !(t->rule->needs & SWQ_NEEDS(SWQ_NEED_FUTURE)))
        return swq_fail(t->ctx, SWQ_EINVAL, "it asks an oracle and must declare SWQ_NEED_FUTURE");
    if (fate == SWQ_ASK) /* the packet may be taken */
        fate = SWQ_TAKE;
    if (fate == SWQ_TAKE && !has_slot(t, join))
        return wrong(t, join, "it takes a packet that has no slot");
    if (fate != SWQ_TAKE && t->rule->takes_while_room && has_slot(t, join))
        return wrong(t, join,
                     "takes_while_room is set, and it does not take a packet that has a slot");
    if (fate == SWQ_TAKE || fate == SWQ_REFUSE)
        return SWQ_OK;
    if (!has_queue(t, fate))
        return wrong(t, join, "it pushes a packet out of a queue that does not exist or is empty");
    if (!(t->rule->needs & SWQ_NEEDS(SWQ_NEED_PUSH_OUT)))
        return swq_fail(t->ctx, SWQ_EINVAL,
                        "it pushes packets out and must declare SWQ_NEED_PUSH_OUT");
    return SWQ_OK;
}

/* The rule's answer for a packet, in one fall of the dice. */
static swq_fate ask(admission_trial *t, int join)
{
    return t->rule->fate(&t->buffer, t->queues, t->length, t->rule->keeps ? t->kept : NULL, join,
                         &t->dice);
}

/* Lets a packet come, whose fate was found to be sound. */
static swq_status follow(admission_trial *t, int join, swq_fate fate)
{
    if (fate >= 0)
        t->length[fate]--;
    if (fate >= 0 && !has_slot(t, join))
        return wrong(t, join, "it pushes a packet out, and the other one has no slot all the same");
    t->length[join] += fate != SWQ_REFUSE;
    return SWQ_OK;
}

/* ---- all contents, all falls of the dice ---- */

/* After one fall of the dice: the next fall, unless there are too many. */
static bool goes_on(admission_trial *t, int passes)
{
    return passes < MOST_PASSES && swq_dice_next(&t->dice);
}

static swq_status try_arrival(admission_trial *t, int join)
{
    uint16_t before[MOST_QUEUES] = {0};
    double sum = 0;
    int passes = 0;
    swq_status status;

    for (int q = 0; q < t->queues; q++)
        before[q] = t->length[q];
    swq_dice_begin_enumeration(&t->dice);
    do {
        const swq_fate fate = ask(t, join);
        sum += (double)t->dice.probability;
        status = check_fate(t, join, fate);
        if (!status)
            status = follow(t, join, fate);
        for (int q = 0; q < t->queues; q++)
            t->length[q] = before[q];
    } while (!status && goes_on(t, ++passes));
    if (!status && passes >= MOST_PASSES)
        status = wrong(t, join, "it throws too many dice");
    /* written so that a NaN fails it */
    if (!status && !(fabs(sum - 1) < 1e-9))
        status = wrong(t, join, "the probabilities of its answers do not sum to 1");
    return status;
}

static swq_status try_contents(admission_trial *t)
{
    const int base = t->buffer.queue_max + 1;
    int all = 1;
    swq_status status = SWQ_OK;

    for (int q = 0; q < t->queues; q++)
        all *= base;
    for (int number = 0; number < all && !status; number++) {
        int rest = number;
        for (int q = 0; q < t->queues; q++, rest /= base)
            t->length[q] = (uint16_t)(rest % base);
        for (int join = 0; join < t->queues && held(t) <= t->buffer.capacity && !status; join++)
            status = try_arrival(t, join);
    }
    return status;
}

/* ---- cycles ---- */

static swq_status expel(admission_trial *t)
{
    for (int turn = 0; t->rule->expel; turn++) {
        const swq_fate queue = t->rule->expel(&t->buffer, t->queues, t->length, turn, &t->dice);
        if (queue == SWQ_REFUSE)
            break;
        if (!has_queue(t, queue))
            return wrong(t, 0, "it expels a packet of a queue that does not exist or is empty");
        t->length[queue]--;
    }
    return SWQ_OK;
}

/* Cycles in which packets are expelled, come to random queues, and leave. */
static swq_status walk(admission_trial *t, gsl_rng *rng)
{
    swq_status status = SWQ_OK;

    for (int q = 0; q < t->queues; q++)
        t->length[q] = 0;
    for (int k = 0; k < MOST_QUEUES * MOST_KEPT; k++)
        t->kept[k] = 0;
    swq_dice_begin_sampling(&t->dice, rng);
    for (int cycle = 0; cycle < CYCLES && !status; cycle++) {
        status = expel(t);
        for (int k = 0; k < t->queues && !status; k++) {
            const int join = (int)gsl_rng_uniform_int(rng, (unsigned long)t->queues);
            const swq_fate fate = ask(t, join);
            status = check_fate(t, join, fate);
            if (!status)
                status = follow(t, join, fate);
        }
        uint8_t sent[MOST_QUEUES] = {0};
        for (int q = 0; q < t->queues && cycle % 3; q++) {
            sent[q] = t->length[q] > 0;
            t->length[q] -= t->length[q] > 0;
        }
        if (t->rule->end_cycle && cycle % 3)
            t->rule->end_cycle(&t->buffer, t->queues, t->length, sent, t->kept);
    }
    return status;
}

/* ---- buffers ---- */

/* A pool of this size. Parameters that the rule demands get a value in the middle of their range;
 * the rule sets the others. */
static swq_status make_buffer(admission_trial *t, int queues, int capacity, int most)
{
    const swq_admission_rule *r = t->rule;

    t->queues = queues;
    t->buffer = (swq_buffer){.scope = SWQ_POOL,
                             .queues = SWQ_QUEUE_PER_OUTPUT,
                             .read = SWQ_READ_EACH_QUEUE,
                             .capacity = capacity,
                             .queue_max = most,
                             .alpha = r->takes & SWQ_ADMISSION_ALPHA ? 1 : 0,
                             .expel = r->expel ? 1 : 0,
                             .expel_chance = {0, r->expel ? 1 : 0},
                             .congested = 1,
                             .admission = r};
    if (r->set)
        r->set(r->demands, queues, &t->buffer);
    swq_status status = swq_buffer_check(t->ctx, &t->buffer, queues);
    if (status) {
        char why[300];
        snprintf(why, sizeof why, "%s", swq_context_message(t->ctx));
        return swq_fail(t->ctx, SWQ_EINVAL, "of a buffer of %d slots for %d queues it makes: %s",
                        capacity, queues, why);
    }
    return SWQ_OK;
}

static swq_status try_size(admission_trial *t, gsl_rng *rng, int queues, int capacity, int most)
{
    swq_status status = make_buffer(t, queues, capacity, most);

    if (!status && t->rule->fate && !t->rule->keeps)
        status = try_contents(t);
    if (!status && t->rule->fate)
        status = walk(t, rng);
    return status;
}

/* Each thing that a row may do has a need, so that consumers can refuse it. */
static swq_status check_declared(swq_context *ctx, const swq_admission_rule *r)
{
    const swq_needs lengths = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) | SWQ_NEEDS(SWQ_NEED_PUSH_OUT);

    if (!r->fate && !r->set)
        return swq_fail(ctx, SWQ_EINVAL, "it has no function fate, nor a function set");
    if (r->fate && !(r->needs & lengths))
        return swq_fail(ctx, SWQ_EINVAL,
                        "it has a function fate and must declare SWQ_NEED_ALL_LENGTHS, or "
                        "SWQ_NEED_PUSH_OUT");
    if (r->keeps < 0 || r->keeps > MOST_KEPT)
        return swq_fail(ctx, SWQ_EINVAL, "keeps must be 0 to %d words for each queue, not %d",
                        MOST_KEPT, r->keeps);
    if ((r->keeps || r->end_cycle) && !(r->keeps && r->needs & SWQ_NEEDS(SWQ_NEED_KEPT_WORDS)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "it keeps words: keeps must be set, and SWQ_NEED_KEPT_WORDS declared");
    if (r->expel && !(r->fate && r->needs & SWQ_NEEDS(SWQ_NEED_EXPULSION)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "it expels packets: it must have a function fate, and declare "
                        "SWQ_NEED_EXPULSION");
    return SWQ_OK;
}

swq_status swq_plugin_try_admission(swq_context *ctx, const void *row)
{
    const swq_admission_rule *r = row;
    admission_trial *t = swq_calloc(ctx, 1, sizeof *t);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    swq_status status = !t ? swq_memory_status(ctx) : !rng ? SWQ_ENOMEM : check_declared(ctx, r);

    for (int queues = 2; queues <= MOST_QUEUES && !status; queues++) {
        for (int capacity = queues; capacity <= MOST_CAPACITY && !status; capacity++) {
            /* only a rule that takes queue_max meets other values than the capacity */
            const int least = r->takes & SWQ_ADMISSION_QUEUE_MAX ? 1 : capacity;
            for (int most = least; most <= capacity && !status; most++) {
                t->ctx = ctx;
                t->rule = r;
                status = try_size(t, rng, queues, capacity, most);
            }
        }
    }
    swq_free(ctx, t);
    if (rng)
        gsl_rng_free(rng);
    return status;
}
