/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Details of a simulation: their options, and their lists in the answer.
 */
#include "cli/sim/detail.h"
#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool asked(const char *option)
{
    return cli_given(cli_sim_output_options, option) != NULL;
}

/* ---- options ---- */

/* "50,90,99.9", or the usual four percentiles. */
static swq_status read_percentiles(swq_context *ctx, const char *text,
                                   swq_percentile percentile[SWQ_MOST_PERCENTILES], int *count)
{
    const char *at = text;
    double before = 0;

    for (int p = 0; !text && p < SWQ_PERCENTILES; p++)
        percentile[(*count)++].level = swq_percentile_levels[p];
    while (at) {
        char *end;
        const double percent = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(percent > before && percent < 100) ||
            *count == SWQ_MOST_PERCENTILES)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--percentiles must be at most %d ascending numbers above 0 and below "
                            "100 such as 50,90,99.9, not '%.60s'",
                            SWQ_MOST_PERCENTILES, text);
        percentile[(*count)++].level = percent / 100;
        before = percent;
        at = *end ? end + 1 : NULL;
    }
    return SWQ_OK;
}

/* "hop-wait,pause": rows of the table of measures, each once. */
static swq_status read_measures(swq_context *ctx, const char *text, const char *percentiles,
                                swq_detail *d)
{
    swq_status status = SWQ_OK;

    for (const char *at = text; at && !status;) {
        const size_t length = strcspn(at, ",");
        const swq_measure *row;
        char name[40];
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), at);
        status = swq_measure_find(ctx, name, &row);
        for (int k = 0; k < d->measures && !status; k++) {
            if (d->measured[k].measure == row)
                status = swq_fail(ctx, SWQ_EINVAL, "--measure %s is given twice", name);
        }
        if (!status && d->measures == SWQ_MOST_MEASURES)
            status =
                swq_fail(ctx, SWQ_EINVAL, "--measure takes at most %d names", SWQ_MOST_MEASURES);
        if (status)
            break;
        swq_measured *m = &d->measured[d->measures++];
        m->measure = row;
        if (row->kind == SWQ_MEASURE_SPREAD)
            status = read_percentiles(ctx, percentiles, m->percentile, &m->percentiles);
        at = at[length] ? at + length + 1 : NULL;
    }
    return status;
}

static swq_status read_detail(swq_context *ctx, const cli_run_of *of, size_t outputs, bool many,
                              cli_run *run, swq_detail *detail)
{
    static const struct {
        const char *option;
        unsigned what;
    } row[] = {{"per-node", SWQ_DETAIL_NODES},
               {"per-link", SWQ_DETAIL_LINKS},
               {"histogram", SWQ_DETAIL_HISTOGRAM},
               {"percentiles", 0},
               {"measure", 0}};
    const char *percentiles = cli_text(cli_sim_output_options, "percentiles");
    const char *measures = cli_text(cli_sim_output_options, "measure");
    unsigned what = of->links ? SWQ_DETAIL_LINKS : 0;

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        what |= asked(row[k].option) ? row[k].what : 0;
        if (asked(row[k].option) && many && run->format == CLI_TEXT)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s of a range needs --json or --csv: a table has no room for it",
                            row[k].option);
    }
    if (!what && !percentiles && !measures)
        return SWQ_OK;
    swq_status status = swq_detail_new(ctx, of->nodes, outputs, what, detail);
    if (!status && (percentiles || what & SWQ_DETAIL_HISTOGRAM))
        status = read_percentiles(ctx, percentiles, detail->percentile, &detail->percentiles);
    if (!status)
        status = read_measures(ctx, measures, percentiles, detail);
    if (status)
        swq_detail_clear(ctx, detail);
    else
        run->options.detail = detail;
    return status;
}

swq_status cli_sim_read_point(swq_context *ctx, const cli_run_of *what, size_t outputs, bool many,
                              cli_sim_point *point)
{
    swq_status status = cli_run_read(ctx, what, &point->run);

    if (many)
        point->run.options.threads = 1;
    return status ? status : read_detail(ctx, what, outputs, many, &point->run, &point->detail);
}

swq_status cli_sim_map(swq_context *ctx, const cli_sim_point *point, swq_fabric *fabric,
                       swq_map *map)
{
    *fabric = (swq_fabric){0};
    *map = (swq_map){point->shape, point->shape->wiring ? NULL : fabric, point->nodes};
    return map->fabric && point->run.options.detail ? swq_fabric_make(ctx, point->shape, fabric)
                                                    : SWQ_OK;
}

