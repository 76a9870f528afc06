/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --watch: a page that shows the contents of every store of the network during the run, or of each
 * run of a range, side by side.
 */
#include "cli/sim/film.h"
#include "base/context.h"
#include "base/outfile.h"
#include "cli/explorer/explorer.h"
#include "cli/options/asked.h"
#include "cli/options/parse.h"
#include "cli/options/words.h"
#include "cli/print/append.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"
#include "cli/spec/network.h"
#include "cli/spec/switch.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_STORES = 32768,   /* that can be drawn */
    MOST_FRAMES = 600,     /* half a minute at the page's slowest pace */
    LEAST_FRAMES = 20,     /* even for a large network */
    MOST_NUMBERS = 3000000 /* stores times frames, which make some megabytes of page */
};

/* The page in progress. Runs are added as they end, on any thread. */
static struct {
    bool open;
    const cli_axes *axes;
    swq_outfile file;
    int read; /* points read so far */
    pthread_mutex_t adding;
    cJSON *run[CLI_MOST_FILMS];
    /* Common to all runs, set by the first that ends: */
    cJSON *tree;
    char title[160], lead[600], words[CLI_QUESTION_WORDS];
    uint64_t every;
    uint32_t marked, nodes;
} reel = {.adding = PTHREAD_MUTEX_INITIALIZER};

swq_status cli_reel_open(swq_context *ctx, const cli_axes *axes)
{
    const char *path = cli_text(cli_sim_output_options, "watch");

    if (!path)
        return SWQ_OK;
    if (axes->points > CLI_MOST_FILMS)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--watch shows at most %d runs side by side, not %d: give --%s fewer values",
            CLI_MOST_FILMS, axes->points, axes->axis[0].option);
    if (strcmp(path, "-") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--watch must be the name of a file, which '-' is not");
    const swq_status status = cli_outfile_open(ctx, path, &reel.file);
    reel.open = !status;
    reel.axes = axes;
    return status;
}

/* ---- a run ---- */

/* Names the run by the options in which it differs from the other runs or, if it is the only run,
 * by its network. */
static void name_film(cli_film *film)
{
    const char *management = cli_text(cli_async_options, "management");
    const char *architecture = cli_text(cli_async_options, "architecture");
    const char *buffer = cli_text(cli_switch_options, "buffer");

    *film->name = '\0';
    for (int a = 0; a < reel.axes->axes; a++)
        cli_append(film->name, sizeof film->name, "%s%s", *film->name ? " " : "",
                   *reel.axes->axis[a].slot);
    if (!*film->name)
        snprintf(film->name, sizeof film->name, "%s",
                 buffer         ? buffer
                 : management   ? management
                 : architecture ? architecture
                                : "buffers");
}

void cli_film_read(cli_film *film)
{
    const char *many = cli_text(cli_run_options, "replications");

    *film = (cli_film){.wanted = reel.open};
    if (!film->wanted)
        return;
    film->place = reel.read++;
    film->first = many && strcmp(many, "1") != 0;
    name_film(film);
}

static uint32_t frames_for(const swq_fabric *f)
{
    /* the same number for all architectures, so that the frames of each are equally far apart */
    const size_t stores = 2 * (size_t)f->switches * (size_t)f->ports;
    const size_t fitting = MOST_NUMBERS / stores / 2 * 2;

    return (uint32_t)(fitting > MOST_FRAMES    ? MOST_FRAMES
                      : fitting < LEAST_FRAMES ? LEAST_FRAMES
                                               : fitting);
}

swq_status cli_film_begin(swq_context *ctx, const cli_film_of *of, swq_sim_options *options,
                          cli_film *film)
{
    film->of = *of;
    if (!film->wanted)
        return SWQ_OK;
    if (cli_given(cli_run_options, "find-saturation"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--watch is of one run: it does not go with --find-saturation");
    swq_status status = swq_fabric_count(ctx, of->shape, &film->fabric);
    const size_t ports = (size_t)film->fabric.switches * (size_t)film->fabric.ports;
    const size_t stores = of->pools ? film->fabric.switches : ports * (1 + of->output_stores);
    if (!status && stores > MOST_STORES)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--watch draws networks of at most %d buffers; this one of %u nodes has "
                          "%zu",
                          MOST_STORES, film->fabric.nodes, stores);
    if (!status && !of->shape->wiring && !of->shape->kind->tree &&
        film->fabric.switches < film->fabric.nodes)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--watch draws multistage networks, trees and topologies with a switch a "
                          "node, not %s",
                          swq_shape_name(of->shape));
    film->fabric = (swq_fabric){0};
    if (!status)
        status = swq_fabric_make(ctx, of->shape, &film->fabric);
    if (status) {
        swq_fabric_clear(ctx, &film->fabric);
        return status;
    }
    film->frames = swq_frames_of(frames_for(&film->fabric), of->marked);
    film->begun = true;
    film->options = options;
    options->frames = &film->frames;
    return SWQ_OK;
}

