/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure as a record. In CSV a row is a point of a curve, a printed number, or a node of the map.
 */
#include "cli/figures/figure.h"
#include "cli/spec/async.h"
#include "cli/tables/joint.h"

#include <math.h>

static const char *const origin_words[] = {"throughput", "load", "full-load", "time"};

static void put_run(cli_record *root, const swq_figure *f)
{
    cli_record *run = cli_quietly(cli_put_group(root, "run", NULL));

    cli_put_count(run, "seed", f->options.seed);
    /* each point has its own number of cycles */
    cli_not_in_csv(cli_put_count(run, "cycles", f->options.cycles));
    cli_not_in_csv(cli_put_count(run, "least_packets_a_node", f->options.least_a_node));
    cli_not_in_csv(cli_put_count(run, "runs", (uint64_t)f->runs));
    cli_put_truth(run, "cut_short", f->cut_short);
}

/* The setting of a row, so that it can be run again by itself. */
static void put_setting(cli_record *point, const swq_figure_setting *s)
{
    if (!s)
        return;
    if (s->asynchronous)
        cli_put_async_of(point, &s->async, s->buffer, s->memory, s->load, s->benchmark);
    else
        cli_put_network_of(point, &s->network, s->buffer, s->memory);
    cli_put_count(point, "warmup_cycles", s->warmup);
    cli_put_count(point, "replications", (uint64_t)s->replications);
}

/* A point that is an answer, with the question, so that it can be asked again by itself. */
static void put_answer(cli_record *point, const swq_figure_point *p)
{
    cli_put_number(point, "x", p->x);
    cli_put_number(point, "y", p->y);
    cli_put_number(point, "y_lower", p->answer->lower);
    cli_put_number(point, "y_upper", p->answer->upper);
    cli_put_word(point, "exactly", *p->answer->exactly ? p->answer->exactly : NULL);
    cli_put_word(point, "question", p->question->words);
}

static void put_gaps(cli_record *root, const swq_figure *f)
{
    cli_record *gaps = cli_not_in_csv(cli_put_list(root, "missing", NULL));

    for (int k = 0; k < f->gaps; k++) {
        const swq_figure_curve *curve = &f->curve[f->gap[k].curve];
        cli_record *gap = cli_put_item(gaps, NULL);
        cli_put_word(gap, "curve", curve->name);
        cli_put_word(gap, "panel", f->kind->panel[curve->panel].letter);
        cli_put_number(gap, "x", f->gap[k].x);
        cli_put_word(gap, "reason", f->gap[k].why);
    }
}

static void put_curve(cli_record *curves, const swq_figure *f, const swq_figure_curve *curve)
{
    cli_record *item = cli_not_in_csv(cli_put_item(curves, curve->name));

    cli_not_in_csv(cli_put_word(item, "name", curve->name));
    cli_put_word(item, "curve", curve->name);
    cli_put_word(item, "panel", f->kind->panel[curve->panel].letter);
    cli_put_word(item, "quantity", curve->quantity);
    if (f->answer)
        cli_put_word(item, "x_quantity", cli_figure_axes[f->kind->panel[curve->panel].over].json);
    cli_record *points = cli_bare(cli_put_list(item, "points", NULL));
    for (int k = 0; k < curve->points; k++) {
        const swq_figure_point *p = &curve->point[k];
        cli_record *point = cli_put_item(points, NULL);
        if (p->question) {
            put_answer(point, p);
            continue;
        }
        cli_put_word(point, "at", origin_words[p->origin]);
        cli_put_number(point, "x", p->x);
        cli_put_number(point, "y", p->y);
        cli_put_number(point, "half_width", p->half_width);
        cli_put_number(point, "load", p->load);
        cli_put_number(point, "throughput", p->throughput.mean);
        cli_put_number(point, "throughput_half_width", p->throughput.half_width);
        cli_put_number(point, "packets_a_node", p->a_node);
        cli_put_count(point, "cycles", p->cycles);
        put_setting(point, p->setting);
    }
}

