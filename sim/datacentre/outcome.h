/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a replication of a data-centre network leaves behind, and histograms of all of them
 * together.
 */
#ifndef SWQ_SIM_DATACENTRE_OUTCOME_H
#define SWQ_SIM_DATACENTRE_OUTCOME_H

#include "sim/datacentre/net.h"

#include <pthread.h>

/* What estimates are made of. */
typedef struct dc_numbers {
    uint64_t offered, lost, offered_bytes, lost_bytes, sent, sent_bytes, marked, cut;
    uint64_t by_end[SWQ_DC_IN_STORM + 1], storms;
    double delay, byte_ps, parts, delay_at[SWQ_DC_PERCENTILES];
} dc_numbers;

/* What happened in a window; ps: 0 if it was not reached. */
typedef struct dc_span {
    uint64_t ps, offered, lost, payload;
    double used_ps, line_bytes; /* with parts of packets */
} dc_span;

typedef struct dc_outcome {
    dc_numbers of[SWQ_DC_CLASSES + 1];                /* classes; all */
    double used_ps, occupancy_at[SWQ_DC_PERCENTILES]; /* shares of a memory */
    struct {
        uint64_t begun, completed;
        double time, slowdown, time_at[SWQ_DC_PERCENTILES], slowdown_at[SWQ_DC_PERCENTILES];
        double jain;
    } flows[DC_COMPLETIONS];
    double sender_value[SWQ_DC_CLASSES][SWQ_DC_SENDER_PARAMETERS];
    uint64_t collective_left, collective_took, listed_before, listed_late;
    uint64_t payload, timeouts, retransmitted, pauses, paused, headroom_most;
    uint64_t most, inside, ps, hops, packets, now;
    double bytes, cpu, jain;
    dc_link_counts *link; /* [rows of links], or NULL */
    swq_dc_circle circle;
    dc_span *span;            /* [spans], or NULL */
    dc_memory_counts *memory; /* [memories], or NULL */
    bool conserved, done;
    bool partial; /* the time was up before its end */
    swq_status status;
} dc_outcome;

/* Of all replications. Sums of whole numbers, so that their order does not matter. */
typedef struct dc_pool {
    pthread_mutex_t lock;
    uint64_t *delays[SWQ_DC_CLASSES + 1];                        /* by class; all */
    uint64_t *times[DC_COMPLETIONS], *slowdowns[DC_COMPLETIONS]; /* NULL: not used */
    uint64_t *occupancy;
    uint64_t *bins; /* of all these */
} dc_pool;

typedef struct dc_job {
    const swq_dc *spec;
    const swq_dc_graph *graph;
    const swq_dc_options *options;
    dc_outcome *outcome;  /* [replications] */
    uint32_t rows;        /* of links: ports of switches and hosts, times classes; 0: not wanted */
    dc_link_counts *link; /* [replications * rows] of the outcomes */
    uint32_t spans;       /* windows of a series; 0: not wanted */
    dc_span *span;        /* [replications * spans] */
    uint32_t memories;    /* of all switches, where each has several; else 0 */
    dc_memory_counts *memory; /* [replications * memories] */
    dc_pool pool;
} dc_job;

/* ---- outcome.c ---- */

swq_status dc_pool_make(swq_context *ctx, dc_pool *pool, int classes);
void dc_pool_free(swq_context *ctx, dc_pool *pool);

/* Takes what was counted in a network that has been measured, and adds its histograms to the pool,
 * from any thread. */
void dc_gather(dc_net *net, dc_pool *pool, dc_outcome *o);

/* Adds, with a sign, the parts that have been sent by now of packets that are being sent. */
void dc_add_parts(dc_net *net, int sign);

/* What has been counted up to now. */
dc_span dc_span_now(const dc_net *net);

/* The values of bins. */
double dc_occupancy_of(int bin);
double dc_slowdown_of(int bin);

/* ---- estimates.c ---- */

void dc_summarize(const dc_job *j, swq_dc_result *r);

#endif
