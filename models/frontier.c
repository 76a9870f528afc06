/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes expanded side by side: outcomes are listed and looked up on threads, and numbered by one
 * thread.
 */
#include "models/frontier.h"

#include "base/context.h"
#include "base/team.h"

#include <string.h>

enum {
    TASK_NODES = 32,
    TASKS = 32,
    FEW_NODES = 512, /* with fewer nodes the two passes are not worthwhile */
    FIRST_ROOM = 64  /* outcomes of a task */
};

/* Where the outcomes of a node are listed. */
typedef struct {
    int64_t first, count;
    bool late; /* to be listed by the caller's thread, because something was not tabulated */
} listed;

struct swq_frontier {
    swq_outcomes part[TASKS], late;
    listed node[TASKS * TASK_NODES];
    bool whole[TASKS]; /* whether all nodes of the task are listed */
    /* the current block: */
    swq_expand_fn *expand;
    void *arg;
    const swq_intern *into;
    int64_t first, count;
};

static swq_status resize(swq_context *ctx, swq_outcomes *o, int64_t room)
{
    swq_growing_entry *entry = swq_resize(ctx, o->entry, (size_t)room, sizeof *entry);

    if (!entry)
        return swq_memory_status(ctx);
    o->entry = entry;
    swq_word *key = swq_resize(ctx, o->key, (size_t)room, sizeof *key * (size_t)o->words);
    if (!key)
        return swq_memory_status(ctx);
    o->key = key;
    o->room = room;
    return SWQ_OK;
}

swq_status swq_outcomes_add(swq_outcomes *o, const swq_word *key, long double value,
                            long double refused, long double pairs)
{
    if (o->count == o->room) {
        swq_status status = SWQ_ELIMIT;
        o->full = !o->ctx;
        if (o->ctx)
            status = resize(o->ctx, o, 2 * o->room + FIRST_ROOM);
        if (status)
            return status;
    }
    o->entry[o->count] = (swq_growing_entry){-1, 1, value, refused, pairs};
    memcpy(o->key + o->count * o->words, key, sizeof *key * (size_t)o->words);
    o->count++;
    return SWQ_OK;
}

swq_status swq_frontier_new(swq_context *ctx, int words, swq_frontier **frontier)
{
    swq_frontier *f = swq_calloc(ctx, 1, sizeof *f);

    if (!f)
        return swq_memory_status(ctx);
    for (int t = 0; t < TASKS; t++)
        f->part[t].words = words;
    f->late.words = words;
    f->late.ctx = ctx;
    *frontier = f;
    return SWQ_OK;
}

void swq_outcomes_clear(swq_context *ctx, swq_outcomes *o)
{
    swq_free(ctx, o->entry);
    swq_free(ctx, o->key);
    *o = (swq_outcomes){0};
}

void swq_frontier_free(swq_context *ctx, swq_frontier *f)
{
    if (!f)
        return;
    for (int t = 0; t < TASKS; t++)
        swq_outcomes_clear(ctx, &f->part[t]);
    swq_outcomes_clear(ctx, &f->late);
    swq_free(ctx, f);
}

int64_t swq_frontier_block(int64_t waiting)
{
    const int64_t most = waiting < FEW_NODES ? TASK_NODES : TASKS * TASK_NODES;

    return waiting < most ? waiting : most;
}

/* The nodes of task t: listed[*from .. to). Returns to. */
static int64_t nodes_of_task(const swq_frontier *f, int64_t t, int64_t *from)
{
    int64_t to = (t + 1) * TASK_NODES;

    *from = t * TASK_NODES;
    return to < f->count ? to : f->count;
}

static void look_up(const swq_intern *into, swq_outcomes *o)
{
    int32_t number[SWQ_INTERN_SOME];

    for (int64_t e = 0; e < o->count; e += SWQ_INTERN_SOME) {
        int some = (int)(o->count - e < SWQ_INTERN_SOME ? o->count - e : SWQ_INTERN_SOME);
        swq_intern_find_some(into, o->key + e * o->words, some, number);
        for (int k = 0; k < some; k++)
            o->entry[e + k].col = number[k];
    }
}

