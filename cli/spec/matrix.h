/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers in files: a load for each node, and matrices of traffic.
 */
#ifndef SWQ_CLI_MATRIX_H
#define SWQ_CLI_MATRIX_H

#include "switchq/traffic.h"

enum { CLI_MOST_MATRIX_NODES = 8192 }; /* of a matrix that is written in full */

/* Reads `count` numbers from 0 to 1, separated by blanks, commas or line ends; # starts a comment.
 * *numbers: to be freed with free. Errors: SWQ_EINVAL naming --OPTION and the file, SWQ_EIO,
 * SWQ_ENOMEM, SWQ_ECANCELLED. */
swq_status cli_numbers_read(swq_context *ctx, const char *option, const char *path, size_t count,
                            double **numbers);

/* A matrix of traffic from a file, in one of two forms: in full, or without its zeros. */
typedef struct cli_matrix {
    char *path;
    double *dense; /* [nodes * nodes], rows by source; or NULL */
    /* the arrays of `rows`; or NULL */
    uint64_t *first;
    uint32_t *to;
    double *share;
    swq_destinations rows;
    bool noxim;   /* from a table of Noxim */
    double *sent; /* [nodes] of a table of Noxim: packets that a node sends in a cycle; or NULL */
} cli_matrix;

/* What a command takes of a matrix. */
typedef struct cli_matrix_reading {
    const char *option;
    uint32_t nodes;
    bool normalise;       /* divide each row by its sum; a row of zeros stays as it is */
    bool noxim;           /* the file is a table of Noxim, with rates in place of shares */
    bool can_normalise;   /* the command has --normalise, so that a refusal may name it */
    const char *no_selfs; /* the topology in which a node sends nothing to itself; NULL: it may */
} cli_matrix_reading;

/* Reads a file of either form. A matrix: nodes * nodes numbers, separated as above. A list: lines
 * of sender, receiver and share; pairs that are not listed have no share. A file is a list if its
 * first line says "sender,receiver,share", or if each line has three numbers, of which the first
 * two are whole, and there are not nodes * nodes numbers in all. Free with cli_matrix_clear, also
 * after an error. Errors: as above; SWQ_EINVAL also for a row that does not sum to one, to within
 * 1e-9, and with no_selfs for a row that gives a share to its own node and to others. With
 * `normalise` such a share is left out. */
swq_status cli_matrix_read(swq_context *ctx, const cli_matrix_reading *as, const char *path,
                           cli_matrix *matrix);

/* Change the form of a matrix that was read. Errors: SWQ_ENOMEM. */
swq_status cli_matrix_in_full(swq_context *ctx, cli_matrix *matrix);
swq_status cli_matrix_without_zeros(swq_context *ctx, cli_matrix *matrix);

void cli_matrix_clear(cli_matrix *matrix);

#endif