/* ---- the tree ---- */

static cJSON *whole_numbers(const uint64_t *value, uint32_t count)
{
    cJSON *array = cJSON_CreateArray();

    for (uint32_t k = 0; k < count; k++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber((double)value[k]));
    return array;
}

static uint64_t total(const uint64_t *value, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < count; k++)
        sum += value[k];
    return sum;
}

/* Set-aside queues in use: a base-64 digit for each cell and frame. */
static cJSON *aside_of(const swq_frames *r, const cli_layout *layout)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    char *text = malloc((size_t)r->frames * layout->stores + 1), *at = text;

    if (!text)
        return NULL;
    for (uint32_t f = 0; f < r->frames; f++) {
        for (size_t k = 0; k < layout->stores; k++)
            *at++ = digit[r->aside[f * r->stores + layout->store[k]] & 63];
    }
    *at = '\0';
    cJSON *json = cJSON_CreateString(text);
    free(text);
    return json;
}

static cJSON *run_of(const cli_film *film, cli_layout *layout)
{
    const swq_frames *r = &film->frames;
    cJSON *run = cJSON_CreateObject(), *waiting = cJSON_CreateArray();
    size_t inputs = 0;
    int digits = 0;
    const cli_cells_of of = {.held = r->held,
                             .marked = r->held_marked,
                             .frames = r->frames,
                             .stores = r->stores,
                             .store = layout->store,
                             .shown = layout->stores,
                             .most =
                                 (uint32_t)(r->room > r->output_room ? r->room : r->output_room)};

    while (inputs < layout->stores && layout->store[inputs] < r->inputs)
        inputs++;
    cJSON_AddStringToObject(run, "buffer", film->name);
    cJSON_AddNumberToObject(run, "slots", r->room);
    cJSON_AddNumberToObject(run, "output_slots", r->output_room);
    cJSON_AddNumberToObject(run, "inputs", (double)inputs);
    cJSON_AddItemToObject(run, "cells", cli_explorer_cells(&of, &digits));
    cJSON_AddNumberToObject(run, "digits", digits);
    if (r->aside)
        cJSON_AddItemToObject(run, "aside", aside_of(r, layout));
    cJSON_AddItemToObject(run, "delivered", whole_numbers(r->delivered, r->frames));
    cJSON_AddItemToObject(run, "amount", whole_numbers(r->amount, r->frames));
    cJSON_AddItemToObject(run, "latency", whole_numbers(r->latency, r->frames));
    cJSON_AddItemToObject(run, "discarded", whole_numbers(r->discarded, r->frames));
    for (uint32_t k = 0; k < r->frames; k++)
        cJSON_AddItemToArray(waiting, cJSON_CreateNumber(r->waiting[k]));
    cJSON_AddItemToObject(run, "waiting", waiting);
    if (film->circle > 0)
        cJSON_AddNumberToObject(run, "deadlock", film->circle);
    cJSON_AddItemToObject(run, "layout", layout->json);
    layout->json = NULL;
    return run;
}

static cJSON *tree_of(const cli_film *film)
{
    const swq_frames *r = &film->frames;
    const double end = (double)r->frames * (double)r->every;
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/explorer/2");
    cJSON_AddNumberToObject(tree, "nodes", film->fabric.nodes);
    cJSON_AddNumberToObject(tree, "cycles", end);
    cJSON_AddNumberToObject(tree, "every", (double)r->every);
    if (r->held_marked)
        cJSON_AddNumberToObject(tree, "hot", r->marked);
    cJSON *bands = cJSON_AddArrayToObject(tree, "bands");
    if (r->warmup > 0)
        cli_explorer_band(bands, 0, fmin((double)r->warmup, end), "warm-up", true);
    if ((double)r->warmup < end)
        cli_explorer_band(bands, (double)r->warmup, end, "measured", false);
    cli_explorer_units(tree, film->of.bytes);
    cJSON_AddBoolToObject(tree, "waits", true);
    cJSON_AddBoolToObject(tree, "loses", total(r->discarded, r->frames) > 0);
    return tree;
}

/* ---- words ---- */

static void title_of(const cli_film *film, char *text, size_t size)
{
    const swq_shape *s = film->of.shape;
    snprintf(text, size, "%s", swq_shape_name(s));

    for (int k = 0; !s->wiring && s->kind->grid && k < s->dims; k++)
        cli_append(text, size, "%s%d", k ? "x" : " ", s->extent[k]);
    cli_append(text, size, ", %u nodes", film->fabric.nodes);
}

