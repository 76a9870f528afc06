/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a claim, of which judge.c makes verdicts: its sums (sums.c), and its templates for text
 * (templates.c).
 */
#ifndef SWQ_VALIDATE_FIGURES_JUDGE_H
#define SWQ_VALIDATE_FIGURES_JUDGE_H

#include "validate/figures/figures.h"

enum {
    JUDGE_WORD = 2400,   /* characters of a word, or an argument */
    JUDGE_TEXT = 5000,   /* of a comparison with its variables replaced, and of what was measured */
    JUDGE_READINGS = 16, /* of a comparison */
    JUDGE_PAIRS = 600,   /* of a claim */
    JUDGE_ANSWERS = 32   /* that are kept */
};

/* A quantity of a line that a comparison has read off. */
typedef struct judge_reading {
    const char *name;  /* the line's */
    const char *group; /* "G_0", or "" */
    swq_estimate value;
} judge_reading;

typedef enum judge_operation {
    JUDGE_LESS,
    JUDGE_MORE,
    JUDGE_AT_MOST,
    JUDGE_AT_LEAST,
    JUDGE_SAME,
    JUDGE_IS,
    JUDGE_IN,
    JUDGE_NOT_BELOW,
    JUDGE_OPERATORS
} judge_operation;

/* Both sides of a comparison, at one x. */
typedef struct judge_pair {
    int comparison;
    judge_operation how;
    swq_estimate a, b;
    double allowed; /* "within"; NAN: not said */
    figure_place where;
} judge_pair;

/* The answer to a question; the next comparison often asks the same. */
typedef struct judge_answer {
    char question[JUDGE_TEXT];
    swq_estimate value;
} judge_answer;

typedef struct figure_judge {
    figure_work *f;
    const figure_claim_row *row;
    const char *at;    /* in the text */
    const char *text;  /* of the comparison; or NULL */
    double x;          /* NAN: there is none */
    double confidence; /* of intervals of runs; 0: as usual */
    int run;           /* of "each run"; < 0: readings of stores are means over all runs */
    swq_estimate a, b; /* of the pair that a template is about */
    judge_reading read[JUDGE_READINGS];
    int reads;
    judge_answer answer[JUDGE_ANSWERS];
    int answers;
    judge_pair pair[JUDGE_PAIRS];
    int pairs, comparison;
    figure_tally tally;
    bool quotes; /* the first comparison is with `quoted`, a number of the text */
    double quoted;
    char list[330], each[JUDGE_TEXT]; /* what was read off, and what `shown` makes of it */
} figure_judge;

/* ---- sums.c ---- */

/* Keeps the first mistake of a claim as the figure's status, with the place in the text; returns a
 * missing number. */
swq_estimate figure_judge_wrong(figure_judge *j, const char *what);

void figure_judge_skip(figure_judge *j); /* blanks */

/* Takes a word if the text goes on with it. */
bool figure_judge_takes(figure_judge *j, const char *word);

/* Read and evaluate what comes next: a sum; or a number, a reading or a sum in parentheses. */
swq_estimate figure_judge_sum(figure_judge *j);
swq_estimate figure_judge_primary(figure_judge *j);

/* ---- judge.c ---- */

/* Judges a comparison, with all words of its variables: adds to the tally and to the pairs. */
void figure_judge_comparison(figure_judge *j, const char *text);

/* ---- templates.c ---- */

/* Adds a template, filled in, to `text`; comparison < 0: for the whole claim. */
void figure_judge_fill(figure_judge *j, const char *from, int comparison, char *text, size_t size);

#endif
