/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The costs of contestants: switchq cost is asked with the command line of the first scenario, less
 * the options that do not affect the cost.
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

/* Keep "cost" and the options that cost takes. */
static int keep_words(const char **word, int count)
{
    char option[60];
    int kept = 1;

    word[0] = "cost";
    for (int k = 1; k < count;) {
        const bool value = k + 1 < count && strncmp(word[k + 1], "--", 2) != 0;
        snprintf(option, sizeof option, "%s", word[k] + (strncmp(word[k], "--", 2) ? 0 : 2));
        const bool takes = !cli_cost_refuses(option) && !cli_compare_of_runs(option);
        if (takes)
            word[kept++] = word[k];
        if (value && takes)
            word[kept++] = word[k + 1];
        k += 1 + value;
    }
    return kept;
}

static swq_status cost_words(cli_comparison *c, const char *words, const char *terms,
                             swq_cost *cost, char *why)
{
    const char *word[MOST_WORDS + 2];
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
    const cJSON *tree = cJSON_GetObjectItemCaseSensitive(answer.tree, "cost");
    if (tree)
        *cost = (swq_cost){.ports = (int)number_at(tree, "switch_ports"),
                           .packet_bytes = number_at(tree, "input_bytes"),
                           .memory_bits = number_at(tree, "memory_bits"),
                           .total[SWQ_COST_WIRES] = number_at(tree, "link_wires"),
                           .total[SWQ_COST_CROSSPOINTS] = number_at(tree, "crosspoints"),
                           .area = number_at(tree, "area_cells")};
    else
        snprintf(why, CLI_REASON, "%.230s", answer.message);
    cli_answer_clear(&answer);
    return SWQ_OK;
}

/* All cells of a contestant at a size are blank for the same reason. */
static void blank(cli_comparison *c, int size, int k, const char *why)
{
    for (int f = size * c->scenarios; f < (size + 1) * c->scenarios; f++) {
        const size_t cell = cli_compare_cell(c, f, k);
        if (c->asked[cell] > 0)
            snprintf(c->reason + CLI_REASON * cell, CLI_REASON, "%s", why);
        c->asked[cell] = 0;
    }
}

static swq_status cost_one(cli_comparison *c, int size, int k, const char *terms)
{
    swq_cost *cost = &c->cost[size][k];
    char why[CLI_REASON] = "";
    int field = size * c->scenarios;

    while (field < (size + 1) * c->scenarios && c->asked[cli_compare_cell(c, field, k)] == 0)
        field++;
    if (field == (size + 1) * c->scenarios)
        return SWQ_OK;
    swq_status status =
        cost_words(c, c->words[c->first[cli_compare_cell(c, field, k)]], terms, cost, why);
    if (status)
        return status;
    if (*why && !c->sized)
        return swq_fail(c->ctx, SWQ_EINVAL, "%.100s: the contestant %.40s cannot be costed: %.160s",
                        c->path, c->contestant[k].name, why);
    if (!*why && c->by_area && cost->area > (double)c->size[size] + 1e-9)
        snprintf(why, sizeof why, "it has %.0f cells with the least memory, more than %ld",
                 cost->area, c->size[size]);
    if (!*why && c->sized && c->equal->offset == offsetof(swq_cost, packet_bytes) &&
        cost->packet_bytes > (double)c->size[size] + 1e-9)
        snprintf(why, sizeof why, "it has %.9g bytes an input, more than %ld", cost->packet_bytes,
                 c->size[size]);
    if (*why)
        blank(c, size, k, why);
    return SWQ_OK;
}

static double equal_of(const cli_comparison *c, int size, int k)
{
    return *(const double *)(const void *)((const char *)&c->cost[size][k] + c->equal->offset);
}

/* With a given memory, 'equal: memory' means no more than that, and likewise with areas. */
static swq_status check_equal(const cli_comparison *c, int size)
{
    const bool sized =
        c->by_area || (c->sized && c->equal->offset == offsetof(swq_cost, packet_bytes));
    int first = -1;

    if (c->equal->offset == SIZE_MAX || sized)
        return SWQ_OK;
    for (int k = 0; k < c->contest.contestants; k++) {
        if (c->cost[size][k].ports == 0)
            continue;
        first = first < 0 ? k : first;
        const double a = equal_of(c, size, first), b = equal_of(c, size, k);
        if (fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b)))
            return swq_fail(c->ctx, SWQ_EINVAL,
                            "%.100s: equal: %s, but %.40s has %.9g %s and %.40s has %.9g; 'equal: "
                            "none' lets them differ",
                            c->path, c->equal->name, c->contestant[first].name, a, c->equal->unit,
                            c->contestant[k].name, b);
    }
    return SWQ_OK;
}

