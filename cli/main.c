/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq: dispatch to a command, and signals.
 */
#include "base/context.h"
#include "cli/booksim/booksim.h"
#include "cli/figures/paper.h"
#include "cli/help/help.h"
#include "cli/print/output.h"
#include "switchq/version.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static swq_context *interrupted;

/* Ctrl-C; the signal that batch systems send; and the end of a terminal or of a remote login. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof *ends };

/* The first signal ends long work cleanly; a second one ends the program at once, except that
 * temporary files are removed. */
static void on_interrupt(int number)
{
    if (!swq_context_interrupted(interrupted)) {
        swq_context_cancel(interrupted);
        return;
    }
    swq_context_remove_temporaries(interrupted);
    signal(number, SIG_DFL);
    raise(number);
}

/* nohup starts a program with SIGHUP ignored, so that it goes on without its terminal. */
static bool stays_ignored(int number)
{
    struct sigaction as;

    return number == SIGHUP && sigaction(number, NULL, &as) == 0 && as.sa_handler == SIG_IGN;
}

static void heed_interrupts(swq_context *ctx)
{
    struct sigaction heed = {.sa_handler = on_interrupt};

    interrupted = ctx;
    sigemptyset(&heed.sa_mask);
    for (int k = 0; k < ENDS; k++)
        sigaddset(&heed.sa_mask, ends[k]);
    for (int k = 0; k < ENDS; k++) {
        if (!stays_ignored(ends[k]))
            sigaction(ends[k], &heed, NULL);
    }
}

/* Nothing is left to end cleanly, and a signal must not find the context freed. */
static void let_interrupts_end_it(void)
{
    for (int k = 0; k < ENDS; k++) {
        if (!stays_ignored(ends[k]))
            signal(ends[k], SIG_DFL);
    }
    interrupted = NULL;
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
    return cli_command_run(ctx, command, argc, arguments);
}

int main(int argc, char **argv)
{
    swq_context *ctx = swq_context_new();

    if (!ctx) {
        fputs("switchq: no memory\n", stderr);
        return CLI_LIMIT;
    }
    heed_interrupts(ctx);
    swq_figures_from(ctx, &cli_papers);
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error to report, not the end */

    int status;
    if (argc < 2) {
        cli_usage(stderr);
        status = CLI_BAD_INPUT;
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_usage(stdout);
        status = cli_flush(ctx) ? cli_fail(ctx, SWQ_EIO) : CLI_OK;
    } else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0 ||
               strcmp(argv[1], "version") == 0) {
        puts("switchq " SWQ_VERSION);
        status = cli_flush(ctx) ? cli_fail(ctx, SWQ_EIO) : CLI_OK;
    } else {
        const cli_command *command = cli_command_find(ctx, argv[1]);
        status = command ? run_command(ctx, command, argc - 2, argv + 2)
                         : cli_fail(ctx, cli_booksim_hint(ctx, argv[1], SWQ_EINVAL));
    }
    let_interrupts_end_it();
    swq_context_free(ctx);
    return status;
}
