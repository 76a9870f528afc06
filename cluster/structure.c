/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reachability by following marks through the factors.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/structure.h"

#include "base/context.h"

#include <math.h>

int64_t swq_spread_greatest(const swq_spread_chain *s, const double *x, const bool *among)
{
    struct {
        double value;
        int rank;
    } mine = {-1, s->fleet->rank}, best;
    int64_t at = -1;

    for (int64_t i = 0; i < s->own[0]; i++) {
        if ((!among || among[i]) && x[i] > mine.value) {
            mine.value = x[i];
            at = i;
        }
    }
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, s->fleet->comm);
    return best.value >= 0 && best.rank == s->fleet->rank ? at : -1;
}

/* Marks on their way around the cycle. */
typedef struct {
    swq_spread_chain *s;
    uint8_t *from, *to;     /* [own[0]] */
    uint8_t *level, *other; /* [widest] of the levels between the states */
} marks;

static void clear_marks(marks *m)
{
    swq_free(m->s->ctx, m->from);
    swq_free(m->s->ctx, m->to);
    swq_free(m->s->ctx, m->level);
    swq_free(m->s->ctx, m->other);
}

static swq_status new_marks(swq_spread_chain *s, marks *m)
{
    int64_t widest = 1;

    for (int k = 1; k < s->levels; k++)
        widest = s->own[k] > widest ? s->own[k] : widest;
    *m = (marks){.s = s};
    m->from = swq_calloc(s->ctx, (size_t)s->own[0] + 1, 1);
    m->to = swq_calloc(s->ctx, (size_t)s->own[0] + 1, 1);
    m->level = swq_calloc(s->ctx, (size_t)widest, 1);
    m->other = swq_calloc(s->ctx, (size_t)widest, 1);
    const bool room = m->from && m->to && m->level && m->other;
    return swq_fleet_agree(s->fleet, room ? SWQ_OK : swq_memory_status(s->ctx));
}

/* Move marks forwards by one cycle, from `from` to `to`; `back`: to the states that lead there. */
static swq_status spread_marks(const marks *m, bool back)
{
    swq_spread_chain *s = m->s;
    const uint8_t *from = m->from;
    swq_status status = SWQ_OK;

    for (int at = 0; at < s->levels && !status; at++) {
        uint8_t *to = at + 1 == s->levels ? m->to : at % 2 ? m->other : m->level;
        status = swq_spread_mark(s, back ? s->levels - 1 - at : at, back, from, to);
        from = to;
    }
    return status;
}

/* Find all states that the root leads to, or (`back`) that lead to it; *count: of all ranks. */
static swq_status reach(const marks *m, int64_t root, bool back, bool *set, int64_t *count)
{
    const swq_spread_chain *s = m->s;
    swq_status status = SWQ_OK;
    int64_t before = 0;

    for (int64_t i = 0; i < s->own[0]; i++)
        set[i] = i == root;
    for (*count = 1; *count > before && !status;) {
        int64_t mine = 0;
        for (int64_t i = 0; i < s->own[0]; i++)
            m->from[i] = set[i];
        status = spread_marks(m, back);
        if (status)
            break;
        for (int64_t i = 0; i < s->own[0]; i++) {
            set[i] = set[i] || m->to[i];
            mine += set[i];
        }
        before = *count;
        *count = swq_fleet_sum(s->fleet, mine);
    }
    return status;
}

swq_status swq_spread_recurrent(swq_spread_chain *s, const double *x, int64_t *root,
                                bool *recurrent)
{
    bool *leads = swq_calloc(s->ctx, (size_t)s->own[0] + 1, sizeof *leads);
    marks m;
    swq_status status = new_marks(s, &m);
    int64_t count = 0, forward = 0;

    if (!status)
        status = swq_fleet_agree(s->fleet, leads ? SWQ_OK : swq_memory_status(s->ctx));

    *root = swq_spread_greatest(s, x, NULL);
    while (!status) {
        status = reach(&m, *root, true, leads, &count);
        if (!status)
            status = reach(&m, *root, false, recurrent, &forward);
        if (status || count == s->all[0]) /* all states lead to the root: one closed class */
            break;
        int64_t lost = 0; /* states that are reached from the root and do not lead back */
        for (int64_t i = 0; i < s->own[0]; i++) {
            lost += recurrent[i] && !leads[i];
            leads[i] = !leads[i];
        }
        if (swq_fleet_sum(s->fleet, lost) == 0) {
            status =
                swq_fail(s->ctx, SWQ_EREDUCIBLE,
                         "the chain is reducible: it has more than one closed class of states, "
                         "so its long run depends on chance and there is no single stationary "
                         "distribution");
            break;
        }
        *root = swq_spread_greatest(s, x, leads); /* the root is transient */
    }
    swq_free(s->ctx, leads);
    clear_marks(&m);
    return status;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Go one cycle on from the states at the distance `cycles`: record the distance of new states, and
 * for the others update *divisor by the difference. */
static swq_status follow(const marks *m, int32_t *distance, int32_t cycles, int64_t *divisor,
                         bool *more)
{
    const swq_spread_chain *s = m->s;

    for (int64_t i = 0; i < s->own[0]; i++)
        m->from[i] = distance[i] == cycles;
    const swq_status status = spread_marks(m, false);
    *more = false;
    for (int64_t i = 0; i < s->own[0] && !status; i++) {
        if (!m->to[i])
            continue;
        if (distance[i] < 0) {
            distance[i] = cycles + 1;
            *more = true;
        } else {
            *divisor = common_divisor(*divisor, cycles + 1 - distance[i]);
        }
    }
    return status;
}

swq_status swq_spread_period(swq_spread_chain *s, int64_t root, int64_t *period)
{
    const int ranks = s->fleet->ranks;
    int32_t *distance = swq_calloc(s->ctx, (size_t)s->own[0] + 1, sizeof *distance);
    int64_t *all = swq_calloc(s->ctx, (size_t)ranks, sizeof *all), divisor = 0;
    bool more = true;
    marks m;
    swq_status status = new_marks(s, &m);

    if (!status)
        status = swq_fleet_agree(s->fleet, distance && all ? SWQ_OK : swq_memory_status(s->ctx));

    for (int64_t i = 0; i < s->own[0] && !status; i++)
        distance[i] = i == root ? 0 : -1;
    for (int32_t cycles = 0; more && !status; cycles++) {
        status = follow(&m, distance, cycles, &divisor, &more);
        more = swq_fleet_most(s->fleet, more) != 0 && swq_fleet_most(s->fleet, divisor == 1) == 0;
    }
    if (!status) {
        MPI_Allgather(&divisor, 1, MPI_INT64_T, all, 1, MPI_INT64_T, s->fleet->comm);
        for (int r = 0; r < ranks; r++)
            divisor = common_divisor(divisor, all[r]);
        *period = divisor;
    }
    clear_marks(&m);
    swq_free(s->ctx, distance);
    swq_free(s->ctx, all);
    return status;
}

#endif
