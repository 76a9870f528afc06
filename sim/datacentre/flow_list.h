/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of flows in files, read one by one so that their length does not matter, and written. Three
 * formats:
 * - csv, ours: a line start_ps,source,destination,bytes and, if wanted, class and after, then the
 *   flows with these numbers. # begins a comment. Flows come in the order of their starts. A flow
 *   with a number n > 0 in `after` waits until all bytes of the nth flow of the list, an earlier
 *   one, have arrived, and starts start_ps later.
 * - hpcc, of HPCC's simulator (flow.txt, written by traffic_gen.py; read at 9f4be2a of
 *   alibaba-edu/High-Precision-Congestion-Control): the number of flows; then source, destination,
 *   priority group, destination port, bytes, and start in seconds, in the order of the starts. The
 *   group is the class here; the port has no counterpart. Lines beyond the number are ignored there
 *   and here.
 * - htsim, connection matrices of htsim (read at 841d9e7 of Broadcom/csg-htsim): Nodes n,
 *   Connections m, perhaps Triggers t; then lines SOURCE->DESTINATION id I start PS size BYTES, in
 *   any order, so that such a file is read as a whole and sorted. A connection with `trigger T`
 *   instead of a start waits for the one with `recv_done_trigger T`; T is declared by a line
 *   trigger id T oneshot. All flows have class 0. What has no counterpart is refused: send_done
 *   triggers, barriers, multishot triggers, prio (of NDP's pulls), addon, failures, size 0 (without
 *   end). htsim itself reads starts in single precision.
 */
#ifndef SWQ_SIM_DATACENTRE_FLOW_LIST_H
#define SWQ_SIM_DATACENTRE_FLOW_LIST_H

#include "base/lines.h"
#include "switchq/context.h"

#include <stdint.h>
#include <stdio.h>

typedef struct swq_listed_flow {
    uint64_t start; /* ps: the time, or what passes after the flow that it waits for */
    uint64_t bytes;
    uint64_t after;               /* number, from 1, of the flow that it waits for; 0: none */
    uint32_t source, destination; /* nodes, from 0 */
    uint8_t traffic_class;
} swq_listed_flow;

#define SWQ_MOST_FLOW_START UINT64_C(1000000000000000000) /* ps, which is 11.6 days */
#define SWQ_MOST_FLOW_BYTES UINT64_C(1000000000000000)

typedef enum swq_flow_format {
    SWQ_FLOWS_RECOGNISED, /* by the first line */
    SWQ_FLOWS_CSV,
    SWQ_FLOWS_HPCC,
    SWQ_FLOWS_HTSIM
} swq_flow_format;

/* Splits FILE or FORMAT:FILE, the words of an option; returns where FILE begins. */
const char *swq_flow_format_of(const char *text, swq_flow_format *format);

/* An open list. */
typedef struct swq_flow_list {
    swq_lines lines;
    swq_flow_format format;
    uint32_t nodes;      /* 0: any */
    uint64_t most_bytes; /* of a flow */
    int classes;
    uint64_t read;               /* flows so far */
    uint64_t start;              /* ps, of the last one that did not wait */
    bool with_class, with_after; /* csv: has these columns */
    uint64_t expected;           /* hpcc: flows by the first line */
    bool ignored;                /* hpcc: at the end: there were lines beyond that number */
    swq_listed_flow *sorted;     /* htsim: [expected] all flows */
} swq_flow_list;

/* Open a list for a network of `nodes` nodes (0: any number) with classes 0 .. classes - 1, and
 * flows of at most `most_bytes`, which are at most SWQ_MOST_FLOW_BYTES. `path` must outlive the
 * list. *list is zero after an error. Errors: SWQ_EIO naming the path; SWQ_EINVAL naming file,
 * line, and what is allowed; SWQ_ECANCELLED; SWQ_ENOMEM; SWQ_ELIMIT. */
swq_status swq_flow_list_open(swq_context *ctx, const char *path, swq_flow_format format,
                              uint32_t nodes, int classes, uint64_t most_bytes,
                              swq_flow_list *list);

/* The next flow; *more is false at the end. Sources differ from destinations, and the starts of
 * flows that wait for none do not decrease. Errors: as above. */
swq_status swq_flow_list_next(swq_flow_list *list, swq_listed_flow *flow, bool *more);

/* Safe on a zeroed struct. */
void swq_flow_list_close(swq_flow_list *list);

/* All flows of a file. *flow, [*flows], is the caller's to swq_free, and NULL after an error.
 * Errors: as above, and SWQ_EINVAL if there is no flow. */
swq_status swq_flow_list_load(swq_context *ctx, const char *path, swq_flow_format format,
                              uint32_t nodes, int classes, swq_listed_flow **flow, uint64_t *flows);

/* Writes flows, which obey the rules of swq_flow_list_next, in a format (RECOGNISED: csv). csv has
 * the columns class and after if a flow needs them. Errors: SWQ_EINVAL naming the flow that the
 * format cannot express: hpcc has no flows that wait; htsim has no classes, no delays after another
 * flow, and no sizes of 2^31 bytes or more. SWQ_ENOMEM, SWQ_ELIMIT. Whether the stream could be
 * written is for the caller to see. */
swq_status swq_flow_list_write(swq_context *ctx, FILE *to, swq_flow_format format, uint32_t nodes,
                               const swq_listed_flow *flow, uint64_t flows);

#endif
