/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nodes of a chain in the order of their groups. Nodes are numbered as they are found. In this
 * order the neighbours of a node in a factor may be anywhere, and a vector that passes through a
 * large factor fetches a line of memory for each entry. A group leads to only a few other groups:
 * in the order of groups, a line fetched is used many times while it is in the cache.
 */
#include "base/context.h"
#include "base/packed.h"
#include "models/chain_parts.h"

#include <assert.h>
#include <string.h>

/* New numbers for the members of groups: the groups follow one another in the order of `group`, and
 * members of one group keep their old order: place[members]. first[groups + 1]. */
static void place_members(const int32_t *of, int64_t members, const int32_t *group, int64_t groups,
                          int32_t *first, int32_t *place)
{
    memset(first, 0, sizeof *first * (size_t)(groups + 1));
    for (int64_t i = 0; i < members; i++)
        first[(group ? group[of[i]] : of[i]) + 1]++;
    for (int64_t k = 0; k < groups; k++)
        first[k + 1] += first[k];
    for (int64_t i = 0; i < members; i++)
        place[i] = first[group ? group[of[i]] : of[i]]++;
}

/* Members and groups have new numbers: write `of` again. */
static swq_status renumber(swq_context *ctx, int32_t **of, int64_t members, const int32_t *place,
                           const int32_t *group)
{
    int32_t *now = swq_calloc(ctx, (size_t)members, sizeof *now);

    if (!now)
        return swq_memory_status(ctx);
    for (int64_t i = 0; i < members; i++)
        now[place[i]] = group ? group[(*of)[i]] : (*of)[i];
    swq_free(ctx, *of);
    *of = now;
    return SWQ_OK;
}

/* Number the nodes of a level by their groups, these groups by the larger groups that they are in,
 * and so on: *place receives the new number of each node. */
static swq_status arrange_level(swq_context *ctx, swq_grouping *g, int level, int64_t nodes,
                                int32_t **place)
{
    int32_t *group = NULL, *members = NULL;
    swq_status status = SWQ_OK;

    for (int d = g->depth - 1; d >= 0 && !status; d--) {
        const int at = d * g->levels + level;
        const int64_t count = d > 0 ? g->groups[at - g->levels] : nodes;
        int32_t *first = swq_calloc(ctx, (size_t)g->groups[at] + 1, sizeof *first);
        members = swq_calloc(ctx, (size_t)count, sizeof *members);
        if (first && members) {
            place_members(g->of[at], count, group, g->groups[at], first, members);
            status = renumber(ctx, &g->of[at], count, members, group);
        } else {
            status = swq_memory_status(ctx);
        }
        swq_free(ctx, first);
        swq_free(ctx, group);
        group = members;
    }
    *place = group;
    return status;
}

/* The words of the states, in their new order. */
static swq_status arrange_states(swq_context *ctx, swq_intern *set, const int32_t *place)
{
    const size_t bytes = sizeof *set->state * (size_t)set->words;
    swq_word *state = swq_calloc(ctx, (size_t)set->count, bytes);

    if (!state)
        return swq_memory_status(ctx);
    assert(place || set->count == 0);
    for (int64_t i = 0; i < set->count; i++)
        memcpy(state + place[i] * set->words, swq_intern_state(set, i), bytes);
    swq_free(ctx, set->state);
    set->state = state;
    set->room = set->count;
    return SWQ_OK;
}

static bool can_be_arranged(const swq_chain *c, const swq_grouping *g)
{
    for (int k = 0; k < c->levels; k++) {
        if (!c->factor[k].packed)
            return false;
    }
    return c->lean && c->by_rows && !c->accepted && !c->of_class && g->depth > 0;
}

swq_status swq_chain_arrange(swq_context *ctx, swq_chain *c, swq_grouping *g)
{
    int32_t *place[SWQ_CHAIN_LEVELS] = {NULL};
    swq_status status = SWQ_OK;

    if (!can_be_arranged(c, g))
        return SWQ_OK;
    for (int k = 0; k < c->levels && !status; k++)
        status = arrange_level(ctx, g, k, c->node[k].count, &place[k]);
    for (int k = 0; k < c->levels && !status; k++)
        status = swq_packed_arrange(ctx, &c->factor[k], place[k], place[(k + 1) % c->levels]);
    if (!status)
        status = arrange_states(ctx, &c->node[0], place[0]);
    for (int k = 0; k < c->levels; k++)
        swq_free(ctx, place[k]);
    return status;
}
