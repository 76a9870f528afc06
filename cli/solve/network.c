/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --topology: a whole network, exactly; its numbers as doubles or as fractions.
 */
#include "cli/spec/network.h"
#include "base/context.h"
#include "cli/print/words.h"
#include "cli/solve/solve.h"
#include "cli/spec/solver.h"
#include "switchq/netchain.h"

#include <math.h>
#include <string.h>

/* Options that apply to a network; all other options are for one switch. */
static const char *const with_networks[] = {
    "topology",       "stages",  "buffer",    "slots",     "ports",       "arbiter",
    "iterations",     "flow",    "credit",    "alpha",     "scope",       "queues",
    "read",           "load",    "queue-min", "queue-max", "traffic",     "reduce",
    "solver",         "tol",     "mem",       "exact",     "pool-rule",   "admission",
    "max-iterations", "threads", "plot",      "panel",     "x-range",     "y-range",
    "log-axes",       "json",    "csv",       "config",    "save-config", NULL,
};

bool cli_solve_network_asked(void)
{
    const char *topology = cli_text(cli_shape_options, "topology");

    return cli_given(cli_shape_options, "stages") || (topology && strcmp(topology, "switch") != 0);
}

swq_status cli_solve_network_options(swq_context *ctx, const struct poptOption *options)
{
    const char *topology = cli_text(cli_shape_options, "topology");
    const char *other = cli_given_but(options, with_networks);

    if (!topology)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--stages is for a network: it needs --topology ('switchq list "
                        "topologies')");
    if (!other)
        return SWQ_OK;
    return swq_fail(
        ctx, SWQ_EINVAL,
        "--%s is for one switch: the chain of a network does not support it (--topology %s)", other,
        topology);
}

/* ---- the record ---- */

static void put_stages(cli_record *result, const swq_netchain_answers *a, bool discards)
{
    cli_record *stages = cli_put_list(result, "stages", "stage");

    for (int k = 0; k < a->stages; k++) {
        const swq_netchain_stage *s = &a->stage[k];
        cli_record *stage = cli_put_item(stages, NULL);
        cli_in_full(
            cli_labelled(cli_put_number(stage, "mean_packets", s->packets), "packets/switch"));
        cli_in_full(cli_labelled(cli_put_number(stage, "sent", s->sent), "sent/output"));
        cli_in_full(cli_put_number(stage, "blocked", s->blocked));
        cli_record *lost = cli_in_full(cli_put_number(stage, "discard_probability", s->discarded));
        cli_labelled(lost, "discarded");
        if (!discards)
            cli_quietly(lost);
    }
}

/* The unit of the mean delay. Where a later stage may lose packets, the delay of a lost packet ends
 * with the loss, and counts too. */
static const char *delay_unit(const swq_network *network)
{
    return network->sw.flow == SWQ_DISCARD && network->shape.stages > 1
               ? "cycles from reception to departure or loss"
               : "cycles from reception to departure";
}

static void put_result(cli_record *root, const swq_network *network, const swq_netchain_answers *a)
{
    const bool block = network->sw.flow == SWQ_BLOCK;
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));

    cli_record *discard = cli_put_proven(result, "discard_probability", "discard", &a->discard);
    cli_in_unit(cli_put_proven(result, "throughput", "throughput", &a->throughput),
                "packets per node and cycle");
    if (block) {
        cli_quietly(discard);
        cli_in_unit(cli_put_proven(result, "saturation_throughput", "saturation", &a->saturation),
                    "packets per node and cycle");
    }
    cli_record *refused = cli_put_number(result, "refusal_probability", a->refusal);
    cli_put_number(result, "mean_packets", a->mean_packets);
    cli_in_unit(cli_put_number(result, "mean_delay_cycles", a->mean_delay), delay_unit(network));
    if (block) {
        cli_quietly(cli_put_number(result, "latency_cycles", a->mean_delay + a->mean_source_wait));
        cli_quietly(cli_put_number(result, "mean_held_packets", a->mean_held));
        cli_quietly(cli_put_number(result, "source_queue", a->mean_held / a->nodes));
        cli_put_number(result, "mean_source_wait_cycles", a->mean_source_wait);
    } else {
        cli_quietly(refused);
    }
    put_stages(result, a, !block);
}

