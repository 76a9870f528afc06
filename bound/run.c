/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The programs of a bound, and the proof of their answers. Both minimise how busy the busiest link
 * is when every sender sends one byte a cycle; the load is 1 / that.
 */
#include "bound/program.h"
#include "bound/switches.h"
#include "bound/ways.h"
#include "sim/async/checks.h"
#include "sim/ceiling/ways.h"
#include "switchq/bound.h"
#include "switchq/ceiling.h"

#include "base/arrays.h"
#include "base/context.h"

#include <math.h>

swq_bound_options swq_bound_defaults(void)
{
    return (swq_bound_options){.paths = SWQ_PATHS_ANY, .seed = 1};
}

/* ---- programs ---- */

static void list_program(swq_program *p, swq_arrays *list)
{
    *list = (swq_arrays){0};
    SWQ_ARRAY(list, p->side, p->rows);
    SWQ_ARRAY(list, p->equal, p->rows);
    SWQ_ARRAY(list, p->most, p->columns);
    SWQ_ARRAY(list, p->start, (double)p->columns + 1);
    SWQ_ARRAY(list, p->row, (double)p->entries);
    SWQ_ARRAY(list, p->value, (double)p->entries);
}

/* Takes the arrays of a program whose sizes are known, unless all of it would be too large. */
static swq_status take(swq_context *ctx, double rows, double columns, double entries,
                       swq_program *p, swq_bound *b)
{
    const double bytes = swq_program_bytes(rows, columns, entries);
    const size_t limit = swq_context_memory_limit(ctx);
    swq_arrays list;

    if (columns > SWQ_MOST_BOUND_COLUMNS)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "a linear program of %.0f columns is too large: at most %d", columns,
                        SWQ_MOST_BOUND_COLUMNS);
    if (limit > 0 && bytes > (double)limit)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "a linear program of %.0f columns would take about %.0f MB, and the limit "
                        "is %.0f MB",
                        columns, bytes / 1e6, (double)limit / 1e6);
    p->rows = (uint32_t)rows;
    p->columns = (uint32_t)columns;
    p->entries = (uint64_t)entries;
    b->bytes = (uint64_t)bytes;
    b->columns = p->columns;
    b->rows = p->rows;
    list_program(p, &list);
    const swq_status status = swq_arrays_take(ctx, &list);
    if (status)
        swq_arrays_free(ctx, &list);
    return status;
}

static void drop(swq_context *ctx, swq_program *p)
{
    swq_arrays list;

    list_program(p, &list);
    swq_arrays_free(ctx, &list);
}

static void put(swq_program *p, uint64_t *at, uint32_t row, double value)
{
    p->row[*at] = row;
    p->value[(*at)++] = value;
}

/* Column 0: how busy the busiest link is. Its rows are those of the links, from `first` on. */
static void put_busiest(swq_program *p, uint32_t first, uint32_t links, uint64_t *at)
{
    p->most[0] = INFINITY;
    for (uint32_t k = 0; k < links; k++)
        put(p, at, first + k, -1);
    p->start[1] = *at;
}

/* ---- any ways, or any minimal ones ---- */

static bool receives(const swq_switches *s, uint32_t to)
{
    for (uint32_t from = 0; from < s->switches; from++) {
        if (from != to && s->wanted[(size_t)from * s->switches + to] > 0)
            return true;
    }
    return false;
}

/* A column for each destination and link, and a row for each destination and switch: what leaves
 * the switch is what comes, and what its nodes send. */
static void fill_any(const swq_switches *s, swq_program *p)
{
    const uint32_t n = s->switches, first = p->rows - s->links;
    uint32_t column = 1, block = 0;
    uint64_t at = 0;

    put_busiest(p, first, s->links, &at);
    for (uint32_t to = 0; to < n; to++) {
        if (!receives(s, to))
            continue;
        for (uint32_t w = 0; w < n; w++) {
            p->equal[block + w] = true; /* the destination's own row is empty */
            p->side[block + w] = w == to ? 0 : s->wanted[(size_t)w * n + to];
        }
        for (uint32_t k = 0; k < s->links; k++) {
            p->most[column] = INFINITY;
            if (swq_switches_may_take(s, k, to)) {
                put(p, &at, block + s->from[k], 1);
                if (s->to[k] != to)
                    put(p, &at, block + s->to[k], -1);
                put(p, &at, first + k, 1 / s->speed[k]);
            }
            p->start[++column] = at;
        }
        block += n;
    }
}

