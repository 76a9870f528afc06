/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sender knows of its packets: which have come beyond the first that is missing, and which
 * count as lost, as a packet three places beyond has come (M. Mathis and J. Mahdavi, "Forward
 * acknowledgment", SIGCOMM 1996; RFC 6675 counts in a similar way).
 */
#ifndef SWQ_SIM_DATACENTRE_SCOREBOARD_H
#define SWQ_SIM_DATACENTRE_SCOREBOARD_H

#include "sim/datacentre/flows.h"

enum { DC_BEYOND = 3 };

static inline bool dc_is_told(const dc_flow *f, uint32_t place)
{
    return f->told && f->told[place / 64] >> place % 64 & 1;
}

/* Packets on their way, as far as the sender knows. */
static inline double dc_on_way(const dc_flow *f)
{
    return (double)f->next - f->acked - f->told_beyond - f->holes - f->again;
}

/* The next packet to be sent again; there is one. */
static inline uint32_t dc_take_hole(dc_flow *f, uint64_t now)
{
    if (f->again) {
        f->again = false;
        f->head_sent = now;
        return f->acked;
    }
    while (dc_is_told(f, f->scan))
        f->scan++;
    f->holes--;
    if (f->scan == f->acked)
        f->head_sent = now;
    return f->scan++;
}

/* A new packet has been sent; after a timeout, those that have come are passed over. */
static inline void dc_pass_next(dc_flow *f)
{
    f->next++;
    while (f->next < f->packets && dc_is_told(f, f->next)) {
        f->next++;
        f->told_beyond++;
    }
}

/* A packet has come. False: no memory. */
static inline bool dc_tell(swq_context *ctx, dc_flow *f, uint32_t place)
{
    if (place < f->acked || dc_is_told(f, place))
        return true;
    if (!f->told) {
        f->told = swq_calloc(ctx, f->packets / 64 + 1, sizeof *f->told);
        if (!f->told)
            return false;
    }
    f->told[place / 64] |= UINT64_C(1) << place % 64;
    f->told_beyond += place < f->next;
    if (place >= f->scan && place < f->limit)
        f->holes--;
    for (; place >= DC_BEYOND && f->limit + DC_BEYOND <= place && f->limit < f->next; f->limit++)
        f->holes += !dc_is_told(f, f->limit);
    return true;
}

/* All packets before `expected`, which is beyond `acked`, have come. */
static inline void dc_tell_all(dc_flow *f, uint32_t expected, uint64_t now)
{
    f->again = false;
    f->head_sent = now;
    for (; f->acked < expected; f->acked++) {
        if (f->acked < f->next && dc_is_told(f, f->acked))
            f->told_beyond--;
        if (f->scan == f->acked) {
            if (f->scan < f->limit && !dc_is_told(f, f->scan))
                f->holes--;
            f->scan++;
        }
    }
    f->next = f->next > f->acked ? f->next : f->acked;
    f->limit = f->limit > f->scan ? f->limit : f->scan;
}

/* A timeout: all that has not come is to be sent again, in order. */
static inline void dc_begin_again(dc_flow *f)
{
    f->next = f->scan = f->limit = f->acked;
    f->holes = f->told_beyond = 0;
    f->again = false;
}

#endif
