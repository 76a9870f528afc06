/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --chain, of paths that begin in one state: the closed classes in which they end,
 * the time until they enter a set of states, and the distribution at a time.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/print/text.h"
#include "cli/solve/file.h"
#include "cli/solve/solve.h"
#include "solvers/bounds.h"
#include "solvers/width.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_CLASSES = 20, AIM = 0, NEVER = 1 };

static char *start_text, *until_text, *after_text;

cli_parameter cli_chain_start_parameters[] = {
    {CLI_OPTION_IN("start", "STATE|LABEL", 0, &start_text), CLI_OF_THE_RUN, .needs = {"chain"},
     .about =
         "follow paths from a state, or from that of a label: the closed classes in which they "
         "end, and averages over them (default, if there is more than one class: the label "
         "init)"},
    {CLI_OPTION_IN("until", "LABEL|STATE[-STATE],...", 0, &until_text), CLI_OF_THE_RUN,
     .needs = {"chain"},
     .about = "the probability that a path from --start ever enters a set of states, and the mean "
              "time until then"},
    {CLI_OPTION_IN("after", "TIME", 0, &after_text), CLI_OF_THE_RUN, .needs = {"chain"},
     .about = "the distribution of the states after that many steps from --start (with --rates, "
              "that time); with --until, the probability that the set was entered by then"},
    CLI_PARAMETERS_END,
};

const char *cli_chain_start_given(void)
{
    return start_text ? "start" : until_text ? "until" : after_text ? "after" : NULL;
}

const char *cli_chain_until_text(void)
{
    return until_text;
}

const char *cli_chain_after_text(void)
{
    return after_text;
}

const char *cli_chain_unit(const cli_chain *chain)
{
    return chain->timed.hold ? "units of time" : "steps";
}

/* ---- reading ---- */

static const swq_label *find_label(const cli_chain *chain, const char *name)
{
    for (int k = 0; k < chain->from.labels; k++) {
        if (strcmp(chain->from.label[k].name, name) == 0)
            return &chain->from.label[k];
    }
    return NULL;
}

static swq_status start_of_label(swq_context *ctx, const swq_label *label, cli_chain *chain)
{
    if (label->states != 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--start: a path begins in one state, and the label \"%.40s\" has %lld",
                        label->name, (long long)label->states);
    chain->start = label->state[0];
    return SWQ_OK;
}

/* A state's number in the file, at *text, which moves past it. */
static swq_status read_state(swq_context *ctx, const char *option, const cli_chain *chain,
                             const char **text, int64_t *state)
{
    const int64_t first = chain->from.first, last = first + chain->from.p.rows - 1;
    char *end;
    const long long number = strtoll(*text, &end, 10);

    if (end == *text || number < first || number > last)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s: '%.40s' is neither a label of the chain nor a state from %lld to "
                        "%lld",
                        option, *text, (long long)first, (long long)last);
    *text = end;
    *state = number - first;
    return SWQ_OK;
}

swq_status cli_chain_start_read(swq_context *ctx, cli_chain *chain)
{
    const swq_label *label = find_label(chain, start_text ? start_text : "init");
    const char *at = start_text;

    chain->start = -1;
    if (label && (start_text || label->states == 1))
        return start_of_label(ctx, label, chain);
    if (!start_text)
        return SWQ_OK;
    swq_status status = read_state(ctx, "start", chain, &at, &chain->start);
    if (!status && *at)
        status = swq_fail(ctx, SWQ_EINVAL, "--start must be a state or a label, not '%.40s'",
                          start_text);
    return status;
}

/* set[i] = AIM for the states of --until, -1 for all others. */
static swq_status read_until(swq_context *ctx, const cli_chain *chain, int32_t *set)
{
    const swq_label *label = find_label(chain, until_text);
    const char *at = until_text;

    for (int64_t i = 0; i < chain->from.p.rows; i++)
        set[i] = -1;
    if (label && label->states == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--until: no state has the label \"%.40s\"", label->name);
    for (int64_t k = 0; label && k < label->states; k++)
        set[label->state[k]] = AIM;
    while (!label) {
        int64_t low = 0;
        swq_status status = read_state(ctx, "until", chain, &at, &low);
        int64_t high = low;
        if (!status && *at == '-') {
            at++;
            status = read_state(ctx, "until", chain, &at, &high);
        }
        if (!status && (high < low || (*at && (*at != ',' || !at[1]))))
            status = swq_fail(ctx, SWQ_EINVAL,
                              "--until must be a label, or states as in 3,7,9-12, not '%.40s'",
                              until_text);
        if (status)
            return status;
        for (int64_t i = low; i <= high; i++)
            set[i] = AIM;
        if (!*at++)
            break;
    }
    return SWQ_OK;
}

