/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: its answer as a record, and plots.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/approx/approx.h"
#include "cli/options/words.h"
#include "cli/print/drawing.h"

#include <math.h>

static bool discards(const cli_approximation *a)
{
    return a->n.network.sw.flow == SWQ_DISCARD;
}

static const swq_sim_result *simulation_of(const cli_approximation *a, int k)
{
    return a->simulated ? &a->simulated[k].result : NULL;
}

/* The difference as a fraction of the simulated value; NAN if there is nothing to compare. */
static double off_by(double approximated, double simulated)
{
    return simulated > 0 ? approximated / simulated - 1 : NAN;
}

/* ---- the method ---- */

void cli_put_method(cli_record *to, const swq_approx_method *m)
{
    cli_put_word(to, "name", m->name);
    cli_not_in_csv(cli_put_word(to, "summary", m->summary));
    cli_not_in_csv(cli_put_word(to, "assumptions", m->assumptions));
    cli_not_in_csv(cli_put_word(to, "source", m->source));
    cli_not_in_csv(cli_put_word(to, "accuracy", m->error));
}

/* A method, and its errors as measured in networks like the one of the answer. */
static void put_method_here(cli_record *to, const cli_approximation *a)
{
    char text[SWQ_APPROX_OFF];

    cli_put_method(to, a->method);
    cli_not_in_csv(
        cli_put_word(to, "measured", swq_approx_off(a->method, &a->n.network, text, sizeof text)));
}

static void say_method(cli_record *to, const swq_approx_method *m)
{
    cli_tell(to, 4, "  assumes: %s", m->assumptions);
    if (m->error && *m->error)
        cli_tell(to, 4, "  off by: %s", m->error);
    if (m->source && *m->source)
        cli_tell(to, 4, "  source: %s", m->source);
}

/* A sentence on the accuracy of the method for such a network. */
static void say_accuracy(cli_record *to, const cli_approximation *a)
{
    const swq_approx_method *m = a->method;
    char text[SWQ_APPROX_OFF];
    const char *off = swq_approx_off(m, &a->n.network, text, sizeof text);

    cli_say(to, "%s", "");
    cli_tell(to, 4, "  method %s%s%s; 'switchq approx --methods' says what it assumes", m->name,
             off ? ": " : "", off ? off : "");
}

swq_status cli_approx_methods(swq_context *ctx, cli_format format)
{
    cli_record *root = cli_record_new("switchq/approx/1");
    cli_record *rows = cli_put_list(root, "methods", NULL);

    for (int k = 0; swq_approx_methods[k]; k++) {
        const swq_approx_method *m = swq_approx_methods[k];
        cli_put_method(cli_put_item(rows, NULL), m);
        cli_tell(root, 2, "%s%s: %s", k ? "\n" : "", m->name, m->summary);
        say_method(root, m);
    }
    return cli_record_print(ctx, root, format);
}

/* ---- a point ---- */

/* Losses below this are within the iteration's rounding, so it is unknown whether there are any. */
#define LEAST_LOSS 1e-12

/* Are enough packets discarded to show a number? Without any load there is nothing to discard. */
static bool worth_showing(const swq_approx_result *r)
{
    return r->load == 0 || !(r->discard_fraction < LEAST_LOSS);
}

/* Adds the simulated value to an approximated one: its interval or, for rare events, an upper
 * bound; and the error, if both are known. */
void cli_remark_simulated(cli_record *field, const swq_estimate *e, double below, double off)
{
    char by[40] = "";

    if (isfinite(off))
        snprintf(by, sizeof by, ": off by %+.2f%%", 100 * off);
    if (isnan(e->mean))
        cli_remark(field, "; simulated: none");
    else if (isnan(below))
        cli_remark(field, "; simulated %.5g +- %.2g%s", e->mean, e->half_width, by);
    else
        cli_remark(field, "; simulated %.2g, below %.2g%s", e->mean, below, by);
}

