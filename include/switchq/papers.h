/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed tables as data, and their regeneration.
 */
#ifndef SWITCHQ_PAPERS_H
#define SWITCHQ_PAPERS_H

#include "switchq/exact.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SWQ_TABLE_4_1_ROWS = 22,
    SWQ_TABLE_4_1_LOADS = 8,
    SWQ_TABLE_4_1_CELLS = SWQ_TABLE_4_1_ROWS * SWQ_TABLE_4_1_LOADS
};

/* How a printed percentage of one decimal relates to the exact value. */
typedef enum swq_agreement {
    SWQ_DIFFERS,
    SWQ_TRUNCATED,           /* equal to the exact value truncated */
    SWQ_ROUNDED,             /* equal to the exact value rounded */
    SWQ_TRUNCATED_OR_ROUNDED /* the two are the same here */
} swq_agreement;

/* One cell of Table 4.1: packets discarded by a 2x2 switch. */
typedef struct swq_table_4_1_cell {
    const char *buffer; /* name of a preset */
    int slots;          /* packets per input port */
    double load;
    const char *printed; /* percent, as printed: "8.7", or "0+" for above zero and below 0.1 */
    swq_mean computed;   /* fraction of the packets, with its proven bounds */
    swq_agreement agreement;
} swq_table_4_1_cell;

/* What may be varied to show what a choice does. */
typedef struct swq_table_4_1_options {
    const swq_arbiter *arbiter;
    swq_pool_rule pool_rule;
    swq_exact_options exact;
} swq_table_4_1_options;

/* The rules that reproduce the print: random arbiter, inputs first; pool rule PORTS. */
swq_table_4_1_options swq_table_4_1_defaults(void);

/* Regenerate Table 4.1 of W. Frazier's dissertation (UCLA, 1995), row by row as printed.
 * cell: [SWQ_TABLE_4_1_CELLS]; *agree receives the number of cells that agree, by the rule that a
 * printed percentage equals the exact one truncated or rounded to one decimal, and "0+" means above
 * zero and below 0.1 percent. Errors: those of swq_exact_solve. About 0.1 s. */
swq_status swq_table_4_1(swq_context *ctx, const swq_table_4_1_options *options,
                         swq_table_4_1_cell *cell, int *agree);

/* The rule by itself: `printed` against the exact fraction. */
swq_agreement swq_printed_percent_agrees(const char *printed, double fraction);

/* A short word for it: "differs", "truncated", "rounded", "both". */
const char *swq_agreement_text(swq_agreement agreement);

#ifdef __cplusplus
}
#endif
#endif
