/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small chain of one buffer. A cycle: the output takes a packet of the buffer or of a rival
 * (all inputs with a packet for the output are equally likely to win); if it takes a rival's, a
 * packet for another output leaves the buffer; then the next packet on its way arrives, in any
 * order, or a new one if there is none; and new rivals. The state without packets is an end.
 */
#include "sim/rare/chain.h"

#include <math.h>

enum {
    MOST_SWEEPS = 128, /* each propagates the probabilities by at least one cycle */
    JOINING = 4        /* 0, 1, 2, or 3 and more new rivals in a cycle */
};

static const double SETTLED = 1e-3; /* the first sweep that changes no probability by more than
                                       this, relatively, is the last */

typedef struct {
    const swq_contest_model *m;
    double joining[JOINING];
    double *chance; /* [states] */
} contest_chain;

size_t swq_contest_states(const swq_contest_most *most)
{
    const swq_contest last = {0, most->capacity, most->rivals, 0, most->coming};

    return swq_contest_place(most, &last) + 1;
}

static double at(const contest_chain *c, const swq_contest *h)
{
    return c->chance[swq_contest_place(&c->m->most, h)];
}

/* A packet arrives, which is for the output with probability `same`. */
static double comes(const contest_chain *c, swq_contest h, double same)
{
    swq_contest other = h;

    if (h.mine + h.others == c->m->most.capacity)
        return 1;
    h.mine++;
    other.others++;
    return (same > 0 ? same * at(c, &h) : 0) + (same < 1 ? (1 - same) * at(c, &other) : 0);
}

static double next_packet(const contest_chain *c, const swq_contest *h)
{
    const int coming = h->same + h->apart;
    swq_contest same = *h, apart = *h;
    double sum = 0;

    if (coming == 0)
        return (1 - c->m->load) * at(c, h) + c->m->load * comes(c, *h, 1. / c->m->ports);
    same.same--;
    apart.apart--;
    if (h->same > 0)
        sum += comes(c, same, 1) * h->same / coming;
    if (h->apart > 0)
        sum += comes(c, apart, 0) * h->apart / coming;
    return sum;
}

static double arrivals(const contest_chain *c, const swq_contest *h)
{
    double sum = 0;

    for (int more = 0; more < JOINING; more++) {
        swq_contest to = *h;
        to.rivals += more;
        if (c->joining[more] > 0)
            sum += c->joining[more] * next_packet(c, &to);
    }
    return sum;
}

/* The probability that the buffer gets the output. Rivals are spread at random over the other
 * inputs. */
static double share(const contest_chain *c, const swq_contest *h)
{
    const int others = c->m->ports - 1;
    const double inputs = others * (1 - pow(1 - 1. / others, h->rivals));

    return h->mine ? 1 / (1 + inputs) : 0;
}

static double cycle(const contest_chain *c, const swq_contest *h)
{
    const double p = share(c, h);
    swq_contest won = *h, lost = *h;

    lost.rivals -= h->rivals > 0;
    lost.others -= h->others > 0;
    won.mine--;
    won.others -= c->m->each && h->others > 0;
    return (p > 0 ? p * arrivals(c, &won) : 0) + (p < 1 ? (1 - p) * arrivals(c, &lost) : 0);
}

/* Updates all states once; returns the largest relative change. */
static double sweep(const contest_chain *c, double (*f)(const contest_chain *, const swq_contest *),
                    double *to)
{
    const swq_contest_most *most = &c->m->most;
    const int pairs = (int)swq_contest_pair(most->capacity + 1, 0);
    const int comings = (int)swq_contest_pair(most->coming + 1, 0);
    double worst = 0;

    for (int k = pairs * (most->rivals + 1) * comings - 1; k >= 0; k--) {
        swq_contest h = {.rivals = k / comings % (most->rivals + 1)};
        int pair = k / comings / (most->rivals + 1), coming = k % comings;
        while (pair >= (int)swq_contest_pair(h.mine + 1, 0))
            h.mine++;
        while (coming >= (int)swq_contest_pair(h.same + 1, 0))
            h.same++;
        h.others = pair - (int)swq_contest_pair(h.mine, 0);
        h.apart = coming - (int)swq_contest_pair(h.same, 0);
        h.mine -= h.others;
        h.same -= h.apart;
        const double v = f(c, &h), change = v > 0 ? fabs(v - to[k]) / v : 0;
        worst = change > worst ? change : worst;
        to[k] = v;
    }
    return worst;
}

/* The distribution of new packets for the output from the other inputs. */
static void set_joining(contest_chain *c)
{
    const int others = c->m->ports - 1;
    const double p = c->m->load / c->m->ports;
    double rest = 1, ways = 1;

    for (int k = 0; k < JOINING - 1; k++) {
        c->joining[k] = k <= others ? ways * pow(p, k) * pow(1 - p, others - k) : 0;
        rest -= c->joining[k];
        ways *= (double)(others - k) / (k + 1);
    }
    c->joining[JOINING - 1] = others >= JOINING - 1 && rest > 0 ? rest : 0;
}

/* The empty state ends the excursion, so its own cycle must not be followed. */
static double cycle_or_end(const contest_chain *c, const swq_contest *h)
{
    return h->mine + h->others + h->rivals + h->same + h->apart == 0 ? 0 : cycle(c, h);
}

void swq_contest_solve(const swq_contest_model *m, double *before, double *after)
{
    contest_chain c = {.m = m, .chance = before};
    const size_t states = swq_contest_states(&m->most);

    set_joining(&c);
    for (size_t k = 0; k < states; k++)
        before[k] = after[k] = 0;
    for (int k = 0; k < MOST_SWEEPS; k++) {
        if (sweep(&c, cycle_or_end, before) < SETTLED)
            break;
    }
    sweep(&c, arrivals, after);
}
