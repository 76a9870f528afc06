/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Specs of networks drawn at random, for what must be true of all of them.
 */
#ifndef SWQ_VALIDATE_CHECKS_NETWORKS_H
#define SWQ_VALIDATE_CHECKS_NETWORKS_H

#include "switchq/async.h"
#include "switchq/sim.h"

enum { SWQ_DRAWN_NODES = 512 };

/* Random draws for a spec: the same numbers in the same order give the same spec. */
typedef struct swq_draws {
    uint64_t state;
} swq_draws;

/* The draws of spec k; a number from 0 to n-1, each with equal probability. */
swq_draws swq_draws_of(uint64_t seed, const char *family, int k);
int swq_draw(swq_draws *draws, int n);

/* A synchronous network, the options of its measurement, and the memory that both point to. */
typedef struct swq_drawn_network {
    swq_network network;
    swq_sim_options options;
    uint8_t group[SWQ_DRAWN_NODES];
    double node_load[SWQ_DRAWN_NODES];
    uint32_t nodes;
} swq_drawn_network;

/* Draws anything that the synchronous engine can run: buffers, arbiters, flows, priorities,
 * sources, patterns, hot spots, bursts. Errors: SWQ_EINVAL if a hundred draws give nothing
 * valid. */
swq_status swq_draw_network(swq_context *ctx, swq_draws *draws, swq_drawn_network *drawn);

/* Draws only networks that have a fast form: the rotating arbiter over buffers at the inputs,
 * without priorities. */
swq_status swq_draw_fast_network(swq_context *ctx, swq_draws *draws, swq_drawn_network *drawn);

/* "omega 2x2x3, damq-4, longest, block-next", for people. Returns text. */
char *swq_drawn_words(const swq_drawn_network *drawn, char *text, size_t size);

#endif
