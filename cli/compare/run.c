/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of a comparison, answered by sweep's workers into sweep's database, and read back.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/compare/compare.h"
#include "cli/sweep/sweep.h"
#include "cli/sweep/views.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static swq_status want(void *arg, const swq_point *point)
{
    void **both = arg;

    return swq_store_want(both[0], both[1], point);
}

static swq_status run_crew(cli_comparison *c, swq_store *store, swq_keeper *keeper, int workers)
{
    const swq_crew_options how = {.no_wait = false};
    swq_link **link = swq_calloc(c->ctx, (size_t)workers, sizeof(swq_link *));
    swq_crew_result result;
    int links = 0;
    swq_status status = link ? SWQ_OK : swq_memory_status(c->ctx);

    while (!status && links < workers) {
        status = swq_link_local(c->ctx, keeper, &link[links]);
        links += !status;
    }
    if (!status)
        status = swq_crew_run(c->ctx, store, link, links, &how, &result);
    for (int k = 0; k < links; k++)
        link[k]->end(link[k], c->ctx);
    swq_free(c->ctx, link);
    return status;
}

/* ---- answers ---- */

/* Command lines in the order of their letters, with their places. */
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

static const cJSON *follow(const cJSON *tree, const char *path)
{
    char name[60];

    for (const char *rest = path; tree && *rest;) {
        const size_t length = strcspn(rest, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, rest);
        tree = cJSON_GetObjectItemCaseSensitive(tree, name);
        rest += length + (rest[length] == '.');
    }
    return tree;
}

static swq_status take_row(void *arg, const swq_row *row)
{
    answer_reading *r = arg;
    cli_comparison *c = r->c;
    const int repeats = c->contest.repeats, contestants = c->contest.contestants;
    const word_place key = {.words = row->point};
    const word_place *found =
        bsearch(&key, r->sorted, (size_t)c->points, sizeof *r->sorted, by_words);
    double value = NAN;
    cJSON *tree = NULL;

    if (!found)
        return SWQ_OK;
    while (found > r->sorted && by_words(found - 1, &key) == 0)
        found--;
    if (strcmp(row->state, "done") == 0 && row->answer) {
        swq_status status = cli_sweep_parse(c->ctx, row, row->answer, &tree);
        if (status)
            return status;
        const cJSON *item = follow(tree, c->measure->path);
        value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
        cJSON_Delete(tree);
    }
    for (; found < r->sorted + c->points && by_words(found, &key) == 0; found++) {
        const int cell = found->at / repeats;
        char *reason = cli_compare_reason(c, cell / contestants, cell % contestants);
        c->value[found->at] = value;
        if (!isnan(value) || *reason)
            continue;
        if (strcmp(row->state, "failed") == 0)
            snprintf(reason, CLI_REASON, "%s",
                     row->message && *row->message ? row->message : "it failed");
        else
            snprintf(reason, CLI_REASON, "%s",
                     row->answer ? "its answer has no such number" : "not run yet");
    }
    return SWQ_OK;
}

static swq_status take_answers(cli_comparison *c, swq_store *store)
{
    answer_reading r = {c, swq_calloc(c->ctx, (size_t)c->points, sizeof(word_place))};

    if (!r.sorted)
        return swq_memory_status(c->ctx);
    for (int k = 0; k < c->points; k++) {
        r.sorted[k] = (word_place){c->words[k], k};
        c->value[k] = NAN;
    }
    qsort(r.sorted, (size_t)c->points, sizeof *r.sorted, by_words);
    swq_status status = swq_store_rows(c->ctx, store, NULL, take_row, &r);
    swq_free(c->ctx, r.sorted);
    return status;
}

/* ---- all of it ---- */

static swq_status with_store(cli_comparison *c, const char *database, swq_keeper *keeper,
                             int workers, bool retry)
{
    const swq_store_options how = {.create = true};
    swq_store *store = NULL;
    swq_status status = swq_store_open(c->ctx, database, &how, &store);
    void *both[] = {c->ctx, store};

    if (!status)
        status = swq_store_begin(c->ctx, store);
    if (!status)
        status = swq_study_points(c->ctx, c->study, want, both);
    if (!status)
        status = swq_store_commit(c->ctx, store);
    if (!status && retry)
        status = swq_store_reopen(c->ctx, store, true, false);
    if (!status)
        status = swq_store_count(c->ctx, store, &c->counts);
    if (!status && c->counts.open + c->counts.running > 0)
        status = run_crew(c, store, keeper, workers);
    c->interrupted = status == SWQ_ECANCELLED;
    if (!status)
        status = swq_store_count(c->ctx, store, &c->counts);
    if (!status)
        status = take_answers(c, store);
    swq_store_close(c->ctx, store);
    return status;
}

swq_status cli_compare_run(cli_comparison *c, const char *database, int workers, size_t memory,
                           bool retry)
{
    swq_keeper *keeper = NULL;
    swq_status status = swq_keeper_start(c->ctx, cli_sweep_answer_quietly, &memory, &keeper);

    signal(SIGXFSZ, SIG_IGN); /* a limit on files is an error to be told, not an end */
    if (!status)
        status = with_store(c, database, keeper, workers, retry);
    swq_keeper_end(c->ctx, keeper);
    return status;
}
