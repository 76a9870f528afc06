/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is made from a parameter's row.
 */
#include "cli/options/parameter.h"
#include "base/context.h"
#include "base/names.h"
#include "base/units.h"
#include "cli/options/files.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/print/append.h"

#include <math.h>
#include <string.h>

const char *cli_parameter_text(const cli_parameter *row)
{
    return cli_option_kind(&row->option) == POPT_ARG_STRING ? *(char **)row->option.arg : NULL;
}

cli_axis_form cli_axis_of(const cli_parameter *row)
{
    static const cli_axis_form of_kind[] = {
        [CLI_OWN] = CLI_AXIS_NONE,        [CLI_INT] = CLI_AXIS_WHOLE,
        [CLI_BIG] = CLI_AXIS_WHOLE,       [CLI_BYTES] = CLI_AXIS_WHOLE,
        [CLI_REAL] = CLI_AXIS_NUMBERS,    [CLI_CHOICE] = CLI_AXIS_WORDS,
        [CLI_EITHER] = CLI_AXIS_WORDS,    [CLI_NAMED] = CLI_AXIS_WORDS,
        [CLI_FLAG] = CLI_AXIS_NONE,       [CLI_UNFLAG] = CLI_AXIS_NONE,
        [CLI_TIME] = CLI_AXIS_WORDS,      [CLI_SIZE] = CLI_AXIS_WORDS,
        [CLI_SIZE_32] = CLI_AXIS_NUMBERS, [CLI_RATE] = CLI_AXIS_WORDS};

    return row->axis == CLI_AXIS_BY_KIND ? of_kind[row->kind] : row->axis;
}

/* ---- who takes a parameter ---- */

/* The row of a spec, whose first member is its name. */
static const void *row_of(const cli_owner *owner, const void *spec)
{
    const void *row;

    memcpy(&row, (const char *)spec + owner->at, sizeof row);
    return row;
}

static const char *name_of(const void *row)
{
    return *(const char *const *)row;
}

static void add(char *text, size_t size, const char *between, const char *word)
{
    cli_append(text, size, "%s%s", *text ? between : "", word);
}

/* "cioq and output-queued": the names of the rows that take the parameter. */
static void taking(const cli_taker *taker, const char *last, char *text, size_t size)
{
    const void *const *row = taker->owner->rows;
    int left = 0;

    *text = '\0';
    for (int k = 0; row[k]; k++)
        left += taker->takes(row[k]);
    for (int k = 0; row[k]; k++) {
        if (taker->takes(row[k]))
            add(text, size, --left == 0 ? last : ", ", name_of(row[k]));
    }
}

void cli_takers(const cli_parameter *p, const char *last, char *text, size_t size)
{
    *text = '\0';
    for (int k = 0; k < CLI_MOST_TAKERS && p->takers[k].owner; k++) {
        char names[300], whole[360];
        taking(&p->takers[k], last, names, sizeof names);
        snprintf(whole, sizeof whole, "--%s %s", p->takers[k].owner->option, names);
        add(text, size, ", or ", whole);
    }
}

static bool taken(const cli_taker *taker, const void *spec)
{
    const void *row = row_of(taker->owner, spec);

    return row && taker->takes(row);
}

/* Does the spec's row of each owner, or of any, take the parameter? */
static bool is_taken(const cli_parameter *p, const void *spec)
{
    bool all = true, any = false;

    for (int k = 0; k < CLI_MOST_TAKERS && p->takers[k].owner; k++) {
        const bool takes = taken(&p->takers[k], spec);
        all = all && takes;
        any = any || takes;
    }
    return p->any ? any : all;
}

static swq_status refuse(swq_context *ctx, const cli_parameter *p, const cli_taker *taker,
                         const void *spec)
{
    const cli_owner *owner = taker->owner;
    const char *name = owner->name ? owner->name(spec) : name_of(row_of(owner, spec));
    char text[900];

    if (p->any)
        cli_takers(p, " and ", text, sizeof text);
    else
        taking(taker, " and ", text, sizeof text);
    return swq_fail(ctx, SWQ_EINVAL, "--%s is for %s%s%s%s, not for %s%s%s%s%s%s",
                    p->option.longName, p->any ? "" : "--", p->any ? "" : owner->option,
                    p->any ? "" : " ", text, p->any ? "--" : "", p->any ? owner->option : "",
                    p->any ? " " : "", name, p->instead ? ", which has " : "",
                    p->instead ? p->instead : "");
}

swq_status cli_refuse_idle(swq_context *ctx, const struct poptOption *table, const cli_owner *owner,
                           const void *spec)
{
    cli_options_walk w = cli_walk_options(table);

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        const cli_parameter *p = cli_parameter_of(o);
        if (!p || !cli_is_given(o))
            continue;
        for (int k = 0; k < CLI_MOST_TAKERS && p->takers[k].owner; k++) {
            if (p->takers[k].owner != owner || (p->any && k > 0))
                continue;
            if (p->any ? !is_taken(p, spec) : !taken(&p->takers[k], spec))
                return refuse(ctx, p, &p->takers[k], spec);
        }
    }
    return SWQ_OK;
}

