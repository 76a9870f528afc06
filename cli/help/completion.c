/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq completion: scripts with which a shell completes command lines.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/help/scripts.inc"
#include "cli/help/tree.h"
#include "cli/print/output.h"

#include <string.h>

static struct poptOption options[] = {
    POPT_TABLEEND,
};

/* A shell, the template of its script, and the escapes of its words. */
typedef struct {
    const char *name, *text, *escape;
} shell;

static const shell bash = {"bash", text_bash, "raw"}, zsh = {"zsh", text_zsh, "zsh"},
                   fish = {"fish", text_fish, "fish"};
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
    swq_status status = cli_help_write(ctx, chosen->text, cli_help_of_all(ctx), chosen->escape);
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
