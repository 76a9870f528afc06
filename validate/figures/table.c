/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures that there are.
 * Room: validate. Includes base.
 */
#include "validate/figures/atlas.h"
#include "validate/figures/bmin.h"
#include "validate/figures/contest.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const swq_figure_kind *const swq_figures[] = {
    &swq_figure_4_1,      &swq_figure_4_2,      &swq_figure_5_1,
    &swq_figure_5_2,      &swq_figure_5_3,      &swq_figure_5_4,
    &swq_figure_5_5,      &swq_figure_5_6,      &swq_figure_5_7,
    &swq_figure_5_8,      &swq_figure_5_9,      &swq_figure_6_1,
    &swq_figure_6_2,      &swq_figure_6_3,      &swq_figure_6_4,
    &swq_figure_6_5,      &swq_figure_6_8,      &swq_figure_6_9,
    &swq_figure_6_10,     &swq_figure_6_11,     &swq_figure_6_12,
    &swq_figures_8[0],    &swq_figures_8[1],    &swq_figures_8[2],
    &swq_figures_8[3],    &swq_figures_8[4],    &swq_figures_8[5],
    &swq_figures_8[6],    &swq_figures_8[7],    &swq_figures_8[8],
    &swq_figures_8[9],    &swq_figures_8[10],   &swq_figures_8[11],
    &swq_figures_8[12],   &swq_figures_8[13],   &swq_figures_8[14],
    &swq_figures_8[15],   &swq_figures_8[16],   &swq_figures_8[17],
    &swq_figures_8[18],   &swq_figures_8[19],   &swq_figures_8[20],
    &swq_figures_8[21],   &swq_figures_8[22],   &swq_figures_8[23],
    &swq_figures_8[24],   &swq_figures_8[25],   &swq_figures_8[26],
    &swq_figures_8[27],   &swq_figures_8[28],   &swq_figures_8[29],
    &swq_figures_8[30],   &swq_figures_8[31],   &swq_figures_8[32],
    &swq_figures_8[33],   &swq_figure_000_1,    &swq_figure_000_6,
    &swq_figure_000_7,    &swq_figures_001[0],  &swq_figures_001[1],
    &swq_figures_recn[0], &swq_figures_recn[1], &swq_figure_002_2,
    &swq_figure_002_3,    &swq_figure_002_5,    &swq_figure_002_6,
    &swq_figures_recn[2], &swq_figures_recn[3], &swq_figures_003[0],
    &swq_figures_003[1],  &swq_figures_003[2],  &swq_figures_003[3],
    &swq_figures_003[4],  &swq_figures_003[5],  NULL,
};

swq_status swq_figure_find(swq_context *ctx, const char *name, const swq_figure_kind **kind)
{
    char known[900] = "";
    size_t length = 0;

    for (int k = 0; swq_figures[k]; k++) {
        if (name && strcmp(swq_figures[k]->name, name) == 0) {
            *kind = swq_figures[k];
            return SWQ_OK;
        }
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", k ? ", " : "",
                                   swq_figures[k]->name);
    }
    if (!name)
        return swq_fail(ctx, SWQ_EINVAL, "which figure? known: %s", known);
    return swq_fail(ctx, SWQ_EINVAL, "figure '%.40s' is not known; known: %s", name, known);
}

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
