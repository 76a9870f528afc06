/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words for people: paragraphs, and names as the papers print them.
 */
#ifndef SWQ_CLI_WORDS_H
#define SWQ_CLI_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Prints words, broken at the terminal's width; later lines are indented. */
void cli_print_wrapped(const char *text, int indent);

/* A buffer's name as papers print it: in capitals. */
void cli_capitals(const char *word, char *out, size_t size);

/* "s" unless the count is 1: "%d cycle%s". */
static inline const char *cli_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
