/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points that a block leaves out. Rules are sorted into facts, an option at a value, and every
 * setting of the block is told which fact it is; so neither reading nor counting points compares
 * all settings with all rules.
 */
#include "base/context.h"
#include "study/plan.h"

#include <stdlib.h>
#include <string.h>

/* A value of a rule, as in the file. */
typedef struct {
    const char *option, *value;
    int exclusion, line;
} entry;

typedef struct {
    const swq_plan_reader *r;
    entry *entry; /* [room] */
    size_t entries, room;
} entries;

static swq_status add_entry(entries *all, const entry *one)
{
    swq_context *ctx = all->r->ctx;

    if (all->entries == all->room) {
        const size_t room = all->room ? 2 * all->room : 64;
        entry *grown = swq_resize(ctx, all->entry, room, sizeof *grown);
        if (!grown)
            return swq_memory_status(ctx);
        all->entry = grown;
        all->room = room;
    }
    all->entry[all->entries++] = *one;
    return SWQ_OK;
}

static swq_status read_rule(entries *all, int exclusion, const swq_node *option,
                            const swq_node *values)
{
    swq_setting *setting = NULL;
    int count = 0;
    swq_status status = swq_plan_values(all->r, option, values, &setting, &count);

    for (int k = 0; !status && k < count; k++)
        status = add_entry(all, &(entry){option->text, setting[k].value, exclusion, option->line});
    return status;
}

static swq_status read_exclusion(entries *all, int number, const swq_node *map)
{
    const swq_plan_reader *r = all->r;
    swq_status status =
        swq_plan_need(r, map, SWQ_NODE_MAP, "each entry of without", "a map of options");

    if (!status && map->count == 0)
        status = swq_plan_fail(r, map->line, "an empty entry of without leaves no point");
    for (int k = 0; !status && k < map->count; k++)
        status = read_rule(all, number, map->key[k], map->item[k]);
    if (!status)
        r->block->without.rules[number] = map->count;
    return status;
}

static int by_fact(const char *option, const char *value, const char *other_option,
                   const char *other_value)
{
    const int order = strcmp(option, other_option);

    return order ? order : strcmp(value, other_value);
}

static int by_fact_and_exclusion(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    const int order = by_fact(one->option, one->value, other->option, other->value);

    return order ? order
                 : (one->exclusion > other->exclusion) - (one->exclusion < other->exclusion);
}

/* Makes facts, and the exclusions in which they occur, from sorted entries; a value that occurs
 * twice in a rule counts once. */
static void collect_facts(swq_without *w, const entry *sorted, size_t count)
{
    int hits = 0;

    for (size_t k = 0; k < count; k++) {
        const entry *e = &sorted[k];
        swq_fact *last = w->facts ? &w->fact[w->facts - 1] : NULL;
        const bool same = last && by_fact(last->option, last->value, e->option, e->value) == 0;
        if (!same) {
            last = &w->fact[w->facts++];
            *last = (swq_fact){.option = e->option, .value = e->value, .first = hits};
        } else if (w->hit[hits - 1] == e->exclusion) {
            continue;
        }
        w->hit[hits++] = e->exclusion;
        last->hits++;
    }
}

static int fact_of_setting(const void *setting, const void *fact)
{
    const swq_setting *s = setting;
    const swq_fact *f = fact;

    return by_fact(s->option, s->value, f->option, f->value);
}

static void tell_settings(swq_without *w, swq_choice *choice)
{
    for (int s = 0; s < choice->count; s++) {
        swq_fact *fact =
            bsearch(&choice->setting[s], w->fact, (size_t)w->facts, sizeof *fact, fact_of_setting);
        if (!fact)
            continue;
        fact->occurs = true;
        choice->setting[s].fact = (int)(fact - w->fact) + 1;
    }
}

/* Every rule must be able to leave something out; otherwise it is a mistake. */
static swq_status check_entry(const swq_plan_reader *r, const entry *e)
{
    const swq_without *w = &r->block->without;
    const swq_setting wanted = {.option = e->option, .value = e->value};
    const swq_fact *fact =
        bsearch(&wanted, w->fact, (size_t)w->facts, sizeof *fact, fact_of_setting);

    if (fact && fact->occurs)
        return SWQ_OK;
    if (!swq_plan_set_before(r->block, r->block->axes, e->option))
        return swq_plan_fail(
            r, e->line, "without: no point has the option %s, so nothing is left out", e->option);
    return swq_plan_fail(r, e->line, "without: no point has %s at %.60s, so nothing is left out",
                         e->option, e->value);
}

static swq_status index_entries(const entries *all)
{
    const swq_plan_reader *r = all->r;
    swq_block *block = r->block;
    swq_without *w = &block->without;
    entry *sorted = swq_calloc(r->ctx, all->entries, sizeof *sorted);
    swq_status status = SWQ_OK;

    w->fact = swq_arena_take(r->ctx, r->arena, all->entries, sizeof *w->fact);
    w->hit = swq_arena_take(r->ctx, r->arena, all->entries, sizeof *w->hit);
    if (!sorted || !w->fact || !w->hit) {
        swq_free(r->ctx, sorted);
        return swq_memory_status(r->ctx);
    }
    if (all->entries)
        memcpy(sorted, all->entry, all->entries * sizeof *sorted);
    qsort(sorted, all->entries, sizeof *sorted, by_fact_and_exclusion);
    collect_facts(w, sorted, all->entries);
    swq_free(r->ctx, sorted);
    tell_settings(w, &block->base);
    for (int a = 0; a < block->axes; a++) {
        for (int c = 0; c < block->axis[a].count; c++)
            tell_settings(w, &block->axis[a].choice[c]);
    }
    for (size_t k = 0; k < all->entries && !status; k++)
        status = check_entry(r, &all->entry[k]);
    return status;
}

swq_status swq_plan_without(const swq_plan_reader *r, const swq_node *without)
{
    swq_without *w = &r->block->without;
    entries all = {.r = r};
    swq_status status = swq_plan_need(r, without, SWQ_NODE_LIST, "without",
                                      "a list of maps of options: [{buffer: fifo, slots: 6}]");

    if (!status && without->count > SWQ_PLAN_EXCLUSIONS)
        status = swq_plan_fail(r, without->line, "without has more than %d entries",
                               SWQ_PLAN_EXCLUSIONS);
    if (status)
        return status;
    w->exclusions = without->count;
    w->rules = swq_arena_take(r->ctx, r->arena, (size_t)w->exclusions, sizeof *w->rules);
    if (!w->rules)
        return swq_memory_status(r->ctx);
    for (int k = 0; k < w->exclusions && !status; k++)
        status = read_exclusion(&all, k, without->item[k]);
    if (!status)
        status = index_entries(&all);
    swq_free(r->ctx, all.entry);
    return status;
}
