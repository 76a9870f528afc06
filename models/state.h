/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of one switch as a short string of 16-bit words, with a layout that depends on the
 * spec:
 *
 *   length[buffers * queues]   packets waiting in each queue
 *   head[buffers]              one FIFO queue: destination + 1 of its head, 0 if it is empty. The
 *                              destinations behind the head are independent of all that has been
 *                              seen, so they are drawn when they get there ("deferred").
 *   freed[buffers * queues]    credit next: slots freed in the last transmission and not yet
 *                              credited
 *   kept[keeps * buffers * queues]  the words that the rule of admission keeps for each queue: the
 *                              first word of all, then the second
 *   held[ports]                block: 0, or destination + 1 of the packet that the source holds
 *                              (just 1 before a FIFO queue, whose packet has none yet). With
 *                              bursts, under any flow: of the packet that the source is certain to
 *                              offer next, held or of its burst; before a FIFO queue see
 *                              SWQ_NEXT_SAME
 *   same[buffers]              bursts before FIFO queues: bit k says that packet k + 1 behind the
 *                              head is of the burst of the packet before it, and so has its
 *                              destination
 *   memory[...]                what the arbiter keeps from cycle to cycle: pointers
 *   cross[ports * ports]       crosspoints behind buffers: packets of input i for output j
 *   out[ports]                 queues behind a crossbar: packets before output j
 *   turn[ports]                only between the turns of a reception (models/expand_steps.c): 1 for
 *                              an input whose turn is still to come
 *   opens                      likewise: how many of the inputs to come the pool admits
 *
 * If packets of high priority are distinguished, models/classes.h says what else these words mean.
 */
#ifndef SWQ_MODELS_STATE_H
#define SWQ_MODELS_STATE_H

#include "models/priority.h"

#include <stdint.h>

typedef uint16_t swq_word;

enum { SWQ_MOST_STEPS = SWQ_CHAIN_PORTS + 1 };

typedef struct swq_layout {
    int ports, buffers, queues;
    bool bursts;   /* sources have bursts */
    bool deferred; /* one queue, one class: heads are stored, other destinations drawn later */
    /* offsets in a state; -1 for words that the spec does not need */
    int head, freed, held, memory, kept;
    int cross, out, same; /* likewise */
    int turn, opens;      /* offsets; -1 but in intermediate states */
    int kept_words;       /* at `kept` */
    int memory_words;
    int words;
    int steps; /* of a cycle, behind the reception */
    swq_step step[SWQ_MOST_STEPS];
    int freeing;            /* the last step that takes packets out of the buffers */
    int heads;              /* words of a buffer at `head` */
    int classes;            /* 2: packets of high priority are told apart, as in models/classes.h */
    bool mixed;             /* only heads are told apart: normal queues hold both classes */
    swq_class_queues split; /* the queues of a buffer, and their rules of admission */
    double
        of_class[SWQ_CLASSES]; /* two classes: chance that a packet is normal, of high priority */
    double loaded_roundings; /* relative error of a loaded throw's weights, in roundings of 2^-53 */
    double create[SWQ_CHAIN_PORTS]
                 [2];                /* chance that an idle source creates no packet, one packet */
    double burst_ends[2];            /* bursts: chance that a burst goes on behind a packet, ends */
    double steeper[SWQ_CHAIN_PORTS]; /* d log create[i][1] / d log load[i]; 1 without bursts */
} swq_layout;

/* The number of words that the arbiter keeps: where outputs (and inputs) choose independently, a
 * pointer for each. */
int swq_switch_memory(const swq_switch *sw);
enum { SWQ_BURST_FIFO = 16 /* most packets of a queue with a bit each */ };

/* The packet that a source before a FIFO queue is certain to offer next, in `held` with bursts: 0
 * none, 1 .. ports a packet of a burst that goes to this output (+ 1), of which the queue, now
 * empty, holds no packet any more, or: */
#define SWQ_NEXT_SAME(layout) ((swq_word)((layout)->ports + 1)) /* a packet of the tail's burst */
#define SWQ_NEXT_FRESH(layout)                                                                     \
    ((swq_word)((layout)->ports + 2)) /* a packet of a burst of which none was admitted so far */

/* Is this word of `held` the name of an output (+ 1), which moves when outputs are renamed? */
static inline bool swq_names_output(const swq_layout *l, swq_word held)
{
    return held > 0 && held <= l->ports && (!l->deferred || l->bursts);
}

/* Relative error of the destination probabilities of input i, in roundings of 2^-53. */
double swq_dest_roundings(const swq_switch *sw, int i);

void swq_layout_init(swq_layout *layout, const swq_switch *sw);

/* Queues of buffer b. */
static inline swq_word *swq_lengths(const swq_layout *l, swq_word *state, int b)
{
    return state + b * l->queues;
}

/* The lengths of buffer b's queues as admission sees them; uncredited: including slots that are
 * freed and not yet credited. length[queues]. */
void swq_visible_lengths(const swq_layout *layout, const swq_word *state, int b, bool uncredited,
                         swq_word *length);

/* Forget the slots of buffers that were freed in this cycle, where they would admit the same
 * packets if those slots were credited. */
void swq_forget_idle_credits(const swq_layout *layout, swq_word *state);

/* Packets in buffer b. */
int swq_occupancy(const swq_layout *layout, const swq_word *state, int b);

/* Packets behind the buffers: at crosspoints and in output queues, all or those for output j. */
int swq_behind(const swq_layout *layout, const swq_word *state);
int swq_behind_for(const swq_layout *layout, const swq_word *state, int j);
/* Packets of queue b that go where its head goes for sure, the head included; 0 for an empty one.
 * One for a FIFO queue without bursts. */
int swq_alike_packets(const swq_layout *layout, swq_word length, swq_word same);

/* The chance that the next packet of source i goes to output j, for the words of its input: the
 * length of its FIFO queue, its head, `same` and `held`. */
double swq_next_chance(const swq_layout *layout, const double *dest, const swq_word words[4],
                       int j);

/* Write a state as text, e.g. "(1 0 | 2 1; held 0 2)". Returns text. */
char *swq_state_print(const swq_layout *layout, const swq_word *state, char *text, size_t size);

#endif
