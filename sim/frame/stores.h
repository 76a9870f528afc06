/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Architectures with stores of their own: the hooks of such an architecture. It brings a kernel of
 * its own, and uses the ports, packets, senders and wheel that all networks have. See
 * docs/asynchronous.md.
 */
#ifndef SWQ_SIM_FRAME_STORES_H
#define SWQ_SIM_FRAME_STORES_H

#include "base/arrays.h"
#include "sim/measure/state.h"
#include "switchq/async.h"

struct swq_async_net;
struct swq_kernel;

/* All except `check`, `kernel` and `lay_out` may be NULL. */
typedef struct swq_store_hooks {
    const struct swq_kernel *kernel;
    /* The kernel of switches of more than 32 ports, if their sets of ports are the network's
     * (swq_async_net.wide). NULL: `kernel` is, and keeps its own. */
    const struct swq_kernel *wide_kernel;
    size_t state; /* bytes of the architecture's own state, which is 0 at first: swq_own_state */
    /* Errors: SWQ_EINVAL for options that the architecture does not support in this network. */
    swq_status (*check)(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);
    /* Sets the number of queues of an input store, the packets that the store may hold, and the
     * sizes of the architecture's arrays. */
    void (*lay_out)(struct swq_async_net *net);
    void (*list)(struct swq_async_net *net, swq_arrays *list); /* lists its own arrays */
    void (*empty)(struct swq_async_net *net);                  /* empties them when a run begins */
    /* Adds what changes in its own state beside these arrays. NULL: a network of this architecture
     * is not saved. */
    void (*keep)(struct swq_async_net *net, swq_state *state);
    void (*begin)(struct swq_async_net *net); /* the warm-up is over, measuring begins */
    void (*watch)(struct swq_async_net *net); /* somebody watches: net->watch */
    /* Adds the packets that are not in the queues of stores to the sums over these queues. */
    void (*audit)(const struct swq_async_net *net, uint64_t *packets, uint64_t *age,
                  uint64_t *bytes);
    /* Do the counts of stores match their contents? */
    bool (*conserved)(const struct swq_async_net *net);
    /* With `keep`: the lanes or queues of a store, and the bytes held by one of them. */
    uint32_t (*lanes)(const struct swq_async_net *net);
    uint32_t (*held_in)(const struct swq_async_net *net, uint32_t store, uint32_t lane);
    /* Bytes held by a store that is reported; how many of these bytes are for one node; */
    uint32_t (*held)(const struct swq_async_net *net, uint32_t store);
    /* and the set-aside queues in use there. */
    uint32_t (*held_for)(const struct swq_async_net *net, uint32_t store, uint32_t node);
    uint32_t (*aside)(const struct swq_async_net *net, uint32_t store);
    /* Adds this replication's samples of the use of chunks, and their number. */
    void (*tell)(const struct swq_async_net *net, swq_chunk_use *sum, uint64_t *samples);
    /* Counts of set-aside queues, inputs first. */
    const struct swq_saq_counts *(*saq_counts)(const struct swq_async_net *net);
    /* Adds this replication's results of set-aside queues. */
    void (*tell_saqs)(const struct swq_async_net *net, swq_saq_use *sum);
    /* Is a deadlock possible, as far as is known? NULL: networks in which a deadlock is possible
     * are refused. */
    bool (*may_deadlock)(const swq_async *spec);
    /* Has a circle been found in which packets may wait? Then also its words. NULL: none is named.
     */
    bool (*circle)(const swq_async *spec, char *text, size_t size);
    /* On several threads (sim/frame/shares.h): may the network be divided? NULL: it may not. */
    bool (*divisible)(const struct swq_async_net *net);
    uint32_t least_switches;                                /* of a share that is worth a thread */
    double (*share_bytes)(const struct swq_async_net *net); /* of a share's own memory */
    /* Makes the own state of a share, whose net->share is set, from that of the whole network,
     * which becomes the first share itself. Errors: SWQ_ENOMEM, SWQ_ELIMIT. Frees it, also after
     * failure. */
    swq_status (*share)(swq_context *ctx, struct swq_async_net *whole, struct swq_async_net *share);
    void (*unshare)(swq_context *ctx, struct swq_async_net *share);
    bool by_flit; /* a packet leaves its sender flit by flit: it is offered, and the sender is told
                     of its progress */
    bool interfaces; /* a packet goes to an interface, which sends it later: it is offered, and the
                        sender is told when it has been handed over */
    bool tells_entries; /* a scheme that holds senders back hears of the packets that enter inputs:
                           swq_scheme_entered */
    uint32_t ahead;     /* how many cycles after all other events an event of the architecture may
                           be due; with the wide kernel as many more as a switch has ports */
} swq_store_hooks;

#endif
