/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worst case of a rule: makes its graph, improves a policy until nothing is left to improve,
 * proves the ratio, and follows the best cycle. Source: R. Howard, Dynamic Programming and Markov
 * Processes, 1960; for cycles, J. Cochet-Terrasson et al., IFAC 1998.
 */
#include "base/clock.h"
#include "base/context.h"
#include "models/gate.h"
#include "worst/game.h"
#include "worst/search.h"

#include <math.h>

enum {
    BYTES_OF_A_NODE = 8 + 4 + 2,
    SAME_BEFORE_SELDOM = 2 /* evaluations that find no better cycle; answers do not depend on it */
};

static const swq_takes takes = {"a worst case", SWQ_NEEDS(SWQ_NEED_PUSH_OUT) |
                                                    SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) |
                                                    SWQ_NEEDS(SWQ_NEED_KEPT_WORDS)};

swq_worst_spec swq_worst_spec_defaults(void)
{
    return (swq_worst_spec){.objective = SWQ_WORST_THROUGHPUT, .speedup = 1};
}

static swq_status check_number(swq_context *ctx, const char *name, int value, int least, int most)
{
    if (value >= least && value <= most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "%s must be %d to %d, not %d", name, least, most, value);
}

/* Two classes of packets. What a queue holds is a word, and what both send in a phase is one of
 * SWQ_WORST_PHASES numbers. */
static swq_status check_classes(swq_context *ctx, const swq_worst_spec *spec)
{
    const int *value = spec->value;

    if (value[0] == 0 && value[1] == 0)
        return SWQ_OK;
    if (value[0] < 1 || value[1] < value[0] || value[1] > SWQ_WORST_VALUE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "classes must be worth 1 to %d, the first one no more than the second "
                        "one, not %d and %d",
                        SWQ_WORST_VALUE, value[0], value[1]);
    if (spec->buffer->capacity > SWQ_WORST_VALUED_SLOTS)
        return swq_fail(ctx, SWQ_EINVAL, "classes are for memories of 1 to %d slots, not %d",
                        SWQ_WORST_VALUED_SLOTS, spec->buffer->capacity);
    if (swq_worst_phases(spec) > SWQ_WORST_PHASES)
        return swq_fail(ctx, SWQ_EINVAL,
                        "classes with speedup %d are for fewer than %d queues: %d phases are told "
                        "apart, not %d",
                        spec->speedup, spec->queues, SWQ_WORST_PHASES, swq_worst_phases(spec));
    return SWQ_OK;
}

/* The best rule: the game is that of the theory, and small. */
static swq_status check_best(swq_context *ctx, const swq_worst_spec *spec)
{
    const double contents = swq_game_contents(spec->queues, spec->buffer->capacity);

    if (spec->rule == SWQ_WORST_GIVEN)
        return SWQ_OK;
    if (spec->objective != SWQ_WORST_THROUGHPUT)
        return swq_fail(ctx, SWQ_EINVAL,
                        "objective must be throughput for the best rule, not excess");
    if (spec->speedup != 1)
        return swq_fail(ctx, SWQ_EINVAL, "speedup must be 1 for the best rule, not %d",
                        spec->speedup);
    if (spec->arrivals != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "arrivals-per-phase must be unlimited for the best rule, not %d",
                        spec->arrivals);
    if (spec->certificate)
        return swq_fail(ctx, SWQ_EINVAL,
                        "certificate is for a rule of admission, not for the best "
                        "rule");
    if (swq_worst_valued(spec))
        return swq_fail(ctx, SWQ_EINVAL,
                        "classes are for a rule of admission, not for the best "
                        "rule");
    if (contents > SWQ_GAME_CONTENTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "the best rule is found for memories that can be filled in %d ways at "
                        "most, which leaves out %d slots of %d queues (%.4g ways)",
                        SWQ_GAME_CONTENTS, spec->buffer->capacity, spec->queues, contents);
    return SWQ_OK;
}

swq_status swq_worst_check(swq_context *ctx, const swq_worst_spec *spec)
{
    const swq_buffer *b = spec->buffer;
    swq_status status = check_number(ctx, "queues", spec->queues, 1, SWQ_WORST_QUEUES);

    if (!status)
        status = check_number(ctx, "slots", b->capacity, 1, SWQ_WORST_SLOTS);
    if (!status)
        status = check_number(ctx, "speedup", spec->speedup, 1, SWQ_WORST_SPEEDUP);
    if (!status)
        status = check_number(ctx, "arrivals-per-phase", spec->arrivals, 0, SWQ_WORST_ARRIVALS);
    if (!status && b->scope != SWQ_POOL)
        status = swq_fail(ctx, SWQ_EINVAL, "a worst case is that of one shared memory: scope pool");
    if (!status)
        status = swq_buffer_check(ctx, b, spec->queues);
    if (!status && swq_buffer_admission(b)->keeps > SWQ_WORST_KEPT)
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "a worst case has rules that keep at most %d words for each queue, not "
                     "admission %s, which keeps %d",
                     SWQ_WORST_KEPT, swq_buffer_admission(b)->name, swq_buffer_admission(b)->keeps);
    if (!status && swq_buffer_admission(b)->keeps && spec->speedup > 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "speedup %d is not for admission %s, which counts one "
                          "packet of a queue in a phase",
                          spec->speedup, swq_buffer_admission(b)->name);
    if (!status)
        status = check_classes(ctx, spec);
    if (!status)
        status = check_best(ctx, spec);
    return status ? status
                  : swq_gate(ctx, &takes, &swq_gated_admission_rules, swq_buffer_admission(b));
}

