/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of a file, put where popt would put them, and read as those of the command line are.
 */
#include "cli/spec/question.h"
#include "base/context.h"
#include "cli/options/options.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct poptOption options[] = {
    CLI_TABLE(cli_network_options, NULL),
    CLI_TABLE(cli_async_options, NULL),
    CLI_TABLE(cli_engine_options, NULL),
    POPT_TABLEEND,
};

static swq_status append(swq_context *ctx, char ***list, char *word)
{
    size_t count = 0;

    while (*list && (*list)[count])
        count++;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    char **more = word ? realloc(*list, (count + 2) * sizeof *more) : NULL;
    if (!more) {
        free(word);
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the options");
    }
    more[count] = word;
    more[count + 1] = NULL;
    *list = more;
    return SWQ_OK;
}

static swq_status set(swq_context *ctx, const cli_setting *s)
{
    const struct poptOption *o = cli_option_named(options, s->option, strlen(s->option));

    if (!o) {
        const char *best = cli_nearest_option(options, s->option, NULL, NULL);
        return swq_fail(ctx, SWQ_EINVAL, "option '%.40s' of a network is unknown%s%s%s", s->option,
                        best ? "; did you mean '" : "", best ? best : "", best ? "'?" : "");
    }
    if (cli_option_kind(o) == POPT_ARG_NONE) {
        *(int *)o->arg = strcmp(s->value, "true") == 0;
        return SWQ_OK;
    }
    if (cli_option_kind(o) == POPT_ARG_ARGV)
        return append(ctx, o->arg, strdup(s->value));
    char **text = o->arg;
    free(*text);
    *text = strdup(s->value);
    return *text ? SWQ_OK : swq_fail(ctx, SWQ_ENOMEM, "no memory for the options");
}

static swq_status read_sync(swq_context *ctx, swq_figure_setting *to)
{
    cli_network n;
    swq_status status = cli_network_read(ctx, &n, CLI_LOAD_GIVEN);

    if (status)
        return status;
    if (n.matrix.path || n.node_load || n.trace)
        status = swq_fail(ctx, SWQ_EINVAL, "traffic and load from a file do not go into a figure");
    /* a queue of high priority in a partitioned buffer is counted apart */
    const bool apart =
        n.network.sw.priority.slots && n.network.sw.priority.support != SWQ_SUPPORT_BUFFER;
    to->buffer = n.spec.buffer;
    to->memory = n.spec.slots - (apart ? n.network.sw.priority.slots : 0);
    to->network = n.network;
    to->load = n.network.traffic.load;
    cli_network_clear(&n);
    return status;
}

static swq_status read_async(swq_context *ctx, swq_figure_setting *to)
{
    cli_async *n = calloc(1, sizeof *n);
    swq_status status = n ? cli_async_read(ctx, n, CLI_LOAD_GIVEN)
                          : swq_fail(ctx, SWQ_ENOMEM, "no memory for the options");

    if (!status && (n->trace_path || n->circuits_path))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "traces, collective operations and circuits do not go into a figure");
    if (!status && (n->matrix[0] || n->some_load))
        status = swq_fail(ctx, SWQ_EINVAL, "traffic and load from a file do not go into a figure");
    if (!status && n->graph) /* which a setting would outlive */
        status = swq_fail(ctx, SWQ_EINVAL,
                          "a network from a file (--topology %s:FILE) does not go into a figure",
                          n->network.shape.kind->name);
    if (!status && n->network.traffic.groups > SWQ_FIGURE_GROUPS)
        status = swq_fail(ctx, SWQ_EINVAL, "a figure's networks have at most %d groups, not %d",
                          SWQ_FIGURE_GROUPS, n->network.traffic.groups);
    if (!status) {
        const int last = n->network.traffic.groups - 1;
        to->asynchronous = true;
        to->buffer = n->buffer;
        to->memory = n->bytes;
        to->async = n->network;
        memcpy(to->group, n->group, sizeof to->group);
        to->async.traffic.group = to->group;
        to->benchmark = n->benchmark ? n->benchmark->name : NULL;
        to->hot_link = n->benchmark ? n->hot_link : SWQ_NO_WHERE;
        to->load = n->benchmark ? n->share : n->load[last < 0 ? 0 : last];
        if (isnan(to->load)) /* an interval was given */
            to->load = 1;
    }
    if (n && status != SWQ_ENOMEM)
        cli_async_clear(ctx, n);
    free(n);
    return status;
}

swq_status cli_setting_read(swq_context *ctx, const cli_setting *setting, int settings,
                            swq_figure_setting *to)
{
    const cli_engine *engine;
    swq_status status = SWQ_OK;

    *to = (swq_figure_setting){.hot_link = SWQ_NO_WHERE, .replications = 1};
    cli_begin_options();
    cli_forget_options(options);
    for (int k = 0; k < settings && !status; k++)
        status = set(ctx, &setting[k]);
    if (!status)
        status = cli_engine_choose(ctx, options, &engine);
    if (!status)
        status = engine->bit == SWQ_ENGINE_ASYNC ? read_async(ctx, to) : read_sync(ctx, to);
    cli_forget_options(options);
    cli_end_options();
    return status;
}

swq_status cli_setting_words(swq_context *ctx, const char *words, swq_figure_setting *to)
{
    cli_setting setting[CLI_MOST_SETTINGS];
    const char *word[CLI_MOST_SETTINGS];
    int words_of = 0, settings = 0;
    char *text = strdup(words);
    swq_status status = text ? swq_point_split(ctx, text, word, CLI_MOST_SETTINGS, &words_of)
                             : swq_fail(ctx, SWQ_ENOMEM, "no memory for the options");

    for (int k = 0; k < words_of && !status; k++) {
        const bool flag = k + 1 == words_of || strncmp(word[k + 1], "--", 2) == 0;
        if (strncmp(word[k], "--", 2) != 0)
            status = swq_fail(ctx, SWQ_EINVAL, "'%.40s' is no option of a network", word[k]);
        setting[settings++] = (cli_setting){word[k] + 2, flag ? "true" : word[k + 1]};
        k += !flag;
    }
    if (!status)
        status = cli_setting_read(ctx, setting, settings, to);
    free(text);
    return status;
}
