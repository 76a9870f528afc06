/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Details of a simulation, drawn: links and nodes as a map of the network, coloured by the traffic
 * that they carry, and latencies as a histogram. A grid of one or two dimensions is drawn as a
 * grid, each direction of a link an arrow; any other network as columns, one for each stage or
 * direction.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/options/words.h"
#include "cli/print/append.h"
#include "cli/sim/detail.h"
#include "cli/spec/async.h"

#include "sim/fabrics/fabrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = SWQ_MAX_STAGES + 3 * SWQ_MAX_DIMS, NAME = 40, TITLE = CLI_QUESTION_WORDS };

swq_status cli_detail_plotted(swq_context *ctx)
{
    static const char *const option[] = {"per-link", "per-node", "histogram", "series"};
    int several = 0;

    for (int k = 0; k < 4; k++)
        several += cli_given(cli_sim_output_options, option[k]) != NULL;
    if (several == 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--plot needs a range, such as --load 0.1:0.9:0.1, or one of --per-link, "
                        "--per-node, --histogram and --series");
    if (several > 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--plot draws one of --per-link, --per-node, --histogram and --series at a "
                        "time");
    return SWQ_OK;
}

/* ---- a drawing ---- */

typedef struct {
    swq_heat_mark *mark;
    size_t count;
    char title[TITLE];
    char name[MOST_COLUMNS][NAME]; /* of columns */
    const char *names[MOST_COLUMNS];
} map_drawing;

static void add(map_drawing *d, double x0, double y0, double x1, double y1, double value,
                bool arrow)
{
    d->mark[d->count++] = (swq_heat_mark){x0, y0, x1, y1, value, arrow};
}

/* "Utilisation of links: mesh, dims 16x16, ...": the words of the question in the answer. */
static void entitle(const cli_record *of, const char *what, char *title)
{
    const size_t used = (size_t)snprintf(title, TITLE, "%s: ", what);

    cli_question_of(of, title + used, TITLE - used);
}

static double largest(const map_drawing *d)
{
    double most = 0;

    for (size_t k = 0; k < d->count; k++)
        most = d->mark[k].value > most ? d->mark[k].value : most;
    return most > 0 ? most : 1;
}

static swq_status draw(swq_context *ctx, const map_drawing *d, const char *x, const char *y,
                       const char *value, int columns, const char *path)
{
    const swq_heat_map map = {.title = d->title,
                              .x_label = x,
                              .y_label = y,
                              .value_label = value,
                              .mark = d->mark,
                              .marks = d->count,
                              .most = largest(d),
                              .x_name = columns ? d->names : NULL,
                              .x_names = (size_t)columns,
                              .square = columns == 0};

    return swq_plot_write_heat(ctx, &map, path);
}

/* ---- grids ---- */

static bool drawn_as_grid(const swq_map *m)
{
    return m->fabric && m->shape->kind->grid && m->shape->dims <= 2 && m->fabric->coordinate;
}

static void place_of(const swq_map *m, uint32_t node, double *x, double *y)
{
    const uint16_t *c = m->fabric->coordinate + (size_t)node * (size_t)m->shape->dims;

    *x = c[0];
    *y = m->shape->dims > 1 ? c[1] : 0;
}

/* Draws a link as an arrow from the edge of one node to the edge of the next, to the right of the
 * line between the nodes, so that a link's two directions are side by side; a wraparound link of a
 * torus ends beyond the border. */
static void add_arrow(map_drawing *d, const swq_map *m, size_t link, double value)
{
    const swq_fabric *f = m->fabric;
    const uint32_t port = (uint32_t)(link - m->nodes), chain = f->switches / f->nodes;
    const uint32_t from = port / (uint32_t)f->ports / chain;
    const uint32_t to = f->link[port] / (uint32_t)f->ports / chain;
    const bool down = !m->shape->one_way && port % (uint32_t)f->ports % 2 == 1;
    const bool along_y = f->out_level[port] == 1;
    const double way = down ? -1 : 1, edge = 0.2, side = 0.09 * way;
    double x, y, next_x, next_y;

    place_of(m, from, &x, &y);
    place_of(m, to, &next_x, &next_y);
    const double ahead = along_y ? (next_y - y) * way : (next_x - x) * way;
    const double end = ahead > 0 ? 1 - edge : 0.6;
    if (along_y)
        add(d, x + side, y + way * edge, x + side, y + way * end, value, true);
    else
        add(d, x + way * edge, y - side, x + way * end, y - side, value, true);
}

