/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One cycle of a FIFO buffer's chain, and the measurements that it makes for the buffer's
 * neighbours.
 */
#include "approx/links/fifo/chain.h"

#include "approx/links/link.h"

#include <string.h>

size_t fifo_chain_states(const fifo_shape *s)
{
    return (size_t)(s->contenders + 1) * (size_t)(s->slots + 1) * (size_t)s->ports *
           (size_t)s->levels;
}

size_t fifo_chain_at(const fifo_shape *s, int u, int n, int h, int c)
{
    return (((size_t)u * (size_t)(s->slots + 1) + (size_t)n) * (size_t)s->ports + (size_t)h) *
               (size_t)s->levels +
           (size_t)c;
}

int fifo_chain_room(const fifo_shape *s, int n)
{
    return s->slots - n < FIFO_MOST_LEVELS ? s->slots - n : FIFO_MOST_LEVELS - 1;
}

void fifo_feed_source(const fifo_shape *s, fifo_feed feed)
{
    memset(feed, 0, sizeof(fifo_feed));
    for (int room = 0; room < FIFO_MOST_LEVELS; room++) {
        feed[room][0][0][0] = 1 - s->load;
        if (s->discard || room > 0)
            feed[room][0][1][0] = s->load; /* created and taken (or lost) in one cycle */
        else
            feed[room][0][0][1] = s->load;
        feed[room][1][room > 0][room == 0] = 1;
    }
}

void fifo_feed_link(const fifo_shape *s, const fifo_link *link, fifo_feed feed)
{
    memset(feed, 0, sizeof(fifo_feed));
    for (int room = 0; room < FIFO_MOST_LEVELS; room++) {
        for (int u = 0; u <= s->ports; u++) {
            int sent = u > 0 && (room > 0 || s->discard);
            double again = sent ? link->moves.follows[u] / s->ports : 0;
            for (int j = 0; j <= s->ports - u; j++) {
                double chance = link->fresh[room][u][j];
                feed[room][u][sent][u - sent + j] += (1 - again) * chance;
                if (sent)
                    feed[room][u][sent][u - sent + j + 1] += again * chance;
            }
        }
    }
}

/* P(a packet is offered | room?, u). */
static double offer(const fifo_shape *s, int room, int u)
{
    if (!s->discard && !room)
        return 0;
    if (s->first)
        return u > 0 ? 1 : s->load;
    return u > 0;
}

void fifo_chain_tally(const fifo_shape *s, const double *p, fifo_tally *t)
{
    double *at = t->at, empty = 0, fed = 0;

    memset(at, 0, sizeof *at * 2 * (size_t)(s->contenders + 1) * (size_t)(s->slots + 1));
    *t = (fifo_tally){.at = at};
    for (int u = 0; u <= s->contenders; u++) {
        for (int n = 0; n <= s->slots; n++, at += 2) {
            double come = offer(s, n < s->slots, u);
            for (int h = 0; h < s->ports; h++) {
                for (int c = 0; c < s->levels; c++) {
                    double mass = p[fifo_chain_at(s, u, n, h, c)];
                    double win = n > 0 && (c > 0 || s->levels == 1) ? mass / (1 + h) : 0;
                    at[0] += mass - win;
                    at[1] += win;
                    t->won[h + 1] += win;
                    t->next[h + 1] += n > 1 ? win : win * come;
                }
            }
            t->sent += at[1];
            t->offered += come * (at[0] + at[1]);
            t->tried += offer(s, 1, u) * (at[0] + at[1]);
            t->accepted += come * (n < s->slots ? at[0] + at[1] : s->discard ? at[1] : 0);
            t->packets += n * (at[0] + at[1]);
            t->waiting += u * (at[0] + at[1]);
            t->busy += n > 0 ? at[0] + at[1] : 0;
            empty += n == 0 ? at[0] : 0;
            fed += n == 0 ? come * at[0] : 0;
        }
    }
    t->arrives = empty > 0 ? fed / empty : 1;
}

/* The link's side of the cycle: work[offered] <- (u', n, h, c), n, h, c as before. */
static void feed_side(const fifo_shape *s, fifo_feed feed, const double *p, double *work)
{
    size_t states = fifo_chain_states(s), run = (size_t)s->ports * (size_t)s->levels;

    memset(work, 0, sizeof *work * 2 * states);
    for (int u = 0; u <= s->contenders; u++) {
        for (int n = 0; n <= s->slots; n++) {
            const double *from = p + fifo_chain_at(s, u, n, 0, 0);
            for (int o = 0; o < 2; o++) {
                for (int v = 0; v <= s->contenders; v++) {
                    double chance = feed[fifo_chain_room(s, n)][u][o][v];
                    double *to = work + (size_t)o * states + fifo_chain_at(s, v, n, 0, 0);
                    for (size_t i = 0; chance > 0 && i < (n ? run : 1); i++)
                        to[i] += chance * from[i];
                }
            }
        }
    }
}

/* The head's side, for a head with h rivals: P(h' and the head won), P(h' and it lost | open), and
 * P(h' | closed). */
typedef struct rivalry {
    double win; /* if the output is open */
    double won[FIFO_WIDTH], lost[FIFO_WIDTH], closed[FIFO_WIDTH];
} rivalry;

