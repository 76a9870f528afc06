/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is counted in a data-centre network. The kernel reports what happens by the functions of
 * tally.h, and writes no counter itself.
 */
#ifndef SWQ_SIM_DATACENTRE_TALLY_H
#define SWQ_SIM_DATACENTRE_TALLY_H

#include "sim/datacentre/packets.h"
#include "switchq/datacentre.h"

enum {
    DC_OCCUPANCY_BINS = 2048,
    DC_BINS_AN_OCTAVE = 128, /* of delays: a bin is .54% wide */
    DC_DELAY_BINS = 50 * DC_BINS_AN_OCTAVE
};

typedef struct dc_counts {
    uint64_t offered, offered_bytes, marked, sent, sent_bytes, held_at_start;
    uint64_t cut; /* that begin to be sent before their last bits are there */
    uint64_t lost[SWQ_DC_IN_STORM + 1], lost_bytes; /* by end */
    uint64_t storms;                                /* of pauses */
    double delay;                                   /* sum, ps */
    double byte_ps;                                 /* of its queues */
    double parts;     /* bytes of packets being sent that were sent by the end, less those that were
                         sent before the beginning */
    uint64_t *delays; /* [DC_DELAY_BINS] */
} dc_counts;

/* Of the packets of a class on the line that begins at a port. */
typedef struct dc_link_counts {
    uint64_t packets, bytes, marked, lost, lost_bytes;
    uint64_t pauses, paused;   /* as in swq_dc_result; ps */
    uint64_t storms, in_storm; /* of the watchdog of pauses; packets lost in them, which are in
                                  `lost`, too */
    double parts;              /* as in dc_counts */
} dc_link_counts;

/* Of a memory, where a switch has several. */
typedef struct dc_memory_counts {
    uint64_t offered, lost, lost_bytes, sent; /* packets; offered: at first less those inside */
    uint64_t most;                            /* bytes in use */
    double used_ps;                           /* share of it in use * ps */
} dc_memory_counts;

typedef struct dc_tally {
    bool on;               /* measuring has begun */
    uint64_t begun, ended; /* ps */
    dc_counts by_class[SWQ_DC_CLASSES];
    uint32_t memories;
    uint64_t *used;              /* [memories] bytes now */
    uint64_t *changed;           /* [memories] the time of the last change of `used` */
    uint64_t *capacity;          /* [memories] bytes */
    double *per_byte;            /* [memories] the share of the memory that a byte is */
    uint64_t *occupancy;         /* [DC_OCCUPANCY_BINS + 1] ps with that share of a memory in use */
    double used_ps;              /* sum of the share of a memory in use * ps */
    uint64_t most;               /* bytes */
    dc_memory_counts *by_memory; /* [memories], or NULL: not wanted */
    uint64_t class_used[SWQ_DC_CLASSES], class_changed[SWQ_DC_CLASSES];
    uint64_t hops, packets;
    dc_link_counts *link; /* [ports of switches and hosts * classes], or NULL: not wanted */
    /* since time 0 */
    uint64_t all_offered, all_sent, all_lost, all_offered_bytes, all_sent_bytes, all_lost_bytes;
} dc_tally;

/* ---- tally.c ---- */

swq_status dc_tally_make(swq_context *ctx, dc_tally *t, uint32_t memories);
void dc_tally_free(swq_context *ctx, dc_tally *t);
void dc_tally_begin(dc_tally *t, uint64_t now);
/* Brings what is counted over time up to date. */
void dc_tally_end(dc_tally *t, uint64_t now);
/* The value of the first bin up to which the share `level` of all counts lies; NAN: no counts. */
double dc_percentile(const uint64_t *bin, int bins, double level, double (*value)(int bin));

/* The bin of a delay. */
static inline int dc_delay_bin(uint64_t ps)
{
    const uint64_t at = ps < DC_BINS_AN_OCTAVE ? DC_BINS_AN_OCTAVE : ps;
    const int octave = 63 - __builtin_clzll(at);
    const uint64_t part = octave >= 7 ? at >> (octave - 7) : at << (7 - octave);
    const int bin = (octave - 7) * DC_BINS_AN_OCTAVE + (int)(part - DC_BINS_AN_OCTAVE);

    return bin < DC_DELAY_BINS ? bin : DC_DELAY_BINS - 1;
}

