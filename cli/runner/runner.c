/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions: read on the caller's thread, answered on any, recorded on the caller's again.
 */
#include "cli/runner/runner.h"
#include "base/clock.h"
#include "base/context.h"
#include "cli/cli.h"
#include "sim/measure/pile.h"

#include <stdlib.h>

static swq_status make_room(swq_context *ctx, cli_questions *q)
{
    if (q->one)
        return SWQ_OK;
    q->one = calloc((size_t)q->count, sizeof *q->one);
    return q->one ? SWQ_OK : swq_fail(ctx, SWQ_ENOMEM, "no memory for %d points", q->count);
}

swq_status cli_questions_read(swq_context *ctx, cli_questions *q, int k)
{
    const cli_question_kind *kind = NULL;
    swq_status status = make_room(ctx, q);

    if (!status)
        status = q->set(ctx, q->arg, k, &kind);
    if (status)
        return status;
    cli_one_question *one = &q->one[k];
    one->at = calloc(1, kind->size);
    if (!one->at)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d points", q->count);
    status = kind->read(ctx, one->at, q->count > 1);
    if (status) {
        free(one->at);
        one->at = NULL;
        return status;
    }
    one->kind = kind;
    one->memory = swq_context_memory_limit(ctx);
    return SWQ_OK;
}

/* ---- the long step ---- */

typedef struct {
    cli_questions *q;
    int *which; /* the questions that have been read */
    cli_answer *listener;
} run_of_questions;

static swq_status answer_one(swq_context *ctx, cli_one_question *one)
{
    const double cpu = swq_seconds(CLOCK_THREAD_CPUTIME_ID), wall = swq_seconds(CLOCK_MONOTONIC);
    const swq_status status = one->kind->answer(ctx, one->at);

    one->cpu_seconds = swq_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    one->wall_seconds = swq_seconds(CLOCK_MONOTONIC) - wall;
    return status;
}

static swq_status task(swq_context *ctx, void *arg, int k)
{
    const run_of_questions *r = arg;
    cli_one_question *one = &r->q->one[r->which[k]];
    cli_answer *outer = cli_answer_expect(one->answer ? one->answer : r->listener);

    swq_context_limit_memory(ctx, one->memory);
    const swq_status status = answer_one(ctx, one);
    if (status && one->answer && status != SWQ_ECANCELLED)
        one->answer->status = cli_fail(ctx, status);
    cli_answer_expect(outer);
    return status;
}

static swq_status *status_of(void *arg, int k)
{
    const run_of_questions *r = arg;

    return &r->q->one[r->which[k]].status;
}

static double bytes_of(swq_context *ctx, void *arg, int k)
{
    const run_of_questions *r = arg;
    const cli_one_question *one = &r->q->one[r->which[k]];

    return one->kind->bytes ? one->kind->bytes(ctx, one->at) : 0;
}

swq_status cli_questions_answer(swq_context *ctx, cli_questions *q, int threads)
{
    run_of_questions r = {.q = q, .which = calloc((size_t)q->count, sizeof *r.which)};
    swq_pile pile = {.arg = &r, .run = task, .status = status_of, .bytes = bytes_of};
    swq_status status = SWQ_OK;

    if (!r.which)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d points", q->count);
    r.listener = cli_answer_expect(NULL);
    cli_answer_expect(r.listener);
    for (int k = 0; k < q->count; k++) {
        if (q->one[k].at)
            r.which[pile.tasks++] = k;
    }
    if (pile.tasks)
        pile.stage = q->one[r.which[0]].kind->stage;
    if (q->count == 1 && pile.tasks)
        status = q->one[0].status = task(ctx, &r, 0);
    else if (pile.tasks)
        status = swq_pile_run(ctx, &pile, threads);
    free(r.which);
    return status;
}

/* ---- what became of them ---- */

cli_record *cli_questions_record(swq_context *ctx, const cli_questions *q, int k)
{
    const cli_question_kind *kind;

    return q->set(ctx, q->arg, k, &kind) ? NULL : kind->record(ctx, q->one[k].at);
}

int cli_questions_end(swq_context *ctx, const cli_questions *q, int k, const char *where)
{
    const cli_question_kind *kind;

    if (q->set(ctx, q->arg, k, &kind))
        return CLI_LIMIT;
    return kind->end ? kind->end(ctx, q->one[k].at, where) : CLI_OK;
}

void cli_questions_clear(swq_context *ctx, cli_questions *q)
{
    for (int k = 0; k < q->count && q->one; k++) {
        if (!q->one[k].at)
            continue;
        q->one[k].kind->clear(ctx, q->one[k].at);
        free(q->one[k].at);
    }
    free(q->one);
    q->one = NULL;
}
