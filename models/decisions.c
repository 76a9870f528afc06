/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decision processes: estimating the size and exploring. choose.c has the actions of a node, and
 * outcomes.c keeps what is found.
 */
#include "models/decisions.h"

#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "models/chain_parts.h"
#include "models/cycle.h"
#include "models/priority.h"
#include "models/reception.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Outcomes that can be enumerated in about an hour. */
#define MOST_OUTCOMES 2e9

/* The switch whose symmetry counts: its arbiter can break the symmetry only if the arbiter
 * decides. */
static swq_switch as_decided(const swq_switch *sw, const swq_powers *powers)
{
    swq_switch other = *sw;

    if (powers->send)
        other.arbiter = &swq_arbiter_random;
    return other;
}

/* Do two inputs send as much, and to the same outputs? */
static bool sends_alike(const swq_switch *sw, int i, int k)
{
    for (int j = 0; j < sw->ports; j++) {
        if (sw->dest[i][j] != sw->dest[k][j])
            return false;
    }
    return sw->load[i] == sw->load[k];
}

/* Number of ways in which packets can arrive in a cycle. */
static double arrivals(const swq_switch *sw)
{
    double ways = 1;
    int run = 0;

    for (int i = 0; i < sw->ports; i++) {
        int destinations = 0;
        for (int j = 0; j < sw->ports; j++)
            destinations += sw->dest[i][j] > 0;
        if (sw->buffer.queues == SWQ_ONE_QUEUE)
            destinations = 1;
        const int choices = (sw->load[i] > 0 ? destinations : 0) + (sw->load[i] < 1 ? 1 : 0);
        const bool like = i > 0 && sw->ports > SWQ_SYMMETRY_PORTS && sends_alike(sw, i, 0);
        run = like ? run + 1 : 0;
        ways *= (choices + run) / (1.0 + run); /* in rising order: see arrive */
    }
    return ways;
}

/* Upper bound of the number of sets of packets that can be sent. */
static double matchings(int n)
{
    double all = 0, sets = 1;

    for (int k = 0; k <= n; k++) {
        all += sets;
        sets *= (double)(n - k) * (n - k) / (k + 1);
    }
    return all;
}

typedef struct {
    const swq_switch *sw;
    const swq_powers *powers;
    double limit; /* bytes; 0: none */
    /* a pool whose ports are all alike, beyond the ports for which all permutations are listed:
     * nodes of the admission, and at most how many actions, for each state; else 0 */
    double nodes, actions;
    double steps; /* nodes of all steps of the admission for each state; 0: it is taken at once */
} size_question;

enum { MOST_POOL = 100 }; /* slots of a pool that is counted so */

/* A pool whose inputs are alike, and whose outputs are, has as many nodes of the admission as there
 * are multisets of pairs (length, packets that come), one for each queue; of the packets that come
 * to a queue it only matters how many are refused. Sums over all multisets: 1, the choices, 1 if no
 * packet comes, and the steps in which as many packets can be undecided. */
static void count_pool(const swq_switch *sw, double sum[4])
{
    enum { N = SWQ_DECISION_POOL_PORTS };
    const int n = sw->ports, b = sw->buffer.capacity;
    double ways[3][N + 1][MOST_POOL + 1][N + 1];

    memset(ways, 0, sizeof ways);
    sum[0] = sum[1] = sum[2] = sum[3] = 0;
    for (int k = 0; k < 3; k++)
        ways[k][0][0][0] = 1;
    for (int l = 0; l <= b; l++) {
        for (int a = 0; a <= n; a++) {
            const double each[3] = {1, a + 1, a == 0};
            for (int m = 1; m <= n; m++) {
                for (int s = l; s <= b; s++) {
                    for (int t = a; t <= n; t++) {
                        for (int k = 0; k < 3; k++)
                            ways[k][m][s][t] += each[k] * ways[k][m - 1][s - l][t - a];
                    }
                }
            }
        }
    }
    for (int s = 0; s <= b; s++) {
        for (int t = 0; t <= n; t++) {
            for (int k = 0; k < 3; k++)
                sum[k] += ways[k][n][s][t];
            sum[3] += ways[0][n][s][t] * (n - (t > 0 ? t - 1 : 0));
        }
    }
}

static bool is_like_pool(const swq_switch *sw)
{
    bool like = sw->buffer.scope == SWQ_POOL && sw->buffer.capacity <= MOST_POOL &&
                sw->burst <= 1 && sw->ports <= SWQ_DECISION_POOL_PORTS;

    for (int i = 0; i < sw->ports; i++) {
        like = like && sw->load[i] == sw->load[0];
        for (int j = 0; j < sw->ports; j++)
            like = like && sw->dest[i][j] == sw->dest[0][0];
    }
    return like;
}

