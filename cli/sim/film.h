/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --watch: a run recorded, or the few runs of a range, and shown beside one another in a page.
 */
#ifndef SWQ_CLI_FILM_H
#define SWQ_CLI_FILM_H

#include "cli/points/points.h"
#include "switchq/fabric.h"
#include "switchq/frames.h"

enum { CLI_MOST_FILMS = 4 }; /* side by side */

/* The network of a film. */
typedef struct cli_film_of {
    const swq_shape *shape;
    bool pools, output_stores;
    bool bytes;      /* an asynchronous network: memory is in blocks, throughput in bytes */
    uint32_t marked; /* its hot spot; SWQ_NO_WHERE: there is none */
} cli_film_of;

typedef struct cli_film {
    bool wanted;
    int place; /* index among the points of the range */
    char name[60];
    bool first; /* the first of several replications */
    int circle; /* buffers that waited for one another when the run ended in a deadlock; 0: none */
    cli_film_of of;
    bool begun;
    swq_sim_options *options;
    swq_fabric fabric;
    swq_frames frames;
} cli_film;

/* If --watch asks for a page, opens its file, for the points of a range. Errors: SWQ_EINVAL for
 * ranges that cannot be shown; those of cli_outfile_open. cli_reel_close writes the page or, with
 * `keep` false, removes it. */
swq_status cli_reel_open(swq_context *ctx, const cli_axes *axes);
/* The words of the question stand above the film (cli/options/words.h). */
void cli_reel_entitle(const char *words);
swq_status cli_reel_close(swq_context *ctx, bool keep);

/* Called for each point in order, after it has been read and while its options are set: is it to be
 * filmed? */
void cli_film_read(cli_film *film);

/* If the point is to be filmed, cli_film_begin makes its run record frames, and cli_film_end takes
 * these frames for the page or, with `keep` false, drops them. On any thread. Errors: SWQ_EINVAL
 * for networks that cannot be shown. */
swq_status cli_film_begin(swq_context *ctx, const cli_film_of *of, swq_sim_options *options,
                          cli_film *film);
swq_status cli_film_end(swq_context *ctx, cli_film *film, bool keep);

#endif