static swq_status make_any(swq_context *ctx, const swq_switches *s, swq_program *p, swq_bound *b)
{
    double destinations = 0;

    for (uint32_t to = 0; to < s->switches; to++)
        destinations += receives(s, to);
    const double columns = 1 + destinations * s->links;
    const swq_status status = take(ctx, destinations * s->switches + s->links, columns,
                                   s->links + 3 * (columns - 1), p, b);
    if (!status)
        fill_any(s, p);
    return status;
}

/* ---- straight, or by way of a place ---- */

static void fill_choices(const swq_switches *s, const swq_two_ways *c, swq_program *p)
{
    uint64_t at = 0;

    put_busiest(p, 0, s->links, &at);
    for (uint32_t k = 0; k < s->links; k++)
        p->side[k] = -c->straight[k] / s->speed[k];
    for (uint32_t k = 0; k < c->count; k++) {
        p->most[k + 1] = 1;
        for (uint64_t e = c->start[k]; e < c->start[k + 1]; e++)
            put(p, &at, c->link[e], c->weight[k] * c->change[e] / s->speed[c->link[e]]);
        p->start[k + 2] = at;
    }
    p->bounded = true;
}

/* The least that all packets together keep links busy, with these lengths of links. */
static double least_of_choices(const swq_switches *s, const swq_two_ways *c, const double *length)
{
    double sum = 0;

    for (uint32_t k = 0; k < s->links; k++)
        sum += c->straight[k] * length[k];
    for (uint32_t k = 0; k < c->count; k++) {
        double more = 0;
        for (uint64_t e = c->start[k]; e < c->start[k + 1]; e++)
            more += c->change[e] * length[c->link[e]];
        sum += fmin(0, c->weight[k] * more);
    }
    return sum;
}

/* ---- the proof ---- */

/* The bound that lengths of links prove; choices: NULL for any ways, or any minimal ones. */
static swq_status prove(swq_context *ctx, const swq_switches *s, const swq_two_ways *c,
                        const double *length, double *load)
{
    double all = 0, needed = 0;
    swq_status status = SWQ_OK;

    for (uint32_t k = 0; k < s->links; k++)
        all += length[k] * s->speed[k];
    if (c)
        needed = least_of_choices(s, c, length);
    else
        status = swq_switches_least(ctx, s, length, &needed);
    if (!status)
        *load = needed > 0 ? all / needed : INFINITY;
    return status;
}

/* From the program's lengths, and from equal ones, which the program's need not be better than if
 * it found none. */
static swq_status prove_both(swq_context *ctx, const swq_switches *s, const swq_two_ways *c,
                             const double *dual, double *length, double *load)
{
    double equal = INFINITY;

    for (uint32_t k = 0; k < s->links; k++)
        length[k] = fmax(0, -dual[k]) / s->speed[k];
    swq_status status = prove(ctx, s, c, length, load);
    for (uint32_t k = 0; k < s->links; k++)
        length[k] = 1;
    if (!status)
        status = prove(ctx, s, c, length, &equal);
    if (!status)
        *load = fmin(*load, equal);
    return status;
}

/* ---- a bound ---- */

/* The load that the columns of a program carry, from the program itself; NAN if they do not send
 * what is wanted, to a part in 10^6 of the largest. */
static double load_of(const swq_program *p, const double *column, double *sum)
{
    double busiest = 0, wrong = 0, largest = 0;

    for (uint32_t r = 0; r < p->rows; r++)
        sum[r] = -p->side[r];
    for (uint32_t c = 1; c < p->columns; c++) {
        const double x = fmin(fmax(0, column[c]), p->most[c]);
        for (uint64_t k = p->start[c]; k < p->start[c + 1]; k++)
            sum[p->row[k]] += p->value[k] * x;
    }
    for (uint32_t r = 0; r < p->rows; r++) {
        largest = fmax(largest, fabs(p->side[r]));
        if (p->equal[r])
            wrong = fmax(wrong, fabs(sum[r]));
        else
            busiest = fmax(busiest, sum[r]);
    }
    return wrong <= 1e-6 * largest && busiest > 0 ? 1 / busiest : NAN;
}