/* The text above a film: which network was run, and which cycles are shown. */
static void lead_of(const cli_film *film, char *text, size_t size)
{
    const swq_frames *r = &film->frames;
    char thinned[120], end[120] = "";

    if (r->every == 1)
        snprintf(thinned, sizeof thinned, "Every cycle is shown");
    else
        snprintf(thinned, sizeof thinned,
                 "One cycle in %llu is shown, so that the page stays small",
                 (unsigned long long)r->every);
    if (film->circle > 0)
        snprintf(end, sizeof end,
                 " The run ends in a deadlock: %d buffer%s wait%s for one another.", film->circle,
                 film->circle == 1 ? "" : "s", film->circle == 1 ? "s" : "");
    snprintf(text, size,
             "What every buffer held in the first %llu cycles%s, from an "
             "empty network on. %s: %u moments.%s",
             (unsigned long long)r->frames * r->every,
             film->first ? " of the first replication" : "", thinned, r->frames, end);
}

/* ---- the page ---- */

/* All runs must be drawn at the same moments, and mark packets to the same node. */
static swq_status check_alike(swq_context *ctx, const cli_film *film)
{
    const swq_frames *r = &film->frames;
    const uint32_t marked = r->held_marked ? r->marked : SWQ_NO_WHERE;

    if (r->frames == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--watch has nothing to show: no cycle was run");
    if (reel.tree && r->every != reel.every)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--watch shows runs side by side if they have the same length: this one has a frame "
            "every %llu cycles, and another one every %llu; --warmup N makes them alike",
            (unsigned long long)r->every, (unsigned long long)reel.every);
    if (reel.tree && (marked != reel.marked || film->fabric.nodes != reel.nodes))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--watch shows runs side by side if they have the same number of nodes and "
                        "the same hot spot");
    reel.every = r->every;
    reel.nodes = film->fabric.nodes;
    reel.marked = marked;
    return SWQ_OK;
}

/* Called with the reel's lock held. */
static swq_status add_run(swq_context *ctx, const cli_film *film)
{
    const cli_layout_of of = {.fabric = &film->fabric,
                              .pools = film->of.pools,
                              .output_stores = film->of.output_stores,
                              .marked = film->of.marked};
    cli_layout layout;
    swq_status status = check_alike(ctx, film);

    if (!status)
        status = cli_layout_make(ctx, &of, &layout);
    if (status)
        return status;
    reel.run[film->place] = run_of(film, &layout);
    cli_layout_clear(&layout);
    if (!reel.tree) {
        title_of(film, reel.title, sizeof reel.title);
        lead_of(film, reel.lead, sizeof reel.lead);
        reel.tree = tree_of(film);
    }
    return SWQ_OK;
}

swq_status cli_film_end(swq_context *ctx, cli_film *film, bool keep)
{
    swq_status status = SWQ_OK;

    if (!film->begun)
        return SWQ_OK;
    if (keep) {
        pthread_mutex_lock(&reel.adding);
        status = add_run(ctx, film);
        pthread_mutex_unlock(&reel.adding);
    }
    swq_frames_clear(ctx, &film->frames);
    swq_fabric_clear(ctx, &film->fabric);
    film->options->frames = NULL;
    film->begun = false;
    return status;
}

void cli_reel_entitle(const char *words)
{
    snprintf(reel.words, sizeof reel.words, "%s", words);
}

static swq_status write_page(swq_context *ctx)
{
    char lead[sizeof reel.words + sizeof reel.lead + 3];

    cJSON *asked = cJSON_CreateObject(), *runs = cJSON_AddArrayToObject(reel.tree, "runs");

    for (int k = 0; k < CLI_MOST_FILMS; k++) {
        if (reel.run[k])
            cJSON_AddItemToArray(runs, reel.run[k]);
        reel.run[k] = NULL;
    }
    cli_asked_echo(asked);
    const char *line =
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(asked, "asked"), "command"));
    snprintf(lead, sizeof lead, "%s%s%s", reel.words, *reel.words ? ". " : "", reel.lead);
    const swq_status status = cli_explorer_page(ctx, reel.file.stream, reel.title, lead,
                                                line ? line : "switchq sim", reel.tree);
    cJSON_Delete(asked);
    return status;
}

swq_status cli_reel_close(swq_context *ctx, bool keep)
{
    swq_status status = SWQ_OK;

    if (!reel.open)
        return SWQ_OK;
    keep = keep && reel.tree;
    if (keep)
        status = write_page(ctx);
    if (keep && !status)
        status = swq_outfile_commit(ctx, &reel.file);
    else
        swq_outfile_abort(ctx, &reel.file);
    for (int k = 0; k < CLI_MOST_FILMS; k++)
        cJSON_Delete(reel.run[k]);
    cJSON_Delete(reel.tree);
    reel.tree = NULL;
    reel.open = false;
    return status;
}
