/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records as CSV: one row for each record and one for each item of its lists, all with the whole
 * configuration in front. A column has the name of its field; for a field of a group within a
 * group, or of an interval, the two names are joined by an underline. The column `part` says to
 * which part of the answer a row belongs: "all", or "stage 2".
 */
#include "base/context.h"
#include "base/text.h"
#include "cli/record/inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN = 96 };

typedef struct csv_field {
    char *column;
    char *text;
    bool words; /* else numbers */
} csv_field;

/* A row, or a header. */
typedef struct csv_row {
    csv_field *cell;
    int count, room;
    bool failed;
    bool strict; /* a column that exists already is a mistake: two quantities with the same name */
} csv_row;

static void clear_row(csv_row *r)
{
    for (int k = 0; k < r->count; k++) {
        free(r->cell[k].column);
        free(r->cell[k].text);
    }
    free(r->cell);
    *r = (csv_row){0};
}

/* Copies both. A second value for a column replaces the first: a part's value replaces the
 * whole's. */
static void set(csv_row *r, const char *column, const char *text, bool words)
{
    char *copy = strdup(text);

    for (int k = 0; k < r->count && copy; k++) {
        if (strcmp(r->cell[k].column, column) == 0) {
            assert(!r->strict);
            free(r->cell[k].text);
            r->cell[k].text = copy;
            r->cell[k].words = words;
            return;
        }
    }
    if (copy && r->count == r->room) {
        int room = 2 * r->room + 32;
        csv_field *grown = realloc(r->cell, (size_t)room * sizeof *grown);
        if (grown) {
            r->cell = grown;
            r->room = room;
        } else {
            free(copy);
            copy = NULL;
        }
    }
    char *name = copy ? strdup(column) : NULL;
    if (!name) {
        free(copy);
        r->failed = true;
        return;
    }
    r->cell[r->count++] = (csv_field){name, copy, words};
}

static void set_number(csv_row *r, const char *column, double value)
{
    char text[40] = "";

    if (isfinite(value))
        swq_number_text(value, text);
    set(r, column, text, false);
}

static void add_fields(csv_row *r, const cli_record *group, const char *prefix);

static void add_number(csv_row *r, const cli_record *f, const char *column)
{
    char name[2 * COLUMN];

    set_number(r, column, f->value);
    if (f->known == CLI_PROVEN || f->known == CLI_ERROR) {
        const char *stem = f->known == CLI_PROVEN ? f->stem : column;
        snprintf(name, sizeof name, "%s_%s", stem, f->known == CLI_PROVEN ? "lower" : "error");
        set_number(r, name, f->low);
        if (f->known == CLI_PROVEN) {
            snprintf(name, sizeof name, "%s_upper", stem);
            set_number(r, name, f->high);
        }
    } else if (f->known == CLI_INTERVAL) {
        snprintf(name, sizeof name, "%s_half_width", column);
        set_number(r, name, f->low);
        if (f->fraction) {
            snprintf(name, sizeof name, "%s_below", column);
            set_number(r, name, f->high);
        }
    }
    snprintf(name, sizeof name, "%s_", column);
    add_fields(r, f, name);
}

/* Several numbers or words in a cell, separated by semicolons; rows of them are separated by
 * blanks. */
static void add_several(csv_row *r, const cli_record *f, const char *column)
{
    size_t room = 40, used = 0;

    for (uint64_t k = 0; k < f->count; k++)
        room += f->words ? strlen(f->words[k]) + 1 : 40;
    char *text = calloc(room, 1), number[40];
    if (!text) {
        r->failed = true;
        return;
    }
    for (uint64_t k = 0; k < f->count; k++)
        used += (size_t)snprintf(text + used, room - used, "%s%s",
                                 k == 0                                               ? ""
                                 : f->rows && k % (f->count / (uint64_t)f->rows) == 0 ? " "
                                                                                      : ";",
                                 f->words ? f->words[k] : swq_number_text(f->numbers[k], number));
    set(r, column, text, f->words != NULL);
    free(text);
}

static void add_field(csv_row *r, const cli_record *f, const char *prefix)
{
    char column[COLUMN], text[40];

    if (*prefix && strcmp(f->key, "name") == 0) /* solver_name: the solver */
        snprintf(column, sizeof column, "%.*s", (int)strlen(prefix) - 1, prefix);
    else
        snprintf(column, sizeof column, "%s%s", prefix, f->key);
    switch (f->kind) {
    case CLI_NUMBER:
        add_number(r, f, column);
        break;
    case CLI_COUNT:
        snprintf(text, sizeof text, "%llu", (unsigned long long)f->count);
        set(r, column, text, false);
        break;
    case CLI_TRUTH:
        set(r, column, f->count ? "true" : "false", true);
        break;
    case CLI_WORD:
    case CLI_DECIMAL:
        set(r, column, f->text ? f->text : "", f->kind == CLI_WORD);
        break;
    case CLI_GROUP:
        snprintf(column, sizeof column, "%s%s%s", prefix, f->bare ? "" : f->key,
                 f->bare ? "" : "_");
        add_fields(r, f, column);
        break;
    case CLI_LIST:
    case CLI_SENTENCE:
        break;
    default:
        add_several(r, f, column);
    }
}

