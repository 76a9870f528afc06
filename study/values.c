/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a study gives an option: values, lists of them, ranges.
 */
#include "base/context.h"
#include "study/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char swq_plan_on[] = "true", swq_plan_off[] = "false";

enum { LONGEST_VALUE = 4096 };

/* ---- single values ---- */

static bool one_of(const char *text, const char *const *words)
{
    for (; *words; words++) {
        if (strcmp(text, *words) == 0)
            return true;
    }
    return false;
}

static swq_status flag(const swq_plan_reader *r, const swq_node *option, const swq_node *value,
                       const char **text)
{
    static const char *const on[] = {"true", "yes", "on", "True", "TRUE", NULL};
    static const char *const off[] = {"false", "no", "off", "False", "FALSE", NULL};

    if (value->kind == SWQ_NODE_TEXT && one_of(value->text, on))
        *text = swq_plan_on;
    else if (value->kind == SWQ_NODE_TEXT && one_of(value->text, off))
        *text = swq_plan_off;
    else
        return swq_plan_fail(r, value->line, "%s of %s is there or not: true or false, not '%.60s'",
                             option->text, r->block->full,
                             value->kind == SWQ_NODE_TEXT ? value->text : "a list");
    return SWQ_OK;
}

/* Appends a text. */
static swq_status append(const swq_plan_reader *r, const swq_node *option, const swq_node *value,
                         char *text, size_t *used)
{
    static const char *const nothing[] = {"", "~", "null", "Null", "NULL", NULL};

    if (value->kind != SWQ_NODE_TEXT)
        return swq_plan_fail(r, value->line, "%s needs one value here, not %s", option->text,
                             value->kind == SWQ_NODE_LIST ? "a list in a list" : "a map");
    if (value->plain && one_of(value->text, nothing))
        return swq_plan_fail(r, value->line, "%s has no value", option->text);
    const size_t room = LONGEST_VALUE - *used;
    const size_t length =
        value->plain ? swq_plan_canonical(value->text, text + *used, room) : strlen(value->text);
    if (length >= room)
        return swq_plan_fail(r, value->line, "the value of %s has more than %d bytes", option->text,
                             LONGEST_VALUE - 1);
    if (!value->plain)
        memcpy(text + *used, value->text, length + 1);
    *used += length;
    return SWQ_OK;
}

/* How an option is used; asked once for each block, since the language searches all options. */
static swq_status use_of(const swq_plan_reader *r, const swq_node *option, swq_option_use *use)
{
    swq_plan_tally *tally = r->tally;
    const char *hint = NULL;

    if (swq_context_cancelled(r->ctx))
        return swq_fail(r->ctx, SWQ_ECANCELLED, "interrupted while reading '%.150s'", r->path);
    for (int k = 0; k < tally->options; k++) {
        if (strcmp(tally->option[k].name, option->text) == 0) {
            *use = tally->option[k].use;
            return SWQ_OK;
        }
    }
    *use = r->language->option(r->language->arg, r->block->full, option->text, &hint);
    if (*use == SWQ_OPTION_BARRED)
        return swq_plan_fail(r, option->line, "%s of %s cannot be given in a study: %s",
                             option->text, r->block->full, hint);
    if (*use == SWQ_OPTION_UNKNOWN && hint)
        return swq_plan_fail(r, option->line, "%s has no option '%.60s'; did you mean '%s'?",
                             r->block->full, option->text, hint);
    if (*use == SWQ_OPTION_UNKNOWN)
        return swq_plan_fail(r, option->line,
                             "%s has no option '%.60s'; 'switchq %s --help' lists them",
                             r->block->full, option->text, r->block->command);
    if (tally->options < SWQ_PLAN_OPTIONS) {
        tally->option[tally->options].name = option->text;
        tally->option[tally->options++].use = *use;
    }
    return SWQ_OK;
}

