/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep: the options that look at a database, or merge others into it, instead of running.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/sweep/views.h"

#include <stdlib.h>
#include <string.h>

static int status_asked, merge_asked;
static char *export_text, *plot_text, *output_text, *prefer_text;

struct poptOption cli_sweep_view_options[] = {
    CLI_FLAG_ROW(
        "status", &status_asked,
        "print the progress of the study, failures, active workers, and the remaining time"),
    CLI_TEXT_ROW("export", "FORMAT", &export_text,
                 "write a line for each point, with its options and results: csv or json"),
    CLI_TEXT_ROW("plot", "x=KEY ...", &plot_text,
                 "draw x=KEY y=KEY [by=KEY,...] [logx] [logy] [where KEY=VALUE ...] to -o"),
    CLI_OUTPUT_OPTION(&output_text,
                      "where --export writes (default: standard output) and --plot draws (.svg, "
                      ".png, .pdf; .csv: the points)",
                      "FILE"),
    CLI_FLAG_ROW("merge", &merge_asked,
                 "add the answers of the databases named after it to the study's database"),
    CLI_TEXT_ROW("prefer", "WHICH", &prefer_text,
                 "newest: if answers differ, --merge takes the later one (default: an error)"),
    POPT_TABLEEND,
};

bool cli_sweep_view_asked(void)
{
    return status_asked || export_text || plot_text || merge_asked;
}

bool cli_sweep_view_merges(void)
{
    return merge_asked != 0;
}

swq_status cli_sweep_view_check(swq_context *ctx, int words, const char *run_option)
{
    static const char *const names[] = {"--status", "--export", "--plot", "--merge"};
    const bool given[] = {status_asked, export_text, plot_text, merge_asked};
    const char *first = NULL;

    for (int k = 0; k < 4; k++) {
        if (given[k] && first)
            return swq_fail(ctx, SWQ_EINVAL, "%s and %s: one at a time", first, names[k]);
        if (given[k])
            first = names[k];
    }
    if (first && run_option)
        return swq_fail(ctx, SWQ_EINVAL, "%s and %s: one at a time", run_option, first);
    if (words > 0 && !plot_text && !merge_asked)
        return swq_fail(ctx, SWQ_EINVAL,
                        "unexpected argument behind the study; 'switchq sweep --help' tells more");
    if (output_text && !export_text && !plot_text)
        return swq_fail(ctx, SWQ_EINVAL, "--output goes with --export or --plot");
    if (prefer_text && !merge_asked)
        return swq_fail(ctx, SWQ_EINVAL, "--prefer goes with --merge");
    if (plot_text && !output_text)
        return swq_fail(ctx, SWQ_EINVAL, "--plot needs -o FILE.svg, .png, .pdf or .csv");
    cli_make_folder_for(output_text);
    return plot_text ? cli_plot_check(ctx, output_text) : SWQ_OK;
}

static swq_status plot(swq_context *ctx, swq_store *store, const char *title,
                       const char *const *word, int words)
{
    const char **all = swq_calloc(ctx, (size_t)words + 1, sizeof *all);
    cli_sweep_axes axes = {0};

    if (!all)
        return swq_memory_status(ctx);
    all[0] = plot_text;
    if (words)
        memcpy(all + 1, word, (size_t)words * sizeof *all);
    swq_status status = cli_sweep_axes_read(ctx, all, words + 1, &axes);
    if (!status)
        status = cli_sweep_plot(ctx, store, title, &axes, output_text);
    cli_sweep_axes_clear(ctx, &axes);
    swq_free(ctx, all);
    return status;
}

swq_status cli_sweep_view(swq_context *ctx, swq_store *store, const char *title,
                          const char *const *word, int words, bool json)
{
    if (status_asked)
        return cli_sweep_status(ctx, store, json);
    if (export_text)
        return cli_sweep_export(ctx, store, export_text, output_text);
    if (plot_text)
        return plot(ctx, store, title, word, words);
    return cli_sweep_merge(ctx, store, word, words, prefer_text);
}