static swq_status draw_grid(swq_context *ctx, const swq_map *m, const swq_detail *detail,
                            map_drawing *d, const char *value, const char *path)
{
    const bool links = detail->link != NULL;
    const double half = links ? 0.16 : 0.48;

    for (uint32_t i = 0; i < m->nodes; i++) {
        double x, y;
        place_of(m, i, &x, &y);
        add(d, x - half, y - half, x + half, y + half,
            detail->node && !links ? detail->node[i].throughput.mean : NAN, false);
    }
    for (size_t k = m->nodes; links && k < detail->links; k++) {
        if (swq_link_exists(m, k) && m->fabric->out_level[k - m->nodes] < m->shape->dims)
            add_arrow(d, m, k, detail->link[k].utilisation.mean);
    }
    return draw(ctx, d, "coordinate in dimension 1",
                m->shape->dims > 1 ? "coordinate in dimension 2" : "", value, 0, path);
}

/* ---- columns ---- */

/* Directions as columns, in the order of the dimensions, followed by the other links of a node's
 * switches: to the next switch of a chain, and to the node. Nodes are rows. */
static int add_directions(map_drawing *d, const swq_map *m, const swq_detail *detail)
{
    const swq_fabric *f = m->fabric;
    const bool both = m->shape->kind->grid && !m->shape->one_way;
    const int dims = m->shape->dims, directions = both ? 2 : 1;
    const uint32_t ports = (uint32_t)f->ports, chain = f->switches / f->nodes;

    for (size_t k = m->nodes; detail->link && k < detail->links; k++) {
        const uint32_t port = (uint32_t)(k - m->nodes), which = port / ports % chain;
        const int level = f->out_level[port], down = both && port % ports % 2;
        const uint32_t row = port / ports / chain;
        if (!swq_link_exists(m, k))
            continue;
        const int column =
            level < dims ? directions * level + down : directions * dims + (int)which;
        swq_link_level(m, k, d->name[column], NAME);
        if (both && level < dims)
            cli_append(d->name[column], NAME, " %s", down ? "down" : "up");
        else if (level == dims && !(f->link[port] & SWQ_TO_NODE))
            snprintf(d->name[column], NAME, "to switch %u", which + 1);
        add(d, column - 0.45, row - 0.5, column + 0.45, row + 0.5, detail->link[k].utilisation.mean,
            false);
    }
    return directions * dims + (int)chain;
}

/* Levels of links as columns, where ports are not dimensions (trees, dragonflies, graphs); the
 * links of each level, by switch and port, as rows. */
static int add_levels(map_drawing *d, const swq_map *m, const swq_detail *detail)
{
    double next[SWQ_MAX_LEVELS] = {0};

    for (size_t k = m->nodes; detail->link && k < detail->links; k++) {
        if (!swq_link_exists(m, k))
            continue;
        const int level = m->fabric->out_level[k - m->nodes];
        const double row = next[level]++;
        swq_link_level(m, k, d->name[level], NAME);
        add(d, level - 0.45, row - 0.5, level + 0.45, row + 0.5, detail->link[k].utilisation.mean,
            false);
    }
    return m->fabric->levels;
}

static int add_stages(map_drawing *d, const swq_map *m, const swq_detail *detail)
{
    for (size_t k = 0; detail->link && k < detail->links; k++) {
        const size_t stage = k / m->nodes, line = k % m->nodes;
        const double x = (double)stage, y = (double)line;
        swq_link_level(m, k, d->name[k / m->nodes], NAME);
        add(d, x - 0.45, y - 0.5, x + 0.45, y + 0.5, detail->link[k].utilisation.mean, false);
    }
    return m->shape->stages + 1;
}

static swq_status draw_columns(swq_context *ctx, const swq_map *m, const swq_detail *detail,
                               map_drawing *d, const char *value, const char *path)
{
    const bool leveled =
        m->fabric && m->shape->kind->direction_name != swq_fabric_dimension_of_port;
    const int columns = leveled     ? add_levels(d, m, detail)
                        : m->fabric ? add_directions(d, m, detail)
                                    : add_stages(d, m, detail);

    for (int k = 0; k < columns; k++)
        d->names[k] = d->name[k];
    return draw(ctx, d, m->fabric && !leveled ? "links of a node" : "links leaving",
                leveled     ? "link of the level, by switch and port"
                : m->fabric ? "node"
                            : "line: switch of the stage x ports + output",
                value, columns, path);
}

