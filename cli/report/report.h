/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: the types and functions that its files share. A report is a list of blocks, each
 * the answer to one question, and a page that shows them. An answer is kept as a file of its own,
 * so that an interrupted report goes on where it stopped.
 */
#ifndef SWQ_CLI_REPORT_H
#define SWQ_CLI_REPORT_H

#include "cli/answer.h"
#include "cli/print/html.h"

enum { CLI_BLOCK_WORDS = 6, CLI_MOST_BLOCKS = 96 };

/* The sections of the page, in order. */
typedef enum cli_section {
    CLI_SECTION_EXPLORER,
    CLI_SECTION_TABLES,
    CLI_SECTION_FIGURES,
    CLI_SECTION_LEAGUE,
    CLI_SECTION_CHECKS
} cli_section;
enum { CLI_SECTIONS = CLI_SECTION_CHECKS + 1 };
extern const char *const cli_section_words[]; /* "explorer", "tables", ..; NULL ends it */

typedef struct cli_block {
    char id[24]; /* such as "table-4.1": the block's name in the page, and the name of its answer's
                    file */
    cli_section section;
    char title[160];
    /* the question; none for the explorer, which is computed directly */
    char word[CLI_BLOCK_WORDS][24];
    int words;
    bool asked; /* part of this report; else only mentioned */
    /* The answer and its origin; NULL if there is none, for the reason `why`. */
    cJSON *record;
    char why[512];
    bool reused;
} cli_block;

typedef struct cli_report_run {
    const char *folder;
    const char *threads; /* as given, or NULL */
    bool full, again;
    char program[20]; /* a digest of the running program */
    cJSON *machine;
    cli_block block[CLI_MOST_BLOCKS];
    int blocks;
} cli_report_run;

/* ---- where numbers come from: cli/report/machine.c ---- */

/* {"cpu":..,"cores":..,"memory":..,"system":..,"kernel":..,"compiler":..}, as far as known. */
cJSON *cli_machine(void);

/* A digest of the running program's file as 16 hexadecimal digits; "" if it cannot be read. */
void cli_program_digest(char text[20]);

/* ---- answers: cli/report/answers.c ---- */

/* Reads block->record from its file, if that file has the answer of the same program to the same
 * question. */
void cli_answer_reuse(swq_context *ctx, const cli_report_run *run, cli_block *block);

/* Asks, and keeps the answer in its file. An interrupted question leaves no record, but `why`.
 * Errors: SWQ_EIO if the file cannot be written; SWQ_ENOMEM. */
swq_status cli_answer_obtain(swq_context *ctx, const cli_report_run *run, cli_block *block);

/* The answer itself; NULL if there is none. */
static inline const cJSON *cli_block_answer(const cli_block *block)
{
    return cJSON_GetObjectItemCaseSensitive(block->record, "answer");
}

/* The question as a command line. */
void cli_block_line(const cli_block *block, char *text, size_t size);

/* ---- the explorer: cli/report/explorer.c ---- */

/* The recording as a tree, "switchq/explorer/1". Errors: SWQ_ENOMEM, SWQ_ECANCELLED. */
swq_status cli_explorer_record(swq_context *ctx, cJSON **tree);

/* ---- sections: cli/report/tables.c, ... ---- */

/* Outcomes of the comparisons in a block. */
typedef struct cli_score {
    int agree, known, open, differ, all; /* all: 0 if nothing is compared */
} cli_score;

/* Counts an outcome, whose class in the page begins with the first letter of agree, known, open or
 * differ. */
static inline void cli_score_add(cli_score *s, const char *class)
{
    s->all++;
    s->agree += *class == 'a';
    s->known += *class == 'k';
    s->open += *class == 'o';
    s->differ += *class == 'd';
}

typedef struct cli_section_writer {
    const char *title, *lead;
    swq_status (*write)(swq_context *ctx, FILE *to, const cli_block *block);
    cli_score (*score)(const cJSON *answer); /* NULL: nothing is compared */
    struct {
        const char *unit, *agree, *known, *open, *differ; /* "cells", "agree", ... */
    } word;
} cli_section_writer;

extern const cli_section_writer cli_section_explorer, cli_section_tables, cli_section_figures,
    cli_section_league, cli_section_checks;

const cli_section_writer *cli_section_of(const cli_block *block);
cli_score cli_block_score(const cli_block *block);

/* ---- the page: cli/report/page.c ---- */

swq_status cli_report_page(swq_context *ctx, const cli_report_run *run, FILE *to);

#endif
