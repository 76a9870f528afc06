/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The delay in a switch whose outputs share nothing: a packet's delay is the delay in its output's
 * column, so the distribution is a mixture over the kinds of columns, each weighted with the
 * packets that it accepts.
 */
#include "exact/columns.h"

#include "base/context.h"

#include <math.h>

enum { SHARE_ROUNDINGS = SWQ_CHAIN_PORTS + 8 };

/* The kinds of columns: for each kind, its first output and its number of outputs. */
typedef struct {
    int kinds, output[SWQ_CHAIN_PORTS], members[SWQ_CHAIN_PORTS], kind[SWQ_CHAIN_PORTS];
    swq_delay delay[SWQ_CHAIN_PORTS];
} column_kinds;

static void list_kinds(const swq_switch *sw, column_kinds *c)
{
    c->kinds = 0;
    for (int j = 0; j < sw->ports; j++) {
        int k = 0;
        while (k < c->kinds && !swq_column_alike(sw, c->output[k], j))
            k++;
        if (k == c->kinds) {
            c->output[k] = j;
            c->members[k] = 0;
            c->kinds++;
        }
        c->members[k]++;
        c->kind[j] = k;
    }
}

static void add_mean(const swq_delay *one, double share, swq_mean *mean)
{
    mean->value += share * one->mean.value;
    mean->lower += share * one->mean.lower;
    mean->upper += share * one->mean.upper;
}

/* Widen the interval of a mean for shares with this relative error. */
static void widen(double error, swq_mean *mean)
{
    mean->lower *= fmax(0, 1 - error);
    mean->upper *= 1 + error;
}

/* Mix the distributions, and their means; share[k]: kind k's fraction of the packets, with this
 * relative error. */
static void mix(const column_kinds *c, const double *share, double error, swq_delay *d)
{
    d->mean = (swq_mean){0, 0, 0};
    for (int k = 0; k < c->kinds; k++) {
        const swq_delay *one = &c->delay[k];
        if (share[k] == 0)
            continue;
        add_mean(one, share[k], &d->mean);
        for (int64_t t = 0; t <= d->most; t++) {
            d->probability[t] += t <= one->most ? share[k] * one->probability[t] : 0;
            d->longer[t] += share[k] * one->longer[t <= one->most ? t : one->most];
        }
    }
    widen(error, &d->mean);
    for (int64_t t = 1; t <= d->most; t++) /* beyond its end, a distribution is at most its tail */
        d->longer[t] = fmin(d->longer[t], d->longer[t - 1]);
}

/* The variance within the kinds and between them. */
static void mix_variance(const column_kinds *c, const double *share, double error, swq_delay *d)
{
    const double width = d->mean.upper - d->mean.lower;

    d->variance = (swq_mean){0, 0, 0};
    for (int k = 0; k < c->kinds; k++) {
        const swq_delay *one = &c->delay[k];
        const double off = one->mean.value - d->mean.value;
        const double both = width + one->mean.upper - one->mean.lower;
        if (share[k] == 0)
            continue;
        d->variance.value += share[k] * (one->variance.value + off * off);
        d->variance.lower +=
            share[k] * (one->variance.lower + fmax(0, off * off - 2 * fabs(off) * both));
        d->variance.upper +=
            share[k] * (one->variance.upper + (fabs(off) + both) * (fabs(off) + both));
    }
    widen(error, &d->variance);
}

static void mix_ports(const swq_switch *sw, const column_kinds *c, swq_delay *d)
{
    for (int i = 0; i < sw->ports; i++) {
        double packets = 0, cycles = 0;
        for (int k = 0; k < c->kinds; k++) {
            const double accepted = c->delay[k].accepted_input[i] * c->members[k];
            packets += accepted;
            cycles += accepted > 0 ? accepted * c->delay[k].mean_input[i] : 0;
        }
        d->accepted_input[i] = packets;
        d->mean_input[i] = packets > 0 ? cycles / packets : NAN;
        d->mean_output[i] = c->delay[c->kind[i]].mean_output[0];
    }
}

static void find_percentiles(swq_delay *d)
{
    for (int p = 0; p < SWQ_DELAY_PERCENTILES; p++) {
        const double part = 1 - swq_delay_percentiles[p];
        int64_t at = 0;
        while (at < d->most && d->longer[at] >= part)
            at++;
        d->percentile[p] = d->accepted == 0 || d->longer[at] >= part ? -1 : at;
    }
}

static swq_status mix_all(swq_context *ctx, const swq_switch *sw, const column_kinds *c,
                          swq_delay *delay)
{
    double share[SWQ_CHAIN_PORTS] = {0};
    swq_delay d = {.complete = true};

    for (int k = 0; k < c->kinds; k++) {
        const swq_delay *one = &c->delay[k];
        d.accepted += one->accepted * c->members[k];
        d.most = one->most > d.most ? one->most : d.most;
        d.relative_error = fmax(d.relative_error, one->relative_error);
        d.states += one->states;
        d.transitions += one->transitions;
        d.seconds += one->seconds;
        d.complete = d.complete && one->complete;
    }
    d.probability = swq_calloc(ctx, (size_t)d.most + 1, sizeof *d.probability);
    d.longer = swq_calloc(ctx, (size_t)d.most + 1, sizeof *d.longer);
    if (!d.probability || !d.longer) {
        swq_delay_clear(ctx, &d);
        return swq_memory_status(ctx);
    }
    for (int k = 0; k < c->kinds && d.accepted > 0; k++)
        share[k] = c->delay[k].accepted * c->members[k] / d.accepted;
    /* a share's numerator and denominator are known half as well as the distributions */
    const double error = c->kinds > 1 ? d.relative_error + SHARE_ROUNDINGS * 0x1p-52 : 0;
    mix(c, share, error, &d);
    mix_variance(c, share, error, &d);
    mix_ports(sw, c, &d);
    d.relative_error = 2 * d.relative_error + SHARE_ROUNDINGS * 0x1p-52;
    find_percentiles(&d);
    if (d.accepted == 0)
        d.mean = d.variance = (swq_mean){NAN, NAN, NAN};
    *delay = d;
    return SWQ_OK;
}

swq_status swq_columns_delay(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, const swq_packets_options *packets,
                             swq_column_delay_fn *solve, swq_delay *delay)
{
    swq_status status = SWQ_OK, unsettled = SWQ_OK;
    column_kinds *c = swq_calloc(ctx, 1, sizeof *c);
    if (!c)
        return swq_memory_status(ctx);

    list_kinds(sw, c);
    for (int k = 0; k < c->kinds && !status; k++) {
        swq_switch column;
        swq_column_switch(sw, c->output[k], &column);
        status = solve(ctx, &column, options, packets, &c->delay[k]);
        if (status == SWQ_ECONVERGE) {
            unsettled = status;
            status = SWQ_OK;
        }
    }
    if (!status)
        status = mix_all(ctx, sw, c, delay);
    for (int k = 0; k < c->kinds; k++)
        swq_delay_clear(ctx, &c->delay[k]);
    swq_free(ctx, c);
    return status ? status : unsettled;
}