/* ---- lists ---- */

static void put_nodes(cli_record *result, const swq_detail *d, const char *unit, bool discards)
{
    cli_record *nodes = cli_abridged(cli_put_list(result, "nodes", "node"));
    char name[40];

    for (uint32_t i = 0; i < d->nodes; i++) {
        const swq_node_detail *n = &d->node[i];
        snprintf(name, sizeof name, "%u", i);
        cli_record *node = cli_put_item(nodes, name);
        cli_quietly(cli_put_count(node, "node", i));
        cli_in_unit(cli_put_estimate(node, "offered", n->offered), unit);
        cli_labelled(
            cli_in_unit(cli_put_estimate(node, "sender_throughput", n->sender_throughput), unit),
            "sent");
        cli_in_unit(cli_put_estimate(node, "throughput", n->throughput), unit);
        cli_labelled(cli_put_estimate(node, "latency_cycles", n->latency), "latency");
        cli_put_count(node, "created", n->created);
        cli_put_count(node, "delivered", n->delivered);
        cli_record *lost = cli_put_count(node, "discarded", n->discarded);
        if (!discards)
            cli_quietly(lost);
        if (n->bytes_created || n->bytes_delivered) {
            cli_quietly(cli_put_count(node, "bytes_created", n->bytes_created));
            cli_quietly(cli_put_count(node, "bytes_delivered", n->bytes_delivered));
        }
    }
}

/* `at_outputs`: set-aside queues exist before some links. */
static void put_link(cli_record *links, const swq_map *map, size_t k, const swq_link_detail *link,
                     bool at_outputs)
{
    const int ports = map->fabric ? map->fabric->ports : map->shape->ports;
    const bool output = k >= map->nodes;
    char name[240], from[80], to[80];

    swq_link_from(map, k, from, sizeof from);
    swq_link_to(map, k, to, sizeof to);
    snprintf(name, sizeof name, "%s -> %s", from, to);
    cli_record *item = cli_put_item(links, name);
    cli_quietly(cli_put_word(item, "from", from));
    cli_quietly(cli_put_word(item, "to", to));
    swq_link_level(map, k, name, sizeof name);
    cli_quietly(cli_put_word(item, "level", name));
    const size_t port = output ? k - map->nodes : 0, sw = port / (size_t)ports;
    cli_quietly(cli_put_number(item, "switch", output ? (double)sw : NAN));
    cli_quietly(cli_put_number(item, "output", output ? (double)(port % (size_t)ports) : NAN));
    cli_put_estimate(item, "utilisation", link->utilisation);
    cli_put_estimate(item, "packets_per_cycle", link->packet_rate);
    cli_labelled(cli_put_estimate(item, "packets_per_port", link->occupancy), "packets behind it");
    if (!isnan(link->saqs)) {
        cli_labelled(cli_put_number(item, "saqs_per_input", link->saqs), "SAQs there");
        cli_labelled(cli_put_count(item, "saqs_most", link->saqs_most), "... the most of one");
    }
    if (at_outputs) {
        const double most = isnan(link->saqs_before) ? NAN : link->saqs_before_most;
        cli_labelled(cli_put_number(item, "saqs_per_output", link->saqs_before), "SAQs before it");
        cli_labelled(cli_put_number(item, "saqs_most_at_output", most), "... the most of one");
    }
    cli_quietly(cli_put_count(item, "packets_sent", link->packets));
    if (link->bytes || !link->packets)
        cli_quietly(cli_put_count(item, "bytes_sent", link->bytes));
}

static void put_links(cli_record *result, const swq_map *map, const swq_detail *d)
{
    cli_record *links = cli_abridged(cli_put_list(result, "links", "link"));
    bool at_outputs = false;

    for (size_t k = 0; k < d->links; k++)
        at_outputs = at_outputs || !isnan(d->link[k].saqs_before);
    for (size_t k = 0; k < d->links; k++) {
        if (swq_link_exists(map, k))
            put_link(links, map, k, &d->link[k], at_outputs);
    }
}

