/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text in a shell's quotes.
 * Room: cli.
 */
#include "cli/help/completion.h"

#include <stdio.h>
#include <string.h>

void cli_print_escaped(const char *text, const char *escaped, const char *quote)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs(quote, stdout);
            continue;
        }
        if (strchr(escaped, *text))
            putchar('\\');
        putchar(*text == '\n' ? ' ' : *text);
    }
}
