/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions of whole numbers: constant, uniform, geometric, Pareto.
 */
#include "sim/traffic/spread.h"

#include "base/context.h"
#include "sim/stream.h"
#include "sim/traffic/pareto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double swq_spread_mean(const swq_spread *s)
{
    return s->kind == SWQ_UNIFORM ? (s->first + s->second) / 2 : s->first;
}

double swq_spread_most(const swq_spread *s)
{
    return s->kind == SWQ_CONSTANT  ? s->first
           : s->kind == SWQ_UNIFORM ? s->second
           : s->kind == SWQ_PARETO  ? SWQ_MAX_MESSAGE
                                    : INFINITY;
}

swq_drawn swq_spread_prepare(const swq_spread *s)
{
    switch (s->kind) {
    case SWQ_CONSTANT:
        break;
    case SWQ_UNIFORM:
        return (swq_drawn){.least = (uint64_t)s->first,
                           .choices = (uint64_t)(s->second - s->first) + 1};
    case SWQ_GEOMETRIC:
        return (swq_drawn){.least = (uint64_t)s->second,
                           .per_log = swq_geometric_scale(s->first - s->second)};
    case SWQ_PARETO:
        return (swq_drawn){.least = 1, .power = -1 / s->second, .scale = swq_pareto_scale(s)};
    }
    return (swq_drawn){.least = (uint64_t)s->first, .choices = 1};
}

uint32_t swq_spread_draw(const swq_drawn *d, uint64_t word)
{
    if (d->choices)
        return (uint32_t)(d->least + (uint64_t)(((__uint128_t)word * d->choices) >> 64));
    if (d->power < 0) {
        const double above = d->scale * (pow(swq_word_uniform(word), d->power) - 1);
        return (uint32_t)fmin((double)d->least + floor(above), SWQ_MAX_MESSAGE);
    }
    if (d->per_log == 0)
        return (uint32_t)d->least;
    double value = (double)d->least + floor(log(swq_word_uniform(word)) * d->per_log);
    return value < SWQ_MAX_DRAWN ? (uint32_t)value : SWQ_MAX_DRAWN;
}

static bool whole(double value)
{
    return value == floor(value);
}

static swq_status check_pareto(swq_context *ctx, const char *what, const swq_spread *s)
{
    const double most = SWQ_MAX_MESSAGE / 2.0; /* or most of the distribution would be cut off */

    if (!(s->first >= 1 && s->first <= most))
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s must be Pareto's with a mean from 1 to %.0f, not %.15g", what, most,
                        s->first);
    if (!(s->second > 1 && s->second <= SWQ_MAX_SHAPE))
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s must be Pareto's with a shape above 1, or its mean is infinite, and up "
                        "to %d, not %.15g",
                        what, SWQ_MAX_SHAPE, s->second);
    return SWQ_OK;
}

swq_status swq_spread_check(swq_context *ctx, const char *what, const swq_spread *s, double least,
                            double most)
{
    switch (s->kind) {
    case SWQ_CONSTANT:
        if (s->first >= least && s->first <= most && whole(s->first))
            return SWQ_OK;
        return swq_fail(ctx, SWQ_EINVAL, "%s must be a whole number from %.0f to %.0f, not %.15g",
                        what, least, most, s->first);
    case SWQ_UNIFORM:
        if (s->second < s->first)
            return swq_fail(ctx, SWQ_EINVAL,
                            "%s must be from one number to another that is no less, not from %.15g "
                            "to %.15g",
                            what, s->first, s->second);
        if (s->first >= least && s->second >= s->first && s->second <= most && whole(s->first) &&
            whole(s->second))
            return SWQ_OK;
        return swq_fail(
            ctx, SWQ_EINVAL,
            "%s must be uniform over whole numbers from %.0f to %.0f, not from %.15g to %.15g",
            what, least, most, s->first, s->second);
    case SWQ_GEOMETRIC:
        if (s->second >= least && whole(s->second) && s->second <= 1 && s->first >= s->second &&
            s->first <= most)
            return SWQ_OK;
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s must be geometric with a mean from %.0f to %.0f, not %.15g", what,
                        s->second > least ? s->second : least, most, s->first);
    case SWQ_PARETO:
        return check_pareto(ctx, what, s);
    }
    return swq_fail(ctx, SWQ_EINVAL, "%s must be constant, uniform, geometric or Pareto", what);
}