swq_status swq_plan_value(const swq_plan_reader *r, const swq_node *option, const swq_node *value,
                          swq_setting *setting)
{
    char text[LONGEST_VALUE];
    size_t used = 0;
    swq_option_use use = SWQ_OPTION_UNKNOWN;
    swq_status status = use_of(r, option, &use);

    *setting = (swq_setting){.option = option->text, .line = option->line};
    if (!status && use == SWQ_OPTION_FLAG)
        return flag(r, option, value, &setting->value);
    if (!status && value->kind == SWQ_NODE_LIST && value->count == 0)
        status = swq_plan_fail(r, value->line, "%s has no value: its list is empty", option->text);
    if (!status && value->kind != SWQ_NODE_LIST)
        status = append(r, option, value, text, &used);
    for (int k = 0; value->kind == SWQ_NODE_LIST && k < value->count && !status; k++) {
        if (k)
            text[used++] = use == SWQ_OPTION_LIST ? '\n' : ',';
        status = append(r, option, value->item[k], text, &used);
    }
    if (status)
        return status;
    setting->value = swq_arena_text(r->ctx, r->arena, text, used);
    return setting->value ? SWQ_OK : swq_memory_status(r->ctx);
}

/* ---- ranges ---- */

typedef struct {
    double from, to, step;
    int points;
    bool log;
} range;

static swq_status range_number(const swq_plan_reader *r, const swq_node *map, const char *key,
                               bool needed, double *value)
{
    const swq_node *node = swq_node_at(map, key);
    char *end;

    if (!node && needed)
        return swq_plan_fail(r, map->line,
                             "a range needs '%s': {from: 0.1, to: 0.9, step: 0.1}, or points: 9 in "
                             "place of step",
                             key);
    if (!node)
        return SWQ_OK;
    const char *text = node->kind == SWQ_NODE_TEXT ? node->text : "a list";
    *value = strtod(text, &end);
    if (end == text || *end || !isfinite(*value) || strspn(text, "0123456789.eE+-") != strlen(text))
        return swq_plan_fail(r, node->line, "'%s' of a range is a number, not '%.60s'", key, text);
    return SWQ_OK;
}

/* Counts the points of a range with a step. */
static swq_status count_steps(const swq_plan_reader *r, const swq_node *map, range *of)
{
    const double steps = floor((of->to - of->from) / of->step + 1e-9);

    if (of->step == 0 || !(steps >= 0))
        return swq_plan_fail(r, map->line, "a step of %g does not lead from %g to %g", of->step,
                             of->from, of->to);
    if (of->log)
        return swq_plan_fail(r, map->line, "scale: log goes with points, not with step");
    if (steps >= SWQ_PLAN_VALUES)
        return swq_plan_fail(r, map->line, "the range has more than %d values", SWQ_PLAN_VALUES);
    of->points = (int)steps + 1;
    return SWQ_OK;
}

static swq_status check_points(const swq_plan_reader *r, const swq_node *map, double points,
                               range *of)
{
    if (points != floor(points) || points < 2 || points > SWQ_PLAN_VALUES)
        return swq_plan_fail(r, map->line, "points of a range: a whole number from 2 to %d, not %g",
                             SWQ_PLAN_VALUES, points);
    if (of->log && (of->from <= 0 || of->to <= 0))
        return swq_plan_fail(r, map->line, "scale: log needs 'from' and 'to' above 0");
    of->points = (int)points;
    return SWQ_OK;
}

static swq_status read_range(const swq_plan_reader *r, const swq_node *map, range *of)
{
    static const char *const keys[] = {"from", "to", "step", "points", "scale", NULL};
    const swq_node *scale = swq_node_at(map, "scale");
    const bool by_points = swq_node_at(map, "points") != NULL;
    double points = 0;
    swq_status status = swq_plan_keys(r, map, "a range", keys);

    *of = (range){0};
    if (!status)
        status = range_number(r, map, "from", true, &of->from);
    if (!status)
        status = range_number(r, map, "to", true, &of->to);
    if (!status && by_points && swq_node_at(map, "step"))
        status = swq_plan_fail(r, map->line, "a range has a step or points, not both");
    if (!status && scale) {
        of->log = scale->kind == SWQ_NODE_TEXT && strcmp(scale->text, "log") == 0;
        if (!of->log && (scale->kind != SWQ_NODE_TEXT || strcmp(scale->text, "linear") != 0))
            status = swq_plan_fail(r, scale->line, "scale is linear or log, not '%.60s'",
                                   scale->kind == SWQ_NODE_TEXT ? scale->text : "a list");
    }
    if (!status)
        status = range_number(r, map, by_points ? "points" : "step", true,
                              by_points ? &points : &of->step);
    if (status)
        return status;
    return by_points ? check_points(r, map, points, of) : count_steps(r, map, of);
}