/* ---- curves ---- */

static swq_status draw_curve(swq_context *ctx, const char *title, const char *x_label,
                             const char *y_label, swq_curve *curve, const char *path)
{
    const swq_plot plot = {
        .title = title, .x_label = x_label, .y_label = y_label, .curve = curve, .curves = 1};

    return swq_plot_write(ctx, &plot, path);
}

static swq_status draw_nodes(swq_context *ctx, const cli_record *of, const swq_detail *detail,
                             const char *unit, const char *path)
{
    const size_t nodes = detail->nodes;
    double *room = calloc(nodes, 3 * sizeof *room);
    char title[TITLE], label[200];

    if (!room)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the plot");
    for (size_t i = 0; i < nodes; i++) {
        const swq_estimate *e = &detail->node[i].throughput;
        room[i] = (double)i;
        room[nodes + i] = e->mean;
        room[2 * nodes + i] = isfinite(e->half_width) ? e->half_width : 0;
    }
    swq_curve curve = {.name = "delivered",
                       .x = room,
                       .y = room + nodes,
                       .half = room + 2 * nodes,
                       .points = nodes,
                       .band = true};
    entitle(of, "Throughput of nodes", title);
    snprintf(label, sizeof label, "throughput (%s)", unit);
    swq_status status = draw_curve(ctx, title, "node", label, &curve, path);
    free(room);
    return status;
}

/* Draws the histogram of latencies, in at most some two hundred bins of equal width, up to the
 * largest latency. */
static swq_status draw_histogram(swq_context *ctx, const cli_record *of, const swq_detail *detail,
                                 const char *path)
{
    enum { MOST_BINS = 200 };
    double x[MOST_BINS + 2], y[MOST_BINS + 2] = {0}, packets = 0;
    char title[TITLE];

    if (!detail->bins)
        return swq_fail(ctx, SWQ_EINVAL, "--plot has no packet to draw: none was delivered");
    const double least = detail->bin[0].least, most = detail->bin[detail->bins - 1].most;
    const double width = ceil((most - least + 1) / MOST_BINS);
    const size_t bins = (size_t)((most - least) / width) + 1;
    for (size_t b = 0; b < bins; b++)
        x[b] = least + (double)b * width + (width - 1) / 2;
    for (size_t b = 0; b < detail->bins; b++) {
        y[(size_t)((detail->bin[b].least - least) / width)] += (double)detail->bin[b].packets;
        packets += (double)detail->bin[b].packets;
    }
    for (size_t b = 0; b < bins; b++)
        y[b] /= packets * width;
    swq_curve curve = {.name = "packets", .x = x, .y = y, .points = bins, .steps = true};
    entitle(of, "Latency of packets", title);
    return draw_curve(ctx, title, "latency (cycles)",
                      "fraction of the packets per cycle of latency", &curve, path);
}

static swq_status draw_detail(swq_context *ctx, const swq_map *m, const cli_record *of,
                              const swq_detail *detail, const char *unit, const char *path)
{
    map_drawing *d;
    char value[200];

    if (detail->bin)
        return draw_histogram(ctx, of, detail, path);
    if (detail->node && !drawn_as_grid(m))
        return draw_nodes(ctx, of, detail, unit, path);
    d = calloc(1, sizeof *d);
    if (d)
        d->mark = calloc(m->nodes + detail->links, sizeof *d->mark);
    if (!d || !d->mark) {
        free(d);
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the plot");
    }
    entitle(of, detail->link ? "Utilisation of links" : "Throughput of nodes", d->title);
    snprintf(value, sizeof value, "%s (%s)", detail->link ? "utilisation" : "throughput",
             detail->link ? "fraction of the link's bandwidth" : unit);
    swq_status status = drawn_as_grid(m) ? draw_grid(ctx, m, detail, d, value, path)
                                         : draw_columns(ctx, m, detail, d, value, path);
    free(d->mark);
    free(d);
    return status;
}

swq_status cli_sim_plot_point(swq_context *ctx, const void *at, const cli_record *record,
                              const char *path)
{
    const cli_sim_point *point = at;
    swq_fabric fabric;
    swq_map map;

    if (point->run.options.series)
        return cli_points_plot_series(ctx, record, path);
    swq_status status = cli_sim_map(ctx, point, &fabric, &map);
    if (!status)
        status = draw_detail(ctx, &map, record, &point->detail, point->unit, path);
    swq_fabric_clear(ctx, &fabric);
    return status;
}
