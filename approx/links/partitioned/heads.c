/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of the heads that meet at an output.
 */
#include "approx/links/partitioned/heads.h"

#include "approx/links/groups.h"
#include "approx/links/link.h"
#include "base/context.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static int find(const heads_chain *h, const int *count)
{
    return groups_find(h->count, h->states, h->classes, count);
}

static bool open(const heads_chain *h, int class)
{
    return class >= h->levels && (h->levels == 1 || class % h->levels > 0);
}

/* The class of a group after a cycle, before heads join it, by whether a head was sent, and whether
 * the group's queue freed a slot. -1: freeing a slot is impossible, or makes no difference (the
 * last level of room). */
static int becomes(const heads_chain *h, int class, bool sent, bool frees)
{
    int size = class / h->levels - sent, room = class % h->levels - sent + frees;

    if (h->levels == 1)
        return frees ? -1 : size;
    return room >= h->levels ? -1 : size * h->levels + room;
}

/* Go through the groups that did not send, class by class: some of them free a slot. Returns the
 * number of ways; lists them in `left` if not NULL. */
static int free_slots(const heads_chain *h, const int *before, int class, int *count, int *left,
                      int found)
{
    while (class < h->classes && before[class] == 0)
        class ++;
    if (class == h->classes) {
        if (left)
            left[found] = find(h, count);
        return found + 1;
    }
    int n = before[class], stays = becomes(h, class, false, false),
        frees = becomes(h, class, false, true);
    for (int some = 0; some <= (frees < 0 ? 0 : n); some++) {
        count[stays] += n - some;
        count[frees < 0 ? 0 : frees] += some;
        found = free_slots(h, before, class + 1, count, left, found);
        count[stays] -= n - some;
        count[frees < 0 ? 0 : frees] -= some;
    }
    return found;
}

/* All events of a state: nothing is sent, or one head of any open class. */
static int ways(const heads_chain *h, const int *state, int *left, int found)
{
    int before[HEADS_MOST_CLASSES], count[HEADS_MOST_CLASSES] = {0};

    memcpy(before, state, sizeof *before * (size_t)h->classes);
    found = free_slots(h, before, 0, count, left, found);
    for (int class = 0; class < h->classes; class ++) {
        if (!before[class] || !open(h, class))
            continue;
        before[class]--;
        for (int frees = 0; frees < 2; frees++) {
            int to = becomes(h, class, true, frees);
            if (to < 0)
                continue;
            count[to]++;
            found = free_slots(h, before, 0, count, left, found);
            count[to]--;
        }
        before[class]++;
    }
    return found;
}

static void link_states(heads_chain *h)
{
    int count[HEADS_MOST_CLASSES], at = 0;

    assert(h->states == 0 || (h->count && h->joined && h->start));
    for (int i = 0; i < h->states; i++) {
        const int *before = h->count + (ptrdiff_t)i * h->classes;
        memcpy(count, before, sizeof *count * (size_t)h->classes);
        for (int c = 0; c < h->classes; c++) {
            h->joined[i * h->classes + c] = -1;
            if (c + h->levels >= h->classes || count[c] == 0)
                continue;
            count[c]--, count[c + h->levels]++;
            h->joined[i * h->classes + c] = find(h, count);
            count[c]++, count[c + h->levels]--;
        }
        h->start[i] = at;
        at = ways(h, before, h->left, at);
    }
    memset(count, 0, sizeof count);
    count[h->levels - 1] = h->groups;
    h->empty = find(h, count);
}

static heads_chain shape_of(int ports, int groups, int levels)
{
    return (heads_chain){
        .ports = ports, .groups = groups, .levels = levels, .classes = (ports + 1) * levels};
}

int heads_states(int ports, int groups, int levels, int most)
{
    return groups_list((ports + 1) * levels, levels, ports, groups, most, NULL);
}

