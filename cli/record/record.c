/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building records.
 */
#include "cli/answer.h"
#include "cli/record/inside.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* Fields and their texts are allocated from blocks that belong to the root, newest first. */
struct cli_record_block {
    struct cli_record_block *older;
    size_t used, room;
    max_align_t bytes[];
};

enum { BLOCK = 16 << 10 };

static struct cli_record_block *new_block(size_t bytes, struct cli_record_block *older)
{
    const size_t room = bytes > BLOCK ? bytes : BLOCK;
    struct cli_record_block *block = malloc(sizeof *block + room);

    if (block) {
        block->older = older;
        block->used = 0;
        block->room = room;
    }
    return block;
}

/* Not cleared; NULL: no memory. */
static void *take(struct cli_record_block **newest, size_t bytes)
{
    const size_t unit = sizeof(max_align_t), size = (bytes + unit - 1) / unit * unit;

    if (!*newest || (*newest)->room - (*newest)->used < size) {
        struct cli_record_block *block = new_block(size, *newest);
        if (!block)
            return NULL;
        *newest = block;
    }
    void *taken = (char *)(*newest)->bytes + (*newest)->used;
    (*newest)->used += size;
    return taken;
}

static char *copy_of(const cli_record *in, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = take(&in->root->blocks, size);

    return copy ? memcpy(copy, text, size) : NULL;
}

static cli_record *failed(cli_record *in)
{
    if (in)
        in->root->failed = true;
    return NULL;
}

cli_record *cli_record_new(const char *schema)
{
    struct cli_record_block *blocks = NULL;
    cli_record *root = take(&blocks, sizeof *root);

    if (!root)
        return NULL;
    *root = (cli_record){.blocks = blocks};
    root->root = root;
    cli_quietly(cli_not_in_csv(cli_put_word(root, "schema", schema)));
    return root;
}

void cli_record_free(cli_record *root)
{
    for (struct cli_record_block *block = root ? root->blocks : NULL; block;) {
        struct cli_record_block *older = block->older; /* the root is in the oldest */
        free(block);
        block = older;
    }
}

static cli_record *put(cli_record *in, cli_record_kind kind, const char *key)
{
    cli_record *field = in ? take(&in->root->blocks, sizeof *field) : NULL;

    if (!field)
        return failed(in);
    *field = (cli_record){
        .kind = kind, .key = key, .root = in->root, .value = NAN, .low = NAN, .high = NAN};
    if (in->last)
        in->last->next = field;
    else
        in->child = field;
    in->last = field;
    return field;
}

static cli_record *with_text(cli_record *field, const char *text)
{
    if (!field || !text)
        return field;
    field->text = copy_of(field, text);
    return field->text ? field : failed(field);
}

/* ---- groups ---- */

cli_record *cli_put_group(cli_record *in, const char *key, const char *title)
{
    cli_record *group = put(in, CLI_GROUP, key);

    if (group)
        group->title = title;
    return group;
}

cli_record *cli_put_list(cli_record *in, const char *key, const char *title)
{
    cli_record *list = put(in, CLI_LIST, key);

    if (list)
        list->title = title;
    return list;
}

cli_record *cli_put_named(cli_record *in, const char *key, const char *title)
{
    cli_record *list = cli_put_list(in, key, title);

    if (list)
        list->named = true;
    return list;
}

cli_record *cli_put_points(cli_record *in, const char *key)
{
    cli_record *list = cli_quietly(cli_put_list(in, key, NULL));

    if (list)
        list->points = true;
    return list;
}

cli_record *cli_told(cli_record *points, const char *title)
{
    if (points) {
        points->title = title;
        points->quiet = false;
    }
    return points;
}

cli_record *cli_put_item(cli_record *list, const char *name)
{
    cli_record *item = put(list, CLI_GROUP, list ? list->key : NULL);

    if (!item)
        return NULL;
    item->count = ++list->count;
    return with_text(item, name);
}

