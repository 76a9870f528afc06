/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Specs of networks drawn at random, for what must be true of all of them.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_CHECKS_NETWORKS_H
#define SWQ_VALIDATE_CHECKS_NETWORKS_H

#include "switchq/async.h"
#include "switchq/sim.h"

enum { SWQ_DRAWN_NODES = 512 };

/* Draws of a spec: the same numbers in the same order give the same spec. */
typedef struct swq_draws {
    uint64_t state;
} swq_draws;

/* The draws of spec k; of 0 .. n-1, each alike. */
swq_draws swq_draws_of(uint64_t seed, const char *family, int k);
int swq_draw(swq_draws *draws, int n);

/* A synchronous network with what is measured of it, and the memory that it points to. */
typedef struct swq_drawn_network {
    swq_network network;
    swq_sim_options options;
    uint8_t group[SWQ_DRAWN_NODES];
    double node_load[SWQ_DRAWN_NODES];
    uint32_t nodes;
} swq_drawn_network;

/* Anything that the synchronous engine takes: buffers, arbiters, flows, priorities, sources,
 * patterns, hot spots, bursts. Errors: SWQ_EINVAL if a hundred draws give nothing valid. */
swq_status swq_draw_network(swq_context *ctx, swq_draws *draws, swq_drawn_network *drawn);

/* What has a fast form: the rotating arbiter over buffers at the inputs, without priorities. */
swq_status swq_draw_fast_network(swq_context *ctx, swq_draws *draws, swq_drawn_network *drawn);

/* "omega 2x2x3, damq-4, longest, block-next", for people. Returns text. */
char *swq_drawn_words(const swq_drawn_network *drawn, char *text, size_t size);

#endif
