/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve: the answers as a record.
 */
#include "cli/options/words.h"
#include "cli/print/words.h"
#include "cli/solve/solve.h"
#include "cli/spec/network.h"
#include "cli/spec/priority.h"

#include <math.h>
#include <string.h>

/* ---- the switch ---- */

static void put_traffic(cli_record *model, const cli_spec *spec)
{
    const int ports = spec->sw.ports;

    cli_put_word(model, "traffic", spec->traffic);
    if (strcmp(spec->traffic, "uniform") == 0)
        return;
    if (strcmp(spec->traffic, "hotspot") == 0) {
        cli_put_number(model, "hot_fraction", spec->hot_fraction);
        cli_put_count(model, "hot_output", (uint64_t)spec->hot_output);
    }
    double matrix[SWQ_CHAIN_PORTS * SWQ_CHAIN_PORTS];
    for (int i = 0; i < ports; i++)
        memcpy(matrix + i * ports, spec->sw.dest[i], (size_t)ports * sizeof *matrix);
    cli_put_rows(model, "destinations", NULL, NULL, matrix, ports, ports);
}

cli_record *cli_put_model(cli_record *root, const cli_spec *spec)
{
    const swq_switch *sw = &spec->sw;
    cli_record *model = cli_quietly(cli_put_group(root, "model", NULL));

    cli_put_memory(model, spec->buffer, spec->slots, sw);
    if (spec->same_load)
        cli_put_number(model, "load", sw->load[0]);
    else
        cli_put_numbers(model, "load", sw->load, sw->ports);
    cli_put_rules(model, sw);
    put_traffic(model, spec);
    if (sw->burst > 1)
        cli_put_number(model, "burst", sw->burst);
    if (spec->buffer) {
        cli_put_buffer(model, &sw->buffer);
        cli_put_word(model, "pool_rule", swq_buffer_pool_rule(&sw->buffer)->name);
    }
    if (spec->classes)
        cli_put_priority(model, &sw->priority);
    return model;
}

/* ---- the result ---- */

static bool alike(const double *value, int count)
{
    for (int k = 1; k < count; k++) {
        if (fabs(value[k] - value[0]) > 1e-9 * value[0])
            return false;
    }
    return true;
}

/* Text shows outputs if they differ, as with a hot spot, or if asked. */
static void put_outputs(cli_record *result, const swq_answers *a, int ports, bool block, bool shown)
{
    shown = shown || !alike(a->throughput_output, ports) || !alike(a->refusal_output, ports) ||
            !alike(a->waiting_output, ports);
    cli_record *field[] = {
        cli_put_numbers(result, "throughput_by_output", a->throughput_output, ports),
        cli_put_numbers(result, "discard_by_output", a->discard_output, ports),
        cli_put_numbers(result, "refusal_by_output", a->refusal_output, ports),
        cli_put_numbers(result, "waiting_by_output", a->waiting_output, ports),
    };
    for (int k = 0; k < 4; k++) {
        if (!shown || k == (block ? 1 : 2))
            cli_quietly(field[k]);
    }
}

static void put_variance(cli_record *result, const swq_answers *a, bool block)
{
    const char *name = block ? "variance of refusals" : "variance of discards";

    cli_quietly(cli_put_number(result, "refusals_per_cycle", a->refusals));
    cli_record *variance = cli_put_known(result, "asymptotic_variance", &a->variance);
    cli_labelled(variance, name);
    cli_put_number(result, "dispersion_index", a->variance.value / a->refusals);
    if (a->refusals > 0) {
        cli_say(result, "  %-22s %.3g / sqrt(cycles), relative", "error if simulated",
                sqrt(fmax(0, a->variance.value)) / a->refusals);
    } else {
        cli_quietly(variance);
        cli_say(result, "  %-22s 0: nothing is ever refused", name);
    }
}

/* The slope is null where loads cannot grow. */
static void put_slope(cli_record *result, const swq_answers *a, bool block)
{
    cli_record *log_load = cli_put_known(result, "slope_by_log_load", &a->slope);
    cli_record *load = cli_put_known(result, "slope_by_load", &a->slope_by_load);

    cli_in_unit(log_load, block ? "throughput per log load" : "discard probability per log load");
    cli_in_unit(load, block ? "throughput per load" : "discard probability per load");
    if (isnan(a->slope.value))
        cli_say(result, "  %-22s not defined: a load is 1 and cannot grow, or all are 0", "slope");
}