/* FROM:TO:STEP, as on the command line. */
static bool is_written_range(const swq_node *value, double number[3])
{
    const char *at = value->text;
    char *end;

    if (value->kind != SWQ_NODE_TEXT || !value->plain ||
        strspn(at, "0123456789.eE+-:") != strlen(at))
        return false;
    for (int k = 0; k < 3; k++, at = end + 1) {
        number[k] = strtod(at, &end);
        if (end == at || !isfinite(number[k]) || *end != (k < 2 ? ':' : '\0'))
            return false;
    }
    return true;
}

static swq_status read_either_range(const swq_plan_reader *r, const swq_node *value, range *of)
{
    double number[3];

    if (value->kind == SWQ_NODE_MAP)
        return read_range(r, value, of);
    if (!is_written_range(value, number))
        return SWQ_OK;
    *of = (range){.from = number[0], .to = number[1], .step = number[2]};
    return count_steps(r, value, of);
}

/* Computes each value from its index, so that rounding errors do not accumulate; the ends are as
 * given. */
static void range_text(const range *of, int k, char *text, size_t room)
{
    const double last = of->points - 1;
    double value = of->from;
    int digits = 12;

    if (of->step != 0) {
        value = of->from + k * of->step;
    } else if (k == of->points - 1) {
        value = of->to;
    } else if (of->log && k > 0) {
        value = of->from * pow(of->to / of->from, k / last);
        digits = 6;
    } else if (k > 0) {
        value = of->from + (of->to - of->from) * k / last;
    }
    snprintf(text, room, "%.*g", digits, value == 0 ? 0 : value);
}

/* ---- lists of values ---- */

/* The number of values that a value of an option stands for: the points of a range, or 1. */
static int how_many(const range *of)
{
    return of->points ? of->points : 1;
}

static swq_status add_values(const swq_plan_reader *r, const swq_node *option,
                             const swq_node *value, const range *of, swq_setting *setting)
{
    char text[40];
    swq_status status = SWQ_OK;

    if (!of->points)
        return swq_plan_value(r, option, value, setting);
    for (int k = 0; k < of->points && !status; k++) {
        range_text(of, k, text, sizeof text);
        const swq_node made = {
            .kind = SWQ_NODE_TEXT, .line = value->line, .plain = true, .text = text};
        status = swq_plan_value(r, option, &made, &setting[k]);
    }
    return status;
}

swq_status swq_plan_values(const swq_plan_reader *r, const swq_node *option, const swq_node *values,
                           swq_setting **setting, int *count)
{
    const bool list = values->kind == SWQ_NODE_LIST;
    const int items = list ? values->count : 1;
    int total = 0, at = 0;
    range *of = swq_arena_take(r->ctx, r->arena, (size_t)items, sizeof *of);
    swq_option_use use;
    swq_status status = of ? use_of(r, option, &use) : swq_memory_status(r->ctx);

    for (int k = 0; k < items && !status; k++) {
        const swq_node *value = list ? values->item[k] : values;
        status = read_either_range(r, value, &of[k]);
        total += status ? 0 : how_many(&of[k]);
        if (!status && total > SWQ_PLAN_VALUES)
            status = swq_plan_fail(r, value->line, "%s has more than %d values", option->text,
                                   SWQ_PLAN_VALUES);
    }
    r->tally->values += total;
    if (!status && r->tally->values > SWQ_PLAN_ALL)
        status = swq_plan_fail(r, values->line, "the lists of the study have more than %d values",
                               SWQ_PLAN_ALL);
    if (!status && total == 0)
        status = swq_plan_fail(r, values->line, "%s has no value: its list is empty", option->text);
    *setting = status ? NULL : swq_arena_take(r->ctx, r->arena, (size_t)total, sizeof **setting);
    if (!status && !*setting)
        status = swq_memory_status(r->ctx);
    for (int k = 0; k < items && !status; k++) {
        const swq_node *value = list ? values->item[k] : values;
        status = add_values(r, option, value, &of[k], *setting + at);
        at += how_many(&of[k]);
    }
    *count = total;
    return status;
}
