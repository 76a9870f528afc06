/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --watch with --architecture shared-memory: a page that shows what each output holds of each class
 * during the first replication, and which outputs are paused. Switches stand in columns by their
 * levels, those of a file in rows; each has a row of cells for an output, and a cell for a class.
 */
#include "cli/datacentre/film.h"
#include "base/context.h"
#include "cli/explorer/explorer.h"
#include "cli/options/asked.h"
#include "cli/options/parse.h"
#include "cli/sim/sim.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_QUEUES = 32768, /* that can be drawn */
    MOST_FRAMES = 600,   /* half a minute at the page's slowest pace */
    LEAST_FRAMES = 20,
    MOST_NUMBERS = 3000000, /* queues times frames, which make some megabytes of page */
    THOUSANDTHS = 1000
};
/* Of the drawing: outputs one above the other, and switches, before the next column begins. */
enum { ROWS = 16, HIGH = 12 };
static const double wide = 9, high = 6, gap = 1, between = 26, aside = 70, edge = 8, head = 12;

static uint32_t queues_of(const swq_dc *dc)
{
    swq_dc_level level[SWQ_DC_LEVELS];
    uint32_t ports = 0;
    uint64_t rates;

    for (int k = 0, levels = swq_dc_levels(dc, level); k < levels; k++)
        ports += level[k].switches * level[k].ports;
    for (uint32_t w = 0; dc->network.graph && w < swq_dc_graph_switches(dc->network.graph); w++)
        ports += swq_dc_graph_ports(dc->network.graph, w, &rates);
    return ports * (uint32_t)dc->classes;
}

swq_status cli_dc_film_read(swq_context *ctx, cli_datacentre *d, bool many)
{
    const char *path = cli_text(cli_sim_output_options, "watch");

    if (!path)
        return SWQ_OK;
    if (many)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--watch is of one run with --architecture shared-memory, not of a range");
    if (strcmp(path, "-") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--watch must be the name of a file, which '-' is not");
    if (d->dc.arrivals == SWQ_DC_TRACE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--watch shows the measured time of a run, which packets of a file "
                        "(--arrivals) have not");
    const uint32_t queues = queues_of(&d->dc);
    assert(queues > 0); /* a network has outputs */
    if (queues > MOST_QUEUES)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--watch draws networks of at most %d outputs times classes; this one has "
                        "%u",
                        MOST_QUEUES, queues);
    const uint32_t fitting = MOST_NUMBERS / queues;
    d->watch_path = path;
    d->film.most = fitting > MOST_FRAMES    ? MOST_FRAMES
                   : fitting < LEAST_FRAMES ? LEAST_FRAMES
                                            : fitting;
    d->options.film = &d->film;
    return SWQ_OK;
}

/* ---- the drawing ---- */

typedef struct {
    double x, y, wide, high; /* of a switch */
} drawn_switch;

typedef struct {
    const cli_datacentre *d;
    drawn_switch *at; /* [switches] */
    double width, height;
} drawn_network;

static uint32_t ports_at(const swq_dc_film *film, uint32_t w)
{
    return film->first[w + 1] - film->first[w];
}

static double tenth(double x)
{
    return round(10 * x) / 10;
}

static void size_of(const swq_dc_film *film, uint32_t w, drawn_switch *at)
{
    const uint32_t ports = ports_at(film, w), columns = (ports + ROWS - 1) / ROWS;
    const uint32_t rows = ports < ROWS ? ports : ROWS;

    at->wide = columns * film->classes * (wide + gap) + 2 * gap;
    at->high = rows * (high + gap) + gap + 2;
}

/* Puts switches from..until into columns from x on, of at most `deep` switches. Returns where the
 * next column begins. */
