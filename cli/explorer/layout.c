/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the parts of a network are drawn. Lengths are pixels of a drawing at its natural size.
 */
#include "cli/explorer/layout.h"
#include "base/context.h"
#include "sim/fabrics/places.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 3 /* cells */ };

/* Text that grows: a path of many lines. */
typedef struct {
    char *at;
    size_t used, room;
    bool failed;
} path_text;

typedef struct {
    double x, y, wide, high;
} rect;

typedef struct {
    const cli_layout_of *of;
    const swq_fabric *f;
    swq_map map;    /* for names of places */
    uint32_t *lead; /* [switches * ports] the link that leads to an input port, numbered as in
                       details; SWQ_NO_WHERE: none */
    /* For columns. */
    bool tree;
    int columns;
    double row, gap, wide, pitch, left, top, box, width, height;
    /* For grids. */
    int side, switch_cells; /* a switch has side x side cells, twice that with output stores */
    double cell, block;     /* block: the distance from node to node */
    int across, down;       /* nodes */
    int group[2];           /* nodes between gaps, across and up */
    cli_layout *layout;
    cJSON *cells, *names, *boxes, *labels;
    path_text wires;
} drawing;

static void add_path(path_text *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_path(path_text *p, const char *format, ...)
{
    va_list list;

    if (p->room - p->used < 120 && !p->failed) {
        char *more = realloc(p->at, 2 * p->room + 1000);
        if (!more) {
            p->failed = true;
            return;
        }
        p->at = more;
        p->room = 2 * p->room + 1000;
    }
    if (p->failed)
        return;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line above
    p->used += (size_t)vsnprintf(p->at + p->used, p->room - p->used, format, list);
    va_end(list);
}

static cJSON *length(double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.5g", round(value * 10) / 10);
    return cJSON_CreateRaw(text);
}

static void add_numbers(cJSON *to, rect r)
{
    cJSON_AddItemToArray(to, length(r.x));
    cJSON_AddItemToArray(to, length(r.y));
    cJSON_AddItemToArray(to, length(r.wide));
    cJSON_AddItemToArray(to, length(r.high));
}

static void add_label(drawing *d, double x, double y, const char *anchor, const char *text)
{
    cJSON *label = cJSON_CreateArray();

    cJSON_AddItemToArray(label, length(x));
    cJSON_AddItemToArray(label, length(y));
    cJSON_AddItemToArray(label, cJSON_CreateString(anchor));
    cJSON_AddItemToArray(label, cJSON_CreateString(text));
    cJSON_AddItemToArray(d->labels, label);
}

/* ---- names ---- */

static void name_of(const drawing *d, uint32_t port, bool output, char *text, size_t size)
{
    const uint32_t nodes = d->f->nodes, ports = (uint32_t)d->f->ports;
    const size_t link = output ? nodes + (size_t)port : d->lead[port];
    char here[80] = "", there[80] = "";

    if (d->f->shape.wiring) {
        const uint32_t line = port % nodes;
        const int used =
            snprintf(text, size, "stage %u, switch %u", port / nodes + 1, line / ports);
        if (!d->of->pools)
            snprintf(text + used, size - (size_t)used, ", %s %u", output ? "output store" : "port",
                     line % ports);
        return;
    }
    (output ? swq_link_from : swq_link_to)(&d->map, link, here, sizeof here);
    (output ? swq_link_to : swq_link_from)(&d->map, link, there, sizeof there);
    snprintf(text, size, "%s, %s %s", here, output ? "store to" : "from", there);
}

static void add_cell(drawing *d, uint32_t port, bool output, rect r)
{
    const uint32_t inputs = d->f->switches * (uint32_t)d->f->ports;
    char name[200];

    name_of(d, port, output, name, sizeof name);
    add_numbers(d->cells, r);
    cJSON_AddItemToArray(d->names, cJSON_CreateString(name));
    d->layout->store[d->layout->stores++] = d->of->pools ? port / (uint32_t)d->f->ports
                                            : output     ? inputs + port
                                                         : port;
}

/* ---- columns ---- */

static int column_of(const drawing *d, uint32_t sw)
{
    if (d->tree)
        return d->f->position[sw * (uint32_t)d->f->ports];
    return (int)(sw / (d->f->nodes / (uint32_t)d->f->ports));
}

static uint32_t first_of(const drawing *d, int column)
{
    return d->tree ? d->f->tree[column].first
                   : (uint32_t)column * (d->f->nodes / (uint32_t)d->f->ports);
}

static uint32_t switches_of(const drawing *d, int column)
{
    return (column + 1 < d->columns ? first_of(d, column + 1) : d->f->switches) -
           first_of(d, column);
}

/* The number of cells, one above the other, of a switch in a column. */
static int stack_of(const drawing *d, int column)
{
    if (!d->tree)
        return d->f->ports;
    const swq_tree_level *t = &d->f->tree[column];
    return (int)(t->down > t->up ? t->down : t->up);
}

/* In a tree, ports that lead up are on the right. */
static bool at_right(const drawing *d, uint32_t port, bool output)
{
    const uint32_t ports = (uint32_t)d->f->ports, sw = port / ports;

    return d->tree ? port % ports >= d->f->tree[column_of(d, sw)].down : output;
}

static rect switch_box(const drawing *d, uint32_t sw)
{
    const int column = column_of(d, sw);
    const double high = stack_of(d, column) * d->row, turn = sw - first_of(d, column) + 0.5;
    const double body = d->height - 2 * d->top;

    return (rect){d->left + column * d->pitch,
                  d->top + turn * body / switches_of(d, column) - high / 2, d->box, high};
}

static rect port_cell(const drawing *d, uint32_t port, bool output)
{
    const uint32_t ports = (uint32_t)d->f->ports, sw = port / ports;
    const bool right = at_right(d, port, output);
    rect r = switch_box(d, sw);
    uint32_t turn = port % ports;

    if (d->tree && right)
        turn -= d->f->tree[column_of(d, sw)].down;
    r.y += turn * d->row;
    if (right)
        r.x += d->box - d->wide;
    if (d->tree && d->of->output_stores && output) /* towards the middle */
        r.x += right ? -d->wide - 1 : d->wide + 1;
    r.wide = d->wide;
    r.high = d->row;
    return r;
}

static double middle(rect r)
{
    return r.y + r.high / 2;
}

static void add_curve(path_text *p, double x0, double y0, double x1, double y1)
{
    const double m = (x0 + x1) / 2;

    add_path(p, "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x0, y0, m, y0, m, y1, x1, y1);
}

static void output_curve(const drawing *d, uint32_t port, path_text *p)
{
    const rect box = switch_box(d, port / (uint32_t)d->f->ports);
    const double y = middle(port_cell(d, port, true)), from = box.x + box.wide + 1;
    const uint32_t link = d->f->link[port];

    if (link & SWQ_TO_NODE)
        add_path(p, "M%.1f %.1fH%.1f", from, y, from + (d->of->narrow ? 10 : 14));
    else
        add_curve(p, from, y, switch_box(d, link / (uint32_t)d->f->ports).x - 1,
                  middle(port_cell(d, link, false)));
}

static void size_columns(drawing *d)
{
    int most = 0;

    for (int c = 0; c < d->columns; c++) {
        const int rows = stack_of(d, c) * (int)switches_of(d, c);
        most = rows > most ? rows : most;
    }
    const bool both = d->tree || d->of->output_stores;
    d->row = d->of->narrow ? 5 : fmax(2.5, fmin(16, 720.0 / most));
    d->gap = d->of->narrow ? 3 : d->row * 0.8;
    d->wide = d->of->narrow ? 26 : 46;
    d->box =
        both ? 2 * d->wide + (d->tree && d->of->output_stores ? 2 * d->wide + 2 : 0) + 8 : d->wide;
    d->left = d->of->narrow ? 2 : 46;
    d->top = 16;
    d->pitch = d->of->narrow ? (212 - d->box - 36) / fmax(1, d->columns - 1)
                             : d->box + fmin(150, 1000.0 / d->columns);
    d->width = d->of->narrow ? 212 : 2 * d->left + (d->columns - 1) * d->pitch + d->box;
    double high = 0;
    for (int c = 0; c < d->columns; c++) {
        const uint32_t n = switches_of(d, c);
        high = fmax(high, n * stack_of(d, c) * d->row + n * d->gap);
    }
    d->height = 2 * d->top + high;
}

static void label_columns(drawing *d)
{
    const double least = 10 / d->row;
    char text[40];

    for (int c = 0; c < d->columns; c++) {
        const double x = d->left + c * d->pitch;
        const bool first = d->of->narrow && c == 0;
        snprintf(text, sizeof text, "%s %d", d->tree ? "level" : "stage", c + 1);
        add_label(d, first ? x : x + d->box / 2, 9, first ? "start" : "middle", text);
    }
    const uint32_t step = d->row >= 10 ? 1 : (uint32_t)ceil(least);
    for (uint32_t n = 0; n < d->f->nodes && !d->of->narrow; n++) {
        const rect in = port_cell(d, d->f->entry[n], false);
        if (n % step == 0) {
            snprintf(text, sizeof text, "%u", n);
            add_label(d, d->left - 18, middle(in) + 3, "end", text);
        }
        add_path(&d->wires, "M%.1f %.1fH%.1f", d->left - 15, middle(in), d->left - 1);
    }
    for (uint32_t port = 0; !d->of->narrow && port < d->f->switches * (uint32_t)d->f->ports;
         port++) {
        const uint32_t node = d->f->link[port] & ~SWQ_TO_NODE;
        const rect out = port_cell(d, port, true);
        if (d->tree || !(d->f->link[port] & SWQ_TO_NODE) || port % step)
            continue;
        snprintf(text, sizeof text, "%u", node);
        add_label(d, out.x + (d->of->output_stores ? d->wide : d->box) + 18, middle(out) + 3,
                  "start", text);
    }
}

static bool used(const drawing *d, uint32_t port, bool output)
{
    return (output ? d->f->out_level : d->f->in_level)[port] != UINT8_MAX;
}

static void draw_columns(drawing *d)
{
    const uint32_t ports = (uint32_t)d->f->ports;

    size_columns(d);
    for (uint32_t sw = 0; sw < d->f->switches; sw++) {
        const rect box = switch_box(d, sw);
        if (d->box > d->wide)
            add_numbers(d->boxes, box);
        if (d->of->pools)
            add_cell(d, sw * ports, false, (rect){box.x, box.y + 0.4, box.wide, box.high - 0.8});
    }
    for (int output = 0; output < (d->of->output_stores ? 2 : 1); output++) {
        for (uint32_t port = 0; !d->of->pools && port < d->f->switches * ports; port++) {
            rect r = port_cell(d, port, output);
            r.y += 0.4;
            r.high -= 0.8;
            if (used(d, port, output))
                add_cell(d, port, output, r);
        }
    }
    label_columns(d);
    for (uint32_t port = 0; port < d->f->switches * ports; port++) {
        if (!d->of->narrow && used(d, port, true) && (!d->tree || at_right(d, port, true)))
            output_curve(d, port, &d->wires);
    }
}

/* Can a packet for the marked node leave a switch of a stage by that output? */
static bool leads_there(const swq_fabric *f, uint32_t sw, uint32_t marked, uint32_t *output)
{
    for (bool first = true;; first = false) {
        const uint32_t port = sw * (uint32_t)f->ports;
        const int class = f->shape.kind->route(f, port, 0, marked);
        const uint32_t out = port + f->output[(size_t)port * (size_t)f->classes + (size_t) class];
        const uint32_t link = f->link[out];
        if (first)
            *output = out;
        if (link & SWQ_TO_NODE)
            return link == (SWQ_TO_NODE | marked);
        sw = link / (uint32_t)f->ports;
    }
}

/* The links on the routes to the marked node. Each has its path in the drawing, and the cells whose
 * packets for the node determine how wide it is drawn. */
static cJSON *ways_of(drawing *d)
{
    cJSON *ways = cJSON_CreateArray();
    const uint32_t ports = (uint32_t)d->f->ports;

    for (uint32_t sw = 0; sw < d->f->switches; sw++) {
        uint32_t output;
        path_text path = {0};
        if (!leads_there(d->f, sw, d->of->marked, &output))
            continue;
        output_curve(d, output, &path);
        cJSON *way = cJSON_CreateArray(), *cells = cJSON_CreateArray();
        cJSON_AddItemToArray(way, cJSON_CreateString(path.failed ? "" : path.at));
        for (uint32_t p = 0; p < (d->of->pools ? 1 : ports); p++)
            cJSON_AddItemToArray(cells, cJSON_CreateNumber(d->of->pools ? sw : sw * ports + p));
        cJSON_AddItemToArray(way, cells);
        cJSON_AddItemToArray(ways, way);
        d->wires.failed = d->wires.failed || path.failed;
        free(path.at);
    }
    return ways;
}

static void mark_node(drawing *d)
{
    char text[40];

    cJSON_AddItemToObject(d->layout->json, "ways", ways_of(d));
    for (uint32_t port = 0; port < d->f->switches * (uint32_t)d->f->ports; port++) {
        if (d->f->link[port] != (SWQ_TO_NODE | d->of->marked))
            continue;
        const rect box = switch_box(d, port / (uint32_t)d->f->ports);
        const double x = box.x + box.wide + (d->of->narrow ? 16 : 14);
        const double y = middle(port_cell(d, port, true));
        cJSON *sink = cJSON_AddArrayToObject(d->layout->json, "sink");
        cJSON_AddItemToArray(sink, length(x));
        cJSON_AddItemToArray(sink, length(y));
        snprintf(text, sizeof text, "node %u", d->of->marked);
        if (d->of->narrow)
            add_label(d, x + 3, y + 16, "middle", text);
    }
}

/* ---- grids ---- */

/* The position of a node: dimensions alternate between across and up, each multiplying the extent
 * of the one before. */
static void place_of(const drawing *d, uint32_t node, int *x, int *y)
{
    const swq_shape *s = &d->f->shape;
    int stride[2] = {1, 1}, at[2] = {0, 0};

    for (int k = 0; k < s->dims; k++) {
        const int here = d->f->coordinate
                             ? d->f->coordinate[(size_t)node * (size_t)s->dims + (size_t)k]
                             : (int)(node >> k & 1);
        at[k % 2] += here * stride[k % 2];
        stride[k % 2] *= s->kind->grid ? s->extent[k] : 2;
    }
    *x = at[0];
    *y = at[1];
}

/* The position of a port among 3 x 3: links from and to the left are on the left, and so on. */
static int place_in_switch(const drawing *d, int port, bool output)
{
    static const int both[] = {3, 5, 7, 1, 0, 8, 2, 6}, one[] = {3, 7, 1, 5, 0, 2, 6, 8};
    int place;

    if (d->side != 3)
        return port;
    if (port == d->f->ports - 1)
        return 4;
    place = d->f->shape.kind->grid && !d->f->shape.one_way ? both[port] : one[port];
    return output && d->f->shape.kind->grid ? 8 - place : place;
}

static rect grid_box(const drawing *d, uint32_t sw)
{
    const uint32_t chain = d->f->switches / d->f->nodes;
    const double high = d->side * d->cell, wide = high * d->switch_cells;
    int x, y;

    place_of(d, sw / chain, &x, &y);
    const int after = x / d->group[0], above = (d->down - 1) / d->group[1] - y / d->group[1];
    return (rect){d->left + x * d->block + after * d->cell * GAP + sw % chain * (wide + 4),
                  d->top + (d->down - 1 - y) * (high + d->cell * 2) + above * d->cell * GAP, wide,
                  high};
}

/* A wraparound link ends beyond the border; a link beyond the neighbours is a curve. */
static void grid_wire(drawing *d, uint32_t port)
{
    const uint32_t ports = (uint32_t)d->f->ports, link = d->f->link[port];
    const rect a = grid_box(d, port / ports), b = grid_box(d, link / ports);
    const double x0 = a.x + a.wide / 2, y0 = middle(a), x1 = b.x + b.wide / 2, y1 = middle(b);
    const double dx = x1 - x0, dy = y1 - y0, far = d->block * 1.2;
    const bool rings = d->f->shape.kind->rings, near = fabs(dx) <= far && fabs(dy) <= far;

    if (near)
        add_path(&d->wires, "M%.1f %.1fL%.1f %.1f", x0, y0, x1, y1);
    else if (rings && d->f->out_level[port] < 2)
        add_path(&d->wires, "M%.1f %.1fl%.1f %.1fM%.1f %.1fl%.1f %.1f", x0, y0,
                 dx ? copysign(a.wide / 2 + d->cell * 1.4, -dx) : 0,
                 dy ? copysign(a.high / 2 + d->cell * 1.4, -dy) : 0, x1, y1,
                 dx ? copysign(a.wide / 2 + d->cell * 1.4, dx) : 0,
                 dy ? copysign(a.high / 2 + d->cell * 1.4, dy) : 0);
    else
        add_path(&d->wires, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", x0, y0, (x0 + x1) / 2 - dy * 0.12,
                 (y0 + y1) / 2 + dx * 0.12, x1, y1);
}

static void size_grid(drawing *d)
{
    const int chain = (int)(d->f->switches / d->f->nodes);

    for (uint32_t n = 0; n < d->f->nodes; n++) {
        int x, y;
        place_of(d, n, &x, &y);
        d->across = x + 1 > d->across ? x + 1 : d->across;
        d->down = y + 1 > d->down ? y + 1 : d->down;
    }
    d->side = d->f->ports <= 9 ? 3 : (int)ceil(sqrt(d->f->ports));
    d->switch_cells = 1 + d->of->output_stores;
    for (int k = 0; k < 2; k++) /* where a third or fourth dimension starts over */
        d->group[k] = d->f->shape.kind->grid && k < d->f->shape.dims ? d->f->shape.extent[k] : 4;
    const int gaps[] = {(d->across - 1) / d->group[0], (d->down - 1) / d->group[1]};
    const int cells = chain * d->side * d->switch_cells + 2;
    d->cell = fmax(3, fmin(15, 1180.0 / (d->across * cells + GAP * gaps[0])));
    d->block = chain * (d->side * d->switch_cells * d->cell + 4) - 4 + d->cell * 2;
    d->left = d->top = 14 + 1.5 * d->cell;
    d->width = 2 * d->left + d->across * d->block + (GAP * gaps[0] - 2) * d->cell;
    d->height = 2 * d->top + (d->down * (d->side + 2) + GAP * gaps[1] - 2) * d->cell;
}

static void label_grid(drawing *d)
{
    const double far = d->height - 2;
    const int step = d->block >= 22 ? 1 : (int)ceil(22 / d->block);
    char text[24];

    if (d->f->shape.dims > 2 || !d->f->coordinate)
        return;
    for (int x = 0; x < d->across; x += step) {
        snprintf(text, sizeof text, "%d", x);
        add_label(d, d->left + (x + 0.5) * d->block - d->cell, far, "middle", text);
    }
    for (int y = 0; y < d->down && d->down > 1; y += step) {
        snprintf(text, sizeof text, "%d", y);
        add_label(d, 10, d->top + (d->down - 1 - y + 0.5) * (d->side + 2) * d->cell - d->cell + 3,
                  "end", text);
    }
}

/* Is the link of this port the one that is drawn? Of the two links between neighbours, one for each
 * direction, only one is. */
static bool stands_for_both(const drawing *d, uint32_t port)
{
    const uint32_t ports = (uint32_t)d->f->ports, p = port % ports;

    if (!d->f->shape.kind->grid)
        return port / ports < d->f->link[port] / ports;
    return d->f->shape.one_way || p % 2 == 0 || p == ports - 1;
}

static void draw_grid(drawing *d)
{
    const uint32_t ports = (uint32_t)d->f->ports, all = d->f->switches * ports;

    size_grid(d);
    for (uint32_t sw = 0; sw < d->f->switches; sw++)
        add_numbers(d->boxes, grid_box(d, sw));
    for (int output = 0; output < (d->of->output_stores ? 2 : 1); output++) {
        for (uint32_t port = 0; port < all; port++) {
            rect r = grid_box(d, port / ports);
            const int place = place_in_switch(d, (int)(port % ports), output);
            const int column = place % d->side + (output ? d->side : 0), row = place / d->side;
            r.x += column * d->cell + 0.4;
            r.y += row * d->cell + 0.4;
            r.wide = r.high = d->cell - 0.8;
            if (used(d, port, output))
                add_cell(d, port, output, r);
        }
    }
    for (uint32_t port = 0; port < all; port++) {
        if (!(d->f->link[port] & SWQ_TO_NODE) && stands_for_both(d, port))
            grid_wire(d, port);
    }
    label_grid(d);
}

/* ---- all of it ---- */

static void find_leads(drawing *d)
{
    const uint32_t all = d->f->switches * (uint32_t)d->f->ports;

    memset(d->lead, 0xff, all * sizeof *d->lead);
    for (uint32_t n = 0; n < d->f->nodes; n++)
        d->lead[d->f->entry[n]] = n;
    for (uint32_t port = 0; port < all; port++) {
        if (!(d->f->link[port] & SWQ_TO_NODE)) /* SWQ_NO_WHERE has this bit set, too */
            d->lead[d->f->link[port]] = d->f->nodes + port;
    }
}

static void draw(drawing *d)
{
    cli_layout *l = d->layout;

    d->cells = cJSON_CreateArray();
    d->names = cJSON_CreateArray();
    d->boxes = cJSON_CreateArray();
    d->labels = cJSON_CreateArray();
    find_leads(d);
    d->tree = d->f->shape.kind->tree;
    d->columns = d->f->shape.wiring ? d->f->shape.stages : (d->f->levels + 1) / 2;
    if (d->f->shape.wiring || d->tree)
        draw_columns(d);
    else
        draw_grid(d);
    l->json = cJSON_CreateObject();
    if (d->of->marked != SWQ_NO_WHERE && d->f->shape.wiring)
        mark_node(d);
    cJSON_AddItemToObject(l->json, "width", length(d->width));
    cJSON_AddItemToObject(l->json, "height", length(d->height));
    cJSON_AddItemToObject(l->json, "cells", d->cells);
    cJSON_AddItemToObject(l->json, "names", d->names);
    cJSON_AddItemToObject(l->json, "boxes", d->boxes);
    cJSON_AddItemToObject(l->json, "labels", d->labels);
    cJSON_AddStringToObject(l->json, "wires", d->wires.used ? d->wires.at : "");
}

swq_status cli_layout_make(swq_context *ctx, const cli_layout_of *of, cli_layout *layout)
{
    const swq_fabric *f = of->fabric;
    const size_t ports = (size_t)f->switches * (size_t)f->ports;
    drawing d = {.of = of, .f = f, .map = {&f->shape, f, f->nodes}, .layout = layout};

    *layout = (cli_layout){.store = calloc(2 * ports, sizeof *layout->store)};
    d.lead = calloc(ports, sizeof *d.lead);
    if (d.lead && layout->store)
        draw(&d);
    free(d.lead);
    free(d.wires.at);
    if (layout->json && !d.wires.failed)
        return SWQ_OK;
    cli_layout_clear(layout);
    return swq_fail(ctx, SWQ_ENOMEM, "no memory for the drawing");
}

void cli_layout_clear(cli_layout *layout)
{
    cJSON_Delete(layout->json);
    free(layout->store);
    *layout = (cli_layout){0};
}
