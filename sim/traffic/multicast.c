/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of nodes for multicast messages: counted and drawn.
 */
#include "sim/traffic/multicast.h"
#include "base/context.h"
#include "sim/stream.h"

#include <string.h>

bool swq_multicast_asked(const swq_async *spec)
{
    for (int g = 0; g < spec->traffic.groups && !spec->traffic.trace; g++) {
        for (int t = 0; t < spec->traffic.group[g].types; t++) {
            if (swq_aims_at_several(&spec->traffic.group[g].type[t]))
                return true;
        }
    }
    return false;
}

/* ---- the sets ---- */

uint32_t swq_sets_of_type(const swq_message_type *type)
{
    return type->aim == SWQ_AIM_SETS ? (uint32_t)type->sets : type->aim == SWQ_AIM_ALL;
}

/* The members of each set of a type. */
static uint32_t members_of(const swq_message_type *type, uint32_t nodes)
{
    uint32_t members = 0;

    if (type->aim == SWQ_AIM_SETS)
        return (uint32_t)type->members;
    for (uint32_t node = 0; node < nodes && type->aim == SWQ_AIM_ALL; node++)
        members += (node & type->mask) == type->value;
    return members;
}

void swq_node_sets_count(const swq_async *n, const swq_fabric *f, swq_node_sets *s)
{
    *s = (swq_node_sets){.nodes = f->nodes, .most = 1};
    for (int g = 0; g < n->traffic.groups && swq_multicast_asked(n); g++) {
        for (int t = 0; t < n->traffic.group[g].types; t++) {
            const uint32_t sets = swq_sets_of_type(&n->traffic.group[g].type[t]);
            const uint32_t members = members_of(&n->traffic.group[g].type[t], f->nodes);
            s->sets += sets;
            s->members += sets * members;
            s->most = members > s->most ? members : s->most;
        }
    }
}

void swq_node_sets_list(swq_node_sets *s, swq_arrays *list)
{
    SWQ_ARRAY(list, s->start, s->sets ? s->sets + 1.0 : 0);
    SWQ_ARRAY(list, s->member, s->members);
}

/* Inserts a node into a set of `size` members; if the node is a member already, `instead`, which
 * is greater than all members, is appended in its place. */
static void insert(uint32_t *member, uint32_t size, uint32_t node, uint32_t instead)
{
    uint32_t at = size;

    while (at > 0 && member[at - 1] > node)
        at--;
    if (at > 0 && member[at - 1] == node) {
        member[size] = instead;
        return;
    }
    memmove(member + at + 1, member + at, (size - at) * sizeof *member);
    member[at] = node;
}

/* Draws a set of which all subsets of that size are equally likely (Floyd's algorithm: Bentley,
 * 1987, Programming Pearls: a sample of brilliance). */
static void draw_set(const swq_streams *streams, uint32_t number, uint32_t nodes, uint32_t size,
                     uint32_t *member)
{
    for (uint32_t k = 0; k < size; k++) {
        const uint32_t last = nodes - size + k;
        const swq_words w = swq_stream_words(streams, SWQ_STREAM_SETS, number, k);
        insert(member, k, swq_word_below(w.v[0], last + 1), last);
    }
}

static void fill_subset(const swq_message_type *type, uint32_t nodes, uint32_t *member)
{
    for (uint32_t node = 0; node < nodes; node++) {
        if ((node & type->mask) == type->value)
            *member++ = node;
    }
}

/* Fills in the sets of a type, from number `set` on. */
static void fill_sets(const swq_streams *streams, const swq_message_type *type, uint32_t set,
                      swq_node_sets *s)
{
    const uint32_t sets = swq_sets_of_type(type), size = members_of(type, s->nodes);

    for (uint32_t k = set; k < set + sets; k++) {
        uint32_t *member = s->member + s->start[k];
        if (type->aim == SWQ_AIM_ALL)
            fill_subset(type, s->nodes, member);
        else
            draw_set(streams, k, s->nodes, size, member);
        s->start[k + 1] = s->start[k] + size;
    }
}

void swq_node_sets_draw(const swq_async *n, uint64_t seed, swq_node_sets *s)
{
    const swq_streams streams = swq_streams_of(seed, 0);
    uint32_t set = 0;

    for (int g = 0; g < n->traffic.groups && s->sets; g++) {
        for (int t = 0; t < n->traffic.group[g].types; t++) {
            fill_sets(&streams, &n->traffic.group[g].type[t], set, s);
            set += swq_sets_of_type(&n->traffic.group[g].type[t]);
        }
    }
}
