/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where and when a path is absorbed. All sets become one state, the gate, which leads back to the
 * start: between two visits to the gate lies one path, so that pi_i / pi_gate is the mean number of
 * visits of a path to state i, with the relative error that is proven for pi.
 */
#include "base/context.h"
#include "solvers/bounds.h"
#include "solvers/solvers.h"
#include "solvers/timed.h"

#include <math.h>

enum { GATE = 0 };

/* The states that a path may visit before it ends. */
typedef struct {
    int64_t count;
    int32_t *state;  /* [count] in the order in which they are met, the start first */
    int32_t *number; /* [states] 1 + place in `state`; 0: not met */
} met_states;

static void met_clear(swq_context *ctx, met_states *met)
{
    swq_free(ctx, met->state);
    swq_free(ctx, met->number);
}

static swq_status meet(swq_context *ctx, const swq_csr *p, int64_t start, const int32_t *set,
                       met_states *met)
{
    met->state = swq_calloc(ctx, (size_t)p->rows, sizeof *met->state);
    met->number = swq_calloc(ctx, (size_t)p->rows, sizeof *met->number);
    if (!met->state || !met->number)
        return swq_memory_status(ctx);
    met->state[met->count++] = (int32_t)start;
    met->number[start] = 1;
    for (int64_t head = 0; head < met->count; head++) {
        const int64_t i = met->state[head];
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++) {
            const int32_t next = p->col[e];
            if (set[next] >= 0 || met->number[next])
                continue;
            met->state[met->count++] = next;
            met->number[next] = (int32_t)met->count;
        }
    }
    return SWQ_OK;
}

/* The row of a state that was met: the gate's entry first, then the others by column. */
static int64_t write_row(const swq_csr *p, int64_t i, const int32_t *set, const met_states *met,
                         swq_csr *m, int64_t at)
{
    const int64_t begin = at;
    double ends = 0;

    for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
        ends += set[p->col[e]] >= 0 ? p->value[e] : 0;
    if (ends > 0) {
        m->col[at] = GATE;
        m->value[at++] = ends;
    }
    for (int64_t e = p->start[i]; e < p->start[i + 1]; e++) {
        if (set[p->col[e]] >= 0)
            continue;
        const int32_t column = met->number[p->col[e]];
        int64_t to = at++;
        for (; to > begin && m->col[to - 1] > column;
             to--) { /* rows are short, and nearly sorted */
            m->col[to] = m->col[to - 1];
            m->value[to] = m->value[to - 1];
        }
        m->col[to] = column;
        m->value[to] = p->value[e];
    }
    return at;
}

/* The chain of cycles; *longest receives the most entries in a row. */
static swq_status make_cycles(swq_context *ctx, const swq_csr *p, const int32_t *set,
                              const met_states *met, swq_csr *cycles, int64_t *longest)
{
    swq_csr m = {.rows = met->count + 1, .cols = met->count + 1};
    int64_t entries = 1, at = 0;

    *longest = 1;
    for (int64_t k = 0; k < met->count; k++) {
        const int64_t row = p->start[met->state[k] + 1] - p->start[met->state[k]];
        *longest = row > *longest ? row : *longest;
        entries += row;
    }
    m.start = swq_calloc(ctx, (size_t)m.rows + 1, sizeof *m.start);
    m.col = swq_calloc(ctx, (size_t)entries, sizeof *m.col);
    m.value = swq_calloc(ctx, (size_t)entries, sizeof *m.value);
    *cycles = m;
    if (!m.start || !m.col || !m.value)
        return swq_memory_status(ctx);
    m.col[at] = 1;
    m.value[at++] = 1;
    m.start[1] = at;
    for (int64_t k = 0; k < met->count; k++) {
        at = write_row(p, met->state[k], set, met, &m, at);
        m.start[k + 2] = at;
    }
    return SWQ_OK;
}

