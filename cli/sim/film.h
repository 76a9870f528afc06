/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --watch: a run recorded, and shown in a page of its own.
 * Room: cli.
 */
#ifndef SWQ_CLI_FILM_H
#define SWQ_CLI_FILM_H

#include "base/outfile.h"
#include "cli/sim/sim.h"
#include "switchq/fabric.h"
#include "switchq/frames.h"

/* Of which network. */
typedef struct cli_film_of {
    const swq_shape *shape;
    bool pools, output_stores;
    bool bytes;      /* of an asynchronous network: memory is in blocks, throughput in bytes */
    uint32_t marked; /* its hot spot; SWQ_NO_WHERE: it has none */
} cli_film_of;

typedef struct cli_film {
    cli_film_of of;
    bool begun;
    swq_sim_options *options;
    swq_fabric fabric;
    swq_frames frames;
    swq_outfile file;
} cli_film;

/* If --watch asks for it, have the run record frames, and open the file. Errors: SWQ_EINVAL for
 * what cannot be shown; those of swq_outfile_open. */
swq_status cli_film_begin(swq_context *ctx, const cli_film_of *of, swq_sim_options *options,
                          cli_film *film);

/* Write the page, or with `keep` false give it up. Nothing where nothing was begun. */
swq_status cli_film_end(swq_context *ctx, cli_film *film, bool keep);

#endif
