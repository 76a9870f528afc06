/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The delay of a packet: mark a packet when it is accepted, in a switch that is in its stationary
 * distribution (each outcome of a reception counts as often as it accepts packets, so that the
 * average is over packets), and follow it until it is sent. The weight that is left after k cycles
 * is P(delay > k). If in some L cycles every weight has shrunk at least by a factor r < 1, it does
 * so in every L cycles from then on, which bounds the tail that is left out.
 */
#include "exact/follow.h"

#include "base/context.h"
#include "exact/columns.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct {
    swq_context *ctx;
    swq_follow f;
    int n;
    long double entered, left_now;
    long double *label, *before;
    long double packets_in[SWQ_CHAIN_PORTS], packets_out[SWQ_CHAIN_PORTS]; /* by class */
    long double cycles_in[SWQ_CHAIN_PORTS], cycles_out[SWQ_CHAIN_PORTS];
    double more; /* bound on the mean number of cycles that a remaining packet will stay; INFINITY:
                    not known yet */
    int64_t room;
    swq_delay *d;
} delays;

static long double sum(const long double *x, int64_t count)
{
    long double total = 0;

    for (int64_t k = 0; k < count; k++)
        total += x[k];
    return total;
}

/* Count the weight that leaves in cycle k, by class of its input and output. */
static void count_leaving(delays *x, int64_t k)
{
    const swq_marked *m = &x->f.marked;

    swq_follow_times(&m->leave, x->f.weight[m->leaving], x->label, false);
    x->left_now = 0;
    for (int i = 0; i < x->n; i++) {
        for (int j = 0; j < x->n; j++) {
            long double gone = x->label[i * x->n + j];
            x->left_now += gone;
            x->packets_in[i] += gone;
            x->packets_out[j] += gone;
            x->cycles_in[i] += gone * (long double)k;
            x->cycles_out[j] += gone * (long double)k;
        }
    }
}

static swq_status make_room(delays *x, int64_t most)
{
    if (most < x->room)
        return SWQ_OK;
    int64_t room = 2 * most + 64;
    double *probability = swq_resize(x->ctx, x->d->probability, (size_t)room, sizeof *probability);
    if (!probability)
        return swq_memory_status(x->ctx);
    x->d->probability = probability;
    double *longer = swq_resize(x->ctx, x->d->longer, (size_t)room, sizeof *longer);
    if (!longer)
        return swq_memory_status(x->ctx);
    x->d->longer = longer;
    x->room = room;
    return SWQ_OK;
}

/* Follow the weights, one arbitration after another. */
static swq_status follow(delays *x, const swq_packets_options *packets)
{
    swq_delay *d = x->d;
    int64_t nodes = x->f.marked.nodes[0], since = 0; /* the cycle of `before` */
    swq_status status = SWQ_OK;

    d->longer[0] = x->entered > 0;
    d->complete = x->entered == 0;
    for (int64_t k = 1; !status && !d->complete && k <= packets->most; k++) {
        if (swq_context_cancelled(x->ctx))
            return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld cycles of delay",
                            (long long)k);
        swq_progress(x->ctx, "following packets", (double)k, 0);
        status = make_room(x, k);
        if (status)
            break;
        if (k > 1)
            swq_follow_move(&x->f, 0, 1);
        swq_follow_move(&x->f, 1, 0);
        count_leaving(x, k);
        d->most = k;
        d->probability[k] = (double)(x->left_now / x->entered);
        d->longer[k] = (double)(sum(x->f.weight[0], nodes) / x->entered);
        double least, most;
        swq_follow_ratios(x->before, x->f.weight[0], nodes, &least, &most);
        most *= 1 + 2 * (double)(k - since) * x->f.cycle;
        if (most < 1)
            x->more = fmin(x->more, (double)(k - since) / (1 - most));
        d->complete = d->longer[k] == 0 || d->longer[k] * x->more <= packets->tail;
        if (k >= 2 * since) { /* with an arbiter that has a memory, weights may be comparable only
                                 after many cycles */
            memcpy(x->before, x->f.weight[0], sizeof *x->before * (size_t)nodes);
            since = k;
        }
    }
    return status;
}

