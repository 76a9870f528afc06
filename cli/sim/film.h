/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --watch: a run recorded, or the few runs of a range, and shown beside one another in a page.
 * Room: cli.
 */
#ifndef SWQ_CLI_FILM_H
#define SWQ_CLI_FILM_H

#include "cli/points/points.h"
#include "switchq/fabric.h"
#include "switchq/frames.h"

enum { CLI_MOST_FILMS = 4 }; /* beside one another */

/* Of which network. */
typedef struct cli_film_of {
    const swq_shape *shape;
    bool pools, output_stores;
    bool bytes;      /* of an asynchronous network: memory is in blocks, throughput in bytes */
    uint32_t marked; /* its hot spot; SWQ_NO_WHERE: it has none */
} cli_film_of;

typedef struct cli_film {
    bool wanted;
    int place; /* of the range's points */
    char name[60], load[60], traffic[100];
    bool first; /* of several replications */
    cli_film_of of;
    bool begun;
    swq_sim_options *options;
    swq_fabric fabric;
    swq_frames frames;
} cli_film;

/* If --watch asks for it, open the page's file, for the points of a range; nothing otherwise.
 * Errors: SWQ_EINVAL for ranges that cannot be shown; those of cli_outfile_open. And write the
 * page, or with `keep` false give it up. */
swq_status cli_reel_open(swq_context *ctx, const cli_axes *axes);
swq_status cli_reel_close(swq_context *ctx, bool keep);

/* A point is read, in order, and its options are set: is it to be filmed? */
void cli_film_read(cli_film *film);

/* If it is, have its run record frames; and take them for the page, or with `keep` false give them
 * up. On any thread. Errors: SWQ_EINVAL for what cannot be shown. */
swq_status cli_film_begin(swq_context *ctx, const cli_film_of *of, swq_sim_options *options,
                          cli_film *film);
swq_status cli_film_end(swq_context *ctx, cli_film *film, bool keep);

#endif
