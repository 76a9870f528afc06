/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of all events of a kind: of starts of transmissions (--starts), or of set-aside queues and
 * notices about them (--saq-log).
 */
#ifndef SWQ_CLI_SIM_LOGS_H
#define SWQ_CLI_SIM_LOGS_H

#include "cli/spec/async.h"

typedef struct cli_log cli_log;

/* Opens the file if one of the options asks for one, to be written by *started or *event, which
 * take *log; else all are NULL. n, event: NULL for a synchronous network, which has no such queues.
 * last: the last column of starts, "bytes" or "flits" for an asynchronous network, whose packets
 * have lengths, else "priority". */
swq_status cli_log_open(swq_context *ctx, const cli_async *n, const char *last,
                        swq_started_fn **started, swq_saq_event_fn **event, cli_log **log);

/* Completes the file or, with `keep` false, removes it. Safe on NULL. */
swq_status cli_log_close(swq_context *ctx, cli_log *log, bool keep);

#endif
