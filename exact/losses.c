/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Losses in a row: mark an input when it loses a packet, let cycles pass in which it creates no
 * packet, and find the fate of the next packet. Starting from an arbitrary loss, A_k, the part that
 * is accepted after k losses, is proportional to the number of runs of at least k losses: each of
 * them has exactly one loss that is k-th from its end. So it does not matter how runs begin.
 *
 * The idle cycles are a geometric series of vectors, x + xN + xNN + ...; as soon as L steps change
 * all entries by nearly the same factor, the rest is summed in closed form, between bounds.
 */
#include "exact/follow.h"

#include "base/context.h"
#include "solvers/width.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { MOST_IDLE = 1000000 };
#define SERIES_ERROR 0x1p-53 /* of an entry; no more than one rounding */

typedef struct {
    swq_context *ctx;
    swq_follow f;
    int n;
    long double *all;            /* [nodes of level 0] weights when the next packet comes */
    long double *before, *block; /* weights some idle cycles ago, and the sum since then */
    long double *label;
    double error; /* relative error of all weights so far */
    long double accepted[SWQ_CHAIN_PORTS], lost[SWQ_CHAIN_PORTS];    /* current weights by class */
    long double first[SWQ_CHAIN_PORTS], first_lost[SWQ_CHAIN_PORTS]; /* after the first loss */
    long double all_lost[SWQ_CHAIN_PORTS];
    int64_t room;
    swq_losses *l;
} runs;

/* If the last cycles, the sum of whose weights is in `block`, have changed all weights by nearly
 * the same factor, add the sum of the weights of all later cycles: block times r + rr + rrr + ...,
 * where r is between the least and the greatest factor. */
static bool add_rest(runs *x, double cycles)
{
    int64_t nodes = x->f.marked.nodes[0];
    double least, greatest, slack = 2 * cycles * x->f.cycle;
    long double off = 0;

    swq_follow_ratios(x->before, x->f.weight[0], nodes, &least, &greatest);
    greatest *= 1 + slack;
    least *= 1 - slack;
    if (!(greatest < 1))
        return false;
    long double high = greatest / (1 - (long double)greatest),
                low = least / (1 - (long double)least);
    for (int64_t k = 0; k < nodes; k++) {
        if (x->block[k] > 0 && (high - low) * x->block[k] > off * x->all[k])
            off = (high - low) * x->block[k] / x->all[k];
    }
    if (off > SERIES_ERROR)
        return false;
    for (int64_t k = 0; k < nodes; k++)
        x->all[k] += (high + low) / 2 * x->block[k];
    x->error += (double)off;
    return true;
}

/* all = x + xN + xNN + ..., where x is weight[1] after one cycle. */
static swq_status pass_idle_cycles(runs *x)
{
    long double *now = x->f.weight[0];
    int64_t nodes = x->f.marked.nodes[0];

    swq_follow_move(&x->f, 1, 0);
    memcpy(x->all, now, sizeof *now * (size_t)nodes);
    for (int64_t idle = 1, since = 0; idle <= MOST_IDLE; idle++) {
        if (idle - 1 >= 2 * since) {
            memcpy(x->before, now, sizeof *now * (size_t)nodes);
            memset(x->block, 0, sizeof *now * (size_t)nodes);
            since = idle - 1;
        }
        swq_follow_move(&x->f, 0, 1);
        swq_follow_move(&x->f, 1, 0);
        x->error += x->f.cycle;
        for (int64_t k = 0; k < nodes; k++) {
            x->all[k] += now[k];
            x->block[k] += now[k];
        }
        if (add_rest(x, (double)(idle - since)))
            return SWQ_OK;
        if (swq_context_cancelled(x->ctx))
            return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld losses in a row",
                            (long long)x->l->input[0].most);
    }
    x->error = INFINITY;
    return SWQ_OK;
}

/* The next packet: accepted, which ends the run, or lost, which leads to weight[1]. */
static void next_packet(runs *x)
{
    const swq_marked *m = &x->f.marked;

    swq_follow_times(&m->leave, x->all, x->label, false);
    memset(x->lost, 0, sizeof x->lost);
    for (int i = 0; i < x->n; i++)
        x->accepted[i] = x->label[i * x->n];
    for (int64_t k = 0; k < m->nodes[0]; k++) {
        for (int64_t e = m->lose.start[k]; e < m->lose.start[k + 1]; e++)
            x->lost[m->input[k]] += x->all[k] * m->lose.value[e];
    }
    swq_follow_times(&m->lose, x->all, x->f.weight[1], false);
}

static swq_status make_room(runs *x, swq_loss_runs *r, int64_t most)
{
    double *probability = swq_resize(x->ctx, r->probability, (size_t)most, sizeof *probability);
    if (!probability)
        return swq_memory_status(x->ctx);
    r->probability = probability;
    double *longer = swq_resize(x->ctx, r->longer, (size_t)most, sizeof *longer);
    if (!longer)
        return swq_memory_status(x->ctx);
    r->longer = longer;
    return SWQ_OK;
}

static bool leads_class(const runs *x, int i)
{
    return x->f.chain->symmetry.input_class[i] == i;
}

