/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registers of the chip, and the functions that its files share. The address NULL of a block is
 * 0: blocks are numbered from 1.
 */
#ifndef SWQ_CHIP_H
#define SWQ_CHIP_H

#include "switchq/chip.h"

/* Head, tail and null registers of a list of blocks. Null: the list is empty, and its head and tail
 * are invalid. */
typedef struct swq_chip_list {
    uint8_t head, tail;
    bool null;
} swq_chip_list;

/* The register in which an answer of the router or of the arbiter is latched, and held until the
 * chip clears it. */
typedef struct swq_chip_answer {
    bool valid, strobe; /* strobe: in the first cycle after it was latched */
    uint8_t queue;
    uint8_t header; /* the new header, from the router */
    int left;       /* cycles until it is latched; 0: there is no request */
    uint8_t coming, coming_header;
} swq_chip_answer;

/* FSM_sto writes bytes into blocks. */
typedef struct swq_chip_sto {
    bool busy;     /* within a packet */
    bool length;   /* the next byte is a length */
    int left;      /* bytes of the packet that are still to come, including the length */
    uint8_t block; /* the block being written */
    int at;        /* the next byte's place in the block; block_bytes: the block is full */
} swq_chip_sto;

/* FSM_tr takes blocks from the free list and appends them to the queue that the router names. */
typedef struct swq_chip_tr {
    enum { SWQ_TR_FETCH, SWQ_TR_READY, SWQ_TR_TERMINATE } state;
    uint8_t tmp;  /* READY: the block for the next bytes */
    bool first;   /* it is the first of a packet */
    bool written; /* bytes have been written to the block */
} swq_chip_tr;

/* FSM_fwd sends packets, and moves their blocks to the free list. */
typedef struct swq_chip_fwd {
    bool busy;
    bool removes, appends, terminates, loads; /* steps yet to be done */
    uint8_t tmp;
    bool tmp_is_read; /* reading of the block's bytes has begun: the block may be freed */
    uint8_t block;    /* the block being read; 0: none */
    uint8_t next;     /* the next block, addressed in advance */
    bool length;      /* the next byte read is a length */
    int at, left;     /* place of the next byte; bytes still to be read */
    bool latched;     /* a byte was read in the previous cycle, and crosses the crossbar */
    uint8_t byte;
} swq_chip_fwd;

struct swq_chip {
    swq_chip_spec spec;
    int lists; /* number of lists of packets; the next one is the free list */
    int free;  /* blocks in the free list */
    uint64_t late;
    bool sync; /* high: FSM_fwd has the data path */
    struct {
        bool valid;
        uint8_t byte;
    } synchroniser;
    swq_chip_answer router, arbiter;
    swq_chip_sto sto;
    swq_chip_tr tr;
    swq_chip_fwd fwd;
    uint8_t turn; /* the output that the arbiter looks at first */
    swq_chip_list list[SWQ_CHIP_MAX_QUEUES + 1];
    uint8_t pointer[SWQ_CHIP_MAX_BLOCKS + 1];
    uint8_t header[SWQ_CHIP_MAX_BLOCKS + 1], output[SWQ_CHIP_MAX_BLOCKS + 1];
    uint8_t bypass[SWQ_CHIP_MAX_QUEUES], bypass_output[SWQ_CHIP_MAX_QUEUES];
    uint8_t memory[SWQ_CHIP_MAX_BLOCKS + 1][SWQ_CHIP_MAX_BLOCK_BYTES];
};

/* Steps of the data path; each step records its action in `out`. swq_chip_remove returns the block
 * addressed, or 0. */
uint8_t swq_chip_remove(swq_chip *c, int list, uint8_t *tmp, swq_chip_out *out);
void swq_chip_append(swq_chip *c, int list, uint8_t tmp, swq_chip_out *out);
void swq_chip_terminate(swq_chip *c, int list, swq_chip_out *out);
uint8_t swq_chip_select(swq_chip *c, int list, swq_chip_out *out);
void swq_chip_load_header(swq_chip *c, int list, swq_chip_out *out);

/* The machines' turns in a cycle. FSM_tr and FSM_fwd use the data path only in their turns. */
void swq_chip_store(swq_chip *c, swq_chip_out *out);
void swq_chip_tr_turn(swq_chip *c, swq_chip_out *out);
void swq_chip_fwd_turn(swq_chip *c, swq_chip_out *out);
void swq_chip_read(swq_chip *c, swq_chip_out *out);

/* The number of blocks in a list. */
int swq_chip_length(const swq_chip *c, int list);

#endif
