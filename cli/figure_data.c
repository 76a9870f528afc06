/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure as JSON and CSV.
 * Room: cli.
 */
#include "cli/figure.h"

#include <math.h>

static const char *const origin_words[] = {"throughput", "load", "full-load", "time"};

/* ---- JSON ---- */

static cJSON *json_of_map(const swq_figure_map *m)
{
    cJSON *map = cJSON_CreateObject();
    char text[CLI_FIGURE_ROW];

    cli_json_number(map, "load", m->load);
    cJSON_AddNumberToObject(map, "threshold", m->threshold);
    cJSON *letters = cJSON_AddArrayToObject(map, "rings");
    cJSON *difference = cJSON_AddArrayToObject(map, "difference");
    for (int r = 0; r < m->rows; r++) {
        cli_figure_map_row(m, r, text);
        cJSON_AddItemToArray(letters, cJSON_CreateString(text));
        cJSON_AddItemToArray(
            difference, cJSON_CreateDoubleArray(cli_figure_map(m) + r * m->columns, m->columns));
    }
    return map;
}

cJSON *cli_figure_json(const swq_figure *f)
{
    const swq_figure_kind *kind = f->kind;
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/figure/1");
    cJSON_AddStringToObject(tree, "figure", kind->name);
    cJSON_AddStringToObject(tree, "title", kind->title);
    cJSON_AddStringToObject(tree, "source", "G. L. Frazier, dissertation, UCLA 1995");
    cJSON_AddStringToObject(tree, "section", kind->section);
    cJSON_AddStringToObject(tree, "x", cli_figure_axes[kind->over].json);
    cJSON *run = cJSON_AddObjectToObject(tree, "run");
    cli_json_number(run, "seed", (double)f->options.seed);
    cJSON_AddNumberToObject(run, "cycles", (double)f->options.cycles);
    cJSON_AddNumberToObject(run, "least_packets_a_node", (double)f->options.least_a_node);
    cJSON_AddNumberToObject(run, "runs", f->runs);
    cJSON_AddBoolToObject(run, "cut_short", f->cut_short);
    cJSON *curves = cJSON_AddArrayToObject(tree, "curves");
    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(curves, object);
        cJSON_AddStringToObject(object, "name", curve->name);
        cJSON_AddStringToObject(object, "panel", kind->panel[curve->panel].letter);
        cJSON_AddStringToObject(object, "quantity", curve->quantity);
        cJSON *points = cJSON_AddArrayToObject(object, "points");
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            cJSON *point = cJSON_CreateObject();
            cJSON_AddItemToArray(points, point);
            cJSON_AddStringToObject(point, "at", origin_words[p->origin]);
            cli_json_number(point, "x", p->x);
            cli_json_number(point, "y", p->y);
            cli_json_number(point, "half_width", p->half_width);
            cli_json_number(point, "load", p->load);
            cli_json_number(point, "throughput", p->throughput.mean);
            cli_json_number(point, "throughput_half_width", p->throughput.half_width);
            cli_json_number(point, "packets_a_node", p->a_node);
            cJSON_AddNumberToObject(point, "cycles", (double)p->cycles);
        }
    }
    cJSON *printed = cJSON_AddArrayToObject(tree, "printed");
    for (int k = 0; k < f->printeds; k++) {
        const swq_printed_point *p = &f->printed[k];
        cJSON *point = cJSON_CreateObject();
        cJSON_AddItemToArray(printed, point);
        cJSON_AddStringToObject(point, "curve", f->curve[p->curve].name);
        cJSON_AddStringToObject(point, "panel", kind->panel[f->curve[p->curve].panel].letter);
        cJSON_AddStringToObject(point, "quantity", f->curve[p->curve].quantity);
        cJSON_AddStringToObject(point, "at", origin_words[p->at_full_load ? 2 : 0]);
        cli_json_number(point, "x", p->x);
        cli_json_number(point, "paper", p->y);
        cli_json_number(point, "computed", p->found.mean);
        cli_json_number(point, "half_width", p->found.half_width);
        cJSON_AddStringToObject(point, "verdict", swq_printed_verdict_text(p->verdict));
    }
    cJSON_AddStringToObject(tree, "printed_rule", swq_figure_printed_rule);
    if (f->map.rows)
        cJSON_AddItemToObject(tree, "map", json_of_map(&f->map));
    cJSON *claims = cJSON_AddArrayToObject(tree, "claims");
    for (int k = 0; k < f->claims; k++) {
        const swq_claim *claim = &f->claim[k];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(claims, object);
        cJSON_AddStringToObject(object, "claim", claim->text);
        cJSON_AddStringToObject(object, "criterion", claim->criterion);
        cJSON_AddStringToObject(object, "measured", claim->measured);
        cJSON_AddStringToObject(object, "verdict", cli_figure_verdict(f, claim));
        if (claim->known)
            cJSON_AddStringToObject(object, "known", claim->known);
    }
    return tree;
}

/* ---- CSV ---- */

void cli_figure_csv(FILE *to, const swq_figure *f)
{
    fputs("figure,panel,curve,quantity,at,x,y,half_width,load,throughput,throughput_half_width,"
          "packets_a_node,cycles,computed,verdict\n",
          to);
    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            fprintf(to, "%s,%s,\"%s\",\"%s\",%s,%.9g,%.9g,%.3g,%.9g,", f->kind->name,
                    f->kind->panel[curve->panel].letter, curve->name, curve->quantity,
                    origin_words[p->origin], p->x, p->y, p->half_width, p->load);
            if (p->origin == SWQ_AT_TIME)
                fputs(",,,", to);
            else
                fprintf(to, "%.9g,%.3g,%.9g,", p->throughput.mean, p->throughput.half_width,
                        p->a_node);
            fprintf(to, "%llu,,\n", (unsigned long long)p->cycles);
        }
    }
    for (int r = 0; r < f->map.rows; r++) {
        for (int k = 0; k < f->map.columns; k++)
            fprintf(
                to, "%s,map,\"ring %d\",\"mean blocks of Q1+ less Q1-\",node,%d,%.9g,,%.9g,,,,,,\n",
                f->kind->name, r, k, cli_figure_map(&f->map)[r * f->map.columns + k], f->map.load);
    }
    for (int k = 0; k < f->printeds; k++) {
        const swq_printed_point *p = &f->printed[k];
        const swq_figure_curve *curve = &f->curve[p->curve];
        fprintf(to, "%s,%s,\"%s\",\"%s\",printed,%.9g,%.9g,,,,,,,", f->kind->name,
                f->kind->panel[curve->panel].letter, curve->name, curve->quantity, p->x, p->y);
        if (!isnan(p->found.mean))
            fprintf(to, "%.9g", p->found.mean);
        fprintf(to, ",%s\n", swq_printed_verdict_text(p->verdict));
    }
}