static void list_nodes(void *arg, int64_t t)
{
    swq_frontier *f = arg;
    swq_outcomes *o = &f->part[t];
    int64_t from, to = nodes_of_task(f, t, &from);

    if (f->whole[t])
        return;
    o->count = 0;
    o->full = false;
    for (int64_t k = from; k < to && !o->full; k++) {
        listed *node = &f->node[k];
        node->first = o->count;
        node->late = f->expand(f->arg, f->first + k, o) != SWQ_OK;
        node->count = node->late ? 0 : o->count - node->first;
        o->count = node->first + node->count;
    }
    f->whole[t] = !o->full;
    if (f->whole[t])
        look_up(f->into, o);
}

static void merge_nodes(void *arg, int64_t t)
{
    swq_frontier *f = arg;
    int64_t from, to = nodes_of_task(f, t, &from);

    for (int64_t k = from; k < to; k++) {
        listed *node = &f->node[k];
        if (!node->late)
            node->count = swq_growing_merge(f->part[t].entry + node->first, node->count);
    }
}

/* List outcomes on threads where this is possible, and list again with more room if the room was
 * too small. */
static swq_status list_all(swq_context *ctx, swq_frontier *f, int64_t tasks)
{
    bool again = true;

    memset(f->whole, 0, sizeof f->whole);
    while (again) {
        swq_team_run(ctx, tasks, list_nodes, f);
        again = false;
        for (int64_t t = 0; t < tasks; t++) {
            swq_status status =
                f->whole[t] ? SWQ_OK : resize(ctx, &f->part[t], 2 * f->part[t].room + FIRST_ROOM);
            if (status)
                return status;
            again = again || !f->whole[t];
        }
    }
    return SWQ_OK;
}

/* Number the new nodes among the outcomes of a node. */
static swq_status number_new(swq_context *ctx, swq_intern *into, swq_outcomes *o, int64_t first,
                             int64_t count)
{
    for (int64_t e = first; e < first + count; e++) {
        if (o->entry[e].col >= 0)
            continue;
        int64_t number = swq_intern_number(ctx, into, o->key + e * o->words);
        if (number < 0)
            return swq_memory_status(ctx);
        o->entry[e].col = (int32_t)number;
    }
    return SWQ_OK;
}

/* Number new nodes in order, and expand the nodes that threads could not. */
static swq_status number_all(swq_context *ctx, swq_frontier *f, swq_intern *into)
{
    swq_outcomes *late = &f->late;
    swq_status status = SWQ_OK;

    late->count = 0;
    for (int64_t k = 0; k < f->count && !status; k++) {
        listed *node = &f->node[k];
        if (!node->late) {
            status = number_new(ctx, into, &f->part[k / TASK_NODES], node->first, node->count);
            continue;
        }
        node->first = late->count;
        status = f->expand(f->arg, f->first + k, late);
        node->count = late->count - node->first;
        if (!status)
            status = number_new(ctx, into, late, node->first, node->count);
        if (!status)
            node->count = swq_growing_merge(late->entry + node->first, node->count);
    }
    return status;
}

swq_status swq_frontier_expand(swq_context *ctx, swq_frontier *f, swq_expand_fn *expand, void *arg,
                               int64_t count, swq_intern *into, swq_growing *g)
{
    const int64_t tasks = (count + TASK_NODES - 1) / TASK_NODES;
    const bool side_by_side = count >= FEW_NODES;
    swq_status status = SWQ_OK;

    f->expand = expand;
    f->arg = arg;
    f->into = into;
    f->first = g->rows;
    f->count = count;
    for (int64_t k = 0; k < count && !side_by_side; k++)
        f->node[k].late = true;
    if (side_by_side)
        status = list_all(ctx, f, tasks);
    if (!status)
        status = number_all(ctx, f, into);
    if (!status && side_by_side)
        swq_team_run(ctx, tasks, merge_nodes, f);
    for (int64_t k = 0; k < count && !status; k++) {
        const listed *node = &f->node[k];
        const swq_outcomes *o = node->late ? &f->late : &f->part[k / TASK_NODES];
        status = swq_growing_append(ctx, g, o->entry ? o->entry + node->first : NULL, node->count);
    }
    return status;
}
