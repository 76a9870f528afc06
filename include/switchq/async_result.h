/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is seen of an asynchronous network during a run, and its results.
 */
#ifndef SWITCHQ_ASYNC_RESULT_H
#define SWITCHQ_ASYNC_RESULT_H

#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Events of set-aside queues (SAQs), CAM lines and notices. */
typedef enum swq_saq_event_kind {
    SWQ_SAQ_DETECTED, /* a SAQ was allocated as congestion was detected at its own port */
    SWQ_SAQ_TOLD, /* a SAQ was allocated as an output of its switch, or a notice, asked for it */
    SWQ_SAQ_FREED,
    SWQ_SAQ_XOFF, /* an input sent an Xoff upstream */
    SWQ_SAQ_XON,
    SWQ_SAQ_LINE_TAKEN, /* at an output, by an Xoff */
    SWQ_SAQ_LINE_FREED,
    SWQ_SAQ_STOPPED, /* an existing SAQ was stopped by an output of its switch */
    SWQ_SAQ_RELEASED,
    SWQ_SAQ_NONE_FREE, /* a SAQ was wanted, but none was free */
    SWQ_SAQ_NO_LINE,   /* a notice found no free line */
    SWQ_SAQ_REFUSED,   /* a notice is more specific than an existing SAQ: RECN */
} swq_saq_event_kind;

typedef struct swq_saq_event {
    uint32_t cycle;
    swq_saq_event_kind kind;
    uint32_t port;    /* an input, or an output for CAM lines; the interface of node n is switches *
                         ports + n */
    bool at_output;   /* the SAQ belongs to this output: RECN, enhanced RECN, FBICM */
    int number;       /* of the SAQ, from 1 on, or of the CAM line, from 0 on; 0: no SAQ */
    uint64_t turns;   /* the path to the congested point as seen from `port`: `bits` bits for each
                         turn, the first turn lowest */
    int length, bits; /* length: turns; FBICM: 1 at inputs, whose lines have an output, else 0 */
} swq_saq_event;

typedef void swq_saq_event_fn(void *arg, const swq_saq_event *event);

/* A message whose last byte will have arrived in cycle birth + tail. */
typedef struct swq_message_end {
    uint32_t birth;      /* the cycle of its creation */
    uint32_t head, tail; /* cycles from then until its first and until its last byte arrives */
    uint32_t from, to;
    uint64_t bytes; /* in wormhole networks flits */
    int group;      /* of senders */
} swq_message_end;

typedef void swq_message_end_fn(void *arg, const swq_message_end *end);

/* Functions to be called during a run, for programs that follow it. Only the first replication is
 * watched. */
typedef struct swq_async_watch {
    swq_started_fn *started; /* or NULL */
    swq_started_fn *refused; /* or NULL; called when a transmission is refused, hop_delay cycles
                                after its start */
    swq_started_fn *ended;   /* or NULL; only with pieces: called when the last piece of a packet
                                begins, with the first cycle after the packet's last byte in place of
                                the cycle in which the transmission began */
    swq_saq_event_fn *saq;   /* or NULL; of a management with set-aside queues */
    swq_message_end_fn *message; /* or NULL; needs swq_sent.told */
    void *arg;
    /* the mean blocks in each class's queue of each node's host input port, in frames of
     * frame_cycles each from the end of the warm-up on; NULL, 0, 0: none. The last frame, [frames],
     * is the whole run. */
    double *queue_blocks; /* [(frames + 1) * nodes * classes] */
    uint32_t frame_cycles;
    int frames;
    int frames_seen; /* result: frames that were filled */
    /* [phases of the trace] result: the cycle in which the last byte of the last message of each
     * phase has arrived; UINT32_MAX: some message had not arrived by the end. NULL: not asked for
     */
    uint32_t *phase_end;
} swq_async_watch;

/* A buffer that waits for another in a deadlock. */
typedef struct swq_waiting {
    uint32_t port;      /* input port number */
    int packet_class;   /* of the head packet that waits */
    uint32_t next_port; /* the input port that accepts no packet */
    int next_class;     /* class of the packets that the next input port does not accept */
} swq_waiting;

enum { SWQ_MAX_WAITING = 256 };

/* The packet that was refused most often in succession by one buffer. */
typedef struct swq_livelock {
    uint32_t times;     /* 65535: 65535 times or more */
    uint32_t from, to;  /* its sender and receiver */
    uint32_t next_port; /* the input port that refused it */
} swq_livelock;

