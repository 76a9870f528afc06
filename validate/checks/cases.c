/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grids of switches.
 */
#include "validate/checks/cases.h"

#include "base/context.h"

#include <stdio.h>
#include <string.h>

/* ---- blocks ---- */

enum { BUFFER, ARBITER, PORTS, SLOTS, LOAD, MODE, AXES };

static int words(const char *const *list)
{
    int n = 0;

    while (list[n])
        n++;
    return n;
}

static int numbers(const int *list)
{
    int n = 0;

    while (list[n])
        n++;
    return n;
}

/* The lengths of a block's lists, and the number of combinations. */
static int lengths(const swq_case_block *b, int length[AXES])
{
    int all = 1, loads = 0;

    while (b->load[loads] > 0)
        loads++;
    length[BUFFER] = words(b->buffer);
    length[ARBITER] = words(b->arbiter);
    length[PORTS] = numbers(b->ports);
    length[SLOTS] = numbers(b->slots);
    length[LOAD] = loads;
    length[MODE] = __builtin_popcount(b->modes);
    for (int a = 0; a < AXES; a++)
        all *= length[a];
    return all;
}

static int stride(const swq_case_block *b, swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? b->full : b->quick;
}

static int count_block(const swq_case_block *b, swq_effort effort)
{
    int length[AXES], step = stride(b, effort);

    return step ? (lengths(b, length) + step - 1) / step : 0;
}

int swq_grid_count(const swq_case_block *grid, swq_effort effort)
{
    int all = 0;

    for (; grid->buffer; grid++)
        all += count_block(grid, effort);
    return all;
}

/* The k-th set bit. */
static swq_case_mode mode_of(unsigned modes, int k)
{
    while (k-- > 0)
        modes &= modes - 1;
    return (swq_case_mode)(modes & -modes);
}

/* The row of a case's buffer, which blocks name. */
static const swq_buffer_kind *kind_of(const char *buffer)
{
    int k = 0;

    while (swq_buffer_kinds[k + 1] && strcmp(swq_buffer_kinds[k]->name, buffer) != 0)
        k++;
    return swq_buffer_kinds[k];
}

/* Does a case's architecture have memory of its own in place of buffers? Then `slots` are the slots
 * of that memory. */
static bool brings_memory(const swq_case *c)
{
    return c->architecture && c->behind == 0;
}

void swq_grid_case(const swq_case_block *grid, swq_effort effort, int k, swq_case *c)
{
    int length[AXES], at[AXES];

    for (int n; k >= (n = count_block(grid, effort)); grid++)
        k -= n;
    lengths(grid, length);
    k *= stride(grid, effort);
    for (int a = AXES - 1; a >= 0; a--) {
        at[a] = k % length[a];
        k /= length[a];
    }
    *c = (swq_case){
        .buffer = grid->buffer[at[BUFFER]],
        .arbiter = grid->arbiter[at[ARBITER]],
        .ports = grid->ports[at[PORTS]],
        .slots = grid->slots[at[SLOTS]],
        .load = grid->load[at[LOAD]],
        .mode = mode_of(grid->modes, at[MODE]),
        .traffic = grid->traffic,
        .iterations = grid->iterations ? grid->iterations : 1,
        .least = grid->least,
        .most = grid->most,
        .alpha = grid->alpha,
        .rule = grid->rule,
        .architecture = grid->architecture,
        .behind = grid->behind,
        .speedup = grid->speedup,
        .first = grid->first,
    };
    if (!brings_memory(c) && kind_of(c->buffer)->partitioned)
        c->slots *= c->ports;
}

/* ---- one case ---- */

static const char *flow_of(const swq_case *c)
{
    return c->mode & (SWQ_BLOCK_SAME | SWQ_BLOCK_NEXT) ? "block" : "discard";
}

static const char *credit_of(const swq_case *c)
{
    return c->mode & (SWQ_DISCARD_NEXT | SWQ_BLOCK_NEXT) ? "next" : "same";
}

static bool pool(const swq_case *c)
{
    if (brings_memory(c))
        return strcmp(c->architecture, "output-queued") == 0;
    return kind_of(c->buffer)->scope == SWQ_POOL;
}

