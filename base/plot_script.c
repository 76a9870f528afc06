/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of all scripts for gnuplot. Room: base.
 */
#include "base/plot_script.h"

#include <string.h>

void swq_script_text(FILE *script, const char *text)
{
    putc('"', script);
    for (; *text; text++) {
        if (strchr("\"'\\`\n", *text))
            fprintf(script, "\\%03o", (unsigned)(unsigned char)*text);
        else
            putc(*text, script);
    }
    putc('"', script);
}