static rivalry rivals_after(const fifo_shape *s, const fifo_link *ahead, int h, int c)
{
    rivalry r = {.win = 1.0 / (1 + h)};
    double win = r.win, again = ahead->moves.follows[h + 1] / s->ports;

    for (int j = 0; j < s->ports - h; j++) {
        double chance = ahead->fresh[c][h + 1][j];
        r.won[h + j] += win * chance;
        r.closed[h + j] += chance;
        if (h > 0) {
            r.lost[h - 1 + j] += (1 - win) * (1 - again) * chance;
            r.lost[h + j] += (1 - win) * again * chance;
        }
    }
    return r;
}

/* The length of a queue of n packets after a cycle in which its head is sent or not, and `offered`
 * packets come. */
static int length_after(const fifo_shape *s, int n, bool sends, int offered)
{
    if (!s->discard && n == s->slots) /* credit next: the freed slot can be taken a cycle later */
        return n - sends;
    return n - sends + (offered && n - sends < s->slots);
}

/* Move the mass at (n, h, c) by all events of a cycle to (u', ...). Heads that are new at their
 * output are added to *fresh of n'. */
static void move(const fifo_shape *s, const fifo_link *ahead, const rivalry *r, int n, int offered,
                 int c, double mass, double *to, double *fresh)
{
    int open = s->levels == 1 || c > 0, stride = s->ports * s->levels;
    int stays = length_after(s, n, false, offered), goes = length_after(s, n, true, offered);

    for (int d = 0; d < s->levels; d++) {
        double room = mass * (s->levels == 1 ? 1 : ahead->moves.room[1][c][d]);
        for (int h = 0; room > 0 && h < s->ports; h++) {
            double *one = to + h * s->levels + d;
            if (!open) {
                one[stays * stride] += room * r->closed[h];
                continue;
            }
            one[stays * stride] += room * r->lost[h];
            if (goes == 0) {
                to[0] += room * r->won[h];
            } else { /* the next head wants the same output, or another */
                one[goes * stride] += room * r->won[h] / s->ports;
                fresh[goes] += room * r->won[h] * (1 - 1.0 / s->ports);
            }
        }
    }
}

/* Note the flow from the states with n packets, p[ports][levels], to which a packet is offered or
 * not, to other lengths. */
static void note_flow(const fifo_shape *s, const rivalry (*r)[FIFO_MOST_LEVELS], int n, int offered,
                      const double *p, approx_lumps *lumps)
{
    double stays = 0, sends = 0;

    for (int h = 0; h < s->ports; h++) {
        for (int c = 0; c < s->levels; c++, p++) {
            const double win = s->levels == 1 || c > 0 ? r[h][c].win : 0;
            sends += *p * win;
            stays += *p * (1 - win);
        }
    }
    approx_lumps_add(lumps, n, length_after(s, n, true, offered), sends);
    approx_lumps_add(lumps, n, length_after(s, n, false, offered), stays);
}

static void balance(const fifo_shape *s, approx_lumps *lumps, double *p)
{
    const int run = s->ports * s->levels;

    approx_lumps_solve(lumps);
    for (int u = 0; u <= s->contenders; u++) {
        for (int n = 0; n <= s->slots; n++) {
            for (int i = 0; i < run; i++)
                *p++ *= lumps->factor[n];
        }
    }
}

void fifo_chain_step(const fifo_shape *s, fifo_feed feed, const fifo_link *ahead, const double *p,
                     double *next, double *work, approx_lumps *lumps)
{
    size_t states = fifo_chain_states(s);
    double *fresh = work + 2 * states;
    rivalry r[FIFO_MOST_PORTS][FIFO_MOST_LEVELS];

    for (int h = 0; h < s->ports; h++) {
        for (int c = 0; c < s->levels; c++)
            r[h][c] = rivals_after(s, ahead, h, c);
    }
    feed_side(s, feed, p, work);
    memset(next, 0, sizeof *next * states);
    approx_lumps_start(lumps);
    for (int u = 0; u <= s->contenders; u++) {
        double *to = next + fifo_chain_at(s, u, 0, 0, 0);
        memset(fresh, 0, sizeof *fresh * (size_t)(s->slots + 1));
        for (int o = 0; o < 2; o++) {
            const double *from = work + (size_t)o * states + fifo_chain_at(s, u, 0, 0, 0);
            *(o ? fresh + 1 : to) += from[0];
            approx_lumps_add(lumps, 0, o, from[0]);
            from += s->ports * s->levels;
            for (int n = 1; n <= s->slots; n++) {
                note_flow(s, r, n, o, from, lumps);
                for (int h = 0; h < s->ports; h++) {
                    for (int c = 0; c < s->levels; c++, from++) {
                        if (*from > 0)
                            move(s, ahead, &r[h][c], n, o, c, *from, to, fresh);
                    }
                }
            }
        }
        for (int n = 1; n <= s->slots; n++) {
            for (int h = 0; h < s->ports && fresh[n] > 0; h++) {
                for (int c = 0; c < s->levels; c++)
                    to[(n * s->ports + h) * s->levels + c] += fresh[n] * ahead->met[h][c];
            }
        }
    }
    balance(s, lumps, next);
    link_normalise(next, states);
}
