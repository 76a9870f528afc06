/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of the questions of a study or a comparison, from its database: their options and the
 * models of their answers.
 */
#ifndef SWQ_CLI_SWEEP_WORDS_H
#define SWQ_CLI_SWEEP_WORDS_H

#include "cli/options/words.h"
#include "cli/print/output.h"
#include "study/store.h"

/* What the points that were added have in common. Begin with {0}. */
typedef struct cli_common_words {
    bool any;
    cli_question_words words;
} cli_common_words;

/* Adds a point: its command ("sim", "formula NAME"), its options, and its answer, which may be
 * NULL. Errors: SWQ_ENOMEM. */
swq_status cli_common_words_add(swq_context *ctx, cli_common_words *to, const char *command,
                                const cJSON *options, const cJSON *answer);

#endif
