/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The DAMQ Buffer Chip to the clock phase: one input, one output to a crossbar, queues as linked
 * lists of blocks, controlled by three state machines that share one data path. Source: Frazier
 * (1995), chapter 7. docs/chip.md has the rules, and what the text leaves open.
 */
#ifndef SWITCHQ_CHIP_H
#define SWITCHQ_CHIP_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_CHIP_MAX_QUEUES = 8,
    SWQ_CHIP_MAX_BLOCKS = 64,
    SWQ_CHIP_MIN_BLOCK_BYTES = 8,
    SWQ_CHIP_MAX_BLOCK_BYTES = 16,
    SWQ_CHIP_MIN_PACKET = 2,
    SWQ_CHIP_MAX_PACKET = 127 /* bytes of data in a packet */
};

/* The parameters of a chip. */
typedef struct swq_chip_spec {
    int queues;       /* 1 .. SWQ_CHIP_MAX_QUEUES, one for each output; the chip has 4 */
    int blocks;       /* 2 .. SWQ_CHIP_MAX_BLOCKS; the chip has 12 */
    int block_bytes;  /* even, SWQ_CHIP_MIN_BLOCK_BYTES .. SWQ_CHIP_MAX_BLOCK_BYTES; the chip has 8:
                         a block is moved between  lists in eight cycles at most */
    int packet_bytes; /* of the longest packet, SWQ_CHIP_MIN_PACKET .. SWQ_CHIP_MAX_PACKET, header
                         not counted; 32 */
    int router_cycles, arbiter_cycles; /* 1 .. 3, 1 .. 16; the chip has 1 each */
    bool fifo; /* the same memory and interfaces under FIFO control: one list, of which only the
                  head requests its output */
} swq_chip_spec;

/* The chip as it was built. */
swq_chip_spec swq_chip_defaults(void);

/* Errors: SWQ_EINVAL naming the parameter, its value and what is allowed. */
swq_status swq_chip_check(swq_context *ctx, const swq_chip_spec *spec);

/* A step of the data path in a cycle. Each step is a register read that addresses a block (phase 1)
 * and a move (phase 2). */
typedef enum swq_chip_step {
    SWQ_CHIP_REST,
    SWQ_CHIP_REMOVE,    /* read H, tmp <- H; H <- ptr(H): a block leaves the head of a list */
    SWQ_CHIP_APPEND,    /* read T; ptr(T) <- tmp, T <- tmp (an empty list: H <- tmp as well) */
    SWQ_CHIP_TERMINATE, /* read T; ptr(T) <- NULL */
    SWQ_CHIP_SELECT,    /* read H: the block is addressed for reading, nothing moves */
    SWQ_CHIP_HEADER     /* read H; the bypass register <- the block's header register */
} swq_chip_step;

/* The state machine that used the data path. */
typedef enum swq_chip_owner { SWQ_CHIP_TR, SWQ_CHIP_FWD } swq_chip_owner;

/* The inputs of a cycle. */
typedef struct swq_chip_in {
    bool valid;   /* a byte is on the link, and passes the synchroniser in this cycle */
    uint8_t byte; /* of a header: bit 7: the packet has packet_bytes; else the byte after the header
                     says how many bytes follow that byte; the low bits are the output */
    uint8_t grants; /* outputs that the crossbar's arbiter would connect in this cycle, by bits */
} swq_chip_in;

/* The outputs of a cycle, and what happened inside the chip. */
typedef struct swq_chip_out {
    bool valid;  /* a byte crosses the crossbar */
    bool header; /* the byte that crosses the crossbar is a header */
    uint8_t byte;
    uint8_t output; /* the output of the crossbar that the byte goes to */
    bool ready; /* a packet may begin in the next cycle: there is memory for the longest packet */
    uint8_t requests; /* outputs that the chip requests, by bits */
    swq_chip_owner owner;
    swq_chip_step step;
    uint8_t list;  /* list that the step worked on: a queue, or `queues` for the free list */
    uint8_t block; /* block that the step addressed; 0: none, as the list was empty */
    bool routed, arbitrated;   /* strobes: an answer of the router, of the arbiter is used first */
    bool synchronised, stored; /* a byte passed the synchroniser, was written */
} swq_chip_out;

