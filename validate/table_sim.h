/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The printed tables, which are files of papers/frazier1995; table_4_1.c solves one, and
 * table_sim.c runs the others.
 */
#ifndef SWQ_VALIDATE_TABLE_SIM_H
#define SWQ_VALIDATE_TABLE_SIM_H

#include "switchq/papers.h"

/* Made from papers/frazier1995 by tables.awk, as swq_paper_tables is. */
extern const swq_paper_table swq_table_4_2, swq_table_4_3, swq_table_4_4, swq_table_5_1;

/* The print of Table 4.1: packets discarded, in percent. Nothing is computed from it. */
typedef struct swq_table_4_1_row {
    const char *buffer;
    int slots;
    const char *percent[SWQ_TABLE_4_1_LOADS];
} swq_table_4_1_row;
extern const swq_table_4_1_row swq_table_4_1_print[SWQ_TABLE_4_1_ROWS];
extern const double swq_table_4_1_load[SWQ_TABLE_4_1_LOADS];

/* The 2x2 switch of Table 4.1, solved. Free the answers with swq_answers_clear if the status is
 * SWQ_OK or SWQ_ECONVERGE. Errors: those of swq_exact_solve. */
swq_status swq_table_4_1_solve(swq_context *ctx, const swq_table_4_1_options *options,
                               const char *buffer, int slots, double load, swq_answers *answers);

/* The network of a row at full load. Errors: those of a bad row. */
swq_status swq_paper_network(swq_context *ctx, const swq_paper_table *table,
                             const swq_paper_options *options, const swq_paper_row *row,
                             swq_network *network);

#endif
