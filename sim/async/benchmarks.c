/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmarks of Frazier (1995), 8.5.4 to 8.5.9, for multistage networks of any size: groups by
 * digits of the senders' addresses, as Table 8.4 has them, held against the ways that packets can
 * take. The text has 240, 244, 248 and 252 as senders of benchmarks I and IV, which meet a stage
 * earlier than it says; Table 8.4 and its numbers are of 252 to 255.
 */
#include "base/context.h"
#include "base/names.h"
#include "switchq/benchmark.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGE = 32 /* bytes, of innocent senders */ };

#define ROW(name_, senders_, to_hot_, to_few_, length_, section_, summary_)                        \
    static const swq_benchmark benchmark_##name_ = {                                               \
        .name = #name_,                                                                            \
        .summary = (summary_),                                                                     \
        .source = "Frazier (1995), " section_,                                                     \
        .senders = (senders_),                                                                     \
        .to_hot = (to_hot_),                                                                       \
        .to_few = (to_few_),                                                                       \
        .length = (length_),                                                                       \
    }

ROW(I, SWQ_BENCHMARK_SPOT, 1, false, MESSAGE, "8.5.4",
    "static hot spot, serial requests: N senders send all to node 0, and meet at its link");
ROW(II, SWQ_BENCHMARK_HALF, 0.03, false, MESSAGE, "8.5.5",
    "static hot spot, many participants: half of the senders send 3% to node 0");
ROW(III, SWQ_BENCHMARK_INSIDE, 0, true, MESSAGE, "8.5.6",
    "static spot inside: N senders overload a link behind the second stage");
ROW(IV, SWQ_BENCHMARK_SPOT, 0, false, 1024, "8.5.7",
    "N senders with long messages: 1,024 bytes to uniform destinations, without pause");
ROW(V, SWQ_BENCHMARK_HALF, 0, false, 256, "8.5.8",
    "half of the senders with messages of 256 bytes to uniform destinations, without pause");
ROW(VI, SWQ_BENCHMARK_ALL, 0, false, MESSAGE, "8.5.9",
    "uniform traffic of all senders, to compare with");

const swq_benchmark *const swq_benchmarks[] = {
    &benchmark_I, &benchmark_II, &benchmark_III, &benchmark_IV, &benchmark_V, &benchmark_VI, NULL};

swq_status swq_benchmark_find(swq_context *ctx, const char *name, const swq_benchmark **row)
{
    const void *found =
        swq_name_lookup(ctx, "benchmark", name, (const void *const *)swq_benchmarks);

    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}

/* ---- addresses ---- */

/* Digits from .. to - 1 of an address, as bits; digit 0 is the last one. */
static uint32_t digits(const swq_fabric *f, int from, int to)
{
    const int bits = __builtin_ctz((unsigned)f->ports);

    return from >= to ? 0 : ((1u << bits * to) - 1) & ~((1u << bits * from) - 1);
}

static void add_group(swq_benchmark_groups *g, const char *name, uint32_t mask, uint32_t value)
{
    g->group[g->groups].mask = mask;
    g->group[g->groups].value = value;
    snprintf(g->name[g->groups], sizeof g->name[0], "%.7s", name);
    g->groups++;
}

static void add_innocent(swq_benchmark_groups *g, int number, uint32_t digits_all_ones)
{
    char name[8];

    snprintf(name, sizeof name, "G_%d", number % 100);
    add_group(g, name, digits_all_ones, digits_all_ones);
}

static void divide_senders(const swq_benchmark *row, const swq_fabric *f, swq_benchmark_groups *g)
{
    const int stages = f->shape.stages;
    const uint32_t all = digits(f, 0, stages);

    *g = (swq_benchmark_groups){.nut = row->senders != SWQ_BENCHMARK_ALL, .hot_link = SWQ_NO_WHERE};
    switch (row->senders) {
    case SWQ_BENCHMARK_SPOT:
        add_group(g, "G_NUT", digits(f, 1, stages), digits(f, 1, stages));
        for (int k = 0; k < stages - 1; k++)
            add_innocent(g, k, digits(f, 1, stages - 1 - k));
        break;
    case SWQ_BENCHMARK_HALF:
        add_group(g, "G_NUT", all & ~(all >> 1), 0);
        add_innocent(g, 0, 0);
        break;
    case SWQ_BENCHMARK_INSIDE: {
        const uint32_t but_one = all & ~digits(f, stages - 2, stages - 1);
        add_group(g, "G_NUT", but_one, but_one);
        add_innocent(g, 0, digits(f, 0, stages - 2));
        add_innocent(g, 1, 0);
        break;
    }
    case SWQ_BENCHMARK_ALL:
        add_group(g, "all", 0, 0);
        break;
    }
}

/* The group of a node by the masks: the first that contains it. */
static int group_of(const swq_benchmark_groups *g, uint32_t node)
{
    int k = 0;

    while (k < g->groups && (node & g->group[k].mask) != g->group[k].value)
        k++;
    return k;
}

/* ---- ways ---- */

