/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of crossbars without buffers: the requests that get through, stage after stage.
 *
 * The inputs of a switch carry requests of sources and for digits of the destination that are
 * disjoint from each other's, so in every stage they are independent, and an output is idle when
 * none of its a inputs wants it: 1 - p' = (1 - p / b)^a.
 * Source: Patel, IEEE Trans. Comput. C-30(10), 1981; Kruskal and Snir, IEEE Trans. Comput.
 * C-32(12), 1983.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

double swq_unbuffered_rate(int inputs, int outputs, int stages, double load, double *rate)
{
    double p = load;

    for (int i = 0; i < stages; i++) {
        p = -expm1(inputs * log1p(-p / outputs));
        if (rate)
            rate[i] = p;
    }
    return p;
}

double swq_unbuffered_asymptote(int ports, int stages, double load)
{
    /* 1/p' = 1/p + (k - 1) / (2k) + O(p), summed over the stages */
    return 1 / (1 / load + (ports - 1) / (2.0 * ports) * stages);
}

static swq_status patel(swq_context *ctx, const swq_argument *argument, double *result)
{
    const int inputs = (int)argument[0].value, stages = (int)argument[2].value;
    const int outputs = argument[1].value > 0 ? (int)argument[1].value : inputs;
    const double load = argument[3].value;
    double rate[SWQ_FORMULA_MOST_STAGES];

    (void)ctx;
    result[0] = swq_unbuffered_rate(inputs, outputs, stages, load, rate);
    /* there are b^m outputs and a^m inputs */
    result[1] = load > 0 ? result[0] / load * pow((double)outputs / inputs, stages) : 1;
    for (int i = 0; i < SWQ_FORMULA_STAGES; i++)
        result[2 + i] = i < stages ? rate[i] : NAN;
    return SWQ_OK;
}

static swq_status kruskal_snir(swq_context *ctx, const swq_argument *argument, double *result)
{
    const double load = argument[2].value;

    (void)ctx;
    result[0] = swq_unbuffered_asymptote((int)argument[0].value, (int)argument[1].value, load);
    result[1] = load > 0 ? result[0] / load : 1;
    return SWQ_OK;
}

const swq_formula swq_formula_patel = {
    .name = "patel",
    .family = "networks without buffers",
    .summary = "throughput of a delta network of crossbars without buffers",
    .assumptions = "uniform requests, each cycle anew and independent; those that lose are dropped",
    .source = "Patel (1981), IEEE Trans. Comput. C-30(10)",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "ports",
             .summary = "inputs of a switch",
             .least = 1,
             .most = 1024,
             .usual = NAN,
             .whole = true},
            {.name = "outputs",
             .summary = "of a switch; 0: as many as inputs",
             .least = 0,
             .most = 1024,
             .usual = 0,
             .whole = true},
            SWQ_PARAMETER_STAGES,
            SWQ_PARAMETER_LOAD,
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"throughput", "packets per cycle and output of the last stage",
             "packets per output and cycle", "throughput"},
            {"accepted", "fraction of the requests that get through", NULL, NULL},
            SWQ_RESULTS_BY_STAGE("rate", "packets per cycle and output of this stage",
                                 "packets per cycle and output"),
        },
    .results = 2 + SWQ_FORMULA_STAGES,
    .evaluate = patel,
};

const swq_formula swq_formula_kruskal_snir = {
    .name = "kruskal-snir",
    .summary = "throughput of a delta network without buffers, for very many stages",
    .assumptions = "those of patel, square switches, many stages or little load",
    .source = "Kruskal and Snir (1983), IEEE Trans. Comput. C-32(12)",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "high, against patel at load 1: 2 x 2 switches by 11% in 3 and 8 stages, 7% in 32; 4 "
             "x 4 by "
             "9, 8 and 4%",
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            SWQ_PARAMETER_STAGES,
            SWQ_PARAMETER_LOAD,
        },
    .parameters = 3,
    .result =
        (const swq_formula_result[]){
            {"throughput", "packets per cycle and output of the last stage",
             "packets per output and cycle", "throughput"},
            {"accepted", "fraction of the requests that get through", NULL, NULL},
        },
    .results = 2,
    .evaluate = kruskal_snir,
};