static void put_blocking(cli_record *result, const swq_answers *a)
{
    cli_put_proven(result, "saturation_throughput", "saturation", &a->saturation);
    if (!isfinite(a->saturation.value))
        cli_say(result,
                "  %-22s undefined: with all sources always busy there is more than one closed "
                "class of states",
                "saturation throughput");
}

static void put_classes(cli_record *result, const swq_answers *a, bool block)
{
    static const char *const title[SWQ_CLASSES] = {"  normal packets:",
                                                   "  packets of high priority:"};
    cli_record *classes = cli_put_named(result, "classes", NULL);

    for (int c = 0; c < SWQ_CLASSES; c++) {
        const swq_class_answers *of = &a->by_class[c];
        cli_record *item = cli_titled(cli_put_item(classes, cli_class_names[c]), "%s", title[c]);
        cli_record *lost = cli_put_number(item, "discard_probability", of->discard);
        cli_put_number(item, "throughput", of->throughput);
        cli_record *refused = cli_put_number(item, "refusal_probability", of->refusal);
        cli_put_number(item, "mean_packets", of->mean_packets);
        cli_put_number(item, "mean_delay_cycles", of->mean_delay);
        cli_quietly(cli_put_number(item, "latency_cycles",
                                   of->mean_delay + (block ? of->mean_source_wait : 0)));
        if (block) {
            cli_quietly(cli_put_number(item, "mean_held_packets", of->mean_held));
            cli_put_number(item, "mean_source_wait_cycles", of->mean_source_wait);
        }
        cli_quietly(block ? lost : refused);
    }
}

static void put_result(cli_record *root, const cli_spec *spec, const swq_answers *a,
                       const cli_solve_more *more)
{
    const bool block = spec->sw.flow == SWQ_BLOCK, pool = spec->sw.buffer.scope == SWQ_POOL;
    const bool apart = swq_switch_architecture(&spec->sw)->stage.apart;
    const int ports = spec->sw.ports;
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));

    cli_record *discard = cli_put_proven(result, "discard_probability", "discard", &a->discard);
    cli_put_proven(result, "throughput", "throughput", &a->throughput);
    if (block) {
        cli_quietly(discard);
        put_blocking(result, a);
    }
    cli_record *refused = cli_put_number(result, "refusal_probability", a->refusal);
    cli_put_number(result, "mean_packets", a->mean_packets);
    cli_put_number(result, "mean_delay_cycles", a->mean_delay);
    cli_quietly(cli_put_number(result, "latency_cycles",
                               a->mean_delay + (block ? a->mean_source_wait : 0)));
    if (block) {
        cli_quietly(cli_put_number(result, "mean_held_packets", a->mean_held));
        cli_quietly(cli_put_number(result, "source_queue", a->mean_held / ports));
        cli_put_number(result, "mean_source_wait_cycles", a->mean_source_wait);
    } else {
        cli_quietly(refused);
    }
    cli_record *lost = cli_put_numbers(result, "discard_by_input", a->discard_input, ports);
    cli_record *waited = cli_put_numbers(result, "refusal_by_input", a->refusal_input, ports);
    cli_quietly(block ? lost : waited);
    if (a->buffers > 0)
        cli_put_numbers(result, "buffer_full", a->full, a->buffers);
    put_outputs(result, a, ports, block, more->by_output);
    if (a->classes)
        put_classes(result, a, block);
    if (more->variance)
        put_variance(result, a, block);
    if (more->slope)
        put_slope(result, a, block);
    if (a->buffers == 0)
        return;
    cli_put_rows(result, "occupancy_distribution", "packets held",
                 pool && a->buffers > 1 ? "output queue"
                 : pool                 ? "the pool"
                 : apart                ? "column"
                 : a->buffers > 1       ? "buffer"
                                        : "buffer 0",
                 a->occupancy, a->buffers, a->capacity + 1);
}

/* ---- the chain, and how it was solved ---- */

static void put_chain(cli_record *root, const swq_answers *a)
{
    cli_record *chain = cli_quietly(cli_put_group(root, "chain", NULL));

    cli_put_count(chain, "states", (uint64_t)a->states);
    cli_put_number(chain, "states_unreduced", a->unreduced);
    cli_put_number(chain, "transitions", a->transitions ? (double)a->transitions : NAN);
    cli_put_count(chain, "factors", (uint64_t)a->factors);
    cli_put_count(chain, "factor_entries", (uint64_t)a->entries);
    cli_put_count(chain, "intermediate_states", (uint64_t)a->intermediates);
    cli_put_count(chain, "transient_states", (uint64_t)a->transient);
    cli_put_count(chain, "period", (uint64_t)a->period);
}

