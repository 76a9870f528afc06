/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file of all events of set-aside queues, and of notices about them (--saq-log).
 * Room: cli.
 */
#ifndef SWQ_CLI_SIM_SAQ_LOG_H
#define SWQ_CLI_SIM_SAQ_LOG_H

#include "cli/spec/async.h"

typedef struct cli_saq_log cli_saq_log;

/* Opens the file if --saq-log asks for one, to be written by *event, which takes *log; else both
 * are NULL. */
swq_status cli_saq_log_open(swq_context *ctx, const cli_async *n, swq_saq_event_fn **event,
                            cli_saq_log **log);
/* Completes the file or, with `keep` false, removes it. Safe on NULL. */
swq_status cli_saq_log_close(swq_context *ctx, cli_saq_log *log, bool keep);

#endif
