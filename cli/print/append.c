/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of a fixed size that grow by parts.
 */
#include "cli/print/append.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cli_append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line above
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}