static double bytes_of(const size_question *q, double states, double *outcomes)
{
    const int n = q->sw->ports, queues = swq_buffer_queues(&q->sw->buffer, n);
    const double ways = arrivals(q->sw),
                 node =
                     2.0 * (q->sw->buffer.scope == SWQ_POOL ? 1 : n) * (queues + 1) + 2.0 * n + 32;
    /* at a port with a packet: refuse, admit, or push out of each queue */
    const double options = q->powers->push_out ? 2 + 0.5 * queues : 2;
    const double actions = pow((1 + n * options) / (n + 1), n);
    const double sets = q->powers->send ? matchings(n) : 1;
    const double each = 28 + 24; /* bytes of an action and of an outcome */

    *outcomes = states * ways;
    double bytes = states * (node + ways * 24) + states * (node + sets * each);
    if (q->steps > 0) {
        *outcomes += states * q->steps * options;
        bytes += states * q->steps * (node + options * each);
    } else if (q->nodes > 0) {
        *outcomes += states * (ways + q->actions);
        bytes += states * (q->nodes * node + q->actions * each);
    } else if (q->powers->refuse || q->powers->push_out) {
        *outcomes += states * ways * actions;
        bytes += states * ways * (node + actions * each);
    }
    *outcomes += states * sets;
    return bytes;
}

static bool can_be_made(const swq_chain_size *size, const void *arg)
{
    const size_question *q = arg;
    double outcomes;
    double bytes = bytes_of(q, size->states, &outcomes);

    return (q->limit == 0 || bytes <= q->limit) && outcomes <= MOST_OUTCOMES;
}

/* Can the admission be taken in steps? Not if a node keeps its packets (bursts), and, with
 * push-out, not if queues have limits of their own, which packets that come later may meet. */
static bool has_steps(const swq_switch *sw, const swq_powers *powers, bool reduce)
{
    const swq_buffer *b = &sw->buffer;

    return reduce && powers->refuse && is_like_pool(sw) &&
           (!powers->push_out || (b->queue_min == 0 && b->queue_max >= b->capacity));
}

/* *steps: the admission must be taken in steps. */
static swq_status check_limit(swq_context *ctx, const swq_switch *sw, const swq_powers *powers,
                              bool reduce, const swq_chain_size *size, bool *steps)
{
    size_question q = {sw, powers, (double)swq_context_memory_limit(ctx), 0, 0, 0};
    char needed[40], allowed[40], fits[80] = "no fewer slots would fit";
    double outcomes;

    const bool stepped = has_steps(sw, powers, reduce);
    double sum[4] = {0};
    if (stepped)
        count_pool(sw, sum);
    if (stepped && !powers->push_out && sw->ports > SWQ_SYMMETRY_PORTS) {
        q.nodes = sum[0] / sum[2];
        q.actions = sum[1] / sum[2];
    }
    *steps = false;
    if (can_be_made(size, &q))
        return SWQ_OK;
    *steps = stepped;
    q.steps = stepped ? sum[3] / sum[2] : 0;
    if (stepped && can_be_made(size, &q))
        return SWQ_OK;
    const double bytes = bytes_of(&q, size->states, &outcomes);
    int slots = swq_chain_most_slots(ctx, sw, reduce, can_be_made, &q);
    if (slots > 0)
        snprintf(fits, sizeof fits, "%d slot%s per input port would fit", slots,
                 slots == 1 ? "" : "s");
    if (q.limit == 0 || bytes <= q.limit)
        return swq_fail(
            ctx, SWQ_ELIMIT,
            "up to %.3g states have %.2g outcomes of decisions in all, which would take "
            "hours or more to go through (%s)",
            size->states, outcomes, fits);
    return swq_fail(ctx, SWQ_ELIMIT,
                    "the decisions of up to %.3g states take about %s; the memory limit is %s (%s)",
                    size->states, swq_bytes_text(bytes, needed, sizeof needed),
                    swq_bytes_text(q.limit, allowed, sizeof allowed), fits);
}

/* ---- the reception ---- */

/* Admit the packets that arrive at the state in `work`, by the rule; returns the number of packets
 * lost. */
static int admit_by_rule(swq_deciding *x)
{
    swq_word *held = x->work + x->d->layout.held;
    swq_word packet[SWQ_DECISION_POOL_PORTS];
    const size_t bytes = sizeof *held * (size_t)x->d->sw.ports;
    swq_reception what;
    int lost = 0;

    memcpy(packet, held, bytes);
    swq_receive(&x->rules, &x->d->layout, x->work, &x->dice, &what);
    for (int i = 0; i < x->d->sw.ports; i++)
        lost += swq_reception_lost(&what, i);
    if (x->d->bursts)
        memcpy(held, packet, bytes);
    else
        memset(held, 0, bytes);
    return lost;
}

