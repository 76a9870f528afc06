/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding an item of an answer by its path, and reading it. Inline, so that tests, which do not
 * link the program's files, use it as well.
 */
#ifndef SWQ_CLI_JSON_PATH_H
#define SWQ_CLI_JSON_PATH_H

#include "cli/print/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The item at a path such as "result.points.0.name", in which numbers are indices of lists; NULL if
 * there is none. */
static inline const cJSON *cli_json_at(const cJSON *tree, const char *path)
{
    char name[80];

    for (const char *rest = path; tree && *rest;) {
        const size_t length = strcspn(rest, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, rest);
        tree = cJSON_IsArray(tree) ? cJSON_GetArrayItem(tree, atoi(name))
                                   : cJSON_GetObjectItemCaseSensitive(tree, name);
        rest += length + (rest[length] == '.');
    }
    return tree;
}

/* The value as a number, with all its digits: a fresh answer has its numbers as text, an answer
 * read from a file has them as numbers. NAN: it is none, or NULL. */
static inline double cli_json_as_number(const cJSON *value)
{
    if (!value)
        return NAN;
    return cJSON_IsRaw(value)      ? strtod(value->valuestring, NULL)
           : cJSON_IsNumber(value) ? value->valuedouble
                                   : NAN;
}

#endif
