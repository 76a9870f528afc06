/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq: the commands and their dispatch.
 * Room: cli.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/help.h"
#include "switchq/version.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const cli_command *const cli_commands[] = {
    &cli_solve,    &cli_sim,    &cli_approx, &cli_formula, &cli_sweep, &cli_table,      &cli_figure,
    &cli_validate, &cli_report, &cli_list,   &cli_export,  &cli_help,  &cli_completion, NULL,
};

static swq_context *interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    swq_context_cancel(interrupted);
}

/* A progress line on a terminal, from the first second of work on, a few times a second. Time left
 * is told from what was done since the total was first known. */
void cli_show_progress(void *arg, const char *stage, double done, double total)
{
    static double last, begun, done_before, total_before;
    struct timespec clock;
    bool *shown = arg;

    clock_gettime(CLOCK_MONOTONIC, &clock);
    const double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
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

static int run_command(swq_context *ctx, const cli_command *command, int argc, char **argv)
{
    const char *arguments[CLI_MOST_ARGUMENTS];

    if (argc > CLI_MOST_ARGUMENTS) {
        swq_fail(ctx, SWQ_EINVAL, "at most %d arguments, not %d", CLI_MOST_ARGUMENTS, argc);
        return cli_fail(ctx, SWQ_EINVAL);
    }
    for (int a = 0; a < argc; a++)
        arguments[a] = argv[a];
    if (isatty(STDERR_FILENO))
        swq_context_watch(ctx, cli_show_progress, &cli_progress_shown);
    return command->run(ctx, command, argc, arguments);
}

int main(int argc, char **argv)
{
    swq_context *ctx = swq_context_new();

    if (!ctx) {
        fputs("switchq: no memory\n", stderr);
        return CLI_LIMIT;
    }
    /* one Ctrl-C ends long work cleanly; a second one ends the program as usual */
    interrupted = ctx;
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND},
              NULL);

    int status;
    if (argc < 2) {
        cli_usage(stderr);
        status = CLI_BAD_INPUT;
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_usage(stdout);
        status = cli_flush(ctx) ? cli_fail(ctx, SWQ_EIO) : CLI_OK;
    } else if (strcmp(argv[1], "--version") == 0) {
        puts("switchq " SWQ_VERSION);
        status = cli_flush(ctx) ? cli_fail(ctx, SWQ_EIO) : CLI_OK;
    } else {
        const cli_command *command =
            swq_name_lookup(ctx, "command", argv[1], (const void *const *)cli_commands);
        status =
            command ? run_command(ctx, command, argc - 2, argv + 2) : cli_fail(ctx, SWQ_EINVAL);
    }
    swq_context_free(ctx);
    return status;
}