static void put_stages(cli_record *point, const swq_approx_result *r, const swq_sim_result *sim,
                       bool lossy)
{
    cli_record *stages = cli_put_list(point, "stages", "stage");

    for (int k = 0; k < r->stages; k++) {
        cli_record *stage = cli_put_item(stages, NULL);
        cli_labelled(cli_put_number(stage, "mean_packets", r->stage[k].occupancy),
                     "packets/switch");
        if (sim)
            cli_labelled(cli_put_estimate(stage, "occupancy_simulated", sim->stage[k].occupancy),
                         "simulated");
        cli_labelled(cli_put_number(stage, "sent", r->stage[k].sent), "sent/output");
        cli_put_number(stage, "blocked", r->stage[k].blocked);
        cli_record *discarded = cli_labelled(
            cli_put_number(stage, "discard_probability", r->stage[k].discarded), "discarded");
        if (!lossy)
            cli_quietly(discarded);
    }
}

/* By class of switch: on the tree of routes to the hot node, and off it. */
static void put_hot_spot(cli_record *point, const swq_approx_result *r, bool lossless)
{
    const swq_approx_hot_spot *h = &r->hot;
    cli_record *hot = cli_put_group(point, "hot_spot", "hot spot");

    if (lossless)
        cli_in_unit(cli_put_number(hot, "bound", h->bound), "packets per node and cycle, at most");
    cli_put_number(hot, "hot_latency_cycles", h->hot_latency);
    cli_put_number(hot, "other_latency_cycles", h->cold_latency);
    cli_record *stages = cli_put_list(hot, "stages", "stage");
    for (int k = 0; k < r->stages; k++) {
        const swq_approx_hot_stage *s = &h->stage[k];
        cli_record *stage = cli_put_item(stages, NULL);
        cli_put_number(stage, "occupancy_on_tree", s->on_tree);
        cli_put_number(stage, "occupancy_off_tree", s->off_tree);
        cli_put_number(stage, "sent_hot", s->hot_sent);
        cli_put_number(stage, "sent_other", s->cold_sent);
        cli_put_number(stage, "cycles_hot", s->hot_delay);
        cli_put_number(stage, "cycles_other", s->cold_delay);
    }
}

/* The simulated figures of each class, and the error of each approximation. */
static void put_simulated_classes(cli_record *simulated, cli_record *off,
                                  const swq_approx_result *r, const swq_sim_result *s, bool lossy)
{
    cli_record *seen = cli_put_named(simulated, "classes", NULL);
    cli_record *apart = cli_put_named(off, "classes", NULL);

    for (int c = 0; c < SWQ_CLASSES; c++) {
        const swq_approx_class *of = &r->by_class[c];
        const swq_flow_result *f = &s->by_class[c];
        cli_record *item = cli_quietly(cli_put_item(seen, cli_class_names[c]));
        cli_put_estimate(item, "throughput", f->throughput);
        cli_put_estimate(item, "latency_cycles", f->latency);
        cli_put_fraction(item, "discard_fraction", f->discard_fraction,
                         lossy ? f->discard_below : NAN, NULL);
        item = cli_quietly(cli_put_item(apart, cli_class_names[c]));
        cli_put_number(item, "throughput", off_by(of->throughput, f->throughput.mean));
        cli_put_number(item, "latency_cycles", off_by(of->latency, f->latency.mean));
        cli_put_number(item, "discard_fraction",
                       off_by(of->discard_fraction, f->discard_fraction.mean));
    }
}