static swq_status note(runs *x, int64_t k)
{
    for (int i = 0; i < x->n; i++) {
        swq_loss_runs *r = &x->l->input[i];
        if (!leads_class(x, i))
            continue;
        if (k + 1 >= x->room) {
            swq_status status = make_room(x, r, 2 * (k + 1) + 16);
            if (status)
                return status;
        }
        if (k == 1) {
            x->first[i] = x->accepted[i];
            x->first_lost[i] = x->lost[i];
        }
        r->most = k - 1;
        if (x->first[i] > 0) {
            r->longer[k - 1] = (double)(x->accepted[i] / x->first[i]);
            if (k > 1)
                r->probability[k - 1] = r->longer[k - 2] - r->longer[k - 1];
        }
    }
    x->room = k + 1 >= x->room ? 2 * (k + 1) + 16 : x->room;
    return SWQ_OK;
}

/* Have all runs ended? (An input that never again accepts a packet loses for ever; its runs are not
 * waited for.) */
static bool all_ended(const runs *x, double tail)
{
    for (int i = 0; i < x->n; i++) {
        if (x->first[i] > 0 && x->lost[i] > tail * x->all_lost[i])
            return false;
    }
    return true;
}

/* Weights by class at the first losses: all marks that begin at an input of the class. */
static void count_first(runs *x, const swq_switch *sw)
{
    const double *refused = swq_chain_refused(x->f.chain);
    const double *pi = x->f.solution.pi;

    for (int64_t s = 0; s < x->f.solution.states; s++) {
        for (int i = 0; i < sw->ports; i++)
            x->all_lost[x->f.chain->symmetry.input_class[i]] +=
                (long double)pi[s] * refused[s * sw->ports + i];
    }
}

static swq_mean around(double value, double error)
{
    swq_mean mean = {value, value * (1 - error), value * (1 + error)};

    if (value > 0)
        swq_mean_widen(4, &mean);
    return mean;
}

static void weigh(runs *x, const swq_switch *sw)
{
    const uint8_t *class = x->f.chain->symmetry.input_class;
    int members[SWQ_CHAIN_PORTS] = {0};
    double error = 2 * x->error + 8 * 0x1p-53;

    x->l->relative_error = error = error < 0.5 ? 1.01 * error : INFINITY;
    for (int i = 0; i < x->n; i++)
        members[class[i]]++;
    for (int i = 0; i < x->n; i++) {
        swq_loss_runs *r = &x->l->input[i];
        int c = class[i];
        if (c != i)
            *r = x->l->input[c];
        double created = sw->load[i] * members[c];
        r->loss = around(created > 0 ? (double)(x->all_lost[c] / created) : 0, error);
        r->repeat = r->length = (swq_mean){NAN, NAN, NAN};
        if (x->all_lost[c] == 0)
            continue;
        r->repeat = around((double)(x->first_lost[c] / x->all_lost[c]), error);
        r->repeat.upper = fmin(1, r->repeat.upper);
        r->length = around((double)(x->all_lost[c] / x->first[c]), error);
    }
}

static swq_status follow(runs *x, const swq_packets_options *packets)
{
    swq_status status = SWQ_OK;
    bool ended = false, last = false;

    for (int64_t k = 1; !status && !last && k <= packets->most + 1; k++) {
        last = ended; /* one more step, so that every run has a length */
        swq_progress(x->ctx, "following losses", (double)k, 0);
        status = pass_idle_cycles(x);
        if (status)
            break;
        x->error += 2 * x->f.cycle;
        next_packet(x);
        status = note(x, k);
        ended = all_ended(x, packets->tail);
    }
    x->l->complete = ended;
    return status;
}

swq_status swq_exact_losses(swq_context *ctx, const swq_switch *sw,
                            const swq_exact_options *options, const swq_packets_options *packets,
                            swq_losses *losses)
{
    clock_t began = clock();
    swq_losses l = {.ports = sw->ports};
    runs x = {.ctx = ctx, .n = sw->ports, .l = &l};

    if (sw->flow != SWQ_DISCARD)
        return swq_fail(ctx, SWQ_EINVAL, "losses in a row need flow discard: block loses nothing");
    swq_status solved = swq_follow_begin(ctx, sw, options, packets, SWQ_MARK_INPUT, &x.f);
    if (solved && solved != SWQ_ECONVERGE)
        return solved;

    size_t nodes = (size_t)x.f.marked.nodes[0] + 1;
    x.error = x.f.begun;
    x.all = swq_calloc(ctx, nodes, sizeof *x.all);
    x.before = swq_calloc(ctx, nodes, sizeof *x.before);
    x.block = swq_calloc(ctx, nodes, sizeof *x.block);
    x.label = swq_calloc(ctx, (size_t)x.n * (size_t)x.n, sizeof *x.label);
    swq_status status = x.all && x.before && x.block && x.label ? SWQ_OK : swq_memory_status(ctx);
    if (!status) {
        count_first(&x, sw);
        status = follow(&x, packets);
    }
    if (!status) {
        l.states = x.f.marked.nodes[0];
        l.transitions = x.f.transitions + swq_csr_nnz(&x.f.marked.lose);
        weigh(&x, sw);
        l.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        *losses = l;
    } else {
        swq_losses_clear(ctx, &l);
    }
    swq_free(ctx, x.all);
    swq_free(ctx, x.before);
    swq_free(ctx, x.block);
    swq_free(ctx, x.label);
    swq_follow_clear(ctx, &x.f);
    return status ? status : solved;
}

void swq_losses_clear(swq_context *ctx, swq_losses *losses)
{
    for (int i = 0; i < losses->ports; i++) {
        double *shared = losses->input[i].longer;
        swq_free(ctx, losses->input[i].probability);
        swq_free(ctx, shared);
        for (int j = i + 1; j < losses->ports && shared; j++) {
            if (losses->input[j].longer == shared)
                losses->input[j].probability = losses->input[j].longer = NULL;
        }
    }
    *losses = (swq_losses){0};
}