typedef struct swq_chip swq_chip;

/* A chip that has been reset: queues empty, all blocks in the free list. Errors: as swq_chip_check;
 * SWQ_ENOMEM. */
swq_status swq_chip_new(swq_context *ctx, const swq_chip_spec *spec, swq_chip **chip);
void swq_chip_free(swq_context *ctx, swq_chip *chip);

/* One clock cycle. Some ten nanoseconds. */
void swq_chip_clock(swq_chip *chip, const swq_chip_in *in, swq_chip_out *out);

/* Registers, for waveforms and tables: their number, and the name, the width in bits and the value
 * after the last cycle of each register. */
int swq_chip_signals(const swq_chip *chip);
const char *swq_chip_signal(const swq_chip *chip, int k, int *bits, uint32_t *value);

/* Check the invariants between cycles: every block is in one list, in one of the temporary
 * registers, or about to be appended; tails are the ends of their lists. Returns NULL, or the
 * invariant that is broken. O(blocks). */
const char *swq_chip_broken(const swq_chip *chip);

/* Cycles in which a byte that should have been sent was missing, or a byte arrived for which there
 * was no block: 0, as long as packets begin when `ready` says so. */
uint64_t swq_chip_late(const swq_chip *chip);

/* ---- runs ---- */

/* A packet on the link: its header arrives in `cycle`, or as soon afterwards as the previous packet
 * has arrived and there is room. */
typedef struct swq_chip_packet {
    uint64_t cycle;
    int output, bytes; /* of data, 1 .. packet_bytes */
} swq_chip_packet;

typedef struct swq_chip_traffic {
    const swq_chip_packet *packet; /* [packets], by cycle; or NULL: random ones */
    int packets;
    double load;  /* probability that a packet begins in a cycle in which it may; outputs are drawn
                     uniformly, half of the packets are of the longest kind, the others of any
                     length below */
    double grant; /* probability that an output is free in a cycle (other inputs use the outputs,
                     too) */
    uint64_t seed;
} swq_chip_traffic;

/* Called after each cycle; the first cycle is 1. */
typedef void swq_chip_cycle_fn(void *arg, uint64_t cycle, const swq_chip *chip,
                               const swq_chip_in *in, const swq_chip_out *out);

typedef struct swq_chip_result {
    uint64_t cycles;
    uint64_t packets_in, packets_out, bytes_in, bytes_out; /* headers and lengths among the bytes */
    uint64_t cut_through;      /* packets whose header left before their last byte had come */
    int least_latency;         /* cycles from a header's synchronisation to its crossing of the
                                  crossbar, both included; 0: none has left */
    int least_move, most_move; /* clock cycles from a block's removal by FSM_fwd to the writing of
                                  its NULL, both included; 0: none */
    const char *violation;     /* the invariant broken at the end of cycle `cycles`; NULL: none */
} swq_chip_result;

/* Run `cycles` cycles of a chip that has just been reset, and check all invariants in each of them:
 * swq_chip_broken, bytes neither lost nor changed nor out of order, none late. Ends with the first
 * violation. Errors: SWQ_EINVAL naming the parameter, or a packet that would begin after the last
 * cycle; SWQ_ENOMEM; SWQ_ECANCELLED, with the result of the cycles so far. A tenth of a microsecond
 * a cycle. */
swq_status swq_chip_run(swq_context *ctx, const swq_chip_spec *spec,
                        const swq_chip_traffic *traffic, uint64_t cycles, swq_chip_cycle_fn *tell,
                        void *arg, swq_chip_result *result);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
