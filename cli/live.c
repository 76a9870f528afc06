/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network that is stepped, from the options of `switchq sim`.
 */
#include "cli/live.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

static cli_parameter parameters[] = {
    CLI_SEED_ROW(swq_live_options, seed),
    {CLI_FLAG_OPTION("follow", 0), CLI_AT(CLI_FLAG, swq_live_options, follow), CLI_OF_THE_RUN,
     .about = "keep the end of each packet"},
    CLI_PARAMETERS_END,
};

static struct poptOption options[] = {
    CLI_TABLE(cli_network_options, NULL),
    CLI_TABLE(cli_async_options, NULL),
    CLI_TABLE(cli_engine_options, NULL),
    CLI_PARAMETERS(parameters),
    POPT_TABLEEND,
};

static void clear(swq_context *ctx, cli_live *l)
{
    if (l->is_async)
        cli_async_clear(ctx, &l->async);
    else
        cli_network_clear(&l->n);
}

static swq_status read_network(swq_context *ctx, cli_live *l)
{
    swq_live_options o = swq_live_defaults();
    const cli_engine *engine;
    swq_status status = cli_engine_choose(ctx, options, &engine);

    if (!status)
        status = cli_parameters_read(ctx, parameters, &o);
    if (status)
        return status;
    o.plain = engine->plain;
    l->is_async = engine->bit == SWQ_ENGINE_ASYNC;
    status = l->is_async ? cli_async_read(ctx, &l->async, CLI_LOAD_GIVEN)
                         : cli_network_read(ctx, &l->n, CLI_LOAD_GIVEN);
    if (status)
        return status;
    status = l->is_async ? swq_live_open_async(ctx, &l->async.network, &o, &l->live)
                         : swq_live_open(ctx, &l->n.network, &o, &l->live);
    if (status)
        clear(ctx, l);
    return status;
}

/* Refuses options of runs: a network that is stepped is not run by the command. */
static swq_status check_words(swq_context *ctx, int count, const char *const *words)
{
    const struct poptOption sim_alone[] = {
        CLI_TABLE(cli_run_options, NULL),
        CLI_TABLE(cli_sim_output_options, NULL),
        POPT_TABLEEND,
    };

    if (count > CLI_MOST_ARGUMENTS)
        return swq_fail(ctx, SWQ_EINVAL, "a network has at most %d options, not %d",
                        CLI_MOST_ARGUMENTS, count);
    for (int k = 0; k < count; k++) {
        const char *name = words[k] + strspn(words[k], "-");
        const size_t length = strcspn(name, "=");
        if (cli_option_named(sim_alone, name, length) && !cli_option_named(options, name, length))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%.*s is for 'switchq sim': a network that is stepped has the "
                            "options of a network and its traffic, --engine, --seed and --follow",
                            (int)length, name);
    }
    return SWQ_OK;
}

int cli_live_open(swq_context *ctx, int count, const char *const *words, cli_answer *answer,
                  cli_live *l)
{
    const char *word[CLI_MOST_ARGUMENTS + 1];
    swq_status status = check_words(ctx, count, words);

    *answer = (cli_answer){.status = CLI_OK};
    cli_answer *outer = cli_answer_expect(answer);
    for (int k = 0; k < count && !status; k++)
        word[k] = words[k];
    int end = status ? cli_fail(ctx, status)
                     : cli_read_options(ctx, &cli_sim, options, count, word, NULL, 0);
    if (end < 0) {
        status = read_network(ctx, l);
        end = status ? cli_fail(ctx, status) : CLI_OK;
    }
    cli_forget_options(options);
    cli_answer_expect(outer);
    return end;
}

void cli_live_close(cli_live *l)
{
    swq_context *ctx = swq_live_context(l->live);

    swq_live_close(l->live);
    clear(ctx, l);
}
