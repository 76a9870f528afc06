/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies that lose least: of all ways to decide which packets are admitted to a switch and which
 * are sent together, the best for its loads and destinations, by dynamic programming.
 */
#ifndef SWITCHQ_OPTIMAL_H
#define SWITCHQ_OPTIMAL_H

#include "switchq/solver.h"
#include "switchq/switch.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* One row of the table of policies: what is chosen in the best way; the rest is done by the rules
 * of the switch. Whoever decides knows the state of the whole switch, and all packets of the cycle.
 * Of a FIFO they know the length and the head's destination, no other. */
typedef struct swq_policy {
    const char *name;
    const char *summary;
    bool arbitration; /* which packets are sent together */
    bool refusal;     /* a packet may be refused although there is room */
    bool push_out;    /* a packet that finds no room may push out one that is there, which is lost
                         in its place */
    bool longest; /* nothing is chosen: a packet that finds no room pushes one out of the longest
                     queue of its buffer or pool, or is itself lost if that is its own; each of
                     several is equally likely. Packets come to a pool in random order */
} swq_policy;

/* All policies, ended by NULL. */
extern const swq_policy *const swq_policies[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_policy_find(swq_context *ctx, const char *name, const swq_policy **policy);

/* One line of a policy's rule: what it does where there is a choice. */
typedef struct swq_rule {
    bool sends;           /* about sending; else about admission */
    const char *state;    /* the switch before the decision, "(2 0 | 1 1)" */
    const char *arriving; /* admission: output of each input's packet, "0 -"; "x" where it is not
                             seen; NULL for sending */
    const char *action;   /* "0>1 1>0", input > output, or "admit 0 refuse 1", by input; those that
                             are equally good with " or " between them */
    double regret;        /* packets that the best of the other actions costs more, if it is taken
                             once; of sending, among those to which no packet can be added */
} swq_rule;

typedef struct swq_optimal_options {
    bool reduce;            /* use the symmetry of the spec (see swq_chain_generate) */
    bool rules;             /* also list the rule */
    double tolerance;       /* width wanted of the loss's interval, relative to the loss */
    int64_t max_iterations; /* cycles looked back from the end of time, at most */
} swq_optimal_options;

/* Reduced, with rules, 1e-10 and 1e6. */
swq_optimal_options swq_optimal_options_defaults(void);

typedef struct swq_optimal {
    swq_mean discard;    /* probability that a created packet is lost under the best policy */
    swq_mean throughput; /* packets sent per output per cycle */
    int64_t states, situations; /* of the chain; in which something is decided */
    int64_t actions, outcomes;  /* of all decisions */
    int64_t iterations;
    double seconds; /* of CPU time */
    bool converged; /* the interval is as narrow as was asked for */
    int64_t rules;
    swq_rule *rule; /* [rules]: situations whose choices are not all equally good. Of admission,
                       among the choices that lose the fewest packets at once, unless to lose more
                       is better; of sending, as said at `regret` */
    char *text;     /* what the rules point into */
} swq_optimal;

/* Can this be asked of the switch? Errors: SWQ_EINVAL naming what is not modelled: more than 5
 * ports, flow block, credit next, bursts, a pool's arbitration, longest queues of a FIFO, a
 * threshold or pool rule where admission is chosen; those of swq_chain_check. */
swq_status swq_optimal_check(swq_context *ctx, const swq_switch *sw, const swq_policy *policy);

/* The least loss of *sw under any policy of the row's powers, and a policy that reaches it. The
 * bounds hold for every policy, also one that remembers the past or throws dice: they come from the
 * smallest and the largest improvement of one more cycle, with rounding errors added, and those of
 * states that no policy can meet often count as little as that. The probabilities of destinations
 * are the numbers of the spec, scaled to sum to one. The caller clears *optimal with
 * swq_optimal_clear. Errors: as swq_optimal_check; SWQ_ELIMIT, SWQ_ENOMEM, SWQ_ECANCELLED;
 * SWQ_ECONVERGE comes with the last iterate and its true bounds. Cost: iterations times outcomes.
 * Sources: A. Odoni, Operations Research 17(5), 1969 (bounds); M. Puterman, Markov Decision
 * Processes, 1994, 8.5 and 8.7. */
swq_status swq_optimal_solve(swq_context *ctx, const swq_switch *sw, const swq_policy *policy,
                             const swq_optimal_options *options, swq_optimal *optimal);
void swq_optimal_clear(swq_context *ctx, swq_optimal *optimal);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
