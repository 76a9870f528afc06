/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The choices that packets have between a straight way and one by way of a drawn place.
 */
#ifndef SWQ_BOUND_WAYS_H
#define SWQ_BOUND_WAYS_H

#include "bound/switches.h"

/* What changes on links if packets take the other way: choices that change the same are one. */
typedef struct swq_two_ways {
    double *straight; /* [links] how busy links are if all packets go straight */
    uint32_t count, room;
    uint64_t entries, entry_room;
    double *weight;  /* [room] cycles of a link, per byte of load, that have the choice */
    uint64_t *start; /* [room + 1] changes of choice k are start[k] .. start[k + 1] - 1 */
    uint32_t *link;  /* [entry_room] sorted */
    int8_t *change;  /* [entry_room] links more (or less) often used */
    uint32_t *table; /* [2 * room] hash table of choices; 0: free, else choice - 1 */
} swq_two_ways;

/* Walks all ways. Free with swq_two_ways_clear, also after an error. Errors: SWQ_ELIMIT for more
 * than `most` choices; SWQ_EINVAL if links lead astray; SWQ_ENOMEM, SWQ_ECANCELLED. */
swq_status swq_two_ways_make(swq_context *ctx, const swq_switches *s, uint32_t most,
                             swq_two_ways *c);
void swq_two_ways_clear(swq_context *ctx, swq_two_ways *c);

#endif
