/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The distribution of an arbiter's grants, for switches of at most three ports. A set of grants is
 * a number of base 4: digit j is the input that sends to output j, plus 1, or 0 for none.
 */
#ifndef SWQ_TESTS_DISTRIBUTION_H
#define SWQ_TESTS_DISTRIBUTION_H

#include "switchq/switchq.h"

enum { GRANT_SETS = 4 * 4 * 4, MEMORY_WORDS = 2 * SWQ_MAX_PORTS };

typedef struct distribution {
    int outcomes; /* outcomes of the dice */
    double chance[GRANT_SETS];
} distribution;

int grant_number(const int *grant, int ports);
int granted_input(int number, int output); /* or SWQ_NO_INPUT */

/* A copy of the requests on which an arbiter may be run, with at least one iteration, and with its
 * memory in memory[MEMORY_WORDS]: a copy of requests->memory, or all zero if that is NULL. */
swq_requests with_memory(const swq_arbiter *arbiter, const swq_requests *requests,
                         uint16_t *memory);

/* The distribution over all outcomes of the dice, each beginning with the same memory; asserts that
 * probabilities sum to one, and that the memory holds ports at the end of the cycle. */
distribution grants_of(const swq_arbiter *arbiter, const swq_requests *requests);

/* Lengths of requests, all 0, for up to SWQ_CHAIN_PORTS ports; as long-lived as the block that they
 * are in. */
#define LENGTHS                                                                                    \
    (int[SWQ_CHAIN_PORTS][SWQ_MAX_PORTS])                                                          \
    {                                                                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/* The first ports x ports digits of `number` in base 3: all matrices of lengths 0 .. 2. length:
 * LENGTHS, which the requests go on to use. */
swq_requests requests_of(int length[][SWQ_MAX_PORTS], int ports, bool read_each_queue, int number);

/* As text, e.g. "maximum {1 0 / 2 1 each}". */
const char *case_text(const swq_arbiter *arbiter, const swq_requests *requests);

#endif