double swq_spread_link_time(const swq_spread *s, int max_packet, int link_rest)
{
    double packets = 0, m = max_packet;

    if (s->kind == SWQ_CONSTANT) {
        packets = ceil(s->first / m);
    } else if (s->kind == SWQ_UNIFORM) {
        /* the sum of ceil(x / m) for x up to n: whole runs of m, and the rest */
        double sum[2], end[2] = {s->first - 1, s->second};
        for (int k = 0; k < 2; k++) {
            double runs = floor(end[k] / m), rest = end[k] - runs * m;
            sum[k] = m * runs * (runs + 1) / 2 + rest * (runs + 1);
        }
        packets = (sum[1] - sum[0]) / (s->second - s->first + 1);
    } else if (s->kind == SWQ_PARETO) {
        packets = swq_pareto_parts(s, m);
    } else { /* the sum over k of P(length > k m), for lengths from `second` on */
        double beyond = s->first - s->second, q = beyond / (1 + beyond);
        packets = beyond > 0 ? 1 + pow(q, m + 1 - s->second) / (1 - pow(q, m)) : 1;
    }
    return swq_spread_mean(s) + packets * link_rest;
}

/* ---- words ---- */

static bool all_digits(const char *text, size_t length, double *value)
{
    *value = strtod(text, NULL);
    return length > 0 && length <= 10 && strspn(text, "0123456789") == length;
}

static bool a_number(const char *text, size_t length, double *value)
{
    char *end;

    *value = strtod(text, &end);
    return length > 0 && end == text + length && strspn(text, "0123456789.eE+-") >= length;
}

static swq_status parse_pareto(swq_context *ctx, const char *what, const char *text,
                               swq_spread *spread)
{
    const size_t mean = strcspn(text, ":");

    *spread = (swq_spread){.kind = SWQ_PARETO};
    if (text[mean] && a_number(text, mean, &spread->first) &&
        a_number(text + mean + 1, strlen(text + mean + 1), &spread->second))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--%s: a Pareto distribution is pareto:MEAN:SHAPE, two numbers, not "
                    "'pareto:%.60s'",
                    what, text);
}

swq_status swq_spread_parse(swq_context *ctx, const char *option, const char *text, double least,
                            swq_spread *spread)
{
    static const char *const kinds[] = {"constant:", "uniform:", "geometric:", "pareto:"};
    const char *at = text;
    int kind = -1;

    for (int i = 0; i < 4; i++) {
        if (strncmp(text, kinds[i], strlen(kinds[i])) == 0) {
            kind = i;
            at = text + strlen(kinds[i]);
        }
    }
    if (kind == 3)
        return parse_pareto(ctx, option, at, spread);
    *spread = (swq_spread){SWQ_GEOMETRIC, 0, least};
    if (kind == 2) {
        if (a_number(at, strlen(at), &spread->first))
            return SWQ_OK;
        return swq_fail(ctx, SWQ_EINVAL, "--%s: the mean must be a number, not '%.60s'", option,
                        at);
    }
    const size_t first = strcspn(at, "-"), rest = at[first] ? strlen(at + first + 1) : 0;
    const bool range = at[first] == '-';
    *spread = (swq_spread){range ? SWQ_UNIFORM : SWQ_CONSTANT, 0, 0};
    if ((kind < 0 || kind == (int)range) && all_digits(at, first, &spread->first) &&
        (!range || all_digits(at + first + 1, rest, &spread->second)))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--%s must be a whole number, from-to, geometric:MEAN or pareto:MEAN:SHAPE, "
                    "not '%.60s'",
                    option, text);
}

swq_status swq_spread_read(swq_context *ctx, const char *option, const char *text, double least,
                           double most, swq_spread *spread)
{
    char what[90];
    const swq_status status = swq_spread_parse(ctx, option, text, least, spread);

    snprintf(what, sizeof what, "--%s", option);
    return status ? status : swq_spread_check(ctx, what, spread, least, most);
}

void swq_spread_words(const swq_spread *s, char *text, size_t size)
{
    if (s->kind == SWQ_UNIFORM)
        snprintf(text, size, "%.0f-%.0f", s->first, s->second);
    else if (s->kind == SWQ_GEOMETRIC)
        snprintf(text, size, "geometric:%.10g", s->first);
    else if (s->kind == SWQ_PARETO)
        snprintf(text, size, "pareto:%.10g:%.10g", s->first, s->second);
    else
        snprintf(text, size, "%.0f", s->first);
}