static swq_status solve(swq_context *ctx, const swq_switches *s, const swq_two_ways *c,
                        const swq_program *p, swq_bound *b)
{
    double *dual = NULL, *length = NULL, *column = NULL, *sum = NULL;
    swq_arrays list = {0};

    SWQ_ARRAY(&list, dual, p->rows);
    SWQ_ARRAY(&list, length, s->links);
    SWQ_ARRAY(&list, column, p->columns);
    SWQ_ARRAY(&list, sum, p->rows);
    swq_status status = swq_arrays_take(ctx, &list);
    if (!status)
        status = swq_program_solve(ctx, p, column, dual);
    if (!status)
        status = prove_both(ctx, s, c, dual + (p->rows - s->links), length, &b->links_load);
    if (!status)
        b->flow_load = load_of(p, column, sum);
    swq_arrays_free(ctx, &list);
    return status;
}

/* Is anything sent from one switch to another? */
static bool carries(const swq_switches *s)
{
    for (uint32_t to = 0; to < s->switches; to++) {
        if (receives(s, to))
            return true;
    }
    return false;
}

static swq_status find(swq_context *ctx, const swq_switches *s, const swq_bound_options *options,
                       swq_bound *b)
{
    swq_program program = {0};
    swq_two_ways choices = {0};
    const bool any = options->paths != SWQ_PATHS_MINIMAL_VALIANT;
    swq_status status = SWQ_OK;

    if (!carries(s))
        return SWQ_OK;
    if (any) {
        status = make_any(ctx, s, &program, b);
    } else {
        status = swq_two_ways_make(ctx, s, SWQ_MOST_BOUND_COLUMNS - 1, &choices);
        if (!status)
            status = take(ctx, s->links, 1 + (double)choices.count,
                          s->links + (double)choices.entries, &program, b);
        if (!status)
            fill_choices(s, &choices, &program);
    }
    if (!status)
        status = solve(ctx, s, any ? NULL : &choices, &program, b);
    swq_two_ways_clear(ctx, &choices);
    drop(ctx, &program);
    return status;
}

static swq_status check(swq_context *ctx, const swq_async *n, const swq_bound_options *options,
                        swq_bound *b)
{
    const bool by_another = n->shape.routing && n->shape.routing->by_another;
    swq_fabric f = {0};
    swq_status status = swq_async_check_senders(ctx, n, &f);

    if (status)
        return status;
    b->none = swq_demand_none(n);
    if (options->paths != SWQ_PATHS_MINIMAL_VALIANT)
        return SWQ_OK;
    if (!by_another)
        return swq_fail(ctx, SWQ_EINVAL,
                        "paths minimal+valiant is for routings valiant and ugal, not for %s",
                        n->shape.routing ? n->shape.routing->name : "deterministic");
    if (n->shape.drawn_ways)
        return swq_fail(ctx, SWQ_EINVAL,
                        "paths minimal+valiant is for one way of each pair of switches, not for "
                        "ways drawn");
    if (swq_ways_steps(&f, true) > SWQ_MOST_CEILING_STEPS)
        return swq_fail(ctx, SWQ_ELIMIT, "there are too many ways to walk");
    return SWQ_OK;
}

swq_status swq_bound_run(swq_context *ctx, const swq_async *network,
                         const swq_bound_options *options, swq_bound *bound)
{
    swq_bound b = {.links_load = INFINITY, .flow_load = NAN};
    swq_switches s;
    swq_status status = check(ctx, network, options, &b);

    if (status)
        return status;
    if (b.none) {
        b.load = b.links_load = b.nodes_load = b.throughput = NAN;
        *bound = b;
        return SWQ_OK;
    }
    status =
        swq_switches_make(ctx, network, options->seed, options->paths == SWQ_PATHS_MINIMAL, &s);
    if (!status) {
        b.switches = s.switches;
        b.links = s.links;
        b.nodes_load = 1 / s.nodes_most;
        status = find(ctx, &s, options, &b);
    }
    if (!status) {
        b.load = fmin(b.links_load, b.nodes_load);
        b.throughput = s.sent > 0 ? b.load * s.sent : 0;
        if (s.nodes_most <= 0)
            b.none = "no node sends anything", b.load = b.nodes_load = b.throughput = NAN;
        *bound = b;
    }
    swq_switches_clear(ctx, &s);
    return status;
}
