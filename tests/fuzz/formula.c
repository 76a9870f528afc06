/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas' parameters. The first byte says which formula; each line is the next parameter's value.
 */
#include "switchq/formula.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

enum { VALUE = 400 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char given[SWQ_FORMULA_PARAMETERS][VALUE];
    const char *words[2 + SWQ_FORMULA_PARAMETERS] = {"formula"};
    int formulas = 0, lines, count = 1;

    if (size < 1)
        return 0;
    char **line = fuzz_lines(data + 1, size - 1, &lines);
    if (!line)
        return 0;
    while (swq_formulas[formulas])
        formulas++;
    const swq_formula *f = swq_formulas[data[0] % formulas];
    words[count++] = f->name;
    for (int k = 0; k < f->parameters && k < lines; k++) {
        if (line[k][0]) {
            snprintf(given[k], sizeof given[k], "--%s=%.360s", f->parameter[k].name, line[k]);
            words[count++] = given[k];
        }
    }
    fuzz_ask(count, words);
    free(line);
    return 0;
}
