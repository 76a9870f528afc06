/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What contestants cost: their command lines in the first scenario, asked of switchq cost without
 * what has no say in it.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/answer.h"
#include "cli/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 200 };

static double number_at(const cJSON *tree, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(tree, key);

    return cJSON_IsNumber(item) ? item->valuedouble
           : cJSON_IsRaw(item)  ? strtod(item->valuestring, NULL)
                                : NAN;
}

/* Options of a run, which cost does not know. */
static bool is_of_runs(const char *option)
{
    static const char *const runs[] = {
        "cycles",   "time",         "warmup",     "packets",     "ignore",          "precision",
        "seed",     "replications", "confidence", "percentiles", "groups",          "group-by",
        "series",   "onset",        "starts",     "watch",       "find-saturation", "resolution",
        "per-node", "per-link",     "histogram",  NULL};

    for (int k = 0; runs[k]; k++) {
        if (strcmp(runs[k], option) == 0)
            return true;
    }
    return false;
}

/* "cost" and the options that cost takes. */
static int keep_words(const char **word, int count)
{
    char option[60];
    int kept = 1;

    word[0] = "cost";
    for (int k = 1; k < count;) {
        const bool value = k + 1 < count && strncmp(word[k + 1], "--", 2) != 0;
        snprintf(option, sizeof option, "%s", word[k] + (strncmp(word[k], "--", 2) ? 0 : 2));
        const bool takes = !cli_cost_refuses(option) && !is_of_runs(option);
        if (takes)
            word[kept++] = word[k];
        if (value && takes)
            word[kept++] = word[k + 1];
        k += 1 + value;
    }
    return kept;
}

static swq_status cost_one(cli_comparison *c, int k, const char *terms)
{
    const char *words = c->words[(size_t)k * (size_t)c->contest.repeats], *word[MOST_WORDS + 2];
    char *copy = swq_arena_text(c->ctx, &c->arena, words, strlen(words));
    cli_answer answer = {0};
    int count = 0;
    swq_status status =
        copy ? swq_point_split(c->ctx, copy, word, MOST_WORDS, &count) : swq_memory_status(c->ctx);

    if (status)
        return status;
    count = keep_words(word, count);
    if (terms) {
        word[count++] = "--cost-file";
        word[count++] = terms;
    }
    cli_ask(c->ctx, count, word, &answer);
    const cJSON *cost = cJSON_GetObjectItemCaseSensitive(answer.tree, "cost");
    if (cost)
        c->cost[k] = (swq_cost){.ports = (int)number_at(cost, "switch_ports"),
                                .packet_bytes = number_at(cost, "input_bytes"),
                                .memory_bits = number_at(cost, "memory_bits"),
                                .total[SWQ_COST_WIRES] = number_at(cost, "link_wires"),
                                .total[SWQ_COST_CROSSPOINTS] = number_at(cost, "crosspoints"),
                                .area = number_at(cost, "area_cells")};
    else
        status =
            swq_fail(c->ctx, SWQ_EINVAL, "%.100s: the contestant %.40s cannot be costed: %.160s",
                     c->path, c->contestant[k].name, answer.message);
    cli_answer_clear(&answer);
    return status;
}

static double equal_of(const cli_comparison *c, int k)
{
    return *(const double *)(const void *)((const char *)&c->cost[k] + c->equal->offset);
}

swq_status cli_compare_cost(cli_comparison *c, const char *terms)
{
    swq_status status = SWQ_OK;

    for (int k = 0; k < c->contest.contestants && !status; k++)
        status = cost_one(c, k, terms);
    for (int k = 1; k < c->contest.contestants && !status && c->equal->offset != SIZE_MAX; k++) {
        const double a = equal_of(c, 0), b = equal_of(c, k);
        if (fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b)))
            status = swq_fail(c->ctx, SWQ_EINVAL,
                              "%.100s: equal: %s, but %.40s has %.9g %s and %.40s %.9g; 'equal: "
                              "none' lets them differ",
                              c->path, c->equal->name, c->contestant[0].name, a, c->equal->unit,
                              c->contestant[k].name, b);
    }
    return status;
}
