/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve: one switch, exactly.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/cli.h"

#include <math.h>
#include <string.h>

static int as_json, as_csv, as_exact;
static int with_variance, with_slope, by_output;
static char *target_text;

static struct poptOption output_options[] = {
    {"json", '\0', POPT_ARG_NONE, &as_json, 0, "print JSON (probabilities as fractions)", NULL},
    {"csv", '\0', POPT_ARG_NONE, &as_csv, 0, "print a CSV header and one row", NULL},
    POPT_TABLEEND,
};

static struct poptOption question_options[] = {
    {"target", '\0', POPT_ARG_STRING, &target_text, 0,
     "find the smallest number of slots, or the largest load, that loses no more; leave that "
     "option out",
     "P"},
    {"exact", '\0', POPT_ARG_NONE, &as_exact, 0,
     "answer in exact fractions, with every probability taken as it is written (0.9 or 9/10)",
     NULL},
    POPT_TABLEEND,
};

static struct poptOption more_options[] = {
    {"variance", '\0', POPT_ARG_NONE, &with_variance, 0,
     "asymptotic variance of the number of packets refused, and what it makes of a simulation's "
     "error",
     NULL},
    {"slope", '\0', POPT_ARG_NONE, &with_slope, 0,
     "derivative of the discard probability (block: of the throughput) by the load", NULL},
    {"by-output", '\0', POPT_ARG_NONE, &by_output, 0,
     "print throughput, loss and waiting packets of each output, even if all are alike", NULL},
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_spec_options, 0, "The switch:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, question_options, 0, "The question:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_packets_options, 0, "Single packets:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, more_options, 0, "More answers:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_chain_options, 0, "Or any chain:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_solver_options, 0, "The solver:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, output_options, 0, "Output:", NULL},
    POPT_TABLEEND,
};

static void add_per_buffer(cJSON *result, const swq_answers *a, int ports)
{
    cJSON_AddItemToObject(result, "discard_by_input", cli_json_numbers(a->discard_input, ports));
    cJSON_AddItemToObject(result, "refusal_by_input", cli_json_numbers(a->refusal_input, ports));
    cJSON_AddItemToObject(result, "throughput_by_output",
                          cli_json_numbers(a->throughput_output, ports));
    cJSON_AddItemToObject(result, "discard_by_output", cli_json_numbers(a->discard_output, ports));
    cJSON_AddItemToObject(result, "refusal_by_output", cli_json_numbers(a->refusal_output, ports));
    cJSON_AddItemToObject(result, "waiting_by_output", cli_json_numbers(a->waiting_output, ports));
    cJSON_AddItemToObject(result, "buffer_full", cli_json_numbers(a->full, a->buffers));
    cJSON *occupancy = cJSON_AddArrayToObject(result, "occupancy");
    for (int b = 0; b < a->buffers; b++)
        cJSON_AddItemToArray(
            occupancy, cli_json_numbers(a->occupancy + b * (a->capacity + 1), a->capacity + 1));
}

/* Only what was asked for. A slope where loads cannot grow is null. */
static void add_more(cJSON *result, const swq_answers *a)
{
    if (with_variance) {
        cli_json_number(result, "refusals_per_cycle", a->refusals);
        cli_json_number(result, "asymptotic_variance", a->variance.value);
        cli_json_number(result, "asymptotic_variance_error", a->variance.error);
        cli_json_number(result, "dispersion_index", a->variance.value / a->refusals);
    }
    if (with_slope) {
        cli_json_number(result, "slope_by_log_load", a->slope.value);
        cli_json_number(result, "slope_by_log_load_error", a->slope.error);
        cli_json_number(result, "slope_by_load", a->slope_by_load.value);
        cli_json_number(result, "slope_by_load_error", a->slope_by_load.error);
    }
}

