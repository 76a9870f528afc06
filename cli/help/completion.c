/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq completion: what a shell needs to complete command lines.
 * Room: cli.
 */
#include "cli/help/completion.h"
#include "base/context.h"
#include "base/names.h"
#include "cli/print/output.h"

#include <string.h>

static struct poptOption options[] = {
    POPT_TABLEEND,
};

typedef struct {
    const char *name;
    void (*write)(swq_context *ctx);
} shell;

static const shell bash = {"bash", cli_complete_bash}, zsh = {"zsh", cli_complete_zsh},
                   fish = {"fish", cli_complete_fish};
static const shell *const shells[] = {&bash, &zsh, &fish, NULL};

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const char *name = NULL;
    const shell *chosen = NULL;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);

    if (end >= 0)
        return end;
    if (!name)
        swq_fail(ctx, SWQ_EINVAL, "which shell: bash, zsh or fish? ('switchq completion --help')");
    else
        chosen = swq_name_lookup(ctx, "shell", name, (const void *const *)shells);
    if (!chosen)
        return cli_fail(ctx, SWQ_EINVAL);
    chosen->write(ctx);
    swq_status status = cli_flush(ctx);
    return status ? cli_fail(ctx, status) : CLI_OK;
}

const cli_command cli_completion = {
    .name = "completion",
    .no_file = true,
    .usage = "bash|zsh|fish",
    .summary = "print a script that completes command lines in a shell",
    .notes = "'make install' puts the scripts where the shells look for them. By hand:\n"
             "  bash: switchq completion bash > "
             "~/.local/share/bash-completion/completions/switchq\n"
             "  zsh:  switchq completion zsh > a folder of $fpath, as _switchq\n"
             "  fish: switchq completion fish > ~/.config/fish/completions/switchq.fish\n",
    .examples = "  switchq completion bash\n"
                "  switchq completion zsh\n"
                "  switchq completion fish\n",
    .run = run,
};
