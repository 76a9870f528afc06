/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that regional explicit congestion notification needs in a switch, with queues at inputs
 * and outputs, and in the form for input queues alone.
 * Source: Mora, Garcia, Flich and Duato, RECN-IQ, ICPP 2007, section 2.1.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

void swq_recn_slots(double ports, double aside, double detection, double xoff, double *both,
                    double *input)
{
    const double set_aside = aside * xoff;

    /* an input has a detection queue per output, an output has one queue, and both have set-aside
     * queues */
    *both = ports * (ports * detection + set_aside) + ports * (detection + set_aside);
    *input = ports * (detection + set_aside);
}

static swq_status evaluate(swq_context *ctx, const swq_argument *a, double *result)
{
    const double ports = a[0].value;

    (void)ctx;
    swq_recn_slots(ports, a[1].value, a[2].value, a[3].value, &result[0], &result[1]);
    result[2] = result[0] / result[1];
    result[3] = ports * ports;
    result[4] = ports;
    return SWQ_OK;
}

const swq_formula swq_formula_recn_memory = {
    .name = "recn-memory",
    .family = "memory",
    .summary = "slots for congestion notification, with output queues and without",
    .assumptions = "round trips shorter than a packet",
    .source = "Mora, Garcia, Flich and Duato, RECN-IQ, 2.1",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            {.name = "aside",
             .summary = "set-aside queues of a port",
             .least = 0,
             .most = 1024,
             .usual = 4,
             .whole = true},
            {.name = "detection",
             .summary = "packets in a queue at which congestion is noticed",
             .least = 1,
             .most = 1e6,
             .usual = 2,
             .whole = true},
            {.name = "xoff",
             .summary = "packets in a set-aside queue at which it is stopped",
             .least = 1,
             .most = 1e6,
             .usual = 2,
             .whole = true},
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"slots_recn", "of a switch with queues at inputs and outputs", "slots", NULL},
            {"slots_recn_iq", "of a switch with queues at inputs alone", "slots", NULL},
            {"factor", "of the first over the second", NULL, "memory_ratio"},
            {"detection_recn", "detection queues of the first", "slots", NULL},
            {"detection_recn_iq", "detection queues of the second", "slots", NULL},
        },
    .results = 5,
    .evaluate = evaluate,
};
