/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bracket of the saturation load, at which open sources cease to be served in full, in the mean
 * and for the worst sender. The upper end is a load at which a backlog is shown to grow. The lower
 * end is a load less the largest fraction of it that its run may have failed to carry; at a load
 * that is too high, the load carried is not above saturation. So both ends are right whichever
 * loads the bisection tries, as long as all of its judgements are right.
 */
#include "sim/measure/bracket.h"
#include "base/context.h"
#include "sim/measure/pile.h"

#include <math.h>
#include <string.h>

enum {
    STEP = 64,     /* cycles between checks for cancellation */
    DOUBLINGS = 3, /* times that the length of a run may double */
    ROWS = 2 * SWQ_GROWTH_BATCHES + 1
};

/* ---- a run ---- */

typedef struct {
    swq_system *system;
    const swq_trial_plan *plan;
    swq_sender_count *count; /* [nodes] */
    uint64_t *created;       /* [nodes] */
    uint64_t *waiting;       /* [ROWS * nodes] at the beginning and at the end of each batch */
    uint64_t inside[ROWS];   /* packets in the network at these moments */
    int batches;
    uint64_t batch_cycles, cycles;
} trial_run;

static void note_senders(trial_run *w)
{
    const swq_system *s = w->system;
    const uint32_t nodes = s->nodes;
    uint64_t *row = w->waiting + (size_t)w->batches * nodes;

    w->inside[w->batches] = s->created - s->waiting - s->delivered - s->discarded;
    s->senders(s, w->count);
    for (uint32_t i = 0; i < nodes; i++) {
        row[i] = w->count[i].created - w->count[i].sent;
        w->created[i] = w->count[i].created;
    }
}

/* Keeps every other row: batches become twice as long. */
static void merge(trial_run *w)
{
    const size_t row = w->system->nodes;

    for (size_t b = 1; b <= SWQ_GROWTH_BATCHES; b++) {
        memcpy(w->waiting + b * row, w->waiting + 2 * b * row, row * sizeof *w->waiting);
        w->inside[b] = w->inside[2 * b];
    }
    w->batches /= 2;
    w->batch_cycles *= 2;
}

/* Runs a batch. Returns false if a deadlock or a cancellation ended it early. */
static bool run_batch(swq_context *ctx, trial_run *w)
{
    swq_system *s = w->system;
    uint64_t done = 1, k = 0;

    for (; k < w->batch_cycles && done > 0 && !s->stuck; k += done) {
        if (swq_context_cancelled(ctx))
            return false;
        done = s->advance(s, w->batch_cycles - k < STEP ? w->batch_cycles - k : STEP);
    }
    w->cycles += k;
    if (s->look && !s->stuck)
        s->look(s);
    if (s->stuck || done == 0)
        return false;
    w->batches++;
    note_senders(w);
    return true;
}

static bool settled(const swq_trial_plan *plan, const swq_growth_verdict *v)
{
    return v->grows || plan->load * v->lacks <= plan->enough;
}

/* Judges the run so far; returns whether the judgement is decided. */
static bool decide(const trial_run *w, swq_trial *t)
{
    const swq_system *s = w->system;
    const swq_backlogs b = {
        .senders = s->nodes,
        .waiting = w->waiting,
        .created = w->created,
        .inside = w->inside,
        .sent = s->created - s->waiting,
    };

    t->growth = swq_growth_of(&b, w->plan->level);
    t->undecided = !settled(w->plan, &t->growth.mean) || !settled(w->plan, &t->growth.worst);
    return !t->undecided;
}

static const swq_growth_verdict not_served = {.grows = true, .lacks = 1};

