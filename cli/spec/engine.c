/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which engine simulates.
 */
#include "cli/spec/engine.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"

#include <string.h>

enum { ALL_ENGINES = SWQ_ENGINE_SYNC | SWQ_ENGINE_ASYNC };

/* The first row of each engine represents it; the first row of all is the default. */
static const cli_engine engines[] = {
    {"sync", "synchronous", SWQ_ENGINE_SYNC, false},
    {"plain", "synchronous", SWQ_ENGINE_SYNC, true},
    {"async", "asynchronous", SWQ_ENGINE_ASYNC, false},
};

enum { ENGINES = sizeof engines / sizeof *engines };

static const cli_engine *of_bits(unsigned bits)
{
    const cli_engine *row = engines;

    while (!(row->bit & bits))
        row++;
    return row;
}

swq_status cli_engine_asked(swq_context *ctx, const cli_engine **engine)
{
    const char *text = cli_text(cli_run_options, "engine");
    const char *words[ENGINES + 1] = {NULL};
    int k;

    for (k = 0; k < ENGINES; k++)
        words[k] = engines[k].word;
    swq_status status = text ? cli_word(ctx, "engine", text, words, &k) : SWQ_OK;

    *engine = text && !status ? &engines[k] : NULL;
    return status;
}

/* ---- options and words that belong to one engine ---- */

swq_status cli_topology_engines(swq_context *ctx, const char *name, unsigned *bits)
{
    swq_shape shape = {0};
    swq_status status = swq_fabric_find(ctx, name, &shape);

    *bits = status ? ALL_ENGINES : shape.kind->engines;
    return status;
}

/* The engines that know the flow control `name`, as bits. A word that no engine knows gets all
 * engines: the function that reads the option refuses the word. */
static swq_status flow_engines(swq_context *ctx, const char *name, unsigned *bits)
{
    (void)ctx;
    *bits = 0;
    for (int k = 0; cli_flow_words[k]; k++)
        *bits |= strcmp(cli_flow_words[k], name) == 0 ? SWQ_ENGINE_SYNC : 0;
    for (int k = 0; swq_hop_flows[k]; k++)
        *bits |= strcmp(swq_hop_flows[k]->name, name) == 0 ? swq_hop_flows[k]->engines : 0;
    if (!*bits)
        *bits = ALL_ENGINES;
    return SWQ_OK;
}

/* The engine of the benchmark `name`, as a bit: all benchmarks are asynchronous. */
static swq_status benchmark_engines(swq_context *ctx, const char *name, unsigned *bits)
{
    (void)ctx;
    (void)name;
    *bits = SWQ_ENGINE_ASYNC;
    return SWQ_OK;
}

/* Options whose words may belong to one engine. Without --engine, the first such word decides. */
static const struct {
    const struct poptOption *table;
    const char *option;
    swq_status (*engines)(swq_context *ctx, const char *word, unsigned *bits);
} by_word[] = {{cli_network_options, "topology", cli_topology_engines},
               {cli_network_options, "flow", flow_engines},
               {cli_async_options, "benchmark", benchmark_engines}};

enum { BY_WORD = sizeof by_word / sizeof *by_word };

/* An engine, and the option that chose it, such as "--topology torus"; "": no option did. */
typedef struct {
    const cli_engine *engine;
    char by[80];
} choice;

static swq_status choose(swq_context *ctx, choice *c)
{
    const cli_engine *asked;
    swq_status status = cli_engine_asked(ctx, &asked);

    *c = (choice){.engine = asked ? asked : &engines[0]};
    if (asked)
        snprintf(c->by, sizeof c->by, "--engine %s", asked->word);
    for (int k = 0; k < BY_WORD && !status; k++) {
        const char *word = cli_text(by_word[k].table, by_word[k].option);
        unsigned bits = ALL_ENGINES;
        if (word)
            status = by_word[k].engines(ctx, word, &bits);
        if (status || bits == ALL_ENGINES || c->by[0])
            continue;
        c->engine = of_bits(bits);
        snprintf(c->by, sizeof c->by, "--%s %.40s", by_word[k].option, word);
    }
    return status;
}

/* ---- what the other engine has ---- */

/* The other engine's counterpart of an option that the engine lacks. */
static const char *counterpart(const char *option)
{
    static const char *const pairs[][2] = {{"bytes", "--slots"},
                                           {"interval", "--load"},
                                           {"group", "--node-groups"},
                                           {"node-groups", "--group"}};

    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        if (strcmp(pairs[k][0], option) == 0)
            return pairs[k][1];
    }
    return NULL;
}

/* How to ask for the engine that an option needs: by a topology that has it, or by --engine. */
static const char *remedy(const struct poptOption *option, const cli_engine *other, char *text,
                          size_t size)
{
    const cli_parameter *p = option ? cli_parameter_of(option) : NULL;

    if (p && p->takers[0].owner == &cli_by_topology)
        cli_takers(p, " or ", text, size);
    else
        snprintf(text, size, "--engine %s", other->word);
    return text;
}

/* `what` is "--length", or "--flow discard". */
static swq_status refuse(swq_context *ctx, const choice *c, const char *option, const char *what,
                         const struct poptOption *row, unsigned bits)
{
    const char *instead = counterpart(option);
    char text[300];

    if (bits == SWQ_ENGINE_TIMED)
        return swq_fail(ctx, SWQ_EINVAL, "%s is for --architecture shared-memory", what);
    const cli_engine *other = of_bits(bits);

    if (!c->by[0])
        return swq_fail(ctx, SWQ_EINVAL, "%s is for the %s engine: add %s%s%s%s", what, other->name,
                        remedy(row, other, text, sizeof text),
                        (unsigned)(row ? row->val : 0) & CLI_WITH_RARE ? ", or --rare" : "",
                        instead ? ", or give " : "", instead ? instead : "");
    return swq_fail(ctx, SWQ_EINVAL, "%s is for the %s engine; %s asks for the %s one%s%s", what,
                    other->name, c->by, c->engine->name, instead ? ", which has " : "",
                    instead ? instead : "");
}

swq_status cli_engine_choose(swq_context *ctx, const struct poptOption *table,
                             const cli_engine **engine)
{
    choice c;
    char what[80];
    swq_status status = choose(ctx, &c);

    *engine = c.engine;
    for (int k = 0; k < BY_WORD && !status; k++) {
        const char *word = cli_network_text(by_word[k].option);
        unsigned bits = ALL_ENGINES;
        if (word)
            status = by_word[k].engines(ctx, word, &bits);
        snprintf(what, sizeof what, "--%s %.40s", by_word[k].option, word ? word : "");
        if (!status && !(bits & c.engine->bit))
            status = refuse(ctx, &c, by_word[k].option, what, NULL, bits);
    }
    const struct poptOption *lacking =
        cli_given_lacking(table, c.engine->bit | (cli_given(table, "rare") ? CLI_WITH_RARE : 0u));
    if (status || !lacking)
        return status;
    snprintf(what, sizeof what, "--%s", lacking->longName);
    return refuse(ctx, &c, lacking->longName, what, lacking,
                  (unsigned)lacking->val & ~(unsigned)CLI_IS_PARAMETER);
}
