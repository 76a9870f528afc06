/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The costs of contestants: switchq cost is asked with the command line of the first scenario, less
 * the options that do not affect the cost.
 */
#include "base/context.h"
#include "cli/compare/compare.h"
#include "cli/print/append.h"
#include "cli/print/json_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 200 };

static double number_at(const cJSON *tree, const char *key)
{
    return cli_json_as_number(cJSON_GetObjectItemCaseSensitive(tree, key));
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

/* A question to switchq cost, as one line, with the answer, or the reason why there is none. */
typedef struct {
    char line[1000];
    swq_cost cost; /* ports 0: none */
    char why[CLI_REASON];
} asked_cost;

static void join(const char **word, int count, char *line, size_t room)
{
    *line = '\0';
    for (int k = 0; k < count; k++)
        cli_append(line, room, "%s ", word[k]);
}

/* Ask for a cost, unless *asked has the answer already. */
static swq_status cost_words(cli_comparison *c, const char *words, const char *terms,
                             asked_cost *asked)
{
    const char *word[MOST_WORDS + 34];
    char *copy = swq_arena_text(c->ctx, &c->arena, words, strlen(words));
    char line[sizeof asked->line];
    cli_answer answer = {0};
    int count = 0;
    swq_status status =
        copy ? swq_point_split(c->ctx, copy, word, MOST_WORDS, &count) : swq_memory_status(c->ctx);

    if (status)
        return status;
    const bool shared = cli_compare_shares_bytes(words);
    if (shared && !c->beside[CLI_BESIDE_COST]) {
        *asked = (asked_cost){.cost = {.ports = 0}};
        return SWQ_OK;
    }
    count = keep_words(word, count);
    if (shared)
        status = cli_compare_add_beside(c, CLI_BESIDE_COST, word, &count);
    if (status)
        return status;
    if (terms) {
        word[count++] = "--cost-file";
        word[count++] = terms;
    }
    join(word, count, line, sizeof line);
    if (strcmp(line, asked->line) == 0)
        return SWQ_OK;
    *asked = (asked_cost){.cost = {.ports = 0}};
    memcpy(asked->line, line, sizeof line);
    cli_ask(c->ctx, count, word, &answer);
    const cJSON *tree = cJSON_GetObjectItemCaseSensitive(answer.tree, "cost");
    if (tree)
        asked->cost = (swq_cost){.ports = (int)number_at(tree, "switch_ports"),
                                 .packet_bytes = number_at(tree, "input_bytes"),
                                 .memory_bits = number_at(tree, "memory_bits"),
                                 .total[SWQ_COST_WIRES] = number_at(tree, "link_wires"),
                                 .total[SWQ_COST_CROSSPOINTS] = number_at(tree, "crosspoints"),
                                 .area = number_at(tree, "area_cells")};
    else
        snprintf(asked->why, CLI_REASON, "%.230s", answer.message);
    cli_answer_clear(&answer);
    return SWQ_OK;
}

/* If a contestant takes more memory or area than the size allows, this is the reason to leave it
 * out. */
static void hold_to_size(const cli_comparison *c, int size, asked_cost *asked)
{
    const long limit = c->size[size];

    if (*asked->why || !c->sized)
        return;
    if (c->by_area && asked->cost.area > (double)limit + 1e-9)
        snprintf(asked->why, CLI_REASON, "it has %.0f cells with the least memory, more than %ld",
                 asked->cost.area, limit);
    else if (c->equal->offset == offsetof(swq_cost, packet_bytes) &&
             asked->cost.packet_bytes > (double)limit + 1e-9)
        snprintf(asked->why, CLI_REASON, "it has %.9g bytes an input, more than %ld",
                 asked->cost.packet_bytes, limit);
}

/* The cost of a contestant at a size, as it is built in its first possible scenario. The cost is
 * checked in all scenarios, since it may depend on the network. */
static swq_status cost_one(cli_comparison *c, int size, int k, const char *terms)
{
    swq_cost *cost = &c->cost[size][k];
    asked_cost asked = {.line = ""};
    char why[CLI_REASON] = "";
    bool built = false;

    *cost = (swq_cost){.ports = 0};
    for (int f = size * c->scenarios; f < (size + 1) * c->scenarios; f++) {
        const size_t cell = cli_compare_cell(c, f, k);
        if (c->asked[cell] == 0)
            continue;
        swq_status status = cost_words(c, c->words[c->first[cell]], terms, &asked);
        if (status)
            return status;
        hold_to_size(c, size, &asked);
        c->area[cell] = asked.cost.ports ? asked.cost.area : NAN;
        if (cost->ports == 0 || (!built && !*asked.why))
            *cost = asked.cost;
        built = built || !*asked.why;
        if (*asked.why && !*why)
            memcpy(why, asked.why, sizeof why);
        if (!*asked.why || !c->sized)
            continue;
        snprintf(c->reason + CLI_REASON * cell, CLI_REASON, "%s", asked.why);
        c->asked[cell] = 0;
    }
    if (*why && !built && !c->sized)
        return swq_fail(c->ctx, SWQ_EINVAL, "%.100s: the contestant %.40s cannot be costed: %.160s",
                        c->path, c->contestant[k].name, why);
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

swq_status cli_compare_cost_size(cli_comparison *c, int size, const char *terms)
{
    swq_status status = SWQ_OK;

    for (int k = 0; k < c->contest.contestants && !status; k++)
        status = cost_one(c, size, k, terms);
    return status;
}

swq_status cli_compare_cost(cli_comparison *c, const char *terms)
{
    swq_status status = SWQ_OK;

    for (int size = 0; size < c->sizes && !status; size++) {
        status = cli_compare_cost_size(c, size, terms);
        if (!status)
            status = check_equal(c, size);
    }
    return status;
}

/* ---- the most memory in an area ---- */

enum { STEP = 32, TRIES = 4096 };

/* Is a contestant's cost found in that scenario? It is in the first of each engine. */
static bool tells_cost(const cli_comparison *c, int scenario, int k)
{
    const char *engine = cli_compare_engine(c, scenario, k);

    for (int s = 0; s < scenario; s++) {
        if (strcmp(cli_compare_engine(c, s, k), engine) == 0)
            return false;
    }
    return true;
}

/* Bytes per input; 0: none yet. */
typedef struct {
    long fits[CLI_SIZES][SWQ_CONTESTANTS];  /* the most that fit */
    long least[CLI_SIZES][SWQ_CONTESTANTS]; /* with which it can be built, whatever the area */
} most_memory;

/* Ask for the costs of all contestants whose memory still grows. Sets *growing to their number. */
static swq_status try_all(cli_comparison *c, const char *terms, most_memory *found, int *growing)
{
    swq_status status = cli_compare_plan(c);
    const int contestants = c->contest.contestants;

    *growing = 0;
    for (int at = 0; at < c->sizes * contestants && !status; at++) {
        const int size = at / contestants, k = at % contestants;
        const long bytes = c->memory[size][k];
        asked_cost asked = {.line = ""};
        if (bytes == 0)
            continue;
        for (int f = size * c->scenarios; f < (size + 1) * c->scenarios && !status; f++) {
            const size_t cell = cli_compare_cell(c, f, k);
            if (c->asked[cell] > 0 && asked.cost.ports == 0)
                status = cost_words(c, c->words[c->first[cell]], terms, &asked);
        }
        const swq_cost cost = asked.cost;
        if (cost.ports && found->least[size][k] == 0)
            found->least[size][k] = bytes;
        if (cost.ports && cost.area <= (double)c->size[size])
            found->fits[size][k] = bytes;
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
    most_memory found = {.fits = {{0}}};
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
            const int k = (int)(cell % (size_t)c->contest.contestants);
            const bool first = tells_cost(c, (int)field % c->scenarios, k);
            c->asked[cell] = first && c->memory[size][k] > 0 ? 1 : 0;
            c->reason[CLI_REASON * cell] = '\0';
        }
        c->fitting = true;
        status = try_all(c, terms, &found, &growing);
        c->fitting = false;
    }
    for (size_t cell = 0; cell < cells && !status; cell++) {
        const size_t size = cell / (size_t)c->contest.contestants / (size_t)c->scenarios;
        const size_t k = cell % (size_t)c->contest.contestants;
        c->asked[cell] = asked[cell];
        c->reason[CLI_REASON * cell] = '\0';
        const long least = found.least[size][k] ? found.least[size][k] : STEP;
        if (c->by_area)
            c->memory[size][k] = found.fits[size][k] ? found.fits[size][k] : least;
    }
    swq_free(c->ctx, asked);
    return status;
}

/* ---- gains for the cost ---- */

/* Has a contestant a gain that is known for certain, unlike an approximation's? */
static bool stands(const cli_comparison *c, int size, int k)
{
    return isfinite(c->gain[size][k]) && c->by[k] != SWQ_BY_APPROXIMATION;
}

/* Does k gain more than m by more than chance? */
static bool gains_more(const cli_comparison *c, int size, int k, int m)
{
    const int from = size * c->scenarios;
    double half;
    const double gain = swq_contest_gain(&c->contest, k, m, from, from + c->scenarios, &half);

    return gain - (isfinite(half) ? half : 0) > 1;
}

/* A contestant on the front gains more, by more than chance, than all contestants that take less
 * area; of contestants with the same area only the one with the highest gain, and of equals the
 * first, is compared. */
static void find_front(cli_comparison *c, int size)
{
    const double *gain = c->gain[size];
    const int contestants = c->contest.contestants;

    for (int k = 0; k < contestants; k++) {
        c->on_front[size][k] = stands(c, size, k);
        for (int m = 0; m < contestants; m++) {
            const double mine = c->cost[size][k].area, other = c->cost[size][m].area;
            if (m == k || !stands(c, size, m) || other > mine)
                continue;
            const bool same = other == mine;
            const bool before = gain[m] > gain[k] || (m < k && gain[m] == gain[k]);
            if (same ? before : !gains_more(c, size, k, m))
                c->on_front[size][k] = false;
        }
    }
}

void cli_compare_gains(cli_comparison *c)
{
    for (int size = 0; size < c->sizes; size++) {
        const int from = size * c->scenarios, to = from + c->scenarios;
        c->base[size] = swq_contest_base(&c->contest, from, to);
        for (int k = 0; k < c->contest.contestants; k++)
            c->gain[size][k] = c->base[size] < 0
                                   ? NAN
                                   : swq_contest_gain(&c->contest, k, c->base[size], from, to,
                                                      &c->gain_half[size][k]);
        find_front(c, size);
    }
}
