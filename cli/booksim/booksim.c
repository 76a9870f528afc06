/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --booksim: the routers and the run of a configuration, what is left of its settings, and hints
 * for a configuration that was given to another option.
 */
#include "cli/booksim/booksim.h"
#include "base/context.h"
#include "cli/booksim/question.h"
#include "cli/options/files.h"
#include "cli/options/options.h"
#include "cli/print/append.h"
#include "switchq/async.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *booksim_path;

struct poptOption cli_booksim_options[] = {
    CLI_TEXT_ROW("booksim", "FILE", &booksim_path,
                 "translate a configuration of BookSim 2 into a question, and print it; other "
                 "options replace parts of it"),
    POPT_TABLEEND,
};

/* ---- parts ---- */

enum { MOST_DELAY = 64, MOST_CYCLES = 1000000000 };

static void add_routers(booksim_question *q)
{
    const int routing = booksim_whole(q, "routing_delay", 0, MOST_DELAY);
    const int lane = booksim_whole(q, "vc_alloc_delay", 1, MOST_DELAY);
    const int crossing = booksim_whole(q, "st_prepare_delay", 0, MOST_DELAY) +
                         booksim_whole(q, "st_final_delay", 0, MOST_DELAY);
    const char *longer = routing > 1    ? "routing_delay"
                         : lane > 1     ? "vc_alloc_delay"
                         : crossing > 1 ? "st_final_delay"
                                        : NULL;

    booksim_add(q, "architecture", "wormhole");
    booksim_add(q, "lanes", "%d", booksim_whole(q, "num_vcs", 1, SWQ_MAX_LANES));
    booksim_add(q, "lane-flits", "%d", booksim_whole(q, "vc_buf_size", 1, SWQ_MAX_LANE_FLITS));
    booksim_add(q, "lane-reuse", "%s",
                booksim_whole(q, "wait_for_tail_credit", 0, 1) ? "empty" : "sent");
    booksim_add(q, "router-delay", "%d,%d,1,%d", routing, lane, crossing);
    booksim_add(q, "credit-delay", "%d", 1 + booksim_whole(q, "credit_delay", 0, 1000));
    if (longer)
        booksim_remark(q, longer,
                       "in BookSim packets take turns in a stage of several cycles, here they do "
                       "not (docs/peers-differences.md)");
}

static void add_run(booksim_question *q)
{
    const int period = booksim_whole(q, "sample_period", 1, 10000000);
    const int warmup = booksim_whole(q, "warmup_periods", 0, 1000000);
    const int samples = booksim_whole(q, "max_samples", 1, 1000000);
    const int runs = booksim_whole(q, "sim_count", 1, 1000000);
    const int seed = booksim_place("seed");

    if (!booksim_is(q, "sim_type", "latency") && !booksim_is(q, "sim_type", "throughput"))
        booksim_refuse(q, "sim_type", "there are runs of a load (latency, throughput), no batches");
    if (samples <= warmup)
        booksim_refuse(q, "max_samples", "nothing is measured after %d periods of warm-up", warmup);
    if ((double)samples * period > MOST_CYCLES)
        booksim_refuse(q, "max_samples", "more than %d cycles", MOST_CYCLES);
    if (warmup > 0)
        booksim_add(q, "warmup", "%d", warmup * period);
    booksim_add(q, "cycles", "%d", (samples - warmup) * period);
    if (runs > 1)
        booksim_add(q, "replications", "%d", runs);
    if (q->values->value[seed].line && !booksim_is(q, "seed", "time"))
        booksim_add(q, "seed", "%d", booksim_whole(q, "seed", 0, 2147483647));
}

/* ---- what is left ---- */

static bool same_value(const char *text, const char *preset)
{
    char *end, *its_end;
    const double a = strtod(text, &end), b = strtod(preset, &its_end);
    const bool numbers = end > text && !*end && its_end > preset && !*its_end;

    return numbers ? a == b : strcmp(text, preset) == 0;
}

static void refuse_fixed(booksim_question *q)
{
    for (const booksim_row *row = booksim_rows; row->name; row++) {
        if (row->effect == BOOKSIM_FIXED && !same_value(booksim_text(q, row->name), row->preset))
            booksim_refuse(q, row->name, "not translated; here %s", row->about);
    }
}

/* One note on all settings of the file that change nothing. */
static void note_idle(const booksim_question *q)
{
    char text[900] = "";

    for (int k = 0; booksim_rows[k].name; k++) {
        const int line = q->values->value[k].line;
        if (booksim_rows[k].effect == BOOKSIM_IDLE && line)
            cli_append(text, sizeof text, "%sline %d %s", *text ? ", " : "", line,
                       booksim_rows[k].name);
    }
    if (*text)
        cli_note("%.200s: left out, as they change no mean here: %s", q->path, text);
}

static swq_status translate(swq_context *ctx, const struct poptOption *table, cli_arguments *to)
{
    booksim_values values = {.text = NULL};
    booksim_question q = {ctx, booksim_path, &values, table, to, {false}, 0, SWQ_OK};
    swq_status status = cli_files_readable(ctx, "booksim", booksim_path);

    if (!status)
        status = booksim_read(ctx, booksim_path, &values);
    if (!status) {
        const booksim_shape shape = booksim_topology(&q);
        add_routers(&q);
        booksim_traffic(&q, &shape);
        add_run(&q);
        refuse_fixed(&q);
        note_idle(&q);
        status = q.status;
    }
    if (!status && q.refused)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--booksim %.200s: %d setting%s cannot be translated (see above)",
                          booksim_path, q.refused, q.refused > 1 ? "s" : "");
    free(values.text);
    return status;
}

swq_status cli_booksim_hint(swq_context *ctx, const char *path, swq_status status)
{
    char before[640];
    booksim_values values = {.text = NULL};
    struct stat file;

    if (status != SWQ_EINVAL || stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return status;
    snprintf(before, sizeof before, "%s", swq_context_message(ctx));
    if (booksim_read(ctx, path, &values) == SWQ_OK)
        swq_fail(ctx, status,
                 "'%.200s' is a configuration of BookSim; 'switchq sim --booksim %.200s' reads it",
                 path, path);
    else
        swq_fail(ctx, status, "%s", before);
    free(values.text);
    return status;
}

const cli_translator cli_booksim = {.option = "booksim",
                                    .name = "BookSim's configuration",
                                    .translate = translate,
                                    .hint = cli_booksim_hint};
