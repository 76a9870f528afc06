/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of all events of a kind: of starts of transmissions (--starts), of set-aside queues and
 * notices about them (--saq-log), or of messages that have arrived (--messages-out).
 */
#ifndef SWQ_CLI_SIM_LOGS_H
#define SWQ_CLI_SIM_LOGS_H

#include "cli/spec/async.h"

typedef struct cli_log cli_log;

/* Opens the file if one of the options asks for one, to be written by the functions of *watch,
 * which take *log; else that is NULL. n: NULL for a synchronous network, which has starts alone,
 * with a priority in place of bytes or flits. Errors: SWQ_EINVAL for two of the options. */
swq_status cli_log_open(swq_context *ctx, const cli_async *n, swq_async_watch *watch,
                        cli_log **log);

/* Completes the file or, with `keep` false, removes it. Safe on NULL. */
swq_status cli_log_close(swq_context *ctx, cli_log *log, bool keep);

#endif