/* Parameters that only some cases have, each after `comma`. */
static void add_rest(const swq_case *c, const char *comma, const char *equals, char *text,
                     size_t size)
{
    static const char *const traffic[] = {"uniform", "hotspot", "unequal", "lopsided"};
    size_t used = strlen(text);

#define ADD(condition, ...)                                                                        \
    if ((condition) && used < size)                                                                \
    used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
    ADD(c->iterations > 1, "%siterations%s%d", comma, equals, c->iterations);
    ADD(c->least, "%squeue-min%s%d", comma, equals, c->least);
    ADD(c->most, "%squeue-max%s%d", comma, equals, c->most);
    ADD(c->alpha > 0, "%salpha%s%g", comma, equals, c->alpha);
    ADD(c->rule == &swq_pool_ports, "%spool-rule%sports", comma, equals);
    ADD(c->behind, "%sbehind%s%d", comma, equals, c->behind);
    ADD(c->speedup, "%sspeedup%s%d", comma, equals, c->speedup);
    ADD(c->first, "%sdepartures%sfirst", comma, equals);
    ADD(c->traffic % SWQ_CASE_BURSTS, "%straffic%s%s", comma, equals,
        traffic[c->traffic % SWQ_CASE_BURSTS]);
    ADD(c->traffic & SWQ_CASE_BURSTS, "%sburst%s%d", comma, equals, SWQ_CASE_BURST);
#undef ADD
}

char *swq_case_name(const swq_case *c, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s-%d,ports=%d,load=%g%s%s,flow=%s-%s",
             c->architecture ? c->architecture : "",
             brings_memory(c)  ? ""
             : c->architecture ? ",buffer="
                               : "buffer=",
             brings_memory(c) ? "" : c->buffer, c->slots, c->ports, c->load,
             pool(c) ? "" : ",arbiter=", pool(c) ? "" : c->arbiter, flow_of(c), credit_of(c));
    add_rest(c, ",", "=", text, size);
    return text;
}

char *swq_case_words(const swq_case *c, char *text, size_t size)
{
    snprintf(text, size, "%dx%d %s%s%s-%d, load %g%s%s, %s, credit %s", c->ports, c->ports,
             c->architecture ? c->architecture : "",
             c->architecture && !brings_memory(c) ? " " : "", brings_memory(c) ? "" : c->buffer,
             c->slots, c->load, pool(c) ? "" : ", ", pool(c) ? "" : c->arbiter, flow_of(c),
             credit_of(c));
    add_rest(c, ", ", " ", text, size);
    return text;
}

static swq_status set_traffic(swq_context *ctx, const swq_case *c, swq_switch *sw)
{
    for (int i = 0; i < c->ports; i++)
        sw->load[i] = c->load * (swq_case_unequal(c) ? 1 - i / 4.0 : 1);
    if (swq_case_hot(c))
        return swq_traffic_hotspot(ctx, sw, 0.2, 1);
    swq_traffic_uniform(sw);
    return SWQ_OK;
}

static swq_status set_architecture(swq_context *ctx, const swq_case *c, swq_switch *sw)
{
    const int slots = brings_memory(c) ? c->slots : c->behind;
    swq_status status =
        swq_architecture_find(ctx, c->architecture, SWQ_ENGINE_SYNC, &sw->architecture);

    if (status)
        return status;
    sw->output_slots = sw->architecture->stage.output_queues ? slots : 0;
    sw->crosspoint_slots = sw->architecture->stage.crosspoints ? slots : 0;
    sw->speedup = c->speedup;
    sw->departures_first = c->first;
    swq_switch_own_memory(sw);
    return SWQ_OK;
}

swq_status swq_case_switch(swq_context *ctx, const swq_case *c, swq_switch *sw)
{
    const swq_buffer_kind *kind;

    *sw = (swq_switch){.ports = c->ports,
                       .iterations = c->iterations,
                       .flow = flow_of(c)[0] == 'b' ? SWQ_BLOCK : SWQ_DISCARD,
                       .credit = credit_of(c)[0] == 'n' ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME,
                       .burst = c->traffic & SWQ_CASE_BURSTS ? SWQ_CASE_BURST : 0};
    swq_status status = swq_buffer_kind_find(ctx, c->buffer, &kind);
    if (!status)
        status = swq_arbiter_find(ctx, c->arbiter, &sw->arbiter);
    if (!status)
        status = swq_buffer_preset(ctx, kind, c->ports, c->slots, &sw->buffer);
    if (!status && c->architecture)
        status = set_architecture(ctx, c, sw);
    if (status)
        return status;
    if (brings_memory(c)) {
        status = set_traffic(ctx, c, sw);
        return status ? status : swq_switch_check(ctx, sw);
    }
    if (!kind->partitioned)
        sw->buffer.queue_min = c->least;
    if (c->most)
        sw->buffer.queue_max = c->most;
    sw->buffer.alpha = c->alpha;
    sw->buffer.pool_rule = c->rule;
    status = set_traffic(ctx, c, sw);
    return status ? status : swq_switch_check(ctx, sw);
}