static void add_fields(csv_row *r, const cli_record *group, const char *prefix)
{
    for (const cli_record *f = group->child; f; f = f->next) {
        if (f->no_csv || (f->key && cli_incidental(f->key)))
            continue;
        add_field(r, f, prefix);
        cli_record same;
        if (cli_also_named(f, &same))
            add_field(r, &same, prefix);
    }
}

/* ---- rows of a record ---- */

typedef struct csv_table {
    csv_row header;
    csv_row *rows;
    int count, room;
    bool failed;
} csv_table;

static csv_row *next_row(csv_table *t)
{
    if (t->count == t->room) {
        int room = 2 * t->room + 16;
        csv_row *grown = realloc(t->rows, (size_t)room * sizeof *grown);
        if (!grown) {
            t->failed = true;
            return NULL;
        }
        t->rows = grown;
        t->room = room;
    }
    t->rows[t->count] = (csv_row){0};
    return &t->rows[t->count++];
}

/* The groups of the record itself (model, run, ...), except its result, whose fields come last. */
static void add_configuration(csv_row *r, const cli_record *root)
{
    char prefix[COLUMN];

    for (const cli_record *f = root->child; f && !f->points; f = f->next) {
        if (f->no_csv || f->result)
            continue;
        snprintf(prefix, sizeof prefix, "%s%s", f->prefixed ? f->key : "", f->prefixed ? "_" : "");
        if (f->kind == CLI_GROUP)
            add_fields(r, f, prefix);
        else
            add_field(r, f, "");
    }
}

/* above: the item that contains the row's list, if its fields are in the row; or NULL. */
static void add_row(csv_table *t, const cli_record *root, const char *part, const cli_record *above,
                    const cli_record *fields)
{
    csv_row *r = next_row(t);

    if (!r)
        return;
    r->strict = true;
    add_configuration(r, root);
    set(r, "part", part, true);
    r->strict = !fields || fields->result; /* a point has its own load */
    if (above)
        add_fields(r, above, "");
    if (fields)
        add_fields(r, fields, "");
    for (int k = 0; k < r->count; k++)
        set(&t->header, r->cell[k].column, "", true);
    t->failed = t->failed || r->failed || t->header.failed;
}

/* within: the name of the containing group, followed by a blank: "window 2 stages 1". */
static void add_lists(csv_table *t, const cli_record *root, const cli_record *group,
                      const char *within)
{
    char part[200], number[24];

    for (const cli_record *f = group->child; f; f = f->next) {
        if (f->no_csv)
            continue;
        if (f->kind == CLI_GROUP)
            add_lists(t, root, f, within);
        for (const cli_record *item = f->kind == CLI_LIST ? f->child : NULL; item;
             item = item->next) {
            snprintf(number, sizeof number, "%llu", (unsigned long long)item->count);
            snprintf(part, sizeof part, "%s%s %s", within, f->stem ? f->stem : f->key,
                     item->text ? item->text : number);
            if (!item->no_csv)
                add_row(t, root, part, f->bare ? group : NULL, item);
            snprintf(part + strlen(part), sizeof part - strlen(part), " ");
            add_lists(t, root, item, part);
        }
    }
}

/* The record from which rows are made: the result, or the list of points. */
static const cli_record *answers_of(const cli_record *root)
{
    for (const cli_record *f = root->child; f; f = f->next) {
        if (f->result || f->points)
            return f;
    }
    return NULL;
}

static void add_record(csv_table *t, const cli_record *root)
{
    const cli_record *answers = answers_of(root);

    if (!answers || !answers->points) {
        if (!root->no_csv)
            add_row(t, root, "all", NULL, answers);
        add_lists(t, root, root, "");
        return;
    }
    for (const cli_record *point = answers->child; point; point = point->next) {
        add_row(t, root, "all", NULL, point);
        add_lists(t, root, point, "");
    }
}

static const csv_field *cell_of(const csv_row *r, const char *column)
{
    for (int k = 0; k < r->count; k++) {
        if (strcmp(r->cell[k].column, column) == 0)
            return &r->cell[k];
    }
    return NULL;
}

/* A cell of words may contain any character, so it is quoted if necessary; a cell of numbers has
 * only characters that swq_number_text writes. */
static void print_cell(FILE *to, const csv_field *cell)
{
    if (cell && cell->words)
        swq_csv_text(to, cell->text);
    else if (cell)
        fputs(cell->text, to);
}

static void print_table(FILE *to, const csv_table *t)
{
    for (int k = 0; k < t->header.count; k++)
        fprintf(to, "%s%s", k ? "," : "", t->header.cell[k].column);
    putc('\n', to);
    for (int r = 0; r < t->count; r++) {
        for (int k = 0; k < t->header.count; k++) {
            fputs(k ? "," : "", to);
            print_cell(to, cell_of(&t->rows[r], t->header.cell[k].column));
        }
        putc('\n', to);
    }
}

swq_status cli_records_csv(swq_context *ctx, cli_record *const *root, int count, FILE *to)
{
    csv_table t = {0};

    for (int k = 0; k < count; k++) {
        add_record(&t, root[k]);
    }
    if (!t.failed)
        print_table(to, &t);
    swq_status status =
        t.failed ? swq_fail(ctx, SWQ_ENOMEM, "no memory for the CSV output") : SWQ_OK;
    for (int k = 0; k < t.count; k++)
        clear_row(&t.rows[k]);
    free(t.rows);
    clear_row(&t.header);
    return status;
}
