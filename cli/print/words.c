/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words for people.
 */
#include "cli/print/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100 /* of a terminal */ };

void cli_capitals(const char *word, char *out, size_t size)
{
    size_t k = 0;

    for (; word[k] && k + 1 < size; k++)
        out[k] = (char)toupper((unsigned char)word[k]);
    out[k] = '\0';
}

/* A leading blank counts as part of the first word, so that a first line can be indented. */
void cli_print_wrapped(const char *text, int indent)
{
    int at = 0;

    for (const char *word = text; *word;) {
        int length = (int)(strspn(word, " ") + strcspn(word + strspn(word, " "), " "));
        if (at > 0 && at + 1 + length > WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
        } else if (at > 0) {
            putchar(' ');
            at++;
        }
        printf("%.*s", length, word);
        at += length;
        word += length;
        word += strspn(word, " ");
    }
    putchar('\n');
}