static void put_simulated(cli_record *point, const swq_approx_result *r, const swq_sim_result *s,
                          bool lossy)
{
    cli_record *simulated = cli_in_columns(cli_quietly(cli_put_group(point, "simulated", NULL)));

    cli_in_full(cli_labelled(cli_put_estimate(simulated, "throughput", s->all.throughput),
                             "simulated throughput"));
    cli_in_full(cli_labelled(cli_put_estimate(simulated, "latency_cycles", s->all.latency),
                             "simulated latency"));
    cli_record *loss =
        cli_labelled(cli_put_fraction(simulated, "discard_fraction", s->all.discard_fraction,
                                      lossy ? s->all.discard_below : NAN, NULL),
                     "simulated discards");
    cli_quietly(
        cli_put_fraction(simulated, "source_queue", s->source_queue, s->source_queue_below, NULL));
    cli_quietly(
        cli_put_fraction(simulated, "refusal_probability", s->refusal, s->refusal_below, NULL));
    cli_quietly(cli_put_count(simulated, "cycles", s->cycles));
    cli_quietly(cli_put_count(simulated, "seed", s->seed));
    cli_record *off = cli_in_columns(cli_quietly(cli_put_group(point, "off_by", NULL)));
    cli_in_percent(cli_labelled(
        cli_put_number(off, "throughput", off_by(r->throughput, s->all.throughput.mean)),
        "throughput off by"));
    cli_in_percent(
        cli_labelled(cli_put_number(off, "latency_cycles", off_by(r->latency, s->all.latency.mean)),
                     "latency off by"));
    cli_record *loss_off = cli_in_percent(
        cli_labelled(cli_put_number(off, "discard_fraction",
                                    off_by(r->discard_fraction, s->all.discard_fraction.mean)),
                     "discards off by"));
    if (!lossy) {
        cli_quietly(loss);
        cli_quietly(loss_off);
    }
    if (r->classes)
        put_simulated_classes(simulated, off, r, s, lossy);
}

/* By class, each next to the simulated value. */
static void put_classes(cli_record *point, const cli_approximation *a, int k)
{
    static const char *const title[SWQ_CLASSES] = {"  normal packets:",
                                                   "  packets of high priority:"};
    const swq_approx_result *r = &a->result[k];
    const swq_sim_result *s = simulation_of(a, k);
    cli_record *classes = cli_put_named(point, "classes", NULL);

    for (int c = 0; c < SWQ_CLASSES; c++) {
        const swq_approx_class *of = &r->by_class[c];
        cli_record *item = cli_titled(cli_put_item(classes, cli_class_names[c]), "%s", title[c]);
        cli_record *throughput = cli_put_number(item, "throughput", of->throughput);
        cli_record *latency = cli_put_number(item, "latency_cycles", of->latency);
        cli_record *loss = cli_put_number(item, "discard_fraction", of->discard_fraction);
        cli_in_unit(throughput, "packets per node and cycle");
        if (a->points > 1 || !discards(a))
            cli_quietly(loss);
        if (a->points > 1) {
            cli_quietly(throughput);
            cli_quietly(latency);
        }
        if (a->points > 1 || !s)
            continue;
        const swq_flow_result *f = &s->by_class[c];
        cli_remark_simulated(throughput, &f->throughput, NAN,
                             off_by(of->throughput, f->throughput.mean));
        cli_remark_simulated(latency, &f->latency, NAN, off_by(of->latency, f->latency.mean));
        cli_remark_simulated(loss, &f->discard_fraction, f->discard_below,
                             off_by(of->discard_fraction, f->discard_fraction.mean));
    }
}

