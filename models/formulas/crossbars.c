/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the crossbars of switch architectures cost, in crosspoints of a bit.
 * Source: Sivaram, Stunkel and Panda (1997), section 4, for k x k switches whose links carry f bits
 * at once; of multi-buffer and prizma it says "approximately k^3 f", which is written out here.
 */
#include "models/formulas/formulas.h"

#include <math.h>

enum { PORTS, BITS, MODULES };

static swq_status evaluate(swq_context *ctx, const swq_argument *a, double *result)
{
    const double k = a[PORTS].value, f = a[BITS].value, one = k * k * f;
    double *r = result;

    (void)ctx;
    *r++ = one;
    *r++ = k * one;
    *r++ = (k + 1) * one;
    *r++ = (k + 2) * one;
    *r++ = k + 2;
    *r++ = 3 * one;
    *r++ = 2 * k * a[MODULES].value * f;
    return SWQ_OK;
}

const swq_formula swq_formula_crossbar_cost = {
    .name = "crossbar-cost",
    .summary = "crosspoints that the crossbars of switch architectures take",
    .assumptions = "a crosspoint for each bit that a link carries at once; memory and arbiters not "
                   "counted",
    .source = "Sivaram, Stunkel and Panda (1997), 4",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            {.name = "bits",
             .summary = "of a flit, which a link carries at once",
             .least = 1,
             .most = 4096,
             .usual = 16,
             .whole = true},
            {.name = "modules",
             .summary = "of the shared memory of prizma",
             .least = 1,
             .most = 1e6,
             .usual = 32,
             .whole = true},
        },
    .parameters = 3,
    .result =
        (const swq_formula_result[]){
            {"input_queued_crosspoints", "one crossbar: FIFO, DAMQ and crosspoint buffers, k^2 f",
             "crosspoints", NULL},
            {"multi_buffer_crosspoints", "each of k buffers an input is an input of it: k^3 f",
             "crosspoints", NULL},
            {"hipiqs_input_crosspoints", "k crossbars of k + 1 by k: (k+1) k^2 f", "crosspoints",
             NULL},
            {"hipiqs_crosspoints", "... and the multiplexers of the outputs: (k+2) k^2 f",
             "crosspoints", NULL},
            {"hipiqs_ratio", "how many times that of one crossbar this is", "ratio", NULL},
            {"central_crosspoints",
             "three crossbars, into the memory, out of it, and by it: 3 k^2 f", "crosspoints",
             NULL},
            {"prizma_crosspoints",
             "two crossbars, of the ports to the modules and back: 2 k modules f", "crosspoints",
             NULL},
        },
    .results = 7,
    .evaluate = evaluate,
};
