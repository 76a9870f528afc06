/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --chain: any chain, from files of other tools.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/files.h"
#include "cli/print/text.h"
#include "cli/solve/solve.h"
#include "cli/spec/network.h"
#include "cli/spec/solver.h"
#include "solvers/width.h"
#include "switchq/import.h"

#include <math.h>
#include <stdlib.h>

enum { TOP_STATES = 20 }; /* shown in text */

static char *chain_path, *rewards_path;
static int all_states;

struct poptOption cli_chain_options[] = {
    {"chain", '\0', POPT_ARG_STRING, &chain_path, 0,
     "solve the chain in a file instead of a switch: PRISM's .tra (.srew, .lab and .sta beside it "
     "are read too), Storm's .drn, Matrix Market's .mtx, NumPy's .npy, or .csv with lines "
     "from,to,probability",
     "FILE"},
    {"rewards", '\0', POPT_ARG_STRING, &rewards_path, 0,
     "the rewards of the chain: a .srew file, or a line with a number for each state", "FILE"},
    {"states", '\0', POPT_ARG_NONE, &all_states, 0,
     "print the probability of each state (as text: of the most likely ones)", NULL},
    POPT_TABLEEND,
};

bool cli_chain_given(void)
{
    return chain_path != NULL;
}

swq_status cli_chain_options_alone(swq_context *ctx)
{
    if (!rewards_path && !all_states)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "--%s needs --chain", rewards_path ? "rewards" : "states");
}

/* All results. */
typedef struct {
    swq_imported chain;
    swq_solution solution;
    double *label; /* [chain.labels] the probability of each label */
} result;

static const swq_mean *mean_of(const result *r)
{
    return r->chain.reward ? &r->solution.mean[0] : NULL;
}

static const char *name_of(const result *r, int64_t state)
{
    return r->chain.named ? r->chain.names + r->chain.named[state] : "";
}

/* The only place where the matrix meets a solver. What must be as narrow as --tol is the interval
 * of the mean reward; without rewards, every probability. */
static swq_status solve(swq_context *ctx, const swq_exact_options *how, result *r)
{
    swq_status status =
        swq_solve(ctx, &r->chain.p, r->chain.roundings, how->solver, &how->solving,
                  (const double *const[]){r->chain.reward}, r->chain.reward ? 1 : 0, &r->solution);
    if (status)
        return status;
    const double width = mean_of(r) ? swq_mean_width(mean_of(r)) : r->solution.pi_error;
    status = swq_width_check(ctx, r->solution.solver, &how->solving, width);
    r->solution.converged = !status;
    return status;
}

static swq_status weigh_labels(swq_context *ctx, result *r)
{
    r->label = swq_calloc(ctx, (size_t)r->chain.labels, sizeof *r->label);
    if (!r->label)
        return swq_memory_status(ctx);
    for (int k = 0; k < r->chain.labels; k++) {
        for (int64_t s = 0; s < r->chain.label[k].states; s++)
            r->label[k] += r->solution.pi[r->chain.label[k].state[s]];
    }
    return SWQ_OK;
}

static void clear(swq_context *ctx, result *r)
{
    swq_free(ctx, r->label);
    swq_solution_clear(ctx, &r->solution);
    swq_imported_clear(ctx, &r->chain);
}

/* ---- the states ---- */

static void put_states(cli_record *to, const result *r)
{
    cli_record *states = cli_not_in_csv(cli_put_list(to, "states", NULL));

    for (int64_t s = 0; s < r->solution.states; s++) {
        cli_record *state = cli_put_item(states, NULL);
        cli_put_count(state, "state", (uint64_t)(s + r->chain.first));
        if (r->chain.named)
            cli_put_word(state, "name", name_of(r, s));
        cli_put_number(state, "probability", r->solution.pi[s]);
        if (r->chain.reward)
            cli_put_number(state, "reward", r->chain.reward[s]);
    }
}

static void print_field(double value)
{
    char text[40];

    printf(",%s", isfinite(value) ? cli_number_text(value, text) : "");
}

/* Not through a record: a chain may have more states than there is memory for fields. */
static swq_status print_states(swq_context *ctx, const result *r)
{
    puts("state,probability,reward,name");
    for (int64_t k = 0; k < r->solution.states; k++) {
        printf("%lld", (long long)k + r->chain.first);
        print_field(r->solution.pi[k]);
        print_field(r->chain.reward ? r->chain.reward[k] : NAN);
        putchar(',');
        cli_csv_text(stdout, name_of(r, k));
        putchar('\n');
    }
    return cli_flush(ctx);
}

/* The number of digits of a probability that are certain by its bound. */
static int digits_of(const result *r)
{
    const double error = r->solution.pi_error;

    return isfinite(error) ? (int)fmin(12, fmax(2, floor(-log10(error)))) : 6;
}