swq_status heads_init(swq_context *ctx, int ports, int groups, int levels, heads_chain *h)
{
    int all = 0;

    *h = shape_of(ports, groups, levels);
    h->states = heads_states(ports, groups, levels, INT_MAX - 1);
    size_t size = (size_t)h->states * (size_t)h->classes;
    h->count = swq_calloc(ctx, size, sizeof *h->count);
    h->joined = swq_calloc(ctx, size, sizeof *h->joined);
    h->start = swq_calloc(ctx, (size_t)h->states, sizeof *h->start);
    if (h->count && h->joined && h->start) {
        groups_list(h->classes, levels, ports, groups, h->states, h->count);
        for (int i = 0; i < h->states; i++)
            all = ways(h, h->count + (ptrdiff_t)i * h->classes, NULL, all);
        h->left = swq_calloc(ctx, (size_t)all, sizeof *h->left);
    }
    if (!h->left) {
        heads_clear(ctx, h);
        return swq_memory_status(ctx);
    }
    link_states(h);
    return SWQ_OK;
}

void heads_clear(swq_context *ctx, heads_chain *h)
{
    swq_free(ctx, h->count);
    swq_free(ctx, h->joined);
    swq_free(ctx, h->left);
    swq_free(ctx, h->start);
    *h = (heads_chain){0};
}

size_t heads_work(const heads_chain *h)
{
    return 2 * (size_t)h->states * (size_t)(h->ports + 2);
}

static double share_of(const heads_chain *h, const heads_moves *moves, int class)
{
    return open(h, class) ? moves->share[class / h->levels][class % h->levels] : 0;
}

/* For one state: its empty queues, and the factor of an open head's probability. */
typedef struct heads_contest {
    int empty, open;
    double per_share, sends;
} heads_contest;

/* P(the output sends), from the probability for the same number of heads of mean share: heads
 * refuse independently, and give in proportion to their shares. */
static double sends_with(const heads_chain *h, const heads_moves *moves, const int *count,
                         int open_heads)
{
    double sends = moves->sends[open_heads], none = 1;

    if (sends <= 0 || sends >= 1)
        return sends;
    double each = 1 - pow(1 - sends, 1.0 / open_heads);
    for (int c = h->levels; c < h->classes; c++) {
        if (count[c] == 0 || !open(h, c))
            continue;
        const int heads = c / h->levels * count[c];
        double gives = each * share_of(h, moves, c) / moves->mean_share;
        none *= pow(1 - (gives < 1 ? gives : 1), heads);
    }
    return 1 - none;
}

static heads_contest contest_of(const heads_chain *h, const heads_moves *moves, const int *count)
{
    heads_contest t = {.empty = h->ports};
    double shares = 0;

    for (int c = h->levels; c < h->classes; c++) {
        int heads = c / h->levels * count[c];
        t.empty -= heads;
        if (heads > 0 && open(h, c)) {
            t.open += heads;
            shares += heads * share_of(h, moves, c);
        }
    }
    t.sends = sends_with(h, moves, count, t.open);
    t.per_share = shares > 0 ? t.sends / shares : 0;
    return t;
}

/* P(a head in one of `n` groups of class `class` is sent). */
static double chance(const heads_chain *h, const heads_moves *moves, const heads_contest *t,
                     int class, int n)
{
    const int heads = n * (class / h->levels);

    return heads * share_of(h, moves, class) * t->per_share;
}

void heads_serve(const heads_chain *h, const heads_moves *moves, const double *p, heads_reading *r)
{
    double group[HEADS_WIDTH][HEADS_MOST_LEVELS] = {{0}};

    *r = (heads_reading){.same = 1.0 / h->groups, .levels = h->levels};
    for (int i = 0; i < h->states; i++) {
        const int *count = h->count + (ptrdiff_t)i * h->classes;
        heads_contest t = contest_of(h, moves, count);
        r->sent += p[i] * t.sends;
        for (int c = h->levels; c < h->classes; c++)
            if (count[c]) {
                group[c / h->levels][c % h->levels] += p[i] * count[c];
                r->served[c / h->levels][c % h->levels] += p[i] * chance(h, moves, &t, c, count[c]);
            }
    }
    for (int c = h->levels; c < h->classes; c++) {
        double n = group[c / h->levels][c % h->levels],
               *s = &r->served[c / h->levels][c % h->levels];
        *s = n > 1e-300 ? *s / n : open(h, c);
    }
}