cli_record *cli_record_child(const cli_record *in, const char *key)
{
    for (cli_record *f = in && key ? in->child : NULL; f; f = f->next) {
        if (f->key && strcmp(f->key, key) == 0)
            return f;
    }
    return NULL;
}

void cli_record_drop(cli_record *in, const char *key)
{
    cli_record *field = cli_record_child(in, key), *before = NULL;

    if (!field)
        return;
    for (cli_record *f = in->child; f != field; f = f->next)
        before = f;
    if (before)
        before->next = field->next;
    else
        in->child = field->next;
    in->last = in->last == field ? before : in->last;
}

/* ---- fields ---- */

cli_record *cli_put_number(cli_record *in, const char *key, double value)
{
    cli_record *field = put(in, CLI_NUMBER, key);

    if (field)
        field->value = value;
    return field;
}

cli_record *cli_put_count(cli_record *in, const char *key, uint64_t value)
{
    cli_record *field = put(in, CLI_COUNT, key);

    if (field)
        field->count = value;
    return field;
}

cli_record *cli_put_word(cli_record *in, const char *key, const char *word)
{
    return with_text(put(in, CLI_WORD, key), word);
}

cli_record *cli_put_decimal(cli_record *in, const char *key, const char *digits)
{
    return with_text(put(in, CLI_DECIMAL, key), digits);
}

cli_record *cli_put_truth(cli_record *in, const char *key, bool value)
{
    cli_record *field = put(in, CLI_TRUTH, key);

    if (field)
        field->count = value;
    return field;
}

cli_record *cli_put_numbers(cli_record *in, const char *key, const double *value, int count)
{
    cli_record *field = put(in, CLI_NUMBERS, key);

    if (!field || count == 0)
        return field;
    field->numbers = take(&in->root->blocks, (size_t)count * sizeof *value);
    if (!field->numbers)
        return failed(field);
    memcpy(field->numbers, value, (size_t)count * sizeof *value);
    field->count = (uint64_t)count;
    return field;
}

cli_record *cli_put_rows(cli_record *in, const char *key, const char *title, const char *name,
                         const double *value, int rows, int columns)
{
    cli_record *field = cli_put_numbers(in, key, value, rows * columns);

    if (!field)
        return NULL;
    field->kind = CLI_ROWS;
    field->title = title;
    field->label = name;
    field->rows = rows;
    field->quiet = title == NULL;
    return field;
}

cli_record *cli_put_words(cli_record *in, const char *key, const char *const *word, int count)
{
    cli_record *field = put(in, CLI_WORDS, key);

    if (!field || count == 0)
        return field;
    field->words = take(&in->root->blocks, (size_t)count * sizeof *field->words);
    if (!field->words)
        return failed(field);
    for (int k = 0; k < count; k++) {
        field->words[k] = copy_of(field, word[k]);
        if (!field->words[k])
            return failed(field);
        field->count++;
    }
    return field;
}

static cli_record *put_known(cli_record *in, const char *key, cli_knowledge known, double value,
                             double low, double high)
{
    cli_record *field = cli_put_number(in, key, value);

    if (!field)
        return NULL;
    field->known = known;
    field->low = low;
    field->high = high;
    return field;
}

cli_record *cli_put_estimate(cli_record *in, const char *key, swq_estimate e)
{
    return put_known(in, key, CLI_INTERVAL, e.mean, e.half_width, NAN);
}

cli_record *cli_put_mean(cli_record *in, const char *key, double mean)
{
    return put_known(in, key, CLI_ALONE, mean, NAN, NAN);
}

cli_record *cli_put_fraction(cli_record *in, const char *key, swq_estimate e, double below,
                             const cli_trials *trials)
{
    cli_record *field =
        put_known(in, key, CLI_INTERVAL, e.mean, isnan(below) ? e.half_width : INFINITY, below);

    if (!field)
        return NULL;
    field->fraction = true;
    if (trials) {
        field->count = trials->number;
        field->title = trials->trials;
        field->condition = trials->condition;
    }
    return field;
}

