/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All points of a command's ranges: reading, computing on threads, printing.
 */
#include "cli/points/points.h"
#include "base/context.h"
#include "cli/options/words.h"
#include "cli/print/append.h"

#include <stdio.h>
#include <stdlib.h>

/* The points of a command, each a question to the runner. */
typedef struct {
    const cli_axes *axes;
    const cli_points_how *how;
    cli_points_view view;
    cli_questions questions;
} points;

static swq_status set(swq_context *ctx, void *arg, int k, const cli_question_kind **kind)
{
    const points *p = arg;

    (void)ctx;
    cli_axes_set(p->axes, k);
    *kind = p->how->kind;
    return SWQ_OK;
}

static void free_records(cli_record **record, int count)
{
    for (int k = 0; k < count; k++)
        cli_record_free(record[k]);
}

/* Draws and prints, or hands over, the records of `count` points. */
static swq_status print(swq_context *ctx, const points *p, cli_record **record, const int *point,
                        int count)
{
    const cli_points_how *how = p->how;
    const bool range = p->axes->points > 1;
    swq_status status = SWQ_OK;

    cli_clear_progress();
    if (how->entitle && count) {
        char words[CLI_QUESTION_WORDS];
        how->entitle(cli_points_words(p->axes, record, count, words, sizeof words));
    }
    if (range)
        cli_points_tell_unlike(p->axes, record, point, count);
    if (how->plot && count && range)
        status =
            cli_points_plot(ctx, p->axes, how->panel, &p->view, record, point, count, how->plot);
    else if (how->plot && count)
        status = how->draw(ctx, p->questions.one[point[0]].at, record[0], how->plot);
    if (status || (range && how->format == CLI_TEXT && count)) {
        if (!status)
            cli_points_text(p->axes, record, point, count);
        free_records(record, count);
        return status ? status : cli_flush(ctx);
    }
    if (range)
        return cli_records_print(ctx, record, count, how->format);
    return count ? cli_record_print(ctx, record[0], how->format) : SWQ_OK;
}

/* Tells the points that have an answer. */
static swq_status tell(swq_context *ctx, const points *p)
{
    const int most = p->axes->points;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    cli_record **record = calloc((size_t)most, sizeof *record);
    int *point = calloc((size_t)most, sizeof *point), count = 0;
    swq_status status = record && point ? SWQ_OK : SWQ_ENOMEM;

    for (int k = 0; k < most && !status; k++) {
        if (p->questions.one[k].status)
            continue;
        point[count] = k;
        record[count] = cli_questions_record(ctx, &p->questions, k);
        status = record[count++] ? SWQ_OK : SWQ_ENOMEM;
    }
    if (!status)
        status = print(ctx, p, record, point, count);
    else if (record)
        free_records(record, count);
    free(record);
    free(point);
    return status;
}

/* "buffer damq, load 0.4: ", or nothing where there is one point. */
static const char *name_of(const cli_axes *axes, int point, char *text, size_t size)
{
    *text = '\0';
    for (int a = 0; a < axes->axes; a++)
        cli_append(text, size, "%s %s%s", axes->axis[a].option,
                   axes->axis[a].value[cli_axes_place(axes, point, a)],
                   a + 1 < axes->axes ? ", " : ": ");
    return text;
}

/* Notes on all points that have an answer; the highest of their exit statuses. */
static int end_all(swq_context *ctx, const points *p)
{
    char where[200];
    int end = CLI_OK;

    for (int k = 0; k < p->axes->points; k++) {
        if (p->questions.one[k].status)
            continue;
        const int own =
            cli_questions_end(ctx, &p->questions, k, name_of(p->axes, k, where, sizeof where));
        end = own > end ? own : end;
    }
    return end;
}

static int run_points(swq_context *ctx, const cli_axes *axes, const cli_points_how *how,
                      const cli_points_view *view)
{
    points p = {
        .axes = axes, .how = how, .view = *view, .questions = {.count = axes->points, .set = set}};
    int end = CLI_OK, own;

    p.questions.arg = &p;
    swq_status status = SWQ_OK;
    for (int k = 0; k < axes->points && !status; k++)
        status = cli_questions_read(ctx, &p.questions, k);
    const bool read = !status;
    if (read)
        status = cli_questions_answer(ctx, &p.questions, how->threads);
    if (status) /* the message goes first, since printing may produce another one */
        end = cli_fail(ctx, status);
    if (read && (!status || status == SWQ_ECANCELLED || axes->points > 1)) {
        status = tell(ctx, &p);
        own = status ? cli_fail(ctx, status) : end_all(ctx, &p);
        end = own > end ? own : end;
    }
    cli_questions_clear(ctx, &p.questions);
    return end;
}

int cli_points_run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    cli_points_how how = {.threads = 1};
    cli_points_view view;
    cli_axes axes;
    int end = cli_read_options(ctx, self, self->options, argc, argv, NULL, 0);

    if (end >= 0)
        return end;
    swq_status status = cli_axes_read(ctx, self->options, &axes);
    if (status)
        return cli_fail(ctx, status);
    /* before the question, as some are answered in another way, which draws nothing */
    status = cli_points_view_read(ctx, axes.points > 1 && cli_given(self->options, "plot"), &view);
    end = status ? cli_fail(ctx, status) : self->question(ctx, &axes, &how);
    if (end < 0) {
        end = run_points(ctx, &axes, &how, &view);
        status = how.close ? how.close(ctx, end != CLI_BAD_INPUT) : SWQ_OK;
        end = status ? cli_fail(ctx, status) : end;
    }
    cli_axes_clear(&axes);
    return end;
}
