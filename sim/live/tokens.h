/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The callers' tokens of offered packets that are on their way. A packet is found by its source and
 * the cycle of its creation, since a source that holds one packet creates no more than one in a
 * cycle. Each source has a list of its packets.
 */
#ifndef SWQ_SIM_LIVE_TOKENS_H
#define SWQ_SIM_LIVE_TOKENS_H

#include "base/arrays.h"

#include <stdint.h>

typedef struct swq_tokens {
    /* entries are counted from 1; 0 is none */
    uint32_t *head;  /* [nodes] each source's first entry */
    uint32_t *spare; /* [1] the first free entry */
    uint32_t *next;  /* [room], as the following two */
    uint32_t *birth;
    uint64_t *token;
} swq_tokens;

/* Lists the arrays, which all belong to the state. */
void swq_tokens_list(swq_tokens *tokens, uint32_t nodes, size_t room, swq_arrays *list);

/* All entries are free. */
void swq_tokens_begin(swq_tokens *tokens, size_t room);

/* Keeps a packet's token. There is room for `room` packets. */
void swq_tokens_put(swq_tokens *tokens, uint32_t from, uint32_t birth, uint64_t token);

/* Takes the token of a packet out; false: the packet was not offered. */
bool swq_tokens_take(swq_tokens *tokens, uint32_t from, uint32_t birth, uint64_t *token);

#endif
