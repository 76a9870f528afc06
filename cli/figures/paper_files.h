/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the files of a paper: trees of YAML (paper_tree.c), and what a figure has in them: axes,
 * lines and their networks (paper_lines.c), or panels of questions (paper_asked.c), and curves,
 * printed numbers, lengths of runs and claims (paper_claims.c).
 */
#ifndef SWQ_CLI_PAPER_FILES_H
#define SWQ_CLI_PAPER_FILES_H

#include "study/tree.h"
#include "validate/figures/figures.h"

/* ---- a tree ---- */

typedef struct cli_paper_tree {
    swq_context *ctx;
    swq_arena arena;
    const char *path;               /* for messages */
    const swq_node *figure, *paper; /* the two files; the second may be NULL */
} cli_paper_tree;

/* Fails with the line of a node, `what` and, if it is not NULL, a text in quotes: SWQ_EINVAL. */
swq_status cli_paper_complain(const cli_paper_tree *t, const swq_node *node, const char *what,
                              const char *text);

/* A key of the figure or, if it has none, of its paper; NULL: neither has. */
const swq_node *cli_paper_key_of(const cli_paper_tree *t, const char *key);

/* Read a node, or what a map has at a key, if it is there. In a text "$NAME" alone stands for a
 * text among the paper's `words`. Errors: SWQ_EINVAL. */
swq_status cli_paper_text_at(const cli_paper_tree *t, const swq_node *node, const char **text);
swq_status cli_paper_text_of(const cli_paper_tree *t, const swq_node *map, const char *key,
                             const char **text);
swq_status cli_paper_number_at(const cli_paper_tree *t, const swq_node *node, double *number);
swq_status cli_paper_number_of(const cli_paper_tree *t, const swq_node *map, const char *key,
                               double *number);

/* Refuse a node of another kind, and keys that mean nothing (keys: ended by NULL): SWQ_EINVAL. */
swq_status cli_paper_need(const cli_paper_tree *t, const swq_node *node, swq_node_kind kind,
                          const char *what);
swq_status cli_paper_known_keys(const cli_paper_tree *t, const swq_node *map,
                                const char *const *keys);

/* Memory that lives as long as the tree; NULL: there is none. */
void *cli_paper_take(cli_paper_tree *t, int count, size_t size);

/* ---- a figure ---- */

typedef struct cli_paper_reader {
    swq_figure_kind kind; /* first, so that its address is the paper's */
    swq_figure_plan plan;
    cli_paper_tree tree;
    bool equal_all;
} cli_paper_reader;

/* Each reads one part of a figure. Errors: SWQ_EINVAL, SWQ_ENOMEM. */
swq_status cli_paper_axis(cli_paper_reader *r);
swq_status cli_paper_panels(cli_paper_reader *r);
swq_status cli_paper_cells(cli_paper_reader *r);
swq_status cli_paper_values(cli_paper_reader *r);
swq_status cli_paper_lines(cli_paper_reader *r);
swq_status cli_paper_curves(cli_paper_reader *r);
swq_status cli_paper_printed(cli_paper_reader *r, const char *text);
swq_status cli_paper_run(cli_paper_reader *r);
swq_status cli_paper_claims(cli_paper_reader *r);

/* A figure with `asks` in place of all these: its points are answers (paper_asked.c). */
swq_status cli_paper_asked(cli_paper_reader *r);

#endif
