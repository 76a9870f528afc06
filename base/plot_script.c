/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of all scripts for gnuplot.
 */
#include "base/plot_script.h"

#include <stdbool.h>
#include <string.h>

/* Four octal digits: gnuplot reads a fourth one after \0, which would be the digit that follows. */
static void put_character(FILE *script, char c)
{
    if (strchr("\"'\\`\n", c))
        fprintf(script, "\\%04o", (unsigned)(unsigned char)c);
    else
        putc(c, script);
}

void swq_script_text(FILE *script, const char *text)
{
    putc('"', script);
    for (; *text; text++)
        put_character(script, *text);
    putc('"', script);
}

void swq_script_title(FILE *script, const char *title)
{
    enum { LINE = 100 }; /* characters, as wide as a drawing */
    size_t column = 0;

    fputs("set title \"", script);
    for (const char *at = title; *at; at++) {
        const bool breaks = *at == ' ' && column + 1 + strcspn(at + 1, " ") > LINE;
        column = breaks || *at == '\n' ? 0 : column + 1;
        put_character(script, breaks ? '\n' : *at);
    }
    fputs("\" noenhanced\n", script);
}
