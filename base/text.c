/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts and numbers for other programs.
 */
#include "base/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char swq_replacement[] = "\xef\xbf\xbd";

size_t swq_character_bytes(const char *at)
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

void swq_csv_text(FILE *to, const char *text)
{
    const bool formula = *text && strchr("=+-@\t\r\n", *text),
               quoted = text[strcspn(text, ",\"\r\n")] != '\0';

    if (quoted)
        putc('"', to);
    if (formula)
        putc('\'', to);
    while (*text) {
        const size_t bytes = swq_character_bytes(text);
        if (*text == '"')
            putc('"', to);
        if (bytes)
            fwrite(text, 1, bytes, to);
        else
            fputs(swq_replacement, to);
        text += bytes ? bytes : 1;
    }
    if (quoted)
        putc('"', to);
}

const char *swq_number_text(double value, char text[40])
{
    static const char *const form[] = {"%.15g", "%.16g", "%.17g"}; /* quicker than "%.*g" */

    /* counts */
    if (value > 0 && value < 1e15 && value == (double)(uint64_t)value) {
        snprintf(text, 40, "%" PRIu64, (uint64_t)value);
        return text;
    }
    for (int k = 0; k < 3; k++) {
        snprintf(text, 40, form[k], value);
        if (k == 2 || strtod(text, NULL) == value) /* 17 digits always do */
            break;
    }
    return text;
}
