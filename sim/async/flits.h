/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A queue as a stream of flits: what comes and what goes are straight lines in time, one flit a
 * cycle, so that what lies in it in any cycle is known without a look at every flit.
 *
 *      departed      departed + fifo        first + chunks           arrived
 *         |  crosspoint FIFO  |  | chunk | chunk | partly filled chunk |
 *
 * The first `fifo` flits that wait are outside the memory that is shared, those behind them in
 * chunks of it, which one flit after the other fills whatever packet it is of (Sivaram, Stunkel and
 * Panda, 1997, 3.3). A chunk is free when the last flit in it has been read.
 * Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_FLITS_H
#define SWQ_SIM_ASYNC_FLITS_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of flits count from the run's begin, and wrap. */
typedef struct swq_flit_queue {
    uint32_t came, came_at; /* flits of all packets up to the one that came last, and when it began
                               to come */
    uint32_t went, went_at; /* ... that left last, and when it began to leave */
    uint16_t coming, going; /* flits of these two */
    uint32_t first;         /* a flit that begins a chunk, if any is taken */
    uint32_t settled; /* the cycle up to which all this is known: not before came_at, went_at */
    bool taken;       /* chunks were, then */
} swq_flit_queue;

/* Flits of a packet, over a link from cycle `begun` on, that have yet to pass. */
static inline uint32_t swq_flits_left(uint32_t begun, uint32_t flits, uint32_t cycle)
{
    const uint32_t passed = cycle - begun;
    return passed >= flits ? 0 : flits - passed;
}

/* Flits that had arrived, or departed, in a cycle since the last packet came, or left. */
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

/* The last cycle up to `now`, from `settled` on, in which no chunk was taken; false: there is none.
 * The lines have bent since then where a packet had come, or gone, to its end. */
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

/* Bring `first` and `taken` up to this cycle. At most one packet came, and one left, since. */
static inline void swq_flits_settle(swq_flit_queue *q, uint32_t fifo, uint32_t now)
{
    const bool taken = swq_flits_waiting(q, now) > fifo;
    uint32_t empty;

    if (taken && swq_flits_last_empty(q, fifo, now, &empty))
        q->first = swq_flits_out(q, empty) + fifo;
    q->taken = taken;
    q->settled = now;
}

/* Chunks that a settled queue takes. */
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
