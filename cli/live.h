/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network that is stepped, from the options of `switchq sim`.
 */
#ifndef SWQ_CLI_LIVE_H
#define SWQ_CLI_LIVE_H

#include "cli/answer.h"
#include "cli/spec/async.h"
#include "cli/spec/network.h"
#include "switchq/live.h"

typedef struct cli_live {
    /* the network of one of the engines */
    cli_network n;
    cli_async async;
    bool is_async;
    swq_live *live;
} cli_live;

/* Reads the options of a network, with --seed, --engine and --follow, and opens it. Returns an exit
 * status: CLI_OK, or else answer->message says why not. Option tables are global, so that one
 * thread reads at a time. */
int cli_live_open(swq_context *ctx, int count, const char *const *words, cli_answer *answer,
                  cli_live *live);
void cli_live_close(cli_live *live);

#endif