static swq_status run_and_judge(swq_context *ctx, trial_run *w, swq_trial *t)
{
    const int most = SWQ_GROWTH_BATCHES << DOUBLINGS;
    int length = SWQ_GROWTH_BATCHES, whole = 0; /* in batches of the shortest run */

    while (whole < length) {
        const int each = (int)(length > SWQ_GROWTH_BATCHES ? length / 2 / SWQ_GROWTH_BATCHES : 1);
        if (!run_batch(ctx, w) && !w->system->stuck)
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        if (w->system->stuck || w->system->overflow) {
            t->deadlock = w->system->stuck;
            t->growth.mean = t->growth.worst = not_served;
            break;
        }
        whole += each;
        swq_progress(ctx, "simulating", (double)whole, length);
        if (w->batches == 2 * SWQ_GROWTH_BATCHES)
            merge(w);
        if (whole == length && !decide(w, t) && length < most)
            length *= 2;
    }
    t->cycles = w->cycles;
    return SWQ_OK;
}

swq_status swq_trial_run(swq_context *ctx, const swq_engine *engine, const swq_sim_options *options,
                         const swq_trial_plan *plan, swq_trial *trial)
{
    trial_run w = {
        .plan = plan,
        .batch_cycles = (options->cycles + SWQ_GROWTH_BATCHES - 1) / SWQ_GROWTH_BATCHES,
    };
    swq_trial t = {0};
    swq_status status = swq_run_check_memory(ctx, engine->bytes, 1);

    if (!status)
        status = engine->make(ctx, engine->arg, options, 0, &w.system);
    if (!status) {
        const size_t nodes = w.system->nodes;
        w.count = swq_calloc(ctx, nodes, sizeof *w.count);
        w.created = swq_calloc(ctx, nodes, sizeof *w.created);
        w.waiting = swq_calloc(ctx, nodes * ROWS, sizeof *w.waiting);
        status =
            w.count && w.created && w.waiting ? run_and_judge(ctx, &w, &t) : swq_memory_status(ctx);
    }
    if (w.system)
        w.system->release(ctx, w.system);
    swq_free(ctx, w.count);
    swq_free(ctx, w.created);
    swq_free(ctx, w.waiting);
    if (!status)
        *trial = t;
    return status;
}

/* ---- bisection ---- */

enum { AT_ONCE = 3, MOST_STEPS = 32 };

/* A load that has been, or is being, judged. */
typedef struct {
    double load;
    bool needed; /* the bisection came to this load; other loads were judged in advance */
    swq_trial trial;
    swq_status status;
} judged_load;

typedef struct {
    swq_trial_fn *judge;
    void *arg;
    swq_trial_plan plan;
    judged_load tried[AT_ONCE * 2 * MOST_STEPS];
    int count, first; /* loads in progress: their number and the first one */
} bisection;

typedef const swq_growth_verdict *verdict_fn(const judged_load *t);

static const swq_growth_verdict *of_mean(const judged_load *t)
{
    return &t->trial.growth.mean;
}

static const swq_growth_verdict *of_worst(const judged_load *t)
{
    return &t->trial.growth.worst;
}

static swq_status judge_one(swq_context *ctx, void *arg, int task)
{
    bisection *b = arg;
    judged_load *t = &b->tried[b->first + task];
    swq_trial_plan plan = b->plan;

    plan.load = t->load;
    return b->judge(ctx, b->arg, &plan, &t->trial);
}

static swq_status *status_of(void *arg, int task)
{
    bisection *b = arg;

    return &b->tried[b->first + task].status;
}

static judged_load *find(bisection *b, double load)
{
    for (int k = 0; k < b->count; k++) {
        if (b->tried[k].load == load)
            return &b->tried[k];
    }
    return NULL;
}

/* Judges the middle of the interval and, with more threads, the loads that may come next. */
static swq_status look_at(swq_context *ctx, bisection *b, double least, double most, int threads)
{
    const double middle = (least + most) / 2,
                 load[AT_ONCE] = {middle, (middle + most) / 2, (least + middle) / 2};
    const int at_once = threads < AT_ONCE ? threads : AT_ONCE;
    swq_pile pile = {.arg = b, .run = judge_one, .status = status_of};

    b->first = b->count;
    for (int k = 0; k < at_once; k++) {
        if (!find(b, load[k]))
            b->tried[b->count++] = (judged_load){.load = load[k]};
    }
    pile.tasks = b->count - b->first;
    return swq_pile_run(ctx, &pile, threads);
}

/* The lowest load whose backlog grows, or 1; below it, the highest load whose backlog was not shown
 * to grow, or 0, with the fraction that it may lack. */