typedef struct {
    swq_context *ctx;
    const swq_benchmark *row;
    const swq_fabric *f;
    const swq_benchmark_groups *g;
    bool *mark;      /* [switches] */
    uint32_t *owner; /* [switches] the only node, or SWQ_NO_WHERE; or the number of nodes */
} way_reader;

static uint32_t switches_a_stage(const swq_fabric *f)
{
    return f->nodes / (uint32_t)f->ports;
}

static swq_status not_meant(const way_reader *r, const char *what)
{
    return swq_fail(r->ctx, SWQ_EINVAL, "benchmark %s has no meaning in topology %s: %s",
                    r->row->name, r->f->shape.wiring->name, what);
}

/* The output, numbered over all switches, by which a packet leaves a stage. */
static uint32_t output_of(const swq_fabric *f, uint32_t from, uint32_t to, int stage)
{
    const uint32_t ports = (uint32_t)f->ports;
    uint32_t port = f->entry[from];

    for (int s = 0;; s++) {
        const uint32_t output =
            port / ports * ports + (uint32_t)f->shape.kind->route(f, port, from, to);
        if (s == stage)
            return output;
        port = f->link[output];
    }
}

/* Marks the switches that packets of a node can reach, on the way to node 0 or to any node, and
 * makes the node their owner. Returns false if a switch of a stage before `until` had another
 * owner. */
static bool mark_from(way_reader *r, uint32_t node, bool to_0, int until)
{
    const swq_fabric *f = r->f;
    const uint32_t ports = (uint32_t)f->ports, each = switches_a_stage(f);
    bool alone = true;

    r->mark[f->entry[node] / ports] = true;
    r->owner[f->entry[node] / ports] = node;
    for (int s = 0; s + 1 < f->shape.stages; s++) {
        for (uint32_t w = (uint32_t)s * each; w < (uint32_t)(s + 1) * each; w++) {
            if (r->owner[w] != node)
                continue;
            for (uint32_t p = w * ports; p < (w + 1) * ports; p++) {
                const uint32_t next = f->link[p] / ports;
                if (to_0 && p != output_of(f, node, 0, s))
                    continue;
                if (s + 1 < until && r->owner[next] != SWQ_NO_WHERE && r->owner[next] != node)
                    alone = false;
                r->mark[next] = true;
                r->owner[next] = node;
            }
        }
    }
    return alone;
}

/* Of the marked switches keeps only the switches of one stage, and marks all switches of earlier
 * stages that lead to any of these. */
static void mark_back(way_reader *r, int stage)
{
    const swq_fabric *f = r->f;
    const uint32_t ports = (uint32_t)f->ports, each = switches_a_stage(f);

    for (uint32_t w = (uint32_t)stage * each; w-- > 0;) {
        r->mark[w] = false;
        for (uint32_t p = w * ports; p < (w + 1) * ports; p++)
            r->mark[w] = r->mark[w] || r->mark[f->link[p] / ports];
    }
}

static bool can_come(const way_reader *r, uint32_t node)
{
    return r->mark[r->f->entry[node] / (uint32_t)r->f->ports];
}

/* Every innocent sender must be in the group of the first stage in which it can meet G_NUT, and the
 * members of G_NUT must meet one another in the last stage. */
static swq_status check_spot(way_reader *r)
{
    const swq_fabric *f = r->f;
    const int stages = f->shape.stages;
    char what[120];

    for (int k = stages - 2; k >= 0; k--) {
        memset(r->mark, 0, f->switches * sizeof *r->mark);
        for (uint32_t w = 0; w < f->switches; w++)
            r->owner[w] = SWQ_NO_WHERE;
        for (uint32_t i = 0; i < f->nodes; i++) {
            if (group_of(r->g, i) == 0 && !mark_from(r, i, r->row->to_hot == 1, stages - 1))
                return not_meant(r, "ways of G_NUT meet before the last stage");
        }
        mark_back(r, k);
        for (uint32_t i = 0; i < f->nodes; i++) {
            const int group = group_of(r->g, i);
            if (group == 0 || can_come(r, i) == (group - 1 <= k))
                continue;
            snprintf(what, sizeof what, "sender %u, of group %s, %s meet G_NUT in stage %d", i,
                     r->g->name[group], can_come(r, i) ? "can" : "cannot", k + 1);
            return not_meant(r, what);
        }
    }
    return SWQ_OK;
}

/* All routes of G_NUT to the nodes behind the link must lead over it and meet only there; G_0 can
 * reach the link, and G_1 cannot. */
static swq_status check_inside(way_reader *r)
{
    const swq_fabric *f = r->f;
    const uint32_t link = output_of(f, f->nodes - 1, 0, 1), ports = (uint32_t)f->ports;
    const uint32_t few = f->nodes / (ports * ports);
    char what[120];

    memset(r->mark, 0, f->switches * sizeof *r->mark);
    r->mark[link / ports] = true;
    mark_back(r, 1);
    for (uint32_t i = 0; i < f->nodes; i++) {
        const int group = group_of(r->g, i);
        for (uint32_t to = 0; to < few && group == 0; to++) {
            if (output_of(f, i, to, 1) != link)
                return not_meant(r, "ways of G_NUT do not lead over one link");
        }
        for (uint32_t j = 0; j < i && group == 0; j++) {
            if (group_of(r->g, j) == 0 && output_of(f, i, 0, 0) == output_of(f, j, 0, 0))
                return not_meant(r, "ways of G_NUT meet before the second stage");
        }
        if (can_come(r, i) == (group < 2))
            continue;
        snprintf(what, sizeof what, "sender %u, of group %s, %s come to the congested link", i,
                 r->g->name[group], can_come(r, i) ? "can" : "cannot");
        return not_meant(r, what);
    }
    return SWQ_OK;
}

