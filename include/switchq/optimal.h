/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies that lose least: the best of all ways to decide which packets are admitted to a switch
 * and which are sent together, for its loads and destinations, by dynamic programming.
 */
#ifndef SWITCHQ_OPTIMAL_H
#define SWITCHQ_OPTIMAL_H

#include "switchq/solver.h"
#include "switchq/switch.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* One row of the table of policies: which decisions are optimal; all other decisions follow the
 * rules of the switch. Decisions may depend on the state of the whole switch and on all packets
 * that arrive in the cycle; of a FIFO, only the length and the head's destination are known. */
typedef struct swq_policy {
    const char *name;
    const char *summary;
    bool arbitration; /* decides which packets are sent together */
    bool refusal;     /* may refuse a packet although there is room */
    bool push_out;    /* a packet that finds no room may push out a stored one, which is lost in its
                         place */
    bool longest;     /* decides nothing: longest-queue drop admits (swq_buffer.ties breaks ties).
                         Packets come to a pool in random order */
} swq_policy;

/* All policies, ended by NULL. */
extern const swq_policy *const swq_policies[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_policy_find(swq_context *ctx, const char *name, const swq_policy **policy);

/* One line of a policy's rule: what it does in a situation with a choice. */
typedef struct swq_rule {
    bool sends;           /* a choice of sending; else of admission */
    const char *state;    /* the switch before the decision, "(2 0 | 1 1)" */
    const char *arriving; /* admission: output of each input's packet, "0 -"; "x" if the decision
                             does not see it; NULL for sending */
    const char *action; /* "0>1 1>0", input > output, or "admit 0 refuse 1", by input; actions that
                           are equally good are joined by " or " */
    double regret; /* how many more packets are lost if the best of the other actions is taken once
                      instead; for sending, among the actions to which no packet can be added */
} swq_rule;

typedef struct swq_optimal_options {
    bool reduce;            /* use the symmetry of the spec (see swq_chain_generate) */
    bool rules;             /* also list the rule */
    double tolerance;       /* wanted width of the loss's interval, relative to the loss */
    int64_t max_iterations; /* most steps of value iteration */
} swq_optimal_options;

/* Reduced, with rules, tolerance 1e-10, at most 1e6 iterations. */
swq_optimal_options swq_optimal_options_defaults(void);

typedef struct swq_optimal {
    swq_mean discard;    /* probability that a created packet is lost under the best policy */
    swq_mean throughput; /* packets sent per output per cycle */
    int64_t states, situations; /* of the chain; situations in which something is decided */
    int64_t actions, outcomes;  /* summed over all decisions */
    int64_t iterations;
    double seconds; /* of CPU time */
    bool converged; /* the interval is as narrow as the tolerance asks for */
    bool steps; /* admission decided packet by packet, as all packets of a cycle together have too
                   many decisions for the memory: the loss is the same, and no rule is listed */
    int64_t rules;
    swq_rule *rule; /* [rules]: situations whose choices are not all equally good. For admission,
                       among the choices that lose the fewest packets at once, unless it is better
                       to lose more; for sending, as described at `regret` */
    char *text;     /* the texts that the rules point into */
} swq_optimal;

/* Can this policy be optimised for the switch? Errors: SWQ_EINVAL naming what is not modelled:
 * other architectures, more than 5 ports, flow block, credit next, bursts, a pool's arbitration,
 * longest queues of a FIFO, a threshold or pool rule if admission is decided; those of
 * swq_chain_check. */
swq_status swq_optimal_check(swq_context *ctx, const swq_switch *sw, const swq_policy *policy);

/* The least loss of *sw under any policy that decides what the row allows, and a policy that
 * reaches it. The bounds hold for all policies, including those that remember the past or throw
 * dice: they come from the smallest and the largest improvement by one more iteration, with
 * rounding errors added, and a state that no policy can make frequent has correspondingly little
 * influence on them. The probabilities of destinations are the numbers of the spec, scaled to sum
 * to one. The caller clears *optimal with swq_optimal_clear. Errors: as swq_optimal_check;
 * SWQ_ELIMIT, SWQ_ENOMEM, SWQ_ECANCELLED; SWQ_ECONVERGE comes with the last iterate and its true
 * bounds. Cost: iterations times outcomes. Sources: A. Odoni, Operations Research 17(5), 1969
 * (bounds); M. Puterman, Markov Decision Processes, 1994, 8.5 and 8.7. */
swq_status swq_optimal_solve(swq_context *ctx, const swq_switch *sw, const swq_policy *policy,
                             const swq_optimal_options *options, swq_optimal *optimal);
void swq_optimal_clear(swq_context *ctx, swq_optimal *optimal);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
