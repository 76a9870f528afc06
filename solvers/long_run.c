/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Averages over time of paths from one state: the closed classes in which they end, each solved by
 * itself and weighted with the probability of ending there.
 */
#include "base/context.h"
#include "solvers/bounds.h"
#include "solvers/solvers.h"
#include "solvers/timed.h"

#include <math.h>

enum { MOST_CLASSES = 100000 };

/* The closed classes that can be reached: of[i] is renumbered, and -1 in all others. */
static swq_status keep_reached(swq_context *ctx, const swq_csr *p, int64_t start, int32_t *of,
                               int64_t classes, int64_t *kept)
{
    int32_t *queue = swq_calloc(ctx, (size_t)p->rows, sizeof *queue);
    int32_t *number = swq_calloc(ctx, (size_t)classes, sizeof *number);
    bool *met = swq_calloc(ctx, (size_t)p->rows, sizeof *met);
    int64_t tail = 0;

    *kept = 0;
    if (queue && number && met) {
        queue[tail++] = (int32_t)start;
        met[start] = true;
        for (int64_t head = 0; head < tail; head++) {
            for (int64_t e = p->start[queue[head]]; e < p->start[queue[head] + 1]; e++) {
                if (!met[p->col[e]])
                    queue[tail++] = p->col[e];
                met[p->col[e]] = true;
            }
        }
        for (int64_t i = 0; i < p->rows; i++) { /* in the order of their first states */
            if (of[i] >= 0 && met[i] && number[of[i]] == 0)
                number[of[i]] = (int32_t)++ * kept;
            of[i] = of[i] >= 0 ? number[of[i]] - 1 : -1;
        }
    }
    swq_status status = queue && number && met ? SWQ_OK : swq_memory_status(ctx);
    swq_free(ctx, queue);
    swq_free(ctx, number);
    swq_free(ctx, met);
    return status;
}

/* The states of all classes, class by class. */
typedef struct {
    int64_t *begin;  /* [classes + 1] */
    int32_t *state;  /* [begin[classes]] */
    int32_t *number; /* [states] place of a state in its class */
} class_members;

static void members_clear(swq_context *ctx, class_members *m)
{
    swq_free(ctx, m->begin);
    swq_free(ctx, m->state);
    swq_free(ctx, m->number);
}

static swq_status list_members(swq_context *ctx, int64_t states, const int32_t *of, int classes,
                               class_members *m)
{
    m->begin = swq_calloc(ctx, (size_t)classes + 1, sizeof *m->begin);
    m->state = swq_calloc(ctx, (size_t)states, sizeof *m->state);
    m->number = swq_calloc(ctx, (size_t)states, sizeof *m->number);
    int64_t *next = swq_calloc(ctx, (size_t)classes, sizeof *next);
    if (!m->begin || !m->state || !m->number || !next) {
        swq_free(ctx, next);
        return swq_memory_status(ctx);
    }
    for (int64_t i = 0; i < states; i++) {
        if (of[i] >= 0)
            m->begin[of[i] + 1]++;
    }
    for (int k = 0; k < classes; k++) {
        m->begin[k + 1] += m->begin[k];
        next[k] = m->begin[k];
    }
    for (int64_t i = 0; i < states; i++) {
        if (of[i] < 0)
            continue;
        m->number[i] = (int32_t)(next[of[i]] - m->begin[of[i]]);
        m->state[next[of[i]]++] = (int32_t)i;
    }
    swq_free(ctx, next);
    return SWQ_OK;
}

/* The rows of a class, in numbers of its own. */
static swq_status cut_out(swq_context *ctx, const swq_csr *p, const int32_t *state, int64_t count,
                          const int32_t *number, swq_csr *out)
{
    int64_t entries = 0, at = 0;

    for (int64_t k = 0; k < count; k++)
        entries += p->start[state[k] + 1] - p->start[state[k]];
    *out = (swq_csr){.rows = count, .cols = count};
    out->start = swq_calloc(ctx, (size_t)count + 1, sizeof *out->start);
    out->col = swq_calloc(ctx, (size_t)entries, sizeof *out->col);
    out->value = swq_calloc(ctx, (size_t)entries, sizeof *out->value);
    if (!out->start || !out->col || !out->value)
        return swq_memory_status(ctx);
    for (int64_t k = 0; k < count; k++) {
        for (int64_t e = p->start[state[k]]; e < p->start[state[k] + 1]; e++) {
            out->col[at] = number[p->col[e]];
            out->value[at++] = p->value[e];
        }
        out->start[k + 1] = at;
    }
    return SWQ_OK;
}

/* Keeps the averages of a class and its states' part of pi. */
static void keep_solution(const swq_solution *s, bool rewarded, const int32_t *state, int64_t count,
                          int k, swq_long_run *run)
{
    run->solver = s->solver;
    run->ending[k].period = s->period;
    if (rewarded)
        run->ending[k].reward = s->mean[0];
    for (int64_t i = 0; i < count; i++)
        run->pi[state[i]] = s->pi[i];
}