static void read_groups(const heads_chain *h, const heads_moves *moves, const int *count, double p,
                        double seen[][HEADS_MOST_LEVELS][2], heads_reading *r)
{
    heads_contest t = contest_of(h, moves, count);
    double to_one = 1.0 / h->groups, returns = 0, start[HEADS_WIDTH];

    for (int j = 0; j <= t.empty; j++)
        start[j] = link_binomial(t.empty, j, moves->arrives * to_one);
    for (int c = 0; c < h->classes; c++)
        if (count[c])
            returns += chance(h, moves, &t, c, count[c]) *
                       moves->follows[c / h->levels][c % h->levels] * to_one;
    for (int c = 0; c < h->classes; c++) {
        int u = c / h->levels, room = c % h->levels;
        if (!count[c])
            continue;
        double w = p * count[c], mine = chance(h, moves, &t, c, 1);
        /* without this queue's own next head */
        double joins = returns - mine * moves->follows[u][room] * to_one;
        joins = joins > 0 ? joins : 0;
        seen[u][room][0] += w * (1 - mine);
        seen[u][room][1] += w * mine;
        for (int j = 0; j <= t.empty; j++) {
            r->fresh[u][room][1][j] += w * mine * start[j];
            r->fresh[u][room][0][j] += w * (1 - mine - joins) * start[j];
            if (joins > 0)
                r->fresh[u][room][0][j + 1] += w * joins * start[j];
        }
    }
}

void heads_read(const heads_chain *h, const heads_moves *moves, const double *p, heads_reading *r)
{
    double seen[HEADS_WIDTH][HEADS_MOST_LEVELS][2] = {{{0}}};

    memcpy(r->follows, moves->follows, sizeof r->follows);
    memset(r->fresh, 0, sizeof r->fresh);
    for (int i = 0; i < h->states; i++)
        if (p[i] > 0)
            read_groups(h, moves, h->count + (ptrdiff_t)i * h->classes, p[i], seen, r);
    for (int c = 0; c < h->classes; c++) {
        int u = c / h->levels, room = c % h->levels;
        for (int sent = 0; sent < 2; sent++) {
            double *fresh = r->fresh[u][room][sent], n = seen[u][room][sent];
            for (int j = 0; j <= h->ports; j++) /* never observed: assume that no head came */
                fresh[j] = n > 1e-300 ? fresh[j] / n : j == 0;
        }
    }
}

typedef struct heads_sending {
    const heads_chain *heads;
    const heads_moves *moves;
    const int *left;
    int before[HEADS_MOST_CLASSES];
    double fresh[HEADS_WIDTH + 1]; /* P(j new heads) */
    double *work, *twice; /* [states][ports + 2]; the same, times the total number of new heads */
} heads_sending;

static void free_with_chances(heads_sending *s, int class, double p)
{
    const heads_chain *h = s->heads;

    while (class < h->classes && s->before[class] == 0)
        class ++;
    if (class == h->classes) {
        ptrdiff_t to = (ptrdiff_t)*s->left++ * (h->ports + 2);
        for (int j = 0; j <= h->ports; j++) {
            s->work[to + j] += p * s->fresh[j];
            s->twice[to + j] += p * s->fresh[j] * j;
        }
        return;
    }
    int n = s->before[class];
    if (becomes(h, class, false, true) < 0) {
        free_with_chances(s, class + 1, p);
        return;
    }
    double f = s->moves->frees[class / h->levels][class % h->levels][0];
    for (int some = 0; some <= n; some++)
        free_with_chances(s, class + 1, p * link_binomial(n, some, f));
}

/* Distribution of new heads: from `empty` queues, and one more with probability `follows`. */
static void draw_fresh(heads_sending *s, int empty, double follows)
{
    memset(s->fresh, 0, sizeof s->fresh);
    for (int j = 0; j <= empty; j++) {
        double b = link_binomial(empty, j, s->moves->arrives);
        s->fresh[j] += b * (1 - follows);
        s->fresh[j + 1] += b * follows;
    }
}

