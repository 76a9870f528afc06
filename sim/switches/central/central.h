/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A switch with one memory for all its packets: small FIFOs at the inputs, in which packets may
 * stall; a pool, which holds a packet as a whole or not at all; and a queue for each output. Flits
 * have no events of their own: swq_stream says in which cycles they move.
 *
 *     link -> FIFO of input -> pool, in the queue of its output -> link
 *                           \_________ bypass ________________/
 *
 * Elements are numbered as with output stores: element k < inputs is a FIFO, element inputs + k the
 * queue of output k.
 */
#ifndef SWQ_SIM_SWITCHES_CENTRAL_CENTRAL_H
#define SWQ_SIM_SWITCHES_CENTRAL_CENTRAL_H

#include "base/arrays.h"
#include "sim/frame/net.h"

enum {
    SWQ_FROM_POOL = UINT16_MAX, /* instead of an input: the packet is read from the pool */
    SWQ_STREAM_RUNS = 16
};

/* Flits that leave a FIFO one per cycle, from flit `from` of the stream in cycle `at`, up to the
 * next run. */
typedef struct swq_flit_run {
    uint32_t from, at;
} swq_flit_run;

/* The flits that go over a link into a FIFO. They are numbered from the size of the FIFO on, so
 * that flit n may be sent once flit n - size has left. For flits before `sure` the cycle in which
 * they are sent is known, and for flits before `left` the cycle in which they leave the FIFO. */
typedef struct swq_stream {
    uint32_t end;        /* one more than the last flit of the packets that have begun */
    uint32_t sure, last; /* flit sure - 1 is sent in cycle `last` */
    uint32_t left;
    /* the cycle from which the next packet may be admitted; SWQ_NEVER: unknown */
    uint32_t head_from;
    uint8_t runs; /* runs with flits that may still be there */
    bool blocked; /* the feeder has asked for room, and the cycle is not known yet */
    swq_flit_run run[SWQ_STREAM_RUNS];
} swq_stream;

/* The transmission over the link of an output. */
typedef struct swq_outlet {
    uint32_t length, gone; /* flits of the packet; flits whose cycle is known */
    uint32_t chunk_end;    /* the first flit after the chunk that is freed next */
    uint32_t last_chunk;   /* the first flit of the last chunk */
    uint32_t entered;      /* the cycle of its admission */
    uint32_t queued;       /* flits of waiting packets for this output */
    uint16_t from;         /* the input from which the packet bypasses the pool, or SWQ_FROM_POOL */
    uint8_t next_input;    /* the input that is asked first for a packet to bypass the pool */
} swq_outlet;

/* The pool of a switch. Chunks that will be free in a known cycle are counted in a ring of
 * cycles. */
typedef struct swq_pool {
    uint32_t free, coming; /* free chunks; chunks taken that are in the ring */
    uint32_t moving;       /* writes and reads in the ring */
    int writes, reads;     /* turns left; negative if overdrawn */
    uint32_t seen;         /* the cycle up to which chunks of the ring have been added to `free` */
    /* Sets of the inputs whose head has been routed and waits, and of the outputs whose queues hold
     * packets; in switches of more than 32 ports those of swq_wide_pool. */
    uint32_t heads, queued;
    uint32_t partly;     /* chunks that are not full and will not be */
    uint32_t lacks;      /* the fewest chunks that a head waits for; 0: no head waits */
    uint8_t next_input;  /* the first input asked, to write ... */
    uint8_t next_output; /* ... and the first output, to read */
} swq_pool;

typedef struct swq_wide_pool {
    swq_wide_set heads, queued;
} swq_wide_pool;

/* Chunks that become free in a cycle, and how many of them are not full. */
typedef struct swq_freed {
    uint16_t chunks, partly;
    /* chunks in the middle of packets that are written and read in the cycle */
    uint16_t writes, reads;
} swq_freed;

/* Counts since measuring began. */
typedef struct swq_pool_counts {
    uint64_t stored, bypassed; /* packets */
    uint64_t taken, partly;    /* chunk-cycles of freed chunks; chunk-cycles of the partly filled
                                  chunks among them */
    uint64_t unfilled;         /* flit-cycles of the unfilled parts of partly filled chunks */
    uint64_t moved, lost; /* flits that the turns to write and read could have moved; how many of
                             these were not moved */
    /* the most chunks taken in a switch at a time; the most partly filled ones */
    uint32_t most, most_partly;
    uint32_t since; /* the cycle in which measuring began */
} swq_pool_counts;

typedef struct swq_central {
    uint32_t chunk, chunks; /* flits of a chunk; chunks of a switch */
    uint32_t fifo;          /* flits */
    int turns;    /* The memory is written and read once per cycle, and saves at most this many
                     turns that it has not used. 0: the memory consists of modules, all of which
                     can be used at any time. */
    bool bypass;  /* packets may bypass the pool; else every packet gets a place in the pool */
    bool gathers; /* a chunk is written once its flits are there */
    uint32_t ring_mask;
    swq_stream *stream;       /* [inputs] */
    swq_outlet *outlet;       /* [inputs] */
    swq_pool *pool;           /* [switches] */
    swq_wide_pool *wide_pool; /* [switches] of more than 32 ports, else NULL */
    swq_freed *ring;          /* [switches * (ring_mask + 1)] cycles to come */
    swq_pool_counts counts;
} swq_central;

static inline swq_central *swq_central_of(const swq_async_net *net)
{
    return swq_own_state(net);
}

extern const swq_kernel swq_kernel_central, swq_kernel_central_wide;

#endif
