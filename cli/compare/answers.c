/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes the answers of a comparison from the database of sweep into its cells.
 */
#include "base/context.h"
#include "cli/compare/compare.h"
#include "cli/print/json_path.h"
#include "cli/sweep/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Command lines in alphabetical order, with their places. */
typedef struct {
    const char *words;
    int at;
} word_place;

static int by_words(const void *a, const void *b)
{
    return strcmp(((const word_place *)a)->words, ((const word_place *)b)->words);
}

typedef struct {
    cli_comparison *c;
    word_place *sorted;
} answer_reading;

static double number_at(const cJSON *tree, const char *path)
{
    const cJSON *item = path ? cli_json_at(tree, path) : NULL;

    return item && cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* Numbers of a chain are sums of stationary probabilities, or ratios of two such sums, each known
 * to within the same proven fraction of itself. */
static double width_of(const cJSON *answer, double value)
{
    const double error = number_at(answer, "solver.relative_error");

    return isnan(error) ? INFINITY : 3 * error * fabs(value);
}

static double value_of(const cli_comparison *c, size_t cell, const cJSON *answer)
{
    const size_t side = (size_t)c->contest.contestants;
    const cli_measure *measure = c->scenario[cell / side % (size_t)c->scenarios].measure;
    const swq_known_by by = c->by[cell % side];
    const double value = by == SWQ_BY_SIMULATION && measure->of
                             ? measure->of(answer)
                             : number_at(answer, measure->path[by]);

    if (by == SWQ_BY_CHAIN)
        c->width[cell] = width_of(answer, value);
    return value;
}

/* Does the mean of a run depend on the run's length? It does if the run had not settled; past
 * saturation the number of waiting packets grows with the length, and so does a latency. */
static bool is_unsettled(const cli_comparison *c, size_t cell, const cJSON *answer)
{
    const size_t side = (size_t)c->contest.contestants;
    const cli_measure *measure = c->scenario[cell / side % (size_t)c->scenarios].measure;
    const cJSON *stationary = cli_json_at(answer, "run.stationary");
    const cJSON *saturated = cli_json_at(answer, "result.saturated");

    return cJSON_IsFalse(stationary) || (measure->waits && cJSON_IsTrue(saturated));
}

static void say_why(const cli_comparison *c, size_t cell, const swq_row *row)
{
    const size_t side = (size_t)c->contest.contestants;
    const cli_measure *measure = c->scenario[cell / side % (size_t)c->scenarios].measure;
    char *reason = c->reason + CLI_REASON * cell;

    if (*reason)
        return;
    if (strcmp(row->state, "failed") == 0)
        snprintf(reason, CLI_REASON, "%s",
                 row->message && *row->message ? row->message : "it failed");
    else if (row->answer)
        snprintf(reason, CLI_REASON, "by %s: no %s in the answer",
                 c->contestant[cell % side].by->name, measure->name);
    else
        snprintf(reason, CLI_REASON, "not run yet");
}

/* Adds the words of a cell's question to those of its size. */
static swq_status take_words(cli_comparison *c, size_t cell, const swq_row *row,
                             const cJSON *answer)
{
    const size_t field = cell / (size_t)c->contest.contestants;
    cJSON *options = NULL;
    swq_status status = cli_sweep_parse(c->ctx, row, row->options, &options);

    if (!status)
        status = cli_common_words_add(c->ctx, &c->shared[field / (size_t)c->scenarios],
                                      row->command, options, answer);
    cJSON_Delete(options);
    return status;
}

static swq_status take_row(void *arg, const swq_row *row)
{
    answer_reading *r = arg;
    cli_comparison *c = r->c;
    const word_place key = {.words = row->point};
    const word_place *found = bsearch(&key, r->sorted, c->points, sizeof *r->sorted, by_words);
    cJSON *tree = NULL;
    swq_status status = SWQ_OK;

    if (!found)
        return SWQ_OK;
    while (found > r->sorted && by_words(found - 1, &key) == 0)
        found--;
    if (strcmp(row->state, "done") == 0 && row->answer) {
        status = cli_sweep_parse(c->ctx, row, row->answer, &tree);
        if (status)
            return status;
    }
    for (; !status && found < r->sorted + c->points && by_words(found, &key) == 0; found++) {
        const size_t cell = (size_t)c->cell[found->at];
        const size_t repeat = (size_t)found->at - c->first[cell];
        const double value = tree ? value_of(c, cell, tree) : NAN;
        c->value[cell * (size_t)c->contest.repeats + repeat] = value;
        c->unsettled[cell] += tree && is_unsettled(c, cell, tree);
        if (row->version)
            c->version[found->at] =
                swq_arena_text(c->ctx, &c->plan, row->version, strlen(row->version));
        if (isnan(value))
            say_why(c, cell, row);
        if (tree && repeat == 0) /* others differ in the seed */
            status = take_words(c, cell, row, tree);
    }
    cJSON_Delete(tree);
    return status;
}

swq_status cli_compare_take(cli_comparison *c, swq_store *store)
{
    const size_t cells = (size_t)c->contest.scenarios * (size_t)c->contest.contestants;
    answer_reading r = {c, swq_calloc(c->ctx, c->points, sizeof(word_place))};

    if (!r.sorted)
        return swq_memory_status(c->ctx);
    for (size_t k = 0; k < cells * (size_t)c->contest.repeats; k++)
        c->value[k] = NAN;
    for (size_t k = 0; k < c->points; k++)
        r.sorted[k] = (word_place){c->words[k], (int)k};
    for (int size = 0; size < c->sizes; size++)
        c->shared[size].any = false;
    for (size_t cell = 0; cell < cells; cell++) {
        c->count[cell] = c->asked[cell];
        c->unsettled[cell] = 0;
    }
    qsort(r.sorted, c->points, sizeof *r.sorted, by_words);
    swq_status status = swq_store_rows(c->ctx, store, NULL, take_row, &r);
    swq_free(c->ctx, r.sorted);
    return status;
}
