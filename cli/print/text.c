/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of JSON and CSV. File names, words of the command line and messages that quote them may
 * hold any bytes; both formats are UTF-8.
 */
#include "cli/print/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* The length of the UTF-8 character at `at`; 0: there is none (RFC 3629, section 4). */
static size_t character(const char *at)
{
    static const struct {
        unsigned char first, last; /* of the first byte */
        unsigned char least, most; /* of the second */
        size_t bytes;
    } form[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *byte = (const unsigned char *)at;

    if (byte[0] < 0x80)
        return 1;
    for (size_t k = 0; k < sizeof form / sizeof *form; k++) {
        if (byte[0] < form[k].first || byte[0] > form[k].last)
            continue;
        if (byte[1] < form[k].least || byte[1] > form[k].most)
            return 0;
        for (size_t b = 2; b < form[k].bytes; b++) {
            if ((byte[b] & 0xc0) != 0x80) /* also detects the end of the text */
                return 0;
        }
        return form[k].bytes;
    }
    return 0;
}

/* Counts the bytes that are not UTF-8. */
static size_t strangers(const char *text)
{
    size_t count = 0;

    while (*text) {
        const size_t bytes = character(text);
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
        const size_t bytes = character(at), written = bytes ? bytes : strlen(replacement);
        memcpy(to, bytes ? at : replacement, written);
        to += written;
        at += bytes ? bytes : 1;
    }
    if (mended)
        *to = '\0';
    cJSON_free(text);
    return mended;
}

void cli_csv_text(FILE *to, const char *text)
{
    const bool formula = *text && strchr("=+-@\t\r\n", *text),
               quoted = text[strcspn(text, ",\"\r\n")] != '\0';

    if (quoted)
        putc('"', to);
    if (formula)
        putc('\'', to);
    while (*text) {
        const size_t bytes = character(text);
        if (*text == '"')
            putc('"', to);
        if (bytes)
            fwrite(text, 1, bytes, to);
        else
            fputs(replacement, to);
        text += bytes ? bytes : 1;
    }
    if (quoted)
        putc('"', to);
}
