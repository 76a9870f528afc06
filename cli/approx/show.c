/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: its answer as a record, and plots.
 */
#include "base/context.h"
#include "cli/approx/approx.h"
#include "cli/print/words.h"

#include <math.h>

static bool discards(const cli_approximation *a)
{
    return a->n.network.sw.flow == SWQ_DISCARD;
}

static const swq_sim_result *simulation_of(const cli_approximation *a)
{
    return a->compared ? &a->simulated.result : NULL;
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
    cli_record *root = cli_record_new("switchq/approx/2");
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
        cli_labelled(cli_put_mean(stage, "mean_packets", r->stage[k].occupancy), "packets/switch");
        if (sim)
            cli_labelled(cli_put_estimate(stage, "occupancy_simulated", sim->stage[k].occupancy),
                         "simulated");
        cli_labelled(cli_put_mean(stage, "sent", r->stage[k].sent), "sent/output");
        cli_put_mean(stage, "blocked", r->stage[k].blocked);
        cli_record *discarded = cli_labelled(
            cli_put_mean(stage, "discard_probability", r->stage[k].discarded), "discarded");
        if (!lossy)
            cli_quietly(discarded);
    }
}

/* Puts the answers of a network with a hot node, separately for the switches on the tree of routes
 * to the hot node and for all others. */
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
static void put_classes(cli_record *point, const cli_approximation *a)
{
    static const char *const title[SWQ_CLASSES] = {"  normal packets:",
                                                   "  packets of high priority:"};
    const swq_approx_result *r = &a->result;
    const swq_sim_result *s = simulation_of(a);
    cli_record *classes = cli_put_named(point, "classes", NULL);

    for (int c = 0; c < SWQ_CLASSES; c++) {
        const swq_approx_class *of = &r->by_class[c];
        cli_record *item = cli_titled(cli_put_item(classes, cli_class_names[c]), "%s", title[c]);
        cli_record *throughput = cli_put_mean(item, "throughput", of->throughput);
        cli_record *latency = cli_put_mean(item, "latency_cycles", of->latency);
        cli_record *loss = cli_put_mean(item, "discard_fraction", of->discard_fraction);
        cli_in_unit(throughput, "packets per node and cycle");
        if (!discards(a))
            cli_quietly(loss);
        if (!s)
            continue;
        const swq_flow_result *f = &s->by_class[c];
        cli_remark_simulated(throughput, &f->throughput, NAN,
                             off_by(of->throughput, f->throughput.mean));
        cli_remark_simulated(latency, &f->latency, NAN, off_by(of->latency, f->latency.mean));
        cli_remark_simulated(loss, &f->discard_fraction, f->discard_below,
                             off_by(of->discard_fraction, f->discard_fraction.mean));
    }
}

/* The approximated figures and the simulated ones. */
static void put_figures(cli_record *point, const cli_approximation *a)
{
    const swq_approx_result *r = &a->result;
    const swq_sim_result *s = simulation_of(a);
    const bool lossy = discards(a);
    cli_record *throughput = cli_put_mean(point, "throughput", r->throughput);
    cli_record *latency = cli_put_mean(point, "latency_cycles", r->latency);
    cli_record *loss = cli_put_mean(point, "discard_fraction", r->discard_fraction);
    cli_record *queue = cli_put_mean(point, "source_queue", r->source_queue);
    cli_record *refusal = cli_in_unit(cli_put_mean(point, "refusal_probability", r->refusal),
                                      "of the sources' offers");

    cli_quietly(cli_put_truth(point, "saturated", r->saturated));
    cli_in_unit(throughput, "packets per node and cycle");
    if (a->saturation)
        cli_labelled(throughput, "saturation");
    cli_quietly(lossy ? queue : loss);
    if (lossy)
        cli_quietly(refusal);
    if (lossy && !worth_showing(r))
        cli_in_place(loss, "below %g", LEAST_LOSS);
    if (!s)
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

/* ---- a size or a load that meets a target ---- */

static void put_target(cli_record *root, const cli_approximation *a)
{
    const bool slots = a->n.spec.slots_open;
    cli_record *target = cli_quietly(cli_prefixed(cli_put_group(root, "target", NULL)));

    cli_put_number(target, "discard_probability", a->target);
    cli_put_word(target, "found", slots ? "slots" : "load");
    if (slots)
        cli_put_number(target, "loss_before", a->loss_before);
}

static void say_target(cli_record *root, const cli_approximation *a)
{
    const int slots = a->n.spec.slots;

    if (!a->n.spec.slots_open) {
        cli_say(root, "largest load at which no more than %g is lost: %.9g", a->target,
                a->n.network.traffic.load);
        return;
    }
    cli_say(root, "smallest buffer that loses no more than %g: %d slot%s per input port", a->target,
            slots, cli_plural((uint64_t)slots));
    if (!isnan(a->loss_before))
        cli_say(root, "  (the next smaller one loses %.3g)", a->loss_before);
    if (a->memory)
        cli_say(root,
                "  a whole memory of %d slots, which need not be divided by the ports, does so",
                a->memory);
}

/* What was found, as columns of a range. */
static void put_found(cli_record *point, const cli_approximation *a)
{
    cli_record *found = cli_in_columns(cli_quietly(cli_put_group(point, "found", NULL)));

    if (a->n.spec.slots_open)
        cli_labelled(cli_put_number(found, "slots", a->n.spec.slots), "slots");
    else
        cli_labelled(cli_put_number(found, "load", a->n.network.traffic.load), "load");
    if (a->memory)
        cli_labelled(cli_put_number(found, "memory_slots", a->memory), "memory");
}

static void put_result(cli_record *root, const cli_approximation *a)
{
    const swq_approx_result *r = &a->result;
    cli_record *point = cli_the_result(cli_put_group(root, "result", NULL));

    if (!r->converged)
        cli_titled(point, "  NOT SETTLED");
    cli_not_in_csv(cli_quietly(cli_put_number(point, "load", a->n.network.traffic.load)));
    if (a->target > 0)
        put_found(point, a);
    put_figures(point, a);
    put_stages(point, r, simulation_of(a), discards(a));
    if (r->hot.bound > 0)
        put_hot_spot(point, r, !discards(a));
    if (r->classes)
        put_classes(point, a);
    cli_quietly(cli_put_count(point, "iterations", (uint64_t)r->steps));
    cli_quietly(cli_put_number(point, "change", r->change));
    cli_quietly(cli_put_truth(point, "converged", r->converged));
    if (r->steps)
        cli_say(point, "\n  %d steps, %s%.1e; %.3g s", r->steps,
                r->converged ? "to " : "NOT SETTLED, still changes ", r->change, r->cpu_seconds);
    if (simulation_of(a))
        put_simulated(point, r, simulation_of(a), discards(a));
}

cli_record *cli_approx_record(const cli_approximation *a)
{
    cli_record *root = cli_record_new("switchq/approx/2");

    if (a->target > 0) {
        put_target(root, a);
        say_target(root, a);
    }
    cli_put_network(root, &a->n);
    put_method_here(cli_quietly(cli_prefixed(cli_put_group(root, "method", NULL))), a);
    put_result(root, a);
    cli_put_number(cli_quietly(cli_put_group(root, "run", NULL)), "cpu_seconds",
                   a->result.cpu_seconds);
    say_accuracy(root, a);
    return root;
}
