/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The settings of a BookSim configuration: all that BookSim knows, with their presets; and the file
 * that gives some of them, `NAME = VALUE;`.
 */
#ifndef SWQ_CLI_BOOKSIM_SETTINGS_H
#define SWQ_CLI_BOOKSIM_SETTINGS_H

#include "switchq/context.h"

#include <stdbool.h>

/* What becomes of a setting. */
typedef enum booksim_effect {
    BOOKSIM_ASKED, /* the question has it, or refuses its value */
    BOOKSIM_FIXED, /* only the preset can be translated; `about`: what others would need */
    BOOKSIM_IDLE   /* changes no number: output, or of something that is refused */
} booksim_effect;

typedef struct booksim_row {
    const char *name;
    booksim_effect effect;
    const char *preset;
    const char *about;
    const char *option; /* of sim: if it is given, the setting does not matter; NULL: none */
} booksim_row;

/* All settings, ended by a row without a name. */
extern const booksim_row booksim_rows[];

enum { BOOKSIM_MOST_ROWS = 160, BOOKSIM_VALUE = 2048 };

/* The values of a file, in the order of booksim_rows. */
typedef struct booksim_values {
    char *text; /* of the file, cut into words; the values point into it */
    struct {
        const char *text;
        int line; /* 0: the file does not have it, and `text` is the preset */
    } value[BOOKSIM_MOST_ROWS];
} booksim_values;

/* Reads a file; the caller frees values->text with free(), also after an error. Of a setting that
 * comes twice the last value counts, as in BookSim. Errors: SWQ_EIO; SWQ_EINVAL, with the line, for
 * what is not NAME = VALUE; or a name that BookSim does not know. */
swq_status booksim_read(swq_context *ctx, const char *path, booksim_values *values);

/* The place of a setting in the rows; it must be there. */
int booksim_place(const char *name);

#endif