/* refusals in succession from which on a packet is taken never to move again */
enum { SWQ_LIVELOCK = 10000 };

/* How chunks of stores were used, in samples of the measured cycles, over all replications; all NAN
 * for architectures without chunks. Of one input buffer, or of a switch's shared memory: */
typedef struct swq_chunk_use {
    double taken;       /* chunks in use, mean */
    double partly;      /* of these, chunks that are not filled to their end, mean */
    double most_partly; /* most of such chunks that were seen at once */
    double unfilled;    /* bytes of partly filled chunks to which nothing was written, mean */
    double lost; /* bandwidth lost to partly filled chunks: the fraction of the turns' cycles in
                    which nothing was written or read; NAN where turns are not taken */
    /* with bank_turns, sums: */
    double turns, waited; /* chunks that outputs began to read, and cycles for which outputs waited
                             to begin */
    double flits, gaps;   /* flits that left, and cycles in which the banks would have held up a
                             packet that was leaving */
} swq_chunk_use;

/* Set-aside queues in use in the measured cycles, and events counted in the whole run, over all
 * replications; for a management with set-aside queues. */
typedef struct swq_saq_use {
    uint32_t ports;           /* inputs of switches over which the next three fields are taken */
    double in_use;            /* SAQs in use at an input, mean over the cycles and replications */
    uint32_t most;            /* most SAQs in use at one input at a time */
    double mean_most;         /* mean over the inputs of the most SAQs in use at each */
    uint32_t most_in_network; /* most in use at a time, SAQs of interfaces included */
    double interface_in_use;  /* SAQs in use at an interface, mean */
    int replications;
    uint64_t allocated, detections, false_detections;
    uint64_t xoffs, xons, tokens;
    uint64_t stops;
    uint64_t lost_notices;        /* notices that found no free CAM line, and were not answered */
    uint64_t unserved_detections; /* detections of congestion that found no free SAQ */
    uint64_t unserved_stops;      /* stops that found no SAQ to stop */
    /* inspections and moves of heads; switches entered by packets */
    uint64_t inspections, moves, hops;
    uint64_t out_of_order; /* packets delivered after a later one of their pair */
    uint64_t dropped;      /* packets that found no room at an interface */
    int most_slots;        /* taken at one input of a switch at a time */
    /* of switches with memory at outputs: */
    bool at_outputs;
    double output_in_use;    /* SAQs in use at an output, mean */
    uint32_t most_at_output; /* most SAQs in use at one output at a time */
    int most_output_slots;   /* taken at one output at a time */
    uint64_t notices; /* notices of congestion; `xoffs` counts these and others that stop a SAQ */
    /* refused notices; refused_full: because no SAQ was free */
    uint64_t refused_specific, refused_full;
} swq_saq_use;

/* Results of an asynchronous run beyond the results of every run. In swq_sim_result throughputs are
 * bytes per cycle and node, stages are the fabric's levels, `sent` is bytes per link and cycle and
 * packet_hops counts the switches that packets entered. */
typedef struct swq_async_result {
    swq_sim_result sim;
    double
        bisection; /* mean bytes per cycle of the links between switches that are not chain links:
                      for a symmetric network the fraction of the bisection's bandwidth (6.3.2) */
    swq_waiting waiting[SWQ_MAX_WAITING]; /* after SWQ_STOP_DEADLOCK: the circle of buffers that
                                             wait for each other, or its beginning */
    int waiting_count; /* the length of the circle, which may exceed SWQ_MAX_WAITING */
    uint64_t bytes_created, bytes_delivered, bytes_in_flight; /* whole run, all replications */
    uint64_t messages_left; /* of a trace: messages that were not created by the end of the run */
    uint64_t bytes_lost; /* bytes of packets that found no room at an interface; as above, over the
                            whole run and all replications */
    uint64_t notices;    /* notices that a management sent; over the whole run, too */
    uint64_t refusals;   /* refusals of transmissions; over the whole run, too */
    swq_chunk_use chunks;
    swq_saq_use saqs;
    swq_livelock most_refused; /* after SWQ_STOP_LIVELOCK: the packet that was refused SWQ_LIVELOCK
                                  times or more */
    /* starved: the number of senders that have a packet when a replication ends, and will never get
     * a token for it, in the replication with the most; first_starved: the lowest number of such a
     * sender. Only where tokens stay, and not with a trace. */
    uint32_t starved, first_starved;
} swq_async_result;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
