/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq figure: a printed figure, simulated and drawn again, with the claims of its text.
 */
#include "cli/figures/figure.h"
#include "base/context.h"
#include "base/outfile.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/record/format.h"
#include "cli/spec/switch.h"
#include "validate/figures/figures.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int quick, no_plot;
static cli_format format;
static char *folder;

static swq_status read_threshold(swq_context *ctx, const char *text, void *options)
{
    if (strcmp(text, "26") != 0 && strcmp(text, "10") != 0)
        return swq_fail(ctx, SWQ_EINVAL, "--threshold must be 26 or 10, not '%.60s'", text);
    ((swq_figure_options *)options)->threshold = *text == '2' ? 26 : 10;
    return SWQ_OK;
}

static cli_parameter run_parameters[] = {
    {CLI_OPTION("cycles", "N", 0), CLI_AT(CLI_BIG, swq_figure_options, cycles), CLI_FROM(10, 4e8),
     CLI_OF_THE_RUN, .excludes = "quick",
     .about = "cycles measured in every run (default 20000, and more where a node would get fewer "
              "than 200 packets of a class); 6.2, whose runs have 3297: a hundredth as many runs "
              "of each kind"},
    CLI_SEED_ROW(swq_figure_options, seed),
    CLI_THREADS_ROW(swq_figure_options, threads, "runs", CLI_ALL_CORES),
    {CLI_OPTION("threshold", "T", 0), .read = read_threshold, CLI_OF_THE_RUN,
     .about = "6.10 to 6.12: blocks that a queue may have, 26 (default) or 10; the dissertation "
              "does not say which"},
    {CLI_OPTION("equal", "paper|all", 0), CLI_AT(CLI_EITHER, swq_figure_options, equal_all),
     CLI_WORDS_OF("paper", "all"), CLI_OF_THE_RUN,
     .about = "003.7 to 003.12: which memory is equal in the switches compared: that of packet "
              "buffers alone (default paper), or with FIFOs at crosspoints and registers (all)"},
    CLI_PARAMETERS_END,
};

static struct poptOption options[] = {
    CLI_OUTPUT_OPTION(
        &folder,
        "where figure-NAME.svg, .png and .csv, and .gif of 6.10 to 6.12, go (default: this folder)",
        "DIR"),
    CLI_FLAG_ROW("no-plot", &no_plot, "write the CSV file alone"),
    CLI_QUICK_OPTION(&quick, "seconds (6.5, 6.8, 6.9: half a minute; low-diameter: two minutes)"),
    CLI_PARAMETERS(run_parameters),
    CLI_TABLE(cli_format_options, NULL),
    CLI_TABLE(cli_memory_options, NULL),
    POPT_TABLEEND,
};

/* ---- settings ---- */

/* Before minutes are spent on runs: can a file be created in the folder? Only an attempt tells,
 * since some file systems refuse files that the permissions allow. */
static swq_status check_folder(swq_context *ctx, const char *name)
{
    char path[CLI_FIGURE_PATH];
    struct stat about;
    swq_outfile file = {0};

    cli_figure_path(folder, name, "", "csv", path, sizeof path);
    if (folder && cli_make_folder(ctx, folder))
        return SWQ_EIO;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return SWQ_OK; /* a pipe can be opened only once */
    swq_status status = swq_outfile_open(ctx, path, &file);
    swq_outfile_abort(ctx, &file);
    return status;
}

static swq_status read_settings(swq_context *ctx, swq_figure_options *o)
{
    *o = swq_figure_defaults(quick != 0);
    o->threads = cli_usual_threads();
    if (cli_given(options, "cycles"))
        o->least_a_node = 0; /* exactly that many for every network */
    swq_status status = cli_parameters_read(ctx, run_parameters, o);
    if (!status)
        status = cli_format_read(ctx, &format);
    return status ? status : cli_memory_read(ctx);
}

/* A table is none, and a figure of answers has no runs. */
static swq_status check_options(swq_context *ctx, const swq_figure_kind *kind)
{
    const char *given = cli_given(options, "cycles");

    if (kind->plan->cell)
        return swq_fail(ctx, SWQ_EINVAL, "%s is no figure: 'switchq table' prints tables",
                        kind->name);
    if (!given)
        given = cli_given(options, "seed");
    if (kind->plan->questions && given)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is for figures of simulations; figure %s is exact",
                        given, kind->name);
    return SWQ_OK;
}

/* ---- the command ---- */

static swq_status write_csv(swq_context *ctx, const swq_figure *f)
{
    char path[CLI_FIGURE_PATH];
    swq_outfile file = {0};

    cli_figure_path(folder, f->kind->name, "", "csv", path, sizeof path);
    swq_status status = swq_outfile_open(ctx, path, &file);
    if (status)
        return status;
    cli_record *record = cli_figure_record(f);
    status = cli_records_csv(ctx, &record, 1, file.stream);
    cli_record_free(record);
    if (!status)
        return swq_outfile_commit(ctx, &file);
    swq_outfile_abort(ctx, &file);
    return status;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    swq_figure_kind *kind = NULL;
    swq_figure_options settings;
    swq_figure figure = {0};
    const char *name = NULL;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    swq_status status = name ? SWQ_OK : swq_figure_open(ctx, name, false, &kind);
    if (!status)
        status = read_settings(ctx, &settings);
    if (!status)
        status = swq_figure_open(ctx, name, settings.equal_all, &kind);
    if (!status)
        status = check_options(ctx, kind);
    if (!status)
        status = check_folder(ctx, kind->name);
    if (!status)
        status = swq_figure_run(ctx, kind, &settings, &figure);
    if (!status && !figure.cut_short) {
        status = write_csv(ctx, &figure);
        if (!status && !no_plot)
            status = cli_figure_draw(ctx, &figure, folder);
    }
    /* even if it could not be drawn, since the numbers took long to obtain */
    if (figure.kind) {
        swq_status printed = cli_record_print(ctx, cli_figure_record(&figure), format);
        status = status ? status : printed;
    }
    if (!status && figure.cut_short)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted: no files were written");
    end = status ? cli_fail(ctx, status) : CLI_OK;
    /* runs shorter than usual may contradict a claim without failing */
    bool judged = !quick && !cli_given(options, "cycles");
    for (int k = 0; k < figure.claims && judged && end == CLI_OK; k++)
        end = swq_claim_surprises(&figure.claim[k]) ? CLI_FAILED : CLI_OK;
    swq_figure_clear(ctx, &figure);
    swq_figure_close(ctx, kind);
    return end;
}

const cli_command cli_figure = {
    .name = "figure",
    .usage = "NAME [OPTION...]",
    .common = "quick output cycles seed threads json csv",
    .summary = "draw a published figure again, and check the claims of its text",
    .examples = "  switchq figure 4.1 --quick\n"
                "  switchq figure 4.2 --cycles 500 --no-plot --csv\n"
                "  switchq figure 5.1 --quick -o . --json\n"
                "  switchq figure 6.12 --quick --threshold 10\n",
    .notes =
        "A NAME that ends in .yaml is a file with a figure of your own (docs/papers.md).\n"
        "Figures of chapters 6 and 8 run with 'switchq sim --release hop --arbiter advancing', as\n"
        "their numbers together ask for. sim's own defaults are --release blocks and rotating.\n",
    .run = run,
};