swq_status cli_compare_cost(cli_comparison *c, const char *terms)
{
    swq_status status = SWQ_OK;

    for (int size = 0; size < c->sizes && !status; size++) {
        for (int k = 0; k < c->contest.contestants && !status; k++)
            status = cost_one(c, size, k, terms);
        if (!status)
            status = check_equal(c, size);
    }
    return status;
}

/* ---- the most memory in an area ---- */

enum { STEP = 32, TRIES = 4096 };

/* The cell whose options determine a contestant's cost at a size. */
static size_t first_cell(const cli_comparison *c, int size, int k)
{
    return cli_compare_cell(c, size * c->scenarios, k);
}

/* Ask for the costs of all contestants whose memory still grows. Sets *growing to their number. */
static swq_status try_all(cli_comparison *c, const char *terms, long fits[][SWQ_CONTESTANTS],
                          int *growing)
{
    swq_status status = cli_compare_plan(c);
    const int contestants = c->contest.contestants;

    *growing = 0;
    for (int at = 0; at < c->sizes * contestants && !status; at++) {
        const int size = at / contestants, k = at % contestants;
        const size_t cell = first_cell(c, size, k);
        const long bytes = c->memory[size][k];
        char why[CLI_REASON] = "";
        swq_cost cost = {.ports = 0};
        if (bytes == 0)
            continue;
        if (c->asked[cell] > 0)
            status = cost_words(c, c->words[c->first[cell]], terms, &cost, why);
        if (cost.ports && cost.area <= (double)c->size[size])
            fits[size][k] = bytes;
        /* where the cost is not known, the bits of the data alone */
        const bool full = cost.ports ? cost.area > (double)c->size[size]
                                     : 8.0 * (double)bytes > (double)c->size[size];
        c->memory[size][k] = full ? 0 : bytes + STEP;
        *growing += !full;
    }
    return status;
}

swq_status cli_compare_fit(cli_comparison *c, const char *terms)
{
    const size_t cells = (size_t)cli_compare_fields(c) * (size_t)c->contest.contestants;
    long fits[CLI_SIZES][SWQ_CONTESTANTS] = {{0}};
    int growing = c->by_area ? 1 : 0, *asked = swq_calloc(c->ctx, cells, sizeof *asked);
    swq_status status = asked ? SWQ_OK : swq_memory_status(c->ctx);

    for (size_t cell = 0; cell < cells && !status; cell++)
        asked[cell] = c->asked[cell];
    for (int size = 0; size < c->sizes && growing; size++) {
        for (int k = 0; k < SWQ_CONTESTANTS; k++)
            c->memory[size][k] = STEP;
    }
    for (int n = 0; n < TRIES && growing && !status; n++) {
        for (size_t cell = 0; cell < cells; cell++) {
            const size_t field = cell / (size_t)c->contest.contestants;
            const int size = (int)field / c->scenarios;
            const bool first = field % (size_t)c->scenarios == 0;
            const long bytes = c->memory[size][cell % (size_t)c->contest.contestants];
            c->asked[cell] = first && bytes > 0 ? 1 : 0;
            c->reason[CLI_REASON * cell] = '\0';
        }
        c->fitting = true;
        status = try_all(c, terms, fits, &growing);
        c->fitting = false;
    }
    for (size_t cell = 0; cell < cells && !status; cell++) {
        const size_t size = cell / (size_t)c->contest.contestants / (size_t)c->scenarios;
        const size_t k = cell % (size_t)c->contest.contestants;
        c->asked[cell] = asked[cell];
        c->reason[CLI_REASON * cell] = '\0';
        if (c->by_area)
            c->memory[size][k] = fits[size][k] ? fits[size][k] : STEP;
    }
    swq_free(c->ctx, asked);
    return status;
}

/* ---- what it buys ---- */

/* On the front, nobody gains as much for less area, or more for the same area. An approximation's
 * gain is not known for certain, so it keeps nobody off the front. */
static void find_front(cli_comparison *c, int size)
{
    const double *gain = c->gain[size];
    const int contestants = c->contest.contestants;

    for (int k = 0; k < contestants; k++) {
        c->on_front[size][k] = isfinite(gain[k]) && c->by[k] != SWQ_BY_APPROXIMATION;
        for (int m = 0; m < contestants; m++) {
            const double mine = c->cost[size][k].area, other = c->cost[size][m].area;
            const bool stands = isfinite(gain[m]) && c->by[m] != SWQ_BY_APPROXIMATION;
            const bool better =
                gain[m] > gain[k] || other < mine || m < k; /* of equals the first */
            if (m != k && stands && gain[m] >= gain[k] && other <= mine && better)
                c->on_front[size][k] = false;
        }
    }
}

void cli_compare_gains(cli_comparison *c)
{
    for (int size = 0; size < c->sizes; size++) {
        for (int k = 0; k < c->contest.contestants; k++)
            c->gain[size][k] = swq_contest_gain(&c->contest, k, size * c->scenarios,
                                                (size + 1) * c->scenarios, &c->gain_half[size][k]);
        find_front(c, size);
    }
}