static void put_chain(cli_record *root, const swq_netchain_answers *a)
{
    cli_record *chain = cli_quietly(cli_put_group(root, "chain", NULL));
    char transient[40] = "";

    cli_put_count(chain, "states", (uint64_t)a->states);
    cli_put_number(chain, "states_unreduced", a->foreseen.unreduced);
    cli_put_number(chain, "symmetry", a->foreseen.symmetry);
    cli_put_count(chain, "switches", (uint64_t)a->foreseen.switches);
    cli_put_number(chain, "transitions", a->transitions ? (double)a->transitions : NAN);
    cli_put_count(chain, "factors", (uint64_t)a->factors);
    cli_put_count(chain, "factor_entries", (uint64_t)a->entries);
    cli_put_count(chain, "intermediate_states", (uint64_t)a->intermediates);
    cli_put_count(chain, "transient_states", (uint64_t)a->transient);
    cli_put_count(chain, "period", (uint64_t)a->period);
    if (a->transient)
        snprintf(transient, sizeof transient, ", %lld transient", (long long)a->transient);
    cli_say(root,
            "\n  %lld state%s of %d switch%s%s (%.4g contents of all buffers; a symmetry of %.4g), "
            "%lld entries in %d factors%s",
            (long long)a->states, cli_plural((uint64_t)a->states), a->foreseen.switches,
            a->foreseen.switches == 1 ? "" : "es",
            a->foreseen.cone ? ", one of the last stage and what leads to it" : "",
            a->foreseen.unreduced, a->foreseen.symmetry, (long long)a->entries, a->factors,
            transient);
}

/* ---- a point ---- */

typedef struct {
    cli_network n;
    swq_exact_options how;
    swq_netchain_answers answers;
    size_t peak;
    char unsettled[400]; /* why there is only the last iterate; "": the solution converged */
} network_point;

static swq_status read_point(swq_context *ctx, void *at, bool many)
{
    network_point *p = at;

    (void)many; /* one thread solves a chain */
    swq_status status = cli_network_read_to_solve(ctx, &p->n, NULL);
    if (!status)
        status = swq_netchain_check(ctx, &p->n.network);
    if (!status)
        status = cli_solver_read(ctx, &p->how);
    if (status)
        cli_network_clear(&p->n);
    return status;
}

static swq_status answer_point(swq_context *ctx, void *at)
{
    network_point *p = at;
    swq_status status = swq_netchain_solve(ctx, &p->n.network, &p->how, &p->answers);

    if (status == SWQ_ECONVERGE && p->answers.solver) {
        snprintf(p->unsettled, sizeof p->unsettled, "%s", swq_context_message(ctx));
        status = SWQ_OK;
    }
    p->peak = swq_context_peak_bytes(ctx);
    return status;
}

static cli_record *record_point(swq_context *ctx, const void *at)
{
    const network_point *p = at;
    const swq_netchain_answers *a = &p->answers;
    const cli_solved solved = {a->solver->name,   a->why,       a->iterations, a->residual,
                               a->relative_error, a->converged, a->seconds,    p->peak};
    cli_record *root = cli_record_new("switchq/solve-network/1");

    (void)ctx;
    cli_put_network(root, &p->n);
    put_result(root, &p->n.network, a);
    put_chain(root, a);
    cli_say_solver(root, &solved, "figure without a bound of its own",
                   "figures without a bound of their own");
    cli_put_solver(root, &solved);
    return root;
}

static int end_point(swq_context *ctx, const void *at, const char *where)
{
    const network_point *p = at;

    return *p->unsettled ? cli_fail(ctx, swq_fail(ctx, SWQ_ECONVERGE, "%s%s", where, p->unsettled))
                         : CLI_OK;
}

static void clear_point(swq_context *ctx, void *at)
{
    network_point *p = at;

    (void)ctx;
    cli_network_clear(&p->n);
}

const cli_question_kind cli_solve_networks = {
    .size = sizeof(network_point),
    .read = read_point,
    .answer = answer_point,
    .record = record_point,
    .end = end_point,
    .clear = clear_point,
    .stage = "networks",
};

/* ---- as fractions ---- */