static void send_one(heads_sending *s, const heads_contest *t, const int *count, double p)
{
    const heads_chain *h = s->heads;

    memcpy(s->before, count, sizeof *count * (size_t)h->classes);
    draw_fresh(s, t->empty, 0);
    free_with_chances(s, 0, p * (1 - t->sends));
    for (int class = 0; class < h->classes; class ++) {
        if (!count[class] || !open(h, class))
            continue;
        int u = class / h->levels, room = class % h->levels;
        double mine = p * chance(h, s->moves, t, class, count[class]);
        double frees = h->levels == 1 ? 0 : s->moves->frees[u][room][1];
        draw_fresh(s, t->empty, s->moves->follows[u][room]);
        s->before[class]--;
        free_with_chances(s, 0, mine * (1 - frees));
        if (becomes(h, class, true, true) >= 0)
            free_with_chances(s, 0, mine * frees);
        s->before[class]++;
    }
}

/* New heads choose their groups one after another; the last one represents all, since they are
 * alike. */
static void place(const heads_chain *h, double *work, double *twice, double *found)
{
    int width = h->ports + 2;

    for (int j = h->ports; j > 0; j--)
        for (int i = 0; i < h->states; i++) {
            double mass = work[i * width + j] / h->groups, all = twice[i * width + j] / h->groups;
            if (mass <= 0)
                continue;
            const int *count = h->count + (ptrdiff_t)i * h->classes;
            const int *joined = h->joined + (ptrdiff_t)i * h->classes;
            for (int c = 0; c + h->levels < h->classes; c++) {
                if (!count[c])
                    continue;
                ptrdiff_t to = (ptrdiff_t)joined[c] * width + j - 1;
                work[to] += mass * count[c];
                twice[to] += all * count[c];
                if (j == 1)
                    found[c] += all * count[c];
            }
        }
}

/* Subtract the heads that follow a sent head to the same queue. */
static void leave_out_same(const heads_chain *h, const heads_moves *moves, const double *p,
                           const heads_reading *r, double *found)
{
    double group[HEADS_MOST_CLASSES] = {0};

    for (int i = 0; i < h->states; i++)
        for (int c = h->levels; c < h->classes; c++)
            group[c] += p[i] * h->count[(ptrdiff_t)i * h->classes + c];
    for (int c = h->levels; c < h->classes; c++) {
        int u = c / h->levels, room = c % h->levels;
        double w = group[c] * r->served[u][room] * moves->follows[u][room] * r->same;
        for (int frees = 0; w > 0 && frees < 2; frees++) {
            int to = becomes(h, c, true, frees);
            double f = h->levels == 1 ? 0 : moves->frees[u][room][1];
            if (to < 0)
                continue;
            for (int j = 0; to + j * h->levels < h->classes; j++)
                found[to + j * h->levels] -= w * (frees ? f : 1 - f) * r->fresh[u][room][1][j];
        }
    }
}

void heads_step(const heads_chain *h, const heads_moves *moves, const double *p, double *next,
                double *work, heads_reading *r)
{
    int width = h->ports + 2;
    double found[HEADS_MOST_CLASSES] = {0}, sum = 0;
    heads_sending s = {.heads = h, .moves = moves, .left = h->left, .work = work};

    s.twice = work + (ptrdiff_t)h->states * width;
    memset(work, 0, sizeof *work * heads_work(h));
    for (int i = 0; i < h->states; i++) {
        const int *count = h->count + (ptrdiff_t)i * h->classes;
        heads_contest t = contest_of(h, moves, count);
        s.left = h->left + h->start[i];
        if (p[i] > 0)
            send_one(&s, &t, count, p[i]);
    }
    place(h, work, s.twice, found);
    for (int i = 0; i < h->states; i++)
        next[i] = work[(ptrdiff_t)i * width];
    link_normalise(next, (size_t)h->states);
    leave_out_same(h, moves, p, r, found);
    for (int c = 0; c < h->classes; c++)
        sum += found[c] > 0 ? found[c] : 0;
    for (int c = 0; c < h->classes; c++)
        r->met[c / h->levels][c % h->levels] =
            sum > 1e-300 ? (found[c] > 0 ? found[c] / sum : 0) : c == h->levels - 1;
}