swq_status swq_worst_foresee(swq_context *ctx, const swq_worst_spec *spec, double *bytes)
{
    swq_status status = swq_worst_check(ctx, spec);

    if (status)
        return status;
    if (spec->rule != SWQ_WORST_GIVEN) {
        *bytes = 0; /* the number of nodes is not known */
        return SWQ_OK;
    }
    /* as if the rule filled the memory in all ways; nearly all pairs have one renaming of their
     * own, which is not known here */
    const double contents =
        swq_worst_contents(spec->queues, spec->buffer->capacity, swq_worst_classes(spec));
    double renamings = 1;
    for (int q = 2; q <= spec->queues; q++)
        renamings *= q;
    *bytes = contents * contents / renamings * BYTES_OF_A_NODE * (spec->arrivals + 1);
    return SWQ_OK;
}

/* ---- the search ---- */

static void clear(swq_worst_search *s)
{
    swq_worst_pairs_clear(s->ctx, &s->pairs);
    swq_worst_rule_clear(s->ctx, &s->rule);
    swq_free(s->ctx, s->value);
    swq_free(s->ctx, s->next);
    swq_free(s->ctx, s->step);
    swq_free(s->ctx, s->order);
    swq_free(s->ctx, s->level);
    swq_free(s->ctx, s->changed);
    swq_free(s->ctx, s->visited);
    swq_free(s->ctx, s->moved);
    swq_free(s->ctx, s->cycle);
}

/* Refuses sizes beyond the memory limit before memory is taken. */
static swq_status keep_limit(swq_worst_search *s)
{
    const double nodes = (double)s->pair_count * s->layers;
    const double bytes = nodes * BYTES_OF_A_NODE;
    const size_t limit = swq_context_memory_limit(s->ctx);
    char need[40], have[40];

    if (nodes >= SWQ_WORST_NONE)
        return swq_fail(s->ctx, SWQ_ELIMIT,
                        "%.3g pairs of contents are more than the 4.29e9 that are distinguished",
                        nodes);
    if (limit && bytes + (double)swq_context_live_bytes(s->ctx) > (double)limit)
        return swq_fail(s->ctx, SWQ_ELIMIT,
                        "%.3g pairs of contents need %s of memory, more than the limit of %s",
                        nodes, swq_bytes_text(bytes, need, sizeof need),
                        swq_bytes_text((double)limit, have, sizeof have));
    return SWQ_OK;
}

static swq_status make(swq_worst_search *s)
{
    swq_status status = swq_worst_rule_make(s->ctx, s->spec, &s->rule);

    if (!status)
        status = swq_worst_pairs_make(s->ctx, &s->rule, s->spec, &s->pairs);
    if (status)
        return status;
    s->layers = s->spec->arrivals + 1;
    s->pair_count = s->pairs.offset[s->rule.states];
    s->nodes = s->pair_count * (uint64_t)s->layers;
    swq_worst_number_phases(s);
    swq_worst_set_ratio(s, 0, 1);
    status = keep_limit(s);
    if (status)
        return status;
    s->value = swq_calloc(s->ctx, s->nodes, sizeof *s->value);
    s->next = swq_calloc(s->ctx, s->nodes, sizeof *s->next);
    s->step = swq_calloc(s->ctx, s->nodes, sizeof *s->step);
    const size_t blocks = (size_t)s->layers * s->rule.states;
    s->changed = swq_calloc(s->ctx, blocks, sizeof *s->changed);
    s->visited = swq_calloc(s->ctx, blocks, sizeof *s->visited);
    s->moved = swq_calloc(s->ctx, blocks, sizeof *s->moved);
    if (!s->value || !s->next || !s->step || !s->changed || !s->visited || !s->moved)
        return swq_memory_status(s->ctx);
    return swq_worst_order(s);
}

/* An evaluation follows every round until the ratio has stayed the same for some evaluations: it is
 * settled, most likely. From then on evaluations come less and less often: each walks through the
 * whole graph, only to look for a better cycle and to carry values further than a round does. A
 * policy may have a cycle in between, along which values grow until the next evaluation breaks it.
 */
static swq_status evaluate_seldom(swq_worst_search *s, int64_t *next, int64_t *gap, int *same)
{
    const int64_t numerator = s->numerator, denominator = s->denominator;

    if (s->rounds < *next)
        return SWQ_OK;
    swq_status status = swq_worst_evaluate(s);
    *same = numerator == s->numerator && denominator == s->denominator ? *same + 1 : 0;
    *gap = *same == 0 ? 1 : *same < SAME_BEFORE_SELDOM ? *gap : 2 * *gap;
    *next = s->rounds + *gap;
    s->settled = *gap > 1;
    return status;
}