static cli_record *fractions_record(const cli_network *n, const swq_netchain_fractions *f,
                                    size_t peak)
{
    const bool block = n->network.sw.flow == SWQ_BLOCK;
    static const char per_node[] = " packets per node and cycle";
    char unit[60];
    cli_record *root = cli_record_new("switchq/solve-network-exact/1");

    cli_put_network(root, n);
    cli_record *exact = cli_the_result(cli_put_group(root, "exact", NULL));
    cli_put_exact(exact, "load", NULL, &f->load, "");
    if (!block)
        cli_put_exact(exact, "discard_probability", "discard probability", &f->discard, "");
    cli_put_exact(exact, "throughput", "throughput", &f->throughput, per_node);
    if (block)
        cli_put_exact(exact, "saturation_throughput", "saturation throughput", &f->saturation,
                      per_node);
    cli_put_exact(exact, "refusal_probability", "refused", &f->refusal,
                  " of the offers to the first stage");
    cli_put_exact(exact, "mean_packets", "mean packets", &f->mean_packets,
                  " in all buffers, after transmission");
    snprintf(unit, sizeof unit, " %s", delay_unit(&n->network));
    cli_put_exact(exact, "mean_delay_cycles", "mean delay", &f->mean_delay, unit);
    if (block) {
        cli_put_exact(exact, "mean_held_packets", "mean packets held", &f->mean_held,
                      " by all sources");
        cli_put_exact(exact, "mean_source_wait_cycles", "mean wait at source", &f->mean_source_wait,
                      " cycles from creation to reception");
    }
    cli_record *stages = cli_put_list(exact, "stages", NULL);
    for (int k = 0; k < f->stages; k++) {
        char name[40];
        snprintf(name, sizeof name, "packets, stage %d", k + 1);
        cli_put_exact(cli_put_item(stages, NULL), "mean_packets", NULL, &f->packets[k], "");
        cli_say_exact(exact, name, &f->packets[k], " per switch");
    }
    cli_say(root,
            "\n  exact, with the load taken as it was written: %s%s%s\n  %lld state%s, %lld "
            "transient; solved by p-adic lifting in %.3f s, checked in integers of %lld bits",
            f->load.numerator, strcmp(f->load.denominator, "1") == 0 ? "" : "/",
            strcmp(f->load.denominator, "1") == 0 ? "" : f->load.denominator, (long long)f->states,
            cli_plural((uint64_t)f->states), (long long)f->transient, f->seconds,
            (long long)f->bits);
    cli_record *chain = cli_quietly(cli_put_group(root, "chain", NULL));
    cli_put_count(chain, "states", (uint64_t)f->states);
    cli_put_count(chain, "transient_states", (uint64_t)f->transient);
    cli_record *solver = cli_quietly(cli_prefixed(cli_put_group(root, "solver", NULL)));
    cli_put_word(solver, "name", "p-adic lifting");
    cli_put_count(solver, "largest_integer_bits", (uint64_t)f->bits);
    cli_put_number(solver, "seconds", f->seconds);
    cli_put_count(solver, "peak_bytes", peak);
    return root;
}

int cli_solve_network_exact(swq_context *ctx, cli_format format)
{
    cli_network n = {0};
    swq_netchain_fractions fractions = {0};
    swq_exact_options how = swq_exact_options_defaults();
    const char *load = cli_text(cli_spec_options, "load");
    char one[] = "1"; /* stands for a fraction */
    swq_status status = cli_network_read_to_solve(ctx, &n, load ? one : NULL);

    if (!status)
        status = cli_solver_read(ctx, &how);
    if (!status && cli_solver_given())
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--exact has a method of its own: leave out --solver, --tol and "
                          "--max-iterations");
    if (!status)
        status = cli_fraction(ctx, "load", load, &n.network.traffic.load);
    if (!status)
        status = swq_netchain_rational(ctx, &n.network, load, how.reduce, &fractions);
    cli_clear_progress();
    if (!status)
        status = cli_record_print(
            ctx, fractions_record(&n, &fractions, swq_context_peak_bytes(ctx)), format);
    swq_netchain_fractions_clear(ctx, &fractions);
    cli_network_clear(&n);
    return status ? cli_fail(ctx, status) : CLI_OK;
}
