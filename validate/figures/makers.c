/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures that functions make, and words of results.
 */
#include "validate/figures/makers.h"

#include <math.h>

const figure_maker figure_makers[] = {
    {"6.2", figure_make_6_2, false},     {"6.10", figure_make_6_10, true},
    {"6.11", figure_make_6_11, true},    {"6.12", figure_make_6_12, true},
    {"000.1", figure_make_000_1, false}, {"002.5", figure_make_002_5, false},
    {"002.6", figure_make_002_6, false}, {0},
};

char swq_figure_map_letter(double difference)
{
    double size = fabs(difference);

    return size < 1 ? '=' : difference > 0 ? size < 8 ? 'p' : 'P' : size < 8 ? 'n' : 'N';
}

const char *swq_claim_verdict_text(swq_claim_verdict verdict)
{
    static const char *const text[] = {"holds", "holds in part", "does not hold", "cannot be told"};
    return text[verdict];
}

const char *swq_printed_verdict_text(swq_printed_verdict verdict)
{
    static const char *const text[] = {"agrees", "differs", "not judged", "not run"};
    return text[verdict];
}