/* Sums over visits: every term is off by the error of pi_i / pi_gate and by that of what it is
 * multiplied with, and the sums are in long double. */
static void add_up(const swq_timed *chain, const met_states *met, const int32_t *set,
                   const double *reward, const swq_solution *s, long double *ends, swq_passage *out)
{
    const swq_csr *p = chain->p;
    const double each =
        bound_chain(s->pi_error, ((double)chain->roundings + 2) * SWQ_ROUNDING +
                                     ((double)swq_csr_nnz(p) + 4) * BOUND_LONG_ROUNDING);
    const double error = bound_ratio(each);
    long double time = 0, earned = 0;

    for (int64_t k = 0; k < met->count; k++) {
        const int64_t i = met->state[k];
        const long double visits = (long double)s->pi[k + 1] / s->pi[GATE];
        const long double spent = visits * (chain->hold ? chain->hold[i] : 1);
        time += spent;
        earned += reward ? spent * reward[i] : 0;
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++) {
            if (set[p->col[e]] >= 0)
                ends[set[p->col[e]]] += visits * p->value[e];
        }
    }
    for (int k = 0; k < out->sets; k++)
        out->arrives[k] = bound_around((double)ends[k], error, 1);
    if (out->sets == 1)
        out->arrives[0] = (swq_mean){1, 1, 1}; /* every path ends */
    out->time = bound_around((double)time, error, INFINITY);
    /* hold and reward are both rounded */
    out->reward =
        bound_around((double)earned,
                     bound_chain(error, ((double)chain->roundings + 1) * SWQ_ROUNDING), INFINITY);
    out->error = error;
}

static swq_status follow(swq_context *ctx, const swq_timed *chain, int64_t start,
                         const int32_t *set, const double *reward, const swq_solver *solver,
                         const swq_solver_options *options, swq_passage *out)
{
    met_states met = {0};
    swq_csr cycles = {0};
    swq_solution s = {0};
    int64_t longest = 0;
    long double *ends = swq_calloc(ctx, (size_t)out->sets, sizeof *ends);
    swq_status status = ends ? meet(ctx, chain->p, start, set, &met) : swq_memory_status(ctx);

    if (!status)
        status = make_cycles(ctx, chain->p, set, &met, &cycles, &longest);
    if (!status)
        status = swq_solve(ctx, &cycles, chain->roundings + longest, solver, options, NULL, 0, &s);
    if (!status && s.pi[GATE] == 0)
        status = swq_fail(ctx, SWQ_EREDUCIBLE, "a path from the start may never end");
    if (!status || status == SWQ_ECONVERGE) {
        add_up(chain, &met, set, reward, &s, ends, out);
        out->solver = s.solver;
        out->transient = met.count;
    }
    swq_solution_clear(ctx, &s);
    swq_csr_clear(ctx, &cycles);
    met_clear(ctx, &met);
    swq_free(ctx, ends);
    return status;
}

swq_status swq_passage_solve(swq_context *ctx, const swq_timed *chain, int64_t start,
                             const int32_t *set, int sets, const double *reward,
                             const swq_solver *solver, const swq_solver_options *options,
                             swq_passage *passage)
{
    swq_passage out = {.sets = sets, .arrives = swq_calloc(ctx, (size_t)sets, sizeof(swq_mean))};
    swq_status status = out.arrives ? SWQ_OK : swq_memory_status(ctx);

    if (!status && set[start] >= 0)
        out.arrives[set[start]] = (swq_mean){1, 1, 1};
    else if (!status)
        status = follow(ctx, chain, start, set, reward, solver, options, &out);
    if (status && status != SWQ_ECONVERGE) {
        swq_passage_clear(ctx, &out);
        return status;
    }
    *passage = out;
    return status;
}

void swq_passage_clear(swq_context *ctx, swq_passage *passage)
{
    swq_free(ctx, passage->arrives);
    *passage = (swq_passage){0};
}
