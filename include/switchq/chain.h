/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Markov chain of one switch: its reachable states, and a cycle as a product of sparse factors.
 */
#ifndef SWITCHQ_CHAIN_H
#define SWITCHQ_CHAIN_H

#include "switchq/csr.h"
#include "switchq/switch.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A state is the content of the buffers after transmission and before reception, with what a source
 * holds (block) or is certain to offer next (bursts) and the slots not yet credited (credit next).
 * P is the product of the factors: those of the reception first, then those of the transmission. */
typedef struct swq_chain swq_chain;

/* Can there be a chain of this switch? Everything that makes one asks this first. Errors: as
 * swq_switch_check; SWQ_EINVAL naming an arbiter or a pool rule that looks at what the states of a
 * chain do not have, as its row says. */
swq_status swq_chain_check(swq_context *ctx, const swq_switch *sw);

/* What a spec would take, counted without generating. */
typedef struct swq_chain_size {
    double
        unreduced; /* contents of buffers and sources with every packet's destination written out */
    double states; /* upper bound on the states generated; a lower bound with buffers per input and
                      more than 16 ports, whose chains do not fit anyway */
    double bytes;  /* estimate of the memory that generating takes */
    double outcomes; /* of all receptions together; 0 for a switch that is taken apart into rows */
    bool in_turns;   /* inputs are gone through one by one, and not all outcomes together */
} swq_chain_size;

/* Count in closed form, by Burnside's lemma if `reduce`. O(ports^2 * slots) for each cycle type of
 * a permutation of outputs; milliseconds. Errors: as swq_chain_check, SWQ_ENOMEM. */
swq_status swq_chain_foresee(swq_context *ctx, const swq_switch *sw, bool reduce,
                             swq_chain_size *size);

/* Generate the chain of *sw from the empty switch on, breadth first. State 0 is the empty switch.
 * With `reduce`, states that a permutation of inputs and outputs carries into each other are one,
 * as far as loads, destinations and arbiter allow it; what is asked per input or buffer is then the
 * mean over those that the symmetry exchanges, which is exact. The caller frees *chain with
 * swq_chain_free. Errors: as swq_chain_check; SWQ_ELIMIT when the context has a memory limit and
 * the foreseen size exceeds it, or it is met on the way; SWQ_ENOMEM; SWQ_ERANGE when a transition
 * probability is below 1e-290; SWQ_ECANCELLED. Cost: the entries of all factors, each a hundred
 * nanoseconds to a microsecond or two. Switches that are not taken apart into rows - with a pool,
 * with an arbiter that keeps a memory, with a symmetry that is no product of classes of ports -
 * have their inputs gone through one by one from three ports on; with two, or where a pool tells
 * priorities apart, they cost as swq_chain_generate_whole. Source: Frazier (1995), 4.2; FIFO
 * destinations behind the head are deferred, which is exact. */
swq_status swq_chain_generate(swq_context *ctx, const swq_switch *sw, bool reduce,
                              swq_chain **chain);

/* The same chain, states numbered differently, by the rules run on whole switches over every
 * outcome of reception and of arbitration: the definition, with one factor for each. Its cost grows
 * with the outcomes of a reception, (ports + 1)^ports at worst. */
swq_status swq_chain_generate_whole(swq_context *ctx, const swq_switch *sw, bool reduce,
                                    swq_chain **chain);

/* Free a chain; NULL is allowed. */
void swq_chain_free(swq_context *ctx, swq_chain *chain);

const swq_switch *swq_chain_switch(const swq_chain *chain);

/* States, and intermediate states between reception and transmission. */
int64_t swq_chain_states(const swq_chain *chain);
int64_t swq_chain_intermediates(const swq_chain *chain);

/* swq_chain_size.unreduced of the chain's switch, which was counted before it was generated. */
double swq_chain_unreduced(const swq_chain *chain);

/* P as its factors, valid as long as the chain. Rows sum to one up to rounding. The first
 * swq_chain_receptions(chain) factors are the reception and lead to the intermediate states. The
 * error bound covers the expectations below as well. */
swq_product swq_chain_product(const swq_chain *chain);
int swq_chain_receptions(const swq_chain *chain);

/* Refusals that go with the transitions of factor k, each transition's expected number times its
 * probability; as high and as wide as the factor, mostly empty. */
const swq_csr *swq_chain_refusals(const swq_chain *chain, int k);

/* Likewise the expected ordered pairs of refusals, r (r - 1) for r of them, times the probability;
 * without rows when a transition brings one refusal at most, as it does by rows. */
const swq_csr *swq_chain_refusal_pairs(const swq_chain *chain, int k);

/* How a chain changes when all loads are multiplied by a common factor: derivatives by the factor's
 * logarithm, where it is 1. That of factor k of the reception is created[k] - idle[k], both
 * non-negative (idle may have no rows: nothing); transmissions do not change. Packets that sources
 * held before are offered at any load. */
