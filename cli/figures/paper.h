/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Papers as data: figures from the files of papers/, which the program contains, or from a file of
 * the user. docs/papers.md describes the files.
 */
#ifndef SWQ_CLI_PAPER_H
#define SWQ_CLI_PAPER_H

#include "switchq/figures.h"

/* A figure that the program contains: its file, its printed numbers (NULL: none), and the file of
 * its paper, which all figures of the paper share. */
typedef struct cli_paper_figure {
    const char *name, *title;
    const char *text, *printed, *paper;
} cli_paper_figure;

/* All figures, ended by NULL. */
extern const cli_paper_figure *const cli_paper_figures[];

/* All tables whose cells are runs of a plan, in the same way. */
extern const cli_paper_figure *const cli_paper_tables[];

/* Asks the program the questions of a figure (swq_figure_source). */
swq_status cli_paper_answer(swq_context *ctx, const swq_figure_question *question, int count,
                            int threads, swq_figure_answer *to);

/* The source of figures that the program has: their names; "table NAME"; or the path of a file that
 * ends in ".yaml", with paper.yaml and the figure's .csv beside it. */
extern const swq_figure_source cli_papers;

#endif
