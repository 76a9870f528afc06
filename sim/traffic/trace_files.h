/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces from files: a line for each packet or message, with its numbers separated by blanks or
 * commas; # begins a comment.
 */
#ifndef SWQ_SIM_TRAFFIC_TRACE_FILES_H
#define SWQ_SIM_TRAFFIC_TRACE_FILES_H

#include "switchq/async.h"
#include "switchq/traffic.h"

/* Reads lines of cycle, source, destination and, unless it is 0, priority, for a network of `nodes`
 * nodes. *line, [*lines], is the caller's to free(), after errors too. what: how messages name the
 * trace. Errors: SWQ_EIO naming the path; SWQ_EINVAL with path and line, and for a trace without
 * lines; SWQ_ECANCELLED; SWQ_ENOMEM. */
swq_status swq_trace_packets_read(swq_context *ctx, const char *what, const char *path,
                                  uint32_t nodes, swq_trace_packet **line, uint64_t *lines);

/* Messages, and the dependencies between them. */
typedef struct swq_trace_messages {
    swq_async_message *message;       /* [messages] */
    swq_async_dependency *dependency; /* [dependencies] */
    uint64_t messages, dependencies;
} swq_trace_messages;

/* Reads lines of cycle, source, destination and bytes, followed, for each message that this one
 * waits for, by its number and a delay; messages are numbered from 1. The fabric must have been
 * counted. The caller initializes *trace to zero and clears it, after errors too. Errors: as
 * above. */
swq_status swq_trace_messages_read(swq_context *ctx, const char *what, const char *path,
                                   const swq_fabric *fabric, swq_trace_messages *trace);
void swq_trace_messages_clear(swq_trace_messages *trace);

/* Reads lines of source, destination and rate in bytes per cycle, each pair at most once, of links
 * that carry `width` bytes per cycle; the rates of *circuit are fractions of that. The fabric must
 * have been counted. *circuit, [*circuits], is the caller's to free(), after errors too. Errors: as
 * above. */
swq_status swq_circuits_read(swq_context *ctx, const char *what, const char *path,
                             const swq_fabric *fabric, int width, swq_circuit **circuit,
                             uint64_t *circuits);

#endif
