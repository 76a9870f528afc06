/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The meaning of each name in answers: a row of quantities.csv, or of a parameter.
 */
#include "cli/options/parameter.h"
#include "cli/record/inside.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const cli_quantity quantities[] = {
#include "cli/record/quantities.inc"
    {NULL, NULL, NULL, NULL},
};

enum { OWN = sizeof quantities / sizeof *quantities - 1, MOST = OWN + 200 };

/* The rows above and those of parameters, sorted by key. */
static cli_quantity all[MOST];
static int count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int by_key(const void *a, const void *b)
{
    return strcmp(((const cli_quantity *)a)->key, ((const cli_quantity *)b)->key);
}

static const cli_quantity *find(const cli_quantity *rows, int number, const char *key)
{
    const cli_quantity wanted = {.key = key};
    return bsearch(&wanted, rows, (size_t)number, sizeof *rows, by_key);
}

/* A row of the table above counts before a parameter's. */
static void gather(void)
{
    cli_options_walk w = cli_walk_options(cli_all_parameters);

    memcpy(all, quantities, sizeof quantities - sizeof *quantities);
    count = OWN;
    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        const cli_parameter *p = cli_parameter_of(o);
        bool known = !p->key || find(quantities, OWN, p->key);
        for (int k = OWN; k < count && !known; k++)
            known = strcmp(all[k].key, p->key) == 0;
        if (!known && count < MOST)
            all[count++] = (cli_quantity){p->key, NULL, p->unit, p->about};
    }
    qsort(all, (size_t)count, sizeof *all, by_key);
}

const cli_quantity *cli_quantity_at(int place)
{
    pthread_once(&once, gather);
    return place < count ? &all[place] : NULL;
}

const cli_quantity *cli_quantity_of(const char *key)
{
    pthread_once(&once, gather);
    return key ? find(all, count, key) : NULL;
}

bool cli_incidental(const char *key)
{
    static const char *const keys[] = {"seconds", "cpu_seconds", "wall_seconds", "peak_bytes"};

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (strcmp(key, keys[k]) == 0)
            return true;
    }
    return false;
}
