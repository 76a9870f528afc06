/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables that were simulated, one a file; table_sim.c runs them.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_TABLE_SIM_H
#define SWQ_VALIDATE_TABLE_SIM_H

#include "switchq/papers.h"

/* The common part of the three tables of blocking switches. */
#define BLOCKING                                                                                   \
    "a source holds one packet and draws the next gap when it has entered; a slot freed in a "     \
    "cycle can be taken in the next one"

/* Text: the causes that were tried for Table 4.3 as a whole, and for the figures and the table of
 * the same runs. */
extern const char swq_paper_blocking[];

extern const swq_paper_table swq_table_4_2, swq_table_4_3, swq_table_4_4, swq_table_5_1;

/* The network of a row at full load. Errors: those of a bad row. */
swq_status swq_paper_network(swq_context *ctx, const swq_paper_table *table,
                             const swq_paper_options *options, const swq_paper_row *row,
                             swq_network *network);

#endif
