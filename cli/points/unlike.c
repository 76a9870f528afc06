/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points of ranges that differ in more than the options of the ranges: a default may depend on
 * another option, and then two points are two machines. Nobody should learn that from the numbers.
 */
#include "base/names.h"
#include "cli/cli.h"
#include "cli/options/options.h"
#include "cli/points/points.h"
#include "cli/print/append.h"
#include "cli/record/inside.h"

#include <math.h>
#include <string.h>

enum { NAME = 40, VALUE = CLI_RECORD_VALUE, MOST_VALUES = 6, MOST_POINTS = 200, NOTE = 1000 };

/* Fields that follow from the kind of a buffer and its size: if only these differ, the points are
   still of the machine asked for.
 */
static const char *const of_a_buffer[] = {
    "scope",     "queues", "read", "queue-min", "queue-max", "alpha", "pool-rule",
    "admission", "ties",   "drop", "expel",     "congested", NULL};

static bool is_axis(const cli_axes *axes, const char *name)
{
    for (int a = 0; a < axes->axes; a++) {
        if (strcmp(axes->axis[a].option, name) == 0)
            return true;
    }
    return false;
}

/* The option that a field of the model shows, if it was not given; else false. */
static bool name_of(const cli_axes *axes, const cli_record *f, char *name)
{
    cli_option_of_key(f->key, name, NAME);
    return cli_option_named(axes->table, name, strlen(name)) && !cli_given(axes->table, name) &&
           !is_axis(axes, name) && !swq_name_is_among(name, of_a_buffer);
}

/* The values of a field at all points, in the order in which they come: "32768 or 128"; "" if there
 * is only one. Points whose model lacks the field are skipped, as the option does not apply to
 * them. */
static void list_values(const char *key, cli_record *const *record, int count, char *text,
                        size_t size)
{
    char value[MOST_VALUES][VALUE], its[VALUE];
    int values = 0;

    for (int k = 0; k < count && values < MOST_VALUES; k++) {
        const cli_record *model = cli_record_child(record[k], "model");
        const cli_record *f = model ? cli_record_child(model, key) : NULL;
        int same = 0;
        if (!f || !cli_record_value(f, its))
            continue;
        while (same < values && strcmp(value[same], its) != 0)
            same++;
        if (same == values)
            memcpy(value[values++], its, sizeof its);
    }
    *text = '\0';
    for (int v = 0; v < values && values > 1; v++)
        cli_append(text, size, "%s%s", v ? " or " : "", value[v]);
}

/* Has a record before record k the field `key`, so that the field has been compared already? */
static bool seen(cli_record *const *record, int k, const char *key)
{
    for (int before = 0; before < k; before++) {
        const cli_record *model = cli_record_child(record[before], "model");
        if (model && cli_record_child(model, key))
            return true;
    }
    return false;
}

/* Chooses the points to compare: points that differ in words alone, as different sizes are what a
 * range of numbers asks for. These are the points with the first value of each numeric axis.
 * Returns their number. */
static int choose(const cli_axes *axes, cli_record *const *record, const int *point, int count,
                  cli_record **chosen)
{
    int many = 0;

    for (int k = 0; k < count; k++) {
        bool first = true;
        for (int a = 0; a < axes->axes; a++)
            first = first && (!axes->axis[a].number || cli_axes_place(axes, point[k], a) == 0);
        if (first && many < MOST_POINTS)
            chosen[many++] = record[k];
    }
    return many;
}

void cli_points_tell_unlike(const cli_axes *axes, cli_record *const *all, const int *point,
                            int count)
{
    char name[NAME], values[MOST_VALUES * (VALUE + 4)];
    cli_record *record[MOST_POINTS];
    char text[NOTE];
    size_t used = 0;

    count = choose(axes, all, point, count, record);
    for (int k = 0; k < count; k++) {
        const cli_record *model = cli_record_child(record[k], "model");
        for (const cli_record *f = model ? model->child : NULL; f; f = f->next) {
            if (!name_of(axes, f, name) || seen(record, k, f->key))
                continue;
            list_values(f->key, record, count, values, sizeof values);
            if (!*values)
                continue;
            const int length = snprintf(text + used, sizeof text - used, "%s--%s %s",
                                        used ? ", " : "", name, values);
            used += (size_t)length < sizeof text - used ? (size_t)length : 0;
            text[used] = '\0';
        }
    }
    if (used)
        cli_note("the points differ in options that were not given, whose defaults depend on "
                 "others: %s",
                 text);
}
