/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adding the parts of a switch to its cost.
 */
#ifndef SWQ_COST_PARTS_H
#define SWQ_COST_PARTS_H

#include "switchq/cost.h"

/* Sources of the rules. */
#define COST_CHIP     "Frazier (1995), 7.1"
#define COST_BUFFERS  "Frazier (1995), 3.2 and 3.3"
#define COST_FLOWS    "Frazier (1995), 8.6"
#define COST_HIPIQS   "Sivaram, Stunkel and Panda (1997), 3"
#define COST_XBARS    "Sivaram, Stunkel and Panda (1997), 4"
#define COST_SHARED   "Sivaram, Stunkel and Panda (1997), 2.2"
#define COST_RECN_IQ  "Mora, Garcia, Flich and Duato (RECN-IQ), 2.1 and 3"
#define COST_OF_RULES "ours, from the engine's rules"

/* A switch under construction. */
typedef struct cost_sum {
    swq_cost *cost;
    const swq_cost_terms *terms;
    double ports;     /* k */
    double link_bits; /* f */
    double byte_bits; /* bits of the unit that the spec calls a byte */
    double nodes;
} cost_sum;

/* The number of bits that tell `values` values apart, rounded up; 0 for one value or fewer. */
double cost_bits_for(double values);

/* Bits of a pointer to one of `blocks` blocks, or to no block: the pointer of a linked list's last
 * block has a value of its own (Frazier, 7.1.1 and 7.2.2: NULL, stored as 0). */
double cost_pointer_bits(double blocks);

/* Add a part, unless its amount is 0. */
void cost_add(cost_sum *s, swq_cost_kind kind, const char *part, double amount, const char *rule,
              const char *source);

/* Add packet memory with `ports` ports. */
void cost_add_data(cost_sum *s, const char *part, double bytes, int ports, const char *rule,
                   const char *source);

void cost_leave_out(cost_sum *s, const char *what, const char *why);

/* Compute the sums over all parts. */
void cost_finish(cost_sum *s);

/* `count` FIFOs of equal size: data, and pointers into it. */
typedef struct cost_fifos {
    const char *part;
    double count, bytes;
    int ports;
    const char *rule, *source; /* the rule and the source of the amount of data */
} cost_fifos;
void cost_add_fifos(cost_sum *s, const cost_fifos *fifos);

/* `count` memories of blocks in linked lists: data, pointers, registers of lists, headers. */
typedef struct cost_lists {
    const char *part;
    double count, blocks, block_bytes, queues;
    int ports;    /* of the memory */
    bool headers; /* a header register per block, and a bypass register per queue */
    double more;  /* register bits of a queue besides head, tail and null */
    bool stack;   /* the free list is a stack, which has only a head */
    bool counted; /* every list stores its length, so that no pointer value has to mark the last
                     block */
    const char *rule, *source;
} cost_lists;
void cost_add_lists(cost_sum *s, const cost_lists *lists);

/* Add the buffers of all inputs, or the pool of the switch, by their four choices, with `queues`
 * queues and blocks of `block_bytes`. */
void cost_add_buffers(cost_sum *s, const char *part, const swq_buffer *b, int queues,
                      double block_bytes);

/* Does a buffer consist of FIFOs, by the four choices of its row, so that it has no blocks? */
bool cost_of_fifos(const swq_buffer *b);

/* Add the parts that rows of the asynchronous engine's tables need. `queues`: of an input store. */
void cost_add_architecture(cost_sum *s, const swq_async *n, const swq_fabric *f);
void cost_add_management(cost_sum *s, const swq_async *n, const swq_fabric *f);
void cost_add_flow(cost_sum *s, const swq_async *n, const swq_fabric *f);
void cost_add_sender(cost_sum *s, const swq_async *n, const swq_fabric *f);

/* Does each queue of an input have its own memory, and so its own counter? */
bool cost_static_queues(const swq_async *n);

/* Does a switch need to know whether each queue of the next buffer has room? */
bool cost_flow_by_queue(const swq_async *n);

/* Add the arbiter of a crossbar, which examines `requests` requests. */
void cost_add_arbiter(cost_sum *s, const swq_arbiter *arbiter, double requests, const char *rule);

/* The needs of rules that the cost takes: their cost is counted, or named as left out. */
extern const swq_takes cost_takes;

#endif