/* The most likely states, by selection, as they are few. */
static void say_top(cli_record *to, const result *r)
{
    int64_t top[TOP_STATES], count = 0;
    const double *pi = r->solution.pi;

    for (int64_t s = 0; s < r->solution.states; s++) {
        if (count == TOP_STATES && pi[s] <= pi[top[count - 1]])
            continue;
        int64_t at = count < TOP_STATES ? count++ : count - 1;
        for (; at > 0 && pi[top[at - 1]] < pi[s]; at--)
            top[at] = top[at - 1];
        top[at] = s;
    }
    cli_say(to, "\n  %12s  %s", "state",
            r->chain.named ? "probability         name" : "probability");
    for (int64_t k = 0; k < count; k++)
        cli_say(to, r->chain.named ? "  %12lld  %-18.*g  %s" : "  %12lld  %.*g%s",
                (long long)top[k] + r->chain.first, digits_of(r), pi[top[k]], name_of(r, top[k]));
    if (r->solution.states > count)
        cli_say(to, "  and %lld more; --csv or --json prints all",
                (long long)(r->solution.states - count));
}

/* ---- the record ---- */

static void put_chain(cli_record *root, const result *r)
{
    const swq_solution *s = &r->solution;
    cli_record *chain = cli_quietly(cli_put_group(root, "chain", NULL));

    cli_put_word(chain, "file", chain_path);
    cli_put_count(chain, "states", (uint64_t)s->states);
    cli_put_count(chain, "transitions", (uint64_t)swq_csr_nnz(&r->chain.p));
    cli_put_count(chain, "transient_states", (uint64_t)s->transient);
    cli_put_count(chain, "period", (uint64_t)s->period);
    cli_put_number(chain, "row_sum_error", r->chain.worst_sum);
    cli_say(root, "%s: %lld states, %lld transitions; rows sum to one within %.1g\n", chain_path,
            (long long)s->states, (long long)swq_csr_nnz(&r->chain.p), r->chain.worst_sum);
}

static void put_mean(cli_record *answers, const result *r, char name[64])
{
    const char *reward = r->chain.reward_name;

    if (!mean_of(r)) {
        cli_say(answers, "  no rewards given: --rewards FILE");
        return;
    }
    if (reward)
        cli_quietly(cli_put_word(answers, "reward", reward));
    snprintf(name, 64, "mean %.40s", reward && *reward ? reward : "reward");
    cli_in_unit(
        cli_labelled(cli_put_proven(answers, "mean_reward", "mean_reward", mean_of(r)), name),
        "per step");
}

static cli_record *record_of(const result *r, cli_format format, size_t peak, char name[64])
{
    const swq_solution *s = &r->solution;
    const cli_solved solved = {s->solver->name, s->why,       s->iterations, s->residual,
                               s->pi_error,     s->converged, s->seconds,    peak};
    cli_record *root = cli_record_new("switchq/solve-chain/1");

    put_chain(root, r);
    cli_put_solver(root, &solved);
    cli_record *answers = cli_the_result(cli_put_group(root, "result", NULL));
    put_mean(answers, r, name);
    cli_record *labels = cli_put_list(answers, "labels", NULL);
    for (int k = 0; k < r->chain.labels; k++) {
        cli_record *label = cli_put_item(labels, r->chain.label[k].name);
        cli_put_word(label, "name", r->chain.label[k].name);
        cli_put_number(label, "probability", r->label[k]);
        cli_say(answers, "  label %-16s %.*g", r->chain.label[k].name, digits_of(r), r->label[k]);
    }
    if (all_states && format == CLI_JSON)
        put_states(answers, r);
    else if (all_states)
        say_top(answers, r);
    cli_say(answers, "\n  %lld transient states, period %lld%s", (long long)s->transient,
            (long long)s->period, s->period > 1 ? " (long-run averages)" : "");
    cli_say_solver(answers, &solved, "probability of a state", "probabilities of single states");
    return root;
}

/* ---- the command ---- */

static swq_status read_options(swq_context *ctx, swq_exact_options *how)
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
    return cli_solver_read(ctx, how);
}

int cli_solve_chain(swq_context *ctx, cli_format format)
{
    swq_exact_options how = swq_exact_options_defaults();
    result r = {0};
    char name[64];
    swq_status status = read_options(ctx, &how);

    if (!status && rewards_path)
        status = cli_files_readable(ctx, "rewards", rewards_path);
    if (!status)
        status = swq_import_chain(ctx, chain_path, &(swq_import_options){.rewards = rewards_path},
                                  &r.chain);
    if (status)
        return cli_fail(ctx, status);
    swq_status solved = solve(ctx, &how, &r);
    cli_clear_progress();
    status = solved && solved != SWQ_ECONVERGE ? solved : weigh_labels(ctx, &r);
    if (status) {
        clear(ctx, &r);
        return cli_fail(ctx, status);
    }
    if (solved) /* the last iterate, with its true residual and bounds, is printed too */
        cli_fail(ctx, solved);
    if (all_states && format == CLI_CSV)
        status = print_states(ctx, &r);
    else
        status =
            cli_record_print(ctx, record_of(&r, format, swq_context_peak_bytes(ctx), name), format);
    clear(ctx, &r);
    if (status)
        return cli_fail(ctx, status);
    return solved ? CLI_FAILED : CLI_OK;
}