static double put_columns(drawn_network *d, uint32_t from, uint32_t until, uint32_t deep, double x)
{
    double widest = 0, y = edge + head;

    for (uint32_t w = from; w < until; w++) {
        if (w > from && (w - from) % deep == 0) {
            x += widest + aside;
            widest = 0;
            y = edge + head;
        }
        size_of(&d->d->film, w, &d->at[w]);
        d->at[w].x = x;
        d->at[w].y = y;
        y += d->at[w].high + between;
        widest = fmax(widest, d->at[w].wide);
        d->height = fmax(d->height, y);
        d->width = fmax(d->width, x + d->at[w].wide + edge);
    }
    return x + widest + aside;
}

static void put_switches(drawn_network *d)
{
    swq_dc_level level[SWQ_DC_LEVELS];
    const int levels = swq_dc_levels(&d->d->dc, level);
    const uint32_t switches = d->d->film.switches;
    uint32_t first = 0;
    double x = edge;

    for (int k = 0; k < levels; k++) {
        x = put_columns(d, first, first + level[k].switches, HIGH, x);
        first += level[k].switches;
    }
    if (levels == 0)
        put_columns(d, 0, switches, (uint32_t)ceil(sqrt(switches)), x);
}

static void add_four(cJSON *to, double x, double y, double w, double h)
{
    cJSON_AddItemToArray(to, cJSON_CreateNumber(tenth(x)));
    cJSON_AddItemToArray(to, cJSON_CreateNumber(tenth(y)));
    cJSON_AddItemToArray(to, cJSON_CreateNumber(tenth(w)));
    cJSON_AddItemToArray(to, cJSON_CreateNumber(tenth(h)));
}

static void add_switch(const drawn_network *d, uint32_t w, cJSON *cells, cJSON *names)
{
    const swq_dc_film *film = &d->d->film;
    char end[CLI_DC_END_NAME], name[CLI_DC_END_NAME + 20];

    for (uint32_t p = 0; p < ports_at(film, w); p++) {
        for (int c = 0; c < film->classes; c++) {
            const uint32_t column = p / ROWS * (uint32_t)film->classes + (uint32_t)c;
            add_four(cells, d->at[w].x + 2 * gap + (double)column * (wide + gap),
                     d->at[w].y + 2 * gap + p % ROWS * (high + gap), wide, high);
            cli_datacentre_end_name(&d->d->dc, false, w, p, end);
            snprintf(name, sizeof name, film->classes > 1 ? "output %s, class %d" : "output %s",
                     end, c);
            cJSON_AddItemToArray(names, cJSON_CreateString(name));
        }
    }
}

/* A line for each two switches that are joined. NULL: no memory. */
static char *wires_of(const drawn_network *d)
{
    const swq_dc_film *film = &d->d->film;
    const size_t room = (size_t)film->first[film->switches] * 60 + 1;
    char *text = malloc(room);
    size_t used = 0;

    if (!text)
        return NULL;
    *text = '\0';
    for (uint32_t w = 0; w < film->switches; w++) {
        uint32_t last = UINT32_MAX;
        for (uint32_t p = film->first[w]; p < film->first[w + 1]; p++) {
            const uint32_t to = film->to[p];
            if (to == UINT32_MAX || to <= w || to == last)
                continue;
            last = to;
            const drawn_switch *a = &d->at[w], *b = &d->at[to];
            const bool beside = b->x > a->x;
            used += (size_t)snprintf(text + used, room - used, "M%.1f %.1fL%.1f %.1f",
                                     a->x + (beside ? a->wide : a->wide / 2),
                                     beside ? a->y + a->high / 2 : a->y + a->high,
                                     b->x + (beside ? 0 : b->wide / 2),
                                     beside ? b->y + b->high / 2 : b->y);
        }
    }
    return text;
}

