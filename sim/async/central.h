/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A switch with one memory for all its packets: small FIFOs at the inputs, which packets may stall
 * in, a pool that a packet has a place in as a whole or not at all, and a queue an output. What is
 * known of the flits without an event for any of them.
 *
 *     link -> FIFO of input -> pool, in the queue of its output -> link
 *                           \_________ bypass ________________/
 *
 * Elements are as with output stores: k < inputs is a FIFO, inputs + k the queue of output k.
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_ASYNC_CENTRAL_H
#define SWQ_SIM_ASYNC_CENTRAL_H

#include "base/arrays.h"
#include "switchq/async.h"

struct swq_async_net;

enum {
    SWQ_FROM_POOL = 255, /* in place of an input: the packet is read from the pool */
    SWQ_STREAM_RUNS = 16
};

/* Flits that leave a FIFO one a cycle: from flit `from` of the stream, in cycle `at`, up to the
 * next run. */
typedef struct swq_flit_run {
    uint32_t from, at;
} swq_flit_run;

/* The flits that go over a link into a FIFO, numbered through from the FIFO's flits on, so that
 * flit n may be sent when flit n - FIFO has left. Cycles are known of the flits before `sure`, that
 * they are sent in, and of those before `left`, that they leave the FIFO in. */
typedef struct swq_stream {
    uint32_t end;        /* behind the last packet that has begun */
    uint32_t sure, last; /* the flit before `sure` is sent in cycle `last` */
    uint32_t left;
    uint32_t head_from; /* the packet behind may be admitted from then on; SWQ_NEVER: unknown */
    uint8_t runs;       /* those of which a flit may still be there */
    bool blocked;       /* the feeder has asked for a cycle that is not known */
    swq_flit_run run[SWQ_STREAM_RUNS];
} swq_stream;

/* What goes over the link of an output. */
typedef struct swq_outlet {
    uint32_t length, gone; /* flits of the packet; those of which the cycle is known */
    uint32_t chunk_end;    /* the first flit behind the chunk that is freed next */
    uint32_t last_chunk;   /* the first flit of the last one */
    uint32_t entered;      /* the cycle of its admission */
    uint32_t queued;       /* flits of packets for this output that have not begun */
    uint8_t from;          /* the input that the packet bypasses the pool from, or SWQ_FROM_POOL */
    uint8_t next_input;    /* of those that may bypass, the first to be asked */
} swq_outlet;

/* The pool of a switch. Chunks whose cycle is known in which they are free are in a ring of cycles.
 */
typedef struct swq_pool {
    uint32_t free, coming; /* chunks; of those taken, those in the ring */
    uint32_t moving;       /* writes and reads in the ring */
    int writes, reads;     /* turns that are left; below 0: they have been overdrawn */
    uint32_t seen;         /* the cycle up to which those of the ring are in `free` */
    uint32_t heads;        /* set of the inputs whose head has been routed, and waits */
    uint32_t queued;       /* set of the outputs whose queues hold packets */
    uint32_t partly;       /* chunks that are not full, and will not be */
    uint32_t lacks;        /* the least chunks that a head waits for; 0: none does */
    uint8_t next_input;    /* the first to be asked ... */
    uint8_t next_output;   /* ... to write, and to read */
} swq_pool;

/* Chunks that become free in a cycle, and those of them that are not full. */
typedef struct swq_freed {
    uint16_t chunks, partly;
    uint16_t writes, reads; /* ... and those in the middle of packets that are written and read */
} swq_freed;

/* What is counted, since measuring began. */
typedef struct swq_pool_counts {
    uint64_t stored, bypassed; /* packets */
    uint64_t taken, partly; /* chunk-cycles of those that have been freed; of partly filled ones */
    uint64_t unfilled;      /* flit-cycles of what is not filled of these */
    uint64_t moved, lost;   /* flits of turns to write and to read; of these, empty */
    uint32_t most, most_partly; /* chunks taken in one switch at once; partly filled ones */
    uint32_t since;             /* the cycle in which measuring began */
} swq_pool_counts;

typedef struct swq_central {
    uint32_t chunk, chunks; /* flits; chunks of a switch */
    uint32_t fifo;          /* flits */
    int turns;    /* the memory is written and read once a cycle; what it was not, up to so many
                     times, it is later; 0: modules, that all are at any time */
    bool bypass;  /* past the pool; else every packet has a place in it */
    bool gathers; /* a chunk is written when its flits are there */
    uint32_t ring_mask;
    swq_stream *stream; /* [inputs] */
    swq_outlet *outlet; /* [inputs] */
    swq_pool *pool;     /* [switches] */
    swq_freed *ring;    /* [switches * (ring_mask + 1)] of cycles to come */
    swq_pool_counts counts;
} swq_central;

#endif