/* All packets of the cycle are in `given`: pass them on to the admission stage, or admit them by
 * the rule. */
static swq_status arrived(swq_deciding *x, long double chance)
{
    const size_t bytes = sizeof *x->work * (size_t)x->d->layout.words;

    if (x->d->stage[1].stage == SWQ_STAGE_ADMISSION) {
        memcpy(x->work, x->given, bytes);
        return swq_deciding_outcome(x, chance, 0);
    }
    swq_dice_begin_enumeration(&x->dice);
    do {
        memcpy(x->work, x->given, bytes);
        const int lost = admit_by_rule(x);
        swq_status status = swq_deciding_outcome(x, chance * x->dice.probability, lost);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    return SWQ_OK;
}

/* `chance` times the chance that source i offers no packet (0), or one for output `to` - 1 (1: any,
 * before a FIFO), if its last packet was `last`, in the same form. */
static long double offering(const swq_deciding *x, int i, swq_word last, swq_word to,
                            long double chance)
{
    const swq_switch *sw = &x->d->sw;
    long double all = 0, each = 1;

    for (int j = 0; j < sw->ports; j++)
        all += sw->dest[i][j];
    if (to > 0 && !x->d->layout.deferred)
        each = sw->dest[i][to - 1] / all;
    if (!x->d->bursts)
        return to ? chance * sw->load[i] * each : chance * (1 - (long double)sw->load[i]);
    const long double load = sw->load[i], gaps = sw->burst * (1 - load);
    const long double begins = load > 0 ? load / (load + gaps) : 0;
    const long double afresh = to ? begins * each : 1 - begins;
    const long double goes_on = last == to ? 1 - 1 / (long double)sw->burst : 0;
    return chance * (last ? goes_on + afresh / sw->burst : afresh);
}

/* Inputs that the symmetry exchanges, beyond the ports for which all its elements are listed, are
 * given their packets in rising order, as often as there are such orders. `run`: how many inputs
 * before input i are like it, and how many of these have the packet of input i - 1. */
typedef struct {
    int alike, equal;
} arrival_run;

static bool like_before(const swq_deciding *x, const swq_word *last, int i)
{
    const swq_symmetry *s = &x->d->symmetry;

    return i > 0 && x->d->sw.ports > SWQ_SYMMETRY_PORTS && s->product &&
           s->input_class[i] == s->input_class[i - 1] && last[i] == last[i - 1];
}

/* Let packets arrive at inputs i, i + 1, ...; last: those that came before, with bursts. */
static swq_status arrive(swq_deciding *x, const swq_word *last, int i, arrival_run run,
                         long double chance)
{
    const swq_switch *sw = &x->d->sw;
    const swq_layout *l = &x->d->layout;
    swq_status status = SWQ_OK;

    if (i == sw->ports)
        return arrived(x, chance);
    const bool like = like_before(x, last, i);
    swq_word *packet = &x->given[l->held + i];
    for (int to = like ? packet[-1] : 0; to <= (l->deferred ? 1 : sw->ports) && !status; to++) {
        const long double here = offering(x, i, last[i], (swq_word)to, chance);
        const arrival_run now = {like ? run.alike + 1 : 1,
                                 like && to == packet[-1] ? run.equal + 1 : 1};
        *packet = (swq_word)to;
        if (here > 0)
            status = arrive(x, last, i + 1, now, like ? here * now.alike / now.equal : here);
    }
    return status;
}

/* ---- all nodes ---- */

static swq_status expand(swq_deciding *x)
{
    swq_choices *c = &x->d->stage[x->level];
    swq_status status = SWQ_OK;

    if (c->expanded + 2 > c->first_room) {
        int64_t room = c->first_room + c->first_room / 2 + 64;
        int64_t *first = swq_resize(x->ctx, c->first, (size_t)room, sizeof *first);
        if (!first)
            return swq_memory_status(x->ctx);
        c->first = first;
        c->first_room = room;
    }
    if (!swq_more_actions(x->ctx, c, 0))
        return swq_memory_status(x->ctx);
    memcpy(x->given, swq_intern_state(&c->node, c->expanded),
           sizeof *x->given * (size_t)x->d->layout.words);
    c->first[c->expanded] = c->actions;
    x->listed = 0;
    if (c->stage == SWQ_STAGE_RECEPTION) {
        swq_word last[SWQ_DECISION_POOL_PORTS];
        memcpy(last, x->given + x->d->layout.held, sizeof *last * (size_t)x->d->sw.ports);
        status = arrive(x, last, 0, (arrival_run){0, 0}, 1);
        if (!status)
            status = swq_deciding_action(x, 0);
    } else if (c->stage == SWQ_STAGE_ADMISSION) {
        status = x->d->steps ? swq_choose_step(x) : swq_choose_admission(x);
    } else {
        status = swq_choose_transmission(x);
    }
    c->first[++c->expanded] = c->actions;
    return status;
}

static swq_status explore(swq_deciding *x)
{
    swq_decisions *d = x->d;
    swq_status status = SWQ_OK;
    bool more = true;

    if (swq_intern_number(x->ctx, &d->stage[0].node, x->given) <
        0) /* the empty switch is all zero */
        return swq_memory_status(x->ctx);
    while (more && !status) {
        more = false;
        for (x->level = 0; x->level < d->stages && !status; x->level++) {
            swq_choices *c = &d->stage[x->level];
            while (c->expanded < c->node.count && !status) {
                if (c->expanded % 256 == 0) {
                    swq_progress(x->ctx, "generating decisions", (double)d->stage[0].node.count, 0);
                    if (swq_context_cancelled(x->ctx))
                        return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                                        (long long)d->stage[0].node.count);
                }
                status = expand(x);
                more = true;
            }
        }
    }
    return status;
}