cli_record *cli_put_proven(cli_record *in, const char *key, const char *stem, const swq_mean *mean)
{
    cli_record *field = put_known(in, key, CLI_PROVEN, mean->value, mean->lower, mean->upper);

    if (field)
        field->stem = stem;
    return field;
}

cli_record *cli_put_known(cli_record *in, const char *key, const swq_known *known)
{
    return put_known(in, key, CLI_ERROR, known->value, known->error, NAN);
}

/* ---- how a field is shown ---- */

/* Functions that set a member of a field, and accept NULL. */
#define MARKS(name, member)                                                                        \
    cli_record *name(cli_record *field)                                                            \
    {                                                                                              \
        if (field)                                                                                 \
            field->member = true;                                                                  \
        return field;                                                                              \
    }
#define CALLS(name, member)                                                                        \
    cli_record *name(cli_record *field, const char *text)                                          \
    {                                                                                              \
        if (field)                                                                                 \
            field->member = text;                                                                  \
        return field;                                                                              \
    }

MARKS(cli_quietly, quiet)
MARKS(cli_abridged, abridged)
MARKS(cli_with_intervals, intervals)
MARKS(cli_the_result, result)
MARKS(cli_prefixed, prefixed)
MARKS(cli_bare, bare)
MARKS(cli_not_in_csv, no_csv)
MARKS(cli_not_in_json, no_json)
MARKS(cli_in_full, in_full)
MARKS(cli_in_percent, in_percent)
MARKS(cli_in_words, in_words)
MARKS(cli_in_columns, in_columns)
CALLS(cli_labelled, label)
CALLS(cli_in_unit, unit)
CALLS(cli_parts_called, stem)

cli_record *cli_as_grid(cli_record *list, const char *corner, int columns)
{
    if (list) {
        list->title = corner;
        list->columns = columns;
        list->quiet = false;
    }
    return list;
}

/* ---- words ---- */

enum { MOST_WORDS = 4096 };

/* Replaces *words; `in`: any field of the same record. */
static bool set_words(cli_record *in, char **words, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));

static bool set_words(cli_record *in, char **words, const char *format, va_list list)
{
    char text[MOST_WORDS];

    if (cli_answer_wanted()) /* the question gets JSON */
        return true;
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): whoever calls has started it
    vsnprintf(text, sizeof text, format, list);
    *words = copy_of(in, text);
    if (!*words)
        failed(in);
    return *words != NULL;
}

#define WORDS(name, member)                                                                        \
    cli_record *name(cli_record *field, const char *format, ...)                                   \
    {                                                                                              \
        va_list list;                                                                              \
                                                                                                   \
        va_start(list, format);                                                                    \
        const bool set = field && set_words(field, &field->member, format, list);                  \
        va_end(list);                                                                              \
        return set ? field : NULL;                                                                 \
    }

WORDS(cli_titled, heading)
WORDS(cli_in_place, text)
WORDS(cli_remark, heading)

/* Begins a sentence, which is printed in text alone; NULL if the answer is wanted as JSON within
 * this process. */
static cli_record *put_sentence(cli_record *in, const char *key)
{
    return cli_answer_wanted() ? NULL : cli_not_in_csv(put(in, CLI_SENTENCE, key));
}

void cli_say(cli_record *in, const char *format, ...)
{
    cli_record *sentence = put_sentence(in, NULL);
    va_list list;

    va_start(list, format);
    if (sentence)
        set_words(sentence, &sentence->text, format, list);
    va_end(list);
}

void cli_tell(cli_record *in, int indent, const char *format, ...)
{
    cli_record *sentence = put_sentence(in, NULL);
    va_list list;

    va_start(list, format);
    if (sentence && set_words(sentence, &sentence->text, format, list)) {
        sentence->wrapped = true;
        sentence->indent = indent;
    }
    va_end(list);
}

void cli_show(cli_record *item, const char *line, const char *format, ...)
{
    cli_record *sentence = cli_quietly(put_sentence(item, line));
    va_list list;

    va_start(list, format);
    if (sentence)
        set_words(sentence, &sentence->text, format, list);
    va_end(list);
}
