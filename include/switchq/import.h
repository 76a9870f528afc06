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

/* How the numbers of a file are meant. Zeroed: probabilities, and the rewards beside the chain. */
typedef struct swq_import_options {
    const char *rewards; /* file of rewards: PRISM's .srew, whose states always count from 0, or one
                            number per line and state; NULL: the companion of the chain, if any */
    bool rates;          /* the numbers are rates of a chain in continuous time */
    double normalise;    /* rows may sum to anything within this distance of one; 0 to 1; below
                            1e-9: 1e-9 */
} swq_import_options;

/* A chain read from files. Its probabilities are the numbers in the files, each row divided by its
 * sum. */
typedef struct swq_imported {
    swq_csr p;         /* square, rows scaled to sum to one, no entry zero; of rates, the chain of
                          jumps (the embedded chain) */
    double *hold;      /* [p.rows] mean time until the next jump: 1 / the sum of the rates out of a
                          state; NULL: the chain is in discrete time */
    bool *stays;       /* [p.rows] with hold: no rate leads out of the state. Its row in p is then a
                          one on the diagonal, and its hold is 1; NULL like hold */
    int first;         /* number of the first state in the file: 0 or 1 */
    int64_t roundings; /* each entry of p and reward differs from the exact value by at most this
                          number of relative roundings of 2^-53 */
    double worst_sum;  /* largest distance of a row's sum from one, before scaling; of rates, the
                          largest relative distance of a diagonal entry from minus the sum of the
                          rates out of its state, where the diagonal is given */
    double *reward;    /* [p.rows] reward per step (per unit of time), >= 0; NULL: none given */
    char *reward_name; /* NULL: none given */
    int64_t *named;    /* [p.rows] where in `names` the name of a state begins; NULL: none given */
    char *names;       /* each such as "(0,1)", and ended by a zero byte */
    int labels;
    swq_label *label; /* [labels] */
} swq_imported;

/* One row of the table of formats. `read` fills p before its rows are scaled, and the roundings of
 * its entries; it may fill rewards and labels, too, if the format has them in the same file. */
typedef struct swq_import_format {
    const char *name;
    const char *summary;
    const char *suffix; /* with its dot */
    bool companions;    /* .srew, .sta and .lab files beside it are also read, if they exist */
    swq_status (*read)(swq_context *ctx, const char *path, const swq_import_options *options,
                       swq_imported *chain);
} swq_import_format;

/* All formats, ended by NULL. */
extern const swq_import_format *const swq_import_formats[];

/* The format of the path's suffix. Errors: SWQ_EINVAL naming the suffixes that exist. */
swq_status swq_import_find(swq_context *ctx, const char *path, const swq_import_format **format);

/* Read a chain of at most 2^31 - 1 states. `options` may be NULL. Entries that name the same
 * transition add up; zeros are dropped. Of rates, the diagonal may be left out, be any rate >= 0
 * (which has no effect), or be minus the sum of the rest of its row. The caller clears *chain.
 * Errors, with file and line: SWQ_EIO; SWQ_EINVAL for what is malformed, negative, not finite, out
 * of range, too many or too few, or a row that does not sum to one; SWQ_ERANGE for a rate that is
 * less than 1e-290 of the sum of its row; SWQ_ENOMEM, SWQ_ELIMIT. Cost: O(states + entries) time,
 * at most 44 bytes per entry while reading and 12 afterwards. Sources: PRISM manual, "Explicit
 * Model Files"; R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR
 * 5935, 1996; Storm's documentation, "The DRN file format"; NumPy's documentation, "numpy.lib
 * .format". */
swq_status swq_import_chain(swq_context *ctx, const char *path, const swq_import_options *options,
                            swq_imported *chain);

/* Safe on a zeroed struct. */
void swq_imported_clear(swq_context *ctx, swq_imported *chain);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
