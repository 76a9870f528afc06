/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of a fixed size that grow by parts.
 */
#ifndef SWQ_CLI_APPEND_H
#define SWQ_CLI_APPEND_H

#include <stddef.h>

/* Appends to a text in `size` bytes what fits of the words that `format` makes. Cost: O(length of
 * the text). */
void cli_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
