/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options with several values.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/points/points.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* How the values of an option are separated. Some contain commas themselves. */
typedef enum {
    WITHOUT_COMMAS,
    SENDERS,  /* bucket:0.1,64,tokens:8,stay: each begins with a word and a colon */
    COUNTERS, /* H,20,8,4,2,4,A: words, and groups of five numbers */
    LISTED    /* numbers, as a range or separated by commas */
} value_form;

#define WORD(option)                                                                               \
    {                                                                                              \
        option, false, false, WITHOUT_COMMAS                                                       \
    }
#define NUMBER(option)                                                                             \
    {                                                                                              \
        option, true, false, LISTED                                                                \
    }
#define WHOLE(option)                                                                              \
    {                                                                                              \
        option, true, true, LISTED                                                                 \
    }

/* Options that may have several values: numbers as FROM:TO:STEP or separated by commas, words
 * separated by commas. An option whose values contain commas or colons (a load for each input,
 * traffic), so that the beginning of the next value cannot be told, takes no list. The last option
 * given varies fastest, and is the x axis. */
static const struct {
    const char *option;
    bool number, whole;
    value_form form;
} rows[] = {
    WORD("topology"),
    WORD("buffer"),
    WORD("arbiter"),
    WORD("flow"),
    WORD("credit"),
    WORD("priority"),
    WORD("release"),
    WORD("pool-rule"),
    WORD("admission"),
    WHOLE("block"),
    WHOLE("max-packet"),
    WHOLE("hop-delay"),
    WHOLE("link-rest"),
    WHOLE("iterations"),
    WHOLE("stale"),
    WHOLE("queue-min"),
    WHOLE("queue-max"),
    NUMBER("alpha"),
    WHOLE("threshold"),
    NUMBER("burst"),
    NUMBER("high"),
    WORD("architecture"),
    NUMBER("speedup"),
    WHOLE("output-slots"),
    WHOLE("output-bytes"),
    WHOLE("crossbar-delay"),
    WHOLE("chunk"),
    WHOLE("fifos"),
    WHOLE("fifo-bytes"),
    WHOLE("module"),
    WHOLE("crosspoint-chunks"),
    WORD("banks"),
    WHOLE("lanes"),
    WHOLE("lane-flits"),
    WHOLE("lane-reserve"),
    WHOLE("lane-cells"),
    WHOLE("lane-pool"),
    WHOLE("pool-cells"),
    WHOLE("node-cells"),
    WORD("group-credit"),
    WORD("multicast-queue"),
    WORD("lane-choice"),
    WORD("lane-reuse"),
    WORD("lane-reserve-for"),
    WORD("routing"),
    WORD("choice"),
    WORD("sources"),
    WORD("scope"),
    WORD("read"),
    WORD("refused"),
    WHOLE("queue-limit"),
    WHOLE("path-hops"),
    WHOLE("link-delay"),
    WHOLE("flit"),
    WHOLE("crosspoint-slots"),
    WORD("departures"),
    WHOLE("ports"),
    WHOLE("stages"),
    WHOLE("bytes"),
    WHOLE("last-bytes"),
    WHOLE("slots"),
    {"load", true, false, WITHOUT_COMMAS},
    WORD("credit-unit"),
    WHOLE("credit-delay"),
    WHOLE("stop"),
    WHOLE("go"),
    WHOLE("xoff"),
    WHOLE("xon"),
    WHOLE("saqs"),
    WHOLE("interface-cold"),
    WHOLE("inspection-cycles"),
    WHOLE("detect"),
    WORD("management"),
    WORD("benchmark"),
    WHOLE("piece"),
    WHOLE("clock-ahead"),
    {"two-counter", false, false, COUNTERS},
    {"sender", false, false, SENDERS},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Finds, for each row whose option was given, the place where popt keeps the option's text. */
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

static size_t sender_length(const char *text)
{
    size_t length = strcspn(text, ",");

    while (text[length]) {
        const size_t part = strcspn(text + length + 1, ",");
        if (memchr(text + length + 1, ':', part))
            break;
        length += 1 + part;
    }
    return length;
}

/* Numbers that are not five belong together, and are refused together. */
static size_t counters_length(const char *text)
{
    size_t length = strcspn(text, ","), five = length;
    int numbers = 1;

    if (!isdigit((unsigned char)*text))
        return length;
    for (; text[length] && isdigit((unsigned char)text[length + 1]); numbers++) {
        length += 1 + strcspn(text + length + 1, ",");
        if (numbers < 5)
            five = length;
    }
    return numbers % 5 == 0 ? five : length;
}

/* The length of the first value of an option. */
static size_t value_length(const char *text, value_form form)
{
    return form == SENDERS    ? sender_length(text)
           : form == COUNTERS ? counters_length(text)
                              : strcspn(text, ",");
}

static int count_values(const char *text, value_form form)
{
    int count = 1;

    for (text += value_length(text, form); *text; text += value_length(text, form)) {
        text++;
        count++;
    }
    return count;
}

static swq_status read_words(swq_context *ctx, cli_axis *axis, value_form form)
{
    axis->count = count_values(axis->given, form);
    axis->value = calloc((size_t)axis->count, sizeof *axis->value);
    const char *at = axis->given;
    for (int k = 0; k < axis->count && axis->value; k++) {
        size_t length = value_length(at, form);
        axis->value[k] = strndup(at, length);
        if (!axis->value[k])
            return no_memory(ctx, axis->option);
        for (int j = 0; j < k; j++) {
            if (strcmp(axis->value[j], axis->value[k]) == 0)
                return swq_fail(ctx, SWQ_EINVAL, "--%s names '%.40s' twice", axis->option,
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

    *axes = (cli_axes){.table = table, .points = 1};
    find_slots(table, slot);
    for (int r = 0; r < ROWS && !status; r++) {
        const char *text = slot[r] ? *slot[r] : NULL;
        const bool range = rows[r].number && text && cli_is_range(text);
        const bool list = rows[r].number ? rows[r].form == LISTED : true;
        if (!text || !(range || (list && count_values(text, rows[r].form) > 1)))
            continue;
        if (axes->axes == CLI_MOST_AXES) {
            status = swq_fail(ctx, SWQ_EINVAL, "--%s is one range too many: at most %d",
                              rows[r].option, CLI_MOST_AXES);
            break;
        }
        cli_axis *axis = &axes->axis[axes->axes++];
        *axis = (cli_axis){
            .option = rows[r].option, .slot = slot[r], .given = *slot[r], .number = rows[r].number};
        status =
            range ? read_numbers(ctx, axis, rows[r].whole) : read_words(ctx, axis, rows[r].form);
        if (!status && (int64_t)axes->points * axis->count > CLI_MOST_RANGE_POINTS)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "--%s makes more than %d points; 'switchq sweep' takes more",
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
