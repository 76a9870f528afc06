/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways of all pairs and places, walked as packets go, as changes of the busyness of links. Most
 * pairs of nodes at the same two switches change the same, so choices are looked up by their
 * changes.
 */
#include "bound/ways.h"
#include "base/arrays.h"
#include "base/context.h"
#include "sim/fabrics/state.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 1024, FIRST_ROOM = 1024 };

/* Links of one way, or the changes between two. */
typedef struct {
    uint32_t count;
    uint32_t link[2 * MOST_LINKS];
    int8_t change[2 * MOST_LINKS];
} link_changes;

static swq_status walk(swq_context *ctx, const swq_switches *s, swq_packet_state p, link_changes *w)
{
    const swq_fabric *f = &s->fabric;
    const uint32_t ports = (uint32_t)f->ports, from = p.from;
    uint32_t port = f->entry[from];

    for (w->count = 0; w->count < MOST_LINKS; w->count++) {
        const uint32_t output = (uint32_t)swq_state_output(f, port, &p);
        const uint32_t out = port / ports * ports + output;
        if (output >= ports || f->link[out] == SWQ_NO_WHERE)
            break;
        port = f->link[out];
        if (port & SWQ_TO_NODE)
            return SWQ_OK;
        w->link[w->count] = s->number[out];
    }
    return swq_fail(ctx, SWQ_EINVAL, "links lead packets from node %u astray", from);
}

/* ---- changes ---- */

static int by_link(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* The links of `other` more, and those of `straight` less, sorted; links of both are left out. */
static void compare(link_changes *straight, link_changes *other, link_changes *changes)
{
    uint32_t a = 0, b = 0;

    qsort(straight->link, straight->count, sizeof *straight->link, by_link);
    qsort(other->link, other->count, sizeof *other->link, by_link);
    changes->count = 0;
    while (a < straight->count || b < other->count) {
        const uint32_t x = a < straight->count ? straight->link[a] : UINT32_MAX;
        const uint32_t y = b < other->count ? other->link[b] : UINT32_MAX;
        const uint32_t link = x < y ? x : y;
        int change = 0;
        for (; a < straight->count && straight->link[a] == link; a++)
            change--;
        for (; b < other->count && other->link[b] == link; b++)
            change++;
        if (change == 0)
            continue;
        changes->link[changes->count] = link;
        changes->change[changes->count++] = (int8_t)change;
    }
}

/* ---- the list of choices ---- */

static void list_choices(swq_two_ways *c, swq_arrays *list)
{
    *list = (swq_arrays){0};
    SWQ_ARRAY(list, c->weight, c->room);
    SWQ_ARRAY(list, c->start, (double)c->room + 1);
    SWQ_ARRAY(list, c->table, 2.0 * c->room);
    SWQ_ARRAY(list, c->link, (double)c->entry_room);
    SWQ_ARRAY(list, c->change, (double)c->entry_room);
}

/* FNV-1a. */
static uint64_t hash_of(const uint32_t *link, const int8_t *change, uint64_t count)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (uint64_t k = 0; k < count; k++) {
        hash = (hash ^ link[k]) * UINT64_C(1099511628211);
        hash = (hash ^ (uint8_t)change[k]) * UINT64_C(1099511628211);
    }
    return hash ^ hash >> 29;
}

/* The place in the table of the choice with these changes, or the free one for it. */
static uint32_t *place_of(const swq_two_ways *c, const uint32_t *link, const int8_t *change,
                          uint64_t count)
{
    const uint64_t places = 2 * (uint64_t)c->room;
    uint64_t at = hash_of(link, change, count) % places;

    for (;; at = at + 1 < places ? at + 1 : 0) {
        const uint32_t number = c->table[at] - 1;
        if (c->table[at] == 0)
            return &c->table[at];
        const uint64_t first = c->start[number];
        if (c->start[number + 1] - first == count &&
            memcmp(c->link + first, link, count * sizeof *link) == 0 &&
            memcmp(c->change + first, change, count * sizeof *change) == 0)
            return &c->table[at];
    }
}