/* The approximated figures and, at a single point, the simulated ones. */
static void put_figures(cli_record *point, const cli_approximation *a, int k)
{
    const swq_approx_result *r = &a->result[k];
    const swq_sim_result *s = simulation_of(a, k);
    const bool lossy = discards(a);
    cli_record *throughput = cli_put_number(point, "throughput", r->throughput);
    cli_record *latency = cli_put_number(point, "latency_cycles", r->latency);
    cli_record *loss = cli_put_number(point, "discard_fraction", r->discard_fraction);
    cli_record *queue = cli_put_number(point, "source_queue", r->source_queue);
    cli_record *refusal = cli_in_unit(cli_put_number(point, "refusal_probability", r->refusal),
                                      "of the sources' offers");

    cli_in_unit(throughput, "packets per node and cycle");
    if (a->saturation)
        cli_labelled(throughput, "saturation");
    cli_quietly(lossy ? queue : loss);
    if (lossy || a->points > 1)
        cli_quietly(lossy ? refusal : queue);
    if (lossy && !worth_showing(r))
        cli_in_place(loss, "below %g", LEAST_LOSS);
    if (!s || a->points > 1)
        return;
    cli_remark_simulated(throughput, &s->all.throughput, NAN,
                         off_by(r->throughput, s->all.throughput.mean));
    cli_remark_simulated(latency, &s->all.latency, NAN, off_by(r->latency, s->all.latency.mean));
    cli_remark_simulated(loss, &s->all.discard_fraction, s->all.discard_below,
                         off_by(r->discard_fraction, s->all.discard_fraction.mean));
    cli_remark_simulated(refusal, &s->refusal, s->refusal_below,
                         off_by(r->refusal, s->refusal.mean));
    cli_remark_simulated(queue, &s->source_queue, s->source_queue_below,
                         off_by(r->source_queue, s->source_queue.mean));
}

static void put_point(cli_record *points, const cli_approximation *a, int k)
{
    const swq_approx_result *r = &a->result[k];
    char load[40];

    snprintf(load, sizeof load, "%.10g", a->load[k]);
    cli_record *point = cli_titled(cli_put_item(points, load), "%s",
                                   a->points > 1 && !r->converged ? "  NOT SETTLED" : "");
    cli_quietly(cli_put_number(point, "load", a->load[k]));
    put_figures(point, a, k);
    put_stages(point, r, simulation_of(a, k), discards(a));
    if (r->hot.bound > 0)
        put_hot_spot(point, r, !discards(a));
    if (r->classes)
        put_classes(point, a, k);
    cli_quietly(cli_put_count(point, "iterations", (uint64_t)r->steps));
    cli_quietly(cli_put_number(point, "change", r->change));
    cli_quietly(cli_put_truth(point, "converged", r->converged));
    cli_quietly(cli_put_number(point, "cpu_seconds", r->cpu_seconds));
    if (r->steps)
        cli_say(point, "\n  %d steps, %s%.1e; %.3g s", r->steps,
                r->converged ? "to " : "NOT SETTLED, still changes ", r->change, r->cpu_seconds);
    if (simulation_of(a, k))
        put_simulated(point, r, simulation_of(a, k), discards(a));
}

cli_record *cli_approx_record(const cli_approximation *a)
{
    cli_record *root = cli_record_new("switchq/approx/1");

    cli_put_network(root, &a->n);
    if (a->points > 1)
        cli_record_drop(cli_record_child(root, "model"), "load");
    put_method_here(cli_quietly(cli_prefixed(cli_put_group(root, "method", NULL))), a);
    cli_record *points = cli_told(cli_put_points(root, "points"), a->points > 1 ? "load" : NULL);
    for (int k = 0; k < a->points; k++)
        put_point(points, a, k);
    say_accuracy(root, a);
    return root;
}

/* ---- plot ---- */

swq_status cli_approx_draw(swq_context *ctx, const cli_approximation *a, const cli_record *record,
                           const char *path)
{
    char words[CLI_QUESTION_WORDS];
    static const swq_plot like = {.x_label = "throughput (packets per node and cycle)",
                                  .y_label = "latency (cycles)"};
    cli_drawing d = {0};

    cli_draw_panel(&d, &like, "%s (method %s)", cli_question_of(record, words, sizeof words),
                   a->method->name);
    cli_draw_curve(&d, "approximated");
    for (int k = 0; k < a->points; k++)
        cli_draw_point(&d, a->result[k].throughput, a->result[k].latency, 0);
    cli_draw_curve(&d, "simulated")->printed = true;
    for (int k = 0; k < a->points && a->simulated; k++) {
        const swq_flow_result *s = &a->simulated[k].result.all;
        cli_draw_point(&d, s->throughput.mean, s->latency.mean, 0);
    }
    return cli_draw(ctx, &d, path);
}