/* Solve a class of more than one state; *error receives the bound on its pi. */
static swq_status solve_class(swq_context *ctx, const swq_timed *chain, const double *reward,
                              const class_members *m, int k, const swq_solver *solver,
                              const swq_solver_options *options, swq_long_run *run, double *error)
{
    const int64_t begin = m->begin[k], count = m->begin[k + 1] - begin;
    swq_csr p = {0};
    swq_solution s = {0};
    double *hold = chain->hold ? swq_calloc(ctx, (size_t)count, sizeof *hold) : NULL;
    double *own = reward ? swq_calloc(ctx, (size_t)count, sizeof *own) : NULL;
    swq_status status = (hold || !chain->hold) && (own || !reward)
                            ? cut_out(ctx, chain->p, m->state + begin, count, m->number, &p)
                            : swq_memory_status(ctx);

    for (int64_t i = 0; i < count && !status; i++) {
        if (hold)
            hold[i] = chain->hold[m->state[begin + i]];
        if (own)
            own[i] = reward[m->state[begin + i]];
    }
    if (!status) {
        status = swq_timed_solve(ctx, &(swq_timed){&p, hold, NULL, chain->roundings}, own, solver,
                                 options, &s);
        if (!status || status == SWQ_ECONVERGE) {
            keep_solution(&s, own, m->state + begin, count, k, run);
            *error = s.pi_error;
        }
    }
    swq_solution_clear(ctx, &s);
    swq_csr_clear(ctx, &p);
    swq_free(ctx, hold);
    swq_free(ctx, own);
    return status;
}

/* One class: its averages, weighted with the probability of ending there. */
static swq_status add_class(swq_context *ctx, const swq_timed *chain, const double *reward,
                            const class_members *m, int k, const swq_solver *solver,
                            const swq_solver_options *options, double arriving, swq_long_run *run)
{
    const int64_t begin = m->begin[k], end = m->begin[k + 1];
    const double rounding = ((double)chain->roundings + 2) * SWQ_ROUNDING;
    swq_ending *to = &run->ending[k];
    swq_status status = SWQ_OK;
    double error = 0;

    to->first = m->state[begin];
    to->states = end - begin;
    if (end - begin == 1) {
        to->period = 1;
        run->pi[to->first] = 1;
        if (reward)
            to->reward = bound_around(reward[to->first], rounding, INFINITY);
    } else {
        status = solve_class(ctx, chain, reward, m, k, solver, options, run, &error);
        if (status && status != SWQ_ECONVERGE)
            return status;
    }
    for (int64_t i = begin; i < end; i++)
        run->pi[m->state[i]] *= to->probability.value;
    const swq_mean part = bound_multiply(&to->probability, &to->reward);
    run->reward = bound_add(&run->reward, &part);
    run->pi_error = fmax(run->pi_error, bound_chain(bound_chain(error, arriving), rounding));
    return status;
}

static swq_status solve_classes(swq_context *ctx, const swq_timed *chain, int64_t start,
                                const int32_t *of, const double *reward, const swq_solver *solver,
                                const swq_solver_options *options, swq_long_run *run)
{
    class_members m = {0};
    swq_passage passage = {0};
    swq_status status =
        swq_passage_solve(ctx, chain, start, of, run->classes, NULL, solver, options, &passage);
    const swq_status passed = status == SWQ_ECONVERGE ? status : SWQ_OK;

    if (passed)
        status = SWQ_OK;
    if (!status) {
        run->time = passage.time;
        run->transient = passage.transient;
        run->solver = passage.solver;
        status = list_members(ctx, chain->p->rows, of, run->classes, &m);
    }
    swq_status iterated = passed;
    for (int k = 0; k < run->classes && !status; k++) {
        run->ending[k].probability = passage.arrives[k];
        status = add_class(ctx, chain, reward, &m, k, solver, options,
                           run->classes > 1 ? passage.error : 0, run);
        if (status == SWQ_ECONVERGE) {
            iterated = status;
            status = SWQ_OK;
        }
    }
    members_clear(ctx, &m);
    swq_passage_clear(ctx, &passage);
    return status ? status : iterated;
}

swq_status swq_long_run_solve(swq_context *ctx, const swq_timed *chain, int64_t start,
                              const double *reward, const swq_solver *solver,
                              const swq_solver_options *options, swq_long_run *run)
{
    const size_t states = (size_t)chain->p->rows;
    swq_long_run out = {0};
    int64_t classes = 0;
    int32_t *of = swq_calloc(ctx, states, sizeof *of);
    swq_status status = of ? swq_classes_find(ctx, chain->p, of, &classes) : swq_memory_status(ctx);

    if (!status)
        status = keep_reached(ctx, chain->p, start, of, classes, &classes);
    if (!status && classes > MOST_CLASSES)
        status = swq_fail(ctx, SWQ_ELIMIT,
                          "paths from the start end in %lld closed classes, and at most %d can be "
                          "solved",
                          (long long)classes, MOST_CLASSES);
    if (!status) {
        out.classes = (int)classes;
        out.ending = swq_calloc(ctx, (size_t)classes, sizeof *out.ending);
        out.pi = swq_calloc(ctx, states, sizeof *out.pi);
        status = out.ending && out.pi ? SWQ_OK : swq_memory_status(ctx);
    }
    if (!status)
        status = solve_classes(ctx, chain, start, of, reward, solver, options, &out);
    swq_free(ctx, of);
    if (status && status != SWQ_ECONVERGE) {
        swq_long_run_clear(ctx, &out);
        return status;
    }
    *run = out;
    return status;
}

void swq_long_run_clear(swq_context *ctx, swq_long_run *run)
{
    swq_free(ctx, run->ending);
    swq_free(ctx, run->pi);
    *run = (swq_long_run){0};
}