/* Makes room for one more choice of so many changes. */
static swq_status grow(swq_context *ctx, swq_two_ways *c, uint32_t more)
{
    swq_two_ways larger = *c;
    swq_arrays list;

    if (c->count < c->room && c->entries + more <= c->entry_room)
        return SWQ_OK;
    while (larger.count >= larger.room)
        larger.room = larger.room ? 2 * larger.room : FIRST_ROOM;
    while (larger.entries + more > larger.entry_room)
        larger.entry_room = larger.entry_room ? 2 * larger.entry_room : 8 * FIRST_ROOM;
    larger.weight = NULL, larger.start = NULL, larger.table = NULL;
    larger.link = NULL, larger.change = NULL;
    list_choices(&larger, &list);
    const swq_status status = swq_arrays_take(ctx, &list);
    if (status) {
        swq_arrays_free(ctx, &list);
        return status;
    }
    if (c->count > 0) {
        memcpy(larger.weight, c->weight, c->count * sizeof *c->weight);
        memcpy(larger.start, c->start, (c->count + (size_t)1) * sizeof *c->start);
        memcpy(larger.link, c->link, c->entries * sizeof *c->link);
        memcpy(larger.change, c->change, c->entries * sizeof *c->change);
    }
    for (uint32_t k = 0; k < c->count; k++) {
        const uint64_t first = larger.start[k];
        *place_of(&larger, larger.link + first, larger.change + first,
                  larger.start[k + 1] - first) = k + 1;
    }
    list_choices(c, &list);
    swq_arrays_free(ctx, &list);
    *c = larger;
    return SWQ_OK;
}

static swq_status add_choice(swq_context *ctx, swq_two_ways *c, uint32_t most,
                             const link_changes *changes, double weight)
{
    const uint32_t count = changes->count;
    swq_status status = grow(ctx, c, count);

    if (status)
        return status;
    uint32_t *place = place_of(c, changes->link, changes->change, count);
    if (*place == 0) {
        if (c->count >= most)
            return swq_fail(ctx, SWQ_ELIMIT,
                            "packets have more than %u choices between two ways, too many for a "
                            "linear program",
                            most);
        memcpy(c->link + c->entries, changes->link, count * sizeof *c->link);
        memcpy(c->change + c->entries, changes->change, count * sizeof *c->change);
        c->entries += count;
        *place = ++c->count;
        c->start[c->count] = c->entries;
    }
    c->weight[*place - 1] += weight;
    return SWQ_OK;
}

/* ---- all pairs ---- */

typedef struct {
    link_changes straight, other, changes;
} three_ways;

static swq_status add_pair(swq_context *ctx, const swq_switches *s, uint32_t from, uint32_t to,
                           uint32_t most, three_ways *w, swq_two_ways *c)
{
    const swq_fabric *f = &s->fabric;
    const bool listed = f->shape.kind->places != NULL;
    const uint32_t places = listed ? f->shape.kind->places(f, from, to) : f->nodes;
    const double weight = s->row[to];
    swq_packet_state p = {.from = from, .to = to, .then = SWQ_NO_WHERE};
    swq_status status = walk(ctx, s, p, &w->straight);

    for (uint32_t k = 0; k < w->straight.count && !status; k++)
        c->straight[w->straight.link[k]] += weight;
    p.then = to;
    for (uint32_t k = 0; k < places && !status; k++) {
        p.to = listed ? f->shape.kind->place(f, from, to, k) : k;
        status = walk(ctx, s, p, &w->other);
        if (status)
            return status;
        compare(&w->straight, &w->other, &w->changes);
        if (w->changes.count > 0)
            status = add_choice(ctx, c, most, &w->changes, weight / places);
    }
    return status;
}

swq_status swq_two_ways_make(swq_context *ctx, const swq_switches *s, uint32_t most,
                             swq_two_ways *c)
{
    three_ways *ways = NULL;
    swq_arrays here = {0}, kept = {0};

    memset(c, 0, sizeof *c);
    SWQ_ARRAY(&here, ways, 1);
    SWQ_ARRAY(&kept, c->straight, s->links);
    swq_status status = swq_arrays_take(ctx, &kept);
    if (!status)
        status = swq_arrays_take(ctx, &here);
    for (uint32_t from = 0; from < s->fabric.nodes && !status; from++) {
        swq_demand_row(&s->demand, from, s->row);
        for (uint32_t to = 0; to < s->fabric.nodes && !status; to++) {
            if (s->row[to] > 0)
                status = add_pair(ctx, s, from, to, most, ways, c);
        }
        if (!status && swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    }
    swq_arrays_free(ctx, &here);
    return status;
}

void swq_two_ways_clear(swq_context *ctx, swq_two_ways *c)
{
    swq_arrays list;

    list_choices(c, &list);
    SWQ_ARRAY(&list, c->straight, 1);
    swq_arrays_free(ctx, &list);
    memset(c, 0, sizeof *c);
}