static swq_status search(swq_worst_search *s)
{
    int64_t next = 0, gap = 1;
    int same = 0;
    swq_status status = swq_worst_reach(s);

    if (!status)
        status = swq_worst_evaluate(s);
    while (!status && !s->unbounded) {
        if (swq_context_cancelled(s->ctx))
            return swq_fail(s->ctx, SWQ_ECANCELLED, "cancelled");
        swq_progress(s->ctx, "rounds", (double)s->rounds, 0);
        const int64_t changed = swq_worst_improve(s);
        s->rounds++;
        if (changed == 0)
            break;
        status = evaluate_seldom(s, &next, &gap, &same);
    }
    return status;
}

/* The best rule. */
static swq_status run_game(swq_context *ctx, const swq_worst_spec *spec, swq_worst *w)
{
    swq_game g;
    swq_status status = swq_game_make(ctx, spec, &g);

    if (!status)
        status = swq_game_solve(&g);
    if (!status)
        status = swq_game_prove(&g);
    w->proven = !status;
    w->renamed = true;
    w->numerator = g.numerator;
    w->denominator = g.denominator;
    w->nodes = g.nodes;
    w->edges = g.edges;
    w->improvements = g.rounds;
    swq_game_clear(&g);
    return status;
}

/* Does the rule take every packet for which the memory has room? */
static bool never_wastes_room(const swq_buffer *b)
{
    const swq_admission_rule *rule = swq_buffer_admission(b);
    const bool unlimited = b->alpha == 0 && b->queue_min == 0 && b->queue_max == b->capacity;

    return unlimited && !rule->expel && (!rule->fate || rule->takes_while_room);
}

/* What bounds the answer from above before anything is proven; INFINITY: nothing is known.
 *
 * In a phase the optimum sends at most one packet of each queue, so that the excess is at most
 * `most`, the smaller one of queues and slots. And the ratio is at most `most` for a rule that
 * takes every packet for which it has room. For let the rule's memory be empty at the ends of some
 * phases, and look at what lies between two of them. Up to the last arrival at a full memory, the
 * rule sends at least one packet a phase, and the optimum at most `most`. From then on the rule
 * takes all that arrives, and had a full memory: the optimum, whose memory is no larger, cannot
 * send more, even if what it still holds when the rule is empty is counted. If the memory was never
 * full, the rule has taken all packets, and the optimum has sent only these, and packets that were
 * counted before. */
static double bound_of(const swq_worst_spec *spec)
{
    const int slots = spec->buffer->capacity;
    const int most = spec->queues < slots ? spec->queues : slots;
    const bool any = spec->objective == SWQ_WORST_EXCESS || spec->rule != SWQ_WORST_GIVEN;

    /* a packet that the optimum sends is worth `dearer` times one of the rule's at most */
    const double dearer = (double)swq_worst_worth(spec, 1) / swq_worst_worth(spec, 0);

    return any || never_wastes_room(spec->buffer) ? most * dearer : INFINITY;
}

static swq_status run_search(swq_context *ctx, const swq_worst_spec *spec, swq_worst *w)
{
    swq_worst_search *s = swq_calloc(ctx, 1, sizeof *s);

    if (!s)
        return swq_memory_status(ctx);
    s->ctx = ctx;
    s->spec = spec;
    s->denominator = 1;
    swq_status status = make(s);
    if (!status)
        status = search(s);
    if (!status && !s->unbounded)
        status = swq_worst_prove(s);
    w->proven = !status;
    w->unbounded = s->unbounded;
    if (s->denominator) { /* 0: cancelled before there were pairs */
        w->numerator = s->numerator;
        w->denominator = s->denominator;
    }
    w->renamed = s->rule.renamed;
    w->nodes = s->reached;
    w->edges = s->edges;
    w->improvements = s->rounds;
    if (!status)
        status = swq_worst_sequence(s, w);
    if (!status && spec->certificate)
        status = swq_worst_certify(s, w);
    clear(s);
    swq_free(ctx, s);
    return status;
}

swq_status swq_worst_run(swq_context *ctx, const swq_worst_spec *spec, swq_worst *worst)
{
    const double begin = swq_seconds(CLOCK_MONOTONIC);
    swq_worst w = {.denominator = 1, .upper = INFINITY};
    swq_status status = swq_worst_check(ctx, spec);

    if (!status)
        status =
            spec->rule == SWQ_WORST_GIVEN ? run_search(ctx, spec, &w) : run_game(ctx, spec, &w);
    w.seconds = swq_seconds(CLOCK_MONOTONIC) - begin;
    if (status == SWQ_ECANCELLED)
        w.upper = bound_of(spec);
    if (!status || status == SWQ_ECANCELLED)
        *worst = w;
    else
        swq_worst_clear(ctx, &w);
    return status;
}

void swq_worst_clear(swq_context *ctx, swq_worst *worst)
{
    if (!worst)
        return;
    swq_free(ctx, worst->step);
    worst->step = NULL;
}