static cJSON *json_of(const cli_spec *spec, const swq_answers *a, double target, size_t peak)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "schema", "switchq/solve/1");
    cJSON_AddItemToObject(tree, "model", cli_json_model(spec));
    if (target > 0) {
        cJSON *found = cJSON_AddObjectToObject(tree, "target");
        cli_json_number(found, "discard_probability", target);
        cJSON_AddStringToObject(found, "found", spec->slots_open ? "slots" : "load");
    }

    cJSON *chain = cJSON_AddObjectToObject(tree, "chain");
    cli_json_number(chain, "states", (double)a->states);
    cli_json_number(chain, "states_unreduced", a->unreduced);
    cli_json_number(chain, "transitions", a->transitions ? (double)a->transitions : NAN);
    cli_json_number(chain, "factors", a->factors);
    cli_json_number(chain, "factor_entries", (double)a->entries);
    cli_json_number(chain, "intermediate_states", (double)a->intermediates);
    cli_json_number(chain, "transient_states", (double)a->transient);
    cli_json_number(chain, "period", (double)a->period);

    cJSON *solver = cJSON_AddObjectToObject(tree, "solver");
    cJSON_AddStringToObject(solver, "name", a->solver->name);
    if (a->why)
        cJSON_AddStringToObject(solver, "why", a->why);
    cli_json_number(solver, "iterations", (double)a->iterations);
    cli_json_number(solver, "residual", a->residual);
    cli_json_number(solver, "relative_error", a->relative_error);
    cJSON_AddBoolToObject(solver, "converged", a->converged);
    cli_json_number(solver, "seconds", a->seconds);
    cli_json_number(solver, "peak_bytes", (double)peak);

    cJSON *result = cJSON_AddObjectToObject(tree, "result");
    cli_json_number(result, "discard_probability", a->discard.value);
    cli_json_number(result, "discard_lower", a->discard.lower);
    cli_json_number(result, "discard_upper", a->discard.upper);
    cli_json_number(result, "throughput", a->throughput.value);
    cli_json_number(result, "throughput_lower", a->throughput.lower);
    cli_json_number(result, "throughput_upper", a->throughput.upper);
    cli_json_number(result, "mean_packets", a->mean_packets);
    cli_json_number(result, "mean_delay_cycles", a->mean_delay);
    cli_json_number(result, "refusal_probability", a->refusal);
    if (spec->sw.flow == SWQ_BLOCK) {
        cli_json_number(result, "mean_held_packets", a->mean_held);
        cli_json_number(result, "mean_source_wait_cycles", a->mean_source_wait);
        cli_json_number(result, "saturation_throughput", a->saturation.value);
        cli_json_number(result, "saturation_lower", a->saturation.lower);
        cli_json_number(result, "saturation_upper", a->saturation.upper);
    }
    add_per_buffer(result, a, spec->sw.ports);
    cli_packets_json(tree, spec->sw.ports);
    add_more(result, a);
    return tree;
}

static void print_csv(const cli_spec *spec, const swq_answers *a)
{
    const swq_switch *sw = &spec->sw;

    puts("buffer,ports,slots,load,flow,credit,arbiter,traffic,states,transitions,solver,"
         "discard_probability,discard_lower,discard_upper,throughput,mean_packets,"
         "mean_delay_cycles,refusal_probability,saturation_throughput");
    printf("%s,%d,%d,", spec->buffer, sw->ports, spec->slots);
    for (int i = 0; i < (spec->same_load ? 1 : sw->ports); i++)
        printf("%s%.17g", i ? ";" : "", sw->load[i]);
    printf(",%s,%s,%s,%s,%lld,", cli_flow_words[sw->flow], cli_credit_words[sw->credit],
           sw->arbiter->name, spec->traffic, (long long)a->states);
    if (a->transitions) /* never multiplied out: an empty field */
        printf("%lld", (long long)a->transitions);
    printf(",%s", a->solver->name);
    const double value[] = {a->discard.value,    a->discard.lower,   a->discard.upper,
                            a->throughput.value, a->mean_packets,    a->mean_delay,
                            a->refusal,          a->saturation.value};
    for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
        if (isfinite(value[k]))
            printf(",%.17g", value[k]);
        else
            putchar(','); /* undefined: an empty field */
    }
    putchar('\n');
}

