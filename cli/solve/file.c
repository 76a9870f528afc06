/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --chain: any chain, from files of other tools.
 */
#include "cli/solve/file.h"
#include "base/context.h"
#include "base/text.h"
#include "cli/options/files.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/print/output.h"
#include "cli/solve/solve.h"
#include "cli/spec/network.h"
#include "cli/spec/solver.h"
#include "solvers/width.h"

#include <math.h>
#include <stdlib.h>

enum { TOP_STATES = 20 }; /* shown in text */

static char *chain_path, *rewards_path;
static int all_states;

static cli_parameter parameters[] = {
    {CLI_OPTION_IN("chain", "FILE", 0, &chain_path), CLI_OF_THE_RUN,
     .about = "solve the chain in a file instead of a switch: PRISM's .tra (.srew, .lab and .sta "
              "beside it are read too), Storm's .drn, Matrix Market's .mtx, NumPy's .npy, or .csv "
              "with lines from,to,probability"},
    {CLI_OPTION_IN("rewards", "FILE", 0, &rewards_path), .needs = {"chain"}, CLI_OF_THE_RUN,
     .about = "the rewards of the chain: a .srew file, or a line with a number for each state"},
    {CLI_FLAG_IN("states", 0, &all_states), CLI_OF_THE_RUN, .needs = {"chain"},
     .about = "print the probability of each state (as text: of the most likely ones)"},
    {CLI_FLAG_OPTION("rates", 0), CLI_AT(CLI_FLAG, swq_import_options, rates), CLI_OF_THE_RUN,
     .needs = {"chain"},
     .about = "the numbers in the file are rates of a chain in continuous time: answers are per "
              "unit of time"},
    {CLI_OPTION("normalise", "DISTANCE", 0), CLI_AT(CLI_REAL, swq_import_options, normalise),
     CLI_FROM(0, 1), CLI_OF_THE_RUN, .needs = {"chain"},
     .about = "divide rows by their sums if these are within that distance of 1 (default: 1e-9); "
              "with --rates, how far the diagonal may be from minus the sum of its row, relative "
              "to that"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_chain_options[] = {
    CLI_PARAMETERS(parameters),
    CLI_PARAMETERS(cli_chain_start_parameters),
    POPT_TABLEEND,
};

bool cli_chain_given(void)
{
    return chain_path != NULL;
}

static const char *name_of(const cli_chain *r, int64_t state)
{
    return r->from.named ? r->from.names + r->from.named[state] : "";
}

/* The mean reward, if there are rewards and it was asked for. */
static const swq_mean *mean_of(const cli_chain *c)
{
    return c->from.reward && c->solution.mean ? &c->solution.mean[0] : NULL;
}

/* The long run, whatever the start. What must be as narrow as --tol is the interval of the mean
 * reward; without rewards, every probability. */
static swq_status solve_stationary(swq_context *ctx, const swq_exact_options *how, cli_chain *c)
{
    swq_status status =
        swq_timed_solve(ctx, &c->timed, c->from.reward, how->solver, &how->solving, &c->solution);
    if (status && status != SWQ_ECONVERGE)
        return status;
    c->pi = c->solution.pi;
    c->pi_error = c->solution.pi_error;
    const double width = mean_of(c) ? swq_mean_width(mean_of(c)) : c->pi_error;
    status = swq_width_check(ctx, c->solution.solver, &how->solving, width);
    c->solution.converged = !status;
    return status;
}

static swq_status solve(swq_context *ctx, const swq_exact_options *how, cli_chain *c)
{
    c->timed = (swq_timed){&c->from.p, c->from.hold, c->from.stays, c->from.roundings};
    swq_status status = cli_chain_start_given() ? SWQ_EREDUCIBLE : solve_stationary(ctx, how, c);
    if (status != SWQ_EREDUCIBLE)
        return status;
    char why[200];
    snprintf(why, sizeof why, "%s", swq_context_message(ctx));
    status = cli_chain_start_read(ctx, c);
    if (!status && c->start < 0)
        status =
            cli_chain_start_given()
                ? swq_fail(ctx, SWQ_EINVAL,
                           "--%s follows paths from one state, and the chain has no label "
                           "init: --start STATE says which",
                           cli_chain_start_given())
                : swq_fail(ctx, SWQ_EREDUCIBLE, "%s; --start STATE follows paths from one", why);
    return status ? status : cli_chain_start_solve(ctx, how, c);
}

static swq_status weigh_labels(swq_context *ctx, cli_chain *c)
{
    if (!c->pi)
        return SWQ_OK;
    c->label = swq_calloc(ctx, (size_t)c->from.labels, sizeof *c->label);
    if (!c->label)
        return swq_memory_status(ctx);
    for (int k = 0; k < c->from.labels; k++) {
        for (int64_t s = 0; s < c->from.label[k].states; s++)
            c->label[k] += c->pi[c->from.label[k].state[s]];
    }
    return SWQ_OK;
}

static void clear(swq_context *ctx, cli_chain *c)
{
    swq_free(ctx, c->label);
    swq_solution_clear(ctx, &c->solution);
    swq_long_run_clear(ctx, &c->run);
    swq_passage_clear(ctx, &c->passage);
    swq_transient_clear(ctx, &c->transient);
    swq_imported_clear(ctx, &c->from);
}

/* ---- the states ---- */

static void put_states(cli_record *to, const cli_chain *r)
{
    cli_record *states = cli_not_in_csv(cli_put_list(to, "states", NULL));

    for (int64_t s = 0; s < r->from.p.rows; s++) {
        cli_record *state = cli_put_item(states, NULL);
        cli_put_count(state, "state", (uint64_t)(s + r->from.first));
        if (r->from.named)
            cli_put_word(state, "name", name_of(r, s));
        cli_put_number(state, "probability", r->pi[s]);
        if (r->from.reward)
            cli_put_number(state, "reward", r->from.reward[s]);
    }
}

static void print_field(double value)
{
    char text[40];

    printf(",%s", isfinite(value) ? swq_number_text(value, text) : "");
}

/* Not through a record: a chain may have more states than there is memory for fields. */
static swq_status print_states(swq_context *ctx, const cli_chain *r)
{
    puts("state,probability,reward,name");
    for (int64_t k = 0; k < r->from.p.rows; k++) {
        printf("%lld", (long long)k + r->from.first);
        print_field(r->pi[k]);
        print_field(r->from.reward ? r->from.reward[k] : NAN);
        putchar(',');
        swq_csv_text(stdout, name_of(r, k));
        putchar('\n');
    }
    return cli_flush(ctx);
}

/* The number of digits of a probability that are certain by its bound. */
static int digits_of(const cli_chain *r)
{
    const double error = r->pi_error;

    return isfinite(error) ? (int)fmin(12, fmax(2, floor(-log10(error)))) : 6;
}

/* The most likely states, by selection, as they are few. */
static void say_top(cli_record *to, const cli_chain *r)
{
    int64_t top[TOP_STATES], count = 0;
    const double *pi = r->pi;

    for (int64_t s = 0; s < r->from.p.rows; s++) {
        if (count == TOP_STATES && pi[s] <= pi[top[count - 1]])
            continue;
        int64_t at = count < TOP_STATES ? count++ : count - 1;
        for (; at > 0 && pi[top[at - 1]] < pi[s]; at--)
            top[at] = top[at - 1];
        top[at] = s;
    }
    cli_say(to, "\n  %12s  %s", "state",
            r->from.named ? "probability         name" : "probability");
    for (int64_t k = 0; k < count; k++)
        cli_say(to, r->from.named ? "  %12lld  %-18.*g  %s" : "  %12lld  %.*g%s",
                (long long)top[k] + r->from.first, digits_of(r), pi[top[k]], name_of(r, top[k]));
    if (r->from.p.rows > count)
        cli_say(to, "  and %lld more; --csv or --json prints all",
                (long long)(r->from.p.rows - count));
}

/* ---- the record ---- */

static void put_chain(cli_record *root, const cli_chain *r)
{
    const long long states = (long long)r->from.p.rows,
                    transitions = (long long)swq_csr_nnz(&r->from.p);
    cli_record *chain = cli_quietly(cli_put_group(root, "chain", NULL));

    cli_put_word(chain, "file", chain_path);
    cli_put_count(chain, "states", (uint64_t)states);
    cli_put_count(chain, "transitions", (uint64_t)transitions);
    if (r->start < 0) {
        cli_put_count(chain, "transient_states", (uint64_t)r->solution.transient);
        if (!r->from.hold) /* in continuous time there is none */
            cli_put_count(chain, "period", (uint64_t)r->solution.period);
    } else {
        cli_put_count(chain, "start", (uint64_t)(r->start + r->from.first));
    }
    cli_put_number(chain, "row_sum_error", r->from.worst_sum);
    if (r->from.hold)
        cli_say(root, "%s: %lld states, %lld rates in continuous time%s", chain_path, states,
                transitions, r->start < 0 ? "\n" : "");
    else
        cli_say(root, "%s: %lld states, %lld transitions; rows sum to one within %.1g%s",
                chain_path, states, transitions, r->from.worst_sum, r->start < 0 ? "\n" : "");
    if (r->start >= 0)
        cli_say(root, "paths from state %lld%s%s%s%s\n", (long long)r->start + r->from.first,
                cli_chain_until_text() ? " until " : "",
                cli_chain_until_text() ? cli_chain_until_text() : "",
                cli_chain_after_text() ? ", at time " : "",
                cli_chain_after_text() ? cli_chain_after_text() : "");
}

static void name_mean(const cli_chain *r, char name[64])
{
    const char *reward = r->from.reward_name;

    snprintf(name, 64, "mean %.40s", reward && *reward ? reward : "reward");
}

static void put_mean(cli_record *answers, const cli_chain *r, const char *name)
{
    if (mean_of(r))
        cli_in_unit(
            cli_labelled(cli_put_proven(answers, "mean_reward", "mean_reward", mean_of(r)), name),
            r->from.hold ? "per unit of time" : "per step");
}

static void put_labels(cli_record *answers, const cli_chain *r)
{
    cli_record *labels = cli_put_list(answers, "labels", NULL);

    for (int k = 0; k < r->from.labels && r->label; k++) {
        cli_record *label = cli_put_item(labels, r->from.label[k].name);
        cli_put_word(label, "name", r->from.label[k].name);
        cli_put_number(label, "probability", r->label[k]);
        cli_say(answers, "  label %-16s %.*g", r->from.label[k].name, digits_of(r), r->label[k]);
    }
}

/* How it was solved, where a system was solved at all. */
static cli_solved solved_of(const cli_chain *r, size_t peak, bool converged)
{
    const swq_solution *s = &r->solution;

    if (r->start < 0)
        return (cli_solved){s->solver->name, s->why,       s->iterations, s->residual,
                            s->pi_error,     s->converged, s->seconds,    peak};
    const swq_solver *solver = r->run.solver ? r->run.solver : r->passage.solver;
    return (cli_solved){.solver = solver ? solver->name : NULL,
                        .residual = NAN,
                        .error = r->pi ? r->pi_error : r->passage.error,
                        .converged = converged,
                        .seconds = NAN,
                        .peak = peak};
}

static cli_record *record_of(const cli_chain *r, cli_format format, size_t peak, bool converged,
                             char name[64])
{
    const cli_solved solved = solved_of(r, peak, converged);
    cli_record *root = cli_record_new("switchq/solve-chain/1");

    put_chain(root, r);
    if (solved.solver)
        cli_put_solver(root, &solved);
    cli_record *answers = cli_the_result(cli_put_group(root, "result", NULL));
    if (r->from.hold)
        cli_quietly(cli_put_truth(answers, "rates", true));
    if (r->from.reward_name)
        cli_quietly(cli_put_word(answers, "reward", r->from.reward_name));
    else if (!r->from.reward)
        cli_say(
            answers,
            "  no rewards given: --rewards FILE; --states prints the probability of each state");
    name_mean(r, name);
    if (r->start < 0)
        put_mean(answers, r, name);
    else
        cli_chain_start_put(answers, r, name);
    put_labels(answers, r);
    if (all_states && format == CLI_JSON && r->pi)
        put_states(answers, r);
    else if (all_states && r->pi)
        say_top(answers, r);
    const long long transient = (long long)r->solution.transient,
                    period = (long long)r->solution.period;
    if (r->start < 0) {
        if (r->from.hold)
            cli_say(answers, "\n  %lld transient states", transient);
        else
            cli_say(answers, "\n  %lld transient states, period %lld%s", transient, period,
                    period > 1 ? " (long-run averages)" : "");
        cli_say_solver(answers, &solved, "probability of a state",
                       "probabilities of single states");
    } else if (solved.solver) {
        cli_say(answers, "\n  solved by %s", solved.solver);
    } else if (r->transient.x) {
        cli_say(answers, "\n  every probability of a state is proven to within %.1g of itself",
                r->pi_error);
    }
    return root;
}

/* ---- the command ---- */

static swq_status read_options(swq_context *ctx, swq_exact_options *how, swq_import_options *meant)
{
    const char *other = cli_given(cli_spec_options, NULL);

    if (!other)
        other = cli_given(cli_shape_options, NULL);
    if (!other)
        other = cli_given(cli_solver_options, "reduce");
    if (other)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is for a switch: it cannot be given with --chain, whose file "
                        "describes the whole chain",
                        other);
    if (all_states && cli_chain_until_text())
        return swq_fail(ctx, SWQ_EINVAL,
                        "--until gives no probabilities of states: it does not go "
                        "with --states");
    other = cli_chain_after_text() && !cli_chain_until_text()
                ? cli_given(cli_solver_options, "solver")
                : NULL;
    if (other)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--after takes steps, and solves no system: it does not go "
                        "with --solver");
    meant->rewards = rewards_path;
    const swq_status status = cli_parameters_read(ctx, parameters, meant);
    return status ? status : cli_solver_read(ctx, how);
}

int cli_solve_chain(swq_context *ctx, cli_format format)
{
    swq_exact_options how = swq_exact_options_defaults();
    swq_import_options meant = {0};
    cli_chain c = {.start = -1};
    char name[64];
    swq_status status = read_options(ctx, &how, &meant);

    if (!status && rewards_path)
        status = cli_files_readable(ctx, "rewards", rewards_path);
    if (!status)
        status = swq_import_chain(ctx, chain_path, &meant, &c.from);
    if (status)
        return cli_fail(ctx, status);
    swq_status solved = solve(ctx, &how, &c);
    cli_clear_progress();
    status = solved && solved != SWQ_ECONVERGE ? solved : weigh_labels(ctx, &c);
    if (status) {
        clear(ctx, &c);
        return cli_fail(ctx, status);
    }
    if (solved) /* the last iterate, with its true residual and bounds, is printed too */
        cli_fail(ctx, solved);
    if (all_states && format == CLI_CSV)
        status = print_states(ctx, &c);
    else
        status = cli_record_print(
            ctx, record_of(&c, format, swq_context_peak_bytes(ctx), !solved, name), format);
    clear(ctx, &c);
    if (status)
        return cli_fail(ctx, status);
    return solved ? CLI_FAILED : CLI_OK;
}
