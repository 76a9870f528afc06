/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --chain: any chain, from files of other tools.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/cli.h"
#include "switchq/import.h"

#include <math.h>
#include <stdlib.h>

enum { TOP_STATES = 20 }; /* printed as text */

static char *chain_path, *rewards_path;
static int all_states;

struct poptOption cli_chain_options[] = {
    {"chain", '\0', POPT_ARG_STRING, &chain_path, 0,
     "solve the chain in a file instead of a switch: PRISM's .tra (.srew, .lab and .sta beside it "
     "are read too) or Matrix Market's .mtx",
     "FILE"},
    {"rewards", '\0', POPT_ARG_STRING, &rewards_path, 0,
     "its rewards: a .srew, or a number a line for each state", "FILE"},
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

/* Everything there is to print. */
typedef struct {
    swq_imported chain;
    swq_solution solution;
    double *label; /* [chain.labels] probability of each */
} result;

static const swq_mean *mean_of(const result *r)
{
    return r->chain.reward ? &r->solution.mean[0] : NULL;
}

static const char *name_of(const result *r, int64_t state)
{
    return r->chain.named ? r->chain.names + r->chain.named[state] : "";
}

/* The one place where the matrix meets a solver. */
static swq_status solve(swq_context *ctx, const swq_exact_options *how, result *r)
{
    return swq_solve(ctx, &r->chain.p, r->chain.roundings, how->solver, &how->solving,
                     (const double *const[]){r->chain.reward}, r->chain.reward ? 1 : 0,
                     &r->solution);
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

/* ---- JSON ---- */

static void add_states(cJSON *tree, const result *r)
{
    cJSON *states = cJSON_AddArrayToObject(tree, "states");

    for (int64_t s = 0; s < r->solution.states; s++) {
        cJSON *state = cJSON_CreateObject();
        cli_json_number(state, "state", (double)(s + r->chain.first));
        if (r->chain.named)
            cJSON_AddStringToObject(state, "name", name_of(r, s));
        cli_json_number(state, "probability", r->solution.pi[s]);
        if (r->chain.reward)
            cli_json_number(state, "reward", r->chain.reward[s]);
        cJSON_AddItemToArray(states, state);
    }
}

static cJSON *json_of(const result *r, size_t peak)
{
    const swq_solution *s = &r->solution;
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/solve-chain/1");
    cJSON *chain = cJSON_AddObjectToObject(tree, "chain");
    cJSON_AddStringToObject(chain, "file", chain_path);
    cli_json_number(chain, "states", (double)s->states);
    cli_json_number(chain, "transitions", (double)swq_csr_nnz(&r->chain.p));
    cli_json_number(chain, "transient_states", (double)s->transient);
    cli_json_number(chain, "period", (double)s->period);
    cli_json_number(chain, "row_sum_error", r->chain.worst_sum);

    cJSON *solver = cJSON_AddObjectToObject(tree, "solver");
    cJSON_AddStringToObject(solver, "name", s->solver->name);
    if (s->why)
        cJSON_AddStringToObject(solver, "why", s->why);
    cli_json_number(solver, "iterations", (double)s->iterations);
    cli_json_number(solver, "residual", s->residual);
    cli_json_number(solver, "relative_error", s->pi_error);
    cJSON_AddBoolToObject(solver, "converged", s->converged);
    cli_json_number(solver, "seconds", s->seconds);
    cli_json_number(solver, "peak_bytes", (double)peak);

    cJSON *answers = cJSON_AddObjectToObject(tree, "result");
    if (mean_of(r)) {
        if (r->chain.reward_name)
            cJSON_AddStringToObject(answers, "reward", r->chain.reward_name);
        cli_json_number(answers, "mean_reward", mean_of(r)->value);
        cli_json_number(answers, "mean_reward_lower", mean_of(r)->lower);
        cli_json_number(answers, "mean_reward_upper", mean_of(r)->upper);
    }
    cJSON *labels = cJSON_AddArrayToObject(answers, "labels");
    for (int k = 0; k < r->chain.labels; k++) {
        cJSON *label = cJSON_CreateObject();
        cJSON_AddStringToObject(label, "name", r->chain.label[k].name);
        cli_json_number(label, "probability", r->label[k]);
        cJSON_AddItemToArray(labels, label);
    }
    if (all_states)
        add_states(answers, r);
    return tree;
}

/* ---- CSV ---- */

/* A number, or an empty field for what is not finite. */
static void print_field(double value)
{
    if (isfinite(value))
        printf(",%.17g", value);
    else
        putchar(',');
}

/* Quoted, quotation marks doubled. */
static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void print_csv(const result *r)
{
    const swq_solution *s = &r->solution;
    swq_mean mean = mean_of(r) ? *mean_of(r) : (swq_mean){NAN, NAN, NAN};

    if (all_states) {
        puts("state,probability,reward,name");
        for (int64_t k = 0; k < s->states; k++) {
            int64_t number = k + r->chain.first;
            printf("%lld", (long long)number);
            print_field(s->pi[k]);
            print_field(r->chain.reward ? r->chain.reward[k] : NAN);
            putchar(',');
            if (r->chain.named)
                print_quoted(name_of(r, k));
            putchar('\n');
        }
        return;
    }
    puts("states,transitions,transient_states,period,solver,mean_reward,mean_reward_lower,"
         "mean_reward_upper,relative_error,residual");
    printf("%lld,%lld,%lld,%lld,%s", (long long)s->states, (long long)swq_csr_nnz(&r->chain.p),
           (long long)s->transient, (long long)s->period, s->solver->name);
    const double value[] = {mean.value, mean.lower, mean.upper, s->pi_error, s->residual};
    for (size_t k = 0; k < sizeof value / sizeof *value; k++)
        print_field(value[k]);
    putchar('\n');
}

/* ---- text ---- */

/* The most likely states, by selection: they are few. */
static void print_top(const result *r)
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
    printf("\n  %12s  %s\n", "state", r->chain.named ? "probability         name" : "probability");
    for (int64_t k = 0; k < count; k++) {
        int64_t number = top[k] + r->chain.first;
        if (r->chain.named)
            printf("  %12lld  %-18.12g  %s\n", (long long)number, pi[top[k]], name_of(r, top[k]));
        else
            printf("  %12lld  %.12g\n", (long long)number, pi[top[k]]);
    }
    int64_t rest = r->solution.states - count;
    if (rest > 0)
        printf("  and %lld more; --csv or --json prints all\n", (long long)rest);
}

static void print_text(const result *r)
{
    const swq_solution *s = &r->solution;
    char name[64];

    printf("%s: %lld states, %lld transitions; rows sum to one within %.1g\n\n", chain_path,
           (long long)s->states, (long long)swq_csr_nnz(&r->chain.p), r->chain.worst_sum);
    if (mean_of(r)) {
        snprintf(name, sizeof name, "mean %.40s",
                 r->chain.reward_name && *r->chain.reward_name ? r->chain.reward_name : "reward");
        cli_print_mean(name, mean_of(r), " per step");
    } else {
        puts("  no rewards given: --rewards FILE");
    }
    for (int k = 0; k < r->chain.labels; k++)
        printf("  label %-16s %.12g\n", r->chain.label[k].name, r->label[k]);
    if (all_states)
        print_top(r);
    printf("\n  %lld transient states, period %lld%s\n", (long long)s->transient,
           (long long)s->period, s->period > 1 ? " (long-run averages)" : "");
    printf("  solved by %s", s->solver->name);
    if (s->iterations)
        printf(" in %lld iterations", (long long)s->iterations);
    printf(", residual %.1g, in %.3f s%s%s\n", s->residual, s->seconds, s->why ? "\n  " : "",
           s->why ? s->why : "");
    if (isfinite(s->pi_error))
        printf("  every probability of a state is proven to within %.1g of itself\n", s->pi_error);
    else
        puts("  the probabilities of single states have no proven error bound");
}

/* ---- the command ---- */

static swq_status read_options(swq_context *ctx, bool json, bool csv, swq_exact_options *how)
{
    const char *other = cli_given(cli_spec_options, NULL);

    if (!other)
        other = cli_given(cli_solver_options, "reduce");
    if (other)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--%s is for a switch: it cannot be given with --chain, whose file says all", other);
    if (json && csv)
        return swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    return cli_solver_read(ctx, how);
}

int cli_solve_chain(swq_context *ctx, bool json, bool csv)
{
    swq_exact_options how = swq_exact_options_defaults();
    result r = {0};
    swq_status status = read_options(ctx, json, csv, &how);

    if (!status)
        status = swq_import_chain(ctx, chain_path, rewards_path, &r.chain);
    if (status)
        return cli_fail(ctx, status);
    swq_status solved = solve(ctx, &how, &r);
    cli_clear_progress();
    status = solved && solved != SWQ_ECONVERGE ? solved : weigh_labels(ctx, &r);
    if (status) {
        clear(ctx, &r);
        return cli_fail(ctx, status);
    }
    if (solved) /* the last iterate follows, with its true residual and bounds */
        cli_fail(ctx, solved);
    if (json) {
        status = cli_json_print(ctx, json_of(&r, swq_context_peak_bytes(ctx)));
    } else {
        if (csv)
            print_csv(&r);
        else
            print_text(&r);
        status = cli_flush(ctx);
    }
    clear(ctx, &r);
    if (status)
        return cli_fail(ctx, status);
    return solved ? CLI_FAILED : CLI_OK;
}
