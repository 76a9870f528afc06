/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Senders of a pool, counted by class; distributions are found by adding one sender at a time.
 */
#include "approx/links/pool/senders.h"

#include "base/context.h"
#include "switchq/switch.h"

#include <math.h>
#include <string.h>

double pool_senders_counts(int ports, int classes)
{
    double k = ports;

    return classes == 2 ? k + 1 : (k + 1) * (k + 2) / 2;
}

int pool_senders_first(const pool_senders *s, int offering)
{
    return s->classes == 2 ? offering : offering * (offering + 1) / 2;
}

static int count_at(const pool_senders *s, int one, int more)
{
    return pool_senders_first(s, one + more) + more;
}

/* The place of a mix in the table. Without a third class, its two fates do not occur. */
static int *mix_place(const pool_senders *s, const int *mix)
{
    int at = 0;

    for (int fate = 0; fate < POOL_FATES; fate++)
        if (s->classes == 3 || (fate != POOL_TOOK_MORE && fate != POOL_LEFT_MORE))
            at = at * (s->ports + 1) + mix[fate];
    return &s->mix_at[at];
}

/* List all mixes of n senders, from `fate` on; without a table they are only counted. */
static void list_mixes(pool_senders *s, int n, int fate, int *mix)
{
    if (fate == POOL_IDLE) {
        mix[fate] = n;
        if (s->mix) {
            memcpy(&s->mix[s->mixes * POOL_FATES], mix, POOL_FATES * sizeof *mix);
            *mix_place(s, mix) = s->mixes;
        }
        s->mixes++;
        return;
    }
    bool absent = s->classes == 2 && (fate == POOL_TOOK_MORE || fate == POOL_LEFT_MORE);
    for (int here = 0; here <= (absent ? 0 : n); here++) {
        mix[fate] = here;
        list_mixes(s, n - here, fate + 1, mix);
    }
}

static void list_all(pool_senders *s)
{
    s->mixes = 0;
    for (int n = 0; n <= s->ports; n++)
        list_mixes(s, n, 0, (int[POOL_FATES]){0});
    for (int u = 0, v = 0; u <= s->ports; u++)
        for (int more = 0; more <= (s->classes == 3 ? u : 0); more++, v++)
            s->one[v] = u - more, s->more[v] = more;
    for (int n = 0; n <= s->ports; n++)
        for (int i = 0; i <= n; i++)
            s->choose[n * (s->ports + 1) + i] = i == 0 || i == n
                                                    ? 1
                                                    : s->choose[(n - 1) * (s->ports + 1) + i - 1] +
                                                          s->choose[(n - 1) * (s->ports + 1) + i];
}

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

swq_status pool_senders_init(swq_context *ctx, int ports, int classes, pool_senders *s)
{
    size_t side = (size_t)ports + 1;

    *s = (pool_senders){.ports = ports, .classes = classes};
    s->counts = (int)pool_senders_counts(ports, classes);
    for (int n = 0; n <= ports; n++)
        list_mixes(s, n, 0, (int[POOL_FATES]){0});
    size_t laws = (size_t)s->mixes * (size_t)s->counts;
    bool ok = TAKE(s->one, s->counts) && TAKE(s->more, s->counts) &&
              TAKE(s->mix, s->mixes * POOL_FATES) && TAKE(s->choose, side * side) &&
              TAKE(s->mix_at, classes == 3 ? side * side * side * side * side : side * side * side);
    for (int level = 0; ok && level < POOL_LEVELS; level++)
        ok = TAKE(s->law[level], laws);
    if (!ok) {
        pool_senders_clear(ctx, s);
        return swq_memory_status(ctx);
    }
    list_all(s);
    return SWQ_OK;
}

void pool_senders_clear(swq_context *ctx, pool_senders *s)
{
    swq_free(ctx, s->one);
    swq_free(ctx, s->more);
    swq_free(ctx, s->mix);
    swq_free(ctx, s->mix_at);
    swq_free(ctx, s->choose);
    for (int level = 0; level < POOL_LEVELS; level++)
        swq_free(ctx, s->law[level]);
    *s = (pool_senders){0};
}

/* ---- laws ---- */

/* The distribution for a mix: the distribution for the mix without one sender, combined with this
 * sender's class. */
static void add_sender(const pool_senders *s, const double *class_after, const double *without,
                       double *law)
{
    memset(law, 0, (size_t)s->counts * sizeof *law);
    for (int v = 0; v < s->counts; v++) {
        int one = s->one[v], more = s->more[v];
        if (one + more == s->ports || without[v] == 0)
            continue;
        law[v] += without[v] * class_after[0];
        law[count_at(s, one + 1, more)] += without[v] * class_after[1];
        if (s->classes == 3)
            law[count_at(s, one, more + 1)] += without[v] * class_after[2];
    }
}

static const double *law_of(const pool_senders *s, int level, const int *mix)
{
    return s->law[level] + (size_t)*mix_place(s, mix) * (size_t)s->counts;
}

