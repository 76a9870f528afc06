/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations of all nodes: messages in phases, each of which is sent when what it
 * depends on has arrived at its sender.
 */
#ifndef SWQ_SIM_TRAFFIC_COLLECTIVES_H
#define SWQ_SIM_TRAFFIC_COLLECTIVES_H

#include "sim/traffic/trace_files.h"

struct swq_collective_list;

/* A row of the table of collective operations. S: the bytes of an operation; N: nodes, at least 2.
 */
typedef struct swq_collective {
    const char *name, *summary, *source;
    uint32_t (*phases)(uint32_t nodes);
    uint64_t (*least)(uint32_t nodes); /* the least S, with which no message is empty */
    /* Lists all messages, phase by phase. */
    void (*list)(struct swq_collective_list *list);
    /* The fewest cycles from cycle 0 to the arrival of the last byte, if a node sends and receives
     * a byte a cycle, a message of L bytes arrives no earlier than L + `more` cycles after its
     * creation, and one that waits for another is created no earlier than a cycle after the other's
     * arrival. */
    uint64_t (*bound)(uint32_t nodes, uint64_t bytes, uint64_t more);
} swq_collective;

extern const swq_collective swq_all_to_all, swq_ring_all_reduce, swq_tree_all_reduce;
extern const swq_collective *const swq_collectives[]; /* ended by NULL */

/* The messages of an operation of `bytes` bytes among `nodes` nodes, all of cycle 0, and what they
 * wait for, with delays of one cycle. phase: [messages], the phase of each message, from 0 on and
 * never decreasing, for the caller to free(). The caller clears *trace, after errors too. Errors:
 * SWQ_EINVAL for bytes below what the operation needs, for a message of more than SWQ_MAX_MESSAGE
 * bytes, and for more than SWQ_COLLECTIVE_MESSAGES messages or dependencies; SWQ_ENOMEM. O(messages
 * + dependencies). */
enum { SWQ_COLLECTIVE_MESSAGES = 50000000 };
swq_status swq_collective_make(swq_context *ctx, const swq_collective *row, uint32_t nodes,
                               uint64_t bytes, swq_trace_messages *trace, uint32_t **phase);

#endif
