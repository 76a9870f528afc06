/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Command lines, a word a line, of the commands that answer questions.
 */
#include "tests/fuzz/fuzz.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const asking[] = {"solve", "sim",    "approx", "formula",
                                     "table", "figure", "list",   "export"};

/* A command may write files where it is told to, so no path may lead out of the folder. A slash is
 * allowed in a fraction. */
static bool stays_here(const char *word)
{
    for (const char *s = word; (s = strchr(s, '/')); s++) {
        if (s == word || !isdigit((unsigned char)s[-1]) || !isdigit((unsigned char)s[1]))
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int count;
    char **words = fuzz_lines(data, size, &count);
    bool fit = false;

    if (!words)
        return 0;
    for (size_t k = 0; k < sizeof asking / sizeof *asking; k++)
        fit = fit || strcmp(words[0], asking[k]) == 0;
    for (int k = 1; k < count; k++)
        fit = fit && stays_here(words[k]);
    if (fit)
        fuzz_ask(count, (const char *const *)words);
    free(words);
    return 0;
}