/* Some twenty rows for people: equal widths up to about the 99.9th percentile, and the rest. */
static void say_histogram(cli_record *to, const swq_detail *d)
{
    enum { ROWS = 16 };
    double packets = 0, seen = 0, from = d->bins ? d->bin[0].least : 0, end = from;
    size_t b = 0;

    for (size_t k = 0; k < d->bins; k++)
        packets += (double)d->bin[k].packets;
    for (size_t k = 0; k < d->bins && seen < 0.999 * packets; k++) {
        seen += (double)d->bin[k].packets;
        end = (double)d->bin[k].most + 1;
    }
    const double width = fmax(1, ceil((end - from) / ROWS));
    cli_say(to, "\n  latency (cycles)         packets  fraction");
    for (; b < d->bins; from += width) {
        const bool last = from >= end;
        const double most = last ? d->bin[d->bins - 1].most : from + width - 1;
        double sum = 0;
        char range[60];
        for (; b < d->bins && (double)d->bin[b].least <= most; b++)
            sum += (double)d->bin[b].packets;
        if (most > from)
            snprintf(range, sizeof range, "%.0f .. %.0f", from, most);
        else
            snprintf(range, sizeof range, "%.0f", from);
        cli_say(to, "  %-18s  %12.0f  %8.3g", range, sum, sum / packets);
    }
}

static void put_histogram(cli_record *result, const swq_detail *d)
{
    cli_record *list = cli_put_list(result, "histogram", NULL);
    char name[40];

    for (size_t b = 0; b < d->bins; b++) {
        snprintf(name, sizeof name, "%u", d->bin[b].least);
        cli_record *bin = cli_put_item(list, name);
        cli_put_count(bin, "least_cycles", d->bin[b].least);
        cli_put_count(bin, "most_cycles", d->bin[b].most);
        cli_put_count(bin, "packets", d->bin[b].packets);
    }
    if (d->bins)
        say_histogram(result, d);
}

static void put_percentiles(cli_record *result, const swq_detail *d)
{
    cli_record *list = cli_put_list(result, "percentiles", "percentile");
    char name[40];

    for (int p = 0; p < d->percentiles; p++) {
        const swq_percentile *at = &d->percentile[p];
        snprintf(name, sizeof name, "%.10g", 100 * at->level);
        cli_record *item = cli_put_item(list, name);
        cli_quietly(cli_put_number(item, "percent", 100 * at->level));
        cli_put_number(item, "percentile_cycles", at->value);
        cli_put_number(item, "lower_cycles", at->lower);
        cli_put_number(item, "upper_cycles", at->upper);
    }
}

static void put_measure_percentiles(cli_record *list, const swq_measured *m)
{
    char name[80];

    for (int p = 0; p < m->percentiles; p++) {
        const swq_percentile *at = &m->percentile[p];
        snprintf(name, sizeof name, "%s %.10g", m->measure->name, 100 * at->level);
        cli_record *item = cli_put_item(list, name);
        cli_quietly(cli_put_word(item, "measure", m->measure->name));
        cli_quietly(cli_put_number(item, "percent", 100 * at->level));
        cli_put_number(item, "measure_percentile", at->value);
        cli_put_number(item, "measure_lower", at->lower);
        cli_put_number(item, "measure_upper", at->upper);
    }
}

static void put_measures(cli_record *result, const swq_detail *d)
{
    cli_record *list = cli_put_list(result, "measures", "measure");
    bool spreads = false;

    for (int k = 0; k < d->measures; k++) {
        const swq_measured *m = &d->measured[k];
        cli_record *item = cli_put_item(list, m->measure->name);
        cli_quietly(cli_put_word(item, "measure", m->measure->name));
        cli_put_estimate(item, "measure_value", m->value);
        cli_put_word(item, "unit", m->measure->unit);
        cli_put_count(item, "reports", m->reports);
        spreads = spreads || m->percentiles;
    }
    if (!spreads)
        return;
    list = cli_put_list(result, "measure_percentiles", "percentile");
    for (int k = 0; k < d->measures; k++)
        put_measure_percentiles(list, &d->measured[k]);
}

swq_status cli_put_detail(swq_context *ctx, cli_record *root, const cli_sim_point *point)
{
    const swq_detail *d = &point->detail;
    cli_record *result = cli_record_child(root, "result");
    swq_fabric fabric;
    swq_map map;
    swq_status status = cli_sim_map(ctx, point, &fabric, &map);

    if (status)
        return status;
    if (d->node)
        put_nodes(result, d, point->unit, point->discards);
    if (d->link && asked("per-link"))
        put_links(result, &map, d);
    if (d->bin)
        put_histogram(result, d);
    if (d->percentiles)
        put_percentiles(result, d);
    if (d->measures)
        put_measures(result, d);
    swq_fabric_clear(ctx, &fabric);
    return SWQ_OK;
}
