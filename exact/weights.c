/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From probabilities of states to answers.
 */
#include "exact/weights.h"

#include "base/context.h"
#include "models/chain_parts.h"
#include "solvers/width.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* One rounding of a sum over states, in units of a double's rounding. */
#define SUMMING (LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1)

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* The occupancies of the buffers of a class were summed at the first buffer of the class: divide
 * them evenly. */
static void share_occupancy(const swq_chain *chain, swq_answers *a)
{
    int members[SWQ_CHAIN_PORTS] = {0}, size = a->capacity + 1;

    for (int b = 0; b < a->buffers; b++)
        members[swq_chain_buffer_class(chain, b)]++;
    for (int b = a->buffers - 1; b >= 0; b--) { /* the first of a class comes last */
        int first = swq_chain_buffer_class(chain, b);
        for (int k = 0; k < size; k++)
            a->occupancy[b * size + k] = a->occupancy[first * size + k] / members[first];
    }
}

swq_status swq_weights_init(swq_context *ctx, const swq_chain *chain, swq_weights *w)
{
    *w = (swq_weights){.weights = swq_chain_buffers(chain) * (swq_chain_capacity(chain) + 1)};
    w->weight = swq_calloc(ctx, (size_t)w->weights, sizeof *w->weight);
    return w->weight ? SWQ_OK : swq_memory_status(ctx);
}

void swq_weights_clear(swq_context *ctx, swq_weights *w)
{
    swq_free(ctx, w->weight);
    w->weight = NULL;
}

static void add_outputs(const swq_chain *chain, const double *pi, swq_weights *w)
{
    const int64_t states = swq_chain_states(chain);
    const int ports = swq_chain_switch(chain)->ports;
    double accepted[SWQ_CHAIN_PORTS], refused[SWQ_CHAIN_PORTS], waiting[SWQ_CHAIN_PORTS];

    for (int64_t s = 0; s < states; s++) {
        swq_chain_outputs(chain, s, accepted, refused, waiting);
        for (int j = 0; j < ports; j++) {
            w->into[j] += (long double)pi[s] * accepted[j];
            w->refused_to[j] += (long double)pi[s] * refused[j];
            w->waiting[j] += (long double)pi[s] * waiting[j];
        }
    }
}

static bool has_classes(const swq_switch *sw)
{
    return sw->priority.fraction > 0 || sw->priority.support != SWQ_SUPPORT_NONE;
}

static void add_classes(const swq_chain *chain, const double *pi, swq_weights *w)
{
    const int64_t states = swq_chain_states(chain);
    swq_chain_class of[SWQ_CLASSES];

    for (int64_t s = 0; s < states; s++) {
        swq_chain_classes(chain, s, of);
        for (int c = 0; c < SWQ_CLASSES; c++) {
            w->in_of[c] += (long double)pi[s] * of[c].accepted;
            w->out_of[c] += (long double)pi[s] * of[c].refused;
            w->packets_of[c] += (long double)pi[s] * of[c].packets;
            w->held_of[c] += (long double)pi[s] * of[c].held;
        }
    }
}

void swq_weights_add(const swq_chain *chain, const double *pi, swq_weights *w)
{
    const swq_switch *sw = swq_chain_switch(chain);
    const int64_t states = swq_chain_states(chain);
    double accepted[SWQ_CHAIN_PORTS], refused[SWQ_CHAIN_PORTS];
    const int buffers = swq_chain_buffers(chain), size = swq_chain_capacity(chain) + 1;

    for (int64_t s = 0; s < states; s++) {
        swq_chain_reception(chain, s, accepted, refused);
        for (int i = 0; i < sw->ports; i++) {
            w->in[i] += (long double)pi[s] * accepted[i];
            w->out[i] += (long double)pi[s] * refused[i];
        }
        int occupancy[SWQ_CHAIN_PORTS];
        w->held += (long double)pi[s] * swq_chain_occupancies(chain, s, occupancy);
        w->behind += (long double)pi[s] * swq_chain_behind(chain, s);
        for (int b = 0; b < buffers; b++) {
            w->weight[swq_chain_buffer_class(chain, b) * size + occupancy[b]] += pi[s];
            w->packets += (long double)pi[s] * occupancy[b];
        }
    }
    add_outputs(chain, pi, w);
    if (has_classes(sw))
        add_classes(chain, pi, w);
}

static void tell_outputs(const swq_switch *sw, const swq_weights *w, swq_answers *a)
{
    for (int j = 0; j < sw->ports; j++) {
        a->throughput_output[j] = (double)w->into[j]; /* all that is accepted is sent */
        a->waiting_output[j] = (double)w->waiting[j];
        a->refusal_output[j] =
            ratio((double)w->refused_to[j], (double)(w->into[j] + w->refused_to[j]));
        a->discard_output[j] = sw->flow == SWQ_DISCARD ? a->refusal_output[j] : 0;
    }
}

