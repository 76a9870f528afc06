/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --watch: a page that shows what every store of the network held in the course of the run.
 * Room: cli.
 */
#include "cli/sim/film.h"
#include "base/context.h"
#include "cli/explorer/explorer.h"
#include "cli/options/asked.h"
#include "cli/options/parse.h"
#include "cli/spec/network.h"
#include "cli/spec/switch.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STORES = 32768,   /* that are drawn */
    MOST_FRAMES = 600,     /* half a minute at the page's slowest pace */
    LEAST_FRAMES = 20,     /* of however large a network */
    MOST_NUMBERS = 3000000 /* of stores and frames: some megabytes of page */
};

static swq_status check(swq_context *ctx, const char *path, const swq_fabric *f, size_t stores)
{
    if (cli_given(cli_run_options, "find-saturation"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--watch is of one run: it does not go with --find-saturation");
    if (strcmp(path, "-") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--watch must be the name of a file, which '-' is not");
    if (stores > MOST_STORES)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--watch draws networks of at most %d buffers; this one of %u nodes has "
                        "%zu",
                        MOST_STORES, f->nodes, stores);
    return SWQ_OK;
}

swq_status cli_film_begin(swq_context *ctx, const cli_film_of *of, swq_sim_options *options,
                          cli_film *film)
{
    const char *path = cli_text(cli_sim_output_options, "watch");

    *film = (cli_film){.of = *of};
    if (!path)
        return SWQ_OK;
    swq_status status = swq_fabric_count(ctx, of->shape, &film->fabric);
    const size_t ports = (size_t)film->fabric.switches * (size_t)film->fabric.ports;
    const size_t stores = of->pools ? film->fabric.switches : ports * (1 + of->output_stores);
    if (!status)
        status = check(ctx, path, &film->fabric, stores);
    film->fabric = (swq_fabric){0};
    if (!status)
        status = swq_fabric_make(ctx, of->shape, &film->fabric);
    if (!status)
        status = cli_outfile_open(ctx, path, &film->file);
    if (status) {
        swq_fabric_clear(ctx, &film->fabric);
        return status;
    }
    const size_t fitting = MOST_NUMBERS / stores / 2 * 2;
    film->frames = swq_frames_of((uint32_t)(fitting > MOST_FRAMES    ? MOST_FRAMES
                                            : fitting < LEAST_FRAMES ? LEAST_FRAMES
                                                                     : fitting),
                                 of->marked);
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

static cJSON *run_of(const cli_film *film, const cli_layout *layout, const char *buffer)
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
    cJSON_AddStringToObject(run, "buffer", buffer);
    cJSON_AddNumberToObject(run, "slots", r->room);
    cJSON_AddNumberToObject(run, "output_slots", r->output_room);
    cJSON_AddNumberToObject(run, "inputs", (double)inputs);
    cJSON_AddItemToObject(run, "cells", cli_explorer_cells(&of, &digits));
    cJSON_AddNumberToObject(run, "digits", digits);
    cJSON_AddItemToObject(run, "delivered", whole_numbers(r->delivered, r->frames));
    cJSON_AddItemToObject(run, "amount", whole_numbers(r->amount, r->frames));
    cJSON_AddItemToObject(run, "latency", whole_numbers(r->latency, r->frames));
    cJSON_AddItemToObject(run, "discarded", whole_numbers(r->discarded, r->frames));
    for (uint32_t k = 0; k < r->frames; k++)
        cJSON_AddItemToArray(waiting, cJSON_CreateNumber(r->waiting[k]));
    cJSON_AddItemToObject(run, "waiting", waiting);
    return run;
}

static cJSON *tree_of(const cli_film *film, cli_layout *layout)
{
    const swq_frames *r = &film->frames;
    const double end = (double)r->frames * (double)r->every;
    const char *buffer = cli_text(cli_switch_options, "buffer");
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
    cJSON *run = run_of(film, layout, buffer ? buffer : "buffers");
    cJSON_AddItemToObject(run, "layout", layout->json);
    layout->json = NULL;
    cJSON_AddItemToArray(cJSON_AddArrayToObject(tree, "runs"), run);
    return tree;
}

/* ---- words ---- */

static void title_of(const cli_film *film, char *text, size_t size)
{
    const swq_shape *s = film->of.shape;
    size_t used = (size_t)snprintf(text, size, "%s", s->wiring ? s->wiring->name : s->kind->name);

    for (int k = 0; !s->wiring && s->kind->grid && k < s->dims && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", k ? "x" : " ", s->extent[k]);
    if (used < size)
        snprintf(text + used, size - used, ", %u nodes", film->fabric.nodes);
}

/* What was run, and which part of it is shown. */
static void lead_of(const cli_film *film, char *text, size_t size)
{
    const swq_frames *r = &film->frames;
    const char *load = cli_text(cli_network_options, "load");
    const char *traffic = cli_text(cli_network_options, "traffic");
    const char *many = cli_text(cli_run_options, "replications");
    const bool first = many && strcmp(many, "1") != 0;
    char thinned[120];

    if (r->every == 1)
        snprintf(thinned, sizeof thinned, "Every cycle is shown");
    else
        snprintf(thinned, sizeof thinned,
                 "One cycle in %llu is shown, so that the page stays small",
                 (unsigned long long)r->every);
    snprintf(text, size,
             "%s%.60s%s%.100s traffic. What every buffer held in the first %llu cycles%s, from an "
             "empty network on. %s: %u moments.",
             load ? "Load " : "", load ? load : "", load ? ", " : "", traffic ? traffic : "uniform",
             (unsigned long long)r->frames * r->every, first ? " of the first replication" : "",
             thinned, r->frames);
}

static swq_status write_page(swq_context *ctx, const cli_film *film, FILE *to)
{
    const cli_layout_of of = {.fabric = &film->fabric,
                              .pools = film->of.pools,
                              .output_stores = film->of.output_stores,
                              .marked = film->of.marked};
    char title[160], lead[600];
    cli_layout layout;
    swq_status status = cli_layout_make(ctx, &of, &layout);

    if (status)
        return status;
    title_of(film, title, sizeof title);
    lead_of(film, lead, sizeof lead);
    cJSON *tree = tree_of(film, &layout), *asked = cJSON_CreateObject();
    cli_asked_echo(asked);
    const char *line =
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(asked, "asked"), "command"));
    status = cli_explorer_page(ctx, to, title, lead, line ? line : "switchq sim", tree);
    cJSON_Delete(tree);
    cJSON_Delete(asked);
    cli_layout_clear(&layout);
    return status;
}

swq_status cli_film_end(swq_context *ctx, cli_film *film, bool keep)
{
    swq_status status = SWQ_OK;

    if (!film->begun)
        return SWQ_OK;
    if (keep && film->frames.frames == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "--watch has nothing to show: no cycle was run");
    else if (keep)
        status = write_page(ctx, film, film->file.stream);
    if (keep && !status)
        status = swq_outfile_commit(ctx, &film->file);
    else
        swq_outfile_abort(ctx, &film->file);
    swq_frames_clear(ctx, &film->frames);
    swq_fabric_clear(ctx, &film->fabric);
    film->options->frames = NULL;
    film->begun = false;
    return status;
}