static void between(const bisection *b, verdict_fn *of, double *least, double *most, double *lacks)
{
    *least = *lacks = 0;
    *most = 1;
    for (int k = 0; k < b->count; k++) {
        const judged_load *t = &b->tried[k];
        if (t->needed && of(t)->grows && t->load < *most)
            *most = t->load;
    }
    for (int k = 0; k < b->count; k++) {
        const judged_load *t = &b->tried[k];
        if (t->needed && t->load < *most && t->load > *least) {
            *least = t->load;
            *lacks = of(t)->lacks;
        }
    }
}

/* Halves the interval until it is narrow, or narrow in comparison with the fraction that the lower
 * end may lack. */
static swq_status bisect(swq_context *ctx, bisection *b, verdict_fn *of, int threads)
{
    double least, most, lacks;
    swq_status status = SWQ_OK;

    for (int k = 0; k < MOST_STEPS && !status; k++) {
        between(b, of, &least, &most, &lacks);
        if (most - least <= fmax(b->plan.enough, least * lacks / 2))
            break;
        const double middle = (least + most) / 2;
        if (!find(b, middle))
            status = look_at(ctx, b, least, most, threads);
        judged_load *t = find(b, middle);
        if (t && !t->status && t->trial.cycles > 0)
            t->needed = true;
    }
    return status;
}

/* The largest part of a load up to `most` that is carried. */
static double carried(const bisection *b, verdict_fn *of, double most)
{
    double least = 0;

    for (int k = 0; k < b->count; k++) {
        const judged_load *t = &b->tried[k];
        if (t->needed && t->load <= most)
            least = fmax(least, t->load * (1 - of(t)->lacks));
    }
    return least;
}

static void conclude(bisection *b, swq_bracket *found)
{
    double least, lacks;

    between(b, of_mean, &least, &found->most, &lacks);
    between(b, of_worst, &least, &found->worst_most, &lacks);
    found->worst_least = carried(b, of_worst, found->worst_most);
    found->least = fmax(carried(b, of_mean, found->most), found->worst_least);
    for (int k = 0; k < b->count; k++) {
        const judged_load *t = &b->tried[k];
        if (!t->needed)
            continue;
        found->runs++;
        found->undecided += t->trial.undecided;
        if (t->trial.deadlock)
            found->deadlock_load = fmin(found->deadlock_load, t->load); /* fmin ignores NAN */
        if (t->trial.cycles > found->longest)
            found->longest = t->trial.cycles;
        if (t->load == found->worst_most && !t->trial.deadlock)
            found->worst_sender = t->trial.growth.sender;
    }
}

/* The probability of an error in either direction is half of 1 - confidence, over all judgements
 * that two bisections may need. */
static double level_of_each(double confidence, double enough)
{
    const double loads = 2 * ceil(log2(1 / enough));

    return (1 - confidence) / 2 / (loads * (1 + DOUBLINGS));
}

swq_status swq_bracket_find(swq_context *ctx, swq_trial_fn *judge, void *arg,
                            const swq_sim_options *options, double resolution, swq_bracket *bracket)
{
    swq_bracket found = {.cycles = options->cycles,
                         .confidence = options->confidence,
                         .deadlock_load = NAN,
                         .worst_sender = SWQ_NO_SENDER};
    const double enough = resolution / 2; /* for each end of the bracket */
    bisection *b = swq_calloc(ctx, 1, sizeof *b);
    swq_status status = b ? SWQ_OK : swq_memory_status(ctx);

    if (!status) {
        *b = (bisection){.judge = judge, .arg = arg};
        b->plan.enough = enough;
        b->plan.level = level_of_each(options->confidence, enough);
        status = bisect(ctx, b, of_mean, options->threads);
        if (!status)
            status = bisect(ctx, b, of_worst, options->threads);
        conclude(b, &found);
    }
    found.interrupted = status == SWQ_ECANCELLED;
    swq_free(ctx, b);
    if (!status || found.interrupted) {
        *bracket = found;
        return SWQ_OK;
    }
    return status;
}
