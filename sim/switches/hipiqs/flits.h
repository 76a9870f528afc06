/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A queue as a stream of flits: flits come one a cycle from a known cycle on, and leave in the same
 * way, so that the flits in the queue in any cycle are known without a look at each of them.
 *
 *      departed      departed + fifo        first + chunks           arrived
 *         |  crosspoint FIFO  |  | chunk | chunk | partly filled chunk |
 *
 * The first `fifo` flits that wait are outside the shared memory. The flits behind them are in
 * chunks of that memory, which are filled flit by flit, also across the borders of packets
 * (Sivaram, Stunkel and Panda, 1997, 3.3). A chunk is free when the last flit in it has been read.
 */
#ifndef SWQ_SIM_SWITCHES_HIPIQS_FLITS_H
#define SWQ_SIM_SWITCHES_HIPIQS_FLITS_H

#include <stdbool.h>
#include <stdint.h>

/* Flits are numbered from the beginning of the run; the numbers wrap around. */
typedef struct swq_flit_queue {
    /* flits of all packets up to the last that came, and when it began to come */
    uint32_t came, came_at;
    /* flits of all packets up to the last that left, and when it began to leave */
    uint32_t went, went_at;
    uint16_t coming, going; /* flits of the packet that is coming, and of the packet that is
                               going */
    uint32_t first;         /* if chunks are taken: a flit that begins a chunk */
    /* the cycle for which `first` and `taken` hold; not before came_at and went_at */
    uint32_t settled;
    bool taken; /* some chunk was taken in that cycle */
} swq_flit_queue;

/* Flits of a packet that have yet to pass over a link, where its first flit is in cycle `begun`. */
static inline uint32_t swq_flits_left(uint32_t begun, uint32_t flits, uint32_t cycle)
{
    const uint32_t passed = cycle - begun;
    return passed >= flits ? 0 : flits - passed;
}

/* The number of flits that have arrived, or departed, up to a cycle not before the last packet
 * came, or left. */
static inline uint32_t swq_flits_in(const swq_flit_queue *q, uint32_t cycle)
{
    return q->came - swq_flits_left(q->came_at, q->coming, cycle);
}

static inline uint32_t swq_flits_out(const swq_flit_queue *q, uint32_t cycle)
{
    return q->went - swq_flits_left(q->went_at, q->going, cycle);
}

static inline uint32_t swq_flits_waiting(const swq_flit_queue *q, uint32_t cycle)
{
    return swq_flits_in(q, cycle) - swq_flits_out(q, cycle);
}

/* The last cycle from `settled` to `now` in which no chunk was taken; false: there is none.
 * Arrivals and departures are linear in time, except at the cycles in which a packet has come, or
 * left, to its end; so only these are checked. */
static inline bool swq_flits_last_empty(const swq_flit_queue *q, uint32_t fifo, uint32_t now,
                                        uint32_t *last)
{
    const uint32_t bend[] = {q->came_at + q->coming, q->went_at + q->going};
    bool found = !q->taken;

    *last = q->settled;
    for (int k = 0; k < 2; k++) {
        if ((int32_t)(bend[k] - *last) >= 0 && (int32_t)(now - bend[k]) >= 0 &&
            swq_flits_waiting(q, bend[k]) <= fifo) {
            *last = bend[k];
            found = true;
        }
    }
    return found;
}

/* Brings `first` and `taken` up to this cycle. At most one packet has come, and one left, since
 * `settled`. */
static inline void swq_flits_settle(swq_flit_queue *q, uint32_t fifo, uint32_t now)
{
    const bool taken = swq_flits_waiting(q, now) > fifo;
    uint32_t empty;

    if (taken && swq_flits_last_empty(q, fifo, now, &empty))
        q->first = swq_flits_out(q, empty) + fifo;
    q->taken = taken;
    q->settled = now;
}

/* The chunks that a settled queue takes. */
static inline uint32_t swq_flits_chunks(const swq_flit_queue *q, uint32_t fifo, uint32_t chunk,
                                        uint32_t now)
{
    if (!q->taken)
        return 0;
    const uint32_t read = swq_flits_out(q, now) + fifo - q->first;
    const uint32_t written = swq_flits_in(q, now) - q->first;
    return (written + chunk - 1) / chunk - read / chunk;
}

#endif