static swq_status read_after(swq_context *ctx, const cli_chain *chain, double *time)
{
    return cli_number_or_whole(ctx, "after", after_text, 0, 1e15, !chain->timed.hold, time);
}

/* ---- answers ---- */

/* Closed classes without a state of --until are sets of their own kind: a path that enters one
 * never gets there. */
static swq_status mark_never(swq_context *ctx, const cli_chain *chain, int32_t *set)
{
    const int64_t states = chain->from.p.rows;
    int64_t classes = 0;
    int32_t *of = swq_calloc(ctx, (size_t)states, sizeof *of);
    swq_status status =
        of ? swq_classes_find(ctx, &chain->from.p, of, &classes) : swq_memory_status(ctx);
    bool *has_aim = status ? NULL : swq_calloc(ctx, (size_t)classes, sizeof *has_aim);

    if (!status && !has_aim)
        status = swq_memory_status(ctx);
    for (int64_t i = 0; i < states && !status; i++) {
        if (set[i] == AIM && of[i] >= 0)
            has_aim[of[i]] = true;
    }
    for (int64_t i = 0; i < states && !status; i++) {
        if (of[i] >= 0 && !has_aim[of[i]])
            set[i] = NEVER;
    }
    swq_free(ctx, has_aim);
    swq_free(ctx, of);
    return status;
}

static swq_status solve_until(swq_context *ctx, const swq_exact_options *how, int32_t *set,
                              cli_chain *chain)
{
    swq_status status = mark_never(ctx, chain, set);

    if (status)
        return status;
    status = swq_passage_solve(ctx, &chain->timed, chain->start, set, 2, chain->from.reward,
                               how->solver, &how->solving, &chain->passage);
    if (status && status != SWQ_ECONVERGE)
        return status;
    swq_mean *arrives = chain->passage.arrives;
    if (arrives[NEVER].value == 0) /* no path can miss the set */
        arrives[AIM] = (swq_mean){1, 1, 1};
    return chain->passage.solver
               ? swq_width_check(ctx, chain->passage.solver, &how->solving, chain->passage.error)
               : SWQ_OK;
}

/* No system is solved: the bound on the probabilities of states is that of the steps. */
static swq_status check_width(swq_context *ctx, const swq_exact_options *how, double width)
{
    if (width <= how->solving.enclosure)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_ECONVERGE,
                    "the distribution at that time is proven to within %.1g of itself, not %.1g as "
                    "wanted (--tol)",
                    width, how->solving.enclosure);
}

/* The distribution of the chain that stays where it enters the set, if there is one. */
static swq_status solve_after(swq_context *ctx, const swq_exact_options *how, const int32_t *set,
                              cli_chain *chain)
{
    swq_csr *p = &chain->from.p;
    double time = 0;
    swq_status status = read_after(ctx, chain, &time);

    /* a row keeps its room: its first entry becomes the only one that is above zero */
    for (int64_t i = 0; i < p->rows && !status && set; i++) {
        if (set[i] != AIM)
            continue;
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            p->value[e] = 0;
        p->col[p->start[i]] = (int32_t)i;
        p->value[p->start[i]] = 1;
        if (chain->from.stays)
            chain->from.stays[i] = true;
    }
    if (!status)
        status = swq_transient_solve(ctx, &chain->timed, chain->start, time, &chain->transient);
    if (!status && !set) {
        chain->pi = chain->transient.x;
        chain->pi_error = chain->transient.relative;
    }
    for (int64_t i = 0; i < p->rows && !status && set; i++)
        chain->entered += set[i] == AIM ? chain->transient.x[i] : 0;
    return status ? status : check_width(ctx, how, chain->transient.relative);
}

swq_status cli_chain_start_solve(swq_context *ctx, const swq_exact_options *how, cli_chain *chain)
{
    int32_t *set = NULL;
    swq_status status = SWQ_OK, solved = SWQ_OK;

    if (until_text) {
        set = swq_calloc(ctx, (size_t)chain->from.p.rows, sizeof *set);
        status = set ? read_until(ctx, chain, set) : swq_memory_status(ctx);
        chain->until = !status;
    }
    if (!status && until_text)
        status = solved = solve_until(ctx, how, set, chain);
    if ((!status || status == SWQ_ECONVERGE) && after_text)
        status = solve_after(ctx, how, set, chain);
    swq_free(ctx, set);
    if (until_text || after_text)
        return status ? status : solved;
    status = swq_long_run_solve(ctx, &chain->timed, chain->start, chain->from.reward, how->solver,
                                &how->solving, &chain->run);
    if (status && status != SWQ_ECONVERGE)
        return status;
    chain->pi = chain->run.pi;
    chain->pi_error = chain->run.pi_error;
    const double width =
        chain->from.reward ? swq_mean_width(&chain->run.reward) : chain->run.pi_error;
    return chain->run.solver ? swq_width_check(ctx, chain->run.solver, &how->solving, width)
                             : status;
}

