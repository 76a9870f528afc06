/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both schedules send in a phase, as a number, and what it gains, costs and weighs: the only
 * part of the search that knows the objective and the values of packets.
 */
#include "worst/search.h"

int swq_worst_phases(const swq_worst_spec *spec)
{
    const bool valued = swq_worst_valued(spec);

    return swq_shipments(valued, spec->queues * spec->speedup) *
           swq_shipments(valued, spec->queues);
}

void swq_worst_number_phases(swq_worst_search *s)
{
    const bool valued = swq_worst_valued(s->spec);
    const int most = s->spec->queues, low = swq_worst_worth(s->spec, 0);
    const int more = swq_worst_worth(s->spec, valued) - low;

    s->shipments = swq_shipments(valued, most);
    for (int r = 0; r <= most * s->spec->speedup; r++)
        for (int r_high = 0; r_high <= (valued ? r : 0); r_high++)
            for (int o = 0; o <= most; o++)
                for (int o_high = 0; o_high <= (valued ? o : 0); o_high++) {
                    const int rule = r * low + r_high * more, optimum = o * low + o_high * more;
                    const int phase = swq_shipment(valued, r, r_high) * s->shipments +
                                      swq_shipment(valued, o, o_high);
                    s->gain[phase] = swq_worst_gain(s->spec, rule, optimum);
                    s->cost[phase] = swq_worst_cost(s->spec, rule);
                }
}

void swq_worst_set_ratio(swq_worst_search *s, int64_t numerator, int64_t denominator)
{
    s->numerator = numerator;
    s->denominator = denominator;
    for (int k = 0; k < SWQ_WORST_PHASES; k++)
        s->weight[k] = denominator * s->gain[k] - numerator * s->cost[k];
}