static void tell_classes(const swq_switch *sw, const swq_weights *w, swq_answers *a)
{
    for (int c = 0; c < SWQ_CLASSES; c++) {
        swq_class_answers *of = &a->by_class[c];
        const long double in = w->in_of[c], out = w->out_of[c];
        of->refusal = ratio((double)out, (double)(in + out));
        of->discard = sw->flow == SWQ_DISCARD ? of->refusal : 0;
        of->throughput = (double)in / sw->ports; /* all that is accepted is sent */
        of->mean_packets = (double)w->packets_of[c];
        of->mean_held = (double)w->held_of[c];
        of->mean_delay = in > 0 ? 1 + (double)(w->packets_of[c] / in) : NAN;
        of->mean_source_wait = in > 0 ? (double)(w->held_of[c] / in) : NAN;
    }
}

/* Would a sum, or a quotient of sums, lack digits as a double? */
static bool lacks_digits(const swq_weights *w)
{
    const long double *sum = w->in; /* the first of the sums before `weight` */
    bool lacks = false;

    for (size_t k = 0; k < offsetof(swq_weights, weight) / sizeof *sum; k++)
        lacks = lacks || (sum[k] > 0 && sum[k] < SWQ_LEAST);
    for (int k = 0; k < w->weights; k++)
        lacks = lacks || (w->weight[k] > 0 && w->weight[k] < SWQ_LEAST);
    return lacks;
}

swq_status swq_weights_tell(swq_context *ctx, const swq_chain *chain, swq_weights *w,
                            swq_answers *a)
{
    const swq_switch *sw = swq_chain_switch(chain);
    double all_in = 0, all_out = 0;

    a->buffers = swq_chain_buffers(chain);
    a->capacity = swq_chain_capacity(chain);
    a->occupancy = swq_calloc(ctx, (size_t)w->weights, sizeof *a->occupancy);
    if (!a->occupancy)
        return swq_memory_status(ctx);
    if (lacks_digits(w))
        a->relative_error = INFINITY;
    for (int k = 0; k < w->weights; k++)
        a->occupancy[k] = (double)w->weight[k];
    a->mean_packets = (double)(w->packets + w->behind);
    a->mean_behind = (double)w->behind;
    for (int i = 0; i < sw->ports && sw->burst > 1 && sw->flow == SWQ_BLOCK; i++)
        /* a packet that a reception refuses is held by its source afterwards */
        w->held += w->out[i];
    a->mean_held = (double)w->held;
    share_occupancy(chain, a);
    tell_outputs(sw, w, a);
    a->classes = has_classes(sw);
    if (a->classes)
        tell_classes(sw, w, a);
    for (int b = 0; b < a->buffers; b++)
        a->full[b] = a->occupancy[b * (a->capacity + 1) + a->capacity];
    for (int i = 0; i < sw->ports; i++) {
        a->refusal_input[i] = ratio((double)w->out[i], (double)(w->in[i] + w->out[i]));
        a->discard_input[i] = sw->flow == SWQ_DISCARD ? a->refusal_input[i] : 0;
        all_in += (double)w->in[i];
        all_out += (double)w->out[i];
    }
    a->refusal = ratio(all_out, all_in + all_out);
    /* a packet that is pushed out has waited too, and a mean over all packets does not distinguish
       it from packets that were sent
     */
    const bool pushes = swq_admission_loses_stored(swq_buffer_admission(&sw->buffer));
    a->mean_delay = all_in > 0 && !pushes ? 1 + a->mean_packets / all_in : NAN;
    a->mean_source_wait = all_in > 0 ? a->mean_held / all_in : NAN;
    return SWQ_OK;
}

/* The sum of the errors of a weight and of a sum in long double, and of a few roundings of
 * quotients. */
double swq_weighing_error(double pi_error, double roundings, int64_t states)
{
    return 2 * pi_error + 2 * (roundings + 40 + SUMMING * (double)states) * 0x1p-53;
}

/* The enclosed reward is the number of packets refused (discard) or accepted (block) per cycle;
 * both headline figures follow from it. */
void swq_answers_enclose(const swq_switch *sw, const swq_mean *mean, swq_answers *a)
{
    double created = 0, n = sw->ports;

    for (int i = 0; i < sw->ports; i++)
        created += sw->load[i];
    if (sw->flow == SWQ_BLOCK) {
        a->throughput = (swq_mean){mean->value / n, mean->lower / n * (1 - 0x1p-51),
                                   mean->upper / n * (1 + 0x1p-51)};
        return;
    }
    if (created > 0)
        a->discard =
            (swq_mean){mean->value / created, mean->lower / created, mean->upper / created};
    a->throughput =
        (swq_mean){fmax(0, created - mean->value) / n, fmax(0, created - mean->upper) / n,
                   fmax(0, created - mean->lower) / n};
    if (created == 0)
        return;
    /* the sum of the loads, the difference and the quotients round too */
    double slack = (n + 4) * 0x1p-52;
    a->discard.lower *= 1 - slack;
    a->discard.upper = fmin(1, a->discard.upper * (1 + slack));
    if (mean->upper > 0)
        swq_mean_widen(4, &a->discard);
    a->throughput.lower -= slack * created / n;
    a->throughput.upper += slack * created / n;
}

swq_status swq_answers_width(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, swq_answers *a)
{
    const swq_mean *headline = sw->flow == SWQ_BLOCK ? &a->throughput : &a->discard;
    const swq_status status =
        swq_width_check(ctx, a->solver, &options->solving, swq_mean_width(headline));

    a->converged = a->converged && !status;
    return status;
}
