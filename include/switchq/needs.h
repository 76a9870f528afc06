/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a rule needs beyond the contract of its table. Every row of a table (of arbiters, pool
 * rules, admission rules, architectures, fabrics, routings, flow controls, managements, senders)
 * declares its needs, and everything that computes with rows (a generator of chains, an engine, an
 * approximation) lists the needs that it meets. A row with another need is refused by name, so that
 * no part of the program answers for a rule that it does not know.
 */
#ifndef SWITCHQ_NEEDS_H
#define SWITCHQ_NEEDS_H

#include "switchq/context.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The closed list of needs. */
typedef enum swq_need {
    SWQ_NEED_AGES,        /* for how long a packet has waited */
    SWQ_NEED_OPEN_PORTS,  /* a pool opens some of its input ports, and refuses packets at the others
                           */
    SWQ_NEED_ORDER,       /* packets of a cycle in the order of the input ports */
    SWQ_NEED_PUSH_OUT,    /* a stored packet is lost to make room for one that comes */
    SWQ_NEED_ALL_LENGTHS, /* to admit a packet, a rule over the lengths of all queues */
    SWQ_NEED_KEPT_WORDS,  /* words that a rule of admission keeps from packet to packet */
    SWQ_NEED_EXPULSION,   /* stored packets are lost although none comes */
    SWQ_NEED_FUTURE,      /* packets that are still to come */
    SWQ_NEED_FLOWS,       /* the flow of a packet, and when this flow sent what before */
    SWQ_NEED_OUTPUTS,     /* memory behind the crossbar: output queues, crosspoints */
    SWQ_NEED_STAGES,      /* switches that work in stage cycles, on whole packets */
    SWQ_NEED_BYTES,       /* asynchronous switches, which see packets in part */
    SWQ_NEED_SIZES,       /* packets of any size, and when they come */
    SWQ_NEED_UNKNOWN, /* something that no part of this program knows: for tests, and for plug-ins
                         of later versions */
    SWQ_NEED_COUNT
} swq_need;

/* The simulation engines, one bit each. Rows of some tables say which engines support them. */
enum {
    SWQ_ENGINE_SYNC = 1,  /* sim.h: all switches in step, in stage cycles */
    SWQ_ENGINE_ASYNC = 2, /* async.h: byte by byte */
    SWQ_ENGINE_TIMED = 4  /* datacentre.h: packet by packet, in picoseconds */
};

/* A set of needs, a bit each. */
typedef uint64_t swq_needs;
#define SWQ_NEEDS(need) ((swq_needs)1 << (need))

/* A consumer of rows, which computes with them: its name in messages ("a chain"), and the needs
 * that it meets. */
typedef struct swq_takes {
    const char *who;
    swq_needs needs;
} swq_takes;

/* The words of a need: "the ages of packets". */
const char *swq_need_words(swq_need need);

/* A table of rows that begin with a name and declare needs. */
typedef struct swq_gated {
    const char *word;        /* what messages call a row: "arbiter" */
    const void *const *rows; /* ended by NULL */
    size_t needs;            /* where in a row its swq_needs are, in bytes */
} swq_gated;

/* Refuse a row if it has a need that `takes` does not list. Errors: SWQ_EINVAL naming the row, the
 * need, the consumer that does not meet it, and the rows of the table that the consumer takes. */
swq_status swq_gate(swq_context *ctx, const swq_takes *takes, const swq_gated *table,
                    const void *row);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
