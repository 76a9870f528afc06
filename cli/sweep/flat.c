/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers flattened.
 */
#include "cli/sweep/flat.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool cli_flat_incidental(const char *name)
{
    static const char *const names[] = {"seconds", "cpu_seconds", "wall_seconds", "peak_bytes",
                                        "memory_bytes"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(name, names[k]) == 0)
            return true;
    }
    return false;
}

bool cli_flat_is_number(const cJSON *value)
{
    return cJSON_IsNumber(value) || cJSON_IsRaw(value);
}

/* Does that part of an answer describe the question or the computation, and no result? */
static bool is_about(const char *part)
{
    static const char *const parts[] = {"model",      "method", "formula", "run",
                                        "invariants", "chain",  "solver",  "asked",
                                        "table",      "graph",  "sequence"};

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (strcmp(part, parts[k]) == 0)
            return true;
    }
    return false;
}

static const char *name_of(const cJSON *label)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(label, "name");

    return cJSON_IsString(name) ? name->valuestring : "";
}

static swq_status walk(const cJSON *value, char *key, cli_flat_fn *each, void *arg);

static swq_status walk_below(const cJSON *child, const char *name, char *key, cli_flat_fn *each,
                             void *arg)
{
    const size_t length = strlen(key);

    snprintf(key + length, CLI_FLAT_KEY - length, ".%s", name);
    swq_status status = walk(child, key, each, arg);
    key[length] = '\0';
    return status;
}

/* key: [CLI_FLAT_KEY], the path to `value`, with room for the paths below it. */
static swq_status walk(const cJSON *value, char *key, cli_flat_fn *each, void *arg)
{
    const bool labels = cJSON_IsArray(value) && strcmp(key, "result.labels") == 0;
    swq_status status = SWQ_OK;

    if (cli_flat_is_number(value) || cJSON_IsString(value) || cJSON_IsBool(value))
        return each(arg, key, value);
    if (!cJSON_IsObject(value) && !labels)
        return SWQ_OK;
    for (const cJSON *child = value->child; child && !status; child = child->next) {
        const char *name = labels ? name_of(child) : child->string;
        if (!cli_flat_incidental(name))
            status = walk_below(child, name, key, each, arg);
    }
    return status;
}

const char *cli_flat_found(const cJSON *answer)
{
    const cJSON *target = cJSON_GetObjectItemCaseSensitive(answer, "target");
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(target, "found");

    return cJSON_IsString(found) ? found->valuestring : "";
}

static swq_status walk_found(const cJSON *answer, char *key, cli_flat_fn *each, void *arg)
{
    const cJSON *model = cJSON_GetObjectItemCaseSensitive(answer, "model");
    const char *name = cli_flat_found(answer);

    snprintf(key, CLI_FLAT_KEY, "model");
    return walk_below(cJSON_GetObjectItemCaseSensitive(model, name), name, key, each, arg);
}

swq_status cli_flat_walk(const cJSON *answer, cli_flat_fn *each, void *arg)
{
    char key[CLI_FLAT_KEY];
    swq_status status = walk_found(answer, key, each, arg);

    for (const cJSON *part = answer ? answer->child : NULL; part && !status; part = part->next) {
        if (cJSON_IsObject(part) && !is_about(part->string)) {
            snprintf(key, sizeof key, "%s", part->string);
            status = walk(part, key, each, arg);
        } else if (strcmp(part->string, "points") == 0 && cJSON_GetArraySize(part) == 1) {
            snprintf(key, sizeof key, "points.0");
            status = walk(part->child, key, each, arg);
        }
    }
    return status;
}

/* An item of a list: "0" is the item of a list with a single one; a label is found by its name. */
static const cJSON *item_of(const cJSON *list, const char *part)
{
    if (cJSON_GetArraySize(list) == 1 && strcmp(part, "0") == 0)
        return list->child;
    for (const cJSON *item = list->child; item; item = item->next) {
        if (strcmp(list->string, "labels") == 0 && strcmp(name_of(item), part) == 0)
            return item;
    }
    return NULL;
}

bool cli_flat_number(const cJSON *answer, const char *key, double *value)
{
    char part[CLI_FLAT_KEY];
    const cJSON *at = answer;

    while (at && *key) {
        const size_t length = strcspn(key, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, key);
        key += length + (key[length] == '.');
        at = cJSON_IsArray(at) ? item_of(at, part) : cJSON_GetObjectItemCaseSensitive(at, part);
    }
    if (!at || !cJSON_IsNumber(at))
        return false;
    *value = at->valuedouble;
    return true;
}

const char *cli_flat_text(const cJSON *value, char number[40])
{
    if (cJSON_IsString(value))
        return value->valuestring;
    if (cJSON_IsBool(value))
        return cJSON_IsTrue(value) ? "true" : "false";
    return swq_number_text(value->valuedouble, number);
}