void pool_senders_learn(pool_senders *s, const pool_measured *before)
{
    for (int level = 0; level < POOL_LEVELS; level++) {
        memset(s->law[level], 0, (size_t)s->counts * sizeof(double));
        s->law[level][0] = 1;
        for (int m = 1; m < s->mixes; m++) {
            int mix[POOL_FATES], fate = 0;
            memcpy(mix, &s->mix[m * POOL_FATES], sizeof mix);
            while (mix[fate] == 0)
                fate++;
            mix[fate]--;
            add_sender(s, before->class_after[level][fate], law_of(s, level, mix),
                       s->law[level] + (size_t)m * (size_t)s->counts);
        }
    }
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* Fill *mix with the numbers of senders of each kind after a cycle, if the senders' counts were
 * those of number v, and `taken` of the senders that offer a packet were accepted, `one` of which
 * held a single packet. Returns the probability of this mix; 0 if v has not so many such senders.
 */
static double split(const pool_senders *s, int v, int taken, int one, int *mix)
{
    int side = s->ports + 1, offering = s->one[v] + s->more[v], more = taken - one;

    if (one > s->one[v] || more < 0 || more > s->more[v])
        return 0;
    mix[POOL_TOOK_ONE] = one;
    mix[POOL_TOOK_MORE] = more;
    mix[POOL_LEFT_ONE] = s->one[v] - one;
    mix[POOL_LEFT_MORE] = s->more[v] - more;
    mix[POOL_IDLE] = s->ports - offering;
    return s->choose[s->one[v] * side + one] * s->choose[s->more[v] * side + more] /
           s->choose[offering * side + taken];
}

void pool_senders_kernel(const pool_senders *s, int room, double *kernel)
{
    for (int v = 0; v < s->counts; v++) {
        double *row = kernel + (size_t)v * (size_t)s->counts;
        int offering = s->one[v] + s->more[v], taken = min(offering, room);
        int mix[POOL_FATES] = {0};
        memset(row, 0, (size_t)s->counts * sizeof *row);
        for (int one = 0; one <= taken; one++) {
            double p = split(s, v, taken, one, mix);
            if (p == 0)
                continue;
            const double *law = law_of(s, offering > room ? POOL_SHORT : POOL_FREE, mix);
            for (int w = 0; w < s->counts; w++)
                row[w] += p * law[w];
        }
    }
}

/* ---- what senders meet ---- */

/* Look at one sender of a mix, in each class that it changes to; the distribution of the other
 * senders gives the number that also offer a packet. short_if[u]: probability of room for fewer
 * than u. */
static void look(const pool_senders *s, const pool_measured *before, int level, int fate,
                 const double *others, double weight, const double *short_if, pool_tally *tally)
{
    double all = 0, shorts = 0;

    for (int v = 0; v < s->counts; v++) {
        int offering = s->one[v] + s->more[v];
        if (offering == s->ports)
            break;
        all += others[v];
        shorts += others[v] * short_if[offering + 1];
    }
    int of = fate == POOL_IDLE ? POOL_FREE : level;
    for (int to = 1; to < s->classes; to++) {
        double p = weight * before->class_after[level][fate][to];
        tally->shorts[of][fate][to] += p * shorts;
        tally->times[of][fate][to] += p * all * short_if[s->ports + 1];
    }
}

static void look_from(const pool_senders *s, const pool_measured *before, int v, int room,
                      const double *short_if, pool_tally *tally)
{
    int offering = s->one[v] + s->more[v], taken = min(offering, room);
    int mix[POOL_FATES] = {0};
    int level = offering > room ? POOL_SHORT : POOL_FREE;
    double mass = short_if[s->ports + 1];

    for (int one = 0; one <= taken; one++) {
        double p = split(s, v, taken, one, mix);
        if (p == 0)
            continue;
        if (level == POOL_SHORT) {
            tally->taken[1] += mass * p * one;
            tally->taken[2] += mass * p * (taken - one);
            tally->offered[1] += mass * p * s->one[v];
            tally->offered[2] += mass * p * s->more[v];
        }
        for (int fate = 0; fate < POOL_FATES; fate++) {
            int senders = mix[fate];
            if (senders == 0)
                continue;
            mix[fate]--;
            look(s, before, level, fate, law_of(s, level, mix), p * senders, short_if, tally);
            mix[fate]++;
        }
    }
}

void pool_senders_look(const pool_senders *s, const pool_measured *before, int room,
                       const double *free, pool_tally *tally)
{
    int side = s->ports + 1;
    double short_if[SWQ_CHAIN_PORTS +
                    2]; /* [u]: probability of room for fewer than u; [ports + 1]: of any room */

    for (int v = 0; v < s->counts; v++) {
        short_if[0] = 0;
        for (int f = 0; f <= s->ports; f++)
            short_if[f + 1] = short_if[f] + free[v * side + f];
        if (short_if[s->ports + 1] > 0)
            look_from(s, before, v, room, short_if, tally);
    }
}
