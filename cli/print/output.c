/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output that all commands share: progress, pieces of JSON, and the check that everything was
 * written.
 */
#include "base/clock.h"
#include "base/context.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/options/asked.h"
#include "cli/options/plugins.h"
#include "cli/print/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_progress_shown;

void cli_clear_progress(void)
{
    if (cli_progress_shown)
        fputs("\r\033[K", stderr);
    cli_progress_shown = false;
}

/* A progress line on a terminal, after the first second of work and then a few times a second. The
 * time left is estimated from the work done since the total was first known. */
void cli_show_progress(void *arg, const char *stage, double done, double total)
{
    static double last, begun, done_before, total_before;
    const double now = swq_seconds(CLOCK_MONOTONIC);
    bool *shown = arg;

    if (last == 0)
        last = now + 1;
    if (total != total_before || done < done_before) {
        begun = now;
        done_before = done;
        total_before = total;
    }
    if (now < last + 0.2)
        return;
    last = now;
    *shown = true;
    if (total <= 0) {
        fprintf(stderr, "\r\033[K%s: %.0f", stage, done);
        return;
    }
    fprintf(stderr, "\r\033[K%s: %.0f%%", stage, 100 * done / total);
    if (done > done_before)
        fprintf(stderr, ", %.0f s left", (now - begun) * (total - done) / (done - done_before));
}

/* The number's own text, since cJSON's may be off by one unit, which would spoil proven bounds. */
static cJSON *number(double value)
{
    char text[40];

    return isfinite(value) ? cJSON_CreateRaw(swq_number_text(value, text)) : cJSON_CreateNull();
}

void cli_json_number(cJSON *object, const char *key, double value)
{
    cJSON_AddItemToObject(object, key, number(value));
}

cJSON *cli_json_numbers(const double *value, int count)
{
    cJSON *array = cJSON_CreateArray();

    for (int k = 0; k < count; k++)
        cJSON_AddItemToArray(array, number(value[k]));
    return array;
}

swq_status cli_json_print(swq_context *ctx, cJSON *tree)
{
    cli_plugins_echo(ctx, tree);
    if (tree && cli_answer_take(tree))
        return SWQ_OK;
    cli_asked_echo(tree);
    char *text = cli_json_text(tree, true);

    cJSON_Delete(tree);
    if (!text)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the JSON output");
    puts(text);
    free(text);
    return cli_flush(ctx);
}

swq_status cli_flush(swq_context *ctx)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EIO, "cannot write to standard output: %s", strerror(errno));
}