static bool is_given_as(const struct poptOption *table, const char *needed)
{
    const size_t length = strcspn(needed, " ");
    const struct poptOption *o = cli_option_named(table, needed, length);

    return cli_is_given(o) &&
           (!needed[length] || strcmp(*(char **)o->arg, needed + length + 1) == 0);
}

swq_status cli_refuse_lacking(swq_context *ctx, const struct poptOption *table,
                              const struct poptOption *all, unsigned engine)
{
    cli_options_walk w = cli_walk_options(table);

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        const cli_parameter *p = cli_parameter_of(o);
        if (!p || !cli_is_given(o) || ((unsigned)o->val & ~(unsigned)CLI_IS_PARAMETER) != engine)
            continue;
        for (int k = 0; k < CLI_MOST_NEEDS && p->needs[k]; k++) {
            if (!is_given_as(all, p->needs[k]))
                return swq_fail(ctx, SWQ_EINVAL, "--%s %s --%s", o->longName,
                                strchr(p->needs[k], ' ') ? "is for" : "needs", p->needs[k]);
        }
        if (p->excludes && cli_given(all, p->excludes))
            return swq_fail(ctx, SWQ_EINVAL, "--%s and --%s cannot both be given", o->longName,
                            p->excludes);
    }
    return SWQ_OK;
}

/* ---- help ---- */

/* Who takes a parameter, what the parameter is, and its default. */
static void add_about(const cli_parameter *p, char *text, size_t size)
{
    const cli_default *d = p->defaults;

    for (int k = 0; k < CLI_MOST_TAKERS && p->takers[k].owner && !p->general; k++) {
        char names[300], whole[360];
        taking(&p->takers[k], ", ", names, sizeof names);
        snprintf(whole, sizeof whole, "%s%s", p->takers[k].owner->before, names);
        if (!strstr(text, whole))
            add(text, size, ", ", whole);
    }
    add(text, size, ": ", p->about);
    if (p->preset && p->preset[0])
        cli_append(text, size, " (%s)", p->preset);
    else if (!p->preset && d && d->value && d->value[0] != '(' && !strstr(p->about, "(default"))
        cli_append(text, size, " (default %s)", d->value);
}

const char *cli_option_help(const struct poptOption *option, char *text, size_t size)
{
    const cli_parameter *p = cli_parameter_of(option);

    *text = '\0';
    if (!p || !p->about)
        add(text, size, "", option->descrip ? option->descrip : "");
    else
        add_about(p, text, size);
    if (cli_files_written(option))
        add(text, size, "", CLI_MAKES_FOLDERS);
    return text;
}

/* ---- reading ---- */

static swq_status read_number(swq_context *ctx, const cli_parameter *p, const char *text,
                              void *spec)
{
    const int most = p->highest ? p->highest(spec) : (int)p->most;
    int number = 0, unit = 1;
    swq_status status = cli_integer(ctx, p->option.longName, text, (int)p->least, most, &number);

    if (p->kind == CLI_BYTES)
        memcpy(&unit, (char *)spec + p->scale, sizeof unit);
    if (!status && number % unit)
        status = swq_fail(ctx, SWQ_EINVAL, "--%s must be a multiple of --flit %d, not %d",
                          p->option.longName, unit, number);
    if (status)
        return status;
    number /= unit;
    memcpy((char *)spec + p->at, &number, sizeof number);
    return SWQ_OK;
}

static swq_status read_word(swq_context *ctx, const cli_parameter *p, const char *text, void *spec)
{
    int place = 0;
    const swq_status status = cli_word(ctx, p->option.longName, text, p->words, &place);
    const bool second = place == 1;

    if (!status && p->kind == CLI_EITHER)
        memcpy((char *)spec + p->at, &second, sizeof second);
    else if (!status)
        memcpy((char *)spec + p->at, &place, sizeof place);
    return status;
}

static swq_status read_row(swq_context *ctx, const cli_parameter *p, const char *text, void *spec)
{
    char what[40];

    snprintf(what, sizeof what, "--%s", p->option.longName);
    const void *row = swq_name_lookup(ctx, what, text, p->rows);
    if (!row)
        return SWQ_EINVAL;
    memcpy((char *)spec + p->at, &row, sizeof row);
    return SWQ_OK;
}

bool cli_has_unit(const cli_parameter *p)
{
    return p->kind == CLI_TIME || p->kind == CLI_SIZE || p->kind == CLI_SIZE_32 ||
           p->kind == CLI_RATE;
}

static swq_status read_quantity(swq_context *ctx, const cli_parameter *p, const char *text,
                                void *spec)
{
    const swq_unit_kind unit = p->kind == CLI_TIME   ? SWQ_UNITS_TIME
                               : p->kind == CLI_RATE ? SWQ_UNITS_RATE
                                                     : SWQ_UNITS_SIZE;
    uint64_t value = 0;
    char what[40];

    snprintf(what, sizeof what, "--%s", p->option.longName);
    const swq_status status =
        swq_units_read(ctx, what, unit, text, (uint64_t)p->least, (uint64_t)p->most, &value);
    const uint32_t narrow = (uint32_t)value;
    if (!status && p->kind == CLI_SIZE_32)
        memcpy((char *)spec + p->at, &narrow, sizeof narrow);
    else if (!status)
        memcpy((char *)spec + p->at, &value, sizeof value);
    return status;
}