/* The middle of a bin, in ps. */
static inline double dc_delay_of(int bin)
{
    const int octave = bin / DC_BINS_AN_OCTAVE;
    const double part = DC_BINS_AN_OCTAVE + bin % DC_BINS_AN_OCTAVE + .5;

    return part * (double)(UINT64_C(1) << octave);
}

static inline void dc_note_offered(dc_tally *t, const dc_packet *p)
{
    t->all_offered++;
    t->all_offered_bytes += p->bytes;
    if (t->on) {
        t->by_class[p->class].offered++;
        t->by_class[p->class].offered_bytes += p->bytes;
    }
}

static inline void dc_note_lost(dc_tally *t, const dc_packet *p, swq_dc_end end)
{
    t->all_lost++;
    t->all_lost_bytes += p->bytes;
    if (t->on) {
        t->by_class[p->class].lost[end]++;
        t->by_class[p->class].lost_bytes += p->bytes;
    }
}

/* The watchdog of pauses begins to drop the packets of a queue: row = port * classes + class. */
static inline void dc_note_storm(dc_tally *t, uint32_t row, int class)
{
    t->by_class[class].storms += t->on;
    if (t->link)
        t->link[row].storms += t->on;
}

static inline void dc_note_sent(dc_tally *t, const dc_packet *p, uint64_t now)
{
    dc_counts *c = &t->by_class[p->class];

    t->all_sent++;
    t->all_sent_bytes += p->bytes;
    if (!t->on)
        return;
    c->sent++;
    c->sent_bytes += p->bytes;
    c->marked += p->marked;
    c->delay += (double)(now - p->time);
    c->delays[dc_delay_bin(now - p->time)]++;
    t->hops++;
}

/* With cut through, of a packet that is noted as sent: when its first bit left. */
static inline void dc_note_cut(dc_tally *t, const dc_packet *p, uint64_t began)
{
    t->by_class[p->class].cut += t->on && p->time > began;
}

/* A packet has been sent on the line of a port; a switch has marked one, or lost one, of a queue.
 * All three: row = port * classes + class. */
static inline void dc_note_link(dc_tally *t, uint32_t row, uint32_t bytes)
{
    if (!t->link || !t->on)
        return;
    t->link[row].packets++;
    t->link[row].bytes += bytes;
}

static inline void dc_note_link_mark(dc_tally *t, uint32_t row)
{
    if (t->link && t->on)
        t->link[row].marked++;
}

static inline void dc_note_link_loss(dc_tally *t, uint32_t row, uint32_t bytes, swq_dc_end end)
{
    if (!t->link || !t->on)
        return;
    t->link[row].lost++;
    t->link[row].lost_bytes += bytes;
    t->link[row].in_storm += end == SWQ_DC_IN_STORM;
}

/* What a memory has held until now. */
static inline void dc_note_used_of(dc_tally *t, uint32_t memory, double used_ps)
{
    dc_memory_counts *of = &t->by_memory[memory];

    of->used_ps += used_ps;
    of->most = t->used[memory] > of->most ? t->used[memory] : of->most;
}

/* Bytes are taken from a memory, or given back (change < 0). */
static inline void dc_note_used(dc_tally *t, uint32_t memory, int class, int64_t change,
                                uint64_t now)
{
    if (t->on) {
        const uint64_t ps = now - t->changed[memory];
        const double share = (double)t->used[memory] * t->per_byte[memory];
        t->occupancy[(int)(share * DC_OCCUPANCY_BINS)] += ps;
        t->used_ps += share * (double)ps;
        if (t->by_memory)
            dc_note_used_of(t, memory, share * (double)ps);
        t->by_class[class].byte_ps +=
            (double)t->class_used[class] * (double)(now - t->class_changed[class]);
    }
    t->changed[memory] = t->class_changed[class] = now;
    t->used[memory] += (uint64_t)change;
    t->class_used[class] += (uint64_t)change;
    if (t->on && t->used[memory] > t->most)
        t->most = t->used[memory];
}

#endif
