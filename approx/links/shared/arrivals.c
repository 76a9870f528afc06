/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets come over a link into a buffer and join its queues, each with the same chance.
 */
#include "approx/links/shared/stage.h"

#include <math.h>
#include <string.h>

#define NEGLIGIBLE 1e-18

/* The events of the link from each mark, for one content at one place, summed over the room seen.
 * False: this content has no probability at this place, as in most places of a long buffer. */
static bool feed(const shared_shape *shape, const shared_link *link, const shared_rates *r,
                 size_t at, int packets, double *idle, double *sends)
{
    size_t level_size = (size_t)shape->contents.count * (size_t)shape->ports * (size_t)link->marks;
    bool any = false;

    memset(idle, 0, sizeof *idle * SHARED_MARKS);
    memset(sends, 0, sizeof *sends * SHARED_MARKS);
    for (int c = 0; c < shape->levels; c++) {
        if (!shared_follows(shape, c, packets))
            continue;
        for (int u = 0; u < link->marks; u++) {
            double p = r->after[(size_t)c * level_size + at + (size_t)u];
            if (p == 0)
                continue;
            any = true;
            const double *stays = link->idle[c][u], *comes = link->sends[c][u];
            for (int v = link->first[u]; v <= link->last[u]; v++) {
                idle[v] += p * stays[v];
                sends[v] += p * comes[v];
            }
        }
    }
    return any;
}

static double joining(const shared_shape *shape, const shared_link *link, const double *room,
                      int length)
{
    double sum = 0;

    for (int c = 0; c < shape->levels; c++) {
        for (int u = 0; u < link->marks; u++) {
            double rate = 0;
            for (int v = 0; v < link->marks; v++)
                rate += link->sends[c][u][v];
            sum += rate * room[(size_t)(length * shape->levels + c) * SHARED_MARKS + (size_t)u];
        }
    }
    return sum / shape->ports;
}

/* A buffer that has just sent is sure to have room, others may be full: so that the queue that has
 * sent is joined more often than a queue of the same length that has not sent. */
static void measure_joining(const shared_shape *shape, const shared_link *link, shared_rates *r)
{
    double own = 0, as_other = 0, sum = 0;

    for (int l = 0; l <= shape->slots; l++) {
        double mine = joining(shape, link, r->own_room, l);
        double others = joining(shape, link, r->all_room, l) - mine;
        r->joins_own[l] = r->own[l] > 0 ? mine / r->own[l] : 0;
        r->joins_other[l] =
            r->all[l] - r->own[l] > NEGLIGIBLE ? fmax(others, 0) / (r->all[l] - r->own[l]) : 0;
        own += mine;
        as_other += r->own[l] * r->joins_other[l];
        sum += r->own[l];
    }
    r->extra = sum > as_other ? fmax((own - as_other) / (sum - as_other), 0) : 0;
}

/* Scale each place to the probability of one input. Without this, an error would circulate among
 * the places for ever. */
static void fill_places(const shared_shape *shape, double *buffer, int marks)
{
    int ports = shape->ports, row = ports * marks;

    for (int place = 0; place < ports; place++) {
        double sum = 0;
        for (int i = 0; i < shape->contents.count; i++) {
            for (int u = 0; u < marks; u++)
                sum += buffer[i * row + place * marks + u];
        }
        for (int i = 0; i < shape->contents.count; i++) {
            for (int u = 0; u < marks; u++)
                buffer[i * row + place * marks + u] /= sum * ports;
        }
    }
}

void shared_arrivals(const shared_shape *shape, const shared_link *link, shared_rates *r,
                     const shared_part *next)
{
    int ports = shape->ports, marks = link->marks;
    size_t size = (size_t)shape->contents.count * (size_t)ports * (size_t)marks;

    memset(next->buffer, 0, sizeof *next->buffer * size);
    r->offered = r->refused = 0;
    for (int i = 0; i < shape->contents.count; i++) {
        const shared_content *content = &shape->contents.content[i];
        for (int place = 0; place < ports; place++) {
            double idle[SHARED_MARKS], sends[SHARED_MARKS];
            size_t at = (size_t)(i * ports + place) * (size_t)marks;
            if (!feed(shape, link, r, at, content->packets, idle, sends))
                continue;
            double total = 0;
            for (int u = 0; u < marks; u++) {
                next->buffer[at + (size_t)u] += idle[u];
                total += sends[u];
            }
            r->offered += total;
            for (int c = 0; c < content->classes; c++) {
                int to = content->class[c].joined;
                double share = (double)content->class[c].queues / ports;
                double *row =
                    next->buffer + (size_t)((to < 0 ? i : to) * ports + place) * (size_t)marks;
                for (int u = 0; u < marks; u++)
                    row[u] += share * sends[u];
                r->refused += to < 0 ? share * total : 0;
            }
        }
    }
    fill_places(shape, next->buffer, marks);
    measure_joining(shape, link, r);
}
