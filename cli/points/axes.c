/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options with several values.
 */
#include "base/context.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/points/points.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* A sender's name, alone or with a colon and parameters: bucket:0.1,64 or hpcc:eta=0.9,stages=0.
 * What follows a comma is another sender if it has a colon, or no equals sign after one that had,
 * or if there was no colon. */
static size_t sender_length(const char *text)
{
    size_t length = strcspn(text, ",");
    const bool parameters = memchr(text, ':', length), named = memchr(text, '=', length);

    while (parameters && text[length]) {
        const char *at = text + length + 1;
        const size_t part = strcspn(at, ",");
        if (memchr(at, ':', part) || (named && !memchr(at, '=', part)))
            break;
        length += 1 + part;
    }
    return length;
}

/* The length of the first value in a list of values of --two-counter: a word, or five numbers with
 * commas between. Fewer or more numbers in a row are one value, which is refused as a whole. */
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
static size_t value_length(const char *text, cli_axis_form form)
{
    return form == CLI_AXIS_SENDERS    ? sender_length(text)
           : form == CLI_AXIS_COUNTERS ? counters_length(text)
                                       : strcspn(text, ",");
}

static int count_values(const char *text, cli_axis_form form)
{
    int count = 1;

    for (text += value_length(text, form); *text; text += value_length(text, form)) {
        text++;
        count++;
    }
    return count;
}

static swq_status read_words(swq_context *ctx, cli_axis *axis, cli_axis_form form)
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

/* The order in which axes vary, the slowest first. */
static int rank_of(cli_axis_form form)
{
    return form < CLI_AXIS_WHOLE ? 0 : form < CLI_AXIS_SIZES ? 1 : form == CLI_AXIS_SIZES ? 2 : 3;
}

static swq_status add_axis(swq_context *ctx, cli_axes *axes, const cli_parameter *p)
{
    const cli_axis_form form = cli_axis_of(p);
    char **slot = p->option.arg;
    const bool number = form >= CLI_AXIS_WHOLE, range = number && cli_is_range(*slot);

    if (!range && (form == CLI_AXIS_LOADS || count_values(*slot, form) < 2))
        return SWQ_OK;
    if (axes->axes == CLI_MOST_AXES)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is one range too many: at most %d",
                        p->option.longName, CLI_MOST_AXES);
    cli_axis *axis = &axes->axis[axes->axes++];
    *axis =
        (cli_axis){.option = p->option.longName, .slot = slot, .given = *slot, .number = number};
    const bool whole = form == CLI_AXIS_WHOLE || form == CLI_AXIS_SIZES;
    swq_status status = range ? read_numbers(ctx, axis, whole) : read_words(ctx, axis, form);
    if (!status && (int64_t)axes->points * axis->count > CLI_MOST_RANGE_POINTS)
        status =
            swq_fail(ctx, SWQ_EINVAL, "--%s makes more than %d points; 'switchq sweep' takes more",
                     axis->option, CLI_MOST_RANGE_POINTS);
    axes->points *= axis->count;
    return status;
}

static bool has_axis(const cli_axes *axes, const char *option)
{
    for (int a = 0; a < axes->axes; a++) {
        if (strcmp(axes->axis[a].option, option) == 0)
            return true;
    }
    return false;
}

swq_status cli_axes_read(swq_context *ctx, const struct poptOption *table, cli_axes *axes)
{
    swq_status status = SWQ_OK;

    *axes = (cli_axes){.table = table, .points = 1};
    for (int rank = 0; rank < 4; rank++) {
        cli_options_walk w = cli_walk_options(table);
        for (const struct poptOption *o; !status && (o = cli_next_option(&w));) {
            const cli_parameter *p = cli_parameter_of(o);
            const cli_axis_form form = p ? cli_axis_of(p) : CLI_AXIS_NONE;
            if (form != CLI_AXIS_NONE && rank_of(form) == rank && cli_parameter_text(p) &&
                !has_axis(axes, o->longName))
                status = add_axis(ctx, axes, p);
        }
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
