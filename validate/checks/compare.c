/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing numbers.
 */
#include "validate/checks/compare.h"

#include <math.h>
#include <stdio.h>

double swq_apart(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    double apart = fabs(a - b) / fmax(fabs(a), fabs(b));
    return isnan(apart) ? INFINITY : apart;
}

void swq_compare(swq_finding *f, const char *what, double left, double right)
{
    double off = swq_apart(left, right);

    if (!isnan(f->off) && off <= f->off)
        return;
    f->off = off;
    f->left = left;
    f->right = right;
    snprintf(f->text, sizeof f->text, "%s", what);
}

void swq_compare_answers(swq_finding *f, const swq_answers *a, const swq_answers *b, int ports)
{
    swq_compare(f, "throughput", a->throughput.value, b->throughput.value);
    swq_compare(f, "discard probability", a->discard.value, b->discard.value);
    swq_compare(f, "refusal probability", a->refusal, b->refusal);
    swq_compare(f, "mean packets", a->mean_packets, b->mean_packets);
    swq_compare(f, "mean delay", a->mean_delay, b->mean_delay);
    swq_compare(f, "packets held", a->mean_held, b->mean_held);
    swq_compare(f, "saturation throughput", a->saturation.value, b->saturation.value);
    for (int p = 0; p < ports; p++) {
        swq_compare(f, "refusals of an input", a->refusal_input[p], b->refusal_input[p]);
        swq_compare(f, "throughput of an output", a->throughput_output[p], b->throughput_output[p]);
        swq_compare(f, "waiting for an output", a->waiting_output[p], b->waiting_output[p]);
    }
    for (int k = 0; k < a->buffers * (a->capacity + 1); k++)
        swq_compare(f, "occupancy", a->occupancy[k], b->occupancy[k]);
}

void swq_judge(swq_finding *f, double allowed)
{
    f->allowed = allowed;
    f->outcome = f->off <= allowed ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
}

swq_status swq_skip_reducible(swq_status status, swq_finding *f)
{
    if (status != SWQ_EREDUCIBLE)
        return status;
    f->outcome = SWQ_OUTCOME_SKIPPED;
    snprintf(f->text, sizeof f->text, "the chain has no single stationary distribution");
    return SWQ_OK;
}