static swq_status generate(swq_context *ctx, swq_decisions *d)
{
    swq_deciding *x = swq_calloc(ctx, 1, sizeof *x); /* the dice are large */
    swq_status status = x ? SWQ_OK : swq_memory_status(ctx);

    if (!x)
        return status;
    x->ctx = ctx;
    x->d = d;
    x->rules = d->sw;
    x->rules.burst = 1;
    x->rules.flow = SWQ_BLOCK; /* sources hold the arriving packets, and nothing else */
    for (int i = 0; i < d->sw.ports; i++)
        x->rules.load[i] = 0;
    swq_layout_init(&d->layout, &x->rules);
    for (int k = 0; k < d->stages; k++)
        swq_intern_init(&d->stage[k].node, d->layout.words);
    x->work = swq_calloc(ctx, (size_t)d->layout.words, 3 * sizeof *x->work);
    x->given = swq_calloc(ctx, (size_t)d->layout.words, sizeof *x->given);
    status = x->work && x->given ? explore(x) : swq_memory_status(ctx);
    swq_free(ctx, x->work);
    swq_free(ctx, x->given);
    swq_free(ctx, x->list);
    swq_free(ctx, x);
    return status;
}

swq_status swq_decisions_generate(swq_context *ctx, const swq_switch *sw, const swq_powers *powers,
                                  bool reduce, swq_decisions *d)
{
    const bool admits = powers->refuse || powers->push_out;
    swq_decisions out = {.sw = as_decided(sw, powers), .powers = *powers};
    swq_switch counted = out.sw; /* a chain has more questions than a decision process, and refuses
                                    rules of admission that cannot answer them */
    swq_chain_size size;
    swq_status status = swq_priority_refuse(ctx, &sw->priority, "a decision process");

    counted.buffer.admission = NULL;
    reduce = reduce && !swq_buffer_numbers_queues(&sw->buffer);

    if (!status)
        status = swq_chain_foresee_symmetry(ctx, &counted, reduce, &size, &out.symmetry);
    if (status)
        return status;
    out.bursts = sw->burst > 1;
    out.stages = admits ? 3 : 2;
    out.stage[0].stage = SWQ_STAGE_RECEPTION;
    out.stage[1].stage = SWQ_STAGE_ADMISSION;
    out.stage[out.stages - 1].stage = SWQ_STAGE_TRANSMISSION;
    status = check_limit(ctx, &counted, powers, reduce, &size, &out.steps);
    if (!status && out.steps) {
        out.stages = sw->ports + 2;
        for (int k = 1; k <= sw->ports; k++)
            out.stage[k].stage = SWQ_STAGE_ADMISSION;
        out.stage[out.stages - 1].stage = SWQ_STAGE_TRANSMISSION;
    }
    if (!status)
        status = generate(ctx, &out);
    if (status)
        swq_decisions_clear(ctx, &out);
    else
        *d = out;
    return status;
}

void swq_decisions_clear(swq_context *ctx, swq_decisions *d)
{
    for (int k = 0; k < SWQ_STAGES; k++) {
        swq_choices *c = &d->stage[k];
        swq_intern_clear(ctx, &c->node);
        swq_free(ctx, c->first);
        swq_free(ctx, c->outcome);
        swq_free(ctx, c->what);
        swq_free(ctx, c->cost);
        swq_free(ctx, c->into);
        swq_free(ctx, c->chance);
    }
    swq_symmetry_clear(ctx, &d->symmetry);
    *d = (swq_decisions){.stages = 0};
}
