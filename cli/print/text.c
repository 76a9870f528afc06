/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of JSON, which is UTF-8: file names, words of the command line and messages that quote
 * them may hold any bytes.
 */
#include "cli/print/text.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Counts the bytes that are not UTF-8. */
static size_t strangers(const char *text)
{
    size_t count = 0;

    while (*text) {
        const size_t bytes = swq_character_bytes(text);
        count += bytes == 0;
        text += bytes ? bytes : 1;
    }
    return count;
}

char *cli_json_text(const cJSON *tree, bool lines)
{
    char *text = !tree ? NULL : lines ? cJSON_Print(tree) : cJSON_PrintUnformatted(tree);
    const size_t strange = text ? strangers(text) : 0;

    if (!strange)
        return text;
    char *mended = malloc(strlen(text) + 2 * strange + 1), *to = mended;
    for (const char *at = text; mended && *at;) {
        const size_t bytes = swq_character_bytes(at),
                     written = bytes ? bytes : strlen(swq_replacement);
        memcpy(to, bytes ? at : swq_replacement, written);
        to += written;
        at += bytes ? bytes : 1;
    }
    if (mended)
        *to = '\0';
    cJSON_free(text);
    return mended;
}
