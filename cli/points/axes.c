/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options with several values.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/points/points.h"

#include <stdlib.h>
#include <string.h>

/* Options that may have several: numbers as FROM:TO:STEP, words apart by commas. What has commas or
 * colons of its own (a load for each input, traffic) is no list. The last one given varies quickest
 * and is what is drawn over. */
static const struct {
    const char *option;
    bool number, whole;
} rows[] = {
    {"topology", false, false},   {"buffer", false, false},
    {"arbiter", false, false},    {"flow", false, false},
    {"credit", false, false},     {"priority", false, false},
    {"release", false, false},    {"pool-rule", false, false},
    {"block", true, true},        {"max-packet", true, true},
    {"hop-delay", true, true},    {"link-rest", true, true},
    {"iterations", true, true},   {"stale", true, true},
    {"queue-min", true, true},    {"queue-max", true, true},
    {"alpha", true, false},       {"threshold", true, true},
    {"burst", true, false},       {"high", true, false},
    {"ports", true, true},        {"stages", true, true},
    {"bytes", true, true},        {"slots", true, true},
    {"load", true, false},        {"credit-unit", false, false},
    {"credit-delay", true, true}, {"stop", true, true},
    {"go", true, true},           {"xoff", true, true},
    {"xon", true, true},          {"management", false, false},
    {"benchmark", false, false},  {"piece", true, true},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Where popt keeps the texts of the rows' options that were given. */
static void find_slots(const struct poptOption *table, char **slot[ROWS])
{
    for (const struct poptOption *o = table; o->longName || o->shortName || o->arg; o++) {
        const int kind = o->argInfo & POPT_ARG_MASK;
        if (kind == POPT_ARG_INCLUDE_TABLE)
            find_slots(o->arg, slot);
        if (kind != POPT_ARG_STRING || !o->longName || !*(char **)o->arg)
            continue;
        for (int r = 0; r < ROWS; r++) {
            if (!slot[r] && strcmp(o->longName, rows[r].option) == 0)
                slot[r] = o->arg;
        }
    }
}

static swq_status no_memory(swq_context *ctx, const char *option)
{
    return swq_fail(ctx, SWQ_ENOMEM, "no memory for the values of --%s", option);
}

static swq_status read_numbers(swq_context *ctx, cli_axis *axis, bool whole)
{
    double *value = NULL;
    swq_status status =
        cli_range(ctx, axis->option, axis->given, 0, 1e9, whole, &value, &axis->count);

    if (status)
        return status;
    axis->value = calloc((size_t)axis->count, sizeof *axis->value);
    for (int k = 0; k < axis->count && axis->value; k++) {
        char text[40];
        snprintf(text, sizeof text, "%.12g", value[k]);
        axis->value[k] = strdup(text);
        if (!axis->value[k])
            status = no_memory(ctx, axis->option);
    }
    free(value);
    return axis->value ? status : no_memory(ctx, axis->option);
}

static swq_status read_words(swq_context *ctx, cli_axis *axis)
{
    axis->count = 1;
    for (const char *c = axis->given; *c; c++)
        axis->count += *c == ',';
    axis->value = calloc((size_t)axis->count, sizeof *axis->value);
    const char *at = axis->given;
    for (int k = 0; k < axis->count && axis->value; k++) {
        size_t length = strcspn(at, ",");
        axis->value[k] = strndup(at, length);
        if (!axis->value[k])
            return no_memory(ctx, axis->option);
        for (int j = 0; j < k; j++) {
            if (strcmp(axis->value[j], axis->value[k]) == 0)
                return swq_fail(ctx, SWQ_EINVAL, "--%s has '%.40s' twice", axis->option,
                                axis->value[k]);
        }
        at += length + (at[length] == ',');
    }
    return axis->value ? SWQ_OK : no_memory(ctx, axis->option);
}

swq_status cli_axes_read(swq_context *ctx, const struct poptOption *table, cli_axes *axes)
{
    char **slot[ROWS] = {NULL};
    swq_status status = SWQ_OK;

    *axes = (cli_axes){.points = 1};
    find_slots(table, slot);
    for (int r = 0; r < ROWS && !status; r++) {
        const char *text = slot[r] ? *slot[r] : NULL;
        if (!text || !(rows[r].number ? cli_is_range(text) : strchr(text, ',') != NULL))
            continue;
        if (axes->axes == CLI_MOST_AXES) {
            status = swq_fail(ctx, SWQ_EINVAL, "--%s is one range too many: at most %d",
                              rows[r].option, CLI_MOST_AXES);
            break;
        }
        cli_axis *axis = &axes->axis[axes->axes++];
        *axis = (cli_axis){
            .option = rows[r].option, .slot = slot[r], .given = *slot[r], .number = rows[r].number};
        status = rows[r].number ? read_numbers(ctx, axis, rows[r].whole) : read_words(ctx, axis);
        if (!status && (int64_t)axes->points * axis->count > CLI_MOST_RANGE_POINTS)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "--%s makes it more than %d points; 'switchq sweep' takes more",
                              rows[r].option, CLI_MOST_RANGE_POINTS);
        axes->points *= axis->count;
    }
    if (status)
        cli_axes_clear(axes);
    return status;
}

void cli_axes_clear(cli_axes *axes)
{
    for (int a = 0; a < axes->axes; a++) {
        *axes->axis[a].slot = axes->axis[a].given;
        for (int k = 0; k < axes->axis[a].count && axes->axis[a].value; k++)
            free(axes->axis[a].value[k]);
        free(axes->axis[a].value);
    }
    *axes = (cli_axes){.points = 1};
}

int cli_axes_place(const cli_axes *axes, int point, int axis)
{
    for (int a = axes->axes - 1; a > axis; a--)
        point /= axes->axis[a].count;
    return point % axes->axis[axis].count;
}

void cli_axes_set(const cli_axes *axes, int point)
{
    for (int a = 0; a < axes->axes; a++)
        *axes->axis[a].slot = axes->axis[a].value[cli_axes_place(axes, point, a)];
}