static void say_chain(cli_record *root, const swq_answers *a)
{
    char entries[80], transient[40] = "", period[60] = "";

    if (a->transitions)
        snprintf(entries, sizeof entries, "%lld transition%s", (long long)a->transitions,
                 cli_plural((uint64_t)a->transitions));
    else
        snprintf(entries, sizeof entries, "%lld entries in %d factors", (long long)a->entries,
                 a->factors);
    if (a->transient)
        snprintf(transient, sizeof transient, ", %lld transient", (long long)a->transient);
    if (a->period > 1)
        snprintf(period, sizeof period, ", period %lld (long-run averages)", (long long)a->period);
    cli_say(root, "\n  %lld state%s (%.4g with all contents written out), %s%s%s",
            (long long)a->states, cli_plural((uint64_t)a->states), a->unreduced, entries, transient,
            period);
}

void cli_say_solver(cli_record *to, const cli_solved *s, const char *known, const char *unknown)
{
    char steps[40] = "";

    if (s->iterations)
        snprintf(steps, sizeof steps, " in %lld iteration%s", (long long)s->iterations,
                 cli_plural((uint64_t)s->iterations));
    cli_say(to, "  solved by %s%s, residual %.1g, in %.3f s%s%s", s->solver, steps, s->residual,
            s->seconds, s->why ? "\n  " : "", s->why ? s->why : "");
    if (isfinite(s->error))
        cli_say(to, "  every %s is proven to within %.1g of itself", known, s->error);
    else
        cli_say(to, "  the %s have no proven error bound", unknown);
}

void cli_put_solver(cli_record *root, const cli_solved *s)
{
    cli_record *solver = cli_quietly(cli_prefixed(cli_put_group(root, "solver", NULL)));

    cli_put_word(solver, "name", s->solver);
    if (s->why)
        cli_put_word(solver, "why", s->why);
    cli_put_count(solver, "iterations", (uint64_t)s->iterations);
    cli_put_number(solver, "residual", s->residual);
    cli_put_number(solver, "relative_error", s->error);
    cli_put_truth(solver, "converged", s->converged);
    cli_put_number(solver, "seconds", s->seconds);
    cli_put_count(solver, "peak_bytes", s->peak);
}

static const char *found_word(const cli_spec *spec)
{
    return !spec->slots_open                   ? "load"
           : spec->open == CLI_SIZE_OUTPUT     ? "output_slots"
           : spec->open == CLI_SIZE_CROSSPOINT ? "crosspoint_slots"
                                               : "slots";
}

static void say_found(cli_record *root, const cli_spec *spec, double target)
{
    const bool output = spec->open == CLI_SIZE_OUTPUT;
    const bool crosspoint = spec->open == CLI_SIZE_CROSSPOINT;
    const int slots = output       ? spec->sw.output_slots
                      : crosspoint ? spec->sw.crosspoint_slots
                                   : spec->slots;

    cli_say(root, "smallest buffer that loses no more than %g: %d slot%s per %s", target, slots,
            cli_plural((uint64_t)slots),
            output       ? "output"
            : crosspoint ? "crosspoint"
                         : "input port");
}

cli_record *cli_solve_record(const cli_spec *spec, const swq_answers *a, const cli_solve_more *more,
                             const cli_packets *packets, size_t peak)
{
    const cli_solved solved = {a->solver->name,   a->why,       a->iterations, a->residual,
                               a->relative_error, a->converged, a->seconds,    peak};
    cli_record *root = cli_record_new("switchq/solve/1");

    cli_put_model(root, spec);
    if (more->target > 0) {
        cli_record *found = cli_quietly(cli_prefixed(cli_put_group(root, "target", NULL)));
        cli_put_number(found, "discard_probability", more->target);
        cli_put_word(found, "found", found_word(spec));
    }
    if (spec->slots_open)
        say_found(root, spec, more->target);
    if (spec->load_open)
        cli_say(root, "largest load at which no more than %g is lost: %.12g", more->target,
                spec->sw.load[0]);
    cli_say_question(root, root);
    cli_say(root, "%s", "");
    put_result(root, spec, a, more);
    put_chain(root, a);
    say_chain(root, a);
    cli_say_solver(root, &solved, "figure without a bound of its own",
                   "figures without a bound of their own");
    cli_put_solver(root, &solved);
    cli_put_packets(root, packets, spec->sw.ports);
    return root;
}
