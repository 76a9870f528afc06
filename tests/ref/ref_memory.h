/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One switch with a shared memory, packet by packet: a second implementation, slow and from the
 * specification alone. Whatever a rule asks for is counted anew from the packets that are there.
 *
 * A packet comes when its last bit does. Events of the same time are taken in this order: ends of
 * transmissions, by port; a token of expulsion; packets that come, in their order in the list; idle
 * ports begin to send, by port; the end of an interval of ABM.
 */
#ifndef REF_MEMORY_H
#define REF_MEMORY_H

enum { REF_MEMORY_PORTS = 64, REF_MEMORY_CLASSES = 8, REF_MEMORY_QUEUES = 128 };

typedef enum {
    REF_TAKE_ALL,
    REF_TAKE_PARTITION,       /* a queue holds at most memory / queues */
    REF_TAKE_MAXIMUM,         /* ... at most queue_max */
    REF_TAKE_SQUARE_ROOT,     /* ... at most memory / sqrt(queues) */
    REF_TAKE_MINIMUM,         /* queue_min reserved for each queue, the rest shared */
    REF_TAKE_MINIMUM_MAXIMUM, /* both */
    REF_TAKE_THRESHOLD,       /* length < alpha free */
    REF_TAKE_LQD,
    REF_TAKE_HARMONIC,
    REF_TAKE_ABM,
    REF_TAKE_OCCAMY,
    REF_TAKE_FOLLOW_LQD,
    REF_TAKE_CREDENCE,
    REF_TAKE_FAB,    /* threshold, with alpha 1024 for the first bytes of a flow */
    REF_TAKE_EDT,    /* threshold, lifted for a queue that absorbs a burst */
    REF_TAKE_TDT,    /* the same, and lowered for a queue that loses too much */
    REF_TAKE_IB,     /* threshold, and random losses of what gets more than its fair rate */
    REF_TAKE_REVERIE /* threshold of an average, divided among congested queues */
} ref_memory_rule;

typedef enum {
    REF_SERVE_FIFO,     /* in the order of arrival, whatever the class */
    REF_SERVE_PRIORITY, /* class 0 first */
    REF_SERVE_ROUND_ROBIN,
    REF_SERVE_DRR
} ref_memory_schedule;

/* Which of several longest queues loses a packet. */
typedef enum {
    REF_LOSES_LOW,
    REF_LOSES_HIGH,
    REF_LOSES_OWN,  /* that of the packet that comes, if it is one; else left to chance */
    REF_LOSES_OTHER /* another one, if there is one */
} ref_memory_ties;

typedef struct {
    int ports, classes;
    const unsigned long long *rate; /* [ports] bit/s */
    long memory;                    /* bytes, of which whole cells are used */
    long cell;                      /* bytes; a packet takes whole cells */
    ref_memory_schedule schedule;
    const long *quantum; /* [classes] bytes, for DRR */
    ref_memory_rule rule;
    const double *alpha; /* [classes] */
    int counts_itself;   /* thresholds are compared with the queue and the packet that comes */
    long queue_min, queue_max;
    ref_memory_ties ties;
    int drops_head; /* LQD: the first waiting packet goes, not the last */
    int uncounted;  /* LQD: the packet that comes is not part of its queue */
    long congested; /* ABM, Reverie: bytes from which a queue counts in full */
    long long interval;
    long long token_every; /* Occamy: ps */
    long token_bucket;     /* most tokens */
    long flow_bytes; /* FAB: a flow that has sent less since its last pause, what comes counted, is
                        new; all packets of an input, an output and a class are a flow */
    long long flow_pause;          /* FAB: ps; a longer time without a packet is a pause */
    long long window;              /* IB: ps */
    long steered, random_above;    /* IB: bytes */
    double (*chance)(long number); /* IB: numbers in (0, 1], from the first one, 0, on */
    double gamma;                  /* Reverie */
    const unsigned char
        *oracle;        /* Credence: [count] 1 if LQD is said to lose the packet; or NULL */
    long mark_above;    /* bytes; below 0: nothing is marked */
    int marks_at_start; /* when a packet begins to be sent, not when it is taken */
    int frees_at_start; /* a packet leaves the memory then: not by the specification, but what
                           programs for whole networks do, for comparisons with them */
} ref_memory;

typedef struct {
    long long time; /* ps, not decreasing in a list */
    int input, output, class;
    long bytes;
    int first_round_trip; /* ABM and Reverie give the packet a large alpha */
} ref_memory_arrival;

typedef enum { REF_SENT, REF_REFUSED, REF_PUSHED_OUT, REF_EXPELLED } ref_memory_end;

typedef struct {
    ref_memory_end end;
    long long time; /* when it has been sent or is lost */
    int marked;
    long own, held; /* bytes of its queue, and of all, just after the switch has decided about it */
} ref_memory_fate;

/* Sets fate[count]. Returns the number of decisions that the specification leaves to chance or that
 * hang on rounding; -1 if a number is out of range. */
long ref_memory_run(const ref_memory *m, const ref_memory_arrival *arrival, long count,
                    ref_memory_fate *fate);

/* How long a packet of so many bytes takes at a rate of bit/s: ps, to the nearest, ties up. */
long long ref_memory_time(long bytes, unsigned long long rate);

#endif