/* ---- the record ---- */

static void put_time(cli_record *to, const cli_chain *chain, const char *key, const char *label,
                     const swq_mean *time)
{
    cli_in_unit(cli_labelled(cli_put_proven(to, key, key, time), label), cli_chain_unit(chain));
}

static void put_classes(cli_record *answers, const cli_chain *chain)
{
    const swq_long_run *run = &chain->run;
    cli_record *list = cli_put_list(answers, "endings", NULL);

    cli_say(answers, "\n  %12s  %-18s  %12s%s", "first state", "probability", "states",
            chain->from.reward ? "  mean reward" : "");
    for (int k = 0; k < run->classes; k++) {
        const swq_ending *at = &run->ending[k];
        cli_record *item = cli_put_item(list, NULL);
        const long long first = (long long)at->first + chain->from.first;
        cli_put_count(item, "state", (uint64_t)first);
        cli_put_count(item, "states", (uint64_t)at->states);
        cli_put_count(item, "period", (uint64_t)at->period);
        cli_put_proven(item, "probability", "probability", &at->probability);
        if (chain->from.reward)
            cli_put_proven(item, "mean_reward", "mean_reward", &at->reward);
        if (k < SHOWN_CLASSES && chain->from.reward)
            cli_say(answers, "  %12lld  %-18.12g  %12lld  %.12g", first, at->probability.value,
                    (long long)at->states, at->reward.value);
        else if (k < SHOWN_CLASSES)
            cli_say(answers, "  %12lld  %-18.12g  %12lld", first, at->probability.value,
                    (long long)at->states);
    }
    if (run->classes > SHOWN_CLASSES)
        cli_say(answers, "  and %d more closed classes; --csv or --json prints all",
                run->classes - SHOWN_CLASSES);
}

static void put_long_run(cli_record *answers, const cli_chain *chain, const char *name)
{
    if (chain->from.reward)
        cli_in_unit(
            cli_labelled(cli_put_proven(answers, "mean_reward", "mean_reward", &chain->run.reward),
                         name),
            chain->timed.hold ? "per unit of time" : "per step");
    put_time(answers, chain, "mean_time", "mean time to a class", &chain->run.time);
    put_classes(answers, chain);
}

static void put_passage(cli_record *answers, const cli_chain *chain)
{
    const swq_passage *passage = &chain->passage;
    const bool certain = passage->arrives[NEVER].value == 0;
    cli_record *arrives = cli_put_proven(answers, "arrives", "arrives", &passage->arrives[AIM]);

    if (!certain) {
        cli_labelled(arrives, "ever arrives");
        cli_say(answers, "  the mean time until then is infinite: some paths never arrive");
        return;
    }
    cli_quietly(arrives);
    cli_say(answers, "  every path arrives");
    put_time(answers, chain, "mean_time", "mean time until then", &passage->time);
    if (chain->from.reward)
        cli_labelled(cli_put_proven(answers, "collected", "collected", &passage->reward),
                     "reward until then");
}

static void put_transient(cli_record *answers, const cli_chain *chain)
{
    const swq_transient *at = &chain->transient;
    const double sums = ((double)chain->from.p.rows + 2) * 0x1p-53;
    double reward = 0, most = 0;

    cli_quietly(cli_put_count(answers, "steps_taken", (uint64_t)at->steps));
    if (chain->until) {
        swq_mean mean = bound_around(chain->entered, bound_chain(at->relative, sums), 1);
        mean.lower = fmax(0, mean.lower - at->absolute);
        mean.upper = fmin(1, mean.upper + at->absolute);
        cli_labelled(cli_put_proven(answers, "arrived", "arrived", &mean), "arrived by then");
        return;
    }
    for (int64_t i = 0; i < chain->from.p.rows && chain->from.reward; i++) {
        reward += at->x[i] * chain->from.reward[i];
        most = fmax(most, chain->from.reward[i]);
    }
    if (!chain->from.reward)
        return;
    const double of_reward = (double)chain->timed.roundings * 0x1p-53;
    swq_mean mean =
        bound_around(reward, bound_chain(at->relative, bound_chain(of_reward, sums)), INFINITY);
    mean.lower = fmax(0, mean.lower - most * at->absolute * 1.001);
    mean.upper += most * at->absolute * 1.001;
    cli_labelled(cli_put_proven(answers, "reward_then", "reward_then", &mean), "mean reward then");
}

void cli_chain_start_put(cli_record *answers, const cli_chain *chain, const char *name)
{
    if (until_text)
        put_passage(answers, chain);
    if (after_text)
        put_transient(answers, chain);
    if (!until_text && !after_text)
        put_long_run(answers, chain, name);
}