static void print_by_input(const char *name, const double *value, int count)
{
    printf("  %-22s", name);
    for (int i = 0; i < count; i++)
        printf(" %.6g", value[i]);
    putchar('\n');
}

/* As many digits as the bound leaves. */
static void print_known(const char *name, const swq_known *k, const char *unit)
{
    if (k->error < 0.1 * fabs(k->value))
        printf("  %-22s %.*g%s   (to within %.1g of itself)\n", name,
               (int)fmin(15, fmax(2, floor(-log10(k->error / fabs(k->value))))), k->value, unit,
               k->error / fabs(k->value));
    else
        printf("  %-22s %.6g%s   (to within %.1g)\n", name, k->value, unit, k->error);
}

static void print_more(const swq_answers *a, bool block)
{
    if (with_variance && a->refusals > 0) {
        print_known(block ? "variance of refusals" : "variance of discards", &a->variance,
                    " per cycle, of their number in many cycles");
        printf("  %-22s %.6g\n", "index of dispersion", a->variance.value / a->refusals);
        printf("  %-22s %.3g / sqrt(cycles), relative\n", "error if simulated",
               sqrt(fmax(0, a->variance.value)) / a->refusals);
    } else if (with_variance) {
        printf("  %-22s 0: nothing is ever refused\n",
               block ? "variance of refusals" : "variance of discards");
    }
    if (with_slope && isnan(a->slope.value))
        printf("  %-22s not defined: a load is 1 and cannot grow, or all are 0\n", "slope");
    else if (with_slope)
        print_known("slope", &a->slope,
                    block ? " throughput per log load" : " discard probability per log load");
    if (with_slope && isfinite(a->slope_by_load.value))
        print_known("slope", &a->slope_by_load,
                    block ? " throughput per load" : " discard probability per load");
}

static bool alike(const double *value, int count)
{
    for (int k = 1; k < count; k++) {
        if (fabs(value[k] - value[0]) > 1e-9 * value[0])
            return false;
    }
    return true;
}

/* Where outputs differ, as they do under a hot spot, or when asked. */
static void print_outputs(const swq_answers *a, int ports, bool block)
{
    if (!by_output && alike(a->throughput_output, ports) && alike(a->refusal_output, ports) &&
        alike(a->waiting_output, ports))
        return;
    print_by_input("throughput by output", a->throughput_output, ports);
    print_by_input(block ? "refused by output" : "discarded by output", a->refusal_output, ports);
    print_by_input("waiting by output", a->waiting_output, ports);
}

