/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which engine simulates: chosen by --engine, by options that only one engine has, or by default.
 * Options that the chosen engine lacks are refused. An option's own row says, as popt's `val`,
 * which engines have the option: SWQ_ENGINE_SYNC, or 0 for all.
 */
#ifndef SWQ_CLI_ENGINE_H
#define SWQ_CLI_ENGINE_H

#include "cli/options/parameter.h"

/* A word of --engine. */
typedef struct cli_engine {
    const char *word;
    const char *name; /* the engine's name in messages */
    unsigned bit;     /* SWQ_ENGINE_SYNC or SWQ_ENGINE_ASYNC */
    bool plain;       /* without fast forms */
} cli_engine;

/* The row of --engine's word, or NULL if it is not given. Errors: SWQ_EINVAL. */
swq_status cli_engine_asked(swq_context *ctx, const cli_engine **engine);

/* The engines, as bits, that have a topology of that name. Errors: SWQ_EINVAL for an unknown
 * name. */
swq_status cli_topology_engines(swq_context *ctx, const char *name, unsigned *engines);

/* Chooses the engine, and checks that it has all options given in `table`. Errors: SWQ_EINVAL
 * naming an option that the engine lacks, and the option that chose the engine or the way to choose
 * the other engine. */
swq_status cli_engine_choose(swq_context *ctx, const struct poptOption *table,
                             const cli_engine **engine);

#endif
