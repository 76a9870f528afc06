/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worst cases of rules of admission: against theorems and values of independent programs, against
 * the simulator, which plays the worst sequence, and against brute force.
 */
#include "base/context.h"
#include "models/buffers/buffers.h"
#include "switchq/sim.h"
#include "validate/checks/brute_force.h"
#include "validate/checks/families.h"
#include "validate/checks/finding.h"

#include <stdio.h>

/* What a rule is compared with. */
typedef enum worst_leg {
    KNOWN,  /* numerator / denominator */
    PLAYED, /* the simulator sends as many packets as the sequence says */
    FORCED /* no sequence of up to STEPS steps exceeds the ratio; one exceeds SLIGHTLY_LESS of it */
} worst_leg;

enum { STEPS = 60, STEPS_FOR_LESS = 20000, SLIGHTLY_LESS = 99, TURNS = 50 };

typedef struct worst_case {
    worst_leg leg;
    const swq_admission_rule *rule;
    double alpha;
    int queues, slots, arrivals;
    int numerator, denominator; /* KNOWN */
    swq_ties ties;
    bool slow;    /* only with --full */
    double value; /* of packets of the higher class, a multiple of 1/2; 0: no classes */
    bool drop_head;
} worst_case;

#define LQD       &swq_admission_longest_queue_drop
#define SHARING   &swq_admission_sharing
#define THRESHOLD &swq_admission_threshold
#define HARMONIC  &swq_admission_harmonic

/* Sources of the values: Kobayashi, Miyazaki and Okabe (SPAA 2007) for longest-queue drop of two
 * queues with an even memory, (4M - 4) / (3M - 2); else programs that share no code with this one.
 */
