/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question of `switchq sim` in the making: the settings of a BookSim configuration become
 * options.
 */
#ifndef SWQ_CLI_BOOKSIM_QUESTION_H
#define SWQ_CLI_BOOKSIM_QUESTION_H

#include "cli/booksim/settings.h"
#include "cli/options/arguments.h"

typedef struct booksim_question {
    swq_context *ctx;
    const char *path;
    const booksim_values *values;
    const struct poptOption *table; /* options that the command line gives are left out */
    cli_arguments *to;
    bool is_refused[BOOKSIM_MOST_ROWS];
    int refused; /* settings that were refused, each with a note */
    swq_status status;
} booksim_question;

/* The value of a setting, as text; as a whole number from `least` to `most`; or as a number. Other
 * text is refused, and the result is `least`, or 0. */
const char *booksim_text(const booksim_question *q, const char *name);
int booksim_whole(booksim_question *q, const char *name, int least, int most);
double booksim_number(booksim_question *q, const char *name);

/* Is the setting that text? */
bool booksim_is(const booksim_question *q, const char *name, const char *text);

/* Refuses the value of a setting, with a note that says why; or says more about it. Neither, if the
 * command line has an option in its place. */
void booksim_refuse(booksim_question *q, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void booksim_remark(const booksim_question *q, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds an option with a value, unless the command line has it. */
void booksim_add(booksim_question *q, const char *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- parts of a question: each reads its settings, and adds its options ---- */

/* What the traffic has to know of a topology. */
typedef struct booksim_shape {
    double nodes;      /* 0: refused, or another one on the command line */
    bool own;          /* do nodes of BookSim send packets to themselves that have no way here? */
    bool dimensions;   /* of k nodes each: digits of nodes are patterns */
    bool other_places; /* do nodes have other numbers here? */
} booksim_shape;

/* The topology with its routing. */
booksim_shape booksim_topology(booksim_question *q);

/* The traffic, with its load. */
void booksim_traffic(booksim_question *q, const booksim_shape *shape);

#endif
