/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network of `switchq sim` from options that stand in a file instead of the command line.
 */
#ifndef SWQ_CLI_QUESTION_H
#define SWQ_CLI_QUESTION_H

#include "switchq/figures.h"

/* An option without its dashes, and its value; "true" for a flag. */
typedef struct cli_setting {
    const char *option, *value;
} cli_setting;

enum { CLI_MOST_SETTINGS = 64 };

/* Reads and checks the network, of either engine, with its traffic. An option given twice has its
 * last value, but --group adds a group each time. On any thread. Errors: SWQ_EINVAL naming the
 * option; SWQ_ENOMEM. */
swq_status cli_setting_read(swq_context *ctx, const cli_setting *setting, int settings,
                            swq_figure_setting *to);

/* The same from words, "--topology torus --dims 4x4 ...", at most CLI_MOST_SETTINGS of them. */
swq_status cli_setting_words(swq_context *ctx, const char *words, swq_figure_setting *to);

#endif