/* The distribution of what each buffer holds, a line per number of packets. */
static void print_occupancy(const swq_answers *a, bool pool)
{
    fputs("\n  packets held", stdout);
    for (int b = 0; b < a->buffers; b++) {
        char name[24];
        snprintf(name, sizeof name, pool ? "the pool" : "buffer %d", b);
        printf("  %12s", name);
    }
    for (int k = 0; k <= a->capacity; k++) {
        printf("\n  %12d", k);
        for (int b = 0; b < a->buffers; b++)
            printf("  %12.6g", a->occupancy[b * (a->capacity + 1) + k]);
    }
    putchar('\n');
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

void cli_spec_print(const cli_spec *spec)
{
    const swq_switch *sw = &spec->sw;

    printf("%s, %d x %d, %d slot%s per input port", spec->buffer, sw->ports, sw->ports, spec->slots,
           plural(spec->slots));
    printf(sw->buffer.scope == SWQ_POOL ? " in one pool" : "");
    printf("; load");
    for (int i = 0; i < (spec->same_load ? 1 : sw->ports); i++)
        printf("%s %.10g", i ? "," : "", sw->load[i]);
    printf(", %s traffic", spec->traffic);
    if (strcmp(spec->traffic, "hotspot") == 0)
        printf(" (%g more to output %d)", spec->hot_fraction, spec->hot_output);
    printf("; %s, credit %s", cli_flow_words[sw->flow], cli_credit_words[sw->credit]);
    if (sw->buffer.scope != SWQ_POOL)
        printf("; arbiter %s", sw->arbiter->name);
    else
        printf("; pool rule %s", cli_pool_rule_words[sw->buffer.pool_rule]);
    puts("\n");
}

static void print_text(const cli_spec *spec, const swq_answers *a, double target)
{
    bool block = spec->sw.flow == SWQ_BLOCK;

    if (spec->slots_open)
        printf("smallest buffer that loses no more than %g: %d slot%s per input port\n\n", target,
               spec->slots, plural(spec->slots));
    if (spec->load_open)
        printf("largest load at which no more than %g is lost: %.12g\n\n", target,
               spec->sw.load[0]);
    cli_spec_print(spec);
    if (!block)
        cli_print_mean("discard probability", &a->discard, "");
    cli_print_mean("throughput", &a->throughput, " packets per output and cycle");
    if (block && isfinite(a->saturation.value))
        cli_print_mean("saturation throughput", &a->saturation, " packets per output and cycle");
    if (block && !isfinite(a->saturation.value))
        printf(
            "  %-22s undefined: with all sources always busy there is more than one closed class "
            "of states\n",
            "saturation throughput");
    if (block)
        printf("  %-22s %.6g of the offers\n", "refused", a->refusal);
    printf("  %-22s %.6g in all buffers, after transmission\n", "mean packets", a->mean_packets);
    if (isfinite(a->mean_delay))
        printf("  %-22s %.6g cycles from reception to departure\n", "mean delay", a->mean_delay);
    if (block && isfinite(a->mean_source_wait))
        printf("  %-22s %.6g cycles from creation to reception\n", "mean wait at source",
               a->mean_source_wait);
    print_by_input(block ? "refused by input" : "discarded by input",
                   block ? a->refusal_input : a->discard_input, spec->sw.ports);
    print_by_input("buffer full", a->full, a->buffers);
    print_outputs(a, spec->sw.ports, block);
    print_more(a, block);
    print_occupancy(a, spec->sw.buffer.scope == SWQ_POOL);
    printf("\n  %lld state%s (%.4g with all contents written out), ", (long long)a->states,
           plural(a->states), a->unreduced);
    if (a->transitions)
        printf("%lld transition%s", (long long)a->transitions, plural(a->transitions));
    else
        printf("%lld entries in %d factors", (long long)a->entries, a->factors);
    if (a->transient)
        printf(", %lld transient", (long long)a->transient);
    if (a->period > 1)
        printf(", period %lld (long-run averages)", (long long)a->period);
    printf("\n  solved by %s", a->solver->name);
    if (a->iterations)
        printf(" in %lld iterations", (long long)a->iterations);
    printf(", residual %.1g, in %.3f s%s%s\n", a->residual, a->seconds, a->why ? "\n  " : "",
           a->why ? a->why : "");
    if (isfinite(a->relative_error))
        printf("  every figure without a bound of its own is proven to within %.1g of itself\n",
               a->relative_error);
    else
        puts("  the figures without a bound of their own have no proven error bound");
}

/* Answer the question: the switch as given, or the slots or load that meet the target. */
static swq_status answer(swq_context *ctx, cli_spec *spec, const swq_exact_options *how,
                         double target, swq_answers *answers)
{
    double factor = 1;

    if (spec->slots_open)
        return swq_exact_slots_for_target(ctx, &spec->sw, &spec->kind, target, SWQ_MAX_SLOTS, how,
                                          &spec->slots, answers);
    if (!spec->load_open)
        return swq_exact_solve(ctx, &spec->sw, how, answers);
    swq_status status = swq_exact_load_for_target(ctx, &spec->sw, target, how, &factor, answers);
    for (int i = 0; i < spec->sw.ports && !status; i++)
        spec->sw.load[i] = fmin(1, factor);
    return status;
}

static swq_status read_target(swq_context *ctx, const cli_spec *spec, double *target)
{
    bool open = spec->slots_open || spec->load_open;
    *target = 0;
    if (!target_text)
        return SWQ_OK;
    if (!open)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--target finds --slots or --load: leave one of them out, not none");
    swq_status status = cli_number(ctx, "target", target_text, 0, 1, target);
    if (!status && spec->sw.flow != SWQ_DISCARD)
        status = swq_fail(ctx, SWQ_EINVAL, "--target is a loss: it needs --flow discard");
    return status;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    cli_spec spec;
    swq_exact_options how;
    swq_answers answers;
    double target = 0;
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);
    if (end >= 0)
        return end;
    if ((cli_chain_given() || as_exact) && cli_packets_asked()) {
        swq_fail(ctx, SWQ_EINVAL, "--delay and --losses cannot be given with --%s",
                 as_exact ? "exact" : "chain");
        return cli_fail(ctx, SWQ_EINVAL);
    }
    if (cli_chain_given()) {
        const char *other = target_text     ? "target"
                            : as_exact      ? "exact"
                            : with_variance ? "variance"
                            : with_slope    ? "slope"
                            : by_output     ? "by-output"
                                            : NULL;
        if (!other)
            return cli_solve_chain(ctx, as_json, as_csv);
        swq_fail(ctx, SWQ_EINVAL, "--%s is for a switch: it cannot be given with --chain", other);
        return cli_fail(ctx, SWQ_EINVAL);
    }
    swq_status status = cli_chain_options_alone(ctx);
    if (!status && as_exact && (with_variance || with_slope || by_output))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--exact does not give the answers of --variance, --slope, --by-output");
    if (!status && as_exact)
        return cli_solve_exact(ctx, target_text != NULL, as_json, as_csv);
    if (!status)
        status = cli_spec_read(ctx, &spec, target_text != NULL);
    if (!status)
        status = read_target(ctx, &spec, &target);
    if (!status)
        status = cli_solver_read(ctx, &how);
    if (!status) {
        how.variance = with_variance;
        how.slope = with_slope;
    }
    if (!status && as_json && as_csv)
        status = swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    if (!status && as_csv && cli_packets_asked())
        status =
            swq_fail(ctx, SWQ_EINVAL, "--csv has no room for --delay and --losses; use --json");
    if (status)
        return cli_fail(ctx, status);

    swq_status solved = answer(ctx, &spec, &how, target, &answers);
    if (!solved) {
        solved = cli_packets_solve(ctx, &spec.sw, &how);
        if (solved && solved != SWQ_ECONVERGE)
            swq_answers_clear(ctx, &answers);
    }
    cli_clear_progress();
    if (solved && solved != SWQ_ECONVERGE)
        return cli_fail(ctx, solved);
    if (solved) /* the last iterate follows, with its true residual and bounds */
        cli_fail(ctx, solved);
    if (as_json) {
        status = cli_json_print(ctx, json_of(&spec, &answers, target, swq_context_peak_bytes(ctx)));
    } else {
        if (as_csv)
            print_csv(&spec, &answers);
        else
            print_text(&spec, &answers, target);
        cli_packets_print(spec.sw.ports);
        status = cli_flush(ctx);
    }
    swq_answers_clear(ctx, &answers);
    cli_packets_clear(ctx);
    if (status)
        return cli_fail(ctx, status);
    return solved ? CLI_FAILED : CLI_OK;
}

const cli_command cli_solve = {
    .name = "solve",
    .usage = "--buffer KIND --slots B --load R [OPTION...], or --chain FILE [OPTION...]",
    .summary = "solve the Markov chain of one switch exactly, or any other from a file",
    .examples =
        "  switchq solve --buffer damq --slots 4 --load 0.9\n"
        "  switchq solve --buffer fifo --slots 8 --load 0.6,0.9 --traffic hotspot:0.2 --json\n"
        "  switchq solve --buffer samq --ports 3 --slots 3 --load 0.5 --flow block\n"
        "  switchq solve --buffer cbda --slots 4 --load 0.9 --queue-max 5\n"
        "  switchq solve --buffer damq --slots 2 --load 9/10 --exact\n"
        "  switchq solve --buffer damq --slots 4 --load 0.9 --variance --slope\n",
    .run = run,
};
