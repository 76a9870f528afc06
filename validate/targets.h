/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the documents print, as data: validate/targets.csv, which the build turns into this array.
 */
#ifndef SWQ_VALIDATE_TARGETS_H
#define SWQ_VALIDATE_TARGETS_H

/* A printed number or claim. All texts are as in the file; "" if there is none. */
typedef struct swq_target {
    const char *id; /* "F41-001" */
    const char *document, *section, *quantity, *configuration;
    const char *value; /* as printed */
    const char *unit;
    const char *exactness; /* the kind of number, in words */
    const char *notes;
} swq_target;

extern const swq_target swq_targets[];
extern const int swq_target_count;

#endif
