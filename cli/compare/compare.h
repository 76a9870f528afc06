/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq compare: what its files share.
 * Room: cli.
 */
#ifndef SWQ_CLI_COMPARE_H
#define SWQ_CLI_COMPARE_H

#include "cli/cost/cost.h"
#include "cli/record/record.h"
#include "compare/judge.h"
#include "study/store.h"
#include "study/tree.h"

/* A quantity by which contestants are judged. */
typedef struct cli_measure {
    const char *name, *summary;
    const char *path; /* in the answer of a simulation */
    bool more_is_better;
} cli_measure;
extern const cli_measure *const cli_measures[]; /* ended by NULL */

/* What must be the same of all contestants. */
typedef struct cli_equal {
    const char *name, *summary, *unit;
    size_t offset; /* in swq_cost, a double; SIZE_MAX: nothing need be */
} cli_equal;
extern const cli_equal *const cli_equals[]; /* ended by NULL */

/* One of the file's named option sets. */
typedef struct cli_option_set {
    const char *name;
    const swq_node *options;
} cli_option_set;

typedef struct cli_comparison {
    swq_context *ctx;
    const char *path;
    char *text;
    swq_arena arena;
    const swq_node *common; /* NULL: none */
    cli_option_set contestant[SWQ_CONTESTANTS], scenario[SWQ_SCENARIOS];
    const cli_measure *measure;
    const cli_equal *equal;
    uint64_t seed;
    int file_repeats; /* as the file has it; contest.repeats may be fewer */
    swq_study *study;
    swq_comparison contest;
    char *reason;  /* [scenarios][contestants][REASON]: why a cell is blank; "": it is not */
    char **words;  /* [points]: command lines, in the order of contest.value */
    double *value; /* [points] */
    int points;
    swq_cost cost[SWQ_CONTESTANTS]; /* ports 0: it could not be costed */
    bool on_front[SWQ_CONTESTANTS];
    swq_store_counts counts;
    bool interrupted, quick;
} cli_comparison;
enum { CLI_REASON = 160 };

char *cli_compare_reason(cli_comparison *c, int scenario, int contestant);

/* ---- cli/compare/read.c ---- */

/* Read the file, and make the study of its points. c: zeroed, but for ctx, path and quick. Errors:
 * SWQ_EIO; SWQ_EINVAL naming file and line; SWQ_ENOMEM. */
swq_status cli_compare_read(cli_comparison *c);
void cli_compare_clear(cli_comparison *c);

/* ---- cli/compare/run.c ---- */

/* Have all points answered that the database lacks, and take the answers. `interrupted` is set
 * where a signal ended it. Must be called before anything else has made threads. */
swq_status cli_compare_run(cli_comparison *c, const char *database, int workers, size_t memory,
                           bool retry);

/* ---- cli/compare/costs.c ---- */

/* What each contestant costs, as it is in the first scenario; and whether they are equal as the
 * file asks. terms: the path of a file, or NULL. Errors: SWQ_EINVAL naming two that are not. */
swq_status cli_compare_cost(cli_comparison *c, const char *terms);

/* ---- cli/compare/show.c ---- */

cli_record *cli_compare_record(const cli_comparison *c);

/* Gain over cost, with those on the front joined. */
swq_status cli_compare_draw(const cli_comparison *c, const char *path);

/* ---- cli/compare/page.c ---- */

swq_status cli_compare_page(const cli_comparison *c, const char *path);

#endif