/* Each switch of the first stage must have as many senders of G_NUT as others. */
static swq_status check_half(way_reader *r)
{
    const swq_fabric *f = r->f;
    const uint32_t ports = (uint32_t)f->ports;

    memset(r->owner, 0, f->switches * sizeof *r->owner);
    for (uint32_t i = 0; i < f->nodes; i++)
        r->owner[f->entry[i] / ports] += group_of(r->g, i) == 0;
    for (uint32_t w = 0; w < switches_a_stage(f); w++) {
        if (2 * r->owner[w] != ports)
            return not_meant(r, "G_NUT and G_0 do not mix in the first stage");
    }
    return SWQ_OK;
}

/* ---- the whole ---- */

static swq_status check_ways(swq_context *ctx, const swq_benchmark *row, const swq_fabric *f,
                             const swq_benchmark_groups *g)
{
    way_reader r = {.ctx = ctx, .row = row, .f = f, .g = g};
    swq_status status = SWQ_OK;

    r.mark = swq_calloc(ctx, f->switches, sizeof *r.mark);
    r.owner = swq_calloc(ctx, f->switches, sizeof *r.owner);
    if (!r.mark || !r.owner)
        status = swq_memory_status(ctx);
    else if (row->senders == SWQ_BENCHMARK_SPOT)
        status = check_spot(&r);
    else if (row->senders == SWQ_BENCHMARK_INSIDE)
        status = check_inside(&r);
    else if (row->senders == SWQ_BENCHMARK_HALF)
        status = check_half(&r);
    swq_free(ctx, r.mark);
    swq_free(ctx, r.owner);
    return status;
}

static swq_status check_shape(swq_context *ctx, const swq_benchmark *row, const swq_shape *shape)
{
    if (!shape->wiring || shape->wiring->stages || shape->stages < 3)
        return swq_fail(ctx, SWQ_EINVAL,
                        "benchmark %s is for multistage networks of at least 3 stages, such as "
                        "omega",
                        row->name);
    if (shape->ports & (shape->ports - 1))
        return swq_fail(ctx, SWQ_EINVAL,
                        "benchmark %s is for switches of 2, 4, 8, 16 or 32 ports, not of %d: its "
                        "groups are bits of the senders' addresses",
                        row->name, shape->ports);
    if (row->senders == SWQ_BENCHMARK_SPOT && shape->stages > SWQ_MAX_SENDER_GROUPS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "benchmark %s is for at most %d stages, not %d: a group each", row->name,
                        SWQ_MAX_SENDER_GROUPS, shape->stages);
    return SWQ_OK;
}

static void load_group(const swq_benchmark *row, const swq_async *n, const swq_fabric *f, bool nut,
                       double load, swq_sender_group *group)
{
    const swq_spread length = {SWQ_CONSTANT, nut ? row->length : MESSAGE, 0};
    swq_sender_group g = swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, load, length);

    g.mask = group->mask;
    g.value = group->value;
    if (nut && row->to_few) {
        g.type[0].aim = SWQ_AIM_SUBSET;
        g.type[0].mask = digits(f, f->shape.stages - 2, f->shape.stages);
    } else if (nut && row->to_hot > 0) {
        g.type[g.types] = g.type[0];
        g.type[0].aim = SWQ_AIM_NODE;
        g.type[0].probability = row->to_hot;
        g.type[g.types].probability = 1 - row->to_hot;
        g.types += row->to_hot < 1;
    }
    *group = g;
}

swq_status swq_benchmark_make(swq_context *ctx, const swq_benchmark *row, const swq_async *network,
                              double load, swq_benchmark_groups *groups)
{
    swq_status status = check_shape(ctx, row, &network->shape);
    swq_fabric f = {0};

    if (!status)
        status = swq_fabric_make(ctx, &network->shape, &f);
    if (status)
        return status;
    divide_senders(row, &f, groups);
    status = check_ways(ctx, row, &f, groups);
    for (int k = 0; k < groups->groups && !status; k++)
        load_group(row, network, &f, groups->nut && k == 0, groups->nut && k == 0 ? 1 : load,
                   &groups->group[k]);
    for (uint32_t i = 0; i < f.nodes && !status; i++)
        groups->members[group_of(groups, i)]++;
    if (!status && row->to_hot > 0)
        groups->hot_link = f.nodes + output_of(&f, 0, 0, f.shape.stages - 1);
    else if (!status && row->to_few)
        groups->hot_link = f.nodes + output_of(&f, f.nodes - 1, 0, 1);
    swq_fabric_clear(ctx, &f);
    return status;
}