/* Sums over the distribution, and bounds on those beyond it. */
static void weigh(delays *x)
{
    swq_delay *d = x->d;
    long double mean = 0, variance = 0;
    double rest = d->longer[d->most], a = x->more, k = (double)d->most;

    /* the errors of numerator and denominator, of summing them, and of the division */
    d->relative_error = 2 * (x->f.begun + (k + 1) * x->f.cycle) + 8 * 0x1p-53;
    d->relative_error = d->relative_error < 0.5 ? 1.01 * d->relative_error : INFINITY;
    for (int64_t c = d->most - 1; c >= 0; c--)
        mean += d->longer[c];
    for (int64_t c = d->most; c > 0; c--)
        variance += d->probability[c] * ((long double)c - mean) * ((long double)c - mean);
    double error = d->relative_error, more = rest > 0 ? (1 + error) * rest * a : 0;
    double beyond = k + 1 - (double)mean; /* the least distance from the mean */
    /* a stay of j more cycles is at most as likely as if its probability fell by a factor r in
     * every L cycles: E[j^2] <= 2 a^2 */
    double more_squares =
        rest > 0 ? (1 + error) * rest * (beyond * beyond + 2 * beyond * a + 2 * a * a) : 0;
    d->mean =
        (swq_mean){(double)mean, (double)mean * (1 - error), (double)mean * (1 + error) + more};
    /* squares about a mean with an error grow by the square of the error */
    double shift = d->mean.upper - d->mean.lower;
    d->variance =
        (swq_mean){(double)variance, fmax(0, (double)variance * (1 - error) - shift * shift),
                   (double)variance * (1 + error) + more_squares + shift * shift};
    for (int p = 0; p < SWQ_DELAY_PERCENTILES; p++) {
        int64_t at = 0;
        while (at < d->most && d->longer[at] >= 1 - swq_delay_percentiles[p])
            at++;
        d->percentile[p] = d->longer[at] >= 1 - swq_delay_percentiles[p] ? -1 : at;
    }
}

static void share_means(delays *x, const swq_switch *sw)
{
    const swq_symmetry *symmetry = &x->f.chain->symmetry;
    bool pool = sw->buffer.scope == SWQ_POOL;
    int members[SWQ_CHAIN_PORTS] = {0};

    for (int i = 0; i < x->n; i++)
        members[symmetry->input_class[i]]++;
    x->d->accepted = (double)x->entered;
    for (int i = 0; i < x->n; i++) {
        int in = symmetry->input_class[i], out = symmetry->output_class[i];
        x->d->mean_input[i] =
            pool || x->packets_in[in] == 0 ? NAN : (double)(x->cycles_in[in] / x->packets_in[in]);
        x->d->accepted_input[i] = pool ? 0 : (double)(x->packets_in[in] / members[in]);
        x->d->mean_output[i] =
            x->packets_out[out] == 0 ? NAN : (double)(x->cycles_out[out] / x->packets_out[out]);
    }
}

static void nothing_accepted(swq_delay *d)
{
    d->mean = d->variance = (swq_mean){NAN, NAN, NAN};
    for (int p = 0; p < SWQ_DELAY_PERCENTILES; p++)
        d->percentile[p] = -1;
}

static swq_status delay_of(swq_context *ctx, const swq_switch *sw, const swq_exact_options *options,
                           const swq_packets_options *packets, swq_delay *delay)
{
    clock_t began = clock();
    swq_delay d = {0};
    delays x = {.ctx = ctx, .n = sw->ports, .d = &d, .more = INFINITY};
    swq_status solved = swq_follow_begin(ctx, sw, options, packets, SWQ_MARK_PACKET, &x.f);
    if (solved && solved != SWQ_ECONVERGE)
        return solved;

    x.label = swq_calloc(ctx, (size_t)x.n * (size_t)x.n, sizeof *x.label);
    x.before = swq_calloc(ctx, (size_t)x.f.marked.nodes[0] + 1, sizeof *x.before);
    swq_status status = x.label && x.before ? make_room(&x, 0) : swq_memory_status(ctx);
    x.entered = sum(x.f.weight[1], x.f.marked.nodes[1]);
    if (!status)
        status = follow(&x, packets);
    if (!status) {
        d.states = x.f.marked.nodes[0];
        d.transitions = x.f.transitions;
        weigh(&x);
        share_means(&x, sw);
        if (x.entered == 0)
            nothing_accepted(&d);
        d.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        *delay = d;
    } else {
        swq_delay_clear(ctx, &d);
    }
    swq_free(ctx, x.label);
    swq_free(ctx, x.before);
    swq_follow_clear(ctx, &x.f);
    return status ? status : solved;
}

swq_status swq_exact_delay(swq_context *ctx, const swq_switch *sw, const swq_exact_options *options,
                           const swq_packets_options *packets, swq_delay *delay)
{
    swq_exact_options plain = *options;
    swq_status status = swq_chain_check(ctx, sw);

    plain.variance = false; /* these options concern losses, not delays */
    if (status)
        return status;
    return swq_columns_apart(sw, &plain)
               ? swq_columns_delay(ctx, sw, options, packets, delay_of, delay)
               : delay_of(ctx, sw, options, packets, delay);
}