typedef struct swq_slopes {
    int receptions;
    swq_csr created[SWQ_MOST_FACTORS], idle[SWQ_MOST_FACTORS];
    double *accepted, *refused; /* [states] derivatives of what all inputs expect of a reception */
} swq_slopes;

/* Go through the receptions of all nodes once more. The caller clears *slopes. Errors: SWQ_EINVAL
 * when a load is 1; SWQ_ENOMEM, SWQ_ELIMIT. Cost and memory: those of generating the receptions. */
swq_status swq_chain_slopes(swq_context *ctx, swq_chain *chain, swq_slopes *slopes);
void swq_slopes_clear(swq_context *ctx, swq_slopes *slopes);

/* Stored entries of all factors, and the bytes that the chain takes. */
int64_t swq_chain_entries(const swq_chain *chain);

/* Groups of nodes for methods that aggregate. The caller clears *grouping. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. O(nodes * ports^2). */
swq_status swq_chain_group(swq_context *ctx, const swq_chain *chain, swq_grouping *grouping);

/* Expected packets of input i that are accepted, and refused, in the reception from a state:
 * [states * ports], entry state * ports + i. Owned by the chain. */
const double *swq_chain_accepted(const swq_chain *chain);
const double *swq_chain_refused(const swq_chain *chain);

/* By output, [ports] each: expected packets for it that are accepted, and refused, in the reception
 * from a state, and packets that wait for it in the state; the mean over the outputs that the
 * symmetry exchanges. Where destinations are deferred, packets count with the chances of theirs.
 * O(ports^2). */
void swq_chain_outputs(const swq_chain *chain, int64_t state, double *accepted, double *refused,
                       double *waiting);

/* Buffers (1 for a pool; of output-queued and crosspoint switches what is stored for each output),
 * packets in buffer b in a state, packets held by all sources in a state (0
 * with bursts, whose states do not tell a held packet from the next of its burst). */
int swq_chain_buffers(const swq_chain *chain);
int swq_chain_occupancy(const swq_chain *chain, int64_t state, int b);
int swq_chain_held(const swq_chain *chain, int64_t state);

/* Both at once, by buffer, occupancy[swq_chain_buffers(chain)]; returns the packets held by all
 * sources. */
int swq_chain_occupancies(const swq_chain *chain, int64_t state, int *occupancy);

/* Packets behind the buffers: at crosspoints and in output queues. */
int swq_chain_behind(const swq_chain *chain, int64_t state);

/* Of the packets of one class, by all inputs together: expected to be accepted, and refused, in the
 * reception from a state; in all buffers, and held by all sources, in the state. Classes that the
 * state does not have count with their chances; those in a pool whose queues hold both classes by
 * how long the accepted packets will wait, which has the same mean. */
typedef struct swq_chain_class {
    double accepted, refused, packets, held;
} swq_chain_class;

/* each[SWQ_CLASSES]: normal, of high priority. O(words of a state). */
void swq_chain_classes(const swq_chain *chain, int64_t state, swq_chain_class *each);

/* Slots of a buffer, those of high priority alone among them. */
int swq_chain_capacity(const swq_chain *chain);

/* The smallest input (or its buffer) that the chain's symmetry exchanges with input i; i itself
 * when the chain is not reduced. */
int swq_chain_input_class(const swq_chain *chain, int i);

/* The same of buffers. */
int swq_chain_buffer_class(const swq_chain *chain, int b);

/* Names of the state's words ("len0_1", "head0", "freed0_1", "held0", with bursts
 * "same0" and "next0") and their values; word is
 * 0 .. swq_chain_words(chain) - 1. The name is written to text, and returned. */
int swq_chain_words(const swq_chain *chain);
char *swq_chain_word_name(const swq_chain *chain, int word, char *text, size_t size);
int swq_chain_word(const swq_chain *chain, int64_t state, int word);

/* All words of a state; words[swq_chain_words(chain)]. */
void swq_chain_state(const swq_chain *chain, int64_t state, uint16_t *words);

/* The number of the state that stands for the given words - of this chain or of one of the same
 * switch that is not reduced - or -1 if it is not reached. */
int64_t swq_chain_find(swq_context *ctx, swq_chain *chain, const uint16_t *words);

/* A state as readable text, e.g. "(1 0 | 2 1; held 0 2)"; returns text. */
char *swq_chain_state_text(const swq_chain *chain, int64_t state, char *text, size_t size);

/* P multiplied out, with the relative error bound of its entries in *roundings (as above; may be
 * NULL). The caller clears *p. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_chain_matrix(swq_context *ctx, const swq_chain *chain, swq_csr *p,
                            int64_t *roundings);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
