/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities with two names: the fraction of packets that a simulation lost, which is the estimate
 * of a probability, and options whose key in an answer is longer.
 * Room: cli.
 */
#include "cli/record/inside.h"

#include <string.h>

bool cli_also_named(const cli_record *field, cli_record *same)
{
    if (!field->key || strcmp(field->key, "discard_fraction") != 0 || field->kind != CLI_NUMBER)
        return false;
    *same = *field;
    same->key = "discard_probability";
    if (same->known == CLI_PROVEN)
        same->stem = same->key;
    return true;
}

const char *cli_option_means(const char *option)
{
    static const char *const longer[][2] = {
        {"bytes", "buffer_bytes"}, {"iterations", "arbiter_iterations"}, {"levels", "tree_levels"}};
    char key[60] = "";

    for (size_t k = 0; k + 1 < sizeof key && option[k]; k++)
        key[k] = option[k] == '-' ? '_' : option[k];
    const char *name = key;
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++)
        name = strcmp(longer[k][0], key) == 0 ? longer[k][1] : name;
    const cli_quantity *row = cli_quantity_of(name);
    if (!row)
        return NULL;
    return row->unit && !strstr(row->about, row->unit) ? row->unit : row->about;
}