static void put_printed(cli_record *root, const swq_figure *f)
{
    cli_record *printed = cli_put_list(root, "printed", NULL);

    for (int k = 0; k < f->printeds; k++) {
        const swq_printed_point *p = &f->printed[k];
        const swq_figure_curve *curve = &f->curve[p->curve];
        cli_record *point = cli_put_item(printed, NULL);
        cli_put_word(point, "curve", curve->name);
        cli_put_word(point, "panel", f->kind->panel[curve->panel].letter);
        cli_put_word(point, "quantity", curve->quantity);
        cli_put_word(point, "at", origin_words[p->at_full_load ? 2 : 0]);
        cli_put_number(point, "x", p->x);
        cli_put_number(point, "paper_value", p->y);
        cli_put_number(point, "computed", p->found.mean);
        cli_put_number(point, "half_width", p->found.half_width);
        cli_put_word(point, "verdict", swq_printed_verdict_text(p->verdict));
        put_setting(point, p->setting);
    }
    cli_not_in_csv(cli_put_word(root, "printed_rule", swq_figure_printed_rule));
}

static void put_map(cli_record *root, const swq_figure_map *m)
{
    cli_record *map = cli_quietly(cli_not_in_csv(cli_put_group(root, "map", NULL)));
    cli_record *nodes = cli_quietly(cli_not_in_json(cli_put_list(root, "nodes", NULL)));
    const double *value = cli_figure_map(m);
    char letters[CLI_FIGURE_ROW][CLI_FIGURE_ROW];
    const char *ring[CLI_FIGURE_ROW];

    for (int r = 0; r < m->rows && r < CLI_FIGURE_ROW; r++) {
        cli_figure_map_row(m, r, letters[r]);
        ring[r] = letters[r];
    }
    cli_put_number(map, "load", m->load);
    cli_put_count(map, "threshold", (uint64_t)m->threshold);
    cli_put_words(map, "rings", ring, m->rows);
    cli_put_rows(map, "difference", NULL, NULL, value, m->rows, m->columns);
    for (int k = 0; k < m->rows * m->columns; k++) {
        cli_record *node = cli_put_item(nodes, NULL);
        cli_put_count(node, "ring", (uint64_t)(k / m->columns));
        cli_put_count(node, "place", (uint64_t)(k % m->columns));
        cli_put_number(node, "difference", value[k]);
        put_setting(node, m->setting);
    }
}

static void put_claims(cli_record *root, const swq_figure *f)
{
    cli_record *claims = cli_not_in_csv(cli_put_list(root, "claims", NULL));
    for (int k = 0; k < f->claims; k++) {
        const swq_claim *claim = &f->claim[k];
        cli_record *item = cli_put_item(claims, NULL);
        cli_put_word(item, "claim", claim->text);
        cli_put_word(item, "criterion", claim->criterion);
        cli_put_word(item, "measured", claim->measured);
        cli_put_word(item, "verdict", cli_figure_verdict(f, claim));
        if (claim->known)
            cli_put_word(item, "explanation", claim->known);
    }
}

cli_record *cli_figure_record(const swq_figure *f)
{
    const swq_figure_kind *kind = f->kind;
    cli_record *root = cli_not_in_csv(cli_in_words(cli_record_new("switchq/figure/1")));

    cli_put_word(root, "figure", kind->name);
    cli_not_in_csv(cli_put_word(root, "title", kind->title));
    cli_not_in_csv(cli_put_word(root, "source", kind->source));
    cli_not_in_csv(cli_put_word(root, "section", kind->section));
    if (!f->answer) {
        cli_not_in_csv(cli_put_word(root, "x_quantity", cli_figure_axes[kind->over].json));
        put_run(root, f);
    }
    cli_record *curves = cli_put_list(root, "curves", NULL);
    for (int c = 0; c < f->curves; c++)
        put_curve(curves, f, &f->curve[c]);
    if (f->answer) {
        put_gaps(root, f);
        if (f->claims > 0)
            put_claims(root, f);
        cli_not_in_csv(cli_put_truth(root, "cut_short", f->cut_short));
        cli_figure_say_answers(root, f);
        return root;
    }
    put_printed(root, f);
    if (f->map.rows)
        put_map(root, &f->map);
    put_claims(root, f);
    cli_not_in_csv(cli_put_word(root, "verdict", swq_joint_verdict_text(swq_figure_verdict(f))));
    cli_put_joint(root, &f->joint);
    cli_figure_say(root, f);
    return root;
}
