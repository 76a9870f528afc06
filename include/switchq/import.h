/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains from files that other tools wrote: a transition matrix, and with it rewards, labels and
 * names of states where the format has them.
 */
#ifndef SWITCHQ_IMPORT_H
#define SWITCHQ_IMPORT_H

#include "switchq/csr.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A set of states. */
typedef struct swq_label {
    char *name;
    int64_t states, room;
    int32_t *state; /* [states] ascending */
} swq_label;

/* A chain read from files. Its probabilities are the decimal numbers in the files, each row divided
 * by its sum. */
typedef struct swq_imported {
    swq_csr p;         /* square, rows scaled to sum to one, no entry zero */
    int first;         /* number of the first state in the file: 0 or 1 */
    int64_t roundings; /* each entry of p and reward differs from the exact value by at most this
                          number of relative roundings of 2^-53 */
    double worst_sum;  /* largest distance of a row's sum from one, before scaling */
    double *reward;    /* [p.rows] reward per step, >= 0; NULL: none given */
    char *reward_name; /* NULL: none given */
    int64_t *named;    /* [p.rows] where in `names` the name of a state begins; NULL: none given */
    char *names;       /* each such as "(0,1)", and ended by a zero byte */
    int labels;
    swq_label *label; /* [labels] */
} swq_imported;

/* One row of the table of formats. `read` fills p before its rows are scaled, and the roundings of
 * its entries. */
typedef struct swq_import_format {
    const char *name;
    const char *summary;
    const char *suffix; /* with its dot */
    int first;          /* number of the first state */
    bool companions;    /* .srew, .sta and .lab files beside it are also read, if they exist */
    swq_status (*read)(swq_context *ctx, const char *path, swq_imported *chain);
} swq_import_format;

/* All formats, ended by NULL. */
extern const swq_import_format *const swq_import_formats[];

/* The format of the path's suffix. Errors: SWQ_EINVAL naming the suffixes that exist. */
swq_status swq_import_find(swq_context *ctx, const char *path, const swq_import_format **format);

/* Read a chain of at most 2^31 - 1 states. `rewards` is a file of rewards: PRISM's .srew, whose
 * states always count from 0, or one number per line and state; NULL: the companion of `path`, if
 * any. Entries that name the same transition add up; zeros are dropped. The caller clears *chain.
 * Errors, with file and line: SWQ_EIO; SWQ_EINVAL for what is malformed, negative, not finite, out
 * of range, too many or too few, or a row that does not sum to one within 1e-9; SWQ_ENOMEM,
 * SWQ_ELIMIT. Cost: O(states + entries) time, at most 44 bytes per entry while reading and 12
 * afterwards. Sources: PRISM manual, "Explicit Model Files"; R. Boisvert, R. Pozo, K. Remington,
 * The Matrix Market Exchange Formats, NISTIR 5935, 1996. */
swq_status swq_import_chain(swq_context *ctx, const char *path, const char *rewards,
                            swq_imported *chain);

/* Safe on a zeroed struct. */
void swq_imported_clear(swq_context *ctx, swq_imported *chain);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
