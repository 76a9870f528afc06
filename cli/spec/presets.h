/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --preset NAME: the settings of a published study of data-centre switches, as options.
 */
#ifndef SWQ_CLI_PRESETS_H
#define SWQ_CLI_PRESETS_H

#include "cli/cli.h"
#include "cli/options/options.h"

/* A setting: an option with its value, or, if `option` is NULL, what the source has and this
 * program has no option for. `from` says where it was read: a file of the study's public code;
 * "memory" is what is known of a paper that was not at hand. */
typedef struct cli_preset_setting {
    const char *option, *value, *from;
    /* options, separated by blanks, that go in its place if they are given; NULL: only itself */
    const char *instead;
    const char *only_with; /* options of which one must be given; NULL: none */
} cli_preset_setting;

typedef struct cli_preset {
    const char *name, *summary, *source;
    const cli_preset_setting *setting; /* ended by one without a value */
} cli_preset;

extern const cli_preset *const cli_presets[]; /* ended by NULL */

extern struct poptOption cli_preset_options[];

/* The options of the preset that --preset names, except those that the command line replaces.
 * Prints a note with each of them and where it was read, and what is not set. Errors: SWQ_EINVAL
 * for an unknown name; SWQ_ENOMEM. */
extern const cli_translator cli_preset_translator;

#endif