static swq_status read_one(swq_context *ctx, const cli_parameter *p, void *spec)
{
    const char *text = cli_parameter_text(p);
    const bool yes = true;
    double number = 0;
    uint64_t big = 0;
    swq_status status;

    if ((p->kind == CLI_FLAG || p->kind == CLI_UNFLAG) && cli_is_given(&p->option))
        memcpy((char *)spec + p->at, &yes, sizeof yes);
    if (!text)
        return SWQ_OK;
    if (p->read)
        return p->read(ctx, text, spec);
    switch (p->kind) {
    case CLI_INT:
    case CLI_BYTES:
        return read_number(ctx, p, text, spec);
    case CLI_REAL:
        status = cli_number(ctx, p->option.longName, text, p->least, p->most, &number);
        if (!status)
            memcpy((char *)spec + p->at, &number, sizeof number);
        return status;
    case CLI_BIG:
        status = cli_big(ctx, p->option.longName, text, p->least, p->most, &big);
        if (!status)
            memcpy((char *)spec + p->at, &big, sizeof big);
        return status;
    case CLI_CHOICE:
    case CLI_EITHER:
        return read_word(ctx, p, text, spec);
    case CLI_NAMED:
        return read_row(ctx, p, text, spec);
    case CLI_TIME:
    case CLI_SIZE:
    case CLI_SIZE_32:
    case CLI_RATE:
        return read_quantity(ctx, p, text, spec);
    default:
        return SWQ_OK;
    }
}

swq_status cli_parameters_read(swq_context *ctx, const cli_parameter *table, void *spec)
{
    swq_status status = SWQ_OK;

    for (const cli_parameter *p = table; p->option.longName && !status; p++)
        status = read_one(ctx, p, spec);
    return status;
}

static const cli_parameter *find(const cli_parameter *table, const char *option)
{
    while (strcmp(table->option.longName, option) != 0)
        table++;
    return table;
}

swq_status cli_parameter_read(swq_context *ctx, const cli_parameter *table, const char *option,
                              void *spec)
{
    return read_one(ctx, find(table, option), spec);
}

/* ---- answers ---- */

static void put_number(cli_record *model, const cli_parameter *p, const void *spec)
{
    int number, unit = 1;

    memcpy(&number, (const char *)spec + p->at, sizeof number);
    if (p->kind == CLI_BYTES)
        memcpy(&unit, (const char *)spec + p->scale, sizeof unit);
    cli_put_count(model, p->key, (uint64_t)number * (uint64_t)unit);
}

static void put_one(cli_record *model, const cli_parameter *p, const void *spec)
{
    const char *at = (const char *)spec + p->at;
    double real;
    uint64_t big;
    uint32_t number;
    bool truth;
    int place;
    const void *row;

    switch (p->kind) {
    case CLI_INT:
    case CLI_BYTES:
        put_number(model, p, spec);
        break;
    case CLI_SIZE_32:
        memcpy(&number, at, sizeof number);
        cli_put_count(model, p->key, number);
        break;
    case CLI_TIME:
        memcpy(&big, at, sizeof big);
        cli_put_number(model, p->key, (double)big / 1e3);
        break;
    case CLI_BIG:
    case CLI_SIZE:
    case CLI_RATE:
        memcpy(&big, at, sizeof big);
        cli_put_count(model, p->key, big);
        break;
    case CLI_REAL:
        memcpy(&real, at, sizeof real);
        cli_put_number(model, p->key, real);
        break;
    case CLI_CHOICE:
        memcpy(&place, at, sizeof place);
        cli_put_word(model, p->key, p->words[place]);
        break;
    case CLI_EITHER:
        memcpy(&truth, at, sizeof truth);
        cli_put_word(model, p->key, p->words[truth]);
        break;
    case CLI_NAMED:
        memcpy(&row, at, sizeof row);
        cli_put_word(model, p->key, name_of(row));
        break;
    case CLI_FLAG:
    case CLI_UNFLAG:
        memcpy(&truth, at, sizeof truth);
        cli_put_truth(model, p->key, truth == (p->kind == CLI_FLAG));
        break;
    case CLI_OWN:
        break;
    }
}

static void put_if_taken(cli_record *model, const cli_parameter *p, const void *spec)
{
    if (!is_taken(p, spec) || (p->shown && !p->shown(spec)))
        return;
    if (p->put)
        p->put(model, spec);
    else if (p->said)
        cli_put_number(model, p->key, p->said(spec));
    else if (p->key)
        put_one(model, p, spec);
}

void cli_parameters_put(cli_record *model, const cli_parameter *table, const void *spec)
{
    for (const cli_parameter *p = table; p->option.longName; p++)
        put_if_taken(model, p, spec);
}

void cli_parameter_put(cli_record *model, const cli_parameter *table, const char *option,
                       const void *spec)
{
    put_if_taken(model, find(table, option), spec);
}