static cJSON *layout_of(const drawn_network *d)
{
    cJSON *json = cJSON_CreateObject(), *cells = cJSON_AddArrayToObject(json, "cells");
    cJSON *names = cJSON_AddArrayToObject(json, "names");
    cJSON *boxes = cJSON_AddArrayToObject(json, "boxes");
    cJSON *labels = cJSON_AddArrayToObject(json, "labels");
    char *wires = wires_of(d), name[SWQ_DC_SWITCH_NAME];

    for (uint32_t w = 0; w < d->d->film.switches; w++) {
        const drawn_switch *at = &d->at[w];
        cJSON *label = cJSON_CreateArray();
        add_four(boxes, at->x, at->y, at->wide, at->high);
        add_switch(d, w, cells, names);
        cJSON_AddItemToArray(label, cJSON_CreateNumber(tenth(at->x)));
        cJSON_AddItemToArray(label, cJSON_CreateNumber(tenth(at->y - 3)));
        cJSON_AddItemToArray(label, cJSON_CreateString("start"));
        cJSON_AddItemToArray(label, cJSON_CreateString(swq_dc_switch_name(&d->d->dc, w, name)));
        cJSON_AddItemToArray(labels, label);
    }
    cJSON_AddNumberToObject(json, "width", tenth(d->width));
    cJSON_AddNumberToObject(json, "height", tenth(d->height));
    cJSON_AddStringToObject(json, "wires", wires ? wires : "");
    free(wires);
    return json;
}

/* ---- the tree ---- */

/* What outputs hold, or with `paused` whether they are paused, as text. */
static cJSON *cells_of(const swq_dc_film *film, int *digits)
{
    const size_t queues = (size_t)film->first[film->switches] * (size_t)film->classes;
    uint32_t *all = malloc(queues * sizeof *all);
    cJSON *cells = NULL;

    for (uint32_t q = 0; all && q < queues; q++)
        all[q] = q;
    if (all)
        cells = cli_explorer_cells(&(cli_cells_of){.held = film->held,
                                                   .frames = film->frames,
                                                   .stores = queues,
                                                   .store = all,
                                                   .shown = queues,
                                                   .most = THOUSANDTHS},
                                   digits);
    free(all);
    return cells;
}

static cJSON *pauses_of(const swq_dc_film *film)
{
    const size_t count = (size_t)film->frames * film->first[film->switches] * (size_t)film->classes;
    char *text = malloc(count + 1);

    if (!text)
        return NULL;
    for (size_t k = 0; k < count; k++)
        text[k] = film->paused[k] ? 'B' : 'A'; /* 1 and 0 in base 64 */
    text[count] = '\0';
    cJSON *json = cJSON_CreateString(text);
    free(text);
    return json;
}

static cJSON *run_of(const drawn_network *d)
{
    const swq_dc_film *film = &d->d->film;
    cJSON *run = cJSON_CreateObject(), *list[5];
    static const char *const names[] = {"delivered", "amount", "latency", "discarded", "waiting"};
    int digits = 1;

    cJSON_AddStringToObject(run, "buffer", d->d->dc.memory.admission->name);
    cJSON_AddNumberToObject(run, "slots", THOUSANDTHS);
    cJSON_AddNumberToObject(run, "all", (double)film->memories * THOUSANDTHS);
    cJSON_AddItemToObject(run, "cells", cells_of(film, &digits));
    cJSON_AddNumberToObject(run, "digits", digits);
    if (d->d->dc.pfc.classes)
        cJSON_AddItemToObject(run, "aside", pauses_of(film));
    for (int k = 0; k < 5; k++)
        list[k] = cJSON_AddArrayToObject(run, names[k]);
    for (uint32_t f = 0; f < film->frames; f++) {
        const double value[] = {(double)film->sent[f], 8 * film->line_bytes[f],
                                film->delay[f] / 1e3, (double)film->lost[f], 0};
        for (int k = 0; k < 5; k++)
            cJSON_AddItemToArray(list[k], cJSON_CreateNumber(value[k]));
    }
    if (film->circle > 0)
        cJSON_AddNumberToObject(run, "deadlock", film->circle);
    cJSON_AddItemToObject(run, "layout", layout_of(d));
    return run;
}

static uint64_t lost_of(const swq_dc_film *film)
{
    uint64_t lost = 0;

    for (uint32_t f = 0; f < film->frames; f++)
        lost += film->lost[f];
    return lost;
}

