/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A record as JSON. A quantity with an interval is an object of mean and half_width; one with
 * proven bounds has them beside it.
 */
#include "cli/record/inside.h"

#include <math.h>
#include <string.h>

static cJSON *group_of(const cli_record *group);

/* A count may have more digits than a JSON number can hold. */
static cJSON *count_of(uint64_t count)
{
    char text[24];

    if (count < UINT64_C(1) << 53)
        return cJSON_CreateNumber((double)count);
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    return cJSON_CreateString(text);
}

static void add_bound(cJSON *to, const char *stem, const char *end, double value)
{
    char key[80];

    snprintf(key, sizeof key, "%s_%s", stem, end);
    cli_json_number(to, key, value);
}

static void add_fields(cJSON *to, const cli_record *group);

static void add_number(cJSON *to, const cli_record *f)
{
    if (f->known == CLI_INTERVAL || f->known == CLI_ALONE) {
        cJSON *object = cJSON_AddObjectToObject(to, f->key);
        cli_json_number(object, "mean", f->value);
        cli_json_number(object, "half_width", f->low);
        add_fields(object, f);
        if (isfinite(f->high))
            cli_json_number(object, "below", f->high);
        return;
    }
    cli_json_number(to, f->key, f->value);
    if (f->known == CLI_PROVEN) {
        add_bound(to, f->stem, "lower", f->low);
        add_bound(to, f->stem, "upper", f->high);
    } else if (f->known == CLI_ERROR) {
        add_bound(to, f->key, "error", f->low);
    }
}

static cJSON *words_of(const cli_record *f)
{
    cJSON *array = cJSON_CreateArray();

    for (uint64_t k = 0; k < f->count; k++)
        cJSON_AddItemToArray(array, cJSON_CreateString(f->words[k]));
    return array;
}

static cJSON *rows_of(const cli_record *f)
{
    cJSON *array = cJSON_CreateArray();
    const int columns = f->rows ? (int)f->count / f->rows : 0;

    for (int r = 0; r < f->rows; r++)
        cJSON_AddItemToArray(array, cli_json_numbers(f->numbers + r * columns, columns));
    return array;
}

static cJSON *list_of(const cli_record *list)
{
    cJSON *items = list->named ? cJSON_CreateObject() : cJSON_CreateArray();

    for (const cli_record *item = list->child; item; item = item->next) {
        if (list->named)
            cJSON_AddItemToObject(items, item->text, group_of(item));
        else
            cJSON_AddItemToArray(items, group_of(item));
    }
    return items;
}

static cJSON *item_of(const cli_record *f)
{
    switch (f->kind) {
    case CLI_GROUP:
        return group_of(f);
    case CLI_LIST:
        return list_of(f);
    case CLI_COUNT:
        return count_of(f->count);
    case CLI_WORD:
        return f->text ? cJSON_CreateString(f->text) : cJSON_CreateNull();
    case CLI_DECIMAL:
        return cJSON_CreateRaw(f->text);
    case CLI_TRUTH:
        return cJSON_CreateBool(f->count != 0);
    case CLI_NUMBERS:
        return cli_json_numbers(f->numbers, (int)f->count);
    case CLI_ROWS:
        return rows_of(f);
    default:
        return words_of(f);
    }
}

static void add_field(cJSON *to, const cli_record *f)
{
    if (f->kind == CLI_NUMBER)
        add_number(to, f);
    else if (f->kind != CLI_SENTENCE && !f->no_json)
        cJSON_AddItemToObject(to, f->key, item_of(f));
}

static void add_fields(cJSON *to, const cli_record *group)
{
    for (const cli_record *f = group->child; f; f = f->next) {
        cli_record same;
        add_field(to, f);
        if (cli_also_named(f, &same))
            add_field(to, &same);
    }
}

static cJSON *group_of(const cli_record *group)
{
    cJSON *object = cJSON_CreateObject();

    add_fields(object, group);
    return object;
}

cJSON *cli_record_json(const cli_record *root)
{
    return root && !root->failed ? group_of(root) : NULL;
}
