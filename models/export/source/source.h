/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of one switch in the PRISM language: what the pieces of the writer share. They are
 * written independently from docs/model.md and Frazier (1995), section 4.2, and share no code with
 * models/cycle.c and the arbiters, so that PRISM's chain is an independent witness.
 */
#ifndef SWQ_MODELS_EXPORT_SOURCE_H
#define SWQ_MODELS_EXPORT_SOURCE_H

#include "switchq/arbiter.h"
#include "switchq/switch.h"

#include <stdio.h>

/* Which of several candidates is preferred. */
typedef enum source_preference { SOURCE_ANY, SOURCE_LONGEST, SOURCE_FIRST } source_preference;

/* How an arbiter proceeds. */
typedef enum source_way {
    SOURCE_INPUTS,  /* the arbiter visits the inputs one by one */
    SOURCE_OUTPUTS, /* the arbiter visits the outputs one by one */
    SOURCE_SETS     /* the arbiter compares all sets of transmissions */
} source_way;

typedef struct source_arbiter {
    const swq_arbiter *arbiter;
    source_way way;
    source_preference prefer; /* among queues, or among inputs for an output */
    bool in_order;            /* visits: first to last, not at random */
    bool packets, lengths;    /* sets: by number of packets first, by their queues' lengths */
} source_arbiter;

/* The row for an arbiter; NULL if this format does not have it. */
const source_arbiter *source_arbiter_of(const swq_arbiter *arbiter);

enum { SOURCE_MOST_PORTS = 8, SOURCE_MOST_PORTS_OF_SETS = 4, SOURCE_MOST_FIFO_SLOTS = 64 };

/* The shortest decimal that is read back as exactly this number. */
const char *source_number(double value, char text[static 32]);

/* The sign before term number `term` of a sum: none before the first. */
const char *source_plus(int term);

/* The admission rule as a condition on visible lengths see<buffer>_<queue>, which the caller's
 * formulas define; `buffer` is "" for a pool. */
void source_write_admission(FILE *out, const swq_switch *sw, const char *buffer, int queues);

/* Formulas, modules and rewards of a switch with a buffer per input: of arrivals and queues, and of
 * arbitration. */
void source_write_inputs(FILE *out, const swq_switch *sw);
void source_write_arbiter(FILE *out, const swq_switch *sw);
void source_write_input_rewards(FILE *out, const swq_switch *sw);

/* Formulas, modules and rewards of a switch with one pool: of arrivals and queues alone, as a pool
 * has no arbiter. */
void source_write_pool(FILE *out, const swq_switch *sw);
void source_write_pool_rewards(FILE *out, const swq_switch *sw);

#endif