static cJSON *tree_of(const drawn_network *d, const swq_dc_result *r)
{
    static const char *const words[][2] = {{"throughput", "Lines in use"},
                                           {"delivered", "of the lines"},
                                           {"latency", "Mean delay in a switch"},
                                           {"lost", "packets in a frame"},
                                           {"clock", "ns"},
                                           {"asides", "Paused outputs"},
                                           {"where", "of all switches"},
                                           {"framed", "paused"},
                                           {"aside", "paused"},
                                           {"fill", "Memory in use"},
                                           {"filled", "percent"}};
    const swq_dc_film *film = &d->d->film;
    const double every = (double)d->d->options.duration / film->most / 1e3;
    cJSON *tree = cJSON_CreateObject(), *say = cJSON_AddObjectToObject(tree, "words");

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        cJSON_AddStringToObject(say, words[k][0], words[k][1]);
    cJSON_AddStringToObject(tree, "schema", "switchq/explorer/2");
    cJSON_AddNumberToObject(tree, "nodes", r->line_rates / 1e9); /* bits a ns, in place of nodes */
    cJSON_AddNumberToObject(tree, "cycles", every * film->frames);
    cJSON_AddNumberToObject(tree, "every", every);
    cJSON_AddArrayToObject(tree, "bands");
    cJSON_AddStringToObject(tree, "unit", "thousandths of the memory");
    cJSON_AddStringToObject(tree, "verb", "are taken");
    cJSON_AddStringToObject(tree, "unit_throughput", "as a fraction of what all lines carry");
    cJSON_AddBoolToObject(tree, "waits", false);
    cJSON_AddBoolToObject(tree, "loses", lost_of(film) > 0);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(tree, "runs"), run_of(d));
    return tree;
}

/* ---- the page ---- */

static void lead_of(const cli_datacentre *d, char *text, size_t size)
{
    const swq_dc_film *film = &d->film;
    char says[SWQ_DC_TOPOLOGY_TEXT] = "", end[120] = "", duration[SWQ_UNITS_TEXT];

    if (d->dc.network.sending[0].sender)
        swq_dc_topology_says(&d->dc, says);
    if (film->circle > 0)
        snprintf(end, sizeof end,
                 " The replication ends in a deadlock: %d paused outputs wait for one another.",
                 film->circle);
    snprintf(
        text, size,
        "%s%sWhat each output held of each class, in thousandths of its memory, in the measured "
        "time of %s of the first replication: %u moments.%s%s",
        says, *says ? ". " : "", swq_units_text(SWQ_UNITS_TIME, d->options.duration, duration),
        film->frames, d->dc.pfc.classes ? " Outputs that are paused are framed." : "", end);
}

swq_status cli_dc_film_write(swq_context *ctx, const cli_datacentre *d, const swq_dc_result *r,
                             FILE *to)
{
    char title[80], lead[900];
    cJSON *asked = cJSON_CreateObject();
    drawn_network drawn = {.d = d};

    if (d->film.frames == 0) {
        cJSON_Delete(asked);
        return swq_fail(ctx, SWQ_EINVAL, "--watch has nothing to show: no time was measured");
    }
    drawn.at = swq_calloc(ctx, d->film.switches, sizeof *drawn.at);
    if (!drawn.at) {
        cJSON_Delete(asked);
        return swq_memory_status(ctx);
    }
    put_switches(&drawn);
    snprintf(title, sizeof title, "%s, %u output%s", swq_dc_topology_of(&d->dc)->name,
             d->film.first[d->film.switches], d->film.first[d->film.switches] == 1 ? "" : "s");
    lead_of(d, lead, sizeof lead);
    cli_asked_echo(asked);
    const char *line =
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(asked, "asked"), "command"));
    cJSON *tree = tree_of(&drawn, r);
    const swq_status status =
        cli_explorer_page(ctx, to, title, lead, line ? line : "switchq sim", tree);
    cJSON_Delete(tree);
    cJSON_Delete(asked);
    swq_free(ctx, drawn.at);
    return status;
}
