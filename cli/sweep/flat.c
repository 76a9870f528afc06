/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers flattened.
 * Room: cli.
 */
#include "cli/sweep/flat.h"

#include <stdlib.h>
#include <string.h>

bool cli_flat_incidental(const char *name)
{
    static const char *const names[] = {"seconds", "cpu_seconds", "wall_seconds", "peak_bytes",
                                        "bytes"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(name, names[k]) == 0)
            return true;
    }
    return false;
}

/* key: [CLI_FLAT_KEY], the path to `value`, with room for the paths below it. */
static swq_status walk(const cJSON *value, char *key, cli_flat_fn *each, void *arg)
{
    const size_t length = strlen(key);
    swq_status status = SWQ_OK;

    if (cJSON_IsNumber(value) || cJSON_IsString(value) || cJSON_IsBool(value))
        return each(arg, key, value);
    if (!cJSON_IsObject(value))
        return SWQ_OK;
    for (const cJSON *child = value->child; child && !status; child = child->next) {
        if (cli_flat_incidental(child->string))
            continue;
        snprintf(key + length, CLI_FLAT_KEY - length, ".%s", child->string);
        status = walk(child, key, each, arg);
        key[length] = '\0';
    }
    return status;
}

swq_status cli_flat_walk(const cJSON *answer, cli_flat_fn *each, void *arg)
{
    const cJSON *points = cJSON_GetObjectItemCaseSensitive(answer, "points");
    char key[CLI_FLAT_KEY] = "points.0";
    swq_status status = SWQ_OK;

    if (cJSON_IsArray(points) && cJSON_GetArraySize(points) == 1)
        status = walk(points->child, key, each, arg);
    memcpy(key, "result", sizeof "result");
    return status ? status
                  : walk(cJSON_GetObjectItemCaseSensitive(answer, "result"), key, each, arg);
}

bool cli_flat_number(const cJSON *answer, const char *key, double *value)
{
    char part[CLI_FLAT_KEY];
    const cJSON *at = answer;

    while (at && *key) {
        const size_t length = strcspn(key, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, key);
        key += length + (key[length] == '.');
        at = !cJSON_IsArray(at) ? cJSON_GetObjectItemCaseSensitive(at, part)
             : cJSON_GetArraySize(at) == 1 && strcmp(part, "0") == 0 ? at->child
                                                                     : NULL;
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
    return cli_number_text(value->valuedouble, number);
}
