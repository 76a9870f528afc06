/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points of a comparison, answered by sweep's workers into sweep's database, and read back.
 */
#include "base/context.h"
#include "cli/compare/compare.h"
#include "cli/sweep/workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static swq_status want(void *arg, const swq_point *point)
{
    void **both = arg;

    return swq_store_want(both[0], both[1], point);
}

/* ---- one plan ---- */

static swq_status run_plan(cli_comparison *c, swq_store *store, cli_workers *w, bool retry)
{
    const swq_crew_options how = {.no_wait = false};
    swq_crew_result result;
    void *both[] = {c->ctx, store};
    swq_status status = swq_store_begin(c->ctx, store);

    if (!status)
        status = swq_study_points(c->ctx, c->study, want, both);
    if (!status)
        status = swq_store_commit(c->ctx, store);
    if (!status && retry)
        status = swq_store_reopen(c->ctx, store, true, false);
    if (!status)
        status = swq_store_count(c->ctx, store, &c->counts);
    if (!status)
        status = cli_workers_run(w, store, &how, &result);
    c->interrupted = status == SWQ_ECANCELLED;
    if (!status)
        status = swq_store_count(c->ctx, store, &c->counts);
    if (!status)
        status = cli_compare_take(c, store);
    return status ? status : swq_contest_judge(c->ctx, &c->contest);
}

/* ---- more repeats where intervals are wide ---- */

enum { MOST_ROUNDS = 12, MOST_TIMES = 64 };

/* Repeats that would make a pair's interval as narrow as asked for if the pair's estimated
 * deviation were right; at most three times the present repeats, because the estimate is rough. */
static int repeats_for(const cli_comparison *c, double half, double wanted, int now)
{
    const double need = now * pow(half / wanted, 2) * 1.05 + 1;
    const int most = c->file_repeats > SWQ_CONTEST_REPEATS / MOST_TIMES
                         ? SWQ_CONTEST_REPEATS
                         : MOST_TIMES * c->file_repeats;

    return need < 3.0 * now ? (need < most ? (int)need : most) : 3 * now < most ? 3 * now : most;
}

/* Both of a pair whose interval is too wide are asked more often. Returns how many cells are. */
static int ask_more(cli_comparison *c)
{
    const swq_comparison *t = &c->contest;
    int more = 0;

    for (int f = 0; f < t->scenarios; f++) {
        int need[SWQ_CONTESTANTS] = {0};
        if (t->best[f] < 0)
            continue;
        const double wanted =
            c->precision * fabs(t->standing[cli_compare_cell(c, f, t->best[f])].mean);
        for (int a = 0; a < t->contestants && wanted > 0; a++) {
            for (int b = a + 1; b < t->contestants; b++) {
                const double half = swq_contest_pair(t, f, a, b);
                const int at_a = c->asked[cli_compare_cell(c, f, a)];
                const int at_b = c->asked[cli_compare_cell(c, f, b)];
                const bool simulated = c->by[a] == SWQ_BY_SIMULATION;
                const int now =
                    !simulated || (c->by[b] == SWQ_BY_SIMULATION && at_b < at_a) ? at_b : at_a;
                if (!(half > wanted))
                    continue;
                const int wish = repeats_for(c, half, wanted, now);
                need[a] = wish > need[a] ? wish : need[a];
                need[b] = wish > need[b] ? wish : need[b];
            }
        }
        for (int k = 0; k < t->contestants; k++) {
            const size_t cell = cli_compare_cell(c, f, k);
            if (c->by[k] != SWQ_BY_SIMULATION || need[k] <= c->asked[cell])
                continue;
            c->asked[cell] = need[k];
            more++;
        }
    }
    return more;
}

/* ---- a second seed ---- */

static void begin_again(cli_comparison *c, uint64_t seed)
{
    const size_t cells = (size_t)c->contest.scenarios * (size_t)c->contest.contestants;

    c->seed = seed;
    for (size_t cell = 0; cell < cells; cell++) {
        if (c->by[cell % (size_t)c->contest.contestants] == SWQ_BY_SIMULATION && c->asked[cell] > 0)
            c->asked[cell] = c->repeats;
    }
}

static swq_status keep_marks(cli_comparison *c)
{
    const swq_comparison *t = &c->contest;
    const size_t marks =
        (size_t)t->scenarios * (size_t)t->contestants * (size_t)t->contestants * sizeof *t->mark;

    c->first_marks = malloc(marks);
    if (!c->first_marks)
        return swq_fail(c->ctx, SWQ_ENOMEM, "no memory for the marks of the first seed");
    memcpy(c->first_marks, t->mark, marks);
    return SWQ_OK;
}

/* Counts the marks of the seed that was run first, how many of these the other seed confirms, and
 * how many it gives to the other contestant of the pair. */
static void compare_marks(cli_comparison *c)
{
    const size_t side = (size_t)c->contest.contestants;

    for (size_t f = 0; f < (size_t)c->contest.scenarios; f++) {
        for (size_t a = 0; a < side; a++) {
            for (size_t b = 0; b < side; b++) {
                const size_t at = (f * side + a) * side + b, turned = (f * side + b) * side + a;
                c->marks += c->first_marks[at];
                c->marks_in_both += c->first_marks[at] && c->contest.mark[at];
                c->marks_reversed += c->first_marks[at] && c->contest.mark[turned];
            }
        }
    }
}

/* ---- all of it ---- */

static swq_status run_rounds(cli_comparison *c, swq_store *store, cli_workers *w, bool retry)
{
    swq_status status = run_plan(c, store, w, retry);

    for (int round = 0; round < MOST_ROUNDS && !status && c->precision > 0; round++) {
        if (ask_more(c) == 0)
            break;
        status = cli_compare_plan(c);
        if (!status)
            status = run_plan(c, store, w, false);
    }
    return status;
}

/* Runs all points for each seed. The second seed, if there is one, comes first, so that the results
 * left at the end are the first seed's. */
static swq_status run_seeds(cli_comparison *c, swq_store *store, cli_workers *w, bool retry)
{
    const uint64_t first = c->seed;
    swq_status status = SWQ_OK;

    if (c->second_seed) {
        begin_again(c, c->second_seed);
        status = cli_compare_plan(c);
        if (!status)
            status = run_rounds(c, store, w, retry);
        if (!status)
            status = keep_marks(c);
        begin_again(c, first);
        if (!status)
            status = cli_compare_plan(c);
    }
    if (!status)
        status = run_rounds(c, store, w, retry);
    if (!status && c->second_seed)
        compare_marks(c);
    return status;
}

/* What the process with the database does. */
typedef struct {
    cli_comparison *c;
    const char *database;
    bool retry;
} contest_run;

static swq_status lead(void *arg, cli_workers *w)
{
    const contest_run *r = arg;
    const swq_store_options how = {.create = true};
    swq_store *store = NULL;
    swq_status status = cli_workers_meet(w);

    if (!status)
        status = swq_store_open(r->c->ctx, r->database, &how, &store);
    if (!status)
        status = run_seeds(r->c, store, w, r->retry);
    swq_store_close(r->c->ctx, store);
    return status;
}

swq_status cli_compare_run(cli_comparison *c, const char *database, int workers, size_t memory,
                           bool retry)
{
    contest_run run = {c, database, retry};
    cli_workers_plan plan = {.count = workers, .memory = memory, .lead = lead, .arg = &run};
    const swq_status status = cli_workers_lead(c->ctx, &plan);

    c->lent = plan.lent;
    return status;
}