static const worst_case cases[] = {
    {KNOWN, LQD, 0, 2, 4, 0, 6, 5, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 2, 8, 0, 14, 11, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 2, 20, 0, 38, 29, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 2, 40, 0, 78, 59, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, LQD, 0, 2, 3, 0, 4, 3, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 2, 13, 0, 4, 3, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 2, 41, 0, 4, 3, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, LQD, 0, 3, 4, 0, 5, 4, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 3, 10, 0, 17, 13, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 3, 20, 0, 37, 28, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, LQD, 0, 4, 10, 0, 4, 3, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 4, 12, 0, 21, 16, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, LQD, 0, 5, 10, 0, 4, 3, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, LQD, 0, 6, 8, 0, 4, 3, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, LQD, 0, 2, 4, 2, 7, 6, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 2, 6, 2, 11, 10, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, LQD, 0, 2, 7, 2, 13, 12, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, SHARING, 0, 2, 2, 0, 2, 1, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, SHARING, 0, 3, 6, 0, 3, 1, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, SHARING, 0, 4, 3, 0, 3, 1, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, SHARING, 0, 5, 8, 0, 5, 1, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, THRESHOLD, 0.5, 2, 24, 0, 3, 1, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, THRESHOLD, 1, 2, 24, 0, 2, 1, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, THRESHOLD, 2, 2, 24, 0, 46, 29, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, THRESHOLD, 1, 5, 8, 0, 2, 1, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, THRESHOLD, 2, 5, 8, 0, 9, 4, SWQ_TIES_RANDOM, true, 0, false},
    {KNOWN, HARMONIC, 0, 2, 24, 0, 3, 2, SWQ_TIES_RANDOM, false, 0, false},
    {KNOWN, HARMONIC, 0, 5, 8, 0, 8, 3, SWQ_TIES_RANDOM, true, 0, false},
    /* as many arrivals in a phase as the switch has inputs. Ties are settled: with more than two
     * queues, `own` leaves ties of other queues open, which the simulator draws */
    {PLAYED, LQD, 0, 2, 6, 2, 0, 0, SWQ_TIES_OWN, false, 0, false},
    {PLAYED, LQD, 0, 2, 7, 2, 0, 0, SWQ_TIES_OTHER, false, 0, false},
    {PLAYED, LQD, 0, 3, 6, 3, 0, 0, SWQ_TIES_LOW, false, 0, false},
    {PLAYED, LQD, 0, 3, 6, 3, 0, 0, SWQ_TIES_HIGH, false, 0, false},
    {PLAYED, LQD, 0, 4, 8, 4, 0, 0, SWQ_TIES_LOW, true, 0, false},
    {PLAYED, LQD, 0, 4, 8, 4, 0, 0, SWQ_TIES_HIGH, true, 0, false},
    {PLAYED, SHARING, 0, 3, 6, 3, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {PLAYED, THRESHOLD, 1, 2, 12, 2, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {PLAYED, THRESHOLD, 2, 3, 8, 3, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {PLAYED, HARMONIC, 0, 2, 8, 2, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {PLAYED, HARMONIC, 0, 3, 9, 3, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {PLAYED, &swq_admission_square_root, 0, 3, 6, 3, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {PLAYED, &swq_admission_partitioning, 0, 2, 6, 2, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {PLAYED, &swq_admission_abm, 1, 2, 8, 2, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {PLAYED, &swq_admission_follow_lqd, 0, 2, 6, 2, 0, 0, SWQ_TIES_OWN, false, 0, false},
    {FORCED, LQD, 0, 2, 3, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {FORCED, LQD, 0, 2, 4, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {FORCED, LQD, 0, 2, 6, 0, 0, 0, SWQ_TIES_RANDOM, true, 0, false},
    {FORCED, LQD, 0, 3, 3, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {FORCED, LQD, 0, 3, 4, 0, 0, 0, SWQ_TIES_RANDOM, true, 0, false},
    {FORCED, LQD, 0, 2, 4, 0, 0, 0, SWQ_TIES_OWN, false, 0, false},
    {FORCED, LQD, 0, 2, 5, 0, 0, 0, SWQ_TIES_LOW, false, 0, false},
    {FORCED, SHARING, 0, 3, 3, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {FORCED, THRESHOLD, 1, 2, 5, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {FORCED, THRESHOLD, 2, 2, 6, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {FORCED, HARMONIC, 0, 2, 5, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {FORCED, HARMONIC, 0, 3, 4, 0, 0, 0, SWQ_TIES_RANDOM, true, 0, false},
    {FORCED, &swq_admission_square_root, 0, 2, 6, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    {FORCED, &swq_admission_abm, 1, 2, 5, 0, 0, 0, SWQ_TIES_RANDOM, false, 0, false},
    /* with values: one queue that refuses is V-competitive */
    {KNOWN, SHARING, 0, 1, 3, 0, 3, 1, SWQ_TIES_RANDOM, false, 3, false},
    {KNOWN, SHARING, 0, 1, 8, 0, 5, 2, SWQ_TIES_RANDOM, false, 2.5, false},
    {FORCED, SHARING, 0, 1, 2, 0, 0, 0, SWQ_TIES_RANDOM, false, 3, false},
    {FORCED, SHARING, 0, 2, 2, 0, 0, 0, SWQ_TIES_RANDOM, false, 1.5, false},
    {FORCED, SHARING, 0, 1, 3, 0, 0, 0, SWQ_TIES_RANDOM, false, 2.5, false},
    {FORCED, LQD, 0, 2, 2, 0, 0, 0, SWQ_TIES_RANDOM, false, 2, false},
    {FORCED, LQD, 0, 2, 3, 0, 0, 0, SWQ_TIES_RANDOM, false, 2, false},
    {FORCED, LQD, 0, 2, 3, 0, 0, 0, SWQ_TIES_OWN, false, 1.5, true},
    {FORCED, THRESHOLD, 1, 2, 3, 0, 0, 0, SWQ_TIES_RANDOM, false, 3, false},
};

/* Case k of those that belong to the effort. */
static const worst_case *case_of(swq_effort effort, int k)
{
    for (const worst_case *c = cases;; c++) {
        if ((effort == SWQ_EFFORT_FULL || !c->slow) && k-- == 0)
            return c;
    }
}

static int count(swq_effort effort)
{
    int some = 0;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        some += effort == SWQ_EFFORT_FULL || !cases[k].slow;
    return some;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    static const char *const legs[] = {"known", "played", "brute-force"};
    static const char *const ties[] = {
        [SWQ_TIES_OWN] = "own",   [SWQ_TIES_OTHER] = "other",      [SWQ_TIES_LOW] = "low",
        [SWQ_TIES_HIGH] = "high", [SWQ_TIES_RANDOM] = "adversary",
    };
    const worst_case *c = case_of(effort, k);
    char alpha[40] = "", limit[40] = "", classes[40] = "";

    if (c->alpha > 0)
        snprintf(alpha, sizeof alpha, ",alpha=%g", c->alpha);
    if (c->arrivals > 0)
        snprintf(limit, sizeof limit, ",arrivals=%d", c->arrivals);
    if (c->value > 0)
        snprintf(classes, sizeof classes, ",value=%g%s", c->value, c->drop_head ? ",head" : "");
    snprintf(check->name, sizeof check->name,
             "admission-worst/%s,%s%s,ties=%s,queues=%d,slots=%d%s%s", legs[c->leg], c->rule->name,
             alpha, ties[c->ties], c->queues, c->slots, limit, classes);
    switch (c->leg) {
    case KNOWN:
        snprintf(check->claim, sizeof check->claim,
                 "%d queues, %d slots, admission %s: the ratio is %d/%d", c->queues, c->slots,
                 c->rule->name, c->numerator, c->denominator);
        break;
    case PLAYED:
        snprintf(check->claim, sizeof check->claim,
                 "%d queues, %d slots, admission %s: the simulator sends the packets of the worst "
                 "sequence",
                 c->queues, c->slots, c->rule->name);
        break;
    case FORCED:
        snprintf(check->claim, sizeof check->claim,
                 "%d queues, %d slots, admission %s: no sequence of %d steps exceeds the ratio; "
                 "one exceeds %d%% of it",
                 c->queues, c->slots, c->rule->name, STEPS, SLIGHTLY_LESS);
        break;
    }
    check->level = SWQ_LEVEL_EXACT;
    check->weight = c->slow ? 3 : 0.1;
}

static swq_status memory_of(swq_context *ctx, const worst_case *c, swq_buffer *memory)
{
    *memory = (swq_buffer){.scope = SWQ_POOL,
                           .queues = SWQ_QUEUE_PER_OUTPUT,
                           .read = SWQ_READ_EACH_QUEUE,
                           .capacity = c->slots,
                           .queue_max = c->slots,
                           .alpha = c->alpha,
                           .pool_rule = &swq_pool_in_order,
                           .ties = c->ties,
                           .drop_head = c->drop_head};
    return swq_buffer_set_admission(ctx, c->rule,
                                    (c->rule->takes & (SWQ_ADMISSION_TIES | SWQ_ADMISSION_DROP)) |
                                        (c->alpha > 0 ? SWQ_ADMISSION_ALPHA : 0),
                                    c->queues, memory);
}

/* ---- the simulator plays the sequence ---- */

typedef struct {
    swq_trace_packet *packet;
    uint64_t packets, cycle;
    uint32_t input;
    uint64_t sent; /* by the rule */
} played;

static void append(played *t, const swq_worst_step *step)
{
    if (step->queue < 0) {
        t->cycle++;
        t->input = 0;
        t->sent += (uint64_t)step->rule_sent;
        return;
    }
    t->packet[t->packets++] = (swq_trace_packet){t->cycle, t->input++, (uint32_t)step->queue, 0};
}

/* The way to the worst period, the period TURNS times, and what is sent after that. */
static swq_status write_trace(swq_context *ctx, const swq_worst *w, int queues, played *t)
{
    const int64_t steps = w->lead + w->period;

    *t = (played){0};
    t->packet = swq_calloc(ctx, (size_t)(w->lead + TURNS * w->period + 1), sizeof *t->packet);
    if (!t->packet)
        return swq_memory_status(ctx);
    for (int64_t k = 0; k < w->lead; k++)
        append(t, &w->step[k]);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int64_t k = w->lead; k < steps; k++)
            append(t, &w->step[k]);
    }
    for (int q = 0; q < queues && steps > 0; q++)
        t->sent += (uint64_t)w->step[steps - 1].rule[q];
    return SWQ_OK;
}

static swq_status play(swq_context *ctx, const worst_case *c, const swq_buffer *memory,
                       const swq_worst *w, swq_finding *f)
{
    swq_sim_options options = swq_sim_defaults();
    swq_network n = {.shape.stages = 1,
                     .sw = {.ports = c->queues,
                            .flow = SWQ_DISCARD,
                            .credit = SWQ_CREDIT_SAME,
                            .buffer = *memory},
                     .traffic = swq_traffic_defaults()};
    played t;
    swq_sim_result result = {0};
    swq_status status = write_trace(ctx, w, c->queues, &t);

    if (!status)
        status = swq_fabric_find(ctx, "switch", &n.shape);
    if (!status)
        status = swq_arbiter_find(ctx, "random", &n.sw.arbiter);
    n.traffic.kind = SWQ_SOURCE_TRACE;
    n.traffic.trace = t.packet;
    n.traffic.trace_packets = t.packets;
    options.warmup = 0;
    options.cycles = t.cycle + (uint64_t)c->slots + 10;
    if (!status)
        status = swq_sim_run(ctx, &n, &options, &result);
    if (!status)
        swq_finding_near(f, (double)result.all.delivered, (double)t.sent, 0);
    swq_free(ctx, t.packet);
    return status;
}

/* ---- brute force ---- */

static swq_status force(swq_context *ctx, const swq_worst_spec *spec, const swq_worst *w,
                        swq_finding *f)
{
    int64_t beyond = 0, less = 0;
    swq_status status =
        swq_brute_force_gain(ctx, spec, w->numerator, w->denominator, STEPS, &beyond);

    if (!status)
        status = swq_brute_force_gain(ctx, spec, SLIGHTLY_LESS * w->numerator, 100 * w->denominator,
                                      STEPS_FOR_LESS, &less);
    if (status)
        return status;
    swq_finding_near(f, (double)beyond, 0, 0);
    if (less <= 0) {
        f->outcome = SWQ_OUTCOME_FAIL;
        snprintf(f->text, sizeof f->text, "no sequence exceeds %d%% of %lld/%lld", SLIGHTLY_LESS,
                 (long long)w->numerator, (long long)w->denominator);
    }
    return SWQ_OK;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const worst_case *c = case_of(effort, k);
    swq_worst_spec spec = swq_worst_spec_defaults();
    swq_buffer memory;
    swq_worst w = {0};
    swq_status status = memory_of(ctx, c, &memory);

    (void)seed;
    spec.buffer = &memory;
    spec.queues = c->queues;
    spec.arrivals = c->arrivals;
    if (c->value > 0) {
        spec.value[0] = 2;
        spec.value[1] = (int)(2 * c->value);
    }
    if (!status)
        status = swq_worst_run(ctx, &spec, &w);
    if (!status && !w.proven)
        status = swq_fail(ctx, SWQ_EINTERNAL, "no potential proves the ratio");
    if (!status && c->leg == KNOWN)
        swq_finding_near(f, (double)(w.numerator * c->denominator),
                         (double)(w.denominator * c->numerator), 0);
    else if (!status && c->leg == PLAYED)
        status = play(ctx, c, &memory, &w, f);
    else if (!status)
        status = force(ctx, &spec, &w, f);
    swq_worst_clear(ctx, &w);
    return status;
}

const swq_family swq_family_worst = {
    .name = "admission-worst",
    .title = "Worst cases of rules of admission to a shared memory",
    .legs = "policy iteration with a proof; theorems and independent programs; synchronous "
            "simulator; dynamic programming over all sequences up to a length",
    .criterion = "fractions and numbers of packets are equal; within 60 steps no sequence exceeds "
                 "the ratio, and some sequence exceeds 99% of it",
    .count = count,
    .describe = describe,
    .run = run,
};
