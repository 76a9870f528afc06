/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block's axes. Whatever way a file has of saying it, an axis is a list of choices, and a choice
 * is some options that go together.
 */
#include "base/context.h"
#include "study/plan.h"

#include <assert.h>
#include <string.h>

swq_status swq_plan_need(const swq_plan_reader *r, const swq_node *node, swq_node_kind kind,
                         const char *what, const char *is)
{
    return node->kind == kind ? SWQ_OK : swq_plan_fail(r, node->line, "%s is %s", what, is);
}

swq_status swq_plan_choice(const swq_plan_reader *r, const swq_node *map, const char *what,
                           swq_choice *choice)
{
    swq_status status =
        swq_plan_need(r, map, SWQ_NODE_MAP, what, "a map of options: {ports: 2, slots: 4}");

    if (!status && map->count > SWQ_PLAN_OPTIONS)
        status = swq_plan_fail(r, map->line, "more than %d options", SWQ_PLAN_OPTIONS);
    if (status)
        return status;
    choice->setting = swq_arena_take(r->ctx, r->arena, (size_t)map->count, sizeof *choice->setting);
    if (!choice->setting)
        return swq_memory_status(r->ctx);
    for (int k = 0; k < map->count && !status; k++) {
        status = swq_plan_value(r, map->key[k], map->item[k], &choice->setting[k]);
        choice->count = k + 1;
    }
    return status;
}

static swq_status new_axis(const swq_plan_reader *r, int line, int choices, bool alike,
                           swq_axis **axis)
{
    swq_block *block = r->block;

    if (block->axes == SWQ_PLAN_AXES)
        return swq_plan_fail(r, line, "more than %d lists to be crossed", SWQ_PLAN_AXES);
    if (choices == 0)
        return swq_plan_fail(r, line, "an empty list leaves no point");
    *axis = &block->axis[block->axes++];
    (*axis)->choice = swq_arena_take(r->ctx, r->arena, (size_t)choices, sizeof(swq_choice));
    if (!(*axis)->choice)
        return swq_memory_status(r->ctx);
    (*axis)->count = choices;
    (*axis)->alike = alike;
    return SWQ_OK;
}

static swq_status add_cases(const swq_plan_reader *r, const swq_node *cases)
{
    swq_axis *axis = NULL;
    swq_status status = swq_plan_need(r, cases, SWQ_NODE_LIST, "cases",
                                      "a list of maps of options: [{slots: 4, load: 0.5}, ...]");

    if (!status)
        status = new_axis(r, cases->line, cases->count, false, &axis);
    assert(status || axis);
    for (int k = 0; !status && k < cases->count; k++)
        status = swq_plan_choice(r, cases->item[k], "each of the cases", &axis->choice[k]);
    return status;
}

/* Distributes the values of an option over the choices of an axis, value k to choice k. */
static swq_status spread(const swq_plan_reader *r, swq_axis *axis, int place, int room,
                         swq_setting *setting)
{
    for (int k = 0; k < axis->count; k++) {
        swq_choice *choice = &axis->choice[k];
        if (place == 0)
            choice->setting =
                swq_arena_take(r->ctx, r->arena, (size_t)room, sizeof *choice->setting);
        if (!choice->setting)
            return swq_memory_status(r->ctx);
        choice->setting[choice->count++] = setting[k];
    }
    return SWQ_OK;
}

static swq_status add_zip(const swq_plan_reader *r, const swq_node *zip)
{
    swq_axis *axis = NULL;
    swq_status status =
        swq_plan_need(r, zip, SWQ_NODE_MAP, "zip",
                      "a map of options with lists of the same length: {slots: [2, 4], "
                      "load: [0.5, 0.9]}");

    if (!status && zip->count > SWQ_PLAN_OPTIONS)
        status = swq_plan_fail(r, zip->line, "more than %d options", SWQ_PLAN_OPTIONS);
    for (int k = 0; !status && k < zip->count; k++) {
        swq_setting *setting = NULL;
        int values = 0;
        status = swq_plan_values(r, zip->key[k], zip->item[k], &setting, &values);
        if (!status && !axis)
            status = new_axis(r, zip->line, values, true, &axis);
        assert(status || axis);
        if (!status && values != axis->count)
            status = swq_plan_fail(
                r, zip->item[k]->line,
                "lists that are zipped are of the same length: %s has %d values, %s has %d",
                zip->key[0]->text, axis->count, zip->key[k]->text, values);
        if (!status)
            status = spread(r, axis, k, zip->count, setting);
    }
    return status;
}

static swq_status add_over(const swq_plan_reader *r, const swq_node *over)
{
    swq_status status =
        swq_plan_need(r, over, SWQ_NODE_MAP, "over",
                      "a map of options with lists: {buffer: [fifo, damq], slots: [2, 4]}");

    for (int k = 0; !status && k < over->count; k++) {
        swq_setting *setting = NULL;
        swq_axis *axis = NULL;
        int values = 0;
        status = swq_plan_values(r, over->key[k], over->item[k], &setting, &values);
        if (!status)
            status = new_axis(r, over->key[k]->line, values, true, &axis);
        assert(status || axis);
        for (int v = 0; !status && v < values; v++)
            axis->choice[v] = (swq_choice){.count = 1, .setting = &setting[v]};
    }
    return status;
}

/* ---- no option twice ---- */

static const swq_setting *set_by(const swq_choice *choice, const char *option)
{
    for (int s = 0; s < choice->count; s++) {
        if (strcmp(choice->setting[s].option, option) == 0)
            return &choice->setting[s];
    }
    return NULL;
}

/* The number of choices of an axis that must be looked at to know its options. */
static int different(const swq_axis *axis)
{
    return axis->alike ? 1 : axis->count;
}

const swq_setting *swq_plan_set_before(const swq_block *block, int axes, const char *option)
{
    const swq_setting *found = set_by(&block->base, option);

    for (int a = 0; a < axes && !found; a++) {
        for (int c = 0; c < different(&block->axis[a]) && !found; c++)
            found = set_by(&block->axis[a].choice[c], option);
    }
    return found;
}

static swq_status check_choice(const swq_plan_reader *r, int axis, const swq_choice *choice)
{
    for (int s = 0; s < choice->count; s++) {
        const swq_setting *now = &choice->setting[s];
        const swq_setting *before = swq_plan_set_before(r->block, axis, now->option);
        if (before)
            return swq_plan_fail(r, now->line,
                                 "%s is given twice for the same points, first in line %d",
                                 now->option, before->line);
    }
    return SWQ_OK;
}

static swq_status check_once(const swq_plan_reader *r)
{
    const swq_block *block = r->block;
    int options = block->base.count;

    for (int a = 0; a < block->axes; a++) {
        int most = 0;
        for (int c = 0; c < different(&block->axis[a]); c++) {
            const swq_choice *choice = &block->axis[a].choice[c];
            swq_status status = check_choice(r, a, choice);
            if (status)
                return status;
            most = choice->count > most ? choice->count : most;
        }
        options += most;
    }
    if (options > SWQ_PLAN_OPTIONS)
        return swq_plan_fail(r, 1, "points of %s would have %d options, of at most %d", block->full,
                             options, SWQ_PLAN_OPTIONS);
    return SWQ_OK;
}

swq_status swq_plan_axes(const swq_plan_reader *r, const swq_node *cases, const swq_node *zip,
                         const swq_node *over)
{
    swq_status status = cases ? add_cases(r, cases) : SWQ_OK;

    if (!status && zip)
        status = add_zip(r, zip);
    if (!status && over)
        status = add_over(r, over);
    return status ? status : check_once(r);
}
