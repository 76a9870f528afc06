/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of a question: the fields of an answer's model that do not go without saying, and the
 * options that were given, each as the row of its parameter reads. Headers of answers, tables of
 * ranges and titles of plots and pages are made of these words.
 */
#ifndef SWQ_CLI_QUESTION_WORDS_H
#define SWQ_CLI_QUESTION_WORDS_H

#include "cli/record/record.h"

struct poptOption;

enum { CLI_MOST_PHRASES = 96, CLI_PHRASE = 200, CLI_QUESTION_WORDS = 2400 };

/* "damq", "4 slots per input port", ...: a phrase for each parameter, with its option. */
typedef struct cli_question_words {
    int count;
    const char *option[CLI_MOST_PHRASES]; /* NULL: a fact that no option sets, such as nodes */
    char phrase[CLI_MOST_PHRASES][CLI_PHRASE];
} cli_question_words;

/* The options among which the words look for rows and for what was given: those of the command that
 * was read last. */
void cli_question_table(const struct poptOption *table);

/* The words of the answer `root`, while the options are set as for its question. */
void cli_question_phrases(const cli_record *root, cli_question_words *words);

/* Keeps phrases that the words of another answer have, too. */
void cli_question_keep(cli_question_words *words, const cli_question_words *other);

/* Drops the phrase of an option. */
void cli_question_drop(cli_question_words *words, const char *option);

/* "damq, 2 x 2, 4 slots per input port, ..."; returns text. */
const char *cli_question_text(const cli_question_words *words, char *text, size_t size);

/* The words of one answer; returns text. */
const char *cli_question_of(const cli_record *root, char *text, size_t size);

/* Says the words of the answer `of` as a paragraph of `to`. */
void cli_say_question(cli_record *to, const cli_record *of);

#endif
